"""Texts that hardly differ: exact Jaccard index of their sets of character n-grams.

No sketch is needed for tens of thousands of sentences: two sets with a Jaccard index of at least t
share an n-gram among the rarest `n - ceil(t n) + 1` of each (prefix filter; Bayardo, Ma and Srikant
2007, https://doi.org/10.1145/1242572.1242591), so that few pairs are compared, and none is missed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
from scipy.sparse import csr_array

from embsyntax.jobs import InputError

NGRAM_LENGTH = 5
"""Characters of an n-gram: long enough that most n-grams are rare, shorter than most words."""

NO_WORD = re.compile(r"[\W_]+")

ROUNDING = 1e-9
"""Slack of a comparison of two ratios of whole numbers."""

BLOCK_ROWS = 2048
"""Texts compared with all others at once, which bounds memory."""


def comparison_form(text: str) -> str:
    """Return a text in lower case, with one space for all that is no letter or digit."""
    return f" {NO_WORD.sub(' ', text.casefold()).strip()} "


def character_ngrams(text: str) -> set[str]:
    """Return the n-grams of a text's `comparison_form`; the whole of it where it is shorter."""
    form = comparison_form(text)
    return {form[i : i + NGRAM_LENGTH] for i in range(max(1, len(form) - NGRAM_LENGTH + 1))}


def jaccard_index(text1: str, text2: str) -> float:
    """Return the Jaccard index (0-1) of the n-grams of two texts."""
    first, second = character_ngrams(text1), character_ngrams(text2)
    return len(first & second) / len(first | second)


def find_similar_pairs(texts: Sequence[str], threshold: float) -> np.ndarray:
    """Find all pairs of texts that are near-duplicates.

    Args:
        texts: n texts.
        threshold: least Jaccard index of a near-duplicate, above 0, at most 1.

    Returns:
        Positions in `texts`, shape (pairs, 2), int64: the later text, then the earlier one; sorted.

    Raises:
        InputError: the threshold is out of range.
    """
    _check_threshold(threshold)
    if not texts:
        return np.empty((0, 2), dtype=np.int64)
    grams = _count_ngrams(texts)
    sizes = np.diff(grams.indptr)
    prefixes = _keep_prefixes(grams, threshold)
    transposed = prefixes.T.tocsr()
    found = []
    for start in range(0, len(texts), BLOCK_ROWS):
        shared = (prefixes[start : start + BLOCK_ROWS] @ transposed).tocoo()
        later, earlier = shared.row.astype(np.int64) + start, shared.col.astype(np.int64)
        short, long = np.sort(np.stack([sizes[later], sizes[earlier]]), axis=0)
        candidate = (earlier < later) & (short >= threshold * long - ROUNDING)
        later, earlier = later[candidate], earlier[candidate]
        common = grams[later].multiply(grams[earlier]).sum(axis=1)
        union = sizes[later] + sizes[earlier] - common
        near = common >= threshold * union - ROUNDING
        found.append(np.column_stack([later[near], earlier[near]]))
    pairs = np.concatenate(found)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def find_near_given(texts: Sequence[str], given: Iterable[str], threshold: float) -> np.ndarray:
    """Say for each text whether it is near to one of other texts.

    Args:
        texts: n texts.
        given: what they may be near to.
        threshold: least Jaccard index of a near-duplicate, above 0, at most 1.

    Returns:
        Shape (n,), bool.

    Raises:
        InputError: the threshold is out of range.
    """
    given = list(dict.fromkeys(given))
    answers = np.zeros(len(texts), dtype=bool)
    _check_threshold(threshold)
    if not given or not len(texts):
        return answers
    grams = _count_ngrams([*given, *texts])
    sizes = np.diff(grams.indptr)
    prefixes = _keep_prefixes(grams, threshold)
    transposed = prefixes[: len(given)].T.tocsr()
    for start in range(len(given), grams.shape[0], BLOCK_ROWS):
        shared = (prefixes[start : start + BLOCK_ROWS] @ transposed).tocoo()
        rows, columns = shared.row.astype(np.int64) + start, shared.col.astype(np.int64)
        common = grams[rows].multiply(grams[columns]).sum(axis=1)
        union = sizes[rows] + sizes[columns] - common
        near = common >= threshold * union - ROUNDING
        answers[rows[near] - len(given)] = True
    return answers


def choose_distinct(texts: Sequence[str], threshold: float, given: Iterable[str] = ()) -> list[int]:
    """Go through texts in order and keep each that is near to no given and no kept one.

    Args:
        texts: n texts.
        threshold: least Jaccard index of a near-duplicate, above 0, at most 1.
        given: texts that none may be near to.

    Returns:
        n numbers: -1 for a kept text; the position in `texts` of the first kept text that is near;
        or n and above for one that is near to a given text, which counts first.
    """
    given = list(given)
    neighbours: dict[int, list[int]] = {}
    for later, earlier in find_similar_pairs([*given, *texts], threshold).tolist():
        neighbours.setdefault(later, []).append(earlier)
    answers: list[int] = []
    for position in range(len(texts)):
        answer = -1
        for earlier in neighbours.get(position + len(given), []):
            if earlier < len(given):
                answer = len(texts) + earlier
                break
            if answers[earlier - len(given)] == -1:
                answer = earlier - len(given)
                break
        answers.append(answer)
    return answers


def _check_threshold(threshold: float) -> None:
    if not 0 < threshold <= 1:
        raise InputError(
            f"threshold of near-duplicates {threshold!r}; allowed: above 0, at most 1. Correct it "
            "in the config."
        )


def _count_ngrams(texts: Sequence[str]) -> csr_array:
    """Return which text holds which n-gram, shape (texts, n-grams), the rarest columns first."""
    sets = [character_ngrams(text) for text in texts]
    counts: dict[str, int] = {}
    for grams in sets:
        for gram in grams:
            counts[gram] = counts.get(gram, 0) + 1
    columns = {gram: i for i, gram in enumerate(sorted(counts, key=lambda g: (counts[g], g)))}
    indices = [column for grams in sets for column in sorted(columns[gram] for gram in grams)]
    starts = np.cumsum([0, *map(len, sets)])
    values = np.ones(len(indices), dtype=np.int32)
    return csr_array((values, np.array(indices), starts), shape=(len(sets), len(columns)))


def _keep_prefixes(grams: csr_array, threshold: float) -> csr_array:
    """Keep the rarest n-grams of each text, one of which any near-duplicate must share."""
    sizes = np.diff(grams.indptr)
    lengths = sizes - np.ceil(threshold * sizes - ROUNDING).astype(np.int64) + 1
    rank = np.arange(len(grams.indices)) - np.repeat(grams.indptr[:-1], sizes)
    kept = rank < np.repeat(lengths, sizes)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    return csr_array((grams.data[kept], grams.indices[kept], starts), shape=grams.shape)
