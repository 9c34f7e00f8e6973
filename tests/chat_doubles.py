"""Language models that answer at once, for tests of what stands around them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from embsyntax.answers import Parameters, Question, Reply
from embsyntax.replies import SENTENCE_FORM

PARAMETERS = Parameters(temperature=0.0, top_p=1.0, max_tokens=20, seed=7)


CHAT = {
    "temperature": 0.7,
    "top_p": 0.95,
    "max_tokens": 160,
    "seed": 1,
    "response_format": "auto",
    "extra_body": {},
    "batch_size": 16,
    "concurrency": 4,
    "attempts": 6,
    "timeout_seconds": 120,
    "budget_tokens": None,
    "shards": 1,
    "max_sentences": None,
}
"""The config key `chat`."""

LOCAL = {"backend": "transformers", "model": "smollm2-135m-instruct"}
REMOTE = {"backend": "openai", "model": "gpt", "base_url": "https://x.org/v1"}
"""Entries of the config keys `generators` and `annotators`."""


def make_question(text: str, sample: int = 0) -> Question:
    """A question that asks for a sentence."""
    messages = (("system", "Rewrite."), ("user", text))
    return Question("voice_v1", "0" * 64, messages, SENTENCE_FORM, sample)


def reply_well(question: Question) -> Reply:
    """A reply whose sentence is the question in capitals."""
    sentence = question.messages[-1][1].upper()
    return Reply(f'{{"sentence": "{sentence}"}}', "stop", 1, 10, 5, "double")


class ChatDouble:
    """A backend that replies by a function and remembers what it was asked."""

    def __init__(
        self, reply: Callable[[Question], Reply] = reply_well, batch_size: int = 2
    ) -> None:
        self.name = "double"
        self.device = "cpu"
        self.parameters = PARAMETERS
        self.identity = {"backend": "double", "model": "double", "revision": "1"}
        self.reply = reply
        self.batch_size = batch_size
        self.asked: list[tuple[Question, int]] = []

    @property
    def texts_asked(self) -> list[str]:
        """Last message of each question that came."""
        return [question.messages[-1][1] for question, _ in self.asked]

    def with_seed(self, seed: int) -> ChatDouble:
        other = ChatDouble(self.reply, self.batch_size)
        other.asked = self.asked
        other.parameters = replace(self.parameters, seed=seed)
        return other

    def cut_batches(self, questions: Sequence[Question]) -> list[tuple[Question, ...]]:
        ordered = sorted(questions, key=lambda question: question.content_key)
        size = self.batch_size
        return [tuple(ordered[i : i + size]) for i in range(0, len(ordered), size)]

    def answer_batches(
        self, batches: Iterable[Sequence[Question]]
    ) -> Iterator[tuple[Sequence[Question], Sequence[Reply]]]:
        for batch in batches:
            self.asked += [(question, self.parameters.seed_of(question)) for question in batch]
            yield batch, [self.reply(question) for question in batch]
