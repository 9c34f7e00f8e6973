"""Let a language model write triples of the seeds: one shard of the work."""

from pathlib import Path

import pandas as pd

from embsyntax.jobs import force_offline, open_job_log, write_atomic

force_offline()

from embsyntax.chat_backends import JobResources, open_job  # noqa: E402
from embsyntax.prompts import read_prompt  # noqa: E402
from embsyntax.provenance import make_manifest, write_manifest  # noqa: E402
from embsyntax.trap_types import read_trap_types  # noqa: E402
from embsyntax.triple_answers import generate_triple_answers  # noqa: E402
from embsyntax.triple_candidates import assign_types, choose_seeds  # noqa: E402

with open_job_log(snakemake) as log:
    names, inputs, params = snakemake.wildcards, snakemake.input, snakemake.params
    gpu = snakemake.resources.get("gpu", 0)
    job = open_job(
        snakemake.config,
        "generators",
        names.generator,
        inputs.get("language_model", []),
        JobResources(params.device, gpu, snakemake.threads, Path("results/scratch")),
        task="triples",
        writer=f"shard-{names.shard}",
        log=log,
    )
    tables = [pd.read_parquet(path) for path in (inputs.seeds, inputs.splits, inputs.reserved)]
    types = read_trap_types(inputs.trap_types)
    seeds = choose_seeds(*tables, is_test_only=params.is_test_only)
    table, answers = generate_triple_answers(
        assign_types(seeds, types, params.generate["per_type"], params.generate["seed"]),
        types,
        read_prompt(inputs.prompt),
        params.generate["n_candidates"],
        job.ask,
        int(names.shard),
        job.settings.shards,
    )
    with write_atomic(snakemake.output.answers) as partial:
        table.to_parquet(partial, index=False)
    write_manifest(snakemake.output.manifest, make_manifest(snakemake, **job.describe(answers)))
    classes = table["failure_class"].replace("", "usable").value_counts().to_dict()
    log.info("%d answers by %s: %s", len(table), names.generator, classes)
