"""Take the seeds of the triples out of raw files, and count what is not taken."""

from pathlib import Path

from embsyntax.jobs import open_job_log, write_atomic, write_tsv
from embsyntax.registry import read_corpora
from embsyntax.seeds import SeedLimits, extract_seeds

with open_job_log(snakemake) as log:
    sources = {source.path: source for source in read_corpora(snakemake.config["corpora"])}
    chosen = snakemake.config["triples"]["seeds"]
    seeds, drops = extract_seeds(
        zip(map(Path, snakemake.input.files), map(sources.get, chosen["files"]), strict=True),
        zip(map(Path, snakemake.input.given), map(sources.get, chosen["without"]), strict=True),
        SeedLimits(**snakemake.params.limits),
    )
    with write_atomic(snakemake.output.seeds) as partial:
        seeds.to_parquet(partial, index=False)
    write_tsv(drops, snakemake.output.drops)
    counts = drops.groupby(["unit", "outcome"], sort=False)["n"].sum()
    shown = ", ".join(f"{n} {outcome}" for (_, outcome), n in counts.items() if n)
    log.info("%d seeds, %d with a number; counts: %s", len(seeds), seeds.has_number.sum(), shown)
