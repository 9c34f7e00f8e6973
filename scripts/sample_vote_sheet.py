"""Draw the triples that people vote on, blind and shuffled, with instructions and a key."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic, write_text
from embsyntax.triple_people import draw_items, explain_voting, make_vote_sheet

with open_job_log(snakemake) as log:
    filtered = pd.read_parquet(snakemake.input.filtered)
    written = pd.read_parquet(snakemake.input.written)
    key = draw_items(filtered, written, snakemake.params.n_votes, snakemake.params.seed)
    with write_atomic(snakemake.output.key) as partial:
        key.to_parquet(partial, index=False)
    write_text(make_vote_sheet(key), snakemake.output.sheet)
    write_text(explain_voting(), snakemake.output.instructions)
    log.info("%d items: %s", len(key), key["origin"].value_counts().to_dict())
