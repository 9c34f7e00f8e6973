"""Score one model on one suite, of whatever kind, with intervals."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_tsv
from embsyntax.provenance import file_sha256, make_manifest, read_manifest, write_manifest
from embsyntax.scores import ScoreSettings
from embsyntax.scoring import SCORINGS
from embsyntax.triple_scores import SCORED_COLUMNS

with open_job_log(snakemake) as log:
    settings = ScoreSettings(
        resamples=snakemake.params.resamples,
        confidence=snakemake.params.confidence,
        seed=snakemake.params.seed,
        cosine_decimals=snakemake.params.cosine_decimals,
    )
    pairs = pd.read_parquet(snakemake.input.pairs, columns=list(SCORED_COLUMNS))
    similarities = pd.read_parquet(snakemake.input.similarities)
    model = snakemake.wildcards.model
    scores = SCORINGS[snakemake.params.kind].score(pairs, similarities, model, settings)
    made_from = read_manifest(snakemake.input.similarities_manifest)
    manifest = make_manifest(
        snakemake,
        packages=["numpy", "pandas", "pyarrow", "statsmodels"],
        seed=settings.seed,
        data={
            "pairs_sha256": file_sha256(snakemake.input.pairs),
            "similarities_sha256": file_sha256(snakemake.input.similarities),
        },
        models=made_from.get("models"),
        similarities_device=made_from.get("device"),
    )
    write_tsv(scores, snakemake.output.scores)
    write_manifest(snakemake.output.manifest, manifest)
    undefined = int(scores["value"].isna().sum())
    log.info("%d pairs, %d scores of %s, %d undefined", len(pairs), len(scores), model, undefined)
