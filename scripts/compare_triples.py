"""Compare every two models on a suite of triples by a paired bootstrap."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_tsv
from embsyntax.scores import ScoreSettings
from embsyntax.triple_scores import SCORED_COLUMNS, compare_on_triples

with open_job_log(snakemake) as log:
    settings = ScoreSettings(
        resamples=snakemake.params.resamples,
        confidence=snakemake.params.confidence,
        seed=snakemake.params.seed,
        cosine_decimals=snakemake.params.cosine_decimals,
    )
    models, files = snakemake.params.models, snakemake.input.similarities
    comparisons = compare_on_triples(
        pd.read_parquet(snakemake.input.pairs, columns=list(SCORED_COLUMNS)),
        {model: pd.read_parquet(file) for model, file in zip(models, files, strict=True)},
        settings,
        snakemake.params.false_discovery_rate,
    )
    write_tsv(comparisons, snakemake.output.comparisons)
    significant = int(comparisons["is_significant"].sum())
    log.info("%d comparisons, %d significant", len(comparisons), significant)
