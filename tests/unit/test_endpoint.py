"""The endpoint backend against a real HTTP server on the loopback address, with all its faults."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from conftest import run_snakemake
from embsyntax.endpoint import (
    LEDGER_FILE,
    Batch,
    Endpoint,
    EndpointSettings,
    cut_batches,
    embed_remotely,
    open_endpoint,
    read_reply,
    read_usage,
)
from embsyntax.jobs import InputError
from embsyntax.provenance import read_manifest
from embsyntax.vector_store import VectorStore

KEY = "sk-planted-0123456789abcdef"
MODEL = "tiny-embedder"
DIMENSION = 4

Answer = tuple[int, dict[str, str], bytes]


def vector_of(text: str) -> list[float]:
    """A vector that depends on the text alone, exact in float32."""
    digest = hashlib.sha256(text.encode()).digest()
    return [(byte + 1) / 256 for byte in digest[:DIMENSION]]


def good_body(texts: list[str], model: str = MODEL) -> dict:
    return {
        "object": "list",
        "model": model,
        "data": [
            {"object": "embedding", "index": i, "embedding": vector_of(t)}
            for i, t in enumerate(texts)
        ],
        "usage": {"prompt_tokens": 2 * len(texts), "total_tokens": 2 * len(texts)},
    }


def good_answer(number: int, texts: list[str]) -> Answer:
    return 200, {}, json.dumps(good_body(texts)).encode()


class EmbeddingServer:
    """`POST /v1/embeddings` on a free port; `behave` makes the answer to the n-th request."""

    def __init__(self, behave: Callable[[int, list[str]], Answer]) -> None:
        self.asked: list[list[str]] = []
        self.authorizations: list[str] = []
        self.most_at_once = 0
        at_once = 0
        lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:  # noqa: N802
                nonlocal at_once
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with lock:
                    outer.asked.append(request["input"])
                    outer.authorizations.append(self.headers.get("Authorization", ""))
                    number = len(outer.asked)
                    at_once += 1
                    outer.most_at_once = max(outer.most_at_once, at_once)
                status, headers, body = behave(number, request["input"])
                if self.path != "/v1/embeddings" or request["model"] != MODEL:
                    status, headers, body = 404, {}, b'{"error": {"message": "no such thing"}}'
                with lock:
                    at_once -= 1
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)
                self.close_connection = "Content-Length" in headers

            def log_message(self, *arguments: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *arguments: None
        self.base_url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def texts_asked(self) -> list[str]:
        return [text for texts in self.asked for text in texts]

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def serve() -> Iterator[Callable[..., EmbeddingServer]]:
    servers = []

    def start(behave: Callable[[int, list[str]], Answer] = good_answer) -> EmbeddingServer:
        servers.append(EmbeddingServer(behave))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def fast(**changes: float) -> EndpointSettings:
    settings = {
        "batch_texts": 3,
        "concurrency": 2,
        "attempts": 3,
        "timeout_seconds": 5,
        "first_backoff_seconds": 0.01,
    }
    return EndpointSettings(**{**settings, **changes})


def embed(
    server: EmbeddingServer,
    folder: Path,
    texts: list[str],
    *,
    dimension: int | None = None,
    prompt: str = "",
    **changes: float,
) -> np.ndarray:
    endpoint = open_endpoint(
        server.base_url, MODEL, dimension, prompt, environment={"OPENAI_API_KEY": KEY}
    )
    log = logging.getLogger("test_endpoint")
    return embed_remotely(texts, endpoint, fast(**changes), VectorStore(folder), log)


def texts_of(n: int) -> list[str]:
    return [f'text {i} "quoted"\té' for i in range(n)]


def expected(texts: list[str]) -> np.ndarray:
    return np.array([vector_of(text) for text in texts], dtype=np.float32)


# What comes is what was asked for


def test_each_unique_text_is_asked_for_once_and_usage_is_summed(serve, tmp_path):
    server = serve()
    texts = texts_of(8)
    vectors = embed(server, tmp_path, [*texts, *texts[:4]])
    assert vectors.dtype == np.float32
    np.testing.assert_array_equal(vectors, expected([*texts, *texts[:4]]))
    assert sorted(server.texts_asked) == sorted(texts)
    assert sorted(map(len, server.asked)) == [2, 3, 3]
    assert set(server.authorizations) == {f"Bearer {KEY}"}
    usage = read_usage(tmp_path / LEDGER_FILE)
    assert (usage.requests, usage.texts, usage.tokens) == (3, 8, 16)
    assert (usage.requests_without_tokens, usage.served_models) == (0, (MODEL,))


def test_the_order_of_a_reply_is_not_trusted(serve, tmp_path):
    def shuffled(number, texts):
        body = good_body(texts)
        body["data"] = body["data"][::-1]
        return 200, {}, json.dumps(body).encode()

    texts = texts_of(7)
    np.testing.assert_array_equal(embed(serve(shuffled), tmp_path, texts), expected(texts))


def test_what_is_stored_is_not_asked_for_again(serve, tmp_path):
    server = serve()
    embed(server, tmp_path, texts_of(4))
    server.asked.clear()
    np.testing.assert_array_equal(embed(server, tmp_path, texts_of(9)), expected(texts_of(9)))
    assert sorted(server.texts_asked) == sorted(texts_of(9)[4:])
    server.asked.clear()
    embed(server, tmp_path, texts_of(9))
    assert server.asked == []


def test_the_prompt_goes_before_every_text(serve, tmp_path):
    server = serve()
    vectors = embed(server, tmp_path, ["a", "b"], prompt="query: ")
    assert server.texts_asked == ["query: a", "query: b"]
    np.testing.assert_array_equal(vectors, expected(["query: a", "query: b"]))


def test_requests_under_way_are_bounded(serve, tmp_path):
    def slow(number, texts):
        time.sleep(0.03)
        return good_answer(number, texts)

    server = serve(slow)
    embed(server, tmp_path, texts_of(12), batch_texts=1, concurrency=3)
    assert 2 <= server.most_at_once <= 3


def test_a_proxy_of_the_environment_does_not_stand_before_this_machine(
    serve, tmp_path, monkeypatch
):
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    embed(serve(), tmp_path, texts_of(1), attempts=1)


# Failures that may pass


def test_busy_then_ready_is_retried_as_the_server_asks(serve, tmp_path):
    def busy_once(number, texts):
        return (429, {"Retry-After": "1"}, b"{}") if number == 1 else good_answer(number, texts)

    server = serve(busy_once)
    start = time.monotonic()
    embed(server, tmp_path, texts_of(2))
    assert 1.0 <= time.monotonic() - start < 4
    assert server.asked == [texts_of(2)] * 2


def test_a_server_that_always_fails_is_reported_and_what_came_is_kept(serve, tmp_path):
    def bad_text(number, texts):
        if texts_of(9)[8] in texts:
            return 500, {}, b'{"error": {"message": "out of memory"}}'
        return good_answer(number, texts)

    server = serve(bad_text)
    with pytest.raises(InputError, match="HTTP 500") as error:
        embed(server, tmp_path, texts_of(9))
    message = str(error.value)
    assert server.base_url.removeprefix("http://") in message
    assert "batch 3 of 3 (3 texts): HTTP 500 (out of memory), after 3 of 3 tries" in message
    assert "run again; received vectors are kept" in message
    assert sum(texts_of(9)[8] in texts for texts in server.asked) == 3
    store = VectorStore(tmp_path)
    assert [text in store for text in texts_of(9)] == [True] * 6 + [False] * 3


def test_one_failure_ends_the_other_retries(serve, tmp_path):
    def refuse_second(number, texts):
        if texts_of(2)[1] in texts:
            return 401, {}, b"{}"
        return 503, {"Retry-After": "60"}, b""

    start = time.monotonic()
    with pytest.raises(InputError, match="HTTP 401"):
        embed(serve(refuse_second), tmp_path, texts_of(2), batch_texts=1)
    assert time.monotonic() - start < 5


def test_a_long_wait_is_not_sat_out(serve, tmp_path):
    server = serve(lambda number, texts: (429, {"Retry-After": "86400"}, b""))
    with pytest.raises(InputError, match=r"HTTP 429, and the server asks to wait 86400 s") as error:
        embed(server, tmp_path, texts_of(1))
    assert len(server.asked) == 1
    assert "lower endpoint/concurrency" in str(error.value)


def test_a_broken_connection_is_retried_then_reported_as_half_a_reply(serve, tmp_path):
    def half(number, texts):
        status, _, body = good_answer(number, texts)
        return status, {"Content-Length": str(len(body))}, body[: len(body) // 2]

    server = serve(half)
    with pytest.raises(InputError, match="only half a reply came"):
        embed(server, tmp_path, texts_of(2), attempts=2)
    assert len(server.asked) == 2
    assert not list(tmp_path.glob("shard*"))


def test_a_slow_server_is_a_timeout(serve, tmp_path):
    def slow(number, texts):
        time.sleep(0.6)
        return good_answer(number, texts)

    with pytest.raises(InputError, match=r"no reply within 0.2 s, after 2 of 2 tries"):
        embed(serve(slow), tmp_path, texts_of(1), timeout_seconds=0.2, attempts=2)


def test_no_server_is_reported(serve, tmp_path):
    server = serve()
    server.close()
    with pytest.raises(InputError, match=r"batch 1 of 1 \(1 texts\): no connection"):
        embed(server, tmp_path, texts_of(1), attempts=2)


# Failures that do not pass: one request, one message, nothing stored


def bodies(change: Callable[[dict], None]) -> Callable[[int, list[str]], Answer]:
    def behave(number: int, texts: list[str]) -> Answer:
        body = good_body(texts)
        change(body)
        return 200, {}, json.dumps(body).encode()

    return behave


def answer(status: int, body: bytes, **headers: str) -> Callable[[int, list[str]], Answer]:
    return lambda number, texts: (status, headers, body)


BAD_REPLIES = {
    "HTML": (answer(200, b"\n<!doctype html><p>Log in"), "a web page \\(HTML\\) came"),
    "cut JSON": (answer(200, b'{"data": [{"index": 0, "emb'), "half a reply or none came"),
    "no body": (answer(200, b""), "half a reply or none came \\(0 bytes"),
    "deep JSON": (answer(200, b"[" * 200_000), "half a reply or none came"),
    "other JSON": (answer(200, b'{"embeddings": []}'), "no list 'data'"),
    "error in 200": (answer(200, b'{"error": {"message": "busy"}}'), "reports an error: busy"),
    "wrong model": (bodies(lambda b: b.update(model="other")), "of the model 'other', but 'tiny"),
    "empty data": (bodies(lambda b: b.update(data=[])), "0 vectors came for 2 texts"),
    "one too few": (bodies(lambda b: b["data"].pop()), "1 vectors came for 2 texts"),
    "one twice": (bodies(lambda b: b["data"][1].update(index=0)), "index 0; allowed: each of 0"),
    "no index": (bodies(lambda b: b["data"][0].pop("index")), "index None; allowed"),
    "true index": (bodies(lambda b: b["data"][1].update(index=True)), "index True; allowed"),
    "NaN": (
        bodies(lambda b: b["data"][1].update(embedding=[1.0, float("nan"), 0.0, 0.0])),
        "vector of index 1 holds a number that is not finite",
    ),
    "beyond float32": (
        bodies(lambda b: b["data"][0].update(embedding=[1e39, 0.0, 0.0, 0.0])),
        "vector of index 0 holds a number that is not finite",
    ),
    "huge integer": (
        bodies(lambda b: b["data"][0].update(embedding=[10**400, 0, 0, 0])),
        "beyond any float",
    ),
    "zero": (bodies(lambda b: b["data"][0].update(embedding=[0.0] * 4)), "index 0 is zero"),
    "text": (bodies(lambda b: b["data"][0].update(embedding="AAAA")), "is no list of numbers"),
    "null": (bodies(lambda b: b["data"][0].update(embedding=[None] * 4)), "is no list of numbers"),
    "ragged": (bodies(lambda b: b["data"][0].update(embedding=[1.0])), "have 1, 4 numbers"),
    "no vector": (bodies(lambda b: [d.update(embedding=[]) for d in b["data"]]), "have 0 numbers"),
    "400": (answer(400, b'{"error": {"message": "too long"}}'), "HTTP 400 \\(too long\\)"),
    "401": (answer(401, b"{}"), "HTTP 401.*The key is not accepted: set EMBSYNTAX_API_KEY"),
    "403": (answer(403, b"<html>"), "HTTP 403 \\(a web page\\). The key may not use"),
    "404": (answer(404, b"nope"), "HTTP 404 \\(nope\\). There is no such address or model"),
    "413": (answer(413, b""), "HTTP 413. The request is too large: lower endpoint/batch_texts"),
    "redirect": (
        answer(307, b"", Location="http://elsewhere/"),
        "HTTP 307. It points to http://el",
    ),
}


@pytest.mark.parametrize("name", BAD_REPLIES)
def test_a_bad_reply_is_refused_at_once(serve, tmp_path, name):
    behave, message = BAD_REPLIES[name]
    server = serve(behave)
    with pytest.raises(InputError, match=message) as error:
        embed(server, tmp_path, texts_of(2))
    assert f"{server.base_url.removeprefix('http://')}, batch 1 of 1 (2 texts): " in str(
        error.value
    )
    assert len(server.asked) == 1
    assert list(tmp_path.iterdir()) == []


def test_the_declared_dimension_is_checked(serve, tmp_path):
    with pytest.raises(InputError, match="vectors of 4 numbers came; expected 5"):
        embed(serve(), tmp_path, texts_of(2), dimension=5)
    assert list(tmp_path.iterdir()) == []


def test_the_dimension_of_what_is_stored_is_checked(serve, tmp_path):
    embed(serve(), tmp_path, texts_of(1))
    server = serve(bodies(lambda b: [d.update(embedding=[1.0, 2.0]) for d in b["data"]]))
    with pytest.raises(InputError, match="vectors of 2 numbers came; expected 4"):
        embed(server, tmp_path, texts_of(2))


def test_a_model_that_changes_under_way_is_refused(serve, tmp_path):
    embed(serve(bodies(lambda b: b.update(model=f"{MODEL}-v1"))), tmp_path, texts_of(1))
    server = serve(bodies(lambda b: b.update(model=f"{MODEL}-v2")))
    with pytest.raises(InputError, match="served by 'tiny-embedder-v2', but batches before by"):
        embed(server, tmp_path, texts_of(2))


def test_a_key_that_the_server_repeats_is_not_shown(serve, tmp_path, caplog):
    def echo(number, texts):
        return (500 if number == 1 else 401), {}, f"bad key {KEY}\x1b[31m\nend".encode()

    with pytest.raises(InputError, match=r"bad key \[key\] \[31m end") as error:
        embed(serve(echo), tmp_path, texts_of(1))
    assert KEY not in str(error.value) + caplog.text
    assert "HTTP 500" in caplog.text


# Keys


def test_another_machine_needs_a_key_before_any_request(tmp_path):
    endpoint = open_endpoint(
        "https://models.example/v1", MODEL, environment={"OPENAI_API_KEY": " "}
    )
    log = logging.getLogger("test_endpoint")
    with pytest.raises(InputError, match="models.example needs an API key.*EMBSYNTAX_API_KEY "):
        embed_remotely(["a"], endpoint, fast(), VectorStore(tmp_path), log)


def test_without_texts_nobody_is_asked(tmp_path):
    endpoint = open_endpoint("https://models.example/v1", MODEL, environment={})
    log = logging.getLogger("test_endpoint")
    vectors = embed_remotely([], endpoint, fast(), VectorStore(tmp_path), log)
    assert len(vectors) == 0
    assert vectors.ndim == 2


def test_this_machine_needs_no_key(serve, tmp_path):
    server = serve()
    endpoint = open_endpoint(server.base_url, MODEL, environment={})
    embed_remotely(["a"], endpoint, fast(), VectorStore(tmp_path), logging.getLogger("x"))
    assert server.authorizations == [""]


def test_the_own_variable_stands_above_the_common_one():
    both = {"EMBSYNTAX_API_KEY": "own\n", "OPENAI_API_KEY": "common"}
    endpoint = open_endpoint("https://x.org", MODEL, environment=both)
    assert endpoint.key == "own"
    assert "own" not in repr(endpoint)


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "schlüssel"])
def test_a_malformed_key_is_refused_unseen(key):
    with pytest.raises(InputError, match="the API key in EMBSYNTAX_API_KEY holds") as error:
        open_endpoint("https://x.org", MODEL, environment={"EMBSYNTAX_API_KEY": key})
    assert key not in str(error.value)


def test_batches_hold_every_text_once():
    batches = cut_batches(list("abcdefg"), 3)
    assert [batch.texts for batch in batches] == [tuple("abc"), tuple("def"), tuple("g")]
    assert str(batches[2]) == "batch 3 of 3 (1 texts)"
    assert cut_batches([], 3) == []


def test_a_server_without_usage_or_name_is_believed():
    body = good_body(["a"])
    del body["usage"], body["model"]
    endpoint = Endpoint(url="http://h/v1/embeddings", host="h", model=MODEL)
    reply = read_reply(json.dumps(body).encode(), Batch(1, 1, ("a",)), endpoint)
    assert (reply.tokens, reply.served_model) == (None, "")


def test_a_usage_line_cut_by_a_kill_is_skipped(serve, tmp_path):
    ledger = tmp_path / LEDGER_FILE
    ledger.write_text('\n{"texts": 3, "tokens": null, "served_model": ""}\n{"texts": 2, "tok')
    embed(serve(), tmp_path, texts_of(2))
    usage = read_usage(ledger)
    assert (usage.requests, usage.texts, usage.tokens) == (2, 5, 4)
    assert usage.requests_without_tokens == 1


# A kill, and the rule as a user runs it


CHILD = """
import logging, sys
from pathlib import Path
from embsyntax.endpoint import EndpointSettings, embed_remotely, open_endpoint
from embsyntax.vector_store import VectorStore

