"""Fixtures of all tests: the real data, a copy of the workflow, a run of the real snakemake."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]

WORKFLOW_PARTS = (
    "Snakefile",
    "workflow",
    "scripts",
    "config",
    "envs",
    "tests/data/rule_reviews.tsv",
    "tests/data/rule_review_raters.tsv",
)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The checkout under test."""
    return REPOSITORY


@pytest.fixture(scope="session")
def mirror() -> Path:
    """The folder with the real data; the test is skipped where there is none."""
    value = os.environ.get("EMBSYNTAX_MIRROR", "").split(os.pathsep)[0]
    if not value or not Path(value).is_dir():
        pytest.skip("no real data: EMBSYNTAX_MIRROR names no folder")
    return Path(value)


def copy_workflow(folder: Path) -> Path:
    """Copy what the workflow needs to run into a folder, without any output."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in WORKFLOW_PARTS:
        source = REPOSITORY / part
        if source.is_dir():
            shutil.copytree(
                source, folder / part, ignore=shutil.ignore_patterns("__pycache__", "*.partial*")
            )
        else:
            (folder / part).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, folder / part)
    return folder


def run_snakemake(
    folder: Path, *arguments: str, timeout: float = 1150, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the real snakemake in a folder; stdout and stderr come back as one text in `.stdout`."""
    variables = {**os.environ, "XDG_CACHE_HOME": str(folder / ".cache"), **environment}
    return subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "2", *arguments],
        cwd=folder,
        env=variables,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        timeout=timeout,
        check=False,
    )


@pytest.fixture
def workflow_folder(tmp_path: Path) -> Path:
    """A fresh copy of the workflow in a temporary folder."""
    return copy_workflow(tmp_path / "checkout")
