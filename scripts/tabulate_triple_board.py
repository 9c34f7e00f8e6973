"""Tabulate the board of a suite of triples or passages."""

from embsyntax.baselines import DEFINITIONS
from embsyntax.jobs import open_job_log, write_text, write_tsv
from embsyntax.registry import read_models
from embsyntax.scores import ScoreSettings, read_comparisons, read_scores
from embsyntax.triple_sets import read_sets
from embsyntax.triple_tables import build_triple_board, triple_board_markdown

with open_job_log(snakemake) as log:
    settings = ScoreSettings(
        resamples=snakemake.params.resamples,
        confidence=snakemake.params.confidence,
        seed=snakemake.params.seed,
        cosine_decimals=snakemake.params.cosine_decimals,
    )
    suite = snakemake.wildcards.suite
    models = read_models(snakemake.input.models)
    sets = read_sets(snakemake.input.sets)
    board = build_triple_board(
        read_scores(snakemake.input.scores),
        read_comparisons(snakemake.input.comparisons),
        sets,
        models,
        suite,
    )
    text = triple_board_markdown(
        board,
        sets,
        settings,
        snakemake.params.false_discovery_rate,
        DEFINITIONS,
        models,
        snakemake.params.track_note,
        suite,
    )
    write_tsv(board, snakemake.output.tsv)
    write_text(text, snakemake.output.md)
    log.info("%d models, %d rows", board["model"].nunique(), len(board))
