rule figures:
    """Every figure."""
    input:
        "figures/figure1_probing_example.pdf",
        "figures/figure1_probing_example.png",
        "figures/figure2_construction.pdf",
        "figures/figure2_construction.png",


rule plot_probing_example:
    """Draw figure 1 of the paper: the cosine of two sentences that mean opposite things, per model."""
    input:
        pairs="results/pairs/probing_example/pairs.parquet",
        similarities=probing_similarities,
        models=config["models_table"],
        published=config["published"],
    output:
        pdf="figures/figure1_probing_example.pdf",
        png=report(
            "figures/figure1_probing_example.png",
            caption="../report/figure1.rst",
            category="Figures",
            labels={"figure": "figure 1", "suite": "probing_example"},
        ),
        tsv="results/tables/figure1_probing_example.tsv",
    log:
        "results/logs/plot_probing_example.log",
    benchmark:
        "results/benchmarks/plot_probing_example.tsv"
    conda:
        "../../envs/plot.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code_version("figures", "registry"),
        models=PROBING_MODELS,
    script:
        "../../scripts/plot_probing_example.py"
