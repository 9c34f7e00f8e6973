"""The filter of the triples: limits, the order of reasons, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from embsyntax import triple_filter as tf
from embsyntax.jobs import InputError
from embsyntax.triple_filter import filter_candidates, find_filtered_types, select_triples
from embsyntax.triple_settings import DECLARED, FilterLimits

LIMITS = FilterLimits(0.7, 0.5, 0.7, 4)

ANCHOR = "The harbour is open to small boats during the winter."
"""Ten words; `the` stands there twice."""


def make_candidates(*changes, anchor=ANCHOR):
    """Rows that pass the filter, each with its changes."""
    rows = [
        {
            "candidate_id": f"rules:seed:{number}",
            "generator": "rules",
            "seed_id": "seed:1",
            "type": "negation",
            "anchor": anchor,
            "paraphrase": "Small boats may use the harbour in winter.",
            "trap": "The harbour is not open to small boats during the winter.",
            "status": "made",
            "edit_reason": None,
            "detail": None,
            "n_attempts": 1,
        }
        | change
        for number, change in enumerate(changes or ({},))
    ]
    return pd.DataFrame(rows, columns=list(tf.CANDIDATE_COLUMNS))


def make_entailment(candidates, para=(0.9, 0.9), trap=(0.1, 0.1)):
    ids = candidates.loc[candidates["status"] == "made", "candidate_id"].to_numpy()
    scores = dict(zip(tf.SCORE_COLUMNS, (*para, *trap), strict=True))
    return pd.DataFrame({"candidate_id": ids, **scores, "n_truncated": 0})


def find_reason(candidates=None, judge="judge", **scores):
    candidates = make_candidates() if candidates is None else candidates
    entailment = None if judge == DECLARED else make_entailment(candidates, **scores)
    return filter_candidates(candidates, entailment, judge, LIMITS)["reason"].tolist()


@pytest.mark.parametrize(
    ("trap", "overlap", "new_words"),
    [
        (ANCHOR, 1, 0),
        ("the WINTER during boats, small to open is harbour the!", 1, 0),
        ("The harbour is not open to small boats during the winter.", 1, 1),
        ("The harbour is open to small boats during winter.", 0.9, 0),
        ("The the the harbour is open.", 0.5, 1),
        ("Ships never come here.", 0, 4),
        ("", 0, 0),
    ],
)
def test_words_are_counted_as_often_as_they_stand_there(trap, overlap, new_words):
    assert tf.measure_overlap(ANCHOR, trap) == (overlap, new_words)


def test_contractions_and_decimals_are_single_words():
    assert tf.measure_overlap("He isn’t 1,500.5 m tall.", "He isn't 1,600.5 m tall.") == (0.8, 1)
    share, new_words = tf.measure_overlap("...", "A word.")
    assert math.isnan(share)
    assert new_words == 2


@pytest.mark.parametrize(
    ("para", "reason"),
    [
        ((0.7, 0.7), "kept"),
        ((0.7, 1.0), "kept"),
        ((np.float32(0.7), np.float32(0.9)), "kept"),
        ((0.699, 1.0), "paraphrase_rejected"),
        ((1.0, 0.699), "paraphrase_rejected"),
    ],
)
def test_a_paraphrase_is_accepted_from_its_limit_in_both_directions(para, reason):
    assert find_reason(para=para) == [reason]


@pytest.mark.parametrize(
    ("trap", "reason"),
    [
        ((0.5, 0.5), "trap_rejected"),
        ((0.5, 1.0), "trap_rejected"),
        ((0.499, 1.0), "kept"),
        ((1.0, 0.499), "kept"),
    ],
)
def test_a_trap_is_rejected_from_its_limit_if_it_entails_both_ways(trap, reason):
    assert find_reason(trap=trap) == [reason]


@pytest.mark.parametrize(
    ("trap", "reason"),
    [
        ("The harbour is open to small boats.", "kept"),
        ("The harbour is open to small.", "low_overlap"),
        (f"{ANCHOR} One two three four.", "kept"),
        (f"{ANCHOR} One two three four five.", "too_many_new_words"),
        ("One two three four five six seven.", "low_overlap"),
    ],
)
def test_overlap_and_new_words_at_their_limits(trap, reason):
    assert find_reason(make_candidates({"trap": trap})) == [reason]
    assert find_reason(make_candidates({"trap": trap}), judge=DECLARED) == [reason]


def test_the_first_reason_in_order_counts():
    """Everything is wrong with a candidate, and one thing after another is mended."""
    bad = "One two three four five six."
    found = []
    for status in tf.FAILURES:
        found += find_reason(make_candidates({"trap": bad, "status": status}), para=(0, 0))
    wrong = make_candidates({"trap": bad})
    found += find_reason(wrong, para=(0.1, 0.9), trap=(0.9, 0.9))
    found += find_reason(wrong, trap=(0.9, 0.9))
    found += find_reason(wrong)
    found += find_reason(make_candidates({"trap": f"{ANCHOR} {bad}"}))
    found += find_reason()
    assert tuple(found) == tf.REASONS


def test_every_candidate_has_one_row_in_its_order():
    candidates = make_candidates(
        {},
        {"status": "skipped", "paraphrase": None, "trap": None},
        {"status": "edit_check_failed", "edit_reason": "trap equals anchor", "trap": ANCHOR},
        {"type": "hedge"},
    )
    entailment = make_entailment(candidates, para=(0.9, 0.8), trap=(0.2, 0.1))[::-1]
    filtered = filter_candidates(candidates, entailment, "judge", LIMITS)
    assert list(filtered.columns) == list(tf.FILTERED_COLUMNS)
    assert filtered["candidate_id"].tolist() == candidates["candidate_id"].tolist()
    assert filtered["reason"].tolist() == ["kept", "skipped", "edit_check_failed", "kept"]
    assert filtered["kept"].tolist() == [True, False, False, True]
    assert filtered["nli_para"].tolist()[::3] == [0.8, 0.8]
    assert filtered["nli_trap"].tolist()[::3] == [0.1, 0.1]
    assert filtered["nli_para"].isna().tolist() == [False, True, True, False]
    assert filtered["overlap"].isna().tolist() == [False, True, False, False]
    assert filtered["new_words"].isna().tolist() == [False, True, False, False]


def test_a_declared_judge_asks_for_no_entailment():
    filtered = filter_candidates(make_candidates(), None, DECLARED, LIMITS)
    scores = [name for name in filtered if name.startswith("nli_")]
    assert len(scores) == 6
    assert filtered[scores].isna().all(axis=None)
    assert filtered["kept"].tolist() == [True]
    with pytest.raises(InputError, match="judge 'declared' with a table of entailment"):
        filter_candidates(make_candidates(), make_entailment(make_candidates()), DECLARED, LIMITS)
    with pytest.raises(InputError, match="judge 'mini' without a table of entailment"):
        filter_candidates(make_candidates(), None, "mini", LIMITS)


@pytest.mark.parametrize("judge", ["judge", DECLARED])
def test_no_candidates_at_all(judge, tmp_path):
    candidates = make_candidates()[:0]
    entailment = None if judge == DECLARED else make_entailment(candidates)
    filtered = filter_candidates(candidates, entailment, judge, LIMITS)
    filtered.to_parquet(tmp_path / "filtered.parquet")
    read = pd.read_parquet(tmp_path / "filtered.parquet")
    assert list(read.columns) == list(tf.FILTERED_COLUMNS)
    seeds = pd.DataFrame({name: ["a"] for name in ("seed_id", "text", "source", "licence")})
    assert select_triples(read, seeds, []).empty


def test_entailment_of_other_candidates_is_refused_by_name():
    candidates = make_candidates({}, {}, {"status": "skipped"})
    entailment = make_entailment(candidates)
    with pytest.raises(InputError, match=r"1 candidates with status made are not in it.*seed:1'"):
        filter_candidates(candidates, entailment[:1], "judge", LIMITS)
    more = pd.concat([entailment, entailment[:1].assign(candidate_id="rules:seed:2")])
    with pytest.raises(InputError, match=r"1 of its ids are no candidates.*'rules:seed:2'"):
        filter_candidates(candidates, more, "judge", LIMITS)
    with pytest.raises(InputError, match=r"'rules:seed:0' stands there more than once"):
        filter_candidates(candidates, pd.concat([entailment, entailment]), "judge", LIMITS)


@pytest.mark.parametrize("value", [math.nan, -0.1, 1.1])
def test_entailment_that_is_no_probability_is_refused(value):
    candidates = make_candidates()
    entailment = make_entailment(candidates, trap=(0.5, value))
    with pytest.raises(InputError, match=r"rules:seed:0', column nli_trap_backward"):
        filter_candidates(candidates, entailment, "judge", LIMITS)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"status": "lost"}, "column status: 'lost'; allowed: made, request_failed"),
        ({"type": "irony"}, "column type: 'irony'; allowed: negation"),
        ({"trap": None}, "column trap: empty, but the status is made"),
        ({"candidate_id": "x"}, "candidate_id 'x' stands there more than once"),
    ],
)
def test_bad_candidates_are_refused(change, named):
    with pytest.raises(InputError, match=named):
        filter_candidates(make_candidates(change, change), None, DECLARED, LIMITS)
    with pytest.raises(InputError, match=r"lacks the column\(s\) status"):
        filter_candidates(make_candidates().drop(columns="status"), None, DECLARED, LIMITS)


def make_measures(*rows):
    records = [("judge", "false_accept_rate", *row) for row in rows]
    records += [("judge", "balanced_accuracy", math.nan, 0.1), ("other", *records[0][1:3], 0.0)]
    return pd.DataFrame(records, columns=["judge", "metric", "trap_type", "value"])


def test_a_judge_filters_where_it_was_measured_and_lets_few_traps_pass():
    measures = make_measures(("scope", 0.3), ("hedge", 0.31), ("negation", 0), ("numbers", np.nan))
    assert find_filtered_types(measures, "judge", 0.3) == ["negation", "scope"]
    assert find_filtered_types(measures, "unmeasured", 0.3) == []
    assert find_filtered_types(measures, DECLARED, 0.3) == []
    assert find_filtered_types(None, "judge", 0.3) == []
    with pytest.raises(InputError, match="'scope' stands there more than once"):
        find_filtered_types(make_measures(("scope", 0.3), ("scope", 0.2)), "judge", 0.3)


def test_kept_candidates_become_triples_of_their_seeds():
    candidates = make_candidates({}, {"type": "hedge"}, {"status": "unparsed"})
    filtered = filter_candidates(candidates, None, DECLARED, LIMITS)
    seeds = pd.DataFrame(
        [("seed:0", "Other.", "med", "MIT"), ("seed:1", ANCHOR, "sick", "CC")],
        columns=["seed_id", "text", "source", "licence"],
    )
    triples = select_triples(filtered, seeds, ["hedge"])
    assert list(triples.columns) == list(tf.TRIPLE_COLUMNS)
    assert triples["id"].tolist() == ["rules:seed:0", "rules:seed:1"]
    assert triples["is_filtered"].tolist() == [False, True]
    assert set(triples["source"]) == {"sick"}
    assert set(triples["licence"]) == {"CC"}
    with pytest.raises(InputError, match="2 kept candidates have an anchor that is not the text"):
        select_triples(filtered, seeds.assign(text="Another sentence."), [])
    with pytest.raises(InputError, match="'rules:seed:0' with seed 'seed:1'"):
        select_triples(filtered, seeds[:1], [])
