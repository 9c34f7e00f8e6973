"""Measure how alike the trees of a corpus are, by the subset-tree kernel."""

from pathlib import Path

import pandas as pd

from embsyntax.jobs import open_job_log, write_tsv
from embsyntax.parses import read_parses
from embsyntax.tree_kernel import draw_trees, read_bracketed_file, relation_trees, score_trees

with open_job_log(snakemake) as log:
    settings = snakemake.params
    corpus = snakemake.wildcards.corpus
    if snakemake.input.bracketed:
        kind, trees = "constituency", read_bracketed_file(Path(snakemake.input.bracketed[0]))
    else:
        kind, trees = "dependency", relation_trees(read_parses(snakemake.input.parses))
    drawn = draw_trees(trees, settings.n_trees, settings.seed)
    value, low, high = score_trees(
        drawn, settings.decay, settings.resamples, settings.confidence, settings.seed
    )
    record = {"corpus": corpus, "tree": kind, "n_trees": len(drawn), "n_available": len(trees)}
    record |= {"value": value, "ci_low": low, "ci_high": high}
    write_tsv(pd.DataFrame([record]), snakemake.output.tsv)
    log.info("%s: mean similarity %.4f of %d %s trees", corpus, value, len(drawn), kind)
