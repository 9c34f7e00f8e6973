"""Servers on the loopback address for the tests of the network stage; standard library only.

`FileServer` serves bytes over HTTP with faults that can be switched on; `HubServer` answers the
routes of the Hugging Face hub that `huggingface_hub` needs for a snapshot at a pinned revision.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import unquote, urlsplit

CHUNK_BYTES = 16_384


@dataclass
class Faults:
    """What goes wrong, and how often; everything is off by default.

    Attributes:
        fail_first: answer the first N requests with `fail_status`.
        fail_status: HTTP status of these answers.
        retry_after: value of their `Retry-After` header, or None.
        cut_first: cut the body of the first N good answers.
        cut_after: bytes after which a body is cut.
        has_ranges: answer `Range` requests with 206; otherwise ignore them.
        wrong_first: flip a byte in the first N good answers (-1: in all of them).
        pause_seconds: wait after each piece of 16 KiB.
        silent_seconds: wait before each answer.
    """

    fail_first: int = 0
    fail_status: int = 503
    retry_after: str | None = None
    cut_first: int = 0
    cut_after: int = 0
    has_ranges: bool = True
    wrong_first: int = 0
    pause_seconds: float = 0.0
    silent_seconds: float = 0.0


@dataclass(frozen=True)
class Request:
    """One request as the server saw it."""

    method: str
    path: str
    range: str
    authorization: str
    status: int


class QuietServer(ThreadingHTTPServer):
    """A threading server that says nothing when a client goes away."""

    daemon_threads = True
    owner: LoopbackServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore broken connections: the tests break them on purpose."""


