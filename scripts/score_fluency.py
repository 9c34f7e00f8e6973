"""Compare the perplexity of each made candidate with that of its source."""

from pathlib import Path

import pandas as pd

from embsyntax.jobs import force_offline, open_job_log, write_atomic

force_offline()

from embsyntax.chat_backends import JobResources, file_checksums, load_model  # noqa: E402
from embsyntax.fluency import score_fluency  # noqa: E402
from embsyntax.provenance import digest, read_manifest  # noqa: E402
from embsyntax.vector_store import VectorStore  # noqa: E402

with open_job_log(snakemake) as log:
    params, config, output = snakemake.params, snakemake.config, Path(snakemake.output.fluency)
    gpu, scratch = snakemake.resources.get("gpu", 0), Path("results/scratch")
    resources = JobResources(config["device"], gpu, snakemake.threads, scratch)
    manifest = read_manifest(snakemake.input.manifest)
    model = load_model(
        params.language_model, snakemake.input.snapshot, manifest, params.dtype, resources, log
    )
    key = digest([model.dtype, file_checksums(manifest)])
    folder = scratch / "fluency" / f"{model.name}-{key}" / output.parent.name / output.stem
    candidates = pd.read_parquet(snakemake.input.candidates)
    table = score_fluency(candidates, model, params.batch_tokens, VectorStore(folder, log), log)
    with write_atomic(output) as partial:
        table.to_parquet(partial, index=False)
    median = table["ratio"].median()
    log.info("%d candidates, median ratio %.3f", len(table), median)
