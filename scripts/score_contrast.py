"""Score how often a model puts a structure pair above a relation pair of the same sentence."""

import pandas as pd

from embsyntax.contrast import score_contrast
from embsyntax.jobs import open_job_log, write_tsv
from embsyntax.scores import ScoreSettings

with open_job_log(snakemake) as log:
    settings = ScoreSettings(
        resamples=snakemake.params.resamples,
        confidence=snakemake.params.confidence,
        seed=snakemake.params.seed,
        cosine_decimals=snakemake.params.cosine_decimals,
    )
    table = score_contrast(
        pd.read_parquet(snakemake.input.pairs),
        pd.read_parquet(snakemake.input.similarities),
        snakemake.wildcards.model,
        settings,
    )
    write_tsv(table, snakemake.output.contrast)
    log.info("%d comparisons of %s", table["n"].iloc[-1], snakemake.wildcards.model)
