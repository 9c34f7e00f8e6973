"""Scores of triples and passages, of your own triples, and the leaderboard that joins all boards."""

SUITES_OF_LEADERBOARD = [
    *[suite for suite in ("sr_released", "stsb_test") if suite in SCORED_SUITES],
    TRIPLES_SUITE,
    PASSAGES_SUITE,
]

HAS_SECOND_GENERATOR = config["triples"]["second_generator"] is not None
XGEN_TEST_FILES = ["results/triples/xgen_test.parquet"] if HAS_SECOND_GENERATOR else []

TRIPLE_TABLES = [
    *expand("results/tables/{suite}/board.tsv", suite=[*TRIPLE_SUITES, PASSAGES_SUITE]),
    "results/tables/triples_balance.tsv",
    "results/tables/leaderboard.tsv",
    "results/tables/filter_statistics.tsv",
    "results/tables/filter_statistics_published.tsv",
    "results/tables/filter_votes.tsv",
    "results/tables/triples_leakage.tsv",
    "results/tables/triples_splits.tsv",
    *(["results/tables/judge.tsv"] if MEASURED_JUDGES else []),
]


rule balance_triples:
    """Draw the part of each set that no baseline without a model solves, and say how large it is."""
    input:
        triples="results/triples/triples.parquet",
        xgen_test=XGEN_TEST_FILES,
        human_test="results/triples/human_test.parquet",
    output:
        balance="results/triples/balance.parquet",
        tsv="results/tables/triples_balance.tsv",
        md=report(
            "results/tables/triples_balance.md",
            caption="../report/triples_balance.rst",
            category="Tables",
            labels={"table": "balanced triples", "suite": "triples"},
        ),
    log:
        "results/logs/balance_triples.log",
    benchmark:
        "results/benchmarks/balance_triples.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code_version("baselines", "triple_balance", "triple_sets", "triple_tables"),
        baselines=BALANCE_BASELINES,
        cosine_decimals=config["scores"]["cosine_decimals"],
        limit=config["triples"]["balance"]["limit"],
        seed=config["triples"]["balance"]["seed"],
        track_note=config["track_note"],
    script:
        "../../scripts/balance_triples.py"


rule build_triple_pairs:
    """Make two pairs of each triple that is scored: anchor and paraphrase, anchor and trap."""
    input:
        triples="results/triples/triples.parquet",
        xgen_test=XGEN_TEST_FILES,
        human_test="results/triples/human_test.parquet",
        balance="results/triples/balance.parquet",
    output:
        pairs="results/pairs/triples/pairs.parquet",
        sets="results/pairs/triples/sets.tsv",
    log:
        "results/logs/build_triple_pairs.log",
    benchmark:
        "results/benchmarks/build_triple_pairs.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code_version("pairs", "triple_scores", "triple_sets"),
        second_generator=config["triples"]["second_generator"],
    script:
        "../../scripts/build_triple_pairs.py"


rule build_passage_pairs:
    """Pair each query with every passage and every flipped twin of the set."""
    input:
        passages="results/triples/passages.parquet",
        triples="results/triples/triples.parquet",
    output:
        pairs="results/pairs/passages/pairs.parquet",
        sets="results/pairs/passages/sets.tsv",
    log:
        "results/logs/build_passage_pairs.log",
    benchmark:
        "results/benchmarks/build_passage_pairs.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=10,
    params:
        code=code_version("pairs", "triple_scores", "triple_sets"),
    script:
        "../../scripts/build_passage_pairs.py"


rule build_own_triple_pairs:
    """Read a user's own triples into pairs, or refuse their file by row and column."""
    input:
        own_triples_file,
    output:
        pairs="results/pairs/{suite}/pairs.parquet",
        sets="results/pairs/{suite}/sets.tsv",
    log:
        "results/logs/build_own_triple_pairs/{suite}.log",
    benchmark:
        "results/benchmarks/build_own_triple_pairs/{suite}.tsv"
    wildcard_constraints:
        suite=pattern(OWN_TRIPLES),
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version("own_triples", "pairs", "triple_scores", "triple_sets"),
        columns=own_triples_columns,
    script:
        "../../scripts/build_own_triple_pairs.py"


rule tabulate_triple_board:
    """Rank the models on a suite of triples or passages, type by type, beside the baselines."""
    input:
        scores=expand("results/scores/{{suite}}/{model}/scores.tsv", model=BOARD_MODELS),
        comparisons="results/tables/{suite}/model_comparisons.tsv",
        sets="results/pairs/{suite}/sets.tsv",
        models=config["models_table"],
    output:
        tsv="results/tables/{suite}/board.tsv",
        md=report(
            "results/tables/{suite}/board.md",
            caption="../report/triple_board.rst",
            category="Tables",
            labels={"table": "board", "suite": "{suite}"},
        ),
    log:
        "results/logs/tabulate_triple_board/{suite}.log",
    benchmark:
        "results/benchmarks/tabulate_triple_board/{suite}.tsv"
    wildcard_constraints:
        suite=TRIPLE_BOARDS_PATTERN,
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code_version(
            "baselines", "registry", "scores", "tables", "triple_sets", "triple_tables"
        ),
        resamples=config["scores"]["resamples"],
        confidence=config["scores"]["confidence"],
        seed=config["scores"]["seed"],
        cosine_decimals=config["scores"]["cosine_decimals"],
        false_discovery_rate=config["scores"]["false_discovery_rate"],
        track_note=config["track_note"],
    script:
        "../../scripts/tabulate_triple_board.py"


rule tabulate_leaderboard:
    """Join the boards of the released files, STS-B, triples and passages: a row per model."""
    input:
        boards=expand("results/tables/{suite}/board.tsv", suite=SUITES_OF_LEADERBOARD),
        sets=expand("results/pairs/{suite}/sets.tsv", suite=[TRIPLES_SUITE, PASSAGES_SUITE]),
        models=config["models_table"],
    output:
        tsv="results/tables/leaderboard.tsv",
        md=report(
            "results/tables/leaderboard.md",
            caption="../report/leaderboard.rst",
            category="Tables",
            labels={"table": "leaderboard", "suite": "all"},
        ),
    log:
        "results/logs/tabulate_leaderboard.log",
    benchmark:
        "results/benchmarks/tabulate_leaderboard.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code_version(
            "baselines", "leaderboard", "registry", "tables", "triple_sets", "triple_tables"
        ),
        models=BOARD_MODELS,
        suites=SUITES_OF_LEADERBOARD,
        resamples=config["scores"]["resamples"],
        confidence=config["scores"]["confidence"],
        seed=config["scores"]["seed"],
        cosine_decimals=config["scores"]["cosine_decimals"],
        false_discovery_rate=config["scores"]["false_discovery_rate"],
        track_note=config["track_note"],
    script:
        "../../scripts/tabulate_leaderboard.py"
