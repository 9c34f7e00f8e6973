"""Candidates of the triples: which seeds a generator gets, its attempts, and the one that is kept.

Every generator makes up to n attempts per seed and trap type. Each is checked by `edit_check`; the
first that passes is the candidate. All are stored, with the reason why they fail.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from embsyntax.jobs import InputError
from embsyntax.trap_types import TrapType

TEST, DROPPED = "test", "dropped"
"""Values of the column `split`, as `triple_splits` writes them."""

MADE = "made"
EDIT_CHECK_FAILED = "edit_check_failed"
SKIPPED = "skipped"
UNPARSED = "unparsed"
REQUEST_FAILED = "request_failed"
STATUSES = (MADE, EDIT_CHECK_FAILED, SKIPPED, UNPARSED, REQUEST_FAILED)
"""What became of an attempt, the best first: that of a candidate is the best of its attempts.

made: it passes the edit check. edit_check_failed: it can be read and does not. skipped: the model
says that the trap type does not apply. unparsed: something came that cannot be read.
"""

READABLE = (MADE, EDIT_CHECK_FAILED)
"""The same where there is a paraphrase and a trap."""

ATTEMPT_COLUMNS = (
    "candidate_id",
    "attempt",
    "seed_id",
    "type",
    "paraphrase",
    "trap",
    "status",
    "edit_reason",
    "detail",
    "raw_text",
)
"""Columns of the attempts; `attempt` counts from 1; `edit_reason` is one of
`edit_check.EDIT_REASONS` or empty; `raw_text` is what a model wrote, empty for the rules."""

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
"""Columns of the candidates, a row per generator, seed and trap type; paraphrase and trap are null
where no attempt can be read."""


def choose_seeds(
    seeds: pd.DataFrame, splits: pd.DataFrame, reserved: pd.DataFrame, is_test_only: bool
) -> pd.DataFrame:
    """Leave out the seeds that a generator must not see, and those that belong to no split.

    Args:
        seeds: columns `seed_id`, `text` and others.
        splits: columns `seed_id, split`, a row per seed.
        reserved: column `seed_id`: sentences that are kept for people.
        is_test_only: True for the second generator, which gets the seeds of the test split.

    Returns:
        The other seeds in their order.

    Raises:
        InputError: a column is missing, or a seed has no split.
    """
    for frame, columns, name in (
        (seeds, ("seed_id", "text", "has_number"), "seeds"),
        (splits, ("seed_id", "split"), "splits"),
        (reserved, ("seed_id",), "reserved seeds"),
    ):
        missing = [column for column in columns if column not in frame.columns]
        if missing:
            raise InputError(
                f"the table of {name} lacks {', '.join(missing)}; it has "
                f"{', '.join(frame.columns)}. Make it again."
            )
    sides = seeds["seed_id"].map(splits.set_index("seed_id")["split"])
    if sides.isna().any():
        first = seeds.loc[sides.isna(), "seed_id"].iloc[0]
        raise InputError(
            f"{int(sides.isna().sum())} seeds have no split, the first is {first!r}; every seed "
            "needs one. Make the splits again from these seeds."
        )
    is_allowed = sides == TEST if is_test_only else sides != DROPPED
    is_reserved = seeds["seed_id"].isin(set(reserved["seed_id"]))
    return seeds[is_allowed & ~is_reserved].reset_index(drop=True)


def assign_types(
    seeds: pd.DataFrame, types: Mapping[str, TrapType], per_type: int | None, seed: int
) -> pd.DataFrame:
    """Draw for each trap type the seeds that a generator is asked for.

    Each type draws on its own, by the hash of the seeds' ids, so that a longer table changes few of
    them, and the seeds of one split are drawn in the same order as those of all.

    Args:
        seeds: from `choose_seeds`.
        types: from `trap_types.read_trap_types`; a type that needs a number gets only seeds with
            one.
        per_type: most seeds of a type; None for all.
        seed: of the draw.

    Returns:
        Columns `seed_id, type, text`, by the order of types and seeds.
    """
    parts = []
    for name, trap_type in types.items():
        fitting = seeds[seeds["has_number"]] if trap_type.needs_number else seeds
        if per_type is not None and len(fitting) > per_type:
            places = [_place(seed, name, seed_id) for seed_id in fitting["seed_id"]]
            drawn = pd.Series(places, index=fitting.index).sort_values().index[:per_type]
            fitting = fitting.loc[fitting.index.isin(drawn)]
        parts.append(fitting[["seed_id", "text"]].assign(type=name))
    return pd.concat(parts, ignore_index=True)[["seed_id", "type", "text"]]


def _place(seed: int, trap_type: str, seed_id: str) -> str:
    return hashlib.sha256(f"{seed} {trap_type} {seed_id}".encode()).hexdigest()


def name_candidate(generator: str, seed_id: str, trap_type: str) -> str:
    """Return the id of a candidate: generator, seed and trap type."""
    return f"{generator}:{seed_id}:{trap_type}"


def collect_attempts(rows: Iterable[Mapping[str, Any]], generator: str) -> pd.DataFrame:
    """Make a table of attempts.

    Args:
        rows: values of `ATTEMPT_COLUMNS` without `candidate_id`, by name.
        generator: who made them.

    Returns:
        `ATTEMPT_COLUMNS`, in the order of the rows.
    """
    frame = pd.DataFrame(rows, columns=list(ATTEMPT_COLUMNS))
    frame["candidate_id"] = [
        name_candidate(generator, *pair)
        for pair in zip(frame["seed_id"], frame["type"], strict=True)
    ]
    return frame.astype(dict.fromkeys(ATTEMPT_COLUMNS, "str") | {"attempt": "int64"})


def choose_candidates(
    attempts: pd.DataFrame, generator: str, anchors: Mapping[str, str]
) -> pd.DataFrame:
    """Keep of each seed and trap type the first attempt with the best status.

    Args:
        attempts: from `collect_attempts`; the attempts of a candidate by their number.
        generator: who made them.
        anchors: text of each seed by its id.

    Returns:
        `CANDIDATE_COLUMNS`, a row per candidate, in the order in which they stand in the attempts.

    Raises:
        InputError: an attempt has another status than `STATUSES`, or stands there twice.
    """
    strange = attempts.loc[~attempts["status"].isin(STATUSES), "status"]
    if len(strange):
        raise InputError(
            f"attempts of {generator}, column status: {strange.iloc[0]!r}; allowed: "
            f"{', '.join(STATUSES)}. Make the attempts again."
        )
    repeated = attempts.duplicated(["candidate_id", "attempt"])
    if repeated.any():
        row = attempts[repeated].iloc[0]
        raise InputError(
            f"attempts of {generator}: {row['candidate_id']}, attempt {row['attempt']} stands "
            "there twice; shards of different numbers were mixed. Remove the folder of these "
            "answers under results/triples/answers and run again."
        )
    ranks = attempts["status"].map(STATUSES.index)
    order = attempts.assign(rank=ranks).sort_values(["rank", "attempt"], kind="stable")
    best = order.drop_duplicates("candidate_id").sort_index()
    frame = best.assign(
        generator=generator,
        anchor=best["seed_id"].map(anchors),
        n_attempts=best["candidate_id"].map(attempts["candidate_id"].value_counts()),
    )[list(CANDIDATE_COLUMNS)]
    first = attempts.drop_duplicates("candidate_id")["candidate_id"]
    frame = frame.set_index("candidate_id").loc[first].reset_index()
    types = dict.fromkeys(CANDIDATE_COLUMNS, "str") | {"n_attempts": "int64"}
    return frame.astype(types)
