"""Sentences of a corpus: raw files of any supported form become one table of distinct sentences.

What is done to a text is said here and nowhere else: Unicode NFC, white space made single spaces.
Whatever is not taken is counted by its reason; what cannot be read is refused by name.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import tempfile
import unicodedata
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from embsyntax.jobs import InputError
from embsyntax.pairs import READERS, Record
from embsyntax.registry import Source

SENTENCE_COLUMNS = ("sentence_id", "text", "source", "split", "licence")
"""Columns of a table of sentences, in order; `source` is the raw file as SOURCE/FILE."""

DROP_REASONS = ("too short", "too long", "in an excluded file", "duplicate")
"""Why a text is not taken, in the order in which it is looked at."""

WORD = re.compile(r"\w")


@dataclass(frozen=True)
class SentenceLimits:
    """Lengths of the sentences that are taken, in words (`count_words`).

    Attributes:
        min_words: at least 1.
        max_words: at least `min_words`.
    """

    min_words: int
    max_words: int

    def __post_init__(self) -> None:
        """Refuse limits that no sentence can meet."""
        if not 1 <= self.min_words <= self.max_words:
            raise InputError(
                f"config keys sentences.min_words and max_words: {self.min_words} and "
                f"{self.max_words}; allowed: 1 <= min_words <= max_words. Correct them."
            )


def extract_sentences(
    corpus: str,
    files: Iterable[tuple[Path, Source]],
    excluded: Iterable[tuple[Path, Source]],
    limits: SentenceLimits,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Take the distinct sentences of a corpus out of its raw files.

    Args:
        corpus: name of the corpus.
        files: raw files with their rows of the catalogue, in the order of the config.
        excluded: raw files whose texts the corpus must not hold.
        limits: lengths that are taken.

    Returns:
        The sentences (`SENTENCE_COLUMNS`) in the order of files, rows and columns, each where it
        stands first; and the drops (`corpus, reason, n`), a row for each of `DROP_REASONS`. Every
        text that was read is a sentence or counted there.

    Raises:
        InputError: a file cannot be read (see `read_texts`), or no sentence is left.
    """
    barred = {
        normalise_text(text) for path, source in excluded for text in read_texts(path, source)
    }
    kept: dict[str, Source] = {}
    drops = Counter(dict.fromkeys(DROP_REASONS, 0))
    for path, source in files:
        for raw in read_texts(path, source):
            text = normalise_text(raw)
            reason = find_drop_reason(text, limits, barred, kept)
            if reason:
                drops[reason] += 1
            else:
                kept[text] = source
    if not kept:
        counted = ", ".join(f"{reason}: {n}" for reason, n in drops.items())
        raise InputError(
            f"corpus {corpus}: no sentence is left ({counted}); see sentences.min_words, max_words "
            "and without in the config"
        )
    rows = [
        (sentence_id(corpus, text), text, source.path, source.split, source.licence)
        for text, source in kept.items()
    ]
    sentences = pd.DataFrame(rows, columns=list(SENTENCE_COLUMNS))
    counts = [(corpus, reason, drops[reason]) for reason in DROP_REASONS]
    return sentences, pd.DataFrame(counts, columns=["corpus", "reason", "n"])


def find_drop_reason(
    text: str, limits: SentenceLimits, barred: Collection[str], kept: Collection[str]
) -> str:
    """Say why a normalised text is not taken: one of `DROP_REASONS`, or "" if it is."""
    n_words = count_words(text)
    if n_words < limits.min_words:
        return "too short"
    if n_words > limits.max_words:
        return "too long"
    if text in barred:
        return "in an excluded file"
    return "duplicate" if text in kept else ""


def normalise_text(text: str) -> str:
    """Return a text in Unicode NFC, with single spaces in it and none at its ends."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def count_words(text: str) -> int:
    """Count what stands between spaces and holds a letter, digit or underscore."""
    return sum(1 for part in text.split() if WORD.search(part))


def sentence_id(corpus: str, text: str) -> str:
    """Return `CORPUS:` and 16 hexadecimal digits: the same text has always the same id."""
    return f"{corpus}:{hashlib.sha256(text.encode('utf-8')).hexdigest()[:16]}"


def read_texts(path: Path, source: Source) -> Iterator[str]:
    """Yield the texts of a raw file as they stand there, row by row, column by column.

    A cell may hold a list of texts (the layouts of reranking and of pair classification on the
    hub). A file whose name ends in `.gz` is unpacked first.

    Args:
        path: the raw file.
        source: its row of the catalogue: format and `sentence_columns`.

    Yields:
        Texts, which may be empty or repeated.

    Raises:
        InputError: wrong encoding, a missing column, a value that is neither text nor a list of
            texts, no rows, or a damaged archive; with file, row and column.
    """
    label = f"{path} (from {source.origin})"
    for record in read_records(path, label, source):
        for column in source.sentence_columns:
            value = record.values[column]
            for position, text in enumerate(value if isinstance(value, list) else [value]):
                where = f", entry {position + 1}" if isinstance(value, list) else ""
                check_text(text, f"{place_of(label, record, column)}{where}")
                yield text


def read_records(path: Path, label: str, source: Source) -> list[Record]:
    """Read the sentence columns of a raw file, unpacked if need be; refuse a file without rows."""
    read = READERS[source.format]
    columns = list(source.sentence_columns)
    if path.suffix == ".gz":
        with tempfile.TemporaryDirectory() as folder:
            plain = Path(folder, path.stem)
            try:
                plain.write_bytes(gzip.decompress(path.read_bytes()))
            except (OSError, EOFError, zlib.error) as error:
                raise InputError(
                    f"{label}: not a readable gzip file ({error}); it is truncated or damaged: "
                    "fetch it again"
                ) from None
            records = read(plain, label, columns)
    else:
        records = read(path, label, columns)
    if not records:
        raise InputError(f"{label}: no data rows; at least one is needed: fetch the file again")
    return records


def place_of(label: str, record: Record, column: str) -> str:
    """Return where a value stands, for a message."""
    line = "" if record.line is None else f" (line {record.line})"
    return f"{label}, data row {record.row}{line}, column {column!r}"


def check_text(value: Any, place: str) -> None:
    """Refuse what is no text: other types, null, NUL characters, halves of surrogate pairs."""
    if not isinstance(value, str):
        what = "null" if value is None else f"{type(value).__name__} {value!r:.60}"
        raise InputError(
            f"{place}: {what} is no text; allowed: a text, or a list of texts. Name another "
            "column in sentence_columns of the corpora table, or mend the file."
        )
    if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
        raise InputError(
            f"{place}: {value!r:.60} holds a NUL character or half a surrogate pair; allowed: "
            "Unicode text. Mend the file."
        )
