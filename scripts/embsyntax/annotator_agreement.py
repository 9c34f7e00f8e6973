"""How well an annotator agrees with people on STS-B test, and with itself when asked again.

The paper reports one number, the correlation of ChatGPT's scores with people's (section 3); it does
not say which correlation. The STS-B files hold the mean of people's scores only, not each person's,
so that agreement among people cannot be computed from them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embsyntax import stats
from embsyntax.claims import BUNDLED_DATA, DIFFERS, MATCHES, NOT_RUN
from embsyntax.jobs import InputError
from embsyntax.rubric import MAX_SCORE, MIN_SCORE
from embsyntax.tables import format_estimate, format_percent, markdown_table, note_paragraph

Floats = NDArray[np.float64]

SPEARMAN, PEARSON, KAPPA = "spearman", "pearson", "quadratic_kappa"

METRICS = (SPEARMAN, PEARSON, KAPPA)

PEOPLE, RETEST = "people", "itself"

AGREEMENT_TABLE_COLUMNS = (
    "annotator",
    "compared_with",
    "metric",
    "value",
    "ci_low",
    "ci_high",
    "n",
    "n_asked",
    "resamples",
    "published",
    "verdict",
    "reason",
)
"""Columns of the table; values 0-1, `n_asked` counts pairs, `n` those with all scores needed."""

NO_CLAIM = "nothing published to compare with"

WHICH_CORRELATION = "the paper does not say which correlation"

CLAIM = "annotator_agreement_stsb"
"""Row of config/published.tsv."""


@dataclass(frozen=True)
class AgreementSettings:
    """Every number that changes an agreement.

    Attributes:
        resamples: bootstrap resamples, at least 1.
        confidence: coverage of the intervals, between 0 and 1.
        seed: of the resamples.
        is_released_data: False when bundled data stand in for STS-B; then nothing is judged.
    """

    resamples: int
    confidence: float
    seed: int
    is_released_data: bool


def quadratic_kappa(first: Floats, second: Floats, weights: Floats) -> Floats:
    """Return Cohen's kappa with quadratic weights under many weightings of the same pairs.

    With squared distances, the disagreement that chance would give depends on means and variances
    alone: it is var(a) + var(b) + (mean(a) - mean(b))^2.

    Args:
        first: ratings by one, shape (n,), whole numbers.
        second: ratings by the other, shape (n,).
        weights: shape (n, b), at least 0, each column with a positive sum.

    Returns:
        Kappa, shape (b,), at most 1; NaN where both give one and the same rating throughout.
    """
    total = weights.sum(axis=0)

    def mean(values: Floats) -> Floats:
        return values @ weights / total

    observed = mean((first - second) ** 2)
    spread = sum(mean(rating**2) - mean(rating) ** 2 for rating in (first, second))
    expected = spread + (mean(first) - mean(second)) ** 2
    result = np.full_like(observed, np.nan)
    floor = stats.RELATIVE_VARIANCE_FLOOR * (mean(first**2) + mean(second**2))
    np.divide(observed, expected, out=result, where=expected > floor)
    return 1.0 - result


def round_to_rubric(scores: Floats) -> Floats:
    """Round mean scores to the nearest whole number, halves up: kappa needs categories."""
    return np.clip(np.floor(scores + 0.5), MIN_SCORE, MAX_SCORE)


def measure_agreement(
    answers: pd.DataFrame, published: Mapping[str, str] | None, settings: AgreementSettings
) -> pd.DataFrame:
    """Measure the agreement of one annotator with people and with itself.

    Args:
        answers: `embsyntax.annotation.AGREEMENT_COLUMNS`, one annotator, both runs.
        published: the row of the published numbers (value x100), or None.
        settings: resamples, confidence, seed.

    Returns:
        `AGREEMENT_TABLE_COLUMNS`, values 0-1: three metrics with people (first run), three with
        itself (first run against second).
    """
    annotator = answers["annotator"].iloc[0]
    first, second = (answers.loc[answers["run"] == run].set_index("pair_id") for run in (1, 2))
    scores = pd.DataFrame(
        {
            "anchor_id": first["anchor_id"],
            PEOPLE: first["human_score"].astype("float64"),
            "first": first["score"].astype("Float64"),
            RETEST: second["score"].astype("Float64").reindex(first.index),
        }
    )
    records = []
    for other in (PEOPLE, RETEST):
        both = scores[["anchor_id", "first", other]].dropna()
        for estimate in _compare(both["first"], both[other], both["anchor_id"], other, settings):
            record = {"annotator": annotator, "compared_with": other, "n": len(both), **estimate}
            record |= _judge(record, published, settings)
            records.append(record | {"n_asked": len(first), "resamples": settings.resamples})
    return pd.DataFrame(records, columns=list(AGREEMENT_TABLE_COLUMNS))


def tabulate_agreement(
    answers: Sequence[pd.DataFrame],
    published: Mapping[str, str] | None,
    settings: AgreementSettings,
) -> pd.DataFrame:
    """Measure the agreement of each annotator.

    Args:
        answers: a frame per annotator, as in `measure_agreement`.
        published: the row of the published numbers, or None.
        settings: resamples, confidence, seed.

    Returns:
        `AGREEMENT_TABLE_COLUMNS`, annotator by annotator.

    Raises:
        InputError: if there is no annotator.
    """
    if not answers:
        raise InputError(
            "config key sr/annotators names no language model, so there is no agreement to "
            "measure; name one of the config key 'annotators'."
        )
    tables = [measure_agreement(frame, published, settings) for frame in answers]
    return pd.concat(tables, ignore_index=True)


def _compare(
    given: pd.Series, other: pd.Series, anchors: pd.Series, name: str, settings: AgreementSettings
) -> list[dict[str, object]]:
    x, y = given.to_numpy(np.float64), other.to_numpy(np.float64)
    reason = stats.explain_undefined(x, y)
    if reason:
        nothing = dict.fromkeys(("value", "ci_low", "ci_high"), math.nan)
        return [{"metric": metric, **nothing, "reason": reason} for metric in METRICS]
    seed = stats.make_seed(settings.seed, "stsb", name)
    resampled = stats.bootstrap_correlations(x, y, anchors, settings.resamples, seed)
    categories = round_to_rubric(y)
    draws = stats.draw_weights(anchors, settings.resamples, seed)
    kappas = np.concatenate([quadratic_kappa(x, categories, weights) for weights in draws])
    values = {
        SPEARMAN: stats.spearman(x, y).value,
        PEARSON: stats.pearson(x, y).value,
        KAPPA: float(quadratic_kappa(x, categories, np.ones((len(x), 1)))[0]),
    }
    samples = {SPEARMAN: resampled.spearman[0], PEARSON: resampled.pearson[0], KAPPA: kappas}
    records = []
    for metric in METRICS:
        interval = stats.percentile_interval(samples[metric], settings.confidence)
        records.append(
            {
                "metric": metric,
                "value": values[metric],
                "ci_low": interval.low,
                "ci_high": interval.high,
                "reason": interval.reason,
            }
        )
    return records


def _judge(
    record: Mapping[str, object], published: Mapping[str, str] | None, settings: AgreementSettings
) -> dict[str, object]:
    """Compare a correlation with people with the published one: is it inside our interval?"""
    is_claimed = record["compared_with"] == PEOPLE and record["metric"] in (SPEARMAN, PEARSON)
    if published is None or not is_claimed:
        return {"published": math.nan, "verdict": "", "reason": record["reason"] or NO_CLAIM}
    value = float(published["value"]) / 100
    judged = {"published": value, "verdict": NOT_RUN}
    if not settings.is_released_data:
        return judged | {"reason": BUNDLED_DATA}
    if math.isnan(record["ci_low"]):
        return judged | {"reason": record["reason"]}
    is_inside = record["ci_low"] <= value <= record["ci_high"]
    where = "inside" if is_inside else "outside"
    return judged | {
        "verdict": MATCHES if is_inside else DIFFERS,
        "reason": f"published value {where} our interval, by another annotator than the paper's; "
        f"{WHICH_CORRELATION}",
    }


def agreement_markdown(
    table: pd.DataFrame,
    temperatures: Mapping[str, float],
    confidence: float,
    track_note: str,
) -> str:
    """Return the table as Markdown for readers.

    Args:
        table: from `measure_agreement`, one annotator or more.
        temperatures: annotator -> temperature that it was asked at.
        confidence: coverage of the intervals.
        track_note: what to say of the data; empty for the real ones.

    Returns:
        The text.
    """
    header = ["annotator", "compared with", "metric", "ours", "published"]
    header += ["pairs", "asked", "verdict", "reason"]
    rows = [
        [
            line.annotator,
            line.compared_with,
            line.metric.replace("_", " "),
            format_estimate(line.value, line.ci_low, line.ci_high),
            "" if math.isnan(line.published) else f"{100 * line.published:.1f}",
            str(line.n),
            str(line.n_asked),
            line.verdict,
            line.reason,
        ]
        for line in table.itertuples()
    ]
    frozen = sorted(name for name, temperature in temperatures.items() if temperature == 0)
    return "".join(
        [
            "# Agreement of the annotators\n\n",
            note_paragraph(track_note),
            "Language models score pairs of STS-B test from 0 to 5; numbers x100, with "
            f"{format_percent(confidence)} bootstrap intervals over anchors. People: the mean "
            "score of the data set, rounded to whole numbers for kappa alone. Itself: the same "
            "pairs asked again with another seed. Agreement among people is not here: the "
            "released files hold their mean scores only, not each person's.\n\n",
            f"Asked at temperature 0, where a seed changes nothing: {', '.join(frozen)}.\n\n"
            if frozen
            else "",
            markdown_table(header, rows, right=header[3:7]),
        ]
    )


def find_published(rows: Sequence[Mapping[str, str]]) -> Mapping[str, str] | None:
    """Return the published agreement, or None if the table has no such row."""
    return next((row for row in rows if row["claim"] == CLAIM), None)
