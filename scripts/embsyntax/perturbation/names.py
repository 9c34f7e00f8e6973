"""Relation rules that exchange two names of one type, or the owners of two things."""

from __future__ import annotations

import re
from itertools import combinations

from spacy.tokens import Span, Token

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
from embsyntax.perturbation.noun_phrases import labelled, lowered
from embsyntax.perturbation.noun_words import (
    BAD_LEFT_TAGS,
    NAME_TAGS,
    NOUN_TAGS,
    UNMOVABLE_ENTITIES,
)
from embsyntax.perturbation.symmetric import (
    COMITATIVE,
    RECIPROCAL_VERBS,
    RIVAL_VERBS,
    SYMMETRIC_PREPOSITIONS,
    SYMMETRIC_VERBS,
)

GENERIC_OWNERS = word_set(
    "world today father mother people master bachelor men women children master year day week month"
)
"""Possessors that make one term with what they own."""

NAME_LABELS = frozenset({"PERSON", "GPE", "ORG", "NORP", "LOC", "PRODUCT", "FAC"})
PLACE_LABELS = frozenset({"GPE", "NORP"})
MODIFIER_LABELS = frozenset({"compound", "nmod", "amod", "poss"})
STRETCHED = re.compile(r"(.)\1\1", re.IGNORECASE)
"""Words that tweets stretch (`soooo`) are no names."""

LONGEST_JOINT = 3
"""Tokens of the longest words between two names that can join them as equals."""

