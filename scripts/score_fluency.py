"""Compare the perplexity of each made candidate with that of its source."""

from pathlib import Path

import pandas as pd

from embsyntax.jobs import force_offline, open_job_log, write_atomic

force_offline()

from embsyntax.chat_backends import JobResources, load_model  # noqa: E402
from embsyntax.fluency import score_fluency  # noqa: E402
from embsyntax.provenance import digest, read_manifest  # noqa: E402
from embsyntax.vector_store import VectorStore  # noqa: E402

with open_job_log(snakemake) as log:
    names, params, config = snakemake.wildcards, snakemake.params, snakemake.config
    gpu, scratch = snakemake.resources.get("gpu", 0), Path("results/scratch")
    resources = JobResources(config["device"], gpu, snakemake.threads, scratch)
    model = load_model(
        params.language_model, snakemake.input.snapshot, params.dtype, resources, log
    )
    key = digest([model.dtype, read_manifest(snakemake.input.manifest)["files"]])
    folder = scratch / "fluency" / f"{model.name}-{key}" / names.generator / names.corpus
    candidates = pd.read_parquet(snakemake.input.candidates)
    table = score_fluency(candidates, model, params.batch_tokens, VectorStore(folder, log), log)
    with write_atomic(snakemake.output.fluency) as partial:
        table.to_parquet(partial, index=False)
    median = table["ratio"].median()
    log.info("%d candidates of %s, median ratio %.3f", len(table), names.generator, median)
