"""From candidates to the regenerated benchmark: filters, validation by people, tables, figure 2."""


rule build_sr_regenerated:
    """Keep the candidates that make a pair, give them scores, and count each drop with its reason."""
    input:
        candidates="results/sr/candidates/{generator}/{corpus}.parquet",
        annotations=annotation_files,
        fluency=(
            ["results/sr/fluency/{generator}/{corpus}.parquet"]
            if config["sr"]["filters"]["max_perplexity_ratio"] is not None
            else []
        ),
    output:
        pairs="results/sr/regenerated/{generator}/{corpus}.parquet",
        csv="results/sr/regenerated/{generator}/{corpus}.csv",
        drops="results/sr/regenerated/{generator}/{corpus}_drops.tsv",
    log:
        "results/logs/build_sr_regenerated/{generator}/{corpus}.log",
    benchmark:
        "results/benchmarks/build_sr_regenerated/{generator}/{corpus}.tsv"
    conda:
        "../../envs/data.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version("pairs", "regenerated", "rubric"),
        annotators=annotators_of_generator,
        filters=config["sr"]["filters"],
        score_by=score_annotator,
    script:
        "../../scripts/build_sr_regenerated.py"


rule sample_validation:
    """Draw the pairs that people judge, as a sheet for spreadsheets and as tasks for Label Studio."""
    input:
        expand(
            "results/sr/regenerated/{{generator}}/{corpus}.parquet",
            corpus=config["validation"]["corpora"],
        ),
    output:
        sample="results/sr/validation/{generator}/sample.parquet",
        sheet="results/sr/validation/{generator}/sheet.csv",
        tasks="results/sr/validation/{generator}/label_studio.json",
        interface="results/sr/validation/{generator}/label_studio_config.xml",
    log:
        "results/logs/sample_validation/{generator}.log",
    benchmark:
        "results/benchmarks/sample_validation/{generator}.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code_version("validation", "rubric", "sheets"),
        dimensions=["structure", "relation"],
        n_per_dimension=config["validation"]["n_per_dimension"],
        seed=config["validation"]["seed"],
    script:
        "../../scripts/sample_validation.py"


rule build_validation:
    """Read the filled sheets back, apply the corrections, and lay tables 1-3 of the paper out."""
    input:
        pairs=expand("results/sr/regenerated/{{generator}}/{corpus}.parquet", corpus=SR_CORPORA),
        sample="results/sr/validation/{generator}/sample.parquet",
        sheets=validation_sheets,
        published=config["published"],
    output:
        validated="results/sr/validation/{generator}/validated.parquet",
        tsv="results/tables/validation/{generator}/tables1_to_3.tsv",
        by_rule="results/tables/validation/{generator}/false_accepts_by_rule.tsv",
        agreement="results/tables/validation/{generator}/rater_agreement.tsv",
        md=report(
            "results/tables/validation/{generator}/tables1_to_3.md",
            caption="../report/validation.rst",
            category="Tables",
            labels={"table": "tables 1-3", "suite": "sr_regenerated_{generator}"},
        ),
    log:
        "results/logs/build_validation/{generator}.log",
    benchmark:
        "results/benchmarks/build_validation/{generator}.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version("validation", "rubric", "sheets", "sr_tables", "tables"),
        confidence=config["scores"]["confidence"],
        is_example=config["validation"]["is_example"],
        resamples=config["scores"]["resamples"],
        seed=config["scores"]["seed"],
        track_note=config["track_note"],
    script:
        "../../scripts/build_validation.py"


rule build_regenerated_pairs:
    """Put the pairs of all corpora of a generator, corrected where people did, into one suite."""
    input:
        validated="results/sr/validation/{generator}/validated.parquet",
    output:
        pairs="results/pairs/sr_regenerated_{generator}/pairs.parquet",
    log:
        "results/logs/build_regenerated_pairs/{generator}.log",
    benchmark:
        "results/benchmarks/build_regenerated_pairs/{generator}.tsv"
    conda:
        "../../envs/data.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version("pairs", "regenerated", "rubric"),
    script:
        "../../scripts/build_regenerated_pairs.py"


rule score_contrast:
    """Score how often a model puts a structure pair above a relation pair of the same sentence."""
    input:
        pairs="results/pairs/{suite}/pairs.parquet",
        similarities="results/similarities/{suite}/{model}/similarities.parquet",
    output:
        contrast="results/scores/{suite}/{model}/contrast.tsv",
    log:
        "results/logs/score_contrast/{suite}/{model}.log",
    benchmark:
        "results/benchmarks/score_contrast/{suite}/{model}.tsv"
    wildcard_constraints:
        suite=SCORED_PAIRS_PATTERN,
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version("contrast", "scores", "stats"),
        resamples=config["scores"]["resamples"],
        confidence=config["scores"]["confidence"],
        seed=config["scores"]["seed"],
        cosine_decimals=config["scores"]["cosine_decimals"],
    script:
        "../../scripts/score_contrast.py"


