"""Scored sentence pairs: raw files of any supported format become one checked table.

Texts are kept as released, character by character: models are scored on them. Whatever cannot be
scored is refused by name (`InputError`) and never dropped or mended in silence.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import logging
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from embsyntax.jobs import InputError
from embsyntax.registry import Source

log = logging.getLogger(__name__)

PAIR_COLUMNS = (
    "pair_id",
    "corpus",
    "dimension",
    "anchor_id",
    "row",
    "sentence1",
    "sentence2",
    "score",
)
"""Columns of a table of pairs, in order; `score` is 0-1, or undefined where declared unscored."""

STSBENCHMARK_COLUMNS = ("genre", "file", "year", "id", "score", "sentence1", "sentence2")
"""Names for the fields of the headerless STS benchmark files (Cer et al. 2017, their readme.txt).

Some lines carry two more fields, the sources of the sentences; they are not read.
"""

FIELD_SIZE_LIMIT = 2**31 - 1
"""Longest field of a CSV in characters: the csv module's own limit, 131,072, refuses long texts."""

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)
FOREIGN_BYTE_ORDER_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
SHOWN_CHARACTERS = 60


@dataclass(frozen=True)
class Record:
    """One data row of a raw file: where it stands and what it holds.

    Attributes:
        row: 1-based number of the data row (the header is not counted).
        line: 1-based physical line where the row begins; None for binary formats.
        values: column name to value, for the columns that were asked for.
    """

    row: int
    line: int | None
    values: dict[str, Any]


def build_pairs(files: Iterable[tuple[str | Path, Source]]) -> pd.DataFrame:
    """Read the raw files of a suite into one table of pairs.

    Args:
        files: raw files with their catalogue rows, in the order of the catalogue.

    Returns:
        A frame with `PAIR_COLUMNS`: file by file, dimension by dimension, row by row.

    Raises:
        InputError: a file cannot be scored (see `read_pairs`), or two catalogue rows would give
            the same identifiers to different pairs.
    """
    files = list(files)
    if not files:
        raise InputError(
            "no raw file for this suite; name at least one row of it in the corpora table"
        )
    makers: dict[tuple[str, str], str] = {}
    for _, source in files:
        for pair in source.pairs:
            key = (source.corpus, pair.dimension)
            if key in makers:
                raise InputError(
                    f"corpora table, suite {source.suite}: {makers[key]} and {source.file} both "
                    f"give corpus {source.corpus!r}, dimension {pair.dimension!r}; within a suite "
                    "each corpus and dimension comes from one file: rename one of them"
                )
            makers[key] = source.file
    pairs = pd.concat([read_pairs(path, source) for path, source in files], ignore_index=True)
    check_pairs(pairs)
    return pairs


def read_pairs(path: str | Path, source: Source) -> pd.DataFrame:
    """Read one raw file into a table of pairs.

    A byte order mark is accepted and logged; CRLF, quotes, line breaks in quoted fields and words
    such as `NA`, `None` or `null` are plain text. Scores are divided by `source.score_max`.
    Repeated rows are kept.

    Args:
        path: the raw file.
        source: its catalogue row: format, columns, largest score.

    Returns:
        A frame with `PAIR_COLUMNS`, one row per pair: dimension by dimension, row by row.

    Raises:
        InputError: wrong encoding, NUL bytes, an empty, truncated or ragged file, a missing or
            repeated column, a text that is empty or no text, a score that is no finite number
            between 0 and `score_max`, or scores that are all equal.
    """
    path = Path(path)
    label = f"{path} (from {source.origin})" if source.origin else str(path)
    if source.format not in READERS:
        raise InputError(
            f"{label}: unknown format {source.format!r}; allowed: {', '.join(sorted(READERS))}; "
            "set the column `format` of the corpora table"
        )
    wanted = [source.sentence1_column]
    for pair in source.pairs:
        wanted += [pair.text, pair.score] if is_scored(pair) else [pair.text]
    records = READERS[source.format](path, label, list(dict.fromkeys(wanted)))
    if not records:
        raise InputError(f"{label}: no data rows; at least two scored pairs are needed")
    frames = [_collect_dimension(records, label, source, pair) for pair in source.pairs]
    return pd.concat(frames, ignore_index=True)


def is_scored(pair: Any) -> bool:
    """Say whether a declared pair of columns has a score column (`-` or nothing: it has none)."""
    return bool(pair.score) and pair.score != "-"


