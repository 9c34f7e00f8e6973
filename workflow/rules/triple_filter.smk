"""The filter of the triples and its statistics, ours and the published ones."""

from dataclasses import asdict

from embsyntax.triple_settings import (
    DECLARED,
    list_filter_runs,
    list_generators,
    read_filter_limits,
)

try:
    FILTER_LIMITS = read_filter_limits(config["triples"]["filter"])
    FILTER_RUNS = list_filter_runs(config["triples"], config["generators"])
except InputError as error:
    raise WorkflowError(str(error)) from None

JUDGE = config["triples"]["judge"]

FILTERED_GENERATORS = list_generators(config["triples"])

JUDGE_MEASURES = (
    ["results/tables/judge.tsv"] if JUDGE in config["triples"]["measured_judges"] else []
)


rule filter_triples:
    """Say of each candidate whether entailment and overlap keep it, or which reason comes first."""
    input:
        candidates="results/triples/candidates/{generator}.parquet",
        entailment=(
            []
            if JUDGE == DECLARED
            else expand("results/triples/entailment/{judge}/{{generator}}.parquet", judge=JUDGE)
        ),
    output:
        "results/triples/filtered/{generator}.parquet",
    log:
        "results/logs/filter_triples/{generator}.log",
    benchmark:
        "results/benchmarks/filter_triples/{generator}.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version("trap_types", "triple_filter", "triple_settings"),
        judge=JUDGE,
        limits=asdict(FILTER_LIMITS),
    script:
        "../../scripts/filter_triples.py"


rule tabulate_filter_statistics:
    """Count what became of every generation, by generator and trap type; each row adds up."""
    input:
        filtered=expand(
            "results/triples/filtered/{generator}.parquet", generator=FILTERED_GENERATORS
        ),
        measures=JUDGE_MEASURES,
    output:
        tsv="results/tables/filter_statistics.tsv",
        md=report(
            "results/tables/filter_statistics.md",
            caption="../report/filter_statistics.rst",
            category="Tables",
            labels={"table": "filter statistics", "suite": "triples"},
        ),
    log:
        "results/logs/tabulate_filter_statistics.log",
    benchmark:
        "results/benchmarks/tabulate_filter_statistics.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version("filter_statistics", "tables", "trap_types", "triple_filter"),
        generators=FILTERED_GENERATORS,
        judge=JUDGE,
        limits=asdict(FILTER_LIMITS),
        max_false_accept=config["triples"]["filter"]["max_false_accept"],
        track_note=config["track_note"],
    script:
        "../../scripts/tabulate_filter_statistics.py"


rule tabulate_published_filter:
    """Set the filter's counts beside the published ones, in the published layout, with verdicts."""
    input:
        statistics="results/tables/filter_statistics.tsv",
        published=config["published"],
    output:
        tsv="results/tables/filter_statistics_published.tsv",
        md=report(
            "results/tables/filter_statistics_published.md",
            caption="../report/filter_statistics_published.rst",
            category="Tables",
            labels={"table": "filter statistics, published layout", "suite": "triples"},
        ),
    log:
        "results/logs/tabulate_published_filter.log",
    benchmark:
        "results/benchmarks/tabulate_published_filter.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version("claims", "filter_statistics", "tables", "triple_settings"),
        confidence=config["scores"]["confidence"],
        is_released_data=config["claims"]["is_released_data"],
        runs=[asdict(run) for run in FILTER_RUNS],
        track_note=config["track_note"],
    script:
        "../../scripts/tabulate_published_filter.py"
