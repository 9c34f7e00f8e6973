"""Compare the two texts of each pair of a suite by a baseline that needs no model."""

import pandas as pd

from embsyntax.baselines import DEFINITIONS, SEEDED_BASELINES, compare_by_baseline
from embsyntax.jobs import open_job_log, write_atomic
from embsyntax.provenance import make_manifest, write_manifest
from embsyntax.registry import read_models
from embsyntax.similarities import (
    list_texts,
    make_similarities,
    pairs_digest,
    similarities_digest,
    unique_texts,
)

with open_job_log(snakemake) as log:
    suite, name = snakemake.wildcards.suite, snakemake.wildcards.model
    decimals, seed = snakemake.params.cosine_decimals, snakemake.params.seed
    baseline = read_models(snakemake.config["models_table"])[name].location
    pairs = pd.read_parquet(snakemake.input.pairs)
    values = compare_by_baseline(
        baseline, list_texts(pairs["sentence1"]), list_texts(pairs["sentence2"]), seed
    )
    table = make_similarities(pairs["pair_id"], values, decimals)
    with write_atomic(snakemake.output.similarities) as partial:
        table.to_parquet(partial, index=False)
    manifest = make_manifest(
        snakemake,
        packages=["numpy", "pandas", "pyarrow"],
        seed=seed if baseline in SEEDED_BASELINES else None,
        data={"pairs_sha256": pairs_digest(pairs), "n_pairs": len(pairs)},
        models={name: {"source": f"baseline:{baseline}", "definition": DEFINITIONS[baseline]}},
        model=name,
        suite=suite,
        cosine_decimals=decimals,
        similarities_sha256=similarities_digest(table),
        n_texts=len(unique_texts(pairs)),
    )
    write_manifest(snakemake.output.manifest, manifest)
    log.info("%d pairs of suite %s compared by %s", len(pairs), suite, baseline)
