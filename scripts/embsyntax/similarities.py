"""From the vectors of unique texts to one similarity per pair: the cosine in float32, rounded.

A cosine is rounded (6 decimals by default) before anything is ranked, because vectors depend on
the make-up of a batch by about 2e-7: the rounding settles ties at cosine 1.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import pandas as pd

from embsyntax.jobs import InputError

PAIRS_AT_ONCE = 8192
"""Pairs whose vectors are gathered at once, which bounds the memory."""

SHOWN_CHARACTERS = 80
"""Characters of a text that an error message shows."""


def list_texts(column: pd.Series) -> list[str]:
    """Return the texts of a column; equal texts of a column of categories are one object.

    The pairs of passages hold each text in many rows: copies would fill the memory.
    """
    if isinstance(column.dtype, pd.CategoricalDtype):
        texts = column.cat.categories.tolist()
        return [texts[code] for code in column.cat.codes.tolist()]
    return column.tolist()


def unique_texts(pairs: pd.DataFrame) -> list[str]:
    """Return each text of a table of pairs once, in order of first appearance.

    Args:
        pairs: columns sentence1 and sentence2 (str).
    """
    return list(dict.fromkeys([*list_texts(pairs["sentence1"]), *list_texts(pairs["sentence2"])]))


def pairs_digest(pairs: pd.DataFrame) -> str:
    """Return the SHA-256 of pair ids and texts in their order (64 hex digits).

    It tells whether similarities made elsewhere belong to the same pairs; scores do not enter.
    """
    digest = hashlib.sha256()
    columns = (list_texts(pairs[name]) for name in ("pair_id", "sentence1", "sentence2"))
    for row in zip(*columns, strict=True):
        for text in row:
            content = text.encode("utf-8")
            digest.update(len(content).to_bytes(8, "big"))
            digest.update(content)
    return digest.hexdigest()


def similarities_digest(table: pd.DataFrame) -> str:
    """Return the SHA-256 of similarities, whatever their order and file format (64 hex digits).

    Args:
        table: columns `pair_id` and `similarity` (float64, rounded).
    """
    digest = hashlib.sha256()
    ordered = table.sort_values("pair_id", kind="stable")
    for pair_id, value in zip(ordered["pair_id"], ordered["similarity"], strict=True):
        digest.update(f"{pair_id}\t{value!r}\n".encode())
    return digest.hexdigest()


def shorten_text(text: str) -> str:
    """Return a text as it is shown in a message: quoted, cut to `SHOWN_CHARACTERS`."""
    return repr(text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "...")


def require_finite(vectors: np.ndarray, texts: Sequence[str], model: str) -> None:
    """Refuse vectors with infinite or undefined numbers.

    Args:
        vectors: shape (number of texts, dimension).
        texts: the texts of the rows.
        model: id of the model, for the message.

    Raises:
        InputError: names the first text with such a vector.
    """
    bad = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if bad.size:
        raise InputError(
            f"model {model!r}: {bad.size} of {len(texts)} vectors hold numbers that are not finite "
            f"(NaN or infinite), the first for the text {shorten_text(texts[bad[0]])}; every "
            "number must be finite. Check the weights, or declare dtype float32 or bfloat16 "
            "instead of float16 in the models table."
        )


def pair_cosines(vectors: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the cosine of each pair of rows, not rounded.

    A vector of zeros (a text without any known token) has cosine 0 with everything, as in
    sentence-transformers.

    Args:
        vectors: float32, shape (texts, dimension), finite.
        first: row numbers of the first texts, shape (pairs,).
        second: row numbers of the second texts, shape (pairs,).

    Returns:
        float32, shape (pairs,), -1 to 1 but for rounding.
    """
    vectors = np.asarray(vectors, dtype=np.float32)
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0)
    scaled = vectors / np.where(largest > 0, largest, 1)  # no overflow in the squares
    lengths = np.linalg.norm(scaled, axis=1, keepdims=True)
    units = scaled / np.where(lengths > 0, lengths, 1)
    cosines = np.empty(len(first), dtype=np.float32)
    for start in range(0, len(first), PAIRS_AT_ONCE):
        part = slice(start, start + PAIRS_AT_ONCE)
        cosines[part] = np.einsum("ij,ij->i", units[first[part]], units[second[part]])
    return cosines


def round_similarities(values: np.ndarray, decimals: int) -> np.ndarray:
    """Round similarities as they are stored: float64, without negative zero."""
    return np.round(np.asarray(values, dtype=np.float64), decimals) + 0.0


def locate_texts(pairs: pd.DataFrame, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return, for each pair, the row numbers of its two texts in a list of unique texts.

    Raises:
        KeyError: if a text of a pair is not in the list.
    """
    rows = {text: row for row, text in enumerate(texts)}
    first, second = (
        np.fromiter((rows[text] for text in list_texts(pairs[name])), np.int64, len(pairs))
        for name in ("sentence1", "sentence2")
    )
    return first, second


def cosine_similarities(
    pairs: pd.DataFrame, texts: Sequence[str], vectors: np.ndarray, *, decimals: int, model: str
) -> pd.DataFrame:
    """Give each pair the rounded cosine of its two texts.

    Args:
        pairs: columns pair_id, sentence1, sentence2.
        texts: unique texts, among them all texts of the pairs.
        vectors: their vectors, shape (number of texts, dimension).
        decimals: decimals that are kept.
        model: id of the model, for messages.

    Returns:
        Columns pair_id and similarity (float64, -1 to 1), in the order of the pairs.

    Raises:
        InputError: if a vector is not finite.
        ValueError: if there is not one vector per text.
    """
    if len(texts) != len(vectors):
        raise ValueError(f"{len(texts)} texts, but {len(vectors)} vectors")
    require_finite(vectors, texts, model)
    cosines = pair_cosines(vectors, *locate_texts(pairs, texts))
    return make_similarities(pairs["pair_id"], np.clip(cosines, -1, 1), decimals)


def make_similarities(pair_ids: pd.Series, values: np.ndarray, decimals: int) -> pd.DataFrame:
    """Return the table of similarities, rounded; refuse values that are not finite.

    Args:
        pair_ids: n ids.
        values: n similarities.
        decimals: decimals that are kept.

    Returns:
        Columns pair_id and similarity (float64).

    Raises:
        InputError: names the first pair whose similarity is not finite.
    """
    rounded = round_similarities(values, decimals)
    if not np.isfinite(rounded).all():
        row = int(np.flatnonzero(~np.isfinite(rounded))[0])
        raise InputError(
            f"pair {pair_ids.iloc[row]!r}: the similarity is {rounded[row]}; allowed: a finite "
            "number. Check the vectors of this pair's two texts."
        )
    return pd.DataFrame({"pair_id": pair_ids.to_numpy(), "similarity": rounded})
