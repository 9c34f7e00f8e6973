r"""Similarities of a pair without any model: floors that a text embedding should stand above.

Each baseline passes through the same tables as a model. A word is a match of `\w+` in the text as
it stands (Unicode letters, digits and underscore).
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from embsyntax.jobs import InputError

WORD = re.compile(r"\w+")

RANDOM_DIMENSION = 384
"""Length of a random vector: that of the smallest model of the paper's table 4."""

NGRAM_LENGTHS = (3, 4, 5)

BLOCK_PAIRS = 4096
"""Pairs whose vectors are multiplied at once, which bounds memory."""

DEFINITIONS = {
    "random_vectors": (
        f"Random vectors: cosine of vectors of {RANDOM_DIMENSION} independent standard normal "
        "numbers, drawn once per distinct text by a hash of the text and the seed."
    ),
    "length_difference": (
        r"Length difference: absolute difference of the numbers of \w+ tokens of the two texts; "
        "a larger difference counts as a higher similarity."
    ),
    "word_overlap": (
        r"Word overlap: Jaccard index of the two sets of lower-cased \w+ tokens (1 if neither text "
        "has one)."
    ),
    "character_ngrams": (
        "Character n-grams: cosine of the counts of all sequences of 3, 4 and 5 characters of the "
        "lower-cased texts, each with one space put before and after it."
    ),
}
"""What each baseline is, in one sentence; boards print it."""

SEEDED_BASELINES = frozenset({"random_vectors"})
"""Baselines whose similarities depend on the seed."""

UNBOUNDED_BASELINES = frozenset({"length_difference"})
"""Baselines whose similarity is no cosine or overlap and may lie outside [-1, 1]."""


def compare_by_baseline(
    name: str, sentences1: Sequence[str], sentences2: Sequence[str], seed: int
) -> np.ndarray:
    """Return the similarity of each pair by one baseline.

    Args:
        name: a key of `DEFINITIONS`.
        sentences1: first text of each pair, n of them.
        sentences2: second text of each pair, n of them.
        seed: of the random vectors, 0 or more; the other baselines do not use it.

    Returns:
        n float64 values, finite; within [-1, 1] but for `length_difference` (0 or more).

    Raises:
        InputError: if there is no such baseline.
        ValueError: if the two lists differ in length.
    """
    if name not in BASELINES:
        raise InputError(
            f"unknown baseline {name!r}; allowed: {', '.join(sorted(BASELINES))}. Correct the "
            "source of its row in the models table."
        )
    if len(sentences1) != len(sentences2):
        raise ValueError(f"{len(sentences1)} first texts, but {len(sentences2)} second texts")
    return BASELINES[name](sentences1, sentences2, seed)


def draw_vector(text: str, seed: int) -> np.ndarray:
    """Draw the random vector of a text: `RANDOM_DIMENSION` float32 numbers.

    The same text and seed give the same vector, whatever else is in the suite.
    """
    digest = hashlib.sha256(f"{seed}\n{text}".encode()).digest()
    key = np.frombuffer(digest[:16], dtype="<u8")
    generator = np.random.Generator(np.random.Philox(key=key))
    return generator.standard_normal(RANDOM_DIMENSION, dtype=np.float32)


def compare_random_vectors(
    sentences1: Sequence[str], sentences2: Sequence[str], seed: int
) -> np.ndarray:
    """Cosine of the random vectors of both texts; 1 for a text and itself."""
    rows = {text: row for row, text in enumerate(dict.fromkeys((*sentences1, *sentences2)))}
    vectors = np.empty((len(rows), RANDOM_DIMENSION), dtype=np.float32)
    for text, row in rows.items():
        vectors[row] = draw_vector(text, seed)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    first = np.fromiter((rows[text] for text in sentences1), dtype=np.int64)
    second = np.fromiter((rows[text] for text in sentences2), dtype=np.int64)
    similarities = np.empty(len(first), dtype=np.float64)
    for start in range(0, len(first), BLOCK_PAIRS):
        block = slice(start, start + BLOCK_PAIRS)
        left = vectors[first[block]].astype(np.float64)
        right = vectors[second[block]].astype(np.float64)
        similarities[block] = np.einsum("ij,ij->i", left, right)
    return np.clip(similarities, -1.0, 1.0)


def compare_lengths(
    sentences1: Sequence[str], sentences2: Sequence[str], seed: int = 0
) -> np.ndarray:
    r"""Absolute difference of the numbers of `\w+` tokens: 0 or more, larger = higher."""
    lengths = {text: len(WORD.findall(text)) for text in dict.fromkeys((*sentences1, *sentences2))}
    first = np.array([lengths[text] for text in sentences1], dtype=np.float64)
    second = np.array([lengths[text] for text in sentences2], dtype=np.float64)
    return np.abs(first - second)


def compare_words(
    sentences1: Sequence[str], sentences2: Sequence[str], seed: int = 0
) -> np.ndarray:
    """Jaccard index of the lower-cased word sets: 0 to 1, and 1 if both sets are empty."""
    sets = {
        text: frozenset(WORD.findall(text.lower()))
        for text in dict.fromkeys((*sentences1, *sentences2))
    }
    return np.array(
        [
            _overlap(sets[one], sets[other])
            for one, other in zip(sentences1, sentences2, strict=True)
        ],
        dtype=np.float64,
    )


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    union = len(one | other)
    return len(one & other) / union if union else 1.0


def count_ngrams(text: str) -> Counter[str]:
    """Count the character n-grams of a text; never empty, thanks to the spaces around it."""
    padded = f" {text.lower()} "
    return Counter(
        padded[start : start + length]
        for length in NGRAM_LENGTHS
        for start in range(len(padded) - length + 1)
    )


def compare_ngrams(
    sentences1: Sequence[str], sentences2: Sequence[str], seed: int = 0
) -> np.ndarray:
    """Cosine of the n-gram counts of both texts: 0 to 1."""
    numbers: dict[str, int] = {}
    counted = {
        text: _number_counts(text, numbers) for text in dict.fromkeys((*sentences1, *sentences2))
    }
    first_counts = np.zeros(len(numbers), dtype=np.int64)
    last_text, last_grams, square = None, np.empty(0, dtype=np.int64), 0
    similarities = np.empty(len(sentences1), dtype=np.float64)
    for row, (one, other) in enumerate(zip(sentences1, sentences2, strict=True)):
        if one != last_text:
            first_counts[last_grams] = 0
            last_grams, counts, square = counted[one]
            first_counts[last_grams] = counts
            last_text = one
        grams, counts, other_square = counted[other]
        product = int(first_counts[grams] @ counts)
        # Whole numbers up to here, so that equal texts give exactly 1.
        similarities[row] = product / (square * other_square) ** 0.5
    return np.minimum(similarities, 1.0)


def _number_counts(text: str, numbers: dict[str, int]) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the numbers of the n-grams of a text, their counts, and the sum of the squares."""
    counts = count_ngrams(text)
    grams = [numbers.setdefault(gram, len(numbers)) for gram in counts]
    square = sum(n * n for n in counts.values())
    return np.array(grams, dtype=np.int64), np.array(list(counts.values()), np.int64), square


BASELINES: dict[str, Callable[[Sequence[str], Sequence[str], int], np.ndarray]] = {
    "random_vectors": compare_random_vectors,
    "length_difference": compare_lengths,
    "word_overlap": compare_words,
    "character_ngrams": compare_ngrams,
}
