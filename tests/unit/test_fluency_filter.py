"""The limit on the perplexity ratio: what it keeps, what it costs, which half it is set on."""

from __future__ import annotations

import numpy as np
import pytest

from embsyntax.fluency_filter import choose_half, fit_threshold, measure_filter

RATIOS = [0.5, 0.8, 1.0, 1.0, 1.5, 2.0, 3.0, 9.0]
GOOD = [True, True, True, False, True, False, False, False]


@pytest.mark.parametrize(
    ("target", "threshold", "n_kept", "share"),
    [
        (1.0, 0.8, 2, 1.0),
        (0.8, 1.5, 5, 0.8),
        (0.75, 1.5, 5, 0.8),
        (0.6, 2.0, 6, 4 / 6),
        (0.5, np.inf, 8, 0.5),
        (0.0, np.inf, 8, 0.5),
    ],
)
def test_the_limit_keeps_as_many_as_the_target_allows(target, threshold, n_kept, share):
    effect = fit_threshold(RATIOS, GOOD, target)
    assert (effect.threshold, effect.n, effect.n_kept) == (threshold, 8, n_kept)
    assert effect.share_good == 0.5
    assert effect.share_good_kept == pytest.approx(share)
    assert effect.share_kept == n_kept / 8


def test_an_order_of_rows_does_not_matter():
    order = np.random.default_rng(0).permutation(8)
    shuffled = fit_threshold(np.array(RATIOS)[order], np.array(GOOD)[order], 0.8)
    assert shuffled == fit_threshold(RATIOS, GOOD, 0.8)


def test_a_target_out_of_reach_gives_the_best_share():
    effect = fit_threshold([1.0, 2.0, 3.0, 4.0], [False, True, True, False], 0.9)
    assert (effect.threshold, effect.n_kept) == (3.0, 3)
    assert effect.share_good_kept == pytest.approx(2 / 3)


def test_the_effect_on_others():
    effect = measure_filter([0.5, 1.0, 2.0], [True, False, True], 1.0)
    assert (effect.n_kept, effect.share_good_kept) == (2, 0.5)
    assert effect.share_good == pytest.approx(2 / 3)
    nothing = measure_filter([2.0], [True], 1.0)
    assert nothing.n_kept == 0
    assert np.isnan(nothing.share_good_kept)
    assert np.isnan(measure_filter([], [], 1.0).share_kept)


def test_halves_depend_on_ids_and_seed_only():
    ids = [f"c{number}" for number in range(101)]
    half = choose_half(ids, 1)
    assert half.sum() == 50
    chosen = {name for name, is_in in zip(ids, half, strict=True) if is_in}
    again = choose_half(ids[::-1], 1)
    assert {name for name, is_in in zip(ids[::-1], again, strict=True) if is_in} == chosen
    assert (choose_half(ids, 2) != half).any()


@pytest.mark.parametrize(
    ("ratios", "is_good", "message"),
    [
        ([], [], "no judged output"),
        ([1.0], [True, False], "two columns of one length"),
        ([1.0, np.nan], [True, False], "not finite"),
    ],
)
def test_unusable_columns_are_refused(ratios, is_good, message):
    with pytest.raises(ValueError, match=message):
        fit_threshold(ratios, is_good, 0.9)
