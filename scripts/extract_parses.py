"""Parse the sentences of a corpus, those only that the cache does not hold."""

from pathlib import Path

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic
from embsyntax.parses import ParseCache, open_parser, parse_texts
from embsyntax.provenance import read_manifest

with open_job_log(snakemake) as log:
    sentences = pd.read_parquet(snakemake.input.sentences)
    files = read_manifest(snakemake.input.manifest)["files"]
    parser = open_parser(Path(snakemake.input.snapshot), files)
    cache = ParseCache(Path("results/scratch/parses", parser.key, snakemake.wildcards.corpus), log)
    parses = parse_texts(
        sentences["text"].tolist(),
        parser.load,
        cache,
        snakemake.config["sentences"]["parse_batch"],
        log,
    )
    with write_atomic(snakemake.output.parses) as partial:
        partial.write_bytes(parses.to_bytes())
    log.info("%d sentences of corpus %s parsed", len(parses), snakemake.wildcards.corpus)
