"""Perplexity ratios: equal to a plain computation, each text once, resumed."""

from __future__ import annotations

import logging

import numpy as np
import pandas as pd
import pytest
import torch

from embsyntax import fluency
from embsyntax.devices import use_threads
from embsyntax.jobs import InputError
from embsyntax.language_models import load_language_model
from embsyntax.vector_store import VectorStore
from tiny_language_model import write_tiny_model

LOG = logging.getLogger("test_fluency")

TEXTS = ["a b c", "a", "d e f g h i j k l", "c b a", "n n n n", "m"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    use_threads(1)
    folder = write_tiny_model(tmp_path_factory.mktemp("tiny"), max_tokens=8)
    return load_language_model(folder, "tiny", "key", "cpu", "float32", folder)


def plain_likelihood(text: str, model) -> float:
    """One text by itself, without padding, token by token."""
    ids = [0, *model.tokenizer(text, add_special_tokens=False)["input_ids"]][:8]
    with torch.inference_mode():
        logits = model.network(torch.tensor([ids])).logits[0].double()
    logs = torch.log_softmax(logits, dim=-1)
    losses = [-logs[place, token].item() for place, token in enumerate(ids[1:])]
    return sum(losses) / len(losses)


@pytest.mark.parametrize("batch_tokens", [1, 12, 1000])
def test_likelihoods_equal_a_plain_computation(model, tmp_path, batch_tokens):
    found = fluency.measure_texts(TEXTS, model, batch_tokens, VectorStore(tmp_path), LOG)
    assert found == pytest.approx([plain_likelihood(text, model) for text in TEXTS], rel=1e-5)


def candidates() -> pd.DataFrame:
    rows = [
        ("1", "a b c", "c b a", "made"),
        ("2", "a b c", None, "declined"),
        ("3", "n n n n", "a b c", "made"),
    ]
    return pd.DataFrame(rows, columns=["candidate_id", "sentence1", "sentence2", "status"])


def test_ratios_of_made_candidates(model, tmp_path):
    table = fluency.score_fluency(candidates(), model, 100, VectorStore(tmp_path), LOG)
    assert list(table.columns) == list(fluency.FLUENCY_COLUMNS)
    assert list(table["candidate_id"]) == ["1", "3"]
    likelihoods = {text: plain_likelihood(text, model) for text in ("a b c", "c b a", "n n n n")}
    assert table["nll_source"].tolist() == pytest.approx(
        [likelihoods["a b c"], likelihoods["n n n n"]], rel=1e-5
    )
    assert table["ratio"].tolist() == pytest.approx(
        [
            np.exp(likelihoods["c b a"] - likelihoods["a b c"]),
            np.exp(likelihoods["a b c"] - likelihoods["n n n n"]),
        ],
        rel=1e-4,
    )


def test_each_text_is_run_once_and_not_again(model, tmp_path, monkeypatch):
    run = []

    def noted(batch, model):
        run.extend(tuple(ids) for ids in batch)
        return plain(batch, model)

    plain = fluency.mean_likelihoods
    monkeypatch.setattr(fluency, "mean_likelihoods", noted)
    first = fluency.score_fluency(candidates(), model, 100, VectorStore(tmp_path), LOG)
    assert len(run) == len(set(run)) == 3
    again = fluency.score_fluency(candidates(), model, 100, VectorStore(tmp_path), LOG)
    assert len(run) == 3
    pd.testing.assert_frame_equal(first, again)


def test_no_candidate_gives_an_empty_table(model, tmp_path):
    none = candidates().query("status == 'declined'")
    table = fluency.score_fluency(none, model, 100, VectorStore(tmp_path), LOG)
    assert list(table.columns) == list(fluency.FLUENCY_COLUMNS)
    assert table.empty


def test_a_text_without_tokens_is_refused(model, tmp_path):
    with pytest.raises(InputError, match="has no token"):
        fluency.measure_texts(["a", " "], model, 100, VectorStore(tmp_path), LOG)


def test_batches_keep_to_their_budget(model):
    batches = list(fluency.cut_batches(fluency.tokenize(TEXTS, model), 12))
    assert sorted(text for batch in batches for text, _ in batch) == sorted(TEXTS)
    assert all(len(batch) * len(batch[0][1]) <= 12 or len(batch) == 1 for batch in batches)
