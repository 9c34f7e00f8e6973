"""Generators and annotators of the config: what an entry inherits, needs, and may change."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from chat_doubles import CHAT, LOCAL, REMOTE
from embsyntax.chat_settings import (
    NOT_IN_RESULTS,
    check_sr_settings,
    check_triple_settings,
    read_chat_models,
)
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


@pytest.fixture
def sr_config():
    root = Path(__file__).parents[2]
    return yaml.safe_load((root / "config/config.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("sr/score_by", {"rules": "nobody"}, "sr/score_by/rules: unknown 'nobody'"),
        ("sr/score_by", {"nogen": "qwen3_4b"}, "sr/score_by: unknown 'nogen'"),
        ("sr/score_by", {"rules": "rules"}, "'qwen3_4b' has no entry"),
        ("validation/sheets", {"rulez": []}, "validation/sheets: unknown 'rulez'"),
        ("validation/sheets", {"rules": ["/no/such.csv"]}, "there is no file '/no/such.csv'"),
        ("tree_kernel/bracketed", {"nowhere": "x"}, "tree_kernel/bracketed: unknown 'nowhere'"),
        ("tree_kernel/bracketed", {"stsb": "/no/trees"}, "there is no file '/no/trees'"),
        ("rule_review/passes", ["one.tsv"], "rule_review/passes: 1 file"),
        ("generators/rules", {"backend": "openai"}, "belong to the built-in generator"),
        ("generators/mine", {"backend": "rules"}, "belong to the built-in generator"),
    ],
)
def test_names_that_would_be_passed_over_are_refused(sr_config, path, value, message):
    part, key = path.split("/")
    check_sr_settings(sr_config, ["stsb"])
    sr_config[part][key] = value
    with pytest.raises(InputError, match=message):
        check_sr_settings(sr_config, ["stsb"])


def check_triples(config, generator, second, n_candidates=4, **entries):
    models = read_chat_models({"chat": CHAT, "generators": entries}, "generators", CATALOGUE)
    generate = {"n_candidates": n_candidates, "per_type": None, "seed": 1}
    triples = {"generator": generator, "second_generator": second, "generate": generate}
    check_triple_settings({**config, "triples": triples}, models)


SMOL = {"backend": "transformers", "model": "smollm2-135m-instruct"}
QWEN = {"backend": "transformers", "model": "qwen3-4b-instruct-2507"}
GPT = {**REMOTE, "family": "gpt-4o"}


@pytest.mark.parametrize(
    ("generator", "second"),
    [("rules", None), ("smol", "qwen"), ("rules", "smol"), ("gpt", "rules"), ("nameless", None)],
)
def test_two_families_may_write_triples(sr_config, generator, second):
    check_triples(sr_config, generator, second, smol=SMOL, qwen=QWEN, gpt=GPT, nameless=REMOTE)


@pytest.mark.parametrize(
    ("generator", "second", "message"),
    [
        (
            "nobody",
            None,
            "triples/generator: unknown 'nobody'; allowed: gpt, nameless, qwen, rules",
        ),
        ("rules", "nobody", "triples/second_generator: unknown 'nobody'"),
        ("rules", "rules", "'rules' and 'rules' are both of the family 'rules'"),
        ("smol", "smol", "are both of the family 'smollm2'; allowed: two families"),
        ("qwen", "served_qwen", "'qwen' and 'served_qwen' are both of the family 'qwen3'"),
        ("nameless", "smol", "generators/nameless: no family, and triples/generator names it"),
        ("rules", "nameless", "no family, and triples/second_generator names it"),
        ("steady", None, "'steady' has the temperature 0 and would give the same answer 4 times"),
        ("rules", "steady", "triples/second_generator: 'steady' has the temperature 0"),
    ],
)
def test_generators_that_cannot_write_triples_are_refused(sr_config, generator, second, message):
    entries = {
        "smol": SMOL,
        "qwen": QWEN,
        "served_qwen": {**REMOTE, "family": "qwen3"},
        "gpt": GPT,
        "nameless": REMOTE,
        "steady": {**QWEN, "temperature": 0},
    }
    with pytest.raises(InputError, match=message):
        check_triples(sr_config, generator, second, **entries)


def test_one_answer_of_a_steady_generator_is_allowed(sr_config):
    check_triples(sr_config, "steady", None, 1, steady={**QWEN, "temperature": 0})


def test_the_family_of_a_local_model_is_that_of_the_catalogue():
    assert read(x=LOCAL)["x"].family == "smollm2"
    with pytest.raises(InputError, match="got 'other', and the catalogue .* says 'smollm2'"):
        read(x={**LOCAL, "family": "other"})


def test_the_generators_of_the_shipped_config_are_of_two_families(sr_config):
    models = read_chat_models(sr_config, "generators", CATALOGUE)
    check_triple_settings(sr_config, models)
