"""Lay the tree-kernel similarities out as table 5 of the paper."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_text, write_tsv
from embsyntax.registry import read_table
from embsyntax.sr_tables import build_table5, table5_markdown

with open_job_log(snakemake) as log:
    settings = snakemake.params
    measured = pd.concat([pd.read_csv(path, sep="\t") for path in snakemake.input.kernels])
    table = build_table5(measured, read_table(snakemake.input.published))
    write_tsv(table, snakemake.output.tsv)
    text = table5_markdown(table, settings.decay, settings.confidence, settings.track_note)
    write_text(text, snakemake.output.md)
    log.info("%d corpora", len(measured))
