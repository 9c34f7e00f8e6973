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
    FINITE_TAGS,
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


PRAISE = word_set(
    """great good nice awesome amazing bad terrible awful huge crazy beautiful classy brilliant
    fantastic incredible lovely horrible sweet perfect sick nasty wonderful solid unbelievable
    tough sad superb excellent fun funny weird dumb stupid smart strange epic"""
)
PRAISED = word_set(
    """pick save goal game win shot catch move dunk layup play pass steal choice fight night day
    article song movie film show match performance gesture exchange bout idea feeling trade
    signing start end finish comeback series season week weekend story speech interview job
    effort player team video photo picture party concert hit throw home homer loss block
    race trip tribute episode way article read surprise selection decision addition
    fit value role sight moment crowd atmosphere line period half quarter"""
)
"""What messages call great or bad: nouns that can be counted."""

LONGEST_JUDGEMENT = 10
"""Most words of a judgement: longer messages often run on without punctuation."""


@rule(
    name="exclamation_restoration",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="A judgement without a verb is short for the exclamation with what a.",
    preconditions="A message without a verb that begins with praise or blame of one thing.",
)
def exclamation_restoration(sentence: Sentence) -> Change:
    """Turn `Great pick by the Steelers` into `What a great pick by the Steelers`."""
    text = sentence.text[sentence.start : sentence.end]
    doc = sentence.doc
    if sentence.is_question or BREAKS.search(text) or "," in text or doc[0].idx != sentence.start:
        raise DeclineError("no judgement without a verb")
    at = 1 if doc[0].lower_ in {"a", "an"} else 0
    if not at + 4 <= len(doc) <= LONGEST_JUDGEMENT or doc[at].lower_ not in PRAISE:
        raise DeclineError("no judgement without a verb")
    noun = next((t for t in doc[at + 1 : at + 4] if t.lower_ in PRAISED), None)
    if noun is None or any(
        t.lower_ not in PRAISE and t.pos_ not in {"NOUN", "ADJ"} for t in doc[at + 1 : noun.i]
    ):
        raise DeclineError("no judgement of one thing")
    behind = noun.nbor(1) if noun.i + 1 < len(doc) else None
    if behind is None or behind.lower_ not in {"by", "for", "from", "in", "at", "to", "on", "with"}:
        raise DeclineError("no phrase behind the noun")
    if has_word(doc, CHAT_WORDS) or any(
        (t.is_alpha and any(c.isupper() for c in t.text[1:]) and not t.is_upper)
        or t.tag_ in FINITE_TAGS
        or t.tag_ in {"VBN", "WP", "WRB"}
        for t in doc
    ):
        raise DeclineError("finite verb or chat word")
    if not is_balanced(text) or sentence.text[sentence.end :].strip(" .!"):
        raise DeclineError("cuts through quotes or brackets")
    article = "an" if doc[at].lower_[0] in "aeiou" else "a"
    rest = sentence.text[doc[at].idx : sentence.end]
    if not (is_title_case(sentence) or rest[:2].isupper()):
        rest = rest[0].lower() + rest[1:]
    what = upper_first("what") if text[0].isupper() else "what"
    new = f"{sentence.text[: sentence.start]}{what} {article} {rest}{sentence.text[sentence.end :]}"
    return Change(new, f"{what} {article} before {doc[at].text}")


CONGRATULATIONS = word_set("congrats congratulations kudos props")


@rule(
    name="congratulation_restoration",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="The message says in full what congratulations leave out: that they go to someone.",
    preconditions="A message without a finite verb that begins with congratulations to someone.",
)
def congratulation_restoration(sentence: Sentence) -> Change:
    """Turn `Congrats to the Bears on the win` into `Congrats go to the Bears on the win`."""
    doc = sentence.doc
    text = sentence.text[sentence.start : sentence.end]
    if len(doc) < 4 or doc[0].lower_ not in CONGRATULATIONS or doc[1].lower_ != "to":
        raise DeclineError("no congratulations to someone")
    if sentence.is_question or BREAKS.search(text) or not is_balanced(text):
        raise DeclineError("question, or punctuation splits the text")
    if any(t.tag_ in FINITE_TAGS and t.dep_ != "relcl" for t in doc):
        raise DeclineError("finite verb")
    go = "GO" if doc[0].text.isupper() else "go"
    new = replace_pieces(sentence, [(piece_of(doc[1]), f"{go} {doc[1].text}")])
    return Change(new, f"{go} before {doc[1].text}")


STATE_ADJECTIVES = word_set(
    """dead missing ill alive safe free homeless ready unable likely set higher lower optimistic"""
)


PASSIVE_ONLY = word_set(
    """kill injure wound arrest detain charge sentence jail find shoot rescue evacuate kidnap
    abduct release oust elect appoint name bury ban suspend fine convict accuse acquit indict
    cancel delay postpone seize hospitalise hospitalize behead execute destroy damage draft pick
    select expel deport award schedule unveil discover blame sack investigate disrupt seek
    capture overthrow summon interview crush take identify ambush commission"""
)
"""Verbs that take an object, so that their past form without one is a participle."""


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
    if predicate.tag_ in {"VBN", "VBD"}:
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
    if predicate.tag_ == "VBD" and lemma in PASSIVE_ONLY:
        if any(t.dep_ in {"dobj", "xcomp", "dative"} for t in predicate.children):
            raise DeclineError("participle with an object")
        if predicate.lower_ not in inflections(lemma, "VBN"):
            raise DeclineError("participle may be a past tense")
        return
    if predicate.tag_ == "VBN":
        if any(t.dep_ == "dobj" for t in predicate.children):
            raise DeclineError("participle with an object")
        is_event = lemma in EVENT_VERBS or lemma in PASSIVE_ONLY
        is_event = is_event or any(t.dep_ == "agent" for t in predicate.children)
        if not is_event and predicate.lower_ not in STATE_PARTICIPLES:
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
    if predicate.tag_ == "VBD" and sentence.text[sentence.end :].strip():
        raise DeclineError("participle may be a past tense")
    between = sentence.doc[noun.i + 1 : first.i]
    if predicate.tag_ in {"VBN", "VBD"} and any(t.lower_ == "with" for t in between):
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
