"""Set the counts of the filter beside the published ones."""

import pandas as pd

from embsyntax.claims import FILTER_ITEMS, read_published
from embsyntax.filter_statistics import (
    compare_published,
    compared_markdown,
    read_published_counts,
)
from embsyntax.jobs import open_job_log, write_text, write_tsv
from embsyntax.registry import read_table
from embsyntax.triple_settings import FilterLimits, FilterRun

with open_job_log(snakemake) as log:
    params = snakemake.params
    runs = [FilterRun(**run | {"limits": FilterLimits(**run["limits"])}) for run in params.runs]
    path = snakemake.input.published
    table = compare_published(
        pd.read_csv(snakemake.input.statistics, sep="\t"),
        read_published_counts(read_published(read_table(path), path)),
        dict(zip(FILTER_ITEMS, runs, strict=False)),
        params.confidence,
        params.is_released_data,
    )
    write_tsv(table, snakemake.output.tsv)
    text = compared_markdown(table, params.confidence, params.track_note)
    write_text(text, snakemake.output.md)
    verdicts = table["verdict"].value_counts()
    shown = ", ".join(f"{n} {verdict}" for verdict, n in verdicts.items() if verdict)
    log.info("%d rows; verdicts: %s", len(table), shown)
