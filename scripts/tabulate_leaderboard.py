"""Join the boards into one table, a row per model."""

import pandas as pd

from embsyntax.baselines import DEFINITIONS
from embsyntax.jobs import open_job_log, write_text, write_tsv
from embsyntax.leaderboard import build_leaderboard, leaderboard_markdown, read_board
from embsyntax.registry import read_models
from embsyntax.scores import ScoreSettings
from embsyntax.triple_sets import read_sets

with open_job_log(snakemake) as log:
    settings = ScoreSettings(
        resamples=snakemake.params.resamples,
        confidence=snakemake.params.confidence,
        seed=snakemake.params.seed,
        cosine_decimals=snakemake.params.cosine_decimals,
    )
    models = read_models(snakemake.input.models)
    boards = zip(snakemake.params.suites, snakemake.input.boards, strict=True)
    sets = pd.concat([read_sets(path) for path in snakemake.input.sets], ignore_index=True)
    table = build_leaderboard(
        {suite: read_board(path) for suite, path in boards}, sets, snakemake.params.models, models
    )
    text = leaderboard_markdown(
        table,
        sets,
        settings,
        snakemake.params.false_discovery_rate,
        DEFINITIONS,
        models,
        snakemake.params.track_note,
    )
    write_tsv(table, snakemake.output.tsv)
    write_text(text, snakemake.output.md)
    log.info("%d models, %d columns", table["model"].nunique(), table["board"].nunique())
