"""Agreement with people and with itself: kappa against two libraries, intervals, verdicts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from embsyntax.annotator_agreement import (
    AGREEMENT_TABLE_COLUMNS,
    AgreementSettings,
    agreement_markdown,
    find_published,
    measure_agreement,
    quadratic_kappa,
    round_to_rubric,
    tabulate_agreement,
)
from embsyntax.claims import BUNDLED_DATA, read_published
from embsyntax.jobs import InputError
from embsyntax.registry import read_table

SETTINGS = AgreementSettings(resamples=200, confidence=0.95, seed=1, is_released_data=True)

PUBLISHED = {"value": "83.8"}


def ratings(n: int, noise: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    first = generator.integers(0, 6, n).astype(float)
    second = np.clip(np.rint(first + generator.normal(0, noise, n)), 0, 5)
    return first, second


@pytest.mark.parametrize("noise", [0.3, 1.0, 4.0])
def test_kappa_equals_that_of_two_libraries(noise):
    first, second = ratings(80, noise)
    ours = quadratic_kappa(first, second, np.ones((80, 1)))[0]
    assert ours == pytest.approx(cohen_kappa_score(first, second, weights="quadratic"))
    table = np.zeros((6, 6))
    np.add.at(table, (first.astype(int), second.astype(int)), 1)
    theirs = cohens_kappa(table, wt="quadratic", return_results=False)
    assert ours == pytest.approx(theirs)


def test_kappa_under_weights_equals_that_of_repeated_pairs():
    first, second = ratings(30, 1.0)
    weights = np.random.default_rng(1).integers(0, 4, (30, 5)).astype(float)
    for column, kappa in zip(weights.T, quadratic_kappa(first, second, weights), strict=True):
        repeats = column.astype(int)
        expected = cohen_kappa_score(
            np.repeat(first, repeats), np.repeat(second, repeats), weights="quadratic"
        )
        assert kappa == pytest.approx(expected)


def test_kappa_of_one_rating_throughout_is_undefined():
    same = np.full(5, 3.0)
    assert np.isnan(quadratic_kappa(same, same, np.ones((5, 1)))[0])
    assert quadratic_kappa(same, same - 1, np.ones((5, 1)))[0] == 0


def test_means_are_rounded_halves_up():
    assert round_to_rubric(np.array([0.0, 0.5, 1.49, 2.5, 4.6, 5.0])).tolist() == [0, 1, 1, 3, 5, 5]


def answers(n: int = 60, noise: float = 0.6, missing: int = 0) -> pd.DataFrame:
    human, first = ratings(n, noise)
    _, second = ratings(n, noise, seed=0)
    second = np.clip(second + np.random.default_rng(5).integers(0, 2, n), 0, 5)
    tables = [
        pd.DataFrame(
            {
                "pair_id": [f"p{i}" for i in range(n)],
                "anchor_id": [f"a{i // 2}" for i in range(n)],
                "run": run,
                "human_score": np.clip(human + 0.2, 0, 5),
                "annotator": "judge",
                "score": pd.array(score, dtype="Int64"),
            }
        )
        for run, score in ((1, first.astype(int)), (2, second.astype(int)))
    ]
    tables[0].loc[: missing - 1, "score"] = pd.NA
    tables[1].loc[n - missing :, "score"] = pd.NA
    return pd.concat(tables, ignore_index=True)


def test_three_metrics_with_people_and_with_itself():
    frame = answers()
    table = measure_agreement(frame, PUBLISHED, SETTINGS)
    assert list(table.columns) == list(AGREEMENT_TABLE_COLUMNS)
    assert table["compared_with"].tolist() == ["people"] * 3 + ["itself"] * 3
    assert table["metric"].tolist() == ["spearman", "pearson", "quadratic_kappa"] * 2
    assert (table["ci_low"] < table["value"]).all()
    assert (table["value"] < table["ci_high"]).all()
    one, two = (frame[frame["run"] == run]["score"].astype(float).to_numpy() for run in (1, 2))
    human = frame[frame["run"] == 1]["human_score"].to_numpy()
    assert table["value"][0] == pytest.approx(spearmanr(one, human).statistic)
    assert table["value"][1] == pytest.approx(np.corrcoef(one, human)[0, 1])
    assert table["value"][2] == pytest.approx(
        cohen_kappa_score(one, round_to_rubric(human), weights="quadratic")
    )
    assert table["value"][5] == pytest.approx(cohen_kappa_score(one, two, weights="quadratic"))
    assert table.equals(measure_agreement(frame, PUBLISHED, SETTINGS))


def test_pairs_without_a_score_are_left_out_and_counted():
    table = measure_agreement(answers(missing=10), PUBLISHED, SETTINGS)
    assert table["n_asked"].tolist() == [60] * 6
    assert table["n"].tolist() == [50] * 3 + [40] * 3


@pytest.mark.parametrize(
    ("value", "verdict"), [("83.8", "differs"), ("95.0", "matches"), ("50", "differs")]
)
def test_the_published_number_is_judged_by_our_interval(value, verdict):
    table = measure_agreement(answers(), {"value": value}, SETTINGS)
    judged = table[table["verdict"] != ""]
    assert judged["metric"].tolist() == ["spearman", "pearson"]
    assert judged["compared_with"].tolist() == ["people"] * 2
    assert judged["verdict"].tolist() == [verdict] * 2
    assert judged["published"].tolist() == [float(value) / 100] * 2
    assert judged["reason"].str.contains("does not say which correlation").all()


def test_bundled_data_are_not_judged():
    settings = AgreementSettings(200, 0.95, 1, is_released_data=False)
    table = measure_agreement(answers(), PUBLISHED, settings)
    assert table["verdict"].tolist() == ["not run"] * 2 + [""] * 4
    assert table["reason"][0] == BUNDLED_DATA


def test_an_annotator_that_gives_one_score_throughout_has_no_agreement():
    frame = answers()
    frame["score"] = 3
    table = measure_agreement(frame, PUBLISHED, SETTINGS)
    assert table["value"].isna().all()
    assert table["reason"][0] == "all 60 similarities are equal (3)"
    assert table["verdict"].tolist()[:2] == ["not run"] * 2


def test_an_annotator_that_always_fails_has_no_agreement():
    frame = answers()
    frame["score"] = pd.array([pd.NA] * len(frame), dtype="Int64")
    table = measure_agreement(frame, PUBLISHED, SETTINGS)
    assert table["n"].tolist() == [0] * 6
    assert "fewer than 3" in table["reason"][0]


def test_annotators_stand_below_one_another():
    other = answers().assign(annotator="other")
    table = tabulate_agreement([answers(), other], PUBLISHED, SETTINGS)
    assert table["annotator"].tolist() == ["judge"] * 6 + ["other"] * 6
    with pytest.raises(InputError, match="sr/annotators names no language model"):
        tabulate_agreement([], PUBLISHED, SETTINGS)


def test_the_table_for_readers_says_what_it_is_not():
    table = measure_agreement(answers(), PUBLISHED, SETTINGS)
    text = agreement_markdown(table, {"judge": 0}, 0.95, "bundled")
    assert "**Data: bundled.**" in text
    assert "Agreement among people is not here" in text
    assert "a seed changes nothing: judge." in text
    assert "| judge | people | spearman |" in text
    assert "| 83.8 |" in text
    warm = agreement_markdown(table, {"judge": 0.7}, 0.95, "")
    assert "changes nothing" not in warm


def test_the_published_row_exists():
    path = Path(__file__).resolve().parents[2] / "config/published.tsv"
    row = find_published(read_published(read_table(path), str(path)))
    assert (row["value"], row["corpus"]) == ("83.8", "stsb")
    assert find_published([{"claim": "other"}]) is None
