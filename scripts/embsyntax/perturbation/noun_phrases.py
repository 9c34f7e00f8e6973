"""Noun phrases as the relation rules move them: their bounds, number, kind and safe exchange.

A phrase is a head with its determiner, modifiers and closest complements. Two phrases change
places whole; what depends on them follows: the case of pronouns, the agreement of the verb, the
capital of the first word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import lemminflect
from spacy.tokens import Token

from embsyntax.perturbation.engine import (
    DeclineError,
    Piece,
    Sentence,
    lower_first,
    replace_pieces,
    starts_upper,
    upper_first,
)
from embsyntax.perturbation.main_clause import is_balanced, is_title_case
from embsyntax.perturbation.noun_words import (
    ANIMATE,
    ARTICLES_AND_SUBJECTS,
    BAD_DETERMINERS,
    BAD_HEADS,
    BAD_LEFT_TAGS,
    BAD_RIGHT_TAGS,
    BRACKETS,
    BREAK,
    CAUSATIVES,
    CLITICS,
    EXCLAMATIONS,
    FINITE_AUXILIARIES,
    FINITE_TAGS,
    GROUP_NOUNS,
    LEADING_LABELS,
    LEFT_LABELS,
    MASS_NOUNS,
    NAME_TAGS,
    NOUN_TAGS,
    PERSON_ENTITIES,
    PRONOUNS,
    QUOTES,
    SENTENCE_OPENERS,
    SET_NOUNS,
    SUBJECT_LABELS,
    TIME_AND_MEASURE,
    UNMOVABLE_ENTITIES,
    VERSION,
    WH_TAGS,
)
from embsyntax.perturbation.symmetric import LIGHT_VERBS
from embsyntax.perturbation.verbs import (
    VERB_TAGS,
    Agreement,
    agreement_of,
    be_form,
    finite_form,
    full_auxiliary,
    lemma_of,
    object_case,
    subject_case,
)

LONGEST_PHRASE = 16
"""Tokens of the longest phrase that moves: the bounds of longer ones are seldom right."""


@dataclass(frozen=True)
class Phrase:
    """A noun phrase that can move.

    Attributes:
        head: its head.
        first: index of its first token.
        last: index of its last token.
        kind: `pronoun`, `name`, `animate`, `thing` or `number`.
        is_fixed: True if its determiner must stay where it is (`which`, `any`, `another`).
        clitic: the auxiliary that is glued to a pronoun (`they're`), which leaves with it.
    """

    head: Token
    first: int
    last: int
    kind: str
    is_fixed: bool = False
    clitic: Token | None = None

    @property
    def piece(self) -> Piece:
        """Where it stands, its clitic included."""
        end = self.clitic if self.clitic is not None else self.head.doc[self.last]
        return Piece(self.head.doc[self.first].idx, end.idx + len(end))

    @cached_property
    def text(self) -> str:
        """Its words, without the clitic."""
        return self.head.doc[self.first : self.last + 1].text

    @property
    def is_plural(self) -> bool:
        """True if its head is tagged as plural."""
        return self.head.tag_ in {"NNS", "NNPS"}

    @property
    def is_bare(self) -> bool:
        """True if it has no determiner, possessor or number."""
        return not any(t.dep_ in {"det", "poss", "nummod", "predet"} for t in self.head.lefts)


@lru_cache(maxsize=4)
def _by_label(sentence: Sentence) -> dict[str, list[Token]]:
    """The tokens of a sentence by their dependency labels, in order."""
    found: dict[str, list[Token]] = {}
    for token in sentence.doc:
        found.setdefault(token.dep_, []).append(token)
    return found


def labelled(sentence: Sentence, *labels: str) -> list[Token]:
    """Return the tokens with one of some dependency labels, in order."""
    by_label = _by_label(sentence)
    if len(labels) == 1:
        return by_label.get(labels[0], [])
    found = [token for label in labels for token in by_label.get(label, ())]
    return sorted(found, key=lambda token: token.i)


@lru_cache(maxsize=4)
def is_title_like(sentence: Sentence) -> bool:
    """Return True if a text leaves out articles as titles, headlines and search queries do."""
    if sentence.text[sentence.end :].strip().startswith("."):
        return False
    return (
        is_title_case(sentence)
        or is_asking(sentence)
        or not any(t.lower_ in ARTICLES_AND_SUBJECTS for t in sentence.doc)
        or not any(t.dep_ in SUBJECT_LABELS for t in sentence.doc)
    )


@lru_cache(maxsize=4)
def is_run_together(sentence: Sentence) -> bool:
    """Return True if a sentence seems to begin in the middle of a text (`He left The dog sat`)."""
    if is_title_case(sentence):
        return False
    return any(
        token.text in SENTENCE_OPENERS
        and token.i > sentence.doc[0].i + 1
        and token.nbor(-1).tag_ in NOUN_TAGS | {"PRP", "JJ", "RB"}
        for token in sentence.doc
    )


@lru_cache(maxsize=4)
def is_asking(sentence: Sentence) -> bool:
    """Return True if a text is a question, with or without its mark."""
    if sentence.is_question or sentence.doc[0].tag_ in WH_TAGS:
        return True
    first = sentence.doc[0]
    return first.pos_ == "AUX" and first.tag_ in FINITE_TAGS


def kind_of(head: Token) -> str:
    """Return the kind of a noun phrase's head: see `Phrase`."""
    if head.tag_ == "PRP":
        return "pronoun"
    if head.tag_ == "CD":
        return "number"
    if head.lemma_.lower() in ANIMATE or head.ent_type_ in PERSON_ENTITIES:
        return "animate" if head.tag_ in {"NN", "NNS"} else "name"
    if head.tag_ in NAME_TAGS:
        return "name"
    return "thing"


