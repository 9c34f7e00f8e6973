"""Vectors from any server that speaks the OpenAI embeddings protocol.

`POST {base}/v1/embeddings` with `{"model": ..., "input": [texts]}`, as described at
https://platform.openai.com/docs/api-reference/embeddings. The API key is read from the environment
only; it is sent in one header and stands in no log, message, manifest or stored file.

A service may change its model, or round differently from call to call, without notice: its vectors
are not guaranteed to be the same on another day. The store keeps those that were received.
"""

from __future__ import annotations

import contextlib
import email.utils
import ipaddress
import json
import logging
import math
import os
import re
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import tenacity

from embsyntax.jobs import InputError, progress
from embsyntax.vector_store import VectorStore

OPENAI_KEY_VARIABLE = "OPENAI_API_KEY"

KEY_VARIABLES = ("EMBSYNTAX_API_KEY", OPENAI_KEY_VARIABLE)
"""Environment variables that may hold the API key; the first one that is set counts."""

RETRIED_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
"""HTTP statuses after which the same request may succeed later."""

LONGEST_BACKOFF_SECONDS = 60.0
"""Longest wait of our own choice between two tries."""

LONGEST_RETRY_AFTER_SECONDS = 300.0
"""Longest wait that a server may ask for; beyond it the job stops and can be resumed later."""

LARGEST_REPLY_BYTES = 2**30
"""A reply larger than this is no list of vectors."""

EXCERPT_CHARACTERS = 160
"""How much of a server's own words a message repeats."""

LEDGER_FILE = "usage.jsonl"
"""Beside the vectors: one line per received batch with its texts, tokens and served model."""

REDACTED = "[key]"

STATUS_ADVICE = {
    400: "The server refuses this request: is a text longer than the model allows, or the model's "
    "name wrong? The name stands after '#' in the model's source.",
    401: f"The key is not accepted: set {' or '.join(KEY_VARIABLES)} to a valid one.",
    403: "The key may not use this model: ask the service, or set another key.",
    404: "There is no such address or model: correct the source of the model's row "
    "(endpoint:BASE_URL#remote-model).",
    413: "The request is too large: lower endpoint/batch_texts in the config.",
    429: "The limit of the service is reached: wait, or lower endpoint/concurrency in the config. "
    "Then run again; received vectors are kept.",
}
"""What to do after an HTTP status."""

SERVER_ADVICE = (
    "The server fails: look at its log or wait, then run again; received vectors are kept."
)


class TransientError(Exception):
    """A request that failed in a way that may pass; retried.

    Attributes:
        retry_after: seconds that the server asks to wait, or None.
        status: HTTP status, or None where no reply came.
    """

    def __init__(
        self, reason: str, *, status: int | None = None, retry_after: float | None = None
    ) -> None:
        """Keep what is known of the failure."""
        super().__init__(reason)
        self.status = status
        self.retry_after = retry_after


@dataclass(frozen=True)
class EndpointSettings:
    """How requests are made.

    Attributes:
        batch_texts: texts per request, 1 or more.
        concurrency: requests under way at once, 1 or more; as many can be lost by a kill.
        attempts: tries per request, 1 or more.
        timeout_seconds: longest time for one request, from the first byte sent to the last one
            received.
        first_backoff_seconds: first wait after a failure, doubled at each try, with jitter.
    """

    batch_texts: int
    concurrency: int
    attempts: int
    timeout_seconds: float
    first_backoff_seconds: float = 1.0


@dataclass(frozen=True)
class Endpoint:
    """An embeddings server and the model asked of it.

    Attributes:
        url: address that requests go to.
        host: host and port, for messages.
        model: name that the server knows the model by.
        dimension: length of a vector by the models table, or None if it is not declared.
        prompt: put before every text, or "".
        key: API key, or ""; never shown.
    """

    url: str
    host: str
    model: str
    dimension: int | None = None
    prompt: str = ""
    key: str = field(default="", repr=False)

    @property
    def is_local(self) -> bool:
        """True if the server runs on this machine."""
        return is_loopback(httpx.URL(self.url).host)

    def conceal(self, text: str) -> str:
        """Return a server's words on one line, cut short, without the key."""
        shown = text.replace(self.key, REDACTED) if self.key else text
        shown = " ".join("".join(c if c.isprintable() else " " for c in shown).split())
        if len(shown) > EXCERPT_CHARACTERS:
            return shown[: EXCERPT_CHARACTERS - 3] + "..."
        return shown