logging.basicConfig(level=logging.INFO)
texts = [f"text {i}" for i in range(20)]
embed_remotely(
    texts,
    open_endpoint(sys.argv[1], "tiny-embedder"),
    EndpointSettings(batch_texts=2, concurrency=1, attempts=1, timeout_seconds=30),
    VectorStore(Path(sys.argv[2])),
    logging.getLogger("child"),
)
"""


def test_after_a_kill_only_the_missing_texts_are_asked_for(repository, serve, tmp_path):
    stuck = threading.Event()
    release = threading.Event()

    def stop_at_fifth(number, texts):
        if number == 5:
            stuck.set()
            release.wait(20)
        return good_answer(number, texts)

    server = serve(stop_at_fifth)
    store = tmp_path / "store"
    command = [sys.executable, "-c", textwrap.dedent(CHILD), server.base_url, str(store)]
    variables = {**os.environ, "EMBSYNTAX_API_KEY": KEY, "PYTHONPATH": str(repository / "scripts")}
    with (tmp_path / "log.txt").open("wb") as log:
        child = subprocess.Popen(command, env=variables, stdout=log, stderr=log)
        assert stuck.wait(20)
        child.send_signal(signal.SIGKILL)
        assert child.wait(10) == -signal.SIGKILL
    release.set()
    texts = [f"text {i}" for i in range(20)]
    assert [text in VectorStore(store) for text in texts] == [True] * 8 + [False] * 12
    server.asked.clear()
    with (tmp_path / "log.txt").open("ab") as log:
        subprocess.run(command, env=variables, stdout=log, stderr=log, check=True, timeout=30)
    assert server.texts_asked == texts[8:]
    np.testing.assert_array_equal(VectorStore(store).vectors(texts), expected(texts))
    assert read_usage(store / LEDGER_FILE).texts == 20
    refuse_key_in_files(tmp_path)


def refuse_key_in_files(folder: Path) -> None:
    holders = [p for p in folder.rglob("*") if p.is_file() and KEY.encode() in p.read_bytes()]
    assert holders == []


def add_model_row(folder: Path, **cells: str) -> None:
    table = folder / "config/models.tsv"
    lines = table.read_text(encoding="utf-8").splitlines()
    header = next(line for line in lines if line.startswith("model\t")).split("\t")
    row = {"prompt_policy": "none", "gated": "no", "licence": "none", "checked": "test", **cells}
    lines.append("\t".join(row.get(column, "-") for column in header))
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_the_rule_makes_similarities_and_leaves_no_key(serve, workflow_folder):
    def busy_first(number, texts):
        if number == 1:
            return 503, {}, f"overloaded {KEY}".encode()
        return good_answer(number, texts)

    server = serve(busy_first)
    folder = workflow_folder
    add_model_row(
        folder, model="remote", label="Remote", source=f"endpoint:{server.base_url}/v1#{MODEL}"
    )
    pairs = pd.DataFrame(
        {"a": ["one", "two", "one"], "b": ["three", "two", "four"], "score": [1, 5, 3]}
    )
    pairs.to_csv(folder / "mine.csv", index=False)
    (folder / "own.yaml").write_text(
        "own_pairs: {mine: {path: mine.csv, sentence1: a, sentence2: b, score: score, "
        "score_max: 5}}\nmodels: [remote]\n"
    )
    target = "results/similarities/mine/remote/similarities.parquet"
    arguments = ("--configfile", "own.yaml", "--", target)
    result = run_snakemake(folder, *arguments, timeout=120, OPENAI_API_KEY=KEY)
    assert result.returncode == 0, result.stdout
    similarities = pd.read_parquet(folder / target)
    assert similarities["similarity"].tolist()[1] == 1.0
    one, three = np.array(vector_of("one")), np.array(vector_of("three"))
    cosine = one @ three / np.linalg.norm(one) / np.linalg.norm(three)
    assert similarities["similarity"].tolist()[0] == pytest.approx(cosine, abs=1e-6)
    assert sorted(server.asked[-1]) == ["four", "one", "three", "two"]
    manifest = read_manifest(folder / "results/similarities/mine/remote/manifest.json")
    assert manifest["usage"]["tokens"] == 8
    assert re.fullmatch("[0-9a-f]{64}", manifest["data"]["pairs_sha256"])
    assert "HTTP 503 (overloaded [key])" in result.stdout
    assert KEY not in result.stdout
    refuse_key_in_files(folder)
