"""Apply the perturbation rules to the parsed sentences of a corpus."""

from pathlib import Path

import pandas as pd

from embsyntax.jobs import open_job_log, write_atomic, write_tsv
from embsyntax.parses import open_parser, read_docs
from embsyntax.perturbation.catalogue import choose_rules
from embsyntax.provenance import read_manifest
from embsyntax.rule_runs import perturb_docs

with open_job_log(snakemake) as log:
    corpus = snakemake.wildcards.corpus
    rules = choose_rules(**snakemake.params.rules)
    sentences = pd.read_parquet(snakemake.input.sentences)
    files = read_manifest(snakemake.input.manifest)["files"]
    vocab = open_parser(Path(snakemake.input.snapshot), files).load_vocab()
    docs = read_docs(Path(snakemake.input.parses), sentences["text"].tolist(), vocab)
    candidates, times = perturb_docs(corpus, sentences, docs, rules, log)
    with write_atomic(snakemake.output.candidates) as partial:
        candidates.to_parquet(partial, index=False)
    write_tsv(times, snakemake.output.times)
    log.info(
        "%d sentences of corpus %s, %d rules: %d candidates made, %.0f sentences/s",
        len(sentences),
        corpus,
        len(rules),
        (candidates["status"] == "made").sum(),
        len(sentences) / times["seconds"].sum(),
    )
