"""Draw the part of each set of triples that no baseline without a model solves."""

import pandas as pd

from embsyntax.baselines import DEFINITIONS
from embsyntax.jobs import open_job_log, write_atomic, write_text, write_tsv
from embsyntax.triple_balance import balance_sets
from embsyntax.triple_sets import TRIPLE_SETS, gather_triples
from embsyntax.triple_tables import balance_markdown

with open_job_log(snakemake) as log:
    settings = snakemake.params
    sets = gather_triples(
        pd.read_parquet(snakemake.input.triples),
        next(map(pd.read_parquet, snakemake.input.xgen_test), None),
        pd.read_parquet(snakemake.input.human_test),
    )
    balance, table = balance_sets(
        sets,
        TRIPLE_SETS,
        settings.baselines,
        settings.limit,
        settings.seed,
        settings.cosine_decimals,
    )
    with write_atomic(snakemake.output.balance) as partial:
        balance.to_parquet(partial, index=False)
    text = balance_markdown(table, settings.limit, DEFINITIONS, settings.track_note)
    write_tsv(table, snakemake.output.tsv)
    write_text(text, snakemake.output.md)
    log.info("%d of %d triples are balanced", balance["is_balanced"].sum(), len(balance))
