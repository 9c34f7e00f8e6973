"""Triples that people write, and votes of people on triples.

Sentences that no generator sees are kept for people, who write a paraphrase and a trap for each
(writing sheet); others say blindly which of two sentences means the same as an anchor (vote sheet),
for triples that the filter kept, for some that it rejected, and for those that people wrote. Filled
sheets are read back row by row. Whatever is not sound is refused by its row and column, because a
vote on the wrong triple is worse than none; a row without an answer is not done yet.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from embsyntax.jobs import InputError
from embsyntax.sampling import draw_rows
from embsyntax.sheets import guard_formula, read_sheet, unguard_formula, write_sheet
from embsyntax.trap_types import TrapType
from embsyntax.triple_splits import normalise_source, require_columns

WRITING_COLUMNS = (
    "sentence_id",
    "sentence",
    "type",
    "definition",
    "example",
    "paraphrase",
    "trap",
    "author",
)
"""Columns of a writing sheet; authors fill the last three."""

WRITTEN_COLUMNS = (
    "id",
    "seed_id",
    "type",
    "anchor",
    "paraphrase",
    "trap",
    "author",
)
"""What is read back."""

HUMAN_COLUMNS = ("id", "type", "anchor", "paraphrase", "trap", "author", "yes", "no")
"""Columns of the triples by people, as published."""

VOTE_COLUMNS = (
    "item_id",
    "anchor",
    "sentence_a",
    "sentence_b",
    "same_meaning",
    "voter",
    "comment",
)
"""Columns of a vote sheet; voters fill those from `same_meaning` on."""

KEY_COLUMNS = (
    "item_id",
    "origin",
    "id",
    "type",
    "generator",
    "judge",
    "reason",
    "anchor",
    "paraphrase",
    "trap",
    "is_paraphrase_a",
)
"""What an item of the vote sheet is; voters do not see it."""

KEPT, REJECTED, WRITTEN = "kept", "rejected", "written"
"""Where an item of the vote sheet comes from: the filter's yes, its no, or a person."""

PEOPLE = "people"
"""Stands for the generator and the reason of triples that people wrote; they have no judge."""

A, B, BOTH, NEITHER = "a", "b", "both", "neither"
ANSWERS = (A, B, BOTH, NEITHER)
"""Which of the two sentences means the same as the anchor."""


def assign_types(
    sentences: pd.DataFrame, trap_types: Mapping[str, TrapType], seed: int
) -> pd.DataFrame:
    """Ask for one trap type per sentence, each type about equally often.

    Args:
        sentences: columns `seed_id, text, has_number`.
        trap_types: rows of the trap types' table.
        seed: of the order.

    Returns:
        Columns `seed_id, text, type` in an order by the seed. A type that needs a number comes to
        sentences that have one.
    """
    require_columns(sentences, ("seed_id", "text", "has_number"), "table of sentences for people")
    order = sorted(sentences.itertuples(index=False), key=lambda row: _place(seed, row.seed_id))
    asked = dict.fromkeys(trap_types, 0)
    records = []
    for row in order:
        fit = [t for t in trap_types if row.has_number or not trap_types[t].needs_number]
        # Where types tie, the pickier one goes first, as it finds fewer sentences.
        chosen = min(fit, key=lambda t: (asked[t], not trap_types[t].needs_number))
        asked[chosen] += 1
        records.append((row.seed_id, row.text, chosen))
    return pd.DataFrame(records, columns=["seed_id", "text", "type"])


def make_writing_sheet(asked: pd.DataFrame, trap_types: Mapping[str, TrapType]) -> str:
    """Return the writing sheet as CSV text for spreadsheets.

    Args:
        asked: from `assign_types`.
        trap_types: rows of the trap types' table.
    """
    rows = []
    for row in asked.itertuples(index=False):
        trap_type = trap_types[row.type]
        example = (
            f"{trap_type.example_anchor} / {trap_type.example_paraphrase} / "
            f"{trap_type.example_trap}"
        )
        rows.append((row.seed_id, row.text, row.type, trap_type.definition, example, "", "", ""))
    return write_sheet(WRITING_COLUMNS, rows)


