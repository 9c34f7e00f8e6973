"""Triples: seeds, and the candidates that each generator makes of them."""

from embsyntax.chat_settings import check_triple_settings
from embsyntax.trap_types import read_trap_types

try:
    check_triple_settings(config, CHAT_GENERATORS)
    read_trap_types(config["trap_types"])
except InputError as error:
    raise WorkflowError(str(error)) from None


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


rule extract_seed_parses:
    """Parse the seeds; a parse is kept by its text, so that a rerun parses only new ones."""
    input:
        seeds="results/triples/seeds.parquet",
        snapshot=f"results/language_models/{config['parser']}/snapshot",
        manifest=f"results/language_models/{config['parser']}/manifest.json",
    output:
        parses="results/triples/parses.spacy",
    log:
        "results/logs/extract_seed_parses.log",
    benchmark:
        "results/benchmarks/extract_seed_parses.tsv"
    conda:
        "../../envs/language.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        code=code_version("parses"),
    script:
        "../../scripts/extract_seed_parses.py"


rule generate_triples_by_rules:
    """Make triples by the trap rules, the structure rules and the list of synonyms; count what declines."""
    input:
        seeds="results/triples/seeds.parquet",
        splits="results/triples/splits.parquet",
        reserved="results/triples/reserved.parquet",
        parses="results/triples/parses.spacy",
        trap_types=config["trap_types"],
        snapshot=f"results/language_models/{config['parser']}/snapshot",
        manifest=f"results/language_models/{config['parser']}/manifest.json",
    output:
        attempts="results/triples/attempts/rules.parquet",
        candidates="results/triples/candidates/rules.parquet",
        declined="results/triples/rules_declined.tsv",
    log:
        "results/logs/generate_triples_by_rules.log",
    benchmark:
        "results/benchmarks/generate_triples_by_rules.tsv"
    conda:
        "../../envs/language.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        code=code_version(
            "edit_check",
            "edit_words",
            "paraphrases",
            "parses",
            "perturbation",
            "replacements",
            "rule_runs",
            "synonyms",
            "trap_types",
            "triple_candidates",
            "triple_rule_runs",
        ),
        disable=config["sr"]["rules"]["disable"],
        is_test_only=config["triples"]["second_generator"] == "rules",
        n_candidates=config["triples"]["generate"]["n_candidates"],
    script:
        "../../scripts/generate_triples_by_rules.py"


rule generate_triple_answers:
    """Let a language model write paraphrases and traps of seeds: one shard of the work."""
    input:
        seeds="results/triples/seeds.parquet",
        splits="results/triples/splits.parquet",
        reserved="results/triples/reserved.parquet",
        trap_types=config["trap_types"],
        prompt=config["prompts"]["triple"],
        language_model=generator_files,
    output:
        answers="results/triples/answers/{generator}/{shard}.parquet",
        manifest="results/triples/answers/{generator}/{shard}.json",
    log:
        "results/logs/generate_triple_answers/{generator}/{shard}.log",
    benchmark:
        "results/benchmarks/generate_triple_answers/{generator}/{shard}.tsv"
    wildcard_constraints:
        generator=pattern(CHAT_GENERATORS),
    conda:
        "../../envs/generate.yaml"
    threads: 8
    resources:
        gpu=generator_gpus,
        mem_mb=16000,
        runtime=1440,
    params:
        code=code_version(*ANSWERING, "trap_types", "triple_answers", "triple_candidates"),
        device=config["device"],
        generate=config["triples"]["generate"],
        is_test_only=is_second_generator,
        settings=generator_settings,
        shards=generator_shards,
    script:
        "../../scripts/generate_triple_answers.py"


rule build_triple_candidates:
    """Check each answer of a language model; keep the first triple of a seed and type that passes."""
    input:
        answers=triple_answers,
        trap_types=config["trap_types"],
    output:
        attempts="results/triples/attempts/{generator}.parquet",
        candidates="results/triples/candidates/{generator}.parquet",
    log:
        "results/logs/build_triple_candidates/{generator}.log",
    benchmark:
        "results/benchmarks/build_triple_candidates/{generator}.tsv"
    wildcard_constraints:
        generator=pattern(CHAT_GENERATORS),
    conda:
        "../../envs/language.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version(
            "edit_check",
            "edit_words",
            "perturbation",
            "trap_types",
            "triple_attempts",
            "triple_candidates",
        ),
    script:
        "../../scripts/build_triple_candidates.py"
