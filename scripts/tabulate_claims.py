"""Tabulate the claims: published numbers, ours, verdicts and reasons."""

import pandas as pd

from embsyntax.claims import RunResults, claims_markdown, judge_claims, read_published
from embsyntax.jobs import open_job_log, write_text, write_tsv
from embsyntax.registry import read_models, read_table
from embsyntax.scores import read_scores

with open_job_log(snakemake) as log:
    params = snakemake.params
    probing = {
        model: float(pd.read_parquet(file)["similarity"].iloc[0])
        for model, file in zip(params.probing_models, snakemake.input.probing, strict=True)
    }
    results = RunResults(
        scores=read_scores(snakemake.input.scores),
        probing=probing,
        board_models=params.models,
        models=read_models(snakemake.input.models),
    )
    published = read_published(read_table(snakemake.input.published), snakemake.input.published)
    claims = judge_claims(published, results, params.tolerance, params.is_released_data)
    text = claims_markdown(claims, params.tolerance, params.confidence, params.track_note)
    write_tsv(claims, snakemake.output.tsv)
    write_text(text, snakemake.output.md)
    counts = claims["verdict"].value_counts().to_dict()
    log.info("%d claims: %s", len(claims), ", ".join(f"{v} {counts[v]}" for v in sorted(counts)))
