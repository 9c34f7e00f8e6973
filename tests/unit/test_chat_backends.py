"""Jobs opened from the config: which backend, which store, which budget."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from chat_doubles import CHAT, LOCAL, REMOTE
from chat_server import MODEL, ChatServer
from embsyntax.chat_backends import JobResources, file_checksums, open_job
from embsyntax.jobs import InputError
from embsyntax.language_models import ENGINE_VERSION
from embsyntax.prompts import read_prompt
from embsyntax.replies import SENTENCE_FORM
from tiny_language_model import write_tiny_model

CONFIG = Path(__file__).resolve().parents[2] / "config"

LOG = logging.getLogger("test_chat_backends")

FILES = {"config.json": {"sha256": "a" * 64, "bytes": 1}}


def open_from(folder: Path, entry: dict, model_files=(), role="generators"):
    config = {
        "language_models_table": str(CONFIG / "language_models.tsv"),
        "chat": CHAT,
        role: {"writer": entry},
    }
    resources = JobResources("cpu", 0, 1, folder / "scratch")
    return open_job(config, role, "writer", model_files, resources, "stsb/voice", "shard-0", LOG)


def ask(job, *sentences: str, seed: int | None = None):
    prompt = read_prompt(CONFIG / "prompts/voice_v1.jinja")
    return job.ask([prompt.ask(SENTENCE_FORM, sentence=text) for text in sentences], seed)


def test_a_server_is_asked_and_described(tmp_path):
    server = ChatServer()
    job = open_from(tmp_path, {**REMOTE, "base_url": server.base_url, "model": MODEL})
    assert server.requests == []
    answers = ask(job, "One.", "Two.")
    ask(job, "Two.", seed=5)
    server.close()
    assert len({request["seed"] for request in server.requests}) == 3
    files = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.jsonl"))
    stores = [path for path in files if path.endswith("stsb/voice/shard-0.jsonl")]
    assert len(stores) == 2
    assert set(files) - set(stores) == {"scratch/answers/generators/writer/usage.jsonl"}
    described = job.describe(answers)
    json.dumps(described)
    assert described["device"] == f"endpoint {server.base_url.removeprefix('http://')}"
    assert described["answers"]["n_answers"] == 2
    assert described["models"][MODEL]["backend"] == "openai"
    assert described["sampling"]["max_tokens"] == 160


def test_the_budget_is_that_of_the_entry(tmp_path):
    server = ChatServer()
    entry = {**REMOTE, "base_url": server.base_url, "model": MODEL, "budget_tokens": 10}
    with pytest.raises(InputError, match="writer: the budget of 10 tokens does not last"):
        ask(open_from(tmp_path, entry, role="annotators"), "One.")
    server.close()
    assert server.requests == []


def test_a_local_model_is_loaded_and_described(tmp_path):
    snapshot = write_tiny_model(tmp_path / "snapshot", max_tokens=2048)
    manifest = tmp_path / "manifest.json"
    manifest.write_text(json.dumps({"revision": "1" * 40, "files": FILES}))
    entry = {**LOCAL, "batch_size": 2, "max_tokens": 4}
    job = open_from(tmp_path, entry, [str(snapshot), str(manifest)])
    answers = ask(job, "a b", "c")
    assert all(answer.reply.served_model == LOCAL["model"] for answer in answers)
    described = job.describe(answers)
    json.dumps(described)
    assert described["device"] == "cpu"
    assert described["models"][LOCAL["model"]] == {
        "backend": "transformers",
        "model": LOCAL["model"],
        "dtype": "float32",
        "engine_version": ENGINE_VERSION,
        "revision": "1" * 40,
        "files": {"config.json": "a" * 64},
    }
    assert file_checksums({"files": FILES}) == {"config.json": "a" * 64}
