"""Give each seed of the triples its split, and count why it is there."""

from pathlib import Path

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic, write_tsv
from embsyntax.registry import read_corpora
from embsyntax.triple_settings import SplitSettings
from embsyntax.triple_splits import assign_splits, count_splits, list_sentences

with open_job_log(snakemake) as log:
    sources = {source.path: source for source in read_corpora(snakemake.config["corpora"])}
    rows = [sources[name] for name in snakemake.params.train_only]
    train_only = list_sentences(zip(map(Path, snakemake.input.train_only), rows, strict=True))
    earlier = [pd.read_parquet(path) for path in snakemake.input.earlier]
    splits = assign_splits(
        pd.read_parquet(snakemake.input.seeds),
        train_only,
        SplitSettings(**snakemake.params.settings),
        earlier[0] if earlier else None,
    )
    with write_atomic(snakemake.output.splits) as partial:
        splits.to_parquet(partial, index=False)
    counts = count_splits(splits)
    write_tsv(counts, snakemake.output.counts)
    shown = ", ".join(f"{row.split}, {row.reason}: {row.n}" for row in counts.itertuples() if row.n)
    log.info("%d seeds, %d train-only texts; %s", len(splits), len(train_only), shown)
