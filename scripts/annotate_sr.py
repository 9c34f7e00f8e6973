"""Give each made candidate a score from 0 to 5: by a language model, or as the rules declare it."""

from pathlib import Path

import pandas as pd

from embsyntax.jobs import force_offline, open_job_log, write_atomic

force_offline()

from embsyntax.annotation import annotate_pairs, declare_scores  # noqa: E402
from embsyntax.chat_backends import JobResources, open_job  # noqa: E402
from embsyntax.chat_settings import RULES  # noqa: E402
from embsyntax.prompts import read_prompt  # noqa: E402
from embsyntax.provenance import make_manifest, write_manifest  # noqa: E402

with open_job_log(snakemake) as log:
    names, config = snakemake.wildcards, snakemake.config
    candidates = pd.read_parquet(snakemake.input.candidates)
    if config["annotators"][names.annotator]["backend"] == RULES:
        table = declare_scores(candidates, names.annotator)
        manifest = make_manifest(snakemake, packages=["pandas"])
    else:
        gpu = snakemake.resources.get("gpu", 0)
        job = open_job(
            config,
            "annotators",
            names.annotator,
            snakemake.input.get("language_model", []),
            JobResources(config["device"], gpu, snakemake.threads, Path("results/scratch")),
            task=f"{names.generator}/{names.corpus}",
            writer="answers",
            log=log,
        )
        prompt = read_prompt(snakemake.input.prompt)
        table, answers = annotate_pairs(candidates, names.annotator, prompt, job.ask)
        manifest = make_manifest(snakemake, **job.describe(answers))
    with write_atomic(snakemake.output.annotations) as partial:
        table.to_parquet(partial, index=False)
    write_manifest(snakemake.output.manifest, manifest)
    log.info(
        "%d pairs of %s scored by %s, %d without a score",
        len(table),
        names.generator,
        names.annotator,
        table["score"].isna().sum(),
    )
