"""Sheets for triples by people and for votes, and what is read back from them."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest

from embsyntax.jobs import InputError
from embsyntax.people_settings import check_people_settings
from embsyntax.trap_types import read_trap_types
from embsyntax.triple_people import (
    HUMAN_COLUMNS,
    KEY_COLUMNS,
    VOTE_COLUMNS,
    WRITING_COLUMNS,
    WRITTEN_COLUMNS,
    assign_types,
    count_votes,
    draw_items,
    explain_voting,
    explain_writing,
    make_vote_sheet,
    make_writing_sheet,
    read_votes,
    read_written,
)
from embsyntax.written_checks import check_written

SENTENCES = pd.DataFrame(
    {
        "seed_id": [f"s{number}" for number in range(20)],
        "text": [f"The young lawyer thanked judge {'abcdefghijklmnopqrst'[n]}." for n in range(20)],
        "has_number": [number % 4 == 0 for number in range(20)],
    }
)
SENTENCES.loc[2, "text"] = '=SUM is "what" the teacher; wrote'


@pytest.fixture(scope="module")
def trap_types(repository):
    return read_trap_types(repository / "config/trap_types.tsv")


def read_rows(sheet: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(sheet.removeprefix("\ufeff"))))


def save(path, rows: list[dict[str, str]], columns: tuple[str, ...], **options: str) -> str:
    """Save rows as a spreadsheet would; `separator` and `encoding` may differ."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, columns, delimiter=options.get("separator", ","))
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(buffer.getvalue(), encoding=options.get("encoding", "utf-8"), newline="")
    return str(path)


# The writing sheet


def test_each_type_is_asked_for_about_equally_often(trap_types):
    asked = assign_types(SENTENCES, trap_types, 1)
    counts = asked["type"].value_counts()
    assert set(counts.index) == set(trap_types)
    assert counts.max() - counts.min() <= 1
    numbers = asked.loc[asked["type"] == "numbers", "seed_id"]
    assert SENTENCES.set_index("seed_id")["has_number"][numbers].all()
    assert asked["seed_id"].tolist() != SENTENCES["seed_id"].tolist()


def test_the_writing_sheet_is_safe_in_a_spreadsheet(trap_types):
    asked = assign_types(SENTENCES, trap_types, 1)
    sheet = make_writing_sheet(asked, trap_types)
    assert sheet.startswith("\ufeff")
    rows = read_rows(sheet)
    assert tuple(rows[0]) == WRITING_COLUMNS
    row = next(row for row in rows if row["sentence_id"] == "s2")
    assert row["sentence"] == '\'=SUM is "what" the teacher; wrote'
    assert row["definition"] == trap_types[row["type"]].definition
    assert {row[name] for row in rows for name in ("paraphrase", "trap", "author")} == {""}


def test_the_writing_sheet_of_no_sentence_has_a_header(trap_types):
    sheet = make_writing_sheet(assign_types(SENTENCES.iloc[:0], trap_types, 1), trap_types)
    assert read_rows(sheet) == []
    assert sheet.strip().endswith("author")


def test_instructions_name_every_type_and_answer(trap_types):
    text = explain_writing(trap_types)
    assert all(f"- `{name}`: {row.definition}" in text for name, row in trap_types.items())
    assert all(f"- `{answer}`" in explain_voting() for answer in ("a", "b", "both", "neither"))


# Triples that people wrote


def fill(trap_types, **filled: dict[str, str]) -> list[dict[str, str]]:
    """The rows of the writing sheet, those of some sentences filled."""
    rows = read_rows(make_writing_sheet(assign_types(SENTENCES, trap_types, 1), trap_types))
    for row in rows:
        row.update(filled.get(row["sentence_id"], {}))
    return rows


GOOD = {
    "type": "negation",
    "paraphrase": "Judge b was thanked by the young lawyer.",
    "trap": "The young lawyer did not thank judge b.",
    "author": "p1",
}


