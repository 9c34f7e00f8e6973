"""The dataset folder: which rows stand where, and that every config loads as its card says."""

from __future__ import annotations

import dataclasses

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dataset_loading import check_dataset_folder, load_every_config
from embsyntax.dataset_folder import (
    ARROW_TYPES,
    COLUMNS,
    Part,
    collect_parts,
    columns_of,
    list_checksums,
    list_configs,
    make_arrow_table,
    write_part,
)
from embsyntax.jobs import InputError
from made_dataset import make_facts, make_tables, write_dataset

PUBLISHED = {
    "default": "id type anchor paraphrase trap",
    "xgen_test": "id type anchor paraphrase trap",
    "human_test": "id type anchor paraphrase trap author yes no",
    "candidates": "id type anchor paraphrase trap generator nli_para nli_trap overlap kept reason",
    "seeds": "seed_id text source has_number context",
    "passage_test": "query original twin",
}
"""Columns of the published data set, by its card."""


@pytest.fixture(scope="module")
def tables():
    return make_tables()


@pytest.fixture(scope="module")
def parts(tables):
    return {(part.config, part.split): part.rows for part in collect_parts(tables)}


@pytest.mark.parametrize("config", PUBLISHED)
def test_published_columns_come_first(config):
    expected = PUBLISHED[config].split()
    columns = columns_of(config)
    assert [column.name for column in columns[: len(expected)]] == expected
    assert [column.is_published for column in columns].count(True) == len(expected)


def test_columns_have_known_types_and_no_name_twice():
    for config in [*COLUMNS, "sr_regenerated_rules"]:
        names = [column.name for column in columns_of(config)]
        assert len(set(names)) == len(names)
        assert {column.dtype for column in columns_of(config)} <= set(ARROW_TYPES)


def test_every_row_stands_in_one_place(tables, parts):
    assert list(dict.fromkeys(config for config, _ in parts)) == list_configs(["rules"])
    for split in ("train", "dev", "test"):
        expected = tables.triples.loc[tables.triples["split"] == split, "id"].tolist()
        assert parts["default", split]["id"].tolist() == expected
    assert len(parts["candidates", "train"]) == sum(len(frame) for frame in tables.filtered)
    assert parts["candidates", "train"]["generator"].unique().tolist() == ["rules", "smollm2"]
    assert parts["xgen_test", "test"]["id"].tolist() == tables.xgen["id"].tolist()
    assert parts["sr_regenerated_rules", "test"]["id"].tolist() == [f"p{n}" for n in range(6)]


def test_every_kept_candidate_is_a_triple(parts):
    candidates = parts["candidates", "train"].set_index("id")
    for config, split in (("default", "train"), ("default", "test"), ("xgen_test", "test")):
        rows = parts[config, split].set_index("id")
        same = ["type", "anchor", "paraphrase", "trap", "source", "licence"]
        assert candidates.loc[rows.index, "kept"].all()
        pd.testing.assert_frame_equal(candidates.loc[rows.index, same], rows[same])


def test_rows_carry_source_and_licence_of_their_sentence(tables, parts):
    licences = tables.seeds.set_index("seed_id")["licence"]
    for key in (("candidates", "train"), ("passage_test", "test"), ("default", "test")):
        rows = parts[key]
        assert rows["licence"].tolist() == licences[rows["seed_id"]].tolist()
    pairs = parts["sr_regenerated_rules", "test"]
    assert pairs["source"].tolist() == ["stsbenchmark", "sick"] * 3
    assert pairs["licence"].str.contains("NC").tolist() == [False, True] * 3


def test_split_of_a_seed_is_that_of_this_data_set(tables, parts):
    seeds = parts["seeds", "train"]
    assert seeds["split"].tolist() == tables.splits["split"].tolist()
    placed = seeds.set_index("seed_id")["split"]
    for split in ("train", "dev", "test"):
        assert set(placed[parts["default", split]["seed_id"]]) == {split}


def test_people_get_the_source_of_anchors_that_are_seeds(parts):
    human = parts["human_test", "test"]
    assert human["source"].tolist()[0] == "xquad"
    assert human["source"].isna().tolist() == [False, True]
    assert human["yes"].tolist() == [2, 1]


