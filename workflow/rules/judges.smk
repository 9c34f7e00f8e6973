"""Entailment judges: trained here or given, proved, measured, and asked about the triples."""

from embsyntax.judge_settings import read_judges

try:
    JUDGES = read_judges(
        config["triples"], MODELS, LANGUAGE_MODELS, SOURCES.values(), sorted(SENTENCE_FILES)
    )
except InputError as error:
    raise WorkflowError(str(error)) from None

JUDGING = config["triples"]["judging"]
TRAINED_JUDGES = [name for name, judge in JUDGES.items() if judge.base]
MEASURED_JUDGES = config["triples"]["measured_judges"]
TEST_FILES = [JUDGING["test_file"]] if JUDGING["test_file"] else []

ASKING = (
    "devices",
    "entailment",
    "entailment_labels",
    "triple_entailment",
    "vector_store",
)


wildcard_constraints:
    judge=pattern(JUDGES),


rule build_judge_data:
    """Collect the labelled pairs that a judge learns from, none near a probe; count all others."""
    input:
        files=labelled_files,
        candidates=rule_candidates,
        seeds="results/triples/seeds.parquet",
        probes=JUDGING["probes"],
    output:
        data="results/judges/{judge}/training_data.parquet",
        counts="results/judges/{judge}/training_counts.tsv",
    log:
        "results/logs/build_judge_data/{judge}.log",
    benchmark:
        "results/benchmarks/build_judge_data/{judge}.tsv"
    wildcard_constraints:
        judge=pattern(TRAINED_JUDGES),
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        code=code_version(
            "corpora",
            "entailment_data",
            "entailment_labels",
            "entailment_patterns",
            "entailment_probes",
            "labelled_pairs",
            "near_duplicates",
            "pairs",
        ),
        files=labelled_names,
        limits=rule_limits,
        source_rows=labelled_rows,
    script:
        "../../scripts/build_judge_data.py"


rule train_judge:
    """Train a judge from an encoder; the epoch that is best on dev is saved and measured again."""
    input:
        unpack(base_files),
        data="results/judges/{judge}/training_data.parquet",
        dev=dev_file,
    output:
        model=directory("results/judges/{judge}/model"),
        curves="results/judges/{judge}/curves.tsv",
        manifest="results/judges/{judge}/manifest.json",
    log:
        "results/logs/train_judge/{judge}.log",
    benchmark:
        "results/benchmarks/train_judge/{judge}.tsv"
    wildcard_constraints:
        judge=pattern(TRAINED_JUDGES),
    conda:
        "../../envs/train.yaml"
    threads: 8
    resources:
        gpu=1,
        mem_mb=8000,
        runtime=240,
    params:
        batch_tokens=JUDGING["batch_tokens"],
        code=code_version(
            "devices",
            "entailment",
            "entailment_labels",
            "judge_training",
            "labelled_pairs",
            "training",
        ),
        device=config["device"],
        source_rows=labelled_rows,
        train=train_settings,
    script:
        "../../scripts/train_judge.py"


rule score_entailment:
    """Judge paraphrase and trap of every candidate that was made against its anchor, both ways."""
    input:
        unpack(judge_files),
        candidates="results/triples/candidates/{generator}.parquet",
    output:
        scores="results/triples/entailment/{judge}/{generator}.parquet",
        manifest="results/triples/entailment/{judge}/{generator}.json",
    log:
        "results/logs/score_entailment/{judge}/{generator}.log",
    benchmark:
        "results/benchmarks/score_entailment/{judge}/{generator}.tsv"
    conda:
        "../../envs/embed.yaml"
    threads: 8
    resources:
        gpu=1,
        mem_mb=8000,
        runtime=240,
    params:
        batch_tokens=JUDGING["batch_tokens"],
        code=code_version(*ASKING),
        device=config["device"],
    script:
        "../../scripts/score_entailment.py"


rule score_judge:
    """Ask a judge about probes and labelled test pairs; prove the order of its labels first."""
    input:
        unpack(judge_files),
        probes=JUDGING["probes"],
        test=raw_files(SOURCES[tuple(path.split("/", 1))] for path in TEST_FILES),
    output:
        probes="results/judges/{judge}/probes.tsv",
        test="results/judges/{judge}/test.tsv",
        manifest="results/judges/{judge}/measures.json",
    log:
        "results/logs/score_judge/{judge}.log",
    benchmark:
        "results/benchmarks/score_judge/{judge}.tsv"
    conda:
        "../../envs/embed.yaml"
    threads: 8
    resources:
        gpu=1,
        mem_mb=8000,
        runtime=60,
    params:
        batch_tokens=JUDGING["batch_tokens"],
        code=code_version(*ASKING, "entailment_probes", "labelled_pairs"),
        device=config["device"],
        test_file=JUDGING["test_file"],
    script:
        "../../scripts/score_judge.py"


rule tabulate_judges:
    """Say how good each judge is: labelled pairs, known paraphrases, known traps of every type."""
    input:
        probes=expand("results/judges/{judge}/probes.tsv", judge=MEASURED_JUDGES),
        test=expand("results/judges/{judge}/test.tsv", judge=MEASURED_JUDGES),
        counts=expand(
            "results/judges/{judge}/training_counts.tsv",
            judge=[name for name in MEASURED_JUDGES if name in TRAINED_JUDGES],
        ),
        trap_types=config["trap_types"],
    output:
        table="results/tables/judge.tsv",
        markdown=report(
            "results/tables/judge.md",
            caption="../report/judge.rst",
            category="Triples",
        ),
    log:
        "results/logs/tabulate_judges.log",
    benchmark:
        "results/benchmarks/tabulate_judges.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version("entailment_labels", "entailment_probes", "judge_measures", "tables"),
        confidence=config["scores"]["confidence"],
        judges=MEASURED_JUDGES,
        max_false_accept=config["triples"]["filter"]["max_false_accept"],
        max_trap=config["triples"]["filter"]["max_trap"],
        min_paraphrase=config["triples"]["filter"]["min_paraphrase"],
        track_note=config["track_note"],
        trained=[name for name in MEASURED_JUDGES if name in TRAINED_JUDGES],
    script:
        "../../scripts/tabulate_judges.py"
