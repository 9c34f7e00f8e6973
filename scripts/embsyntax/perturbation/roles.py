"""Predicates with their arguments, and the exchange of two of these: what argument rules share.

A rule names pairs of arguments; `make_best` exchanges the pair whose phrases are most alike (a
person for a person, a place for a place), so that the outcome is as plausible as it can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from spacy.tokens import Token

from embsyntax.perturbation.engine import Change, DeclineError, Piece, Sentence, piece_of
from embsyntax.perturbation.modifiers import article_edit
from embsyntax.perturbation.noun_phrases import (
    Phrase,
    agreeing_form,
    check_agreement,
    check_bare,
    exchange,
    finites_of,
    fit,
    in_role,
    is_title_like,
    labelled,
    noun_phrase,
)
from embsyntax.perturbation.noun_words import NOUN_TAGS, SUBJECT_LABELS, WH_TAGS
from embsyntax.perturbation.symmetric import (
    COMITATIVE,
    GREETINGS,
    RECIPROCAL_VERBS,
    RELATIONAL_NOUNS,
    RIVAL_VERBS,
    SET_PHRASES,
    SET_PREPOSITIONS,
    SYMMETRIC_HOSTS,
    SYMMETRIC_PREPOSITIONS,
    SYMMETRIC_VERBS,
)
from embsyntax.perturbation.verbs import VERB_TAGS

LEAST_LIKENESS = 4
"""A subject and a complement of an object (`a picture of Ann`) change places only if they are that
much alike (see `fit`)."""

FARTHEST_PRONOUN = 3
"""A pronoun and the object that it changes places with stand at most so many tokens apart."""

Candidate = TypeVar("Candidate")


@dataclass(frozen=True)
class Clause:
    """A verb with its subject.

    Attributes:
        verb: the verb; a form of `be` in copular clauses.
        subject: head of the subject.
        is_reduced: True if the subject is the noun that a participle or a relative clause modifies
            (`a dog chasing a cat`), so that no verb agrees with it here.
        is_passive: True if the subject is that of a passive.
    """

    verb: Token
    subject: Token
    is_reduced: bool
    is_passive: bool


@dataclass(frozen=True)
class Complement:
    """A prepositional phrase.

    Attributes:
        preposition: lower case, its words joined by underscores (`in_front_of`).
        first: index of its first word.
        noun: head of its object.
        host: the word that it depends on.
    """

    preposition: str
    first: int
    noun: Token
    host: Token


@dataclass(frozen=True)
class Swap:
    """An exchange of two phrases that can be made.

    Attributes:
        first: the phrase that stands first.
        second: the other one.
        first_text: words of the first in the other's role.
        second_text: words of the second in the first's role.
        edits: what else changes.
    """

    first: Phrase
    second: Phrase
    first_text: str
    second_text: str
    edits: tuple[tuple[Piece, str], ...] = ()


@lru_cache(maxsize=4)
def clauses_of(sentence: Sentence) -> tuple[Clause, ...]:
    """Return the verbs of a sentence that have a subject, in the order of the subjects."""
    found = []
    for token in labelled(sentence, "nsubj", "nsubjpass", "relcl", "acl"):
        label = token.dep_
        if label in SUBJECT_LABELS:
            verb = token.head
            if verb.tag_ not in VERB_TAGS and verb.tag_ != "JJ":
                continue
            if token.tag_ not in WH_TAGS:
                found.append(Clause(verb, token, False, label == "nsubjpass"))
            elif token.lower_ == "that" and verb.dep_ == "relcl":
                found.append(Clause(verb, verb.head, True, label == "nsubjpass"))
        elif label in {"relcl", "acl"} and token.tag_ == "VB":
            if (
                token.head.dep_ == "ROOT"
                and token.i == token.head.i + 2
                and token.nbor(-1).lower_ == "to"
            ):
                found.append(Clause(token, token.head, True, False))
        elif label == "acl" and token.tag_ in {"VBG", "VBN"}:
            between = sentence.doc[token.head.i + 1 : token.i]
            if all(_is_inside_of(word, token.head) for word in between):
                found.append(Clause(token, token.head, True, token.tag_ == "VBN"))
    return tuple(found)


def _is_inside_of(word: Token, noun: Token) -> bool:
    """True if a word belongs to a complement with `of` of a noun."""
    return any(
        child.lower_ == "of" and child.i <= word.i <= child.right_edge.i for child in noun.rights
    )


@lru_cache(maxsize=4)
def complements_of(sentence: Sentence) -> tuple[Complement, ...]:
    """Return the prepositional phrases of a sentence, in order."""
    found = []
    for token in labelled(sentence, "prep", "agent", "dative"):
        if token.tag_ not in {"IN", "TO"}:
            continue
        host = token.head
        is_inner = host.dep_ == "prep" or (host.dep_ == "pobj" and host.lower_ in RELATIONAL_NOUNS)
        complement = None if is_inner else _complement(token)
        if complement is not None:
            found.append(complement)
    return tuple(found)


def _complement(preposition: Token) -> Complement | None:
    words, last = [preposition.lower_], preposition
    noun = child_of(last, "pobj")
    while noun is None:
        last = child_of(last, "prep")
        if last is None:
            return None
        words.append(last.lower_)
        noun = child_of(last, "pobj")
    if noun.lower_ in RELATIONAL_NOUNS:
        of = next((t for t in noun.rights if t.lower_ == "of" and t.i == noun.i + 1), None)
        inside = child_of(of, "pobj") if of is not None else None
        if inside is None:
            return None
        words += [t.lower_ for t in preposition.doc[last.i + 1 : of.i + 1]]
        noun = inside
    return Complement("_".join(words), preposition.i, noun, preposition.head)


def child_of(token: Token, label: str) -> Token | None:
    """Return the first child to the right of a token with a dependency label, or None."""
    return next((child for child in token.rights if child.dep_ == label), None)


def _objects(verb: Token) -> list[Token]:
    """The receiver, or else the direct objects, of a verb and of the infinitives it governs."""
    found = []
    for child in verb.rights:
        if child.dep_ == "dative" and child.tag_ in NOUN_TAGS | {"PRP"}:
            return [child]
        if child.dep_ == "dobj":
            found.append(child)
        elif child.dep_ == "xcomp" and child.tag_ in {"VB", "VBG"}:
            found += _objects(child)
    return found


def make_best(
    sentence: Sentence,
    candidates: Iterable[Candidate],
    build: Callable[[Sentence, Candidate], Swap],
    missing: str,
    *,
    least: int = 0,
) -> Change:
    """Make the swap of the two phrases that are most alike.

    Args:
        sentence: the source.
        candidates: what may be swapped.
        build: returns the swap of a candidate, or declines it.
        missing: reason to decline where there is no candidate.
        least: likeness that the phrases must have; see `fit`.

    Raises:
        DeclineError: no swap is possible; the reason is that of the first candidate.
    """
    swaps: list[Swap] = []
    reasons = []
    for candidate in candidates:
        try:
            swaps.append(build(sentence, candidate))
        except DeclineError as fault:
            reasons.append(str(fault))
    for swap in sorted(swaps, key=lambda swap: -fit(swap.first, swap.second)):
        if fit(swap.first, swap.second) < least:
            reasons.append("phrases of different kinds")
            break
        try:
            text = exchange(
                sentence,
                (swap.first, swap.first_text),
                (swap.second, swap.second_text),
                swap.edits,
            )
            return Change(text, f"{swap.first.text} <-> {swap.second.text}")
        except DeclineError as fault:
            reasons.append(str(fault))
    raise DeclineError(reasons[0] if reasons else missing)


def subject_phrase(sentence: Sentence, clause: Clause) -> Phrase:
    """Return the subject of a clause, checked.

    Raises:
        DeclineError: the clause does not read as one.
    """
    if clause.subject.lower_ in GREETINGS:
        raise DeclineError("greeting or pronoun")
    if clause.is_reduced:
        return narrow(noun_phrase(sentence, clause.subject), keep_of=True, clause=clause.verb)
    phrase = noun_phrase(sentence, clause.subject, is_whole=True)
    check_agreement(finites_of(clause.verb), clause.subject)
    follows_and = phrase.first > 1 and sentence.doc[phrase.first - 1].tag_ == "CC"
    if follows_and and clause.verb.dep_ != "conj":
        raise DeclineError("coordination")
    if any(child.dep_ == "expl" for child in clause.verb.children):
        raise DeclineError("expletive subject")
    if phrase.last < clause.verb.i:
        for token in sentence.doc[phrase.last + 1 : clause.verb.i]:
            if token.head != clause.verb or token.dep_ not in {"aux", "auxpass", "neg", "advmod"}:
                raise DeclineError("something stands between subject and verb")
    if "," in phrase.text and child_of(clause.subject, "conj") is None:
        raise DeclineError("comma inside the phrase")
    return phrase


def narrow(phrase: Phrase, *, keep_of: bool = False, clause: Token | None = None) -> Phrase:
    """Return a phrase without what follows its head, but with nouns and numbers right behind it.

    Args:
        phrase: a phrase.
        keep_of: whether a complement with `of` stays in it.
        clause: verb of the one relative clause that may be cut off.

    Raises:
        DeclineError: the phrase is coordinated, or has another relative clause.
    """
    last = phrase.last
    for child in phrase.head.rights:
        if child.dep_ in {"cc", "conj"}:
            raise DeclineError("coordination")
        if child.dep_ == "relcl" and child != clause:
            raise DeclineError("relative clause apart from its noun")
        if child.dep_ in {"prep", "acl", "relcl"} and not (keep_of and child.lower_ == "of"):
            last = min(last, child.left_edge.i - 1)
    return replace(phrase, last=max(last, phrase.head.i))


def agreement_edits(clause: Clause, old: Phrase, new: Phrase) -> list[tuple[Piece, str]]:
    """Return the edits that make the verbs of a clause agree with its new subject.

    Raises:
        DeclineError: the agreement is not clear, or no word can show it.
    """
    if clause.is_reduced:
        is_free = old.head.dep_ not in SUBJECT_LABELS and clause.verb.dep_ == "acl"
        if old.is_plural != new.is_plural and not is_free:
            raise DeclineError("number differs from that of the modified noun")
        return []
    edits = []
    for token in finites_of(clause.verb):
        if token == old.clitic:
            continue
        form = agreeing_form(token, new.head)
        if form != token.text:
            edits.append((piece_of(token), form))
    return edits


def swap_subject(sentence: Sentence, clause: Clause, other: Token) -> Swap:
    """Return the exchange of a clause's subject with an object behind it.

    Raises:
        DeclineError: one of them cannot move.
    """
    subject = subject_phrase(sentence, clause)
    object_ = noun_phrase(sentence, other, is_whole=True)
    if subject.last >= object_.first:
        raise DeclineError("overlapping phrases")
    check_bare(sentence, object_)
    if subject.is_fixed or object_.is_fixed:
        return swap_nouns(sentence, subject, object_)
    if object_.head.lower_ == "it":
        raise DeclineError("expletive or vague it")
    new_subject = in_role(sentence, object_, is_subject=True)
    if subject.clitic is not None:
        if subject.clitic not in finites_of(clause.verb):
            raise DeclineError("phrase glued to its neighbour")
        new_subject += f" {agreeing_form(subject.clitic, object_.head)}"
    return Swap(
        subject,
        object_,
        in_role(sentence, subject, is_subject=False),
        new_subject,
        tuple(agreement_edits(clause, subject, object_)),
    )


def swap_objects(sentence: Sentence, pair: tuple[Token, Token]) -> Swap:
    """Return the exchange of two objects of verbs or prepositions.

    Raises:
        DeclineError: one of them cannot move.
    """
    left, right = (noun_phrase(sentence, token) for token in pair)
    if left.last >= right.first:
        left = narrow(left, keep_of=True)
    if "pronoun" in {left.kind, right.kind} and right.first - left.last > FARTHEST_PRONOUN:
        raise DeclineError("pronoun far from its verb")
    return swap_nouns(sentence, left, right)


def swap_nouns(
    sentence: Sentence, left: Phrase, right: Phrase, edits: Iterable[tuple[Piece, str]] = ()
) -> Swap:
    """Return the exchange of two phrases that keep their forms; determiners that must stay do.

    Raises:
        DeclineError: a phrase is a set phrase, or its determiner does not suit the other noun.
    """
    edits = list(edits)
    if left.clitic is not None or right.clitic is not None:
        raise DeclineError("phrase glued to its neighbour")
    if left.is_fixed or right.is_fixed:
        if left.is_plural != right.is_plural or {left.kind, right.kind} & {"pronoun", "name"}:
            raise DeclineError("determiner that cannot move")
        if not (left.is_plural or is_title_like(sentence)) and (left.is_bare or right.is_bare):
            raise DeclineError("determiner that cannot move")
        left, first_article = _split_determiner(left)
        right, second_article = _split_determiner(right)
        for article, phrase in ((first_article, right), (second_article, left)):
            edit = article_edit(article, phrase.text)
            if edit is not None:
                edits.append(edit)
    else:
        check_bare(sentence, left)
        check_bare(sentence, right)
    return Swap(left, right, left.text, right.text, tuple(edits))


def _split_determiner(phrase: Phrase) -> tuple[Phrase, Token | None]:
    """A phrase without its determiner, and that determiner (None if it has none)."""
    determiner = next((t for t in phrase.head.lefts if t.dep_ in {"det", "poss"}), None)
    if any(t.dep_ == "nummod" for t in phrase.head.lefts):
        raise DeclineError("determiner that cannot move")
    if determiner is None:
        return phrase, None
    return replace(phrase, first=determiner.right_edge.i + 1), determiner


def subjects_and_objects(sentence: Sentence) -> list[tuple[Clause, Token]]:
    """Return the active verbs of a sentence with their objects."""
    return [
        (clause, object_)
        for clause in clauses_of(sentence)
        if not clause.is_passive
        for object_ in _objects(clause.verb)
    ]


def subjects_and_complements(sentence: Sentence) -> list[tuple[Clause, Complement]]:
    """Return the verbs of a sentence with the prepositional phrases behind them."""
    return [
        (clause, complement)
        for clause in clauses_of(sentence)
        for complement in complements_of(sentence)
        if complement.first > clause.verb.i
        and (
            complement.host == clause.verb
            or (
                complement.host.head == clause.verb
                and complement.host.dep_ in {"xcomp", "acomp", "prt", "attr", "dobj", "oprd"}
            )
        )
        and not (clause.is_passive and complement.preposition == "by")
    ]


def swap_subject_and_object(sentence: Sentence, candidate: tuple[Clause, Token]) -> Swap:
    """Return the exchange of a subject and an object.

    Raises:
        DeclineError: one of them cannot move, or the verb is symmetric.
    """
    clause, object_ = candidate
    verb = object_.head.lemma_
    if verb in SYMMETRIC_VERBS:
        raise DeclineError("symmetric predicate")
    swap = swap_subject(sentence, clause, object_)
    if verb in RIVAL_VERBS and _can_both_act(swap):
        raise DeclineError("symmetric predicate")
    return swap


def is_symmetric(complement: Complement) -> bool:
    """Return True if a preposition joins equals (`beside the wall`, `between you and me`)."""
    if complement.first and complement.host.doc[complement.first - 1].lower_ in {
        "together",
        "along",
    }:
        return True
    if complement.preposition in {"between", "among", "amongst"}:
        return any(child.dep_ == "conj" for child in complement.noun.rights)
    return complement.preposition in SYMMETRIC_PREPOSITIONS


def _can_both_act(swap: Swap) -> bool:
    """True if both phrases name beings, or places and bodies that act."""
    return {swap.first.kind, swap.second.kind} <= {"pronoun", "name", "animate"}


def swap_subject_and_complement(sentence: Sentence, candidate: tuple[Clause, Complement]) -> Swap:
    """Return the exchange of a subject and the object of a preposition.

    Raises:
        DeclineError: one of them cannot move, or they are partners.
    """
    clause, complement = candidate
    host, preposition = complement.host, complement.preposition
    if is_symmetric(complement) or host.lemma_ in SYMMETRIC_HOSTS:
        raise DeclineError("symmetric predicate")
    if preposition in SET_PREPOSITIONS - {"of", "as"}:
        raise DeclineError("preposition without argument")
    check_set_phrase(complement)
    swap = swap_subject(sentence, clause, complement.noun)
    if host.dep_ == "dobj" and fit(swap.first, swap.second) < LEAST_LIKENESS:
        raise DeclineError("phrases of different kinds")
    if host.lemma_ in RECIPROCAL_VERBS and preposition in COMITATIVE and _can_both_act(swap):
        raise DeclineError("symmetric predicate")
    return swap


def check_set_phrase(complement: Complement) -> None:
    """Decline a phrase that means one thing as a whole (`in the air`, `at the same time`)."""
    noun = complement.noun
    if (complement.preposition, noun.lower_) in SET_PHRASES and not any(
        t.dep_ in {"amod", "poss", "compound"} and t.lower_ != "same" for t in noun.lefts
    ):
        raise DeclineError("set phrase or pronoun-like noun")
