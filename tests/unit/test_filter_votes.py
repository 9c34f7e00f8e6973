"""False accepts and false rejects of the filter by votes, counted by hand."""

from __future__ import annotations

import pandas as pd
import pytest
from statsmodels.stats.proportion import proportion_confint

from embsyntax.filter_votes import (
    AGREEMENT,
    BY_PEOPLE,
    COLUMNS,
    FALSE_ACCEPT,
    FALSE_REJECT,
    NOT_VOTED,
    filter_votes_markdown,
    tabulate_filter_votes,
)
from embsyntax.jobs import InputError
from embsyntax.validation import EXAMPLE

KEY = pd.DataFrame(
    {
        "item_id": ["k1", "k2", "k3", "r1", "r2", "w1", "k4"],
        "origin": ["kept", "kept", "kept", "rejected", "rejected", "written", "kept"],
        "type": ["negation"] * 6 + ["scope"],
    }
)
"""k: kept, r: rejected, w: by people."""


def tabulate(votes: dict[str, str], is_example: bool = False) -> pd.DataFrame:
    """Tabulate votes given as item -> `yyn`, one letter per voter, `.` for none."""
    rows = [
        (item, f"v{place}", letter == "y")
        for item, letters in votes.items()
        for place, letter in enumerate(letters)
        if letter != "."
    ]
    frame = pd.DataFrame(rows, columns=["item_id", "voter", "is_yes"]).astype({"is_yes": bool})
    table = tabulate_filter_votes(KEY, frame, "rules", "declared", 0.95, 50, 1, is_example)
    assert tuple(table.columns) == COLUMNS
    return table.set_index(["trap_type", "measure"])


def test_rates_count_the_majority_of_each_item():
    table = tabulate({"k1": "yyn", "k2": "nny", "k3": "yn.", "r1": "yyy", "r2": "n..", "w1": "nnn"})
    accept = table.loc["negation", FALSE_ACCEPT]
    assert (accept["value"], accept["n"], accept["n_tied"]) == (0.5, 2, 1)
    low, high = proportion_confint(1, 2, alpha=0.05, method="wilson")
    assert accept["ci_low"] == pytest.approx(low)
    assert accept["ci_high"] == pytest.approx(high)
    reject = table.loc["negation", FALSE_REJECT]
    assert (reject["value"], reject["n"], reject["n_voters"]) == (0.5, 2, 3)
    assert table.loc[("all", FALSE_ACCEPT), "value"] == 0.5
    assert set(table["status"]) == {BY_PEOPLE}


def test_the_triples_of_people_do_not_count():
    with_written = tabulate({"k1": "y", "w1": "n"})
    without = tabulate({"k1": "y"})
    pd.testing.assert_frame_equal(with_written, without)


def test_agreement_is_one_where_voters_agree_and_less_where_they_do_not():
    same = tabulate({"k1": "yy", "k2": "nn", "r1": "yy"})
    assert same.loc[("negation", AGREEMENT), "value"] == 1
    mixed = tabulate({"k1": "yn", "k2": "nn", "r1": "yy"}).loc["negation", AGREEMENT]
    assert mixed["value"] < 0.7
    assert mixed["n"] == 3


def test_undefined_numbers_say_why():
    table = tabulate({"k1": "yn", "r1": "y"})
    for place, reason in (
        (("negation", FALSE_ACCEPT), "every voted candidate is tied"),
        (("scope", FALSE_ACCEPT), NOT_VOTED),
        (("scope", FALSE_REJECT), "no such candidate"),
        (("hedge", FALSE_ACCEPT), "no such candidate"),
        (("scope", AGREEMENT), NOT_VOTED),
    ):
        assert table.loc[place, "reason"] == reason, place
        assert pd.isna(table.loc[place, "value"])
    defined = table[table["reason"] == ""]
    assert defined["value"].notna().all()


def test_without_votes_every_row_says_so():
    table = tabulate({})
    assert len(table) == 27
    assert table["value"].isna().all()
    assert set(table["status"]) == {NOT_VOTED}
    assert (table["reason"] != "").all()


def test_example_sheets_are_named_in_every_row():
    table = tabulate({"k1": "y"}, is_example=True)
    assert set(table["status"]) == {EXAMPLE}
    assert EXAMPLE in filter_votes_markdown(table.reset_index(), {}, 0.95, "")


def test_the_table_for_readers_has_a_row_per_type():
    table = tabulate({"k1": "yy", "k2": "nn", "r1": "yy"}).reset_index()
    text = filter_votes_markdown(table, {"negation": "not|so"}, 0.95, "made up")
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(lines) == 11
    assert (
        "| not\\|so | 2 | 50.0 % (9.5 to 90.5) | 1 | 100.0 % (20.7 to 100.0) | 1.00 | 2 |" in text
    )
    assert "**Data: made up.**" in text


def test_a_vote_on_no_item_is_refused():
    votes = pd.DataFrame({"item_id": ["x"], "voter": ["v"], "is_yes": [True]})
    with pytest.raises(InputError, match="no item 'x' in the key"):
        tabulate_filter_votes(KEY, votes, "rules", "declared", 0.95, 50, 1, False)
