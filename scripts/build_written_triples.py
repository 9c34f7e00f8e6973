"""Read the triples that people wrote, and report what the edit check says of them."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic, write_tsv
from embsyntax.trap_types import read_trap_types
from embsyntax.triple_people import read_written
from embsyntax.written_checks import check_written

with open_job_log(snakemake) as log:
    seeds = pd.read_parquet(snakemake.input.seeds)
    reserved = pd.read_parquet(snakemake.input.reserved)
    sentences = seeds[seeds["seed_id"].isin(reserved["seed_id"])]
    trap_types = read_trap_types(snakemake.input.trap_types)
    written = read_written(snakemake.input.sheets, sentences, trap_types)
    written = check_written(written, trap_types)
    with write_atomic(snakemake.output.written) as partial:
        written.to_parquet(partial, index=False)
    write_tsv(written[["id", "type", "author", "edit_reason"]], snakemake.output.edit_checks)
    n_passed = int((written["edit_reason"] == "").sum())
    n_authors = written["author"].nunique()
    log.info("%d triples by %d people, %d pass the edit check", len(written), n_authors, n_passed)
