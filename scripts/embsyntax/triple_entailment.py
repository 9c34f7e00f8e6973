"""What a judge says of triples and of the pairs that it is measured on, in both directions."""

from __future__ import annotations

import logging

import numpy as np
import pandas as pd

from embsyntax.entailment import Judge, Judged, Pair, judge_pairs
from embsyntax.entailment_labels import LABELS
from embsyntax.vector_store import VectorStore

MADE = "made"
"""Status of the candidates that are judged."""

ENTAILMENT_COLUMNS = (
    "candidate_id",
    "nli_para_forward",
    "nli_para_backward",
    "nli_trap_forward",
    "nli_trap_backward",
    "n_truncated",
)
"""Entailment (0-1), `forward` with the anchor as premise; and how many of the four were cut."""

PROBE_SCORE_COLUMNS = ("probe_id", "kind", "nli_forward", "nli_backward", "n_truncated")

TEST_SCORE_COLUMNS = ("label", *LABELS, "is_truncated")


def score_triples(
    candidates: pd.DataFrame,
    judge: Judge,
    batch_tokens: int,
    store: VectorStore,
    log: logging.Logger,
) -> pd.DataFrame:
    """Judge paraphrase and trap of the candidates that were made, in both directions.

    Args:
        candidates: columns `candidate_id, status, anchor, paraphrase, trap`.
        judge: a loaded judge.
        batch_tokens: padded tokens per batch.
        store: keeps what is done.
        log: logger of the job.

    Returns:
        `ENTAILMENT_COLUMNS`, in the order of the candidates.
    """
    made = candidates.loc[candidates["status"] == MADE]
    log.info("%d of %d candidates are judged", len(made), len(candidates))
    sides = [("anchor", "paraphrase"), ("paraphrase", "anchor"), ("anchor", "trap")]
    sides.append(("trap", "anchor"))
    judged = _judge_sides(made, sides, judge, batch_tokens, store, log)
    columns = [made["candidate_id"].to_numpy(), *(side.entailment for side in judged)]
    columns.append(np.sum([side.is_truncated for side in judged], axis=0).astype(np.int64))
    return pd.DataFrame(dict(zip(ENTAILMENT_COLUMNS, columns, strict=True)))


def score_probes(
    probes: pd.DataFrame, judge: Judge, batch_tokens: int, log: logging.Logger
) -> pd.DataFrame:
    """Judge the probes in both directions.

    Args:
        probes: from `entailment_probes.read_probes`.
        judge: a loaded judge.
        batch_tokens: padded tokens per batch.
        log: logger of the job.

    Returns:
        `PROBE_SCORE_COLUMNS`.
    """
    sides = [("sentence1", "sentence2"), ("sentence2", "sentence1")]
    judged = _judge_sides(probes, sides, judge, batch_tokens, None, log)
    columns = [probes["probe_id"].to_numpy(), probes["kind"].to_numpy()]
    columns += [side.entailment for side in judged]
    columns.append(np.sum([side.is_truncated for side in judged], axis=0).astype(np.int64))
    return pd.DataFrame(dict(zip(PROBE_SCORE_COLUMNS, columns, strict=True)))


def score_test(
    pairs: pd.DataFrame, judge: Judge, batch_tokens: int, log: logging.Logger
) -> pd.DataFrame:
    """Give the probabilities of the labels of labelled pairs.

    Args:
        pairs: columns `premise, hypothesis, label`; may have no rows.
        judge: a loaded judge.
        batch_tokens: padded tokens per batch.
        log: logger of the job.

    Returns:
        `TEST_SCORE_COLUMNS`.
    """
    sides = [("premise", "hypothesis")]
    judged = _judge_sides(pairs, sides, judge, batch_tokens, None, log)[0]
    columns = [pairs["label"].to_numpy(), *judged.probabilities.T, judged.is_truncated]
    return pd.DataFrame(dict(zip(TEST_SCORE_COLUMNS, columns, strict=True)))


def _judge_sides(
    rows: pd.DataFrame,
    sides: list[tuple[str, str]],
    judge: Judge,
    batch_tokens: int,
    store: VectorStore | None,
    log: logging.Logger,
) -> list[Judged]:
    """Judge all pairs of columns at once, so that equal pairs run once."""
    pairs = [
        Pair(*texts)
        for one, other in sides
        for texts in zip(rows[one].tolist(), rows[other].tolist(), strict=True)
    ]
    judged = judge_pairs(judge, pairs, batch_tokens, store, log)
    parts = (
        np.split(judged.probabilities, len(sides)),
        np.split(judged.is_truncated, len(sides)),
    )
    return [Judged(*part) for part in zip(*parts, strict=True)]
