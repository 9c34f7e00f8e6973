"""Rank correlations with intervals: undefined values, ties, clustered bootstrap, rank groups.

Pairs that share their first sentence (the anchor) are not independent, so every interval comes from
resampling anchors, not pairs. A resample is held as one weight per pair (how often its anchor was
drawn), and ranks are recomputed for each resample from one sort: the rank of a tied group is half
way through the weight that the group spans. The seeds depend on the corpus and the dimension only,
so all models see the same resamples and their differences are paired.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from statsmodels.stats.multitest import multipletests

MINIMUM_PAIRS = 3
"""Fewer pairs than this give a correlation of -1, 1 or nothing, whatever the model."""

RESAMPLES_PER_CHUNK = 64
"""Resamples held at once: 2 MB per array for 4,000 pairs, which stays in the processor's cache."""

MINIMUM_DEFINED_SHARE = 0.95
"""Share of the resamples that must be defined before an interval is given."""

RELATIVE_VARIANCE_FLOOR = 1e-12
"""A weighted variance below this share of its raw second moment is rounding, not variance."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A number, or the reason why there is none.

    Attributes:
        value: the number; NaN when it is undefined.
        reason: why the number is undefined; empty when it is defined.
    """

    value: float
    reason: str = ""


@dataclass(frozen=True)
class Interval:
    """A percentile interval, or the reason why there is none.

    Attributes:
        low: lower end; NaN when undefined.
        high: upper end; NaN when undefined.
        reason: why the interval is undefined; empty when it is defined.
    """

    low: float
    high: float
    reason: str = ""


def explain_undefined(predicted: Floats, gold: Floats) -> str:
    """Say why no correlation exists between two columns.

    Args:
        predicted: similarities, shape (n,), finite.
        gold: scores, shape (n,), finite.

    Returns:
        The reason; empty when the correlation is defined.
    """
    if len(gold) < MINIMUM_PAIRS:
        return f"fewer than {MINIMUM_PAIRS} scored pairs ({len(gold)})"
    if np.ptp(gold) == 0:
        return f"all {len(gold)} scores are equal ({gold[0]:g})"
    if np.ptp(predicted) == 0:
        return f"all {len(predicted)} similarities are equal ({predicted[0]:g})"
    return ""


def check_columns(predicted: ArrayLike, gold: ArrayLike) -> tuple[Floats, Floats]:
    """Return both columns as float64 arrays of the same length.

    Args:
        predicted: similarities, shape (n,).
        gold: scores, shape (n,).

    Returns:
        Both as float64 arrays.

    Raises:
        ValueError: if the lengths differ or a value is not finite.
    """
    x = np.asarray(predicted, dtype=np.float64)
    y = np.asarray(gold, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"need two columns of one length, got shapes {x.shape} and {y.shape}")
    for name, column in (("similarities", x), ("scores", y)):
        bad = np.flatnonzero(~np.isfinite(column))
        if len(bad):
            raise ValueError(
                f"{len(bad)} of {len(column)} {name} are not finite, the first at position {bad[0]}"
            )
    return x, y


def spearman(predicted: ArrayLike, gold: ArrayLike) -> Estimate:
    """Return Spearman's rank correlation, with midranks for ties.

    Args:
        predicted: similarities, shape (n,), finite.
        gold: scores, shape (n,), finite.

    Returns:
        The correlation, -1 to 1, or NaN with the reason.
    """
    x, y = check_columns(predicted, gold)
    reason = explain_undefined(x, y)
    if reason:
        return Estimate(np.nan, reason)
    weights = np.ones((len(x), 1))
    return Estimate(float(weighted_spearman(x[None, :], y, weights)[0, 0]))


def pearson(predicted: ArrayLike, gold: ArrayLike) -> Estimate:
    """Return Pearson's product-moment correlation.

    Args:
        predicted: similarities, shape (n,), finite.
        gold: scores, shape (n,), finite.

    Returns:
        The correlation, -1 to 1, or NaN with the reason.
    """
    x, y = check_columns(predicted, gold)
    reason = explain_undefined(x, y)
    if reason:
        return Estimate(np.nan, reason)
    weights = np.ones((len(x), 1))
    return Estimate(float(weighted_pearson(x[None, :], y, weights)[0, 0]))


def tie_ceiling(gold: ArrayLike) -> Estimate:
    """Return the highest Spearman correlation that a predictor without ties can reach.

    A predictor that orders every pair correctly, but must order tied pairs somehow, correlates
    with the midranks of the scores at sqrt(1 - sum(t^3 - t) / (n^3 - n)), t being the sizes of the
    groups of equal scores (from the tie correction of Kendall, Rank Correlation Methods, 1948).

    Args:
        gold: scores, shape (n,), finite.

    Returns:
        The ceiling, 0 to 1, or NaN with the reason.
    """
    _, y = check_columns(gold, gold)
    n = len(y)
    if n < MINIMUM_PAIRS or np.ptp(y) == 0:
        return Estimate(np.nan, explain_undefined(np.arange(n, dtype=np.float64), y))
    sizes = np.unique(y, return_counts=True)[1].astype(np.float64)
    return Estimate(float(np.sqrt(1.0 - np.sum(sizes**3 - sizes) / (float(n) ** 3 - n))))