@dataclass(frozen=True)
class Batch:
    """Texts of one request; `number` counts from 1 to `total`."""

    number: int
    total: int
    texts: tuple[str, ...]

    def __str__(self) -> str:
        """Name the batch in messages."""
        return f"batch {self.number} of {self.total} ({len(self.texts)} texts)"


@dataclass(frozen=True)
class Reply:
    """Checked answer to a batch.

    Attributes:
        vectors: (n_texts, dimension) float32, finite, in the order of the texts.
        tokens: tokens that the server counted, or None if it does not say.
        served_model: name of the model by the server, or "".
    """

    vectors: np.ndarray
    tokens: int | None
    served_model: str


@dataclass(frozen=True)
class Usage:
    """Sums over all received batches of a store, of this run and of those before it.

    Attributes:
        requests: answered requests.
        texts: texts in them.
        tokens: tokens that the server counted (0 if it never said).
        requests_without_tokens: answered requests that named no tokens.
        served_models: names of the model by the server, sorted.
    """

    requests: int
    texts: int
    tokens: int
    requests_without_tokens: int
    served_models: tuple[str, ...]


def embeddings_url(base_url: str) -> str:
    """Complete a base address, which may already end in `/v1` or `/v1/embeddings`.

    Raises:
        InputError: if the address holds a password, a query, or is not http(s).
    """
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL as error:
        raise InputError(f"endpoint {base_url!r} is no address: {error}. Correct it.") from None
    if url.userinfo or url.query or url.fragment:
        raise InputError(
            f"endpoint at {url.host}: the address holds a user, a query or a fragment; allowed: "
            f"http(s)://host/path only. A key comes from {' or '.join(KEY_VARIABLES)}."
        )
    if url.scheme not in ("http", "https") or not url.host:
        raise InputError(
            f"endpoint {base_url!r} is no address; allowed: http://... or https://... Correct it."
        )
    stem = str(url).rstrip("/").removesuffix("/embeddings")
    if not re.search(r"/v\d+\w*$", stem):
        stem += "/v1"
    return f"{stem}/embeddings"


