"""Parse the seeds of the triples, those only that the cache does not hold."""

from pathlib import Path

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic
from embsyntax.parses import ParseCache, open_parser, parse_texts
from embsyntax.provenance import read_manifest

with open_job_log(snakemake) as log:
    texts = pd.read_parquet(snakemake.input.seeds)["text"].tolist()
    files = read_manifest(snakemake.input.manifest)["files"]
    parser = open_parser(Path(snakemake.input.snapshot), files)
    cache = ParseCache(Path("results/scratch/parses", parser.key, "triples.seeds"), log)
    batch_texts = snakemake.config["sentences"]["parse_batch"]
    parses = parse_texts(texts, parser.load, cache, batch_texts, log)
    with write_atomic(snakemake.output.parses) as partial:
        partial.write_bytes(parses.to_bytes())
    log.info("%d seeds parsed", len(parses))
