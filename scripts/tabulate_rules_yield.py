"""Put the yield and speed of every perturbation rule and corpus into one table."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_tsv
from embsyntax.rule_yields import ANY, tabulate_yields

with open_job_log(snakemake) as log:
    runs = [
        (pd.read_parquet(candidates), pd.read_csv(times, sep="\t"))
        for candidates, times in zip(snakemake.input.candidates, snakemake.input.times, strict=True)
    ]
    table = tabulate_yields(runs, snakemake.params.confidence)
    write_tsv(table, snakemake.output.table)
    for row in table[table["rule"] == ANY].itertuples():
        log.info("%s, %s: %d of %d sentences", row.corpus, row.dimension, row.n_made, row.n)
