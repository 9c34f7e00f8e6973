"""Command: run MTEB on a dataset folder with a model of the catalogue, offline.

    make mteb-venv
    PYTHONPATH=scripts .venv-mteb/bin/python -m embsyntax.mteb_scores --dataset results/dataset \
        --model all-MiniLM-L6-v2 --output results/mteb/all-MiniLM-L6-v2.tsv

The model's files are those of the rule download_model; pooling, prompt and length come from its row
of the models table, as in the workflow.
"""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path

from embsyntax.jobs import InputError, force_offline, write_tsv

force_offline()

import mteb  # noqa: E402
import pandas as pd  # noqa: E402
from mteb.models.sentence_transformer_wrapper import (  # noqa: E402
    SentenceTransformerEncoderWrapper,
)

from embsyntax.devices import DEVICES, choose_device  # noqa: E402
from embsyntax.embedding import Encoder, choose_dtype, load_encoder  # noqa: E402
from embsyntax.mteb_tasks import FolderTask, list_tasks  # noqa: E402
from embsyntax.registry import read_models, select  # noqa: E402

log = logging.getLogger("mteb_scores")

COLUMNS = ("task", "subset", "metric", "value", "n", "reason")
AVERAGE = "average"
"""Stands for the subset in the unweighted mean of the main score over all of them."""

PROMPTED_TYPES = ("STS", "PairClassification")
"""Types of our tasks, for which the model's prompt is given."""

NOT_METRICS = ("hf_subset", "languages", "main_score", "mteb_version")


def wrap_encoder(encoder: Encoder) -> SentenceTransformerEncoderWrapper:
    """Make a loaded model one of MTEB's, with the prompt of its row for every task."""
    prompts = dict.fromkeys(PROMPTED_TYPES, encoder.prompt) if encoder.prompt else None
    return SentenceTransformerEncoderWrapper(encoder.network, model_prompts=prompts)


def score_folder(tasks: list[FolderTask], encoder: Encoder, batch_size: int) -> pd.DataFrame:
    """Run MTEB and lay its results out.

    Args:
        tasks: from `embsyntax.mteb_tasks.list_tasks`.
        encoder: the model.
        batch_size: texts encoded together.

    Returns:
        `COLUMNS`: each score of each subset (0-1 or -1 to 1), then the average of the main score;
        an undefined one is empty and has a reason.
    """
    results = mteb.evaluate(
        wrap_encoder(encoder),
        tasks,
        cache=None,
        co2_tracker=False,
        encode_kwargs={"batch_size": batch_size, "show_progress_bar": False},
        show_progress_bar=False,
    )
    records = []
    for task, result in zip(tasks, results.task_results, strict=True):
        task.load_data()
        sizes = {name: len(parts[task.split]) for name, parts in task.dataset.items()}
        for scores in result.scores[task.split]:
            subset = scores["hf_subset"]
            for metric, value in scores.items():
                if metric not in NOT_METRICS:
                    records.append((result.task_name, subset, metric, value, sizes[subset], ""))
        mean = result.get_score()
        main = task.metadata.main_score
        records.append((result.task_name, AVERAGE, main, mean, sum(sizes.values()), ""))
    table = pd.DataFrame(records, columns=list(COLUMNS))
    table.loc[table["value"].isna(), "reason"] = "a score or a similarity is constant, or few pairs"
    return table


def main(arguments: list[str] | None = None) -> int:
    """Return 0 when the table is written, 1 after bad input.

    Args:
        arguments: of the command line; None takes those of the process.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    log.setLevel(logging.INFO)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dataset", required=True, help="the dataset folder")
    parser.add_argument("--model", required=True, help="id of the models table")
    parser.add_argument("--output", required=True, help="the TSV that is written")
    parser.add_argument("--models-table", default="config/models.tsv")
    parser.add_argument("--snapshot", help="files of the model; results/models/MODEL/snapshot")
    parser.add_argument("--device", choices=DEVICES, default="auto")
    parser.add_argument("--batch-size", type=int, default=32)
    chosen = parser.parse_args(arguments)
    try:
        models = read_models(chosen.models_table)
        model = models[select([chosen.model], sorted(models), "model")[0]]
        folder = Path(chosen.snapshot or f"results/models/{model.model}/snapshot")
        if not folder.is_dir():
            raise InputError(
                f"model {model.model!r}: there is no folder {str(folder)!r}; make it with that "
                "path as target of snakemake, or name another one with --snapshot"
            )
        tasks = list_tasks(chosen.dataset)
        device = choose_device(chosen.device, 1, log)
        encoder = load_encoder(folder, model, device, choose_dtype(model, device, "float32"), log)
        table = score_folder(tasks, encoder, chosen.batch_size)
    except InputError as error:
        log.error("%s", error)
        return 1
    write_tsv(table, chosen.output)
    for row in table[table["subset"] == AVERAGE].itertuples(index=False):
        log.info("%s, %s over the subsets: %.4f (n %d)", row.task, row.metric, row.value, row.n)
    return 0


if __name__ == "__main__":
    sys.exit(main())
