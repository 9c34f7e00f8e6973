"""The dataset folder for the hub; uploading it is left to people."""

TRIPLE_GENERATORS = [
    generator
    for generator in (config["triples"]["generator"], config["triples"]["second_generator"])
    if generator
]


rule build_dataset:
    """Lay triples, candidates, seeds and SR pairs out as a dataset of the hub, with its card."""
    input:
        triples="results/triples/triples.parquet",
        seeds="results/triples/seeds.parquet",
        splits="results/triples/splits.parquet",
        filtered=expand("results/triples/filtered/{generator}.parquet", generator=TRIPLE_GENERATORS),
        xgen=(
            ["results/triples/xgen_test.parquet"] if config["triples"]["second_generator"] else []
        ),
        passages="results/triples/passages.parquet",
        passage_drops="results/triples/passage_drops.tsv",
        human="results/triples/human_test.parquet",
        balance="results/triples/balance.parquet",
        baselines="results/tables/triples_balance.tsv",
        statistics="results/tables/filter_statistics.tsv",
        leakage=[
            "results/tables/triples_leakage.tsv",
            *(
                ["results/tables/xgen_leakage.tsv"]
                if config["triples"]["second_generator"]
                else []
            ),
        ],
        judges=["results/tables/judge.tsv"] if config["triples"]["measured_judges"] else [],
        regenerated=expand(
            "results/sr/validation/{generator}/validated.parquet", generator=GENERATORS
        ),
        sentences=expand("results/corpora/{corpus}/sentences.parquet", corpus=SR_CORPORA),
        corpora=config["corpora"],
        models=config["models_table"],
        language_models=config["language_models_table"],
        trap_types=config["trap_types"],
        prompt=[config["prompts"]["triple"]] if CHAT_GENERATORS.keys() & TRIPLE_GENERATORS else [],
        template="workflow/report/dataset_card.md.jinja",
    output:
        card="results/dataset/README.md",
        checksums="results/dataset/SHA256SUMS",
        data=directory("results/dataset/data"),
    log:
        "results/logs/build_dataset.log",
    benchmark:
        "results/benchmarks/build_dataset.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=10,
    params:
        code=code_version("dataset_card", "dataset_folder", "registry", "tables", "trap_types"),
        described=dataset_description,
        generators=dataset_generators,
        regenerated=GENERATORS,
        triples=config["triples"],
    script:
        "../../scripts/build_dataset.py"
