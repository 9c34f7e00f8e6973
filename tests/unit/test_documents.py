"""The documents, held against the config, the catalogues and the files that they speak of."""

from __future__ import annotations

import re

import pytest
import yaml

CATALOGUES = (
    "corpora.tsv",
    "models.tsv",
    "model_files.tsv",
    "language_models.tsv",
    "published.tsv",
    "trap_types.tsv",
    "probes/entailment.tsv",
)


NAMED_ENTRIES = ("generators", "annotators")
"""Keys whose own keys are names that the user chooses; as keys of `sr` they hold lists."""


def list_keys(config, parent=""):
    """Names of all keys, nested ones with a point; a mapping without default is one key."""
    for key, value in config.items():
        if isinstance(value, dict) and value and key not in NAMED_ENTRIES:
            yield from list_keys(value, f"{parent}{key}.")
        else:
            yield f"{parent}{key}"


def test_every_config_key_is_explained(repository):
    text = (repository / "config/README.md").read_text(encoding="utf-8")
    config = yaml.safe_load((repository / "config/config.yaml").read_text(encoding="utf-8"))
    keys = set(list_keys(config))
    explained = set(re.findall(r"^\| `([a-z_0-9.]+)` \|", text.split("## Catalogues")[0], re.M))
    explained -= {"config.yaml", "laptop.yaml", "demo.yaml"}
    assert explained == keys


@pytest.mark.parametrize("name", CATALOGUES)
def test_every_column_is_explained(repository, name):
    text = (repository / "config/README.md").read_text(encoding="utf-8")
    section = text.split(f"### {name}")[1].split("\n#")[0]
    lines = (repository / "config" / name).read_text(encoding="utf-8-sig").splitlines()
    header = next(line for line in lines if line and not line.startswith("#"))
    assert re.findall(r"^\| `(\w+)` \|", section, re.M) == header.split("\t")


def test_paths_in_documents_exist(repository):
    for name in ("README.md", "CONTRIBUTING.md", "config/README.md", "results/README.md"):
        text = (repository / name).read_text(encoding="utf-8")
        paths = re.findall(r"`((?:config|scripts|tests|workflow|envs)/[\w./-]+)`", text)
        missing = [path for path in paths if not (repository / path).exists()]
        assert not missing, f"{name} names {missing}"


def test_citation_is_valid_yaml_of_this_version(repository):
    citation = yaml.safe_load((repository / "CITATION.cff").read_text(encoding="utf-8"))
    pyproject = (repository / "pyproject.toml").read_text(encoding="utf-8")
    assert f'version = "{citation["version"]}"' in pyproject
    assert citation["cff-version"] == "1.2.0"
