"""Language models that write and judge sentences; their answers are stored and never asked twice."""


include: "chat_models.smk"


rule generate_sr_answers:
    """Let a language model rewrite the sentences of a corpus: one perturbation, one shard of the work."""
    input:
        sentences="results/corpora/{corpus}/sentences.parquet",
        prompt=prompt_file,
        language_model=generator_files,
    output:
        answers="results/sr/answers/{generator}/{corpus}/{perturbation}/{shard}.parquet",
        manifest="results/sr/answers/{generator}/{corpus}/{perturbation}/{shard}.json",
    log:
        "results/logs/generate_sr_answers/{generator}/{corpus}/{perturbation}/{shard}.log",
    benchmark:
        "results/benchmarks/generate_sr_answers/{generator}/{corpus}/{perturbation}/{shard}.tsv"
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
        code=code_version(*ANSWERING, "generation", "sampling"),
        device=config["device"],
        settings=generator_settings,
        shards=generator_shards,
    script:
        "../../scripts/generate_sr_answers.py"


rule build_sr_candidates:
    """Make candidates out of a language model's answers; say of each other answer why there is none."""
    input:
        answers=generator_answers,
    output:
        candidates="results/sr/candidates/{generator}/{corpus}.parquet",
    log:
        "results/logs/build_sr_candidates/{generator}/{corpus}.log",
    benchmark:
        "results/benchmarks/build_sr_candidates/{generator}/{corpus}.tsv"
    wildcard_constraints:
        generator=pattern(CHAT_GENERATORS),
    conda:
        "../../envs/generate.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version("candidates", "chat_settings", "generation"),
    script:
        "../../scripts/build_sr_candidates.py"


rule annotate_sr:
    """Give each made candidate a score from 0 to 5: by a language model, or as the rules declare it."""
    input:
        candidates="results/sr/candidates/{generator}/{corpus}.parquet",
        prompt=config["prompts"]["annotate"],
        language_model=annotator_files,
    output:
        annotations="results/sr/annotations/{generator}/{annotator}/{corpus}.parquet",
        manifest="results/sr/annotations/{generator}/{annotator}/{corpus}.json",
    log:
        "results/logs/annotate_sr/{generator}/{annotator}/{corpus}.log",
    benchmark:
        "results/benchmarks/annotate_sr/{generator}/{annotator}/{corpus}.tsv"
    conda:
        "../../envs/generate.yaml"
    threads: 8
    resources:
        gpu=annotator_gpus,
        mem_mb=16000,
        runtime=1440,
    params:
        code=code_version(*ANSWERING, "annotation"),
        device=config["device"],
        settings=annotator_settings,
    script:
        "../../scripts/annotate_sr.py"


rule annotate_sts:
    """Let an annotator score pairs of STS-B test twice, to be compared with people and with itself."""
    input:
        pairs="results/pairs/stsb_test/pairs.parquet",
        prompt=config["prompts"]["annotate"],
        language_model=annotator_files,
    output:
        annotations="results/sr/agreement/{annotator}/stsb_test.parquet",
        manifest="results/sr/agreement/{annotator}/manifest.json",
    log:
        "results/logs/annotate_sts/{annotator}.log",
    benchmark:
        "results/benchmarks/annotate_sts/{annotator}.tsv"
    wildcard_constraints:
        annotator=pattern(CHAT_ANNOTATORS),
    conda:
        "../../envs/generate.yaml"
    threads: 8
    resources:
        gpu=annotator_gpus,
        mem_mb=16000,
        runtime=1440,
    params:
        code=code_version(*ANSWERING, "annotation", "sampling"),
        device=config["device"],
        settings=annotator_settings,
        n_pairs=config["agreement"]["n_pairs"],
        seed=config["agreement"]["seed"],
        retest_seed=config["agreement"]["retest_seed"],
    script:
        "../../scripts/annotate_sts.py"


rule tabulate_annotator_agreement:
    """Set each annotator's agreement with people, and with itself, beside the published number."""
    input:
        annotations=expand(
            "results/sr/agreement/{annotator}/stsb_test.parquet", annotator=MEASURED_ANNOTATORS
        ),
        published=config["published"],
    output:
        tsv="results/tables/annotator_agreement.tsv",
        md=report(
            "results/tables/annotator_agreement.md",
            caption="../report/annotator_agreement.rst",
            category="Tables",
            labels={"table": "annotators", "suite": "stsb_test"},
        ),
    log:
        "results/logs/tabulate_annotator_agreement.log",
    benchmark:
        "results/benchmarks/tabulate_annotator_agreement.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code_version("annotator_agreement", "claims", "stats", "tables"),
        annotators=MEASURED_ANNOTATORS,
        temperatures=[CHAT_ANNOTATORS[name].temperature for name in MEASURED_ANNOTATORS],
        confidence=config["scores"]["confidence"],
        is_released_data=config["claims"]["is_released_data"],
        resamples=config["scores"]["resamples"],
        seed=config["scores"]["seed"],
        track_note=config["track_note"],
    script:
        "../../scripts/tabulate_annotator_agreement.py"


rule score_fluency:
    """Compare the perplexity of each made candidate with that of its source under a small model."""
    input:
        candidates="results/sr/candidates/{generator}/{corpus}.parquet",
        snapshot=f"results/language_models/{config['fluency']['language_model']}/snapshot",
        manifest=f"results/language_models/{config['fluency']['language_model']}/manifest.json",
    output:
        fluency="results/sr/fluency/{generator}/{corpus}.parquet",
    log:
        "results/logs/score_fluency/{generator}/{corpus}.log",
    benchmark:
        "results/benchmarks/score_fluency/{generator}/{corpus}.tsv"
    conda:
        "../../envs/generate.yaml"
    threads: 8
    resources:
        gpu=1,
        mem_mb=8000,
        runtime=240,
    params:
        batch_tokens=config["fluency"]["batch_tokens"],
        code=code_version("chat_backends", "fluency", "language_models", "vector_store"),
        device=config["device"],
        dtype=LANGUAGE_MODELS[config["fluency"]["language_model"]].dtype,
        language_model=config["fluency"]["language_model"],
    script:
        "../../scripts/score_fluency.py"
