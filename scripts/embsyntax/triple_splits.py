"""Which side of 80/10/10 each source sentence belongs to, whatever is added later.

The side of a sentence follows from the hash of its normalised text alone, unless a near-duplicate
was placed before it, whose side it then shares. A sentence that comes later never moves one that is
there: where it resembles sentences of two sides, it is left out itself. Some texts (the training
sentences of a benchmark that is scored elsewhere) may stand in `train` only; they are placed first.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path

import pandas as pd

from embsyntax.corpora import normalise_text
from embsyntax.jobs import InputError
from embsyntax.near_duplicates import comparison_form, find_similar_pairs
from embsyntax.registry import Source
from embsyntax.seeds import read_passages
from embsyntax.sentence_splitting import split_sentences
from embsyntax.triple_settings import SplitSettings

TRAIN, DEV, TEST = "train", "dev", "test"
SPLITS = (TRAIN, DEV, TEST)
DROPPED = "dropped"
"""Stands in the column `split` of a sentence that belongs to no split."""

BY_HASH = "hash of the text"
BY_NEIGHBOUR = "near-duplicate of an earlier sentence"
BY_TRAIN_ONLY = "near-duplicate of a train-only text"
BY_EARLIER_SPLIT = "as in the earlier split"
TIES_TWO_SIDES = "resembles sentences of two splits"
REASONS = (BY_EARLIER_SPLIT, BY_HASH, BY_TRAIN_ONLY, BY_NEIGHBOUR, TIES_TWO_SIDES)
"""Why a sentence is where it is; the last one is the only reason for `dropped`."""

SPLIT_COLUMNS = ("seed_id", "split", "reason")
LEAKAGE_COLUMNS = ("check", "split", "other", "n", "n_leaked", "is_forbidden")

TRIPLE_COLUMNS = (
    "id",
    "type",
    "anchor",
    "paraphrase",
    "trap",
    "split",
    "seed_id",
    "source",
    "licence",
    "generator",
    "judge",
    "is_filtered",
)
"""Columns of the triples with their split; those of another generator's test set lack it."""

XGEN_TEST = "xgen_test"
"""What stands for the second generator's test set in its leakage table."""

TRAIN_ONLY_TEXTS = "train-only texts"
"""What stands for the texts that only `train` may hold in the leakage table."""


def normalise_source(text: str) -> str:
    """Return what counts of a source sentence: its words without case, marks and spacing."""
    return comparison_form(normalise_text(text)).strip()


def choose_side(text: str, settings: SplitSettings) -> str:
    """Return the side of a sentence that nothing else decides about.

    Args:
        text: of the sentence; only its normalised form counts.
        settings: shares and seed.

    Returns:
        One of `SPLITS`.
    """
    digest = hashlib.sha256(f"{settings.seed}\0{normalise_source(text)}".encode()).digest()
    place = int.from_bytes(digest[:8], "big") / 2**64
    if place < settings.train:
        return TRAIN
    return DEV if place < settings.train + settings.dev else TEST


def list_neighbours(texts: Sequence[str], threshold: float) -> list[list[int]]:
    """List for each text the earlier ones that equal it or are its near-duplicates.

    Args:
        texts: n texts; those that are equal but for case, marks and spacing are compared once.
        threshold: least Jaccard index of a near-duplicate, above 0, at most 1.

    Returns:
        n lists of positions in `texts`, ascending, each below the position of its own text.
    """
    normalised = [normalise_source(text) for text in texts]
    number = {text: k for k, text in enumerate(dict.fromkeys(normalised))}
    near: list[list[int]] = [[k] for k in range(len(number))]
    for one, other in find_similar_pairs(list(number), threshold).tolist():
        near[one].append(other)
        near[other].append(one)
    seen: list[list[int]] = [[] for _ in number]
    found = []
    for row, text in enumerate(normalised):
        found.append(sorted(chain.from_iterable(seen[other] for other in near[number[text]])))
        seen[number[text]].append(row)
    return found


def list_sentences(files: Iterable[tuple[Path, Source]]) -> list[str]:
    """List the texts of raw files and the sentences in them, as seeds would be taken out of them.

    Args:
        files: raw files with their rows of the catalogue.

    Returns:
        Distinct normalised texts, sorted.

    Raises:
        InputError: a file cannot be read.
    """
    found = set()
    for path, source in files:
        for text in set(read_passages(path, source)):
            found.add(normalise_text(text))
            found |= {normalise_text(text[start:end]) for start, end in split_sentences(text)}
    return sorted(found - {""})


