"""Compare every two models of a suite by a paired bootstrap."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_tsv
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
    models, files = snakemake.params.models, snakemake.input.similarities
    comparisons = SCORINGS[snakemake.params.kind].compare(
        pd.read_parquet(snakemake.input.pairs, columns=list(SCORED_COLUMNS)),
        {model: pd.read_parquet(file) for model, file in zip(models, files, strict=True)},
        settings,
        snakemake.params.false_discovery_rate,
    )
    write_tsv(comparisons, snakemake.output.comparisons)
    significant = int(comparisons["is_significant"].sum())
    log.info("%d comparisons, %d significant", len(comparisons), significant)
