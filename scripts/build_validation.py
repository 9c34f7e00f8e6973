"""Read the filled sheets back, apply the corrections, and lay tables 1-3 out."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic, write_text, write_tsv
from embsyntax.registry import read_table
from embsyntax.sr_tables import build_validation_table, index_validation, validation_markdown
from embsyntax.validation import (
    BY_PEOPLE,
    EXAMPLE,
    agreement_table,
    apply_corrections,
    merge_reviews,
    rater_agreement,
    read_reviews,
    require_all_pairs,
    revision_rates,
)

with open_job_log(snakemake) as log:
    settings = snakemake.params
    sample = pd.read_parquet(snakemake.input.sample)
    reviews = merge_reviews(read_reviews(path, sample) for path in snakemake.input.sheets)
    require_all_pairs(reviews, sample)
    pairs = pd.concat([pd.read_parquet(path) for path in snakemake.input.pairs], ignore_index=True)
    with write_atomic(snakemake.output.validated) as partial:
        corrected = apply_corrections(pairs, reviews, is_by_people=not settings.is_example)
        corrected.to_parquet(partial, index=False)
    rates = revision_rates(sample, reviews, ["corpus", "dimension"], settings.confidence)
    by_rule = revision_rates(sample, reviews, ["rule"], settings.confidence)
    agreements = rater_agreement(reviews, settings.resamples, settings.confidence, settings.seed)
    published = index_validation(read_table(snakemake.input.published))
    status = EXAMPLE if settings.is_example else BY_PEOPLE
    table = build_validation_table(rates, published, sample, status)
    write_tsv(table, snakemake.output.tsv)
    write_tsv(by_rule.assign(status=status), snakemake.output.by_rule)
    write_tsv(agreement_table(agreements).assign(status=status), snakemake.output.agreement)
    text = validation_markdown(table, by_rule, agreements, settings.confidence, settings.track_note)
    write_text(text, snakemake.output.md)
    log.info("%d of %d sampled pairs reviewed", reviews["pair_id"].nunique(), len(sample))
