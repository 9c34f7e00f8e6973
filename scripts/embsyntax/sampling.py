"""Draws that depend on a seed and on identifiers, not on the order of a table."""

from __future__ import annotations

import hashlib

import pandas as pd


def draw_rows(table: pd.DataFrame, column: str, n: int | None, seed: int) -> pd.DataFrame:
    """Draw rows by the hash of a cell, so that a longer table changes few of them.

    Args:
        table: with an index without repetition.
        column: of the cells, unique texts.
        n: how many; None for all.
        seed: of the draw.

    Returns:
        The drawn rows in their order; all of them if there are no more than `n`.
    """
    if n is None or len(table) <= n:
        return table
    places = [hashlib.sha256(f"{seed} {cell}".encode()).hexdigest() for cell in table[column]]
    drawn = pd.Series(places, index=table.index).sort_values().index[:n]
    return table.loc[table.index.isin(drawn)]
