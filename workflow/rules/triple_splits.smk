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
