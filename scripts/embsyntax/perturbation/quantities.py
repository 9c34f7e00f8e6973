"""Numbers, dates and quantifiers, and what may stand for each where it stands.

Nothing is registered here; see `traps.trap_numbers` and `traps.trap_quantifier`.
"""

from __future__ import annotations

import re

from spacy.tokens import Token

from embsyntax.perturbation.engine import Piece, Sentence, piece_of
from embsyntax.perturbation.lexical import sentence_words
from embsyntax.perturbation.main_clause import word_set
from embsyntax.perturbation.noun_words import WH_TAGS
from embsyntax.perturbation.statements import beside, next_token

SMALL = (
    *("two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "eleven", "twelve"),
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
ORDINALS = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
LARGE = ("thousand", "million", "billion")
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    *("january", "february", "march", "april", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
SERIES = {
    word: series for series in (SMALL, TENS, ORDINALS, LARGE, WEEKDAYS, MONTHS) for word in series
}
"""Words that stand for numbers and dates, each with those that may stand for it."""

NAMED_DAYS = word_set("black good ash cyber easter holy")
"""Words before a weekday with which it names a holiday."""

RELEASES = ("10.04", "10.10", "11.04", "11.10", "12.04", "12.10", "13.04", "13.10", "14.04")
RELEASED = "ubuntu"
"""Version numbers that exist, and what of."""

FIGURE = re.compile(r"(\d{1,3}(?:,\d{3})+|\d{1,9})(\.\d+)?")
GLUE = re.compile(r"[\w\-–/:'’#@.^_\\=+*~<>]")
"""Characters beside a number that make it part of a score, time, version or formula."""

NO_FIGURE_AFTER = word_set("s x ers - / : th st nd rd bit")
NO_FIGURE_BEFORE = word_set("- / : no. # + = version")
CLOCK = word_set("am pm a.m. p.m. o'clock")
YEARS = range(1700, 2100)
YEAR_STEPS = (2, 3, 4, 6)
FACTORS = (0.6, 0.8, 1.2, 1.4)
"""A number changes by as much, so that it stays plausible where it stands."""


def other_numbers(sentence: Sentence, token: Token) -> list[str]:
    """Return what may stand for a number, weekday or month in lower case; nothing for other words.

    Args:
        sentence: the source.
        token: one of its tokens.
    """
    text, start, end = sentence.text, token.idx, token.idx + len(token)
    is_figure = text[start].isdigit()
    if not is_figure and token.lower_ not in SERIES:
        return []
    glued = text[start - 1 : start] + (text[end : end + 1] if end < sentence.end else "")
    if GLUE.search(glued) or (token.i and beside(token, -1) in NO_FIGURE_BEFORE):
        return []
    if any(span.start < end and start < span.end for span in sentence.protected):
        return []
    found = _other_figures(token) if is_figure else _other_words(token)
    return [number for number in found if number not in sentence_words(sentence)]


def _other_words(token: Token) -> list[str]:
    form, following = token.lower_, beside(token, 1)
    series = SERIES[form]
    if series in (WEEKDAYS, MONTHS):
        is_date = token.pos_ == "PROPN" and token.ent_type_ == "DATE"
        is_name = following in ("day", "'s", "’s") or beside(token, -1) in NAMED_DAYS
        return [word for word in series if word != form] if is_date and not is_name else []
    if series is ORDINALS:
        is_order = token.tag_ == "JJ" and token.dep_ == "amod" and token.ent_type_ == "ORDINAL"
        return [word for word in series if word != form] if is_order else []
    if token.tag_ != "CD" or following in ("of", "another", "-", "and"):
        return []
    if series is not SMALL:
        return [word for word in series if word != form]
    place = series.index(form)
    return [word for word in series[max(0, place - 2) : place + 3] if word != form]


def _other_figures(token: Token) -> list[str]:
    """Return other numbers in the form of a number in figures."""
    text, following = token.text, beside(token, 1)
    if text in RELEASES and RELEASED in token.doc.text.lower():
        return [release for release in RELEASES if release != text]
    match = FIGURE.fullmatch(text)
    if match is None or token.pos_ not in ("NUM", "PROPN", "NOUN"):
        return []
    whole, fraction = match[1], match[2] or ""
    number, is_grouped = int(whole.replace(",", "")), "," in whole
    if number < 2 or whole.startswith("0") or following[:1] == "." or following in NO_FIGURE_AFTER:
        return []
    if fraction.startswith(".0") and len(whole) <= 2:
        return []
    if number in YEARS and not fraction and not is_grouped and beside(token, -1) != "$":
        return [str(number - step) for step in YEAR_STEPS]
    if following in CLOCK:
        return [str(hour) for hour in range(2, 12) if hour != number] if number <= 12 else []
    if number < 10:
        return [f"{n}{fraction}" for n in range(max(2, number - 2), number + 3) if n != number]
    unit = 10 ** (len(str(number)) - len(str(number).rstrip("0")))
    limit = 10**9
    if following in ("%", "percent", "per") and number <= 100:
        limit = 100
    elif token.ent_type_ == "DATE" and number <= 31:
        limit = 28
    values = {round(number * factor / unit) * unit for factor in FACTORS} - {number}
    return [
        (f"{value:,}" if is_grouped else str(value)) + fraction
        for value in sorted(values)
        if 2 <= value <= limit
    ]


PRONOUNS = {
    "everyone": "no one",
    "everybody": "nobody",
    "someone": "everyone",
    "somebody": "everybody",
    "everything": "nothing",
    "nobody": "everybody",
}
OF_A_WHOLE = {"all": "some", "some": "all", "most": "few", "many": "few", "few": "most"}
"""Quantifiers before `of`."""

MANY = word_set("dozens hundreds thousands millions")
MEASURES = MANY | word_set("lot lots number couple majority minority half")
BOUNDS = word_set("least more less fewer over up")
DETERMINERS = word_set("all every each most many few several some")
QUANTITY_WORDS = frozenset(PRONOUNS) | MEASURES | BOUNDS | DETERMINERS

FIXED_BEFORE = word_set(
    "how so too as that very not at after above of over the last past next first"
)
"""Words before a quantifier with which it forms one expression."""

TIME_UNITS = word_set(
    "second seconds minute minutes hour hours day days week weeks month months year years decade "
    "decades century centuries night nights morning season time times moment while"
)
AMOUNTS = TIME_UNITS | word_set(
    "$ % percent per million billion dollars euros pounds kilograms kilometers kilometres miles "
    "meters metres feet inches liters litres degrees points tons tonnes acres"
)
"""Words beside a number that make it an amount: `less than`, not `fewer than`."""

POLAR_OPENINGS = word_set("can could would does is do are did")


def other_quantity(token: Token) -> tuple[Piece, str] | None:
    """Return where a quantifier stands and what may stand there, or None for any other word."""
    form = token.lower_
    if form in PRONOUNS:
        return _other_pronoun(token)
    if form in BOUNDS:
        return _other_bound(token)
    if form in MEASURES:
        return _other_measure(token)
    if form in DETERMINERS:
        return _other_part(token) if beside(token, 1) == "of" else _other_determiner(token)
    return None


def _other_pronoun(token: Token) -> tuple[Piece, str] | None:
    is_argument = token.dep_ in ("nsubj", "nsubjpass", "dobj", "agent", "pobj")
    is_alone = not any(child.dep_ in ("relcl", "amod", "acl") for child in token.children)
    is_asked = token.doc[0].lower_ in POLAR_OPENINGS
    if token.dep_ in ("dobj", "pobj") and beside(token, -1) != token.head.lower_:
        return None
    if any(child.dep_ == "neg" for child in token.head.children):
        return None
    if is_argument and is_alone and not is_asked and beside(token, 1) not in ("else", "'s", "’s"):
        return piece_of(token), PRONOUNS[token.lower_]
    return None


def _other_part(token: Token) -> tuple[Piece, str] | None:
    """`All of the dogs` -> `some of the dogs`."""
    if token.lower_ not in OF_A_WHOLE or beside(token, -1) in FIXED_BEFORE:
        return None
    if beside(token, 2) in ("", "a", "an"):
        return None
    return piece_of(token), OF_A_WHOLE[token.lower_]


def _is_plural(noun: Token) -> bool:
    return noun.tag_ == "NNS" or noun.lower_ == "people"


def _other_determiner(token: Token) -> tuple[Piece, str] | None:
    form, noun, previous = token.lower_, token.head, beside(token, -1)
    is_a_few = form == "few" and previous == "a"
    if previous in FIXED_BEFORE or (previous == "a" and not is_a_few):
        return None
    if token.dep_ not in ("det", "amod", "predet") or noun.i < token.i:
        return None
    if noun.lower_ in TIME_UNITS or noun.ent_type_ in ("DATE", "TIME"):
        return None
    following = token.nbor(1)
    if form == "all" and (
        following.dep_ == "poss" or following.lower_ in ("the", "these", "those")
    ):
        return piece_of(token), "some of"
    is_subject = noun.dep_ in ("nsubj", "nsubjpass")
    if not is_subject and any(child.dep_ == "neg" for child in noun.head.children):
        return None
    if form in ("every", "each"):
        if noun.tag_ != "NN" or not (is_subject or noun.dep_ in ("dobj", "pobj")):
            return None
        return piece_of(token), "no" if form == "every" and is_subject else "one"
    if not _is_plural(noun) or any(c.pos_ == "NUM" or c.lower_ == "other" for c in noun.lefts):
        return None
    if form == "some":
        is_asked = noun.head.lemma_ == "be" and token.doc[0].tag_ in WH_TAGS
        return None if is_asked else (piece_of(token), "all" if is_subject else "all the")
    if form == "few":
        return piece_of(token.nbor(-1), token) if is_a_few else piece_of(token), "many"
    if form == "several":
        is_argument = is_subject or noun.dep_ in ("dobj", "attr")
        return (piece_of(token), "no") if is_argument else None
    if form == "most" and (token.tag_ not in ("JJS", "DT") or (token.is_title and token.i > 0)):
        return None
    return piece_of(token), {"all": "some", "most": "few", "many": "few"}[form]


def _other_measure(token: Token) -> tuple[Piece, str] | None:
    """`A lot of` -> `few` or `little`, `dozens of` -> `a handful of`, `most of` -> `few of`."""
    form, previous, of = token.lower_, beside(token, -1), next_token(token)
    if of is None or of.lower_ != "of":
        return None
    noun = next((child for child in of.rights if child.dep_ == "pobj"), None)
    if noun is None:
        return None
    if form in ("majority", "minority"):
        return piece_of(token), "minority" if form == "majority" else "majority"
    if form == "half":
        return None if previous in ("a", "the", "second", "first") else (piece_of(token), "all")
    if form in MANY:
        is_count = _is_plural(noun) and previous not in ("of", "and", "tens", "the")
        return (piece_of(token), "a handful") if is_count else None
    if any(
        child.dep_ == "poss" or child.lower_ in ("the", "these", "those") for child in noun.lefts
    ):
        return None
    if form == "lots":
        return piece_of(token, of), "few" if _is_plural(noun) else "little"
    if previous != "a" or not (form == "lot" or _is_plural(noun)):
        return None
    few = "many" if form == "couple" else "few"
    return piece_of(token.nbor(-1), of), few if _is_plural(noun) else "little"


def _other_bound(token: Token) -> tuple[Piece, str] | None:
    """`At least 20` -> `at most 20`, `more than 20` -> `fewer than 20`, `up to` -> `at least`."""
    form, previous, following = token.lower_, beside(token, -1), next_token(token)
    if following is None:
        return None
    if form in ("least", "over"):
        is_number = following.pos_ == "NUM" or following.text == "$"
        if not is_number or (form == "least") != (previous == "at"):
            return None
        if form == "over" and token.dep_ not in ("quantmod", "advmod"):
            return None
        return piece_of(token), "most" if form == "least" else "under"
    number = next_token(token, 2)
    if number is None or (number.pos_ != "NUM" and number.text != "$"):
        return None
    if form == "up":
        if following.lower_ != "to" or token.dep_ not in ("quantmod", "advmod"):
            return None
        return piece_of(token, following), "at least"
    if following.lower_ != "than" or previous in ("no", "not", "much", "any", "little", "and"):
        return None
    if form != "more":
        return piece_of(token), "more"
    is_amount = any(t.lower_ in AMOUNTS for t in token.doc[number.i : number.i + 4])
    return piece_of(token), "less" if is_amount else "fewer"
