"""Tabulate how often people disagree with the filter of the triples."""

import pandas as pd

from embsyntax.filter_votes import filter_votes_markdown, tabulate_filter_votes
from embsyntax.jobs import open_job_log, write_text, write_tsv
from embsyntax.trap_types import read_trap_types
from embsyntax.triple_people import read_votes

with open_job_log(snakemake) as log:
    settings = snakemake.params
    key = pd.read_parquet(snakemake.input.key)
    votes = read_votes(snakemake.input.votes, key)
    table = tabulate_filter_votes(
        key,
        votes,
        generator=settings.generator,
        judge=settings.judge,
        confidence=settings.confidence,
        resamples=settings.resamples,
        seed=settings.seed,
        is_example=settings.is_example,
    )
    labels = {name: row.label for name, row in read_trap_types(snakemake.input.trap_types).items()}
    text = filter_votes_markdown(table, labels, settings.confidence, settings.track_note)
    write_tsv(table, snakemake.output.tsv)
    write_text(text, snakemake.output.md)
    log.info("%d votes of %d people", len(votes), votes["voter"].nunique())
