rule audit_sr_released:
    """Count what the released files hold: rows, duplicates, labels, tie ceilings, length effects, overlap."""
    input:
        released="results/pairs/sr_released/pairs.parquet",
        stsb_train="results/pairs/stsb_train/pairs.parquet",
    output:
        tsv="results/tables/audit_sr_released.tsv",
        md=report(
            "results/tables/audit_sr_released.md",
            caption="../report/audit.rst",
            category="Tables",
            labels={"table": "audit", "suite": "sr_released"},
        ),
    log:
        "results/logs/audit_sr_released.log",
    benchmark:
        "results/benchmarks/audit_sr_released.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code_version("audit", "baselines", "scores", "stats", "tables"),
        is_released_data=config["claims"]["is_released_data"],
        track_note=config["track_note"],
    script:
        "../../scripts/audit_sr_released.py"
