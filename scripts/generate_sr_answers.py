"""Let a language model rewrite the sentences of a corpus: one perturbation, one shard."""

from pathlib import Path

import pandas as pd

from embsyntax.jobs import force_offline, open_job_log, write_atomic

force_offline()

from embsyntax.chat_backends import JobResources, open_job  # noqa: E402
from embsyntax.generation import generate_rewrites  # noqa: E402
from embsyntax.prompts import read_prompt  # noqa: E402
from embsyntax.provenance import make_manifest, write_manifest  # noqa: E402
from embsyntax.sampling import draw_rows  # noqa: E402

with open_job_log(snakemake) as log:
    names, config = snakemake.wildcards, snakemake.config
    gpu = snakemake.resources.get("gpu", 0)
    job = open_job(
        config,
        "generators",
        names.generator,
        snakemake.input.get("language_model", []),
        JobResources(config["device"], gpu, snakemake.threads, Path("results/scratch")),
        task=f"{names.corpus}/{names.perturbation}",
        writer=f"shard-{names.shard}",
        log=log,
    )
    settings = job.settings
    sentences = draw_rows(
        pd.read_parquet(snakemake.input.sentences), "text", settings.max_sentences, settings.seed
    )
    table, answers = generate_rewrites(
        sentences,
        names.perturbation,
        read_prompt(snakemake.input.prompt),
        job.ask,
        int(names.shard),
        settings.shards,
    )
    with write_atomic(snakemake.output.answers) as partial:
        table.to_parquet(partial, index=False)
    write_manifest(snakemake.output.manifest, make_manifest(snakemake, **job.describe(answers)))
    classes = table["failure_class"].replace("", "usable").value_counts().to_dict()
    log.info("%d answers by %s: %s", len(table), names.generator, classes)
