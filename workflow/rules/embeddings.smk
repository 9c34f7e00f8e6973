"""From pairs and a local model to similarities: each distinct text of a suite is embedded once."""


rule embed_texts:
    """Embed the texts of a suite with a local model, and give the cosine of every pair."""
    input:
        pairs="results/pairs/{suite}/pairs.parquet",
        snapshot="results/models/{model}/snapshot",
        model_manifest="results/models/{model}/manifest.json",
    output:
        similarities="results/similarities/{suite}/{model}/similarities.parquet",
        manifest="results/similarities/{suite}/{model}/manifest.json",
    log:
        "results/logs/embed_texts/{suite}/{model}.log",
    benchmark:
        "results/benchmarks/embed_texts/{suite}/{model}.tsv"
    wildcard_constraints:
        model=LOCAL_MODELS_PATTERN,
    conda:
        "../../envs/embed.yaml"
    threads: 8
    resources:
        gpu=1,
        mem_mb=8000,
        runtime=240,
    params:
        batch_tokens=config["embedding"]["batch_tokens"],
        code=code_version("embedding", "devices", "similarities", "vector_store"),
        cosine_decimals=config["scores"]["cosine_decimals"],
        cpu_dtype=config["embedding"]["cpu_dtype"],
        device=config["device"],
        model_row=model_row,
    script:
        "../../scripts/embed_texts.py"
