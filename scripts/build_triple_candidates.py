"""Check a language model's triples and keep one per seed and trap type."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic
from embsyntax.trap_types import read_trap_types
from embsyntax.triple_attempts import check_answers
from embsyntax.triple_candidates import choose_candidates

with open_job_log(snakemake) as log:
    generator = snakemake.wildcards.generator
    answers = pd.concat(
        [pd.read_parquet(path) for path in snakemake.input.answers], ignore_index=True
    )
    attempts = check_answers(answers, generator, read_trap_types(snakemake.input.trap_types))
    anchors = dict(zip(answers["seed_id"], answers["anchor"], strict=True))
    candidates = choose_candidates(attempts, generator, anchors)
    for table, path in ((attempts, "attempts"), (candidates, "candidates")):
        with write_atomic(snakemake.output[path]) as partial:
            table.to_parquet(partial, index=False)
    counts = candidates["status"].value_counts().to_dict()
    log.info("%d answers of %s, candidates: %s", len(answers), generator, counts)
