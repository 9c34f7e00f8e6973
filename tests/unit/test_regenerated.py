"""Candidates become pairs: every drop is counted, every score has a source."""

import pandas as pd
import pytest

from embsyntax.jobs import InputError
from embsyntax.regenerated import (
    CANDIDATE_COLUMNS,
    FilterSettings,
    attach_scores,
    count_unscored,
    filter_candidates,
    make_suite,
    released_form,
)

SETTINGS = FilterSettings(3, 2.0, None, None, "rules")


def candidate(number, sentence2, *, sentence="s1", dimension="structure", **other):
    record = {
        "candidate_id": f"c{number}",
        "generator": "rules",
        "corpus": "stsb",
        "sentence_id": sentence,
        "perturbation": "voice exchange",
        "dimension": dimension,
        "rule": "some_rule",
        "sentence1": "A dog runs in the park.",
        "sentence2": sentence2,
        "expected_score": 5,
        "status": "made" if sentence2 else "declined",
        "reason": "" if sentence2 else "no verb",
        "detail": "",
    }
    return record | other


def frame(*records):
    return pd.DataFrame(records, columns=list(CANDIDATE_COLUMNS)).astype(
        {"expected_score": "Int64"}
    )


def count(drops, status, reason):
    chosen = drops[(drops["status"] == status) & (drops["reason"] == reason)]
    return int(chosen["n"].sum())


def test_every_candidate_is_kept_or_counted_with_a_reason():
    candidates = frame(
        candidate(1, "In the park, a dog runs."),
        candidate(2, "in the park a dog runs"),
        candidate(3, "A dog runs, in the park!"),
        candidate(4, "A dog."),
        candidate(5, "A dog runs in the park and then it sleeps for a very long time at home."),
        candidate(6, None),
    )
    kept, drops = filter_candidates(candidates, None, SETTINGS)
    assert list(kept["candidate_id"]) == ["c1"]
    assert drops["n"].sum() == len(candidates)
    assert count(drops, "dropped", "duplicate of another output") == 1
    assert count(drops, "dropped", "same words in the same order") == 1
    assert count(drops, "dropped", "fewer than 3 words") == 1
    assert count(drops, "dropped", "more than 2 times as long") == 1
    assert count(drops, "declined", "no verb") == 1


def test_the_same_text_in_another_dimension_is_no_duplicate():
    candidates = frame(
        candidate(1, "In the park a dog runs."),
        candidate(2, "In the park a dog runs.", dimension="relation"),
    )
    assert len(filter_candidates(candidates, None, SETTINGS)[0]) == 2


def test_traps_are_no_part_of_the_benchmark():
    candidates = frame(candidate(1, "A dog does not run in the park.", dimension="trap"))
    kept, drops = filter_candidates(candidates, None, SETTINGS)
    assert kept.empty
    assert count(drops, "dropped", "not a dimension of the benchmark") == 1


def test_fluency_and_number_limits():
    candidates = frame(
        candidate(1, "In the park a dog runs."),
        candidate(2, "Runs a dog in the park."),
        candidate(3, "Running in the park is a dog."),
    )
    fluency = pd.DataFrame({"candidate_id": ["c1", "c2", "c3"], "ratio": [1.0, 5.0, 2.0]})
    kept, drops = filter_candidates(candidates, fluency, FilterSettings(3, 2.0, 4.0, 1, "rules"))
    assert list(kept["candidate_id"]) == ["c1"]
    assert count(drops, "dropped", "not fluent") == 1
    assert count(drops, "dropped", "enough pairs of this sentence") == 1


@pytest.mark.parametrize(
    "fluency", [None, pd.DataFrame({"candidate_id": ["other"], "ratio": [1.0]})]
)
def test_a_fluency_limit_without_its_table_is_refused(fluency):
    with pytest.raises(InputError, match="score_fluency"):
        filter_candidates(
            frame(candidate(1, "In the park a dog runs.")),
            fluency,
            FilterSettings(3, 2.0, 4.0, None, "rules"),
        )


def test_both_scores_stay_and_the_chosen_one_counts():
    kept = frame(candidate(1, "In the park a dog runs."), candidate(2, "Runs a dog in the park."))
    annotation = pd.DataFrame({"pair_id": ["c1", "c2"], "score": [3, None]})
    pairs, left_out = attach_scores(kept, {"model": annotation}, "model")
    assert left_out == 1
    assert pairs.loc[0, ["score", "score_rules", "score_model"]].tolist() == [3, 5, 3]
    pairs, left_out = attach_scores(kept, {"model": annotation}, "rules")
    assert left_out == 0
    assert pairs["score"].tolist() == [5, 5]
    assert pd.isna(pairs.loc[1, "score_model"])


def test_pairs_without_a_score_are_counted():
    candidates = frame(
        candidate(1, "In the park a dog runs."), candidate(2, "Runs a dog in the park.")
    )
    kept, drops = filter_candidates(candidates, None, SETTINGS)
    annotation = pd.DataFrame({"pair_id": ["c1", "c2"], "score": [3, None]})
    pairs, _ = attach_scores(kept, {"model": annotation}, "model")
    drops = count_unscored(drops, kept, pairs)
    assert count(drops, "kept", "") == 1
    assert count(drops, "dropped", "no score") == 1
    assert drops["n"].sum() == len(candidates)


def test_an_unknown_annotator_is_refused():
    with pytest.raises(InputError, match="allowed: rules or an annotator"):
        attach_scores(frame(candidate(1, "In the park a dog runs.")), {}, "nobody")


def test_expected_scores_of_a_language_model_do_not_exist():
    record = candidate(1, "In the park a dog runs.", generator="smollm2", expected_score=None)
    with pytest.raises(InputError, match="smollm2"):
        attach_scores(frame(record), {}, "rules")


def regenerated(*records):
    return attach_scores(frame(*records), {}, "rules")[0]


def test_the_released_form_holds_only_complete_rows():
    pairs = regenerated(
        candidate(1, "In the park a dog runs."),
        candidate(2, "Runs a dog in the park."),
        candidate(3, "A park runs in the dog.", dimension="relation", expected_score=1),
        candidate(4, "A park runs in the dog.", sentence="s2", dimension="relation"),
    )
    rows = released_form(pairs)
    assert rows.to_dict("records") == [
        {
            "sentence1": "A dog runs in the park.",
            "structure": "In the park a dog runs.",
            "structurescore": 5,
            "relation": "A park runs in the dog.",
            "relationscore": 1,
        }
    ]


def test_a_suite_has_scores_from_0_to_1_and_shared_anchors():
    suite = make_suite(
        regenerated(
            candidate(1, "In the park a dog runs."),
            candidate(2, "A park runs in the dog.", dimension="relation", expected_score=1),
        )
    )
    assert suite["score"].tolist() == [1.0, 0.2]
    assert suite["anchor_id"].nunique() == 1
    assert suite["row"].tolist() == [1, 1]


def test_an_empty_suite_is_refused():
    with pytest.raises(InputError, match="no pair was kept"):
        make_suite(regenerated())
