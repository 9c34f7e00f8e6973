"""Relation rules that hand the owner or the origin of one thing to another thing."""

from __future__ import annotations

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
from embsyntax.perturbation.modifiers import MODIFIER_SCORE, article_before, article_edit
from embsyntax.perturbation.names import owner_piece
from embsyntax.perturbation.noun_phrases import is_run_together, is_title_like, labelled, lowered
from embsyntax.perturbation.noun_words import (
    BAD_HEADS,
    MASS_NOUNS,
    NOUN_TAGS,
    SET_NOUNS,
    SUBJECT_LABELS,
    TIME_AND_MEASURE,
)
from embsyntax.perturbation.symmetric import PART_NOUNS, RELATIONAL_NOUNS, SET_PHRASES
from embsyntax.perturbation.transfers import (
    COMMON_TAGS,
    NOUN_LABELS,
    NOUNS_OF_ABSTRACTS,
    are_joined,
    can_be_bare,
    first_word,
)

ORIGIN_LABELS = ("compound", "amod", "nmod", "poss")
ARTICLES = frozenset({"a", "an", "the"})
HEAD_LABELS = frozenset({"nsubj", "nsubjpass", "dobj", "pobj", "attr", "ROOT"})
FIRST_NEIGHBOURS = frozenset({"NNP", "HYPH", "POS", "NN", "NNS", "JJ", ",", "CC"})
"""Tags of words that a name behind them may be one phrase with."""

UNOWNED = TIME_AND_MEASURE | PART_NOUNS | NOUNS_OF_ABSTRACTS | RELATIONAL_NOUNS | BAD_HEADS


@rule(
    name="owner_article_swap",
    dimension="relation",
    perturbation="conceptual relationship",
    expected_score=MODIFIER_SCORE,
    why="the same words and the same event, but another thing belongs to the owner",
    preconditions="a common noun with an owner, and another one with an article",
    off_because="a fifth of 50 judged outputs kept the meaning; see rule_quality.md",
)
def owner_article_swap(sentence: Sentence) -> Change:
    """`The man's dog slept on a bench` -> `A dog slept on the man's bench`."""
    if is_run_together(sentence):
        raise DeclineError("punctuation splits the sentence")
    articles = [token for token in labelled(sentence, "det") if _is_free_article(token)]
    owners = [t for t in labelled(sentence, "poss") if _is_owned(t.head)] if articles else []
    reasons = []
    for owner in owners:
        for article in articles:
            try:
                return _exchange(sentence, owner, article)
            except DeclineError as fault:
                reasons.append(str(fault))
    raise DeclineError(reasons[0] if reasons else "no owner and article")


def _is_owned(noun: Token) -> bool:
    is_plain = noun.tag_ in COMMON_TAGS and noun.dep_ in HEAD_LABELS and not noun.ent_type_
    return is_plain and noun.lemma_.lower() not in UNOWNED


def _is_free_article(token: Token) -> bool:
    """True for an article of a common noun that an owner can have."""
    noun = token.head
    if token.lower_ not in ARTICLES or not _is_owned(noun):
        return False
    if any(c.dep_ in {"relcl", "acl"} or c.lower_ == "of" for c in noun.rights):
        return False
    if (noun.nbor(-1).lower_, noun.lower_) in SET_PHRASES:
        return False
    if token.i and (token.nbor(-1).lower_, noun.lower_) in SET_PHRASES:
        return False
    return token.nbor().tag_ not in {"JJS", "RBS", "CD", "NNP"} and noun.i > token.i


def _exchange(sentence: Sentence, owner: Token, article: Token) -> Change:
    owned, other = owner.head, article.head
    if other.lemma_ in {owned.lemma_, owner.lemma_} or are_joined(owned, other):
        raise DeclineError("same possessor or same possession")
    if article in owner.subtree or owner in other.subtree and owner.head != other:
        raise DeclineError("overlapping phrases")
    if owned in other.subtree or other in owned.subtree:
        raise DeclineError("overlapping phrases")
    if owner.tag_ == "PRP$" and not _has_subject_before(article):
        raise DeclineError("pronoun before the noun that it stands for")
    piece = owner_piece(sentence, owner)
    following = _word_behind(sentence, piece)
    if owned.i < owner.i or following is None or following.lower_ == "own":
        raise DeclineError("phrase without clear bounds")
    word = article.lower_
    if word != "the":
        if owned.tag_ != "NN" or owned.lower_ in MASS_NOUNS or following.tag_ == "CD":
            raise DeclineError("article that cannot move")
        word = article_before(following.text)
    return _write(sentence, piece, piece_of(article), word)


def _has_subject_before(article: Token) -> bool:
    """True if a pronoun in the place of an article still follows what it may stand for."""
    doc, noun = article.doc, article.head
    nouns = [t for t in doc[: article.i] if t.tag_ in NOUN_TAGS | {"PRP"}]
    return noun.dep_ not in SUBJECT_LABELS and bool(nouns)


