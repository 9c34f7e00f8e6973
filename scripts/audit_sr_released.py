"""Audit the released files: rows, duplicates, labels, tie ceilings, baselines, overlap."""

import pandas as pd

from embsyntax.audit import audit_markdown, build_audit, format_audit
from embsyntax.jobs import open_job_log, write_text, write_tsv

with open_job_log(snakemake) as log:
    audit = build_audit(
        pd.read_parquet(snakemake.input.released), pd.read_parquet(snakemake.input.stsb_train)
    )
    text = audit_markdown(audit, snakemake.params.is_released_data, snakemake.params.track_note)
    write_tsv(format_audit(audit), snakemake.output.tsv)
    write_text(text, snakemake.output.md)
    totals = audit[audit["corpus"] == "all"].set_index(["dimension", "metric"])["value"]
    log.info(
        "%d rows, %d with identical strings, %d of these labelled differently",
        totals["both", "rows"],
        totals["both", "identical_strings"],
        totals["both", "identical_strings_labelled_differently"],
    )
