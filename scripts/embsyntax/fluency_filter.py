"""A limit on the perplexity ratio: set on one half of judged outputs, measured on the other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class FilterEffect:
    """What a limit on the perplexity ratio does to judged outputs.

    Attributes:
        threshold: outputs with a ratio up to it are kept; infinite keeps all.
        n: judged outputs.
        n_kept: how many of them are kept.
        share_good: share of good ones among all, 0-1; NaN without any.
        share_good_kept: share of good ones among the kept, 0-1; NaN without any.
    """

    threshold: float
    n: int
    n_kept: int
    share_good: float
    share_good_kept: float

    @property
    def share_kept(self) -> float:
        """Share that is kept, 0-1: what the filter costs in yield; NaN without any output."""
        return self.n_kept / self.n if self.n else np.nan


def choose_half(ids: Sequence[str], seed: int) -> NDArray[np.bool_]:
    """Say which outputs belong to the half that the limit is set on; by their id, not their order.

    Args:
        ids: of the judged outputs, unique.
        seed: of the division.

    Returns:
        Shape (ids,): True for the half that the limit is set on, of n // 2 outputs.
    """
    order = np.argsort(
        [hashlib.sha256(f"{seed} {identifier}".encode()).hexdigest() for identifier in ids]
    )
    chosen = np.zeros(len(ids), dtype=bool)
    chosen[order[: len(ids) // 2]] = True
    return chosen


def fit_threshold(ratios: ArrayLike, is_good: ArrayLike, target: float) -> FilterEffect:
    """Find the limit that keeps most outputs while the share of good ones reaches a target.

    Args:
        ratios: perplexity ratios of judged outputs, shape (n,), finite.
        is_good: their verdicts, shape (n,).
        target: share of good ones among the kept, 0-1.

    Returns:
        The limit and its effect on these outputs. Without any that reaches the target: the limit
        with the highest share, and of several such the one that keeps most.

    Raises:
        ValueError: if the shapes differ or there is no output.
    """
    ratios, is_good = _check_judged(ratios, is_good)
    if not len(ratios):
        raise ValueError("no judged output to set a limit on")
    limits = np.unique(ratios)
    kept = np.searchsorted(np.sort(ratios), limits, side="right")
    good = np.searchsorted(np.sort(ratios[is_good]), limits, side="right")
    shares = good / kept
    reaching = np.flatnonzero(shares >= target)
    best = reaching[-1] if len(reaching) else np.flatnonzero(shares == shares.max())[-1]
    # The limit that keeps all of these outputs is no limit.
    threshold = np.inf if best == len(limits) - 1 else float(limits[best])
    return measure_filter(ratios, is_good, threshold)


def measure_filter(ratios: ArrayLike, is_good: ArrayLike, threshold: float) -> FilterEffect:
    """Measure what a limit does to judged outputs, best to those that it was not set on.

    Args:
        ratios: perplexity ratios, shape (n,), finite.
        is_good: verdicts, shape (n,).
        threshold: the limit.

    Returns:
        The effect.

    Raises:
        ValueError: if the shapes differ.
    """
    ratios, is_good = _check_judged(ratios, is_good)
    kept = ratios <= threshold
    return FilterEffect(
        threshold=threshold,
        n=len(ratios),
        n_kept=int(kept.sum()),
        share_good=float(is_good.mean()) if len(ratios) else np.nan,
        share_good_kept=float(is_good[kept].mean()) if kept.any() else np.nan,
    )


def _check_judged(
    ratios: ArrayLike, is_good: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    ratios = np.asarray(ratios, dtype=np.float64)
    is_good = np.asarray(is_good, dtype=bool)
    if ratios.shape != is_good.shape or ratios.ndim != 1:
        raise ValueError(
            f"shapes {ratios.shape} and {is_good.shape}; need two columns of one length"
        )
    if not np.isfinite(ratios).all():
        raise ValueError("a perplexity ratio is not finite")
    return ratios, is_good
