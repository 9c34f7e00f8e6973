"""Questions and titles: the same question in another form, or with a phrase at its other end.

Questions of forums come as questions (`How do I mount a disk?`), infinitives (`How to mount a
disk`), gerunds (`Mounting a disk`) or fragments (`Disk not mounting`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from spacy.tokens import Token

from embsyntax.perturbation.adjuncts import object_of
from embsyntax.perturbation.engine import (
    Change,
    DeclineError,
    Piece,
    Sentence,
    lower_first,
    piece_of,
    rule,
    subtree_piece,
    upper_first,
)
from embsyntax.perturbation.main_clause import (
    BREAKS,
    has_word,
    is_balanced,
    is_title_case,
    moved_words,
    word_set,
)
from embsyntax.perturbation.verbs import agreement_of, finite_form, inflect, inflections

HOW_TO = re.compile(r"how ?to (?=\w)", re.IGNORECASE)
HOW_DO_I = re.compile(
    r"how (?:do|can|could|would|should|might|to) (?:i|you|we|one) (?=\w)", re.IGNORECASE
)
WAY_TO = re.compile(
    r"(?:is|are) there (?:a|any|an easy|a good|a simple|a nice|some) ways? (?:to|of) (?=\w)",
    re.IGNORECASE,
)
POSSIBLE_TO = re.compile(r"is it possible to (?=\w)", re.IGNORECASE)
CAN_I = re.compile(r"(?:can|could) (?:i|we) (?=\w)", re.IGNORECASE)
OPINION_VERBS = word_set("feel think like know believe say call mean see prefer usually")
"""Verbs with which `how do you` asks for an opinion or a habit."""

FURTHER_QUESTION = re.compile(
    r"\b(?:and|or) (?:what|how|why|where|when|which|who|can|should|is|are|do|does) ", re.IGNORECASE
)
MAX_SUBJECT = 13
"""Most words of a subject that can stand before its verb at the end of an indirect question."""

WH_WORDS = word_set("what which who whom whose when where why how")
QUESTION_AUXILIARIES = word_set(
    """is are was were do does did has have had can could will would should may might must"""
)


@dataclass(frozen=True)
class Question:
    """A direct question cut into its parts: `Why | does | the disk | not mount`.

    Attributes:
        wh: the question phrase, or None in a yes-or-no question.
        auxiliary: the inverted verb; None when the question phrase is the subject.
        negation: `n't` fused to the auxiliary, or None.
        subject: the subject, or None when the question phrase is it.
        subject_head: head of the subject.
        verb: the main verb.
        rest: what follows the subject, or None.
    """

    wh: Piece | None
    auxiliary: Token | None
    negation: Token | None
    subject: Piece | None
    subject_head: Token | None
    verb: Token
    rest: Piece | None


def _check_text(sentence: Sentence) -> None:
    """Decline texts that are more than one question or title.

    Raises:
        DeclineError: with the reason.
    """
    if BREAKS.search(sentence.text, sentence.start, sentence.end):
        raise DeclineError("punctuation splits the sentence")
    if "?" in sentence.text[sentence.start : sentence.end]:
        raise DeclineError("more than one question")
    if sentence.doc[0].idx != sentence.start:
        raise DeclineError("punctuation before the first word")


def _body(sentence: Sentence, start: int) -> str:
    words = sentence.text[start : sentence.end]
    if not is_balanced(words):
        raise DeclineError("cuts through quotes or brackets")
    return words


def _with_case(sentence: Sentence, text: str) -> str:
    return upper_first(text) if sentence.text[sentence.start].isupper() else text


def _as_question(sentence: Sentence) -> str:
    """The end of the text, with a question mark."""
    end = sentence.text[sentence.end :]
    return end if "?" in end else "?"


def _as_title(sentence: Sentence) -> str:
    """The end of the text as it is."""
    return sentence.text[sentence.end :]


def _check_verb_phrase(sentence: Sentence, start: int) -> Token:
    """Return the base form that opens a verb phrase at an offset.

    Raises:
        DeclineError: there is none, or another clause with its own subject and verb follows.
    """
    tokens = [t for t in sentence.doc if t.idx >= start and t.idx < sentence.end]
    if not tokens:
        raise DeclineError("no verb phrase")
    verb = tokens[0]
    if verb.pos_ == "ADV" and len(tokens) > 1:
        verb = tokens[1]
    if verb.lower_ not in inflections(verb.lower_, "VB"):
        raise DeclineError("no verb phrase")
    if any(t.lower_ in {"how", "why"} for t in tokens):
        raise DeclineError("further question")
    for token in tokens:
        if token.dep_ == "conj" and token.tag_ not in {"VB", "VBP"} and token.head == verb:
            raise DeclineError("coordinated clauses")
        if token.dep_ in {"parataxis"}:
            raise DeclineError("coordinated clauses")
    return verb


@rule(
    name="how_to_question",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="On a forum, `how to` asks the same as `how do I`.",
    preconditions="A text that begins with `how to` and a verb.",
)
def how_to_question(sentence: Sentence) -> Change:
    """Turn `How to mount a disk?` into `How do I mount a disk?`."""
    match = HOW_TO.match(sentence.text, sentence.start)
    if not match:
        raise DeclineError("no how to")
    _check_text(sentence)
    _check_verb_phrase(sentence, match.end())
    words = _body(sentence, match.end())
    person = "you" if re.search(r"\byour(?:self)?\b", words, re.IGNORECASE) else "I"
    if re.search(r"\b(?:my|me|myself|i|mine)\b", words, re.IGNORECASE):
        person = "I"
    if not sentence.text[sentence.start].isupper():
        person = person.lower()
    text = f"{match[0][:3]} do {person} {words}{_as_question(sentence)}"
    return Change(sentence.text[: sentence.start] + text, f"how to -> how do {person}")


@rule(
    name="how_question_title",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="On a forum, `how do I` asks the same as `how to`.",
    preconditions="A question that begins with how, an auxiliary, I, you, we or one, and a verb.",
)
def how_question_title(sentence: Sentence) -> Change:
    """Turn `How do I mount a disk?` into `How to mount a disk?`."""
    match = HOW_DO_I.match(sentence.text, sentence.start)
    if not match:
        raise DeclineError("no how do I")
    _check_text(sentence)
    verb = _check_verb_phrase(sentence, match.end())
    if "you" in match[0].lower() and verb.lemma_ in OPINION_VERBS:
        raise DeclineError("opinion or habit")
    words = _body(sentence, match.end())
    if has_word(sentence.doc, word_set("i")) and re.search(r"\bI\b", words):
        raise DeclineError("person named again")
    text = f"{match[0][:3]} to {words}{_as_title(sentence)}"
    return Change(sentence.text[: sentence.start] + text, f"{match[0].strip()} -> how to")


@rule(
    name="how_to_way",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="Who asks how to do something asks for the way to do it.",
    preconditions="A text that begins with `how to` or `how do I` and a verb.",
)
def how_to_way(sentence: Sentence) -> Change:
    """Turn `How do I mount a disk?` into `What is the way to mount a disk?`."""
    match = HOW_TO.match(sentence.text, sentence.start) or HOW_DO_I.match(
        sentence.text, sentence.start
    )
    if not match:
        raise DeclineError("no how to or how do I")
    _check_text(sentence)
    verb = _check_verb_phrase(sentence, match.end())
    if "you" in match[0].lower() and verb.lemma_ in OPINION_VERBS:
        raise DeclineError("opinion or habit")
    words = _body(sentence, match.end())
    if re.search(r"\bI\b", words):
        raise DeclineError("person named again")
    text = _with_case(sentence, f"what is the way to {words}{_as_question(sentence)}")
    return Change(sentence.text[: sentence.start] + text, f"{match[0].strip()} -> what is the way")


@rule(
    name="possible_to_can",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="Whether there is a way, whether it is possible and whether one can are one question.",
    preconditions="A question that begins with `is there a way to` or `is it possible to`.",
)
def possible_to_can(sentence: Sentence) -> Change:
    """Turn `Is there a way to mount a disk?` into `Can I mount a disk?`."""
    match = WAY_TO.match(sentence.text, sentence.start) or POSSIBLE_TO.match(
        sentence.text, sentence.start
    )
    if not match or match[0].rstrip().lower().endswith("of"):
        raise DeclineError("no way to, no possible to")
    _check_text(sentence)
    _check_verb_phrase(sentence, match.end())
    words = _body(sentence, match.end())
    person = "you" if re.search(r"\byour(?:self)?\b", words, re.IGNORECASE) else "I"
    if not sentence.text[sentence.start].isupper():
        person = person.lower()
    text = _with_case(sentence, f"can {person} {words}{_as_question(sentence)}")
    return Change(sentence.text[: sentence.start] + text, f"{match[0].strip()} -> can {person}")


@rule(
    name="can_to_possible",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="Whether one can and whether it is possible are one question.",
    preconditions="A question that begins with can, a subject and a verb.",
)
def can_to_possible(sentence: Sentence) -> Change:
    """Turn `Can I mount a disk?` into `Is it possible to mount a disk?`."""
    match = CAN_I.match(sentence.text, sentence.start)
    if match:
        _check_text(sentence)
        _check_verb_phrase(sentence, match.end())
        words = _body(sentence, match.end())
        if re.search(r"\bI\b", words):
            raise DeclineError("person named again")
        text = _with_case(sentence, f"is it possible to {words}{_as_question(sentence)}")
        return Change(sentence.text[: sentence.start] + text, "can I -> is it possible")
    if not sentence.doc[0].lower_ == "can":
        raise DeclineError("no can")
    question = read_question(sentence)
    if question.subject is None or question.negation is not None or question.rest is None:
        raise DeclineError("no can")
    head = question.subject_head
    if head.pos_ not in {"NOUN", "PROPN"} or question.verb.tag_ != "VB":
        raise DeclineError("pronoun as subject")
    rest = sentence.words(question.rest)
    if rest.startswith("not "):
        raise DeclineError("negated")
    subject = sentence.words(question.subject)
    text = f"is it possible for {subject} to {rest}{_as_question(sentence)}"
    return Change(
        sentence.text[: sentence.start] + _with_case(sentence, text), "can -> is it possible"
    )


@lru_cache(maxsize=4)
def _read_question(sentence: Sentence) -> Question | str:
    try:
        _check_text(sentence)
    except DeclineError as fault:
        return str(fault)
    doc = sentence.doc
    root = sentence.root
    first = doc[0]
    children = list(root.children)
    is_wh = first.lower_ in WH_WORDS
    if not is_wh and first.lower_ not in QUESTION_AUXILIARIES:
        return "no question"
    if not sentence.is_question and sentence.text[sentence.end :].strip():
        return "no question"
    if root.pos_ not in {"VERB", "AUX"}:
        return "no main verb"
    if any(t.dep_ == "parataxis" for t in children):
        return "parenthesis"
    there = [t for t in children if t.dep_ == "expl" and t.lower_ == "there"]
    if there and not is_wh and root.i == 0 and there[0].i == 1 and len(doc) > 3:
        piece = piece_of(there[0])
        rest = Piece(doc[2].idx, sentence.end)
        return Question(None, root, None, piece, there[0], root, rest)
    if any(t.dep_ == "expl" for t in children):
        return "expletive subject"
    if any(
        t.dep_ == "conj" and any(c.dep_ in {"nsubj", "nsubjpass", "expl"} for c in t.children)
        for t in children
    ):
        return "coordinated clauses"
    subjects = [t for t in children if t.dep_ in {"nsubj", "nsubjpass"}]
    if root.lemma_ == "be" and is_wh and len(subjects) == 2:
        subjects = [t for t in subjects if t.i > root.i]
    if len(subjects) != 1:
        return "no single subject"
    subject = subjects[0]
    if subject.pos_ not in {"NOUN", "PROPN", "PRON", "NUM"} or subject.lower_ in {"the", "a"}:
        return "no noun or pronoun as subject"
    if subject.right_edge.idx + len(subject.right_edge) > sentence.end:
        return "cuts through quotes or brackets"
    if is_wh and subject.i < root.i and subject.left_edge.i == 0:
        if not sentence.is_question:
            return "no question"
        if not all(t.tag_ in {"VBZ", "VBP", "VBD", "MD"} for t in [_finite(root)]):
            return "no finite verb"
        start = doc[subject.right_edge.i + 1]
        return Question(
            subtree_piece(subject), None, None, None, None, root, Piece(start.idx, sentence.end)
        )
    helpers = [t for t in children if t.dep_ in {"aux", "auxpass"} and t.i < subject.i]
    auxiliary = helpers[0] if helpers else root
    if auxiliary.i > subject.i or auxiliary.tag_ not in {"VBZ", "VBP", "VBD", "MD"}:
        return "no inverted verb"
    if auxiliary is root and root.lemma_ != "be":
        return "no inverted verb"
    if auxiliary.tag_ == "MD" and root.tag_ not in {"VB", "VBP"}:
        return "no inverted verb"
    after = auxiliary.i + 1
    negation = None
    if doc[after].dep_ == "neg" and doc[after].lower_ in {"n't", "n’t"}:
        negation, after = doc[after], after + 1
    if subject.left_edge.i != after:
        return "something stands between verb and subject"
    if is_wh and auxiliary.i == 0:
        return "no question phrase"
    wh = (
        Piece(sentence.start, doc[auxiliary.i - 1].idx + len(doc[auxiliary.i - 1]))
        if is_wh
        else None
    )
    if wh is not None and "," in sentence.words(wh):
        return "comma inside the question phrase"
    if not is_wh and auxiliary.i != 0:
        return "no inverted verb"
    right = subject.right_edge
    rest = Piece(doc[right.i + 1].idx, sentence.end) if right.i + 1 < len(doc) else None
    if rest is not None and rest.start >= rest.end:
        rest = None
    return Question(wh, auxiliary, negation, subtree_piece(subject), subject, root, rest)


def _finite(verb: Token) -> Token:
    helpers = [t for t in verb.children if t.dep_ in {"aux", "auxpass"}]
    return helpers[0] if helpers else verb


def read_question(sentence: Sentence) -> Question:
    """Return the parts of a direct question.

    Raises:
        DeclineError: the sentence is none whose order can be turned, with the reason.
    """
    question = _read_question(sentence)
    if isinstance(question, str):
        raise DeclineError(question)
    return question


def straight_order(sentence: Sentence, question: Question) -> str:
    """Write what follows the question phrase in the order of a statement.

    `does the disk not mount` gives `the disk does not mount`, `did it fail` gives `it failed`.

    Raises:
        DeclineError: the subject is too long for the verb to follow it, or a form is unknown.
    """
    if question.subject is None or question.auxiliary is None:
        return sentence.words(question.rest)
    subject = sentence.words(question.subject)
    auxiliary = question.auxiliary
    if question.rest is None and (
        question.wh is None or sentence.words(question.wh).lower() == "why"
    ):
        raise DeclineError("no predicate")
    if len(sentence.tokens(question.subject)) > MAX_SUBJECT:
        raise DeclineError("long subject")
    rest = sentence.words(question.rest) if question.rest else ""
    form = {"'s": "is", "’s": "is", "s": "is", "'re": "are", "wo": "wo", "ca": "ca"}.get(
        auxiliary.lower_, auxiliary.text.lower()
    )
    if question.wh is None or auxiliary.i > 0:
        form = form.lower()
    if question.negation is not None:
        between = sentence.text[auxiliary.idx + len(auxiliary) : question.negation.idx]
        form += between + question.negation.text
    is_do = auxiliary.lemma_ == "do" or auxiliary.lower_ in {"does", "did", "do"}
    is_negated = question.negation is not None or any(
        t.dep_ == "neg" for t in question.verb.children
    )
    if not is_do or is_negated or question.verb is auxiliary:
        return f"{subject} {form} {rest}".strip()
    verb = question.verb
    if verb.tag_ not in {"VB", "VBP"} or question.rest is None:
        raise DeclineError("no verb after do")
    if auxiliary.lower_ == "did":
        new = inflect(verb.lower_, "VBD")
    else:
        if question.subject_head.lower_ == "it":
            new = inflect(verb.lower_, "VBZ")
        else:
            new = finite_form(verb.lower_, "present", agreement_of(question.subject_head))
    head, tail = rest[: verb.idx - question.rest.start], rest[verb.idx - question.rest.start :]
    return f"{subject} {head}{new}{tail[len(verb.text) :]}"


def infinitive_order(sentence: Sentence, question: Question) -> str:
    """Write `do I mount a disk` behind how, where or when as `to mount a disk`; else nothing.

    Raises:
        DeclineError: the infinitive would be negated.
    """
    if question.wh is None or question.auxiliary is None or question.rest is None:
        return ""
    wh = sentence.words(question.wh).lower()
    if wh not in {"how", "where", "when"} or question.auxiliary.lower_ != "do":
        return ""
    if question.subject_head.lower_ not in {"i", "we", "one"}:
        return ""
    rest = sentence.words(question.rest)
    if rest.lower().startswith("not ") or question.negation is not None:
        raise DeclineError("negated")
    return f"to {rest}"


@rule(
    name="why_cleft",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="`Why is it that` asks for the same reason, with the words in the order of a statement.",
    preconditions="A question that begins with why, with subject and verb inverted.",
)
def why_cleft(sentence: Sentence) -> Change:
    """Turn `Why does the disk not mount?` into `Why is it that the disk does not mount?`."""
    if sentence.doc[0].lower_ != "why":
        raise DeclineError("no why")
    question = read_question(sentence)
    if question.wh is None or sentence.words(question.wh).lower() != "why":
        raise DeclineError("no why")
    words = straight_order(sentence, question)
    if not is_balanced(words):
        raise DeclineError("cuts through quotes or brackets")
    text = f"{sentence.words(question.wh)} is it that {words}{sentence.text[sentence.end :]}"
    return Change(sentence.text[: sentence.start] + text, "why -> why is it that")


@rule(
    name="indirect_question",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=4,
    why="Asking a forum whether anyone knows the answer asks the question.",
    preconditions="A direct question with one clause, of which the subject is not too long.",
)
def indirect_question(sentence: Sentence) -> Change:
    """Turn `Where is the disk mounted?` into `Does anyone know where the disk is mounted?`."""
    question = read_question(sentence)
    if has_word(sentence.doc, word_set("you your anyone anybody someone everyone u yu ur please")):
        raise DeclineError("question to a person")
    if is_title_case(sentence):
        raise DeclineError("title case")
    if FURTHER_QUESTION.search(sentence.text):
        raise DeclineError("further question")
    words = infinitive_order(sentence, question) or straight_order(sentence, question)
    if question.wh is not None:
        wh = sentence.words(question.wh)
        wh = lower_first(wh, sentence.doc[0])
    else:
        wh = "whether"
    if not is_balanced(words) or not is_balanced(wh):
        raise DeclineError("cuts through quotes or brackets")
    frame = _with_case(sentence, "does anyone know")
    text = f"{frame} {wh} {words}{_as_question(sentence)}"
    return Change(sentence.text[: sentence.start] + text, f"{frame} {wh}")


@rule(
    name="difference_question",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="The difference between two things is how they differ.",
    preconditions="`What is the difference between X and Y?`, or a title of these words.",
)
def difference_question(sentence: Sentence) -> Change:
    """Turn `What is the difference between su and sudo?` into `How do su and sudo differ?`."""
    match = DIFFERENCE.fullmatch(sentence.text[sentence.start : sentence.end])
    if not match:
        raise DeclineError("no difference between two things")
    things = match["things"]
    if not is_balanced(things) or things.lower().count(" and ") != 1 or "," in things:
        raise DeclineError("no difference between two things")
    text = _with_case(sentence, f"how do {things} differ{_as_question(sentence)}")
    return Change(sentence.text[: sentence.start] + text, "difference -> differ")


DIFFERENCE = re.compile(
    r"""(?:what(?:\ is|\ are|\ ?'s|s)\ )?(?:the\ )?(?:main\ |real\ |exact\ )?differences?
    \ between\ (?P<things>[^?:;]+)""",
    re.VERBOSE | re.IGNORECASE,
)


def _verb_phrase_title(sentence: Sentence, tags: frozenset[str]) -> Token:
    """The verb that a title without a subject begins with.

    Raises:
        DeclineError: the text is no such title.
    """
    root = sentence.root
    if sentence.is_question and root.tag_ != "VB":
        raise DeclineError("question")
    _check_text(sentence)
    if root.i != 0 or root.tag_ not in tags or root.pos_ != "VERB":
        raise DeclineError("no verb at the start")
    children = list(root.children)
    if any(t.dep_ in {"nsubj", "nsubjpass", "aux", "ccomp", "parataxis"} for t in children):
        raise DeclineError("no plain verb phrase")
    objects = [t for t in children if t.dep_ == "dobj"]
    if len(objects) != 1 or objects[0].pos_ not in {"NOUN", "PROPN"}:
        raise DeclineError("no direct object")
    if has_word(sentence.doc, word_set("you your i we please let")):
        raise DeclineError("person named")
    if sentence.text[sentence.end :].strip() not in {"", "?"}:
        raise DeclineError("no title")
    if any(t.dep_ == "conj" for t in children):
        raise DeclineError("coordinated clauses")
    return root


TITLE_VERBS = word_set(
    """remap refine map number flatten compare choose leave prove test move switch shift draw
    set invert flip crop trim truncate parse list group order assign bind unbind launch kill
    schedule automate monitor measure estimate predict model simulate animate overlay
    underline bold italicize indent suppress ignore skip override customise optimise optimize
    debug diagnose unlock lock authenticate authorize validate verify escape quote
    concatenate join append prepend insert typeset hyphenate capitalize abbreviate translate
    pronounce cancel disable put handle manage organize organise repair rebuild recreate
    reproduce relocate publish deploy implement develop design structure write install
    uninstall reinstall remove delete add change convert create make configure enable use run
    stop mount format find get copy replace upgrade downgrade update connect close print plot
    display show hide rename restore recover recompile compile build align center resize
    rotate split merge combine compute calculate count extract export import generate access
    define redefine modify customize edit reset restart boot burn download upload sync
    transfer migrate encrypt decrypt fix solve wrap embed include exclude render redirect
    filter sort search select load save store backup back exchange scale reference cite force
    prevent avoid detect determine evaluate integrate simplify fit style label highlight
    limit restrict reduce increase improve"""
)
"""Verbs that titles of forums begin with when they ask how something is done."""


@rule(
    name="title_to_how",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=4,
    why="A forum title that names a task asks how it is done.",
    preconditions="A title of a verb phrase (`Mount a disk`, `Mounting a disk`) without a subject.",
)
def title_to_how(sentence: Sentence) -> Change:
    """Turn `Mounting a disk at boot` into `How to mount a disk at boot`."""
    verb = _verb_phrase_title(sentence, frozenset({"VB", "VBG"}))
    lemma = verb.lemma_.lower()
    if lemma not in TITLE_VERBS:
        raise DeclineError("no verb of a task")
    words = _body(sentence, verb.idx + len(verb))
    how = _with_case(sentence, "how to")
    text = f"{how} {lemma}{words}{sentence.text[sentence.end :]}"
    return Change(sentence.text[: sentence.start] + text, f"{verb.text} -> {how} {lemma}")


@rule(
    name="how_to_gerund",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=4,
    why="A forum title that names a task asks how it is done.",
    preconditions="A title that begins with `how to` and a verb of a task, without other clauses.",
)
def how_to_gerund(sentence: Sentence) -> Change:
    """Turn `How to mount a disk at boot` into `Mounting a disk at boot`."""
    match = HOW_TO.match(sentence.text, sentence.start)
    if not match:
        raise DeclineError("no how to")
    _check_text(sentence)
    verb = _check_verb_phrase(sentence, match.end())
    if verb.idx != match.end() or verb.lemma_.lower() not in TITLE_VERBS:
        raise DeclineError("no verb of a task")
    if any(t.dep_ == "conj" for t in verb.children) or not any(
        t.dep_ == "dobj" for t in verb.children
    ):
        raise DeclineError("no direct object")
    words = _body(sentence, verb.idx + len(verb))
    gerund = _with_case(sentence, inflect(verb.lower_, "VBG"))
    end = sentence.text[sentence.end :].replace("?", "").rstrip()
    return Change(sentence.text[: sentence.start] + gerund + words + end, f"how to -> {gerund}")


NOUN_TITLE = re.compile(
    r"""(?P<the>the\ )?(?P<noun>
        (?:best|easiest|fastest|simplest|quickest|correct|proper|right|preferred|recommended|optimal)
        \ (?:\w+\ )?(?:way|method|practice|tool|place|strategy|approach|option|term|word|name|phrase
          |provider|use|form|format|order|usage)
        |meaning|origin|etymology|purpose|definition|pronunciation|advantages?|disadvantages?|benefits?
        |drawbacks?|plural|equivalent|opposite|rules?|steps|limitations?|requirements?
        |significance|importance|role|cause|causes|reasons?
    )\ (?=(?:of|for|to|in|between|about|behind)\ )(?P<rest>.+)""",
    re.VERBOSE | re.IGNORECASE,
)


@rule(
    name="noun_title_question",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="A forum title that names what is wanted asks what it is.",
    preconditions="A title such as `Meaning of`, `Best way to`, `Advantages of`.",
)
def noun_title_question(sentence: Sentence) -> Change:
    """Turn `Best way to mount a disk` into `What is the best way to mount a disk?`."""
    match = NOUN_TITLE.fullmatch(sentence.text[sentence.start : sentence.end])
    if not match:
        raise DeclineError("no title that names what is wanted")
    _check_text(sentence)
    noun = match["noun"]
    if any(
        t.tag_ in {"VBZ", "VBP", "VBD", "MD"} and "ROOT" in {t.dep_, t.head.dep_}
        for t in sentence.doc
    ):
        raise DeclineError("finite verb")
    plural = noun.lower().endswith("s") and not noun.lower().endswith("ss")
    words = _body(sentence, sentence.start + len(match["the"] or ""))
    be = "are" if plural else "is"
    text = _with_case(sentence, f"what {be} the {words[0].lower()}{words[1:]}")
    text += _as_question(sentence)
    return Change(sentence.text[: sentence.start] + text, f"what {be} the")


INABILITY = re.compile(r"(?:unable to|not able to) (?=\w)", re.IGNORECASE)
CANNOT = re.compile(r"(?:can ?not|can['’]t|ca n['’]t|cant) (?=\w)", re.IGNORECASE)
SEARCHING = re.compile(r"(?:looking for|trying to|having trouble|having problems?) (?=\w)", re.I)
NEEDING = re.compile(r"need (?:help|an?|some|advice|to) (?=\w)", re.IGNORECASE)
TROUBLE = re.compile(
    r"(?P<noun>problems?|trouble|troubles|issues?|difficult(?:y|ies)|error|errors) (?=\w+ing\b)",
    re.IGNORECASE,
)


@rule(
    name="title_to_sentence",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="The sentence says in full what the title leaves out: that the writer has the trouble.",
    preconditions="A title that begins with unable to, cannot, or trouble and an -ing form.",
)
def title_to_sentence(sentence: Sentence) -> Change:
    """Turn `Unable to mount a disk` into `I am unable to mount a disk`."""
    text, start = sentence.text, sentence.start
    if sentence.is_question:
        raise DeclineError("question")
    person = "I" if text[start].isupper() else "i"
    if match := INABILITY.match(text, start):
        lead = f"{person} am {match[0].lower()}"
    elif match := CANNOT.match(text, start):
        lead = f"{person} {match[0].lower()}"
    elif match := SEARCHING.match(text, start):
        lead = f"{person} am {match[0].lower()}"
    elif match := NEEDING.match(text, start):
        lead = f"{person} {match[0].lower()}"
    elif match := TROUBLE.match(text, start):
        noun = match["noun"].lower()
        one = noun in {"problem", "issue", "difficulty", "error"}
        article = ("an " if noun in {"issue", "error"} else "a ") if one else ""
        lead = f"{person} have {article}{noun} "
    else:
        raise DeclineError("no title of trouble")
    _check_text(sentence)
    words = _body(sentence, match.end())
    if has_word(sentence.doc, word_set("i we you your")):
        raise DeclineError("person named")
    return Change(text[:start] + lead + words + text[sentence.end :], f"{person} added")


FRONTED = word_set("in on with within without from for after before during using under inside")


def _last_phrase(sentence: Sentence, verb: Token) -> Piece:
    """The phrase that ends a question or title and can stand at its start.

    Raises:
        DeclineError: there is none.
    """
    last = sentence.doc[-1]
    while last.is_punct and last.i > 0 and last.idx >= sentence.end:
        last = last.nbor(-1)
    for head in (verb, *(t for t in verb.children if t.dep_ in {"xcomp", "advcl"})):
        for token in head.children:
            if token.i < verb.i or token.right_edge != last or token.i <= 2:
                continue
            first = token.left_edge
            if first.lower_ not in FRONTED:
                continue
            if token.dep_ == "prep":
                noun = object_of(token)
                if noun is None or not _is_setting(token, noun, verb):
                    continue
            elif not (token.dep_ in {"advcl", "prep"} and token.tag_ == "VBG"):
                continue
            if has_word(token.subtree, word_set("it them its their this that these those")):
                continue
            return Piece(first.idx, sentence.end)
    raise DeclineError("no phrase that can move")


def _is_setting(preposition: Token, noun: Token, verb: Token) -> bool:
    """Say whether a phrase names where the whole question plays: a program, a system, a date."""
    if preposition.lower_ not in {"in", "on", "under", "within", "after", "before", "during"}:
        return noun.dep_ == "pcomp" and preposition.lower_ in {"without", "after", "before"}
    if verb.lemma_ in SETTING_COMPLEMENTS:
        return False
    if noun.dep_ == "pcomp":
        return preposition.lower_ in {"without", "after", "before"}
    return noun.pos_ == "PROPN" or noun.lower_ in SETTINGS or noun.ent_type_ in {"ORG", "PRODUCT"}


SETTINGS = word_set(
    """ubuntu linux windows unity gnome xfce kde latex tex tikz matlab mathematica android ios
    mac osx excel python java javascript bash shell terminal vim emacs firefox chrome
    wordpress drupal magento qgis arcgis minecraft skyrim diablo english german french beamer
    biblatex bibtex lualatex xelatex pdflatex lyx ubuntu-one wine virtualbox debian fedora
    unix facebook google twitter steam grub lubuntu xubuntu kubuntu nautilus libreoffice"""
)
"""Programs, systems and languages that forum questions play in."""

SETTING_COMPLEMENTS = word_set(
    """install mean put insert include embed log boot login believe interested change convert
    click place stick turn import store save copy stuck depend rely focus base write draw go
    get come be format burn"""
)
"""Verbs whose `in` or `on` phrase says where to, not where."""


@rule(
    name="question_fronting",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="The phrase says where or how the question plays, at either end of it.",
    preconditions="A question or `how to` with a phrase of setting, or a clause with -ing, last.",
)
def question_fronting(sentence: Sentence) -> Change:
    """Turn `How do I mount a disk in Ubuntu?` into `In Ubuntu, how do I mount a disk?`."""
    first = sentence.doc[0]
    if first.lower_ not in WH_WORDS and first.lower_ not in QUESTION_AUXILIARIES:
        raise DeclineError("no question")
    _check_text(sentence)
    if not sentence.is_question and not HOW_TO.match(sentence.text, sentence.start):
        raise DeclineError("no question")
    piece = _last_phrase(sentence, sentence.root)
    body = Piece(sentence.start, piece.start)
    words = sentence.words(body).rstrip().rstrip(",")
    if not (is_balanced(words) and is_balanced(sentence.words(piece))):
        raise DeclineError("cuts through quotes or brackets")
    if len(sentence.tokens(body)) < 4 or "," in words:
        raise DeclineError("short question, or comma inside it")
    words = words if is_title_case(sentence) else lower_first(words, first)
    phrase = _with_case(sentence, sentence.words(piece))
    text = f"{phrase}, {words}{sentence.text[sentence.end :]}"
    return Change(sentence.text[: sentence.start] + text, f"{phrase} to the front")


@rule(
    name="question_backing",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="The phrase says where or when the question plays, at either end of it.",
    preconditions="A phrase with in, on, when, after ..., a comma, and a question.",
    off_because="a quarter of 6 judged outputs changed the meaning; see rule_quality.md",
)
def question_backing(sentence: Sentence) -> Change:
    """Turn `In Ubuntu, how do I mount a disk?` into `How do I mount a disk in Ubuntu?`."""
    if sentence.doc[0].lower_ not in LEADS:
        raise DeclineError("no phrase before the question")
    match = LEAD.fullmatch(sentence.text[sentence.start : sentence.end])
    if not match:
        raise DeclineError("no phrase before the question")
    _check_text(sentence)
    phrase, words = match["phrase"].strip(), match["body"]
    if not (is_balanced(words) and is_balanced(phrase)) or "," in words:
        raise DeclineError("cuts through quotes or brackets")
    if words.split()[0].lower() not in WH_WORDS | QUESTION_AUXILIARIES:
        raise DeclineError("no question")
    if len(phrase.split()) > 10 or len(words.split()) < 3:
        raise DeclineError("long phrase or short question")
    first = sentence.doc[0]
    moved = moved_words(sentence, Piece(sentence.start, sentence.start + len(match["phrase"])))
    text = f"{_with_case(sentence, words)} {moved.strip()}{sentence.text[sentence.end :]}"
    return Change(sentence.text[: sentence.start] + text, f"{first.text} ... to the end")


LEADS = word_set("in on when if after before with using under for at while within")
LEAD = re.compile(r"(?P<phrase>[^,?]+?)\s?,\s(?P<body>[^?]+)")
