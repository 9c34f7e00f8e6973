"""Say how good the outputs of each rule are, from the judgements recorded in tests/data."""

from embsyntax.jobs import open_job_log, write_text, write_tsv
from embsyntax.perturbation.catalogue import list_rules, rule_code_hash
from embsyntax.registry import read_table
from embsyntax.rule_review import quality_markdown, read_reviews, tabulate_quality

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
    write_tsv(table, snakemake.output.tsv)
    off = {rule.name: rule.off_because for rule in rules}
    write_text(quality_markdown(table, off, raters), snakemake.output.md)
    log.info(
        "%d judged outputs, %d of older code left out", len(current), len(reviews) - len(current)
    )
