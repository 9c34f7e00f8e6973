"""The probes of entailment judges: pairs of which people know whether they mean the same thing."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pandas as pd

from embsyntax.jobs import InputError
from embsyntax.registry import EMPTY, read_table

PARAPHRASE = "paraphrase"
"""Kind of the pairs that mean the same thing; every other kind is a trap type."""

COLUMNS = ("probe_id", "kind", "sentence1", "sentence2", "is_same_meaning")

YES_OR_NO = {"yes": True, "no": False}


def read_probes(path: str | Path, trap_types: Collection[str]) -> pd.DataFrame:
    """Read the probes.

    Args:
        path: tab-separated file with `COLUMNS`.
        trap_types: the kinds that are allowed beside `PARAPHRASE`.

    Returns:
        The probes in file order; `is_same_meaning` is bool.

    Raises:
        InputError: columns differ, an id stands twice, a cell is not allowed, or a kind and its
            meaning do not go together.
    """
    rows = read_table(path)
    if not rows or set(rows[0]) != set(COLUMNS):
        found = ", ".join(rows[0]) if rows else "no rows"
        raise InputError(
            f"{path}: {found}; needed: rows with the columns {', '.join(COLUMNS)}. Restore it."
        )
    kinds = (PARAPHRASE, *trap_types)
    seen: set[str] = set()
    for number, row in enumerate(rows, start=1):
        where = f"{path}, row {number}"
        if not row["probe_id"] or row["probe_id"] in seen:
            raise _refusal(where, row, "probe_id", "an id of its own")
        seen.add(row["probe_id"])
        if row["kind"] not in kinds:
            raise _refusal(where, row, "kind", ", ".join(kinds))
        for column in ("sentence1", "sentence2"):
            if not row[column].strip():
                raise _refusal(where, row, column, "a text")
        if row["sentence1"] == row["sentence2"]:
            raise _refusal(where, row, "sentence2", "another text than sentence1")
        if row["is_same_meaning"] not in YES_OR_NO:
            raise _refusal(where, row, "is_same_meaning", ", ".join(YES_OR_NO))
        if YES_OR_NO[row["is_same_meaning"]] != (row["kind"] == PARAPHRASE):
            raise _refusal(where, row, "is_same_meaning", "yes for a paraphrase, no for a trap")
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    return frame.assign(is_same_meaning=frame["is_same_meaning"].map(YES_OR_NO).astype(bool))


def _refusal(where: str, row: dict[str, str], column: str, allowed: str) -> InputError:
    return InputError(
        f"{where}, column {column!r}: the value is {row[column] or EMPTY!r}; allowed: {allowed}. "
        "Correct the cell."
    )
