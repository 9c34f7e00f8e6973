"""Is an output as fluent as its source? Perplexity of both under a small causal language model.

A text's mean negative log-likelihood per token (nats) is the log of its perplexity. Rare names and
topics raise it for source and output alike, so the ratio of the two perplexities is looked at, not
the output's alone.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from embsyntax.candidates import MADE
from embsyntax.jobs import InputError, progress
from embsyntax.language_models import CausalModel, halve_on_overflow
from embsyntax.vector_store import VectorStore

FLUENCY_COLUMNS = ("candidate_id", "nll_source", "nll_output", "ratio")
"""Columns of a fluency table; `ratio` is the output's perplexity over the source's."""

BATCHES_PER_SHARD = 16
"""Batches per file of the store: what a kill can lose."""


def score_fluency(
    candidates: pd.DataFrame,
    model: CausalModel,
    batch_tokens: int,
    store: VectorStore,
    log: logging.Logger,
) -> pd.DataFrame:
    """Compare the perplexity of each made candidate with that of its source.

    Args:
        candidates: columns `candidate_id, sentence1, sentence2, status`; those that are not `made`
            are left out.
        model: the judge.
        batch_tokens: padded tokens per batch.
        store: keeps the likelihood of each text.
        log: logger of the job.

    Returns:
        `FLUENCY_COLUMNS`, in the order of the candidates.

    Raises:
        InputError: if a text has no token, or a likelihood is not finite.
    """
    made = candidates.loc[candidates["status"] == MADE]
    texts = list(dict.fromkeys([*made["sentence1"], *made["sentence2"]]))
    log.info("%d texts of %d candidates, %d known", len(texts), len(made), len(store))
    measured = measure_texts(texts, model, batch_tokens, store, log)
    likelihoods = dict(zip(texts, measured, strict=True))
    source = made["sentence1"].map(likelihoods).to_numpy(np.float64)
    output = made["sentence2"].map(likelihoods).to_numpy(np.float64)
    return pd.DataFrame(
        {
            "candidate_id": made["candidate_id"].to_numpy(),
            "nll_source": source,
            "nll_output": output,
            "ratio": np.exp(output - source),
        },
        columns=list(FLUENCY_COLUMNS),
    )


def measure_texts(
    texts: Sequence[str],
    model: CausalModel,
    batch_tokens: int,
    store: VectorStore,
    log: logging.Logger,
) -> NDArray[np.float64]:
    """Return the mean negative log-likelihood per token of unique texts, in nats.

    Args:
        texts: unique; those in the store are not run again.
        model: the judge.
        batch_tokens: padded tokens per batch.
        store: a vector of one number per text.
        log: logger of the job.

    Returns:
        Shape (texts,), finite.

    Raises:
        InputError: if a text has no token or a likelihood is not finite.
    """
    # All texts are cut, stored or not, so that a killed job goes on with the same batches.
    batches = [
        [entry for entry in batch if entry[0] not in store]
        for batch in cut_batches(tokenize(texts, model), batch_tokens)
    ]
    batches = [batch for batch in batches if batch]
    waiting: list[tuple[str, float]] = []

    def keep() -> None:
        values = np.array([[value] for _, value in waiting], dtype=np.float32)
        store.append([text for text, _ in waiting], values)
        waiting.clear()

    for number, batch in enumerate(progress(batches, len(batches), "batches", log), start=1):
        values = halve_on_overflow(
            lambda part: mean_likelihoods([ids for _, ids in part], model), batch
        )
        for (text, _), value in zip(batch, values, strict=True):
            if not np.isfinite(value):
                raise InputError(
                    f"fluency model {model.name!r}: the likelihood of {text[:60]!r} is not finite; "
                    "take float32 in the catalogue."
                )
            waiting.append((text, value))
        if number % BATCHES_PER_SHARD == 0:
            keep()
    keep()
    if not texts:
        return np.empty(0)
    return store.vectors(texts)[:, 0].astype(np.float64)


def tokenize(texts: Sequence[str], model: CausalModel) -> list[tuple[str, list[int]]]:
    """Return each text with its tokens, after one that begins a text.

    A model without a beginning token gets its end token there, as between the texts that it was
    trained on. Texts are cut to what the model takes.

    Raises:
        InputError: if a text has no token, or the model neither of both tokens.
    """
    if not texts:
        return []
    tokenizer = model.tokenizer
    start = tokenizer.bos_token_id
    start = tokenizer.eos_token_id if start is None else start
    if start is None:
        raise InputError(
            f"fluency model {model.name!r}: its tokenizer has neither a beginning nor an end "
            "token; take another model."
        )
    tokens = []
    for text, ids in zip(
        texts, tokenizer(list(texts), add_special_tokens=False)["input_ids"], strict=True
    ):
        if not ids:
            raise InputError(
                f"fluency: the text {text!r} has no token, so no likelihood; drop short sentences "
                "first."
            )
        tokens.append((text, [start, *ids][: model.max_tokens]))
    return tokens


def cut_batches(
    tokens: Sequence[tuple[str, list[int]]], batch_tokens: int
) -> Iterator[list[tuple[str, list[int]]]]:
    """Cut texts into batches of similar length, the longest first.

    Args:
        tokens: from `tokenize`.
        batch_tokens: most padded tokens per batch; a longer text is a batch by itself.
    """
    ordered = sorted(tokens, key=lambda entry: (-len(entry[1]), entry[0]))
    start = 0
    while start < len(ordered):
        size = max(1, batch_tokens // len(ordered[start][1]))
        yield ordered[start : start + size]
        start += size


@torch.inference_mode()
def mean_likelihoods(batch: Sequence[Sequence[int]], model: CausalModel) -> list[float]:
    """Return the mean negative log-likelihood of the tokens of each text after its first.

    Args:
        batch: tokens of each text, two or more.
        model: the judge.

    Returns:
        Nats per token, one number per text.
    """
    lengths = torch.tensor([len(ids) for ids in batch])
    ids = torch.full((len(batch), int(lengths.max())), model.tokenizer.pad_token_id)
    for row, tokens in enumerate(batch):
        ids[row, : len(tokens)] = torch.tensor(tokens)
    ids = ids.to(model.device)
    mask = torch.arange(ids.shape[1])[None, :] < lengths[:, None]
    mask = mask.to(model.device)
    logits = model.network(input_ids=ids, attention_mask=mask.long(), use_cache=False).logits
    losses = torch.nn.functional.cross_entropy(
        logits[:, :-1].float().transpose(1, 2), ids[:, 1:], reduction="none"
    )
    counted = mask[:, 1:]
    return ((losses * counted).sum(1) / counted.sum(1)).tolist()
