"""Time the engine against the way the authors' evaluation embeds the same pairs."""

import pandas as pd

from embsyntax.jobs import force_offline, open_job_log, write_tsv

force_offline()

from embsyntax.devices import choose_device, use_threads  # noqa: E402
from embsyntax.registry import read_models  # noqa: E402
from embsyntax.speed import compare_embedding_speed  # noqa: E402

with open_job_log(snakemake) as log:
    settings = snakemake.params
    use_threads(snakemake.threads)
    table = compare_embedding_speed(
        snakemake.input.snapshot,
        pd.read_parquet(snakemake.input.pairs),
        read_models(snakemake.config["models_table"])[settings.model],
        device=choose_device(settings.device, snakemake.resources.get("gpu", 0), log),
        batch_tokens=settings.batch_tokens,
        repetitions=settings.repetitions,
        with_bfloat16=settings.bfloat16,
        log=log,
    )
    write_tsv(table, snakemake.output.speed)
    log.info("%s", ", ".join(table["metric"] + " " + table["value"]))
