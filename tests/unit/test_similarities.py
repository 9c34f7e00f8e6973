"""Similarities: the cosine in float32 of unique texts' vectors, finite, rounded."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from embsyntax import similarities
from embsyntax.jobs import InputError


@pytest.fixture
def pairs():
    return pd.DataFrame(
        {
            "pair_id": ["c:d:1", "c:d:2", "c:d:3"],
            "sentence1": ["a", "b", "a"],
            "sentence2": ["b", "b", "c"],
        }
    )


def test_unique_texts_keep_their_order_of_appearance(pairs):
    assert similarities.unique_texts(pairs) == ["a", "b", "c"]


def test_cosines_are_those_of_float64_to_six_decimals():
    rng = np.random.default_rng(3)
    texts = [str(number) for number in range(300)]
    vectors = rng.normal(size=(300, 384)).astype(np.float32) * 50
    first, second = rng.integers(0, 300, size=(2, 20000))
    table = pd.DataFrame(
        {
            "pair_id": [f"c:d:{n}" for n in range(20000)],
            "sentence1": [texts[i] for i in first],
            "sentence2": [texts[i] for i in second],
        }
    )
    got = similarities.cosine_similarities(table, texts, vectors, decimals=6, model="m")
    wide = vectors.astype(np.float64)
    wide /= np.linalg.norm(wide, axis=1, keepdims=True)
    expected = (wide[first] * wide[second]).sum(axis=1)
    assert list(got.columns) == ["pair_id", "similarity"]
    assert got["pair_id"].equals(table["pair_id"])
    assert got["similarity"].dtype == np.float64
    assert np.abs(got["similarity"] - expected).max() < 1.1e-6
    assert (got["similarity"][first == second] == 1).all()
    assert np.array_equal(np.round(got["similarity"], 6), got["similarity"])


def test_huge_tiny_and_zero_vectors(pairs):
    vectors = np.array([[3e38, 3e38], [1e-38, 1e-38], [0, 0]], np.float32)
    got = similarities.cosine_similarities(pairs, ["a", "b", "c"], vectors, decimals=6, model="m")
    assert got["similarity"].tolist() == [1, 1, 0]


def test_negative_zero_is_zero():
    values = similarities.round_similarities(np.array([-1e-9, 0.0, -0.5]), 6)
    assert not np.signbit(values[:2]).any()
    assert values[2] == -0.5


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_number_that_is_not_finite_is_refused_with_its_text(pairs, number):
    vectors = np.ones((3, 2), np.float32)
    vectors[1, 1] = number
    with pytest.raises(InputError, match=r"model 'm': 1 of 3 vectors .* text 'b'.*float32"):
        similarities.cosine_similarities(pairs, ["a", "b", "c"], vectors, decimals=6, model="m")


def test_long_text_is_cut_in_messages():
    shown = similarities.shorten_text("x" * 10**6)
    assert len(shown) < 100
    assert shown.endswith("...'")


def test_vectors_and_texts_must_agree(pairs):
    with pytest.raises(ValueError, match="3 texts, but 2 vectors"):
        similarities.cosine_similarities(
            pairs, ["a", "b", "c"], np.ones((2, 2)), decimals=6, model="m"
        )
    with pytest.raises(KeyError):
        similarities.locate_texts(pairs, ["a", "b"])


def test_similarity_that_is_not_finite_is_refused_with_its_pair(pairs):
    with pytest.raises(InputError, match="pair 'c:d:2'"):
        similarities.make_similarities(pairs["pair_id"], np.array([0, np.nan, 1]), 6)


def test_pairs_digest_depends_on_ids_texts_and_order_only(pairs):
    digest = similarities.pairs_digest(pairs)
    assert similarities.pairs_digest(pairs.assign(score=1.0)) == digest
    assert similarities.pairs_digest(pairs.iloc[::-1]) != digest
    moved = pairs.assign(sentence1=["ab", "b", "a"], sentence2=["", "b", "c"])
    assert similarities.pairs_digest(moved) != digest
