"""Degrees of certainty: `will` and `might`, `probably` and `definitely`, `plays` and `may play`.

Nothing is registered here; see `traps.trap_hedge`.
"""

from __future__ import annotations

from spacy.tokens import Token

from embsyntax.perturbation.engine import DeclineError, Piece, Sentence, piece_of
from embsyntax.perturbation.lexical import like_case, sentence_words, tokens_of
from embsyntax.perturbation.main_clause import word_set
from embsyntax.perturbation.modifiers import article_edit
from embsyntax.perturbation.noun_words import WH_TAGS
from embsyntax.perturbation.statements import (
    BE,
    FOCUS_WORDS,
    Edits,
    bare_conjuncts,
    before,
    beside,
    first_word,
    is_be,
    leftmost_adverb,
    may_be_participle,
    own_subject,
    stated_verb,
    statement_subject,
    with_space,
)
from embsyntax.perturbation.verbs import FINITE_TAGS, inflect, lemma_of
from embsyntax.perturbation.vocabulary import pick

MODALS = {
    "may": ("will",),
    "might": ("will",),
    "will": ("may", "might"),
    "'ll": ("may", "might"),
    "’ll": ("may", "might"),
    "would": ("might",),
}
FREQUENCIES = {
    "rarely": ("always",),
    "seldom": ("always",),
    "sometimes": ("always",),
    "often": ("always",),
    "usually": ("always",),
    "always": ("rarely", "sometimes"),
}
STANCES = {
    "probably": ("definitely", "certainly"),
    "possibly": ("definitely", "certainly"),
    "perhaps": ("certainly",),
    "maybe": ("certainly",),
    "apparently": ("certainly",),
    "reportedly": ("certainly",),
    "allegedly": ("undoubtedly",),
    "definitely": ("possibly",),
    "certainly": ("possibly",),
    "surely": ("possibly",),
    "undoubtedly": ("possibly",),
}
SUSPICIONS = {"suspected": ("proven", "confirmed"), "alleged": ("proven", "confirmed")}
CERTAINTY = MODALS | FREQUENCIES | STANCES | SUSPICIONS
"""Words of certainty and what may stand for each."""

BELIEFS = {
    "think": "know",
    "believe": "know",
    "guess": "know",
    "suspect": "know",
    "know": "think",
    "suggest": "prove",
    "indicate": "prove",
}
"""Verbs before a clause that tell how sure it is."""

STANDARD_NEGATIONS = word_set("not n't n’t")
NO_DEGREE = word_set("how more most very so too not as n't")
POLITE = word_set("like love rather prefer")
"""Verbs with which `would` is polite, not unsure."""


def other_certainty(sentence: Sentence) -> tuple[Edits, str] | None:
    """Return the edit that changes the first word of certainty, and what it does, or None."""
    for token in tokens_of(sentence):
        others = CERTAINTY.get(token.lower_)
        if others and _is_certainty(sentence, token):
            new = pick(others, "trap_hedge", sentence.text)
            edits = [(piece_of(token), with_space(token, like_case(token, new)))]
            article = article_edit(token.nbor(-1) if token.i else None, new)
            return edits + ([article] if article else []), f"{token.text} -> {new}"
        if token.tag_ in FINITE_TAGS and token.lemma_ in BELIEFS and _opens_clause(token):
            new = inflect(BELIEFS[token.lemma_], token.tag_)
            return [(piece_of(token), new)], f"{token.text} -> {new}"
    return None


def _is_certainty(sentence: Sentence, token: Token) -> bool:
    """Return True if a word tells how sure a statement is, and nothing else."""
    form, following = token.lower_, beside(token, 1)
    if form in SUSPICIONS:
        return token.dep_ == "amod"
    if sentence.is_question:
        return False
    if form in MODALS:
        subject = own_subject(token.head)
        if token.tag_ != "MD" or token.dep_ != "aux" or subject is None or subject.i > token.i:
            return False
        if any(child.dep_ == "mark" and child.lower_ == "if" for child in token.head.children):
            return False
        is_other = form == "would" and (
            "if" in sentence_words(sentence) or token.head.lemma_ in POLITE
        )
        return not (is_other or following in ("n't", "n’t", "as"))
    if token.pos_ != "ADV" or beside(token, -1) in NO_DEGREE:
        return False
    is_before_verb = token.i < token.head.i or token.head.lemma_ == "be"
    return form in STANCES or (
        token.dep_ == "advmod" and token.head.pos_ in ("VERB", "AUX") and is_before_verb
    )


