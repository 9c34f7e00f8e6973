rule build_pairs:
    """Read the raw files of a suite into one table of pairs, or refuse them by name."""
    input:
        raw_files_of_suite,
    output:
        pairs="results/pairs/{suite}/pairs.parquet",
    log:
        "results/logs/build_pairs/{suite}.log",
    benchmark:
        "results/benchmarks/build_pairs/{suite}.tsv"
    wildcard_constraints:
        suite=pattern(SUITES),
    conda:
        "../../envs/data.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version("pairs"),
        source_rows=suite_rows,
    script:
        "../../scripts/build_pairs.py"
