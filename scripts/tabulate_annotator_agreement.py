"""Tabulate how well each annotator agrees with people and with itself."""

import pandas as pd

from embsyntax.annotator_agreement import (
    AgreementSettings,
    agreement_markdown,
    find_published,
    tabulate_agreement,
)
from embsyntax.claims import read_published
from embsyntax.jobs import open_job_log, write_text, write_tsv
from embsyntax.registry import read_table

with open_job_log(snakemake) as log:
    params = snakemake.params
    settings = AgreementSettings(
        params.resamples, params.confidence, params.seed, params.is_released_data
    )
    path = snakemake.input.published
    published = find_published(read_published(read_table(path), path))
    answers = [pd.read_parquet(file) for file in snakemake.input.annotations]
    table = tabulate_agreement(answers, published, settings)
    temperatures = dict(zip(params.annotators, params.temperatures, strict=True))
    text = agreement_markdown(table, temperatures, params.confidence, params.track_note)
    write_tsv(table, snakemake.output.tsv)
    write_text(text, snakemake.output.md)
    log.info("%d annotators: %s", len(answers), ", ".join(params.annotators))
