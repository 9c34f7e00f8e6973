"""Flip test sentences where they stand in their passages, and check the passages byte by byte."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic, write_tsv
from embsyntax.passages import build_passages, check_passages
from embsyntax.triple_splits import TEST

with open_job_log(snakemake) as log:
    triples = pd.read_parquet(snakemake.input.triples)
    test = triples[triples["split"] == TEST]
    passages, drops = build_passages(test, pd.read_parquet(snakemake.input.seeds))
    with write_atomic(snakemake.output.passages) as partial:
        passages.to_parquet(partial, index=False)
    check_passages(pd.read_parquet(snakemake.output.passages), test)
    write_tsv(drops, snakemake.output.drops)
    shown = ", ".join(f"{row.reason}: {row.n}" for row in drops.itertuples() if row.n)
    log.info("%d passages of %d test triples; %s", len(passages), len(test), shown)
