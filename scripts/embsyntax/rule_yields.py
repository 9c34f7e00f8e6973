"""Yield and speed of the perturbation rules: the share of sentences that a rule changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd
from statsmodels.stats.proportion import proportion_confint

from embsyntax.candidates import MADE

YIELD_COLUMNS = (
    "corpus",
    "family",
    "rule",
    "dimension",
    "is_default",
    "n",
    "n_made",
    "yield",
    "ci_low",
    "ci_high",
    "sentences_per_second",
)
"""Columns of the yield table; `yield` and its interval are shares, 0-1."""

ANY = "any"
"""Rule of a row for all default rules together: at least one of them changed the sentence."""


def tabulate_yields(
    runs: Iterable[tuple[pd.DataFrame, pd.DataFrame]], confidence: float
) -> pd.DataFrame:
    """Count how many sentences each rule changed, and how fast.

    Args:
        runs: candidates and times of each corpus, from `rule_runs.perturb_docs`.
        confidence: of the Wilson intervals.

    Returns:
        `YIELD_COLUMNS`: corpus by corpus a row for all default rules (rule and dimension `any`),
        one for those of each dimension, and one for each rule, in the order of the run.
    """
    rows = [row for candidates, times in runs for row in _rows_of_corpus(candidates, times)]
    table = pd.DataFrame(rows, columns=[c for c in YIELD_COLUMNS if c not in ("ci_low", "ci_high")])
    low, high = proportion_confint(
        table["n_made"], table["n"], alpha=1 - confidence, method="wilson"
    )
    return table.assign(ci_low=low, ci_high=high)[list(YIELD_COLUMNS)]


def _rows_of_corpus(candidates: pd.DataFrame, times: pd.DataFrame) -> Iterator[tuple[Any, ...]]:
    made = candidates.loc[candidates["status"] == MADE, ["sentence_id", "rule"]]
    on = times[times["is_default"]]
    dimensions = list(dict.fromkeys(on["dimension"]))
    groups = [(ANY, on), *((name, on[on["dimension"] == name]) for name in dimensions)]
    for dimension, group in groups:
        if not group.empty:
            yield _row(made, group, (ANY, ANY, dimension, True))
    for at, row in enumerate(times.itertuples()):
        yield _row(made, times.iloc[[at]], (row.family, row.rule, row.dimension, row.is_default))


def _row(
    made: pd.DataFrame, group: pd.DataFrame, names: tuple[str, str, str, bool]
) -> tuple[Any, ...]:
    """Make the row of some rules of one corpus: `YIELD_COLUMNS` without the interval."""
    n = int(group["n"].iloc[0])
    n_made = made.loc[made["rule"].isin(group["rule"]), "sentence_id"].nunique()
    return (group["corpus"].iloc[0], *names, n, n_made, n_made / n, n / group["seconds"].sum())
