"""Settings of splits and filter: what the workflow refuses when it starts."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from embsyntax.jobs import InputError
from embsyntax.registry import read_corpora
from embsyntax.triple_settings import (
    choose_train_only,
    list_earlier_files,
    read_filter_limits,
    read_split_settings,
)

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def config():
    text = (REPOSITORY / "config/config.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(text)["triples"]


def test_the_defaults_are_the_published_ones(config):
    split, limits = read_split_settings(config["split"]), read_filter_limits(config["filter"])
    assert (split.train, split.dev, split.test) == (0.8, 0.1, 0.1)
    assert (limits.min_paraphrase, limits.max_trap) == (0.7, 0.5)
    assert (limits.min_overlap, limits.max_new_words) == (0.7, 4)


@pytest.mark.parametrize(
    ("change", "named"),
    [({"train": 0.7}, "add up to 1"), ({"near_duplicate": 0}, "near_duplicate")],
)
def test_bad_splits_are_refused(config, change, named):
    with pytest.raises(InputError, match=named):
        read_split_settings(config["split"] | change)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"min_overlap": 1.5}, "triples.filter.min_overlap: 1.5"),
        ({"max_new_words": -1}, "max_new_words: -1"),
        ({"max_trap": 0.8}, "max_trap at most min_paraphrase"),
    ],
)
def test_bad_limits_are_refused(config, change, named):
    with pytest.raises(InputError, match=named):
        read_filter_limits(config["filter"] | change)
    assert read_filter_limits(config["filter"] | {"max_trap": 0.7}).max_trap == 0.7


def test_train_only_files_are_looked_up(config):
    sources = read_corpora(REPOSITORY / "config/corpora.tsv")
    chosen = choose_train_only(config["split"]["train_only"], sources)
    assert [source.path for source in chosen] == ["stsbenchmark/sts-train.csv"]
    with pytest.raises(InputError, match=r"raw file of triples.split.train_only: 'sts/none.csv'"):
        choose_train_only(["sts/none.csv"], sources)


def test_an_earlier_split_has_to_exist(tmp_path):
    assert list_earlier_files(None) == []
    path = tmp_path / "splits.parquet"
    with pytest.raises(InputError, match=r"triples.split.earlier: no file"):
        list_earlier_files(str(path))
    path.touch()
    assert list_earlier_files(str(path)) == [str(path)]
