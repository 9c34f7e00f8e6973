"""Make triples out of the parsed seeds by the perturbation rules and the list of synonyms."""

from pathlib import Path

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic, write_tsv
from embsyntax.parses import open_parser, read_docs
from embsyntax.perturbation.catalogue import choose_rules
from embsyntax.provenance import read_manifest
from embsyntax.trap_types import read_trap_types
from embsyntax.triple_candidates import choose_candidates, choose_seeds
from embsyntax.triple_rule_runs import DIMENSIONS, RULES, generate_by_rules

with open_job_log(snakemake) as log:
    inputs, params = snakemake.input, snakemake.params
    files = read_manifest(inputs.manifest)["files"]
    vocab = open_parser(Path(inputs.snapshot), files).load_vocab()
    every = pd.read_parquet(inputs.seeds)
    docs = dict(
        zip(every["seed_id"], read_docs(Path(inputs.parses), every["text"], vocab), strict=True)
    )
    tables = [pd.read_parquet(path) for path in (inputs.splits, inputs.reserved)]
    seeds = choose_seeds(every, *tables, is_test_only=params.is_test_only)
    rules = choose_rules(DIMENSIONS, enable=[], disable=params.disable)
    types = read_trap_types(inputs.trap_types)
    attempts, declined = generate_by_rules(
        seeds,
        [docs[seed_id] for seed_id in seeds["seed_id"]],
        rules,
        types,
        params.n_candidates,
        log,
    )
    anchors = dict(zip(seeds["seed_id"], seeds["text"], strict=True))
    candidates = choose_candidates(attempts, RULES, anchors)
    for table, path in ((attempts, "attempts"), (candidates, "candidates")):
        with write_atomic(snakemake.output[path]) as partial:
            table.to_parquet(partial, index=False)
    write_tsv(declined, snakemake.output.declined)
    counts = candidates.groupby(["type", "status"], sort=False).size().to_dict()
    shown = ", ".join(f"{n} {name} {status}" for (name, status), n in counts.items())
    log.info("%d seeds: %s", len(seeds), shown)
