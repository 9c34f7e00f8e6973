"""How good a judge is: accuracy on labelled pairs, and what the filter would do with known pairs.

A pair is judged as in the filter: by the smaller entailment of both directions. A paraphrase is
accepted from `min_paraphrase` on; a trap is falsely accepted unless it stays below `max_trap`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from statsmodels.stats.proportion import proportion_confint

from embsyntax.entailment_labels import LABELS
from embsyntax.entailment_probes import PARAPHRASE
from embsyntax.tables import (
    UNDEFINED,
    format_percent,
    format_points,
    markdown_table,
    note_paragraph,
)

SICK_TEST = "sick_test_accuracy"
BALANCED = "balanced_accuracy"
ACCEPT = "paraphrase_accept_rate"
FALSE_ACCEPT = "false_accept_rate"

MEASURE_COLUMNS = (
    "judge",
    "trained_on",
    "metric",
    "trap_type",
    "value",
    "ci_low",
    "ci_high",
    "n",
    "reason",
)
"""Columns of the table; `trap_type` is empty but for false accepts; values 0-1."""

NOT_TRAINED = "-"
"""`trained_on` of a judge that came as it is."""


@dataclass(frozen=True)
class Limits:
    """From where on a pair counts as accepted.

    Attributes:
        min_paraphrase: least entailment (0-1) of an accepted paraphrase.
        max_trap: least entailment (0-1) of a falsely accepted trap.
    """

    min_paraphrase: float
    max_trap: float


@dataclass(frozen=True)
class Share:
    """A share of independent cases with its interval; NaN where it is undefined."""

    value: float
    low: float
    high: float
    n: int
    reason: str = ""


def measure_share(hits: Sequence[bool] | np.ndarray, confidence: float, absent: str) -> Share:
    """Return the share of hits with its Wilson interval.

    Args:
        hits: one per case.
        confidence: share of the interval.
        absent: the reason why there is no value where there is no case.
    """
    n = len(hits)
    if not n:
        return Share(math.nan, math.nan, math.nan, 0, absent)
    count = int(np.sum(hits))
    low, high = proportion_confint(count, n, alpha=1 - confidence, method="wilson")
    return Share(count / n, float(low), float(high), n)


def balance_shares(accepted: Share, false: Sequence[Share]) -> Share:
    """Return the mean of the share of accepted paraphrases and of the traps that are refused.

    Each trap type counts the same. The interval comes from those of the shares, which are
    independent (MOVER; Zou and Donner 2008, https://doi.org/10.1002/sim.3095).

    Args:
        accepted: of the paraphrases.
        false: of the traps that are falsely accepted, one per type.
    """
    n = accepted.n + sum(share.n for share in false)
    if not false or any(math.isnan(share.value) for share in (accepted, *false)):
        reason = "paraphrases or a trap type have no probe"
        return Share(math.nan, math.nan, math.nan, n, reason)
    weight = 1 / len(false)
    # Of a refused share the bounds change places.
    parts = [(0.5, accepted.value, accepted.low, accepted.high)]
    parts += [(0.5 * weight, 1 - s.value, 1 - s.high, 1 - s.low) for s in false]
    value = sum(w * p for w, p, _, _ in parts)
    below = math.sqrt(sum((w * (p - low)) ** 2 for w, p, low, _ in parts))
    above = math.sqrt(sum((w * (high - p)) ** 2 for w, p, _, high in parts))
    return Share(value, value - below, value + above, n)


def measure_judge(
    judge: str,
    trained_on: str,
    probes: pd.DataFrame,
    test: pd.DataFrame,
    limits: Limits,
    trap_types: Collection[str],
    confidence: float,
) -> pd.DataFrame:
    """Measure one judge.

    Args:
        judge: its name.
        trained_on: what it learned from, in words, or `NOT_TRAINED`.
        probes: columns `kind, nli_forward, nli_backward`.
        test: columns `label, contradiction, entailment, neutral`; no rows where no file is named.
        limits: of the filter.
        trap_types: one row each.
        confidence: share of the intervals.

    Returns:
        `MEASURE_COLUMNS`.
    """
    smaller = probes[["nli_forward", "nli_backward"]].min(axis=1)
    is_paraphrase = probes["kind"] == PARAPHRASE
    accepted = measure_share(
        smaller[is_paraphrase] >= limits.min_paraphrase, confidence, "no probe is a paraphrase"
    )
    false = {
        name: measure_share(
            smaller[probes["kind"] == name] >= limits.max_trap, confidence, "no probe of this type"
        )
        for name in trap_types
    }
    best = test[list(LABELS)].to_numpy(np.float64).argmax(axis=1) if len(test) else []
    right = [LABELS[column] == label for column, label in zip(best, test["label"], strict=True)]
    shares = [
        (SICK_TEST, "", measure_share(right, confidence, "triples.judging.test_file is null")),
        (BALANCED, "", balance_shares(accepted, list(false.values()))),
        (ACCEPT, "", accepted),
        *((FALSE_ACCEPT, name, share) for name, share in false.items()),
    ]
    rows = [
        (judge, trained_on, metric, name, s.value, s.low, s.high, s.n, s.reason)
        for metric, name, s in shares
    ]
    return pd.DataFrame(rows, columns=list(MEASURE_COLUMNS))


def describe_training(counts: pd.DataFrame) -> str:
    """Say in words what a judge learned from: sources and their pairs.

    Args:
        counts: `entailment_data.DATA_COLUMNS`.
    """
    taken = counts.loc[(counts["outcome"] == "taken") & (counts["label"] != "")]
    totals = taken.groupby("source", sort=True)["n"].sum()
    return ", ".join(f"{source} {n}" for source, n in totals.items())


def judges_markdown(
    table: pd.DataFrame,
    labels: Mapping[str, str],
    limits: Limits,
    confidence: float,
    max_false_accept: float,
    track_note: str,
) -> str:
    """Return the measures as Markdown, a row per measure and a column per judge.

    Args:
        table: `MEASURE_COLUMNS` of all judges.
        labels: trap type -> name for readers.
        limits: of the filter.
        confidence: share of the intervals.
        max_false_accept: most falsely accepted traps of a type that counts as filtered.
        track_note: what to say of the data; empty for the real ones.

    Returns:
        The text.
    """
    judges = list(dict.fromkeys(table["judge"]))
    words = {
        SICK_TEST: "accuracy on SICK test",
        BALANCED: "balanced accuracy on the probes",
        ACCEPT: "paraphrases accepted",
    }
    rows = []
    for metric, trap_type in dict.fromkeys(zip(table["metric"], table["trap_type"], strict=True)):
        name = words.get(metric, f"traps falsely accepted: {labels.get(trap_type, trap_type)}")
        cells = []
        for judge in judges:
            part = table[
                (table["judge"] == judge)
                & (table["metric"] == metric)
                & (table["trap_type"] == trap_type)
            ]
            cells.append(_cell(part.iloc[0], max_false_accept) if len(part) else UNDEFINED)
        rows.append([name, *cells])
    heading = (
        "# Entailment judges, measured\n\n"
        f"{note_paragraph(track_note)}"
        f"Shares x100 with {format_percent(confidence)} Wilson intervals and the number of pairs. "
        "Probes are pairs written for this repository, of which no judge saw one; a pair counts by "
        f"the smaller entailment of both directions: a paraphrase is accepted from "
        f"{limits.min_paraphrase:g} on, a trap falsely from {limits.max_trap:g} on. Balanced "
        "accuracy is the mean of accepted paraphrases and refused traps, each type counting the "
        f"same. A type with more than {format_percent(max_false_accept)} false accepts is "
        "**unfiltered** by that judge.\n\n"
    )
    if not judges:
        return heading + "No judge was measured (`triples.measured_judges` is empty).\n"
    learned = [
        f"- `{judge}`: {_tell_training(table.loc[table['judge'] == judge, 'trained_on'].iloc[0])}\n"
        for judge in judges
    ]
    body = markdown_table(["measure", *judges], rows, right=judges)
    return heading + body + "\nWhat the judges learned from (pairs):\n\n" + "".join(learned)


def _cell(row: pd.Series, max_false_accept: float) -> str:
    if math.isnan(row["value"]):
        return f"{UNDEFINED} ({row['reason']})"
    text = f"{format_points(row['value'])} [{format_points(row['ci_low'])}, "
    text += f"{format_points(row['ci_high'])}], n={row['n']}"
    is_unfiltered = row["metric"] == FALSE_ACCEPT and row["value"] > max_false_accept
    return f"{text} (unfiltered)" if is_unfiltered else text


def _tell_training(trained_on: str) -> str:
    if trained_on == NOT_TRAINED:
        return "not trained here; see its row in config/language_models.tsv"
    return (
        f"{trained_on}. `rules` and `patterns` are pairs of this repository's own rules and "
        "patterns, of sentences that are no seeds of triples."
        if "rules" in trained_on or "patterns" in trained_on
        else trained_on
    )
