"""Relation rules that exchange cause and effect, condition and outcome, earlier and later.

Two clauses that a conjunction joins change places around it. Where the subject of the subordinate
clause is a pronoun for that of the main clause, the subjects stay and what they do changes places.
"""

from __future__ import annotations

from dataclasses import dataclass

import lemminflect
from spacy.tokens import Token

from embsyntax.perturbation.engine import (
    Change,
    DeclineError,
    Piece,
    Sentence,
    rearrange,
    replace_pieces,
    rule,
)
from embsyntax.perturbation.main_clause import is_balanced, word_set
from embsyntax.perturbation.noun_phrases import check_agreement, finite_of, is_title_like
from embsyntax.perturbation.noun_words import BREAK, SUBJECT_LABELS, WH_TAGS
from embsyntax.perturbation.roles import (
    make_best,
    subjects_and_complements,
    subjects_and_objects,
    swap_subject_and_complement,
    swap_subject_and_object,
)
from embsyntax.perturbation.symmetric import CAUSE_LINKS, CAUSE_VERBS
from embsyntax.perturbation.verbs import agreement_of

CAUSE_MARKS = frozenset({"because", "if", "after", "before", "until", "unless"})
NO_CAUSE_VERB = "no verb of cause"
TIME_MARKS = frozenset({"when", "whenever", "once"})

OPEN_MODALS = frozenset({"can", "ca", "must", "should"})
"""Modals that may stand after `if` and `unless`."""

REPORTING_VERBS = word_set(
    "say state tell report announce add warn claim believe think argue note know ask specify "
    "wonder check see find determine decide care love hate like miss"
)
"""Verbs whose complement or `if` clause is no condition of theirs."""

TIME_NOUNS = word_set(
    "part time day moment point scene case year era age thing way place season it"
)
"""Words before `when` that it may belong to (`the part when he dies`)."""


@dataclass(frozen=True)
class Pair:
    """A main clause and a subordinate clause that may change places.

    Attributes:
        main: the main clause, its subject first.
        conjunction: the word that joins them.
        subordinate: the other clause, its subject first, without the conjunction.
        main_subject: head of the main clause's subject.
        subject: head of the other clause's subject.
        is_main_first: True if the main clause stands first.
    """

    main: Piece
    conjunction: Piece
    subordinate: Piece
    main_subject: Token
    subject: Token
    is_main_first: bool


def _read_pair(sentence: Sentence, marks: frozenset[str]) -> Pair:
    """Return the clauses that one of some conjunctions joins.

    Raises:
        DeclineError: there are none, or they cannot change places.
    """
    root = sentence.root
    found = [
        (child, mark)
        for child in root.children
        if child.dep_ == "advcl"
        for mark in child.lefts
        if mark.dep_ in {"mark", "advmod"} and mark.lower_ in marks
    ]
    if not found:
        raise DeclineError("no such conjunction")
    if len(found) > 1:
        raise DeclineError("several subordinate clauses")
    verb, mark = found[0]
    if sentence.is_question or not is_balanced(sentence.text):
        raise DeclineError("question or quotation")
    if BREAK.search(sentence.text, sentence.start, sentence.end):
        raise DeclineError("punctuation splits the sentence")
    subjects = [_subject_of(sentence, token) for token in (root, verb)]
    _check_tenses(mark.lower_, root, verb)
    doc = sentence.doc
    last = verb.right_edge
    if mark != verb.left_edge or subjects[1].left_edge.i != mark.i + 1:
        raise DeclineError("words beside the conjunction")
    inner = Piece(subjects[1].left_edge.idx, min(sentence.end, last.idx + len(last)))
    conjunction = Piece(mark.idx, mark.idx + len(mark))
    start = subjects[0].left_edge.idx
    if mark.i == 0:
        main, is_main_first = Piece(start, sentence.end), False
        before = doc[mark.i + 1 : subjects[0].left_edge.i]
        is_adjacent = inner.end <= start and before[-1].text == ","
    else:
        main, is_main_first = Piece(start, mark.idx), True
        is_adjacent = inner.end == sentence.end and start == sentence.start
        if doc[mark.i - 1].lower_ in TIME_NOUNS:
            raise DeclineError("clause of a noun")
    if not is_adjacent:
        raise DeclineError("words before the subject or behind the clause")
    return Pair(
        _trim(sentence, main), conjunction, _trim(sentence, inner), *subjects, is_main_first
    )


def _subject_of(sentence: Sentence, verb: Token) -> Token:
    """The subject of a clause, checked.

    Raises:
        DeclineError: the clause is no plain statement.
    """
    if verb.pos_ not in {"VERB", "AUX"} or verb.lemma_ in REPORTING_VERBS:
        raise DeclineError("reported speech or no plain clause")
    if any(c.dep_ in {"ccomp", "parataxis", "intj", "expl"} for c in verb.children):
        raise DeclineError("reported speech or no plain clause")
    subjects = [child for child in verb.lefts if child.dep_ in SUBJECT_LABELS]
    if len(subjects) != 1 or subjects[0].tag_ in WH_TAGS:
        raise DeclineError("clause without a plain subject")
    finite = finite_of(verb)
    if finite is None or finite.i < subjects[0].i:
        raise DeclineError("clause without a finite verb")
    check_agreement([finite], subjects[0])
    is_noun = lemminflect.getAllLemmas(finite.lower_, upos="NOUN") and finite.dep_ != "aux"
    if is_title_like(sentence) and is_noun and finite.tag_ != "VBD":
        raise DeclineError("verb that may be a noun")
    return subjects[0]


