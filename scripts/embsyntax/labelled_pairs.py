"""Files of pairs that people labelled: does the premise say that the hypothesis is true?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from embsyntax.corpora import check_text, normalise_text, place_of
from embsyntax.entailment_labels import ENTAILMENT, LABELS
from embsyntax.jobs import InputError
from embsyntax.pairs import READERS, Record
from embsyntax.registry import Source

LAYOUTS = (
    ("sentence_A", "sentence_B", "entailment_judgment"),
    ("sentence1", "sentence2", "gold_label"),
    ("premise", "hypothesis", "label"),
)
"""Columns of labelled files: SICK (Marelli et al. 2014), MED (Yanaka et al. 2019) and other NLI
sets, and the layout of the hub."""

EQUIVALENT_SCORE = 5.0
"""Score of the STS benchmark that people give to sentences that mean the same thing."""

WORDS = re.compile(r"\w+")


class LabelledPair(NamedTuple):
    """A row of a table of labelled pairs; see `entailment_data.TRAINING_COLUMNS`."""

    premise: str
    hypothesis: str
    label: str
    source: str
    group: str


def read_labelled_pairs(path: Path, source: Source) -> list[LabelledPair]:
    """Read a raw file of labelled pairs.

    Args:
        path: the raw file.
        source: its row of the catalogue; only origin and format are used.

    Returns:
        The pairs in the order of the file, texts in NFC with single spaces. Of the STS benchmark
        the pairs that people gave the highest score, each in both directions, as entailment.

    Raises:
        InputError: a damaged file, none of `LAYOUTS`, no rows, an empty text or an unknown label.
    """
    label = f"{path} (from {source.origin})"
    if source.format not in READERS:
        raise InputError(
            f"{label}: format {source.format!r} holds no labelled pairs; allowed: "
            f"{', '.join(READERS)}. Name another file in triples.judges."
        )
    if source.format == "stsbenchmark":
        return list(_read_equivalent(path, label, source))
    records, columns = _read_layout(path, label, source)
    if not records:
        raise InputError(f"{label}: no data rows; at least one is needed: fetch the file again.")
    return [_read_record(record, columns, label, source) for record in records]


def _read_layout(path: Path, label: str, source: Source) -> tuple[list[Record], tuple[str, ...]]:
    """Read the columns of the first layout that fits; the last refusal says what is there."""
    refusals = []
    for columns in LAYOUTS:
        try:
            return READERS[source.format](path, label, list(columns)), columns
        except InputError as error:
            refusals.append(str(error))
    raise InputError(
        f"{refusals[0]}. A file of labelled pairs has the columns "
        f"{' or '.join(', '.join(columns) for columns in LAYOUTS)}."
    )


def _read_record(
    record: Record, columns: tuple[str, ...], label: str, source: Source
) -> LabelledPair:
    texts = [_read_text(record, column, label) for column in columns[:2]]
    value = record.values[columns[2]]
    found = value.strip().lower() if isinstance(value, str) else value
    if found not in LABELS:
        raise InputError(
            f"{place_of(label, record, columns[2])}: label {value!r}; allowed: "
            f"{', '.join(LABELS)}, in any case. Correct the file or leave the row out."
        )
    return LabelledPair(*texts, found, source.path, source.path)


def _read_text(record: Record, column: str, label: str) -> str:
    value = record.values[column]
    place = place_of(label, record, column)
    check_text(value, place)
    if not WORDS.search(value):
        raise InputError(f"{place}: empty text {value!r}; give a text or remove the row.")
    return normalise_text(value)


def _read_equivalent(path: Path, label: str, source: Source) -> Iterator[LabelledPair]:
    for record in READERS[source.format](path, label, ["score", "sentence1", "sentence2"]):
        try:
            score = float(record.values["score"])
        except ValueError:
            place = place_of(label, record, "score")
            raise InputError(
                f"{place}: {record.values['score']!r} is no number; correct the file."
            ) from None
        if score == EQUIVALENT_SCORE:
            one, other = (_read_text(record, name, label) for name in ("sentence1", "sentence2"))
            for premise, hypothesis in ((one, other), (other, one)):
                yield LabelledPair(premise, hypothesis, ENTAILMENT, source.path, source.path)