def explain_writing(trap_types: Mapping[str, TrapType]) -> str:
    """Return the instructions that go out with the writing sheet, as Markdown."""
    lines = [
        "# Writing triples",
        "",
        "For each sentence of the sheet write two others:",
        "",
        "- `paraphrase`: the same meaning in other words or another order. Whoever believes the "
        "sentence believes the paraphrase, and the other way round.",
        "- `trap`: nearly the same words, another meaning. Change as little as you can, in the "
        "way that the column `type` asks for.",
        "",
        "`example` shows a sentence, its paraphrase and its trap, with ` / ` between them.",
        "If the type doesn't suit the sentence, put another type of the list below into the cell; "
        "if none does, leave `paraphrase` and `trap` empty: the row then counts as not done.",
        "Write your name or a number into `author`, the same in every row. Leave `sentence_id` and "
        "`sentence` as they are. Two people may write for the same sentence, each in a sheet of "
        "their own. Save as CSV UTF-8, and name the file in the config key "
        "`triples.people.written`.",
        "",
        "Please write by yourself, without a language model, and do not look at other triples "
        "of this data set before.",
        "",
        "## Types",
        "",
    ]
    for name, trap_type in trap_types.items():
        lines += [
            f"- `{name}`: {trap_type.definition}",
            f"  - sentence: {trap_type.example_anchor}",
            f"  - paraphrase: {trap_type.example_paraphrase}",
            f"  - trap: {trap_type.example_trap}",
        ]
    return "\n".join([*lines, ""])


def read_written(
    paths: Iterable[str | Path], sentences: pd.DataFrame, trap_types: Mapping[str, TrapType]
) -> pd.DataFrame:
    """Read filled writing sheets.

    Args:
        paths: the files, in the order of the config.
        sentences: columns `seed_id, text`: what the sheets were made from.
        trap_types: rows of the trap types' table.

    Returns:
        `WRITTEN_COLUMNS`, in the order of the files.

    Raises:
        InputError: a file cannot be read, or a row is not sound: an unknown sentence or type, a
            changed sentence, one of two texts, a text that repeats another, no author, or a second
            row of an author for a sentence.
    """
    originals = sentences.set_index("seed_id")["text"].to_dict()
    records: list[tuple[str, ...]] = []
    places: dict[tuple[str, str], str] = {}
    for path in paths:
        for place, raw in read_sheet(path, Path(path).name, WRITING_COLUMNS):
            cell = {name: _plain(raw[name]) for name in WRITING_COLUMNS}
            seed_id = cell["sentence_id"]
            _require_unchanged(
                place, cell, originals, "sentence_id", {"sentence": originals.get(seed_id, "")}
            )
            if not (cell["paraphrase"] or cell["trap"]):
                continue
            _check_texts(place, cell, trap_types)
            _require_first(place, places, cell["author"], "author", seed_id)
            number = sum(key[1] == seed_id for key in places)
            texts = (originals[seed_id], cell["paraphrase"], cell["trap"])
            start = (f"{PEOPLE}:{seed_id}:{number}", seed_id, cell["type"])
            records.append((*start, *texts, cell["author"]))
    return _make_frame(records, WRITTEN_COLUMNS)


