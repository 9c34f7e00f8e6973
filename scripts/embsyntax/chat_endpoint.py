"""Answers from any server that speaks the OpenAI chat protocol.

`POST {base}/v1/chat/completions`, as described at
https://platform.openai.com/docs/api-reference/chat: OpenAI itself, vLLM, llama.cpp, Ollama,
`transformers serve`. Key, retries and the rules of who may see which key are those of
`embsyntax.http_client`.
"""

from __future__ import annotations

import copy
import itertools
import json
import logging
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import httpx

from embsyntax.answers import Parameters, Question, Reply
from embsyntax.http_client import (
    KEY_VARIABLES,
    PROTOCOL_ADVICE,
    RETRIED_STATUSES,
    Advice,
    RequestFailedError,
    RequestSettings,
    Server,
    is_same_model,
    open_client,
    post_with_retries,
    read_json_reply,
    refuse,
    require_key,
    run_bounded,
)

CHAT_PATH = "chat/completions"

REQUEST_VERSION = 1
"""Raised whenever a change of this module changes what is asked: part of the key of answers."""

AUTO = "auto"

DETECTED_FORMATS = ("json_schema", "json_object", "none")

RESPONSE_FORMATS = (AUTO, *DETECTED_FORMATS)
"""How a server is told the form of an answer; `auto` takes the first one that it does not refuse.

A server may take one and ignore it: what was asked for is stored with each answer, and the text
decides (`embsyntax.replies`).
"""

UNSUPPORTED_STATUSES = frozenset({400, 422, 500, 501})
"""What servers answer to a `response_format` that they do not know (llama-cpp-python: 500)."""

STOPPING_STATUSES = frozenset({401, 403, 404, 429, 503})
"""Statuses that are no matter of a single question: the job stops, to be resumed later."""

ADVICE = Advice(
    by_status={
        400: "The server refuses this request: is the model's name wrong, or a parameter of the "
        "generator (temperature, max_tokens, extra_body) not allowed by this model?",
        401: f"The key is not accepted: set {' or '.join(KEY_VARIABLES)} to a valid one.",
        403: "The key may not use this model: ask the service, or set another key.",
        404: "There is no such address or model: correct base_url or model of the generator.",
        413: "The request is too large: shorten the sentences or the prompt.",
        429: "The limit of the service is reached: wait, or lower concurrency in the config. Then "
        "run again; received answers are kept.",
    },
    otherwise="The server fails: look at its log or wait, then run again; received answers are "
    "kept.",
)
"""What to do after an HTTP status."""


@dataclass(frozen=True, kw_only=True)
class ChatSettings(RequestSettings):
    """How requests are made.

    Attributes:
        response_format: one of `RESPONSE_FORMATS`.
        extra_body: further keys of each request; one that is None is left out of it, as
            `{"max_tokens": None, "max_completion_tokens": 200}` for models that want the other.
    """

    response_format: str
    extra_body: Mapping[str, Any]


