RELEASED_TABLES = [
    "results/tables/table4_sr_released.tsv",
    "results/tables/audit_sr_released.tsv",
    "results/tables/claims.tsv",
]

REGENERATED_TABLES = [
    "results/tables/table4_sr_regenerated.tsv",
    "results/tables/track_comparison.tsv",
    "results/tables/table5_tree_kernel.tsv",
    "results/tables/table6_lexical.tsv",
    "results/tables/table7_perturbations.tsv",
    "results/tables/rules_yield.tsv",
    "results/tables/rule_quality.tsv",
]


rule tables:
    """Every table: a board per suite, table 4, the audit, the claims, the triples, and the speed of the engine."""
    input:
        expand("results/tables/{suite}/board.tsv", suite=BOARD_SUITES),
        RELEASED_TABLES if "sr_released" in SCORED_SUITES else [],
        REGENERATED_TABLES,
        TRIPLE_TABLES,
        expand("results/tables/validation/{generator}/tables1_to_3.tsv", generator=GENERATORS),
        ["results/tables/annotator_agreement.tsv"] if MEASURED_ANNOTATORS else [],
        expand(
            "results/sr/candidates/{generator}/{corpus}.parquet",
            generator=DRAFT_GENERATORS,
            corpus=SR_CORPORA[:1],
        ),
        "results/tables/embedding_speed.tsv",


rule tabulate_board:
    """Rank the models of a suite beside the baselines, with intervals and rank groups."""
    input:
        scores=expand("results/scores/{{suite}}/{model}/scores.tsv", model=BOARD_MODELS),
        comparisons="results/tables/{suite}/model_comparisons.tsv",
        models=config["models_table"],
    output:
        tsv="results/tables/{suite}/board.tsv",
        md=report(
            "results/tables/{suite}/board.md",
            caption="../report/board.rst",
            category="Tables",
            labels={"table": "board", "suite": "{suite}"},
        ),
    log:
        "results/logs/tabulate_board/{suite}.log",
    benchmark:
        "results/benchmarks/tabulate_board/{suite}.tsv"
    wildcard_constraints:
        suite=SCORED_PAIRS_PATTERN,
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code_version("baselines", "registry", "scores", "tables"),
        resamples=config["scores"]["resamples"],
        confidence=config["scores"]["confidence"],
        seed=config["scores"]["seed"],
        cosine_decimals=config["scores"]["cosine_decimals"],
        false_discovery_rate=config["scores"]["false_discovery_rate"],
        track_note=config["track_note"],
    script:
        "../../scripts/tabulate_board.py"


rule tabulate_table4:
    """Lay the scores on the released files out as table 4 of the paper, published values beside ours."""
    input:
        scores=expand("results/scores/sr_released/{model}/scores.tsv", model=BOARD_MODELS),
        models=config["models_table"],
        published=config["published"],
    output:
        tsv="results/tables/table4_sr_released.tsv",
        md=report(
            "results/tables/table4_sr_released.md",
            caption="../report/table4.rst",
            category="Tables",
            labels={"table": "table 4", "suite": "sr_released"},
        ),
        tex="results/tables/table4_sr_released.tex",
    log:
        "results/logs/tabulate_table4.log",
    benchmark:
        "results/benchmarks/tabulate_table4.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code_version("claims", "registry", "scores", "tables"),
        models=BOARD_MODELS,
        resamples=config["scores"]["resamples"],
        confidence=config["scores"]["confidence"],
        seed=config["scores"]["seed"],
        cosine_decimals=config["scores"]["cosine_decimals"],
        is_released_data=config["claims"]["is_released_data"],
        track_note=config["track_note"],
    script:
        "../../scripts/tabulate_table4.py"


rule tabulate_claims:
    """Set each published number beside ours, with a verdict and the reason."""
    input:
        scores=expand("results/scores/sr_released/{model}/scores.tsv", model=BOARD_MODELS),
        probing=probing_similarities,
        models=config["models_table"],
        published=config["published"],
    output:
        tsv="results/tables/claims.tsv",
        md=report(
            "results/tables/claims.md",
            caption="../report/claims.rst",
            category="Tables",
            labels={"table": "claims", "suite": "sr_released"},
        ),
    log:
        "results/logs/tabulate_claims.log",
    benchmark:
        "results/benchmarks/tabulate_claims.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code_version("claims", "registry", "scores", "tables"),
        models=BOARD_MODELS,
        probing_models=PROBING_MODELS,
        confidence=config["scores"]["confidence"],
        tolerance=config["claims"]["tolerance"],
        is_released_data=config["claims"]["is_released_data"],
        track_note=config["track_note"],
    script:
        "../../scripts/tabulate_claims.py"
