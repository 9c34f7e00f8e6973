"""Draw outputs of each perturbation rule for raters, as a sheet that does not name the rule."""

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic
from embsyntax.perturbation.catalogue import RULES, rule_code_hash
from embsyntax.rule_review import draw_outputs

with open_job_log(snakemake) as log:
    candidates = pd.concat([pd.read_parquet(path) for path in snakemake.input], ignore_index=True)
    codes = {name: rule_code_hash(RULES[name]) for name in sorted(set(candidates["rule"]))}
    drawn = draw_outputs(candidates, codes, snakemake.params.n_per_rule, snakemake.params.seed)
    with write_atomic(snakemake.output.key) as partial:
        drawn.to_parquet(partial, index=False)
    with write_atomic(snakemake.output.sheet) as partial:
        sheet = drawn[["item", "sentence1", "sentence2"]]
        sheet.to_csv(partial, sep="\t", index=False, lineterminator="\n")
    log.info("%d outputs of %d rules drawn", len(drawn), drawn["rule"].nunique())
