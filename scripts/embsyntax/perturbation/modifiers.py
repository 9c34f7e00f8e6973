"""Relation rules that exchange what stands before two nouns: adjectives, numbers, other nouns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from spacy.tokens import Token

from embsyntax.perturbation.engine import (
    Change,
    DeclineError,
    Piece,
    Sentence,
    piece_of,
    replace_pieces,
    rule,
    starts_upper,
    upper_first,
)
from embsyntax.perturbation.main_clause import word_set
from embsyntax.perturbation.noun_phrases import is_known_word, is_title_like, labelled, lowered
from embsyntax.perturbation.noun_words import MASS_NOUNS

MODIFIER_SCORE = 3
MODIFIER_WHY = "the same words and the same event, but two things exchanged what describes them"

COMMON_TAGS = frozenset({"NN", "NNS"})
NOUN_LIKE_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "HYPH"})
PLAIN_MODIFIER_TAGS = frozenset({"JJ", "RB", "CC"})
BEFORE_NOUN_LABELS = frozenset({"det", "poss", "amod", "compound", "nummod"})

ALIKE_ADJECTIVES = tuple(
    word_set(words)
    for words in (
        "red blue green yellow black white brown grey gray orange pink purple golden blond blonde",
        "big small large little tiny huge tall short long giant massive wide narrow high low",
        "old young new elderly ancient modern fresh",
        "wet dry muddy dirty clean dusty sandy grassy snowy icy rocky",
        "happy sad angry excited tired smiling laughing upset",
        "wooden metal plastic concrete stone",
        "hot cold warm cool",
        "rich poor cheap expensive",
        "strong weak soft hard heavy light",
        "good bad great nice terrible awful",
        "north south east west northern southern eastern western central",
        "economic political military social financial legal nuclear chemical",
    )
)
"""Adjectives that describe the same quality: exchanging these gives plausible sentences."""

UNMOVABLE_ADJECTIVES = word_set(
    """other same many much few several various certain own such next last first second third main
    former current only whole entire more most less least different multiple numerous double single
    half full total front back left right top bottom similar extra additional further latest recent
    early late past future due very able sure possible available net gross grand fellow so called ex
    vice high prime real secret special general particular common public private nuclear solar
    electric digital dual hard soft live open raw like opposite respective mere utter sheer upcoming
    ongoing overall initial final alleged chief executive decrease increase syn 1st 2nd 3rd"""
)
"""Adjectives that count, order or name, or that mostly form one term with their noun."""

YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True)
class Modifier:
    """What stands before a noun.

    Attributes:
        token: head of the modifier.
        noun: the noun that it modifies.
        piece: where it stands.
        article: the `a` or `an` right before it, if there is one.
    """

    token: Token
    noun: Token
    piece: Piece
    article: Token | None


def article_before(word: str) -> str:
    """Return `a` or `an` for a following word."""
    lower = word.lower()
    if re.match(r"(?:hour|honest|honou?r|heir)", lower):
        return "an"
    if re.match(r"(?:u\.|uni[tfvqc]|union|use|usu|eu|one\b|once|ubi|ubu(?!n)|ura|uto|ufo)", lower):
        return "a"
    if re.match(r"[A-Z][A-Z0-9]", word):
        return "an" if word[0] in "AEFHILMNORSX" else "a"
    if re.match(r"(?:8|11(?!\d)|18(?!\d))", lower):
        return "an"
    return "an" if lower[:1] in "aeiou" else "a"


def article_edit(article: Token | None, word: str) -> tuple[Piece, str] | None:
    """Return the edit that makes `a` or `an` fit a following word, None if none is needed.

    Args:
        article: the word before the place where the word will stand, None if there is none.
        word: what will stand there.
    """
    if article is None or article.lower_ not in {"a", "an"}:
        return None
    form = article_before(word)
    if form == article.lower_:
        return None
    return piece_of(article), form.capitalize() if article.text[0].isupper() else form


def _modifier(sentence: Sentence, token: Token) -> Modifier | None:
    """Return a modifier with its bounds, None if it is glued to its neighbours or not plain."""
    doc, text = sentence.doc, sentence.text
    piece = piece_of(token.left_edge, token.right_edge)
    before, after = text[piece.start - 1 : piece.start], text[piece.end : piece.end + 1]
    if (before and not before.isspace()) or not after.isspace():
        return None
    if not re.fullmatch(r"[\w ]+", sentence.words(piece)):
        return None
    first = token.left_edge.i
    article = doc[first - 1] if first and doc[first - 1].lower_ in {"a", "an"} else None
    return Modifier(token, token.head, piece, article)


def _find(
    sentence: Sentence, label: str, is_wanted: Callable[[Sentence, Token], bool]
) -> list[Modifier]:
    """Return the modifiers of a sentence with a label that a test lets pass."""
    tokens = labelled(sentence, label)
    found = [_modifier(sentence, token) for token in tokens if is_wanted(sentence, token)]
    return [modifier for modifier in found if modifier is not None]


def _is_before_word(token: Token, tags: frozenset[str]) -> bool:
    """True if a word with one of some tags follows a token."""
    return token.i + 1 < len(token.doc) and token.nbor().tag_ in tags


def _is_adjective(sentence: Sentence, token: Token) -> bool:
    """True for the only adjective of a common noun that is no name or term with it."""
    noun = token.head
    if token.tag_ != "JJ" or noun.tag_ not in COMMON_TAGS:
        return False
    if token.i > noun.i or token.is_upper or token.lower_ in UNMOVABLE_ADJECTIVES:
        return False
    if {token.ent_type_, noun.ent_type_} - {"", "NORP"}:
        return False
    if token.ent_type_ != "NORP" and token.text[0].isupper() and token.idx != sentence.start:
        return False
    labels = [child.dep_ for child in noun.lefts]
    if set(labels) - BEFORE_NOUN_LABELS or labels.count("amod") != 1:
        return False
    if any(t.tag_ not in PLAIN_MODIFIER_TAGS for t in token.subtree):
        return False
    first = token.left_edge
    if first.i and first.nbor(-1).tag_ in NOUN_LIKE_TAGS | {"JJ", "VBN"}:
        return False
    between = sentence.doc[token.right_edge.i + 1 : noun.i]
    if any(t.dep_ != "compound" or t.tag_ not in COMMON_TAGS for t in between):
        return False
    return not _is_before_word(noun, NOUN_LIKE_TAGS)


def _is_noun_modifier(sentence: Sentence, token: Token) -> bool:
    """True for a single common noun before a common noun."""
    if token.tag_ != "NN" or token.head.tag_ not in COMMON_TAGS:
        return False
    if token.i != token.head.i - 1 or not (token.text.islower() and token.is_alpha):
        return False
    if token.head.ent_type_ or any(True for _ in token.children):
        return False
    if token.i and token.nbor(-1).tag_ in NOUN_LIKE_TAGS | {"JJ", "CD"}:
        return False
    return not _is_before_word(token.head, NOUN_LIKE_TAGS)


def _is_number(sentence: Sentence, token: Token) -> bool:
    """True for a number other than one, and no year, before a plural noun."""
    if token.tag_ != "CD" or token.i > token.head.i:
        return False
    if token.lower_ in {"one", "1"} or YEAR.fullmatch(token.text):
        return False
    if any(True for _ in token.children):
        return False
    return token.head.tag_ == "NNS" or token.head.lower_ in {"percent", "%", "people"}


def _likeness(pair: tuple[Modifier, Modifier]) -> int:
    """1 if two adjectives describe the same quality or origin, otherwise 0."""
    first, second = (modifier.token for modifier in pair)
    if first.ent_type_ == second.ent_type_ == "NORP":
        return 1
    return int(any({first.lower_, second.lower_} <= words for words in ALIKE_ADJECTIVES))


def _can_change(pair: tuple[Modifier, Modifier]) -> bool:
    """True if an exchange of two modifiers, given in their order, says something else."""
    first, second = pair
    if first.noun.lemma_.lower() == second.noun.lemma_.lower():
        is_number = first.token.tag_ == second.token.tag_ == "CD"
        return (
            is_number
            and "conj" not in (first.noun.dep_, second.noun.dep_)
            and (first.token.lower_ != second.token.lower_)
        )
    return (
        first.noun.i < second.token.i
        and first.token.lemma_ != second.token.lemma_
        and first.token.lemma_ not in {t.lemma_ for t in second.noun.lefts}
        and second.token.lemma_ not in {t.lemma_ for t in first.noun.lefts}
        and first.token.lemma_ != second.noun.lemma_
        and second.token.lemma_ != first.noun.lemma_
    )


def _exchange(sentence: Sentence, pair: tuple[Modifier, Modifier]) -> Change:
    first, second = pair
    left, right = (sentence.words(modifier.piece) for modifier in pair)
    new_first, new_second = right, left
    if first.piece.start == sentence.start and starts_upper(sentence):
        new_first = upper_first(right)
        new_second = lowered(sentence, left, first.token.left_edge)
    edits = [(first.piece, new_first), (second.piece, new_second)]
    articles = [article_edit(first.article, right), article_edit(second.article, left)]
    edits += [edit for edit in articles if edit is not None]
    text = replace_pieces(sentence, edits)
    return Change(text, f"{left} {first.noun.text} <-> {right} {second.noun.text}")


def _swap(sentence: Sentence, pairs: Iterator[tuple[Modifier, Modifier]], missing: str) -> Change:
    """Exchange the first of the most alike pairs.

    Raises:
        DeclineError: there is no pair whose exchange says something else.
    """
    possible = [pair for pair in pairs if _can_change(pair)]
    if not possible:
        raise DeclineError(missing)
    return _exchange(sentence, max(possible, key=_likeness))


@rule(
    name="modifier_swap",
    dimension="relation",
    perturbation="conceptual relationship",
    expected_score=MODIFIER_SCORE,
    why=MODIFIER_WHY,
    preconditions="two different common nouns with one adjective each",
)
def modifier_swap(sentence: Sentence) -> Change:
    """`a red car and a big house` -> `a big car and a red house`."""
    pairs = combinations(_find(sentence, "amod", _is_adjective), 2)
    return _swap(sentence, pairs, "no two nouns with an adjective each")


@rule(
    name="noun_modifier_swap",
    dimension="relation",
    perturbation="conceptual relationship",
    expected_score=MODIFIER_SCORE,
    why=MODIFIER_WHY,
    preconditions="two different common nouns, each with a common noun before it",
)
def noun_modifier_swap(sentence: Sentence) -> Change:
    """`a city street near a mountain road` -> `a mountain street near a city road`."""
    pairs = combinations(_find(sentence, "compound", _is_noun_modifier), 2)
    return _swap(sentence, pairs, "no two nouns with a noun before each")


@rule(
    name="mixed_modifier_swap",
    dimension="relation",
    perturbation="conceptual relationship",
    expected_score=MODIFIER_SCORE,
    why=MODIFIER_WHY,
    preconditions="a common noun with an adjective right before it, and another with a noun",
)
def mixed_modifier_swap(sentence: Sentence) -> Change:
    """`a black dog on a dirt road` -> `a dirt dog on a black road`."""
    adjectives = [
        modifier
        for modifier in _find(sentence, "amod", _is_adjective)
        if modifier.token.i == modifier.noun.i - 1 and modifier.token.left_edge == modifier.token
    ]
    nouns = _find(sentence, "compound", _is_noun_modifier) if adjectives else []
    pairs = (
        (adjective, noun) if adjective.token.i < noun.token.i else (noun, adjective)
        for adjective in adjectives
        for noun in nouns
    )
    return _swap(sentence, pairs, "no two nouns with an adjective and a noun before them")


@rule(
    name="number_swap",
    dimension="relation",
    perturbation="conceptual relationship",
    expected_score=MODIFIER_SCORE,
    why="the same words and the same event, but two amounts changed places",
    preconditions="two different nouns in the plural with a number each",
)
def number_swap(sentence: Sentence) -> Change:
    """`two dogs and three cats` -> `three dogs and two cats`."""
    pairs = combinations(_find(sentence, "nummod", _is_number), 2)
    return _swap(sentence, pairs, "no two nouns with a number each")


@rule(
    name="compound_swap",
    dimension="relation",
    perturbation="conceptual relationship",
    expected_score=MODIFIER_SCORE,
    why="the same words, but what is described and what describes it changed roles",
    preconditions="a common noun with one common noun before it, both in the singular, and a "
    "determiner that suits both, or a title",
    off_because="too many outcomes read like a slip (`a police bike` -> `a bike police`): most "
    "compounds have no sensible reverse",
)
def compound_swap(sentence: Sentence) -> Change:
    """`the guest account` -> `the account guest`."""
    for modifier in _find(sentence, "compound", _is_noun_modifier):
        token, noun = modifier.token, modifier.noun
        if noun.tag_ == "NN" and noun.text.islower() and _can_be_head(sentence, modifier):
            edits = [(piece_of(token, noun), f"{noun.text} {token.text}")]
            edit = article_edit(modifier.article, noun.text)
            if edit is not None:
                edits.append(edit)
            return Change(replace_pieces(sentence, edits), f"{token.text} <-> {noun.text}")
    raise DeclineError("no noun with a noun before it")


def _can_be_head(sentence: Sentence, modifier: Modifier) -> bool:
    """True if the noun before a noun can be the head in the same place."""
    word = modifier.token.lower_
    if word.endswith("ing") or modifier.noun.lower_.endswith("ing") or not is_known_word(word):
        return False
    determiners = [t for t in modifier.noun.lefts if t.dep_ in {"det", "poss"}]
    if any(t.lower_ in {"a", "an", "each", "every", "another"} for t in determiners):
        return word not in MASS_NOUNS
    return bool(determiners) or is_title_like(sentence) or word in MASS_NOUNS
