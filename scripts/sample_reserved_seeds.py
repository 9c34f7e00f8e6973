"""Draw the sentences that are kept for people, so that no generator sees them."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic
from embsyntax.reserved_seeds import reserve_seeds

with open_job_log(snakemake) as log:
    settings = snakemake.params
    seeds = pd.read_parquet(snakemake.input.seeds)
    splits = pd.read_parquet(snakemake.input.splits)
    reserved = reserve_seeds(
        seeds, splits, settings.n_sentences, settings.seed, settings.near_duplicate
    )
    with write_atomic(snakemake.output[0]) as partial:
        reserved.to_parquet(partial, index=False)
    log.info("%d of %d wanted sentences reserved", len(reserved), settings.n_sentences)
