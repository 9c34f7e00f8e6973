"""What all clients share: addresses, keys, names of models, waiting, work in a few threads."""

from __future__ import annotations

import threading
import time
from email.utils import formatdate

import pytest

from embsyntax.http_client import (
    Advice,
    complete_url,
    is_loopback,
    is_same_model,
    open_server,
    parse_retry_after,
    run_bounded,
)
from embsyntax.jobs import InputError


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("http://localhost:8080", "http://localhost:8080/v1/embeddings"),
        ("http://localhost:8080/", "http://localhost:8080/v1/embeddings"),
        ("https://api.openai.com/v1", "https://api.openai.com/v1/embeddings"),
        ("https://api.openai.com/v1/", "https://api.openai.com/v1/embeddings"),
        ("https://x.org/v1/embeddings", "https://x.org/v1/embeddings"),
        ("https://x.org/openai", "https://x.org/openai/v1/embeddings"),
        ("https://x.org/v1beta", "https://x.org/v1beta/embeddings"),
    ],
)
def test_the_address_is_completed(base, url):
    assert complete_url(base, "embeddings") == url


@pytest.mark.parametrize(
    "base", ["ftp://x.org", "x.org", "http://", "http://a:b@x.org/v1", "https://x.org/v1?key=1"]
)
def test_an_unusable_address_is_refused(base):
    with pytest.raises(InputError, match="endpoint") as error:
        complete_url(base, "embeddings")
    assert "a:b" not in str(error.value)
    assert "key=1" not in str(error.value)


def test_the_path_of_chats_is_completed():
    chat = "http://h:1/v1/chat/completions"
    for base in ("http://h:1", "http://h:1/v1", chat, chat + "/"):
        assert complete_url(base, "chat/completions") == chat


@pytest.mark.parametrize(
    ("host", "is_here"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("[::1]", True),
        ("localhost.example", False),
        ("127.0.0.1.example", False),
        ("192.168.0.1", False),
    ],
)
def test_this_machine_is_told_from_others(host, is_here):
    assert is_loopback(host) is is_here


@pytest.mark.parametrize(
    ("asked", "served", "is_same"),
    [
        ("text-embedding-ada-002", "text-embedding-ada-002-v2", True),
        ("nomic-embed-text", "nomic-embed-text:latest", True),
        ("sentence-transformers/All-MiniLM", "/models/all-minilm", True),
        ("a", "", True),
        ("all-mpnet-base", "all-mpnet-base-multi", False),
        ("text-embedding-3-small", "text-embedding-3-large", False),
        ("a", "b", False),
    ],
)
def test_names_of_one_model(asked, served, is_same):
    assert is_same_model(asked, served) is is_same


def test_retry_after_is_seconds_or_a_date():
    assert parse_retry_after("12") == 12
    assert parse_retry_after(" 1.5 ") == 1.5
    assert 25 < parse_retry_after(formatdate(time.time() + 30, usegmt=True)) <= 30
    assert parse_retry_after(formatdate(time.time() - 30, usegmt=True)) == 0
    assert parse_retry_after("") is None
    assert parse_retry_after("soon") is None
    assert parse_retry_after("-5") is None


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://api.openai.com/v1", "openai-secret"),
        ("http://127.0.0.1:8080", "openai-secret"),
        ("https://api.openai.com.example.org/v1", ""),
        ("https://embeddings.example.org/v1", ""),
    ],
)
def test_the_openai_key_goes_to_openai_and_this_machine_only(address, expected):
    opened = open_server(
        address, "embeddings", "m", environment={"OPENAI_API_KEY": "openai-secret"}
    )
    assert opened.key == expected


def test_the_key_of_a_server_is_not_shown():
    server = open_server("https://x.org", "embeddings", "m", {"EMBSYNTAX_API_KEY": "own"})
    assert server.key == "own"
    assert "own" not in repr(server)
    assert server.conceal("no own\nway") == "no [key] way"


def test_advice_falls_back_on_its_kind():
    advice = Advice({400: "mend", 429: "wait", 500: "look"}, "run again")
    said = [advice.on(status) for status in (400, 418, 429, 500, 503, None)]
    assert said == ["mend", "mend", "wait", "look", "run again", "run again"]


# Work in a few threads


def test_items_are_drawn_only_when_a_thread_is_free():
    drawn, results = [], []

    def items():
        for number in range(9):
            drawn.append(number)
            yield number

    for item, result in run_bounded(items(), lambda n: n * n, 2, threading.Event()):
        results.append((item, result))
        assert len(drawn) <= len(results) + 2
    assert sorted(results) == [(n, n * n) for n in range(9)]


def test_after_a_failure_what_is_under_way_comes_and_nothing_new_begins():
    begun = []
    halt = threading.Event()

    def work(number):
        begun.append(number)
        if number == 1:
            raise InputError("one")
        halt.wait(5)
        return number

    results = []
    with pytest.raises(InputError, match="one"):
        for pair in run_bounded(range(50), work, 3, halt):
            results.append(pair)  # noqa: PERF402
    assert sorted(results) == [(0, 0), (2, 2)]
    assert sorted(begun) == [0, 1, 2]


def test_a_closed_run_begins_nothing_more():
    begun = []

    def work(number):
        begun.append(number)
        time.sleep(0.01)
        return number

    run = run_bounded(range(1000), work, 2, threading.Event())
    next(run)
    run.close()
    n_begun = len(begun)
    time.sleep(0.05)
    assert len(begun) == n_begun <= 4
