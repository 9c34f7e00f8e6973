"""Statistics of the filter: every row adds up; the published ones stand beside ours."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
import yaml

from embsyntax import filter_statistics as fs
from embsyntax.claims import FILTER_ITEMS, read_published
from embsyntax.jobs import InputError
from embsyntax.registry import read_table
from embsyntax.trap_types import TRAP_TYPES
from embsyntax.triple_filter import FILTERED_COLUMNS, REASONS
from embsyntax.triple_settings import FilterRun, list_filter_runs

REPOSITORY = Path(__file__).resolve().parents[2]

RUN = FilterRun(
    generator="qwen3_4b",
    generator_model="qwen3-4b-instruct-2507",
    judge_model="nli-deberta-v3-base",
    limits=fs.PUBLISHED_LIMITS,
    n_candidates=4,
)


@pytest.fixture(scope="module")
def published():
    path = REPOSITORY / "config/published.tsv"
    return fs.read_published_counts(read_published(read_table(path), str(path)))


def make_filtered(counts, generator="qwen3_4b", judge="deberta"):
    """Filtered candidates with so many rows of each (type, reason)."""
    rows = [
        {"type": name, "reason": reason, "kept": reason == "kept"}
        for (name, reason), n in counts.items()
        for _ in range(n)
    ]
    frame = pd.DataFrame(rows, columns=["type", "reason", "kept"]).astype({"kept": bool})
    frame = frame.reindex(columns=list(FILTERED_COLUMNS))
    return frame.assign(generator=generator, judge=judge, kept=frame["kept"].astype(bool))


COUNTS = {
    ("negation", "kept"): 12,
    ("negation", "edit_check_failed"): 17,
    ("negation", "paraphrase_rejected"): 10,
    ("negation", "trap_rejected"): 1,
    ("scope", "request_failed"): 2,
    ("scope", "too_many_new_words"): 1,
}


def test_each_generation_is_counted_once():
    filtered = {"qwen3_4b": make_filtered(COUNTS), "rules": make_filtered({}, generator="rules")}
    table = fs.tabulate_statistics(filtered, "deberta", ["negation"])
    assert tuple(table.columns) == fs.STATISTICS_COLUMNS
    assert table["trap_type"].tolist() == [*TRAP_TYPES, "all"] * 2
    rows = table.set_index(["generator", "trap_type"])
    assert rows.loc[("qwen3_4b", "negation"), "generated"] == 40
    assert rows.loc[("qwen3_4b", "negation"), "keep_rate"] == 0.3
    assert rows.loc[("qwen3_4b", "scope"), "keep_rate"] == 0
    assert rows.loc[("qwen3_4b", "all"), "generated"] == 43
    assert (table[list(REASONS)].sum(axis=1) == table["generated"]).all()
    assert rows.loc["rules", "generated"].tolist() == [0] * 9
    assert rows.loc["rules", "keep_rate"].isna().all()
    assert rows.loc["qwen3_4b", "is_filtered"].tolist() == [True] + [False] * 8
    both = fs.tabulate_statistics(filtered, "deberta", ["negation", "scope"])
    assert both.set_index(["generator", "trap_type"])["is_filtered"]["qwen3_4b"]["all"]


def test_rows_that_do_not_add_up_are_refused():
    table = fs.tabulate_statistics({"qwen3_4b": make_filtered(COUNTS)}, "deberta", [])
    for column in ("generated", "kept", "low_overlap"):
        wrong = table.copy()
        wrong.loc[0, column] += 1
        with pytest.raises(InputError, match="generator 'qwen3_4b', trap type 'negation'"):
            fs.check_statistics(wrong)
    wrong = table.copy()
    wrong.loc[8, ["generated", "skipped"]] += 1
    wrong.loc[8, "keep_rate"] = 12 / 44
    with pytest.raises(InputError, match="do not add up to one row 'all'"):
        fs.check_statistics(wrong)
    with pytest.raises(InputError, match="keep rate 0.5, not 0.3"):
        fs.check_statistics(table.assign(keep_rate=table["keep_rate"].replace(0.3, 0.5)))
    with pytest.raises(InputError, match="the outcomes add up to 0, not to the 2"):
        strange = {"qwen3_4b": make_filtered({("hedge", "lost"): 2})}
        fs.tabulate_statistics(strange, "deberta", [])


def test_candidates_of_another_generator_or_judge_are_refused():
    with pytest.raises(InputError, match="column generator: 'qwen3_4b'; allowed: 'rules'"):
        fs.tabulate_statistics({"rules": make_filtered(COUNTS)}, "deberta", [])
    with pytest.raises(InputError, match="column judge: 'deberta'; allowed: 'mini'"):
        fs.tabulate_statistics({"qwen3_4b": make_filtered(COUNTS)}, "mini", [])


def test_readers_see_what_is_unfiltered_and_what_was_not_generated():
    table = fs.tabulate_statistics({"qwen3_4b": make_filtered(COUNTS)}, "deberta", ["negation"])
    text = fs.statistics_markdown(table, fs.PUBLISHED_LIMITS, 0.3, "")
    assert "| negation | 40 | 0 | 0 | 0 | 17 | 10 | 1 | 0 | 0 | 12 | 30.0 % |" in text
    assert "| role swap (unfiltered) | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | n/a |" in text
    assert "No entailment model" not in text
    declared = {"rules": make_filtered(COUNTS, "rules", "declared")}
    table = fs.tabulate_statistics(declared, "declared", [])
    text = fs.statistics_markdown(table, fs.PUBLISHED_LIMITS, 0.3, "demo")
    assert "No entailment model has looked at these candidates" in text
    assert "**Data: demo.**" in text


def test_the_published_rows_leave_a_remainder(published):
    """Sums by hand from the dataset card: 96 of 320 and 19 of 120 generations are unexplained."""
    rows = published.set_index(["item", "trap_type"])
    rest = rows["generated"] - rows[list(fs.LAYOUT)].sum(axis=1)
    assert rest[FILTER_ITEMS[0]].tolist() == [17, 9, 10, 3, 26, 13, 11, 7, 96]
    assert rest[FILTER_ITEMS[1]].tolist() == [5, 3, 1, 0, 4, 1, 3, 2, 19]
    assert rows.loc[(FILTER_ITEMS[0], "all"), "kept"] == 145
    counts = ["generated", *fs.LAYOUT]
    for item in FILTER_ITEMS:
        parts = rows.loc[item].drop("all")
        assert parts[counts].sum().tolist() == rows.loc[(item, "all"), counts].tolist()
    exact = 100 * rows["kept"] / rows["generated"]
    assert (100 * rows["keep_rate"] - exact).abs().max() < 0.0501


def test_a_missing_published_number_is_named():
    path = REPOSITORY / "config/published.tsv"
    rows = read_published(read_table(path), str(path))
    rows = [row for row in rows if row["claim"] != "filter_statistics_hedge_kept"]
    with pytest.raises(InputError, match="item filter_statistics, trap type hedge: no kept"):
        fs.read_published_counts(rows)


def compare(published, counts=COUNTS, runs=None, **changes):
    table = fs.tabulate_statistics({"qwen3_4b": make_filtered(counts)}, "deberta", ["negation"])
    runs = {FILTER_ITEMS[0]: replace(RUN, **changes)} if runs is None else runs
    return fs.compare_published(table, published, runs, 0.95, True)


def test_ours_stand_below_the_published_counts(published):
    table = compare(published)
    assert tuple(table.columns) == fs.COMPARED_COLUMNS
    assert table["run"].tolist() == ["published", "ours"] * 9 + ["published"] * 9
    theirs, own = table.iloc[0], table.iloc[1]
    assert (theirs["remainder"], own["remainder"]) == (17, 17)
    assert (theirs["keep_rate"], own["keep_rate"]) == (0.3, 0.3)
    assert own["ci_low"] == pytest.approx(0.1807, abs=1e-4)  # Wilson, 12 of 40
    assert own["ci_high"] == pytest.approx(0.4543, abs=1e-4)
    assert own["verdict"] == "matches"
    assert own["reason"].startswith("difference +0.0 points, 95 % interval [-1")
    scope = table[(table["trap_type"] == "scope") & (table["run"] == "ours")].iloc[0]
    assert (scope["remainder"], scope["low_overlap"]) == (3, 0)
    cross = table[table["item"] == FILTER_ITEMS[1]]
    assert set(cross["verdict"]) == {"not run"}
    assert set(cross["reason"]) == {fs.NO_SECOND_GENERATOR}


def test_keep_rates_differ_beyond_the_interval_of_their_difference(published):
    counts = {("negation", "kept"): 0, ("negation", "skipped"): 40, ("numbers", "kept"): 1}
    table = compare(published, counts).set_index(["item", "trap_type", "run"])
    row = table.loc[(FILTER_ITEMS[0], "negation", "ours")]
    assert (row["verdict"], row["keep_rate"]) == ("differs", 0)
    low, high = (float(part) for part in row["reason"].split("[")[1].split("]")[0].split(","))
    assert (low, high) == (pytest.approx(-45.4, abs=0.1), pytest.approx(-15.2, abs=0.1))
    assert table.loc[(FILTER_ITEMS[0], "numbers", "ours"), "verdict"] == "matches"
    row = table.loc[(FILTER_ITEMS[0], "hedge", "ours")]
    assert (row["verdict"], row["reason"]) == ("not run", "nothing was generated")
    assert math.isnan(row["keep_rate"])
    assert math.isnan(row["ci_low"])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"generator_model": "rules"}, "generator rules instead of qwen3-4b-instruct-2507"),
        ({"judge_model": "declared"}, "judge declared instead of nli-deberta-v3-base"),
        ({"limits": replace(fs.PUBLISHED_LIMITS, max_trap=0.4)}, "other limits of the filter"),
        ({"n_candidates": 1}, "1 candidates instead of 4"),
    ],
)
def test_other_generators_judges_and_limits_do_not_compare(published, change, reason):
    row = compare(published, **change).iloc[1]
    assert (row["verdict"], row["reason"]) == ("not comparable", reason)


def test_a_server_may_name_the_published_model_in_its_own_way(published):
    row = compare(published, generator_model="Qwen/Qwen3-4B-Instruct-2507").iloc[1]
    assert row["verdict"] == "matches"


def test_bundled_data_do_not_compare(published):
    statistics = fs.tabulate_statistics({"qwen3_4b": make_filtered(COUNTS)}, "deberta", [])
    table = fs.compare_published(statistics, published, {FILTER_ITEMS[0]: RUN}, 0.95, False)
    assert table.iloc[1]["reason"] == "bundled sentences as seeds"


def test_the_comparison_for_readers(published):
    text = fs.compared_markdown(compare(published), 0.95, "")
    assert (
        "| negation | published | 40 | 0 | 0 | 10 | 1 | 0 | 12 | 30.0 % | [18.1, 45.4] | 17 |"
        in text
    )
    assert (
        "| negation | ours | 40 | 0 | 0 | 10 | 1 | 0 | 12 | 30.0 % | [18.1, 45.4] | 17 | matches |"
        in text
    )
    assert (
        "| hedge (unfiltered) | ours | 0 | 0 | 0 | 0 | 0 | 0 | 0 | n/a | n/a | 0 | not run |"
        in text
    )
    assert "## Filter statistics, cross generator" in text
    assert "- not run: no second generator in this run." in text


@pytest.mark.parametrize(
    ("overlay", "models"),
    [
        ("config.yaml", ["qwen3-4b-instruct-2507", "phi-4-mini-instruct"]),
        ("laptop.yaml", ["rules"]),
        ("demo.yaml", ["rules", "smollm2-135m-instruct"]),
    ],
)
def test_the_configs_say_what_wrote_and_judged(overlay, models):
    configs = [
        yaml.safe_load((REPOSITORY / "config" / name).read_text(encoding="utf-8"))
        for name in ("config.yaml", overlay)
    ]
    triples = configs[0]["triples"] | configs[1].get("triples", {})
    generators = configs[0]["generators"] | configs[1].get("generators", {})
    runs = list_filter_runs(triples, generators)
    assert [run.generator_model for run in runs] == models
    judges = {
        "config.yaml": "nli-deberta-v3-base",
        "laptop.yaml": "all-MiniLM-L6-v2 trained here",
        "demo.yaml": "declared",
    }
    assert {run.judge_model for run in runs} == {judges[overlay]}
