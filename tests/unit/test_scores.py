"""Scores of models on pairs, their average, comparisons and rank groups."""

from __future__ import annotations

import hashlib

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from embsyntax import scores, stats
from embsyntax.jobs import InputError, write_tsv

SETTINGS = scores.ScoreSettings(resamples=200, confidence=0.95, seed=1, cosine_decimals=6)


def make_pairs(corpora=("stsb", "sickr"), dimensions=("structure", "relation"), n=40):
    generator = np.random.default_rng(0)
    rows = [
        {
            "pair_id": f"{corpus}:{dimension}:{row}",
            "corpus": corpus,
            "dimension": dimension,
            "anchor_id": f"{corpus}:{row // 2}",
            "score": generator.integers(0, 6) / 5,
        }
        for corpus in corpora
        for dimension in dimensions
        for row in range(1, n + 1)
    ]
    return pd.DataFrame(rows)


def make_similarities(pairs, noise, seed=1):
    generator = np.random.default_rng(seed)
    values = pairs["score"].fillna(0.5) + noise * generator.normal(size=len(pairs))
    return pd.DataFrame({"pair_id": pairs["pair_id"], "similarity": np.round(values, 6)})


def pick(table, **keys):
    for name, value in keys.items():
        table = table[table[name] == value]
    assert len(table) == 1
    return table.iloc[0]


def test_scores_are_tidy_and_equal_scipy():
    pairs = make_pairs()
    similarities = make_similarities(pairs, 0.5).sample(frac=1, random_state=3)
    table = scores.score_pairs(pairs, similarities, "m", SETTINGS)
    assert list(table.columns) == scores.SCORE_COLUMNS
    assert list(table["corpus"].unique()) == ["stsb", "sickr", "average"]
    assert len(table) == 3 * 2 * 3
    joined = pairs.merge(similarities, on="pair_id")
    for corpus in ("stsb", "sickr"):
        cell = joined[(joined["corpus"] == corpus) & (joined["dimension"] == "relation")]
        row = pick(table, corpus=corpus, dimension="relation", metric="spearman")
        assert row["value"] == pytest.approx(spearmanr(cell["similarity"], cell["score"])[0])
        assert row["ci_low"] < row["value"] < row["ci_high"]
        assert (row["n"], row["n_anchors"], row["resamples"]) == (40, 21, 200)
        ceiling = pick(table, corpus=corpus, dimension="relation", metric="tie_ceiling")
        assert ceiling["value"] == pytest.approx(stats.tie_ceiling(cell["score"]).value)
        assert ceiling["reason"] == scores.NO_INTERVAL_FOR_CEILING


def test_average_has_an_interval_from_joint_resamples():
    pairs = make_pairs()
    table = scores.score_pairs(pairs, make_similarities(pairs, 0.5), "m", SETTINGS)
    part = table[(table["dimension"] == "structure") & (table["metric"] == "spearman")]
    part = part.set_index("corpus")
    average = part.loc["average"]
    assert average["value"] == pytest.approx(part.loc[["stsb", "sickr"], "value"].mean())
    width = part["ci_high"] - part["ci_low"]
    assert width["average"] < min(width["stsb"], width["sickr"])
    assert average["n"] == 80


def test_one_corpus_has_no_average():
    pairs = make_pairs(corpora=("mine",), dimensions=("similarity",))
    table = scores.score_pairs(pairs, make_similarities(pairs, 0.5), "m", SETTINGS)
    assert set(table["corpus"]) == {"mine"}


def test_undefined_cells_stay_undefined_with_a_reason():
    pairs = make_pairs()
    pairs.loc[(pairs["corpus"] == "sickr") & (pairs["dimension"] == "relation"), "score"] = np.nan
    similarities = make_similarities(pairs, 0.5)
    is_flat = similarities["pair_id"].str.startswith("stsb:structure")
    similarities.loc[is_flat, "similarity"] = 0.25
    table = scores.score_pairs(pairs, similarities, "m", SETTINGS)
    row = pick(table, corpus="sickr", dimension="relation", metric="spearman")
    assert np.isnan(row["value"])
    assert row["reason"] == "fewer than 3 scored pairs (0)"
    assert (row["n"], row["resamples"]) == (0, 0)
    row = pick(table, corpus="stsb", dimension="structure", metric="spearman")
    assert row["reason"] == "all 40 similarities are equal (0.25)"
    row = pick(table, corpus="average", dimension="structure", metric="spearman")
    assert np.isnan(row["value"])
    assert row["reason"] == "undefined for stsb"


