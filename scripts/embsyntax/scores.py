"""Score models on pairs, and compare them with each other: tidy frames of values 0-1.

Spearman and Pearson of the cosine against the score (Zhang et al. 2023, table 4, reports Spearman),
with intervals clustered by anchor, the tie ceiling, and paired bootstrap comparisons whose p-values
are corrected for the false discovery rate over all model pairs of a corpus and dimension.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

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
        cosine_decimals: decimals that similarities are rounded to before they are ranked.
    """

    resamples: int
    confidence: float
    seed: int
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
    # Not by isin, which takes seconds for the half million pairs of the passages.
    found = column.index.get_indexer(pairs["pair_id"])
    absent = pairs.loc[found < 0, "pair_id"]
    unknown = column.index[~np.isin(np.arange(len(column)), found)]
    if len(absent) or len(unknown):
        named = list_examples(list(absent) if len(absent) else list(unknown))
        raise InputError(
            f"model {model}: {len(absent)} of {len(pairs)} pairs have no similarity and "
            f"{len(unknown)} similarities belong to no pair ({named}); {advice}"
        )
    values = column.to_numpy(dtype=np.float64)[found]
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise InputError(
            f"model {model}: {len(bad)} similarities are not finite numbers "
            f"({list_examples(list(pairs['pair_id'].iloc[bad]))}); {advice}"
        )
    # Adding 0 turns -0.0 into 0.0, so that both rank and print alike.
    return pairs.assign(similarity=np.round(values, cosine_decimals) + 0.0)


@dataclass(frozen=True)
class Cell:
    """The correlations of several models on one corpus and dimension, or on an average of corpora.

    Attributes:
        n: scored pairs.
        n_anchors: different anchors.
        estimates: metric -> model -> its correlation.
        samples: metric -> model -> its values over the resamples, shape (b,); a model whose
            estimate is undefined, or every model where there are too few anchors, is not in it.
        ceiling: tie ceiling of the scores.
        no_samples: why a defined estimate has no samples; empty otherwise.
    """

    n: int
    n_anchors: int
    estimates: dict[str, dict[str, stats.Estimate]]
    samples: dict[str, dict[str, np.ndarray]]
    ceiling: stats.Estimate
    no_samples: str = ""

    def interval(self, metric: str, model: str, confidence: float) -> stats.Interval:
        """Return the percentile interval of a model, or why there is none."""
        if self.estimates[metric][model].reason:
            return stats.Interval(np.nan, np.nan, self.estimates[metric][model].reason)
        if model not in self.samples[metric]:
            return stats.Interval(np.nan, np.nan, f"no interval: {self.no_samples}")
        return stats.percentile_interval(self.samples[metric][model], confidence)


def correlate_cell(
    cell: pd.DataFrame, predicted: pd.DataFrame, seed: np.random.SeedSequence, resamples: int
) -> Cell:
    """Correlate the similarities of several models with the scores of one cell.

    Args:
        cell: the scored pairs, columns `anchor_id, score`, n rows.
        predicted: one column of similarities per model, n rows.
        seed: of the resamples.
        resamples: how many resamples.

    Returns:
        The correlations and their resamples.
    """
    gold = cell["score"].to_numpy(dtype=np.float64)
    values = predicted.to_numpy(dtype=np.float64).T
    models = list(predicted.columns)
    n_anchors = int(cell["anchor_id"].nunique())
    estimates = {
        SPEARMAN: {name: stats.spearman(x, gold) for name, x in zip(models, values, strict=True)},
        PEARSON: {name: stats.pearson(x, gold) for name, x in zip(models, values, strict=True)},
    }
    defined = [k for k, name in enumerate(models) if not estimates[SPEARMAN][name].reason]
    samples: dict[str, dict[str, np.ndarray]] = {SPEARMAN: {}, PEARSON: {}}
    no_samples = ""
    if n_anchors < stats.MINIMUM_PAIRS:
        no_samples = f"fewer than {stats.MINIMUM_PAIRS} anchors ({n_anchors})"
    elif defined:
        drawn = stats.bootstrap_correlations(
            values[defined], gold, cell["anchor_id"].to_numpy(), resamples, seed
        )
        for metric, rows in ((SPEARMAN, drawn.spearman), (PEARSON, drawn.pearson)):
            samples[metric] = {models[k]: row for k, row in zip(defined, rows, strict=True)}
    return Cell(len(cell), n_anchors, estimates, samples, stats.tie_ceiling(gold), no_samples)


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


