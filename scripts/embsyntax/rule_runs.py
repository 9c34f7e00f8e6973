"""Runs of the perturbation rules over parsed sentences: candidates, and the time of each rule."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd
from spacy.tokens import Doc

from embsyntax.candidates import DECLINED, MADE, collect_candidates
from embsyntax.jobs import progress
from embsyntax.perturbation.engine import DeclineError, Rule, Sentence
from embsyntax.regenerated import RULES

TIMING_COLUMNS = ("corpus", "family", "rule", "dimension", "is_default", "n", "seconds")
"""Columns of the table of times; `n`: sentences; `seconds`: CPU time over all sentences."""


EXAMPLE_COLUMNS = (
    "dimension",
    "perturbation",
    "rule",
    "is_default",
    "expected_score",
    "sentence2",
    "reason",
)
"""Columns of one sentence's way through every rule."""

WARM_UP = 100
"""Sentences that every rule sees once before its time is taken: dictionaries load at first use."""


def perturb_docs(
    corpus: str,
    sentences: pd.DataFrame,
    docs: Sequence[Doc],
    rules: Sequence[Rule],
    log: logging.Logger,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Apply every rule to every sentence.

    Args:
        corpus: name of the corpus.
        sentences: columns `sentence_id, text`, ids unique.
        docs: the parse of each sentence, in the same order.
        rules: what to apply.
        log: where progress goes.

    Returns:
        The candidates (`regenerated.CANDIDATE_COLUMNS`; a row per sentence and rule, made or
        declined, in the order of sentences and rules; equal input gives equal frames), and the
        times (`TIMING_COLUMNS`; a row per rule), which differ from run to run: the CPU time of all
        rules together, shared out over them as a clock saw them, since asking for the CPU time of
        each call costs as much as a rule that declines at once.
    """
    wall = dict.fromkeys((rule.name for rule in rules), 0.0)
    processor_time = 0.0

    def apply_rules() -> Iterator[tuple[Any, ...]]:
        parsed = zip(sentences["sentence_id"], docs, strict=True)
        for sentence_id, doc in progress(parsed, len(docs), f"{corpus}: sentences", log):
            nonlocal processor_time
            sentence, results = Sentence(doc), []
            begin = time.process_time()
            before = time.perf_counter()
            for rule in rules:
                results.append(apply_rule(rule, sentence, sentence_id))
                after = time.perf_counter()
                wall[rule.name] += after - before
                before = after
            processor_time += time.process_time() - begin
            for rule, (text, status, reason, detail) in zip(rules, results, strict=True):
                yield (
                    *(RULES, corpus, sentence_id, rule.perturbation, rule.dimension, rule.name),
                    *(sentence.text, text, rule.expected_score, status, reason, detail),
                )

    for sentence_id, doc in zip(sentences["sentence_id"][:WARM_UP], docs[:WARM_UP], strict=False):
        for rule in rules:
            apply_rule(rule, Sentence(doc), sentence_id)
    candidates = collect_candidates(apply_rules())
    share = processor_time / (sum(wall.values()) or 1.0)
    times = [
        (corpus, r.family, r.name, r.dimension, r.is_default, len(docs), wall[r.name] * share)
        for r in rules
    ]
    return candidates, pd.DataFrame(times, columns=list(TIMING_COLUMNS))


def apply_rule(
    rule: Rule, sentence: Sentence, sentence_id: str
) -> tuple[str | None, str, str, str]:
    """Apply one rule to one sentence; a fault of the rule names both.

    Returns:
        `sentence2, status, reason, detail` of the candidate.
    """
    try:
        change = rule(sentence)
    except DeclineError as decline:
        return None, DECLINED, str(decline), ""
    except Exception as fault:
        fault.add_note(f"rule {rule.name} on {sentence_id}: {sentence.text!r}")
        raise
    return change.text, MADE, "", change.detail


def show_every_rule(doc: Doc, rules: Sequence[Rule]) -> pd.DataFrame:
    """Take one sentence through every rule (table 7 of the paper).

    Args:
        doc: its parse.
        rules: what to apply, those that are off as well.

    Returns:
        A row per rule: `dimension, perturbation, rule, is_default, expected_score, sentence2,
        reason`; `sentence2` is empty where the rule declined, `reason` where it applied.
    """
    rows = []
    for rule in rules:
        text, _, reason, _ = apply_rule(rule, Sentence(doc), "the example sentence")
        names = (rule.dimension, rule.perturbation, rule.name, rule.is_default)
        rows.append((*names, rule.expected_score, text or "", reason))
    return pd.DataFrame(rows, columns=list(EXAMPLE_COLUMNS))
