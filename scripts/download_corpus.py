"""Get one raw file of a corpus from a mirror or its origin, checked by its sha256."""

from pathlib import Path

from embsyntax.jobs import open_job_log
from embsyntax.registry import own_pairs_sources, read_corpora
from embsyntax.sources import DownloadSettings, fetch_file, mirror_folders

with open_job_log(snakemake) as log:
    catalogue = (
        *read_corpora(snakemake.config["corpora"]),
        *own_pairs_sources(snakemake.config["own_pairs"]),
    )
    sources = {(source.source, source.file): source for source in catalogue}
    fetched = fetch_file(
        sources[snakemake.wildcards.source, snakemake.wildcards.file],
        destination=Path(snakemake.output.raw),
        mirrors=mirror_folders(snakemake.config["mirrors"]),
        settings=DownloadSettings(**snakemake.config["download"]),
        scratch=Path("results/scratch"),
    )
    log.info("%d bytes by way of %s, sha256 %s", fetched.bytes, fetched.way, fetched.sha256)
