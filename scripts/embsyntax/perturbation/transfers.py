"""Relation rule that hands an adjective from one noun to another."""

from __future__ import annotations

from collections.abc import Iterator

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
from embsyntax.perturbation.main_clause import is_title_case, word_set
from embsyntax.perturbation.modifiers import (
    MODIFIER_SCORE,
    NOUN_LIKE_TAGS,
    UNMOVABLE_ADJECTIVES,
    article_edit,
)
from embsyntax.perturbation.noun_phrases import is_title_like, kind_of, labelled, lowered
from embsyntax.perturbation.noun_words import (
    BAD_DETERMINERS,
    BAD_HEADS,
    BAD_LEFT_TAGS,
    INDEFINITE,
    MASS_NOUNS,
    SET_NOUNS,
    TIME_AND_MEASURE,
)
from embsyntax.perturbation.symmetric import PART_NOUNS, RELATIONAL_NOUNS, SET_PHRASES

COMMON_TAGS = frozenset({"NN", "NNS"})
BEFORE_ADJECTIVE = frozenset({"det", "poss", "nummod", "predet"})
NOUN_LABELS = frozenset({"nsubj", "nsubjpass", "dobj", "pobj", "attr", "ROOT", "conj", "appos"})

BOUND_ADJECTIVES = word_set(
    """human civil criminal sexual gay racial mobile wireless virtual remote external internal
    facial stainless solid prime minimum maximum quarterly fiscal worth alone ill dead ago away able
    unable about due likely ready afraid aware dear happy good great big supreme united free bare
    made used based given related involved own written born left lost done"""
)
"""Adjectives that mostly form one term with their noun, or that greet or stand in set phrases."""

NOUNS_OF_ABSTRACTS = (
    word_set(
        """order way time part fact case example place side reason number amount result problem
    question lot line place cause kind thing point terms ways view charge use addition risk hat
    thanks air"""
    )
    | INDEFINITE
)
"""Nouns that take few adjectives, or that lose their sense without one."""


def _is_donor(sentence: Sentence, token: Token) -> bool:
    """True for the first adjective of a common noun that can go without it."""
    noun = token.head
    if (
        token.dep_ != "amod"
        or token.tag_ not in {"JJ", "VBG", "VBN"}
        or noun.tag_ not in COMMON_TAGS
    ):
        return False
    if token.lower_ in UNMOVABLE_ADJECTIVES | BOUND_ADJECTIVES or token.i > noun.i:
        return False
    if not token.is_alpha or token.is_upper or any(True for _ in token.children):
        return False
    if token.ent_type_ not in {"", "NORP"} or noun.ent_type_ not in {"", "NORP"}:
        return False
    is_capital = token.text[0].isupper() and token.idx != sentence.start
    if is_capital and token.ent_type_ != "NORP" and not is_title_case(sentence):
        return False
    if noun.lemma_.lower() in TIME_AND_MEASURE | PART_NOUNS | NOUNS_OF_ABSTRACTS:
        return False
    return _stands_free(token, noun) and can_be_bare(sentence, noun)


def _stands_free(token: Token, noun: Token) -> bool:
    """True if an adjective follows a determiner or begins its phrase, and a plain word follows."""
    doc = token.doc
    if any(t.tag_ not in {*COMMON_TAGS, "JJ"} for t in doc[token.i + 1 : noun.i]):
        return False
    if noun.i + 1 < len(doc) and noun.nbor().tag_ in NOUN_LIKE_TAGS | {"POS"}:
        return False
    before = doc[token.i - 1] if token.i else None
    if before is None or before.head == noun and before.dep_ in BEFORE_ADJECTIVE:
        return before is None or before.tag_ != "CD" or noun.tag_ == "NNS"
    return before.tag_ not in BAD_LEFT_TAGS | {"RB", "RBR", "RBS", "CC", ",", "VBN", "VBG"} and (
        token.tag_ == "JJ"
    )


def can_be_bare(sentence: Sentence, noun: Token) -> bool:
    """True if a noun is complete without an adjective."""
    if noun.tag_ == "NNS" or any(t.dep_ in {"det", "poss"} for t in noun.lefts):
        return True
    if noun.lower_ in SET_NOUNS:
        return False
    return noun.lower_ in MASS_NOUNS or is_title_like(sentence)


