"""The config schema: the shipped config holds; faults name key, value and what is allowed."""

from __future__ import annotations

import copy

import pytest
import yaml

from embsyntax.jobs import InputError
from embsyntax.settings import convert_texts, read_schema, validate_config


@pytest.fixture
def config(repository):
    return yaml.safe_load((repository / "config/config.yaml").read_text())


@pytest.fixture
def schema(repository):
    return repository / "workflow/schemas/config.schema.yaml"


def test_the_shipped_config_is_valid(config, schema):
    validate_config(config, schema)


@pytest.mark.parametrize("overlay", ["laptop", "demo"])
def test_overlays_hold_only_known_keys_and_only_what_differs(repository, config, overlay):
    extra = yaml.safe_load((repository / f"config/{overlay}.yaml").read_text())
    assert set(extra) <= set(config)
    for key, value in extra.items():
        assert value != config[key], f"{overlay}.yaml repeats the default of {key}"


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (
            "devcie",
            "cpu",
            "unknown key under (top level): 'devcie' = \"cpu\" (did you mean 'device'?)",
        ),
        ("device", "gpu", 'device = "gpu"; allowed: one of auto, cpu, cuda'),
        ("scores/resamples", 5, "scores/resamples = 5; allowed: at least 100"),
        ("scores/resample", 5, "unknown key under scores: 'resample' = 5"),
        ("embedding/batch_tokens", "many", "allowed: a value of type integer"),
        ("mirrors", "/data", 'mirrors = "/data"; allowed: a value of type array'),
        ("own_pairs", {"mine": {"path": "x.csv"}}, "key missing under own_pairs/mine: sentence1"),
        (
            "own_pairs",
            {"MyPairs": {"path": "x.csv", "sentence1": "a", "sentence2": "b", "score": "c"}},
            'name "MyPairs" under own_pairs; allowed: lower-case letters, digits and underscores',
        ),
        ("speed/repetitions", 1, "speed/repetitions = 1; allowed: at least 3"),
    ],
)
def test_faults_name_key_value_and_allowed(config, schema, path, value, expected):
    broken = copy.deepcopy(config)
    *parents, key = path.split("/")
    place = broken
    for parent in parents:
        place = place[parent]
    place[key] = value
    with pytest.raises(InputError) as error:
        validate_config(broken, schema)
    assert expected in str(error.value)
    assert "config/README.md" in str(error.value)


def test_missing_keys_are_named_once(config, schema):
    config["own_pairs"] = {"mine": {"path": "x.csv"}}
    with pytest.raises(InputError) as error:
        validate_config(config, schema)
    assert str(error.value).count("key missing") == 1


def test_a_missing_key_is_named(config, schema):
    del config["scores"]["seed"]
    with pytest.raises(InputError, match="key missing under scores: seed"):
        validate_config(config, schema)


def test_texts_of_the_command_line_get_the_type_of_the_schema(config, schema):
    config["claims"] = {"tolerance": "0.5", "is_released_data": "false"}
    config["scores"]["resamples"] = "many"
    config["own_pairs"] = {"mine": {"path": "5", "score_max": "5"}}
    config["track_note"] = "7"
    converted = convert_texts(config, read_schema(schema))
    assert converted["claims"] == {"tolerance": 0.5, "is_released_data": False}
    assert converted["scores"]["resamples"] == "many"
    assert converted["own_pairs"] == {"mine": {"path": "5", "score_max": 5}}
    assert converted["track_note"] == "7"
