"""Check the similarities of a model that another machine made, and take them over."""

import pandas as pd

from embsyntax.external import (
    check_external,
    read_external_manifest,
    read_external_similarities,
)
from embsyntax.jobs import open_job_log, write_atomic
from embsyntax.provenance import file_sha256, make_manifest, write_manifest
from embsyntax.similarities import pairs_digest, similarities_digest, unique_texts

with open_job_log(snakemake) as log:
    suite, model = snakemake.wildcards.suite, snakemake.wildcards.model
    decimals = snakemake.params.cosine_decimals
    pairs = pd.read_parquet(snakemake.input.pairs)
    stated = read_external_manifest(snakemake.input.manifest)
    similarities = check_external(
        read_external_similarities(snakemake.input.similarities),
        stated,
        pairs,
        suite=suite,
        model=model,
        cosine_decimals=decimals,
    )
    with write_atomic(snakemake.output.similarities) as partial:
        similarities.to_parquet(partial, index=False)
    manifest = make_manifest(
        snakemake,
        packages=["numpy", "pandas", "pyarrow"],
        device=stated.get("device"),
        seed=stated.get("seed"),
        data={"pairs_sha256": pairs_digest(pairs), "n_pairs": len(pairs)},
        models=stated.get("models"),
        model=model,
        suite=suite,
        cosine_decimals=decimals,
        similarities_sha256=similarities_digest(similarities),
        n_texts=len(unique_texts(pairs)),
        external_sha256=file_sha256(snakemake.input.similarities),
        external_manifest=stated,
    )
    write_manifest(snakemake.output.manifest, manifest)
    log.info("%d pairs of suite %s taken over for model %s", len(pairs), suite, model)