def _opens_clause(verb: Token) -> bool:
    """Return True for a positive statement of belief before a clause with its own subject."""
    if any(child.dep_ in ("neg", "aux", "prt", "dobj") for child in verb.children):
        return False
    clause = next((child for child in verb.rights if child.dep_ == "ccomp"), None)
    if clause is None or own_subject(verb) is None or own_subject(clause) is None:
        return False
    is_question = verb.doc.text.rstrip().endswith("?")
    return not is_question and clause.left_edge.tag_ not in WH_TAGS


def weakened(sentence: Sentence) -> tuple[Edits, str]:
    """Return the edits of `plays` -> `may play`, `played` -> `may have played`, and what they do.

    Raises:
        DeclineError: the sentence is no plain statement.
    """
    if sentence.is_question:
        raise DeclineError("question")
    verb = stated_verb(sentence)
    if statement_subject(sentence, verb).tag_ in WH_TAGS:
        raise DeclineError("question")
    if any(child.lower_ in FOCUS_WORDS for child in verb.lefts):
        raise DeclineError("adverb beside which a modal reads badly")
    modal = pick(("may", "might"), "trap_hedge", sentence.text)
    first = first_word(verb)
    if first.lower_ == "to":
        lemma_of(verb)
        return [(piece_of(first), modal)], f"to -> {modal}"
    if first != verb or is_be(verb):
        return _weakened_auxiliary(verb, first, modal)
    edits, detail = _weakened_verb(verb, modal)
    for other in bare_conjuncts(verb):
        if first_word(other) != other:
            continue
        if (other.tag_ == "VBD") != (verb.tag_ == "VBD") or is_be(other):
            raise DeclineError("coordinated verbs")
        edits.append((piece_of(other), _after_modal(other)))
    return edits, detail


def _after_modal(verb: Token) -> str:
    """The form of a finite verb behind `may` (`plays` -> `play`) or `may have` (`played`)."""
    return inflect(lemma_of(verb), "VBN" if verb.tag_ == "VBD" else "VB")


def _weakened_verb(verb: Token, modal: str) -> tuple[Edits, str]:
    if verb.tag_ not in FINITE_TAGS or may_be_participle(verb):
        raise DeclineError("no finite verb")
    new = f"have {_after_modal(verb)}" if verb.tag_ == "VBD" else _after_modal(verb)
    place = leftmost_adverb(verb)
    if place == verb:
        return [(piece_of(verb), f"{modal} {new}")], f"{verb.text} -> {modal} {new}"
    return [(before(place), f"{modal} "), (piece_of(verb), new)], f"+ {modal}"


def _weakened_auxiliary(verb: Token, first: Token, modal: str) -> tuple[Edits, str]:
    """`Is` -> `may be`, `has` -> `may have`, `did not see` -> `may not have seen`."""
    form = first.lower_
    negation = next((child for child in verb.children if child.dep_ == "neg"), None)
    gone = piece_of(first)
    if negation is not None:
        if negation.i != first.i + 1 or negation.lower_ not in STANDARD_NEGATIONS:
            raise DeclineError("unusual auxiliary")
        gone = Piece(first.idx, negation.idx + len(negation))
        modal = f"{modal} not"
    if form in ("do", "does", "did") and negation is not None and verb is not first:
        edits: Edits = [(gone, modal)]
        if form == "did":
            edits.append((piece_of(verb), f"have {inflect(lemma_of(verb), 'VBN')}"))
        return edits, f"{form} -> {modal}"
    if form in ("'s", "’s", "s") and verb.tag_ == "VBN":
        raise DeclineError("unclear contraction")
    if any(child.lower_ == "being" for child in verb.lefts) or (
        beside(verb, 1) == "to" and (verb.lower_ == "going" or is_be(verb))
    ):
        raise DeclineError("unusual auxiliary")
    if form in ("has", "have", "'ve", "’ve"):
        rest = "have"
    elif form in ("was", "were"):
        rest = "have been"
    elif form in BE:
        rest = "be"
    else:
        raise DeclineError("modal or past perfect")
    return [(gone, with_space(first, f"{modal} {rest}"))], f"{form} -> {modal} {rest}"
