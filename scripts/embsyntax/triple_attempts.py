"""A language model's triples: each attempt by the edit check, or why it cannot be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from embsyntax.edit_check import check_edit
from embsyntax.jobs import InputError
from embsyntax.trap_types import TrapType
from embsyntax.triple_candidates import (
    EDIT_CHECK_FAILED,
    MADE,
    REQUEST_FAILED,
    SKIPPED,
    UNPARSED,
    collect_attempts,
)


def check_answers(
    answers: pd.DataFrame, generator: str, types: Mapping[str, TrapType]
) -> pd.DataFrame:
    """Give each answer its status.

    Args:
        answers: `triple_answers.ANSWER_COLUMNS` of all shards.
        generator: who gave them.
        types: from `trap_types.read_trap_types`.

    Returns:
        The attempts (`triple_candidates.ATTEMPT_COLUMNS`), by types, seeds and attempts; the detail
        of one that cannot be read begins with its failure class.

    Raises:
        InputError: an answer is of a trap type that the table of types lacks.
    """
    strange = answers.loc[~answers["type"].isin(list(types)), "type"]
    if len(strange):
        raise InputError(
            f"answers of {generator}: trap type {strange.iloc[0]!r}; allowed: {', '.join(types)}. "
            "Restore its row in the table of trap types, or make the answers again."
        )
    order = answers.assign(place=answers["type"].map(list(types).index))
    order = order.sort_values(["place", "seed_id", "attempt"], kind="stable")
    return collect_attempts([_check(row, types) for row in order.itertuples()], generator)


def _check(answer: Any, types: Mapping[str, TrapType]) -> dict[str, Any]:
    status, edit_reason, detail = MADE, "", answer.detail
    if answer.failure_class:
        is_request = answer.failure_class == REQUEST_FAILED
        status = REQUEST_FAILED if is_request else UNPARSED
        detail = ": ".join(part for part in (answer.failure_class, detail) if part)
    elif answer.is_skipped:
        status = SKIPPED
    else:
        limits = types[answer.type].limits
        edit_reason = check_edit(answer.anchor, answer.paraphrase, answer.trap, answer.type, limits)
        status = EDIT_CHECK_FAILED if edit_reason else MADE
    return {
        "attempt": answer.attempt,
        "seed_id": answer.seed_id,
        "type": answer.type,
        "paraphrase": answer.paraphrase,
        "trap": answer.trap,
        "status": status,
        "edit_reason": edit_reason,
        "detail": detail,
        "raw_text": answer.raw_text,
    }
