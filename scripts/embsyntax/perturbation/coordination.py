"""Coordination: the two sides of `and` or `or` change places where their order says nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from spacy.tokens import Token

from embsyntax.perturbation.engine import (
    Change,
    DeclineError,
    Piece,
    Sentence,
    rule,
    swap_pieces,
)
from embsyntax.perturbation.main_clause import (
    FINITE_TAGS,
    THIRD_PERSON,
    has_word,
    is_balanced,
    word_set,
)

VERSUS = re.compile(
    r"""\A(?P<first>[^,:;?]+?)\ (?:vs\.?|versus)\ (?P<second>[^,:;?]+)\Z
    |\bdifferences?\ between\ (?P<one>[^,:;?]+?)\ and\ (?P<two>[^,:;?]+)\Z""",
    re.VERBOSE | re.IGNORECASE,
)
FIXED_PAIRS = frozenset(
    tuple(pair.split("+"))
    for pair in word_set(
        """black+white back+forth up+down here+there now+then rock+roll salt+pepper bread+butter
        research+development supply+demand trial+error pros+cons copy+paste cut+paste
        war+peace ladies+gentlemen law+order read+write search+replace find+replace drag+drop
        mergers+acquisitions johnson+johnson arts+crafts food+drug drug+alcohol stars+stripes
        more+more over+over again+again on+on less+less better+better one+only dos+donts
        day+night give+take plug+play point+click before+after cause+effect question+answer
        input+output request+response"""
    )
)
"""Pairs whose order is fixed by custom, or is the meaning."""

ORDER_WORDS = word_set(
    """respectively then former latter first second finally later thereby therefore hence next
    between from versus vs both either neither"""
)
ANAPHORIC = word_set("other others another one ones two now even also too so then such rest same")
SOLITARY_VERBS = word_set(
    """sing laugh smile sit stand dance talk lie sleep walk run jump crawl giggle cry swim
    stretch wait kneel crouch squat shout scream bark play pose surf ski skate cheer clap"""
)
"""Verbs that need no object, so that an object behind the second verb is not theirs."""


@dataclass(frozen=True)
class Pair:
    """Two conjuncts that a conjunction joins.

    Attributes:
        first: head of the left conjunct.
        second: head of the right conjunct.
        word: the conjunction, `and` or `or`, in lower case.
        link: its index.
    """

    first: Token
    second: Token
    word: str
    link: int


def _pairs(sentence: Sentence) -> Iterator[Pair]:
    for token in sentence.doc:
        if token.dep_ != "cc" or token.lower_ not in {"and", "or"}:
            continue
        first = token.head
        conjuncts = [t for t in first.children if t.dep_ == "conj" and t.i > token.i]
        before = [t for t in first.children if t.dep_ == "conj" and t.i < token.i]
        if len(conjuncts) != 1 or before or first.i > token.i:
            continue
        second = conjuncts[0]
        if any(t.dep_ in {"conj", "cc"} for t in second.children):
            continue
        if any(t.dep_ in {"cc", "preconj"} and t != token for t in first.children):
            continue
        yield Pair(first, second, token.lower_, token.i)


def _check_pair(sentence: Sentence, pair: Pair, first: Piece, second: Piece) -> None:
    """Decline pairs whose order matters or whose ends are doubtful.

    Raises:
        DeclineError: with the reason.
    """
    if (pair.first.lower_, pair.second.lower_) in FIXED_PAIRS:
        raise DeclineError("fixed pair")
    if not (is_balanced(sentence.words(first)) and is_balanced(sentence.words(second))):
        raise DeclineError("cuts through quotes or brackets")
    if "," in sentence.words(first) or "," in sentence.words(second):
        raise DeclineError("comma inside a conjunct")
    if (
        pair.first.ent_type_
        and sentence.doc[pair.link].ent_type_ == pair.first.ent_type_
        and (pair.second.ent_iob_ == "I")
    ):
        raise DeclineError("conjunction inside a name")
    if any(t.tag_ in FINITE_TAGS or t.tag_ == "VBG" for t in sentence.tokens(first)) and (
        pair.first.pos_ != "VERB" and pair.first.pos_ != "AUX"
    ):
        raise DeclineError("clause inside a conjunct")
    if has_word(sentence.doc, ORDER_WORDS):
        raise DeclineError("order of the conjuncts matters")
    right = sentence.tokens(second)
    if has_word(right, ANAPHORIC):
        raise DeclineError("second conjunct leans on the first")
    if has_word(right, THIRD_PERSON) or any(t.tag_ == "PRP$" for t in right):
        raise DeclineError("pronoun in the second conjunct")


def _noun_piece(sentence: Sentence, head: Token, stop: int) -> Piece:
    """A noun with its left modifiers, and what follows up to the token `stop`."""
    first = head.left_edge
    last = sentence.doc[stop]
    return Piece(first.idx, last.idx + len(last))


def _has_determiner(noun: Token) -> bool:
    return any(t.dep_ in {"det", "nummod", "poss"} for t in noun.lefts)


def _check_nouns(pair: Pair) -> None:
    first, second = pair.first, pair.second
    if first.pos_ not in {"NOUN", "PROPN"} or second.pos_ not in {"NOUN", "PROPN"}:
        raise DeclineError("no pair of nouns")
    if (first.pos_ == "PROPN") != (second.pos_ == "PROPN"):
        raise DeclineError("conjuncts of different kinds")
    if first.dep_ == "ROOT" and first.doc.text.rstrip().endswith("."):
        raise DeclineError("no pair of nouns")
    if first.dep_ in {"compound", "nmod", "poss", "npadvmod", "appos", "amod"}:
        raise DeclineError("pair inside a compound")
    if first.like_num or second.like_num or first.ent_type_ in {"DATE", "TIME", "MONEY"}:
        raise DeclineError("numbers or dates")
    bare_first = not any(True for _ in first.lefts)
    if _has_determiner(first) != _has_determiner(second):
        raise DeclineError("modifier may belong to both conjuncts")
    if not _has_determiner(first) and not bare_first and first.pos_ == "NOUN":
        raise DeclineError("modifier may belong to both conjuncts")
    if first.pos_ == "NOUN" and bare_first and any(True for _ in second.lefts):
        raise DeclineError("modifier may belong to both conjuncts")
    if first.pos_ == "PROPN":
        _check_names(first, second)
    if any(True for _ in second.rights) or any(
        t.dep_ in {"prep", "acl", "relcl"} for t in first.rights
    ):
        raise DeclineError("phrase behind a noun may belong to both")
    articles = {t.lower_ for noun in (first, second) for t in noun.lefts if t.dep_ == "det"}
    if "the" in articles and len(articles - {"an"}) > 1:
        raise DeclineError("one definite, one indefinite noun")
    if (pair.word == "or" or first.dep_ == "attr" or first.i > first.head.i) and (
        first.dep_ in {"nsubj", "nsubjpass", "attr"} and first.tag_ != second.tag_
    ):
        raise DeclineError("conjuncts differ in number")


def _check_names(first: Token, second: Token) -> None:
    """Decline names of different kinds, with titles, or run together without commas.

    Raises:
        DeclineError: with the reason.
    """
    if (first.ent_type_ == "PERSON") != (second.ent_type_ == "PERSON"):
        raise DeclineError("conjuncts of different kinds")
    words = [t for t in first.lefts if t.dep_ == "compound"]
    if any(t.pos_ != "PROPN" or t.tag_ == "NNPS" for t in words) or len(words) > 1:
        raise DeclineError("modifier may belong to both conjuncts")


def _check_neighbours(sentence: Sentence, pair: Pair, first: Piece, second: Piece) -> None:
    """Decline a pair to whose ends another word belongs.

    Raises:
        DeclineError: with the reason.
    """
    text = sentence.text
    if text[first.start - 1 : first.start] in {"-", "/"} or text[second.end : second.end + 1] in {
        "-",
        "/",
    }:
        raise DeclineError("pair inside a compound")
    if any(t.pos_ == "ADP" and t.lower_ != "of" for t in sentence.tokens(first)) or any(
        t.pos_ == "PRON" for t in sentence.tokens(second)
    ):
        raise DeclineError("phrase or pronoun inside a conjunct")
    if any("non-" in sentence.words(piece).lower() for piece in (first, second)):
        raise DeclineError("modifier may belong to both conjuncts")
    left = pair.first.left_edge
    if left.i and left.nbor(-1).pos_ in {"NOUN", "PROPN", "ADJ", "NUM"}:
        raise DeclineError("pair inside a compound")
    if pair.second.right_edge.i + 1 >= len(sentence.doc):
        return
    after = pair.second.right_edge.nbor()
    if after.pos_ in {"NOUN", "PROPN", "NUM", "PART"} or after.text in {"-", "'s"}:
        raise DeclineError("pair inside a compound")
    if after.tag_ in FINITE_TAGS and pair.first.dep_ not in {"nsubj", "nsubjpass"}:
        raise DeclineError("clause inside a conjunct")
    if after.pos_ == "ADP" and pair.first.dep_ == "pobj" and after.lower_ == pair.first.head.lower_:
        raise DeclineError("phrase behind the pair may belong to both")


@rule(
    name="noun_coordination",
    dimension="structure",
    perturbation="conceptual relationship",
    expected_score=5,
    why="Who or what is named first in a pair changes nothing.",
    preconditions="Two noun phrases of the same kind joined by and or or.",
)
def noun_coordination(sentence: Sentence) -> Change:
    """Turn `A man and a woman dance` into `A woman and a man dance`."""
    reason = "no pair of nouns"
    for pair in _pairs(sentence):
        try:
            _check_nouns(pair)
            last = sentence.doc[pair.link - 1]
            if last.is_punct and (last.text != "," or pair.first.dep_ != "conj"):
                raise DeclineError("comma before the conjunction")
            stop = last.i - 1 if last.is_punct else last.i
            if pair.second.left_edge.i != pair.link + 1:
                raise DeclineError("something stands behind the conjunction")
            first = _noun_piece(sentence, pair.first, stop)
            second = _noun_piece(sentence, pair.second, pair.second.right_edge.i)
            _check_neighbours(sentence, pair, first, second)
            _check_pair(sentence, pair, first, second)
            text = swap_pieces(sentence, first, second)
        except DeclineError as fault:
            reason = str(fault)
            continue
        return Change(text, f"{sentence.words(first)} <-> {sentence.words(second)}")
    raise DeclineError(reason)


@rule(
    name="adjective_coordination",
    dimension="structure",
    perturbation="conceptual relationship",
    expected_score=5,
    why="Which of two qualities is named first changes nothing.",
    preconditions="Two single adjectives joined by and or or.",
)
def adjective_coordination(sentence: Sentence) -> Change:
    """Turn `The tall and quiet man left` into `The quiet and tall man left`."""
    reason = "no pair of adjectives"
    for pair in _pairs(sentence):
        first, second = pair.first, pair.second
        if first.dep_ == "conj":
            continue
        if first.pos_ != "ADJ" or second.pos_ != "ADJ" or first.tag_ != second.tag_:
            continue
        try:
            if first.i + 1 != pair.link or second.i != pair.link + 1:
                raise DeclineError("modifier may belong to both conjuncts")
            if any(True for _ in second.children):
                raise DeclineError("phrase behind the pair may belong to both")
            left, right = (
                Piece(first.idx, first.idx + len(first)),
                Piece(second.idx, second.idx + len(second)),
            )
            if first.i and first.nbor(-1).text == ",":
                raise DeclineError("list of more than two")
            if any(t.dep_ not in {"cc", "conj"} for t in first.children):
                raise DeclineError("modifier may belong to both conjuncts")
            if first.i and first.nbor(-1).text in {"a", "an", "A", "An"}:
                vowels = {first.lower_[0] in "aeiou", second.lower_[0] in "aeiou"}
                if len(vowels) == 2:
                    raise DeclineError("article would change")
            _check_pair(sentence, pair, left, right)
            text = swap_pieces(sentence, left, right)
        except DeclineError as fault:
            reason = str(fault)
            continue
        return Change(text, f"{first.text} <-> {second.text}")
    raise DeclineError(reason)


def _span_of_verb(sentence: Sentence, verb: Token, stop: int) -> Piece:
    last = sentence.doc[stop]
    while last.is_punct:
        last = last.nbor(-1)
    start = min([verb.i, *(t.left_edge.i for t in verb.lefts if t.dep_ == "advmod")])
    return Piece(sentence.doc[start].idx, last.idx + len(last))


@rule(
    name="verb_coordination",
    dimension="structure",
    perturbation="conceptual relationship",
    expected_score=5,
    why="Two activities that go on at the same time have no order.",
    preconditions="Two progressives under one form of be, or two participles, joined by and.",
)
def verb_coordination(sentence: Sentence) -> Change:
    """Turn `A man is singing and playing the guitar` into `A man is playing ... and singing`."""
    reason = "no pair of progressives"
    for pair in _pairs(sentence):
        first, second = pair.first, pair.second
        if first.tag_ != "VBG" or second.tag_ != "VBG" or pair.word != "and":
            continue
        if not (first.dep_ in {"acl", "advcl"} or any(t.lemma_ == "be" for t in first.lefts)):
            continue
        if any(t.dep_ in {"nsubj", "nsubjpass", "aux", "auxpass"} for t in second.children):
            continue
        try:
            left = _span_of_verb(sentence, first, pair.link - 1)
            right = _span_of_verb(sentence, second, second.right_edge.i)
            if any(t.i > pair.link and t.dep_ not in {"conj", "punct"} for t in first.children):
                raise DeclineError("phrase behind the pair may belong to both")
            if has_word(sentence.tokens(left), word_set("it them him her")):
                raise DeclineError("pronoun in the first conjunct")
            has_object = any(t.dep_ == "dobj" for t in first.children)
            if not has_object and first.lemma_ not in SOLITARY_VERBS:
                raise DeclineError("object may belong to both verbs")
            if any(t.dep_ == "advcl" for t in second.rights):
                raise DeclineError("phrase behind the pair may belong to both")
            if any(t.dep_ in {"prep", "npadvmod"} for t in second.rights) and not any(
                t.dep_ in {"prep", "dobj"} for t in first.rights if t.i < pair.link
            ):
                raise DeclineError("phrase behind the pair may belong to both")
            _check_pair(sentence, pair, left, right)
            text = swap_pieces(sentence, left, right)
        except DeclineError as fault:
            reason = str(fault)
            continue
        return Change(text, f"{sentence.words(left)} <-> {sentence.words(right)}")
    raise DeclineError(reason)


@rule(
    name="clause_coordination",
    dimension="structure",
    perturbation="conceptual relationship",
    expected_score=5,
    why="Two states of affairs at the same time have no order.",
    preconditions="Two clauses in the progressive or with be, own subjects, joined by and.",
)
def clause_coordination(sentence: Sentence) -> Change:
    """Turn `A dog is running and a cat is sleeping` into `A cat is ... and a dog is ...`."""
    if sentence.is_question:
        raise DeclineError("question")
    root = sentence.root
    reason = "no pair of clauses"
    for pair in _pairs(sentence):
        first, second = pair.first, pair.second
        if first != root or pair.word != "and":
            continue
        if any(t.pos_ == "PRON" for t in (*first.lefts, *second.lefts)):
            reason = "pronoun as subject"
            continue
        if not (_is_state(first) and _is_state(second)):
            reason = "clauses may follow one another in time"
            continue
        stop = sentence.doc[pair.link - 1]
        last = stop.nbor(-1) if stop.text == "," else stop
        left = Piece(sentence.start, last.idx + len(last))
        right = Piece(second.left_edge.idx, sentence.end)
        if second.left_edge.i != pair.link + 1:
            continue
        if any(t.i > pair.link and t.dep_ not in {"conj", "punct"} for t in first.children):
            continue
        try:
            _check_pair(sentence, pair, left, right)
            text = swap_pieces(sentence, left, right)
        except DeclineError as fault:
            reason = str(fault)
            continue
        return Change(text, "clauses exchanged")
    raise DeclineError(reason)


def _is_state(verb: Token) -> bool:
    """Say whether a clause with its own subject tells what goes on or is so."""
    subjects = [t for t in verb.children if t.dep_ in {"nsubj", "nsubjpass"} and t.i < verb.i]
    if len(subjects) != 1:
        return False
    helpers = [t for t in verb.children if t.dep_ in {"aux", "auxpass"}]
    if helpers:
        return helpers[0].lemma_ == "be" and helpers[0].tag_ in FINITE_TAGS
    return verb.lemma_ == "be" and verb.tag_ in FINITE_TAGS


@rule(
    name="versus_coordination",
    dimension="structure",
    perturbation="conceptual relationship",
    expected_score=5,
    why="A comparison of two things is the same whichever is named first.",
    preconditions="A title `X vs Y`, or `difference between X and Y`, of two names or nouns.",
    off_because="3 of 16 judged outputs were ungrammatical; see rule_quality.md",
)
def versus_coordination(sentence: Sentence) -> Change:
    """Turn `Vim vs Emacs` into `Emacs vs Vim`."""
    match = VERSUS.search(sentence.text[: sentence.end], sentence.start)
    if not match:
        raise DeclineError("no comparison of two things")
    names = ("first", "second") if match["first"] else ("one", "two")
    first, second = (Piece(*match.span(name)) for name in names)
    if re.search(r"\b(?:vs|versus|and|or)\b", sentence.words(first) + " " + sentence.words(second)):
        raise DeclineError("no comparison of two things")
    for piece in (first, second):
        words = sentence.tokens(piece)
        if not words or any(t.pos_ in {"VERB", "AUX", "ADP", "CCONJ"} for t in words):
            raise DeclineError("more than names or nouns")
        if words[-1].lower_ in {"debate", "game", "half", "question", "problem"}:
            raise DeclineError("more than names or nouns")
        if not is_balanced(sentence.words(piece)) or len(words) > 5:
            raise DeclineError("more than names or nouns")
    text = swap_pieces(sentence, first, second)
    return Change(text, f"{sentence.words(first)} <-> {sentence.words(second)}")
