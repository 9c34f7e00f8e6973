"""What people say of the filter of the triples: does it keep bad ones, does it reject good ones?

People voted on a sample of kept candidates and on one of rejected ones, without knowing which is
which. A candidate is good if most of its votes chose the paraphrase only. Types are drawn alike, so
the row of all types is the mean over the sample, not over the run.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from statsmodels.stats.proportion import proportion_confint

from embsyntax.jobs import InputError
from embsyntax.tables import format_percent, markdown_table, note_paragraph
from embsyntax.trap_types import TRAP_TYPES
from embsyntax.triple_people import KEPT, REJECTED
from embsyntax.validation import EXAMPLE, alpha_of, measure_agreement

ALL = "all"
"""Row of all trap types together."""

FALSE_ACCEPT, FALSE_REJECT = "false_accept_rate", "false_reject_rate"
"""Share of the kept candidates that people refuse, and of the rejected ones that they confirm."""

AGREEMENT = "krippendorff_alpha"
"""Agreement of the voters on yes and no, over kept and rejected candidates."""

NOT_VOTED, BY_PEOPLE = "no votes yet", "voted on by people"
"""What the table says of itself, where it is no example."""

MEASURES = {FALSE_ACCEPT: (KEPT, False), FALSE_REJECT: (REJECTED, True)}
"""Which items each rate is over, and which verdict of people it counts."""

COLUMNS = (
    "generator",
    "judge",
    "trap_type",
    "measure",
    "value",
    "ci_low",
    "ci_high",
    "n",
    "n_tied",
    "n_voters",
    "status",
    "reason",
)
"""`n` counts the candidates behind a number, `n_tied` those with as many yes as no votes, which
count for nothing; `status` says whether people stand behind it."""


def tabulate_filter_votes(
    key: pd.DataFrame,
    votes: pd.DataFrame,
    generator: str,
    judge: str,
    confidence: float,
    resamples: int,
    seed: int,
    is_example: bool,
) -> pd.DataFrame:
    """Count how often people disagree with the filter.

    Args:
        key: from `embsyntax.triple_people.draw_items`; triples by people do not count here.
        votes: from `embsyntax.triple_people.read_votes`; may have no row.
        generator: who wrote the candidates.
        judge: whose entailment filtered them.
        confidence: share of the intervals (Wilson; of the agreement by resampled items).
        resamples: of the agreement.
        seed: of the resamples.
        is_example: whether no person filled the sheets.

    Returns:
        `COLUMNS`: three rows per trap type, then those of all types; rates 0-1, agreement at most
        1. An undefined value is empty and has a reason.

    Raises:
        InputError: a vote is on no item.
    """
    unknown = votes.loc[~votes["item_id"].isin(key["item_id"]), "item_id"]
    if len(unknown):
        raise InputError(
            f"votes: no item {unknown.iloc[0]!r} in the key; read the votes with the key of their "
            "own sheet"
        )
    items = key[key["origin"].isin((KEPT, REJECTED))].set_index("item_id")
    cast = votes[votes["item_id"].isin(items.index)]
    share = cast.groupby("item_id")["is_yes"].mean()
    items = items.assign(share=items.index.map(share).astype("float64"))
    status = NOT_VOTED if cast.empty else EXAMPLE if is_example else BY_PEOPLE
    records = []
    for trap_type in (*TRAP_TYPES, ALL):
        part = items if trap_type == ALL else items[items["type"] == trap_type]
        own = cast[cast["item_id"].isin(part.index)]
        start, n_voters = (generator, judge, trap_type), own["voter"].nunique()
        for measure, (origin, counted) in MEASURES.items():
            rate = _measure_rate(part[part["origin"] == origin], counted, confidence)
            records.append((*start, measure, *rate[:-1], n_voters, status, rate[-1]))
        codes = own.assign(code=own["is_yes"].astype("float64")).pivot(
            index="item_id", columns="voter", values="code"
        )
        codes = codes[codes.notna().sum(axis=1) > 1].to_numpy(dtype=np.float64).T
        agreement = measure_agreement(AGREEMENT, alpha_of, codes, resamples, confidence, seed)
        ends = (agreement.interval.low, agreement.interval.high)
        reason = NOT_VOTED if own.empty else agreement.estimate.reason
        found = (agreement.estimate.value, *ends, agreement.n, 0)
        records.append((*start, AGREEMENT, *found, n_voters, status, reason))
    return pd.DataFrame(records, columns=list(COLUMNS))


def _measure_rate(
    items: pd.DataFrame, counted: bool, confidence: float
) -> tuple[float, float, float, int, int, str]:
    """Return rate, interval, items behind it, tied items, and why there is no rate."""
    voted = items[items["share"].notna()]
    decided = voted[voted["share"] != 0.5]
    n_tied, n = len(voted) - len(decided), len(decided)
    if not n:
        reasons = ("no such candidate", NOT_VOTED, "every voted candidate is tied")
        reason = reasons[(len(items) > 0) + (len(voted) > 0)]
        return np.nan, np.nan, np.nan, 0, n_tied, reason
    count = int(((decided["share"] > 0.5) == counted).sum())
    low, high = proportion_confint(count, n, alpha=1 - confidence, method="wilson")
    return count / n, float(low), float(high), n, n_tied, ""


def filter_votes_markdown(
    table: pd.DataFrame, labels: dict[str, str], confidence: float, track_note: str
) -> str:
    """Lay the table out for readers, a row per trap type.

    Args:
        table: from `tabulate_filter_votes`.
        labels: trap type -> name for readers.
        confidence: share of the intervals.
        track_note: note on the data.
    """
    first = table.iloc[0]
    rows = []
    for trap_type, part in table.groupby("trap_type", sort=False):
        by_measure = {row.measure: row for row in part.itertuples(index=False)}
        cells = [
            cell
            for measure in MEASURES
            for cell in (str(by_measure[measure].n), _show_rate(by_measure[measure]))
        ]
        agreement = by_measure[AGREEMENT]
        alpha = agreement.reason if np.isnan(agreement.value) else f"{agreement.value:.2f}"
        rows.append((labels.get(trap_type, trap_type), *cells, alpha, str(agreement.n_voters)))
    header = ("Trap type", "Kept", "False accepts", "Rejected", "False rejects")
    header += ("Agreement (alpha)", "Voters")
    return (
        f"# The filter, by people\n\n{note_paragraph(track_note)}"
        f"Generator {first['generator']}, judge {first['judge']}: **{first['status']}**. People "
        "chose which of two sentences means the same as the anchor, without knowing which is the "
        "paraphrase or what the filter said. False accepts: kept candidates that most votes "
        "refuse; false rejects: rejected candidates with both texts that most votes confirm. "
        f"Brackets: Wilson intervals of {format_percent(confidence)}.\n\n"
        + markdown_table(header, rows, {"Kept", "Rejected", "Voters"})
    )


def _show_rate(row: object) -> str:
    if np.isnan(row.value):
        return row.reason
    return f"{100 * row.value:.1f} % ({100 * row.ci_low:.1f} to {100 * row.ci_high:.1f})"