def noun_phrase(
    sentence: Sentence, head: Token, *, is_whole: bool = False, is_apart: bool = False
) -> Phrase:
    """Return the phrase of a head.

    Args:
        sentence: the source.
        head: a noun, name, pronoun or version number.
        is_whole: whether prepositional phrases after the head belong to it (those with `of`
            always do).
        is_apart: whether an apposition between commas may stay behind when the phrase moves.

    Raises:
        DeclineError: the head or its surroundings cannot move safely.
    """
    outcome = _phrase_or_reason(sentence, head, is_whole, is_apart)
    if isinstance(outcome, str):
        raise DeclineError(outcome)
    return outcome


@lru_cache(maxsize=256)
def _phrase_or_reason(
    sentence: Sentence, head: Token, is_whole: bool, is_apart: bool
) -> Phrase | str:
    """The phrase of a head, or the reason why it cannot move; rules ask for the same one again."""
    try:
        return _read_phrase(sentence, head, is_whole=is_whole, is_apart=is_apart)
    except DeclineError as fault:
        return str(fault)


def _read_phrase(sentence: Sentence, head: Token, *, is_whole: bool, is_apart: bool) -> Phrase:
    doc = sentence.doc
    if head.tag_ == "PRP":
        return _pronoun(sentence, head)
    if not _is_nominal(head):
        raise DeclineError("no plain noun")
    if head.tag_ == "CD" and not VERSION.fullmatch(head.text):
        raise DeclineError("plain number")
    if head.ent_type_ in UNMOVABLE_ENTITIES or head.lemma_.lower() in TIME_AND_MEASURE:
        raise DeclineError("time or measure")
    if head.lower_ in BAD_HEADS:
        raise DeclineError("set phrase or pronoun-like noun")
    first, is_fixed = head.i, False
    for child in reversed(list(head.lefts)):
        if child.dep_ in LEADING_LABELS and child.text not in BRACKETS:
            break
        if child.dep_ not in LEFT_LABELS or child.right_edge.i != first - 1:
            raise DeclineError("unusual words before the noun")
        is_fixed |= child.lower_ in BAD_DETERMINERS
        first = child.left_edge.i
    for token in doc[first + is_fixed : head.i]:
        if token.tag_ in WH_TAGS or token.lower_ in BAD_DETERMINERS | PRONOUNS - {"her"}:
            raise DeclineError("determiner that cannot move")
    while first < head.i and doc[first].lower_ in EXCLAMATIONS:
        first += 1
    last = _right_bound(head, is_whole=is_whole, is_apart=is_apart)
    if is_title_like(sentence):
        first, last = _extend(head, first, last)
    if last - first >= LONGEST_PHRASE:
        raise DeclineError("long phrase")
    _check_bounds(sentence, head, first, last)
    if not is_balanced(doc[first : last + 1].text):
        raise DeclineError("cuts through quotes or brackets")
    return Phrase(head, first, last, kind_of(head), is_fixed)


def _is_nominal(head: Token) -> bool:
    """True if a word is a noun or stands as one, whatever its tag."""
    if head.tag_ in NOUN_TAGS or head.tag_ == "CD":
        return True
    if head.tag_ in {"VBG", "JJ"} and any(child.dep_ == "det" for child in head.lefts):
        return True
    return head.tag_ in {"JJ", "FW"} and not is_known_word(head.lower_)


