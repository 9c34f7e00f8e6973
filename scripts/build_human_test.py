"""Put the votes beside the triples that people wrote; an example gives none."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic
from embsyntax.triple_people import count_votes, read_votes

with open_job_log(snakemake) as log:
    written = pd.read_parquet(snakemake.input.written)
    key = pd.read_parquet(snakemake.input.key)
    counted = count_votes(written, key, read_votes(snakemake.input.votes, key))
    if snakemake.params.is_example:
        log.warning("%d triples of example sheets do not count as written by people", len(counted))
        counted = counted.iloc[:0]
    with write_atomic(snakemake.output[0]) as partial:
        counted.to_parquet(partial, index=False)
    log.info("%d triples, %d yes, %d no", len(counted), counted["yes"].sum(), counted["no"].sum())
