"""Read a user's own triples, or refuse their file by row and column."""

from embsyntax.jobs import open_job_log, write_atomic, write_tsv
from embsyntax.own_triples import read_own_triples
from embsyntax.triple_scores import list_triple_pairs
from embsyntax.triple_sets import describe_own_triples, read_own_file

with open_job_log(snakemake) as log:
    name = snakemake.wildcards.suite
    own = read_own_triples(snakemake.config["own_triples"])[name]
    triples = read_own_file(snakemake.input[0], own)
    pairs = list_triple_pairs(triples)
    with write_atomic(snakemake.output.pairs) as partial:
        pairs.to_parquet(partial, index=False)
    write_tsv(describe_own_triples(triples, name), snakemake.output.sets)
    log.info("%d triples of %d types", len(triples), triples["type"].nunique())