rule tabulate_table4_regenerated:
    """Lay the scores on the regenerated pairs out as table 4, with tie ceilings and AUC."""
    input:
        scores=expand(
            "results/scores/sr_regenerated_{generator}/{model}/scores.tsv",
            generator=GENERATORS,
            model=BOARD_MODELS,
        ),
        contrasts=expand(
            "results/scores/sr_regenerated_{generator}/{model}/contrast.tsv",
            generator=GENERATORS,
            model=BOARD_MODELS,
        ),
        models=config["models_table"],
        published=config["published"],
    output:
        tsv="results/tables/table4_sr_regenerated.tsv",
        md=report(
            "results/tables/table4_sr_regenerated.md",
            caption="../report/table4_regenerated.rst",
            category="Tables",
            labels={"table": "table 4", "suite": "sr_regenerated"},
        ),
        tex="results/tables/table4_sr_regenerated.tex",
    log:
        "results/logs/tabulate_table4_regenerated.log",
    benchmark:
        "results/benchmarks/tabulate_table4_regenerated.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code_version("claims", "registry", "scores", "sr_tables", "tables"),
        generators=GENERATORS,
        models=BOARD_MODELS,
        resamples=config["scores"]["resamples"],
        confidence=config["scores"]["confidence"],
        seed=config["scores"]["seed"],
        cosine_decimals=config["scores"]["cosine_decimals"],
        track_note=config["track_note"],
    script:
        "../../scripts/tabulate_table4_regenerated.py"


rule compare_tracks:
    """Ask whether the released and the regenerated pairs rank models alike."""
    input:
        released=expand("results/scores/sr_released/{model}/scores.tsv", model=BOARD_MODELS),
        regenerated=expand(
            "results/scores/sr_regenerated_{generator}/{model}/scores.tsv",
            generator=GENERATORS,
            model=BOARD_MODELS,
        ),
        models=config["models_table"],
    output:
        tsv="results/tables/track_comparison.tsv",
        md=report(
            "results/tables/track_comparison.md",
            caption="../report/track_comparison.rst",
            category="Tables",
            labels={"table": "tracks", "suite": "sr_regenerated"},
        ),
    log:
        "results/logs/compare_tracks.log",
    benchmark:
        "results/benchmarks/compare_tracks.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code_version("registry", "scores", "sr_tables", "stats", "tables"),
        generators=GENERATORS,
        resamples=config["scores"]["resamples"],
        confidence=config["scores"]["confidence"],
        seed=config["scores"]["seed"],
        cosine_decimals=config["scores"]["cosine_decimals"],
        track_note=config["track_note"],
    script:
        "../../scripts/compare_tracks.py"


rule score_tree_kernel:
    """Measure how alike random trees of a corpus are, by the subset-tree kernel."""
    input:
        parses="results/corpora/{corpus}/parses.spacy",
        bracketed=bracketed_trees,
    output:
        tsv="results/sr/tree_kernel/{corpus}.tsv",
    log:
        "results/logs/score_tree_kernel/{corpus}.log",
    benchmark:
        "results/benchmarks/score_tree_kernel/{corpus}.tsv"
    conda:
        "../../envs/language.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=20,
    params:
        code=code_version("parses", "tree_kernel"),
        decay=config["tree_kernel"]["decay"],
        n_trees=config["tree_kernel"]["n_trees"],
        resamples=config["scores"]["resamples"],
        confidence=config["scores"]["confidence"],
        seed=config["tree_kernel"]["seed"],
    script:
        "../../scripts/score_tree_kernel.py"


rule tabulate_table5:
    """Lay the tree-kernel similarities out as table 5 of the paper."""
    input:
        kernels=expand("results/sr/tree_kernel/{corpus}.tsv", corpus=SR_CORPORA),
        published=config["published"],
    output:
        tsv="results/tables/table5_tree_kernel.tsv",
        md=report(
            "results/tables/table5_tree_kernel.md",
            caption="../report/table5.rst",
            category="Tables",
            labels={"table": "table 5", "suite": "corpora"},
        ),
    log:
        "results/logs/tabulate_table5.log",
    benchmark:
        "results/benchmarks/tabulate_table5.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code_version("registry", "sr_tables", "tables"),
        confidence=config["scores"]["confidence"],
        decay=config["tree_kernel"]["decay"],
        track_note=config["track_note"],
    script:
        "../../scripts/tabulate_table5.py"


rule tabulate_table6:
    """Lay the lexical scores of the regenerated pairs out as table 6 of the paper."""
    input:
        scores=expand(
            "results/scores/sr_regenerated_{generator}/{model}/scores.tsv",
            generator=GENERATORS,
            model=BOARD_MODELS,
        ),
        models=config["models_table"],
        published=config["published"],
    output:
        tsv="results/tables/table6_lexical.tsv",
        md=report(
            "results/tables/table6_lexical.md",
            caption="../report/table6.rst",
            category="Tables",
            labels={"table": "table 6", "suite": "sr_regenerated"},
        ),
    log:
        "results/logs/tabulate_table6.log",
    benchmark:
        "results/benchmarks/tabulate_table6.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code_version("claims", "registry", "scores", "sr_tables", "tables"),
        generators=GENERATORS,
        models=BOARD_MODELS,
        resamples=config["scores"]["resamples"],
        confidence=config["scores"]["confidence"],
        seed=config["scores"]["seed"],
        cosine_decimals=config["scores"]["cosine_decimals"],
        track_note=config["track_note"],
    script:
        "../../scripts/tabulate_table6.py"


