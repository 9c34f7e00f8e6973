"""Sentences of a corpus: every form of raw file, what is not taken and why, what is refused."""

from __future__ import annotations

import gzip
import json
import unicodedata
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from embsyntax import corpora
from embsyntax.corpora import SentenceLimits, extract_sentences, read_texts
from embsyntax.jobs import InputError
from embsyntax.registry import Source, read_corpora

LIMITS = SentenceLimits(min_words=3, max_words=8)


def make_source(file: str, columns: str, **changes) -> Source:
    row = {
        "source": "mine",
        "file": file,
        "suite": "",
        "corpus": "mine",
        "format": file.removesuffix(".gz").rpartition(".")[2],
        "sentence1_column": "",
        "pairs": (),
        "score_max": None,
        "origin": f"folder:{file}",
        "revision": "",
        "sha256": "",
        "bytes": None,
        "mirror_path": "",
        "licence": "MIT",
        "attribution": "",
        "training_sets_note": "",
        "sentence_columns": tuple(columns.split(",")),
        "split": "test",
    }
    return Source(**{**row, **changes})


@pytest.fixture
def write(tmp_path):
    """Write a raw file of some texts, one per row, and give it with its catalogue row."""

    def write_texts(*texts: str, file: str = "mine.jsonl", **changes) -> tuple[Path, Source]:
        path = tmp_path / file
        lines = "".join(json.dumps({"text": text}) + "\n" for text in texts)
        path.write_text(lines, encoding="utf-8")
        return path, make_source(file, "text", **changes)

    return write_texts


def test_every_text_is_a_sentence_or_a_counted_drop(write):
    texts = [
        "Mice chase the cats.",
        "  Mice  chase\tthe cats.\n",
        "Two words",
        "? ! - .",
        "one two three four five six seven eight nine",
        "This one is barred.",
        "MICE chase the cats.",
    ]
    sentences, drops = extract_sentences(
        "mine", [write(*texts)], [write("This  one is barred.", file="other.jsonl")], LIMITS
    )
    assert list(sentences.columns) == list(corpora.SENTENCE_COLUMNS)
    assert sentences["text"].tolist() == ["Mice chase the cats.", "MICE chase the cats."]
    assert drops.to_dict("records") == [
        {"corpus": "mine", "reason": "too short", "n": 2},
        {"corpus": "mine", "reason": "too long", "n": 1},
        {"corpus": "mine", "reason": "in an excluded file", "n": 1},
        {"corpus": "mine", "reason": "duplicate", "n": 1},
    ]
    assert len(sentences) + drops["n"].sum() == len(texts)


def test_texts_are_compared_in_their_composed_form(write):
    composed = "Le café est ouvert"
    sentences, drops = extract_sentences(
        "mine", [write(unicodedata.normalize("NFD", composed), composed)], [], LIMITS
    )
    assert sentences["text"].tolist() == [composed]
    assert drops.set_index("reason")["n"]["duplicate"] == 1


def test_ids_follow_the_text_and_rows_name_where_it_stands_first(write):
    first = write("Mice chase cats.", "Dogs chase mice.", file="a.jsonl", split="train")
    second = write("Cows chase dogs.", "Mice chase cats.", file="b.jsonl", licence="other")
    together, _ = extract_sentences("mine", [first, second], [], LIMITS)
    turned, _ = extract_sentences("mine", [second, first], [], LIMITS)
    assert together["source"].tolist() == ["mine/a.jsonl", "mine/a.jsonl", "mine/b.jsonl"]
    assert together["split"].tolist() == ["train", "train", "test"]
    assert together["licence"].tolist() == ["MIT", "MIT", "other"]
    ids = dict(zip(together["text"], together["sentence_id"], strict=True))
    assert ids == dict(zip(turned["text"], turned["sentence_id"], strict=True))
    assert turned["source"].tolist()[1] == "mine/b.jsonl"
    assert all(name.startswith("mine:") and len(name) == 21 for name in ids.values())
    assert len(set(ids.values())) == 3


def test_a_corpus_without_a_sentence_is_refused_with_its_counts(write):
    with pytest.raises(InputError, match=r"corpus mine: no sentence is left \(too short: 2"):
        extract_sentences("mine", [write("One.", "Two.")], [], LIMITS)