def test_filled_rows_come_back_and_empty_ones_do_not(tmp_path, trap_types):
    weak = {**GOOD, "trap": "A queen sleeps in a castle.", "paraphrase": "Thanks went to e."}
    rows = fill(trap_types, s1=GOOD, s4=weak, s5={"author": "p1"})
    written = read_written([save(tmp_path / "a.csv", rows, WRITING_COLUMNS)], SENTENCES, trap_types)
    assert tuple(written.columns) == WRITTEN_COLUMNS
    written = check_written(written, trap_types)
    assert sorted(written["id"]) == ["people:s1:1", "people:s4:1"]
    found = written.set_index("seed_id")
    assert found.loc["s1", "anchor"] == "The young lawyer thanked judge b."
    assert found.loc["s1", "trap"] == GOOD["trap"]
    assert found.loc["s1", "edit_reason"] == ""
    assert found.loc["s4", "edit_reason"] != "", "the check reports, and the triple stays"


def test_what_spreadsheets_do_to_a_file_does_no_harm(tmp_path, trap_types):
    formula = {**GOOD, "paraphrase": "  The teacher wrote\n=SUM. ", "trap": "'=SUM is not it."}
    path = save(
        tmp_path / "a.csv",
        fill(trap_types, s2=formula)[::-1],
        tuple(reversed(WRITING_COLUMNS)),
        separator=";",
        encoding="utf-16",
    )
    row = read_written([path], SENTENCES, trap_types).iloc[0]
    assert row["anchor"] == SENTENCES["text"][2]
    assert row["paraphrase"] == "The teacher wrote =SUM."
    assert row["trap"] == "=SUM is not it."


def test_two_authors_may_write_for_one_sentence(tmp_path, trap_types):
    paths = [
        save(
            tmp_path / f"{name}.csv", fill(trap_types, s1={**GOOD, "author": name}), WRITING_COLUMNS
        )
        for name in ("p1", "p2")
    ]
    written = read_written(paths, SENTENCES, trap_types)
    assert written[["id", "author"]].to_numpy().tolist() == [
        ["people:s1:1", "p1"],
        ["people:s1:2", "p2"],
    ]


def test_no_sheet_gives_no_triple(trap_types):
    written = read_written([], SENTENCES, trap_types)
    assert written.empty
    assert check_written(written, trap_types)["edit_reason"].tolist() == []
    assert tuple(written.columns) == WRITTEN_COLUMNS
    key = draw_items(make_filtered().iloc[:0], written, 3, 1)
    human = count_votes(written, key, read_votes([], key))
    assert human.dtypes.astype(str).to_dict() == {
        **dict.fromkeys(HUMAN_COLUMNS[:6], "str"),
        "yes": "int64",
        "no": "int64",
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sentence_id": "s99"}, r"a\.csv, row \d+, column sentence_id: 's99' is not in this run"),
        ({"sentence": "Another."}, r"column sentence: 'Another\.' where the sheet had 'The young"),
        ({"type": "Negation"}, r"column type: 'Negation'; allowed: negation, numbers"),
        ({"trap": ""}, r"column trap: empty; a triple needs paraphrase and trap"),
        ({"paraphrase": " "}, r"column paraphrase: empty"),
        ({"author": ""}, r"column author: empty; give a name"),
        ({"trap": GOOD["paraphrase"].upper()}, r"column trap: the same as paraphrase"),
        ({"paraphrase": "the young lawyer thanked judge b"}, r"paraphrase: the same as sentence"),
    ],
)
def test_unsound_rows_are_refused(tmp_path, trap_types, change, message):
    path = save(tmp_path / "a.csv", fill(trap_types, s1={**GOOD, **change}), WRITING_COLUMNS)
    with pytest.raises(InputError, match=message):
        read_written([path], SENTENCES, trap_types)


def test_a_changed_sentence_is_refused_in_an_empty_row_too(tmp_path, trap_types):
    path = save(tmp_path / "a.csv", fill(trap_types, s1={"sentence": "x"}), WRITING_COLUMNS)
    with pytest.raises(InputError, match="column sentence"):
        read_written([path], SENTENCES, trap_types)