def test_too_few_anchors_give_a_value_without_interval():
    pairs = make_pairs().assign(anchor_id="only one")
    table = scores.score_pairs(pairs, make_similarities(pairs, 0.5), "m", SETTINGS)
    row = pick(table, corpus="stsb", dimension="relation", metric="spearman")
    assert not np.isnan(row["value"])
    assert np.isnan(row["ci_low"])
    assert row["reason"] == "no interval: fewer than 3 anchors (1)"
    row = pick(table, corpus="average", dimension="relation", metric="spearman")
    assert "stsb: fewer than 3 anchors" in row["reason"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s.iloc[1:], "1 of 160 pairs have no similarity and 0 .*stsb:structure:1"),
        (lambda s: s.assign(pair_id=s["pair_id"] + "x"), "160 similarities belong to no pair"),
        (lambda s: pd.concat([s, s.iloc[:2]]), r"2 pair\(s\) have two similarities"),
        (lambda s: s.assign(similarity=np.nan), "160 similarities are not finite .*157 more"),
        (lambda s: s.drop(columns="similarity"), "similarities of m lack the column"),
    ],
)
def test_similarities_that_do_not_fit_are_refused(change, message):
    pairs = make_pairs()
    with pytest.raises(InputError, match=message):
        scores.score_pairs(pairs, change(make_similarities(pairs, 0.5)), "m", SETTINGS)


def test_a_corpus_called_average_is_refused():
    pairs = make_pairs(corpora=("average",))
    with pytest.raises(InputError, match="the name of the mean over corpora"):
        scores.score_pairs(pairs, make_similarities(pairs, 0.5), "m", SETTINGS)


def test_similarities_are_rounded_before_they_are_ranked():
    pairs = make_pairs()
    similarities = make_similarities(pairs, 0.5)
    shaken = similarities.assign(similarity=similarities["similarity"] + 2e-7)
    one = scores.score_pairs(pairs, similarities, "m", SETTINGS)
    pd.testing.assert_frame_equal(one, scores.score_pairs(pairs, shaken, "m", SETTINGS))


def test_comparisons_and_rank_groups():
    pairs = make_pairs(n=120)
    noises = {"good": 0.1, "same": 0.1, "poor": 3.0}
    similarities = {
        name: make_similarities(pairs, noise, seed=2 + (name == "poor"))
        for name, noise in noises.items()
    }
    comparisons = scores.compare_models(pairs, similarities, SETTINGS, 0.05)
    assert list(comparisons.columns) == scores.COMPARISON_COLUMNS
    assert len(comparisons) == 3 * 3 * 2
    assert (comparisons["difference"] >= 0).all()
    equal = pick(comparisons, corpus="stsb", dimension="relation", model="good", other_model="same")
    assert (equal["difference"], equal["p_value"], equal["is_significant"]) == (0, 1, False)
    lost = pick(
        comparisons, corpus="average", dimension="relation", model="good", other_model="poor"
    )
    assert lost["p_value"] == pytest.approx(1 / 201)
    assert lost["ci_low"] > 0
    family = comparisons[
        (comparisons["corpus"] == "sickr") & (comparisons["dimension"] == "relation")
    ]
    np.testing.assert_allclose(
        family["p_adjusted"], stats.benjamini_hochberg(family["p_value"].to_numpy())
    )
    tables = [scores.score_pairs(pairs, similarities[name], name, SETTINGS) for name in noises]
    table = pd.concat(tables, ignore_index=True)
    table = table[table["metric"] == "spearman"]
    table = table.assign(rank_group=scores.rank_groups(table, comparisons))
    groups = table[table["corpus"] == "average"].groupby("model")["rank_group"].first()
    assert groups.to_dict() == {"good": 1, "same": 1, "poor": 3}


