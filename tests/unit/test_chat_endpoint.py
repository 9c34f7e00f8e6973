"""The openai backend against a real HTTP server on the loopback address, with all its faults."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chat_doubles import PARAMETERS, make_question
from chat_server import MODEL, ChatServer, answer_well, answer_with, chat_body
from embsyntax.answers import Answer, AnswerStore, Reply, TokenBudget, answer_questions
from embsyntax.chat_endpoint import CHAT_PATH, ChatEndpoint, ChatSettings
from embsyntax.http_client import open_server
from embsyntax.jobs import InputError
from embsyntax.replies import SENTENCE_FORM, read_reply

KEY = "sk-planted-0123456789abcdef"

LOG = logging.getLogger("test_chat_endpoint")

QUESTIONS = [make_question(f"sentence {number}.") for number in range(8)]


@pytest.fixture
def serve() -> Iterator[Callable[..., ChatServer]]:
    servers = []

    def start(*behave) -> ChatServer:
        servers.append(ChatServer(*behave))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def open_backend(server: ChatServer, **changes) -> ChatEndpoint:
    settings = {
        "concurrency": 2,
        "attempts": 3,
        "timeout_seconds": 5,
        "first_backoff_seconds": 0.01,
        "response_format": "auto",
        "extra_body": {},
    }
    reached = open_server(server.base_url, CHAT_PATH, MODEL, {"OPENAI_API_KEY": KEY})
    return ChatEndpoint(
        "writer", reached, PARAMETERS, ChatSettings(**{**settings, **changes}), "", LOG
    )


def ask(server: ChatServer, folder: Path, questions=QUESTIONS, **changes) -> list[Answer]:
    budget = TokenBudget(folder / "usage" / "usage.jsonl", None)
    backend = open_backend(server, **changes)
    return answer_questions(questions, backend, AnswerStore(folder, "a"), budget, LOG)


def sentences(answers: list[Answer]) -> list[str]:
    replies = [answer.reply for answer in answers]
    return [read_reply(r.text, r.finish_reason, r.error, SENTENCE_FORM).value for r in replies]


EXPECTED = [f"SENTENCE {number}." for number in range(8)]


def test_a_request_says_what_is_asked_and_how(serve, tmp_path):
    server = serve()
    (answer,) = ask(server, tmp_path, QUESTIONS[:1], extra_body={"top_k": 5, "top_p": None})
    (request,) = server.requests
    assert request == {
        "model": MODEL,
        "messages": [
            {"role": "system", "content": "Rewrite."},
            {"role": "user", "content": "sentence 0."},
        ],
        "temperature": 0.0,
        "max_tokens": 20,
        "seed": PARAMETERS.seed_of(QUESTIONS[0]),
        "stream": False,
        "top_k": 5,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "sentence", "strict": True, "schema": SENTENCE_FORM.schema},
        },
    }
    assert server.authorizations == [f"Bearer {KEY}"]
    text = '{"sentence": "SENTENCE 0."}'
    assert answer.reply == Reply(text, "stop", 1, 10, 5, MODEL, "json_schema")


def test_each_question_is_asked_once_and_a_few_at_once(serve, tmp_path):
    def slow(number, request):
        time.sleep(0.03)
        return answer_well(number, request)

    server = serve(slow)
    assert sentences(ask(server, tmp_path, [*QUESTIONS, *QUESTIONS], concurrency=3)) == [
        *EXPECTED,
        *EXPECTED,
    ]
    assert sorted(server.texts_asked) == [f"sentence {number}." for number in range(8)]
    assert 2 <= server.most_at_once <= 3
    server.requests.clear()
    ask(server, tmp_path)
    assert server.requests == []


# Response formats


@pytest.mark.parametrize(
    ("refused", "status", "taken", "n_refused"),
    [
        ((), 0, "json_schema", 0),
        (("json_schema",), 400, "json_object", 1),
        (("json_schema",), 500, "json_object", 1),
        (("json_schema", "json_object"), 422, "none", 2),
    ],
)
def test_the_format_that_a_server_takes_is_found_once(
    serve, tmp_path, caplog, refused, status, taken, n_refused
):
    def choosy(number, request):
        if request.get("response_format", {}).get("type") in refused:
            return status, {}, b'{"error": {"message": "response_format unknown"}}'
        return answer_well(number, request)

    server = serve(choosy)
    answers = ask(server, tmp_path)
    assert sentences(answers) == EXPECTED
    assert {answer.reply.response_format for answer in answers} == {taken}
    assert len(server.requests) == 8 + n_refused
    assert sum(answer.reply.attempts for answer in answers) == 8 + n_refused
    assert caplog.text.count("response_format unknown") == n_refused


def test_a_format_of_the_config_is_not_changed(serve, tmp_path):
    server = serve()
    ask(server, tmp_path / "none", response_format="none")
    assert not any("response_format" in request for request in server.requests)
    strict = serve(lambda number, request: (400, {}, b"no"))
    with pytest.raises(InputError, match="HTTP 400"):
        ask(strict, tmp_path / "strict", response_format="json_schema")
    assert {r["response_format"]["type"] for r in strict.requests} == {"json_schema"}


# Failures that may pass


def test_busy_then_ready_is_retried_as_the_server_asks(serve, tmp_path):
    def busy_once(number, request):
        return (429, {"Retry-After": "1"}, b"{}") if number == 2 else answer_well(number, request)

    start = time.monotonic()
    answers = ask(serve(busy_once), tmp_path, QUESTIONS[:2])
    assert 1.0 <= time.monotonic() - start < 4
    assert sentences(answers) == EXPECTED[:2]
    assert sorted(answer.reply.attempts for answer in answers) == [1, 2]


@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_failing_server_is_asked_again(serve, tmp_path, status):
    def fail_once(number, request):
        return (status, {}, b"") if number == 3 else answer_well(number, request)

    assert sentences(ask(serve(fail_once), tmp_path)) == EXPECTED


def test_a_slow_server_is_asked_again(serve, tmp_path):
    def slow_once(number, request):
        time.sleep(0.5 if number == 2 else 0)
        return answer_well(number, request)

    assert sentences(ask(serve(slow_once), tmp_path, timeout_seconds=0.25)) == EXPECTED


# Failures that do not pass


@pytest.mark.parametrize(("status", "words"), [(401, "key is not accepted"), (404, "address or")])
def test_what_all_questions_would_meet_stops_the_job_at_once(serve, tmp_path, status, words):
    server = serve(lambda number, request: (status, {}, f"no {KEY}".encode()))
    with pytest.raises(InputError, match=rf"HTTP {status} \(no \[key\]\).*{words}"):
        ask(server, tmp_path)
    assert len(server.requests) == 1
    assert len(AnswerStore(tmp_path, "a")) == 0


def test_a_limit_that_stays_stops_the_job_and_answers_are_kept(serve, tmp_path):
    def limited(number, request):
        return (429, {}, b"{}") if number > 4 else answer_well(number, request)

    with pytest.raises(
        InputError, match="HTTP 429 .*after 3 of 3 tries.*received answers are kept"
    ):
        ask(serve(limited), tmp_path)
    assert AnswerStore(tmp_path, "a").n_answers == 4
    server = serve()
    assert sentences(ask(server, tmp_path)) == EXPECTED
    assert len(server.requests) == 4


def test_one_question_that_the_server_refuses_is_noted(serve, tmp_path, caplog):
    def refuse_one(number, request):
        if request["messages"][-1]["content"] == "sentence 5.":
            return 400, {}, b'{"error": {"message": "too long"}}'
        return answer_well(number, request)

    answers = ask(serve(refuse_one), tmp_path)
    assert [answer.reply.error for answer in answers if answer.reply.error] == [
        "HTTP 400 (too long)"
    ]
    assert "is the model's name wrong" in caplog.text


def test_a_server_that_refuses_everything_stops_the_job(serve, tmp_path):
    server = serve(lambda number, request: (400, {}, b"no"))
    with pytest.raises(InputError, match="5 request.s. failed one after the other"):
        ask(server, tmp_path, response_format="none")
    assert 5 <= len(server.requests) <= 7
    assert AnswerStore(tmp_path, "a").n_answers == 0


def replies_with(body) -> Callable[[int, dict], tuple]:
    return lambda number, request: answer_with(body)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"<html>Log in", "a web page"),
        (b'{"choices": [', "half a reply"),
        (b"[]", "no JSON object"),
        ({"choices": []}, "no message in 'choices'"),
        ({"choices": [{"text": "old protocol"}]}, "no message in 'choices'"),
        ({"error": {"message": "overloaded"}}, "reports an error: overloaded"),
        ({**chat_body("x"), "model": "other"}, "of the model 'other', but 'tiny-writer' was"),
    ],
)
def test_a_reply_of_another_protocol_is_refused(serve, tmp_path, body, message):
    with pytest.raises(InputError, match=message):
        ask(serve(replies_with(body)), tmp_path, QUESTIONS[:1])


def test_no_server_is_reported(serve, tmp_path):
    server = serve()
    server.close()
    with pytest.raises(InputError, match="no connection"):
        ask(server, tmp_path, QUESTIONS[:1], attempts=2)


def test_another_machine_needs_a_key_before_any_request(tmp_path):
    reached = open_server("https://models.example/v1", CHAT_PATH, MODEL, {"OPENAI_API_KEY": KEY})
    settings = ChatSettings(
        concurrency=1, attempts=1, timeout_seconds=1, response_format="auto", extra_body={}
    )
    backend = ChatEndpoint("writer", reached, PARAMETERS, settings, "", LOG)
    budget = TokenBudget(tmp_path / "usage.jsonl", None)
    with pytest.raises(InputError, match="models.example needs an API key.*Nothing was sent"):
        answer_questions(QUESTIONS, backend, AnswerStore(tmp_path, "a"), budget, LOG)


# What replies hold


@pytest.mark.parametrize(
    ("body", "reply"),
    [
        (chat_body('{"sen', "length"), Reply('{"sen', "length", 1, 10, 5, MODEL, "none")),
        (chat_body(None, "content_filter"), Reply("", "content_filter", 1, 10, 5, MODEL, "none")),
        (chat_body(None, refusal="No."), Reply("No.", "refusal", 1, 10, 5, MODEL, "none")),
        (chat_body("a\ud83d b"), Reply("a\ufffd b", "stop", 1, 10, 5, MODEL, "none")),
        (chat_body("\ud83d\ude00"), Reply("\U0001f600", "stop", 1, 10, 5, MODEL, "none")),
        (
            {"choices": [{"message": {"content": "x"}, "finish_reason": None}]},
            Reply("x", "", 1, None, None, "", "none"),
        ),
    ],
)
def test_text_finish_reason_and_tokens_are_kept(serve, tmp_path, body, reply):
    (answer,) = ask(serve(replies_with(body)), tmp_path, QUESTIONS[:1], response_format="none")
    assert answer.reply == reply


def test_a_key_stands_in_no_file_and_no_message(serve, tmp_path, caplog):
    def echo_first(number, request):
        if number == 1:
            return 503, {}, f"busy {KEY}".encode()
        return answer_with(chat_body(json.dumps({"sentence": "A."})))

    with caplog.at_level(logging.DEBUG):
        ask(serve(echo_first), tmp_path)
    assert "busy [key]" in caplog.text
    assert KEY not in caplog.text
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


def test_the_address_is_not_in_the_key_of_an_answer(serve, tmp_path):
    first, second = serve(), serve()
    ask(first, tmp_path)
    ask(second, tmp_path)
    assert second.requests == []
