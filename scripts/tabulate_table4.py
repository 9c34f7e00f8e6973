"""Tabulate table 4 of the paper: published values and ours."""

from embsyntax.claims import read_published
from embsyntax.jobs import open_job_log, write_text, write_tsv
from embsyntax.registry import read_models, read_table
from embsyntax.scores import ScoreSettings, read_scores
from embsyntax.tables import TABLE_4, build_table4, index_published, table4_latex, table4_markdown

with open_job_log(snakemake) as log:
    settings = ScoreSettings(
        resamples=snakemake.params.resamples,
        confidence=snakemake.params.confidence,
        seed=snakemake.params.seed,
        cosine_decimals=snakemake.params.cosine_decimals,
    )
    models = read_models(snakemake.input.models)
    rows = read_published(read_table(snakemake.input.published), snakemake.input.published)
    table = build_table4(
        read_scores(snakemake.input.scores),
        models,
        index_published(rows, snakemake.params.models, models, TABLE_4),
        snakemake.params.is_released_data,
    )
    note = snakemake.params.track_note
    write_tsv(table, snakemake.output.tsv)
    write_text(table4_markdown(table, settings, note), snakemake.output.md)
    write_text(table4_latex(table, settings, note), snakemake.output.tex)
    log.info("%d rows of %d models", len(table), table["model"].nunique())
