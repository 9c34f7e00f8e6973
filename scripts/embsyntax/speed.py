"""How fast the engine is, against the way the authors' evaluation embeds the same pairs."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from sentence_transformers import SentenceTransformer

from embsyntax.embedding import embed_texts, load_encoder
from embsyntax.registry import Model
from embsyntax.similarities import compare_pairs, list_texts

FULL_DECIMALS = 12
"""Similarities are compared unrounded."""


def embed_as_published(encoder: SentenceTransformer, pairs: pd.DataFrame) -> np.ndarray:
    """Compare pairs as the authors' evaluation does, shape [n], in the order of the pairs.

    For each corpus and dimension both lists of sentences are encoded, in file order, with the
    library's defaults (eval/sbert_test.py of the released repository, which builds sentence-
    transformers' EmbeddingSimilarityEvaluator twice per corpus).
    """
    values = pd.Series(index=pairs.index, dtype=np.float64)
    for _, part in pairs.groupby(["corpus", "dimension"], sort=False):
        first = encoder.encode(part["sentence1"].tolist(), show_progress_bar=False)
        second = encoder.encode(part["sentence2"].tolist(), show_progress_bar=False)
        norms = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
        values[part.index] = np.einsum("ij,ij->i", first, second) / norms
    return values.to_numpy()


def embed_by_engine(
    encoder: SentenceTransformer, pairs: pd.DataFrame, model: Model, batch_tokens: int
) -> np.ndarray:
    """Compare pairs by our engine, without a store, shape [n], in the order of the pairs."""
    embedded = embed_texts(encoder, list_texts(pairs), model=model, batch_tokens=batch_tokens)
    return compare_pairs(pairs, embedded.vectors, FULL_DECIMALS)["similarity"].to_numpy()


def measure(run: Callable[[], np.ndarray]) -> tuple[float, np.ndarray]:
    """Return the wall time of a run in seconds, and its result."""
    start = time.perf_counter()
    result = run()
    return time.perf_counter() - start, result


def compare_speed(
    folder: str | Path,
    pairs: pd.DataFrame,
    model: Model,
    *,
    device: torch.device,
    batch_tokens: int,
    repetitions: int,
    with_bfloat16: bool,
) -> pd.DataFrame:
    """Time both ways in turn, in one process on one machine.

    Args:
        folder: the model's folder.
        pairs: a suite of pairs.
        model: its catalogue row.
        device: where both run.
        batch_tokens: padded tokens per batch of our engine.
        repetitions: interleaved repetitions, 3 or more; the median counts.
        with_bfloat16: time our engine in bfloat16 as well.

    Returns:
        Columns `metric, value`; times in seconds, similarities as cosines.
    """
    encoder = load_encoder(folder, model, device, "float32")
    ways: dict[str, Callable[[], np.ndarray]] = {
        "baseline": lambda: embed_as_published(encoder, pairs),
        "ours": lambda: embed_by_engine(encoder, pairs, model, batch_tokens),
    }
    if with_bfloat16:
        small = load_encoder(folder, model, device, "bfloat16")
        ways["bfloat16"] = lambda: embed_by_engine(small, pairs, model, batch_tokens)
    times: dict[str, list[float]] = {way: [] for way in ways}
    results: dict[str, np.ndarray] = {}
    encoder.encode(pairs["sentence1"].head(64).tolist(), show_progress_bar=False)
    for _ in range(repetitions):
        for way, run in ways.items():
            seconds, results[way] = measure(run)
            times[way].append(seconds)
    median = {way: statistics.median(seconds) for way, seconds in times.items()}
    n_ours, n_baseline = len(list_texts(pairs)), 2 * len(pairs)
    rows = {
        "wall_time_ratio": median["ours"] / median["baseline"],
        "max_similarity_difference": largest_difference(results["ours"], results["baseline"]),
        "wall_time_seconds_ours": median["ours"],
        "wall_time_seconds_baseline": median["baseline"],
        "texts_encoded_ours": n_ours,
        "texts_encoded_baseline": n_baseline,
        "texts_per_second_ours": n_ours / median["ours"],
        "texts_per_second_baseline": n_baseline / median["baseline"],
        "repetitions": repetitions,
        "torch_threads": torch.get_num_threads(),
    }
    if with_bfloat16:
        rows["bfloat16_wall_time_ratio"] = median["bfloat16"] / median["baseline"]
        rows["bfloat16_max_similarity_difference"] = largest_difference(
            results["bfloat16"], results["baseline"]
        )
    return pd.DataFrame(
        {"metric": list(rows), "value": [f"{value:.9g}" for value in rows.values()]}
    )


def largest_difference(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the largest absolute difference of two equally long series."""
    return float(np.max(np.abs(np.asarray(first) - np.asarray(second))))