def average_cells(cells: Mapping[str, Cell], models: Sequence[str]) -> Cell:
    """Average corpora without weights; resample b of the average is the mean of their resamples b.

    Args:
        cells: corpus -> its correlations.
        models: ids of the models.

    Returns:
        The average; its counts are sums.
    """
    estimates = {
        metric: {
            name: average_estimates({c: cell.estimates[metric][name] for c, cell in cells.items()})
            for name in models
        }
        for metric in (SPEARMAN, PEARSON)
    }
    samples = {
        metric: {
            name: np.mean([cell.samples[metric][name] for cell in cells.values()], axis=0)
            for name in models
            if all(name in cell.samples[metric] for cell in cells.values())
        }
        for metric in (SPEARMAN, PEARSON)
    }
    return Cell(
        n=sum(cell.n for cell in cells.values()),
        n_anchors=sum(cell.n_anchors for cell in cells.values()),
        estimates=estimates,
        samples=samples,
        ceiling=average_estimates({corpus: cell.ceiling for corpus, cell in cells.items()}),
        no_samples="; ".join(
            f"{c}: {cell.no_samples}" for c, cell in cells.items() if cell.no_samples
        ),
    )


def correlate_suite(
    pairs: pd.DataFrame, predicted: pd.DataFrame, settings: ScoreSettings
) -> dict[tuple[str, str], Cell]:
    """Correlate the similarities of several models with the scores of a suite, cell by cell.

    Unscored pairs are left out; a cell all of whose pairs are unscored is undefined, not absent.

    Args:
        pairs: columns `corpus, dimension, anchor_id, score`.
        predicted: one column of similarities per model, with the index of `pairs`.
        settings: the numbers of the bootstrap.

    Returns:
        (corpus, dimension) -> correlations, in the order of the pairs. The average follows the
        corpora of its dimension where there are two or more.

    Raises:
        InputError: if a corpus is called `average`.
    """
    if AVERAGE in set(pairs["corpus"]):
        raise InputError(
            f"a corpus is called {AVERAGE!r}, which is the name of the mean over corpora; "
            "give it another name in the table of corpora"
        )
    found: dict[tuple[str, str], Cell] = {}
    for dimension in pairs["dimension"].unique():
        part = pairs[pairs["dimension"] == dimension]
        cells = {}
        for corpus in part["corpus"].unique():
            cell = part[(part["corpus"] == corpus) & part["score"].notna()]
            seed = stats.make_seed(settings.seed, str(corpus), str(dimension))
            cells[str(corpus)] = correlate_cell(
                cell, predicted.loc[cell.index], seed, settings.resamples
            )
        if len(cells) > 1:
            cells[AVERAGE] = average_cells(dict(cells), list(predicted.columns))
        found |= {(corpus, str(dimension)): cell for corpus, cell in cells.items()}
    return found


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
    joined = join_similarities(pairs, similarities, model, settings.cosine_decimals)
    records = []
    for (corpus, dimension), cell in correlate_suite(
        pairs, joined[["similarity"]].set_axis([model], axis=1), settings
    ).items():
        rows = [
            (
                metric,
                cell.estimates[metric][model],
                cell.interval(metric, model, settings.confidence),
            )
            for metric in (SPEARMAN, PEARSON)
        ]
        no_interval = cell.ceiling.reason or NO_INTERVAL_FOR_CEILING
        rows.append((TIE_CEILING, cell.ceiling, stats.Interval(np.nan, np.nan, no_interval)))
        records += [
            {
                "corpus": corpus,
                "dimension": dimension,
                "model": model,
                "metric": metric,
                "value": estimate.value,
                "ci_low": interval.low,
                "ci_high": interval.high,
                "n": cell.n,
                "n_anchors": cell.n_anchors,
                "resamples": 0 if np.isnan(interval.low) else settings.resamples,
                "reason": interval.reason,
            }
            for metric, estimate, interval in rows
        ]
    return pd.DataFrame(records, columns=SCORE_COLUMNS)


