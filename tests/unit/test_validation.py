"""Sheets go out and come back: what spreadsheets do is understood, damage is refused by row."""

import csv
import io
import json
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score

from embsyntax.jobs import InputError
from embsyntax.validation import (
    SHEET_COLUMNS,
    agreement_table,
    apply_corrections,
    kappa_of,
    label_studio_config,
    label_studio_tasks,
    make_sheet,
    merge_reviews,
    rater_agreement,
    read_reviews,
    require_all_pairs,
    revision_rates,
    sample_pairs,
    share_out,
)

SENTENCES = ["A dog, a cat; and a bird.", '=SUM("quoted") is formula-like', "-5° äöü 🙂", "plain"]


def make_pairs(n=4):
    return pd.DataFrame(
        {
            "pair_id": [f"p{i}" for i in range(n)],
            "corpus": "stsb",
            "dimension": ["structure", "relation"] * (n // 2),
            "rule": [f"rule{i % 3}" for i in range(n)],
            "sentence1": [SENTENCES[i % 4] for i in range(n)],
            "sentence2": [f"{SENTENCES[i % 4]} changed" for i in range(n)],
            "score": pd.array([5, 1] * (n // 2), dtype="Int64"),
            "is_validated": False,
        }
    )


PAIRS = make_pairs()


def fill(verdicts=("accept",) * 4, rater="ann", revised=("",) * 4, scores=("",) * 4):
    rows = list(csv.DictReader(io.StringIO(make_sheet(PAIRS)[1:])))
    for row, verdict, sentence, score in zip(rows, verdicts, revised, scores, strict=True):
        row.update(verdict=verdict, rater=rater, revised_sentence2=sentence, revised_score=score)
    return rows


def write(rows, path, delimiter=",", encoding="utf-8-sig", columns=SHEET_COLUMNS, end="\r\n"):
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.DictWriter(
            file, columns, delimiter=delimiter, lineterminator=end, extrasaction="ignore"
        )
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_sheet_comes_back_whatever_a_spreadsheet_did(tmp_path, delimiter, encoding, end):
    columns = [*reversed(SHEET_COLUMNS), "extra"]
    path = write(fill(), tmp_path / "sheet.csv", delimiter, encoding, columns, end)
    reviews = read_reviews(path, PAIRS)
    assert [review.pair_id for review in reviews] == ["p0", "p1", "p2", "p3"]


def test_the_separator_line_of_a_spreadsheet_is_understood(tmp_path):
    path = write(fill(), tmp_path / "sheet.csv", ";", "utf-8")
    path.write_text(f"sep=;\n{path.read_text(encoding='utf-8')}", encoding="utf-8")
    assert len(read_reviews(path, PAIRS)) == 4


def test_formulas_are_disarmed_and_sentences_survive(tmp_path):
    rows = fill()
    assert rows[1]["sentence1"].startswith("'=")
    assert rows[2]["sentence1"].startswith("'-")
    rows[1]["sentence1"] = rows[1]["sentence1"][1:]
    assert len(read_reviews(write(rows, tmp_path / "sheet.csv"), PAIRS)) == 4


def test_revisions_are_read(tmp_path):
    rows = fill(
        ("accept", "Revise ", "REJECT", "revise"),
        revised=("", "better", "", ""),
        scores=["", "", "", "3,0"],
    )
    reviews = read_reviews(write(rows, tmp_path / "sheet.csv"), PAIRS)
    assert [review.verdict for review in reviews] == ["accept", "revise", "reject", "revise"]
    assert reviews[1].revised_sentence2 == "better"
    assert reviews[3].revised_score == 3


def damage(rows, row, **cells):
    rows[row].update(cells)
    return rows


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (damage(fill(), 1, pair_id="p9"), r"row 3, column pair_id: 'p9' is not in the sample"),
        (damage(fill(), 1, pair_id=""), r"row 3, column pair_id: '' is not in the sample"),
        ([*fill(), fill()[0]], r"row 6: rater 'ann' has pair p0 already in sheet.csv, row 2"),
        (damage(fill(), 2, sentence1="edited"), r"row 4, column sentence1: 'edited' where the"),
        (damage(fill(), 2, sentence2="edited"), r"row 4, column sentence2: 'edited' where the"),
        (damage(fill(), 2, score="4"), r"row 4, column score: '4' where the sample has '5'"),
        (damage(fill(), 0, verdict="yes"), r"row 2, column verdict: 'yes'; allowed: accept"),
        (damage(fill(), 0, verdict=""), r"row 2, column verdict: ''; allowed: accept"),
        (
            damage(fill(), 0, verdict="revise", revised_sentence2=SENTENCES[0]),
            r"row 2, column revised_sentence2: the same as sentence1",
        ),
        (damage(fill(), 0, rater=""), r"row 2, column rater: empty"),
        (damage(fill(), 0, verdict="revise"), r"row 2: verdict 'revise' without a revised"),
        (damage(fill(), 0, revised_score="3"), r"row 2: verdict 'accept' with a revised"),
        (
            damage(fill(), 0, verdict="revise", revised_score="7"),
            r"row 2, column revised_score: '7'; allowed: whole numbers 0 to 5",
        ),
        (
            damage(fill(), 0, verdict="revise", revised_score="3.5"),
            r"row 2, column revised_score: '3.5'; allowed",
        ),
    ],
)
def test_damage_is_refused_by_row(tmp_path, rows, message):
    path = write(rows, tmp_path / "sheet.csv")
    with pytest.raises(InputError, match=message):
        read_reviews(path, PAIRS)


def test_a_missing_column_and_a_lost_separator_are_refused(tmp_path):
    columns = [name for name in SHEET_COLUMNS if name != "verdict"]
    with pytest.raises(InputError, match="line 1: no column verdict"):
        read_reviews(write(fill(), tmp_path / "sheet.csv", columns=columns), PAIRS)
    path = write(fill(), tmp_path / "sheet.csv", encoding="utf-8")
    path.write_text(path.read_text(encoding="utf-8") + "p3,stsb\n", encoding="utf-8")
    with pytest.raises(InputError, match="row 6: 2 cells where the header has 11"):
        read_reviews(path, PAIRS)


def test_a_sheet_in_a_legacy_encoding_is_refused(tmp_path):
    path = write(fill(), tmp_path / "sheet.csv", encoding="utf-8")
    path.write_bytes(path.read_text(encoding="utf-8").replace("🙂", "").encode("cp1252"))
    with pytest.raises(InputError, match="line 4: byte 0x.* is not UTF-8"):
        read_reviews(path, PAIRS)


def export(verdicts=("accept", "reject", "revise", "accept")):
    tasks = json.loads(label_studio_tasks(PAIRS))
    for task, verdict in zip(tasks, verdicts, strict=True):
        result = [{"from_name": "verdict", "value": {"choices": [verdict]}}]
        if verdict == "revise":
            result.append({"from_name": "revised_sentence2", "value": {"text": ["better"]}})
            result.append({"from_name": "revised_score", "value": {"choices": ["2"]}})
        task["annotations"] = [{"completed_by": 7, "result": result}]
    return tasks


def test_a_label_studio_export_is_read_like_a_sheet(tmp_path):
    path = tmp_path / "export.json"
    path.write_text(json.dumps(export()), encoding="utf-8")
    reviews = read_reviews(path, PAIRS)
    assert [review.verdict for review in reviews] == ["accept", "reject", "revise", "accept"]
    assert (reviews[2].revised_sentence2, reviews[2].revised_score) == ("better", 2)
    assert {review.rater for review in reviews} == {"label_studio_7"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("not json", "not JSON"),
        ("{}", "not a list of tasks"),
        (json.dumps([*export()[:3], {**export()[3], "annotations": []}]), "task 4: pair p3 has no"),
    ],
)
def test_a_broken_export_is_refused(tmp_path, content, message):
    path = tmp_path / "export.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_reviews(path, PAIRS)


