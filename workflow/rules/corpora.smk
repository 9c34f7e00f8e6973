rule download_corpus:
    """Get one raw file from a mirror or its origin; its sha256 decides."""
    input:
        local_origin,
    output:
        raw="results/corpora/{source}/raw/{file}",
    log:
        "results/logs/download_corpus/{source}/{file}.log",
    benchmark:
        "results/benchmarks/download_corpus/{source}/{file}.tsv"
    conda:
        "../../envs/data.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        code=code_version("sources"),
        row=source_row,
    script:
        "../../scripts/download_corpus.py"
