"""How fast the engine is, against the way the authors' evaluation embeds the same pairs."""

from __future__ import annotations

import logging
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from embsyntax.embedding import Encoder, embed_texts, load_encoder
from embsyntax.registry import Model
from embsyntax.similarities import locate_texts, pair_cosines, unique_texts

LEAST_REPETITIONS = 3
"""Fewer say nothing on a machine that does other work as well."""

WARM_UP_TEXTS = 64
"""Texts that each way embeds before the clock runs."""


def compare_by_engine(encoder: Encoder, pairs: pd.DataFrame, batch_tokens: int) -> np.ndarray:
    """Compare pairs by the engine, without a store of vectors.

    Args:
        encoder: the model.
        pairs: n rows with sentence1 and sentence2.
        batch_tokens: padded tokens of a batch.

    Returns:
        n cosines, float32, not rounded, in the order of the pairs.
    """
    texts = unique_texts(pairs)
    embedded = embed_texts(encoder, texts, batch_tokens=batch_tokens)
    return pair_cosines(embedded.vectors, *locate_texts(pairs, texts))


def compare_as_published(encoder: Encoder, pairs: pd.DataFrame) -> np.ndarray:
    """Compare pairs as the authors' evaluation does.

    For each corpus and dimension the list of sources and the list of changed sentences are
    encoded in file order with the defaults of sentence-transformers (eval/sbert_test.py of
    github.com/fzp0424/SR, which gives them to its EmbeddingSimilarityEvaluator).

    Args:
        encoder: the model.
        pairs: n rows with corpus, dimension, sentence1 and sentence2, in file order.

    Returns:
        n cosines, float32, not rounded, in the order of the pairs.
    """
    cosines = np.empty(len(pairs), dtype=np.float32)
    cells = pairs.groupby(["corpus", "dimension"], sort=False).indices
    for rows in cells.values():
        vectors = [
            encoder.network.encode(
                pairs[column].iloc[rows].tolist(),
                prompt=encoder.prompt or None,
                show_progress_bar=False,
            )
            for column in ("sentence1", "sentence2")
        ]
        positions = np.arange(len(rows))
        cosines[rows] = pair_cosines(np.concatenate(vectors), positions, positions + len(rows))
    return cosines


def compare_embedding_speed(
    folder: str | Path,
    pairs: pd.DataFrame,
    model: Model,
    *,
    device: str,
    batch_tokens: int,
    repetitions: int,
    with_bfloat16: bool,
    log: logging.Logger | None = None,
) -> pd.DataFrame:
    """Time both ways in turn, in one process and with one loaded model.

    The order is turned round at every repetition, so that a machine that grows slower or faster
    favours neither.

    Args:
        folder: files of the model.
        pairs: a suite of pairs in file order.
        model: the row of the models table.
        device: `cpu` or `cuda`.
        batch_tokens: padded tokens of a batch of the engine.
        repetitions: of each way, at least `LEAST_REPETITIONS`; the medians count.
        with_bfloat16: time the engine in bfloat16 as well.
        log: where each single time is reported; other work on the machine shows there.

    Returns:
        Columns metric and value (numbers with 9 significant digits, as text): times in seconds,
        differences of cosines. `cpu_time_ratio` compares the processor time of all threads, which
        other work on the machine moves far less than the wall time.

    Raises:
        ValueError: for too few repetitions.
    """
    if repetitions < LEAST_REPETITIONS:
        raise ValueError(f"{repetitions} repetitions; allowed: {LEAST_REPETITIONS} or more")
    encoder = load_encoder(folder, model, device, "float32")
    ways: dict[str, Callable[[pd.DataFrame], np.ndarray]] = {
        "ours": lambda part: compare_by_engine(encoder, part, batch_tokens),
        "baseline": lambda part: compare_as_published(encoder, part),
    }
    if with_bfloat16:
        small = load_encoder(folder, model, device, "bfloat16")
        ways["bfloat16"] = lambda part: compare_by_engine(small, part, batch_tokens)
    for compare in ways.values():
        compare(pairs.iloc[:WARM_UP_TEXTS])
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    cpu_seconds: dict[str, list[float]] = {way: [] for way in ways}
    cosines: dict[str, np.ndarray] = {}
    for repetition in range(repetitions):
        for way in list(ways)[:: 1 if repetition % 2 else -1]:
            start, cpu_start = time.perf_counter(), time.process_time()
            cosines[way] = ways[way](pairs)
            seconds[way].append(time.perf_counter() - start)
            cpu_seconds[way].append(time.process_time() - cpu_start)
            if log:
                log.info(
                    "repetition %d, %s: %.2f s, processor time %.2f s",
                    repetition + 1,
                    way,
                    seconds[way][-1],
                    cpu_seconds[way][-1],
                )
    median = {way: statistics.median(times) for way, times in seconds.items()}
    cpu_median = {way: statistics.median(times) for way, times in cpu_seconds.items()}
    n_ours, n_baseline = len(unique_texts(pairs)), 2 * len(pairs)
    rows = {
        "wall_time_ratio": median["ours"] / median["baseline"],
        "max_similarity_difference": _largest_difference(cosines, "ours"),
        "wall_time_seconds_ours": median["ours"],
        "wall_time_seconds_baseline": median["baseline"],
        "texts_encoded_ours": n_ours,
        "texts_encoded_baseline": n_baseline,
        "texts_per_second_ours": n_ours / median["ours"],
        "texts_per_second_baseline": n_baseline / median["baseline"],
        "cpu_time_ratio": cpu_median["ours"] / cpu_median["baseline"],
        "repetitions": repetitions,
        "torch_threads": torch.get_num_threads(),
    }
    if with_bfloat16:
        rows["bfloat16_wall_time_ratio"] = median["bfloat16"] / median["baseline"]
        rows["bfloat16_max_similarity_difference"] = _largest_difference(cosines, "bfloat16")
    return pd.DataFrame({"metric": rows.keys(), "value": [f"{v:.9g}" for v in rows.values()]})


def _largest_difference(cosines: dict[str, np.ndarray], way: str) -> float:
    return float(np.abs(cosines[way] - cosines["baseline"]).max())
