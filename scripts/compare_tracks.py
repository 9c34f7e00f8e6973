"""Ask whether the released and the regenerated track rank models alike."""

from embsyntax.jobs import open_job_log, write_text, write_tsv
from embsyntax.registry import read_models
from embsyntax.scores import ScoreSettings, read_scores
from embsyntax.sr_tables import build_track_comparison, track_comparison_markdown

with open_job_log(snakemake) as log:
    settings = ScoreSettings(
        resamples=snakemake.params.resamples,
        confidence=snakemake.params.confidence,
        seed=snakemake.params.seed,
        cosine_decimals=snakemake.params.cosine_decimals,
    )
    regenerated = {
        generator: read_scores(
            path for path in snakemake.input.regenerated if f"/sr_regenerated_{generator}/" in path
        )
        for generator in snakemake.params.generators
    }
    table = build_track_comparison(
        read_scores(snakemake.input.released),
        regenerated,
        read_models(snakemake.input.models),
        settings,
    )
    write_tsv(table, snakemake.output.tsv)
    write_text(track_comparison_markdown(table, snakemake.params.track_note), snakemake.output.md)
    log.info("%d comparisons, %d undefined", len(table), table["value"].isna().sum())
