"""Full inversion: the predicate or its complement stands first, the subject last."""

from __future__ import annotations

from dataclasses import dataclass

from spacy.tokens import Token

from embsyntax.perturbation.adjuncts import (
    LIGHT_NOUNS,
    PLACE_PREPOSITIONS,
    is_place,
    is_time,
    object_of,
    refers_back,
)
from embsyntax.perturbation.engine import Change, DeclineError, Piece, Sentence, piece_of, rule
from embsyntax.perturbation.main_clause import (
    FINITE_TAGS,
    POLARITY_WORDS,
    MainClause,
    arrange,
    has_word,
    read_main_clause,
    rest_after,
    word_set,
)

BE = frozenset({"is", "are", "was", "were"})
"""Forms of `be` that can follow an inverted predicate; `am` and clitics need a pronoun."""

MAX_PREDICATE = 16
"""Most words of a predicate that can stand before its subject and still be read."""

POSTURE_VERBS = word_set(
    """sit stand lie hang rest lean live sleep kneel perch float hover grow crouch squat lurk
    dangle lay"""
)
MOVEMENT_VERBS = word_set(
    """walk run come jump leap climb fall fly swim roll march crawl stroll hop dance race sprint
    trot gallop drift hike jog wade slide skate ski surf bounce"""
)
LOCATIVE = PLACE_PREPOSITIONS | word_set("down up over past into onto from toward towards off")
ROLE_NOUNS = word_set("scene definition type kind sort fault result case date thing way same")
"""Nouns that say what something is like although `the` stands before them."""


SUBORDINATES = frozenset({"conj", "ccomp", "advcl", "parataxis", "acl"})
"""Labels of clauses that a predicate before its subject cannot hold."""


@dataclass(frozen=True)
class Predicate:
    """A clause `subject, be, predicate` cut into its parts.

    Attributes:
        clause: the main clause.
        be: the form of `be`.
        piece: everything between `be` and the final punctuation.
    """

    clause: MainClause
    be: Token
    piece: Piece


def read_participle(sentence: Sentence) -> Predicate:
    """Return the parts of a progressive or passive clause with no auxiliary but `be`.

    Raises:
        DeclineError: the sentence has none, or its predicate cannot move as a whole.
    """
    clause = read_main_clause(sentence)
    verb = clause.verb
    if verb.tag_ not in {"VBG", "VBN"} or len(clause.auxiliaries) != 1:
        raise DeclineError("no be with a participle")
    be = clause.auxiliaries[0]
    if be.lower_ not in BE:
        raise DeclineError("no be with a participle")
    if clause.is_negated:
        raise DeclineError("negated")
    if verb.lemma_ in {"be", "have"}:
        raise DeclineError("be or have as participle")
    if verb.tag_ == "VBN" and not clause.find("prep", "advmod", "agent"):
        raise DeclineError("bare participle")
    if clause.find("xcomp", "ccomp", "advcl", "oprd") and (
        verb.tag_ == "VBN" or verb.lemma_ in {"go", "try", "get"} or clause.find("ccomp", "oprd")
    ):
        raise DeclineError("clause inside the predicate")
    return Predicate(clause, be, _predicate_piece(sentence, clause, be))


def _predicate_piece(sentence: Sentence, clause: MainClause, be: Token) -> Piece:
    piece = rest_after(sentence, be)
    tokens = sentence.tokens(piece)
    if len(tokens) > MAX_PREDICATE:
        raise DeclineError("long predicate")
    if "," in sentence.words(piece):
        raise DeclineError("comma inside the predicate")
    if has_word(tokens, POLARITY_WORDS):
        raise DeclineError("polarity word")
    if any(t.tag_ in FINITE_TAGS and t.dep_ in SUBORDINATES for t in tokens):
        raise DeclineError("clause inside the predicate")
    for token in clause.find("conj"):
        if token.tag_ != clause.verb.tag_ or any(
            child.dep_ in {"aux", "auxpass", "nsubj", "nsubjpass"} for child in token.children
        ):
            raise DeclineError("coordinated clauses")
    return piece


def check_lexical_subject(clause: MainClause) -> None:
    """Decline a subject that cannot stand behind its verb.

    Raises:
        DeclineError: the subject is a pronoun, or has no noun.
    """
    if clause.subject.pos_ not in {"NOUN", "PROPN", "NUM"}:
        raise DeclineError("pronoun as subject")


def _check_adjacent(clause: MainClause) -> None:
    if clause.finite.i != clause.subject_right + 1:
        raise DeclineError("something stands between subject and verb")


def _is_idiom(noun: Token) -> bool:
    """Say whether a bare singular noun makes the phrase an idiom (`on fire`, `in denial`)."""
    return (
        noun.lower_ in LIGHT_NOUNS
        or noun.tag_ == "NN"
        and not is_place(noun)
        and not any(noun.lefts)
    )


def be_piece(be: Token) -> Piece:
    """The stretch of the form of `be`."""
    return piece_of(be)


@rule(
    name="participle_inversion",
    dimension="structure",
    perturbation="inversion",
    expected_score=4,
    why="Same words and relations; the marked order only shifts the focus to the subject.",
    preconditions="Subject (no pronoun), a form of be, and a participle with what follows it.",
)
def participle_inversion(sentence: Sentence) -> Change:
    """Turn `A girl is dancing on the stage` into `Dancing on the stage is a girl`."""
    found = read_participle(sentence)
    check_lexical_subject(found.clause)
    if len(sentence.tokens(found.piece)) < 2:
        raise DeclineError("bare participle")
    text = arrange(sentence, [found.piece, be_piece(found.be), found.clause.subject_piece])
    return Change(text, f"{sentence.words(found.piece)} before the subject")


