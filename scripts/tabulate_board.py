"""Tabulate the board of a suite."""

from embsyntax.baselines import DEFINITIONS
from embsyntax.jobs import open_job_log, write_text, write_tsv
from embsyntax.registry import read_models
from embsyntax.scores import ScoreSettings, read_comparisons, read_scores
from embsyntax.tables import board_markdown, build_board

with open_job_log(snakemake) as log:
    settings = ScoreSettings(
        resamples=snakemake.params.resamples,
        confidence=snakemake.params.confidence,
        seed=snakemake.params.seed,
        cosine_decimals=snakemake.params.cosine_decimals,
    )
    models = read_models(snakemake.input.models)
    board = build_board(
        read_scores(snakemake.input.scores),
        read_comparisons(snakemake.input.comparisons),
        models,
        snakemake.wildcards.suite,
    )
    text = board_markdown(
        board,
        settings,
        snakemake.params.false_discovery_rate,
        DEFINITIONS,
        models,
        snakemake.params.track_note,
    )
    write_tsv(board, snakemake.output.tsv)
    write_text(text, snakemake.output.md)
    log.info("%d models, %d rows", board["model"].nunique(), len(board))
