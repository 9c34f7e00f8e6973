"""Triples by a language model: what it is asked, and what its replies say.

The model sees the rule of a trap type with one worked example and answers with a paraphrase and a
trap, or that the rule does not apply. It is asked several times per seed and type, each time with
another seed of the draw.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from embsyntax.answers import Answer, Question, choose_shard
from embsyntax.jobs import InputError
from embsyntax.prompts import Prompt
from embsyntax.replies import FormError, ReplyForm, read_reply, read_sentence
from embsyntax.trap_types import TrapType

PARAPHRASE, TRAP, SKIP = "paraphrase", "trap", "skip"
"""Keys of the object that is asked for."""

DOES_NOT_APPLY = "skip"
"""Value of a reply that says that the rule does not apply."""


@dataclass(frozen=True)
class Pair:
    """Value of a reply with both texts."""

    paraphrase: str
    trap: str


ANSWER_COLUMNS = (
    "seed_id",
    "type",
    "attempt",
    "anchor",
    "prompt",
    "seed",
    "raw_text",
    "finish_reason",
    "attempts",
    "prompt_tokens",
    "completion_tokens",
    "served_model",
    "response_format",
    "failure_class",
    "detail",
    "is_skipped",
    "paraphrase",
    "trap",
)
"""Columns of a table of answers: `attempt` counts from 1, `attempts` are the requests that it took,
`seed` is that of the draw; paraphrase and trap are missing where the reply has none."""


def read_triple(found: Mapping[str, Any]) -> Pair | str:
    """Read an object of a reply.

    Args:
        found: `{"paraphrase": TEXT, "trap": TEXT}` or `{"skip": true}`. A `skip` beside both texts
            must be false or null, and texts beside a `skip` that is true must be empty or null.

    Returns:
        The pair, or `DOES_NOT_APPLY`.

    Raises:
        FormError: the object is none of these.
    """
    unknown = set(found) - {PARAPHRASE, TRAP, SKIP}
    if unknown or not found:
        names = ", ".join(sorted(found)) or "none"
        raise FormError(f"its keys are {names}, not {PARAPHRASE} and {TRAP}, or {SKIP}")
    skip = found.get(SKIP)
    if skip is not None and not isinstance(skip, bool):
        raise FormError(f"{SKIP} is neither true nor false")
    if skip:
        if any(found.get(key) for key in (PARAPHRASE, TRAP)):
            raise FormError(f"{SKIP} is true, and there are texts")
        return DOES_NOT_APPLY
    if not {PARAPHRASE, TRAP} <= set(found):
        missing = " and ".join(key for key in (PARAPHRASE, TRAP) if key not in found)
        raise FormError(f"{missing} missing")
    return Pair(*(_read_text(found[key], key) for key in (PARAPHRASE, TRAP)))


def _read_text(value: Any, key: str) -> str:
    try:
        text = read_sentence(value)
    except FormError as error:
        raise FormError(f"{key}: {str(error).removeprefix('sentence ')}") from None
    if text is None:
        raise FormError(f"{key}: is null")
    return text


def _object_of(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


TRIPLE_FORM = ReplyForm(
    "triple",
    {
        "anyOf": [
            _object_of(paraphrase={"type": "string"}, trap={"type": "string"}),
            _object_of(skip={"type": "boolean", "enum": [True]}),
        ]
    },
    read_triple,
)
"""What the prompt asks for. A server that takes no choice of two objects is asked for any JSON."""


def generate_triple_answers(
    assigned: pd.DataFrame,
    types: Mapping[str, TrapType],
    prompt: Prompt,
    n_candidates: int,
    ask: Callable[[list[Question]], Sequence[Answer]],
    shard: int,
    shards: int,
) -> tuple[pd.DataFrame, list[Answer]]:
    """Ask for the triples of a shard.

    Args:
        assigned: columns `seed_id, type, text`, each pair of seed and type once.
        types: from `trap_types.read_trap_types`.
        prompt: what to ask, with the fields `name, rule, ex_anchor, ex_para, ex_trap, seed`.
        n_candidates: questions per seed and type, 1 or more.
        ask: answers questions.
        shard: number of this job, 0 to `shards` - 1.
        shards: number of jobs.

    Returns:
        `ANSWER_COLUMNS`, by the order of types, seeds and attempts, and the answers.

    Raises:
        InputError: there is no such shard, or asking fails for good.
    """
    if not 0 <= shard < shards:
        raise InputError(f"shard {shard}: allowed are 0 to {shards - 1}; correct the target.")
    tasks = [
        (row, attempt, _ask_for(row.text, types[row.type], prompt, attempt))
        for row in assigned.itertuples()
        for attempt in range(1, n_candidates + 1)
    ]
    chosen = choose_shard([question for *_, question in tasks], shard, shards)
    answers = list(ask(chosen))
    given = {question.content_key: answer for question, answer in zip(chosen, answers, strict=True)}
    rows = [
        _describe_answer(row, attempt, given[question.content_key])
        for row, attempt, question in tasks
        if question.content_key in given
    ]
    frame = pd.DataFrame(rows, columns=list(ANSWER_COLUMNS))
    counts = dict.fromkeys(("prompt_tokens", "completion_tokens"), "Int64")
    texts = dict.fromkeys((PARAPHRASE, TRAP), "str")
    return frame.astype({**counts, **texts, "is_skipped": "bool"}), answers


def _ask_for(text: str, trap_type: TrapType, prompt: Prompt, attempt: int) -> Question:
    return prompt.ask(
        TRIPLE_FORM,
        sample=attempt - 1,
        name=trap_type.label,
        rule=trap_type.definition,
        ex_anchor=trap_type.example_anchor,
        ex_para=trap_type.example_paraphrase,
        ex_trap=trap_type.example_trap,
        seed=text,
    )


def _describe_answer(row: Any, attempt: int, answer: Answer) -> dict[str, Any]:
    reply = answer.reply
    reading = read_reply(reply.text, reply.finish_reason, reply.error, TRIPLE_FORM)
    pair = reading.value if isinstance(reading.value, Pair) else None
    return {
        "seed_id": row.seed_id,
        "type": row.type,
        "attempt": attempt,
        "anchor": row.text,
        "prompt": answer.prompt,
        "seed": answer.seed,
        "raw_text": reply.text,
        "finish_reason": reply.finish_reason,
        "attempts": reply.attempts,
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.completion_tokens,
        "served_model": reply.served_model,
        "response_format": reply.response_format,
        "failure_class": reading.failure_class,
        "detail": reading.detail,
        "is_skipped": reading.value == DOES_NOT_APPLY,
        "paraphrase": pair.paraphrase if pair else None,
        "trap": pair.trap if pair else None,
    }