def draw_items(
    filtered: pd.DataFrame, written: pd.DataFrame, n_votes: int, seed: int
) -> pd.DataFrame:
    """Draw what people vote on, and shuffle it.

    Args:
        filtered: candidates with what became of them: columns `candidate_id, generator, judge,
            type, anchor, paraphrase, trap, kept, reason`.
        written: from `read_written`; all of them are voted on.
        n_votes: kept candidates per trap type, and as many rejected ones with both texts; all
            where there are fewer.
        seed: of the draws and of the order.

    Returns:
        `KEY_COLUMNS`, one row per item. Order, ids, and the place of the paraphrase follow from
        hashes and tell nothing; they stay as they are when other items come.
    """
    columns = ["candidate_id", "generator", "judge", "type", "anchor", "paraphrase", "trap"]
    require_columns(filtered, [*columns, "kept", "reason"], "table of filtered candidates")
    texts = filtered[["paraphrase", "trap"]].fillna("")
    readable = (texts != "").all(axis=1) & (texts["paraphrase"] != texts["trap"])
    pools = []
    for origin, pool in (
        (KEPT, filtered[filtered["kept"].astype(bool)]),
        (REJECTED, filtered[readable & ~filtered["kept"].astype(bool)]),
    ):
        for _, part in pool.groupby("type", sort=True):
            pools.append(draw_rows(part, "candidate_id", n_votes, seed).assign(origin=origin))
    drawn = pd.concat(pools) if pools else filtered.iloc[:0].assign(origin=[])
    own = written.rename(columns={"id": "candidate_id"}).assign(
        origin=WRITTEN, generator=PEOPLE, judge="", reason=PEOPLE
    )
    columns += ["origin", "reason"]
    items = pd.concat([drawn[columns], own[columns]], ignore_index=True)
    items = items.rename(columns={"candidate_id": "id"})
    places = [_place(seed, identifier) for identifier in items["id"]]
    items["item_id"] = [f"v{place[:12]}" for place in places]
    items["is_paraphrase_a"] = [int(place[12], 16) % 2 == 0 for place in places]
    items = items.astype(dict.fromkeys(KEY_COLUMNS[:-1], "str") | {"is_paraphrase_a": "bool"})
    return items[list(KEY_COLUMNS)].sort_values("item_id").reset_index(drop=True)


def make_vote_sheet(key: pd.DataFrame) -> str:
    """Return the vote sheet as CSV text for spreadsheets.

    Args:
        key: from `draw_items`.
    """
    rows = [
        (row.item_id, row.anchor, *_sentences(row), "", "", "")
        for row in key.itertuples(index=False)
    ]
    return write_sheet(VOTE_COLUMNS, rows)


def explain_voting() -> str:
    """Return the instructions that go out with the vote sheet, as Markdown."""
    return """# Voting

Each row shows an anchor and two sentences. Which of the two means the same as the anchor?

Write one of these into `same_meaning`:

- `a`: only sentence a does
- `b`: only sentence b does
- `both`: both do
- `neither`: neither does

Two sentences mean the same if whoever believes one believes the other, and the other way round.
Style and word order don't count; small slips of grammar don't either, as long as the meaning is
clear. The rows stand in random order, and `a` and `b` are exchanged at random. Don't look anything
up, and don't talk about the rows with other voters.

Write your name or a number into `voter`, the same in every row. Leave the first four columns as
they are. A row without an answer counts as not done. Save as CSV UTF-8, and name the file in the
config key `triples.people.votes`.
"""


def read_votes(paths: Iterable[str | Path], key: pd.DataFrame) -> pd.DataFrame:
    """Read filled vote sheets.

    Args:
        paths: the files, in the order of the config.
        key: from `draw_items`.

    Returns:
        Columns `item_id, voter, answer, is_yes`: a vote is a yes where only the paraphrase was
        chosen.

    Raises:
        InputError: a file cannot be read, or a row is not sound: an unknown item, a changed
            sentence, an unknown answer, no voter, or a second vote of a voter on an item.
    """
    items = {row.item_id: row for row in key.itertuples(index=False)}
    records: list[tuple[str, str, str, bool]] = []
    places: dict[tuple[str, str], str] = {}
    for path in paths:
        for place, raw in read_sheet(path, Path(path).name, VOTE_COLUMNS):
            cell = {name: _plain(raw[name]) for name in VOTE_COLUMNS}
            item = items.get(cell["item_id"])
            shown = {}
            if item is not None:
                shown = dict(zip(VOTE_COLUMNS[1:4], (item.anchor, *_sentences(item)), strict=True))
            _require_unchanged(place, cell, items, "item_id", shown)
            answer = cell["same_meaning"].lower()
            if not answer:
                continue
            if answer not in ANSWERS:
                raise InputError(
                    f"{place}, column same_meaning: {cell['same_meaning']!r}; allowed: "
                    f"{', '.join(ANSWERS)}, or empty for a row that is not done. Correct the cell."
                )
            _require_first(place, places, cell["voter"], "voter", cell["item_id"])
            is_yes = answer == (A if item.is_paraphrase_a else B)
            records.append((cell["item_id"], cell["voter"], answer, is_yes))
    votes = _make_frame(records, ("item_id", "voter", "answer", "is_yes"))
    return votes.astype({"is_yes": "bool"})