class LoopbackHandler(BaseHTTPRequestHandler):
    """Pass each request to the server object that owns it."""

    protocol_version = "HTTP/1.1"
    server: QuietServer

    def handle_method(self) -> None:
        """Answer GET and HEAD."""
        self.server.owner.answer(self)

    do_GET = do_HEAD = handle_method  # noqa: N815

    def log_message(self, format: str, *arguments: Any) -> None:
        """Keep the test output quiet."""

    def reply(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        """Send a whole answer."""
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


class LoopbackServer:
    """A server in a thread, to be used in a `with` statement."""

    def __init__(self, faults: Faults | None = None) -> None:
        """Bind a free port of the loopback address."""
        self.faults = faults or Faults()
        self.requests: list[Request] = []
        self.lock = threading.Lock()
        self.http = QuietServer(("127.0.0.1", 0), LoopbackHandler)
        self.http.owner = self
        self.thread = threading.Thread(
            target=self.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.http.shutdown()
        self.http.server_close()

    @property
    def address(self) -> str:
        """The base URL, without a slash at its end."""
        return f"http://127.0.0.1:{self.http.server_port}"

    def note(self, handler: LoopbackHandler, status: int) -> None:
        """Write a request down."""
        request = Request(
            handler.command,
            handler.path,
            handler.headers.get("Range", ""),
            handler.headers.get("Authorization", ""),
            status,
        )
        with self.lock:
            self.requests.append(request)

    def take(self, name: str) -> bool:
        """Use up one of the counted faults."""
        with self.lock:
            left = getattr(self.faults, name)
            if left > 0:
                setattr(self.faults, name, left - 1)
            return left != 0

    def answer(self, handler: LoopbackHandler) -> None:
        """Fail if asked to, else answer."""
        time.sleep(self.faults.silent_seconds)
        if self.take("fail_first"):
            status = self.faults.fail_status
            self.note(handler, status)
            headers = {"Retry-After": self.faults.retry_after} if self.faults.retry_after else {}
            handler.reply(status, b"", headers)
            return
        self.answer_well(handler)

    def answer_well(self, handler: LoopbackHandler) -> None:
        """Answer a request that is not failed; each kind of server does it in its own way."""
        raise NotImplementedError

    def send_body(
        self, handler: LoopbackHandler, content: bytes, headers: Mapping[str, str]
    ) -> None:
        """Send a file or a range of it, with the body's faults."""
        if handler.command != "HEAD" and self.take("wrong_first"):
            content = bytes([content[0] ^ 1]) + content[1:]
        start, status, more = 0, 200, {}
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", handler.headers.get("Range", ""))
        stop = len(content)
        if asked and self.faults.has_ranges:
            start = int(asked[1])
            stop = min(int(asked[2]) + 1 if asked[2] else stop, stop)
            if start >= len(content):
                self.note(handler, 416)
                handler.reply(416, b"", {"Content-Range": f"bytes */{len(content)}"})
                return
            status = 206
            more = {"Content-Range": f"bytes {start}-{stop - 1}/{len(content)}"}
        self.note(handler, status)
        handler.send_response(status)
        body = content[start:stop]
        for name, value in {"Content-Length": str(len(body)), **more, **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        if handler.command == "HEAD":
            return
        is_cut = self.take("cut_first")
        sent = body[: self.faults.cut_after] if is_cut else body
        for offset in range(0, len(sent), CHUNK_BYTES):
            handler.wfile.write(sent[offset : offset + CHUNK_BYTES])
            handler.wfile.flush()
            time.sleep(self.faults.pause_seconds)
        if is_cut:
            handler.close_connection = True
            with contextlib.suppress(OSError):
                handler.connection.shutdown(2)


class FileServer(LoopbackServer):
    """Files over HTTP: path (with its first slash) -> content."""

    def __init__(self, files: Mapping[str, bytes], faults: Faults | None = None) -> None:
        """Keep the files in memory."""
        super().__init__(faults)
        self.files = dict(files)

    def url(self, path: str) -> str:
        """The URL of a file."""
        return self.address + path

    def answer_well(self, handler: LoopbackHandler) -> None:
        content = self.files.get(unquote(urlsplit(handler.path).path))
        if content is None:
            self.note(handler, 404)
            handler.reply(404, b"", {})
            return
        self.send_body(handler, content, {"Content-Type": "application/octet-stream"})


@dataclass
class Repository:
    """A repository of the loopback hub.

    Attributes:
        commits: commit (40 hexadecimal digits) -> file name -> content.
        main: the commit that `main` names.
        is_gated: files are served only with the token of the server; as on the real hub, their
            list is open to all.
        stated: sha256 that the hub states for a file, where it is not the true one.
    """

    commits: dict[str, dict[str, bytes]]
    main: str
    is_gated: bool = False
    stated: dict[str, str] = field(default_factory=dict)


class HubServer(LoopbackServer):
    """A small Hugging Face hub: `models/org/name` or `datasets/org/name` -> repository."""

    def __init__(
        self, repositories: Mapping[str, Repository], token: str = "", faults: Faults | None = None
    ) -> None:
        """Keep the repositories in memory; `token` opens the gated ones."""
        super().__init__(faults)
        self.repositories = dict(repositories)
        self.token = token

    def answer_well(self, handler: LoopbackHandler) -> None:
        path = unquote(urlsplit(handler.path).path)
        asked = re.fullmatch(
            r"/api/(?P<id>(?:models|datasets)/[^/]+/[^/]+)"
            r"(?:/(?P<verb>revision|tree)/(?P<revision>[^/]+))?",
            path,
        )
        wanted = re.fullmatch(
            r"/(?P<kind>datasets/)?(?P<id>[^/]+/[^/]+)/resolve/(?P<revision>[^/]+)/(?P<file>.+)",
            path,
        )
        if asked:
            found = self.find(handler, asked["id"], asked["revision"] or "main")
            if found:
                repository, commit = found
                is_tree = asked["verb"] == "tree"
                entries = self.list_files(repository, commit, is_tree=is_tree)
                answer = entries if is_tree else {"sha": commit, "siblings": entries}
                if not is_tree:
                    answer["id"] = asked["id"].partition("/")[2]
                self.note(handler, 200)
                handler.reply(
                    200, json.dumps(answer).encode(), {"Content-Type": "application/json"}
                )
        elif wanted:
            name = f"{wanted['kind'] or 'models/'}{wanted['id']}"
            found = self.find(handler, name, wanted["revision"], is_file=True)
            if found:
                self.send_file(handler, *found, wanted["file"])
        else:
            self.refuse(handler, 404, "RouteNotFound")

    def refuse(self, handler: LoopbackHandler, status: int, code: str) -> None:
        """Answer with one of the hub's error codes."""
        self.note(handler, status)
        handler.reply(status, b"", {"X-Error-Code": code, "X-Error-Message": code})

    def find(
        self, handler: LoopbackHandler, name: str, revision: str, *, is_file: bool = False
    ) -> tuple[Repository, str] | None:
        """Look a repository and a commit up, or refuse as the hub does."""
        repository = self.repositories.get(name)
        if repository is None:
            self.refuse(handler, 404, "RepoNotFound")
            return None
        commit = repository.main if revision == "main" else revision
        if repository.is_gated and is_file:
            authorization = handler.headers.get("Authorization", "")
            if not authorization:
                self.refuse(handler, 401, "GatedRepo")
                return None
            if authorization != f"Bearer {self.token}":
                self.refuse(handler, 403, "GatedRepo")
                return None
        if commit not in repository.commits:
            self.refuse(handler, 404, "RevisionNotFound")
            return None
        return repository, commit

    @staticmethod
    def list_files(repository: Repository, commit: str, *, is_tree: bool) -> list[dict[str, Any]]:
        """Describe the files of a commit, weights with the sha256 that the hub states."""
        entries = []
        for name, content in sorted(repository.commits[commit].items()):
            true = hashlib.sha256(content).hexdigest()
            entry: dict[str, Any] = {"size": len(content)}
            entry["path" if is_tree else "rfilename"] = name
            entry["oid" if is_tree else "blobId"] = hashlib.sha1(content).hexdigest()
            if is_tree:
                entry["type"] = "file"
            if name.endswith((".safetensors", ".bin")):
                stated = repository.stated.get(name, true)
                key = "oid" if is_tree else "sha256"
                entry["lfs"] = {key: stated, "size": len(content), "pointerSize": 130}
            entries.append(entry)
        return entries

    def send_file(
        self, handler: LoopbackHandler, repository: Repository, commit: str, name: str
    ) -> None:
        """Send a file with the headers that the hub's client reads."""
        content = repository.commits[commit].get(name)
        if content is None:
            self.refuse(handler, 404, "EntryNotFound")
            return
        digest = hashlib.sha256(content).hexdigest()
        headers = {
            "ETag": f'"{digest}"',
            "X-Repo-Commit": commit,
            "Accept-Ranges": "bytes",
            "Content-Type": "application/octet-stream",
        }
        self.send_body(handler, content, headers)
