"""Draws by hash: seeded, in order, and stable when a table grows."""

from __future__ import annotations

import pandas as pd

from embsyntax.sampling import draw_rows

TABLE = pd.DataFrame({"text": [f"text {number}" for number in range(200)]})


def test_a_draw_is_seeded_and_keeps_the_order():
    drawn = draw_rows(TABLE, "text", 20, 1)
    assert len(drawn) == 20
    assert drawn.index.is_monotonic_increasing
    assert drawn.equals(draw_rows(TABLE, "text", 20, 1))
    assert not drawn.equals(draw_rows(TABLE, "text", 20, 2))


def test_a_draw_depends_on_the_texts_not_on_their_order():
    other = draw_rows(TABLE[::-1].reset_index(drop=True), "text", 20, 1)
    assert set(other["text"]) == set(draw_rows(TABLE, "text", 20, 1)["text"])


def test_a_longer_table_changes_few_rows():
    before = set(draw_rows(TABLE[:190], "text", 20, 1)["text"])
    assert len(before & set(draw_rows(TABLE, "text", 20, 1)["text"])) >= 16


def test_all_rows_are_given_where_there_are_no_more():
    assert draw_rows(TABLE, "text", None, 1) is TABLE
    assert draw_rows(TABLE, "text", 200, 1) is TABLE
