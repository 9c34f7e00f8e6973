"""Score models on pairs, and compare them with each other: tidy frames of values 0-1.

Spearman and Pearson of the cosine against the score (Zhang et al. 2023, table 4, reports Spearman),
with intervals clustered by anchor, the tie ceiling, and paired bootstrap comparisons whose p-values
are corrected for the false discovery rate over all model pairs of a corpus and dimension.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from embsyntax import stats
from embsyntax.jobs import InputError

AVERAGE = "average"
"""Name of the corpus that stands for the unweighted mean over the corpora of a suite."""

SPEARMAN, PEARSON, TIE_CEILING = "spearman", "pearson", "tie_ceiling"

SCORE_COLUMNS = [
    "corpus",
    "dimension",
    "model",
    "metric",
    "value",
    "ci_low",
    "ci_high",
    "n",
    "n_anchors",
    "resamples",
    "reason",
]

COMPARISON_COLUMNS = [
    "corpus",
    "dimension",
    "model",
    "other_model",
    "metric",
    "difference",
    "ci_low",
    "ci_high",
    "p_value",
    "p_adjusted",
    "is_significant",
    "n",
    "n_anchors",
    "resamples",
    "reason",
]

NO_INTERVAL_FOR_CEILING = "no interval: a property of the scores, not of a model"

EXAMPLES_SHOWN = 3


@dataclass(frozen=True)
class ScoreSettings:
    """Every number that changes a score.

    Attributes:
        resamples: bootstrap resamples, at least 1.
        confidence: coverage of the intervals, between 0 and 1.
        seed: seed of the resamples, at least 0.
        false_discovery_rate: level of the comparisons, between 0 and 1.
        cosine_decimals: decimals that similarities are rounded to before they are ranked.
    """

    resamples: int
    confidence: float
    seed: int
    false_discovery_rate: float
    cosine_decimals: int


def list_examples(values: Sequence[str]) -> str:
    """Name the first few values, and how many more there are."""
    shown = ", ".join(str(value) for value in values[:EXAMPLES_SHOWN])
    more = len(values) - EXAMPLES_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def join_similarities(
    pairs: pd.DataFrame, similarities: pd.DataFrame, model: str, cosine_decimals: int
) -> pd.DataFrame:
    """Put the similarities of a model beside the pairs, in the order of the pairs.

    Args:
        pairs: columns `pair_id, corpus, dimension, anchor_id, score` (0-1, NaN if unscored).
        similarities: columns `pair_id, similarity`, one row per pair in any order.
        model: id of the model, for messages.
        cosine_decimals: decimals that similarities are rounded to, which settles ties.

    Returns:
        The pairs with the column `similarity`.

    Raises:
        InputError: if a column is missing, a pair is missing, unknown or given twice, or a
            similarity is not a finite number.
    """
    for name, frame, needed in (
        ("pairs", pairs, ["pair_id", "corpus", "dimension", "anchor_id", "score"]),
        (f"similarities of {model}", similarities, ["pair_id", "similarity"]),
    ):
        missing = [column for column in needed if column not in frame.columns]
        if missing:
            raise InputError(
                f"the {name} lack the column(s) {', '.join(missing)}; they have "
                f"{', '.join(map(str, frame.columns))}"
            )
    advice = "make the similarities of this model again from the same pairs"
    repeated = similarities.loc[similarities["pair_id"].duplicated(), "pair_id"]
    if len(repeated):
        raise InputError(
            f"model {model}: {len(repeated)} pair(s) have two similarities "
            f"({list_examples(list(repeated))}); {advice}"
        )
    column = similarities.set_index("pair_id")["similarity"]
    absent = pairs.loc[~pairs["pair_id"].isin(column.index), "pair_id"]
    unknown = column.index[~column.index.isin(pairs["pair_id"])]
    if len(absent) or len(unknown):
        named = list_examples(list(absent) if len(absent) else list(unknown))
        raise InputError(
            f"model {model}: {len(absent)} of {len(pairs)} pairs have no similarity and "
            f"{len(unknown)} similarities belong to no pair ({named}); {advice}"
        )
    values = pairs["pair_id"].map(column).to_numpy(dtype=np.float64)
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise InputError(
            f"model {model}: {len(bad)} similarities are not finite numbers "
            f"({list_examples(list(pairs['pair_id'].iloc[bad]))}); {advice}"
        )
    # Adding 0 turns -0.0 into 0.0, so that both rank and print alike.
    return pairs.assign(similarity=np.round(values, cosine_decimals) + 0.0)


def split_cells(pairs: pd.DataFrame) -> dict[str, dict[str, pd.DataFrame]]:
    """Cut pairs into cells of one corpus and dimension; unscored pairs are left out.

    Args:
        pairs: columns `corpus, dimension, score` and any others.

    Returns:
        Dimension -> corpus -> its scored pairs, each in the order of the pairs. A cell all of whose
        pairs are unscored is there, with no rows.
    """
    cells: dict[str, dict[str, pd.DataFrame]] = {}
    for dimension in pairs["dimension"].unique():
        part = pairs[pairs["dimension"] == dimension]
        cells[str(dimension)] = {
            str(corpus): part[(part["corpus"] == corpus) & part["score"].notna()]
            for corpus in part["corpus"].unique()
        }
    return cells


def average_estimates(estimates: Mapping[str, stats.Estimate]) -> stats.Estimate:
    """Return the unweighted mean over corpora; undefined when any of them is.

    Args:
        estimates: corpus -> estimate, at least one.

    Returns:
        The mean, or NaN with the names of the corpora that have no value.
    """
    undefined = [corpus for corpus, estimate in estimates.items() if estimate.reason]
    if undefined:
        return stats.Estimate(np.nan, f"undefined for {', '.join(undefined)}")
    return stats.Estimate(float(np.mean([estimate.value for estimate in estimates.values()])))


def estimate_interval(
    estimate: stats.Estimate, samples: np.ndarray | None, n_anchors: int, confidence: float
) -> stats.Interval:
    """Return the interval of an estimate, undefined where the estimate is."""
    if estimate.reason or samples is None:
        return stats.Interval(np.nan, np.nan, estimate.reason)
    if n_anchors < stats.MINIMUM_PAIRS:
        reason = f"no interval: fewer than {stats.MINIMUM_PAIRS} anchors ({n_anchors})"
        return stats.Interval(np.nan, np.nan, reason)
    return stats.percentile_interval(samples, confidence)


def score_cells(
    cells: Mapping[str, pd.DataFrame], dimension: str, model: str, settings: ScoreSettings
) -> list[dict[str, object]]:
    """Score one model on the corpora of one dimension, and their average.

    Args:
        cells: corpus -> its scored pairs with similarities.
        dimension: name of the dimension.
        model: id of the model.
        settings: the numbers of the bootstrap.

    Returns:
        One record per corpus (and the average, if there are two corpora or more) and metric.
    """
    found: dict[str, dict[str, stats.Estimate]] = {SPEARMAN: {}, PEARSON: {}, TIE_CEILING: {}}
    samples: dict[str, dict[str, np.ndarray | None]] = {SPEARMAN: {}, PEARSON: {}}
    counts: dict[str, tuple[int, int]] = {}
    for corpus, cell in cells.items():
        predicted = cell["similarity"].to_numpy(dtype=np.float64)
        gold = cell["score"].to_numpy(dtype=np.float64)
        anchors = cell["anchor_id"].to_numpy()
        counts[corpus] = (len(cell), cell["anchor_id"].nunique())
        found[SPEARMAN][corpus] = stats.spearman(predicted, gold)
        found[PEARSON][corpus] = stats.pearson(predicted, gold)
        found[TIE_CEILING][corpus] = stats.tie_ceiling(gold)
        resampled = None
        if not found[SPEARMAN][corpus].reason:
            seed = stats.make_seed(settings.seed, corpus, dimension)
            resampled = stats.bootstrap_correlations(
                predicted, gold, anchors, settings.resamples, seed
            )
        samples[SPEARMAN][corpus] = resampled.spearman[0] if resampled else None
        samples[PEARSON][corpus] = resampled.pearson[0] if resampled else None
    if len(cells) > 1:
        for metric, estimates in found.items():
            estimates[AVERAGE] = average_estimates(dict(estimates))
            if metric in samples and not estimates[AVERAGE].reason:
                samples[metric][AVERAGE] = np.mean([samples[metric][name] for name in cells], axis=0)
        counts[AVERAGE] = (
            sum(n for n, _ in counts.values()),
            min(n_anchors for _, n_anchors in counts.values()),
        )
    records = []
    total_anchors = sum(counts[corpus][1] for corpus in cells)
    for corpus, (n, n_anchors) in counts.items():
        for metric, estimates in found.items():
            estimate = estimates[corpus]
            if metric == TIE_CEILING:
                reason = estimate.reason or NO_INTERVAL_FOR_CEILING
                interval = stats.Interval(np.nan, np.nan, reason)
            else:
                interval = estimate_interval(
                    estimate, samples[metric].get(corpus), n_anchors, settings.confidence
                )
            records.append(
                {
                    "corpus": corpus,
                    "dimension": dimension,
                    "model": model,
                    "metric": metric,
                    "value": estimate.value,
                    "ci_low": interval.low,
                    "ci_high": interval.high,
                    "n": n,
                    "n_anchors": total_anchors if corpus == AVERAGE else n_anchors,
                    "resamples": 0 if np.isnan(interval.low) else settings.resamples,
                    "reason": interval.reason,
                }
            )
    return records


def refuse_reserved_corpus(pairs: pd.DataFrame) -> None:
    """Refuse a corpus whose name is kept for the mean over corpora.

    Raises:
        InputError: if a corpus is called `average`.
    """
    if AVERAGE in set(pairs["corpus"]):
        raise InputError(
            f"a corpus is called {AVERAGE!r}, which is the name of the mean over corpora; "
            "give it another name in the table of corpora"
        )


def score_pairs(
    pairs: pd.DataFrame, similarities: pd.DataFrame, model: str, settings: ScoreSettings
) -> pd.DataFrame:
    """Score one model on every corpus and dimension of a suite.

    Args:
        pairs: columns `pair_id, corpus, dimension, anchor_id, score` (0-1, NaN if unscored).
        similarities: columns `pair_id, similarity`.
        model: id of the model.
        settings: the numbers of the bootstrap.

    Returns:
        A tidy frame with `SCORE_COLUMNS`. The average stands after the corpora of its dimension;
        its `n` and `n_anchors` are sums, and its interval comes from the joint resamples.

    Raises:
        InputError: if the similarities do not fit the pairs.
    """
    refuse_reserved_corpus(pairs)
    joined = join_similarities(pairs, similarities, model, settings.cosine_decimals)
    records = []
    for dimension, cells in split_cells(joined).items():
        records += score_cells(cells, dimension, model, settings)
    return pd.DataFrame(records, columns=SCORE_COLUMNS)


def compare_cell(
    estimates: Mapping[str, stats.Estimate],
    samples: Mapping[str, np.ndarray],
    settings: ScoreSettings,
) -> list[dict[str, object]]:
    """Compare every two models on one corpus and dimension.

    Args:
        estimates: model -> Spearman correlation.
        samples: model -> its values over the shared resamples, for the defined estimates.
        settings: the numbers of the comparison.

    Returns:
        One record per pair of models, the better one first (by order of the models if equal).
    """
    records = []
    for first, second in combinations(estimates, 2):
        undefined = [name for name in (first, second) if estimates[name].reason]
        record: dict[str, object] = {
            "model": first,
            "other_model": second,
            "metric": SPEARMAN,
            "difference": np.nan,
            "ci_low": np.nan,
            "ci_high": np.nan,
            "p_value": np.nan,
            "resamples": 0,
            "reason": "; ".join(f"{name}: {estimates[name].reason}" for name in undefined),
        }
        if not undefined:
            better, worse = first, second
            if estimates[second].value > estimates[first].value:
                better, worse = second, first
            difference = estimates[better].value - estimates[worse].value
            resampled = samples[better] - samples[worse]
            interval = stats.percentile_interval(resampled, settings.confidence)
            record |= {
                "model": better,
                "other_model": worse,
                "difference": difference,
                "ci_low": interval.low,
                "ci_high": interval.high,
                "p_value": stats.paired_p_value(difference, resampled),
                "resamples": settings.resamples,
                "reason": interval.reason,
            }
        records.append(record)
    adjusted = stats.benjamini_hochberg([record["p_value"] for record in records])
    for record, p_adjusted in zip(records, adjusted, strict=True):
        record["p_adjusted"] = p_adjusted
        record["is_significant"] = bool(p_adjusted <= settings.false_discovery_rate)
    return records


def compare_models(
    pairs: pd.DataFrame, similarities: Mapping[str, pd.DataFrame], settings: ScoreSettings
) -> pd.DataFrame:
    """Compare every two models on every corpus and dimension of a suite by Spearman correlation.

    Models share the resamples, so differences are paired. P-values are corrected over all pairs of
    models within a corpus and dimension; the average over corpora is a family of its own.

    Args:
        pairs: columns `pair_id, corpus, dimension, anchor_id, score`.
        similarities: model -> columns `pair_id, similarity`.
        settings: the numbers of the bootstrap and of the comparison.

    Returns:
        A tidy frame with `COMPARISON_COLUMNS`; no rows when there is one model.

    Raises:
        InputError: if the similarities of a model do not fit the pairs.
    """
    refuse_reserved_corpus(pairs)
    names = list(similarities)
    table = pd.DataFrame(
        {
            name: join_similarities(pairs, frame, name, settings.cosine_decimals)["similarity"]
            for name, frame in similarities.items()
        }
    )
    records: list[dict[str, object]] = []
    for dimension, cells in split_cells(pairs).items():
        estimates: dict[str, dict[str, stats.Estimate]] = {}
        samples: dict[str, dict[str, np.ndarray]] = {}
        counts: dict[str, tuple[int, int]] = {}
        for corpus, cell in cells.items():
            predicted = table.loc[cell.index].to_numpy(dtype=np.float64).T
            gold = cell["score"].to_numpy(dtype=np.float64)
            counts[corpus] = (len(cell), cell["anchor_id"].nunique())
            estimates[corpus] = {
                name: stats.spearman(row, gold) for name, row in zip(names, predicted, strict=True)
            }
            defined = [index for index, name in enumerate(names) if not estimates[corpus][name].reason]
            samples[corpus] = {}
            if len(defined) > 1:
                resampled = stats.bootstrap_correlations(
                    predicted[defined],
                    gold,
                    cell["anchor_id"].to_numpy(),
                    settings.resamples,
                    stats.make_seed(settings.seed, corpus, dimension),
                ).spearman
                samples[corpus] = {
                    names[index]: row for index, row in zip(defined, resampled, strict=True)
                }
        if len(cells) > 1:
            estimates[AVERAGE] = {
                name: average_estimates({corpus: estimates[corpus][name] for corpus in cells})
                for name in names
            }
            samples[AVERAGE] = {
                name: np.mean([samples[corpus][name] for corpus in cells], axis=0)
                for name in names
                if all(name in samples[corpus] for corpus in cells)
            }
            counts[AVERAGE] = tuple(np.sum(list(counts.values()), axis=0).tolist())
        for corpus, (n, n_anchors) in counts.items():
            keys = {"corpus": corpus, "dimension": dimension, "n": n, "n_anchors": n_anchors}
            records += [
                keys | record
                for record in compare_cell(estimates[corpus], samples[corpus], settings)
            ]
    return pd.DataFrame(records, columns=COMPARISON_COLUMNS)


def rank_groups(scores: pd.DataFrame, comparisons: pd.DataFrame) -> pd.Series:
    """Return the rank group of each score: 1 + the number of significantly better models.

    Args:
        scores: columns `corpus, dimension, model, value`; Spearman rows only.
        comparisons: from `compare_models`, the better model in `model`.

    Returns:
        Nullable integers with the index of `scores`; missing where the score is undefined.
    """
    lost = comparisons[comparisons["is_significant"].astype(bool)]
    keys = zip(lost["corpus"], lost["dimension"], lost["other_model"], strict=True)
    losses = pd.Series(list(keys), dtype=object).value_counts().to_dict()
    groups = [
        pd.NA if np.isnan(value) else 1 + int(losses.get((corpus, dimension, model), 0))
        for corpus, dimension, model, value in zip(
            scores["corpus"], scores["dimension"], scores["model"], scores["value"], strict=True
        )
    ]
    return pd.Series(groups, index=scores.index, dtype="Int64")
