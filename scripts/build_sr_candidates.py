"""Make candidates out of a language model's answers on one corpus."""

import pandas as pd

from embsyntax.generation import build_candidates
from embsyntax.jobs import open_job_log, write_atomic

with open_job_log(snakemake) as log:
    names = snakemake.wildcards
    answers = pd.concat(
        [pd.read_parquet(path) for path in snakemake.input.answers], ignore_index=True
    )
    candidates = build_candidates(answers, names.generator, names.corpus)
    with write_atomic(snakemake.output.candidates) as partial:
        candidates.to_parquet(partial, index=False)
    counts = candidates["status"].value_counts().to_dict()
    log.info("%d answers of %s on %s: %s", len(answers), names.generator, names.corpus, counts)
