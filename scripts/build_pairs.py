"""Read the raw files of a suite into one checked table of pairs."""

from embsyntax.jobs import open_job_log, write_atomic
from embsyntax.pairs import build_pairs
from embsyntax.registry import own_pairs_sources, read_corpora

with open_job_log(snakemake) as log:
    catalogue = (
        *read_corpora(snakemake.config["corpora"]),
        *own_pairs_sources(snakemake.config["own_pairs"]),
    )
    sources = [source for source in catalogue if source.suite == snakemake.wildcards.suite]
    pairs = build_pairs(zip(snakemake.input, sources, strict=True))
    with write_atomic(snakemake.output.pairs) as partial:
        pairs.to_parquet(partial, index=False)
    counts = pairs.groupby(["corpus", "dimension"], sort=False).size()
    named = ", ".join(f"{corpus} {dimension} {n}" for (corpus, dimension), n in counts.items())
    log.info("%d pairs of suite %s: %s", len(pairs), snakemake.wildcards.suite, named)
