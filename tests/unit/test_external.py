"""Results of another machine: what is taken over, and what is refused and why."""

from __future__ import annotations

import json
import shutil
import types
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from conftest import run_snakemake
from embsyntax.external import (
    check_external,
    read_external_manifest,
    read_external_similarities,
)
from embsyntax.external_index import external_file, list_external_models
from embsyntax.jobs import InputError
from embsyntax.provenance import read_manifest
from embsyntax.similarities import pairs_digest, similarities_digest

PAIRS = pd.DataFrame(
    {
        "pair_id": ["c:d:1", "c:d:2", "c:d:3"],
        "sentence1": ["a", "b", "NA"],
        "sentence2": ["b", "b", 'é\t"x"'],
    }
)

GOOD = pd.DataFrame({"pair_id": PAIRS["pair_id"], "similarity": [0.5, 1.0, -0.25]})


def manifest(**changes: object) -> dict:
    stated = {
        "model": "m",
        "suite": "s",
        "pairs_sha256": pairs_digest(PAIRS),
        "cosine_decimals": 6,
        "similarities_sha256": similarities_digest(GOOD),
    }
    stated.update(changes)
    return {name: value for name, value in stated.items() if value is not None}


def check(
    similarities: pd.DataFrame = GOOD, stated: dict | None = None, model: str = "m"
) -> pd.DataFrame:
    if stated is None:
        stated = manifest(model=model)
        if {"pair_id", "similarity"} <= set(similarities.columns):
            rounded = similarities.assign(similarity=similarities["similarity"].map(to_digits))
            stated["similarities_sha256"] = similarities_digest(rounded)
    return check_external(similarities, stated, PAIRS, suite="s", model=model, cosine_decimals=6)


def to_digits(value: object) -> object:
    return round(float(value), 6) + 0.0 if isinstance(value, int | float | np.number) else value


def put(folder: Path, suite: str, model: str) -> Path:
    entry = folder / suite / model
    entry.mkdir(parents=True)
    GOOD.to_parquet(entry / "similarities.parquet", index=False)
    (entry / "manifest.json").write_text(json.dumps(manifest(model=model, suite=suite)))
    return entry


# One table and its manifest


def test_numbers_of_another_run_are_refused():
    other = GOOD.assign(similarity=[0.5, 1.0, 0.25])
    with pytest.raises(InputError, match="holds other numbers than those that manifest.json"):
        check(other, manifest())


def test_good_results_are_taken_over_in_the_order_of_the_pairs():
    taken = check(GOOD.iloc[::-1].assign(note="more columns do not matter"))
    pd.testing.assert_frame_equal(taken, GOOD)


def test_similarities_are_rounded_and_single_precision_is_welcome():
    rough = GOOD.assign(similarity=np.array([0.12345678, 1.0000001, -0.0], dtype=np.float32))
    taken = check(rough)["similarity"]
    assert taken.tolist() == [0.123457, 1.0, 0.0]
    assert not np.signbit(taken.iloc[2])


def test_the_digest_may_stand_under_data():
    stated = manifest(pairs_sha256=None, data={"pairs_sha256": pairs_digest(PAIRS)})
    pd.testing.assert_frame_equal(check(stated=stated), GOOD)


def test_only_the_baseline_of_lengths_may_leave_the_range_of_a_cosine():
    lengths = GOOD.assign(similarity=[0, 7, 22])
    assert check(lengths, model="length_difference")["similarity"].tolist() == [0, 7, 22]
    with pytest.raises(InputError, match=r"2 similarities are not allowed \(c:d:2 = 7"):
        check(lengths)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model": "other"}, "states model = 'other'; expected: 'm'"),
        ({"suite": "other"}, "states suite = 'other'; expected: 's'"),
        ({"cosine_decimals": 7}, "states cosine_decimals = 7; expected: 6. Ties differ"),
        ({"cosine_decimals": "6"}, "states cosine_decimals = '6'; expected: 6"),
        ({"pairs_sha256": "0" * 64}, "states pairs_sha256 = '0000.*made from other pairs"),
        ({"model": None}, "does not state model; needed: model, suite, pairs_sha256, cosine_dec"),
        ({"pairs_sha256": None}, "does not state pairs_sha256"),
        ({"pairs_sha256": None, "data": 3}, "does not state pairs_sha256"),
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(changes, message):
    with pytest.raises(InputError, match=message) as error:
        check(stated=manifest(**changes))
    assert "external results of model 'm' on suite 's'" in str(error.value)


