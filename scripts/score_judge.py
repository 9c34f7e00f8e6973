"""Ask a judge about the probes and the labelled test pairs, of which it has learned none."""

from pathlib import Path

import pandas as pd

from embsyntax.jobs import force_offline, open_job_log, write_tsv

force_offline()

from embsyntax import entailment, triple_entailment  # noqa: E402
from embsyntax.devices import choose_device, name_device, use_threads  # noqa: E402
from embsyntax.entailment_probes import read_probes  # noqa: E402
from embsyntax.labelled_pairs import LabelledPair, read_labelled_pairs  # noqa: E402
from embsyntax.provenance import make_manifest, read_manifest, write_manifest  # noqa: E402
from embsyntax.registry import read_corpora  # noqa: E402
from embsyntax.trap_types import TRAP_TYPES  # noqa: E402

with open_job_log(snakemake) as log:
    given, params, name = snakemake.input, snakemake.params, snakemake.wildcards.judge
    use_threads(snakemake.threads)
    device = choose_device(params.device, snakemake.resources.get("gpu", 0), log)
    files = read_manifest(given.manifest)["files"]
    judge = entailment.load_judge(given.model, name, device)
    sources = {row.path: row for row in read_corpora(snakemake.config["corpora"])}
    test = [
        pair
        for path in given.test
        for pair in read_labelled_pairs(Path(path), sources[params.test_file])
    ]
    pairs = pd.DataFrame(test, columns=list(LabelledPair._fields))
    probes = triple_entailment.score_probes(
        read_probes(given.probes, TRAP_TYPES), judge, params.batch_tokens, log
    )
    write_tsv(probes, snakemake.output.probes)
    scores = triple_entailment.score_test(pairs, judge, params.batch_tokens, log)
    write_tsv(scores, snakemake.output.test)
    manifest = make_manifest(
        snakemake,
        packages=entailment.JUDGE_PACKAGES,
        device=name_device(device),
        models={name: {"files": files}},
        n_truncated=int(probes["n_truncated"].sum() + scores["is_truncated"].sum()),
        **judge.describe(),
    )
    write_manifest(snakemake.output.manifest, manifest)
    log.info("%s: %d probes, %d test pairs", name, len(probes), len(scores))
