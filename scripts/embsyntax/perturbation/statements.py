"""The verbs of statements as traps see them: who says it, which word is finite, where words go.

Nothing is registered here; `polarity` and `certainty` put a negation or a modal into what is found.
"""

from __future__ import annotations

from spacy.tokens import Token

from embsyntax.perturbation.engine import DeclineError, Piece, Sentence, lower_first
from embsyntax.perturbation.lexical import QUOTED
from embsyntax.perturbation.main_clause import BREAKS, word_set
from embsyntax.perturbation.noun_words import NOUN_TAGS, WH_TAGS
from embsyntax.perturbation.verbs import FINITE_TAGS, inflect, lemma_of

Edits = list[tuple[Piece, str]]
"""Stretches of a sentence with their new words, as `engine.replace_pieces` takes them."""

SUBJECTS = word_set("nsubj nsubjpass expl csubj")
AUXILIARIES = word_set("aux auxpass")
BE = word_set("is are was were am 's ’s 're ’re 'm ’m s m")
SAYING = word_set(
    "say state announce claim report add warn believe think argue note confirm tell insist suggest "
    "declare reveal admit show indicate"
)
INTENDING = word_set(
    "try attempt decide refuse agree vow plan seek begin start want hope need fail manage promise "
    "pledge threaten offer continue"
)
"""Verbs whose past form before `to` is no participle of a headline (`set to vote`)."""

TITLE_VERBS = word_set(
    "change print left align set show make use create display move sort define test export import "
    "insert remove list plot label log map match format update check search query group split run "
    "install open close start stop load link copy place center control block drop join read write"
)
"""Words with which titles command (`change reports text`), and which a parser may call nouns."""

FOCUS_WORDS = word_set(
    "just only almost nearly even barely hardly scarcely rarely seldom also too already still once "
    "ever never always probably perhaps maybe again either better rather both"
)
"""Adverbs beside which a negation or a modal reads badly or says something else."""

PLURAL_SUBJECTS = word_set("people police cattle men women children staff crew troops")
UNCLEAR_SUBJECTS = word_set(
    "group number lot couple pair majority team family crowd rest half lots news series politics "
    "percent % government police"
)
"""Nouns that agree with verbs in both numbers, or whose number taggers are not sure of."""


def before(token: Token) -> Piece:
    """Return the empty stretch right before a token."""
    return Piece(token.idx, token.idx)


def after(token: Token) -> Piece:
    """Return the empty stretch right after a token."""
    return Piece(token.idx + len(token), token.idx + len(token))


def beside(token: Token, step: int) -> str:
    """Return the lower-case word so many places from a token, or `""`."""
    place = token.i + step
    return token.doc[place].lower_ if 0 <= place < len(token.doc) else ""


def next_token(token: Token, step: int = 1) -> Token | None:
    """Return the token so many places behind another one, or None."""
    return token.doc[token.i + step] if token.i + step < len(token.doc) else None


def with_space(token: Token, text: str) -> str:
    """Return a text that takes the place of a contraction, with a space before it."""
    is_glued = token.i > 0 and not token.nbor(-1).whitespace_
    return f" {text}" if is_glued else text


def lowered(sentence: Sentence, token: Token) -> str:
    """Return a word as it is written away from the start of its sentence."""
    return lower_first(token.text, token) if token.idx == sentence.start else token.text


def first_word(verb: Token) -> Token:
    """Return the first auxiliary of a verb, or the verb itself if it has none."""
    return next((child for child in verb.lefts if child.dep_ in AUXILIARIES), verb)


def own_subject(verb: Token) -> Token | None:
    """Return the subject that hangs on a verb, on either side of it, or None."""
    return next((child for child in verb.children if child.dep_ in SUBJECTS), None)


def is_be(token: Token) -> bool:
    """Return True for a finite form of `be`, contracted or not."""
    return token.lower_ in BE and token.tag_ in FINITE_TAGS


def stated_verb(sentence: Sentence) -> Token:
    """Return the verb of the main statement: the root, or what it reports where that comes first.

    Raises:
        DeclineError: there is none that a rule can change.
    """
    verb = sentence.root
    if verb.lemma_ in SAYING:
        reported = [child for child in verb.lefts if child.dep_ in ("ccomp", "advcl", "npadvmod")]
        verb = reported[0] if reported else verb
    if verb.pos_ not in ("VERB", "AUX"):
        raise DeclineError("no main verb")
    return verb