@pytest.mark.parametrize("change", ["text", "order"])
def test_other_pairs_have_another_digest(change):
    pairs = PAIRS.assign(sentence1=["a", "b", "None"]) if change == "text" else PAIRS.iloc[::-1]
    assert pairs_digest(pairs) != pairs_digest(PAIRS)


@pytest.mark.parametrize(
    ("similarities", "message"),
    [
        (
            GOOD.rename(columns={"similarity": "cosine"}),
            "lacks the column.* similarity; it has pai",
        ),
        (GOOD.iloc[:2], r"1 pair\(s\) have no similarity \(c:d:3\)"),
        (GOOD.iloc[[0, 1, 2, 2]], r"1 pair\(s\) have two similarities \(c:d:3\)"),
        (
            pd.concat([GOOD, GOOD.assign(pair_id=[f"x:{i}" for i in range(3)])]),
            r"3 pair\(s\) are not in this suite \(x:0, x:1, x:2\)",
        ),
        (GOOD.assign(similarity=[0.5, np.nan, 1]), r"1 similarities are not allowed \(c:d:2 = nan"),
        (GOOD.assign(similarity=[np.inf, 0, 1]), r"\(c:d:1 = inf\); allowed: a finite number"),
        (GOOD.assign(similarity=[0.5, 0, 1.00001]), r"\(c:d:3 = 1.00001\); allowed: a cosine from"),
        (GOOD.assign(similarity=[-1.5, 0, 1]), r"\(c:d:1 = -1.5\)"),
        (GOOD.assign(similarity=["0.5", "0", "1"]), "is of type .*; allowed: numbers"),
        (GOOD.assign(similarity=[True, False, True]), "is of type bool; allowed: numbers"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(similarities, message):
    with pytest.raises(InputError, match=message):
        check(similarities)


def test_damaged_files_are_refused_by_name(tmp_path):
    entry = put(tmp_path, "s", "m")
    table = entry / "similarities.parquet"
    table.write_bytes(table.read_bytes()[:-20])
    with pytest.raises(InputError, match="similarities.parquet is no whole Parquet file"):
        read_external_similarities(table)
    for content in (b'{"model": ', b"\xff\xfe", b"[]"):
        (entry / "manifest.json").write_bytes(content)
        with pytest.raises(
            InputError, match="manifest.json (is no JSON file|holds no JSON object)"
        ):
            read_external_manifest(entry / "manifest.json")


# The index of folders


def test_models_are_found_in_their_folders(tmp_path):
    put(tmp_path / "one", "s", "m2")
    put(tmp_path / "one", "t", "m2")
    put(tmp_path / "two", "s", "m1")
    (tmp_path / "one/README.md").write_text("not a result")
    folders = [str(tmp_path / "one"), str(tmp_path / "two")]
    found = list_external_models(folders)
    assert found == {"m1": folders[1], "m2": folders[0]}
    assert list(found) == ["m1", "m2"]
    assert list_external_models([]) == {}
    find = external_file(found, "manifest.json")
    path = find(types.SimpleNamespace(suite="t", model="m2"))
    assert path == f"{folders[0]}/t/m2/manifest.json"
    with pytest.raises(InputError, match="no results of model 'm1' on suite 't'; it has them on s"):
        find(types.SimpleNamespace(suite="t", model="m1"))


def test_folders_that_cannot_be_used_are_refused(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="absent is not a folder"):
        list_external_models([str(tmp_path / "absent")])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no results; the layout is FOLDER/<suite>/<model>/"):
        list_external_models([str(tmp_path / "empty")])
    put(tmp_path / "one", "s", "m")
    put(tmp_path / "two", "s", "m")
    with pytest.raises(InputError, match="one and .*two hold results of the model 'm'"):
        list_external_models([str(tmp_path / "one"), str(tmp_path / "two")])
    (tmp_path / "two/s/m/manifest.json").unlink()
    with pytest.raises(InputError, match=r"s/m has no manifest.json; allowed: both"):
        list_external_models([str(tmp_path / "two")])
    put(tmp_path / "odd", "s", "a model")
    with pytest.raises(InputError, match="the folder 'a model' of suite s is no model id"):
        list_external_models([str(tmp_path / "odd")])
    put(tmp_path / "results/similarities", "s", "m")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="is where this run writes its own results"):
        list_external_models(["results/similarities"])


# The rules as a user runs them


def test_results_of_one_run_join_another(workflow_folder, tmp_path):
    rows = 'a,b,score\none two,one,3\none,one,5\nNA,"x, y",0\n'
    (workflow_folder / "mine.csv").write_text(rows)
    settings = (
        "own_pairs: {mine: {path: mine.csv, sentence1: a, sentence2: b, score: score, "
        "score_max: 5}}\nmodels: []\n"
    )
    (workflow_folder / "own.yaml").write_text(settings)
    made = workflow_folder / "results/similarities/mine"
    baselines = ["random_vectors", "length_difference", "word_overlap", "character_ngrams"]
    files = [f"results/similarities/mine/{name}/similarities.parquet" for name in baselines]
    first = run_snakemake(workflow_folder, "--configfile", "own.yaml", "--", *files, timeout=120)
    assert first.returncode == 0, first.stdout
    assert pd.read_parquet(made / "length_difference/similarities.parquet")[
        "similarity"
    ].tolist() == [1, 0, 1]
    stated = read_manifest(made / "length_difference/manifest.json")
    assert (stated["suite"], stated["model"], stated["seed"]) == ("mine", "length_difference", None)
    assert read_manifest(made / "random_vectors/manifest.json")["seed"] == 20231

    # The same pairs, with results that a machine with another name for its model had made.
    other = tmp_path / "elsewhere/mine/far-model"
    shutil.copytree(made / "word_overlap", other)
    stated = read_manifest(other / "manifest.json")
    (other / "manifest.json").write_text(json.dumps({**stated, "model": "far-model"}))
    folder = tmp_path / "elsewhere"
    (workflow_folder / "own.yaml").write_text(settings + f"external_results: ['{folder}']\n")
    target = "results/similarities/mine/far-model/similarities.parquet"
    arguments = ("--configfile", "own.yaml", "--", target)
    second = run_snakemake(workflow_folder, *arguments, timeout=120)
    assert second.returncode == 0, second.stdout
    taken = (workflow_folder / target).read_bytes()
    assert taken == (made / "word_overlap/similarities.parquet").read_bytes()
    kept = read_manifest(made / "far-model/manifest.json")
    assert kept["external_manifest"]["model"] == "far-model"
    assert str(tmp_path) not in json.dumps(kept)

    # Other pairs: one line, exit code, nothing left.
    (workflow_folder / "mine.csv").write_text(rows.replace("one two", "one two three"))
    third = run_snakemake(workflow_folder, *arguments, timeout=120)
    assert third.returncode != 0
    assert "They were made from other pairs" in third.stdout
    assert (
        "Traceback"
        not in (
            workflow_folder / "results/logs/extract_external_similarities/mine/far-model.log"
        ).read_text()
    )
    assert not (workflow_folder / target).exists()