def check_pairs(pairs: pd.DataFrame) -> None:
    """Check that a frame is a table of pairs.

    Args:
        pairs: the frame.

    Raises:
        InputError: other columns, repeated identifiers, missing or empty values, or scores that
            are outside 0-1 or undefined in only a part of a corpus and dimension.
    """
    if list(pairs.columns) != list(PAIR_COLUMNS):
        raise InputError(
            f"a table of pairs has the columns {', '.join(PAIR_COLUMNS)}; this one has "
            f"{', '.join(map(str, pairs.columns))}; make it again with the rule build_pairs"
        )
    problems = {}
    if pairs.empty:
        problems["rows"] = "none"
    repeated = pairs.loc[pairs["pair_id"].duplicated(), "pair_id"]
    if len(repeated):
        problems["pair_id"] = f"{repeated.iloc[0]!r} stands there more than once"
    for column in PAIR_COLUMNS[:-1]:
        missing = int(pairs[column].isna().sum())
        if missing:
            problems[column] = f"{missing} missing values"
    for column in ("sentence1", "sentence2"):
        blank = int((pairs[column].str.strip() == "").sum())
        if blank:
            problems[column] = f"{blank} empty texts"
    score = pairs["score"]
    outside = score[(score < 0) | (score > 1)]
    if len(outside):
        problems["score"] = f"{outside.iloc[0]} is outside 0-1"
    for (corpus, dimension), undefined in score.isna().groupby(
        [pairs["corpus"], pairs["dimension"]]
    ):
        if undefined.any() and not undefined.all():
            problems["score"] = f"undefined in a part of corpus {corpus!r}, {dimension!r}"
    if problems:
        found = "; ".join(f"column {column}: {problem}" for column, problem in problems.items())
        raise InputError(f"not a table of pairs: {found}; make it again with the rule build_pairs")


def _collect_dimension(
    records: Sequence[Record], label: str, source: Source, pair: Any
) -> pd.DataFrame:
    """Make the pairs of one dimension out of the records of a file."""
    scored = is_scored(pair)
    limit = float(source.score_max) if scored else math.nan
    rows = []
    for record in records:
        sentence1 = check_text(record, label, source.sentence1_column)
        sentence2 = check_text(record, label, pair.text)
        score = _check_score(record, label, pair.score, limit) / limit if scored else math.nan
        anchor = hashlib.sha256(sentence1.encode("utf-8")).hexdigest()[:16]
        rows.append(
            (
                f"{source.corpus}:{pair.dimension}:{record.row}",
                source.corpus,
                pair.dimension,
                f"{source.corpus}:{anchor}",
                record.row,
                sentence1,
                sentence2,
                score,
            )
        )
    frame = pd.DataFrame(rows, columns=list(PAIR_COLUMNS))
    if scored and len(frame) == 1:
        raise InputError(
            f"{label}: one scored pair of corpus {source.corpus!r}, dimension {pair.dimension!r}; "
            "a correlation needs at least two"
        )
    if scored and frame["score"].nunique() == 1:
        raise InputError(
            f"{label}, column {pair.score!r}: all {len(frame)} scores of corpus "
            f"{source.corpus!r}, dimension {pair.dimension!r} are "
            f"{_show(records[0].values[pair.score])}; a correlation with a constant is undefined: "
            "give at least two different scores, or declare the pairs unscored (`-` in place of "
            "the score column)"
        )
    return frame.astype({"row": "int64", "score": "float64"})


def _show(value: Any) -> str:
    """Return a value as one short line, whatever it holds."""
    shown = repr(value)
    return shown if len(shown) <= SHOWN_CHARACTERS else f"{shown[:SHOWN_CHARACTERS]}..."


def place_of(label: str, record: Record, column: str) -> str:
    """Return where a value stands, for a message.

    Args:
        label: names the file.
        record: the row.
        column: the column.

    Returns:
        File, data row, line and column in words.
    """
    line = "" if record.line is None else f" (line {record.line})"
    return f"{label}, data row {record.row}{line}, column {column!r}"


def check_text(record: Record, label: str, column: str) -> str:
    """Return the text of a record, or refuse it.

    Args:
        record: the row.
        label: names the file.
        column: the column of the text.

    Returns:
        The text as it stands in the file.

    Raises:
        InputError: it is missing, no text, without a visible character, or not valid Unicode.
    """
    value = record.values[column]
    place = place_of(label, record, column)
    if value is None:
        raise InputError(f"{place}: missing text (null); give a text or remove the row")
    if not isinstance(value, str):
        raise InputError(
            f"{place}: {_show(value)} is not text; only text is allowed: store the column as "
            "strings"
        )
    if not any(character.isprintable() and not character.isspace() for character in value):
        raise InputError(
            f"{place}: empty text {_show(value)}; at least one visible character is needed: give "
            "a text or remove the row"
        )
    if "\0" in value:
        raise InputError(f"{place}: NUL character in {_show(value)}; remove it")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"{place}: half a surrogate pair, {_show(value[error.start])}, at character "
            f"{error.start + 1}; only valid Unicode is allowed: mend the text"
        ) from None
    return value