def _word_behind(sentence: Sentence, piece: Piece) -> Token | None:
    return next((t for t in sentence.doc if t.idx >= piece.end), None)


def _write(sentence: Sentence, owner: Piece, article: Piece, word: str) -> Change:
    """The sentence with an owner and an article in each other's place."""
    name = sentence.words(owner)
    if starts_upper(sentence):
        if owner.start == sentence.start:
            name = lowered(sentence, name, sentence.tokens(owner)[0])
            word = upper_first(word)
        if article.start == sentence.start:
            name = upper_first(name)
    text = replace_pieces(sentence, [(owner, word), (article, name)])
    return Change(text, f"{name} <-> {word}")


@rule(
    name="origin_transfer",
    dimension="relation",
    perturbation="conceptual relationship",
    expected_score=MODIFIER_SCORE,
    why="the same words and the same event, but another thing comes from the place or the owner",
    preconditions="the name of a place, people or organization before a common noun, and another "
    "common noun that can take it; with a possessive mark, both nouns stand alone, as in headlines",
    off_because="18 % of 50 judged outputs did not change the meaning; see rule_quality.md",
)
def origin_transfer(sentence: Sentence) -> Change:
    """`Passengers dead in Italy bus plunge` -> `Italy passengers dead in bus plunge`."""
    donors = [token for token in labelled(sentence, *ORIGIN_LABELS) if _is_origin(sentence, token)]
    receivers = _receivers(sentence) if donors else []
    for donor in donors:
        for noun, first in sorted(receivers, key=lambda pair: abs(pair[0].i - donor.i)):
            is_apart = not (donor.head.left_edge.i <= noun.i <= donor.head.i)
            is_fit = donor.dep_ != "poss" or (_is_bare(noun) and is_title_like(sentence))
            if (
                is_apart
                and is_fit
                and noun.lemma_ != donor.head.lemma_
                and not are_joined(noun, donor.head)
            ):
                return _transfer(sentence, donor, first)
    raise DeclineError("no name that another noun can take")


def _receivers(sentence: Sentence) -> list[tuple[Token, Token]]:
    """Nouns that a name can stand before, and their first words behind the determiner."""
    found = []
    for noun in labelled(sentence, *NOUN_LABELS):
        first = first_word(sentence, noun)
        if first is not None and not (_is_bare(noun) and noun.lower_ in SET_NOUNS):
            found.append((noun, first))
    return found


def _is_bare(noun: Token) -> bool:
    return not any(child.dep_ in {"det", "poss"} for child in noun.lefts)


def _is_origin(sentence: Sentence, token: Token) -> bool:
    """True for the name of a place before a common noun that can go without it."""
    noun = token.head
    if noun.tag_ not in COMMON_TAGS:
        return False
    if token.ent_type_ not in {"GPE", "NORP", "ORG"} or noun.ent_type_ in {"GPE", "ORG", "PERSON"}:
        return False
    if token.i > noun.i or noun.lemma_.lower() in UNOWNED or not token.text[0].isupper():
        return False
    if any(c.dep_ not in {"case", "compound"} for c in token.children):
        return False
    if token.dep_ == "poss" and token.right_edge.lower_ not in {"'s", "’s"}:
        return False
    doc = sentence.doc
    words = doc[token.right_edge.i + 1 : noun.i]
    if any(t.tag_ not in {*COMMON_TAGS, "JJ"} for t in words):
        return False
    if any(c.dep_ == "poss" and c != token for c in noun.lefts):
        return False
    if not can_be_bare(sentence, noun):
        return False
    if any(t.tag_ not in {"NNP", "JJ", "POS"} for t in token.subtree):
        return False
    first = token.left_edge
    is_edge = not first.i or first.nbor(-1).tag_ not in FIRST_NEIGHBOURS
    return is_edge and not (noun.i + 1 < len(doc) and noun.nbor().tag_ in {"NN", "NNS", "NNP"})


def _transfer(sentence: Sentence, donor: Token, first: Token) -> Change:
    """The sentence with a name before another word."""
    place = piece_of(donor.left_edge, donor.right_edge)
    name, following = sentence.words(place), donor.right_edge.nbor()
    if not donor.right_edge.whitespace_:
        raise DeclineError("phrase glued to its neighbour")
    left, right = following.text, first.text
    if place.start == sentence.start:
        left = upper_first(left)
    if first.idx == sentence.start:
        right = lowered(sentence, right, first)
    edits = [
        (Piece(place.start, following.idx + len(following)), left),
        (piece_of(first), f"{name} {right}"),
    ]
    for place_word, new in ((donor.left_edge, left), (first, name)):
        edit = article_edit(place_word.nbor(-1) if place_word.i else None, new)
        if edit is not None:
            edits.append(edit)
    return Change(replace_pieces(sentence, edits), f"{name}: {following.text} > {first.text}")
