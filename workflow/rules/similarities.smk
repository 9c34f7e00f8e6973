from embsyntax.external_index import external_file


rule embed_remote_texts:
    """Ask an OpenAI-compatible server for each distinct text's vector and compare the pairs of a suite."""
    input:
        pairs="results/pairs/{suite}/pairs.parquet",
    output:
        similarities="results/similarities/{suite}/{model}/similarities.parquet",
        manifest="results/similarities/{suite}/{model}/manifest.json",
    log:
        "results/logs/embed_remote_texts/{suite}/{model}.log",
    benchmark:
        "results/benchmarks/embed_remote_texts/{suite}/{model}.tsv"
    wildcard_constraints:
        model=ENDPOINT_MODELS_PATTERN,
    conda:
        "../../envs/data.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=240,
    params:
        code=code_version("endpoint", "http_client", "similarities", "vector_store"),
        model_row=model_row,
        cosine_decimals=config["scores"]["cosine_decimals"],
    script:
        "../../scripts/embed_remote_texts.py"


rule score_baselines:
    """Compare the two texts of each pair without any model: lengths, words, n-grams, random vectors."""
    input:
        pairs="results/pairs/{suite}/pairs.parquet",
    output:
        similarities="results/similarities/{suite}/{model}/similarities.parquet",
        manifest="results/similarities/{suite}/{model}/manifest.json",
    log:
        "results/logs/score_baselines/{suite}/{model}.log",
    benchmark:
        "results/benchmarks/score_baselines/{suite}/{model}.tsv"
    wildcard_constraints:
        model=BASELINES_PATTERN,
    conda:
        "../../envs/data.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code_version("baselines", "similarities"),
        model_row=model_row,
        seed=config["embedding"]["seed"],
        cosine_decimals=config["scores"]["cosine_decimals"],
    script:
        "../../scripts/score_baselines.py"


rule extract_external_similarities:
    """Check the similarities of a model that another machine made, and take them over."""
    input:
        pairs="results/pairs/{suite}/pairs.parquet",
        similarities=external_file(EXTERNAL_FOLDERS, "similarities.parquet"),
        manifest=external_file(EXTERNAL_FOLDERS, "manifest.json"),
    output:
        similarities="results/similarities/{suite}/{model}/similarities.parquet",
        manifest="results/similarities/{suite}/{model}/manifest.json",
    log:
        "results/logs/extract_external_similarities/{suite}/{model}.log",
    benchmark:
        "results/benchmarks/extract_external_similarities/{suite}/{model}.tsv"
    wildcard_constraints:
        model=EXTERNAL_MODELS_PATTERN,
    conda:
        "../../envs/data.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code_version("external", "external_index", "similarities"),
        cosine_decimals=config["scores"]["cosine_decimals"],
    script:
        "../../scripts/extract_external_similarities.py"