WEEKDAY = re.compile(r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day", re.IGNORECASE)
MONTH = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
YEAR = re.compile(r"(?:19|20)\d\d")


@rule(
    name="possessor_swap",
    dimension="relation",
    perturbation="conceptual relationship",
    expected_score=3,
    why="the same words, but two things changed their owners",
    preconditions="two nouns with a possessor each",
)
def possessor_swap(sentence: Sentence) -> Change:
    """`Ann's dog bit Ben's cat` -> `Ben's dog bit Ann's cat`."""
    owners = labelled(sentence, "poss")
    reasons = []
    for first, second in combinations(owners, 2):
        try:
            return _swap_owners(sentence, first, second)
        except DeclineError as fault:
            reasons.append(str(fault))
    raise DeclineError(reasons[0] if reasons else "no two possessors")


def _swap_owners(sentence: Sentence, first: Token, second: Token) -> Change:
    if first.lower_ == second.lower_ or first.head.lemma_ == second.head.lemma_:
        raise DeclineError("same possessor or same possession")
    if (first.tag_ == "PRP$") != (second.tag_ == "PRP$"):
        raise DeclineError("pronoun may refer to the other phrase")
    pieces = [owner_piece(sentence, owner) for owner in (first, second)]
    left, right = (sentence.words(piece) for piece in pieces)
    new_left, new_right = right, left
    if pieces[0].start == sentence.start and starts_upper(sentence):
        new_left = upper_first(right)
        new_right = lowered(sentence, left, first.left_edge)
    text = replace_pieces(sentence, [(pieces[0], new_left), (pieces[1], new_right)])
    return Change(text, f"{left} <-> {right}")


def owner_piece(sentence: Sentence, owner: Token) -> Piece:
    """Where a possessor stands, its mark included.

    Raises:
        DeclineError: it names a kind or a time (`a master's degree`), or has no clear bounds.
    """
    piece = piece_of(owner.left_edge, owner.right_edge)
    if owner.tag_ == "PRP$":
        if owner.lower_ == "its":
            raise DeclineError("expletive or vague it")
        return piece
    if owner.right_edge.dep_ != "case" or owner.right_edge.lower_ not in {"'s", "’s"}:
        raise DeclineError("possessor without a mark")
    if owner.lower_ in GENERIC_OWNERS or owner.ent_type_ in UNMOVABLE_ENTITIES:
        raise DeclineError("possessor that names a kind")
    if owner.ent_type_ and owner.ent_type_ == owner.head.ent_type_:
        raise DeclineError("possessor inside a name")
    before = owner.left_edge.i and sentence.doc[owner.left_edge.i - 1]
    if before and before.tag_ in BAD_LEFT_TAGS | {"CC"}:
        raise DeclineError("phrase without clear bounds")
    if any(t.is_punct for t in owner.subtree):
        raise DeclineError("comma inside the phrase")
    return piece


@rule(
    name="same_type_swap",
    dimension="relation",
    perturbation="concept order",
    expected_score=2,
    why="the same words, but two names of one type changed roles",
    preconditions="two names (or weekdays, months, years, percentages) of one entity type that are "
    "not coordinated",
)
def same_type_swap(sentence: Sentence) -> Change:
    """`Israel downs a drone from Lebanon` -> `Lebanon downs a drone from Israel`."""
    spans = [(span, _type_of(span)) for span in sentence.doc.ents]
    reasons = []
    for (first, kind), (second, other) in combinations(spans, 2):
        if kind and kind == other:
            try:
                return _swap_spans(sentence, first, second)
            except DeclineError as fault:
                reasons.append(str(fault))
    raise DeclineError(reasons[0] if reasons else "no two names of one type")


def _type_of(span: Span) -> str:
    """What a named entity may be exchanged for, "" if for nothing."""
    if span.label_ in NAME_LABELS:
        return f"{span.label_} {span.root.tag_ if span.label_ == 'NORP' else ''}"
    if span.label_ == "DATE":
        for name, pattern in (("weekday", WEEKDAY), ("month", MONTH), ("year", YEAR)):
            if pattern.fullmatch(span.text):
                return name
    if span.label_ == "PERCENT" and re.fullmatch(r"[\d.]+ ?(?:percent|%)", span.text):
        return "percent"
    return ""


def _swap_spans(sentence: Sentence, first: Span, second: Span) -> Change:
    names = [_name(sentence, span) for span in (first, second)]
    words = [{t.lower_ for t in name} for name, _ in names]
    if words[0] & words[1]:
        raise DeclineError("both phrases have the same head")
    if "appos" in {first.root.dep_, second.root.dep_} or (
        _first_conjunct(first.root) == _first_conjunct(second.root)
    ):
        raise DeclineError("coordination")
    if _are_partners(first.root, second.root):
        raise DeclineError("symmetric predicate")
    between = sentence.doc[first.end : second.start]
    is_joined = len(between) <= LONGEST_JOINT and not any(t.pos_ == "VERB" for t in between)
    if all(t.is_punct or t.dep_ in {"cc", "det"} for t in between) or (
        is_joined and any(t.lower_ in SYMMETRIC_PREPOSITIONS | {"against"} for t in between)
    ):
        raise DeclineError("symmetric predicate")
    articles = [article for _, article in names]
    pieces = [piece_of(name[0], name[-1]) for name, _ in names]
    if (articles[0] is None) != (articles[1] is None):
        if any(span.root.dep_ in MODIFIER_LABELS for span in (first, second)):
            raise DeclineError("article that cannot move")
        pieces = [
            piece_of(name[0] if article is None else article, name[-1]) for name, article in names
        ]
    left, right = (sentence.words(piece) for piece in pieces)
    new_left, new_right = right, left
    if pieces[0].start == sentence.start and starts_upper(sentence):
        new_left = upper_first(right)
        new_right = lowered(sentence, left, sentence.tokens(pieces[0])[0])
    text = replace_pieces(sentence, [(pieces[0], new_left), (pieces[1], new_right)])
    return Change(text, f"{left} <-> {right}")


def _first_conjunct(token: Token) -> Token:
    while token.dep_ == "conj":
        token = token.head
    return token


def _are_partners(first: Token, second: Token) -> bool:
    """True if two words are arguments of a verb that needs no order between them."""
    verb = first.head
    if second.head == verb:
        return verb.lemma_ in SYMMETRIC_VERBS | RIVAL_VERBS
    preposition = second.head
    return (
        preposition.head == verb
        and preposition.lower_ in COMITATIVE
        and verb.lemma_ in RECIPROCAL_VERBS
    )


def _name(sentence: Sentence, span: Span) -> tuple[Span, Token | None]:
    """A named entity without its article, and its article.

    Raises:
        DeclineError: the entity has no clear bounds.
    """
    doc = sentence.doc
    article = None
    if span[0].lower_ == "the" and len(span) > 1:
        article, span = span[0], doc[span.start + 1 : span.end]
        article = article if article.head in span else None
    elif span.start and doc[span.start - 1].lower_ == "the" and doc[span.start - 1].head in span:
        article = doc[span.start - 1]
    is_name = span.label_ in NAME_LABELS
    if is_name and not all(t.tag_ in NAME_TAGS | {"JJ"} for t in span):
        raise DeclineError("no plain name")
    if is_name and (
        STRETCHED.search(span.text) or (span.text.islower() != sentence.text.islower())
    ):
        raise DeclineError("no plain name")
    before = doc[span.start - 1] if span.start else None
    if before is not None and (
        before.tag_ in NAME_TAGS | {"HYPH", "CD"} or not (before.whitespace_ or before.text in "(")
    ):
        raise DeclineError("phrase without clear bounds")
    after = doc[span.end : span.end + 2]
    if len(after) and after[0].tag_ in NAME_TAGS | {"HYPH", "CD"}:
        raise DeclineError("phrase without clear bounds")
    is_place = span.label_ in PLACE_LABELS and span.root.dep_ in MODIFIER_LABELS
    if len(after) == 2 and all(t.tag_ in NOUN_TAGS for t in after) and not is_place:
        raise DeclineError("phrase without clear bounds")
    following = sentence.text[span.end_char : span.end_char + 2]
    is_owner = following in {"'s", "’s"} and not span.text.endswith("s")
    if following and not (is_owner or following[0].isspace() or following[0] in ",.;:!?)"):
        raise DeclineError("phrase glued to its neighbour")
    return span, article
