"""The vector store: whole shards or none, damaged ones dropped, nothing stored twice."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from embsyntax.vector_store import VectorStore

TEXTS = ["", "One.", "Zwei.\tDrei", "\N{PILE OF POO}", "a" * 60000]


@pytest.fixture
def vectors():
    return np.random.default_rng(1).normal(size=(len(TEXTS), 7)).astype(np.float32)


def test_vectors_come_back_bit_for_bit(tmp_path, vectors):
    store = VectorStore(tmp_path / "a" / "store")
    store.append(TEXTS[:2], vectors[:2])
    store.append(TEXTS[2:], vectors[2:])
    for opened in (store, VectorStore(store.folder)):
        assert len(opened) == len(TEXTS)
        assert np.array_equal(opened.vectors(TEXTS[::-1]), vectors[::-1])
        assert "another" not in opened
    with pytest.raises(KeyError):
        store.vectors(["another"])


def test_absent_folder_is_an_empty_store_and_is_not_made(tmp_path):
    store = VectorStore(tmp_path / "none")
    store.append([], np.empty((0, 3), np.float32))
    assert len(store) == 0
    assert not store.folder.exists()


def test_first_vector_of_a_text_wins(tmp_path, vectors):
    store = VectorStore(tmp_path)
    store.append(["x"], vectors[:1])
    store.append(["x"], vectors[1:2])
    assert np.array_equal(VectorStore(tmp_path).vectors(["x"]), vectors[:1])


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[: len(content) // 2],
        lambda content: b"",
        lambda content: content[:200] + bytes([content[200] ^ 1]) + content[201:],
    ],
    ids=["truncated", "empty", "one bit"],
)
def test_damaged_shard_is_dropped_with_a_warning(tmp_path, vectors, caplog, damage):
    store = VectorStore(tmp_path)
    store.append(TEXTS[:2], vectors[:2])
    store.append(TEXTS[2:], vectors[2:])
    first, _ = sorted(tmp_path.iterdir())
    first.write_bytes(damage(first.read_bytes()))
    with caplog.at_level(logging.WARNING):
        reopened = VectorStore(tmp_path)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert first.name in caplog.text
    assert not first.exists()
    assert [text in reopened for text in TEXTS] == [False, False, True, True, True]
    reopened.append(TEXTS[:2], vectors[:2])
    assert np.array_equal(VectorStore(tmp_path).vectors(TEXTS), vectors)


def test_leftover_of_a_kill_is_removed(tmp_path, vectors):
    store = VectorStore(tmp_path)
    store.append(TEXTS, vectors)
    (shard,) = tmp_path.iterdir()
    leftover = tmp_path / f".{shard.stem}.123.partial.arrow"
    leftover.write_bytes(shard.read_bytes()[:50])
    assert len(VectorStore(tmp_path)) == len(TEXTS)
    assert list(tmp_path.iterdir()) == [shard]


def test_wrong_shape_is_refused(tmp_path, vectors):
    with pytest.raises(ValueError, match="5 texts"):
        VectorStore(tmp_path).append(TEXTS, vectors[:3])
    assert not list(tmp_path.iterdir())
