"""Make the sheet on which people write triples, and its instructions."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_text
from embsyntax.trap_types import read_trap_types
from embsyntax.triple_people import assign_types, explain_writing, make_writing_sheet

with open_job_log(snakemake) as log:
    seeds = pd.read_parquet(snakemake.input.seeds)
    reserved = pd.read_parquet(snakemake.input.reserved)
    trap_types = read_trap_types(snakemake.input.trap_types)
    sentences = seeds[seeds["seed_id"].isin(reserved["seed_id"])]
    asked = assign_types(sentences, trap_types, snakemake.params.seed)
    write_text(make_writing_sheet(asked, trap_types), snakemake.output.sheet)
    write_text(explain_writing(trap_types), snakemake.output.instructions)
    log.info("%d sentences: %s", len(asked), asked["type"].value_counts().to_dict())
