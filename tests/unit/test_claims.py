"""Verdicts on published numbers."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pandas as pd
import pytest

from embsyntax import claims, scores
from embsyntax.jobs import InputError
from embsyntax.registry import read_models, read_table
from embsyntax.tables import PAPER_CORPORA

MINILM = "all-MiniLM-L6-v2"


@pytest.fixture(scope="module")
def models(repository):
    return read_models(repository / "config/models.tsv")


@pytest.fixture(scope="module")
def published(repository):
    path = repository / "config/published.tsv"
    return claims.read_published(read_table(path), str(path))


def make_claim(**changes):
    row = {
        "claim": "table4-1",
        "item": "table4",
        "track": "released",
        "model": MINILM,
        "condition": "",
        "corpus": "stsb",
        "dimension": "structure",
        "metric": "spearman",
        "value": "17.84",
        "source_note": "table 4",
    }
    return row | changes


def make_results(models, value=0.1784, board_models=(MINILM,), probing=None, reason=""):
    rows = [
        {
            **dict.fromkeys(scores.SCORE_COLUMNS, ""),
            "corpus": corpus,
            "dimension": "structure",
            "model": model,
            "metric": "spearman",
            "value": value,
            "ci_low": value - 0.01,
            "ci_high": value + 0.01,
            "reason": reason,
        }
        for model in board_models
        for corpus in ("stsb", "average")
    ]
    return claims.RunResults(
        pd.DataFrame(rows, columns=scores.SCORE_COLUMNS), probing or {}, board_models, models
    )


def judge(row, results, **changes):
    settings = {"tolerance": 0.05, "is_released_data": True} | changes
    table = claims.judge_claims([row], results, **settings)
    assert list(table.columns) == claims.CLAIM_COLUMNS
    return table.iloc[0]


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [
        (0.1784, "matches"),
        (0.1789, "matches"),
        (0.1779, "matches"),
        (0.178901, "differs"),
        (0.177899, "differs"),
        (-0.1784, "differs"),
    ],
)
def test_released_numbers_match_within_the_tolerance(models, ours, verdict):
    row = judge(make_claim(), make_results(models, ours))
    assert row["verdict"] == verdict
    assert row["ours"] == pytest.approx(100 * ours)
    assert row["ci_low"] == pytest.approx(100 * ours - 1)
    assert (row["published"], row["runs"]) == (17.84, 1)


def test_a_difference_is_explained(models):
    note = "table 4, row 3; a misprint is likely"
    row = judge(make_claim(value="18.84", source_note=note), make_results(models))
    assert row["reason"] == "difference -1.00, more than 0.05; a misprint is likely"


def test_averages_say_that_the_paper_cuts_them(models):
    row = judge(make_claim(corpus="average", value="17.83"), make_results(models, 0.178399))
    assert row["verdict"] == "matches"
    assert "the paper cuts its averages" in row["reason"]


def test_an_average_that_differs_names_the_corpora_that_do(models):
    rows = [make_claim(value="20"), make_claim(claim="b", corpus="average", value="20")]
    table = claims.judge_claims(rows, make_results(models), 0.05, True)
    assert list(table["verdict"]) == ["differs", "differs"]
    assert table["reason"].iloc[1].endswith("; of its corpora, stsb differs")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"model": "all-mpnet-base-v2"}, "all-mpnet-base-v2 is not among the models of this run"),
        (
            {"model": "text-embedding-ada-002"},
            "needs an API key: text-embedding-ada-002 is not among the models of this run",
        ),
        (
            {"item": "table6", "track": "regenerated", "dimension": "lexical"},
            "the lexical pairs are not among the released files",
        ),
        (
            {"item": "figure3", "track": "retraining", "model": "mpnet-base"},
            "needs retraining, which is not part of this run",
        ),
        ({"corpus": "twitter"}, f"this run has no spearman of twitter structure for {MINILM}"),
        (
            {"item": "figure1", "metric": "cosine", "corpus": "figure1"},
            f"{MINILM} is not among the models of this run",
        ),
    ],
)
def test_numbers_that_were_not_run_say_why(models, changes, reason):
    row = judge(make_claim(**changes), make_results(models))
    assert (row["verdict"], row["reason"], row["runs"]) == ("not run", reason, 0)
    assert math.isnan(row["ours"])


def test_undefined_scores_are_no_evidence(models):
    results = make_results(models, np.nan, reason="all 40 similarities are equal (0.5)")
    row = judge(make_claim(), results)
    assert row["verdict"] == "not run"
    assert row["reason"] == "undefined: all 40 similarities are equal (0.5)"


@pytest.mark.parametrize(
    ("cosine", "verdict"), [(0.9751, "matches"), (0.9849, "matches"), (0.9851, "differs")]
)
def test_figure1_is_rounded_as_the_paper_prints_it(models, cosine, verdict):
    claim = make_claim(item="figure1", corpus="figure1", metric="cosine", value="98")
    row = judge(claim, make_results(models, probing={MINILM: cosine}))
    assert row["verdict"] == verdict
    assert row["ours"] == round(100 * cosine)
    assert "whole percent" in row["reason"]


def test_bundled_data_are_never_judged(models, published):
    table = claims.judge_claims(published, make_results(models), 0.05, False)
    assert set(table["verdict"]) == {"not run"}
    assert set(table["reason"]) == {claims.BUNDLED_DATA}
    assert table["ours"].isna().all()


def test_a_row_of_ones_own_stands_for_the_models_row_in_the_paper(models):
    own = dataclasses.replace(models[MINILM], model="my-copy")
    results = make_results(models | {"my-copy": own}, board_models=("my-copy",))
    row = judge(make_claim(), results)
    assert row["verdict"] == "matches"
    assert row["reason"].endswith("measured with my-copy")
    both = make_results(models | {"my-copy": own}, board_models=("my-copy", MINILM))
    assert "measured with" not in judge(make_claim(), both)["reason"]


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(80.0, 90.0, "matches"), (80.0, 85.0, "differs"), (math.nan, math.nan, "not run")],
)
def test_retraining_matches_inside_the_interval_over_seeds(low, high, verdict):
    evidence = claims.Evidence(84.0, low, high, 5, "mpnet-base")
    assert claims.judge_value(86.2, evidence, "retraining", 0.05)[0] == verdict


def test_published_numbers_are_checked(published):
    rows = [row for row in published if row["item"] == "table4"]
    assert len(rows) == 168
    assert {row["corpus"] for row in rows} == {*PAPER_CORPORA, "average"}
    with pytest.raises(InputError, match="no published number"):
        claims.read_published([], "p.tsv")
    with pytest.raises(InputError, match=r"p\.tsv: missing column\(s\): value"):
        row = make_claim()
        del row["value"]
        claims.read_published([row], "p.tsv")
    with pytest.raises(InputError, match=r"p\.tsv, row 1, column value: 'n/a' is no number"):
        claims.read_published([make_claim(value="n/a")], "p.tsv")
    with pytest.raises(InputError, match=r"row 2, column claim: 'table4-1' stands there twice"):
        claims.read_published([make_claim(), make_claim()], "p.tsv")


def test_every_published_number_gets_a_row(models, published):
    table = claims.judge_claims(published, make_results(models), 0.05, True)
    assert list(table["claim"]) == [row["claim"] for row in published]
    assert set(table["verdict"]) == {"matches", "differs", "not run"}
    assert (table["reason"] != "").all()


def test_claims_as_markdown(models):
    rows = [make_claim(), make_claim(claim="b", item="table6", dimension="lexical")]
    table = claims.judge_claims(rows, make_results(models), 0.05, True)
    text = claims.claims_markdown(table, 0.05, 0.95, "bundled sentences")
    assert "**Data: bundled sentences.**" in text
    assert "| table4 | 1 | 0 | 0 |" in text
    assert "| table6 | 0 | 0 | 1 |" in text
    line = f"| {MINILM} |  | stsb | structure | spearman | 17.84 | 17.84 | [16.84, 18.84] | 1 |"
    assert line in text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"track": "nope"}, "column track: 'nope'; allowed: released, regenerated, retraining"),
        ({"metric": "spearmann"}, "column metric: 'spearmann'; allowed: spearman"),
        ({"dimension": "structur"}, "column dimension: 'structur'; allowed: -, structure"),
        ({"value": "2303"}, "column value: 2303 is not within -100 to 100"),
        ({"extra": "x"}, r"unknown column\(s\): extra"),
    ],
)
def test_words_and_ranges_of_published_numbers_are_checked(change, message):
    with pytest.raises(InputError, match=message):
        claims.read_published([make_claim() | change], "p.tsv")


def test_counts_of_the_filter_are_judged_elsewhere_and_shown_as_printed(models, published):
    rows = [row for row in published if row["track"] == claims.TRIPLES]
    table = claims.judge_claims(rows, make_results(models), 0.05, True)
    assert set(table["verdict"]) == {"not run"}
    assert set(table["reason"]) == {claims.JUDGED_ELSEWHERE["filter_statistics"]}
    text = claims.claims_markdown(table, 0.05, 0.95, "")
    assert "| all |  | generated | 320 |" in text
    assert "| all |  | keep_rate | 45.30 |" in text
    assert "Counts of the filter stand as printed." in text


def test_counts_may_be_large_but_are_whole():
    count = {"track": "triples", "metric": "generated", "dimension": ""}
    assert claims.read_published([make_claim(**count, value="320")], "p.tsv")
    for value in ("-1", "1.5"):
        with pytest.raises(InputError, match="is no count; give a whole number from 0"):
            claims.read_published([make_claim(**count, value=value)], "p.tsv")
    with pytest.raises(InputError, match="not within"):
        claims.read_published([make_claim(**count | {"metric": "keep_rate"}, value="320")], "p.tsv")
