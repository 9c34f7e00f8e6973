"""What every training shares: settings, seeds, resumption after a kill, curves, the best epoch.

Training is that of sentence-transformers (one trainer for encoders, one for cross-encoders). What a
kill must not lose lies in a folder of its own, under a key of whatever can change the result: the
trainer's checkpoint after each epoch, the weights of the best epoch so far, and the measures of
each epoch. An epoch is measured on the files that it was saved to, loaded again.
"""

from __future__ import annotations

import json
import logging
import math
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import torch
from datasets import Dataset
from sentence_transformers.base.sampler import DefaultBatchSampler
from sentence_transformers.base.trainer import BaseTrainer
from transformers import PrinterCallback, TrainerCallback, set_seed
from transformers.trainer_utils import get_last_checkpoint
from transformers.utils import logging as transformers_logging

from embsyntax.devices import forbid_tf32
from embsyntax.jobs import PROGRESS_INTERVAL_SECONDS, InputError, write_text
from embsyntax.provenance import digest, file_sha256, library_versions

TRAINING_VERSION = 1
"""Raised whenever a change of this module changes trained weights: part of the key."""

TRAINING_PACKAGES = (
    "accelerate",
    "datasets",
    "sentence-transformers",
    "tokenizers",
    "torch",
    "transformers",
)
"""Distributions whose version can change trained weights."""

PRECISIONS = ("float32", "bfloat16")
"""Number formats of training; bfloat16 is autocast, weights and their updates stay float32."""

CURVE_COLUMNS = ("epoch", "step", "measure", "value")
"""Columns of the curves: `train_loss` along the steps, the measures of dev after each epoch."""

LOGS_PER_EPOCH = 20
"""Points of the training loss per epoch."""

POOL_BATCHES = 24
"""Batches that are drawn together, sorted by length and cut; so little is padding."""

EPOCHS_FILE = "epochs.json"


@dataclass(frozen=True)
class TrainSettings:
    """How a model is trained.

    Attributes:
        epochs: passes over the data, 1 or more.
        batch_size: examples per step, 1 or more.
        learning_rate: highest step size of AdamW, above 0; linear warm-up and decay.
        warmup_share: share of the steps (0-1) of the warm-up.
        max_tokens: longest input in tokens.
        seed: of weights that are new, of the order of the data and of dropout.
        precision: one of `PRECISIONS`.
    """

    epochs: int
    batch_size: int
    learning_rate: float
    warmup_share: float
    max_tokens: int
    seed: int
    precision: str

    def __post_init__(self) -> None:
        """Refuse an unknown precision."""
        if self.precision not in PRECISIONS:
            raise InputError(
                f"precision of training {self.precision!r}; allowed: {', '.join(PRECISIONS)}. "
                "Correct the config."
            )


def read_train_settings(config: Mapping[str, Any]) -> TrainSettings:
    """Return the settings of a config key `train`; its other keys (files) are left out.

    Raises:
        InputError: an unknown precision.
    """
    return TrainSettings(**{key: config[key] for key in TrainSettings.__annotations__})


def training_key(settings: TrainSettings, device: str, **made_of: Any) -> str:
    """Return the name of the folder that survives a kill: whatever can change the result.

    Args:
        settings: of the training.
        device: `cpu` or the name of the GPU.
        **made_of: checksums of the base model and of the data, version of the caller's code.
    """
    versions = library_versions(TRAINING_PACKAGES)
    return digest([TRAINING_VERSION, asdict(settings), device, versions, made_of])


def start_training(settings: TrainSettings) -> None:
    """Set every seed; call it before a model is loaded, since new weights are drawn then."""
    set_seed(settings.seed)
    forbid_tf32()
    # Its report of the weights of the new head, which nobody can miss.
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()