@pytest.mark.parametrize(("shortest", "longest"), [(0, 5), (6, 5)])
def test_impossible_limits_are_refused(shortest, longest):
    with pytest.raises(InputError, match="1 <= min_words <= max_words"):
        SentenceLimits(shortest, longest)


def test_reranking_and_pair_lists_give_each_of_their_texts(tmp_path):
    row = {"query": "q one", "positive": ["p one", "p two"], "negative": []}
    path = tmp_path / "test.jsonl.gz"
    path.write_bytes(gzip.compress((json.dumps(row) + "\n").encode()))
    texts = read_texts(path, make_source("test.jsonl.gz", "query,positive,negative"))
    assert list(texts) == ["q one", "p one", "p two"]
    pairs = {"sent1": ["a", "b"], "sent2": ["c", "d"], "labels": [0, 1]}
    path.write_bytes(gzip.compress(json.dumps(pairs).encode()))
    assert list(read_texts(path, make_source("test.jsonl.gz", "sent1,sent2"))) == list("abcd")


def test_parquet_columns_may_hold_lists(tmp_path):
    path = tmp_path / "test.parquet"
    pq.write_table(pa.table({"text": ["a", "b"], "more": [["c", "d"], []]}), path)
    assert list(read_texts(path, make_source("test.parquet", "text,more"))) == list("acdb")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"text": "a"}\n{"text": null}\n', ["data row 2 (line 2)", "'text'", "null is no text"]),
        ('{"text": 3}\n', ["data row 1", "int 3 is no text"]),
        ('{"text": ["a", 3]}\n', ["data row 1", "entry 2", "int 3"]),
        ('{"text": "\\ud800 x"}\n', ["data row 1", "surrogate"]),
        ('{"text": "a\\u0000b"}\n', ["data row 1", "NUL"]),
        ('{"words": "a"}\n', ["missing column", "'text'", "'words'"]),
        ("not json\n", ["data row 1", "invalid JSON"]),
        ("", ["the file is empty"]),
    ],
)
def test_bad_raw_files_are_refused_by_place(tmp_path, content, words):
    path = tmp_path / "mine.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as error:
        list(read_texts(path, make_source("mine.jsonl", "text")))
    assert all(word in str(error.value) for word in ["mine.jsonl", *words])


@pytest.mark.parametrize("content", [b"no gzip", gzip.compress(b'{"text": "a"}' * 9)[:-9], b""])
def test_a_damaged_archive_is_refused(tmp_path, content):
    path = tmp_path / "mine.jsonl.gz"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"mine\.jsonl\.gz"):
        list(read_texts(path, make_source("mine.jsonl.gz", "text")))


# Real data

FILES = {
    "stsb": ["stsbenchmark/sts-test.csv", "sr_released/stsb.csv"],
    "sickr": [
        "sick/SICK_train.txt",
        "sick/SICK_trial.txt",
        "sick/SICK_test_annotated.txt",
        "sr_released/sickr.csv",
    ],
    "cqadupstack": ["sr_released/cqa.csv"],
}


@pytest.fixture(scope="module")
def extract(mirror, repository):
    """Extract the sentences of a corpus from the real files."""
    sources = {source.path: source for source in read_corpora(repository / "config/corpora.tsv")}

    def find(*names: str) -> list[tuple[Path, Source]]:
        return [(mirror / sources[name].mirror_path, sources[name]) for name in names]

    def run(corpus: str, *without: str) -> tuple[pd.DataFrame, pd.DataFrame]:
        limits = SentenceLimits(3, 60)
        return extract_sentences(corpus, find(*FILES[corpus]), find(*without), limits)

    return run


def test_the_released_sentences_stand_in_the_raw_distributions(extract):
    for corpus, released in (("stsb", "sr_released/stsb.csv"), ("sickr", "sr_released/sickr.csv")):
        sentences, _ = extract(corpus)
        assert released not in set(sentences["source"])


def test_no_sentence_of_the_training_pairs_is_left(extract):
    sentences, drops = extract("stsb", "stsbenchmark/sts-train.csv")
    assert len(sentences) == 2294
    assert drops.set_index("reason")["n"].to_dict() == {
        "too short": 1,
        "too long": 0,
        "in an excluded file": 425,
        "duplicate": 1190,
    }


def test_the_released_file_stands_in_where_it_is_the_only_one(extract):
    sentences, _ = extract("cqadupstack")
    assert (len(sentences), set(sentences["split"])) == (1813, {"released"})
