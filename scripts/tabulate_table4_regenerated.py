"""Lay the scores on the regenerated pairs out as table 4, with tie ceilings and AUC."""

import pandas as pd

from embsyntax.claims import read_published
from embsyntax.jobs import open_job_log, write_text, write_tsv
from embsyntax.registry import read_models, read_table
from embsyntax.scores import ScoreSettings, read_scores
from embsyntax.sr_tables import build_regenerated_table4, regenerated_table4_markdown
from embsyntax.tables import TABLE_4, index_published, layout_latex

with open_job_log(snakemake) as log:
    settings = ScoreSettings(
        resamples=snakemake.params.resamples,
        confidence=snakemake.params.confidence,
        seed=snakemake.params.seed,
        cosine_decimals=snakemake.params.cosine_decimals,
    )
    models, note = read_models(snakemake.input.models), snakemake.params.track_note
    rows = read_published(read_table(snakemake.input.published), snakemake.input.published)
    order = index_published(rows, snakemake.params.models, models, TABLE_4)
    tables = {
        generator: build_regenerated_table4(
            read_scores(
                path for path in snakemake.input.scores if f"/sr_regenerated_{generator}/" in path
            ),
            read_scores(
                path
                for path in snakemake.input.contrasts
                if f"/sr_regenerated_{generator}/" in path
            ),
            models,
            order,
        )
        for generator in snakemake.params.generators
    }
    whole = pd.concat([table.assign(generator=name) for name, table in tables.items()])
    whole.insert(0, "generator", whole.pop("generator"))
    write_tsv(whole, snakemake.output.tsv)
    write_text(regenerated_table4_markdown(tables, settings, note), snakemake.output.md)
    lead = f"Regenerated track, x100, {settings.resamples} resamples; third block: AUC."
    latex = [
        f"% generator {name}\n{layout_latex(table, lead, note)}" for name, table in tables.items()
    ]
    write_text("\n".join(latex), snakemake.output.tex)
    log.info("%d rows of %d generators", len(whole), len(tables))
