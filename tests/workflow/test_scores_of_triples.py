"""Scores of triples under the real snakemake: a user's own file, refusals, and nothing to score."""

from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd
import pytest

from conftest import run_snakemake

ROWS = [
    ("The dog bit the man.", "The man was bitten by the dog.", "The man bit the dog.", "roles"),
    ("She left before he came.", "He came after she had left.", "She left after he came.", "time"),
    ("All doors are open.", "Every door is open.", "Some doors are open.", "quantifier"),
]
COLUMNS = "{path: mine.csv, anchor: left, paraphrase: same, trap: other, type: kind}"
BASELINES_ONLY = ("models=[]", "suites=[]", "baselines=[word_overlap]")
RULES_OF_NOTHING = (
    "balance_triples",
    "build_triple_pairs",
    "build_passage_pairs",
    "score_baselines",
    "score_model",
    "compare_models",
    "tabulate_triple_board",
    "tabulate_leaderboard",
)


def write_rows(folder: Path, rows: list[tuple[str, ...]]) -> None:
    with (folder / "mine.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("left", "same", "other", "kind"), *rows])


def run(folder: Path, *arguments: str, entry: str = COLUMNS, name: str = "mine"):
    own = f"own_triples={{{name}: {entry}}}"
    return run_snakemake(folder, *arguments, "--config", *BASELINES_ONLY, own, "--", TARGET)


TARGET = "results/tables/mine/board.md"


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.mark.slow
def test_own_triples_get_a_board_and_bad_rows_are_named(workflow_folder):
    write_rows(workflow_folder, ROWS)
    result = run(workflow_folder)
    assert result.returncode == 0, result.stdout[-4000:]
    text = (workflow_folder / TARGET).read_text(encoding="utf-8")
    assert "| # | model | macro | all | quantifier | roles | time |" in text
    rows = read_rows(workflow_folder / "results/tables/mine/board.tsv")
    cells = {(row["dimension"], row["metric"], row["model"]): row["value"] for row in rows}
    # The trap has all words of the anchor, the paraphrase has not.
    assert cells["roles", "triple_accuracy", "word_overlap"] == "0.000000"
    assert run(workflow_folder, "-n").stdout.count("Nothing to be done") == 1
    write_rows(workflow_folder, [*ROWS, ("A man eats.", "A man is eating.", " ", "x")])
    result = run(workflow_folder)
    assert result.returncode != 0
    assert "mine.csv (own_triples: mine), data row 4 (line 5), column 'other'" in result.stdout


@pytest.mark.parametrize(
    ("name", "entry", "words"),
    [
        ("triples", COLUMNS, "the name 'triples' belongs to a suite of this pipeline"),
        ("stsb_test", COLUMNS, "the name 'stsb_test' belongs to a suite of the corpora table"),
        ("mine", COLUMNS.replace("mine.csv", "none.csv"), "no file 'none.csv'"),
        ("mine", COLUMNS.replace("same", "left"), "one column stands for two"),
        ("Mine", COLUMNS, "lower-case letters"),
    ],
)
def test_bad_own_triples_are_refused_before_anything_runs(workflow_folder, name, entry, words):
    write_rows(workflow_folder, ROWS)
    result = run(workflow_folder, "-n", entry=entry, name=name)
    assert result.returncode != 0
    assert words in result.stdout
    assert "Traceback" not in result.stdout


def test_a_baseline_that_cannot_be_balanced_is_refused(repository):
    setting = "triples={balance: {baselines: [random_vectors]}}"
    result = run_snakemake(repository, "-n", "--nolock", "--config", setting, timeout=60)
    assert result.returncode != 0
    assert "baseline of triples.balance.baselines: 'random_vectors'" in result.stdout


@pytest.mark.slow
def test_nothing_to_score_gives_a_leaderboard_that_says_why(workflow_folder):
    made = ["id", "type", "anchor", "paraphrase", "trap"]
    facts = ["generator", "judge", "is_filtered"]
    folder = workflow_folder / "results/triples"
    folder.mkdir(parents=True)
    for name, columns in (
        ("triples", [*made, "split", *facts]),
        ("human_test", [*made, "author", "yes", "no"]),
        ("passages", ["id", "type", "query", "original", "twin"]),
    ):
        pd.DataFrame(columns=columns, dtype=str).to_parquet(folder / f"{name}.parquet")
    target = "results/tables/leaderboard.md"
    overlay = "triples: {second_generator: null}\n"
    (workflow_folder / "overlay.yaml").write_text(overlay, encoding="utf-8")
    result = run_snakemake(
        workflow_folder,
        *("--allowed-rules", *RULES_OF_NOTHING),
        *("--configfile", "overlay.yaml", "--config", *BASELINES_ONLY),
        *("--", target, "results/tables/triples/board.md"),
    )
    assert result.returncode == 0, result.stdout[-4000:]
    text = (workflow_folder / target).read_text(encoding="utf-8")
    assert text.count("Empty: ") == 8
    assert "no second generator is named in the config" in text
    rows = read_rows(workflow_folder / "results/tables/leaderboard.tsv")
    assert len(rows) == 8
    assert all(row["reason"] and not row["value"] for row in rows)
    board = (workflow_folder / "results/tables/triples/board.md").read_text(encoding="utf-8")
    assert "There is nothing to score" in board
