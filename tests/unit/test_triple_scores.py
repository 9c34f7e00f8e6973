"""Scores of triples and passages against plain reference implementations."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

from embsyntax import stats
from embsyntax import triple_scores as ts
from embsyntax.baselines import compare_by_baseline
from embsyntax.jobs import InputError
from embsyntax.pairs import PAIR_COLUMNS, check_pairs
from embsyntax.scores import COMPARISON_COLUMNS, SCORE_COLUMNS, ScoreSettings, rank_groups
from embsyntax.similarities import (
    list_texts,
    make_similarities,
    pairs_digest,
    unique_texts,
)

SETTINGS = ScoreSettings(resamples=200, confidence=0.95, seed=3, cosine_decimals=6)


def make_triples(n: int, corpus: str = "test", types: tuple[str, ...] = ("negation", "scope")):
    return pd.DataFrame(
        {
            "corpus": corpus,
            "type": [types[k % len(types)] for k in range(n)],
            "anchor": [f"anchor {k // 2}" for k in range(n)],
            "paraphrase": [f"paraphrase {k}" for k in range(n)],
            "trap": [f"trap {k}" for k in range(n)],
        }
    )


def give_similarities(pairs: pd.DataFrame, values) -> pd.DataFrame:
    return pd.DataFrame({"pair_id": pairs["pair_id"], "similarity": values})


def draw_similarities(pairs: pd.DataFrame, seed: int, lift: float = 0.0) -> pd.DataFrame:
    generator = np.random.default_rng(seed)
    values = generator.integers(0, 12, len(pairs)) / 12 + lift * pairs["score"].to_numpy()
    return give_similarities(pairs, values)


def read_cell(table: pd.DataFrame, dimension: str, metric: str, corpus: str = "test") -> pd.Series:
    found = table[
        (table["corpus"] == corpus)
        & (table["dimension"] == dimension)
        & (table["metric"] == metric)
    ]
    assert len(found) == 1
    return found.iloc[0]


def plain_auc(positive, negative) -> float:
    wins = [(p > q) + 0.5 * (p == q) for p, q in itertools.product(positive, negative)]
    return float(np.mean(wins))


def test_pairs_of_triples_are_a_table_of_pairs():
    triples = pd.concat([make_triples(6), make_triples(4, "xgen_test")], ignore_index=True)
    pairs = ts.list_triple_pairs(triples)
    check_pairs(pairs)
    assert len(pairs) == 20
    assert pairs["sentence2"].tolist()[:2] == ["paraphrase 0", "trap 0"]
    assert pairs["score"].tolist() == [1.0, 0.0] * 10
    assert pairs["anchor_id"].nunique() == 5
    assert pairs.groupby("corpus")["row"].max().to_dict() == {"test": 6, "xgen_test": 4}


def test_triple_metrics_by_hand():
    pairs = ts.list_triple_pairs(make_triples(4, types=("negation", "scope")))
    # negation: 0.9 > 0.5 (win), 0.6 < 0.8 (loss); scope: tie at 0.7, 0.4 > 0.1 (win)
    values = [0.9, 0.5, 0.7, 0.7 + 1e-9, 0.6, 0.8, 0.4, 0.1]
    table = ts.score_triples(pairs, give_similarities(pairs, values), "m", SETTINGS)
    expected = {
        ("negation", ts.ACCURACY): 0.5,
        ("scope", ts.ACCURACY): 0.75,
        ("macro", ts.ACCURACY): 0.625,
        ("all", ts.ACCURACY): 0.625,
        ("scope", ts.TIE_SHARE): 0.5,
        ("all", ts.TIE_SHARE): 0.25,
        ("negation", ts.MARGIN): 0.1,
        ("scope", ts.MARGIN): 0.15,
        ("negation", ts.AUC): 0.75,
        ("scope", ts.AUC): 0.625,
        ("macro", ts.AUC): 0.6875,
        ("all", ts.AUC): plain_auc([0.9, 0.7, 0.6, 0.4], [0.5, 0.7, 0.8, 0.1]),
    }
    for (dimension, metric), value in expected.items():
        assert read_cell(table, dimension, metric)["value"] == pytest.approx(value), metric
    assert table["dimension"].unique().tolist() == ["negation", "scope", "macro", "all"]
    assert "fewer than 3 anchors (2)" in read_cell(table, "all", ts.AUC)["reason"]
    assert read_cell(table, "all", ts.AUC)["resamples"] == 0


@pytest.mark.parametrize("seed", range(5))
def test_weighted_area_counts_each_couple(seed):
    generator = np.random.default_rng(seed)
    positive, negative = generator.integers(0, 6, (2, 25)) / 5
    weights = generator.integers(0, 4, (25, 7)).astype(float)
    weights[:, 0] = 1
    areas = ts.weighted_area(positive, negative, weights)
    for column, area in zip(weights.T.astype(int), areas, strict=True):
        expected = plain_auc(np.repeat(positive, column), np.repeat(negative, column))
        assert area == pytest.approx(expected)
    assert np.isnan(ts.weighted_area(positive, negative, np.zeros((25, 1))))[0]


def test_an_interval_comes_from_drawing_anchors_with_all_their_triples():
    triples = make_triples(120)
    pairs = ts.list_triple_pairs(triples)
    table = draw_similarities(pairs, 1, lift=0.2)
    scored = ts.score_triples(pairs, table, "m", SETTINGS)
    values = table["similarity"].round(6).to_numpy()
    wins = (np.sign(values[::2] - values[1::2]) + 1) / 2
    seed = stats.make_seed(SETTINGS.seed, "test", "triples")
    anchors = pairs["anchor_id"].to_numpy()[::2]
    drawn = {name: [] for name in ("negation", "scope", "macro", "all")}
    for chunk in stats.draw_weights(anchors, SETTINGS.resamples, seed):
        for column in chunk.T:
            by_type = {}
            for name in ("negation", "scope"):
                chosen = (triples["type"] == name).to_numpy()
                by_type[name] = np.average(wins[chosen], weights=column[chosen])
                drawn[name].append(by_type[name])
            drawn["macro"].append(np.mean(list(by_type.values())))
            drawn["all"].append(np.average(wins, weights=column))
    for name, samples in drawn.items():
        row = read_cell(scored, name, ts.ACCURACY)
        assert [row["ci_low"], row["ci_high"]] == pytest.approx(
            np.quantile(samples, [0.025, 0.975])
        )
        assert row["n"] == (60 if name in ("negation", "scope") else 120)
        assert row["n_anchors"] == 60
        assert row["ci_low"] < row["value"] < row["ci_high"]


def test_order_of_rows_and_other_sets_do_not_matter():
    first, second = make_triples(30), make_triples(20, "dev")
    pairs = ts.list_triple_pairs(pd.concat([first, second], ignore_index=True))
    table = draw_similarities(pairs, 2)
    both = ts.score_triples(pairs, table.sample(frac=1, random_state=1), "m", SETTINGS)
    alone = ts.list_triple_pairs(first)
    own = table[table["pair_id"].isin(alone["pair_id"])]
    pd.testing.assert_frame_equal(
        ts.score_triples(alone, own, "m", SETTINGS), both[both["corpus"] == "test"]
    )
    mixed = pairs.sample(frac=1, random_state=4).sort_values("corpus", kind="stable")
    again = ts.score_triples(mixed, table, "m", SETTINGS).set_index(
        ["corpus", "dimension", "metric"]
    )
    ordered = both.set_index(["corpus", "dimension", "metric"]).loc[again.index]
    np.testing.assert_allclose(again["value"], ordered["value"])
    np.testing.assert_allclose(again["ci_low"], ordered["ci_low"])


def test_a_type_with_few_anchors_has_no_interval_but_widens_that_of_the_macro_mean():
    triples = make_triples(40, types=("negation",))
    pairs = ts.list_triple_pairs(triples)
    plain = draw_similarities(pairs, 1)
    alone = ts.score_triples(pairs, plain, "m", SETTINGS)
    triples.loc[0, "type"] = "time_order"
    pairs = ts.list_triple_pairs(triples)
    table = ts.score_triples(pairs, give_similarities(pairs, plain["similarity"]), "m", SETTINGS)
    few = read_cell(table, "time_order", ts.ACCURACY)
    assert np.isnan(few["ci_low"])
    assert "fewer than 3 anchors (1)" in few["reason"]
    macro = read_cell(table, "macro", ts.ACCURACY)
    types = [read_cell(table, name, ts.ACCURACY)["value"] for name in ("negation", "time_order")]
    assert macro["value"] == pytest.approx(np.mean(types))
    assert macro["ci_low"] < macro["value"] < macro["ci_high"]
    before = read_cell(alone, "macro", ts.ACCURACY)
    assert macro["ci_high"] - macro["ci_low"] > before["ci_high"] - before["ci_low"]


def test_one_triple_alone_makes_no_macro_difference_significant():
    triples = make_triples(60, types=("negation",))
    triples.loc[0, "type"] = "time_order"
    pairs = ts.list_triple_pairs(triples)
    values = draw_similarities(pairs, 1)["similarity"].to_numpy()
    won, lost = values.copy(), values.copy()
    won[:2], lost[:2] = (0.9, 0.1), (0.1, 0.9)
    models = {"won": give_similarities(pairs, won), "lost": give_similarities(pairs, lost)}
    compared = ts.compare_on_triples(pairs, models, SETTINGS, 0.05)
    macro = compared[compared["dimension"] == "macro"].iloc[0]
    assert macro["difference"] == pytest.approx(0.5)
    assert macro["p_value"] > 0.3
    assert not macro["is_significant"]


def test_baselines_pass_through_the_same_functions():
    triples = pd.DataFrame(
        {
            "corpus": "test",
            "type": "negation",
            "anchor": ["the dog is in the park"] * 2 + ["a cat sleeps", "two men run"],
            "paraphrase": ["the dog is inside the park", "in the park is the dog"] * 2,
            "trap": ["the dog is not in the park", "the dog is not in the park"] * 2,
        }
    )
    pairs = ts.list_triple_pairs(triples)
    for name in ("length_difference", "word_overlap", "character_ngrams", "random_vectors"):
        values = compare_by_baseline(name, pairs["sentence1"], pairs["sentence2"], 1)
        table = make_similarities(pairs["pair_id"], values, 6)
        scored = ts.score_triples(pairs, table, name, SETTINGS)
        wins = [(p > t) + 0.5 * (p == t) for p, t in zip(values[::2], values[1::2], strict=True)]
        assert read_cell(scored, "all", ts.ACCURACY)["value"] == pytest.approx(np.mean(wins))


def test_models_are_compared_over_shared_resamples():
    pairs = ts.list_triple_pairs(make_triples(80))
    good, bad = draw_similarities(pairs, 1, lift=0.5), draw_similarities(pairs, 2)
    comparisons = ts.compare_on_triples(pairs, {"bad": bad, "good": good}, SETTINGS, 0.05)
    assert comparisons["dimension"].tolist() == ["negation", "scope", "macro", "all"]
    assert set(comparisons["model"]) == {"good"}
    assert set(comparisons["metric"]) == {ts.ACCURACY}
    scores = pd.concat(
        [ts.score_triples(pairs, t, m, SETTINGS) for m, t in (("bad", bad), ("good", good))],
        ignore_index=True,
    )
    rows = scores[(scores["metric"] == ts.ACCURACY) & (scores["dimension"] == "macro")]
    difference = rows["value"].iloc[1] - rows["value"].iloc[0]
    macro = comparisons[comparisons["dimension"] == "macro"].iloc[0]
    assert macro["difference"] == pytest.approx(difference)
    assert rank_groups(rows, comparisons).tolist() == [2, 1]
    alike = ts.compare_on_triples(pairs, {"one": good, "two": good}, SETTINGS, 0.05)
    assert not alike["is_significant"].any()


def make_passages() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "corpus": "passage_test",
            "query": ["q1", "q2", "q3"],
            "original": ["A", "A", "B"],
            "twin": ["A1", "A2", "B1"],
        }
    )


def test_passage_pairs_cover_the_pool_once():
    pairs = ts.list_passage_pairs(make_passages())
    check_pairs(pairs)
    assert len(pairs) == 3 * 5
    assert pairs["anchor_id"].nunique() == 2
    roles = pairs[pairs["row"] == 2].set_index("sentence2")["dimension"].to_dict()
    assert roles == {"A": "original", "B": "other", "A1": "other", "A2": "twin", "B1": "other"}


def test_each_set_of_passages_has_a_pool_of_its_own():
    passages = make_passages()
    both = pd.concat([passages, passages[1:].assign(corpus="other_test")], ignore_index=True)
    pairs = ts.list_passage_pairs(both)
    check_pairs(pairs)
    assert pairs.groupby("corpus", sort=False).size().to_dict() == {
        "passage_test": 15,
        "other_test": 8,
    }
    alone = ts.list_passage_pairs(passages)
    for name in PAIR_COLUMNS:
        assert pairs[name].tolist()[:15] == alone[name].tolist()


def test_too_many_passages_are_refused_before_memory_runs_out(monkeypatch):
    monkeypatch.setattr(ts, "MAX_PASSAGE_PAIRS", 14)
    with pytest.raises(InputError, match=r"3 queries .* 15 pairs; allowed: 14"):
        ts.list_passage_pairs(make_passages())


def test_passage_metrics_by_hand():
    pairs = ts.list_passage_pairs(make_passages())
    similar = {
        "q1": {"A": 0.9, "B": 0.1, "A1": 0.8, "A2": 0.7, "B1": 0.2},  # rank 1, above its twin
        "q2": {"A": 0.6, "B": 0.9, "A1": 0.8, "A2": 0.6, "B1": 0.1},  # rank 3 or 4, tie
        "q3": {"A": 0.1, "B": 0.5, "A1": 0.2, "A2": 0.1, "B1": 0.7},  # rank 2, below its twin
    }
    values = [similar[q][t] for q, t in zip(pairs["sentence1"], pairs["sentence2"], strict=True)]
    table = give_similarities(pairs, values)
    scored = ts.score_passages(pairs, table, "m", SETTINGS).set_index("metric")
    assert scored.loc[ts.PASSAGE_ACCURACY, "value"] == pytest.approx(1.5 / 3)
    assert scored.loc[ts.TIE_SHARE, "value"] == pytest.approx(1 / 3)
    assert scored.loc[ts.RECALL_AT_1, "value"] == pytest.approx(1 / 3)
    assert scored.loc[ts.MRR, "value"] == pytest.approx((1 + (1 / 3 + 1 / 4) / 2 + 1 / 2) / 3)
    assert set(scored["n"]) == {3}
    assert set(scored["n_anchors"]) == {2}
    mixed = pairs.sample(frac=1, random_state=2)
    again = ts.score_passages(mixed, table, "m", SETTINGS).set_index("metric")
    np.testing.assert_allclose(again["value"], scored["value"])


@pytest.mark.parametrize("seed", range(4))
def test_ties_in_a_ranking_count_as_a_random_order(seed):
    generator = np.random.default_rng(seed)
    values = generator.integers(0, 3, 6).astype(float)
    ranks = []
    for order in itertools.permutations(range(6)):
        ranked = sorted(order, key=lambda k: -values[k])  # stable: ties keep the drawn order
        ranks.append(ranked.index(2) + 1)
    recall, reciprocal = ts.rank_original(values, 2)
    assert recall == pytest.approx(np.mean(np.array(ranks) == 1))
    assert reciprocal == pytest.approx(np.mean(1 / np.array(ranks)))


def test_passages_have_intervals_and_comparisons():
    passages = pd.DataFrame(
        {
            "corpus": "passage_test",
            "query": [f"q{k}" for k in range(20)],
            "original": [f"p{k // 2}" for k in range(20)],
            "twin": [f"t{k}" for k in range(20)],
        }
    )
    pairs = ts.list_passage_pairs(passages)
    good, bad = draw_similarities(pairs, 1, lift=2.0), draw_similarities(pairs, 2)
    scored = ts.score_passages(pairs, bad, "m", SETTINGS)
    assert (scored["ci_low"] <= scored["value"]).all()
    assert (scored["value"] <= scored["ci_high"]).all()
    perfect = ts.score_passages(pairs, good, "m", SETTINGS).set_index("metric")["value"]
    assert perfect[[ts.PASSAGE_ACCURACY, ts.RECALL_AT_1, ts.MRR]].tolist() == [1, 1, 1]
    compared = ts.compare_on_passages(pairs, {"bad": bad, "good": good}, SETTINGS, 0.05)
    assert compared.loc[0, "model"] == "good"
    assert compared.loc[0, "dimension"] == ts.PASSAGE


def test_bad_tables_are_refused():
    triples = make_triples(4)
    with pytest.raises(InputError, match="trap"):
        ts.list_triple_pairs(triples.drop(columns="trap"))
    with pytest.raises(InputError, match="column paraphrase, row 3"):
        ts.list_triple_pairs(triples.assign(paraphrase=["a", "b", " ", "d"]))
    with pytest.raises(InputError, match="column trap, row 2"):
        ts.list_triple_pairs(triples.assign(trap=["a", None, "c", "d"]))
    with pytest.raises(InputError, match="'macro'"):
        ts.list_triple_pairs(triples.assign(type="macro"))
    with pytest.raises(InputError, match="equal their twin"):
        ts.list_passage_pairs(make_passages().assign(twin=["A", "x", "y"]))
    pairs = ts.list_triple_pairs(triples)
    table = draw_similarities(pairs, 1)
    with pytest.raises(InputError, match="score 1.0"):
        ts.score_triples(pairs[1:], table[1:], "m", SETTINGS)
    with pytest.raises(InputError, match="have no similarity"):
        ts.score_triples(pairs, table[1:], "m", SETTINGS)
    passages = ts.list_passage_pairs(make_passages())
    part = passages[passages["dimension"] != "twin"]
    with pytest.raises(InputError, match="dimension twin"):
        ts.score_passages(part, draw_similarities(part, 1), "m", SETTINGS)


def test_nothing_to_score_gives_headers():
    triples, passages = make_triples(2)[:0], make_passages()[:0]
    for pairs, score, compare in (
        (ts.list_triple_pairs(triples), ts.score_triples, ts.compare_on_triples),
        (ts.list_passage_pairs(passages), ts.score_passages, ts.compare_on_passages),
    ):
        assert list(pairs.columns) == list(PAIR_COLUMNS)
        assert pairs.dtypes.astype(str)[["row", "score"]].tolist() == ["int64", "float64"]
        empty = give_similarities(pairs, np.empty(0))
        scored = score(pairs, empty, "m", SETTINGS)
        assert list(scored.columns) == SCORE_COLUMNS
        assert scored.empty
        compared = compare(pairs, {"m": empty, "n": empty}, SETTINGS, 0.05)
        assert list(compared.columns) == COMPARISON_COLUMNS
        assert compared.empty


def test_texts_of_passages_are_stored_once(tmp_path):
    pairs = ts.list_passage_pairs(make_passages())
    pairs.to_parquet(tmp_path / "pairs.parquet", index=False)
    read = pd.read_parquet(tmp_path / "pairs.parquet")
    assert read["sentence2"].dtype == "category"
    assert read["sentence2"].tolist() == pairs["sentence2"].tolist()
    plain = pairs.astype({"sentence1": "str", "sentence2": "str"})
    assert pairs_digest(read) == pairs_digest(plain)
    assert unique_texts(read) == unique_texts(plain)
    texts = list_texts(read["sentence2"])
    assert texts == plain["sentence2"].tolist()
    assert len({id(text) for text in texts}) == 5
