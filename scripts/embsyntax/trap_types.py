"""The trap types of the triples: what each changes, its worked example, its limits.

Standard library only, so that the Snakefile and every script can import it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from embsyntax.jobs import InputError
from embsyntax.registry import EMPTY, read_table

TRAP_TYPES = (
    "negation",
    "numbers",
    "role_swap",
    "time_order",
    "quantifier",
    "hedge",
    "entity_swap",
    "scope",
)
"""The eight types of the dataset card, each with a symbolic check of its own in `edit_check`."""

COLUMNS = (
    "trap_type",
    "label",
    "definition",
    "example_anchor",
    "example_paraphrase",
    "example_trap",
    "needs_number",
    "min_changed_words",
    "max_changed_words",
    "keeps_words",
)
TEXT_COLUMNS = COLUMNS[1:6]
YES_OR_NO = {"yes": True, "no": False}


@dataclass(frozen=True)
class EditLimits:
    """How much of the anchor a trap may change.

    Attributes:
        min_changed_words: fewest words that change or move, 1 or more.
        max_changed_words: most words that change or move; an expression (`a lot of`) is one word.
        keeps_words: True if all content words stay and only their places change.
    """

    min_changed_words: int
    max_changed_words: int
    keeps_words: bool


@dataclass(frozen=True)
class TrapType:
    """One row of ``config/trap_types.tsv``.

    Attributes:
        trap_type: one of `TRAP_TYPES`; part of file names and ids.
        label: name in the published tables and in the prompt, e.g. `role swap`.
        definition: what to do, as it stands in the prompt.
        example_anchor: source of the worked example of the prompt.
        example_paraphrase: its paraphrase.
        example_trap: its trap.
        needs_number: True if only sentences with a number are asked for.
        limits: how much a trap may change.
    """

    trap_type: str
    label: str
    definition: str
    example_anchor: str
    example_paraphrase: str
    example_trap: str
    needs_number: bool
    limits: EditLimits


def read_trap_types(path: str | Path) -> dict[str, TrapType]:
    """Read ``config/trap_types.tsv``.

    Args:
        path: tab-separated file with `COLUMNS`.

    Returns:
        The trap types by id, in file order.

    Raises:
        InputError: a column is missing or unknown, a cell is not allowed, a type stands twice, or
            there is none.
    """
    found: dict[str, TrapType] = {}
    rows = read_table(path)
    for number, row in enumerate(rows, start=1):
        if set(row) != set(COLUMNS):
            wrong = ", ".join(sorted(set(row) ^ set(COLUMNS)))
            raise InputError(
                f"{path}: missing or unknown columns: {wrong}; allowed: {', '.join(COLUMNS)}. "
                "Correct the header."
            )
        trap_type = _parse(row, f"{path}, row {number}")
        if trap_type.trap_type in found:
            raise _refusal(f"{path}, row {number}", row, "trap_type", "each type once")
        found[trap_type.trap_type] = trap_type
    if not found:
        raise InputError(f"{path}: no trap type; it needs a row per type. Restore the file.")
    return found


def _parse(row: dict[str, str], where: str) -> TrapType:
    if row["trap_type"] not in TRAP_TYPES:
        raise _refusal(where, row, "trap_type", ", ".join(TRAP_TYPES))
    for column in TEXT_COLUMNS:
        if not row[column]:
            raise _refusal(where, row, column, "a text")
    for column in ("needs_number", "keeps_words"):
        if row[column] not in YES_OR_NO:
            raise _refusal(where, row, column, "yes, no")
    least, most = (_number(row, where, f"{side}_changed_words") for side in ("min", "max"))
    if most < least:
        raise _refusal(where, row, "max_changed_words", f"{least} (the least) or more")
    return TrapType(
        trap_type=row["trap_type"],
        needs_number=YES_OR_NO[row["needs_number"]],
        limits=EditLimits(least, most, YES_OR_NO[row["keeps_words"]]),
        **{column: row[column] for column in TEXT_COLUMNS},
    )


def _number(row: dict[str, str], where: str, column: str) -> int:
    text = row[column]
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise _refusal(where, row, column, "a whole number above 0")
    return int(text)


def _refusal(where: str, row: dict[str, str], column: str, allowed: str) -> InputError:
    return InputError(
        f"{where}, column {column!r}: the value is {row[column] or EMPTY!r}; allowed: {allowed}. "
        "Correct the cell."
    )
