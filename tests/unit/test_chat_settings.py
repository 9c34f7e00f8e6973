"""Generators and annotators of the config: what an entry inherits, needs, and may change."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat_doubles import CHAT, LOCAL, REMOTE
from embsyntax.chat_settings import NOT_IN_RESULTS, read_chat_models
from embsyntax.jobs import InputError
from embsyntax.registry import read_language_models

CATALOGUE = read_language_models(Path(__file__).resolve().parents[2] / "config/language_models.tsv")


def read(**entries):
    return read_chat_models({"chat": CHAT, "generators": entries}, "generators", CATALOGUE)


def test_an_entry_says_what_differs():
    found = read(
        rules={"backend": "rules"},
        small={**LOCAL, "temperature": 0, "shards": 3},
        remote={**REMOTE, "extra_body": {"seed": None}, "budget_tokens": 10},
    )
    assert list(found) == ["small", "remote"]
    small, remote = found.values()
    assert (small.temperature, small.top_p, small.shards, small.base_url) == (0, 0.95, 3, "")
    assert (small.name, small.role, small.is_local) == ("small", "generators", True)
    assert (remote.extra_body, remote.budget_tokens, remote.is_local) == ({"seed": None}, 10, False)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"backend": "transformers"}, "generators/x: the backend transformers needs model"),
        ({"backend": "openai", "model": "m"}, "needs base_url"),
        ({"backend": "openai"}, "needs model and base_url"),
        ({"backend": "vllm"}, "got 'vllm'; allowed: rules, transformers, openai"),
        ({**LOCAL, "model": "smol"}, "got 'smol'; allowed .*smollm2-135m-instruct"),
        ({**LOCAL, "model": "en_core_web_sm"}, "got 'en_core_web_sm'"),
    ],
)
def test_an_unusable_entry_is_refused(entry, message):
    with pytest.raises(InputError, match=message):
        read(x=entry)


@pytest.mark.parametrize("name", sorted(NOT_IN_RESULTS))
def test_what_changes_no_answer_reruns_nothing(name):
    value = "https://y.org" if name == "base_url" else 99
    before, after = read(x=REMOTE)["x"], read(x={**REMOTE, name: value})["x"]
    assert before != after
    assert before.result_settings() == after.result_settings()


@pytest.mark.parametrize(
    "change", [{"temperature": 0.1}, {"seed": 2}, {"model": "other"}, {"max_sentences": 5}]
)
def test_what_changes_answers_reruns(change):
    before, after = read(x=REMOTE)["x"], read(x={**REMOTE, **change})["x"]
    assert before.result_settings() != after.result_settings()
