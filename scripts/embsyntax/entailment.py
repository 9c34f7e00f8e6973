"""Entailment judges: cross-encoders with three labels, their label order proved, pairs scored.

A judge is a folder with `config.json`, a tokenizer and safetensors weights, read from disk without
any code of its own. Which output stands for which label is what its config says, and three pairs
that everybody agrees on must bear it out; a model that names its labels `LABEL_0`, `LABEL_1`,
`LABEL_2` gets its order from these pairs, or is refused.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from transformers import (
    AutoConfig,
    AutoModelForSequenceClassification,
    AutoTokenizer,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)
from transformers.utils import logging as transformers_logging

from embsyntax.devices import forbid_tf32
from embsyntax.entailment_labels import CONTRADICTION, ENTAILMENT, LABELS, NEUTRAL, find_label
from embsyntax.jobs import InputError, progress
from embsyntax.provenance import digest, library_versions
from embsyntax.vector_store import VectorStore

ENGINE_VERSION = 1
"""Raised whenever a change of this module changes probabilities: part of their key."""

JUDGE_PACKAGES = ("tokenizers", "torch", "transformers")
"""Distributions whose version can change a probability."""

PROOF_PAIRS = (
    (
        "A man is playing a guitar on a stage.",
        "There is no man playing a guitar on a stage.",
        CONTRADICTION,
    ),
    ("A man is playing a guitar on a stage.", "A man is playing a guitar.", ENTAILMENT),
    (
        "A man is playing a guitar.",
        "A man is playing a guitar on a stage for his old friends.",
        NEUTRAL,
    ),
)
"""Premise, hypothesis and label of a pair per label, in the order of `LABELS`."""

CLEAR = 0.5
"""Least probability of the label of a proof pair where only these pairs tell the order."""

BATCHES_PER_SHARD = 16
"""Batches per file of the store: what a kill can lose."""

NO_LIMIT = 10**9
"""Tokenizers state a length above this where a model has no limit."""


class Pair(NamedTuple):
    """What a judge is asked: does the premise say that the hypothesis is true?"""

    premise: str
    hypothesis: str


@dataclass(frozen=True)
class Judge:
    """A loaded judge.

    Attributes:
        name: in the config, for messages.
        network: the model in float32, on its device.
        tokenizer: of the model.
        device: `cpu` or `cuda`.
        max_tokens: longest pair in tokens; the longer text is cut first.
        columns: which output gives contradiction, entailment and neutral.
        is_order_stated: whether the config names the labels; if not, the proof pairs told them.
        proof: what the judge says of `PROOF_PAIRS`, shape (3, 3), columns in the order of `LABELS`;
            None before it was asked.
    """

    name: str
    network: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    device: str
    max_tokens: int
    columns: tuple[int, int, int]
    is_order_stated: bool
    proof: np.ndarray | None = None

    def describe(self) -> dict[str, object]:
        """Return for a manifest how the order of the labels was proved."""
        proved = [
            {"premise": one, "hypothesis": other, "label": label, "probability": round(float(p), 4)}
            for (one, other, label), p in zip(PROOF_PAIRS, self.proof.diagonal(), strict=True)
        ]
        return {
            "label_order": "as its config says" if self.is_order_stated else "by the proof pairs",
            "label_columns": dict(zip(LABELS, self.columns, strict=True)),
            "max_tokens": self.max_tokens,
            "proof": proved,
        }


@dataclass(frozen=True)
class Judged:
    """What a judge says of pairs.

    Attributes:
        probabilities: float32, shape (pairs, 3), columns in the order of `LABELS`; rows add up
            to 1.
        is_truncated: whether a pair was longer than the judge takes, shape (pairs,).
    """

    probabilities: np.ndarray
    is_truncated: np.ndarray

    @property
    def entailment(self) -> np.ndarray:
        """Probability that the premise says the hypothesis, shape (pairs,)."""
        return self.probabilities[:, LABELS.index(ENTAILMENT)]


# ------------------------------------------------------------------------------------- loading


def load_judge(folder: str | Path, name: str, device: str) -> Judge:
    """Load a judge from disk and prove the order of its labels.

    Args:
        folder: with `config.json`, tokenizer files and `*.safetensors`.
        name: in the config, for messages.
        device: `cpu` or `cuda`.

    Returns:
        The judge, in float32.

    Raises:
        InputError: see `open_judge`; or the proof pairs do not bear out the order of the labels.
    """
    judge = open_judge(folder, name, device)
    outputs = _run(judge, [Pair(*pair[:2]) for pair in PROOF_PAIRS])
    columns = prove_order(outputs, judge.columns if judge.is_order_stated else None, name)
    return replace(judge, columns=columns, proof=outputs[:, list(columns)])


def open_judge(folder: str | Path, name: str, device: str) -> Judge:
    """Load a judge without asking it anything: its labels are as stated, or in any order.

    Raises:
        InputError: the folder holds no such model, the model has not three labels, or its labels
            are named in no known way.
    """
    folder = Path(folder)
    forbid_tf32()
    transformers_logging.disable_progress_bar()
    network, tokenizer = _read_folder(folder, name)
    limits = (tokenizer.model_max_length, getattr(network.config, "max_position_embeddings", None))
    known = [limit for limit in limits if limit and limit < NO_LIMIT]
    if not known:
        raise InputError(
            f"judge {name!r}: neither its config nor its tokenizer says how many tokens it takes; "
            "state model_max_length in tokenizer_config.json."
        )
    stated = read_order(network.config.id2label, name)
    columns = (0, 1, 2) if stated is None else stated
    network = network.to(device).eval()
    return Judge(name, network, tokenizer, device, min(known), columns, stated is not None)


def _read_folder(folder: Path, name: str) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    weights = sorted(folder.glob("*.safetensors"))
    if not (folder / "config.json").is_file() or not weights:
        raise InputError(
            f"judge {name!r}: its folder holds {sorted(path.name for path in folder.glob('*'))}; "
            "needed: config.json and *.safetensors. Take a revision with safetensors weights."
        )
    for path in weights:
        try:
            with safe_open(path, framework="pt"):
                pass
        except SafetensorError as error:
            raise InputError(
                f"judge {name!r}: {path.name} is damaged ({error}); fetch or train it again."
            ) from None
    options = {"local_files_only": True, "trust_remote_code": False}
    try:
        config = AutoConfig.from_pretrained(folder, **options)
        tokenizer = AutoTokenizer.from_pretrained(folder, **options)
        if config.num_labels != len(LABELS):
            raise InputError(
                f"judge {name!r}: it has {config.num_labels} labels; needed: three, contradiction, "
                "entailment and neutral. Name another model."
            )
        network, report = AutoModelForSequenceClassification.from_pretrained(
            folder,
            config=config,
            use_safetensors=True,
            dtype=torch.float32,
            output_loading_info=True,
            **options,
        )
    except (OSError, KeyError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"judge {name!r}: transformers cannot load it without code of its own: {error}. Name "
            "another model."
        ) from None
    missing = sorted(report["missing_keys"])
    if missing:
        raise InputError(
            f"judge {name!r}: its weights lack {', '.join(missing[:3])}; it was not trained to "
            "label pairs. Name a cross-encoder with three labels."
        )
    return network, tokenizer


def read_order(names: Mapping[int, str], judge: str) -> tuple[int, int, int] | None:
    """Return which output stands for which of `LABELS`, as the config of a model says.

    Args:
        names: `id2label` of the config.
        judge: name of the judge, for messages.

    Returns:
        The columns; None for the names that transformers gives where nobody named the labels.

    Raises:
        InputError: the names are neither of both.
    """
    plain = {int(column): str(name) for column, name in names.items()}
    if all(name == f"LABEL_{column}" for column, name in plain.items()):
        return None
    found = {column: find_label(name) for column, name in plain.items()}
    if sorted(map(str, found.values())) != sorted(LABELS):
        raise InputError(
            f"judge {judge!r}: its labels are named {', '.join(plain.values())}; allowed: names "
            f"that hold {', '.join(LABELS)}, each once, or LABEL_0 to LABEL_2. Correct id2label in "
            "its config.json."
        )
    columns = {label: column for column, label in found.items()}
    return tuple(columns[label] for label in LABELS)


def prove_order(
    outputs: np.ndarray, stated: tuple[int, int, int] | None, judge: str
) -> tuple[int, int, int]:
    """Hold the order of a judge's labels against what it says of `PROOF_PAIRS`.

    Args:
        outputs: probabilities of the proof pairs, shape (3, 3), columns as the model gives them.
        stated: the columns as its config says, or None.
        judge: name of the judge, for messages.

    Returns:
        The columns of `LABELS`: as stated, or the only order that fits where none is.

    Raises:
        InputError: the pairs contradict what is stated, or do not tell the order clearly.
    """
    best = outputs.argmax(axis=1)
    if stated is not None:
        if tuple(best) == stated:
            return stated
        raise InputError(
            f"judge {judge!r}: what its config says of its labels does not fit what it says of "
            f"known pairs: {_tell(outputs, stated)}. Correct id2label in its config.json, or name "
            "another judge."
        )
    orders = [
        order
        for order in itertools.permutations(range(len(LABELS)))
        if all(outputs[row, column] >= CLEAR for row, column in enumerate(order))
    ]
    if len(orders) != 1:
        raise InputError(
            f"judge {judge!r}: its labels have no names, and known pairs do not tell them clearly "
            f"(each needs a label of its own with {CLEAR} or more): {_tell(outputs, None)}. Name "
            "its labels by id2label in its config.json, or name another judge."
        )
    return orders[0]


def _tell(outputs: np.ndarray, columns: tuple[int, int, int] | None) -> str:
    """Say what a judge gave to the proof pairs."""
    names = [f"LABEL_{column}" for column in range(len(LABELS))]
    for label, column in zip(LABELS, columns or (), strict=False):
        names[column] = label
    told = []
    for (premise, hypothesis, label), row in zip(PROOF_PAIRS, outputs, strict=True):
        values = ", ".join(f"{name} {value:.2f}" for name, value in zip(names, row, strict=True))
        told.append(f"{premise!r} / {hypothesis!r} ({label}): {values}")
    return "; ".join(told)


# ------------------------------------------------------------------------------------- judging


def store_key(judge: Judge, files: Mapping[str, object]) -> str:
    """Return what stored probabilities are kept under: whatever can change one.

    Args:
        judge: a loaded judge.
        files: file -> its record in the manifest, with its checksum.
    """
    return digest(
        [
            ENGINE_VERSION,
            dict(files),
            judge.device,
            judge.max_tokens,
            judge.columns,
            library_versions(JUDGE_PACKAGES),
        ]
    )


def judge_pairs(
    judge: Judge,
    pairs: Sequence[Pair],
    batch_tokens: int,
    store: VectorStore | None,
    log: logging.Logger,
) -> Judged:
    """Give the probabilities of the labels of pairs; each distinct pair runs once.

    Args:
        judge: a loaded judge.
        pairs: premise and hypothesis, none empty.
        batch_tokens: padded tokens per batch; a longer pair is a batch by itself.
        store: keeps what is done, so that a killed job goes on; None: nothing is kept.
        log: logger of the job.

    Returns:
        Probabilities and truncation in the order of the pairs.

    Raises:
        InputError: an empty text, or a probability that is not finite.
    """
    distinct = list(dict.fromkeys(pairs))
    for pair in distinct:
        if not pair.premise.strip() or not pair.hypothesis.strip():
            raise InputError(f"judge {judge.name!r}: empty text in {pair}; leave the pair out.")
    lengths = _count_tokens(judge, distinct)
    ordered = sorted(distinct, key=lambda pair: (-lengths[pair], pair))
    # All pairs are cut into batches, stored or not, so that a killed job goes on with the same.
    batches, start = [], 0
    while start < len(ordered):
        longest = min(lengths[ordered[start]], judge.max_tokens)
        size = max(1, batch_tokens // longest)
        batches.append(ordered[start : start + size])
        start += size
    found: dict[Pair, np.ndarray] = {}
    waiting: list[Pair] = []

    def keep() -> None:
        if store is not None and waiting:
            store.append([_key(pair) for pair in waiting], np.stack([found[p] for p in waiting]))
        waiting.clear()

    for number, batch in enumerate(progress(batches, len(batches), "batches", log), start=1):
        if store is not None and all(_key(pair) in store for pair in batch):
            found.update(zip(batch, store.vectors([_key(pair) for pair in batch]), strict=True))
            continue
        found.update(zip(batch, _run(judge, batch)[:, list(judge.columns)], strict=True))
        waiting.extend(batch)
        if number % BATCHES_PER_SHARD == 0:
            keep()
    keep()
    if not pairs:
        return Judged(np.empty((0, len(LABELS)), np.float32), np.empty(0, bool))
    return Judged(
        np.stack([found[pair] for pair in pairs]),
        np.array([lengths[pair] > judge.max_tokens for pair in pairs]),
    )


def _key(pair: Pair) -> str:
    return f"{pair.premise}\x1f{pair.hypothesis}"


def _count_tokens(judge: Judge, pairs: Sequence[Pair]) -> dict[Pair, int]:
    if not pairs:
        return {}
    lists = judge.tokenizer(
        [pair.premise for pair in pairs],
        [pair.hypothesis for pair in pairs],
        truncation=False,
        verbose=False,
    )["input_ids"]
    return {pair: len(ids) for pair, ids in zip(pairs, lists, strict=True)}


@torch.inference_mode()
def _run(judge: Judge, pairs: Sequence[Pair]) -> np.ndarray:
    """Return the probabilities of one batch, float32, columns as the model gives them.

    A batch that does not fit into the memory of the GPU is halved, down to single pairs.
    """
    features = judge.tokenizer(
        [pair.premise for pair in pairs],
        [pair.hypothesis for pair in pairs],
        padding=True,
        truncation="longest_first",
        max_length=judge.max_tokens,
        return_tensors="pt",
    ).to(judge.device)
    try:
        logits = judge.network(**features).logits.float()
    except torch.cuda.OutOfMemoryError:
        if len(pairs) == 1:
            raise
        logits = None
    if logits is None:
        torch.cuda.empty_cache()
        half = len(pairs) // 2
        return np.concatenate([_run(judge, pairs[:half]), _run(judge, pairs[half:])])
    probabilities = torch.softmax(logits, dim=-1).cpu().numpy()
    if not np.isfinite(probabilities).all():
        row = int(np.flatnonzero(~np.isfinite(probabilities).all(axis=1))[0])
        raise InputError(
            f"judge {judge.name!r}: its answer to {pairs[row]} is not finite; its weights are "
            "damaged. Fetch or train it again."
        )
    return probabilities
