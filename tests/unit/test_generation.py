"""From sentences to candidates by a language model: shards, failures, declined changes."""

from __future__ import annotations

import logging
from pathlib import Path

import pandas as pd
import pytest

from chat_doubles import ChatDouble
from embsyntax.answers import AnswerStore, Reply, TokenBudget, answer_questions
from embsyntax.candidates import candidate_id
from embsyntax.generation import (
    ANSWER_COLUMNS,
    DOES_NOT_APPLY,
    build_candidates,
    generate_rewrites,
)
from embsyntax.jobs import InputError
from embsyntax.prompts import read_prompt

PROMPT = Path(__file__).resolve().parents[2] / "config/prompts/voice_v1.jinja"

LOG = logging.getLogger("test_generation")

SENTENCES = pd.DataFrame(
    {"sentence_id": [f"s{number}" for number in range(8)], "text": list("abcdefgh")}
)

BAD = {
    "b": Reply("I don't know", "stop"),
    "c": Reply('{"sentence": null}', "stop"),
    "d": Reply("", "", error="HTTP 400"),
    "e": Reply('{"sentence": "E",}', "stop"),
}


def reply(question):
    text = question.messages[-1][1].removeprefix("Sentence: ")
    return BAD.get(text) or Reply(f'{{"sentence": "{text.upper()}"}}', "stop", 2, 10, 5, "double")


def rewrite(folder, shard=0, shards=1, sentences=SENTENCES, perturbation="voice"):
    def ask(questions):
        store = AnswerStore(folder, f"shard-{shard}", LOG)
        budget = TokenBudget(folder / "usage" / "usage.jsonl", None)
        return answer_questions(questions, ChatDouble(reply), store, budget, LOG)

    table, _ = generate_rewrites(sentences, perturbation, read_prompt(PROMPT), ask, shard, shards)
    return table


def test_each_answer_is_kept_with_what_it_took(tmp_path):
    table = rewrite(tmp_path)
    assert list(table.columns) == list(ANSWER_COLUMNS)
    assert table["sentence_id"].tolist() == SENTENCES["sentence_id"].tolist()
    assert table["failure_class"].tolist() == ["", "no_json", "", "request_failed", *[""] * 4]
    assert table["detail"].tolist()[3:5] == ["HTTP 400", "trailing commas 1"]
    first = table.iloc[0]
    assert (first["raw_text"], first["finish_reason"]) == ('{"sentence": "A"}', "stop")
    assert (first["attempts"], first["prompt_tokens"], first["completion_tokens"]) == (2, 10, 5)
    assert (first["prompt"], first["served_model"]) == ("voice_v1", "double")
    assert table["prompt_tokens"].isna().sum() == 4
    assert table["seed"].is_unique


def test_shards_are_the_whole_and_a_change_of_their_number_asks_nothing(tmp_path):
    whole = rewrite(tmp_path / "whole")
    parts = [rewrite(tmp_path / "parts", shard, 3) for shard in range(3)]
    joined = pd.concat(parts).sort_values("sentence_id", ignore_index=True)
    pd.testing.assert_frame_equal(joined, whole)
    path = tmp_path / "parts" / "shard-0.jsonl"
    before = path.read_bytes()
    # Only the failed request is made again.
    rewrite(tmp_path / "parts", 0, 1)
    assert path.read_bytes().removeprefix(before).count(b"\n") == 1


def test_sentences_of_equal_text_share_an_answer(tmp_path):
    twice = pd.DataFrame({"sentence_id": ["x", "y"], "text": ["a", "a"]})
    table = rewrite(tmp_path, sentences=twice)
    assert table["sentence2"].tolist() == ["A", "A"]


def test_an_unknown_shard_is_refused(tmp_path):
    with pytest.raises(InputError, match="shard 3: allowed are 0 to 2"):
        rewrite(tmp_path, 3, 3)


def test_a_shard_without_sentences_is_an_empty_table(tmp_path):
    table = rewrite(tmp_path, sentences=SENTENCES[:0])
    assert list(table.columns) == list(ANSWER_COLUMNS)
    table.to_parquet(tmp_path / "x.parquet")


def test_candidates_say_why_there_is_none(tmp_path):
    answers = rewrite(tmp_path)
    candidates = build_candidates(answers, "writer", "stsb")
    assert candidates["status"].value_counts().to_dict() == {"made": 5, "failed": 2, "declined": 1}
    by_id = candidates.set_index("sentence_id")
    assert by_id.loc["s1", ["status", "reason"]].tolist() == ["failed", "no_json"]
    assert by_id.loc["s2", ["status", "reason"]].tolist() == ["declined", DOES_NOT_APPLY]
    assert by_id.loc["s3", ["status", "reason"]].tolist() == ["failed", "request_failed"]
    assert by_id.loc["s4", ["status", "sentence2", "detail"]].tolist() == [
        "made",
        "E",
        "trailing commas 1",
    ]
    assert set(candidates["dimension"]) == {"structure"}
    assert set(candidates["rule"]) == {"voice"}
    assert candidates["expected_score"].isna().all()
    assert by_id.loc["s0", "candidate_id"] == candidate_id("writer", "stsb", "s0", "voice", "A")


def test_all_perturbations_stand_side_by_side(tmp_path):
    names = ("voice", "inversion", "relation", "lexical")
    answers = pd.concat([rewrite(tmp_path / name, perturbation=name) for name in names])
    candidates = build_candidates(answers, "writer", "stsb")
    assert len(candidates) == 32
    assert candidates["candidate_id"].is_unique
    dimensions = candidates.drop_duplicates("perturbation").set_index("perturbation")["dimension"]
    assert dimensions.to_dict() == {
        "voice": "structure",
        "inversion": "structure",
        "relation": "relation",
        "lexical": "lexical",
    }
    shuffled = build_candidates(answers.sample(frac=1, random_state=0), "writer", "stsb")
    pd.testing.assert_frame_equal(candidates, shuffled)


def test_shards_of_different_numbers_are_not_mixed(tmp_path):
    table = rewrite(tmp_path)
    with pytest.raises(InputError, match="sentence s0 stands there twice for voice"):
        build_candidates(pd.concat([table, table[:1]]), "writer", "stsb")