class LengthBatchSampler(DefaultBatchSampler):
    """Batches of examples of similar length, in an order that depends on seed and epoch alone.

    The examples of an epoch are shuffled and cut into pools of `POOL_BATCHES` batches; each pool is
    sorted by length and cut into batches; the batches of all pools are shuffled.
    """

    def __init__(self, dataset: Dataset, batch_size: int, drop_last: bool, **options: Any) -> None:
        """Measure the examples; see `DefaultBatchSampler` for the arguments."""
        super().__init__(dataset, batch_size, drop_last, **options)
        labels = options.get("valid_label_columns") or []
        columns = [name for name in dataset.column_names if name not in labels]
        self.lengths = [
            sum(len(text) for text in texts)
            for texts in zip(*(dataset[name] for name in columns), strict=True)
        ]

    def __iter__(self):
        """Yield the positions of each batch."""
        generator = torch.Generator().manual_seed(self.seed + self.epoch)
        order = torch.randperm(len(self.lengths), generator=generator).tolist()
        size = self.batch_size * POOL_BATCHES
        batches = []
        for start in range(0, len(order), size):
            pool = sorted(order[start : start + size], key=self.lengths.__getitem__)
            batches += [pool[i : i + self.batch_size] for i in range(0, len(pool), self.batch_size)]
        if self.drop_last:
            batches = [batch for batch in batches if len(batch) == self.batch_size]
        for position in torch.randperm(len(batches), generator=generator).tolist():
            yield batches[position]

    def __len__(self) -> int:
        """Return the number of batches."""
        size, pool = self.batch_size, self.batch_size * POOL_BATCHES
        full, rest = divmod(len(self.lengths), pool)
        ends = rest // size if self.drop_last else math.ceil(rest / size)
        return full * POOL_BATCHES + ends


