"""Train an entailment judge: an encoder with a new head that labels pairs of texts."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from datasets import Dataset
from sentence_transformers import CrossEncoder, CrossEncoderTrainer, CrossEncoderTrainingArguments
from sentence_transformers.cross_encoder.losses import CrossEntropyLoss
from torch import nn

from embsyntax.entailment import Pair, judge_pairs, open_judge
from embsyntax.entailment_labels import LABELS
from embsyntax.jobs import InputError
from embsyntax.training import (
    EpochKeeper,
    Trained,
    TrainSettings,
    run_training,
    start_training,
    training_arguments,
)

DEV_ACCURACY, DEV_LOSS = "dev_accuracy", "dev_loss"


def train_judge(
    base: Path,
    pairs: pd.DataFrame,
    dev: pd.DataFrame,
    settings: TrainSettings,
    folder: Path,
    name: str,
    device: str,
    batch_tokens: int,
    log: logging.Logger,
) -> Trained:
    """Train a judge; the epoch with the highest accuracy on dev is the one that counts.

    Args:
        base: folder of the encoder.
        pairs: columns `premise, hypothesis, label` (of `LABELS`) to learn from.
        dev: the same columns, to choose the epoch on.
        settings: of the training.
        folder: what survives a kill.
        name: of the judge.
        device: `cpu` or `cuda`.
        batch_tokens: padded tokens per batch of the judge on dev.
        log: logger of the job.

    Returns:
        The best epoch; its folder is one that `load_judge` takes.

    Raises:
        InputError: a label has no pair, so that nothing could be learned of it.
    """
    counts = pairs["label"].value_counts()
    absent = [label for label in LABELS if not counts.get(label, 0)]
    if absent or dev.empty:
        raise InputError(
            f"judge {name!r}: {f'no pair is labelled {absent[0]}' if absent else 'no dev pair'}; "
            "name other files under triples.judges in the config."
        )
    start_training(settings)
    model = open_base(base, settings, device)
    dataset = Dataset.from_dict(
        {
            "premise": pairs["premise"].tolist(),
            "hypothesis": pairs["hypothesis"].tolist(),
            "label": [LABELS.index(label) for label in pairs["label"]],
        }
    )
    log.info(
        "%d pairs (%s), %d of dev",
        len(pairs),
        ", ".join(f"{counts[x]} {x}" for x in LABELS),
        len(dev),
    )
    arguments = training_arguments(settings, folder, device, len(pairs))
    trainer = CrossEncoderTrainer(
        model=model,
        args=CrossEncoderTrainingArguments(**arguments),
        train_dataset=dataset,
        loss=CrossEntropyLoss(model, activation_fn=nn.Identity()),
    )

    def save(target: Path) -> None:
        model.model.save_pretrained(target)
        model.tokenizer.save_pretrained(target)

    def measure(saved: Path) -> Mapping[str, float]:
        return measure_judge(saved, dev, name, device, batch_tokens)

    keeper = EpochKeeper(folder, save, measure, DEV_ACCURACY, log)
    return run_training(trainer, keeper, log)


def open_base(base: Path, settings: TrainSettings, device: str) -> CrossEncoder:
    """Load an encoder with a new head for the three labels, drawn by the seed set before."""
    names = dict(enumerate(LABELS))
    model = CrossEncoder(
        str(base),
        num_labels=len(LABELS),
        max_length=settings.max_tokens,
        device=device,
        trust_remote_code=False,
        local_files_only=True,
        model_kwargs={"use_safetensors": True},
        config_kwargs={"id2label": names, "label2id": {v: k for k, v in names.items()}},
    )
    model.tokenizer.model_max_length = settings.max_tokens
    return model


def measure_judge(
    folder: Path, dev: pd.DataFrame, name: str, device: str, batch_tokens: int
) -> dict[str, float]:
    """Measure a saved judge on labelled pairs, in float32.

    Args:
        folder: of the saved judge.
        dev: columns `premise, hypothesis, label`.
        name: of the judge.
        device: `cpu` or `cuda`.
        batch_tokens: padded tokens per batch.

    Returns:
        Accuracy (0-1) and mean negative log-likelihood (nats) of the labels.
    """
    judge = open_judge(folder, name, device)
    pairs = [Pair(*texts) for texts in zip(dev["premise"], dev["hypothesis"], strict=True)]
    quiet = logging.getLogger("dev")
    quiet.setLevel(logging.WARNING)
    judged = judge_pairs(judge, pairs, batch_tokens, None, quiet).probabilities
    gold = np.array([LABELS.index(label) for label in dev["label"]])
    likelihoods = judged[np.arange(len(gold)), gold].astype(np.float64)
    return {
        DEV_ACCURACY: float((judged.argmax(axis=1) == gold).mean()),
        DEV_LOSS: float(-np.log(np.maximum(likelihoods, np.finfo(np.float32).tiny)).mean()),
    }
