"""Headlines: a phrase or a source moves to the other end of a text without a full sentence."""

from __future__ import annotations

import re

from spacy.tokens import Token

from embsyntax.perturbation.adjuncts import kind_of_phrase, object_of, refers_back
from embsyntax.perturbation.engine import (
    Change,
    DeclineError,
    Piece,
    Sentence,
    lower_first,
    rule,
)
from embsyntax.perturbation.main_clause import (
    AUXILIARIES,
    BREAKS,
    CHAT_WORDS,
    FINITE_TAGS,
    arrange,
    capital,
    has_word,
    is_balanced,
    is_title_case,
    without,
    word_set,
)

HEADLINE_SUBORDINATORS = word_set("as after before amid while when")
HEADLINE_PREPOSITIONS = word_set("in at near after amid during before despite outside off since")

SOURCES = word_set(
    """report reports official officials police poll polls study studies source sources media
    minister ministry un u.n. agency agencies spokesman spokeswoman analyst analysts witness
    witnesses activist activists lawyer lawyers survey aide aides army military tv court
    watchdog monitor monitors ngo residents doctor doctors family government pentagon usgs
    who nato imf researchers researcher experts expert scientists scientist critics judge
    prosecutor prosecutors mayor governor group groups rebels opposition paper newspaper
    reuters ap bbc cnn"""
)
"""Who or what a headline names before or behind a colon as its source."""

ATTRIBUTION = re.compile(
    r"""(?P<source>[\w.'’\-]+(?:\ [\w.'’\-]+){0,3}):\ (?P<body>.+)
    |(?P<news>.+?)(?P<link>:\ |\ --?\ |\ –\ )(?P<origin>[\w.'’\-]+(?:\ [\w.'’\-]+){0,3})""",
    re.VERBOSE,
)


@rule(
    name="headline_fronting",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="A phrase of time, place or circumstance says the same at either end of a headline.",
    preconditions="A headline whose verb is a participle or infinitive, with such a phrase last.",
)
def headline_fronting(sentence: Sentence) -> Change:
    """Turn `Four injured in motorway crash` into `In motorway crash, four injured`."""
    root = sentence.root
    if sentence.is_question or sentence.text[sentence.end :].strip():
        raise DeclineError("no headline")
    if BREAKS.search(sentence.text, sentence.start, sentence.end) or has_word(
        sentence.doc, CHAT_WORDS
    ):
        raise DeclineError("punctuation or chat word")
    children = list(root.children)
    subjects = [t for t in children if t.dep_ in {"nsubj", "nsubjpass"} and t.i < root.i]
    if root.pos_ == "AUX" or any(t.dep_ in AUXILIARIES and t.tag_ in FINITE_TAGS for t in children):
        raise DeclineError("no headline")
    if root.tag_ in {"VBN", "VBD", "VBG", "VB"}:
        if len(subjects) != 1 or subjects[0].pos_ not in {"NOUN", "PROPN", "NUM"}:
            raise DeclineError("no headline")
        if root.tag_ == "VB" and not any(t.lower_ == "to" for t in children):
            raise DeclineError("no headline")
    elif root.pos_ not in {"NOUN", "PROPN", "NUM", "ADJ"}:
        raise DeclineError("no headline")
    if any(t.dep_ in {"conj", "ccomp", "parataxis"} for t in children):
        raise DeclineError("further clauses")
    if sentence.doc[0].tag_ in {"WRB", "WP", "WDT"} or any(
        t.tag_ in {"JJS", "RBS"} or t.lower_ in {"first", "only", "last"} for t in sentence.doc
    ):
        raise DeclineError("question word, superlative or ordinal")
    last = sentence.doc[-1]
    participles = [t for t in children if t.dep_ == "acl" and t.tag_ == "VBN"]
    for token in (*children, *(t for word in participles for t in word.children)):
        if token.i < root.i or token.right_edge != last:
            continue
        first = token.left_edge
        if token.dep_ == "advcl":
            if first.lower_ not in HEADLINE_SUBORDINATORS or first.head != token:
                continue
            if not any(t.dep_ in {"nsubj", "nsubjpass"} for t in token.children):
                continue
        elif token.dep_ == "prep":
            if token.lower_ not in HEADLINE_PREPOSITIONS or not _is_setting(token):
                continue
        else:
            continue
        if first.lower_ in {"up", "just"} or refers_back(token, subjects[0] if subjects else root):
            continue
        piece = Piece(first.idx, sentence.end)
        body = without(sentence, Piece(sentence.start, sentence.end), piece)
        text = arrange(sentence, [piece, ",", *body])
        return Change(text, f"{sentence.words(piece)} to the front")
    raise DeclineError("no phrase that can move")


def _is_setting(preposition: Token) -> bool:
    """Say whether a phrase tells where, when or in what course the whole headline happens."""
    root = preposition.head
    kind = kind_of_phrase(preposition, root)
    if kind is None or any(t.pos_ in {"VERB", "AUX"} for t in preposition.subtree):
        return False
    noun = object_of(preposition)
    if noun.lower_ in {"prison", "jail"} and root.lemma_ == "sentence":
        return False
    if noun.lower_ in {"office", "power", "term"}:
        return False
    if root.pos_ == "VERB":
        return True
    if root.lower_ in {"morning", "day", "night", "week"} or root.doc[0].pos_ == "DET":
        return False
    if kind == "circumstance" and not any(
        t.ent_type_ in {"GPE", "NORP", "PERSON", "LOC"} for t in root.doc
    ):
        return False
    return kind != "place" or noun.ent_type_ in {"GPE", "LOC", "FAC"}


@rule(
    name="attribution_shift",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="A headline names the same source before or behind its news.",
    preconditions="A headline with a source, as `Officials`, before or behind a colon or dash.",
)
def attribution_shift(sentence: Sentence) -> Change:
    """Turn `18 killed in attack: officials` into `Officials: 18 killed in attack`."""
    body = sentence.text[sentence.start : sentence.end]
    match = ATTRIBUTION.fullmatch(body)
    if not match or sentence.is_question or sentence.text[sentence.end :].strip(" '\"”’"):
        raise DeclineError("no source before or behind a colon")
    source = match["source"] or match["origin"]
    news = match["body"] or match["news"]
    is_source = source.lower().split()[-1] in SOURCES
    if match["origin"] and not is_source:
        is_source = all(t.pos_ == "PROPN" for t in sentence.doc[-len(source.split()) :])
    if not is_source or BREAKS.search(news) or len(news.split()) < 4:
        raise DeclineError("no source before or behind a colon")
    if not is_balanced(news) or source.split()[-1] == "who":
        raise DeclineError("cuts through quotes or brackets")
    if match["source"]:
        first = sentence.doc.char_span(
            sentence.start, sentence.start + len(source), alignment_mode="expand"
        )[0]
        moved = source if is_title_case(sentence) else lower_first(source, first)
        text = f"{capital(sentence, news)}: {moved}"
    else:
        text = f"{capital(sentence, source)}: {news}"
    text = sentence.text[: sentence.start] + text + sentence.text[sentence.end :]
    return Change(text, f"{source} moved")
