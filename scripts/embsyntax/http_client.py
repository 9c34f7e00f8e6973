"""What the clients of OpenAI-compatible servers share: address, key, one request, retries, many.

The API key is read from the environment only; it is sent in one header and stands in no log,
message, manifest or stored file.
"""

from __future__ import annotations

import email.utils
import ipaddress
import json
import logging
import os
import re
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx
import tenacity

from embsyntax.jobs import InputError

Item = TypeVar("Item")
Result = TypeVar("Result")

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
"""A reply larger than this is no answer to any request of ours."""

EXCERPT_CHARACTERS = 160
"""How much of a server's own words a message repeats."""

REDACTED = "[key]"

PROTOCOL_ADVICE = "Is this the address of an OpenAI-compatible server?"

AGAIN_ADVICE = "Run again; if it comes back, look at the server's log."


@dataclass(frozen=True)
class Server:
    """A model on a server, and how it is reached.

    Attributes:
        url: address that requests go to.
        host: host and port, for messages.
        model: name that the server knows the model by.
        key: API key, or ""; never shown.
    """

    url: str
    host: str
    model: str
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


@dataclass(frozen=True, kw_only=True)
class RequestSettings:
    """How requests are made.

    Attributes:
        concurrency: requests under way at once, 1 or more; as many can be lost by a kill.
        attempts: tries per request, 1 or more.
        timeout_seconds: longest time for one request, from the first byte sent to the last one
            received.
        first_backoff_seconds: first wait after a failure, doubled at each try, with jitter.
    """

    concurrency: int
    attempts: int
    timeout_seconds: float
    first_backoff_seconds: float = 1.0


@dataclass(frozen=True)
class Advice:
    """What a user can do about a failure.

    Attributes:
        by_status: by HTTP status.
        otherwise: for a status of 500 or more, and where no reply came.
    """

    by_status: Mapping[int, str]
    otherwise: str

    def on(self, status: int | None) -> str:
        """Return the advice on a status, or on none."""
        if status is None or status >= 500:
            return self.by_status.get(status or 0, self.otherwise)
        return self.by_status.get(status, self.by_status[400])


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


class RequestFailedError(InputError):
    """A request that failed for good.

    Attributes:
        reason: what came, in words, without host or advice.
        status: HTTP status of the last try, or None where no reply came.
        attempts: how often it was tried.
    """

    def __init__(
        self, message: str, *, reason: str, status: int | None = None, attempts: int = 1
    ) -> None:
        """Keep the message for users and what made it."""
        super().__init__(message)
        self.reason = reason
        self.status = status
        self.attempts = attempts


def complete_url(base_url: str, path: str) -> str:
    """Complete a base address, which may already end in `/v1` or in the whole path.

    Args:
        base_url: address of the server.
        path: what follows `/v1/`, such as `embeddings`.

    Returns:
        The address that requests go to.

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
    stem = str(url).rstrip("/").removesuffix(f"/{path}")
    if not re.search(r"/v\d+\w*$", stem):
        stem += "/v1"
    return f"{stem}/{path}"


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


def open_server(
    base_url: str, path: str, remote_model: str, environment: Mapping[str, str] = os.environ
) -> Server:
    """Say where and with which key a model is asked, before any request.

    Args:
        base_url: address of the server, with or without `/v1`.
        path: what follows `/v1/`.
        remote_model: name that the server knows the model by.
        environment: variables that may hold the key.

    Returns:
        The server.

    Raises:
        InputError: if the address is unusable or the key malformed (its value is not shown).
    """
    url = httpx.URL(complete_url(base_url, path))
    variables = key_variables(url.host)
    variable = next((name for name in variables if environment.get(name, "").strip()), "")
    key = environment[variable].strip() if variable else ""
    if not re.fullmatch(r"[\x21-\x7e]*", key):
        raise InputError(
            f"the API key in {variable} holds a space, a line break or a non-ASCII character; "
            "allowed: printable ASCII. Copy it again. Nothing was sent."
        )
    return Server(url=str(url), host=url.netloc.decode("ascii"), model=remote_model, key=key)


def require_key(server: Server, log: logging.Logger) -> None:
    """Refuse to ask another machine without a key; warn where a key goes out unencrypted.

    Raises:
        InputError: naming the variables that may hold it.
    """
    if not server.key and not server.is_local:
        variables = key_variables(httpx.URL(server.url).host)
        raise InputError(
            f"endpoint {server.host} needs an API key and none is set; put it into the "
            f"environment variable {' or '.join(variables)} (nowhere else: a key never stands "
            "in the config; any word will do for a server that wants none). Nothing was sent."
        )
    if server.key and server.url.startswith("http://") and not server.is_local:
        log.warning("the key goes to %s unencrypted (http, not https)", server.host)


def open_client(server: Server, settings: RequestSettings) -> httpx.Client:
    """Open a connection pool that carries the key; use it in a `with` statement."""
    headers = {"Authorization": f"Bearer {server.key}"} if server.key else {}
    # A proxy of the environment must not come between this machine and itself.
    return httpx.Client(
        headers=headers, timeout=settings.timeout_seconds, trust_env=not server.is_local
    )


def post_with_retries(
    client: httpx.Client,
    server: Server,
    body: Mapping[str, Any],
    what: object,
    settings: RequestSettings,
    halt: threading.Event,
    log: logging.Logger,
    advice: Advice,
    retried: Collection[int] = RETRIED_STATUSES,
) -> tuple[bytes, int]:
    """Post a request, again after failures that may pass.

    Args:
        client: from `open_client`.
        server: whom to ask.
        body: the request, as JSON.
        what: names the request in messages.
        settings: how often and how long to try.
        halt: once set, no further try is made.
        log: logger of the job.
        advice: what to do about failures.
        retried: HTTP statuses after which the request is sent again.

    Returns:
        The body of a reply with status 200, and the number of tries.

    Raises:
        RequestFailedError: naming host, request, what came, and what to do.
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
            server.host,
            what,
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
        content = retrying(
            _post, client, server, body, what, settings.timeout_seconds, advice, retried
        )
    except TransientError as error:
        tried = retrying.statistics["attempt_number"]
        raise RequestFailedError(
            f"endpoint {server.host}, {what}: {error}, after {tried} of {settings.attempts} "
            f"tries. {advice.on(error.status)}",
            reason=str(error),
            status=error.status,
            attempts=tried,
        ) from None
    return content, retrying.statistics["attempt_number"]


