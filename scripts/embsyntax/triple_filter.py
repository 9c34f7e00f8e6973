"""The filter of the triples: which candidates are kept, and why each other one is not.

A candidate is kept when its paraphrase entails the anchor both ways, its trap does not, and the
trap keeps most of the anchor's words and adds few (dataset card of FlipAware, step 3). A score is
the smaller of both directions. The reasons form a closed list, and the first that applies counts.
"""

from __future__ import annotations

import math
import re
from collections import Counter

import numpy as np
import pandas as pd

from embsyntax.jobs import InputError
from embsyntax.trap_types import TRAP_TYPES
from embsyntax.triple_settings import DECLARED, FilterLimits
from embsyntax.triple_splits import require_columns

MADE = "made"
FAILURES = ("request_failed", "skipped", "unparsed", "edit_check_failed")
"""Status of a candidate that comes before the filter, in the order of precedence."""

PARAPHRASE_REJECTED, TRAP_REJECTED = "paraphrase_rejected", "trap_rejected"
LOW_OVERLAP, TOO_MANY_NEW_WORDS = "low_overlap", "too_many_new_words"
KEPT = "kept"
REASONS = (
    *FAILURES,
    PARAPHRASE_REJECTED,
    TRAP_REJECTED,
    LOW_OVERLAP,
    TOO_MANY_NEW_WORDS,
    KEPT,
)
"""What becomes of a candidate, in the order of precedence."""

CANDIDATE_COLUMNS = (
    "candidate_id",
    "generator",
    "seed_id",
    "type",
    "anchor",
    "paraphrase",
    "trap",
    "status",
    "edit_reason",
    "detail",
    "n_attempts",
)
SCORE_COLUMNS = (
    "nli_para_forward",
    "nli_para_backward",
    "nli_trap_forward",
    "nli_trap_backward",
)
"""Entailment (0-1) of the text by the anchor, and of the anchor by the text."""

FILTERED_COLUMNS = (
    *CANDIDATE_COLUMNS,
    "judge",
    "nli_para_forward",
    "nli_para_backward",
    "nli_para",
    "nli_trap_forward",
    "nli_trap_backward",
    "nli_trap",
    "overlap",
    "new_words",
    "kept",
    "reason",
)

TRIPLE_COLUMNS = (
    "id",
    "type",
    "anchor",
    "paraphrase",
    "trap",
    "seed_id",
    "source",
    "licence",
    "generator",
    "judge",
    "is_filtered",
)

FALSE_ACCEPT_RATE = "false_accept_rate"
"""Metric of the table of judges: share of the probes' traps of a type that it takes for
paraphrases."""

SCORE_DECIMALS = 6
"""Decimals that an entailment is rounded to, so that a limit means the same in every precision."""

WORD = re.compile(r"\d+(?:[.,]\d+)+|\w+(?:'\w+)*")


def count_words(text: str) -> Counter[str]:
    """Count the words of a text: letters and digits in lower case, apostrophes and decimals kept.

    Args:
        text: any text.
    """
    return Counter(WORD.findall(text.replace("’", "'").casefold()))


def measure_overlap(anchor: str, trap: str) -> tuple[float, int]:
    """Measure what a trap keeps of an anchor, and what it adds; repeated words count repeatedly.

    Args:
        anchor: the source sentence.
        trap: the text that is held against it.

    Returns:
        Share (0-1) of the anchor's words that the trap has, NaN for an anchor without a word; and
        the number of words of the trap that the anchor lacks.
    """
    own, others = count_words(anchor), count_words(trap)
    n_kept = (own & others).total()
    share = n_kept / own.total() if own else math.nan
    return share, others.total() - n_kept


def choose_reason(
    status: str,
    nli_para: float,
    nli_trap: float,
    overlap: float,
    new_words: float,
    limits: FilterLimits,
    is_declared: bool,
) -> str:
    """Say what becomes of a candidate: the first of `REASONS` that applies.

    Args:
        status: `made`, or one of `FAILURES`.
        nli_para: entailment of the paraphrase, 0-1; not looked at if declared.
        nli_trap: of the trap; the same.
        overlap: share of the anchor's words that the trap keeps.
        new_words: words that it adds.
        limits: what passes; a value equal to a limit passes, but for `max_trap`.
        is_declared: no entailment was asked.
    """
    if status != MADE:
        return status
    if not is_declared and not nli_para >= limits.min_paraphrase:
        return PARAPHRASE_REJECTED
    if not is_declared and not nli_trap < limits.max_trap:
        return TRAP_REJECTED
    if not overlap >= limits.min_overlap:
        return LOW_OVERLAP
    return TOO_MANY_NEW_WORDS if new_words > limits.max_new_words else KEPT