def _pronoun(sentence: Sentence, head: Token) -> Phrase:
    word = head.lower_
    if word not in PRONOUNS:
        raise DeclineError("pronoun without cases")
    if word == "it" and head.dep_ in {*SUBJECT_LABELS, "expl"}:
        raise DeclineError("expletive or vague it")
    if any(True for _ in head.children):
        raise DeclineError("pronoun with modifiers")
    following = sentence.doc[head.i + 1] if head.i + 1 < len(sentence.doc) else None
    if following is not None and not head.whitespace_ and following.lower_ in CLITICS:
        return Phrase(head, head.i, head.i, "pronoun", clitic=following)
    check_edges(sentence, head.i, head.i)
    return Phrase(head, head.i, head.i, "pronoun")


def _is_aside(apposition: Token) -> bool:
    """True for an apposition between commas that is no list."""
    doc, last = apposition.doc, apposition.right_edge.i
    is_before_comma = last + 1 == len(doc) or doc[last + 1].text in {",", "."}
    is_after_comma = doc[apposition.left_edge.i - 1].text == ","
    is_list = any(child.dep_ in {"cc", "conj", "appos"} for child in apposition.children)
    return is_before_comma and is_after_comma and not is_list and apposition.tag_ != "CD"


def _right_bound(head: Token, *, is_whole: bool, is_apart: bool) -> int:
    """Index of the last token of a phrase.

    Raises:
        DeclineError: what stands behind the head cannot be told from its surroundings.
    """
    last = head.i
    for child in head.rights:
        is_next = child.left_edge.i == last + 1
        if child.dep_ in {"cc", "conj"}:
            is_verbal = child.left_edge == child and child.lower_.endswith("ing")
            if not is_next or is_verbal:
                raise DeclineError("coordination apart from its noun")
        elif child.dep_ == "appos" and is_apart and _is_aside(child):
            break
        elif child.dep_ == "appos" or (
            child.dep_ == "punct" and child.text not in {",", ".", "?", "!", "..."}
        ):
            raise DeclineError("apposition or parenthesis")
        elif not is_next:
            continue
        elif child.dep_ == "nummod":
            pass
        elif child.dep_ == "prep":
            if child.lower_ != "of" and not is_whole:
                continue
        elif child.dep_ not in {"relcl", "acl"}:
            continue
        last = child.right_edge.i
    return last


def _extend(head: Token, first: int, last: int) -> tuple[int, int]:
    """Bounds with the nouns and numbers beside them, which the parser often tears off in titles."""
    doc = head.doc
    while first and doc[first].tag_ not in {"DT", "PRP$"} and _is_title_noun(doc[first - 1]):
        first -= 1
    if last == head.i:
        while last + 1 < len(doc) and _is_title_noun(doc[last + 1]):
            last += 1
    return first, last


def _is_title_noun(token: Token) -> bool:
    return (
        token.tag_ in {*NOUN_TAGS, "CD"}
        and token.dep_ not in {"ROOT", *SUBJECT_LABELS}
        or token.tag_ == "JJ"
        and not is_known_word(token.lower_)
    )


def _check_bounds(sentence: Sentence, head: Token, first: int, last: int) -> None:
    """Decline a phrase whose neighbours look as if they belonged to it."""
    doc = sentence.doc
    check_edges(sentence, first, last)
    if doc[first].tag_ not in {"DT", "PRP$"} and first > 0:
        left = doc[first - 1]
        is_reduced_relative = head.dep_ in SUBJECT_LABELS and head.head.dep_ in {"relcl", "ccomp"}
        if left.tag_ in BAD_LEFT_TAGS and not is_reduced_relative:
            raise DeclineError("phrase without clear bounds")
        if left.tag_ in {"VBG", "VBN"} and head.head not in (left, left.head):
            raise DeclineError("phrase without clear bounds")
    if last + 1 < len(doc):
        right = doc[last + 1]
        if right.lower_ == "else":
            raise DeclineError("phrase without clear bounds")
        if right.tag_ in BAD_RIGHT_TAGS and right.ent_type_ not in {"DATE", "TIME"}:
            raise DeclineError("phrase without clear bounds")


