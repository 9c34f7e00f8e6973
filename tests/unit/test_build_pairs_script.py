"""The script of build_pairs under the real snakemake: exit code, message, nothing half-written."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pandas as pd
import pytest

from conftest import run_snakemake
from embsyntax.pairs import PAIR_COLUMNS

SNAKEFILE = """
config["corpora"] = "corpora.tsv"
config["own_pairs"] = {{
    "mine": {{
        "path": "mine.csv",
        "sentence1": "left",
        "sentence2": "right",
        "score": "points",
        "score_max": 10,
    }}
}}


rule build_pairs:
    input:
        "mine.csv",
    output:
        pairs="results/pairs/{{suite}}/pairs.parquet",
    log:
        "results/logs/build_pairs/{{suite}}.log",
    script:
        "{script}"
"""


@pytest.fixture
def build(tmp_path: Path, repository: Path):
    """Run the rule on a raw file in a temporary folder."""

    def write_and_run(content: bytes) -> subprocess.CompletedProcess[str]:
        catalogue = (repository / "config/corpora.tsv").read_text(encoding="utf-8")
        (tmp_path / "corpora.tsv").write_text(catalogue, encoding="utf-8")
        (tmp_path / "mine.csv").write_bytes(content)
        script = repository / "scripts/build_pairs.py"
        (tmp_path / "Snakefile").write_text(SNAKEFILE.format(script=script), encoding="utf-8")
        return run_snakemake(tmp_path, "results/pairs/mine/pairs.parquet")

    return write_and_run


def test_pairs_of_a_good_file(build, tmp_path):
    run = build(b'\xef\xbb\xbfleft,right,points\r\n"a, ""b""",NA,10\r\nb,None,2.5\r\n')
    assert run.returncode == 0, run.stdout
    folder = tmp_path / "results/pairs/mine"
    assert [path.name for path in folder.iterdir()] == ["pairs.parquet"]
    pairs = pd.read_parquet(folder / "pairs.parquet")
    assert list(pairs.columns) == list(PAIR_COLUMNS)
    assert pairs["sentence1"].tolist() == ['a, "b"', "b"]
    assert pairs["sentence2"].tolist() == ["NA", "None"]
    assert pairs["score"].tolist() == [1.0, 0.25]
    log = (tmp_path / "results/logs/build_pairs/mine.log").read_text(encoding="utf-8")
    assert "byte order mark" in log
    assert "2 pairs of suite mine: mine similarity 2" in log


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"left,points\na,1\n", "missing column 'right'; those that are there: 'left', 'points'"),
        (
            b"left,right,points\na,b,1\nc,d,many\n",
            "data row 2 (line 3), column 'points': score 'many' is not a number",
        ),
        (b"left,right,points\na,b,1\nc,,2\n", "data row 2 (line 3), column 'right': empty text"),
        (b"left,right,points\na,b,1\ncaf\xe9,d,2\n", "byte offset 27 (line 3): byte 0xe9"),
        (b"left,right,points\na,b,1\nc,d,1\n", "correlation with a constant is undefined"),
        (b"left,right,points\na,b,1\nc\0,d,2\n", "byte offset 25 (line 3): NUL byte"),
    ],
    ids=["column", "score", "text", "encoding", "constant", "nul"],
)
def test_bad_file_leaves_nothing_behind(build, tmp_path, content, message):
    run = build(content)
    assert run.returncode != 0
    assert message in run.stdout
    assert "Traceback" not in (tmp_path / "results/logs/build_pairs/mine.log").read_text("utf-8")
    assert message in (tmp_path / "results/logs/build_pairs/mine.log").read_text("utf-8")
    folder = tmp_path / "results/pairs"
    assert [path for path in folder.rglob("*") if path.is_file()] == []
