"""Make the pairs of the triples that are scored, and describe their sets."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic, write_tsv
from embsyntax.triple_scores import list_triple_pairs
from embsyntax.triple_sets import add_balanced_sets, describe_triples, gather_triples

with open_job_log(snakemake) as log:
    sets = gather_triples(
        pd.read_parquet(snakemake.input.triples),
        next(map(pd.read_parquet, snakemake.input.xgen_test), None),
        pd.read_parquet(snakemake.input.human_test),
    )
    sets = add_balanced_sets(sets, pd.read_parquet(snakemake.input.balance))
    pairs = list_triple_pairs(sets)
    described = describe_triples(sets, snakemake.params.second_generator)
    with write_atomic(snakemake.output.pairs) as partial:
        pairs.to_parquet(partial, index=False)
    write_tsv(described, snakemake.output.sets)
    counts = sets.groupby("corpus", sort=False).size()
    log.info("%s triples", ", ".join(f"{name} {n}" for name, n in counts.items()) or "no")
