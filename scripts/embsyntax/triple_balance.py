"""A subset of the triples that no comparison of lengths, words or characters can solve.

Traps that share more words with the anchor than its paraphrase does (or fewer) can be told by word
overlap alone. The subset keeps as many triples as possible while every baseline that uses no model
stays close to chance on it, in both directions.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import pandas as pd
from scipy.optimize import Bounds, LinearConstraint, milp

from embsyntax.baselines import compare_by_baseline
from embsyntax.jobs import InputError
from embsyntax.sampling import draw_rows
from embsyntax.similarities import round_similarities
from embsyntax.triple_scores import ALL, compare_similarities
from embsyntax.triple_splits import require_columns

CHANCE = 0.5
"""Triple accuracy of a baseline that knows nothing."""

BALANCE_COLUMNS = ("group", "baseline", "n", "accuracy", "n_balanced", "accuracy_balanced")

SET_BALANCE_COLUMNS = ("set", *BALANCE_COLUMNS)


def measure_baselines(
    triples: pd.DataFrame, baselines: Sequence[str], seed: int, cosine_decimals: int
) -> pd.DataFrame:
    """Say for each triple whether each baseline puts the paraphrase above the trap.

    Args:
        triples: columns `anchor, paraphrase, trap`.
        baselines: names of baselines (`embsyntax.baselines`).
        seed: of a baseline with random vectors.
        cosine_decimals: decimals that similarities are rounded to, as for models.

    Returns:
        One column per baseline with the index of the triples: 1 (yes), 0 (no) or 0.5 (a tie).

    Raises:
        InputError: a column is missing, or there is no such baseline.
    """
    require_columns(triples, ("anchor", "paraphrase", "trap"), "table of triples")
    anchors = triples["anchor"].tolist()
    outcomes = {}
    for name in baselines:
        paraphrase, trap = (
            round_similarities(
                compare_by_baseline(name, anchors, triples[column].tolist(), seed), cosine_decimals
            )
            for column in ("paraphrase", "trap")
        )
        outcomes[name] = compare_similarities(paraphrase, trap)
    return pd.DataFrame(outcomes, index=triples.index)


def choose_counts(outcomes: np.ndarray, sizes: np.ndarray, limit: float) -> np.ndarray:
    """Say how many triples of each kind to keep, so that most stay and baselines know little.

    An integer linear program: the sum of the counts is largest, and for each baseline the mean of
    the outcomes stays within `limit` of chance.

    Args:
        outcomes: of each kind of triples under each baseline, shape (kinds, baselines): 0, 0.5, 1.
        sizes: triples of each kind, shape (kinds,), at least 1.
        limit: distance from chance that is allowed, 0 to 0.5.

    Returns:
        Counts, shape (kinds,), each 0 up to its size; all 0 where nothing else is balanced.
    """
    centred = outcomes - CHANCE
    rows = np.vstack([(centred - limit).T, (-centred - limit).T])
    solved = milp(
        c=-np.ones(len(sizes)),
        integrality=np.ones(len(sizes)),
        bounds=Bounds(0, sizes),
        constraints=LinearConstraint(rows, ub=0),
    )
    if solved.x is None:
        raise InputError(
            f"no balanced subset was found within {limit} of chance ({solved.message}); allow a "
            "wider limit in the config"
        )
    return np.round(solved.x).astype(np.int64)


def balance_triples(
    outcomes: pd.DataFrame, ids: pd.Series, groups: pd.Series, limit: float, seed: int
) -> pd.Series:
    """Choose the largest subset on which every baseline is within a limit of chance.

    Each group is balanced by itself, so the whole is balanced as well. Which triples of a kind
    (equal outcomes under all baselines) are kept is decided by a hash of their id.

    Args:
        outcomes: from `measure_baselines`.
        ids: of the triples, unique, with the index of the outcomes.
        groups: what is balanced by itself, e.g. the trap type or the set, with the same index.
        limit: distance of the accuracy from chance that is allowed, 0 to 0.5.
        seed: of the draw.

    Returns:
        Booleans with the index of the outcomes: whether the triple belongs to the subset.

    Raises:
        InputError: the limit is out of range.
        ValueError: ids repeat, or the indexes differ.
    """
    if not 0 <= limit <= CHANCE:
        raise InputError(
            f"balance limit {limit}; allowed: 0 to {CHANCE}, the distance of an accuracy from "
            "chance. Correct it in the config."
        )
    if ids.duplicated().any() or not (
        outcomes.index.equals(ids.index) and outcomes.index.equals(groups.index)
    ):
        raise ValueError("need unique ids, and outcomes, ids and groups with one index")
    chosen = pd.Series(False, index=outcomes.index)
    for _, part in outcomes.groupby(groups.to_numpy(), sort=True):
        kinds = part.groupby(list(part.columns), sort=True).indices
        counts = choose_counts(
            np.array([np.atleast_1d(kind) for kind in kinds], dtype=np.float64),
            np.array([len(rows) for rows in kinds.values()]),
            limit,
        )
        for rows, count in zip(kinds.values(), counts, strict=True):
            members = ids.loc[part.index[rows]].to_frame("id")
            chosen.loc[draw_rows(members, "id", int(count), seed).index] = True
    return chosen


def tabulate_balance(
    outcomes: pd.DataFrame, groups: pd.Series, is_balanced: pd.Series, whole: Hashable
) -> pd.DataFrame:
    """Report each baseline on all triples and on the balanced subset, group by group.

    Args:
        outcomes: from `measure_baselines`.
        groups: e.g. the trap types, with the index of the outcomes.
        is_balanced: from `balance_triples`.
        whole: what stands for all groups together, in the last rows.

    Returns:
        `BALANCE_COLUMNS`: triples and accuracy (0-1; NaN without any triple), before and after.
    """
    records = []
    masks = {group: (groups == group).to_numpy() for group in sorted(groups.unique())}
    masks[whole] = np.ones(len(outcomes), dtype=bool)
    kept = is_balanced.to_numpy()
    for group, mask in masks.items():
        for name in outcomes.columns:
            before, after = outcomes.loc[mask, name], outcomes.loc[mask & kept, name]
            records.append((group, name, len(before), before.mean(), len(after), after.mean()))
    return pd.DataFrame(records, columns=list(BALANCE_COLUMNS))


def balance_sets(
    sets: pd.DataFrame,
    names: Sequence[str],
    baselines: Sequence[str],
    limit: float,
    seed: int,
    cosine_decimals: int,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Balance each set type by type, and report the baselines before and after.

    Args:
        sets: columns `id, corpus, type, anchor, paraphrase, trap`; ids are unique within a set.
        names: the sets to report, with or without rows.
        baselines: names of the baselines that the subset has to defeat, none with random vectors.
        limit: distance of their accuracy from chance that is allowed, 0 to 0.5.
        seed: of the draw.
        cosine_decimals: decimals that similarities are rounded to, as for models.

    Returns:
        `id, set, is_balanced`, a row per triple; and `SET_BALANCE_COLUMNS`, a row per set, type
        and baseline, the whole set (`ALL`) after its types; without rows the accuracy is NaN.

    Raises:
        InputError: a column is missing, a baseline is unknown, or the limit is out of range.
    """
    require_columns(sets, ("id", "corpus", "type"), "table of triples")
    chosen, tables = [], []
    for name in names:
        part = sets[sets["corpus"] == name]
        outcomes = measure_baselines(part, baselines, seed, cosine_decimals)
        is_balanced = balance_triples(outcomes, part["id"], part["type"], limit, seed)
        chosen.append(
            pd.DataFrame({"id": part["id"], "set": name, "is_balanced": is_balanced}).astype(
                {"id": "str", "set": "str", "is_balanced": bool}
            )
        )
        table = tabulate_balance(outcomes, part["type"], is_balanced, ALL)
        tables.append(table.assign(set=name)[list(SET_BALANCE_COLUMNS)])
    return pd.concat(chosen, ignore_index=True), pd.concat(tables, ignore_index=True)
