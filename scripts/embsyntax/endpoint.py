"""Vectors from any server that speaks the OpenAI embeddings protocol.

`POST {base}/v1/embeddings` with `{"model": ..., "input": [texts]}`, as described at
https://platform.openai.com/docs/api-reference/embeddings. The API key is read from the environment
only; it is sent in one header and stands in no log, message, manifest or stored file.

A service may change its model, or round differently from call to call, without notice: its vectors
are not guaranteed to be the same on another day. The store keeps those that were received.
"""

from __future__ import annotations

import contextlib
import json
import logging
import math
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from embsyntax.http_client import (
    AGAIN_ADVICE,
    KEY_VARIABLES,
    Advice,
    RequestSettings,
    Server,
    is_same_model,
    open_client,
    open_server,
    post_with_retries,
    read_json_reply,
    refuse,
    require_key,
    run_bounded,
)
from embsyntax.jobs import InputError, progress
from embsyntax.vector_store import VectorStore

LEDGER_FILE = "usage.jsonl"
"""Beside the vectors: one line per received batch with its texts, tokens and served model."""

ADVICE = Advice(
    by_status={
        400: "The server refuses this request: is a text longer than the model allows, or the "
        "model's name wrong? The name stands after '#' in the model's source.",
        401: f"The key is not accepted: set {' or '.join(KEY_VARIABLES)} to a valid one.",
        403: "The key may not use this model: ask the service, or set another key.",
        404: "There is no such address or model: correct the source of the model's row "
        "(endpoint:BASE_URL#remote-model).",
        413: "The request is too large: lower endpoint/batch_texts in the config.",
        429: "The limit of the service is reached: wait, or lower endpoint/concurrency in the "
        "config. Then run again; received vectors are kept.",
    },
    otherwise="The server fails: look at its log or wait, then run again; received vectors are "
    "kept.",
)
"""What to do after an HTTP status."""


@dataclass(frozen=True, kw_only=True)
class EndpointSettings(RequestSettings):
    """How requests are made.

    Attributes:
        batch_texts: texts per request, 1 or more.
    """

    batch_texts: int


@dataclass(frozen=True)
class Endpoint(Server):
    """An embeddings server and the model asked of it.

    Attributes:
        dimension: length of a vector by the models table, or None if it is not declared.
        prompt: put before every text, or "".
    """

    dimension: int | None = None
    prompt: str = ""


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
    server = open_server(base_url, "embeddings", remote_model, environment)
    return Endpoint(**vars(server), dimension=dimension, prompt=prompt)


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
        texts: texts of a suite; a repeated one is asked for once, and without any none is.
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
    if not texts:
        return np.empty((0, endpoint.dimension or 0), dtype=np.float32)
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
        require_key(endpoint, log)
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

    def work(batch: Batch) -> Reply:
        return request_batch(client, batch, endpoint, settings, halt, log)

    with open_client(endpoint, settings) as client:
        yield from run_bounded(batches, work, settings.concurrency, halt)


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
    body = {"model": endpoint.model, "input": [endpoint.prompt + text for text in batch.texts]}
    content, _ = post_with_retries(client, endpoint, body, batch, settings, halt, log, ADVICE)
    return read_reply(content, batch, endpoint)


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
    answer = read_json_reply(content, batch, endpoint)
    if not isinstance(answer.get("data"), list):
        protocol = "Is this the address of an OpenAI-compatible /v1/embeddings server?"
        raise refuse(endpoint, batch, "the reply has no list 'data'", protocol)
    served = answer.get("model") or ""
    if not isinstance(served, str) or not is_same_model(endpoint.model, served):
        raise refuse(
            endpoint,
            batch,
            f"the reply is of the model {endpoint.conceal(str(served))!r}, but {endpoint.model!r} "
            "was asked for",
            "Correct the name after '#' in the source of the model's row, or the server.",
        )
    vectors = _order_vectors(answer["data"], batch, endpoint)
    return Reply(vectors, _count_tokens(answer), endpoint.conceal(served))


def _order_vectors(data: Sequence[Any], batch: Batch, endpoint: Endpoint) -> np.ndarray:
    n_texts = len(batch.texts)
    if len(data) != n_texts:
        what = f"{len(data)} vectors came for {n_texts} texts" + (
            "" if data else " ('data' is empty)"
        )
        raise refuse(endpoint, batch, what, AGAIN_ADVICE)
    rows: dict[int, Any] = {}
    for item in data:
        index = item.get("index") if isinstance(item, dict) else None
        if type(index) is not int or not 0 <= index < n_texts or index in rows:
            what = (
                f"a vector has the index {endpoint.conceal(repr(index))}; allowed: each of 0 to "
                f"{n_texts - 1} once"
            )
            raise refuse(
                endpoint, batch, what, "The order is not trusted without it. " + AGAIN_ADVICE
            )
        rows[index] = item.get("embedding")
    lengths = set()
    for index in range(n_texts):
        vector = rows[index]
        if not isinstance(vector, list) or not all(type(x) in (int, float) for x in vector):
            what = f"the embedding of index {index} is no list of numbers"
            raise refuse(endpoint, batch, what, AGAIN_ADVICE)
        lengths.add(len(vector))
    if len(lengths) != 1 or 0 in lengths:
        what = (
            f"the vectors have {', '.join(map(str, sorted(lengths)))} numbers; allowed: one length"
        )
        raise refuse(endpoint, batch, what, AGAIN_ADVICE)
    try:
        # Beyond the range of float32 becomes infinite, and is refused below.
        with np.errstate(over="ignore"):
            vectors = np.array([rows[index] for index in range(n_texts)], dtype=np.float32)
    except OverflowError:
        what = "a vector holds a whole number beyond any float"
        raise refuse(endpoint, batch, what, AGAIN_ADVICE) from None
    finite = np.isfinite(vectors).all(axis=1)
    if not finite.all():
        what = f"the vector of index {int(np.argmin(finite))} holds a number that is not finite"
        raise refuse(endpoint, batch, what, AGAIN_ADVICE)
    zero = ~vectors.any(axis=1)
    if zero.any():
        what = (
            f"the vector of index {int(np.argmax(zero))} is zero, so that its cosine is undefined"
        )
        raise refuse(endpoint, batch, what, AGAIN_ADVICE)
    return vectors


def _count_tokens(answer: Mapping[str, Any]) -> int | None:
    usage = answer.get("usage")
    if not isinstance(usage, dict):
        return None
    for name in ("total_tokens", "prompt_tokens"):
        if type(usage.get(name)) is int and usage[name] >= 0:
            return usage[name]
    return None


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
