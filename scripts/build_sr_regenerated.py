"""Filter the candidates of one generator and corpus, give them scores, count every drop."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic, write_tsv
from embsyntax.regenerated import (
    FilterSettings,
    attach_scores,
    count_unscored,
    filter_candidates,
    released_form,
)

with open_job_log(snakemake) as log:
    settings = FilterSettings(**snakemake.params.filters, score_by=snakemake.params.score_by)
    candidates = pd.read_parquet(snakemake.input.candidates)
    fluency = [pd.read_parquet(path) for path in snakemake.input.get("fluency", [])]
    annotations = {
        annotator: pd.read_parquet(path)
        for annotator, path in zip(
            snakemake.params.annotators, snakemake.input.annotations, strict=True
        )
    }
    kept, drops = filter_candidates(candidates, pd.concat(fluency) if fluency else None, settings)
    pairs, unscored = attach_scores(kept, annotations, settings.score_by)
    drops = count_unscored(drops, kept, pairs)
    rows = released_form(pairs)
    with write_atomic(snakemake.output.pairs) as partial:
        pairs.to_parquet(partial, index=False)
    with write_atomic(snakemake.output.csv) as partial:
        rows.to_csv(partial, index=False, lineterminator="\n")
    write_tsv(drops, snakemake.output.drops)
    log.info(
        "%d candidates, %d kept, %d of them without a score; %d rows of the released form",
        len(candidates),
        len(kept),
        unscored,
        len(rows),
    )