@rule(
    name="adjective_inversion",
    dimension="structure",
    perturbation="inversion",
    expected_score=4,
    why="Same words and relations; the marked order only stresses the adjective.",
    preconditions="Subject (no pronoun), a form of be, and an adjective phrase of some weight.",
)
def adjective_inversion(sentence: Sentence) -> Change:
    """Turn `The man was very happy` into `Very happy was the man`."""
    clause = read_main_clause(sentence)
    adjectives = clause.find("acomp")
    if clause.verb.lower_ not in BE or clause.auxiliaries or len(adjectives) != 1:
        raise DeclineError("no be with an adjective")
    check_lexical_subject(clause)
    if clause.is_negated:
        raise DeclineError("negated")
    adjective = adjectives[0]
    if adjective.pos_ != "ADJ":
        raise DeclineError("no be with an adjective")
    if any(child.dep_ in {"xcomp", "ccomp"} for child in adjective.children):
        raise DeclineError("clause inside the predicate")
    piece = _predicate_piece(sentence, clause, clause.verb)
    if any(token.i > adjective.i for token in clause.find("advmod")):
        raise DeclineError("adverb after the adjective")
    if (
        len(sentence.tokens(piece)) < 2
        or clause.find("npadvmod", "advcl")
        or adjective.left_edge.is_digit
    ):
        raise DeclineError("light adjective phrase")
    _check_adjacent(clause)
    text = arrange(sentence, [piece, be_piece(clause.verb), clause.subject_piece])
    return Change(text, f"{sentence.words(piece)} before the subject")


def _number(token: Token) -> str:
    return "plural" if token.tag_ in {"NNS", "NNPS"} else "singular"


@rule(
    name="identity_inversion",
    dimension="structure",
    perturbation="inversion",
    expected_score=5,
    why="Both phrases name the same one thing, so either can be the subject.",
    preconditions="A name or definite phrase, be, and a definite phrase of the same number.",
)
def identity_inversion(sentence: Sentence) -> Change:
    """Turn `Paris is the capital of France` into `The capital of France is Paris`."""
    clause = read_main_clause(sentence)
    attributes = clause.find("attr")
    if clause.verb.lemma_ != "be" or len(attributes) != 1:
        raise DeclineError("no be with a noun")
    check_lexical_subject(clause)
    if clause.is_negated:
        raise DeclineError("negated")
    attribute, subject = attributes[0], clause.subject
    if not _is_definite(attribute) or attribute.pos_ == "PROPN" and subject.pos_ != "PROPN":
        raise DeclineError("no definite phrase after be")
    if not (_is_definite(subject) or subject.pos_ == "PROPN"):
        raise DeclineError("indefinite subject")
    if _number(attribute) != _number(subject):
        raise DeclineError("subject and predicate differ in number")
    if any(token.i > attribute.i for token in clause.dependents if token.dep_ != "punct"):
        raise DeclineError("something follows the predicate")
    if refers_back(attribute, subject):
        raise DeclineError("pronoun inside the phrase")
    _check_adjacent(clause)
    piece = rest_after(sentence, clause.verb)
    if attribute.left_edge.pos_ == "ADV" or attribute.left_edge.idx != piece.start:
        raise DeclineError("adverb after the verb")
    if attribute.lemma_.lower() in ROLE_NOUNS:
        raise DeclineError("no definite phrase after be")
    if "," in sentence.words(piece):
        raise DeclineError("comma inside the predicate")
    first = clause.finite
    verb = Piece(first.idx, clause.verb.idx + len(clause.verb))
    if first.lower_ in {"'s", "’s", "'re", "’re", "'m", "s"}:
        raise DeclineError("contracted verb")
    text = arrange(sentence, [piece, verb, clause.subject_piece])
    return Change(text, f"{sentence.words(clause.subject_piece)} <-> {sentence.words(piece)}")


def _is_definite(token: Token) -> bool:
    return any(
        child.dep_ in {"det", "poss"} and child.lower_ not in {"a", "an", "some", "any", "no"}
        for child in token.children
    )


@rule(
    name="locative_inversion",
    dimension="structure",
    perturbation="inversion",
    expected_score=5,
    why="Locative inversion states the same fact and only brings the place to the front.",
    preconditions="Subject (no pronoun), be or a verb of posture or movement, then only a place.",
)
def locative_inversion(sentence: Sentence) -> Change:
    """Turn `A book lies on the table` into `On the table lies a book`."""
    clause = read_main_clause(sentence)
    verb = clause.verb
    if clause.auxiliaries or not (
        verb.lower_ in BE or verb.lemma_ in POSTURE_VERBS or verb.lemma_ in MOVEMENT_VERBS
    ):
        raise DeclineError("no verb of being, posture or movement")
    check_lexical_subject(clause)
    if clause.is_negated:
        raise DeclineError("negated")
    after = [token for token in clause.dependents if token.i > verb.i and token.dep_ != "punct"]
    if not after or any(
        token.dep_ != "prep"
        or token.lower_ not in LOCATIVE
        or object_of(token) is None
        or token.left_edge.lower_ == "while"
        for token in after
    ):
        raise DeclineError("more than a place after the verb")
    if any(refers_back(token, clause.subject) for token in after):
        raise DeclineError("pronoun inside the phrase")
    if any(is_time(object_of(token)) or _is_idiom(object_of(token)) for token in after):
        raise DeclineError("more than a place after the verb")
    _check_adjacent(clause)
    piece = _predicate_piece(sentence, clause, verb)
    text = arrange(sentence, [piece, piece_of(verb), clause.subject_piece])
    return Change(text, f"{sentence.words(piece)} before the verb")
