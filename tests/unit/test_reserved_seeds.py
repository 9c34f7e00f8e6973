"""Sentences that are kept for people: which, and that nothing else decides."""

from __future__ import annotations

import pandas as pd
import pytest

from embsyntax.jobs import InputError
from embsyntax.reserved_seeds import reserve_seeds

SUBJECTS = ("dog", "queen", "painter", "river", "engine", "teacher", "lawyer", "harbour")


def make_seeds(n: int = 8) -> pd.DataFrame:
    """Seeds that are no near-duplicates of one another; every third stands in a passage."""
    texts = [
        f"{number} {SUBJECTS[number % 8] * 3} {chr(97 + number) * 9} text." for number in range(n)
    ]
    return pd.DataFrame(
        {
            "seed_id": [f"s{number}" for number in range(n)],
            "text": texts,
            "context_sentences": [3 if number % 3 == 0 else 1 for number in range(n)],
        }
    )


def make_splits(seeds: pd.DataFrame, *sides: str) -> pd.DataFrame:
    return pd.DataFrame({"seed_id": seeds["seed_id"], "split": sides, "reason": ""})


TEST_SIDES = ("test",) * 6 + ("train", "dropped")


def reserve(seeds: pd.DataFrame, n: int, sides: tuple[str, ...] = TEST_SIDES) -> list[str]:
    return reserve_seeds(seeds, make_splits(seeds, *sides), n, 20231, 0.5)["seed_id"].tolist()


def test_reserved_sentences_are_single_sentences_of_test():
    seeds = make_seeds()
    assert reserve(seeds, 4) == ["s1", "s2", "s4", "s5"]
    assert len(reserve(seeds, 2)) == 2
    assert set(reserve(seeds, 2)) < {"s1", "s2", "s4", "s5"}


def test_sentences_of_passages_fill_up_what_is_missing():
    drawn = reserve(make_seeds(), 5)
    assert {"s1", "s2", "s4", "s5"} < set(drawn)
    assert len(drawn) == 5


def test_the_draw_does_not_depend_on_order_or_on_other_splits():
    seeds = make_seeds()
    sides = dict(zip(seeds["seed_id"], TEST_SIDES, strict=True))
    turned = seeds.iloc[::-1].reset_index(drop=True)
    assert set(reserve(turned, 2, tuple(sides[seed] for seed in turned["seed_id"]))) == set(
        reserve(seeds, 2)
    )


def test_a_sentence_with_its_like_among_the_seeds_is_not_reserved():
    seeds = make_seeds()
    seeds.loc[6, "text"] = seeds["text"][1].upper()
    assert "s1" not in reserve(seeds, 5)
    seeds.loc[7, "text"] = seeds["text"][2] + "!"
    assert "s2" in reserve(seeds, 4), "a dropped seed is seen by no generator"


def test_without_test_seeds_nothing_is_reserved():
    seeds = make_seeds()
    assert reserve(seeds, 3, ("train",) * 8) == []
    assert reserve(seeds.iloc[:0], 3, ()) == []


def test_taking_every_test_seed_is_refused():
    with pytest.raises(InputError, match=r"n_sentences is 100, and the test split has 6 seeds"):
        reserve(make_seeds(), 100)
