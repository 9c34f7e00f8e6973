"""SR made anew: candidates of every generator, before filters and scores."""


rule generate_sr_by_rules:
    """Apply the perturbation rules that are on to the parsed sentences of a corpus, and time each."""
    input:
        sentences="results/corpora/{corpus}/sentences.parquet",
        parses="results/corpora/{corpus}/parses.spacy",
        snapshot=f"results/language_models/{config['parser']}/snapshot",
        manifest=f"results/language_models/{config['parser']}/manifest.json",
    output:
        candidates="results/sr/candidates/rules/{corpus}.parquet",
        times="results/sr/candidates/rules/{corpus}_times.tsv",
    log:
        "results/logs/generate_sr_by_rules/{corpus}.log",
    benchmark:
        "results/benchmarks/generate_sr_by_rules/{corpus}.tsv"
    conda:
        "../../envs/language.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        code=code_version("candidates", "parses", "perturbation", "rule_runs"),
        rules=config["sr"]["rules"],
    script:
        "../../scripts/generate_sr_by_rules.py"


rule tabulate_rules_yield:
    """Say for each rule and corpus which share of the sentences it changes, and how fast it is."""
    input:
        candidates=expand("results/sr/candidates/rules/{corpus}.parquet", corpus=RULES_CORPORA),
        times=expand("results/sr/candidates/rules/{corpus}_times.tsv", corpus=RULES_CORPORA),
    output:
        table="results/tables/rules_yield.tsv",
    log:
        "results/logs/tabulate_rules_yield.log",
    benchmark:
        "results/benchmarks/tabulate_rules_yield.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=10,
    params:
        code=code_version("rule_yields"),
        confidence=config["scores"]["confidence"],
    script:
        "../../scripts/tabulate_rules_yield.py"