rule tabulate_table7:
    """Take one sentence through every perturbation rule: table 7 of the paper."""
    input:
        parser=f"results/language_models/{config['parser']}/snapshot",
    output:
        tsv="results/tables/table7_perturbations.tsv",
        md=report(
            "results/tables/table7_perturbations.md",
            caption="../report/table7.rst",
            category="Tables",
            labels={"table": "table 7", "suite": "rules"},
        ),
    log:
        "results/logs/tabulate_table7.log",
    benchmark:
        "results/benchmarks/tabulate_table7.tsv"
    conda:
        "../../envs/language.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version("perturbation", "rule_review", "rule_runs", "tables"),
        sentence=config["sr"]["example_sentence"],
    script:
        "../../scripts/tabulate_table7.py"


rule plot_construction:
    """Draw figure 2 of the paper: the construction workflow, with the counts and examples of a run."""
    input:
        sentences=expand("results/corpora/{corpus}/sentences.parquet", corpus=SR_CORPORA),
        sentence_drops=expand("results/corpora/{corpus}/drops.tsv", corpus=SR_CORPORA),
        drops=expand(
            "results/sr/regenerated/{generator}/{corpus}_drops.tsv",
            generator=GENERATORS[0],
            corpus=SR_CORPORA,
        ),
        validated=f"results/sr/validation/{GENERATORS[0]}/validated.parquet",
    output:
        pdf="figures/figure2_construction.pdf",
        png=report(
            "figures/figure2_construction.png",
            caption="../report/figure2.rst",
            category="Figures",
            labels={"figure": "figure 2", "suite": "sr_regenerated"},
        ),
        tsv="results/tables/figure2_construction.tsv",
    log:
        "results/logs/plot_construction.log",
    benchmark:
        "results/benchmarks/plot_construction.tsv"
    conda:
        "../../envs/plot.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code_version("figures"),
        generator=GENERATORS[0],
        track_note=config["track_note"],
    script:
        "../../scripts/plot_construction.py"


rule sample_rule_review:
    """Draw outputs of each perturbation rule for raters, as a sheet that does not name the rule."""
    input:
        expand("results/sr/candidates/rules/{corpus}.parquet", corpus=RULES_CORPORA),
    output:
        key="results/sr/rule_review/key.parquet",
        sheet="results/sr/rule_review/sheet.tsv",
    log:
        "results/logs/sample_rule_review.log",
    benchmark:
        "results/benchmarks/sample_rule_review.tsv"
    conda:
        "../../envs/language.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=10,
    params:
        code=code_version("perturbation", "rule_review"),
        n_per_rule=config["rule_review"]["n_per_rule"],
        seed=config["rule_review"]["seed"],
    script:
        "../../scripts/sample_rule_review.py"


use rule score_fluency as score_review_fluency with:
    input:
        candidates="results/sr/rule_review/key.parquet",
        snapshot=f"results/language_models/{config['fluency']['language_model']}/snapshot",
        manifest=f"results/language_models/{config['fluency']['language_model']}/manifest.json",
    output:
        fluency="results/sr/rule_review/fluency.parquet",
    log:
        "results/logs/score_review_fluency.log",
    benchmark:
        "results/benchmarks/score_review_fluency.tsv"


rule build_rule_review:
    """Put the answers of both passes beside the ids of what was judged, without any sentence."""
    input:
        key="results/sr/rule_review/key.parquet",
        passes=config["rule_review"]["passes"],
        fluency="results/sr/rule_review/fluency.parquet",
    output:
        record="results/sr/rule_review/record.tsv",
    log:
        "results/logs/build_rule_review.log",
    benchmark:
        "results/benchmarks/build_rule_review.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version("rule_review"),
    script:
        "../../scripts/build_rule_review.py"


rule tabulate_rule_quality:
    """Say how good the outputs of each perturbation rule are, by the recorded judgements."""
    input:
        reviews="tests/data/rule_reviews.tsv",
        raters="tests/data/rule_review_raters.tsv",
    output:
        tsv="results/tables/rule_quality.tsv",
        fluency_filter="results/tables/fluency_filter.tsv",
        md=report(
            "results/tables/rule_quality.md",
            caption="../report/rule_quality.rst",
            category="Tables",
            labels={"table": "rule quality", "suite": "rules"},
        ),
    log:
        "results/logs/tabulate_rule_quality.log",
    benchmark:
        "results/benchmarks/tabulate_rule_quality.tsv"
    conda:
        "../../envs/language.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version("fluency_filter", "perturbation", "rule_review", "tables"),
        confidence=config["scores"]["confidence"],
        seed=config["rule_review"]["seed"],
    script:
        "../../scripts/tabulate_rule_quality.py"
