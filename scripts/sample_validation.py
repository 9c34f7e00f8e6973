"""Draw the pairs that people judge, as a sheet and as tasks for Label Studio."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic, write_text
from embsyntax.validation import label_studio_config, label_studio_tasks, make_sheet, sample_pairs

with open_job_log(snakemake) as log:
    pairs = pd.concat([pd.read_parquet(path) for path in snakemake.input], ignore_index=True)
    pairs = pairs[pairs["dimension"].isin(snakemake.params.dimensions)]
    sample = sample_pairs(pairs, snakemake.params.n_per_dimension, snakemake.params.seed)
    with write_atomic(snakemake.output.sample) as partial:
        sample.to_parquet(partial, index=False)
    write_text(make_sheet(sample), snakemake.output.sheet)
    write_text(label_studio_tasks(sample), snakemake.output.tasks)
    write_text(label_studio_config(), snakemake.output.interface)
    counts = sample.groupby(["corpus", "dimension"]).size().to_dict()
    log.info("%d of %d pairs drawn: %s", len(sample), len(pairs), counts)