def test_undefined_models_are_compared_with_nobody():
    pairs = make_pairs()
    flat = make_similarities(pairs, 0.5).assign(similarity=0.5)
    comparisons = scores.compare_models(
        pairs, {"flat": flat, "m": make_similarities(pairs, 0.5)}, SETTINGS, 0.05
    )
    assert comparisons["p_value"].isna().all()
    assert not comparisons["is_significant"].any()
    assert comparisons["reason"].iloc[0] == "flat: all 40 similarities are equal (0.5)"
    table = scores.score_pairs(pairs, flat, "flat", SETTINGS)
    spearman = table[table["metric"] == "spearman"]
    assert scores.rank_groups(spearman, comparisons).isna().all()


def test_one_model_has_no_comparisons(tmp_path):
    pairs = make_pairs()
    similarities = make_similarities(pairs, 0.5)
    comparisons = scores.compare_models(pairs, {"m": similarities}, SETTINGS, 0.05)
    assert list(comparisons.columns) == scores.COMPARISON_COLUMNS
    write_tsv(comparisons, tmp_path / "model_comparisons.tsv")
    read = scores.read_comparisons(tmp_path / "model_comparisons.tsv")
    table = scores.score_pairs(pairs, similarities, "m", SETTINGS)
    spearman = table[table["metric"] == "spearman"]
    assert set(scores.rank_groups(spearman, read)) == {1}


def test_tables_survive_the_disk(tmp_path):
    pairs = make_pairs()
    pairs["corpus"] = pairs["corpus"].replace("stsb", "NA")
    similarities = {"None": make_similarities(pairs, 0.5), "1e3": make_similarities(pairs, 0.1)}
    for name, frame in similarities.items():
        table = scores.score_pairs(pairs, frame, name, SETTINGS)
        write_tsv(table, tmp_path / f"{name}.tsv")
    table = scores.read_scores([tmp_path / "None.tsv", tmp_path / "1e3.tsv"])
    assert set(table["model"]) == {"None", "1e3"}
    assert set(table["corpus"]) == {"NA", "sickr", "average"}
    assert table["ci_low"].isna().sum() == table["metric"].eq("tie_ceiling").sum()
    comparisons = scores.compare_models(pairs, similarities, SETTINGS, 0.05)
    write_tsv(comparisons, tmp_path / "comparisons.tsv")
    read = scores.read_comparisons(tmp_path / "comparisons.tsv")
    assert list(read["is_significant"]) == list(comparisons["is_significant"])
    with pytest.raises(InputError, match="nothing was scored"):
        scores.read_scores([])


def test_tie_ceilings_of_the_released_files(mirror):
    ceilings = {}
    for path in sorted((mirror / "sr").glob("*.csv")):
        frame = pd.read_csv(path, keep_default_na=False)
        for dimension in ("structure", "relation"):
            gold = frame[f"{dimension}score"] / 5
            ceilings[path.stem, dimension] = stats.tie_ceiling(gold).value
    assert len(ceilings) == 12
    assert min(ceilings.values()) == pytest.approx(0.819, abs=1e-3)
    assert max(ceilings.values()) == pytest.approx(0.976, abs=1e-3)


def test_length_difference_on_the_released_stsb_file(mirror):
    frame = pd.read_csv(mirror / "sr/stsb.csv", keep_default_na=False)
    lengths = frame[["sentence1", "relation"]].apply(lambda column: column.str.count(r"\w+"))
    frame["corpus"], frame["dimension"] = "stsb", "relation"
    frame["pair_id"] = [f"stsb:relation:{row}" for row in range(1, len(frame) + 1)]
    frame["anchor_id"] = [
        hashlib.sha256(text.encode()).hexdigest()[:16] for text in frame["sentence1"]
    ]
    frame["score"] = frame["relationscore"] / 5
    frame["similarity"] = (lengths["sentence1"] - lengths["relation"]).abs().astype(float)
    table = scores.score_pairs(frame, frame, "length_difference", SETTINGS)
    row = pick(table, metric="spearman")
    assert 100 * row["value"] == pytest.approx(28.3, abs=0.05)
    assert row["n"] == 1152