def compare_two(cell: Cell, first: str, second: str, settings: ScoreSettings) -> dict[str, object]:
    """Compare two models on one cell by Spearman correlation.

    Args:
        cell: correlations with shared resamples.
        first: id of a model.
        second: id of another model.
        settings: the numbers of the bootstrap.

    Returns:
        A record without the corrected p-value; the better model stands in `model`.
    """
    estimates, samples = cell.estimates[SPEARMAN], cell.samples[SPEARMAN]
    record: dict[str, object] = {
        "model": first,
        "other_model": second,
        "metric": SPEARMAN,
        "difference": np.nan,
        "ci_low": np.nan,
        "ci_high": np.nan,
        "p_value": np.nan,
        "n": cell.n,
        "n_anchors": cell.n_anchors,
        "resamples": 0,
    }
    undefined = [name for name in (first, second) if estimates[name].reason]
    if undefined:
        reasons = [f"{name}: {estimates[name].reason}" for name in undefined]
        return record | {"reason": "; ".join(reasons)}
    better, worse = first, second
    if estimates[second].value > estimates[first].value:
        better, worse = second, first
    record |= {
        "model": better,
        "other_model": worse,
        "difference": estimates[better].value - estimates[worse].value,
    }
    if better not in samples or worse not in samples:
        return record | {"reason": f"no comparison: {cell.no_samples}"}
    resampled = samples[better] - samples[worse]
    interval = stats.percentile_interval(resampled, settings.confidence)
    return record | {
        "ci_low": interval.low,
        "ci_high": interval.high,
        "p_value": stats.paired_p_value(float(record["difference"]), resampled),
        "resamples": settings.resamples,
        "reason": interval.reason,
    }


def compare_models(
    pairs: pd.DataFrame,
    similarities: Mapping[str, pd.DataFrame],
    settings: ScoreSettings,
    false_discovery_rate: float,
) -> pd.DataFrame:
    """Compare every two models on every corpus and dimension of a suite by Spearman correlation.

    Models share the resamples, so differences are paired. P-values are corrected over all pairs of
    models within a corpus and dimension; the average over corpora is a family of its own.

    Args:
        pairs: columns `pair_id, corpus, dimension, anchor_id, score`.
        similarities: model -> columns `pair_id, similarity`.
        settings: the numbers of the bootstrap.
        false_discovery_rate: level at which a corrected p-value is significant, between 0 and 1.

    Returns:
        A tidy frame with `COMPARISON_COLUMNS`; no rows when there is one model. `difference` is 0
        or more: the better model stands in `model`.

    Raises:
        InputError: if the similarities of a model do not fit the pairs.
    """
    predicted = pd.DataFrame(
        {
            name: join_similarities(pairs, frame, name, settings.cosine_decimals)["similarity"]
            for name, frame in similarities.items()
        }
    )
    records: list[dict[str, object]] = []
    for (corpus, dimension), cell in correlate_suite(pairs, predicted, settings).items():
        family = [
            compare_two(cell, first, second, settings)
            for first, second in combinations(similarities, 2)
        ]
        adjusted = stats.benjamini_hochberg([record["p_value"] for record in family])
        records += [
            {"corpus": corpus, "dimension": dimension}
            | record
            | {
                "p_adjusted": p_adjusted,
                "is_significant": bool(p_adjusted <= false_discovery_rate),
            }
            for record, p_adjusted in zip(family, adjusted, strict=True)
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


def read_scores(paths: Iterable[str | Path]) -> pd.DataFrame:
    """Read score tables and put them one below the other.

    Args:
        paths: files written from `score_pairs`, at least one.

    Returns:
        A frame with `SCORE_COLUMNS`; an empty number is NaN, an empty reason is `""`.

    Raises:
        InputError: if there is no file.
    """
    frames = [read_tidy(path) for path in paths]
    if not frames:
        raise InputError("nothing was scored; name at least one entry in `models` or `baselines`")
    return pd.concat(frames, ignore_index=True)


def read_comparisons(path: str | Path) -> pd.DataFrame:
    """Read a table of comparisons.

    Args:
        path: file written from `compare_models`.

    Returns:
        A frame with `COMPARISON_COLUMNS`; `is_significant` holds booleans.
    """
    return read_tidy(path)


def read_tidy(path: str | Path) -> pd.DataFrame:
    """Read a table of ours: names and reasons stay text, whatever they look like."""
    text = ["corpus", "dimension", "model", "other_model", "metric", "reason"]
    table = pd.read_csv(path, sep="\t", dtype=dict.fromkeys(text, str), keep_default_na=False)
    numbers = [name for name in table.columns if name not in [*text, "is_significant"]]
    table[numbers] = table[numbers].apply(pd.to_numeric)
    if "is_significant" in table:
        table["is_significant"] = table["is_significant"].astype(str) == "True"
    return table
