"""Plot figure 2: the construction workflow with the counts and an example of this run."""

from pathlib import Path

import pandas as pd

from embsyntax.figures import build_construction_table, plot_construction, save_figure
from embsyntax.jobs import open_job_log, write_atomic, write_tsv

with open_job_log(snakemake) as log:
    sentences = pd.concat(
        pd.read_parquet(path, columns=["sentence_id"]).assign(corpus=Path(path).parent.name)
        for path in snakemake.input.sentences
    )
    table = build_construction_table(
        sentences,
        pd.concat(pd.read_csv(path, sep="\t") for path in snakemake.input.sentence_drops),
        pd.concat(pd.read_csv(path, sep="\t") for path in snakemake.input.drops),
        pd.read_parquet(snakemake.input.validated),
    )
    figure = plot_construction(table, snakemake.params.generator, snakemake.params.track_note)
    for path in (snakemake.output.pdf, snakemake.output.png):
        with write_atomic(path) as partial:
            save_figure(figure, partial)
    write_tsv(table, snakemake.output.tsv)
    log.info("%d rows", len(table))
