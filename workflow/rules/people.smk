"""What people write and judge: sentences kept for them, sheets that go out, sheets that come back."""


rule sample_reserved_seeds:
    """Draw the test sentences that are kept for people; no generator sees them."""
    input:
        seeds="results/triples/seeds.parquet",
        splits="results/triples/splits.parquet",
    output:
        "results/triples/reserved.parquet",
    log:
        "results/logs/sample_reserved_seeds.log",
    benchmark:
        "results/benchmarks/sample_reserved_seeds.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=10,
    params:
        code=code_version("triple_people", "triple_splits", "near_duplicates", "sampling"),
        n_sentences=config["triples"]["people"]["n_sentences"],
        near_duplicate=config["triples"]["split"]["near_duplicate"],
        seed=config["triples"]["people"]["seed"],
    script:
        "../../scripts/sample_reserved_seeds.py"
