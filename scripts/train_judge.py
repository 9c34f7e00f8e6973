"""Train an entailment judge, save its best epoch, and measure what was saved once more."""

import shutil
from pathlib import Path

import pandas as pd

from embsyntax.jobs import InputError, force_offline, open_job_log, write_tsv

force_offline()

from embsyntax import judge_training, provenance, training  # noqa: E402
from embsyntax.devices import choose_device, name_device, use_threads  # noqa: E402
from embsyntax.labelled_pairs import read_labelled_pairs  # noqa: E402
from embsyntax.registry import read_corpora  # noqa: E402

with open_job_log(snakemake) as log:
    given, output, params = snakemake.input, snakemake.output, snakemake.params
    name = snakemake.wildcards.judge
    use_threads(snakemake.threads)
    device = choose_device(params.device, snakemake.resources.get("gpu", 0), log)
    settings = training.read_train_settings(params.train)
    sources = {row.path: row for row in read_corpora(snakemake.config["corpora"])}
    base = provenance.read_manifest(given.base_manifest)
    data = {
        "pairs_sha256": provenance.file_sha256(given.data),
        "dev_sha256": provenance.file_sha256(given.dev),
    }
    key = training.training_key(
        settings, name_device(device), base=base["files"], data=data, code=params.code
    )
    dev = pd.DataFrame(read_labelled_pairs(Path(given.dev), sources[params.train["dev_file"]]))
    pairs = pd.read_parquet(given.data)
    scratch = Path("results/scratch/training", f"{name}-{key}")
    asked = (name, device, params.batch_tokens)
    trained = judge_training.train_judge(
        Path(given.snapshot), pairs, dev, settings, scratch, *asked, log
    )
    model = Path(output.model)
    shutil.copytree(trained.folder, model, dirs_exist_ok=True)
    again = judge_training.measure_judge(model, dev, *asked)
    if again != dict(trained.measures):
        raise InputError(f"judge {name!r}: {again} after {dict(trained.measures)}; train it again")
    write_tsv(trained.curves, output.curves)
    manifest = provenance.make_manifest(
        snakemake,
        packages=training.TRAINING_PACKAGES,
        device=name_device(device),
        seed=settings.seed,
        data={**data, "pairs": pairs.groupby("source").size().to_dict(), "dev": len(dev)},
        models={"base": {"files": base["files"], "revision": base["revision"]}},
        files=training.list_files(model),
        best_epoch=trained.best_epoch,
        **again,
    )
    provenance.write_manifest(output.manifest, manifest)
    log.info("%s: best epoch %d, %s", name, trained.best_epoch, again)