def is_loopback(host: str) -> bool:
    """Say if a host name means this machine, by its form alone (nothing is looked up)."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def key_variables(host: str) -> tuple[str, ...]:
    """List the variables whose key may go to a host: OpenAI's key goes to OpenAI or stays here.

    Args:
        host: name or address, without port.
    """
    if is_loopback(host) or host == "openai.com" or host.endswith(".openai.com"):
        return KEY_VARIABLES
    return tuple(name for name in KEY_VARIABLES if name != OPENAI_KEY_VARIABLE)


def open_endpoint(
    base_url: str,
    remote_model: str,
    dimension: int | None = None,
    prompt: str = "",
    environment: Mapping[str, str] = os.environ,
) -> Endpoint:
    """Say where and with which key a model is asked, before any request.

    Args:
        base_url: address of the server, with or without `/v1`.
        remote_model: name that the server knows the model by.
        dimension: length of a vector, if the models table declares it.
        prompt: put before every text.
        environment: variables that may hold the key.

    Returns:
        The endpoint.

    Raises:
        InputError: if the address is unusable or the key malformed (its value is not shown).
    """
    url = httpx.URL(embeddings_url(base_url))
    host = url.netloc.decode("ascii")
    variables = key_variables(url.host)
    variable = next((name for name in variables if environment.get(name, "").strip()), "")
    key = environment[variable].strip() if variable else ""
    if not re.fullmatch(r"[\x21-\x7e]*", key):
        raise InputError(
            f"the API key in {variable} holds a space, a line break or a non-ASCII character; "
            "allowed: printable ASCII. Copy it again. Nothing was sent."
        )
    return Endpoint(
        url=str(url), host=host, model=remote_model, dimension=dimension, prompt=prompt, key=key
    )


def require_key(endpoint: Endpoint) -> None:
    """Refuse to ask another machine without a key.

    Raises:
        InputError: naming the variables that may hold it.
    """
    if not endpoint.key and not endpoint.is_local:
        variables = key_variables(httpx.URL(endpoint.url).host)
        raise InputError(
            f"endpoint {endpoint.host} needs an API key and none is set; put it into the "
            f"environment variable {' or '.join(variables)} (nowhere else: a key never stands "
            "in the config; any word will do for a server that wants none). Nothing was sent."
        )


def cut_batches(texts: Sequence[str], batch_texts: int) -> list[Batch]:
    """Cut texts into batches, in their order."""
    total = math.ceil(len(texts) / batch_texts)
    return [
        Batch(number + 1, total, tuple(texts[number * batch_texts : (number + 1) * batch_texts]))
        for number in range(total)
    ]


def embed_remotely(
    texts: Sequence[str],
    endpoint: Endpoint,
    settings: EndpointSettings,
    store: VectorStore,
    log: logging.Logger,
) -> np.ndarray:
    """Return a vector for each text, asking the server only for those that the store lacks.

    Each batch is stored as soon as it has come, so that a kill loses the requests under way and
    nothing else.

    Args:
        texts: texts of a suite; a repeated one is asked for once.
        endpoint: whom to ask.
        settings: how to ask.
        store: where vectors are kept; usage is noted in `LEDGER_FILE` beside them.
        log: logger of the job.

    Returns:
        float32, shape (number of texts, dimension), finite and not zero, in the order of the texts.

    Raises:
        InputError: if there is no key for another machine (before any request), or if a request
            fails for good; what had come before, or was under way and still came, is kept.
    """
    wanted = list(dict.fromkeys(texts))
    missing = [text for text in wanted if text not in store]
    log.info(
        "endpoint %s, model %s: %d texts to embed, %d kept from before",
        endpoint.host,
        endpoint.model,
        len(missing),
        len(wanted) - len(missing),
    )
    if missing:
        require_key(endpoint)
        if endpoint.key and endpoint.url.startswith("http://") and not endpoint.is_local:
            log.warning("the key goes to %s unencrypted (http, not https)", endpoint.host)
        dimension = endpoint.dimension
        if dimension is None and len(missing) < len(wanted):
            known = next(text for text in wanted if text in store)
            dimension = store.vectors([known]).shape[1]
        _embed_missing(missing, dimension, endpoint, settings, store, log)
    return store.vectors(texts)


def _embed_missing(
    missing: Sequence[str],
    dimension: int | None,
    endpoint: Endpoint,
    settings: EndpointSettings,
    store: VectorStore,
    log: logging.Logger,
) -> None:
    ledger = store.folder / LEDGER_FILE
    served = set(read_usage(ledger).served_models)
    batches = cut_batches(missing, settings.batch_texts)
    # Closed at once after an error, so that no worker goes on asking.
    with contextlib.closing(_request_all(batches, endpoint, settings, log)) as answers:
        for batch, reply in progress(answers, len(batches), "requests", log):
            found = reply.vectors.shape[1]
            if dimension is not None and found != dimension:
                raise InputError(
                    f"endpoint {endpoint.host}, {batch}: vectors of {found} numbers came; expected "
                    f"{dimension}, as in the models table or the batches before. Does the server "
                    f"serve another model than {endpoint.model!r}? Correct the row of the model."
                )
            dimension = found
            if served and reply.served_model and reply.served_model not in served:
                raise InputError(
                    f"endpoint {endpoint.host}, {batch}: served by {reply.served_model!r}, but "
                    f"batches before by {', '.join(sorted(served))!r}; one table must not mix "
                    f"models. Remove the folder {store.folder} and run again to ask for all texts "
                    "anew."
                )
            if reply.served_model:
                served.add(reply.served_model)
            store.append(batch.texts, reply.vectors)
            _note_usage(ledger, batch, reply)


def _request_all(
    batches: Sequence[Batch], endpoint: Endpoint, settings: EndpointSettings, log: logging.Logger
) -> Iterator[tuple[Batch, Reply]]:
    """Yield the answers as they come; after a failure those still under way, then the failure."""
    halt = threading.Event()
    headers = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
    with (
        # A proxy of the environment must not come between this machine and itself.
        httpx.Client(
            headers=headers, timeout=settings.timeout_seconds, trust_env=not endpoint.is_local
        ) as client,
        ThreadPoolExecutor(settings.concurrency) as pool,
    ):
        waiting = iter(batches)
        running: dict[Future[Reply], Batch] = {}
        failure: InputError | None = None
        try:
            while True:
                while failure is None and len(running) < settings.concurrency:
                    batch = next(waiting, None)
                    if batch is None:
                        break
                    task = pool.submit(request_batch, client, batch, endpoint, settings, halt, log)
                    running[task] = batch
                if not running:
                    break
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for task in sorted(done, key=lambda task: running[task].number):
                    batch = running.pop(task)
                    try:
                        reply = task.result()
                    except InputError as error:
                        failure = failure or error
                        halt.set()
                        continue
                    yield batch, reply
        finally:
            halt.set()
    if failure is not None:
        raise failure


def request_batch(
    client: httpx.Client,
    batch: Batch,
    endpoint: Endpoint,
    settings: EndpointSettings,
    halt: threading.Event,
    log: logging.Logger,
) -> Reply:
    """Ask for one batch, again after failures that may pass, and check what comes.

    Args:
        client: open connection pool that carries the key.
        batch: what to ask for.
        endpoint: whom to ask.
        settings: how often and how long to try.
        halt: once set, no further try is made.
        log: logger of the job.

    Returns:
        The checked answer.

    Raises:
        InputError: naming host, batch, what came, and what to do.
    """
    backoff = tenacity.wait_exponential_jitter(
        multiplier=settings.first_backoff_seconds,
        max=LONGEST_BACKOFF_SECONDS,
        jitter=settings.first_backoff_seconds,
    )

    def choose_wait(state: tenacity.RetryCallState) -> float:
        own = backoff(state)
        error = state.outcome.exception()
        asked = error.retry_after
        if asked is None:
            return own
        return max(own, asked + own / 2**state.attempt_number)

    def note(state: tenacity.RetryCallState) -> None:
        log.warning(
            "endpoint %s, %s: %s; try %d of %d in %.1f s",
            endpoint.host,
            batch,
            state.outcome.exception(),
            state.attempt_number + 1,
            settings.attempts,
            state.next_action.sleep,
        )

    retrying = tenacity.Retrying(
        stop=tenacity.stop_any(
            tenacity.stop_after_attempt(settings.attempts), tenacity.stop_when_event_set(halt)
        ),
        wait=choose_wait,
        retry=tenacity.retry_if_exception(_may_pass),
        before_sleep=note,
        sleep=tenacity.sleep_using_event(halt),
        reraise=True,
    )
    try:
        content = retrying(_post, client, batch, endpoint, settings.timeout_seconds)
    except TransientError as error:
        tried = retrying.statistics["attempt_number"]
        advice = STATUS_ADVICE.get(error.status or 0, SERVER_ADVICE)
        raise InputError(
            f"endpoint {endpoint.host}, {batch}: {error}, after {tried} of {settings.attempts} "
            f"tries. {advice}"
        ) from None
    return read_reply(content, batch, endpoint)


def _may_pass(error: BaseException) -> bool:
    return isinstance(error, TransientError) and (
        error.retry_after is None or error.retry_after <= LONGEST_RETRY_AFTER_SECONDS
    )


def _post(client: httpx.Client, batch: Batch, endpoint: Endpoint, timeout_seconds: float) -> bytes:
    """Make one try and return the body of a reply with status 200."""
    deadline = time.monotonic() + timeout_seconds
    body = {"model": endpoint.model, "input": [endpoint.prompt + text for text in batch.texts]}
    content = bytearray()
    try:
        with client.stream("POST", endpoint.url, json=body) as response:
            for piece in response.iter_bytes():
                content += piece
                if time.monotonic() > deadline:
                    raise TransientError(f"the reply took longer than {timeout_seconds:g} s")
                if len(content) > LARGEST_REPLY_BYTES:
                    raise _refuse(endpoint, batch, "a reply above 1 GiB came", "Is it this API?")
    except httpx.TimeoutException:
        raise TransientError(f"no reply within {timeout_seconds:g} s") from None
    except httpx.ConnectError as error:
        raise TransientError(f"no connection ({endpoint.conceal(str(error))})") from None
    except httpx.TransportError as error:
        reason = endpoint.conceal(str(error)) or type(error).__name__
        half = "only half a reply came" if content else "the connection broke"
        raise TransientError(f"{half} ({reason})") from None
    except httpx.DecodingError:
        raise TransientError("the reply's compression is damaged") from None
    status = response.status_code
    if status == httpx.codes.OK:
        return bytes(content)
    words = endpoint.conceal(_words_of_error(bytes(content)))
    reason = f"HTTP {status}" + (f" ({words})" if words else "")
    if status in RETRIED_STATUSES:
        asked = parse_retry_after(response.headers.get("retry-after", ""))
        if asked is not None and asked > LONGEST_RETRY_AFTER_SECONDS:
            reason += f", and the server asks to wait {asked:.0f} s"
        raise TransientError(reason, status=status, retry_after=asked)
    if 300 <= status < 400:
        where = endpoint.conceal(response.headers.get("location", "another address"))
        advice = f"It points to {where}; the key is not carried along: write the final address."
    else:
        advice = STATUS_ADVICE.get(status, SERVER_ADVICE if status >= 500 else STATUS_ADVICE[400])
    raise _refuse(endpoint, batch, reason, advice)


def parse_retry_after(value: str) -> float | None:
    """Read a `Retry-After` header: seconds or a date (RFC 9110, section 10.2.3).

    Returns:
        Seconds from now, 0 or more; None if there is none that can be read.
    """
    value = value.strip()
    if re.fullmatch(r"\d{1,9}(\.\d*)?", value):
        return float(value)
    try:
        moment = email.utils.parsedate_to_datetime(value)
        return max(0.0, moment.timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def _words_of_error(content: bytes) -> str:
    """What a server says about a failure: the message of a JSON error, else the body as it is."""
    text = content[: 64 * 1024].decode("utf-8", errors="replace")
    if text.lstrip().startswith("<"):
        return "a web page"
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return text
    error = answer.get("error", answer) if isinstance(answer, dict) else answer
    message = error.get("message", error) if isinstance(error, dict) else error
    return str(message)


def _refuse(endpoint: Endpoint, batch: Batch, what: str, advice: str) -> InputError:
    return InputError(f"endpoint {endpoint.host}, {batch}: {what}. {advice}")


def read_reply(content: bytes, batch: Batch, endpoint: Endpoint) -> Reply:
    """Check a reply and put its vectors in the order of the texts.

    Args:
        content: body of a reply with status 200.
        batch: what was asked for; n texts.
        endpoint: whom was asked.

    Returns:
        The checked answer.

    Raises:
        InputError: if the reply is no JSON, an error, of another model, lacks or repeats an index,
            has another number of vectors than n, or vectors that differ in length, are zero or not
            finite.
    """
    protocol = "Is this the address of an OpenAI-compatible /v1/embeddings server?"
    again = "Run again; if it comes back, look at the server's log."
    text = content.decode("utf-8", errors="replace")
    if text.lstrip().startswith("<"):
        raise _refuse(endpoint, batch, "a web page (HTML) came in place of JSON", protocol)
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        what = f"half a reply or none came ({len(content)} bytes that are no whole JSON)"
        raise _refuse(endpoint, batch, what, again) from None
    if isinstance(answer, dict) and answer.get("error"):
        words = endpoint.conceal(_words_of_error(content))
        raise _refuse(endpoint, batch, f"the server reports an error: {words}", again)
    if not isinstance(answer, dict) or not isinstance(answer.get("data"), list):
        raise _refuse(endpoint, batch, "the reply has no list 'data'", protocol)
    served = answer.get("model") or ""
    if not isinstance(served, str) or not is_same_model(endpoint.model, served):
        raise _refuse(
            endpoint,
            batch,
            f"the reply is of the model {endpoint.conceal(str(served))!r}, but {endpoint.model!r} "
            "was asked for",
            "Correct the name after '#' in the source of the model's row, or the server.",
        )
    vectors = _order_vectors(answer["data"], batch, endpoint, again)
    return Reply(vectors, _count_tokens(answer), endpoint.conceal(served))


def _order_vectors(data: Sequence[Any], batch: Batch, endpoint: Endpoint, again: str) -> np.ndarray:
    n_texts = len(batch.texts)
    if len(data) != n_texts:
        what = f"{len(data)} vectors came for {n_texts} texts" + (
            "" if data else " ('data' is empty)"
        )
        raise _refuse(endpoint, batch, what, again)
    rows: dict[int, Any] = {}
    for item in data:
        index = item.get("index") if isinstance(item, dict) else None
        if type(index) is not int or not 0 <= index < n_texts or index in rows:
            what = (
                f"a vector has the index {endpoint.conceal(repr(index))}; allowed: each of 0 to "
                f"{n_texts - 1} once"
            )
            raise _refuse(endpoint, batch, what, "The order is not trusted without it. " + again)
        rows[index] = item.get("embedding")
    lengths = set()
    for index in range(n_texts):
        vector = rows[index]
        if not isinstance(vector, list) or not all(type(x) in (int, float) for x in vector):
            what = f"the embedding of index {index} is no list of numbers"
            raise _refuse(endpoint, batch, what, again)
        lengths.add(len(vector))
    if len(lengths) != 1 or 0 in lengths:
        what = (
            f"the vectors have {', '.join(map(str, sorted(lengths)))} numbers; allowed: one length"
        )
        raise _refuse(endpoint, batch, what, again)
    try:
        # Beyond the range of float32 becomes infinite, and is refused below.
        with np.errstate(over="ignore"):
            vectors = np.array([rows[index] for index in range(n_texts)], dtype=np.float32)
    except OverflowError:
        what = "a vector holds a whole number beyond any float"
        raise _refuse(endpoint, batch, what, again) from None
    finite = np.isfinite(vectors).all(axis=1)
    if not finite.all():
        what = f"the vector of index {int(np.argmin(finite))} holds a number that is not finite"
        raise _refuse(endpoint, batch, what, again)
    zero = ~vectors.any(axis=1)
    if zero.any():
        what = (
            f"the vector of index {int(np.argmax(zero))} is zero, so that its cosine is undefined"
        )
        raise _refuse(endpoint, batch, what, again)
    return vectors


def _count_tokens(answer: Mapping[str, Any]) -> int | None:
    usage = answer.get("usage")
    if not isinstance(usage, dict):
        return None
    for name in ("total_tokens", "prompt_tokens"):
        if type(usage.get(name)) is int and usage[name] >= 0:
            return usage[name]
    return None


def is_same_model(asked: str, served: str) -> bool:
    """Say if a server's name of its model can mean the one asked for.

    Case and the folder or organisation before the last `/` do not count, and the served name may
    add a version or date (`text-embedding-ada-002-v2`, `nomic-embed-text:latest`). A server that
    does not name its model is believed.
    """
    if not served:
        return True
    asked, served = (name.rstrip("/").rpartition("/")[2].lower() for name in (asked, served))
    suffix = r"([-:@](v?\d[\w.-]*|latest))?"
    return re.fullmatch(re.escape(asked) + suffix, served) is not None


def _note_usage(ledger: Path, batch: Batch, reply: Reply) -> None:
    line = {"texts": len(batch.texts), "tokens": reply.tokens, "served_model": reply.served_model}
    ledger.parent.mkdir(parents=True, exist_ok=True)
    # The line feed comes first: a line that a kill cut short must not spoil the next one.
    with ledger.open("a", encoding="utf-8") as file:
        file.write("\n" + json.dumps(line))


def read_usage(ledger: Path) -> Usage:
    """Sum the usage of all batches that were received for a store.

    Args:
        ledger: file written by `embed_remotely`; it may be absent. A line cut by a kill is skipped.

    Returns:
        The sums.
    """
    entries = []
    if ledger.is_file():
        for line in ledger.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                entries.append(json.loads(line))
            except ValueError:
                continue
    return Usage(
        requests=len(entries),
        texts=sum(entry["texts"] for entry in entries),
        tokens=sum(entry["tokens"] or 0 for entry in entries),
        requests_without_tokens=sum(entry["tokens"] is None for entry in entries),
        served_models=tuple(sorted({entry["served_model"] for entry in entries} - {""})),
    )
