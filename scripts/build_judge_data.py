"""Collect the labelled pairs that a judge learns from."""

from pathlib import Path

import pandas as pd

from embsyntax.entailment_data import PairLimits, collect_pairs, count_seeds_in
from embsyntax.entailment_probes import read_probes
from embsyntax.jobs import open_job_log, write_atomic, write_tsv
from embsyntax.registry import read_corpora
from embsyntax.trap_types import TRAP_TYPES

with open_job_log(snakemake) as log:
    given, params = snakemake.input, snakemake.params
    sources = {row.path: row for row in read_corpora(snakemake.config["corpora"])}
    seeds = pd.read_parquet(given.seeds)["text"].tolist()
    probes = read_probes(given.probes, TRAP_TYPES)
    pairs, counts = collect_pairs(
        [(Path(path), sources[name]) for path, name in zip(given.files, params.files, strict=True)],
        [pd.read_parquet(path) for path in given.candidates],
        seeds,
        [*probes["sentence1"], *probes["sentence2"]],
        PairLimits(**params.limits),
    )
    with write_atomic(snakemake.output.data) as partial:
        pairs.to_parquet(partial, index=False)
    write_tsv(counts, snakemake.output.counts)
    log.info(
        "%s: %d pairs (%s); %d of %d seeds stand in them",
        snakemake.wildcards.judge,
        len(pairs),
        ", ".join(f"{n} {label}" for label, n in pairs["label"].value_counts().items()),
        count_seeds_in(pairs, seeds),
        len(seeds),
    )