@dataclass(frozen=True)
class SortedColumn:
    """One column, sorted once, so that weighted ranks need no further sort.

    Attributes:
        order: positions in ascending order of value, shape (n,).
        group: which group of equal values each position belongs to, shape (n,), 0 to g - 1.
        last: index within `order` of the last member of each group, shape (g,).
    """

    order: NDArray[np.intp]
    group: NDArray[np.intp]
    last: NDArray[np.intp]


def sort_column(values: Floats) -> SortedColumn:
    """Sort a column and find its groups of equal values.

    Args:
        values: shape (n,), finite.

    Returns:
        The sorted column.
    """
    _, group, sizes = np.unique(values, return_inverse=True, return_counts=True)
    order = np.argsort(group, kind="stable")
    return SortedColumn(order=order, group=group, last=np.cumsum(sizes) - 1)


def centred_midranks(column: SortedColumn, weights: Floats, total: Floats) -> Floats:
    """Return the weighted midranks less their mean, for many weightings at once.

    A value with integer weight w ranks as if it stood w times in the sample.

    Args:
        column: the sorted column of n values.
        weights: one weight per value and resample, shape (n, b), at least 0.
        total: sum of the weights of each resample, shape (b,).

    Returns:
        Midranks minus (total + 1) / 2, shape (n, b), in the order of the unsorted column.
    """
    upper = np.cumsum(weights[column.order], axis=0)[column.last]
    centre = upper.copy()
    centre[1:] += upper[:-1]
    centre -= total
    centre *= 0.5
    return centre[column.group]


def divide_defined(numerator: Floats, variance_product: Floats) -> Floats:
    """Divide by the root of a product of variances; NaN where a variance is 0."""
    result = np.full_like(numerator, np.nan)
    np.divide(numerator, np.sqrt(variance_product), out=result, where=variance_product > 0)
    return np.clip(result, -1.0, 1.0)


def weighted_spearman(
    predicted: Floats,
    gold: Floats,
    weights: Floats,
    sorted_predicted: list[SortedColumn] | None = None,
    sorted_gold: SortedColumn | None = None,
) -> Floats:
    """Return Spearman correlations of several models under many weightings of the same pairs.

    Args:
        predicted: similarities, shape (m, n).
        gold: scores, shape (n,).
        weights: shape (n, b), at least 0.
        sorted_predicted: the m rows of `predicted`, sorted (to sort once for many chunks).
        sorted_gold: `gold`, sorted.

    Returns:
        Correlations, shape (m, b); NaN where a weighting leaves no variance.
    """
    rows = sorted_predicted or [sort_column(row) for row in predicted]
    total = weights.sum(axis=0)
    gold_ranks = centred_midranks(sorted_gold or sort_column(gold), weights, total)
    weighted_gold = weights * gold_ranks
    gold_variance = np.einsum("ij,ij->j", weighted_gold, gold_ranks)
    result = np.empty((len(rows), weights.shape[1]))
    for index, row in enumerate(rows):
        ranks = centred_midranks(row, weights, total)
        covariance = np.einsum("ij,ij->j", weighted_gold, ranks)
        variance = np.einsum("ij,ij,ij->j", weights, ranks, ranks)
        result[index] = divide_defined(covariance, variance * gold_variance)
    return result


def weighted_pearson(predicted: Floats, gold: Floats, weights: Floats) -> Floats:
    """Return Pearson correlations of several models under many weightings of the same pairs.

    Args:
        predicted: similarities, shape (m, n).
        gold: scores, shape (n,).
        weights: shape (n, b), at least 0.

    Returns:
        Correlations, shape (m, b); NaN where a weighting leaves no variance.
    """
    total = weights.sum(axis=0)
    x = predicted - predicted.mean(axis=1, keepdims=True)
    y = gold - gold.mean()
    sum_x, sum_y = x @ weights, y @ weights
    raw_x, raw_y = (x * x) @ weights, (y * y) @ weights
    variance_x = raw_x - sum_x**2 / total
    variance_y = raw_y - sum_y**2 / total
    variance_x[variance_x <= RELATIVE_VARIANCE_FLOOR * raw_x] = 0.0
    variance_y[variance_y <= RELATIVE_VARIANCE_FLOOR * raw_y] = 0.0
    covariance = (x * y) @ weights - sum_x * sum_y / total
    return divide_defined(covariance, variance_x * variance_y)


def make_seed(seed: int, corpus: str, dimension: str) -> np.random.SeedSequence:
    """Derive the seed of the resamples of one corpus and dimension, the same for every model.

    Args:
        seed: the seed of the configuration, at least 0.
        corpus: name of the corpus.
        dimension: name of the dimension.

    Returns:
        The seed sequence.
    """
    name = hashlib.sha256(f"{corpus}\0{dimension}".encode()).digest()
    return np.random.SeedSequence([seed, int.from_bytes(name[:16], "big")])