def _check_score(record: Record, label: str, column: str, limit: float) -> float:
    """Return the score of a record as it stands in the file, or refuse it."""
    value = record.values[column]
    place = place_of(label, record, column)
    allowed = f"allowed: a number from 0 to {limit:g}"
    if value is None or (isinstance(value, str) and not value.strip()):
        raise InputError(f"{place}: missing score; {allowed}: give one or remove the row")
    if isinstance(value, str):
        text = value.strip()
        if NOT_FINITE.fullmatch(text):
            raise InputError(f"{place}: score {_show(value)} is not finite; {allowed}")
        if not NUMBER.fullmatch(text):
            hint = ", with a decimal point" if "," in text else ""
            raise InputError(f"{place}: score {_show(value)} is not a number; {allowed}{hint}")
        score = float(text)
    elif isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        try:
            score = float(value)
        except OverflowError:
            score = math.inf
    else:
        raise InputError(f"{place}: score {_show(value)} is not a number; {allowed}")
    if not math.isfinite(score):
        raise InputError(f"{place}: score {_show(value)} is not finite; {allowed}")
    if not 0 <= score <= limit:
        raise InputError(
            f"{place}: score {_show(value)} is out of range; {allowed} (the limit is `score_max` "
            "of the corpora table or of the entry in own_pairs)"
        )
    return score


def _check_columns(present: Sequence[str], wanted: Sequence[str], place: str) -> None:
    """Refuse repeated and missing columns."""
    repeated = sorted({name for name in present if list(present).count(name) > 1})
    if repeated:
        raise InputError(
            f"{place}: repeated column names {', '.join(map(_show, repeated))}; each name may "
            "stand there once: rename them"
        )
    missing = [name for name in wanted if name not in present]
    if missing:
        raise InputError(
            f"{place}: missing column {', '.join(map(_show, missing))}; those that are there: "
            f"{', '.join(map(_show, present)) or 'none'}; name the right columns in the corpora "
            "table or the config, or check format and separator"
        )


def _read_text(path: Path, label: str) -> str:
    """Return the decoded text of a file without its byte order mark, line ends untouched."""
    data = path.read_bytes()
    for mark, encoding in FOREIGN_BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            raise InputError(
                f"{label}, byte offset 0: the file is {encoding}; only UTF-8 is allowed: convert "
                f"it, for example with `iconv -f {encoding} -t UTF-8`"
            )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{label}, byte offset {error.start} (line {line}): byte 0x{data[error.start]:02x} is "
            "not UTF-8; only UTF-8 text is allowed, not packed: find out the encoding and convert "
            "the file (`iconv -f ENCODING -t UTF-8`), or unpack it"
        ) from None
    if "\0" in text:
        offset = data.index(b"\0")
        line = data.count(b"\n", 0, offset) + 1
        raise InputError(
            f"{label}, byte offset {offset} (line {line}): NUL byte; text has none: the file is "
            "damaged or UTF-16, restore it or convert it to UTF-8"
        )
    if text.startswith("\ufeff"):
        log.info("%s: byte order mark accepted and left out", label)
        text = text[1:]
    if not text.strip():
        raise InputError(f"{label}: the file is empty; a header and at least two rows are needed")
    return text