def test_balance_is_empty_where_no_subset_was_drawn(parts):
    assert parts["default", "train"]["is_balanced"].isna().all()
    assert parts["default", "test"]["is_balanced"].notna().all()
    assert parts["xgen_test", "test"]["is_balanced"].notna().all()


def test_every_config_loads_offline(tmp_path, tables):
    folder = tmp_path / "dataset"
    parts = write_dataset(folder, tables, make_facts(tables))
    loaded = check_dataset_folder(folder, tmp_path / "cache")
    assert sum(split["n"] for splits in loaded.values() for split in splits.values()) == sum(
        len(part.rows) for part in parts
    )
    shown = load_every_config(folder, tmp_path / "cache2", with_rows=True)
    human = shown["human_test"]["test"]["rows"]
    assert [(row["author"], row["yes"], row["no"]) for row in human] == [
        ("p1", 2, 0),
        ("yes", 1, 1),
    ]
    assert shown["candidates"]["train"]["rows"][0]["nli_para"] is None
    assert shown["default"]["test"]["rows"][0]["is_balanced"] in (True, False)
    assert shown["default"]["train"]["rows"][0]["is_balanced"] is None


def test_a_run_that_kept_nothing_loads_too(tmp_path):
    tables = make_tables(with_all=False)
    folder = tmp_path / "dataset"
    write_dataset(folder, tables, make_facts(tables))
    loaded = check_dataset_folder(folder, tmp_path / "cache")
    assert list(loaded) == ["candidates", "seeds"]
    card = (folder / "README.md").read_text(encoding="utf-8")
    for config in ("default", "xgen_test", "passage_test", "human_test", "sr_regenerated_rules"):
        assert f"{config} (" in card.split("Left out, as they have no row: ")[1].splitlines()[0]


def test_equal_runs_give_equal_bytes(tmp_path, tables):
    for name in ("one", "two"):
        write_dataset(tmp_path / name, tables, make_facts(tables))
    files = sorted(path for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert len(files) == 11
    for path in files:
        assert (
            path.read_bytes()
            == (tmp_path / "two" / path.relative_to(tmp_path / "one")).read_bytes()
        )


def test_parquet_has_the_declared_types_and_no_other_metadata(tmp_path, parts):
    for (config, split), rows in parts.items():
        part = Part(config, split, rows)
        in_memory, on_disk = write_part(part, tmp_path / part.path)
        schema = pq.read_schema(tmp_path / part.path)
        assert schema.metadata is None
        assert {field.name: field.type for field in schema} == {
            column.name: ARROW_TYPES[column.dtype] for column in columns_of(config)
        }
        assert in_memory > 0
        assert on_disk == (tmp_path / part.path).stat().st_size


def test_checksums_are_those_of_sha256sum(tmp_path):
    (tmp_path / "b").write_text("")
    (tmp_path / "a").write_text("")
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert list_checksums(tmp_path, ["b", "a"]) == f"{empty}  a\n{empty}  b\n"


def replaced(tables, name, frame):
    return dataclasses.replace(tables, **{name: frame})


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("triples", lambda t: t.drop(columns="generator"), "generator"),
        ("triples", lambda t: t.assign(split="validation"), "'validation'; allowed: train, dev"),
        ("filtered", lambda t: [t[0].assign(seed_id="none")], "16 rows have no seed"),
        ("splits", lambda t: t.iloc[1:], "'s0' has no split"),
        ("sentences", lambda t: t.iloc[1:], "no sentence 'stsb:1'"),
        ("human", lambda t: t.drop(columns="yes"), "yes"),
        ("balance", lambda t: t.drop(columns="set"), "set"),
    ],
)
def test_tables_that_do_not_fit_are_refused(tables, name, change, message):
    with pytest.raises(InputError, match=message):
        collect_parts(replaced(tables, name, change(getattr(tables, name))))


def test_a_value_of_another_type_is_refused():
    rows = pd.DataFrame({column.name: ["x"] for column in columns_of("human_test")})
    with pytest.raises(InputError, match="dataset, config human_test, split test"):
        make_arrow_table(Part("human_test", "test", rows))
    assert issubclass(pa.ArrowInvalid, ValueError)
