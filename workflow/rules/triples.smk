rule extract_seeds:
    """Take the sentences that triples are made of out of raw files; count what is not taken."""
    input:
        files=seed_files,
        given=given_seed_files,
    output:
        seeds="results/triples/seeds.parquet",
        drops="results/triples/seed_drops.tsv",
    log:
        "results/logs/extract_seeds.log",
    benchmark:
        "results/benchmarks/extract_seeds.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        code=code_version("seeds", "near_duplicates", "sentence_splitting", "corpora", "pairs"),
        limits=lookup(dpath="triples/seeds/limits", within=config),
        source_rows=seed_rows,
    script:
        "../../scripts/extract_seeds.py"
