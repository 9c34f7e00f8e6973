"""Relation rules that exchange a noun and the noun of the phrase that describes it."""

from __future__ import annotations

from spacy.tokens import Token

from embsyntax.perturbation.engine import Change, DeclineError, Sentence, rule
from embsyntax.perturbation.main_clause import is_title_case, word_set
from embsyntax.perturbation.noun_phrases import (
    Phrase,
    check_edges,
    is_known_word,
    is_title_like,
    is_verb_form,
    kind_of,
    noun_phrase,
)
from embsyntax.perturbation.noun_words import (
    BAD_DETERMINERS,
    BAD_HEADS,
    NAME_TAGS,
    NOUN_TAGS,
    SET_NOUNS,
    SUBJECT_LABELS,
    TIME_AND_MEASURE,
    VERSION,
)
from embsyntax.perturbation.roles import (
    Clause,
    Complement,
    Swap,
    agreement_edits,
    check_set_phrase,
    complements_of,
    make_best,
    narrow,
    swap_nouns,
)
from embsyntax.perturbation.symmetric import (
    GREETINGS,
    PART_NOUNS,
    SET_PREPOSITIONS,
    SYMMETRIC_NOUNS,
    SYMMETRIC_PREPOSITIONS,
)

COMPLEMENT_SCORE = 2

CHUNK_TAGS = NOUN_TAGS | {"CD", "JJ", "HYPH", "FW", "XX", "ADD", "VBN"}
"""Tags of the words of a noun phrase in a title, determiners left out."""

DETERMINER_TAGS = frozenset({"DT", "PRP$"})

CHUNK_NEIGHBOURS = word_set("and or & , / of vs vs. least than like 's ’s ' s ( [")
"""Words beside a stretch that make it part of a larger phrase."""

TITLE_PREPOSITIONS = word_set(
    "in on to from with for into onto without after before via over under inside through at within "
    "using as during against around behind"
)


@rule(
    name="noun_complement_swap",
    dimension="relation",
    perturbation="conceptual relationship",
    expected_score=COMPLEMENT_SCORE,
    why="the same words, but the thing and the place, goal or tool that describes it changed roles",
    preconditions="a noun, not an object, with a prepositional phrase of its own, not with `of`; "
    "both of one kind unless the noun stands alone, as in titles",
    off_because="19 % of 50 judged outputs were not understood; see rule_quality.md",
)
def noun_complement_swap(sentence: Sentence) -> Change:
    """`a car in front of a house` -> `a house in front of a car`."""
    candidates = [
        complement
        for complement in complements_of(sentence)
        if _is_in_noun_phrase(complement)
        and complement.preposition != "of"
        and complement.host.dep_ != "dobj"
    ]
    return make_best(sentence, candidates, _noun_and_complement, "no noun with a complement")


@rule(
    name="of_complement_swap",
    dimension="relation",
    perturbation="conceptual relationship",
    expected_score=COMPLEMENT_SCORE,
    why="the same words, but the whole and its part or owner changed roles",
    preconditions="a noun that neither measures nor names, with a complement with `of`",
    off_because="too many outcomes read like a slip (`a room of the ceiling`): most nouns before "
    "`of` cannot stand after it",
)
def of_complement_swap(sentence: Sentence) -> Change:
    """`the king of the land` -> `the land of the king`."""
    candidates = [
        complement
        for complement in complements_of(sentence)
        if _is_in_noun_phrase(complement) and complement.preposition == "of"
    ]
    return make_best(sentence, candidates, _whole_and_part, "no noun with of")


def _is_in_noun_phrase(complement: Complement) -> bool:
    """True if a prepositional phrase follows the noun that it describes."""
    return complement.host.tag_ in NOUN_TAGS and complement.first > complement.host.i


def _noun_and_complement(sentence: Sentence, complement: Complement) -> Swap:
    host = complement.host
    if complement.preposition in SET_PREPOSITIONS | {"by"}:
        raise DeclineError("preposition without argument")
    if (
        host.dep_ == "ROOT"
        and is_verb_form(host.lower_)
        and (host.i == 0 or is_title_case(sentence))
    ):
        raise DeclineError("noun or imperative")
    check_set_phrase(complement)
    swap = _swap_complement(sentence, complement)
    if swap.first.kind != swap.second.kind and host.dep_ != "ROOT":
        raise DeclineError("phrases of different kinds")
    return swap


def _whole_and_part(sentence: Sentence, complement: Complement) -> Swap:
    host, noun = complement.host, complement.noun
    if host.lemma_.lower() in PART_NOUNS or {host.tag_, noun.tag_} <= NAME_TAGS:
        raise DeclineError("noun that measures or names its complement")
    swap = _swap_complement(sentence, complement)
    if swap.first.is_bare != swap.second.is_bare:
        raise DeclineError("phrases of different kinds")
    return swap


