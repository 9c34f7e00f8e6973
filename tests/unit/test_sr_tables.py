"""Tables of the regenerated track: blocks, ceilings, tracks compared, validation, tree kernel."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from embsyntax import sr_tables
from embsyntax.registry import read_models
from embsyntax.scores import SCORE_COLUMNS, ScoreSettings
from embsyntax.validation import (
    BY_PEOPLE,
    EXAMPLE,
    NOT_VALIDATED,
    merge_reviews,
    rater_agreement,
    revision_rates,
)

SETTINGS = ScoreSettings(resamples=300, confidence=0.95, seed=1, cosine_decimals=6)


@pytest.fixture(scope="module")
def models(repository):
    return read_models(repository / "config/models.tsv")


def make_row(corpus, dimension, model, metric, value):
    row = dict.fromkeys(SCORE_COLUMNS, 0)
    row |= {"corpus": corpus, "dimension": dimension, "model": model, "metric": metric}
    return row | {"value": value, "ci_low": value - 0.1, "ci_high": value + 0.1, "reason": ""}


def make_scores(values, dimensions=("structure", "relation", "lexical")):
    rows = []
    for model, value in values.items():
        for dimension in dimensions:
            for corpus in ("stsb", "sickr"):
                rows.append(make_row(corpus, dimension, model, "spearman", value))
                rows.append(make_row(corpus, dimension, model, "tie_ceiling", 0.9))
    return pd.DataFrame(rows)


def make_contrasts(values):
    return pd.DataFrame(
        [
            make_row(corpus, "structure_over_relation", model, "auc", value)
            for model, value in values.items()
            for corpus in ("stsb", "sickr")
        ]
    )


def test_table4_has_ceilings_last_and_a_block_of_auc(models):
    values = {"all-MiniLM-L6-v2": 0.4, "word_overlap": 0.1}
    table = sr_tables.build_regenerated_table4(
        make_scores(values),
        make_contrasts({"all-MiniLM-L6-v2": 0.7, "word_overlap": 0.5}),
        models,
        {},
    )
    assert list(dict.fromkeys(table["dimension"])) == [
        "structure",
        "relation",
        "structure_over_relation",
    ]
    structure = table[table["dimension"] == "structure"]
    assert structure["kind"].tolist() == ["model", "baseline", "ceiling"]
    assert structure["stsb"].tolist() == ["40.00", "10.00", "90.00"]
    auc = table[table["dimension"] == "structure_over_relation"]
    assert auc["sickr"].tolist() == ["70.00", "50.00"]
    text = sr_tables.regenerated_table4_markdown({"rules": table}, SETTINGS, "a note")
    for words in ("Generator `rules`", "a note", "tie ceiling", "no reproduction", "(AUC)"):
        assert words in text


def test_table6_shows_the_published_numbers_as_those_of_other_pairs(models):
    scores = make_scores({"all-MiniLM-L6-v2": 0.4})
    published = {("all-MiniLM-L6-v2", "lexical", "stsb"): 25.0}
    table = sr_tables.build_table6(scores, models, published)
    assert table["dimension"].tolist() == ["lexical"]
    assert table["stsb_published"].tolist() == ["25.00"]
    text = sr_tables.table6_markdown({"rules": table}, SETTINGS, "")
    assert "*25.00*" in text
    assert "about other pairs" in text


def test_tracks_that_rank_alike_correlate_and_few_models_are_undefined(models):
    ids = [name for name, row in models.items() if row.backend != "baseline"][:6]
    values = {name: 0.1 * i for i, name in enumerate(ids)}
    table = sr_tables.build_track_comparison(
        make_scores(values),
        {"rules": make_scores({name: value / 2 for name, value in values.items()})},
        models,
        SETTINGS,
    )
    assert set(table["value"].round(6)) == {1.0}
    assert table["n"].unique().tolist() == [6]
    few = sr_tables.build_track_comparison(
        make_scores(dict(list(values.items())[:2])),
        {"rules": make_scores(values)},
        models,
        SETTINGS,
    )
    assert few["value"].isna().all()
    assert few["reason"].str.contains("2 models on both tracks").all()
    assert "undefined" in sr_tables.track_comparison_markdown(few, "")


def test_a_rank_correlation_of_few_models_has_no_interval():
    four = pd.Series([0.1, 0.2, 0.3, 0.4], index=list("abcd"))
    (metric, estimate, interval, n), _ = sr_tables.rank_correlations(four, -four, 100, 0.95, 1)
    assert (metric, n) == ("spearman", 4)
    assert estimate.value == pytest.approx(-1)
    assert math.isnan(interval.low)
    assert "fewer than 5 models" in interval.reason


def make_sample():
    return pd.DataFrame(
        {
            "pair_id": ["p0", "p1", "p2"],
            "corpus": ["twitter", "stsb", "stsb"],
            "dimension": ["structure", "structure", "relation"],
            "rule": "some_rule",
        }
    )


def make_published():
    return [
        {"metric": "revision_rate", "corpus": "stsb", "dimension": "structure", "value": "0.75"},
        {"metric": "tree_kernel_similarity", "corpus": "nli", "dimension": "", "value": "7.2"},
    ]


def test_without_a_sheet_tables_1_to_3_say_not_yet_validated():
    reviews = merge_reviews([])
    rates = revision_rates(make_sample(), reviews, ["corpus", "dimension"], 0.95)
    published = sr_tables.index_validation(make_published())
    table = sr_tables.build_validation_table(rates, published, make_sample(), BY_PEOPLE)
    assert table["table"].tolist() == [1, 1, 2]
    assert set(table["status"]) == {NOT_VALIDATED}
    assert table["rate"].isna().all()
    agreements = rater_agreement(reviews, 10, 0.95, 1)
    text = sr_tables.validation_markdown(table, rates, agreements, 0.95, "")
    assert "| 1 | STS-B | structure |  |  |  | 0.75 | not yet validated |" in text


def test_rates_of_a_sheet_stand_beside_the_published_ones():
    reviews = pd.DataFrame(
        {
            "pair_id": ["p1", "p2"],
            "rater": "ann",
            "verdict": ["accept", "reject"],
            "revised_sentence2": "",
            "revised_score": pd.array([pd.NA, pd.NA], dtype="Int64"),
        }
    )
    rates = revision_rates(make_sample(), reviews, ["corpus", "dimension"], 0.95)
    table = sr_tables.build_validation_table(
        rates, sr_tables.index_validation(make_published()), make_sample(), BY_PEOPLE
    ).set_index(["corpus", "dimension"])
    assert table.loc[("stsb", "structure"), "rate"] == 0
    assert table.loc[("stsb", "structure"), "published_rate"] == pytest.approx(0.0075)
    assert table.loc[("stsb", "relation"), "rejected_samples"] == 1
    assert table.loc[("twitter", "structure"), "status"] == NOT_VALIDATED


def test_table5_keeps_the_corpora_of_the_paper_apart():
    measured = pd.DataFrame(
        {
            "corpus": ["twitter", "stsb"],
            "tree": "dependency",
            "n_trees": [1000, 900],
            "n_available": [2041, 900],
            "value": [0.05, 0.08],
            "ci_low": [0.04, 0.07],
            "ci_high": [0.06, 0.09],
        }
    )
    table = sr_tables.build_table5(measured, make_published())
    assert table["corpus"].tolist() == ["stsb", "twitter", "nli"]
    assert np.isnan(table["published"].iloc[0])
    assert table["published"].iloc[2] == pytest.approx(0.072)
    text = sr_tables.table5_markdown(table, 0.4, 0.95, "")
    assert "| STS-B | dependency | 900 | 0.0800 [0.0700, 0.0900] |  |" in text
    assert "| nli | constituency |  |  | 0.072 |" in text


def test_an_example_sheet_is_named_in_every_heading():
    reviews = merge_reviews([])
    table = sr_tables.build_validation_table(
        revision_rates(make_sample(), reviews, ["corpus", "dimension"], 0.95),
        {},
        make_sample(),
        BY_PEOPLE,
    ).assign(status=EXAMPLE)
    by_rule = pd.DataFrame(
        [("some_rule", 2, 1, 0.5, 0.1, 0.9)],
        columns=["rule", "original_samples", "modified_samples", "rate", "ci_low", "ci_high"],
    )
    agreements = rater_agreement(reviews, 10, 0.95, 1)
    text = sr_tables.validation_markdown(table, by_rule, agreements, 0.95, "")
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert len(headings) == 3
    assert all("no human validation" in line for line in headings)