def filter_candidates(
    candidates: pd.DataFrame,
    entailment: pd.DataFrame | None,
    judge: str,
    limits: FilterLimits,
) -> pd.DataFrame:
    """Say of each candidate whether it is kept, or why not.

    Args:
        candidates: `CANDIDATE_COLUMNS`, one row per generation.
        entailment: `candidate_id` and `SCORE_COLUMNS` (0-1), a row for each candidate that was
            made and for no other; None with the judge `declared`.
        judge: whose entailment it is.
        limits: what passes.

    Returns:
        `FILTERED_COLUMNS`, one row per candidate in their order. Scores of candidates that were
        not judged, and words of those without a trap, are missing.

    Raises:
        InputError: columns are missing, ids are repeated, a status, type or score is none of the
            allowed ones, or the entailment is not that of these candidates.
    """
    _check_candidates(candidates)
    if (judge == DECLARED) != (entailment is None):
        raise InputError(
            f"judge {judge!r} {'with' if judge == DECLARED else 'without'} a table of entailment; "
            f"allowed: none with {DECLARED!r}, one with every other judge. Correct the inputs of "
            "the rule."
        )
    table = candidates[list(CANDIDATE_COLUMNS)].reset_index(drop=True)
    table["judge"] = judge
    scores = _align_scores(table, entailment)
    for kind in ("para", "trap"):
        both = [f"nli_{kind}_forward", f"nli_{kind}_backward"]
        table[both] = scores[both]
        table[f"nli_{kind}"] = scores[both].min(axis=1, skipna=False)
    measured = [
        (math.nan, pd.NA) if pd.isna(row.trap) else measure_overlap(row.anchor, row.trap)
        for row in table.itertuples(index=False)
    ]
    table["overlap"] = np.array([overlap for overlap, _ in measured], dtype=np.float64)
    table["new_words"] = pd.array([new for _, new in measured], dtype="Int64")
    reasons = [
        choose_reason(
            row.status,
            row.nli_para,
            row.nli_trap,
            row.overlap,
            row.new_words,
            limits,
            judge == DECLARED,
        )
        for row in table.itertuples(index=False)
    ]
    table["reason"] = pd.Series(reasons, index=table.index, dtype="str")
    table["kept"] = table["reason"] == KEPT
    return table[list(FILTERED_COLUMNS)]


def _check_candidates(candidates: pd.DataFrame) -> None:
    """Refuse what is no table of candidates."""
    require_columns(candidates, CANDIDATE_COLUMNS, "table of candidates")
    require_distinct(candidates["candidate_id"], "table of candidates")
    for column, allowed in (("status", (MADE, *FAILURES)), ("type", TRAP_TYPES)):
        strange = candidates[~candidates[column].isin(allowed)]
        if len(strange):
            row = strange.iloc[0]
            raise InputError(
                f"table of candidates, {row['candidate_id']!r}, column {column}: "
                f"{row[column]!r}; allowed: {', '.join(allowed)}. Make the candidates again."
            )
    made = candidates[candidates["status"] == MADE]
    for column in ("anchor", "paraphrase", "trap"):
        empty = made.loc[made[column].isna(), "candidate_id"]
        if len(empty):
            raise InputError(
                f"table of candidates, {empty.iloc[0]!r}, column {column}: empty, but the status "
                f"is {MADE}; allowed: a text. Make the candidates again."
            )


def require_distinct(ids: pd.Series, name: str) -> None:
    """Refuse a table with an id that stands there more than once.

    Args:
        ids: its column of ids.
        name: what the table is, for the message.

    Raises:
        InputError: names the first such id.
    """
    repeated = ids[ids.duplicated()]
    if len(repeated):
        raise InputError(
            f"{name}: {ids.name} {repeated.iloc[0]!r} stands there more than once; allowed: one "
            "row each. Make the table again."
        )