def _swap_complement(sentence: Sentence, complement: Complement) -> Swap:
    """The exchange of a noun with its complement.

    Raises:
        DeclineError: one of them cannot move, or both are interchangeable.
    """
    host, noun = complement.host, complement.noun
    if complement.preposition in SYMMETRIC_PREPOSITIONS or host.lemma_ in SYMMETRIC_NOUNS:
        raise DeclineError("symmetric predicate")
    if host.lower_ in GREETINGS or noun.tag_ == "PRP":
        raise DeclineError("greeting or pronoun")
    if any(child.dep_ == "poss" for child in host.lefts):
        raise DeclineError("noun with an owner")
    left = narrow(noun_phrase(sentence, host))
    right = noun_phrase(sentence, noun)
    edits = []
    if host.dep_ in SUBJECT_LABELS:
        edits = agreement_edits(Clause(host.head, host, False, False), left, right)
    elif left.is_plural != right.is_plural and host.dep_ == "attr":
        raise DeclineError("number differs from that of the modified noun")
    return swap_nouns(sentence, left, right, edits)


@rule(
    name="title_argument_swap",
    dimension="relation",
    perturbation="concept order",
    expected_score=COMPLEMENT_SCORE,
    why="the same words, but the thing and its place, goal or tool changed roles",
    preconditions="a title, question or query with two nominal stretches on both sides of a "
    "preposition; found by tags, as parsers often fail on such texts",
    off_because="a fifth of 50 judged outputs were not understood; see rule_quality.md",
)
def title_argument_swap(sentence: Sentence) -> Change:
    """`install ubuntu on a usb stick` -> `install a usb stick on ubuntu`."""
    if not is_title_like(sentence) or is_title_case(sentence):
        raise DeclineError("no title")
    prepositions = [
        token
        for token in sentence.doc[1:-1]
        if token.lower_ in TITLE_PREPOSITIONS and token.tag_ in {"IN", "TO", "VBG", "RP"}
    ]
    return make_best(sentence, prepositions, _around, "no preposition in a title")


def _around(sentence: Sentence, preposition: Token) -> Swap:
    """The exchange of the nominal stretches before and after a preposition.

    Raises:
        DeclineError: there are no two such stretches, or one may be a verb or part of more.
    """
    doc = sentence.doc
    first = preposition.i
    while first and _is_in_chunk(doc[first - 1]):
        first -= 1
        if doc[first].tag_ in DETERMINER_TAGS:
            break
    last = preposition.i
    while last + 1 < len(doc) and _is_in_chunk(doc[last + 1]):
        if last > preposition.i and doc[last + 1].tag_ in DETERMINER_TAGS:
            break
        last += 1
    left = _chunk(sentence, first, preposition.i - 1)
    right = _chunk(sentence, preposition.i + 1, last)
    before = doc[first - 1] if first else None
    opens_verb = before is None or before.tag_ in {"TO", "MD", "RB"}
    if opens_verb and doc[first].tag_ in NOUN_TAGS and is_verb_form(doc[first].lower_):
        raise DeclineError("noun or imperative")
    opening = doc[preposition.i + 1]
    if preposition.lower_ == "to" and opening.tag_ in NOUN_TAGS and is_verb_form(opening.lower_):
        raise DeclineError("noun or imperative")
    neighbours = {token.lower_ for token in doc[last + 1 : last + 2]}
    if before is not None:
        neighbours.add(before.lower_)
        is_modifier = before.tag_ in {"VBG", "VBN"} and before.head.i > before.i
        if is_modifier or before.tag_ in {"DT", "PDT"}:
            raise DeclineError("phrase without clear bounds")
    if neighbours & CHUNK_NEIGHBOURS:
        raise DeclineError("coordination")
    if left.head.dep_ in SUBJECT_LABELS and left.is_plural != right.is_plural:
        raise DeclineError("number not clear")
    return swap_nouns(sentence, left, right)


def _is_in_chunk(token: Token) -> bool:
    return token.tag_ in CHUNK_TAGS or token.tag_ in DETERMINER_TAGS


def _chunk(sentence: Sentence, first: int, last: int) -> Phrase:
    """A nominal stretch of a title as a phrase.

    Raises:
        DeclineError: it is empty, does not end in a noun, or its bounds are not clear.
    """
    if first > last:
        raise DeclineError("no noun beside the preposition")
    doc = sentence.doc
    head = doc[last]
    is_version = bool(VERSION.fullmatch(head.text))
    if head.tag_ == "CD" and not is_version:
        if last == first or doc[last - 1].tag_ not in NOUN_TAGS:
            raise DeclineError("plain number")
    elif head.tag_ not in NOUN_TAGS and (
        head.tag_ not in {"CD", "JJ", "FW"} or (head.tag_ == "JJ" and is_known_word(head.lower_))
    ):
        raise DeclineError("no plain noun")
    words = doc[first : last + 1]
    if any(
        t.lower_ in BAD_DETERMINERS | BAD_HEADS | GREETINGS or t.lemma_.lower() in TIME_AND_MEASURE
        for t in words
    ) or any(t.ent_type_ in {"DATE", "TIME"} for t in words):
        raise DeclineError("time or measure")
    check_edges(sentence, first, last)
    if first == last and head.lower_ in SET_NOUNS:
        raise DeclineError("set phrase or pronoun-like noun")
    return Phrase(head, first, last, kind_of(head))
