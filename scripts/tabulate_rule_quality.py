"""Say how good the outputs of each rule are, from the judgements recorded in tests/data."""

from embsyntax.jobs import open_job_log, write_text, write_tsv
from embsyntax.perturbation.catalogue import list_rules, rule_code_hash
from embsyntax.registry import read_table
from embsyntax.rule_review import (
    filter_markdown,
    quality_markdown,
    read_reviews,
    tabulate_quality,
    try_fluency_filter,
)

with open_job_log(snakemake) as log:
    rules = list_rules()
    codes = {rule.name: rule_code_hash(rule) for rule in rules}
    reviews = read_reviews(snakemake.input.reviews)
    current = reviews[reviews["code_hash"] == reviews["rule"].map(codes)]
    table = tabulate_quality(
        current,
        {rule.name: rule.dimension for rule in rules},
        {rule.name: rule.is_default for rule in rules},
        snakemake.params.confidence,
    )
    raters = " ".join(row["who"] for row in read_table(snakemake.input.raters))
    effect = try_fluency_filter(current, snakemake.params.seed)
    write_tsv(table, snakemake.output.tsv)
    write_tsv(effect, snakemake.output.fluency_filter)
    off = {rule.name: rule.off_because for rule in rules}
    text = quality_markdown(table, off, raters) + filter_markdown(effect)
    write_text(text, snakemake.output.md)
    log.info(
        "%d judged outputs, %d of older code left out", len(current), len(reviews) - len(current)
    )
