"""Draws for raters, their answers, and the rates that decide which rules are on."""

import pandas as pd
import pytest

from embsyntax.jobs import InputError
from embsyntax.rule_review import (
    ALL_DEFAULT,
    ANSWER_COLUMNS,
    REVIEW_COLUMNS,
    draw_outputs,
    filter_markdown,
    read_judgements,
    read_reviews,
    record_judgements,
    tabulate_quality,
    try_fluency_filter,
)

CODES = {"swap": "aaa", "front": "bbb"}
DIMENSIONS = {"swap": "relation", "front": "structure"}


def make_candidates(n=30):
    return pd.DataFrame(
        [
            {
                "candidate_id": f"{rule}{i}",
                "rule": rule,
                "corpus": "stsb",
                "sentence_id": f"s{i}",
                "sentence1": f"source {i}",
                "sentence2": f"{rule} {i}" if i % 3 else None,
                "status": "made" if i % 3 else "declined",
            }
            for rule in ("swap", "front", "other")
            for i in range(n)
        ]
    )


def test_a_draw_is_seeded_mixed_and_renewed_by_another_code():
    drawn = draw_outputs(make_candidates(), CODES, 8, 1)
    assert drawn.groupby("rule").size().to_dict() == {"front": 8, "swap": 8}
    assert drawn["rule"].tolist() != sorted(drawn["rule"])
    pd.testing.assert_frame_equal(drawn, draw_outputs(make_candidates(), CODES, 8, 1))
    renewed = draw_outputs(make_candidates(), CODES | {"swap": "ccc"}, 8, 1)
    same = set(drawn["item"]) & set(renewed["item"])
    assert len(same) == 8
    assert set(renewed.loc[renewed["item"].isin(same), "rule"]) == {"front"}


def answer(drawn, path, **cells):
    table = drawn[["item"]].assign(grammatical="yes", meaning="same", plausible="yes")
    for column, value in cells.items():
        table.loc[0, column] = value
    table.to_csv(path, sep="\t", index=False)
    return path


def test_answers_are_checked(tmp_path):
    drawn = draw_outputs(make_candidates(), CODES, 4, 1)
    items = list(drawn["item"])
    path = answer(drawn, tmp_path / "pass.tsv")
    assert len(read_judgements(path, items)) == 8
    with pytest.raises(InputError, match="column meaning: 'equal'; allowed: same, changed"):
        read_judgements(answer(drawn, path, meaning="equal"), items)
    with pytest.raises(InputError, match="1 items without an answer"):
        read_judgements(answer(drawn.iloc[1:].reset_index(), path), items)
    with pytest.raises(InputError, match="is answered twice"):
        read_judgements(answer(pd.concat([drawn, drawn.iloc[:1]], ignore_index=True), path), items)
    with pytest.raises(InputError, match="no column meaning"):
        drawn[["item"]].assign(grammatical="yes", plausible="yes").to_csv(path, sep="\t")
        read_judgements(path, items)


def test_records_hold_no_text_and_come_back(tmp_path):
    drawn = draw_outputs(make_candidates(), CODES, 4, 1)
    answers = read_judgements(answer(drawn, tmp_path / "p.tsv"), list(drawn["item"]))
    record = record_judgements(
        drawn, [answers, answers], dict.fromkeys(drawn["candidate_id"], 1.25)
    )
    assert list(record.columns) == [*REVIEW_COLUMNS, *ANSWER_COLUMNS]
    record.to_csv(tmp_path / "r.tsv", sep="\t", index=False)
    assert "source" not in (tmp_path / "r.tsv").read_text(encoding="utf-8")
    pd.testing.assert_frame_equal(read_reviews(tmp_path / "r.tsv"), record, check_dtype=False)


def make_reviews(rows):
    """Rows: rule, grammatical and meaning of both passes, ratio."""
    return pd.DataFrame(
        [
            {
                "rule": rule,
                "code_hash": "x",
                "n_outputs": 99,
                "corpus": "stsb",
                "sentence_id": f"s{i}",
                "output_id": f"{i:016x}",
                "perplexity_ratio": ratio,
                "grammatical_1": g1,
                "meaning_1": m1,
                "plausible_1": "yes",
                "grammatical_2": g2,
                "meaning_2": m2,
                "plausible_2": "no",
            }
            for i, (rule, g1, m1, g2, m2, ratio) in enumerate(rows)
        ]
    )


def test_rates_average_both_passes_and_only_rules_that_are_on_count_together():
    rows = [("front", "yes", "same", "no", "same", 1)] * 2
    rows += [("front", "yes", "changed", "yes", "same", 1)] * 2
    rows += [("swap", "no", "same", "no", "unclear", 1)] * 4
    table = tabulate_quality(
        make_reviews(rows), DIMENSIONS, {"front": True, "swap": False}, 0.95
    ).set_index(["rule", "metric"])
    assert table.loc[("front", "grammatical"), "value"] == pytest.approx(0.75)
    assert table.loc[("front", "intended"), "value"] == pytest.approx(0.75)
    assert table.loc[("swap", "intended"), "value"] == 0
    assert table.loc[(ALL_DEFAULT, "grammatical"), "value"] == pytest.approx(0.75)
    assert table.loc[(ALL_DEFAULT, "grammatical"), "n"] == 4
    low, high = table.loc[("front", "grammatical"), ["ci_low", "ci_high"]]
    assert low < 0.75 < high


def test_a_fluency_limit_is_set_on_one_half_and_measured_on_the_other():
    rows = [("front", "yes", "same", "yes", "same", 1 + i / 100) for i in range(60)]
    rows += [("front", "no", "same", "yes", "same", 5 + i / 100) for i in range(20)]
    table = try_fluency_filter(make_reviews(rows), 3).set_index("half")
    assert 1.3 < table.loc["fitted", "threshold"] < 5.3
    held_out = table.loc["held out"]
    assert held_out["grammatical_after"] > held_out["grammatical_before"]
    assert table["n"].sum() == 80
    assert "| held out |" in filter_markdown(table.reset_index())


def test_without_ratios_there_is_no_filter_to_try():
    reviews = make_reviews([("front", "yes", "same", "yes", "same", None)])
    assert try_fluency_filter(reviews, 3).empty
    assert filter_markdown(try_fluency_filter(reviews, 3)) == ""
