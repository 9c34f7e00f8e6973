"""Runs of rules: a row per sentence and rule, equal bytes for equal runs, yields and speed."""

from __future__ import annotations

import logging

import pandas as pd
import pytest
import spacy
from pandas.testing import assert_frame_equal
from spacy.tokens import Doc

from embsyntax.candidates import candidate_id
from embsyntax.perturbation.engine import Change, DeclineError, Rule, Sentence
from embsyntax.regenerated import CANDIDATE_COLUMNS
from embsyntax.rule_runs import (
    EXAMPLE_COLUMNS,
    TIMING_COLUMNS,
    perturb_docs,
    show_every_rule,
)
from embsyntax.rule_yields import YIELD_COLUMNS, tabulate_yields

LOG = logging.getLogger("rules")
VOCAB = spacy.blank("en").vocab
TEXTS = ["Cats eat mice .", "Dogs sleep .", "Mice eat cats .", "Cows eat grass ."]


def turn(sentence: Sentence) -> Change:
    """Exchange the first and the third word."""
    words = sentence.text.split()
    if len(words) < 4:
        raise DeclineError("no object")
    words[0], words[2] = words[2], words[0]
    return Change(" ".join(words), f"{words[2]} <-> {words[0]}")


def shout(sentence: Sentence) -> Change:
    """Put an exclamation mark at the end, if it is about mice."""
    if "ice" not in sentence.text:
        raise DeclineError("no mouse")
    return Change(sentence.text.replace(".", "!"), "")


def refuse(sentence: Sentence) -> Change:
    """Never apply."""
    raise DeclineError("never")


def make_rule(function, dimension: str = "relation", **changes) -> Rule:
    row = {
        "name": function.__name__,
        "dimension": dimension,
        "perturbation": "concept order",
        "expected_score": 1,
        "why": "",
        "preconditions": "",
        "is_default": True,
        "off_because": "",
        "function": function,
    }
    return Rule(**{**row, **changes})


RULES = [
    make_rule(shout, "structure", expected_score=5),
    make_rule(turn),
    make_rule(refuse, is_default=False),
]


def make_input(*texts: str) -> tuple[pd.DataFrame, list[Doc]]:
    """Sentences and their parses: the first word is the root, the others hang on it."""
    docs = []
    for text in texts:
        words = text.split()
        docs.append(
            Doc(
                VOCAB,
                words=words,
                spaces=[True] * (len(words) - 1) + [False],
                heads=[0] * len(words),
                deps=["ROOT", *["dep"] * (len(words) - 1)],
            )
        )
    ids = [f"tiny:{number}" for number in range(len(texts))]
    return pd.DataFrame({"sentence_id": ids, "text": list(texts)}), docs


def run(*texts: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    return perturb_docs("tiny", *make_input(*texts), RULES, LOG)


def test_every_sentence_and_rule_has_its_row():
    candidates, times = run(*TEXTS)
    assert list(candidates.columns) == list(CANDIDATE_COLUMNS)
    assert len(candidates) == len(TEXTS) * len(RULES)
    assert candidates["rule"].tolist() == ["shout", "turn", "refuse"] * len(TEXTS)
    made = candidates.iloc[1].to_dict()
    assert made == {
        "candidate_id": candidate_id("rules", "tiny", "tiny:0", "turn", "mice eat Cats ."),
        "generator": "rules",
        "corpus": "tiny",
        "sentence_id": "tiny:0",
        "perturbation": "concept order",
        "dimension": "relation",
        "rule": "turn",
        "sentence1": "Cats eat mice .",
        "sentence2": "mice eat Cats .",
        "expected_score": 1,
        "status": "made",
        "reason": "",
        "detail": "Cats <-> mice",
    }
    declined = candidates.iloc[4]
    assert (declined["status"], declined["reason"]) == ("declined", "no object")
    assert pd.isna(declined["sentence2"])
    assert declined["candidate_id"] == candidate_id("rules", "tiny", "tiny:1", "turn", "no object")
    assert candidates["candidate_id"].is_unique
    assert candidates["expected_score"].dtype == "Int64"
    assert list(times.columns) == list(TIMING_COLUMNS)
    assert times["n"].tolist() == [4, 4, 4]
    assert (times["seconds"] > 0).all()


def test_equal_runs_give_equal_bytes(tmp_path):
    for name in ("one", "two"):
        run(*TEXTS)[0].to_parquet(tmp_path / name, index=False)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert_frame_equal(pd.read_parquet(tmp_path / "one"), run(*TEXTS)[0])


def test_a_fault_of_a_rule_names_rule_and_sentence():
    def stumble(sentence: Sentence) -> Change:
        return Change(sentence.text.split()[9], "")

    with pytest.raises(IndexError) as fault:
        perturb_docs("tiny", *make_input(*TEXTS), [make_rule(stumble)], LOG)
    assert fault.value.__notes__ == ["rule stumble on tiny:0: 'Cats eat mice .'"]


def test_parses_and_sentences_must_be_as_many():
    sentences, docs = make_input(*TEXTS)
    with pytest.raises(ValueError, match="shorter"):
        perturb_docs("tiny", sentences, docs[1:], RULES, LOG)


def test_one_sentence_goes_through_every_rule():
    _, (doc,) = make_input("Cats eat bread .")
    table = show_every_rule(doc, RULES)
    assert list(table.columns) == list(EXAMPLE_COLUMNS)
    assert table[["rule", "is_default", "sentence2", "reason"]].values.tolist() == [
        ["shout", True, "", "no mouse"],
        ["turn", True, "bread eat Cats .", ""],
        ["refuse", False, "", "never"],
    ]


def test_yields_count_sentences_by_rule_by_dimension_and_over_all_default_rules():
    table = tabulate_yields([run(*TEXTS), run(TEXTS[1])], confidence=0.95)
    assert list(table.columns) == list(YIELD_COLUMNS)
    shown = table.iloc[:6][["rule", "dimension", "is_default", "n", "n_made"]].values.tolist()
    assert shown == [
        ["any", "any", True, 4, 3],
        ["any", "structure", True, 4, 2],
        ["any", "relation", True, 4, 3],
        ["shout", "structure", True, 4, 2],
        ["turn", "relation", True, 4, 3],
        ["refuse", "relation", False, 4, 0],
    ]
    assert table["family"].tolist()[2:4] == ["any", "test_rule_runs"]
    assert table.iloc[6:]["n_made"].tolist() == [0] * 6
    assert table["yield"].tolist()[:2] == [0.75, 0.5]


def test_intervals_are_wilson_intervals():
    row = tabulate_yields([run(*TEXTS)], confidence=0.95).iloc[1]
    # 2 of 4: centre 1/2, half width z/(n+z^2) * sqrt(n/4 + z^2/4), z = 1.959964
    assert row["ci_low"] == pytest.approx(0.150036, abs=1e-5)
    assert row["ci_high"] == pytest.approx(1 - 0.150036, abs=1e-5)


def test_speed_is_sentences_over_the_time_of_the_rules():
    candidates, times = run(*TEXTS)
    times["seconds"] = [0.5, 1.5, 7.0]
    table = tabulate_yields([(candidates, times)], confidence=0.95)
    speeds = table["sentences_per_second"].tolist()
    assert speeds == pytest.approx([2.0, 8.0, 4 / 1.5, 8.0, 4 / 1.5, 4 / 7])
