rule score_model:
    """Score a model on a suite of pairs, triples or passages, with clustered intervals."""
    input:
        pairs="results/pairs/{suite}/pairs.parquet",
        similarities="results/similarities/{suite}/{model}/similarities.parquet",
        similarities_manifest="results/similarities/{suite}/{model}/manifest.json",
    output:
        scores="results/scores/{suite}/{model}/scores.tsv",
        manifest="results/scores/{suite}/{model}/manifest.json",
    log:
        "results/logs/score_model/{suite}/{model}.log",
    benchmark:
        "results/benchmarks/score_model/{suite}/{model}.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version("scores", "scoring", "stats", "triple_scores"),
        kind=kind_of_suite,
        resamples=config["scores"]["resamples"],
        confidence=config["scores"]["confidence"],
        seed=config["scores"]["seed"],
        cosine_decimals=config["scores"]["cosine_decimals"],
    script:
        "../../scripts/score_model.py"


rule compare_models:
    """Compare every two models of a suite by a paired bootstrap, corrected for the false discovery rate."""
    input:
        pairs="results/pairs/{suite}/pairs.parquet",
        similarities=expand(
            "results/similarities/{{suite}}/{model}/similarities.parquet", model=BOARD_MODELS
        ),
    output:
        comparisons="results/tables/{suite}/model_comparisons.tsv",
    log:
        "results/logs/compare_models/{suite}.log",
    benchmark:
        "results/benchmarks/compare_models/{suite}.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        code=code_version("scores", "scoring", "stats", "triple_scores"),
        kind=kind_of_suite,
        models=BOARD_MODELS,
        resamples=config["scores"]["resamples"],
        confidence=config["scores"]["confidence"],
        seed=config["scores"]["seed"],
        cosine_decimals=config["scores"]["cosine_decimals"],
        false_discovery_rate=config["scores"]["false_discovery_rate"],
    script:
        "../../scripts/compare_models.py"
