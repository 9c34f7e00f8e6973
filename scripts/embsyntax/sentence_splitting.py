"""Sentences of a passage, by rules, each with its place in the passage.

A passage is cut at line breaks and after `.`, `!`, `?` or an ellipsis, where white space and a
capital letter, a digit, a quote, a bracket or a mark of a list follow. Periods of abbreviations,
initials, decimals and numbered lists end no sentence. Where a period can be both (`U.S.`, `etc.`),
it ends one if the next word is one that mostly begins sentences. Text is never changed: a sentence
is a slice of its passage.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text, which white space separates."""
    return frozenset(words.split())


class Span(NamedTuple):
    """Place of a sentence: `passage[start:end]`, in characters, without outer white space."""

    start: int
    end: int


NEVER_LAST = word_set(
    "mr mrs ms messrs dr prof rev hon gen sen rep gov pres lt col capt cmdr sgt maj adm "
    "vs e.g i.e cf viz approx ca"
)
"""Abbreviations in lower case, without their last period, that stand before something."""

BEFORE_NUMBER = word_set(
    "no nos p pp fig figs vol vols sec art ch eq jan feb mar apr jun jul aug sep sept oct nov dec "
    "est op ver c"
)
"""The same that end no sentence before a digit."""

SOMETIMES_LAST = word_set(
    "inc ltd co corp jr sr etc al ave blvd dept univ assn bros et sq cu min max avg st mt ft v ph.d"
)
"""The same that may end a sentence; so may initials and words with inner periods (`U.S.`)."""

STARTERS = word_set(
    "the a an in on at by for from to of with without as if when while after before since although "
    "though because however but and or so yet then thus also it he she they we you i this that "
    "these those there here his her its their our my your one some many most all both each every "
    "no not what who which where why how during under over between among such other another "
    "according despite unlike until once"
)
"""Words in lower case that mostly begin a sentence where they stand with a capital letter."""

LINE = re.compile(r"[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
BULLET = r"(?:[-*•·‣▪●–—]|\(?\d{1,2}[.)]|\(?[A-Za-z][)])"
LIST_MARK = re.compile(rf"{BULLET}\s+")
STOP = re.compile(
    rf"""
    (?P<mark>\.{{2,}}|…|[.!?]+)             # what ends a sentence
    (?P<closing>["'”’»)\]]*)                # quotes and brackets that close with it
    (?:\[[^\[\]]{{1,40}}\])*                  # notes such as [12] or [citation needed]
    (?:\s+(?=(?:{BULLET}\s+)?["'“‘«(\[]*[A-Z0-9À-ÞŠŽ])|\s*$)   # how the next one begins
    """,
    re.VERBOSE,
)
LAST_WORD = re.compile(r"[^\s()\[\]\"“”‘’']+$")
NEXT_WORD = re.compile(r"[^\W\d_]+")
INITIALS = re.compile(r"[A-Z](?:[.-][A-Za-z]{1,2})*")


def split_sentences(passage: str) -> list[Span]:
    """Return the places of the sentences of a passage, in order; they never overlap.

    Marks of lists (`- `, `• `, `2. `, `b) `) at the start of a line or sentence belong to none, nor
    do notes in square brackets behind a sentence. What stands on a line of its own, such as a
    heading, is a sentence here.
    """
    return [
        span
        for line in LINE.finditer(passage)
        for span in _split_line(passage, line.start(), line.end())
    ]


def _split_line(passage: str, start: int, end: int) -> Iterator[Span]:
    """Yield the sentences of one line."""
    start = _skip_list_mark(passage, start, end)
    for stop in STOP.finditer(passage, start, end):
        if stop.start() < start:
            continue
        if stop.end() == end or _ends_sentence(passage[start : stop.start()], stop, passage):
            yield Span(start, stop.end("closing"))
            start = _skip_list_mark(passage, stop.end(), end)
    while end > start and passage[end - 1].isspace():
        end -= 1
    if end > start:
        yield Span(start, end)


def _skip_list_mark(passage: str, start: int, end: int) -> int:
    """Return where the text begins after white space and at most one mark of a list."""
    while start < end and passage[start].isspace():
        start += 1
    mark = LIST_MARK.match(passage, start, end)
    return mark.end() if mark else start


def _ends_sentence(before: str, stop: re.Match[str], passage: str) -> bool:
    """Say whether a mark ends the sentence of which `before` is what stands before it."""
    if stop["mark"] != "." or stop["closing"]:
        return True
    last = LAST_WORD.search(before)
    if last is None:
        return True
    word = last[0].lower()
    if word in NEVER_LAST:
        return False
    if word in BEFORE_NUMBER and passage[stop.end()].isdigit():
        return False
    if word in SOMETIMES_LAST or INITIALS.fullmatch(last[0]) or re.fullmatch(r"[ap]\.m", word):
        following = NEXT_WORD.match(passage, stop.end())
        return following is not None and following[0].lower() in STARTERS
    return True
