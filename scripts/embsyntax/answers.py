"""Questions to language models, and a store of answers that is asked before any model.

An answer is stored as soon as it has come, outside the declared outputs of a rule (Snakemake
deletes those before a job restarts), under a key made of prompt, model, revision, parameters and
seed. A job that was killed goes on where it stopped, and no stored answer is asked for again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from embsyntax.jobs import InputError, progress
from embsyntax.provenance import digest
from embsyntax.replies import ReplyForm

CHECKSUM = "checksum"
"""Key of a stored line that holds the checksum of all other keys."""

BYTES_PER_TOKEN = 3
"""Bytes of English per token, on the low side: tokens are estimated with it before they are known,
and where a server does not count them."""

SEED_RANGE = 2**31
"""Seeds are below this; some servers take signed 32-bit seeds only."""


FAILURES_IN_A_ROW = 5
"""As many requests that fail one after the other are no matter of single questions: a job stops."""


@dataclass(frozen=True)
class Question:
    """One request to a language model.

    Attributes:
        prompt: name of the prompt file, with its version.
        prompt_sha256: of the prompt file.
        messages: role (`system`, `user`, `assistant`) and text of each message; a worked example
            is a question of the user and the answer of the assistant, the last one the task.
        form: the object that is asked for.
        sample: 0, 1, ... for several answers to the same question.
    """

    prompt: str
    prompt_sha256: str
    messages: tuple[tuple[str, str], ...]
    form: ReplyForm
    sample: int = 0

    @cached_property
    def content_key(self) -> str:
        """64 hexadecimal digits: the sha256 of all that is asked, whoever is asked."""
        content = [
            self.prompt,
            self.prompt_sha256,
            self.messages,
            self.form.name,
            self.form.schema,
            self.sample,
        ]
        return hashlib.sha256(_canonical(content)).hexdigest()

    @property
    def n_bytes(self) -> int:
        """Length of all messages in UTF-8."""
        return sum(len(text.encode("utf-8", errors="replace")) for _, text in self.messages)

    def __str__(self) -> str:
        """Name the question in messages."""
        return f"question {self.content_key[:12]} of {self.prompt}"


@dataclass(frozen=True)
class Parameters:
    """How an answer is drawn; part of its key.

    Attributes:
        temperature: 0 takes the likeliest token each time; above it draws are spread more.
        top_p: share of the probability that is drawn from, above 0 and at most 1.
        max_tokens: longest answer, 1 or more.
        seed: of all draws; each question derives its own from it.
    """

    temperature: float
    top_p: float
    max_tokens: int
    seed: int

    def seed_of(self, question: Question) -> int:
        """Return the seed of one question, 0 to 2**31 - 1."""
        text = f"{self.seed} {question.content_key}"
        return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) % SEED_RANGE


@dataclass(frozen=True)
class Reply:
    """What came for a question.

    Attributes:
        text: what the model wrote, untouched; `""` if nothing came.
        finish_reason: `stop`, `length` or another word of the server; `""` if it does not say.
        attempts: how often the request was sent.
        prompt_tokens: tokens of the question, or None if the server does not count them.
        completion_tokens: tokens of the answer, or None.
        served_model: name of the model by the server, or `""`.
        response_format: how the form was enforced: `json_schema`, `json_object` or `none`.
        error: why nothing came, or `""`.
    """

    text: str
    finish_reason: str
    attempts: int = 1
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    served_model: str = ""
    response_format: str = "none"
    error: str = ""


@dataclass(frozen=True)
class Answer:
    """A stored reply.

    Attributes:
        key: of the question and of all that decides its answer.
        prompt: name of the prompt.
        seed: of this question.
        reply: what came.
    """

    key: str
    prompt: str
    seed: int
    reply: Reply


class ChatBackend(Protocol):
    """A language model that answers questions.

    Attributes:
        name: of the generator or annotator, for messages.
        parameters: how answers are drawn.
        identity: what else decides an answer (backend, model, revision, ...), as JSON.
        device: where it runs, for manifests.
    """

    name: str
    device: str
    parameters: Parameters
    identity: Mapping[str, Any]

    def with_seed(self, seed: int) -> ChatBackend:
        """Return the same model with another seed."""

    def cut_batches(self, questions: Sequence[Question]) -> list[tuple[Question, ...]]:
        """Cut questions into what is answered, and stored, together."""

    def answer_batches(
        self, batches: Iterable[Sequence[Question]]
    ) -> Iterator[tuple[Sequence[Question], Sequence[Reply]]]:
        """Answer batches, drawing the next one only when there is room for it."""


def model_key(backend: ChatBackend) -> str:
    """Return 16 hexadecimal digits of model, revision, parameters and seed: a folder of answers."""
    return digest({**backend.identity, **asdict(backend.parameters)})


def answer_key(question: Question, model: str) -> str:
    """Return 32 hexadecimal digits of prompt, model, revision, parameters and seed.

    Args:
        question: what is asked.
        model: from `model_key`.
    """
    return hashlib.sha256(f"{model} {question.content_key}".encode()).hexdigest()[:32]


def choose_shard(questions: Iterable[Question], shard: int, shards: int) -> list[Question]:
    """Return the questions of one of several jobs; each belongs to just one of them.

    Args:
        questions: all of them.
        shard: number of the job, 0 to `shards` - 1.
        shards: number of jobs.
    """
    return [q for q in questions if int(q.content_key[:12], 16) % shards == shard]


class AnswerStore:
    """Answers in a folder: one file of JSON lines per writer, each line with its checksum.

    Lines are only ever appended, a batch at a time, and are on the disk before the next batch is
    begun. A line that a kill cut short, or that was damaged later, is dropped and said so. All
    files of the folder are read, and each writer appends to its own.
    """

    def __init__(self, folder: str | Path, writer: str, log: logging.Logger | None = None) -> None:
        """Read what is stored.

        Args:
            folder: of the files; made at the first append.
            writer: name of this writer's file, without suffix; one process at a time uses it.
            log: where dropped lines are reported.
        """
        self.folder = Path(folder)
        self.path = self.folder / f"{writer}.jsonl"
        self.log = log or logging.getLogger(__name__)
        self._answers: dict[str, Answer] = {}
        for path in sorted(self.folder.glob("*.jsonl")):
            self._read(path)

    def __contains__(self, key: str) -> bool:
        """Say whether an answer is stored; a request that failed is none."""
        return key in self._answers and not self._answers[key].reply.error

    def __len__(self) -> int:
        """Return the number of stored answers and failed requests."""
        return len(self._answers)

    def __getitem__(self, key: str) -> Answer:
        """Return what is stored under a key.

        Raises:
            KeyError: if nothing is.
        """
        return self._answers[key]

    @property
    def n_answers(self) -> int:
        """Number of stored answers, failed requests left out."""
        return sum(not answer.reply.error for answer in self._answers.values())

    @property
    def served_models(self) -> set[str]:
        """Names of the models by the servers that answered."""
        return {answer.reply.served_model for answer in self._answers.values()} - {""}

    def append(self, answers: Sequence[Answer]) -> None:
        """Store a batch; it is on the disk when this returns."""
        lines = []
        for answer in answers:
            content = {**asdict(answer), **asdict(answer.reply)}
            del content["reply"]
            lines.append(_canonical({**content, CHECKSUM: _checksum(content)}) + b"\n")
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.path.open("a+b") as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                # A line that a kill cut short must not spoil the next one.
                lines[:0] = [b"\n"] if file.read(1) != b"\n" else []
            file.write(b"".join(lines))
            file.flush()
            os.fsync(file.fileno())
        for answer in answers:
            self._keep(answer)

    def _keep(self, answer: Answer) -> None:
        # The first answer stays; only a failed request gives way.
        if answer.key not in self:
            self._answers[answer.key] = answer

    def _read(self, path: Path) -> None:
        dropped = 0
        for line in path.read_bytes().splitlines():
            if not line:
                continue
            try:
                content = json.loads(line)
                checksum = content.pop(CHECKSUM)
                is_whole = checksum == _checksum(content)
            except (ValueError, KeyError, TypeError, AttributeError):
                is_whole = False
            if not is_whole:
                dropped += 1
                continue
            own = {name: content.pop(name) for name in ("key", "prompt", "seed")}
            self._keep(Answer(**own, reply=Reply(**content)))
        if dropped:
            self.log.warning(
                "answer store: %s holds %d damaged or half-written line(s): dropped, their "
                "questions are asked again",
                path.name,
                dropped,
            )


class TokenBudget:
    """Tokens that may still be spent, shared by all jobs of a generator.

    What is spent stands in a ledger, to which each job appends and in which it sees the others.
    """

    def __init__(self, ledger: str | Path, limit: int | None) -> None:
        """Open a budget.

        Args:
            ledger: file of JSON lines; made at the first spending.
            limit: tokens in all, questions and answers; None for no limit.
        """
        self.ledger = Path(ledger)
        self.limit = limit
        self.reserved = 0
        self._spent = 0
        self._read_to = 0

    @property
    def spent(self) -> int:
        """Tokens spent so far by all jobs."""
        if self.ledger.is_file():
            with self.ledger.open("rb") as file:
                file.seek(self._read_to)
                content = file.read()
            whole = content[: content.rfind(b"\n") + 1]
            self._read_to += len(whole)
            for line in whole.splitlines():
                with contextlib.suppress(ValueError, KeyError, TypeError):
                    self._spent += json.loads(line)["tokens"]
        return self._spent

    def reserve(self, tokens: int) -> bool:
        """Set tokens aside for requests; say whether there are as many."""
        if self.limit is not None and self.spent + self.reserved + tokens > self.limit:
            return False
        self.reserved += tokens
        return True

    def settle(self, reserved: int, tokens: int) -> None:
        """Note what requests really took."""
        self.reserved -= reserved
        self.ledger.parent.mkdir(parents=True, exist_ok=True)
        with self.ledger.open("ab") as file:
            file.write(_canonical({"tokens": tokens}) + b"\n")


def answer_questions(
    questions: Sequence[Question],
    backend: ChatBackend,
    store: AnswerStore,
    budget: TokenBudget,
    log: logging.Logger,
) -> list[Answer]:
    """Return an answer to each question, asking the model only for those that the store lacks.

    Args:
        questions: a repeated one is asked once.
        backend: whom to ask.
        store: where answers are kept.
        budget: what may be spent.
        log: logger of the job.

    Returns:
        The answers in the order of the questions. A failed request is one with an error.

    Raises:
        InputError: if the budget does not last, the server changes its model under way, or a
            request fails in a way that others will as well; what had come is kept.
    """
    parameters, model = backend.parameters, model_key(backend)
    wanted = {question.content_key: question for question in questions}
    keys = {content_key: answer_key(question, model) for content_key, question in wanted.items()}
    n_open = sum(key not in store for key in keys.values())
    log.info(
        "%s: %d questions to ask, %d answers kept from before",
        backend.name,
        n_open,
        len(wanted) - n_open,
    )
    # All questions are cut, stored or not, so that a killed job goes on with the same batches.
    batches = [
        [question for question in batch if keys[question.content_key] not in store]
        for batch in (backend.cut_batches(list(wanted.values())) if n_open else [])
    ]
    batches = [batch for batch in batches if batch]

    def draw_batches() -> Iterator[Sequence[Question]]:
        for batch in batches:
            if not budget.reserve(_estimate_tokens(batch, parameters)):
                return
            yield batch

    served = store.served_models
    failed: list[Answer] = []
    # Closed at once after an error, so that no worker goes on asking.
    with contextlib.closing(backend.answer_batches(draw_batches())) as answered:
        for batch, replies in progress(answered, len(batches), "batches", log):
            used = sum(map(_count_tokens, batch, replies))
            budget.settle(_estimate_tokens(batch, parameters), used)
            served |= {reply.served_model for reply in replies} - {""}
            if len(served) > 1:
                raise InputError(
                    f"{backend.name}: served by {' and by '.join(map(repr, sorted(served)))}; one "
                    f"table must not mix models. Remove the folder {store.folder} and run again "
                    "to ask anew, or pin the model's version in the config."
                )
            answers = [
                Answer(keys[q.content_key], q.prompt, parameters.seed_of(q), reply)
                for q, reply in zip(batch, replies, strict=True)
            ]
            n_open -= len(answers)
            failed = [*failed, *answers] if all(a.reply.error for a in answers) else []
            if len(failed) >= FAILURES_IN_A_ROW:
                raise _refuse_failures(backend.name, failed)
            store.append(answers)
    if failed and store.n_answers == 0:
        raise _refuse_failures(backend.name, failed)
    if n_open:
        raise InputError(
            f"{backend.name}: the budget of {budget.limit} tokens does not last: {budget.spent} "
            f"are spent, {n_open} of {len(wanted)} questions of this job are open. All answers are "
            "kept: raise budget_tokens in the config and run again, and only the open ones are "
            "asked."
        )
    return [store[keys[question.content_key]] for question in questions]


def _refuse_failures(name: str, failed: Sequence[Answer]) -> InputError:
    return InputError(
        f"{name}: {len(failed)} request(s) failed one after the other and none succeeded between "
        f"them, the last with: {failed[-1].reply.error}. See the warnings above for what to do, "
        "then run again; received answers are kept, failed requests are made again."
    )


def _estimate_tokens(questions: Sequence[Question], parameters: Parameters) -> int:
    """The most that questions are expected to take, answers of full length included."""
    return sum(_tokens_of_bytes(q.n_bytes) + parameters.max_tokens for q in questions)


def _count_tokens(question: Question, reply: Reply) -> int:
    """Tokens that a request took: as the server says, estimated where it does not."""
    if reply.error:
        return 0
    prompt, completion = reply.prompt_tokens, reply.completion_tokens
    if prompt is None:
        prompt = _tokens_of_bytes(question.n_bytes)
    if completion is None:
        completion = _tokens_of_bytes(len(reply.text.encode("utf-8", errors="replace")))
    return prompt + completion


def _tokens_of_bytes(n_bytes: int) -> int:
    return -(-n_bytes // BYTES_PER_TOKEN)


def summarize_answers(answers: Iterable[Answer]) -> dict[str, Any]:
    """Sum up what answers took, for a manifest; equal answers give equal sums.

    Returns:
        Numbers of answers, failed requests, sent requests and tokens; names of served models; how
        often each finish reason and each way of enforcing the form came.
    """
    replies = [answer.reply for answer in {answer.key: answer for answer in answers}.values()]
    return {
        "n_answers": sum(not reply.error for reply in replies),
        "n_failed_requests": sum(bool(reply.error) for reply in replies),
        "attempts": sum(reply.attempts for reply in replies),
        "prompt_tokens": sum(reply.prompt_tokens or 0 for reply in replies),
        "completion_tokens": sum(reply.completion_tokens or 0 for reply in replies),
        "n_without_tokens": sum(reply.prompt_tokens is None for reply in replies),
        "served_models": sorted({reply.served_model for reply in replies} - {""}),
        "finish_reasons": dict(sorted(Counter(r.finish_reason for r in replies).items())),
        "response_formats": dict(sorted(Counter(r.response_format for r in replies).items())),
    }


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def _checksum(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(_canonical(content)).hexdigest()[:16]
