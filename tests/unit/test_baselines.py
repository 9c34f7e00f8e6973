"""The no-model baselines on a handful of pairs, and length difference on the released STS-B."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from embsyntax.baselines import (
    BASELINES,
    DEFINITIONS,
    RANDOM_DIMENSION,
    SEEDED_BASELINES,
    UNBOUNDED_BASELINES,
    compare_by_baseline,
    count_ngrams,
    draw_vector,
)
from embsyntax.jobs import InputError

HARD_TEXTS = [
    "The cat sat.",
    "the CAT sat",
    'He said "no"\tand left',
    "Ça va, garçon ?",
    "\N{GRINNING FACE}\N{GRINNING FACE}",
    "!",
    "a",
    "NA",
    "word " * 2000,
]

LEFT = [one for one in HARD_TEXTS for _ in HARD_TEXTS]

RIGHT = [other for _ in HARD_TEXTS for other in HARD_TEXTS]


def compare(name: str, one: str, other: str, seed: int = 7) -> float:
    return compare_by_baseline(name, [one], [other], seed)[0]


def test_every_baseline_has_a_definition_of_one_sentence():
    assert list(DEFINITIONS) == list(BASELINES)
    assert set(BASELINES) >= SEEDED_BASELINES | UNBOUNDED_BASELINES
    for text in DEFINITIONS.values():
        assert text.endswith(".")
        assert text.count(". ") == 0


@pytest.mark.parametrize("name", BASELINES)
def test_values_are_finite_symmetric_and_in_range(name):
    values = compare_by_baseline(name, LEFT, RIGHT, 7)
    assert values.dtype == np.float64
    assert np.isfinite(values).all()
    square = values.reshape(len(HARD_TEXTS), -1)
    np.testing.assert_allclose(square, square.T, atol=1e-12)
    if name not in UNBOUNDED_BASELINES:
        assert np.abs(values).max() <= 1
        np.testing.assert_allclose(np.diag(square), 1, atol=1e-7)


@pytest.mark.parametrize("name", BASELINES)
def test_a_pair_does_not_depend_on_the_others(name):
    together = compare_by_baseline(name, LEFT, RIGHT, 7)
    alone = [compare(name, one, other) for one, other in zip(LEFT, RIGHT, strict=True)]
    np.testing.assert_array_equal(together, alone)


def test_length_difference_counts_words_and_a_larger_one_is_higher():
    assert compare("length_difference", "one two three", "one") == 2
    assert compare("length_difference", "one", "one two three") == 2
    assert compare("length_difference", "don't", "do not") == 0
    assert compare("length_difference", "!", "?") == 0


def test_word_overlap_is_the_jaccard_index_of_lower_case_words():
    assert compare("word_overlap", "The cat sat", "the cat ran") == pytest.approx(2 / 4)
    assert compare("word_overlap", "a a a b", "B, a!") == 1
    assert compare("word_overlap", "a", "b") == 0
    assert compare("word_overlap", "!", "a") == 0
    assert compare("word_overlap", "!", "?") == 1


def test_character_ngrams_by_hand():
    assert count_ngrams("Ab") == {" ab": 1, "ab ": 1, " ab ": 1}
    assert sum(count_ngrams("abab").values()) == 4 + 3 + 2
    assert compare("character_ngrams", "ab", "AB") == 1
    # " abc ": 3 + 2 + 1 n-grams, " abd ": likewise; " ab" is the one that they share.
    assert compare("character_ngrams", "abc", "abd") == pytest.approx(1 / 6)
    assert compare("character_ngrams", "abc", "xyz") == 0


def test_character_ngrams_of_many_pairs_equal_those_of_single_pairs():
    texts = ["the dog ran", "the dog did not run", "A cat!", "dog the ran", "the dog ran"]
    pairs = [(one, other) for one in texts for other in texts]
    together = compare_by_baseline("character_ngrams", *map(list, zip(*pairs, strict=True)), 0)
    for (one, other), value in zip(pairs, together, strict=True):
        left, right = count_ngrams(one), count_ngrams(other)
        product = sum(left[gram] * right[gram] for gram in left)
        squares = [sum(n * n for n in counts.values()) for counts in (left, right)]
        assert value == min(product / (squares[0] * squares[1]) ** 0.5, 1.0)


@pytest.mark.parametrize("name", sorted(DEFINITIONS))
def test_no_pair_gives_no_similarity(name):
    values = compare_by_baseline(name, [], [], 1)
    assert values.shape == (0,)
    assert values.dtype == np.float64


def test_random_vectors_depend_on_text_and_seed_alone():
    vector = draw_vector("a text", 7)
    assert vector.shape == (RANDOM_DIMENSION,)
    np.testing.assert_array_equal(vector, draw_vector("a text", 7))
    assert not np.array_equal(vector, draw_vector("a text", 8))
    assert not np.array_equal(vector, draw_vector("a text!", 7))
    assert compare("random_vectors", "x", "y") != compare("random_vectors", "x", "y", seed=8)


def test_random_vectors_are_standard_normal_and_unrelated():
    vectors = np.stack([draw_vector(f"text {i}", 7) for i in range(500)])
    assert abs(vectors.mean()) < 0.01
    assert abs(vectors.std() - 1) < 0.01
    left, right = [f"text {i}" for i in range(500)], [f"other {i}" for i in range(500)]
    values = compare_by_baseline("random_vectors", left, right, 7)
    assert abs(values.mean()) < 0.01
    assert abs(values.std() - RANDOM_DIMENSION**-0.5) < 0.005


def test_an_unknown_baseline_is_refused_by_name():
    with pytest.raises(InputError, match="unknown baseline 'length'; allowed: character_ngrams, "):
        compare("length", "a", "b")


def test_lists_of_unequal_length_are_refused():
    with pytest.raises(ValueError, match="1 first texts, but 2 second texts"):
        compare_by_baseline("word_overlap", ["a"], ["a", "b"], 0)


def test_length_difference_on_the_released_sts_b(mirror):
    table = pd.read_csv(mirror / "sr/stsb.csv", keep_default_na=False)
    found = {}
    for dimension in ("structure", "relation"):
        values = compare_by_baseline(
            "length_difference", table["sentence1"].tolist(), table[dimension].tolist(), 0
        )
        found[dimension] = 100 * spearmanr(values, table[f"{dimension}score"]).statistic
    assert found["relation"] == pytest.approx(28.3, abs=0.05)
    assert found["structure"] == pytest.approx(6.37, abs=0.05)
