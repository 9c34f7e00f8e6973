"""Embed the texts of a suite with a local model and compare each pair."""

from pathlib import Path

import pandas as pd
from embsyntax.jobs import force_offline, open_job_log, write_atomic

force_offline()

from embsyntax import embedding, similarities  # noqa: E402
from embsyntax.devices import choose_device, name_device  # noqa: E402
from embsyntax.provenance import digest, make_manifest, read_manifest, write_manifest  # noqa: E402
from embsyntax.registry import read_models  # noqa: E402
from embsyntax.vector_store import VectorStore  # noqa: E402

with open_job_log(snakemake) as log:
    settings = snakemake.params
    model = read_models(snakemake.config["models_table"])[snakemake.wildcards.model]
    fetched = read_manifest(snakemake.input.model_manifest)
    device = choose_device(settings.device, snakemake.resources.get("gpu", 0))
    dtype = embedding.choose_dtype(model, device, settings.cpu_dtype)
    pairs = pd.read_parquet(snakemake.input.pairs)
    key = digest(
        [embedding.ENGINE_VERSION, fetched["files"], list(settings.model_row), dtype, device.type]
    )
    folder = Path("results/scratch/vectors") / snakemake.wildcards.suite / f"{model.model}-{key}"
    encoder = embedding.load_encoder(snakemake.input.snapshot, model, device, dtype)
    embedded = embedding.embed_texts(
        encoder,
        similarities.list_texts(pairs),
        model=model,
        batch_tokens=settings.batch_tokens,
        shard_batches=settings.shard_batches,
        store=VectorStore(folder),
    )
    table = similarities.compare_pairs(pairs, embedded.vectors, settings.cosine_decimals)
    manifest = make_manifest(
        snakemake,
        packages=["numpy", "sentence-transformers", "tokenizers", "torch", "transformers"],
        device=name_device(device),
        data={"pairs_sha256": similarities.pairs_digest(pairs), "n_pairs": len(pairs)},
        models={model.model: fetched},
        model=model.model,
        suite=snakemake.wildcards.suite,
        cosine_decimals=settings.cosine_decimals,
        dtype=dtype,
        n_texts=embedded.n_texts,
        n_tokens=embedded.n_tokens,
        n_truncated=embedded.n_truncated,
    )
    with write_atomic(snakemake.output.similarities) as partial:
        table.to_parquet(partial, index=False)
    write_manifest(snakemake.output.manifest, manifest)
    log.info("%d pairs, %d texts, %d cut", len(pairs), embedded.n_texts, embedded.n_truncated)
