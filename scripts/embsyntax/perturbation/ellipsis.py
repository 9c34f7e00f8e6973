"""Ellipsis: what titles, captions and messages leave out returns; loose interjections move."""

from __future__ import annotations

from spacy.tokens import Token

from embsyntax.perturbation.adjuncts import is_animate
from embsyntax.perturbation.alternations import STATE_PARTICIPLES, STATE_VERBS
from embsyntax.perturbation.engine import (
    Change,
    DeclineError,
    Sentence,
    lower_first,
    piece_of,
    replace_pieces,
    rule,
    upper_first,
)
from embsyntax.perturbation.main_clause import (
    BREAKS,
    CHAT_WORDS,
    EVENT_VERBS,
    has_word,
    is_balanced,
    is_title_case,
    word_set,
)
from embsyntax.perturbation.verbs import agreement_of, inflections

INTERJECTIONS = word_set(
    """lol lmao lmfao rofl omg omfg damn dammit dang wow ugh smh haha hahaha hahahaha yay bruh
    whoa ew eww aw aww geez jeez sheesh woah"""
)
"""Interjections that say the same before and behind a message."""


@rule(
    name="interjection_shift",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="An interjection comments on the whole message from either end.",
    preconditions="A message of five or more words that begins or ends with one interjection.",
)
def interjection_shift(sentence: Sentence) -> Change:
    """Turn `This game is good lol` into `lol this game is good`."""
    text = sentence.text[sentence.start : sentence.end]
    words = text.split()
    if sentence.text[sentence.end :].strip() or sentence.text[: sentence.start].strip():
        raise DeclineError("no message with an interjection")
    if len(words) < 5 or BREAKS.search(text) or "," in text or sentence.is_question:
        raise DeclineError("no message with an interjection")
    first, last = words[0].lower(), words[-1].lower()
    if (first in INTERJECTIONS) == (last in INTERJECTIONS):
        raise DeclineError("no message with an interjection")
    if first in INTERJECTIONS:
        if words[1].lower() in INTERJECTIONS | {"near", "right", "it", "you", "the", "good"}:
            raise DeclineError("interjection may belong to a phrase")
        rest = text[len(words[0]) :].strip()
        moved = words[0] if words[0].isupper() else first
        if sentence.text[sentence.start].isupper():
            rest = upper_first(rest)
        new = f"{rest} {moved}"
    else:
        rest = text[: -len(words[-1])].strip()
        new = f"{words[-1]} {lower_first(rest, sentence.doc[0])}"
        if sentence.text[sentence.start].isupper() and not words[-1].isupper():
            new = upper_first(new)
    if not is_balanced(rest):
        raise DeclineError("cuts through quotes or brackets")
    new = sentence.text[: sentence.start] + new + sentence.text[sentence.end :]
    return Change(new, f"{first if first in INTERJECTIONS else last} moved")


DIARY_GERUNDS = word_set(
    """watching listening going feeling wearing eating drinking waiting sitting hoping thinking
    loving missing heading enjoying celebrating dying crying chilling laying lying walking"""
)
DIARY_VERBS = word_set("love loved hate hated miss missed want wish hope like liked saw watched")
DIARY_ADVERBS = word_set("just really still absolutely definitely also already totally so")
DIARY_ADJECTIVES = word_set(
    """pumped excited ready happy sad glad proud tired hyped stoked thankful"""
)


