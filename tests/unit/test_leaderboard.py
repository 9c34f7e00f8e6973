"""Boards of triples and the leaderboard, from scores of real functions on made similarities."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from embsyntax import leaderboard as lb
from embsyntax import triple_scores as ts
from embsyntax import triple_tables as tt
from embsyntax.baselines import DEFINITIONS
from embsyntax.jobs import write_tsv
from embsyntax.registry import read_models
from embsyntax.scores import ScoreSettings, compare_models, score_pairs
from embsyntax.tables import build_board
from embsyntax.triple_sets import (
    NO_SECOND_GENERATOR,
    add_balanced_sets,
    describe_passages,
    describe_triples,
    gather_passages,
    gather_triples,
)

SETTINGS = ScoreSettings(resamples=200, confidence=0.95, seed=3, cosine_decimals=6)
MINILM, OTHER, OVERLAP = "all-MiniLM-L6-v2", "all-mpnet-base-v2", "word_overlap"
MODEL_IDS = [OTHER, MINILM, OVERLAP]
LIFTS = {OTHER: 0.1, MINILM: 0.9, OVERLAP: 0.0}


@pytest.fixture(scope="module")
def models(repository):
    return read_models(repository / "config/models.tsv")


def make_sets(n: int = 40, human: int = 2) -> tuple[pd.DataFrame, pd.DataFrame]:
    made = pd.DataFrame(
        {
            "id": [f"rules:{k}" for k in range(n)],
            "type": ["negation", "scope"] * (n // 2),
            "anchor": [f"anchor {k // 2}" for k in range(n)],
            "paraphrase": [f"paraphrase {k}" for k in range(n)],
            "trap": [f"trap {k}" for k in range(n)],
            "split": "test",
            "generator": "rules",
            "judge": "trained",
            "is_filtered": [True, False] * (n // 2),
        }
    )
    sets = gather_triples(made, made[:0], made[:human].assign(author="a", yes=1, no=0))
    balance = pd.DataFrame({"id": sets["id"], "set": sets["corpus"], "is_balanced": True})
    balance["is_balanced"] = np.arange(len(sets)) < 20
    return add_balanced_sets(sets, balance), made


def give_similarities(pairs: pd.DataFrame, model: str) -> pd.DataFrame:
    generator = np.random.default_rng(len(model))
    values = generator.random(len(pairs)) + LIFTS[model] * pairs["score"].fillna(0).to_numpy()
    return pd.DataFrame({"pair_id": pairs["pair_id"], "similarity": values})


def make_board(pairs, described, models, suite, score, compare):
    similar = {model: give_similarities(pairs, model) for model in MODEL_IDS}
    scores = pd.concat(
        [score(pairs, similar[model], model, SETTINGS) for model in MODEL_IDS], ignore_index=True
    )
    return tt.build_triple_board(
        scores, compare(pairs, similar, SETTINGS, 0.05), described, models, suite
    )


def make_triple_board(models, sets):
    described = describe_triples(sets, None)
    pairs = ts.list_triple_pairs(sets)
    board = make_board(pairs, described, models, "triples", ts.score_triples, ts.compare_on_triples)
    return board, described


def make_passage_board(models, made, n: int = 10):
    passages = pd.DataFrame(
        {
            "id": made["id"][:n],
            "type": made["type"][:n],
            "query": made["paraphrase"][:n],
            "original": [f"passage {k // 2}" for k in range(n)],
            "twin": [f"twin {k}" for k in range(n)],
        }
    )
    gathered = gather_passages(passages, made)
    described = describe_passages(gathered)
    pairs = ts.list_passage_pairs(gathered)
    board = make_board(
        pairs, described, models, "passages", ts.score_passages, ts.compare_on_passages
    )
    return board, described


def make_released_board(models):
    generator = np.random.default_rng(1)
    pairs = pd.DataFrame(
        [
            {
                "pair_id": f"{corpus}:{dimension}:{row}",
                "corpus": corpus,
                "dimension": dimension,
                "anchor_id": f"{corpus}:{row}",
                "score": generator.integers(0, 6) / 5,
            }
            for corpus in ("stsb", "sickr")
            for dimension in ("structure", "relation")
            for row in range(30)
        ]
    )
    similar = {model: give_similarities(pairs, model) for model in MODEL_IDS}
    scores = pd.concat(
        [score_pairs(pairs, similar[model], model, SETTINGS) for model in MODEL_IDS],
        ignore_index=True,
    )
    comparisons = compare_models(pairs, similar, SETTINGS, 0.05)
    return build_board(scores, comparisons, models, "sr_released")


def triple_markdown(board, described, models, suite="triples", note=""):
    return tt.triple_board_markdown(
        board, described, SETTINGS, 0.05, DEFINITIONS, models, note, suite
    )


def test_the_triple_board_ranks_models_and_marks_unfiltered_types(models):
    board, described = make_triple_board(models, make_sets()[0])
    assert list(board.columns) == tt.BOARD_COLUMNS
    test = board[(board["corpus"] == "test") & (board["metric"] == ts.ACCURACY)]
    macro = test[test["dimension"] == "macro"]
    assert macro["model"].iloc[0] == MINILM
    assert macro["rank_group"].tolist() == [1, 2, 2]
    assert macro["value"].is_monotonic_decreasing
    assert test["dimension"].unique().tolist() == ["macro", "all", "negation", "scope"]
    filtered = test.drop_duplicates("dimension").set_index("dimension")["is_filtered"]
    assert filtered["negation"]
    assert not filtered["scope"]
    assert pd.isna(filtered["macro"])
    assert board.loc[board["metric"] == ts.AUC, "rank_group"].isna().all()
    text = triple_markdown(board, described, models, note="made up")
    assert "| scope (unfiltered) |" in text
    assert "| negation |" in text
    assert "Data: made up" in text
    assert "Written by rules; filtered by `trained`. Unfiltered types: scope." in text
    assert f"- `xgen_test`: {NO_SECOND_GENERATOR}" in text
    assert "word_overlap" in text.split("## Baselines")[1]


def test_no_interval_gives_no_rank_group_but_a_reason(models):
    board, described = make_triple_board(models, make_sets()[0])
    few = board[(board["corpus"] == "human_test") & (board["metric"] == ts.ACCURACY)]
    assert few["value"].notna().all()
    assert few["rank_group"].isna().all()
    assert few["reason"].str.contains("fewer than 3 anchors").all()
    assert "fewer than 3 anchors" in triple_markdown(board, described, models)


def test_a_suite_without_rows_has_a_board_that_says_why(models, tmp_path):
    sets, made = make_sets()
    board, described = make_triple_board(models, sets[:0])
    assert board.empty
    write_tsv(board, tmp_path / "board.tsv")
    assert lb.read_board(tmp_path / "board.tsv").empty
    text = triple_markdown(board, described, models)
    assert "There is nothing to score" in text
    assert "`test`: no triple of this split was kept" in text
    passages, described = make_passage_board(models, made, n=0)
    assert passages.empty
    assert "longer passage" in triple_markdown(passages, described, models, "passages")


def test_the_passage_board_shows_its_four_measures(models):
    board, described = make_passage_board(models, make_sets()[1])
    text = triple_markdown(board, described, models, "passages")
    assert "| # | model | accuracy | ties | recall@1 | MRR |" in text
    assert "|  | passages | 10 | 10 | 10 | 10 |" in text
    assert "Unfiltered types: scope." in text


@pytest.fixture
def boards(models, tmp_path):
    """The boards of all suites but STS-B, written and read, and the description of the sets."""
    sets, made = make_sets()
    triples, described = make_triple_board(models, sets)
    passages, described_passages = make_passage_board(models, made)
    found = {}
    for suite, board in (
        ("sr_released", make_released_board(models)),
        ("triples", triples),
        ("passages", passages),
    ):
        write_tsv(board, tmp_path / f"{suite}.tsv")
        found[suite] = lb.read_board(tmp_path / f"{suite}.tsv")
    return found, pd.concat([described, described_passages], ignore_index=True)


def test_the_leaderboard_has_a_row_for_each_model_and_column(models, boards):
    found, sets = boards
    table = lb.build_leaderboard(found, sets, MODEL_IDS, models)
    assert list(table.columns) == lb.LEADERBOARD_COLUMNS
    assert len(table) == len(MODEL_IDS) * len(lb.COLUMNS)
    assert list(dict.fromkeys(table["model"])) == [MINILM, OTHER, OVERLAP]
    cells = table.set_index(["board", "model"])
    released = found["sr_released"]
    average = released[
        (released["corpus"] == "average")
        & (released["dimension"] == "relation")
        & (released["model"] == OTHER)
    ].iloc[0]
    cell = cells.loc[("sr_relation", OTHER)]
    for name in ("value", "ci_low", "ci_high", "n", "rank_group"):
        assert cell[name] == average[name]
    assert cell["corpus"] == "average"
    assert cells.loc[("triples_test", MINILM), "rank_group"] == 1
    assert cells.loc[("triples_test_balanced", MINILM), "n"] == 20
    assert cells.loc[("passages", MINILM), "n"] == 10
    assert cells.loc[("stsb_test", MINILM), "n"] == 0
    assert "stsb_test is not among `suites`" in cells.loc[("stsb_test", MINILM), "reason"]
    assert cells.loc[("triples_xgen_test", OVERLAP), "reason"] == NO_SECOND_GENERATOR
    missing = table[table["value"].isna()]
    assert (missing["reason"] != "").all()


def leaderboard_text(table, sets, models, note=""):
    return lb.leaderboard_markdown(table, sets, SETTINGS, 0.05, DEFINITIONS, models, note)


def test_the_leaderboard_reads_well(models, boards):
    found, sets = boards
    text = leaderboard_text(lb.build_leaderboard(found, sets, MODEL_IDS, models), sets, models, "x")
    head = "| model | SR structure | SR relation | STS-B | Triples | Triples, balanced |"
    assert head in text
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    assert [line.split(" | ")[0] for line in lines[2:6]] == [
        f"| {models[MINILM].label}",
        f"| {models[OTHER].label}",
        f"| {models[OVERLAP].label} (baseline)",
        "| rows",
    ]
    assert "#1" in lines[2]
    assert "of 2 trap types. Written by rules; filtered by `trained`" in text
    assert f"Empty: {NO_SECOND_GENERATOR}." in text
    assert "Empty: the suite stsb_test is not among `suites` of the config." in text
    assert "**Data: x.**" in text


def test_a_leaderboard_without_any_row_says_why(models):
    sets, made = make_sets()
    board, described = make_triple_board(models, sets[:0])
    passages, described_passages = make_passage_board(models, made, n=0)
    both = pd.concat([described, described_passages], ignore_index=True)
    table = lb.build_leaderboard({"triples": board, "passages": passages}, both, MODEL_IDS, models)
    assert table["value"].isna().all()
    assert set(table["n"]) == {0}
    assert (table["reason"] != "").all()
    assert leaderboard_text(table, both, models).count("Empty: ") == len(lb.COLUMNS)


def test_the_balance_table_states_sizes(models):
    table = pd.DataFrame(
        [
            ("test", "negation", "word_overlap", 10, 0.8, 4, 0.5),
            ("test", "all", "word_overlap", 10, 0.8, 4, 0.5),
            ("dev", "all", "word_overlap", 0, np.nan, 0, np.nan),
        ],
        columns=["set", "group", "baseline", "n", "accuracy", "n_balanced", "accuracy_balanced"],
    )
    text = tt.balance_markdown(table, 0.05, DEFINITIONS, "made up")
    assert "| negation | 10 | 80.00 | 4 | 50.00 |" in text
    assert "within 5 points of chance" in text
    assert "## dev\n\nThis set has no triple." in text
    assert "made up" in text
