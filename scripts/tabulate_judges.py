"""Put the measures of the judges into one table."""

import pandas as pd

from embsyntax import judge_measures
from embsyntax.jobs import open_job_log, write_text, write_tsv
from embsyntax.trap_types import TRAP_TYPES, read_trap_types

with open_job_log(snakemake) as log:
    given, params = snakemake.input, snakemake.params
    limits = judge_measures.Limits(params.min_paraphrase, params.max_trap)
    counts = dict(zip(params.trained, given.counts, strict=True))
    tables = [pd.DataFrame(columns=list(judge_measures.MEASURE_COLUMNS))]
    for judge, probes, test in zip(params.judges, given.probes, given.test, strict=True):
        learned = judge_measures.NOT_TRAINED
        if judge in counts:
            learned = judge_measures.describe_training(
                pd.read_csv(counts[judge], sep="\t", keep_default_na=False)
            )
        measured = judge_measures.measure_judge(
            judge,
            learned,
            pd.read_csv(probes, sep="\t"),
            pd.read_csv(test, sep="\t"),
            limits,
            TRAP_TYPES,
            params.confidence,
        )
        tables.append(measured)
    table = pd.concat(tables[1:] or tables, ignore_index=True)
    write_tsv(table, snakemake.output.table)
    labels = {name: row.label for name, row in read_trap_types(given.trap_types).items()}
    text = judge_measures.judges_markdown(
        table, labels, limits, params.confidence, params.max_false_accept, params.track_note
    )
    write_text(text, snakemake.output.markdown)
    log.info("%d judges measured", len(params.judges))
