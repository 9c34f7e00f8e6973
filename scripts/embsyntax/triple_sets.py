"""Which triples are scored together: the sets of the pipeline, their balanced parts, your own file.

A set (dev, test, xgen_test, human_test) stands in the column `corpus`. A balanced part is a set of
its own, `test_balanced`. Beside the pairs goes a table that describes the sets: how many triples of
each type, who wrote and who filtered them, and why a set is empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from embsyntax.jobs import InputError
from embsyntax.own_triples import OWN_TYPE, TEXT_ROLES, OwnTriples
from embsyntax.pairs import READERS, check_text, place_of
from embsyntax.triple_scores import TRIPLE_COLUMNS
from embsyntax.triple_splits import DEV, TEST, require_columns

XGEN_TEST, HUMAN_TEST, PASSAGE_TEST = "xgen_test", "human_test", "passage_test"
TRIPLE_SETS = (DEV, TEST, XGEN_TEST, HUMAN_TEST)
"""The sets that are scored, in the order of the tables; nobody is scored on train."""

BALANCED_SUFFIX = "_balanced"

SET_COLUMNS = ("id", *TRIPLE_COLUMNS, "generator", "judge", "is_filtered")
"""Columns of the gathered triples; `is_filtered` is missing where no filter is meant to be."""

DESCRIPTION_COLUMNS = ("corpus", "type", "n", "generator", "judge", "is_filtered", "reason")
"""Columns of the description; a set without rows has one row without a type, and a reason."""

NO_SECOND_GENERATOR = "no second generator is named in the config"
EMPTY_REASONS = {
    DEV: "no triple of this split was kept",
    TEST: "no triple of this split was kept",
    XGEN_TEST: "no triple of the second generator was kept",
    HUMAN_TEST: "people have not written any triple yet",
    PASSAGE_TEST: "no test triple has its sentence inside a longer passage",
}
NOT_BALANCED = "no part of it has every baseline close enough to chance"


def gather_triples(
    triples: pd.DataFrame, xgen_test: pd.DataFrame | None, human_test: pd.DataFrame
) -> pd.DataFrame:
    """Put the sets that are scored one below the other.

    Args:
        triples: columns `id, type, anchor, paraphrase, trap, split, generator, judge, is_filtered`;
            train is left out.
        xgen_test: the same without `split`, written by the second generator; None without one.
        human_test: columns `id, type, anchor, paraphrase, trap`, written by people; 0 rows or more.

    Returns:
        `SET_COLUMNS`, in the order of `TRIPLE_SETS`.

    Raises:
        InputError: a column is missing, or an id stands twice in a set.
    """
    written = ("id", "type", "anchor", "paraphrase", "trap")
    made = (*written, "generator", "judge", "is_filtered")
    require_columns(triples, (*made, "split"), "table of triples")
    if xgen_test is None:
        xgen_test = triples[:0]
    require_columns(xgen_test, made, "table of triples of the second generator")
    require_columns(human_test, written, "table of triples by people")
    by_people = human_test.assign(generator="people", judge="", is_filtered=None)
    parts = [
        triples[triples["split"] == DEV].assign(corpus=DEV),
        triples[triples["split"] == TEST].assign(corpus=TEST),
        xgen_test.assign(corpus=XGEN_TEST),
        by_people.assign(corpus=HUMAN_TEST),
    ]
    types = dict.fromkeys(SET_COLUMNS, "str") | {"is_filtered": "boolean"}
    sets = pd.concat([part[list(SET_COLUMNS)].astype(types) for part in parts], ignore_index=True)
    repeated = sets.loc[sets.duplicated(["corpus", "id"]), ["corpus", "id"]]
    if len(repeated):
        corpus, name = repeated.iloc[0]
        raise InputError(
            f"set {corpus!r}: the id {name!r} stands there more than once; each triple has an id "
            "of its own. Make the set again."
        )
    return sets


def add_balanced_sets(sets: pd.DataFrame, balance: pd.DataFrame) -> pd.DataFrame:
    """Add the balanced part of each set as a set of its own.

    Args:
        sets: from `gather_triples`.
        balance: columns `id, set, is_balanced`, a row for each triple.

    Returns:
        `SET_COLUMNS`: the sets, then their balanced parts.

    Raises:
        InputError: a column is missing, or a triple has no row in `balance`.
    """
    require_columns(balance, ("id", "set", "is_balanced"), "table of balanced triples")
    known = balance.set_index(["set", "id"])["is_balanced"].astype(bool)
    keys = pd.MultiIndex.from_frame(sets[["corpus", "id"]])
    unknown = ~keys.isin(known.index)
    if unknown.any():
        corpus, name = sets.loc[unknown, ["corpus", "id"]].iloc[0]
        raise InputError(
            f"{int(unknown.sum())} triples have no row in the table of balanced triples, the first "
            f"is {name!r} of set {corpus!r}. Balance the same triples."
        )
    balanced = sets[known.reindex(keys).to_numpy(dtype=bool)]
    balanced = balanced.assign(corpus=balanced["corpus"] + BALANCED_SUFFIX)
    return pd.concat([sets, balanced], ignore_index=True)


def describe_sets(
    sets: pd.DataFrame, names: Sequence[str], reasons: Mapping[str, str]
) -> pd.DataFrame:
    """Say what each set holds, type by type, or why it holds nothing.

    Args:
        sets: columns `corpus, type, generator, judge, is_filtered`.
        names: the sets, in the order of the tables.
        reasons: why each of them may be empty.

    Returns:
        `DESCRIPTION_COLUMNS`. A type is filtered where all of its triples are.
    """
    records: list[tuple[object, ...]] = []
    for name in names:
        part = sets[sets["corpus"] == name]
        if part.empty:
            records.append((name, "", 0, "", "", None, reasons[name]))
        for trap_type, rows in part.groupby("type", sort=True):
            generator, judge = (
                ", ".join(sorted(set(rows[column]) - {""})) for column in ("generator", "judge")
            )
            known = rows["is_filtered"].dropna()
            is_filtered = bool(known.all()) if len(known) else None
            records.append((name, trap_type, len(rows), generator, judge, is_filtered, ""))
    described = pd.DataFrame(records, columns=list(DESCRIPTION_COLUMNS))
    return described.astype({"n": "int64", "is_filtered": "boolean"})


def describe_triples(sets: pd.DataFrame, second_generator: str | None) -> pd.DataFrame:
    """Describe the sets of triples and their balanced parts.

    Args:
        sets: from `add_balanced_sets`.
        second_generator: name of the second generator in the config, or None.

    Returns:
        See `describe_sets`.
    """
    reasons = dict(EMPTY_REASONS)
    if second_generator is None:
        reasons[XGEN_TEST] = NO_SECOND_GENERATOR
    present = set(sets["corpus"])
    for name in TRIPLE_SETS:
        reasons[name + BALANCED_SUFFIX] = NOT_BALANCED if name in present else reasons[name]
    names = [*TRIPLE_SETS, *(name + BALANCED_SUFFIX for name in TRIPLE_SETS)]
    return describe_sets(sets, names, reasons)


def gather_passages(passages: pd.DataFrame, triples: pd.DataFrame) -> pd.DataFrame:
    """Give each passage its set, and what is known of the triple that it was made of.

    Args:
        passages: columns `id, type, query, original, twin`.
        triples: columns `id, generator, judge, is_filtered`.

    Returns:
        Columns `id, corpus, type, query, original, twin, generator, judge, is_filtered`.

    Raises:
        InputError: a column is missing, or a passage belongs to no triple.
    """
    texts = ("id", "type", "query", "original", "twin")
    facts = ["generator", "judge", "is_filtered"]
    require_columns(passages, texts, "table of passages")
    require_columns(triples, ("id", *facts), "table of triples")
    unknown = passages.loc[~passages["id"].isin(triples["id"]), "id"]
    if len(unknown):
        raise InputError(
            f"{len(unknown)} passages belong to no triple, the first is {unknown.iloc[0]!r}. Make "
            "the passages again from these triples."
        )
    known = triples.set_index("id")[facts].reindex(passages["id"])
    gathered = passages[list(texts)].assign(corpus=PASSAGE_TEST)
    for name in facts:
        gathered[name] = known[name].to_numpy()
    types = dict.fromkeys(gathered.columns, "str") | {"is_filtered": "boolean"}
    return gathered.astype(types).reset_index(drop=True)


def describe_passages(passages: pd.DataFrame) -> pd.DataFrame:
    """Describe the set of passages; see `describe_sets`."""
    return describe_sets(passages, [PASSAGE_TEST], EMPTY_REASONS)


def read_own_file(path: str | Path, own: OwnTriples) -> pd.DataFrame:
    """Read a user's own triples; texts are kept as they are.

    Args:
        path: the file.
        own: its entry in the config: format and names of columns.

    Returns:
        Columns `corpus, type, anchor, paraphrase, trap, generator, judge, is_filtered`, in the
        order of the file; the last three are empty, as nothing is known of them.

    Raises:
        InputError: the file cannot be read (encoding, quoting, ragged rows, missing columns), has
            no data row, or a row has an empty text, no type, or two texts that are the same.
    """
    label = f"{path} (own_triples: {own.name})"
    records = READERS[own.format](Path(path), label, own.columns)
    if not records:
        raise InputError(f"{label}: no data rows; at least one triple is needed")
    rows = []
    for record in records:
        texts = {role: check_text(record, label, getattr(own, role)) for role in TEXT_ROLES}
        for first, second in (("paraphrase", "trap"), ("anchor", "trap"), ("anchor", "paraphrase")):
            if texts[first] == texts[second]:
                raise InputError(
                    f"{place_of(label, record, getattr(own, second))}: the {second} equals the "
                    f"{first}; the three texts of a triple differ. Correct or remove the row."
                )
        trap_type = check_text(record, label, own.type).strip() if own.type else OWN_TYPE
        rows.append((own.name, trap_type, *texts.values()))
    frame = pd.DataFrame(rows, columns=list(TRIPLE_COLUMNS))
    return frame.assign(generator="", judge="", is_filtered=pd.array([None] * len(rows), "boolean"))


def describe_own_triples(triples: pd.DataFrame, name: str) -> pd.DataFrame:
    """Describe a user's own triples; see `describe_sets`."""
    return describe_sets(triples, [name], {})


def read_sets(path: str | Path) -> pd.DataFrame:
    """Read a description of sets.

    Args:
        path: file written from `describe_sets`.

    Returns:
        `DESCRIPTION_COLUMNS`; an empty text is `""`, an empty `is_filtered` is missing.
    """
    table = pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)
    filtered = table["is_filtered"].map({"True": True, "False": False})
    return table.assign(n=table["n"].astype("int64"), is_filtered=filtered.astype("boolean"))