def check_edges(sentence: Sentence, first: int, last: int) -> None:
    """Decline a phrase that is glued to its neighbours (clitics, hyphens, slashes)."""
    doc, text = sentence.doc, sentence.text
    start = doc[first].idx
    end = doc[last].idx + len(doc[last])
    before, after = text[start - 1 : start], text[end : end + 1]
    if (before and before in QUOTES and start != sentence.start) or (
        after and after in QUOTES and end != sentence.end
    ):
        raise DeclineError("phrase in quotes")
    if (before and not before.isspace() and before not in "\"'“‘([`") or (
        after and not after.isspace() and after not in ",.;:!?\"'”’)]"
    ):
        raise DeclineError("phrase glued to its neighbour")
    if after in {"'", "’", "."} and text[end + 1 : end + 2].isalnum():
        raise DeclineError("phrase glued to its neighbour")
    following = text[end : end + 3]
    if re.match(r" ['’]\w", following) or re.match(r" [sm]\b", text[end : end + 4]):
        raise DeclineError("phrase glued to its neighbour")


def check_bare(sentence: Sentence, phrase: Phrase) -> None:
    """Decline a singular common noun without a determiner outside of titles.

    Raises:
        DeclineError: such nouns mostly stand in set phrases (`at home`, `took place`).
    """
    head = phrase.head
    if phrase.first == head.i and head.lower_ in SET_NOUNS:
        raise DeclineError("set phrase or pronoun-like noun")
    if (
        head.tag_ == "NN"
        and phrase.first == head.i
        and (head.dep_ != "dobj" or head.head.lemma_ in LIGHT_VERBS)
        and not head.text[0].isupper()
        and head.lower_ not in MASS_NOUNS
        and is_known_word(head.lower_)
        and not is_title_like(sentence)
    ):
        raise DeclineError("singular noun without a determiner")


def finite_of(verb: Token) -> Token | None:
    """Return the word of a verb's clause that agrees with the subject, None if none is finite.

    A main verb that is tagged as an infinitive but has a subject and no auxiliary is finite.
    """
    for child in verb.children:
        if child.dep_ in {"aux", "auxpass"}:
            is_finite = child.tag_ in FINITE_TAGS or child.lower_ in FINITE_AUXILIARIES
            return child if is_finite else None
    if verb.dep_ == "ccomp" and verb.head.lemma_ in CAUSATIVES and verb.tag_ in {"VB", "VBP"}:
        return None
    if verb.tag_ == "VB" and verb.dep_ != "ccomp":
        return verb if any(child.dep_ == "nsubj" for child in verb.lefts) else None
    return verb if verb.tag_ in FINITE_TAGS else None


def finites_of(verb: Token) -> list[Token]:
    """Return the words that agree with the subject of a verb, coordinated verbs included."""
    found = [finite_of(verb)]
    for child in verb.children:
        is_verb = child.dep_ == "conj" and child.pos_ in {"VERB", "AUX"}
        if is_verb and not any(t.dep_ in {*SUBJECT_LABELS, "expl"} for t in child.children):
            found += finites_of(child)
    return [token for token in found if token is not None]


def agreeing_form(token: Token, subject: Token) -> str:
    """Return the form of a finite verb or auxiliary with a new subject.

    Args:
        token: the verb or auxiliary.
        subject: head of the new subject.

    Raises:
        DeclineError: the word is a clitic, its form is unknown or may be of two tenses, or the
            number of the subject is not clear.
    """
    word = token.lower_
    if word in CLITICS:
        word = full_auxiliary(token, _next_verb_tag(token))
    elif token.tag_ == "MD" or (token.tag_ == "VBD" and word not in {token.lemma_, "was", "were"}):
        return token.text
    if word in {"will", "would", "had"}:
        return word
    agreement = _agreement(subject)
    if word in {"is", "are", "am", "was", "were"}:
        new = be_form("past" if word in {"was", "were"} else "present", agreement)
    elif token.tag_ == "VBD":
        if agreement.person == 3 and not agreement.is_plural:
            raise DeclineError("present or past")
        return token.text
    elif word in {"has", "have", "does", "do"}:
        new = finite_form("have" if word.startswith("h") else "do", "present", agreement)
    else:
        new = finite_form(lemma_of(token), "present", agreement)
    if token.lower_ == new:
        return token.text
    if len(word) > 1 and token.is_upper:
        return new.upper()
    return new.capitalize() if token.text[0].isupper() else new


def _agreement(subject: Token) -> Agreement:
    """Person and number of a subject; `a team` is singular though a team may be they."""
    try:
        return agreement_of(subject)
    except DeclineError:
        if subject.tag_ == "NN" and subject.left_edge.lower_ in {"a", "an", "this", "that"}:
            return Agreement(3, is_plural=False)
        raise


def _next_verb_tag(auxiliary: Token) -> str:
    """Tag of the verb that follows an auxiliary, which tells `'s` and `'d` apart."""
    following = auxiliary.doc[auxiliary.i + 1 :]
    return next((t.tag_ for t in following if t.tag_ in VERB_TAGS), "")


