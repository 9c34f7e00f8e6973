"""Write the dataset folder for the hub: Parquet files, their card, their checksums."""

from pathlib import Path

import pandas as pd

from embsyntax.dataset_card import RunFacts, render_card
from embsyntax.dataset_folder import RunTables, collect_parts, list_checksums, write_part
from embsyntax.jobs import open_job_log, write_text
from embsyntax.registry import read_corpora, read_language_models, read_models
from embsyntax.trap_types import read_trap_types

with open_job_log(snakemake) as log:
    files, settings = snakemake.input, snakemake.params
    frames = {
        name: pd.read_parquet(files[name])
        for name in ("triples", "seeds", "splits", "passages", "human", "balance")
    }
    parts = collect_parts(
        RunTables(
            **frames,
            filtered=[pd.read_parquet(path) for path in files.filtered],
            xgen=pd.read_parquet(files.xgen[0]) if files.xgen else None,
            regenerated={
                generator: pd.read_parquet(path)
                for generator, path in zip(settings.regenerated, files.regenerated, strict=True)
            },
            sentences=pd.concat(map(pd.read_parquet, files.sentences), ignore_index=True),
        )
    )
    tables = {
        name: pd.read_csv(files[name], sep="\t")
        for name in ("statistics", "baselines", "passage_drops")
    }
    leakage = pd.concat([pd.read_csv(path, sep="\t") for path in files.leakage])
    facts = RunFacts(
        **tables,
        **settings.described,
        leakage=leakage,
        generators=settings.generators,
        regenerated=settings.regenerated,
        triples=settings.triples,
        judges=pd.read_csv(files.judges[0], sep="\t") if files.judges else None,
        trap_types=read_trap_types(files.trap_types),
        sources=read_corpora(files.corpora),
        models=read_models(files.models),
        language_models=read_language_models(files.language_models),
        prompt=Path(files.prompt[0]).read_text(encoding="utf-8") if files.prompt else "",
    )
    folder = Path(snakemake.output.card).parent
    Path(snakemake.output.data).mkdir(parents=True, exist_ok=True)
    sizes = {part.path: write_part(part, folder / part.path) for part in parts}
    template = Path(files.template).read_text(encoding="utf-8")
    write_text(render_card(template, parts, sizes, facts), snakemake.output.card)
    write_text(list_checksums(folder, ["README.md", *sizes]), snakemake.output.checksums)
    log.info("%s", ", ".join(f"{part.config}/{part.split}: {len(part.rows)}" for part in parts))
