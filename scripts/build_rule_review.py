"""Put the answers of both passes beside the ids of what was judged, without any sentence."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_tsv
from embsyntax.rule_review import read_judgements, record_judgements

with open_job_log(snakemake) as log:
    drawn = pd.read_parquet(snakemake.input.key)
    passes = [read_judgements(path, list(drawn["item"])) for path in snakemake.input.passes]
    fluency = pd.read_parquet(snakemake.input.fluency)
    ratios = fluency.set_index("candidate_id")["ratio"].to_dict()
    record = record_judgements(drawn, passes, ratios)
    write_tsv(record, snakemake.output.record)
    log.info("%d outputs of %d rules recorded", len(record), record["rule"].nunique())
