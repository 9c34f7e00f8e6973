"""Correlations, ties, the clustered bootstrap and its p-values, against SciPy and plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import pearsonr, rankdata, spearmanr
from statsmodels.stats.multitest import multipletests

from embsyntax import stats

SEED = stats.make_seed(7, "stsb", "structure")


def make_columns(n=60, seed=0, levels=6):
    """Similarities and scores with ties in both, and anchors shared by about three pairs."""
    generator = np.random.default_rng(seed)
    gold = generator.integers(0, levels, n) / (levels - 1)
    predicted = np.round(gold * 0.3 + generator.normal(size=n), 1)
    anchors = np.array([f"a{number}" for number in generator.integers(0, n // 3, n)])
    return predicted, gold, anchors


@pytest.mark.parametrize("levels", [2, 6, 1000])
@pytest.mark.parametrize("seed", range(3))
def test_correlations_equal_scipy(seed, levels):
    predicted, gold, _ = make_columns(seed=seed, levels=levels)
    expected = spearmanr(predicted, gold).statistic
    assert stats.spearman(predicted, gold).value == pytest.approx(expected, abs=1e-12)
    expected = pearsonr(predicted, gold).statistic
    assert stats.pearson(predicted, gold).value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("correlate", [stats.spearman, stats.pearson])
@pytest.mark.parametrize(
    ("predicted", "gold", "reason"),
    [
        ([], [], "fewer than 3 scored pairs (0)"),
        ([0.1, 0.2], [0.0, 1.0], "fewer than 3 scored pairs (2)"),
        ([0.1, 0.2, 0.3], [0.6, 0.6, 0.6], "all 3 scores are equal (0.6)"),
        ([0.5, 0.5, 0.5], [0.0, 0.5, 1.0], "all 3 similarities are equal (0.5)"),
    ],
)
def test_undefined_values_are_nan_with_a_reason(correlate, predicted, gold, reason):
    estimate = correlate(predicted, gold)
    assert np.isnan(estimate.value)
    assert estimate.reason == reason


@pytest.mark.parametrize(
    ("predicted", "gold", "message"),
    [
        ([0.1, np.nan, 0.2], [0, 1, 2], "similarities are not finite, the first at position 1"),
        ([0.1, 0.3, 0.2], [0, 1, np.inf], "scores are not finite, the first at position 2"),
        ([0.1, 0.3], [0, 1, 2], "one length"),
    ],
)
def test_bad_columns_are_refused(predicted, gold, message):
    with pytest.raises(ValueError, match=message):
        stats.spearman(predicted, gold)


def test_perfect_predictor_without_ties_reaches_the_tie_ceiling():
    gold = np.repeat([0.0, 0.2, 1.0], [5, 30, 9])
    reached = spearmanr(np.arange(len(gold)), gold).statistic
    assert stats.tie_ceiling(gold).value == pytest.approx(reached, abs=1e-12)
    assert stats.tie_ceiling([0.1, 0.2, 0.3]).value == 1.0
    assert stats.tie_ceiling([0.4] * 5).reason == "all 5 scores are equal (0.4)"
    assert stats.tie_ceiling([0.4]).reason.startswith("fewer than 3")


def test_weighted_midranks_equal_ranks_of_repeated_values():
    generator = np.random.default_rng(3)
    values = np.round(generator.normal(size=20), 1)
    weights = generator.integers(0, 4, (20, 5)).astype(float)
    total = weights.sum(axis=0)
    ranks = stats.centred_midranks(stats.sort_column(values), weights, total)
    for column in range(5):
        counts = weights[:, column].astype(int)
        repeated = rankdata(np.repeat(values, counts)) - (counts.sum() + 1) / 2
        np.testing.assert_allclose(np.repeat(ranks[:, column], counts), repeated, atol=1e-9)


def draw_naively(anchors, resamples):
    """The resamples as lists of pairs, from the same weights."""
    for weights in stats.draw_weights(anchors, resamples, SEED, chunk=1):
        yield np.repeat(np.arange(len(anchors)), weights[:, 0].astype(int))


@pytest.mark.parametrize("chunk", [1, 7, 64])
def test_bootstrap_equals_a_plain_loop_over_the_same_resamples(chunk):
    predicted, gold, anchors = make_columns()
    other = np.round(make_columns(seed=5)[0], 1)
    found = stats.bootstrap_correlations([predicted, other], gold, anchors, 20, SEED, chunk)
    assert found.spearman.shape == found.pearson.shape == (2, 20)
    for index, drawn in enumerate(draw_naively(anchors, 20)):
        for row, column in enumerate((predicted, other)):
            expected = spearmanr(column[drawn], gold[drawn]).statistic
            assert found.spearman[row, index] == pytest.approx(expected, abs=1e-10)
            expected = pearsonr(column[drawn], gold[drawn]).statistic
            assert found.pearson[row, index] == pytest.approx(expected, abs=1e-10)


def test_resamples_draw_whole_anchors():
    anchors = np.array(["a", "b", "a", "c", "b", "a"])
    weights = np.concatenate(list(stats.draw_weights(anchors, 200, SEED)), axis=1)
    assert weights.shape == (6, 200)
    np.testing.assert_array_equal(weights[0], weights[2])
    np.testing.assert_array_equal(weights[1], weights[4])
    np.testing.assert_array_equal(weights[0] + weights[1] + weights[3], 3)
    assert weights.mean() == pytest.approx(1.0, abs=0.1)


def test_resamples_depend_on_seed_corpus_and_dimension_only():
    def first(seed):
        return next(stats.draw_weights(list("abcdefgh"), 4, seed))

    np.testing.assert_array_equal(first(SEED), first(stats.make_seed(7, "stsb", "structure")))
    for other in ((8, "stsb", "structure"), (7, "sickr", "structure"), (7, "stsb", "relation")):
        assert not np.array_equal(first(SEED), first(stats.make_seed(*other)))


def test_a_resample_without_variance_is_undefined_not_zero():
    weights = np.array([[1.0], [1.0], [0.0]])
    predicted, gold = np.array([[0.1, 0.1, 0.3]]), np.array([0.2, 0.7, 0.4])
    assert np.isnan(stats.weighted_spearman(predicted, gold, weights)).all()
    assert np.isnan(stats.weighted_pearson(predicted, gold, weights)).all()


def test_percentile_interval():
    interval = stats.percentile_interval(np.arange(101) / 100, 0.95)
    assert (interval.low, interval.high) == pytest.approx((0.025, 0.975))
    samples = np.where(np.arange(100) < 6, np.nan, 0.5)
    interval = stats.percentile_interval(samples, 0.95)
    assert np.isnan(interval.low)
    assert interval.reason == "no interval: only 94 of 100 resamples are defined"


def test_paired_p_value_counts_the_resamples_that_stray():
    resampled = np.array([0.1, 0.3, 0.2, -0.05, 0.45])
    assert stats.paired_p_value(0.2, resampled) == pytest.approx((2 + 1) / 6)
    assert stats.paired_p_value(-0.2, -resampled) == pytest.approx((2 + 1) / 6)
    assert stats.paired_p_value(0.0, np.zeros(99)) == 1.0
    assert stats.paired_p_value(0.5, np.full(99, 0.5)) == pytest.approx(1 / 100)
    assert stats.paired_p_value(0.5, np.full(99, np.nan)) == 1.0


def test_benjamini_hochberg_leaves_undefined_comparisons_out():
    raw = [0.01, np.nan, 0.04, 0.03, 0.5]
    adjusted = stats.benjamini_hochberg(raw)
    assert np.isnan(adjusted[1])
    expected = multipletests([0.01, 0.04, 0.03, 0.5], method="fdr_bh")[1]
    np.testing.assert_allclose(adjusted[[0, 2, 3, 4]], expected)
    np.testing.assert_allclose(adjusted[[0, 2, 3]], [0.04, 0.16 / 3, 0.16 / 3])
    assert len(stats.benjamini_hochberg([])) == 0
    assert np.isnan(stats.benjamini_hochberg([np.nan])).all()