def test_the_label_studio_interface_names_what_the_reader_reads():
    tags = ElementTree.fromstring(label_studio_config())
    names = {tag.get("name") for tag in tags.iter() if tag.get("name")}
    assert {"verdict", "revised_sentence2", "revised_score", "comment"} <= names


def reviews_of(*verdict_lists):
    sheets = []
    for number, verdicts in enumerate(verdict_lists):
        sheets.append(
            pd.DataFrame(
                {
                    "pair_id": [f"p{i}" for i in range(len(verdicts))],
                    "rater": f"r{number}",
                    "verdict": verdicts,
                    "revised_sentence2": ["better" if v == "revise" else "" for v in verdicts],
                    "revised_score": pd.array([pd.NA] * len(verdicts), dtype="Int64"),
                }
            )
        )
    return pd.concat(sheets, ignore_index=True)


def test_corrections_are_applied_and_rejected_pairs_go():
    reviews = reviews_of(["accept", "revise", "reject"])
    corrected = apply_corrections(make_pairs(6), reviews, is_by_people=True)
    assert corrected["pair_id"].tolist() == ["p0", "p1", "p3", "p4", "p5"]
    assert corrected["is_validated"].tolist() == [True, True, False, False, False]
    assert corrected.loc[1, "sentence2"] == "better"
    assert corrected["score"].tolist() == [5, 1, 1, 5, 1]


