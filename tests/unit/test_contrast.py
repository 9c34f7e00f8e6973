"""AUC of structure against relation within an anchor."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from embsyntax.contrast import anchor_areas, score_contrast
from embsyntax.scores import ScoreSettings

SETTINGS = ScoreSettings(resamples=200, confidence=0.95, seed=1, cosine_decimals=6)


def make(rows):
    pairs = pd.DataFrame(rows, columns=["corpus", "anchor_id", "dimension", "similarity"])
    pairs["pair_id"] = [f"p{i}" for i in range(len(pairs))]
    pairs["score"] = 1.0
    return pairs.drop(columns="similarity"), pairs[["pair_id", "similarity"]]


def test_area_of_an_anchor_equals_the_reference():
    generator = np.random.default_rng(2)
    rows = [
        ("c", f"a{anchor}", dimension, round(float(generator.random()), 1))
        for anchor in range(20)
        for dimension in ("structure", "relation", "lexical")
        for _ in range(generator.integers(1, 5))
    ]
    pairs, similarities = make(rows)
    joined = pairs.merge(similarities, on="pair_id")
    areas = anchor_areas(joined)
    for anchor, cell in joined[joined["dimension"] != "lexical"].groupby("anchor_id"):
        expected = roc_auc_score(cell["dimension"] == "structure", cell["similarity"])
        assert areas[anchor] == pytest.approx(expected)


def test_average_interval_and_counts():
    rows = [("c", "a", "structure", 0.9), ("c", "a", "relation", 0.1), ("c", "b", "structure", 0.2)]
    rows += [("c", "b", "relation", 0.4), ("c", "b", "relation", 0.2), ("c", "x", "relation", 0.2)]
    rows += [("d", "e", "structure", 0.9), ("d", "e", "relation", 0.1)]
    table = score_contrast(*make(rows), "m", SETTINGS).set_index("corpus")
    assert table.loc["c", "value"] == pytest.approx((1 + 0.25) / 2)
    assert table.loc["c", ["n", "n_anchors"]].tolist() == [3, 2]
    assert table.loc["c", "ci_low"] <= table.loc["c", "value"] <= table.loc["c", "ci_high"]
    assert table.loc["average", "value"] == pytest.approx((0.625 + 1) / 2)
    assert table.loc["average", "n"] == 4


def test_a_corpus_without_both_kinds_is_undefined_with_a_reason():
    rows = [("c", "a", "structure", 0.9), ("c", "b", "relation", 0.1)]
    rows += [("d", "e", "structure", 0.9), ("d", "e", "relation", 0.1)]
    table = score_contrast(*make(rows), "m", SETTINGS).set_index("corpus")
    assert np.isnan(table.loc["c", "value"])
    assert "no sentence has both" in table.loc["c", "reason"]
    assert table.loc["average", "reason"] == "undefined for c"