def _check_tenses(mark: str, *verbs: Token) -> None:
    """Decline clauses whose tenses do not suit each other's place.

    Raises:
        DeclineError: see above.
    """
    finites = [finite_of(verb) for verb in verbs]
    modals = {token.lower_ for token in finites if token.tag_ == "MD"}
    if mark == "because":
        return
    allowed = OPEN_MODALS if mark in {"if", "unless"} else frozenset()
    if modals - allowed:
        raise DeclineError("modal verb beside such a conjunction")
    is_past = [token.tag_ == "VBD" for token in finites]
    if is_past[0] != is_past[1]:
        raise DeclineError("different tenses")
    if any(token.lower_ in {"has", "have"} and token.dep_ == "aux" for token in finites):
        raise DeclineError("different tenses")


def _trim(sentence: Sentence, piece: Piece) -> Piece:
    """A piece without commas and spaces at its ends."""
    start, end = piece.start, piece.end
    while start < end and sentence.text[start] in " ,":
        start += 1
    while start < end and sentence.text[end - 1] in " ,":
        end -= 1
    return Piece(start, end)


def _is_pronoun_for(pronoun: Token, noun: Token) -> bool:
    """True if a pronoun can stand for a noun, by person and number."""
    if pronoun.lower_ not in {"he", "she", "it", "they"} or noun.tag_ == "PRP":
        return False
    return agreement_of(noun).is_plural == (pronoun.lower_ == "they")


def _predicate(piece: Piece, subject: Token) -> Piece:
    """What follows the subject of a clause."""
    end = subject.right_edge
    return Piece(end.idx + len(end.text_with_ws), piece.end)


def _swap_clauses(sentence: Sentence, marks: frozenset[str]) -> Change:
    pair = _read_pair(sentence, marks)
    detail = f"{sentence.words(pair.main)} <-> {sentence.words(pair.subordinate)}"
    if pair.is_main_first and _is_pronoun_for(pair.subject, pair.main_subject):
        pieces = [
            _predicate(pair.main, pair.main_subject),
            _predicate(pair.subordinate, pair.subject),
        ]
        words = [sentence.words(piece) for piece in pieces]
        if any(text[:1] in "'’" for text in words):
            raise DeclineError("clitic verb")
        return Change(replace_pieces(sentence, list(zip(pieces, words[::-1], strict=True))), detail)
    if pair.is_main_first:
        parts = [pair.subordinate, pair.conjunction, pair.main]
    else:
        parts = [pair.conjunction, pair.main, ",", pair.subordinate]
    return Change(rearrange(sentence, parts), detail)


@rule(
    name="cause_effect_swap",
    dimension="relation",
    perturbation="conceptual relationship",
    expected_score=2,
    why="the same two events, but cause and effect or earlier and later changed roles",
    preconditions="a main clause and a clause with because, if, after, before, until or unless, in "
    "tenses that suit either place; or a verb of cause or order with its arguments",
)
def cause_effect_swap(sentence: Sentence) -> Change:
    """`He left because she cried` -> `She cried because he left`."""
    try:
        return _swap_clauses(sentence, CAUSE_MARKS)
    except DeclineError as fault:
        clause_fault = fault
    try:
        return _swap_arguments(sentence)
    except DeclineError as fault:
        is_verb_missing = str(fault) == NO_CAUSE_VERB
        raise (clause_fault if is_verb_missing else fault) from None


def _swap_arguments(sentence: Sentence) -> Change:
    """Exchange the cause and the effect that a verb links (`War causes hunger`).

    Raises:
        DeclineError: there is no such verb, or its arguments cannot move.
    """
    objects = [
        (clause, object_)
        for clause, object_ in subjects_and_objects(sentence)
        if object_.head.lemma_ in CAUSE_VERBS
    ]
    if objects:
        return make_best(sentence, objects, swap_subject_and_object, NO_CAUSE_VERB)
    complements = [
        (clause, complement)
        for clause, complement in subjects_and_complements(sentence)
        if (complement.host.lemma_, complement.preposition) in CAUSE_LINKS
    ]
    return make_best(sentence, complements, swap_subject_and_complement, NO_CAUSE_VERB)


@rule(
    name="clause_swap",
    dimension="relation",
    perturbation="conceptual relationship",
    expected_score=3,
    why="the same two events, but what frames the other one changed",
    preconditions="a main clause and a clause with when, whenever or once, in the same tense",
    off_because="4 of 13 judged outputs kept the meaning; see rule_quality.md",
)
def clause_swap(sentence: Sentence) -> Change:
    """`The bell rings when the door opens` -> `The door opens when the bell rings`."""
    return _swap_clauses(sentence, TIME_MARKS)