def first_word(sentence: Sentence, noun: Token) -> Token | None:
    """Where an adjective of a noun would stand; None if the noun can take none."""
    if noun.tag_ not in COMMON_TAGS or noun.ent_type_:
        return None
    lemma = noun.lemma_.lower()
    if lemma in TIME_AND_MEASURE | PART_NOUNS | NOUNS_OF_ABSTRACTS | RELATIONAL_NOUNS:
        return None
    if noun.lower_ in BAD_HEADS or not noun.is_alpha or noun.is_upper:
        return None
    if not can_be_bare(sentence, noun):
        return None
    first = noun
    for child in reversed(list(noun.lefts)):
        if child.dep_ == "compound" and child.tag_ in COMMON_TAGS and child.i == first.i - 1:
            if any(True for _ in child.children):
                return None
            first = child
        elif child.dep_ in BEFORE_ADJECTIVE and child.right_edge.i < first.i:
            if child.lower_ in BAD_DETERMINERS:
                return None
            break
        else:
            return None
    return first if _is_edge(noun, first) else None


def _is_edge(noun: Token, first: Token) -> bool:
    """True if what stands beside a noun and its first word is not part of them."""
    doc = noun.doc
    following = doc[noun.i + 1] if noun.i + 1 < len(doc) else None
    if following is not None and (
        following.tag_ in NOUN_LIKE_TAGS | {"POS", "CD"} or not _is_spaced(noun, following)
    ):
        return False
    if not first.i:
        return True
    before = first.nbor(-1)
    if not before.whitespace_:
        return False
    if before.tag_ in BAD_LEFT_TAGS | {"VBG", "VBN", "RB"}:
        return before.head == noun and before.dep_ in BEFORE_ADJECTIVE or before.tag_ == "POS"
    is_set = (before.lower_, noun.lower_) in SET_PHRASES
    return not is_set and before.tag_ != "CC"


def _is_spaced(noun: Token, following: Token) -> bool:
    return bool(noun.whitespace_) or following.text in ".,;:!?"


def _rank(donor: Token, noun: Token) -> tuple[bool, int]:
    """Sort key of a receiver: nouns of the donor's kind first, then the nearest."""
    return kind_of(noun) != kind_of(donor.head), abs(noun.i - donor.i)


def _pairs(sentence: Sentence) -> Iterator[tuple[Token, Token, Token]]:
    """Adjectives, the nouns that can receive them, and the words that these would stand before."""
    donors = [token for token in labelled(sentence, "amod") if _is_donor(sentence, token)]
    if not donors:
        return
    receivers = [
        (noun, first)
        for noun in labelled(sentence, *NOUN_LABELS)
        if (first := first_word(sentence, noun)) is not None
    ]
    for donor in donors:
        for noun, first in sorted(receivers, key=lambda pair: _rank(donor, pair[0])):
            is_other = noun.lower_[:4] not in {donor.head.lower_[:4], donor.lower_[:4]}
            if is_other and not are_joined(noun, donor.head):
                yield donor, noun, first


def are_joined(first: Token, second: Token) -> bool:
    """True if one noun is coordinated with the other, so that an adjective may cover both."""
    left, right = sorted((first, second), key=lambda token: token.i)
    return right.dep_ in {"conj", "appos"} and left in right.ancestors


@rule(
    name="modifier_transfer",
    dimension="relation",
    perturbation="conceptual relationship",
    expected_score=MODIFIER_SCORE,
    why="the same words and the same event, but another thing has the quality",
    preconditions="a common noun that can go without its first adjective, and another one without "
    "an adjective that can take it; they are not coordinated",
)
def modifier_transfer(sentence: Sentence) -> Change:
    """`a young man with a guitar` -> `a man with a young guitar`."""
    pair = next(_pairs(sentence), None)
    if pair is None:
        raise DeclineError("no adjective that another noun can take")
    donor, noun, first = pair
    following = donor.nbor()
    word, left, right = donor.text, following.text, first.text
    if donor.idx == sentence.start and word[0].isupper() and not is_title_case(sentence):
        word = lowered(sentence, word, donor)
        left = upper_first(left)
    if first.idx == sentence.start and right[0].isupper():
        right = lowered(sentence, right, first)
        word = upper_first(word)
    edits = [(piece_of(donor, following), left), (piece_of(first), f"{word} {right}")]
    for place, new in ((donor, left), (first, word)):
        edit = article_edit(place.nbor(-1) if place.i else None, new)
        if edit is not None:
            edits.append(edit)
    return Change(replace_pieces(sentence, edits), f"{donor.text}: {donor.head.text} > {noun.text}")
