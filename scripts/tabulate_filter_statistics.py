"""Count what became of the candidates of each generator and trap type."""

import pandas as pd

from embsyntax.filter_statistics import ALL, statistics_markdown, tabulate_statistics
from embsyntax.jobs import open_job_log, write_text, write_tsv
from embsyntax.triple_filter import find_filtered_types
from embsyntax.triple_settings import FilterLimits

with open_job_log(snakemake) as log:
    params = snakemake.params
    measures = [pd.read_csv(path, sep="\t") for path in snakemake.input.measures]
    filtered_types = find_filtered_types(
        measures[0] if measures else None, params.judge, params.max_false_accept
    )
    frames = map(pd.read_parquet, snakemake.input.filtered)
    filtered = dict(zip(params.generators, frames, strict=True))
    table = tabulate_statistics(filtered, params.judge, filtered_types)
    write_tsv(table, snakemake.output.tsv)
    limits = FilterLimits(**params.limits)
    text = statistics_markdown(table, limits, params.max_false_accept, params.track_note)
    write_text(text, snakemake.output.md)
    for row in table[table["trap_type"] == ALL].itertuples():
        log.info("%s: %d generated, %d kept", row.generator, row.generated, row.kept)
    log.info("judge %s filters: %s", params.judge, ", ".join(filtered_types) or "no trap type")
