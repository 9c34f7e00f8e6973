"""The balanced subset: no baseline far from chance, and no larger subset like it."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

from embsyntax import triple_balance as tb
from embsyntax.jobs import InputError

BASELINES = ["length_difference", "word_overlap", "character_ngrams"]


def make_outcomes(n: int, seed: int, chances=(0.2, 0.35, 0.7)) -> pd.DataFrame:
    generator = np.random.default_rng(seed)
    columns = {}
    for name, chance in zip(BASELINES, chances, strict=True):
        columns[name] = generator.choice([1, 0, 0.5], n, p=[chance, 0.9 - chance, 0.1])
    return pd.DataFrame(columns)


def make_ids(outcomes: pd.DataFrame) -> pd.Series:
    return pd.Series([f"t{k}" for k in range(len(outcomes))], index=outcomes.index)


def one_group(outcomes: pd.DataFrame) -> pd.Series:
    return pd.Series("test", index=outcomes.index)


def largest_by_search(outcomes: np.ndarray, limit: float) -> int:
    n = len(outcomes)
    for size in range(n, 0, -1):
        for rows in itertools.combinations(range(n), size):
            if (abs(outcomes[list(rows)].mean(axis=0) - 0.5) <= limit + 1e-9).all():
                return size
    return 0


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("limit", [0.0, 0.05, 0.2])
def test_no_larger_subset_is_balanced(seed, limit):
    outcomes = make_outcomes(11, seed)
    chosen = tb.balance_triples(outcomes, make_ids(outcomes), one_group(outcomes), limit, 1)
    assert chosen.sum() == largest_by_search(outcomes.to_numpy(), limit)
    if chosen.any():
        assert (abs(outcomes[chosen].mean() - 0.5) <= limit + 1e-9).all()


@pytest.mark.parametrize("seed", range(3))
def test_each_group_and_the_whole_are_balanced(seed):
    outcomes = make_outcomes(900, seed)
    groups = pd.Series(np.random.default_rng(seed).choice(["a", "b", "c"], 900))
    chosen = tb.balance_triples(outcomes, make_ids(outcomes), groups, 0.05, 1)
    table = tb.tabulate_balance(outcomes, groups, chosen, "all")
    assert (abs(table["accuracy_balanced"] - 0.5) <= 0.05 + 1e-9).all()
    assert (abs(table["accuracy"] - 0.5) > 0.05).any()
    whole = table[table["group"] == "all"]
    assert whole["baseline"].tolist() == BASELINES
    assert set(whole["n"]) == {900}
    assert set(whole["n_balanced"]) == {int(chosen.sum())}
    assert chosen.sum() > 200
    together = tb.balance_triples(outcomes, make_ids(outcomes), one_group(outcomes), 0.05, 1)
    assert together.sum() >= chosen.sum()


def test_balanced_triples_all_stay():
    outcomes = make_outcomes(400, 1, chances=(0.45, 0.45, 0.45))
    chosen = tb.balance_triples(outcomes, make_ids(outcomes), one_group(outcomes), 0.1, 1)
    assert chosen.all()


def test_a_group_that_one_baseline_solves_has_no_balanced_subset():
    outcomes = pd.DataFrame({"word_overlap": [0.0] * 20, "length_difference": [1.0, 0.0] * 10})
    groups = one_group(outcomes)
    chosen = tb.balance_triples(outcomes, make_ids(outcomes), groups, 0.05, 1)
    assert not chosen.any()
    table = tb.tabulate_balance(outcomes, groups, chosen, "all")
    assert set(table["n_balanced"]) == {0}
    assert table["accuracy_balanced"].isna().all()


def test_the_draw_depends_on_ids_and_seed_only():
    outcomes = make_outcomes(300, 2)
    ids, groups = make_ids(outcomes), one_group(outcomes)
    chosen = tb.balance_triples(outcomes, ids, groups, 0.05, 1)
    order = np.random.default_rng(1).permutation(300)
    again = tb.balance_triples(outcomes.iloc[order], ids.iloc[order], groups.iloc[order], 0.05, 1)
    assert set(ids[chosen]) == set(ids[again[again].index])
    other = tb.balance_triples(outcomes, ids, groups, 0.05, 2)
    assert other.sum() == chosen.sum()
    assert set(ids[other]) != set(ids[chosen])


def test_outcomes_of_real_baselines():
    triples = pd.DataFrame(
        {
            "anchor": ["a dog ran home", "the cat sat on the mat"],
            "paraphrase": ["a dog ran back home", "on the mat sat the cat"],
            "trap": ["a dog never ran", "the cat sat on the dog"],
        }
    )
    outcomes = tb.measure_baselines(triples, BASELINES, 1, 6)
    # Length: a larger difference counts as a higher similarity; both differ by 1 and by 0 words.
    assert outcomes["length_difference"].tolist() == [1.0, 0.5]
    # 4 of 5 against 3 of 5 words, 5 of 5 against 5 of 6.
    assert outcomes["word_overlap"].tolist() == [1.0, 1.0]


def test_bad_input_is_refused():
    outcomes = make_outcomes(10, 1)
    ids, groups = make_ids(outcomes), one_group(outcomes)
    for limit in (-0.1, 0.6):
        with pytest.raises(InputError, match="limit"):
            tb.balance_triples(outcomes, ids, groups, limit, 1)
    with pytest.raises(ValueError, match="unique ids"):
        tb.balance_triples(outcomes, pd.Series("x", index=ids.index), groups, 0.05, 1)
    with pytest.raises(InputError, match="trap"):
        tb.measure_baselines(pd.DataFrame({"anchor": [], "paraphrase": []}), BASELINES, 1, 6)
    with pytest.raises(InputError, match="unknown baseline"):
        triple = pd.DataFrame({"anchor": ["a"], "paraphrase": ["b"], "trap": ["c"]})
        tb.measure_baselines(triple, ["nothing"], 1, 6)