def assign_splits(
    seeds: pd.DataFrame,
    train_only: Iterable[str],
    settings: SplitSettings,
    earlier: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Give each source sentence its split.

    Sentences are placed one by one: those of an earlier split first, then the others, each in the
    order of the table. So sentences appended to the table, or put anywhere into a table that comes
    with its earlier split, move none that was there.

    Args:
        seeds: columns `seed_id` (unique) and `text`.
        train_only: texts that may stand in `train` alone, with their near-duplicates.
        settings: shares, seed, what a near-duplicate is.
        earlier: a former result of this function; rows of sentences that are gone do not count.

    Returns:
        `SPLIT_COLUMNS` in the order of the seeds: `split` is one of `SPLITS` or `DROPPED`,
        `reason` one of `REASONS`.

    Raises:
        InputError: a column is missing, an id or an earlier row is given twice, or an earlier
            split is none of the allowed ones.
    """
    require_columns(seeds, ("seed_id", "text"), "table of seeds")
    _require_unique(seeds["seed_id"], "table of seeds")
    known = _read_earlier(earlier) if earlier is not None else {}
    barred = sorted(set(train_only))
    ids = seeds["seed_id"].tolist()
    order = sorted(range(len(ids)), key=lambda row: ids[row] not in known)
    texts = seeds["text"].tolist()
    near = list_neighbours([*barred, *(texts[row] for row in order)], settings.near_duplicate)
    placed = [TRAIN] * len(barred)
    reasons: list[str] = []
    for row, neighbours in zip(order, near[len(barred) :], strict=True):
        sides = {placed[other] for other in neighbours} - {DROPPED}
        if ids[row] in known:
            sides.add(known[ids[row]])
            reason = BY_EARLIER_SPLIT
        elif any(other < len(barred) for other in neighbours):
            reason = BY_TRAIN_ONLY
        else:
            reason = BY_NEIGHBOUR
        if not sides:
            placed.append(choose_side(texts[row], settings))
            reasons.append(BY_HASH)
        elif len(sides) == 1:
            placed.extend(sides)
            reasons.append(reason)
        else:
            placed.append(DROPPED)
            reasons.append(TIES_TWO_SIDES)
    table = pd.DataFrame(
        {
            "seed_id": [ids[row] for row in order],
            "split": placed[len(barred) :],
            "reason": reasons,
        },
        index=order,
        columns=list(SPLIT_COLUMNS),
    )
    return table.sort_index().reset_index(drop=True)


def count_splits(splits: pd.DataFrame) -> pd.DataFrame:
    """Count the sentences of each split by the reason why they are there.

    Args:
        splits: from `assign_splits`.

    Returns:
        Columns `split, reason, n`, a row for each combination that can occur, 0 or more.
    """
    counts = Counter(zip(splits["split"], splits["reason"], strict=True))
    cells = [
        (split, reason)
        for split in SPLITS
        for reason in REASONS
        if reason != TIES_TWO_SIDES and (split == TRAIN or reason != BY_TRAIN_ONLY)
    ]
    cells.append((DROPPED, TIES_TWO_SIDES))
    return pd.DataFrame([(*cell, counts[cell]) for cell in cells], columns=["split", "reason", "n"])


def split_triples(triples: pd.DataFrame, splits: pd.DataFrame) -> pd.DataFrame:
    """Give each triple the split of its source sentence; those of dropped sentences are left out.

    Args:
        triples: with the column `seed_id`.
        splits: from `assign_splits`.

    Returns:
        The triples with the column `split`, in their order.

    Raises:
        InputError: a triple has a source sentence without a split.
    """
    require_columns(triples, ("seed_id",), "table of triples")
    sides = triples["seed_id"].map(splits.set_index("seed_id")["split"])
    unknown = triples.loc[sides.isna(), "seed_id"]
    if len(unknown):
        raise InputError(
            f"{len(unknown)} triples have a seed_id without a split, the first is "
            f"{unknown.iloc[0]!r}; split the seeds that the triples were made of"
        )
    return triples.assign(split=sides)[sides != DROPPED].reset_index(drop=True)


def tabulate_leakage(
    seeds: pd.DataFrame,
    splits: pd.DataFrame,
    triples: pd.DataFrame,
    train_only: Iterable[str],
    settings: SplitSettings,
) -> pd.DataFrame:
    """Count, without trusting the assignment, what two splits have in common.

    Args:
        seeds: columns `seed_id, text, context`.
        splits: from `assign_splits`; dropped sentences do not count.
        triples: columns `anchor, paraphrase, trap, split`.
        train_only: texts that may stand in `train` alone.
        settings: what a near-duplicate is.

    Returns:
        `LEAKAGE_COLUMNS`: of the `n` items of `split`, `n_leaked` have their like in `other`;
        `is_forbidden` says that this number has to be 0. A passage may hold sentences of two
        splits, and the text of a triple may meet one of another split: both are reported.

    Raises:
        InputError: a column is missing.
    """
    require_columns(seeds, ("seed_id", "text", "context"), "table of seeds")
    require_columns(triples, ("anchor", "paraphrase", "trap", "split"), "table of split triples")
    placed = seeds["seed_id"].map(splits.set_index("seed_id")["split"])
    in_passage = seeds["context"].notna() & (seeds["context"] != seeds["text"])
    sources = {split: seeds.loc[placed == split, "text"].tolist() for split in SPLITS}
    passages = {
        split: seeds.loc[(placed == split) & in_passage, "context"].unique().tolist()
        for split in SPLITS
    }
    barred = sorted(set(train_only))
    texts = {split: _list_texts(triples[triples["split"] == split]) for split in SPLITS}
    rows = []
    compared = [(TEST, TRAIN), (DEV, TRAIN), (TEST, DEV)]
    compared += [(TEST, TRAIN_ONLY_TEXTS), (DEV, TRAIN_ONLY_TEXTS)]
    for split, other in compared:
        own, others = sources[split], barred if other == TRAIN_ONLY_TEXTS else sources[other]
        rows += [
            ("same source", split, other, len(own), _count_same(own, others), True),
            ("near-duplicate", split, other, len(own), _count_near(own, others, settings), True),
        ]
    for split, other in compared[:3]:
        own, others = passages[split], passages[other]
        rows.append(("same passage", split, other, len(own), len({*own} & {*others}), False))
    for split, other in compared[:3]:
        own, others = texts[split], texts[other]
        rows.append(("same text", split, other, len(own), _count_same(own, others), False))
    return pd.DataFrame(rows, columns=list(LEAKAGE_COLUMNS))


def select_xgen_test(triples: pd.DataFrame, splits: pd.DataFrame) -> pd.DataFrame:
    """Check that the triples of a second generator come from test sentences alone.

    Args:
        triples: with the columns `id` and `seed_id`.
        splits: from `assign_splits`.

    Returns:
        The triples, in their order, without a split.

    Raises:
        InputError: a source sentence has no split, or another one than test.
    """
    require_columns(triples, ("id", "seed_id"), "table of triples")
    sides = triples["seed_id"].map(splits.set_index("seed_id")["split"])
    strange = triples[(sides != TEST).array]
    if len(strange):
        row = strange.iloc[0]
        raise InputError(
            f"{len(strange)} triples of the second generator come from other sentences than those "
            f"of test, the first is {row['id']!r}, whose seed {row['seed_id']!r} is "
            f"{sides[strange.index[0]]}; allowed: {TEST}. Make its candidates again from the "
            "splits."
        )
    return triples[[name for name in TRIPLE_COLUMNS if name != "split"]].reset_index(drop=True)


def tabulate_xgen_leakage(
    xgen: pd.DataFrame,
    seeds: pd.DataFrame,
    splits: pd.DataFrame,
    triples: pd.DataFrame,
    train_only: Iterable[str],
    settings: SplitSettings,
) -> pd.DataFrame:
    """Count what the second generator's test set has in common with train and dev.

    Args:
        xgen: columns `anchor, paraphrase, trap`.
        seeds: columns `seed_id, text`.
        splits: from `assign_splits`; dropped sentences do not count.
        triples: of the first generator: columns `anchor, paraphrase, trap, split`.
        train_only: texts that may stand in `train` alone.
        settings: what a near-duplicate is.

    Returns:
        `LEAKAGE_COLUMNS`, as in `tabulate_leakage`; `split` is `XGEN_TEST`.

    Raises:
        InputError: a column is missing.
    """
    require_columns(xgen, ("anchor", "paraphrase", "trap"), "table of the second generator")
    require_columns(seeds, ("seed_id", "text"), "table of seeds")
    require_columns(triples, ("anchor", "paraphrase", "trap", "split"), "table of split triples")
    placed = seeds["seed_id"].map(splits.set_index("seed_id")["split"])
    sources = {split: seeds.loc[placed == split, "text"].tolist() for split in (TRAIN, DEV)}
    sources[TRAIN_ONLY_TEXTS] = sorted(set(train_only))
    own = list(dict.fromkeys(xgen["anchor"]))
    rows = []
    for other, others in sources.items():
        counts = (_count_same(own, others), _count_near(own, others, settings))
        for check, n_leaked in zip(("same source", "near-duplicate"), counts, strict=True):
            rows.append((check, XGEN_TEST, other, len(own), n_leaked, True))
    own = _list_texts(xgen)
    for split in (TRAIN, DEV):
        others = _list_texts(triples[triples["split"] == split])
        rows.append(("same text", XGEN_TEST, split, len(own), _count_same(own, others), False))
    return pd.DataFrame(rows, columns=list(LEAKAGE_COLUMNS))


def require_no_leakage(table: pd.DataFrame) -> None:
    """Refuse a leakage table in which something forbidden was found.

    Args:
        table: from `tabulate_leakage`.

    Raises:
        InputError: names the checks that failed.
    """
    failed = table[table["is_forbidden"] & (table["n_leaked"] > 0)]
    if len(failed):
        found = "; ".join(
            f"{row.check}: {row.n_leaked} of {row.n} of {row.split} in {row.other}"
            for row in failed.itertuples()
        )
        raise InputError(
            f"the splits leak ({found}); no source sentence of one split may stand in another. "
            "Make the splits again from the seeds."
        )


def require_columns(frame: pd.DataFrame, needed: Sequence[str], name: str) -> None:
    """Refuse a table that lacks a column.

    Args:
        frame: the table.
        needed: columns that it must have.
        name: what the table is, for the message.

    Raises:
        InputError: names the missing columns and those that are there.
    """
    missing = [column for column in needed if column not in frame.columns]
    if missing:
        raise InputError(
            f"the {name} lacks the column(s) {', '.join(missing)}; it has "
            f"{', '.join(map(str, frame.columns))}. Make it again with these columns."
        )


def _require_unique(ids: pd.Series, name: str) -> None:
    repeated = ids[ids.duplicated()]
    if len(repeated):
        raise InputError(
            f"{name}: seed_id {repeated.iloc[0]!r} stands there more than once; each sentence "
            "has one row. Remove the repeated rows."
        )


def _read_earlier(earlier: pd.DataFrame) -> dict[str, str]:
    """Return seed_id -> split of the rows that have one."""
    require_columns(earlier, SPLIT_COLUMNS[:2], "earlier split")
    _require_unique(earlier["seed_id"], "earlier split")
    strange = earlier.loc[~earlier["split"].isin((*SPLITS, DROPPED)), "split"]
    if len(strange):
        raise InputError(
            f"earlier split, column split: {strange.iloc[0]!r}; allowed: "
            f"{', '.join((*SPLITS, DROPPED))}. Give a table that this pipeline has made."
        )
    kept = earlier[earlier["split"] != DROPPED]
    return dict(zip(kept["seed_id"], kept["split"], strict=True))


def _list_texts(triples: pd.DataFrame) -> list[str]:
    """Return all anchors, paraphrases and traps."""
    return [*triples["anchor"], *triples["paraphrase"], *triples["trap"]]


def _count_same(own: Sequence[str], others: Sequence[str]) -> int:
    known = {normalise_source(text) for text in others}
    return sum(normalise_source(text) in known for text in own)


def _count_near(own: Sequence[str], others: Sequence[str], settings: SplitSettings) -> int:
    """Count the texts with a near-duplicate among the others, equal ones included."""
    near = list_neighbours([*others, *own], settings.near_duplicate)
    return sum(any(other < len(others) for other in found) for found in near[len(others) :])
