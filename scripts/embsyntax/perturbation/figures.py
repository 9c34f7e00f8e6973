"""Relation rule that exchanges two figures, as in market reports and reports of casualties."""

from __future__ import annotations

import re
from itertools import combinations

from spacy.tokens import Token

from embsyntax.perturbation.engine import (
    Change,
    DeclineError,
    Sentence,
    piece_of,
    replace_pieces,
    rule,
    upper_first,
)
from embsyntax.perturbation.main_clause import word_set
from embsyntax.perturbation.modifiers import MODIFIER_SCORE

FIGURE = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[A-Za-z]+")
YEAR = re.compile(r"(?:19|20)\d\d")
UNITS = word_set("percent % pct million billion trillion cents points people point cent")
OUTCOMES = word_set(
    "dead killed injured wounded hurt missing arrested detained feared rescued sick ill"
)
"""Words that headlines put right behind the number of people."""

BEFORE_FIGURES = frozenset({"IN", "TO", "$", "CC", "VB", "VBD", "VBZ", "VBP", "VBN", "RB", "RP"})
"""Tags of words after which a number is no part of a name."""

MULTIPLES = word_set("hundred thousand million billion trillion dozen half third quarter")
NO_FIGURE = word_set("versus vs compared x")


def _is_figure(sentence: Sentence, token: Token) -> bool:
    """True for a number that stands for an amount and is written as one word."""
    if token.tag_ != "CD" or token.ent_type_ in {"DATE", "TIME"}:
        return False
    word = token.lower_
    if not FIGURE.fullmatch(word) or YEAR.fullmatch(word) or word in MULTIPLES:
        return False
    if token.i and not _is_behind_word(sentence, token):
        return False
    following = token.nbor() if token.i + 1 < len(token.doc) else None
    if following is None or following.text in {".", ",", ";"}:
        return token.dep_ == "pobj" and word[0].isdigit() and _is_end(sentence, token)
    if not token.whitespace_ and following.text != "%":
        return False
    if following.lower_ in UNITS | OUTCOMES:
        return True
    if following.tag_ == "NNS":
        return token.head == following
    return following.tag_ == "IN" and token.dep_ == "pobj" and word[0].isdigit()


def _is_behind_word(sentence: Sentence, token: Token) -> bool:
    before = token.nbor(-1)
    if before.lower_ in NO_FIGURE or not (before.whitespace_ or before.text == "$"):
        return False
    return before.tag_ in BEFORE_FIGURES or before.text == "," or before.lower_ in {"the", "least"}


def _is_end(sentence: Sentence, token: Token) -> bool:
    """True if no digit follows a number (`1,000` may be three words)."""
    after = sentence.text[token.idx + len(token) : token.idx + len(token) + 2]
    return not (len(after) == 2 and after[1].isalnum())


def _differ(first: Token, second: Token) -> bool:
    """True if an exchange of two numbers says something else."""
    if first.lower_ == second.lower_ or not (_fits(first, second) and _fits(second, first)):
        return False
    return _unit(first) != _unit(second) or second.head.dep_ != "conj"


def _unit(token: Token) -> str:
    return token.nbor().lower_ if token.i + 1 < len(token.doc) else ""


def _fits(token: Token, place: Token) -> bool:
    """True if a number can stand in the place of another: people are counted in whole numbers."""
    is_money = place.i > 0 and place.nbor(-1).text == "$"
    if is_money:
        return not token.is_alpha
    is_rate = _unit(place) in UNITS - {"people"} or (place.dep_ == "pobj" and not place.is_alpha)
    if token.lower_ in {"1", "one"}:
        return _unit(place) in OUTCOMES | {"percent", "%", "million", "billion"}
    return is_rate or "." not in token.text


@rule(
    name="figure_swap",
    dimension="relation",
    perturbation="conceptual relationship",
    expected_score=MODIFIER_SCORE,
    why="the same words and the same event, but two amounts changed places",
    preconditions="two different amounts, each a number of one word before a unit, a noun in the "
    "plural or an outcome (`dead`), or the object of a preposition",
)
def figure_swap(sentence: Sentence) -> Change:
    """`Shares fell 3.5 points to 210` -> `Shares fell 210 points to 3.5`."""
    figures = [token for token in sentence.doc if _is_figure(sentence, token)]
    pair = next((pair for pair in combinations(figures, 2) if _differ(*pair)), None)
    if pair is None:
        raise DeclineError("no two amounts")
    first, second = pair
    left, right = first.text, second.text
    new_left, new_right = right, left
    if first.idx == sentence.start and not sentence.text.islower():
        new_left, new_right = upper_first(right), left.lower()
    edits = [(piece_of(first), new_left), (piece_of(second), new_right)]
    return Change(replace_pieces(sentence, edits), f"{left} <-> {right}")
