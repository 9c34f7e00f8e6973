"""How each kind of suite is scored and its models compared: scored pairs, triples, passages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from embsyntax.scores import compare_models, score_pairs
from embsyntax.triple_scores import (
    compare_on_passages,
    compare_on_triples,
    score_passages,
    score_triples,
)


@dataclass(frozen=True)
class Scoring:
    """What is done with the similarities of a suite.

    Attributes:
        score: (pairs, similarities, model, settings) to a table of scores.
        compare: (pairs, model -> similarities, settings, false discovery rate) to comparisons.
    """

    score: Callable[..., pd.DataFrame]
    compare: Callable[..., pd.DataFrame]


SCORINGS = {
    "pairs": Scoring(score_pairs, compare_models),
    "triples": Scoring(score_triples, compare_on_triples),
    "passages": Scoring(score_passages, compare_on_passages),
}
"""Kinds of suites; all have one table of pairs and the same columns of scores."""
