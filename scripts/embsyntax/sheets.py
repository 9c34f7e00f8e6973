"""Sheets that people fill: safe to open in a spreadsheet, and read back as it leaves one."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from embsyntax.jobs import InputError

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""First characters that make a spreadsheet take a cell for a formula (OWASP, CSV injection)."""

SEPARATORS = (",", ";", "\t")


def guard_formula(cell: str) -> str:
    """Put an apostrophe before a cell that a spreadsheet would calculate."""
    return f"'{cell}" if cell.lstrip("'").startswith(FORMULA_STARTS) else cell


def unguard_formula(cell: str) -> str:
    """Take the apostrophe of `guard_formula` off again."""
    is_guarded = cell.startswith("'") and cell.lstrip("'").startswith(FORMULA_STARTS)
    return cell[1:] if is_guarded else cell


def write_sheet(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a sheet as CSV text with a byte order mark, CRLF line ends, and guarded cells.

    Args:
        columns: the header.
        rows: cells, as many as the header has.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([guard_formula(str(cell)) for cell in row])
    return "\ufeff" + buffer.getvalue()


def read_sheet(
    path: str | Path, label: str, columns: Sequence[str]
) -> list[tuple[str, dict[str, str]]]:
    """Read a filled sheet as it comes out of a spreadsheet.

    Args:
        path: the file; separators, column order, line ends and byte order mark may differ.
        label: name of the file for messages.
        columns: that the sheet must have.

    Returns:
        For each row that is not empty its place, for messages, and its cells by column.

    Raises:
        InputError: the file cannot be read, or a column or a cell is missing.
    """
    content = Path(path).read_bytes()
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError(
            f"{label}, line {line}: byte {content[error.start]:#04x} is not UTF-8; save the sheet "
            "as 'CSV UTF-8'"
        ) from None
    if "\x00" in text:
        raise InputError(f"{label}: the file holds NUL characters; save the sheet as 'CSV UTF-8'")
    first = text.lstrip("\r\n").partition("\n")[0]
    if first.lower().startswith("sep="):
        text = text.lstrip("\r\n").partition("\n")[2]
        first = text.partition("\n")[0]
    separator = max(SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        header = [name.strip().lower() for name in next(reader, [])]
        lacking = [name for name in columns if name not in header]
        if lacking:
            raise InputError(
                f"{label}, line 1: no column {', '.join(lacking)}; a sheet has the columns "
                f"{', '.join(columns)}, separated by commas, semicolons or tabs"
            )
        repeated = sorted({name for name in header if name and header.count(name) > 1})
        if repeated:
            raise InputError(f"{label}, line 1: column {repeated[0]} stands there twice")
        rows = []
        for number, cells in enumerate(reader, start=2):
            if not any(cell.strip() for cell in cells):
                continue
            place = f"{label}, row {number}"
            if len(cells) < len(header) or any(cell.strip() for cell in cells[len(header) :]):
                raise InputError(
                    f"{place}: {len(cells)} cells where the header has {len(header)}; a separator "
                    "or a quotation mark was lost: save the sheet again from the original"
                )
            rows.append((place, dict(zip(header, cells, strict=False))))
    except csv.Error as error:
        place = f"{label}, line {reader.line_num}"
        raise InputError(f"{place}: {error}; save the sheet again") from None
    return rows
