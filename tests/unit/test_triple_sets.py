"""Sets of triples, their balanced parts, and a user's own files, good and bad."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from embsyntax import triple_sets as sets_of
from embsyntax.jobs import InputError, write_tsv
from embsyntax.own_triples import (
    OwnTriples,
    choose_balance_baselines,
    read_own_triples,
    refuse_taken_triple_names,
)
from embsyntax.registry import read_models
from embsyntax.triple_balance import SET_BALANCE_COLUMNS, balance_sets
from embsyntax.triple_scores import list_triple_pairs

BASELINES = ["length_difference", "word_overlap", "character_ngrams"]


def make_made(n: int, prefix: str, trap_type: str = "negation", **columns) -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            "id": [f"{prefix}:{k}" for k in range(n)],
            "type": trap_type,
            "anchor": [f"The dog number {k} runs in the park." for k in range(n)],
            "paraphrase": [f"In the park runs the dog number {k}." for k in range(n)],
            "trap": [f"The dog number {k} never runs in the park." for k in range(n)],
            "generator": "rules",
            "judge": "trained",
            "is_filtered": True,
        }
    )
    return frame.assign(**columns)


def make_triples() -> pd.DataFrame:
    parts = [
        make_made(3, "train", split="train"),
        make_made(2, "dev", split="dev"),
        make_made(4, "test", split="test"),
        make_made(2, "scope", "scope", split="test", is_filtered=False),
    ]
    return pd.concat(parts, ignore_index=True)


def make_human(n: int) -> pd.DataFrame:
    columns = ["id", "type", "anchor", "paraphrase", "trap"]
    return make_made(n, "human")[columns].assign(author="a", yes=2, no=0)


def gather(n_xgen: int = 0, n_human: int = 0) -> pd.DataFrame:
    xgen = make_made(2, "phi", generator="phi")[:n_xgen] if n_xgen else None
    return sets_of.gather_triples(make_triples(), xgen, make_human(3)[:n_human])


def balance(sets: pd.DataFrame, limit: float = 0.05):
    return balance_sets(sets, sets_of.TRIPLE_SETS, BASELINES, limit, 1, 6)


def test_sets_leave_train_out_and_take_what_there_is():
    assert gather()["corpus"].value_counts().to_dict() == {"test": 6, "dev": 2}
    full = gather(2, 3)
    assert list(dict.fromkeys(full["corpus"])) == ["dev", "test", "xgen_test", "human_test"]
    assert full.loc[full["corpus"] == "human_test", "is_filtered"].isna().all()
    assert list(full.columns) == list(sets_of.SET_COLUMNS)


def test_no_triple_at_all_goes_through():
    sets = sets_of.gather_triples(make_triples()[:0], make_made(1, "x")[:0], make_human(1)[:0])
    balanced, table = balance(sets)
    assert balanced.empty
    assert table["n"].tolist() == [0] * 12
    assert table["accuracy"].isna().all()
    both = sets_of.add_balanced_sets(sets, balanced)
    assert list_triple_pairs(both).empty
    described = sets_of.describe_triples(both, None)
    assert described["corpus"].tolist() == [
        *sets_of.TRIPLE_SETS,
        *(f"{name}_balanced" for name in sets_of.TRIPLE_SETS),
    ]
    reasons = described.set_index("corpus")["reason"]
    assert (reasons != "").all()
    assert reasons["xgen_test"] == sets_of.NO_SECOND_GENERATOR
    assert reasons["test_balanced"] == reasons["test"]
    named = sets_of.describe_triples(both, "phi").set_index("corpus")["reason"]
    assert "second generator was kept" in named["xgen_test"]


def test_each_set_is_balanced_type_by_type():
    sets = gather(2, 3)
    balanced, table = balance(sets, limit=0.5)
    assert balanced["is_balanced"].all()
    assert list(table.columns) == list(SET_BALANCE_COLUMNS)
    test = table[table["set"] == "test"]
    assert test["group"].tolist() == ["negation"] * 3 + ["scope"] * 3 + ["all"] * 3
    assert test["baseline"].tolist() == BASELINES * 3
    both = sets_of.add_balanced_sets(sets, balanced)
    assert both["corpus"].value_counts()["test_balanced"] == 6
    # The trap adds one word, the paraphrase none: words see the paraphrase, lengths the trap.
    strict, _ = balance(sets, limit=0.05)
    assert not strict["is_balanced"].any()
    none = sets_of.add_balanced_sets(sets, strict)
    described = sets_of.describe_triples(none, "phi").set_index("corpus")["reason"]
    assert described["test_balanced"] == sets_of.NOT_BALANCED
    assert set(none["corpus"]) == set(sets["corpus"])


def test_balance_of_other_triples_is_refused():
    sets = gather()
    balanced, _ = balance(sets)
    with pytest.raises(InputError, match="no row in the table of balanced triples"):
        sets_of.add_balanced_sets(sets, balanced[1:])
    doubled = pd.concat([make_triples(), make_triples()[3:4]])
    with pytest.raises(InputError, match="'dev:0' stands there more than once"):
        sets_of.gather_triples(doubled, make_made(0, "x"), make_human(0))
    with pytest.raises(InputError, match="is_filtered"):
        sets_of.gather_triples(
            make_triples().drop(columns="is_filtered"), make_made(0, "x"), make_human(0)
        )


def test_the_description_names_generator_judge_and_unfiltered_types(tmp_path):
    sets = gather(2, 1)
    described = sets_of.describe_triples(sets, "phi")
    write_tsv(described, tmp_path / "sets.tsv")
    read = sets_of.read_sets(tmp_path / "sets.tsv")
    pd.testing.assert_frame_equal(read.astype(object), described.astype(object))
    cells = read.set_index(["corpus", "type"])
    assert cells.loc[("test", "negation"), "n"] == 4
    assert bool(cells.loc[("test", "negation"), "is_filtered"])
    assert not bool(cells.loc[("test", "scope"), "is_filtered"])
    assert pd.isna(cells.loc[("human_test", "negation"), "is_filtered"])
    assert cells.loc[("xgen_test", "negation"), "generator"] == "phi"


def test_passages_know_their_triple():
    triples = make_triples()
    passages = pd.DataFrame(
        {
            "id": ["test:1", "scope:0"],
            "type": ["negation", "scope"],
            "query": ["q1", "q2"],
            "original": ["a", "b"],
            "twin": ["c", "d"],
        }
    )
    gathered = sets_of.gather_passages(passages, triples)
    assert gathered["is_filtered"].tolist() == [True, False]
    assert set(gathered["corpus"]) == {"passage_test"}
    assert sets_of.describe_passages(gathered)["n"].tolist() == [1, 1]
    none = sets_of.gather_passages(passages[:0], triples)
    assert "longer passage" in sets_of.describe_passages(none)["reason"].iloc[0]
    with pytest.raises(InputError, match="'other:1'"):
        sets_of.gather_passages(passages.assign(id=["test:1", "other:1"]), triples)


# A user's own file

ROWS = [
    ("A man eats.", "A man is eating.", "A man never eats.", "negation"),
    ('He said "no", \tthen left — façade.', "No, said he and left.", "He said yes.", "scope"),
]


def write_own(folder, file_format, rows=ROWS):
    path = folder / f"own.{file_format}"
    frame = pd.DataFrame(rows, columns=["left", "same", "other", "kind"])
    if file_format == "parquet":
        frame.to_parquet(path)
    elif file_format == "jsonl":
        lines = [json.dumps(row) for row in frame.to_dict("records")]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    else:
        frame.to_csv(path, sep={"csv": ",", "tsv": "\t"}[file_format], index=False)
    return path


def make_entry(path, **changes) -> dict[str, str]:
    return {
        "path": str(path),
        "anchor": "left",
        "paraphrase": "same",
        "trap": "other",
        "type": "kind",
    } | changes


def read_own(path, **changes) -> pd.DataFrame:
    own = read_own_triples({"mine": make_entry(path, **changes)})["mine"]
    return sets_of.read_own_file(path, own)


@pytest.mark.parametrize("file_format", ["csv", "tsv", "parquet", "jsonl"])
def test_own_triples_in_each_format(tmp_path, file_format):
    triples = read_own(write_own(tmp_path, file_format))
    columns = ["anchor", "paraphrase", "trap", "type"]
    assert [tuple(row) for row in triples[columns].to_numpy()] == ROWS
    assert set(triples["corpus"]) == {"mine"}
    assert len(list_triple_pairs(triples)) == 4
    described = sets_of.describe_own_triples(triples, "mine")
    assert described["n"].tolist() == [1, 1]
    assert described["is_filtered"].isna().all()


def test_own_triples_without_a_type_are_of_one_type(tmp_path):
    assert set(read_own(write_own(tmp_path, "csv"), type="")["type"]) == {"own"}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (("A", " ", "C", "x"), ["data row 3 (line 4)", "column 'same'", "empty text"]),
        (("A", "B", "", "x"), ["data row 3", "column 'other'", "empty text"]),
        (("A", "B", "B", "x"), ["data row 3", "column 'other'", "trap equals the paraphrase"]),
        (("A", "B", "A", "x"), ["data row 3", "trap equals the anchor"]),
        (("A", "A", "C", "x"), ["column 'same'", "paraphrase equals the anchor"]),
        (("A", "B", "C", ""), ["data row 3", "column 'kind'", "empty text"]),
    ],
)
def test_bad_rows_of_own_triples_are_refused_by_row_and_column(tmp_path, row, words):
    path = write_own(tmp_path, "csv", [*ROWS, row])
    with pytest.raises(InputError) as error:
        read_own(path)
    for word in [str(path), *words]:
        assert word in str(error.value)


def test_bad_files_of_own_triples_are_refused(tmp_path):
    path = write_own(tmp_path, "csv")
    with pytest.raises(InputError, match=r"missing column 'right'.*'left', 'same'"):
        read_own(path, trap="right")
    path.write_text("left,same,other,kind\n", encoding="utf-8")
    with pytest.raises(InputError, match="no data rows"):
        read_own(path)
    path.write_text("left,same,other,kind\nA,B,C\n", encoding="utf-8")
    with pytest.raises(InputError, match="3 fields where the header has 4"):
        read_own(path)
    path.write_bytes("left,same,other,kind\nä,B,C,x\n".encode("latin-1"))
    with pytest.raises(InputError, match="not UTF-8"):
        read_own(path)
    numbers = tmp_path / "numbers.parquet"
    pd.DataFrame({"left": [1], "same": ["B"], "other": ["C"], "kind": ["x"]}).to_parquet(numbers)
    with pytest.raises(InputError, match=r"data row 1.*'left': 1 is not text"):
        read_own(numbers)
    with pytest.raises(InputError, match="'macro'"):
        list_triple_pairs(read_own(write_own(tmp_path, "tsv", [("A", "B", "C", "macro")])))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"trap": ""}, ["'trap' is missing"]),
        ({"score": "x"}, ["unknown key 'score'"]),
        ({"trap": "same"}, ["one column stands for two"]),
        ({"format": "xlsx"}, ["format", "'xlsx'", "csv, tsv, parquet, jsonl"]),
        ({"path": "nowhere.csv"}, ["no file 'nowhere.csv'"]),
    ],
)
def test_bad_settings_of_own_triples_are_refused(tmp_path, change, words):
    entry = make_entry(write_own(tmp_path, "csv")) | change
    with pytest.raises(InputError) as error:
        read_own_triples({"mine": entry})
    for word in ["own_triples", "mine", *words]:
        assert word in str(error.value)


def test_settings_of_own_triples(tmp_path):
    path = write_own(tmp_path, "jsonl")
    entry = make_entry(path)
    del entry["type"]
    expected = OwnTriples("mine", str(path), "jsonl", "left", "same", "other")
    assert read_own_triples({"mine": entry}) == {"mine": expected}
    assert expected.columns == ["left", "same", "other"]


@pytest.mark.parametrize(
    "name", ["triples", "passages", "sr_released", "pairs", "sr_regenerated_x"]
)
def test_taken_names_are_refused(name):
    with pytest.raises(InputError, match=f"own_triples: the name '{name}'"):
        refuse_taken_triple_names([name], {"sr_released"}, {"pairs"})


def test_the_suites_of_the_pipeline_keep_their_names():
    refuse_taken_triple_names(["mine"], {"sr_released"}, {"pairs"})
    with pytest.raises(InputError, match="'triples' is the suite"):
        refuse_taken_triple_names([], {"triples"}, {})
    with pytest.raises(InputError, match="'passages' is the suite"):
        refuse_taken_triple_names([], {}, {"passages": {}})


def test_only_baselines_that_can_be_balanced_are_taken(repository):
    models = read_models(repository / "config/models.tsv")
    assert choose_balance_baselines(BASELINES, models) == BASELINES
    for name in ("random_vectors", "all-MiniLM-L6-v2", "word_overlaps"):
        with pytest.raises(InputError, match=r"triples.balance.baselines.*word_overlap"):
            choose_balance_baselines([name], models)
