"""Say of each candidate whether the filter keeps it, or why not."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic
from embsyntax.triple_filter import REASONS, filter_candidates
from embsyntax.triple_settings import FilterLimits

with open_job_log(snakemake) as log:
    entailment = [pd.read_parquet(path) for path in snakemake.input.entailment]
    filtered = filter_candidates(
        pd.read_parquet(snakemake.input.candidates),
        entailment[0] if entailment else None,
        snakemake.params.judge,
        FilterLimits(**snakemake.params.limits),
    )
    with write_atomic(snakemake.output[0]) as partial:
        filtered.to_parquet(partial, index=False)
    counts = filtered["reason"].value_counts()
    shown = ", ".join(f"{reason}: {counts[reason]}" for reason in REASONS if reason in counts)
    log.info("%d candidates; %s", len(filtered), shown or "nothing to filter")