def test_a_second_row_of_an_author_is_refused(tmp_path, trap_types):
    rows = fill(trap_types, s1=GOOD)
    (tmp_path / "b").mkdir()
    paths = [save(tmp_path / f"{name}a.csv", rows, WRITING_COLUMNS) for name in ("", "b/")]
    with pytest.raises(InputError, match=r"author 'p1' has 's1' already in a\.csv, row"):
        read_written(paths, SENTENCES, trap_types)


def test_a_missing_column_is_refused(tmp_path, trap_types):
    (tmp_path / "a.csv").write_text("sentence_id,sentence\ns1,x\n")
    with pytest.raises(InputError, match="no column type, definition, example, paraphrase, trap"):
        read_written([tmp_path / "a.csv"], SENTENCES, trap_types)


# The vote sheet


def make_filtered(n: int = 12) -> pd.DataFrame:
    """Candidates of two types: every third is kept, some rejected ones lack a text."""
    rows = []
    for trap_type in ("negation", "role_swap"):
        for number in range(n):
            kept = number % 3 == 0
            rows.append(
                {
                    "candidate_id": f"rules:s{number}:{trap_type}",
                    "generator": "rules",
                    "judge": "declared",
                    "type": trap_type,
                    "anchor": f"-Anchor {number}.",
                    "paraphrase": f"Paraphrase {number} {trap_type}.",
                    "trap": None if number % 6 == 1 else f"Trap {number} {trap_type}.",
                    "kept": kept,
                    "reason": "kept" if kept else "low_overlap",
                }
            )
    return pd.DataFrame(rows)


WRITTEN = pd.DataFrame(
    [
        ("people:s1:1", "s1", "negation", "An anchor.", "Its paraphrase.", "Its trap.", "p1"),
        ("people:s1:2", "s1", "negation", "An anchor.", "Another one.", "Its trap.", "p2"),
    ],
    columns=list(WRITTEN_COLUMNS),
)


@pytest.fixture(scope="module")
def key():
    return draw_items(make_filtered(), WRITTEN, 3, 7)


def test_the_sample_has_kept_rejected_and_written_items_of_each_type(key):
    assert tuple(key.columns) == KEY_COLUMNS
    counts = key.groupby(["origin", "type"]).size().to_dict()
    assert counts == {
        ("kept", "negation"): 3,
        ("kept", "role_swap"): 3,
        ("rejected", "negation"): 3,
        ("rejected", "role_swap"): 3,
        ("written", "negation"): 2,
    }
    assert key["trap"].notna().all()
    assert key["item_id"].is_unique


def test_fewer_candidates_than_wanted_are_all_taken():
    key = draw_items(make_filtered(), WRITTEN.iloc[:0], 100, 7)
    assert key["origin"].value_counts().to_dict() == {"rejected": 12, "kept": 8}


def test_the_sheet_is_blind_and_shuffled(key):
    rows = read_rows(make_vote_sheet(key))
    assert tuple(rows[0]) == VOTE_COLUMNS
    text = make_vote_sheet(key)
    assert not any(word in text for word in ("rules:", "people", "low_overlap", "rejected"))
    origins = key["origin"].tolist()
    assert origins not in (sorted(origins), sorted(origins, reverse=True))
    large = draw_items(make_filtered(200), WRITTEN, 50, 7)
    assert 0.35 < large["is_paraphrase_a"].mean() < 0.65
    first = large.groupby("origin")["is_paraphrase_a"].mean()
    assert first["kept"] > 0.3
    assert first["kept"] < 0.7


def test_ids_and_sides_stay_when_items_are_added(key):
    more = draw_items(make_filtered(), WRITTEN.iloc[:1], 2, 7).set_index("item_id")
    known = key.set_index("item_id")
    assert set(more.index) < set(known.index)
    assert more["is_paraphrase_a"].equals(known.loc[more.index, "is_paraphrase_a"])


def vote(key: pd.DataFrame, voter: str, choose) -> list[dict[str, str]]:
    """A sheet in which `choose` gives the answer for each row of the key."""
    rows = read_rows(make_vote_sheet(key))
    by_id = {row.item_id: row for row in key.itertuples()}
    for row in rows:
        row.update(same_meaning=choose(by_id[row["item_id"]]), voter=voter)
    return rows


