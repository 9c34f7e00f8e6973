"""Both backends with a real language model, killed half-way: the store goes on, nothing twice."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from smollm import BATCH_SIZE, CONCURRENCY, N_QUESTIONS, SERVED_NAME, find_smollm

TESTS = Path(__file__).resolve().parents[1]


def read_store(folder: Path) -> list[dict]:
    """The whole lines of a store."""
    path = folder / "store/answers.jsonl"
    lines = path.read_text().split("\n")[:-1] if path.is_file() else []
    return [json.loads(line) for line in lines]


class Job:
    """The child process on one folder."""

    def __init__(self, folder: Path, kind: str, source: str, repository: Path) -> None:
        self.folder = folder
        self.command = [
            sys.executable,
            str(TESTS / "ask_language_model.py"),
            kind,
            str(folder),
            source,
        ]
        self.variables = {**os.environ, "PYTHONPATH": str(repository / "scripts")}

    def start(self) -> subprocess.Popen[bytes]:
        log = (self.folder / "log.txt").open("ab")
        return subprocess.Popen(self.command, env=self.variables, stdout=log, stderr=log)

    def kill_half_way(self) -> None:
        """Start, wait for half of the answers, end it at once."""
        child = self.start()
        deadline = time.monotonic() + 240
        while len(read_store(self.folder)) < N_QUESTIONS // 2:
            assert child.poll() is None, (self.folder / "log.txt").read_text()
            assert time.monotonic() < deadline, "no answers came"
            time.sleep(0.02)
        child.send_signal(signal.SIGKILL)
        assert child.wait(10) == -signal.SIGKILL

    def finish(self) -> dict:
        """Start again, let it end, and return its sums."""
        child = self.start()
        assert child.wait(240) == 0, (self.folder / "log.txt").read_text()
        return json.loads((self.folder / "sums.json").read_text())


def check_sums(folder: Path, sums: dict, n_before: int) -> None:
    """What holds for both backends after a kill and a second run."""
    stored = read_store(folder)
    assert N_QUESTIONS // 2 <= n_before < N_QUESTIONS
    assert len(stored) == len({line["key"] for line in stored}) == N_QUESTIONS
    assert (sums["n_answers"], sums["n_failed_requests"]) == (N_QUESTIONS, 0)
    assert sums["prompt_tokens"] == sum(line["prompt_tokens"] for line in stored) > 0
    assert sums["completion_tokens"] == sum(line["completion_tokens"] for line in stored)
    assert sums["attempts"] == sum(line["attempts"] for line in stored) == N_QUESTIONS
    spent = sum(json.loads(line)["tokens"] for line in (folder / "usage.jsonl").open())
    assert spent >= sums["prompt_tokens"] + sums["completion_tokens"]
    assert sum(sums["finish_reasons"].values()) == N_QUESTIONS
    assert len({line["seed"] for line in stored}) == N_QUESTIONS


@pytest.fixture(scope="session")
def snapshot(request: pytest.FixtureRequest) -> Path:
    return find_smollm(request.config.cache.mkdir("smollm2"))


def test_transformers_goes_on_after_a_kill(snapshot, tmp_path, repository):
    job = Job(tmp_path, "transformers", str(snapshot), repository)
    job.kill_half_way()
    before = read_store(tmp_path)
    asked = Counter((tmp_path / "asked.txt").read_text().splitlines())
    sums = job.finish()
    check_sums(tmp_path, sums, len(before))
    all_asked = Counter((tmp_path / "asked.txt").read_text().splitlines())
    # At most the batch that was under way is asked for again.
    assert N_QUESTIONS <= all_asked.total() <= N_QUESTIONS + BATCH_SIZE
    assert (all_asked - asked).total() == N_QUESTIONS - len(before)
    assert sums["served_models"] == [SERVED_NAME]
    assert sums["response_formats"] == {"none": N_QUESTIONS}


class CountingProxy:
    """Passes requests on to a server and counts those that were answered, by their question."""

    def __init__(self, target: str) -> None:
        self.answered: Counter[str] = Counter()
        self.begun: Counter[str] = Counter()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:  # noqa: N802
                body = self.rfile.read(int(self.headers["Content-Length"]))
                question = json.loads(body)["messages"][-1]["content"]
                outer.begun[question] += 1
                reply = httpx.post(target + self.path, content=body, timeout=120)
                outer.answered[question] += reply.status_code == 200
                self.send_response(reply.status_code)
                self.send_header("Content-Length", str(len(reply.content)))
                self.end_headers()
                self.wfile.write(reply.content)

            def log_message(self, *arguments: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *arguments: None
        self.base_url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()


@pytest.fixture
def llama(snapshot, tmp_path) -> Iterator[CountingProxy]:
    """A server of the same weights, behind a proxy that counts."""
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("no local chat server: xllamacpp is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (gguf,) = snapshot.glob("*.gguf")
    with (tmp_path / "server.txt").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, str(TESTS / "llama_server.py"), str(gguf), str(port)],
            stdout=log,
            stderr=log,
        )
    try:
        target = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + 60
        while True:
            assert server.poll() is None, (tmp_path / "server.txt").read_text()
            assert time.monotonic() < deadline, "the server does not come up"
            try:
                if httpx.get(f"{target}/health", timeout=5).status_code == 200:
                    break
            except httpx.TransportError:
                pass
            time.sleep(0.1)
        proxy = CountingProxy(target)
        yield proxy
        proxy.server.shutdown()
        proxy.server.server_close()
    finally:
        server.terminate()
        server.wait(20)


def test_openai_goes_on_after_a_kill(llama, tmp_path, repository):
    job = Job(tmp_path, "openai", llama.base_url, repository)
    job.kill_half_way()
    before = read_store(tmp_path)
    # Let the server end what was under way at the kill, so that it is counted there.
    while llama.begun.total() > llama.answered.total():
        time.sleep(0.05)
    n_before = llama.answered.total()
    assert len(before) <= n_before <= len(before) + CONCURRENCY
    sums = job.finish()
    check_sums(tmp_path, sums, len(before))
    assert llama.answered.total() - n_before == N_QUESTIONS - len(before)
    assert len(llama.answered) == N_QUESTIONS
    assert (llama.answered - Counter(list(llama.answered))).total() <= CONCURRENCY
    assert sums["served_models"] == [SERVED_NAME]
    # llama.cpp takes a JSON schema: whatever is not cut by the limit is of the right form.
    assert sums["response_formats"] == {"json_schema": N_QUESTIONS}
    assert set(sums["classes"]) <= {"", "truncated"}
    assert sums["classes"].count("") >= N_QUESTIONS // 2