@rule(
    name="subject_restoration",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="In a diary or message the subject that is left out is the writer.",
    preconditions="A message that begins with a verb of doing or feeling and has no subject.",
)
def subject_restoration(sentence: Sentence) -> Change:
    """Turn `Watching the game tonight` into `I am watching the game tonight`."""
    text = sentence.text[sentence.start : sentence.end]
    if sentence.is_question or BREAKS.search(text) or sentence.text[sentence.end :].strip():
        raise DeclineError("no message without a subject")
    doc = sentence.doc
    if doc[0].idx != sentence.start or len(doc) < 4:
        raise DeclineError("no message without a subject")
    at = 1 if doc[0].lower_ in DIARY_ADVERBS else 0
    token = doc[at]
    if not _lacks_subject(token):
        raise DeclineError("no message without a subject")
    word = token.lower_
    first = doc[0] if at else token
    if (
        word in DIARY_GERUNDS
        and token.tag_ == "VBG"
        or word in DIARY_ADJECTIVES
        and at + 1 < len(doc)
        and _has_complement(doc[at + 1])
    ):
        lead = "I am"
    elif word in DIARY_VERBS and token.pos_ == "VERB" and token.tag_ in {"VB", "VBP", "VBD"}:
        lead = "I"
    else:
        raise DeclineError("no message without a subject")
    if any(t.lower_ in {"i", "im", "you"} for t in doc[: at + 3]) or not is_balanced(text):
        raise DeclineError("no message without a subject")
    if not text[0].isupper():
        lead = lead.lower()
    rest = text if text[:2].isupper() else text[0].lower() + text[1:]
    new = sentence.text[: sentence.start] + f"{lead} {rest}" + sentence.text[sentence.end :]
    return Change(new, f"{lead} before {first.text}")


def _lacks_subject(token: Token) -> bool:
    return token.dep_ == "ROOT" and not any(
        t.dep_ in {"nsubj", "nsubjpass", "expl", "aux", "auxpass", "csubj"} for t in token.children
    )


def _has_complement(token: Token) -> bool:
    return token.lower_ in {"to", "for", "that", "about", "of"}


STATE_ADJECTIVES = word_set(
    """dead missing ill alive safe free homeless ready unable likely set higher lower optimistic"""
)


@rule(
    name="copula_restoration",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="The sentence says in full what the caption or headline leaves out: a form of be.",
    preconditions="A caption or headline: a noun, then a participle, infinitive or state.",
)
def copula_restoration(sentence: Sentence) -> Change:
    """Turn `Soldier killed in attack` into `Soldier was killed in attack`."""
    if sentence.is_question or BREAKS.search(sentence.text, sentence.start, sentence.end):
        raise DeclineError("question, or punctuation splits the text")
    root = sentence.root
    noun, predicate = _nominal(root)
    if noun.pos_ not in {"NOUN", "PROPN", "NUM"} or noun.left_edge.idx != sentence.start:
        raise DeclineError("no noun at the start")
    first = _first_of_predicate(predicate)
    if first.i != noun.i + 1 + _words_after(noun, first):
        raise DeclineError("something stands before the predicate")
    if has_word(sentence.doc, CHAT_WORDS) or first.nbor(-1).is_punct or first.nbor(-1).text == "s":
        raise DeclineError("chat word or comma")
    _check_title(sentence, noun, predicate, first)
    is_plural = _is_plural(noun)
    if predicate.tag_ == "VBN":
        be = "were" if is_plural else "was"
        if predicate.lower_ in STATE_PARTICIPLES or predicate.lower_ in {"set", "expected"}:
            be = "are" if is_plural else "is"
    else:
        be = "are" if is_plural else "is"
    if is_title_case(sentence) and predicate.text[0].isupper():
        be = be.capitalize()
    text = replace_pieces(sentence, [(piece_of(first), f"{be} {first.text}")])
    return Change(text, f"{be} before {first.text}")


