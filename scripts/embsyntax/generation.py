"""Perturbed sentences by a language model: questions, raw answers, and candidates made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd

from embsyntax.answers import Answer, Question, choose_shard
from embsyntax.candidates import DECLINED, FAILED, MADE, collect_candidates
from embsyntax.chat_settings import PERTURBATIONS
from embsyntax.jobs import InputError
from embsyntax.prompts import Prompt
from embsyntax.replies import SENTENCE_FORM, read_reply

DOES_NOT_APPLY = "the model says that it does not apply"
"""Reason of a declined candidate."""

ANSWER_COLUMNS = (
    "sentence_id",
    "sentence1",
    "perturbation",
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
    "sentence2",
)
"""Columns of a table of answers; `sentence2` is missing where there is none."""


def generate_rewrites(
    sentences: pd.DataFrame,
    perturbation: str,
    prompt: Prompt,
    ask: Callable[[list[Question]], Sequence[Answer]],
    shard: int,
    shards: int,
) -> tuple[pd.DataFrame, list[Answer]]:
    """Ask for a rewritten form of each sentence of a shard.

    Args:
        sentences: columns `sentence_id, text`.
        perturbation: a key of `embsyntax.chat_settings.PERTURBATIONS`.
        prompt: what to ask, with the field `sentence`.
        ask: answers questions.
        shard: number of this job, 0 to `shards` - 1.
        shards: number of jobs.

    Returns:
        `ANSWER_COLUMNS`, in the order of the sentences, and the answers.

    Raises:
        InputError: if there is no such shard, or asking fails for good.
    """
    if not 0 <= shard < shards:
        raise InputError(f"shard {shard}: allowed are 0 to {shards - 1}; correct the target.")
    questions = [prompt.ask(SENTENCE_FORM, sentence=text) for text in sentences["text"]]
    chosen = choose_shard(questions, shard, shards)
    answers = list(ask(chosen))
    given = {question.content_key: answer for question, answer in zip(chosen, answers, strict=True)}
    table = [
        _describe_answer(row.sentence_id, row.text, perturbation, given[question.content_key])
        for row, question in zip(sentences.itertuples(), questions, strict=True)
        if question.content_key in given
    ]
    frame = pd.DataFrame(table, columns=list(ANSWER_COLUMNS))
    counts = ["prompt_tokens", "completion_tokens"]
    return frame.astype({name: "Int64" for name in counts} | {"sentence2": "str"}), answers


def _describe_answer(
    sentence_id: str, sentence1: str, perturbation: str, answer: Answer
) -> dict[str, object]:
    reply = answer.reply
    reading = read_reply(reply.text, reply.finish_reason, reply.error, SENTENCE_FORM)
    return {
        "sentence_id": sentence_id,
        "sentence1": sentence1,
        "perturbation": perturbation,
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
        "sentence2": reading.value,
    }


def build_candidates(answers: pd.DataFrame, generator: str, corpus: str) -> pd.DataFrame:
    """Make candidates out of answers.

    Args:
        answers: `ANSWER_COLUMNS`, of all perturbations and shards.
        generator: who gave them.
        corpus: of the sentences.

    Returns:
        A table of candidates, one row per answer, by sentence and perturbation. `made`: there is a
        second sentence; `declined`: the model says that the change does not apply; `failed`: the
        answer is not usable, and the reason is its failure class.

    Raises:
        InputError: if a sentence was answered twice for one perturbation.
    """
    repeated = answers.duplicated(["sentence_id", "perturbation"])
    if repeated.any():
        row = answers.loc[repeated].iloc[0]
        raise InputError(
            f"answers of {generator}, {corpus}: sentence {row['sentence_id']} stands there twice "
            f"for {row['perturbation']}; shards of different numbers were mixed. Remove the "
            "folder of these answers under results/sr/answers and run again."
        )
    rows = []
    for answer in answers.sort_values(["sentence_id", "perturbation"]).itertuples():
        name, sentence2 = answer.perturbation, answer.sentence2
        if answer.failure_class:
            status, reason = FAILED, answer.failure_class
        elif pd.isna(sentence2):
            status, reason = DECLINED, DOES_NOT_APPLY
        else:
            status, reason = MADE, ""
        rows.append(
            (
                generator,
                corpus,
                answer.sentence_id,
                name,
                PERTURBATIONS[name],
                name,
                answer.sentence1,
                sentence2,
                None,
                status,
                reason,
                answer.detail,
            )
        )
    return collect_candidates(rows)
