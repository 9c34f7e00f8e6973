"""Find the JSON objects in what a language model wrote, and count whatever had to be mended.

Models wrap JSON in code fences, think aloud before it, add commas that JSON does not allow, break
lines inside strings, stop half-way. The scanner knows strings, so that braces in them do not count,
and it never throws anything away in silence: each repair and each part that is no JSON is counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],]', re.DOTALL)
"""A whole string, a bracket or a comma; what lies between them does not matter here."""

LANDMARK = re.compile(r"<(?P<slash>/?)think(?:ing)?>|\{", re.IGNORECASE)
"""Where thinking begins or ends, or where an object may begin."""

THINKING_ENDS = re.compile(r"</think(?:ing)?>", re.IGNORECASE)

FENCE = "```"


@dataclass(frozen=True)
class FoundObject:
    """A JSON object in a text.

    Attributes:
        value: the object.
        start: position of its opening brace.
        end: position after its closing brace.
        n_trailing_commas: commas before a closing bracket that were left out.
        n_control_characters: raw line feeds, tabs and the like inside its strings.
        has_repeated_key: whether a key stands in it twice; the last value counts.
    """

    value: dict[str, Any]
    start: int
    end: int
    n_trailing_commas: int
    n_control_characters: int
    has_repeated_key: bool


@dataclass(frozen=True)
class Scan:
    """What a text holds.

    Attributes:
        objects: the objects outside thinking, none inside another, in their order.
        is_cut: whether the text ends inside an object or inside thinking.
        has_thinking: whether there was thinking; objects in it do not count.
        has_fence: whether there was a code fence.
        n_invalid: braces outside objects that begin no JSON, but for those that are cut off.
    """

    objects: tuple[FoundObject, ...]
    is_cut: bool
    has_thinking: bool
    has_fence: bool
    n_invalid: int


def scan_objects(text: str) -> Scan:
    """Find the JSON objects in a text.

    Text between `<think>` and `</think>` is skipped, and so is all text before a `</think>` without
    beginning (chat templates may write the beginning into the prompt) and after a `<think>` without
    end. Inside an object these are plain characters.

    Args:
        text: what a language model wrote.

    Returns:
        The objects and the counts.
    """
    objects: list[FoundObject] = []
    has_thinking = is_thinking_open = False
    n_invalid = n_unclosed = position = 0
    while landmark := LANDMARK.search(text, position):
        start = landmark.start()
        position = landmark.end()
        if landmark[0] == "{":
            end = find_end(text, start)
            found = None if end is None else parse_object(text, start, end)
            if found is not None:
                objects.append(found)
                # A brace that stays open before a whole object stood in plain words.
                n_invalid += n_unclosed
                n_unclosed = 0
                position = found.end
            elif end is not None:
                n_invalid += 1
            else:
                n_unclosed += 1
            continue
        has_thinking = True
        if landmark["slash"]:
            objects.clear()
            n_invalid = n_unclosed = 0
            continue
        close = THINKING_ENDS.search(text, position)
        is_thinking_open = close is None
        if close is None:
            break
        position = close.end()
    return Scan(
        objects=tuple(objects),
        is_cut=is_thinking_open or n_unclosed > 0,
        has_thinking=has_thinking,
        has_fence=FENCE in text,
        n_invalid=n_invalid,
    )


def find_end(text: str, start: int) -> int | None:
    """Return the position after the bracket that closes the one at `start`; None if none does."""
    depth = 0
    for token in TOKEN.finditer(text, start):
        if token[0] in ("{", "["):
            depth += 1
        elif token[0] in ("}", "]"):
            depth -= 1
            if depth == 0:
                return token.end()
    return None


def parse_object(text: str, start: int, end: int) -> FoundObject | None:
    """Parse the object that stands between two positions, mended where that is unambiguous.

    Args:
        text: what a language model wrote.
        start: position of an opening brace.
        end: position after the closing one.

    Returns:
        The object with its repairs, or None if it is no JSON object even so.
    """
    part, n_trailing_commas = drop_trailing_commas(text[start:end])
    repeated: list[bool] = []

    def build(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        repeated.append(len(value) < len(pairs))
        return value

    n_control_characters = 0
    try:
        try:
            value = json.loads(part, object_pairs_hook=build, parse_constant=_refuse_constant)
        except json.JSONDecodeError:
            repeated.clear()
            value = json.loads(
                part, object_pairs_hook=build, parse_constant=_refuse_constant, strict=False
            )
            strings = (token[0] for token in TOKEN.finditer(part) if token[0].startswith('"'))
            n_control_characters = sum(c < " " for string in strings for c in string)
    except (ValueError, RecursionError):
        return None
    return FoundObject(value, start, end, n_trailing_commas, n_control_characters, any(repeated))


def drop_trailing_commas(text: str) -> tuple[str, int]:
    """Leave out the commas that stand before a closing bracket, outside strings.

    Returns:
        The text without them, and how many there were.
    """
    tokens = list(TOKEN.finditer(text))
    commas = [
        token.start()
        for token, following in zip(tokens, tokens[1:], strict=False)
        if token[0] == ","
        and following[0] in ("}", "]")
        and not text[token.end() : following.start()].strip()
    ]
    for position in reversed(commas):
        text = text[:position] + text[position + 1 :]
    return text, len(commas)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
