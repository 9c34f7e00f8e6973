"""Pair each query with all passages and twins, and describe the set."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic, write_tsv
from embsyntax.triple_scores import list_passage_pairs
from embsyntax.triple_sets import describe_passages, gather_passages

with open_job_log(snakemake) as log:
    passages = gather_passages(
        pd.read_parquet(snakemake.input.passages), pd.read_parquet(snakemake.input.triples)
    )
    pairs = list_passage_pairs(passages)
    with write_atomic(snakemake.output.pairs) as partial:
        pairs.to_parquet(partial, index=False)
    write_tsv(describe_passages(passages), snakemake.output.sets)
    log.info("%d queries, %d pairs with texts of the pool", len(passages), len(pairs))
