"""Let a judge say whether anchor and paraphrase, and anchor and trap, follow from each other."""

from pathlib import Path

import pandas as pd

from embsyntax.jobs import force_offline, open_job_log, write_atomic

force_offline()

from embsyntax import entailment  # noqa: E402
from embsyntax.devices import choose_device, name_device, use_threads  # noqa: E402
from embsyntax.provenance import make_manifest, read_manifest, write_manifest  # noqa: E402
from embsyntax.triple_entailment import score_triples  # noqa: E402
from embsyntax.vector_store import VectorStore  # noqa: E402

with open_job_log(snakemake) as log:
    given, params = snakemake.input, snakemake.params
    name, generator = snakemake.wildcards.judge, snakemake.wildcards.generator
    use_threads(snakemake.threads)
    device = choose_device(params.device, snakemake.resources.get("gpu", 0), log)
    files = read_manifest(given.manifest)["files"]
    judge = entailment.load_judge(given.model, name, device)
    folder = Path("results/scratch/entailment", generator)
    store = VectorStore(folder / f"{name}-{entailment.store_key(judge, files)}", log)
    candidates = pd.read_parquet(given.candidates)
    table = score_triples(candidates, judge, params.batch_tokens, store, log)
    with write_atomic(snakemake.output.scores) as partial:
        table.to_parquet(partial, index=False)
    manifest = make_manifest(
        snakemake,
        packages=entailment.JUDGE_PACKAGES,
        device=name_device(device),
        models={name: {"files": files}},
        n_candidates=len(table),
        n_truncated=int(table["n_truncated"].sum()),
        **judge.describe(),
    )
    write_manifest(snakemake.output.manifest, manifest)
    log.info("%d candidates of %s judged by %s", len(table), generator, name)
