"""Put the regenerated (and validated) pairs of all corpora into the table that models score."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic
from embsyntax.regenerated import make_suite

with open_job_log(snakemake) as log:
    suite = make_suite(pd.read_parquet(snakemake.input.validated))
    with write_atomic(snakemake.output.pairs) as partial:
        suite.to_parquet(partial, index=False)
    counts = suite.groupby("dimension").size().to_dict()
    log.info("%d pairs of generator %s: %s", len(suite), snakemake.wildcards.generator, counts)
