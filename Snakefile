"""Do text embedding models understand syntax, and can they be taught to? The whole workflow."""

from snakemake.utils import min_version

min_version("9.27")


configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/corpora.smk"
include: "workflow/rules/models.smk"
include: "workflow/rules/pairs.smk"
include: "workflow/rules/sr.smk"
include: "workflow/rules/generators.smk"
include: "workflow/rules/regenerated.smk"
include: "workflow/rules/triples.smk"
include: "workflow/rules/judges.smk"
include: "workflow/rules/triple_filter.smk"
include: "workflow/rules/triple_splits.smk"
include: "workflow/rules/people.smk"
include: "workflow/rules/embeddings.smk"
include: "workflow/rules/similarities.smk"
include: "workflow/rules/scores.smk"
include: "workflow/rules/triple_scores.smk"
include: "workflow/rules/dataset.smk"
include: "workflow/rules/audit.smk"
include: "workflow/rules/speed.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/figures.smk"


rule all:
    default_target: True
    input:
        rules.tables.input,
        rules.figures.input,
        rules.build_dataset.output,