def check_agreement(finites: Sequence[Token], subject: Token) -> None:
    """Decline a clause whose verb does not agree with its subject: the parse is wrong.

    Raises:
        DeclineError: the verb does not agree.
    """
    if subject.tag_ in NAME_TAGS or subject.lower_ in GROUP_NOUNS:
        return
    for token in finites:
        is_clear = token.tag_ in {"VBZ", "VBP", "VB"} or token.lower_ in {"was", "were"}
        if is_clear and token.lower_ not in CLITICS:
            try:
                form = agreeing_form(token, subject)
            except DeclineError:
                continue
            if form != token.text:
                raise DeclineError("subject and verb disagree")


@lru_cache(maxsize=4096)
def is_known_word(word: str) -> bool:
    """Return True if the dictionary has a word, in lower case, in any form."""
    return bool(lemminflect.getAllLemmas(word))


@lru_cache(maxsize=4096)
def is_verb_form(word: str) -> bool:
    """Return True if a word may be a verb."""
    return bool(lemminflect.getAllLemmas(word, upos="VERB"))


def lowered(sentence: Sentence, text: str, first: Token) -> str:
    """Return a phrase that leaves the start of a sentence, its capital lowered where it should be.

    Names, acronyms, title case and words that no dictionary knows keep it.
    """
    if is_title_case(sentence):
        return text
    if first.tag_ in {"DT", "PRP$", "IN", "PDT", "PRP", "CD"}:
        is_upper = first.text == "I" or (len(first) > 1 and first.is_upper)
        return text if is_upper else text[:1].lower() + text[1:]
    return lower_first(text, first) if is_known_word(first.lower_) else text


def in_role(sentence: Sentence, phrase: Phrase, *, is_subject: bool) -> str:
    """Return the words of a phrase in the case of its new role."""
    if phrase.kind != "pronoun":
        return phrase.text
    word = phrase.head.lower_
    new = subject_case(word) if is_subject else object_case(word)
    if len(word) > 1 and phrase.head.is_upper:
        return new.upper()
    if new == "I" and not starts_upper(sentence) and " I " not in f" {sentence.text} ":
        return "i"
    return new


def exchange(
    sentence: Sentence,
    left: tuple[Phrase, str],
    right: tuple[Phrase, str],
    edits: Sequence[tuple[Piece, str]] = (),
) -> str:
    """Put two phrases in each other's place.

    Args:
        sentence: the source.
        left: the phrase that stands first, and its words in the other's role.
        right: the phrase that stands second, and its words in the other's role.
        edits: further changes.

    Raises:
        DeclineError: they overlap or have the same head, or one cuts through an address or code.
    """
    (first, first_text), (second, second_text) = left, right
    if first.last >= second.first:
        raise DeclineError("overlapping phrases")
    between = sentence.text[first.piece.end : second.piece.start]
    if BREAK.search(between) or is_run_together(sentence):
        raise DeclineError("punctuation splits the sentence")
    if not is_balanced(between):
        raise DeclineError("one phrase inside quotes or brackets")
    gap = sentence.doc[first.last + 1 : second.first]
    if all(token.tag_ in NOUN_TAGS | {"JJ", "CD"} for token in gap):
        raise DeclineError("phrase without clear bounds")
    if not (first_text[0].isalnum() and second_text[0].isalnum()):
        raise DeclineError("phrase begins with a mark")
    if first.head.lemma_.lower() == second.head.lemma_.lower():
        modifiers = [
            {t.lower_ for t in phrase.head.lefts if t.dep_ != "det"} for phrase in (first, second)
        ]
        if modifiers[0] == modifiers[1]:
            raise DeclineError("both phrases have the same head")
    if first.piece.start == sentence.start and starts_upper(sentence):
        first_text = lowered(sentence, first_text, sentence.doc[first.first])
        second_text = upper_first(second_text)
    return replace_pieces(
        sentence, [(first.piece, second_text), (second.piece, first_text), *edits]
    )


def fit(a: Phrase, b: Phrase) -> int:
    """Return how alike two phrases are, 0-6: exchanging like phrases gives plausible sentences."""
    score = 0
    if a.kind == b.kind or {a.kind, b.kind} <= {"pronoun", "name", "animate"}:
        score += 2
    if a.head.ent_type_ == b.head.ent_type_:
        score += 2 if a.head.ent_type_ else 1
    score += a.is_plural == b.is_plural
    score += a.is_bare == b.is_bare
    return score
