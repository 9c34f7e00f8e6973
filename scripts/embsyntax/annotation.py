"""Scores from 0 to 5 for pairs of sentences: by a language model, or as the rules declare them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd

from embsyntax.answers import Answer, Question
from embsyntax.candidates import MADE
from embsyntax.prompts import Prompt
from embsyntax.replies import SCORE_FORM, read_reply
from embsyntax.rubric import MAX_SCORE

ANNOTATION_COLUMNS = (
    "pair_id",
    "annotator",
    "score",
    "raw_text",
    "finish_reason",
    "attempts",
    "failure_class",
)
"""Columns of a table of annotations; `score` is missing after a failure."""

AGREEMENT_COLUMNS = ("pair_id", "anchor_id", "run", "seed", "human_score", *ANNOTATION_COLUMNS[1:])
"""Columns of the annotator's scores on pairs that people have scored; `run` is 1 or 2."""

UNDECLARED = "no_declared_score"
"""Failure class of a pair whose generator declares no score."""

RUNS = (1, 2)
"""The second run asks all again with another seed: how well the annotator agrees with itself."""


def annotate_pairs(
    candidates: pd.DataFrame,
    annotator: str,
    prompt: Prompt,
    ask: Callable[[list[Question]], Sequence[Answer]],
) -> tuple[pd.DataFrame, list[Answer]]:
    """Let a language model score the made candidates.

    Args:
        candidates: columns `candidate_id, sentence1, sentence2, status`.
        annotator: name of the language model in the config.
        prompt: what to ask, with the fields `sentence1` and `sentence2`.
        ask: answers questions.

    Returns:
        `ANNOTATION_COLUMNS`, one row per made candidate, in their order, and the answers.
    """
    made = candidates.loc[candidates["status"] == MADE]
    questions = make_questions(made, prompt)
    answers = list(ask(questions))
    return _tabulate(made["candidate_id"], annotator, answers), answers


def declare_scores(candidates: pd.DataFrame, annotator: str) -> pd.DataFrame:
    """Take the scores that the rules declare: the annotator without a language model.

    Args:
        candidates: columns `candidate_id, expected_score, status`.
        annotator: its name in the config.

    Returns:
        `ANNOTATION_COLUMNS`, one row per made candidate, in their order.
    """
    made = candidates.loc[candidates["status"] == MADE]
    scores = made["expected_score"].astype("Int64")
    return pd.DataFrame(
        {
            "pair_id": made["candidate_id"],
            "annotator": annotator,
            "score": scores,
            "raw_text": "",
            "finish_reason": "",
            "attempts": 0,
            "failure_class": scores.isna().map({True: UNDECLARED, False: ""}),
        },
        columns=list(ANNOTATION_COLUMNS),
    ).reset_index(drop=True)


def make_questions(pairs: pd.DataFrame, prompt: Prompt) -> list[Question]:
    """Ask for the score of each pair; columns `sentence1, sentence2`."""
    return [
        prompt.ask(SCORE_FORM, sentence1=one, sentence2=two)
        for one, two in zip(pairs["sentence1"], pairs["sentence2"], strict=True)
    ]


def annotate_scored_pairs(
    pairs: pd.DataFrame,
    annotator: str,
    prompt: Prompt,
    ask: Callable[[list[Question], int], Sequence[Answer]],
    seeds: Sequence[int],
) -> tuple[pd.DataFrame, list[Answer]]:
    """Let a language model score pairs that people have scored, twice.

    Args:
        pairs: a table of pairs, columns `pair_id, anchor_id, sentence1, sentence2, score` (0-1).
        annotator: name of the language model in the config.
        prompt: what to ask.
        ask: answers questions with a seed.
        seeds: of both runs.

    Returns:
        `AGREEMENT_COLUMNS`, run by run, in the order of the pairs, and the answers.
    """
    questions = make_questions(pairs, prompt)
    tables, answers = [], []
    for run, seed in zip(RUNS, seeds, strict=True):
        given = list(ask(questions, seed))
        answers += given
        table = _tabulate(pairs["pair_id"], annotator, given)
        table["anchor_id"] = pairs["anchor_id"].to_numpy()
        table["human_score"] = pairs["score"].to_numpy() * MAX_SCORE
        tables.append(table.assign(run=run, seed=seed))
    return pd.concat(tables, ignore_index=True)[list(AGREEMENT_COLUMNS)], answers


def _tabulate(pair_ids: pd.Series, annotator: str, answers: Sequence[Answer]) -> pd.DataFrame:
    replies = [answer.reply for answer in answers]
    readings = [read_reply(r.text, r.finish_reason, r.error, SCORE_FORM) for r in replies]
    return pd.DataFrame(
        {
            "pair_id": pair_ids.to_numpy(),
            "annotator": annotator,
            "score": pd.array([reading.value for reading in readings], dtype="Int64"),
            "raw_text": [reply.text for reply in replies],
            "finish_reason": [reply.finish_reason for reply in replies],
            "attempts": [reply.attempts for reply in replies],
            "failure_class": [reading.failure_class for reading in readings],
        },
        columns=list(ANNOTATION_COLUMNS),
    )
