"""Which seeds a generator gets, and which attempt is kept."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from embsyntax import triple_splits
from embsyntax.jobs import InputError
from embsyntax.trap_types import read_trap_types
from embsyntax.triple_candidates import (
    CANDIDATE_COLUMNS,
    DROPPED,
    STATUSES,
    TEST,
    assign_types,
    choose_candidates,
    choose_seeds,
    collect_attempts,
)

TYPES = read_trap_types(Path(__file__).resolve().parents[2] / "config/trap_types.tsv")


def make_seeds(n, split="train"):
    ids = [f"seed{number:03d}" for number in range(n)]
    seeds = pd.DataFrame(
        {
            "seed_id": ids,
            "text": [f"Sentence {seed_id}." for seed_id in ids],
            "has_number": [number % 3 == 0 for number in range(n)],
            "split": "that of the raw file",
        }
    )
    return seeds, pd.DataFrame({"seed_id": ids, "split": split})


def reserve(*ids):
    return pd.DataFrame({"seed_id": pd.Series(ids, dtype="str")})


def test_the_words_of_the_splits_are_those_of_the_splits():
    assert (TEST, DROPPED) == (triple_splits.TEST, triple_splits.DROPPED)


def test_reserved_and_dropped_seeds_are_never_given_out():
    seeds, splits = make_seeds(6)
    splits["split"] = ["train", "dev", "test", "test", "dropped", "test"]
    found = choose_seeds(seeds, splits, reserve("seed003"), is_test_only=False)
    assert found["seed_id"].tolist() == ["seed000", "seed001", "seed002", "seed005"]
    found = choose_seeds(seeds, splits, reserve("seed003"), is_test_only=True)
    assert found["seed_id"].tolist() == ["seed002", "seed005"]
    assert len(choose_seeds(seeds, splits[::-1], reserve(), is_test_only=False)) == 5


def test_seeds_without_a_split_are_refused():
    seeds, splits = make_seeds(4)
    with pytest.raises(InputError, match="2 seeds have no split, the first is 'seed002'"):
        choose_seeds(seeds, splits[:2], reserve(), is_test_only=False)
    with pytest.raises(InputError, match="table of splits lacks split; it has seed_id"):
        choose_seeds(seeds, splits[["seed_id"]], reserve(), is_test_only=False)


def test_numbers_gets_only_seeds_with_a_number():
    seeds, _ = make_seeds(30)
    assigned = assign_types(seeds, TYPES, None, 1)
    assert assigned["type"].value_counts().to_dict() == {
        **dict.fromkeys(TYPES, 30),
        "numbers": 10,
    }
    drawn = assign_types(seeds, TYPES, 8, 1)
    assert set(drawn["type"].value_counts()) == {8}
    numbers = set(drawn.loc[drawn["type"] == "numbers", "seed_id"])
    assert numbers <= set(seeds.loc[seeds["has_number"], "seed_id"])
    draws = [set(part["seed_id"]) for _, part in drawn.groupby("type")]
    assert len({frozenset(draw) for draw in draws}) > 1


def test_further_seeds_change_little_and_the_order_of_the_table_nothing():
    seeds, _ = make_seeds(200)
    drawn = assign_types(seeds, TYPES, 40, 7)
    mixed = assign_types(seeds.sample(frac=1, random_state=3), TYPES, 40, 7)
    assert set(map(tuple, drawn[["type", "seed_id"]].values)) == set(
        map(tuple, mixed[["type", "seed_id"]].values)
    )
    more, _ = make_seeds(210)
    again = assign_types(more, TYPES, 40, 7)
    kept = set(map(tuple, drawn[["type", "seed_id"]].values))
    assert len(kept & set(map(tuple, again[["type", "seed_id"]].values))) > 0.9 * len(kept)
    other = assign_types(seeds, TYPES, 40, 8)
    assert kept != set(map(tuple, other[["type", "seed_id"]].values))


def test_the_second_generator_gets_the_test_seeds_of_the_first():
    seeds, splits = make_seeds(300)
    splits["split"] = ["test" if number % 10 == 0 else "train" for number in range(300)]
    both = [
        assign_types(choose_seeds(seeds, splits, reserve(), is_test), TYPES, 20, 5)
        for is_test in (False, True)
    ]
    in_test = set(splits.loc[splits["split"] == "test", "seed_id"])
    first = {tuple(row) for row in both[0][["type", "seed_id"]].values if row[1] in in_test}
    assert first
    assert first <= set(map(tuple, both[1][["type", "seed_id"]].values))


def attempt(seed_id, number, status, paraphrase=None, trap=None, trap_type="scope", reason=""):
    return {
        "seed_id": seed_id,
        "type": trap_type,
        "attempt": number,
        "paraphrase": paraphrase,
        "trap": trap,
        "status": status,
        "edit_reason": reason,
        "detail": f"{status} {number}",
        "raw_text": "x",
    }


def test_the_best_status_counts_and_of_equal_ones_the_first():
    rows = [
        attempt("a", 1, "request_failed"),
        attempt("a", 2, "unparsed"),
        attempt("b", 1, "unparsed"),
        attempt("b", 2, "skipped"),
        attempt("b", 3, "skipped"),
        attempt("c", 1, "skipped"),
        attempt("c", 2, "edit_check_failed", "p", "t", reason="no modifier moved"),
        attempt("d", 1, "edit_check_failed", "p", "t", reason="no modifier moved"),
        attempt("d", 2, "made", "p2", "t2"),
        attempt("d", 3, "made", "p3", "t3"),
        attempt("e", 1, "request_failed"),
    ]
    attempts = collect_attempts(rows, "g")
    found = choose_candidates(attempts, "g", {name: f"anchor {name}" for name in "abcde"})
    assert list(found.columns) == list(CANDIDATE_COLUMNS)
    assert found["candidate_id"].tolist() == [f"g:{name}:scope" for name in "abcde"]
    assert found["status"].tolist() == [
        *("unparsed", "skipped", "edit_check_failed", "made", "request_failed")
    ]
    assert found["detail"].tolist() == [
        *("unparsed 2", "skipped 2", "edit_check_failed 2", "made 2", "request_failed 1")
    ]
    assert found["n_attempts"].tolist() == [2, 3, 2, 3, 1]
    assert found["paraphrase"].isna().tolist() == [True, True, False, False, True]
    assert found["anchor"].tolist() == [f"anchor {name}" for name in "abcde"]
    assert set(found["status"]) == set(STATUSES)


def test_one_seed_of_two_types_gives_two_candidates_in_the_order_of_the_attempts():
    rows = [
        attempt("z", 1, "made", "p", "t", "hedge"),
        attempt("a", 1, "made", "p", "t", "scope"),
        attempt("z", 1, "made", "p", "t", "scope"),
    ]
    found = choose_candidates(collect_attempts(rows, "g"), "g", {"a": "A", "z": "Z"})
    assert found["candidate_id"].tolist() == ["g:z:hedge", "g:a:scope", "g:z:scope"]
    assert found["anchor"].tolist() == ["Z", "A", "Z"]


def test_attempts_that_no_rule_made_are_refused():
    twice = collect_attempts([attempt("a", 1, "made", "p", "t")] * 2, "g")
    with pytest.raises(InputError, match="g:a:scope, attempt 1 stands there twice"):
        choose_candidates(twice, "g", {"a": "A"})
    strange = collect_attempts([attempt("a", 1, "done", "p", "t")], "g")
    with pytest.raises(InputError, match="column status: 'done'; allowed: made, edit_check"):
        choose_candidates(strange, "g", {"a": "A"})
