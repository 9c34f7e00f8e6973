"""Ask an OpenAI-compatible server for the vectors of a suite's texts and compare its pairs."""

from dataclasses import asdict
from pathlib import Path

import pandas as pd

from embsyntax.endpoint import (
    LEDGER_FILE,
    EndpointSettings,
    embed_remotely,
    open_endpoint,
    read_usage,
)
from embsyntax.jobs import open_job_log, write_atomic
from embsyntax.provenance import digest, make_manifest, write_manifest
from embsyntax.registry import read_models
from embsyntax.similarities import (
    cosine_similarities,
    pairs_digest,
    similarities_digest,
    unique_texts,
)
from embsyntax.vector_store import VectorStore

with open_job_log(snakemake) as log:
    suite, name = snakemake.wildcards.suite, snakemake.wildcards.model
    decimals = snakemake.params.cosine_decimals
    model = read_models(snakemake.config["models_table"])[name]
    prompt = model.similarity_prompt or "" if model.prompt_policy == "similarity" else ""
    endpoint = open_endpoint(model.base_url, model.remote_model, model.embedding_dim, prompt)
    key = digest(list(snakemake.params.model_row))
    store = VectorStore(Path("results/scratch/vectors", suite, f"{name}-{key}"), log)
    pairs = pd.read_parquet(snakemake.input.pairs)
    texts = unique_texts(pairs)
    settings = EndpointSettings(**snakemake.config["endpoint"])
    vectors = embed_remotely(texts, endpoint, settings, store, log)
    table = cosine_similarities(pairs, texts, vectors, decimals=decimals, model=name)
    with write_atomic(snakemake.output.similarities) as partial:
        table.to_parquet(partial, index=False)
    manifest = make_manifest(
        snakemake,
        packages=["httpx", "numpy", "pandas", "pyarrow", "tenacity"],
        device=f"endpoint {endpoint.host}",
        data={"pairs_sha256": pairs_digest(pairs), "n_pairs": len(pairs)},
        models={name: {"source": model.source, "revision": model.revision, "prompt": prompt}},
        model=name,
        suite=suite,
        cosine_decimals=decimals,
        similarities_sha256=similarities_digest(table),
        n_texts=len(texts),
        embedding_dim=vectors.shape[1],
        usage=asdict(read_usage(store.folder / LEDGER_FILE)),
    )
    write_manifest(snakemake.output.manifest, manifest)
    log.info("%d texts, %d pairs of suite %s by %s", len(texts), len(pairs), suite, endpoint.host)
