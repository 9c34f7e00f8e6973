"""Let an annotator score pairs of STS-B test, twice, to be compared with people and with itself."""

from pathlib import Path

import pandas as pd

from embsyntax.jobs import force_offline, open_job_log, write_atomic

force_offline()

from embsyntax.annotation import annotate_scored_pairs  # noqa: E402
from embsyntax.chat_backends import JobResources, open_job  # noqa: E402
from embsyntax.prompts import read_prompt  # noqa: E402
from embsyntax.provenance import make_manifest, write_manifest  # noqa: E402
from embsyntax.sampling import draw_rows  # noqa: E402

with open_job_log(snakemake) as log:
    annotator, config, params = snakemake.wildcards.annotator, snakemake.config, snakemake.params
    gpu = snakemake.resources.get("gpu", 0)
    job = open_job(
        config,
        "annotators",
        annotator,
        snakemake.input.get("language_model", []),
        JobResources(config["device"], gpu, snakemake.threads, Path("results/scratch")),
        task="stsb_test",
        writer="answers",
        log=log,
    )
    pairs = draw_rows(
        pd.read_parquet(snakemake.input.pairs), "pair_id", params.n_pairs, params.seed
    )
    table, answers = annotate_scored_pairs(
        pairs,
        annotator,
        read_prompt(snakemake.input.prompt),
        job.ask,
        seeds=(job.settings.seed, params.retest_seed),
    )
    with write_atomic(snakemake.output.annotations) as partial:
        table.to_parquet(partial, index=False)
    write_manifest(snakemake.output.manifest, make_manifest(snakemake, **job.describe(answers)))
    log.info("%d pairs scored twice by %s", len(pairs), annotator)