def test_an_example_sheet_changes_nothing():
    reviews = reviews_of(["accept", "revise", "reject"])
    pairs = make_pairs(6)
    pd.testing.assert_frame_equal(apply_corrections(pairs, reviews, is_by_people=False), pairs)


def test_sheets_may_share_the_sample_but_leave_no_pair_out(tmp_path):
    first = read_reviews(write(fill()[:2], tmp_path / "first.csv"), PAIRS)
    second = read_reviews(write(fill(rater="bob")[2:], tmp_path / "second.csv"), PAIRS)
    require_all_pairs(merge_reviews([first, second]), PAIRS)
    require_all_pairs(merge_reviews([]), PAIRS)
    with pytest.raises(InputError, match="2 of 4 pairs of the sample have no row: p2, p3"):
        require_all_pairs(merge_reviews([first]), PAIRS)


def test_without_sheets_nothing_is_invented():
    reviews = merge_reviews([])
    pairs = make_pairs(6)
    pd.testing.assert_frame_equal(apply_corrections(pairs, reviews, is_by_people=True), pairs)
    assert revision_rates(pairs, reviews, ["corpus", "dimension"], 0.95).empty
    table = agreement_table(rater_agreement(reviews, 100, 0.95, 5))
    assert table["value"].isna().all()
    assert (table["reason"] != "").all()


def test_revision_rates_count_revised_and_rejected():
    rates = revision_rates(
        make_pairs(6), reviews_of(["accept", "revise", "reject", "accept"]), ["dimension"], 0.95
    )
    relation = rates[rates["dimension"] == "relation"].iloc[0]
    assert (relation["original_samples"], relation["modified_samples"]) == (2, 1)
    assert relation["rate"] == 0.5
    assert relation["ci_low"] < 0.5 < relation["ci_high"]
    assert rates["rejected_samples"].tolist() == [0, 1]


def test_one_rater_twice_is_refused(tmp_path):
    sheet = read_reviews(write(fill(), tmp_path / "sheet.csv"), PAIRS)
    with pytest.raises(InputError, match="rater 'ann' has pair p0 in two files"):
        merge_reviews([sheet, sheet])


def test_agreement_equals_the_reference_and_has_an_interval():
    generator = np.random.default_rng(4)
    first = generator.choice(["accept", "revise", "reject"], 60, p=[0.8, 0.15, 0.05])
    second = np.where(generator.random(60) < 0.8, first, "accept")
    kappa, alpha = rater_agreement(reviews_of(list(first), list(second)), 300, 0.95, 5)
    assert kappa.estimate.value == pytest.approx(cohen_kappa_score(first, second))
    assert kappa.interval.low < kappa.estimate.value < kappa.interval.high
    assert 0 < alpha.estimate.value < 1
    assert (alpha.n, alpha.n_raters) == (60, 2)


def test_kappa_of_opposite_raters_is_minus_one():
    assert kappa_of(np.array([[0, 1, 0, 1], [1, 0, 1, 0]])) == pytest.approx(-1.0)


@pytest.mark.parametrize(
    ("reviews", "reason"),
    [
        (reviews_of(["accept"] * 4), "fewer than two raters"),
        (reviews_of(["accept"] * 4, ["accept"] * 4), "every verdict is the same"),
    ],
)
def test_agreement_without_ground_is_undefined_with_a_reason(reviews, reason):
    for agreement in rater_agreement(reviews, 100, 0.95, 5):
        assert np.isnan(agreement.estimate.value)
        assert reason in agreement.estimate.reason


def test_the_sample_is_stratified_seeded_and_says_nothing_about_rules():
    pairs = make_pairs(200)
    sample = sample_pairs(pairs, 30, 1)
    assert sample.groupby("dimension").size().tolist() == [30, 30]
    assert sample.groupby(["dimension", "rule"]).size().between(9, 11).all()
    assert (
        sample["pair_id"].tolist() == sample_pairs(pairs.sample(frac=1), 30, 1)["pair_id"].tolist()
    )
    assert sample["pair_id"].tolist() != sample_pairs(pairs, 30, 2)["pair_id"].tolist()
    assert "rule" not in make_sheet(sample)


def test_shares_add_up_and_every_group_has_one():
    assert share_out({"a": 100, "b": 1, "c": 50}, 30) == {"a": 19, "b": 1, "c": 10}
    assert share_out({"a": 100, "b": 1, "c": 50}, 2) == {"a": 1, "c": 1}
    assert share_out({"a": 2, "b": 3}, 5) == {"a": 2, "b": 3}
