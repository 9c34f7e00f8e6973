"""Structure against relation: how often a model puts the reworded sentence above the changed one.

For an anchor with a structure pair (form changes, meaning stays) and a relation pair (words stay,
meaning changes) a model that knows syntax finds the first more similar. The share of such
comparisons that a model gets right is the area under the ROC curve of that anchor, and needs no
scores: it stands beside Spearman wherever scores are constant per rule.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from embsyntax import stats
from embsyntax.scores import (
    AVERAGE,
    SCORE_COLUMNS,
    ScoreSettings,
    average_estimates,
    join_similarities,
)

AUC = "auc"
"""Area under the ROC curve of structure against relation within an anchor: 0.5 is chance."""

CONTRAST = "structure_over_relation"
"""What stands for the dimension in the rows of this module."""


def anchor_areas(pairs: pd.DataFrame) -> pd.Series:
    """Return the AUC of structure against relation for each anchor that has both.

    Args:
        pairs: columns `anchor_id, dimension, similarity`.

    Returns:
        AUC (0-1, a tie counts one half) by `anchor_id`, sorted.
    """
    sides = {
        dimension: pairs.loc[pairs["dimension"] == dimension, ["anchor_id", "similarity"]]
        for dimension in ("structure", "relation")
    }
    both = sides["structure"].merge(sides["relation"], on="anchor_id", suffixes=("", "_relation"))
    difference = both["similarity"] - both["similarity_relation"]
    wins = (np.sign(difference) + 1) / 2
    return wins.groupby(both["anchor_id"]).mean().sort_index()


def score_contrast(
    pairs: pd.DataFrame, similarities: pd.DataFrame, model: str, settings: ScoreSettings
) -> pd.DataFrame:
    """Score one model by the mean AUC over anchors, corpus by corpus.

    Args:
        pairs: columns `pair_id, corpus, dimension, anchor_id, score`.
        similarities: columns `pair_id, similarity`.
        model: id of the model.
        settings: the numbers of the bootstrap; anchors are drawn anew.

    Returns:
        A tidy frame with `SCORE_COLUMNS`, metric `auc`, `n` = comparisons; the unweighted average
        over corpora comes last. Undefined, with a reason, where no anchor has both kinds.

    Raises:
        InputError: if the similarities do not fit the pairs.
    """
    joined = join_similarities(pairs, similarities, model, settings.cosine_decimals)
    estimates: dict[str, stats.Estimate] = {}
    samples: dict[str, np.ndarray] = {}
    records = []
    seeds = np.random.SeedSequence(settings.seed)
    corpora = list(dict.fromkeys(joined["corpus"]))
    for corpus, seed in zip(corpora, seeds.spawn(len(corpora)), strict=True):
        cell = joined[joined["corpus"] == corpus]
        areas = anchor_areas(cell)
        n_anchors = len(areas)
        sizes = cell[cell["anchor_id"].isin(areas.index)].groupby(["anchor_id", "dimension"]).size()
        sizes = sizes.unstack(fill_value=0)
        n = int((sizes["structure"] * sizes["relation"]).sum()) if n_anchors else 0
        if n_anchors:
            estimates[corpus] = stats.Estimate(float(areas.mean()))
            generator = np.random.default_rng(seed)
            weights = generator.multinomial(
                n_anchors, np.full(n_anchors, 1 / n_anchors), size=settings.resamples
            )
            samples[corpus] = weights @ areas.to_numpy() / n_anchors
        else:
            estimates[corpus] = stats.Estimate(
                np.nan, "no sentence has both a structure and a relation pair"
            )
        records.append((corpus, estimates[corpus], n, n_anchors))
    if len(corpora) > 1:
        average = average_estimates(estimates)
        if not average.reason:
            samples[AVERAGE] = np.mean([samples[corpus] for corpus in corpora], axis=0)
        records.append((AVERAGE, average, sum(r[2] for r in records), sum(r[3] for r in records)))
    rows = []
    for corpus, estimate, n, n_anchors in records:
        interval = (
            stats.percentile_interval(samples[corpus], settings.confidence)
            if corpus in samples
            else stats.Interval(np.nan, np.nan, estimate.reason)
        )
        rows.append(
            {
                "corpus": corpus,
                "dimension": CONTRAST,
                "model": model,
                "metric": AUC,
                "value": estimate.value,
                "ci_low": interval.low,
                "ci_high": interval.high,
                "n": n,
                "n_anchors": n_anchors,
                "resamples": settings.resamples if corpus in samples else 0,
                "reason": interval.reason,
            }
        )
    return pd.DataFrame(rows, columns=SCORE_COLUMNS)
