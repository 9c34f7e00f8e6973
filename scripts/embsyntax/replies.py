"""From the raw text of a reply to a checked value, or to the class of its failure.

A task asks for one JSON object of a fixed form. What came is kept as it came; whether it is usable
is decided here, from the raw text, whenever a table is made, so that no answer needs to be asked
for again when the reading gets better.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from embsyntax.json_scanner import FoundObject, Scan, scan_objects
from embsyntax.rubric import MAX_SCORE, MIN_SCORE

FAILURE_CLASSES = (
    "request_failed",
    "refused",
    "empty",
    "truncated",
    "no_json",
    "schema",
    "several_objects",
)
"""Why a reply has no value, in the order in which the reasons are tried.

request_failed: no reply came. refused: the model or its filter declined to answer. empty: no text.
truncated: the text ends before the object does. no_json: no JSON object in the text. schema: an
object, but not of the form that was asked for. several_objects: two or more that differ.
"""

CUT_REASONS = frozenset({"length", "max_tokens"})
"""Finish reasons that mean: the limit of tokens was reached."""

REFUSED_REASONS = frozenset({"content_filter", "refusal"})
"""Finish reasons that mean: the text was held back."""

REFUSAL = re.compile(
    r"\b(?:I\s+(?:can(?:no|['’])t|am\s+(?:not\s+able|unable)\s+to)|I['’]m\s+(?:not\s+able|unable)"
    r"\s+to|(?:I['’]m|I\s+am)\s+sorry\s*,?\s*but|as\s+an\s+AI\b)",
    re.IGNORECASE,
)
"""How models decline in words; looked for only where there is no JSON object."""


class FormError(ValueError):
    """An object is not of the form that was asked for."""


@dataclass(frozen=True)
class ReplyForm:
    """The one object that a task asks for.

    Attributes:
        name: identifies the form to servers; letters, digits and underscores.
        schema: its JSON schema, within what servers can enforce: all properties required, no
            others allowed.
        read: takes an object's value out of it, or raises `FormError`.
    """

    name: str
    schema: Mapping[str, Any]
    read: Callable[[Mapping[str, Any]], Any]


@dataclass(frozen=True)
class Reading:
    """What a reply says.

    Attributes:
        value: what the form's `read` gave; None after a failure (a form may give None as well).
        failure_class: one of `FAILURE_CLASSES`, or `""`.
        detail: what was mended or wrong, in words; `""` for a clean reply.
    """

    value: Any
    failure_class: str
    detail: str


def make_form(
    name: str, key: str, types: Mapping[str, Any], read: Callable[[Any], Any]
) -> ReplyForm:
    """Make the form of an object with a single key.

    Args:
        name: of the form.
        key: the only key.
        types: JSON schema of its value.
        read: checks the value.

    Returns:
        The form.
    """

    def read_object(found: Mapping[str, Any]) -> Any:
        if set(found) != {key}:
            raise FormError(f"its keys are {', '.join(sorted(found)) or 'none'}, not {key}")
        return read(found[key])

    schema = {
        "type": "object",
        "properties": {key: types},
        "required": [key],
        "additionalProperties": False,
    }
    return ReplyForm(name, schema, read_object)


def read_sentence(value: Any) -> str | None:
    """Read a rewritten sentence: one line of text, or None where the change does not apply."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise FormError("sentence is neither text nor null")
    sentence = " ".join(value.split())
    if not sentence:
        raise FormError("sentence is empty")
    if any("\ud800" <= character <= "\udfff" for character in sentence):
        raise FormError("sentence holds half a character (a lone surrogate)")
    return sentence


def read_score(value: Any) -> int:
    """Read a score: a whole number of the rubric, which may be written as text."""
    if isinstance(value, str) and re.fullmatch(r"\s*\d{1,2}(?:\.0+)?\s*", value, re.ASCII):
        value = float(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not MIN_SCORE <= value <= MAX_SCORE or value != int(value):
        raise FormError(f"score is no whole number of {MIN_SCORE} to {MAX_SCORE}")
    return int(value)


SENTENCE_FORM = make_form("sentence", "sentence", {"type": ["string", "null"]}, read_sentence)
"""`{"sentence": "..."}`, or `{"sentence": null}` where the change cannot be made."""

SCORE_FORM = make_form(
    "score", "score", {"type": "integer", "enum": [*range(MIN_SCORE, MAX_SCORE + 1)]}, read_score
)
"""`{"score": 0}` to `{"score": 5}`."""


def read_reply(text: str, finish_reason: str, error: str, form: ReplyForm) -> Reading:
    """Read a reply.

    Args:
        text: what the model wrote.
        finish_reason: why it stopped, in the server's words (`stop`, `length`, ...).
        error: why no reply came, or `""`.
        form: what was asked for.

    Returns:
        The value, or the class of the failure.
    """
    if error:
        return Reading(None, "request_failed", error)
    if finish_reason in REFUSED_REASONS:
        return Reading(None, "refused", finish_reason)
    if not text.strip():
        is_cut = finish_reason in CUT_REASONS
        return Reading(None, "truncated" if is_cut else "empty", "no text")
    scan = scan_objects(text)
    if not scan.objects:
        return _explain_absence(text, finish_reason, scan)
    return _choose(scan, form)


def _explain_absence(text: str, finish_reason: str, scan: Scan) -> Reading:
    if scan.is_cut or finish_reason in CUT_REASONS:
        return Reading(None, "truncated", "no whole object")
    if REFUSAL.search(text):
        return Reading(None, "refused", "declined in words")
    return Reading(None, "no_json", f"{scan.n_invalid} invalid" if scan.n_invalid else "")


def _choose(scan: Scan, form: ReplyForm) -> Reading:
    """Take the value on which all objects of the right form agree."""
    values, chosen, faults = [], [], []
    for found in scan.objects:
        try:
            if found.has_repeated_key:
                raise FormError("a key stands in it twice")
            values.append(form.read(found.value))
            chosen.append(found)
        except FormError as error:
            faults.append(str(error))
    if not chosen:
        return Reading(None, "schema", faults[0])
    if any(value != values[0] for value in values):
        return Reading(None, "several_objects", f"{len(values)} that differ")
    return Reading(values[0], "", _describe(chosen[0], len(scan.objects), scan))


def _describe(found: FoundObject, n_objects: int, scan: Scan) -> str:
    counts = {
        "trailing commas": found.n_trailing_commas,
        "control characters": found.n_control_characters,
        "further objects": n_objects - 1,
        "invalid parts": scan.n_invalid,
    }
    notes = [f"{name} {n}" for name, n in counts.items() if n]
    notes += ["thinking"] if scan.has_thinking else []
    notes += ["a further part is cut off"] if scan.is_cut else []
    return "; ".join(notes)
