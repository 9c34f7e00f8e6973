"""Splits of the seeds and of the triples, the second generator's test set, the passages."""

from dataclasses import asdict

from embsyntax.triple_settings import choose_train_only, list_earlier_files, read_split_settings

try:
    SPLIT_SETTINGS = read_split_settings(config["triples"]["split"])
    TRAIN_ONLY = choose_train_only(config["triples"]["split"]["train_only"], SOURCES.values())
    EARLIER_SPLITS = list_earlier_files(config["triples"]["split"]["earlier"])
except InputError as error:
    raise WorkflowError(str(error)) from None

SPLITTING = (
    "corpora",
    "near_duplicates",
    "pairs",
    "seeds",
    "sentence_splitting",
    "triple_settings",
    "triple_splits",
)

TRAIN_ONLY_ROWS = [
    cell for row in TRAIN_ONLY for cell in (row.path, *columns_of(row, SENTENCE_COLUMNS))
]


rule split_seeds:
    """Give each seed its split by its text; near-duplicates stay together, nothing moves later."""
    input:
        seeds="results/triples/seeds.parquet",
        train_only=raw_files(TRAIN_ONLY),
        earlier=EARLIER_SPLITS,
    output:
        splits="results/triples/splits.parquet",
        counts="results/tables/triples_splits.tsv",
    log:
        "results/logs/split_seeds.log",
    benchmark:
        "results/benchmarks/split_seeds.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        code=code_version(*SPLITTING),
        settings=asdict(SPLIT_SETTINGS),
        source_rows=TRAIN_ONLY_ROWS,
        train_only=[row.path for row in TRAIN_ONLY],
    script:
        "../../scripts/split_seeds.py"


rule split_triples:
    """Give each kept triple the split of its source sentence; refuse splits that leak."""
    input:
        filtered=f"results/triples/filtered/{FILTERED_GENERATORS[0]}.parquet",
        seeds="results/triples/seeds.parquet",
        splits="results/triples/splits.parquet",
        measures=JUDGE_MEASURES,
        train_only=raw_files(TRAIN_ONLY),
    output:
        triples="results/triples/triples.parquet",
        leakage="results/tables/triples_leakage.tsv",
    log:
        "results/logs/split_triples.log",
    benchmark:
        "results/benchmarks/split_triples.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        code=code_version(*SPLITTING, "triple_filter"),
        judge=JUDGE,
        max_false_accept=config["triples"]["filter"]["max_false_accept"],
        settings=asdict(SPLIT_SETTINGS),
        source_rows=TRAIN_ONLY_ROWS,
        train_only=[row.path for row in TRAIN_ONLY],
    script:
        "../../scripts/split_triples.py"


rule build_xgen_test:
    """Take the second generator's kept triples; refuse any that is not of a test sentence."""
    input:
        filtered=filtered_by_second_generator,
        triples="results/triples/triples.parquet",
        seeds="results/triples/seeds.parquet",
        splits="results/triples/splits.parquet",
        measures=JUDGE_MEASURES,
        train_only=raw_files(TRAIN_ONLY),
    output:
        triples="results/triples/xgen_test.parquet",
        leakage="results/tables/xgen_leakage.tsv",
    log:
        "results/logs/build_xgen_test.log",
    benchmark:
        "results/benchmarks/build_xgen_test.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        code=code_version(*SPLITTING, "triple_filter"),
        judge=JUDGE,
        max_false_accept=config["triples"]["filter"]["max_false_accept"],
        settings=asdict(SPLIT_SETTINGS),
        source_rows=TRAIN_ONLY_ROWS,
        train_only=[row.path for row in TRAIN_ONLY],
    script:
        "../../scripts/build_xgen_test.py"


rule build_passages:
    """Flip test sentences inside their passages, where nothing else may change by a byte."""
    input:
        triples="results/triples/triples.parquet",
        seeds="results/triples/seeds.parquet",
    output:
        passages="results/triples/passages.parquet",
        drops="results/triples/passage_drops.tsv",
    log:
        "results/logs/build_passages.log",
    benchmark:
        "results/benchmarks/build_passages.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version("passages", "triple_splits"),
    script:
        "../../scripts/build_passages.py"