def count_votes(written: pd.DataFrame, key: pd.DataFrame, votes: pd.DataFrame) -> pd.DataFrame:
    """Put the votes beside the triples that people wrote.

    Args:
        written: from `read_written`.
        key: from `draw_items`.
        votes: from `read_votes`.

    Returns:
        `HUMAN_COLUMNS`: `yes` votes chose the paraphrase only, `no` votes are all others.
    """
    cast = votes.merge(key[["item_id", "id"]], on="item_id")
    yes = cast[cast["is_yes"]].groupby("id").size()
    no = cast[~cast["is_yes"]].groupby("id").size()
    counted = written.assign(
        **{
            name: written["id"].map(counts).fillna(0).astype("int64")
            for name, counts in (("yes", yes), ("no", no))
        }
    )
    return counted[list(HUMAN_COLUMNS)]


def _place(seed: int, identifier: str) -> str:
    return hashlib.sha256(f"{seed}|people|{identifier}".encode()).hexdigest()


def _plain(cell: str) -> str:
    return " ".join(unguard_formula(cell).split())


def _sentences(item: object) -> tuple[str, str]:
    pair = (item.paraphrase, item.trap)
    return pair if item.is_paraphrase_a else pair[::-1]


def _make_frame(records: Sequence[tuple[object, ...]], columns: Sequence[str]) -> pd.DataFrame:
    """Return a frame of texts whose types do not depend on there being rows."""
    frame = pd.DataFrame(records, columns=list(columns))
    return frame if records else frame.astype("str")


def _require_unchanged(
    place: str,
    cell: Mapping[str, str],
    known: Mapping[str, object],
    id_column: str,
    original: Mapping[str, str],
) -> None:
    """Refuse a row whose id is unknown, or whose given cells were changed."""
    if cell[id_column] not in known:
        raise InputError(
            f"{place}, column {id_column}: {cell[id_column]!r} is not in this run's sheet; was the "
            "sheet made by another run (other seed, config or candidates)? Put the id back, or "
            "fill a new sheet."
        )
    for column, text in original.items():
        if cell[column] != _plain(guard_formula(text)):
            raise InputError(
                f"{place}, column {column}: {cell[column]!r} where the sheet had {text!r}; leave "
                "it as it was."
            )


def _check_texts(place: str, cell: Mapping[str, str], trap_types: Mapping[str, TrapType]) -> None:
    if cell["type"] not in trap_types:
        raise InputError(
            f"{place}, column type: {cell['type']!r}; allowed: {', '.join(trap_types)}. Correct "
            "the cell."
        )
    for column in ("paraphrase", "trap"):
        if not cell[column]:
            raise InputError(
                f"{place}, column {column}: empty; a triple needs paraphrase and trap. Write it, "
                "or empty both cells."
            )
    seen: dict[str, str] = {}
    for column in ("sentence", "paraphrase", "trap"):
        form = normalise_source(cell[column])
        if form in seen:
            raise InputError(
                f"{place}, column {column}: the same as {seen[form]} but for case and marks; the "
                "three must differ. Write another text, or empty paraphrase and trap."
            )
        seen[form] = column


def _require_first(
    place: str, places: dict[tuple[str, str], str], who: str, role: str, identifier: str
) -> None:
    """Refuse a row without a name, and a second row of a person for one sentence or item."""
    if not who:
        raise InputError(f"{place}, column {role}: empty; give a name or a number of the {role}.")
    if (who, identifier) in places:
        raise InputError(
            f"{place}: {role} {who!r} has {identifier!r} already in {places[who, identifier]}; "
            f"one row each: delete one of them, or give each {role} another name."
        )
    places[who, identifier] = place
