"""What every generator's table of candidates shares: its columns' types and the ids of its rows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from embsyntax.regenerated import CANDIDATE_COLUMNS

MADE, DECLINED, FAILED = "made", "declined", "failed"
"""Values of the column `status`: a changed sentence, none by intent, none by a fault."""


def candidate_id(
    generator: str, corpus: str, sentence_id: str, rule: str, outcome: str | None
) -> str:
    """Identify a candidate by its content.

    Args:
        generator: name of the generator.
        corpus: name of the corpus.
        sentence_id: id of the source sentence.
        rule: name of the rule, or for a language model of the perturbation.
        outcome: the changed sentence, or the reason why there is none.

    Returns:
        16 hexadecimal digits.
    """
    parts = "|".join((generator, corpus, sentence_id, rule, outcome or ""))
    return hashlib.sha256(parts.encode("utf-8")).hexdigest()[:16]


def collect_candidates(rows: Iterable[Sequence[Any]]) -> pd.DataFrame:
    """Make a table of candidates.

    Args:
        rows: values of `CANDIDATE_COLUMNS` without the first, `candidate_id`.

    Returns:
        A frame with `CANDIDATE_COLUMNS`; equal rows give equal frames.
    """
    frame = pd.DataFrame(rows, columns=list(CANDIDATE_COLUMNS[1:]))
    outcome = frame["sentence2"].where(frame["status"] == MADE, frame["reason"])
    keys = [frame[name] for name in ("generator", "corpus", "sentence_id", "rule")]
    ids = [candidate_id(*parts) for parts in zip(*keys, outcome, strict=True)]
    frame.insert(0, "candidate_id", ids)
    texts = dict.fromkeys(CANDIDATE_COLUMNS, "str")
    return frame.astype({**texts, "expected_score": "Int64"})
