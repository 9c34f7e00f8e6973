"""The speed of the embedding engine: a measurement, not a test."""


rule compare_embedding_speed:
    """Time our engine against the authors' way of embedding the released pairs, on this machine."""
    input:
        pairs="results/pairs/sr_released/pairs.parquet",
        snapshot=f"results/models/{config['speed']['model']}/snapshot",
    output:
        speed="results/tables/embedding_speed.tsv",
    log:
        "results/logs/compare_embedding_speed.log",
    benchmark:
        "results/benchmarks/compare_embedding_speed.tsv"
    conda:
        "../../envs/embed.yaml"
    threads: 8
    resources:
        gpu=1,
        mem_mb=8000,
        runtime=240,
    params:
        batch_tokens=config["embedding"]["batch_tokens"],
        bfloat16=config["speed"]["bfloat16"],
        code=code_version("devices", "embedding", "similarities", "speed"),
        device=config["device"],
        model=config["speed"]["model"],
        repetitions=config["speed"]["repetitions"],
    script:
        "../../scripts/compare_embedding_speed.py"