def draw_weights(
    anchors: ArrayLike,
    resamples: int,
    seed: np.random.SeedSequence,
    chunk: int = RESAMPLES_PER_CHUNK,
) -> Iterator[Floats]:
    """Resample anchors with replacement and give the weight of each pair, chunk by chunk.

    Args:
        anchors: the anchor of each pair, shape (n,), any sortable type.
        resamples: how many resamples in all, at least 1.
        seed: from `make_seed`.
        chunk: resamples per yielded array; the draws do not depend on it.

    Yields:
        Weights, shape (n, at most `chunk`): how often the anchor of the pair was drawn.
    """
    _, code = np.unique(np.asarray(anchors), return_inverse=True)
    n_anchors = int(code.max()) + 1
    generator = np.random.default_rng(seed)
    for start in range(0, resamples, chunk):
        size = min(chunk, resamples - start)
        drawn = generator.integers(0, n_anchors, size=(size, n_anchors))
        drawn *= size
        drawn += np.arange(size)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=n_anchors * size)
        yield counts.reshape(n_anchors, size).astype(np.float64)[code]


@dataclass(frozen=True)
class Resampled:
    """Correlations over the resamples of one corpus and dimension.

    Attributes:
        spearman: shape (m, b), one row per model; NaN where undefined.
        pearson: shape (m, b), one row per model; NaN where undefined.
    """

    spearman: Floats
    pearson: Floats


def bootstrap_correlations(
    predicted: ArrayLike,
    gold: ArrayLike,
    anchors: ArrayLike,
    resamples: int,
    seed: np.random.SeedSequence,
    chunk: int = RESAMPLES_PER_CHUNK,
) -> Resampled:
    """Correlate several models with the scores over resamples of the anchors.

    Memory is bounded by the chunk: about 6 arrays of shape (n, chunk).

    Args:
        predicted: similarities, shape (m, n), finite; one row per model.
        gold: scores, shape (n,), finite, n at least 1.
        anchors: the anchor of each pair, shape (n,).
        resamples: number of resamples, at least 1.
        seed: from `make_seed`.
        chunk: resamples held at once.

    Returns:
        Both correlations, each of shape (m, resamples).
    """
    x = np.atleast_2d(np.asarray(predicted, dtype=np.float64))
    y = np.asarray(gold, dtype=np.float64)
    rows, sorted_gold = [sort_column(row) for row in x], sort_column(y)
    ranked, plain = [], []
    for weights in draw_weights(anchors, resamples, seed, chunk):
        ranked.append(weighted_spearman(x, y, weights, rows, sorted_gold))
        plain.append(weighted_pearson(x, y, weights))
    return Resampled(np.concatenate(ranked, axis=1), np.concatenate(plain, axis=1))


def percentile_interval(samples: ArrayLike, confidence: float) -> Interval:
    """Return the percentile interval of bootstrap samples.

    Args:
        samples: shape (b,); NaN where a resample is undefined.
        confidence: coverage, between 0 and 1 (0.95 for a 95 % interval).

    Returns:
        The interval, or NaN with the reason where too many resamples are undefined.
    """
    values = np.asarray(samples, dtype=np.float64)
    defined = values[np.isfinite(values)]
    if len(defined) < MINIMUM_DEFINED_SHARE * len(values) or not len(defined):
        return Interval(
            np.nan,
            np.nan,
            f"no interval: only {len(defined)} of {len(values)} resamples are defined",
        )
    tail = (1.0 - confidence) / 2.0
    low, high = np.quantile(defined, [tail, 1.0 - tail])
    return Interval(float(low), float(high))


def paired_p_value(difference: float, resampled_difference: ArrayLike) -> float:
    """Return the two-sided bootstrap p-value of a difference between two models.

    The resampled differences, shifted to have the null's centre 0, are compared with the observed
    one: p = (k + 1) / (b + 1), k being the resamples that stray from the observed difference by at
    least its own size (Efron and Tibshirani 1993, chapter 16; the added ones keep p above 0).
    Undefined resamples count as straying, which errs on the side of no difference.

    Args:
        difference: observed difference, finite.
        resampled_difference: differences over the shared resamples, shape (b,).

    Returns:
        The p-value, above 0 and at most 1.
    """
    stray = np.abs(np.asarray(resampled_difference, dtype=np.float64) - difference)
    k = np.count_nonzero(~(stray < abs(difference)))
    return (k + 1) / (len(stray) + 1)


def benjamini_hochberg(p_values: ArrayLike) -> Floats:
    """Adjust a family of p-values for the false discovery rate (Benjamini and Hochberg 1995).

    Args:
        p_values: shape (k,), 0 to 1; NaN where a comparison is undefined.

    Returns:
        Adjusted p-values, shape (k,); NaN where the p-value is NaN, which then does not count.
    """
    raw = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(raw.shape, np.nan)
    defined = np.isfinite(raw)
    if defined.any():
        adjusted[defined] = multipletests(raw[defined], method="fdr_bh")[1]
    return adjusted
