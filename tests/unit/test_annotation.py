"""Scores by a language model and by declaration; two runs on pairs that people have scored."""

from __future__ import annotations

import logging
from pathlib import Path

import pandas as pd
import pytest

from chat_doubles import ChatDouble
from embsyntax.annotation import (
    AGREEMENT_COLUMNS,
    ANNOTATION_COLUMNS,
    UNDECLARED,
    annotate_pairs,
    annotate_scored_pairs,
    declare_scores,
)
from embsyntax.answers import AnswerStore, Reply, TokenBudget, answer_questions
from embsyntax.prompts import read_prompt

PROMPT = read_prompt(Path(__file__).resolve().parents[2] / "config/prompts/annotate_v1.jinja")

LOG = logging.getLogger("test_annotation")

CANDIDATES = pd.DataFrame(
    [
        ("c1", "A b.", "B a.", 1, "made"),
        ("c2", "A b.", None, None, "declined"),
        ("c3", "C d.", "D c.", None, "made"),
        ("c4", "A b.", "B a.", 1, "made"),
        ("c5", "E.", "F.", 4, "made"),
    ],
    columns=["candidate_id", "sentence1", "sentence2", "expected_score", "status"],
).astype({"expected_score": "Int64"})


def reply(question):
    text = question.messages[-1][1]
    return Reply("{}" if "Sentence 1: E." in text else '{"score": 2}', "stop", 1, 9, 3, "double")


def asker(backend, folder):
    def ask(questions, seed=None):
        asked = backend if seed is None else backend.with_seed(seed)
        budget = TokenBudget(folder / "usage" / "usage.jsonl", None)
        return answer_questions(questions, asked, AnswerStore(folder, "a"), budget, LOG)

    return ask


def test_made_candidates_are_scored_each_pair_once(tmp_path):
    backend = ChatDouble(reply)
    table, answers = annotate_pairs(CANDIDATES, "judge", PROMPT, asker(backend, tmp_path))
    assert list(table.columns) == list(ANNOTATION_COLUMNS)
    assert table["pair_id"].tolist() == ["c1", "c3", "c4", "c5"]
    assert table["score"].tolist() == [2, 2, 2, pd.NA]
    assert str(table["score"].dtype) == "Int64"
    assert table["failure_class"].tolist() == ["", "", "", "schema"]
    assert table["raw_text"].tolist()[-1] == "{}"
    assert set(table["annotator"]) == {"judge"}
    assert len(answers) == 4
    assert len(backend.asked) == 3
    assert "Sentence 1: A b.\nSentence 2: B a." in " ".join(backend.texts_asked)


def test_declared_scores_need_no_language_model():
    table = declare_scores(CANDIDATES, "rules")
    assert list(table.columns) == list(ANNOTATION_COLUMNS)
    assert table["score"].tolist() == [1, pd.NA, 1, 4]
    assert table["failure_class"].tolist() == ["", UNDECLARED, "", ""]


@pytest.mark.parametrize("status", ["declined", "failed"])
def test_without_a_made_candidate_nothing_is_asked(tmp_path, status):
    backend = ChatDouble(reply)
    none = CANDIDATES.assign(status=status)
    table, _ = annotate_pairs(none, "judge", PROMPT, asker(backend, tmp_path))
    assert (len(table), backend.asked) == (0, [])
    assert str(table["score"].dtype) == "Int64"
    table.to_parquet(tmp_path / "x.parquet")
    assert len(declare_scores(none, "rules")) == 0


def test_scored_pairs_are_asked_twice_with_two_seeds(tmp_path):
    pairs = pd.DataFrame(
        {
            "pair_id": ["p1", "p2"],
            "anchor_id": ["a1", "a2"],
            "sentence1": ["A b.", "E."],
            "sentence2": ["B a.", "F."],
            "score": [0.5, 1.0],
        }
    )
    backend = ChatDouble(reply)
    table, _ = annotate_scored_pairs(pairs, "judge", PROMPT, asker(backend, tmp_path), seeds=(1, 2))
    assert list(table.columns) == list(AGREEMENT_COLUMNS)
    assert table["run"].tolist() == [1, 1, 2, 2]
    assert table["seed"].tolist() == [1, 1, 2, 2]
    assert table["human_score"].tolist() == [2.5, 5.0, 2.5, 5.0]
    assert table["score"].tolist() == [2, pd.NA, 2, pd.NA]
    assert len(backend.asked) == 4
    assert len({seed for _, seed in backend.asked}) == 4
