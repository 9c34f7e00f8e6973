"""Plot figure 1: the cosine of two sentences that mean opposite things, ours and published."""

import pandas as pd

from embsyntax.figures import build_probing_table, plot_probing_example, save_figure
from embsyntax.jobs import open_job_log, write_atomic, write_tsv
from embsyntax.registry import read_models, read_table

with open_job_log(snakemake) as log:
    similarities = {
        model: pd.read_parquet(file)
        for model, file in zip(snakemake.params.models, snakemake.input.similarities, strict=True)
    }
    table = build_probing_table(
        pd.read_parquet(snakemake.input.pairs),
        similarities,
        read_table(snakemake.input.published),
    )
    labels = {name: row.label for name, row in read_models(snakemake.input.models).items()}
    figure = plot_probing_example(table, labels)
    for path in (snakemake.output.pdf, snakemake.output.png):
        with write_atomic(path) as partial:
            save_figure(figure, partial)
    write_tsv(table, snakemake.output.tsv)
    log.info("%d models run, %d published", table["cosine"].count(), table["published"].count())