def _align_scores(table: pd.DataFrame, entailment: pd.DataFrame | None) -> pd.DataFrame:
    """Return the scores by row of the candidates, NaN where there is none."""
    if entailment is None:
        return pd.DataFrame(np.nan, index=table.index, columns=list(SCORE_COLUMNS))
    name = "table of entailment"
    require_columns(entailment, ("candidate_id", *SCORE_COLUMNS), name)
    require_distinct(entailment["candidate_id"], name)
    made = table.loc[table["status"] == MADE, "candidate_id"]
    judged = entailment["candidate_id"]
    missing = made[~made.isin(judged)]
    extra = judged[~judged.isin(made)]
    if len(missing) or len(extra):
        found = [
            f"{len(ids)} {what}, the first is {ids.iloc[0]!r}"
            for ids, what in (
                (missing, f"candidates with status {MADE} are not in it"),
                (extra, f"of its ids are no candidates with status {MADE}"),
            )
            if len(ids)
        ]
        raise InputError(
            f"{name}: {'; '.join(found)}; allowed: a row for each candidate that was made and for "
            "no other. Judge these candidates again."
        )
    scores = entailment.set_index("candidate_id")[list(SCORE_COLUMNS)].astype(np.float64)
    for column in SCORE_COLUMNS:
        strange = scores.loc[~scores[column].between(0, 1), column]
        if len(strange):
            raise InputError(
                f"{name}, {strange.index[0]!r}, column {column}: {strange.iloc[0]}; allowed: 0 to "
                "1. Judge these candidates again."
            )
    aligned = scores.round(SCORE_DECIMALS).reindex(table["candidate_id"])
    return aligned.set_axis(table.index)


def find_filtered_types(
    measures: pd.DataFrame | None, judge: str, max_false_accept: float
) -> list[str]:
    """List the trap types on which a judge may be called a filter.

    Args:
        measures: the table of judges (`judge, metric, trap_type, value`, 0-1), None if nothing
            was measured in this run.
        judge: whose entailment filters.
        max_false_accept: most traps of a type, as a share, that it may take for paraphrases.

    Returns:
        Types, in the order of the card; none for `declared` and for a judge that the table lacks.

    Raises:
        InputError: a column is missing, or a type has two values.
    """
    if measures is None or judge == DECLARED:
        return []
    require_columns(measures, ("judge", "metric", "trap_type", "value"), "table of judges")
    own = measures[(measures["judge"] == judge) & (measures["metric"] == FALSE_ACCEPT_RATE)]
    require_distinct(own["trap_type"], f"table of judges, {judge}, {FALSE_ACCEPT_RATE}")
    low = own.loc[own["value"] <= max_false_accept, "trap_type"]
    return [name for name in TRAP_TYPES if name in set(low)]


def select_triples(
    filtered: pd.DataFrame, seeds: pd.DataFrame, filtered_types: list[str]
) -> pd.DataFrame:
    """Take the kept candidates as triples.

    Args:
        filtered: from `filter_candidates`.
        seeds: columns `seed_id` (unique), `text`, `source`, `licence`.
        filtered_types: types on which the judge is a filter.

    Returns:
        `TRIPLE_COLUMNS` in the order of the candidates, perhaps without a row.

    Raises:
        InputError: a column is missing, or an anchor is not the text of its seed.
    """
    require_columns(filtered, FILTERED_COLUMNS, "table of filtered candidates")
    require_columns(seeds, ("seed_id", "text", "source", "licence"), "table of seeds")
    require_distinct(seeds["seed_id"], "table of seeds")
    kept = filtered[filtered["kept"]].rename(columns={"candidate_id": "id"})
    kept = kept.reset_index(drop=True)
    known = seeds.set_index("seed_id")[["text", "source", "licence"]].reindex(kept["seed_id"])
    strange = kept[(known["text"].isna() | (known["text"].array != kept["anchor"].array)).array]
    if len(strange):
        row = strange.iloc[0]
        raise InputError(
            f"{len(strange)} kept candidates have an anchor that is not the text of their seed, "
            f"the first is {row['id']!r} with seed {row['seed_id']!r}; give the seeds that the "
            "candidates were made of"
        )
    kept["source"], kept["licence"] = known["source"].array, known["licence"].array
    kept["is_filtered"] = kept["type"].isin(filtered_types)
    return kept[list(TRIPLE_COLUMNS)]
