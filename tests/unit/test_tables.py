"""The board and table 4: order, columns, formats, notes."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

from embsyntax import scores, tables
from embsyntax.registry import read_models

SETTINGS = scores.ScoreSettings(resamples=2000, confidence=0.95, seed=1, cosine_decimals=6)

NOTE = "bundled sentences"


@pytest.fixture(scope="module")
def models(repository):
    return read_models(repository / "config/models.tsv")


def make_row(corpus, dimension, model, value, reason=""):
    row = dict.fromkeys(scores.SCORE_COLUMNS, "")
    row |= {"corpus": corpus, "dimension": dimension, "model": model, "metric": "spearman"}
    low, high = (value - 0.05, value + 0.05) if not reason else (np.nan, np.nan)
    row |= {"value": value, "ci_low": low, "ci_high": high, "n": 1152, "n_anchors": 1000}
    return row | {"resamples": 2000, "reason": reason}


def make_scores(values, corpora=("sickr", "stsb", "average")):
    """Score rows of models on two dimensions; a value of None is undefined."""
    rows = []
    for model, value in values.items():
        for dimension in ("structure", "relation"):
            for corpus in corpora:
                reason = "all similarities are equal" if value is None else ""
                row = make_row(corpus, dimension, model, np.nan if reason else value, reason)
                ceiling = row | {"metric": "tie_ceiling", "value": 0.9, "ci_low": np.nan}
                rows += [row, ceiling]
    return pd.DataFrame(rows)


def make_comparisons(better, worse):
    rows = [
        {
            **dict.fromkeys(scores.COMPARISON_COLUMNS, 0),
            "corpus": corpus,
            "dimension": dimension,
            "model": better,
            "other_model": worse,
            "is_significant": True,
        }
        for corpus in ("stsb", "sickr", "average")
        for dimension in ("structure", "relation")
    ]
    return pd.DataFrame(rows, columns=scores.COMPARISON_COLUMNS)


def make_published(value="17.84"):
    """Rows of the table of published numbers, in another order than the models of the tests."""
    return [
        {"item": item, "model": model, "dimension": "structure", "corpus": "stsb", "value": value}
        for item in ("table6", "table4")
        for model in ("all-MiniLM-L6-v2", "all-mpnet-base-v2")
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.1784, "17.84"), (-0.00001, "0.00"), (-0.0085, "-0.85"), (1.0, "100.00"), (np.nan, "")],
)
def test_points(value, text):
    assert tables.format_points(value) == text


def test_estimates():
    assert tables.format_estimate(0.1, 0.05, 0.15) == "10.00 [5.00, 15.00]"
    assert tables.format_estimate(0.1, np.nan, np.nan) == "10.00"
    assert tables.format_estimate(np.nan, np.nan, np.nan) == "undefined"


def test_cells_are_escaped():
    text = tables.markdown_table(["a", "b"], [["x|y", "two\nlines"]], right=["b"])
    assert text == "| a | b |\n| --- | ---: |\n| x\\|y | two lines |\n"
    assert tables.escape_latex("a_b & 5%") == r"a\_b \& 5\%"


def test_corpora_stand_in_the_order_of_the_paper():
    names = ["mine", "average", "biosses", "stsb"]
    assert tables.order_corpora(names) == ["stsb", "biosses", "mine", "average"]


def test_board_is_tidy_and_sorted(models):
    values = {"length_difference": 0.1, "all-MiniLM-L6-v2": 0.2, "unheard-of": 0.3, "flat": None}
    comparisons = make_comparisons("all-MiniLM-L6-v2", "length_difference")
    board = tables.build_board(make_scores(values), comparisons, models, "sr_released")
    assert list(board.columns) == tables.BOARD_COLUMNS
    first = board.iloc[:4]
    assert list(first["model"]) == ["unheard-of", "all-MiniLM-L6-v2", "length_difference", "flat"]
    assert set(first["corpus"]) == {"stsb"}
    assert set(first["dimension"]) == {"structure"}
    assert list(first["kind"]) == ["model", "model", "baseline", "model"]
    assert list(first["rank_group"][:3]) == [1, 1, 2]
    assert first["rank_group"].isna().tolist() == [False, False, False, True]
    assert (board["tie_ceiling"] == 0.9).all()
    known = first.set_index("model").loc["all-MiniLM-L6-v2"]
    assert known["n_parameters"] == models["all-MiniLM-L6-v2"].n_parameters
    assert known["licence"] == models["all-MiniLM-L6-v2"].licence
    assert first.set_index("model").loc["unheard-of", "licence"] == ""


def test_board_as_markdown(models):
    values = {"length_difference": 0.1, "all-MiniLM-L6-v2": 0.2, "flat": None}
    comparisons = make_comparisons("all-MiniLM-L6-v2", "length_difference")
    board = tables.build_board(make_scores(values), comparisons, models, "sr_released")
    definitions = {"length_difference": "Difference of lengths."}
    text = tables.board_markdown(board, SETTINGS, 0.05, definitions, models, NOTE)
    assert "**Data: bundled sentences.**" in text
    assert "| # | model | STS-B | SICK-R | Avg. |" in text
    assert "| 2 | Length difference | 10.00 [5.00, 15.00] #2 |" in text
    assert "|  | flat | undefined (1) |" in text
    assert "\n(1) all similarities are equal.\n" in text
    assert "|  | tie ceiling | 90.00 | 90.00 | 90.00 |" in text
    assert "- `length_difference`: Difference of lengths." in text
    assert models["all-MiniLM-L6-v2"].training_sets in text
    assert "2,000 bootstrap resamples" in text
    assert "Data:" not in tables.board_markdown(board, SETTINGS, 0.05, {}, models, "")


def test_table4_has_the_layout_of_the_paper(models):
    values = {
        "length_difference": 0.1,
        "bge-base-en-v1.5": 0.4,
        "all-mpnet-base-v2": 0.3,
        "all-MiniLM-L6-v2": 0.178405,
    }
    published = tables.index_published(make_published(), list(values), models, tables.TABLE_4)
    table = tables.build_table4(make_scores(values), models, published, True)
    assert list(table["dimension"]) == ["structure"] * 4 + ["relation"] * 4
    order = ["all-MiniLM-L6-v2", "all-mpnet-base-v2", "bge-base-en-v1.5", "length_difference"]
    assert list(table["model"]) == order * 2
    names = [name for name in table.columns if name in tables.CORPUS_LABELS]
    assert names == ["stsb", "sickr", "average"]
    first = table.iloc[0]
    assert list(first[["stsb", "stsb_ci_low", "stsb_ci_high"]]) == ["17.84", "12.84", "22.84"]
    assert first["stsb_published"] == "17.84"
    assert first["sickr_published"] == ""
    assert table["stsb_published"].tolist()[2:] == [""] * 6


def test_table4_of_other_data_shows_no_published_numbers(models):
    published = tables.index_published(
        make_published(), ["all-MiniLM-L6-v2"], models, tables.TABLE_4
    )
    table = tables.build_table4(make_scores({"all-MiniLM-L6-v2": 0.2}), models, published, False)
    assert set(table["stsb_published"]) == {""}


def test_a_row_of_ones_own_stands_for_the_models_row_in_the_paper(models):
    own = dataclasses.replace(models["all-mpnet-base-v2"], model="my-copy")
    known = models | {"my-copy": own}
    published = tables.index_published(make_published(), ["my-copy"], known, tables.TABLE_4)
    assert published == {("my-copy", "structure", "stsb"): 17.84}
    assert not tables.is_published_model("all-MiniLM-L6-v2", "my-copy", known)
    assert not tables.is_published_model("bge-base-en-v1.5", "e5-base-v2", known)


def test_table4_as_markdown_and_latex(models):
    values = {"all-MiniLM-L6-v2": -0.178405, "word_overlap": 0.1, "flat": None}
    published = tables.index_published(
        make_published("-17.80"), list(values), models, tables.TABLE_4
    )
    table = tables.build_table4(make_scores(values), models, published, True)
    text = tables.table4_markdown(table, SETTINGS, NOTE)
    assert "**Data: bundled sentences.**" in text
    assert "| all-MiniLM-L6-v2 | -17.84 [-22.84, -12.84]<br>*-17.80* |" in text
    assert "| Word overlap (baseline) | 10.00 [5.00, 15.00] |" in text
    assert "| flat | undefined | undefined | undefined |" in text
    latex = tables.table4_latex(table, SETTINGS, "50% & more")
    assert latex.count(r"\toprule") == latex.count(r"\bottomrule") == 1
    assert r"Data: 50\% \& more" in latex
    assert r"$-$17.84 {\scriptsize [$-$22.84, $-$12.84]}" in latex
    assert "flat & -- & -- & --" in latex
    rows = [line for line in latex.splitlines() if " & " in line and "multicolumn" not in line]
    assert {line.count(" & ") for line in rows} == {3}
    assert "Data:" not in tables.table4_latex(table, SETTINGS, "")
