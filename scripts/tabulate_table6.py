"""Lay the lexical scores of the regenerated pairs out as table 6."""

import pandas as pd

from embsyntax.claims import read_published
from embsyntax.jobs import open_job_log, write_text, write_tsv
from embsyntax.registry import read_models, read_table
from embsyntax.scores import ScoreSettings, read_scores
from embsyntax.sr_tables import build_table6, table6_markdown
from embsyntax.tables import TABLE_6, index_published

with open_job_log(snakemake) as log:
    settings = ScoreSettings(
        resamples=snakemake.params.resamples,
        confidence=snakemake.params.confidence,
        seed=snakemake.params.seed,
        cosine_decimals=snakemake.params.cosine_decimals,
    )
    models = read_models(snakemake.input.models)
    rows = read_published(read_table(snakemake.input.published), snakemake.input.published)
    published = index_published(rows, snakemake.params.models, models, TABLE_6)
    tables = {
        generator: build_table6(
            read_scores(
                path for path in snakemake.input.scores if f"/sr_regenerated_{generator}/" in path
            ),
            models,
            published,
        )
        for generator in snakemake.params.generators
    }
    whole = pd.concat([table.assign(generator=name) for name, table in tables.items()])
    whole.insert(0, "generator", whole.pop("generator"))
    write_tsv(whole, snakemake.output.tsv)
    write_text(table6_markdown(tables, settings, snakemake.params.track_note), snakemake.output.md)
    log.info("%d rows of %d generators", len(whole), len(tables))
