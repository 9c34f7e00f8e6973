"""Embed the texts of a suite with a local model and compare each pair."""

from pathlib import Path

import pandas as pd

from embsyntax.jobs import force_offline, open_job_log, write_atomic

force_offline()

from embsyntax import embedding, similarities  # noqa: E402
from embsyntax.devices import choose_device, name_device, use_threads  # noqa: E402
from embsyntax.provenance import make_manifest, read_manifest, write_manifest  # noqa: E402
from embsyntax.registry import read_models  # noqa: E402
from embsyntax.vector_store import VectorStore  # noqa: E402

IDENTITY = ("revision", "weights_revision", "is_verified", "files")
"""What the manifest repeats of the model's own: which weights, not by what way they came."""

with open_job_log(snakemake) as log:
    suite, settings = snakemake.wildcards.suite, snakemake.params
    use_threads(snakemake.threads)
    model = read_models(snakemake.config["models_table"])[snakemake.wildcards.model]
    fetched = read_manifest(snakemake.input.model_manifest)
    device = choose_device(settings.device, snakemake.resources.get("gpu", 0), log)
    dtype = embedding.choose_dtype(model, device, settings.cpu_dtype)
    encoder = embedding.load_encoder(snakemake.input.snapshot, model, device, dtype, log)
    key = embedding.store_key(encoder, model, fetched["files"])
    pairs = pd.read_parquet(snakemake.input.pairs)
    texts = similarities.unique_texts(pairs)
    embedded = embedding.embed_texts(
        encoder,
        texts,
        batch_tokens=settings.batch_tokens,
        shard_batches=snakemake.config["embedding"]["shard_batches"],
        store=VectorStore(Path("results/scratch/vectors", suite, f"{model.model}-{key}"), log),
        log=log,
    )
    decimals = settings.cosine_decimals
    table = similarities.cosine_similarities(
        pairs, texts, embedded.vectors, decimals=decimals, model=model.model
    )
    manifest = make_manifest(
        snakemake,
        packages=["numpy", "pandas", "pyarrow", *embedding.ENGINE_PACKAGES],
        device=name_device(device),
        models={model.model: {name: fetched[name] for name in IDENTITY}},
        model=model.model,
        suite=suite,
        pairs_sha256=similarities.pairs_digest(pairs),
        similarities_sha256=similarities.similarities_digest(table),
        cosine_decimals=decimals,
        n_pairs=len(pairs),
        **embedding.summarize(encoder, embedded),
    )
    with write_atomic(snakemake.output.similarities) as partial:
        table.to_parquet(partial, index=False)
    write_manifest(snakemake.output.manifest, manifest)
    log.info("%d pairs of suite %s compared by %s", len(pairs), suite, model.model)