def _may_pass(error: BaseException) -> bool:
    return isinstance(error, TransientError) and (
        error.retry_after is None or error.retry_after <= LONGEST_RETRY_AFTER_SECONDS
    )


def _post(
    client: httpx.Client,
    server: Server,
    body: Mapping[str, Any],
    what: object,
    timeout_seconds: float,
    advice: Advice,
    retried: Collection[int],
) -> bytes:
    """Make one try and return the body of a reply with status 200."""
    deadline = time.monotonic() + timeout_seconds
    content = bytearray()
    try:
        with client.stream("POST", server.url, json=body) as response:
            for piece in response.iter_bytes():
                content += piece
                if time.monotonic() > deadline:
                    raise TransientError(f"the reply took longer than {timeout_seconds:g} s")
                if len(content) > LARGEST_REPLY_BYTES:
                    raise refuse(server, what, "a reply above 1 GiB came", "Is it this API?")
    except httpx.TimeoutException:
        raise TransientError(f"no reply within {timeout_seconds:g} s") from None
    except httpx.ConnectError as error:
        raise TransientError(f"no connection ({server.conceal(str(error))})") from None
    except httpx.TransportError as error:
        reason = server.conceal(str(error)) or type(error).__name__
        half = "only half a reply came" if content else "the connection broke"
        raise TransientError(f"{half} ({reason})") from None
    except httpx.DecodingError:
        raise TransientError("the reply's compression is damaged") from None
    status = response.status_code
    if status == httpx.codes.OK:
        return bytes(content)
    words = server.conceal(words_of_error(bytes(content)))
    reason = f"HTTP {status}" + (f" ({words})" if words else "")
    if status in retried:
        asked = parse_retry_after(response.headers.get("retry-after", ""))
        if asked is not None and asked > LONGEST_RETRY_AFTER_SECONDS:
            reason += f", and the server asks to wait {asked:.0f} s"
        raise TransientError(reason, status=status, retry_after=asked)
    if 300 <= status < 400:
        where = server.conceal(response.headers.get("location", "another address"))
        todo = f"It points to {where}; the key is not carried along: write the final address."
    else:
        todo = advice.on(status)
    raise refuse(server, what, reason, todo, status=status)


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


def words_of_error(content: bytes) -> str:
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


def refuse(
    server: Server, what: object, reason: str, advice: str, *, status: int | None = None
) -> RequestFailedError:
    """Make the error for a reply that cannot be used."""
    return RequestFailedError(
        f"endpoint {server.host}, {what}: {reason}. {advice}", reason=reason, status=status
    )


def read_json_reply(content: bytes, what: object, server: Server) -> dict[str, Any]:
    """Read the body of a reply with status 200 as a JSON object without an error in it.

    Raises:
        RequestFailedError: if it is a web page, no whole JSON, no object, or an error.
    """
    text = content.decode("utf-8", errors="replace")
    if text.lstrip().startswith("<"):
        raise refuse(server, what, "a web page (HTML) came in place of JSON", PROTOCOL_ADVICE)
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        reason = f"half a reply or none came ({len(content)} bytes that are no whole JSON)"
        raise refuse(server, what, reason, AGAIN_ADVICE) from None
    if isinstance(answer, dict) and answer.get("error"):
        words = server.conceal(words_of_error(content))
        raise refuse(server, what, f"the server reports an error: {words}", AGAIN_ADVICE)
    if not isinstance(answer, dict):
        raise refuse(server, what, "the reply is no JSON object", PROTOCOL_ADVICE)
    return answer


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


def run_bounded(
    items: Iterable[Item],
    work: Callable[[Item], Result],
    concurrency: int,
    halt: threading.Event,
) -> Iterator[tuple[Item, Result]]:
    """Work on items in a few threads and yield the results as they come.

    After a failure no new item is begun; the results of those under way are still yielded, then
    the failure is raised. Close the iterator to stop early.

    Args:
        items: what to work on; the next one is drawn when a thread is free.
        work: may raise `InputError`.
        concurrency: threads, 1 or more.
        halt: set at the first failure and at the end, for `work` to give up waiting.

    Yields:
        Each item with its result.

    Raises:
        InputError: the first failure.
    """
    waiting = iter(items)
    running: dict[Future[Result], tuple[int, Item]] = {}
    failure: InputError | None = None
    begun = 0
    with ThreadPoolExecutor(concurrency) as pool:
        try:
            while True:
                while failure is None and len(running) < concurrency:
                    try:
                        item = next(waiting)
                    except StopIteration:
                        break
                    running[pool.submit(work, item)] = begun, item
                    begun += 1
                if not running:
                    break
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for task in sorted(done, key=lambda task: running[task][0]):
                    _, item = running.pop(task)
                    try:
                        result = task.result()
                    except InputError as error:
                        failure = failure or error
                        halt.set()
                        continue
                    yield item, result
        finally:
            halt.set()
    if failure is not None:
        raise failure