def training_arguments(
    settings: TrainSettings, folder: Path, device: str, n_examples: int
) -> dict[str, Any]:
    """Return the arguments of a sentence-transformers trainer that are the same for all of them.

    Args:
        settings: of the training.
        folder: where the trainer keeps its checkpoints.
        device: `cpu` or `cuda`.
        n_examples: of an epoch.
    """
    steps = math.ceil(n_examples / settings.batch_size)
    return {
        "output_dir": str(folder / "checkpoints"),
        "num_train_epochs": settings.epochs,
        "per_device_train_batch_size": settings.batch_size,
        "learning_rate": settings.learning_rate,
        "warmup_steps": round(settings.warmup_share * steps * settings.epochs),
        "lr_scheduler_type": "linear",
        "seed": settings.seed,
        "bf16": settings.precision == "bfloat16",
        "use_cpu": device == "cpu",
        "batch_sampler": LengthBatchSampler,
        "logging_steps": max(1, steps // LOGS_PER_EPOCH),
        "logging_first_step": True,
        "save_strategy": "epoch",
        "save_total_limit": 1,
        "eval_strategy": "no",
        "dataloader_pin_memory": device != "cpu",
        "disable_tqdm": True,
        "report_to": "none",
    }


class EpochKeeper(TrainerCallback):
    """After each epoch: save the model, measure what was saved, keep the best."""

    def __init__(
        self,
        folder: Path,
        save: Callable[[Path], None],
        measure: Callable[[Path], Mapping[str, float]],
        criterion: str,
        log: logging.Logger,
    ) -> None:
        """Get ready.

        Args:
            folder: what survives a kill.
            save: writes the model, as it is then, to a folder.
            measure: gives the measures of a saved model.
            criterion: the measure whose highest value says which epoch is the best; the earlier one
                of equal ones.
            log: logger of the job.
        """
        self.folder, self.save, self.measure = folder, save, measure
        self.criterion, self.log = criterion, log
        self._last = self._start = time.monotonic()
        self._first_step = 0

    def on_train_begin(self, args, state, control, **kwargs) -> None:
        """Start the clock."""
        self._start, self._first_step = time.monotonic(), state.global_step

    def on_log(self, args, state, control, logs=None, **kwargs) -> None:
        """Say how far the training is."""
        now, done = time.monotonic(), state.global_step - self._first_step
        if not logs or "loss" not in logs or not done:
            return
        if now - self._last < PROGRESS_INTERVAL_SECONDS and state.global_step < state.max_steps:
            return
        self._last = now
        left = (now - self._start) / done * (state.max_steps - state.global_step)
        self.log.info(
            "step %d/%d, loss %.4f, %.0f s left",
            state.global_step,
            state.max_steps,
            logs["loss"],
            left,
        )

    def on_epoch_end(self, args, state, control, **kwargs) -> None:
        """Measure the epoch and keep it if it is the best."""
        epoch = round(state.epoch)
        saved = self.folder / "saved"
        shutil.rmtree(saved, ignore_errors=True)
        saved.mkdir(parents=True)
        self.save(saved)
        measures = {name: float(value) for name, value in self.measure(saved).items()}
        # An epoch that a kill cut off after it was measured comes again, with the same measures.
        epochs = {n: m for n, m in read_epochs(self.folder).items() if n < epoch}
        is_best = all(measures[self.criterion] > other[self.criterion] for other in epochs.values())
        if is_best:
            shutil.rmtree(self.folder / "best", ignore_errors=True)
            saved.rename(self.folder / "best")
        epochs[epoch] = {"step": state.global_step, **measures}
        write_text(json.dumps(epochs, indent=1, sort_keys=True) + "\n", self.folder / EPOCHS_FILE)
        told = ", ".join(f"{name} {value:.4f}" for name, value in measures.items())
        self.log.info("epoch %d: %s%s", epoch, told, " (the best so far)" if is_best else "")


def read_epochs(folder: Path) -> dict[int, dict[str, float]]:
    """Return the measures of the epochs so far: epoch -> measure -> value, and its last step."""
    path = folder / EPOCHS_FILE
    if not path.is_file():
        return {}
    return {int(epoch): value for epoch, value in json.loads(path.read_text("utf-8")).items()}


def list_files(folder: Path) -> dict[str, dict[str, Any]]:
    """Return for a manifest the files of a model: path -> bytes and sha256."""
    return {
        path.relative_to(folder).as_posix(): {
            "bytes": path.stat().st_size,
            "sha256": file_sha256(path),
        }
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@dataclass(frozen=True)
class Trained:
    """What a training gave.

    Attributes:
        folder: of the best epoch's model.
        best_epoch: counted from 1.
        measures: of that epoch.
        curves: `CURVE_COLUMNS`.
    """

    folder: Path
    best_epoch: int
    measures: Mapping[str, float]
    curves: pd.DataFrame


def run_training(trainer: BaseTrainer, keeper: EpochKeeper, log: logging.Logger) -> Trained:
    """Train, or go on where a killed job stopped.

    Args:
        trainer: with the arguments of `training_arguments`.
        keeper: of the same folder.
        log: logger of the job.

    Returns:
        The best epoch and the curves.
    """
    checkpoints = Path(trainer.args.output_dir)
    checkpoints.mkdir(parents=True, exist_ok=True)
    last = find_checkpoint(checkpoints)
    if last:
        log.info("going on from %s", Path(last).name)
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(keeper)
    trainer.train(resume_from_checkpoint=last)
    epochs = read_epochs(keeper.folder)
    best = min(epochs, key=lambda epoch: (-epochs[epoch][keeper.criterion], epoch))
    measures = {name: value for name, value in epochs[best].items() if name != "step"}
    curves = draw_curves(trainer.state.log_history, epochs)
    return Trained(keeper.folder / "best", best, measures, curves)


def find_checkpoint(folder: Path) -> str | None:
    """Return the last whole checkpoint of a folder; what a kill left half written is removed."""
    while last := get_last_checkpoint(folder):
        # The trainer writes its state last.
        if (Path(last) / "trainer_state.json").is_file():
            return last
        shutil.rmtree(last)
    return None


def draw_curves(
    history: Sequence[Mapping[str, float]], epochs: Mapping[int, Mapping[str, float]]
) -> pd.DataFrame:
    """Put losses and measures into one table.

    Args:
        history: of the trainer.
        epochs: from `read_epochs`.

    Returns:
        `CURVE_COLUMNS`.
    """
    rows = [
        (entry["epoch"], entry["step"], "train_loss", entry["loss"])
        for entry in history
        if "loss" in entry
    ]
    for epoch, measures in sorted(epochs.items()):
        rows += [
            (float(epoch), int(measures["step"]), name, value)
            for name, value in measures.items()
            if name != "step"
        ]
    return pd.DataFrame(rows, columns=list(CURVE_COLUMNS))
