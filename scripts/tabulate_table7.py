"""Take one sentence through every perturbation rule: table 7 of the paper."""

import spacy

from embsyntax.jobs import open_job_log, write_text, write_tsv
from embsyntax.perturbation.catalogue import list_rules
from embsyntax.rule_review import table7_markdown
from embsyntax.rule_runs import show_every_rule

with open_job_log(snakemake) as log:
    sentence = snakemake.params.sentence
    doc = spacy.load(snakemake.input.parser)(sentence)
    table = show_every_rule(doc, list_rules())
    write_tsv(table, snakemake.output.tsv)
    write_text(table7_markdown(sentence, table), snakemake.output.md)
    log.info("%d of %d rules applied", (table["sentence2"] != "").sum(), len(table))