def _split_lines(text: str) -> list[str]:
    """Split at line feeds, leave out CR line ends and blank lines at the end.

    Only these: `str.splitlines` would also split at separators that may stand inside a text.
    """
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def _split_delimited(text: str, label: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the first physical line and the fields of each row of a quoted table."""
    previous_limit = csv.field_size_limit(FIELD_SIZE_LIMIT)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for fields in reader:
            yield line, fields
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{label}, in the row that begins at line {line}: broken quoting ({error}); a field "
            "that begins with a double quote must end with one and have those inside doubled: "
            "mend the row"
        ) from None
    finally:
        csv.field_size_limit(previous_limit)


def _gather(
    rows: Iterable[tuple[int, list[str]]], label: str, wanted: Sequence[str], row_format: str
) -> list[Record]:
    """Make records of split rows, the first of which is the header; refuse ragged rows."""
    rows = iter(rows)
    _, header = next(rows)
    _check_columns(header, wanted, f"{label}, header")
    positions = {name: header.index(name) for name in wanted}
    records: list[Record] = []
    blank_line = None
    for number, (line, fields) in enumerate(rows, start=1):
        if len(fields) <= 1 and not "".join(fields).strip():
            blank_line = blank_line or line
            continue
        if blank_line:
            raise InputError(
                f"{label}, data row {len(records) + 1} (line {blank_line}): blank line between "
                "the rows; remove it"
            )
        if len(fields) != len(header):
            raise InputError(
                f"{label}, data row {number} (line {line}): {len(fields)} fields where the header "
                f"has {len(header)}; {row_format}"
            )
        values = {name: fields[position] for name, position in positions.items()}
        records.append(Record(number, line, values))
    return records


def _read_delimited(path: Path, label: str, wanted: Sequence[str], delimiter: str) -> list[Record]:
    """Read a quoted table (RFC 4180) with a header."""
    text = _read_text(path, label)
    separator = {",": "comma", "\t": "tab"}[delimiter]
    advice = f"quote a text that holds a {separator}, a double quote or a line break"
    return _gather(_split_delimited(text, label, delimiter), label, wanted, advice)


def _read_csv(path: Path, label: str, wanted: Sequence[str]) -> list[Record]:
    """Read a comma-separated table."""
    return _read_delimited(path, label, wanted, ",")


def _read_tsv(path: Path, label: str, wanted: Sequence[str]) -> list[Record]:
    """Read a tab-separated table with quoting."""
    return _read_delimited(path, label, wanted, "\t")


def _read_sick(path: Path, label: str, wanted: Sequence[str]) -> list[Record]:
    """Read a SICK file (Marelli et al. 2014): tabs, a header, no quoting."""
    lines = _split_lines(_read_text(path, label))
    rows = ((line, text.split("\t")) for line, text in enumerate(lines, start=1))
    return _gather(rows, label, wanted, "this format has no quoting: a text may hold no tab")


def _read_stsbenchmark(path: Path, label: str, wanted: Sequence[str]) -> list[Record]:
    """Read an STS benchmark file (Cer et al. 2017): tabs, no header, no quoting."""
    _check_columns(STSBENCHMARK_COLUMNS, wanted, f"{label}, columns of this headerless format")
    records = []
    for number, text in enumerate(_split_lines(_read_text(path, label)), start=1):
        fields = text.split("\t")
        if len(fields) < len(STSBENCHMARK_COLUMNS):
            raise InputError(
                f"{label}, data row {number} (line {number}): {len(fields)} fields where this "
                f"format has at least {len(STSBENCHMARK_COLUMNS)} "
                f"({', '.join(STSBENCHMARK_COLUMNS)}); separate them by tabs"
            )
        values = dict(zip(STSBENCHMARK_COLUMNS, fields, strict=False))
        records.append(Record(number, number, {name: values[name] for name in wanted}))
    return records


def _read_jsonl(path: Path, label: str, wanted: Sequence[str]) -> list[Record]:
    """Read a file with one JSON object per line."""
    records = []
    for number, text in enumerate(_split_lines(_read_text(path, label)), start=1):
        place = f"{label}, data row {number} (line {number})"
        try:
            members = json.loads(text, object_pairs_hook=_Members)
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"{place}: invalid JSON ({error}) in {_show(text)}; each line is one object, such "
                'as {"sentence1": "...", "sentence2": "...", "score": 4}'
            ) from None
        if not isinstance(members, _Members):
            raise InputError(f"{place}: {_show(text)} is not a JSON object; each line must be one")
        _check_columns([name for name, _ in members], wanted, place)
        values = dict(members)
        records.append(Record(number, number, {name: values[name] for name in wanted}))
    return records


class _Members(list):
    """The members of a JSON object in order, repeated names included."""


def _read_parquet(path: Path, label: str, wanted: Sequence[str]) -> list[Record]:
    """Read the wanted columns of a Parquet file."""
    if not path.stat().st_size:
        raise InputError(f"{label}: the file is empty; a Parquet file with rows is needed")
    try:
        with pq.ParquetFile(path) as file:
            _check_columns(file.schema_arrow.names, wanted, f"{label}, schema")
            table = file.read(columns=list(wanted))
        columns = {name: table.column(name).to_pylist() for name in wanted}
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(
            f"{label}: not a readable Parquet file ({reason}); it is truncated, damaged or of "
            "another format: make or fetch it again"
        ) from None
    return [
        Record(number, None, dict(zip(columns, values, strict=True)))
        for number, values in enumerate(zip(*columns.values(), strict=True), start=1)
    ]


READERS = {
    "csv": _read_csv,
    "tsv": _read_tsv,
    "parquet": _read_parquet,
    "jsonl": _read_jsonl,
    "stsbenchmark": _read_stsbenchmark,
    "sick": _read_sick,
}