def right(item) -> str:
    return "a" if item.is_paraphrase_a else "b"


def test_only_the_paraphrase_alone_is_a_yes(tmp_path, key):
    answers = dict(zip(key["item_id"], ["both", "NEITHER", ""] + ["x"] * 99, strict=False))
    rows = vote(key, "v1", lambda i: right(i) if answers[i.item_id] == "x" else answers[i.item_id])
    wrong = vote(key, "v2", lambda i: "b" if i.is_paraphrase_a else "A ")
    votes = read_votes(
        [
            save(tmp_path / "1.csv", rows, VOTE_COLUMNS),
            save(tmp_path / "2.csv", wrong, VOTE_COLUMNS),
        ],
        key,
    )
    first = votes[votes["voter"] == "v1"]
    assert first["is_yes"].tolist() == [False, False] + [True] * (len(key) - 3)
    assert not votes.loc[votes["voter"] == "v2", "is_yes"].any()
    assert len(votes) == 2 * len(key) - 1


def test_votes_stand_beside_the_triples_of_people(tmp_path, key):
    paths = [
        save(tmp_path / "1.csv", vote(key, "v1", right), VOTE_COLUMNS),
        save(tmp_path / "2.csv", vote(key, "v2", lambda i: "both"), VOTE_COLUMNS),
        save(
            tmp_path / "3.csv",
            vote(key, "v3", lambda i: right(i) if i.id == "people:s1:1" else ""),
            VOTE_COLUMNS,
        ),
    ]
    human = count_votes(WRITTEN, key, read_votes(paths, key))
    assert tuple(human.columns) == HUMAN_COLUMNS
    assert human[["id", "yes", "no"]].to_numpy().tolist() == [
        ["people:s1:1", 2, 1],
        ["people:s1:2", 1, 1],
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"item_id": "v0"}, r"a\.csv, row 2, column item_id: 'v0' is not in this run's sheet"),
        ({"sentence_a": "x"}, r"row 2, column sentence_a: 'x' where the sheet had"),
        ({"anchor": "x"}, r"row 2, column anchor"),
        ({"same_meaning": "yes"}, r"column same_meaning: 'yes'; allowed: a, b, both, neither"),
        ({"voter": " "}, r"row 2, column voter: empty"),
    ],
)
def test_unsound_votes_are_refused(tmp_path, key, change, message):
    rows = vote(key, "v1", right)
    rows[0].update(change)
    with pytest.raises(InputError, match=message):
        read_votes([save(tmp_path / "a.csv", rows, VOTE_COLUMNS)], key)


def test_exchanged_sentences_are_refused(tmp_path, key):
    rows = vote(key, "v1", right)
    rows[0]["sentence_a"], rows[0]["sentence_b"] = rows[0]["sentence_b"], rows[0]["sentence_a"]
    with pytest.raises(InputError, match="column sentence_a"):
        read_votes([save(tmp_path / "a.csv", rows, VOTE_COLUMNS)], key)


def test_a_second_vote_of_a_voter_is_refused(tmp_path, key):
    rows = vote(key, "v1", right)
    with pytest.raises(InputError, match=r"voter 'v1' has 'v\w+' already in a\.csv, row 2"):
        read_votes([save(tmp_path / "a.csv", [*rows, rows[0]], VOTE_COLUMNS)], key)


# Settings


def test_settings_of_people_are_checked(tmp_path):
    sheet = tmp_path / "a.csv"
    sheet.touch()
    good = {"written": [str(sheet)], "votes": []}
    assert check_people_settings(good) is good
    for settings, message in (
        ({**good, "votes": [str(tmp_path / "b.csv")]}, r"people\.votes: there is no file"),
        ({**good, "votes": ["a.xlsx"]}, r"people\.votes: 'a\.xlsx'; allowed: .*\.csv, \.tsv"),
        ({**good, "votes": [str(sheet)]}, r"written and \.votes both name"),
    ):
        with pytest.raises(InputError, match=message):
            check_people_settings(settings)