def _nominal(root: Token) -> tuple[Token, Token]:
    """The noun and the predicate of a text without a finite verb.

    Raises:
        DeclineError: the text has a finite verb or no such two parts.
    """
    children = list(root.children)
    if any(t.dep_ in {"aux", "auxpass", "cop"} and t.tag_ != "TO" for t in children):
        raise DeclineError("auxiliary")
    if any(t.dep_ in {"conj", "parataxis", "ccomp", "expl"} for t in children):
        raise DeclineError("further clauses")
    subjects = [t for t in children if t.dep_ in {"nsubj", "nsubjpass"} and t.i < root.i]
    if root.pos_ == "VERB" or root.lower_ in STATE_ADJECTIVES:
        if len(subjects) != 1:
            raise DeclineError("no single subject")
        noun = subjects[0]
        _check_predicate(root)
        return noun, root
    if root.pos_ in {"NOUN", "PROPN", "NUM"} and not subjects:
        states = [t for t in root.rights if t.lower_ in STATE_ADJECTIVES]
        if len(states) == 1 and states[0].i == root.i + 1:
            return root, states[0]
        found = [t for t in root.rights if t.dep_ == "acl"]
        if len(found) == 1 and found[0].tag_ in {"VBG", "VBN"}:
            if any(t.dep_ == "relcl" for t in root.rights):
                raise DeclineError("relative clause")
            _check_predicate(found[0])
            return root, found[0]
    raise DeclineError("no noun and predicate")


def _check_predicate(predicate: Token) -> None:
    lemma = predicate.lemma_.lower()
    if predicate.tag_ == "VBG":
        if lemma in STATE_VERBS:
            raise DeclineError("verb of a state")
        return
    if predicate.tag_ == "VBN":
        if any(t.dep_ == "dobj" for t in predicate.children):
            raise DeclineError("participle with an object")
        if lemma not in EVENT_VERBS and predicate.lower_ not in STATE_PARTICIPLES:
            raise DeclineError("participle may be a past tense")
        return
    if any(t.tag_ == "TO" and t.i == predicate.i - 1 for t in predicate.lefts):
        if predicate.lower_ not in inflections(predicate.lower_, "VB"):
            raise DeclineError("no infinitive")
        return
    if predicate.lower_ in STATE_ADJECTIVES:
        return
    raise DeclineError("finite verb")


def _check_title(sentence: Sentence, noun: Token, predicate: Token, first: Token) -> None:
    """Decline titles whose participle describes a thing, or is a noun, and tells of no event.

    Raises:
        DeclineError: the text may be such a title.
    """
    determined = any(t.dep_ in {"det", "nummod", "poss"} for t in noun.lefts)
    is_agent = noun.pos_ in {"PROPN", "NUM"} or is_animate(noun)
    is_closed = sentence.text[sentence.end :].startswith(".")
    is_infinitive = predicate.tag_ == "VB"
    if predicate.tag_ == "VBG" or is_infinitive:
        is_negated = any(t.dep_ == "neg" for t in sentence.doc[first.i : predicate.i])
        if not (determined or is_agent or is_closed or (is_negated and not is_infinitive)):
            raise DeclineError("title without an agent")
    between = sentence.doc[noun.i + 1 : first.i]
    if predicate.tag_ == "VBN" and any(t.lower_ == "with" for t in between):
        raise DeclineError("something stands before the predicate")
    if any(t.tag_ in {"VBG", "VBN"} for t in between) or (
        predicate.lemma_ == "wear" and any(t.tag_ == "VBG" and t != predicate for t in sentence.doc)
    ):
        raise DeclineError("more than one participle")


def _is_plural(noun: Token) -> bool:
    """Say whether a noun takes `are`.

    Raises:
        DeclineError: the number is not clear.
    """
    if noun.tag_ == "NNPS" or (noun.pos_ == "PROPN" and noun.lower_.endswith("s")):
        if noun.ent_type_ == "GPE":
            return False
        if noun.ent_type_ == "ORG" and noun.tag_ == "NNPS":
            raise DeclineError("number not clear")
    return agreement_of(noun).is_plural


def _first_of_predicate(predicate: Token) -> Token:
    """The word that the form of be goes before: an adverb, `not`, `to` or the predicate."""
    first = predicate
    while (
        first.i > 0
        and first.nbor(-1).head == predicate
        and (first.nbor(-1).dep_ in {"neg", "advmod", "aux"})
    ):
        first = first.nbor(-1)
    return first


def _words_after(noun: Token, first: Token) -> int:
    """How many words between a noun and the predicate belong to the noun."""
    right = [t for t in noun.subtree if noun.i < t.i < first.i]
    return len(right)