class ChatEndpoint:
    """The `openai` backend: a model on a server, asked by a few requests at once."""

    def __init__(
        self,
        name: str,
        server: Server,
        parameters: Parameters,
        settings: ChatSettings,
        revision: str,
        log: logging.Logger,
    ) -> None:
        """Get ready; nothing is sent yet.

        Args:
            name: of the generator or annotator.
            server: whom to ask.
            parameters: how answers are drawn.
            settings: how to ask.
            revision: what the config says of the model's version, or `""`.
            log: logger of the job.
        """
        self.name = name
        self.device = f"endpoint {server.host}"
        self.server = server
        self.parameters = parameters
        self.settings = settings
        self.log = log
        # The address is left out: the same model may be served elsewhere on another day.
        self.identity = {
            "backend": "openai",
            "model": server.model,
            "revision": revision,
            "response_format": settings.response_format,
            "extra_body": dict(settings.extra_body),
            "request_version": REQUEST_VERSION,
        }
        self._format = settings.response_format
        self._is_format_open = settings.response_format == AUTO
        self._halt = threading.Event()

    def with_seed(self, seed: int) -> ChatEndpoint:
        """Return the same model with another seed."""
        other = copy.copy(self)
        other.parameters = replace(self.parameters, seed=seed)
        return other

    def cut_batches(self, questions: Sequence[Question]) -> list[tuple[Question, ...]]:
        """Make a batch of each question."""
        return [(question,) for question in questions]

    def answer_batches(
        self, batches: Iterable[Sequence[Question]]
    ) -> Iterator[tuple[Sequence[Question], Sequence[Reply]]]:
        """Ask one question after the other, a few at once; one that fails gets an error for reply.

        Raises:
            RequestFailedError: for a failure that other questions would meet as well.
        """
        waiting = iter(batches)
        first = next(waiting, None)
        if first is None:
            return
        require_key(self.server, self.log)

        def work(batch: Sequence[Question]) -> Sequence[Reply]:
            return [self._try(client, batch[0])]

        self._halt.clear()
        with open_client(self.server, self.settings) as client:
            # One at a time, until the server has shown which response format it takes.
            waiting = itertools.chain([first], waiting)
            for batch in waiting:
                yield batch, work(batch)
                if not self._is_format_open:
                    break
            yield from run_bounded(waiting, work, self.settings.concurrency, self._halt)

    def _try(self, client: httpx.Client, question: Question) -> Reply:
        try:
            return self._answer(client, question)
        except RequestFailedError as error:
            if error.status in STOPPING_STATUSES:
                raise
            self.log.warning("%s", error)
            return Reply("", "", attempts=error.attempts, error=error.reason)

    def _answer(self, client: httpx.Client, question: Question) -> Reply:
        """Answer a question, and find the response format if it is still open."""
        attempts = 0
        formats = DETECTED_FORMATS if self._is_format_open else (self._format,)
        for response_format in formats:
            is_last = response_format == formats[-1]
            body = make_body(question, self.server, self.parameters, self.settings, response_format)
            try:
                content, tried = post_with_retries(
                    client,
                    self.server,
                    body,
                    question,
                    self.settings,
                    self._halt,
                    self.log,
                    ADVICE,
                    RETRIED_STATUSES if is_last else RETRIED_STATUSES - UNSUPPORTED_STATUSES,
                )
            except RequestFailedError as error:
                attempts += error.attempts
                if is_last or error.status not in UNSUPPORTED_STATUSES:
                    error.attempts = attempts
                    raise
                self.log.warning(
                    "%s: %s to response_format %s", self.name, error.reason, response_format
                )
                continue
            break
        self._format = response_format
        self._is_format_open = False
        return read_chat_reply(content, question, self.server, attempts + tried, response_format)


def make_body(
    question: Question,
    server: Server,
    parameters: Parameters,
    settings: ChatSettings,
    response_format: str,
) -> dict[str, Any]:
    """Make the body of a request.

    Args:
        question: what to ask.
        server: whom.
        parameters: how the answer is drawn.
        settings: with further keys of the body.
        response_format: `json_schema`, `json_object` or `none`.

    Returns:
        The body, as JSON.
    """
    body = {
        "model": server.model,
        "messages": [{"role": role, "content": text} for role, text in question.messages],
        "temperature": parameters.temperature,
        "top_p": parameters.top_p,
        "max_tokens": parameters.max_tokens,
        "seed": parameters.seed_of(question),
        "stream": False,
    }
    form = question.form
    if response_format == "json_schema":
        schema = {"name": form.name, "strict": True, "schema": form.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif response_format == "json_object":
        # The schema is an addition of llama.cpp and of servers that follow it.
        body["response_format"] = {"type": "json_object", "schema": form.schema}
    body |= settings.extra_body
    return {key: value for key, value in body.items() if value is not None}


def read_chat_reply(
    content: bytes, question: Question, server: Server, attempts: int, response_format: str
) -> Reply:
    """Check a reply with status 200.

    Args:
        content: its body.
        question: what was asked.
        server: whom.
        attempts: requests that were sent for it.
        response_format: what the request asked for.

    Returns:
        The reply.

    Raises:
        RequestFailedError: if it is no JSON, an error, of another model, or has no message.
    """
    answer = read_json_reply(content, question, server)
    choices = answer.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        raise refuse(server, question, "the reply has no message in 'choices'", PROTOCOL_ADVICE)
    served = answer.get("model") or ""
    if not isinstance(served, str) or not is_same_model(server.model, served):
        raise refuse(
            server,
            question,
            f"the reply is of the model {server.conceal(str(served))!r}, but {server.model!r} was "
            "asked for",
            "Correct the model of the generator, or the server.",
        )
    refusal = message.get("refusal")
    finish_reason = "refusal" if refusal else choice.get("finish_reason")
    usage = answer.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return Reply(
        text=_whole_characters(refusal or message.get("content")),
        finish_reason=server.conceal(str(finish_reason or "")),
        attempts=attempts,
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
        served_model=server.conceal(served),
        response_format=response_format,
    )


def _whole_characters(text: Any) -> str:
    """Return a text as it can be stored; half a character (a lone surrogate) becomes U+FFFD."""
    if text is None:
        return ""
    text = text if isinstance(text, str) else json.dumps(text)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _count(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None