def statement_subject(sentence: Sentence, verb: Token) -> Token:
    """Return the subject of a verb that makes a statement: it stands left of all of the verb.

    Raises:
        DeclineError: there is none, or the verb asks, is only mentioned, or the parse looks wrong.
    """
    subject, first = own_subject(verb), first_word(verb)
    if subject is None:
        raise DeclineError("no subject")
    if subject.i > first.i:
        raise DeclineError("subject after the verb")
    if BREAKS.search(sentence.text, subject.left_edge.idx, verb.idx):
        raise DeclineError("punctuation splits the sentence")
    opening = sentence.doc[0]
    if (opening.tag_ in WH_TAGS and subject.tag_ != "WP") or any(
        child.tag_ == "WRB" or child.dep_ == "mark" for child in verb.lefts
    ):
        raise DeclineError("question or subordinate clause")
    if opening.lower_ in TITLE_VERBS and subject.left_edge.i == 0 and opening.dep_ != "det":
        raise DeclineError("title that begins with a verb")
    if _is_mentioned(sentence, verb) or sentence.text.isupper():
        raise DeclineError("inside a quotation or in capitals")
    if any(_is_loose(child) for child in verb.rights):
        raise DeclineError("coordinated verbs")
    _check_number(first, subject)
    return subject


def _is_mentioned(sentence: Sentence, verb: Token) -> bool:
    """Return True if a verb stands in a quotation that its sentence speaks about."""
    if sentence.root.lemma_ in SAYING:
        return False
    return any(
        match.start() < verb.idx < match.end() and sentence.text[: match.start()].strip()
        for match in QUOTED.finditer(sentence.text)
    )


def _is_loose(verb: Token) -> bool:
    """Return True for a second verb that no `and` joins (`condemns X, cancels Y`), or a noun."""
    if verb.dep_ == "conj" and verb.tag_ in NOUN_TAGS:
        return verb.head.pos_ == "VERB"
    if verb.tag_ not in FINITE_TAGS or own_subject(verb) or first_word(verb) != verb:
        return False
    if verb.dep_ == "conj":
        return not any(child.dep_ == "cc" for child in verb.head.rights)
    return verb.dep_ in ("dep", "advcl", "parataxis")


def _check_number(finite: Token, subject: Token) -> None:
    """Check that verb and subject agree: where they do not, the parse is wrong.

    Raises:
        DeclineError: they do not agree.
    """
    if finite.tag_ not in ("VBZ", "VBP") or subject.tag_ not in ("NN", "NNS"):
        return
    if subject.lower_ in UNCLEAR_SUBJECTS or any(
        child.dep_ in ("cc", "conj", "nummod") for child in subject.children
    ):
        return
    is_plural = subject.tag_ == "NNS" or subject.lower_ in PLURAL_SUBJECTS
    if is_plural != (finite.tag_ == "VBP"):
        raise DeclineError("subject and verb do not agree")


def may_be_participle(verb: Token) -> bool:
    """Return True if a past form may be a participle of a headline (`37 killed in crash`).

    Raises:
        DeclineError: the verb is unknown.
    """
    if verb.tag_ not in ("VBD", "VBN") or first_word(verb) != verb:
        return False
    lemma = lemma_of(verb)
    if verb.tag_ == "VBD" and inflect(lemma, "VBN") != verb.lower_:
        return False
    labels = {child.dep_ for child in verb.children}
    if labels & {"agent", "oprd"}:
        return True
    if labels & {"dobj", "acomp", "attr", "prt", "npadvmod", "dative"}:
        return False
    if (lemma in SAYING and "ccomp" in labels) or (lemma in INTENDING and "xcomp" in labels):
        return False
    return not verb.doc.text.rstrip("\"'”’ ").endswith(".")


def leftmost_adverb(verb: Token) -> Token:
    """Return the first of the adverbs that stand right before a verb, or the verb."""
    place = verb
    while place.i:
        previous = place.nbor(-1)
        if previous.head != verb or previous.dep_ != "advmod" or not previous.tag_.startswith("RB"):
            break
        place = previous.left_edge
    return place


def bare_conjuncts(verb: Token) -> list[Token]:
    """Return the finite verbs that share the subject of a verb (`sits` and `reads`), in order."""
    return [
        child
        for child in verb.rights
        if child.dep_ == "conj" and child.tag_ in FINITE_TAGS and own_subject(child) is None
    ]
