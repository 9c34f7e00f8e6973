"""Loads a dataset folder as a user does, in a fresh process without network, config by config."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import yaml

LOADER = """
import json, sys
from datasets import get_dataset_config_names, load_dataset

folder, shown = sys.argv[1], {}
default = load_dataset(folder) if "--default" in sys.argv else {}
for config in get_dataset_config_names(folder):
    shown[config] = {
        split: {
            "n": rows.num_rows,
            "types": {name: str(feature.dtype) for name, feature in rows.features.items()},
            "rows": rows.to_list() if "--rows" in sys.argv else [],
        }
        for split, rows in load_dataset(folder, config).items()
    }
for split, rows in default.items():
    assert rows.num_rows == shown["default"][split]["n"]
print(json.dumps(shown))
"""


TIMESTAMP = "data/.snakemake_timestamp"
"""Empty file by which Snakemake dates the folder; not part of the data set."""


def load_every_config(folder: Path, cache: Path, with_rows: bool = False) -> dict:
    """Load each config of a folder offline.

    Args:
        folder: the dataset folder.
        cache: empty folder for what `datasets` writes.
        with_rows: whether to return the rows too.

    Returns:
        config -> split -> `n` (rows), `types` (column -> type), `rows`.
    """
    card = read_front_matter(folder)
    has_default = "default" in [entry["config_name"] for entry in card["configs"]]
    options = ["--default"] if has_default else []
    options += ["--rows"] if with_rows else []
    result = subprocess.run(
        [sys.executable, "-c", LOADER, str(folder), *options],
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout.splitlines()[-1])


def read_front_matter(folder: Path) -> dict:
    """Return the YAML block of the card of a dataset folder."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    opening, block, _ = text.split("---\n", 2)
    assert opening == ""
    return yaml.safe_load(block)


def check_dataset_folder(folder: Path, cache: Path) -> dict:
    """Check that a dataset folder loads as its card says, and that its checksums hold.

    Args:
        folder: the dataset folder.
        cache: empty folder for what `datasets` writes.

    Returns:
        As `load_every_config`.
    """
    card = read_front_matter(folder)
    loaded = load_every_config(folder, cache)
    assert list(loaded) == [entry["config_name"] for entry in card["configs"]]
    for info in card["dataset_info"]:
        splits = loaded[info["config_name"]]
        declared = {column["name"]: column["dtype"] for column in info["features"]}
        assert {entry["name"]: entry["num_examples"] for entry in info["splits"]} == {
            name: split["n"] for name, split in splits.items()
        }
        for split in splits.values():
            assert split["n"] > 0
            assert split["types"] == declared
    checked = subprocess.run(
        ["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=folder, check=False
    )
    assert checked.returncode == 0
    listed = {line.split("  ")[1] for line in (folder / "SHA256SUMS").read_text().splitlines()}
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert listed == files - {"SHA256SUMS", TIMESTAMP}
    return loaded
