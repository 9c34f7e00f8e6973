"""The answer store: nothing stored is asked twice, a kill or damage loses little, budgets hold."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path

import pytest

from chat_doubles import PARAMETERS, ChatDouble, make_question, reply_well
from embsyntax.answers import (
    FAILURES_IN_A_ROW,
    Answer,
    AnswerStore,
    Reply,
    TokenBudget,
    answer_key,
    answer_questions,
    choose_shard,
    model_key,
    summarize_answers,
)
from embsyntax.jobs import InputError

LOG = logging.getLogger("test_answers")

QUESTIONS = [make_question(f"sentence {number}.") for number in range(10)]


def ask(folder: Path, backend: ChatDouble, questions=QUESTIONS, writer="a", limit=None):
    store = AnswerStore(folder, writer, LOG)
    budget = TokenBudget(folder / "usage" / "usage.jsonl", limit)
    return answer_questions(questions, backend, store, budget, LOG)


def texts_of(answers: list[Answer]) -> list[str]:
    return [json.loads(answer.reply.text)["sentence"] for answer in answers]


EXPECTED = [f"SENTENCE {number}." for number in range(10)]


def test_answers_come_in_the_order_of_the_questions_and_are_stored(tmp_path):
    backend = ChatDouble(batch_size=3)
    assert texts_of(ask(tmp_path, backend, [*QUESTIONS, QUESTIONS[3]])) == [*EXPECTED, EXPECTED[3]]
    assert len(backend.asked) == 10
    again = ChatDouble()
    assert texts_of(ask(tmp_path, again)) == EXPECTED
    assert again.asked == []


def test_a_killed_job_goes_on_with_the_same_batches(tmp_path):
    class KilledError(Exception):
        pass

    def stop_late(question):
        if len(backend.asked) > 5:
            raise KilledError
        return reply_well(question)

    backend = ChatDouble(stop_late)
    with pytest.raises(KilledError):
        ask(tmp_path, backend)
    stored = {question.content_key for question, _ in backend.asked[:4]}
    again = ChatDouble()
    assert texts_of(ask(tmp_path, again)) == EXPECTED
    asked = {question.content_key for question, _ in again.asked}
    assert len(again.asked) == 6
    assert not asked & stored
    whole = [
        tuple(question.content_key for question in batch) for batch in again.cut_batches(QUESTIONS)
    ]
    resumed = [question.content_key for question, _ in again.asked]
    assert [tuple(resumed[i : i + 2]) for i in range(0, 6, 2)] == whole[2:]


@pytest.mark.parametrize(
    "change",
    [
        {"identity": {"backend": "double", "model": "double", "revision": "2"}},
        {"parameters": replace(PARAMETERS, temperature=0.5)},
        {"parameters": replace(PARAMETERS, seed=8)},
        {"parameters": replace(PARAMETERS, max_tokens=21)},
    ],
)
def test_model_revision_parameters_and_seed_are_in_the_key(tmp_path, change):
    ask(tmp_path, ChatDouble())
    other = ChatDouble()
    for name, value in change.items():
        setattr(other, name, value)
    ask(tmp_path, other)
    assert len(other.asked) == 10


@pytest.mark.parametrize(
    "change",
    [
        {"prompt": "voice_v2"},
        {"prompt_sha256": "1" * 64},
        {"messages": (("user", "x"),)},
        {"sample": 1},
    ],
)
def test_the_prompt_is_in_the_key(change):
    key = model_key(ChatDouble())
    assert answer_key(replace(QUESTIONS[0], **change), key) != answer_key(QUESTIONS[0], key)


def test_each_question_has_a_seed_of_its_own():
    seeds = {PARAMETERS.seed_of(question) for question in QUESTIONS}
    assert len(seeds) == 10
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert PARAMETERS.seed_of(QUESTIONS[0]) == PARAMETERS.seed_of(make_question("sentence 0."))
    assert PARAMETERS.seed_of(make_question("sentence 0.", sample=1)) not in seeds


def test_shards_share_the_questions_out():
    parts = [choose_shard(QUESTIONS, shard, 3) for shard in range(3)]
    keys = [question.content_key for part in parts for question in part]
    assert sorted(keys) == sorted(question.content_key for question in QUESTIONS)
    assert all(parts)


def test_all_writers_are_read_and_each_has_its_own_file(tmp_path):
    ask(tmp_path, ChatDouble(), QUESTIONS[:5], writer="shard-0")
    ask(tmp_path, ChatDouble(), QUESTIONS[5:], writer="shard-1")
    assert sorted(path.name for path in tmp_path.glob("*.jsonl")) == [
        "shard-0.jsonl",
        "shard-1.jsonl",
    ]
    again = ChatDouble()
    assert texts_of(ask(tmp_path, again, writer="shard-0")) == EXPECTED
    assert again.asked == []


@pytest.mark.parametrize("cut", [1, 30, 200])
def test_a_line_that_a_kill_cut_short_is_asked_again(tmp_path, caplog, cut):
    ask(tmp_path, ChatDouble(batch_size=1))
    path = tmp_path / "a.jsonl"
    path.write_bytes(path.read_bytes()[:-cut])
    again = ChatDouble()
    assert texts_of(ask(tmp_path, again)) == EXPECTED
    # A line that lacks nothing but its line feed is whole.
    assert len(again.asked) == (0 if cut == 1 else 1)
    assert ("half-written" in caplog.text) == (cut > 1)
    last = ChatDouble()
    assert texts_of(ask(tmp_path, last)) == EXPECTED
    assert last.asked == []


def test_a_damaged_line_is_asked_again(tmp_path, caplog):
    ask(tmp_path, ChatDouble())
    path = tmp_path / "a.jsonl"
    path.write_bytes(path.read_bytes().replace(b"SENTENCE 4", b"SENTENCE 7"))
    again = ChatDouble()
    assert texts_of(ask(tmp_path, again)) == EXPECTED
    assert again.texts_asked == ["sentence 4."]
    assert "1 damaged" in caplog.text


def test_odd_texts_come_back_as_they_are(tmp_path):
    odd = 'é \u2028 "q" \\ \x00 \U0001f600 \x85'
    ask(tmp_path, ChatDouble(lambda question: Reply(odd, "stop")))
    assert {answer.reply.text for answer in ask(tmp_path, ChatDouble())} == {odd}


# Failed requests


def failing(texts: set[str]):
    def reply(question):
        if question.messages[-1][1] in texts:
            return Reply("", "", attempts=2, error="HTTP 400 (too long)")
        return reply_well(question)

    return reply


def test_a_failed_request_is_kept_as_such_and_made_again_in_the_next_run(tmp_path):
    answers = ask(tmp_path, ChatDouble(failing({"sentence 4."})))
    assert [answer.reply.error for answer in answers if answer.reply.error] == [
        "HTTP 400 (too long)"
    ]
    sums = summarize_answers(answers)
    assert (sums["n_answers"], sums["n_failed_requests"], sums["attempts"]) == (9, 1, 11)
    again = ChatDouble()
    assert texts_of(ask(tmp_path, again)) == EXPECTED
    assert again.texts_asked == ["sentence 4."]


def test_when_all_requests_fail_the_job_stops(tmp_path):
    backend = ChatDouble(failing({f"sentence {n}." for n in range(10)}), batch_size=1)
    with pytest.raises(InputError, match="5 request.s. failed one after the other.*too long"):
        ask(tmp_path, backend)
    assert len(backend.asked) == FAILURES_IN_A_ROW


def test_when_the_only_question_fails_the_job_stops(tmp_path):
    backend = ChatDouble(failing({"sentence 0."}))
    with pytest.raises(InputError, match="failed"):
        ask(tmp_path, backend, QUESTIONS[:1])


def test_one_failure_among_stored_answers_does_not_stop_a_job_for_ever(tmp_path):
    for _ in range(2):
        answers = ask(tmp_path, ChatDouble(failing({"sentence 4."})))
        assert sum(bool(answer.reply.error) for answer in answers) == 1


def test_a_model_that_changes_under_way_is_refused(tmp_path):
    ask(tmp_path, ChatDouble(), QUESTIONS[:2])
    other = ChatDouble(lambda question: replace(reply_well(question), served_model="other"))
    with pytest.raises(InputError, match="served by 'double' and by 'other'"):
        ask(tmp_path, other)
    assert AnswerStore(tmp_path, "a").served_models == {"double"}


# Budget


def test_a_spent_budget_stops_the_job_and_the_rest_is_asked_later(tmp_path):
    backend = ChatDouble()
    # 26 characters are 9 tokens at most, and 20 for the answer; 15 are really taken.
    with pytest.raises(InputError, match="budget of 100 tokens does not last: 60 are spent") as no:
        ask(tmp_path, backend, limit=100)
    assert "6 of 10 questions of this job are open" in str(no.value)
    assert len(backend.asked) == 4
    again = ChatDouble()
    assert texts_of(ask(tmp_path, again, limit=200)) == EXPECTED
    assert len(again.asked) == 6
    assert TokenBudget(tmp_path / "usage" / "usage.jsonl", None).spent == 150


def test_a_budget_is_shared_with_other_jobs(tmp_path):
    one, two = (TokenBudget(tmp_path / "usage.jsonl", 100) for _ in range(2))
    assert one.reserve(60)
    one.settle(60, 70)
    assert not two.reserve(40)
    assert two.reserve(30)
    assert not two.reserve(1)
    two.settle(30, 10)
    assert (one.spent, two.spent) == (80, 80)


def test_a_ledger_line_cut_by_a_kill_is_skipped(tmp_path):
    ledger = tmp_path / "usage.jsonl"
    ledger.write_text('{"tokens":5}\n{"tok\n{"tokens":7}\n{"tokens"')
    assert TokenBudget(ledger, None).spent == 12


def test_tokens_are_estimated_where_a_server_does_not_count_them(tmp_path):
    ask(tmp_path, ChatDouble(lambda q: Reply('{"sentence": "A."}', "stop")), QUESTIONS[:1])
    # 19 and 18 bytes, three to a token.
    assert TokenBudget(tmp_path / "usage" / "usage.jsonl", None).spent == 7 + 6


def test_sums_count_each_answer_once(tmp_path):
    answers = ask(tmp_path, ChatDouble(), [*QUESTIONS, *QUESTIONS])
    assert summarize_answers(answers) == {
        "n_answers": 10,
        "n_failed_requests": 0,
        "attempts": 10,
        "prompt_tokens": 100,
        "completion_tokens": 50,
        "n_without_tokens": 0,
        "served_models": ["double"],
        "finish_reasons": {"stop": 10},
        "response_formats": {"none": 10},
    }
