"""Take the second generator's kept triples on test sentences, and prove that nothing leaks."""

from pathlib import Path

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic, write_tsv
from embsyntax.registry import read_corpora
from embsyntax.triple_filter import find_filtered_types, select_triples
from embsyntax.triple_settings import SplitSettings
from embsyntax.triple_splits import (
    list_sentences,
    require_no_leakage,
    select_xgen_test,
    tabulate_xgen_leakage,
)

with open_job_log(snakemake) as log:
    files, params = snakemake.input, snakemake.params
    sources = {source.path: source for source in read_corpora(snakemake.config["corpora"])}
    rows = [sources[name] for name in params.train_only]
    train_only = list_sentences(zip(map(Path, files.train_only), rows, strict=True))
    seeds, splits = pd.read_parquet(files.seeds), pd.read_parquet(files.splits)
    measures = [pd.read_csv(path, sep="\t") for path in files.measures]
    filtered_types = find_filtered_types(
        measures[0] if measures else None, params.judge, params.max_false_accept
    )
    kept = select_triples(pd.read_parquet(files.filtered), seeds, filtered_types)
    xgen = select_xgen_test(kept, splits)
    settings, triples = SplitSettings(**params.settings), pd.read_parquet(files.triples)
    leakage = tabulate_xgen_leakage(xgen, seeds, splits, triples, train_only, settings)
    require_no_leakage(leakage)
    with write_atomic(snakemake.output.triples) as partial:
        xgen.to_parquet(partial, index=False)
    write_tsv(leakage, snakemake.output.leakage)
    log.info("%d triples of %d test sentences", len(xgen), xgen["seed_id"].nunique())
