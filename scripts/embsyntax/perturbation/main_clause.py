"""The main clause of a sentence as the structure rules see it, and safe rearranging of its parts.

A clause that reads `subject, auxiliaries, verb, rest` can be inverted and its parts fronted; what
looks otherwise (questions, headlines without a finite verb, quotations, expletive subjects) is
recognised here, once for all rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import lemminflect
from spacy.tokens import Token

from embsyntax.perturbation.engine import (
    DeclineError,
    Piece,
    Sentence,
    lower_first,
    rearrange,
    starts_upper,
    subtree_piece,
    upper_first,
)
from embsyntax.perturbation.verbs import is_known_verb


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text, split at white space."""
    return frozenset(text.split())


SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass"})
AUXILIARIES = frozenset({"aux", "auxpass"})
BEFORE_VERB = AUXILIARIES | {"neg", "advmod", "punct"}
FINITE_TAGS = frozenset({"VBZ", "VBP", "VBD", "MD"})
BREAKS = re.compile(r"[;|—–…]|:(?=\s|\Z)|--|\s-\s|\.\.|\s/\s")
"""Punctuation that splits headlines and titles into parts that no rule may move across."""

CLITICS = re.compile(r"(?:n['’]t|(?<=\w)['’]|\s['’](?:s|re|ve|m|d|ll))\b", re.IGNORECASE)
OPENING_QUOTE = re.compile(r"(?<!\w)['‘]")
CLOSING_QUOTE = re.compile(r"['’](?!\w)")
THIRD_PERSON = word_set(
    """he him his she her hers it its they them their theirs himself herself itself themselves"""
)
POLARITY_WORDS = word_set(
    """any anybody anyone anything anywhere ever either yet whatsoever anymore"""
)
"""Words that need a negation, question or condition to their left."""

CHAT_WORDS = word_set(
    """ugh yep yup nope wow omg lol lmao lmfao rofl haha hahaha aha damn dammit dang bruh bro
    dude tho smh wtf tbh imo idk oh ohh ooh oof yo hey hi hello huh hmm welp yay yeah yea aw
    aww woo woohoo whoa please pls plz congrats congratulations rip wait ya ye yall u ur
    gonna gotta wanna im ive dont doesnt didnt cant wont isnt arent wasnt aint thats hes shes
    theyre youre whats theres xoxo thx sorry amen gosh geez jeez sheesh shit fuck fucking
    guys y'all dat dis da bout cuz coz cos rn af ily omfg eww ew yes gon"""
)
"""Words of chat: interjections, calls, and spellings that the parser reads wrongly."""

EVENT_VERBS = word_set(
    """kill injure wound hurt arrest detain charge sentence jail find hit shoot stab rescue
    evacuate kidnap abduct hold release free sack fire oust elect appoint name re-elect bury
    crash sink derail ban suspend fine convict accuse acquit indict clear bomb attack target
    cancel delay postpone close shut block seize recover strand trap rush hospitalise
    hospitalize treat admit ambush behead execute hang burn destroy damage flood draft pick
    select sign trade sell expect see urge warn set fear report spot catch beat rob swear
    honor honour remember commission sue deport expel defeat knock crown award give offer
    schedule approve reject pass drop slam blame detect taint foil thwart uncover discover
    probe rock shake jolt batter devastate isolate confirm unveil launch gang-rape question
    mourn"""
)
"""Verbs whose participle headlines use without `was` for what happened to someone."""

DRAWN_OUT = re.compile(
    r"(?:o+m+f?g+|a+w+|u+g+h+|lo+l+|(?:ha){2,}h?|o+h+|yea+h*|wo+w+)", re.IGNORECASE
)
"""Interjections with any number of letters."""

NOUN_PHRASE_PARTS = word_set(
    """det amod compound nummod poss prep relcl acl appos conj cc punct quantmod predet nmod
    case advmod preconj"""
)
"""What may depend on the noun of a subject; anything else is a sign of a wrong parse."""

FUNCTION_WORDS = word_set(
    """the an this that these those my your his her its our their in on at during after before
    since until by for over within near outside inside under behind beside above below
    between among along across through around without despite amid because if when while
    although though finally now today tonight yesterday tomorrow last next every each some
    many most all several two three four five one both no as there it he she we they you what
    how why where who which is are can"""
)
"""Words that are lowered away from the start even if they belong to a name there."""

TITLE_CASE_SHARE, TITLE_CASE_WORDS = 0.7, 4
"""A text reads as title case from this share of capitals among so many words of 4+ letters."""


@dataclass(frozen=True)
class MainClause:
    """A declarative main clause with its subject to the left of its verb.

    Attributes:
        verb: the root; a form of `be` in copular clauses.
        subject: head of the subject.
        subject_piece: the whole subject.
        auxiliaries: auxiliaries of the verb, in order.
        dependents: all children of the verb, in order.
    """

    verb: Token
    subject: Token
    subject_piece: Piece
    auxiliaries: tuple[Token, ...]
    dependents: tuple[Token, ...]

    @property
    def finite(self) -> Token:
        """The word that carries the tense: the first auxiliary, or the verb."""
        return self.auxiliaries[0] if self.auxiliaries else self.verb

    @property
    def subject_right(self) -> int:
        """Index of the last word of the subject."""
        return self.subject.right_edge.i

    @property
    def is_negated(self) -> bool:
        """True if the verb has `not` or `never`, or the subject begins with `no`."""
        return any(t.dep_ == "neg" or t.lower_ in {"never", "hardly"} for t in self.dependents) or (
            self.subject.left_edge.lower_ in {"no", "neither", "few", "little"}
            or self.subject.lower_ in {"nobody", "nothing", "none"}
        )

    def find(self, *labels: str) -> list[Token]:
        """The dependents of the verb with one of these labels."""
        return [token for token in self.dependents if token.dep_ in labels]


@lru_cache(maxsize=4)
def _read(sentence: Sentence) -> MainClause | str:
    """Return the main clause, or the reason why the sentence has none that rules can work on."""
    if sentence.is_question:
        return "question"
    verb = sentence.root
    if verb.pos_ not in {"VERB", "AUX"}:
        return "no main verb"
    dependents = tuple(verb.children)
    subjects = [token for token in dependents if token.dep_ in SUBJECTS]
    if any(token.dep_ == "expl" for token in dependents):
        return "expletive subject"
    if len(subjects) != 1:
        return "no single subject"
    subject = subjects[0]
    if subject.i > verb.i:
        return "subject after the verb"
    if subject.dep_ in {"csubj", "csubjpass"}:
        return "clause as subject"
    auxiliaries = tuple(t for t in dependents if t.dep_ in AUXILIARIES and t.i < verb.i)
    if auxiliaries and auxiliaries[0].i < subject.i:
        return "subject after the auxiliary"
    finite = auxiliaries[0] if auxiliaries else verb
    if finite.tag_ not in FINITE_TAGS:
        return "no finite verb"
    if any(t.tag_ in {"WP", "WDT", "WP$"} for t in (subject, subject.left_edge)):
        return "wh-clause"
    if any(token.lower_ in {"as", "while", "because"} for token in subject.subtree):
        return "doubtful subject"
    if subject.pos_ != "PRON" and any(t.dep_ not in NOUN_PHRASE_PARTS for t in subject.children):
        return "doubtful subject"
    if not auxiliaries and verb.lemma_ != "be":
        if _disagree(subject, verb):
            return "subject and verb disagree"
        if not is_known_verb(verb.lemma_.lower()) or (
            verb.lower_ == "welcome" and not any(t.dep_ == "dobj" for t in dependents)
        ):
            return "unknown verb"
        if (
            verb.tag_ == "VBD"
            and verb.lemma_ in EVENT_VERBS
            and not any(t.dep_ in {"dobj", "xcomp", "ccomp", "prt"} for t in dependents)
        ):
            return "past tense may be a participle"
    words = [token for token in sentence.doc if token.is_alpha]
    if any(token.lower_ in CHAT_WORDS for token in words) or DRAWN_OUT.fullmatch(words[0].text):
        return "chat word"
    last_word = [token for token in sentence.doc if not token.is_punct][-1]
    if last_word.tag_ in {"IN", "DT", "CC", "PRP$", "TO"}:
        return "cut off at its end"
    if BREAKS.search(sentence.text, sentence.start, sentence.end):
        return "punctuation splits the sentence"
    last = subject.right_edge.i
    for token in dependents:
        if last < token.i < verb.i and token.dep_ not in BEFORE_VERB:
            return "something stands between subject and verb"
        if token.dep_ in {"parataxis", "intj"}:
            return "parenthesis or interjection"
    try:
        piece = subtree_piece(subject)
    except DeclineError as fault:
        return str(fault)
    return MainClause(verb, subject, piece, auxiliaries, dependents)


def _disagree(subject: Token, verb: Token) -> bool:
    """Say whether subject and verb differ in number: a sign that one of them was read wrongly."""
    if any(child.dep_ in {"conj", "cc"} or child.lower_ == "of" for child in subject.children):
        return False
    if verb.tag_ == "VBP" and subject.tag_ == "NNP" and not subject.lower_.endswith("s"):
        return True
    return (verb.tag_ == "VBP" and subject.tag_ == "NN") or (
        verb.tag_ == "VBZ" and subject.tag_ in {"NNS", "NNPS"}
    )


def read_main_clause(sentence: Sentence, *, lead: bool = False) -> MainClause:
    """Return the main clause of a sentence.

    Args:
        sentence: the source.
        lead: whether words may stand before the subject.

    Raises:
        DeclineError: there is none that reads `subject, auxiliaries, verb, rest`, with the reason.
    """
    clause = _read(sentence)
    if isinstance(clause, str):
        raise DeclineError(clause)
    if not lead and clause.subject_piece.start != sentence.start:
        raise DeclineError("something stands before the subject")
    return clause


def is_balanced(text: str) -> bool:
    """Return True if every quotation mark and bracket of a text has its partner in it."""
    bare = CLITICS.sub("", text)
    return (
        all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}", "“”"))
        and text.count('"') % 2 == 0
        and text.count("``") == bare.count("''")
        and ("``" in text or len(OPENING_QUOTE.findall(bare)) == len(CLOSING_QUOTE.findall(bare)))
    )


@lru_cache(maxsize=4)
def is_title_case(sentence: Sentence) -> bool:
    """Return True if a text capitalises its words as headlines do."""
    if not sentence.root.text[0].isupper():
        return False
    words = [token for token in sentence.doc if token.is_alpha and len(token) > 3]
    capitals = sum(token.text[0].isupper() for token in words)
    return len(words) >= TITLE_CASE_WORDS and capitals >= TITLE_CASE_SHARE * len(words)


def moved_words(sentence: Sentence, piece: Piece) -> str:
    """The words of the stretch that opens the sentence, cased for another place in it.

    Raises:
        DeclineError: the stretch cuts a quotation, bracket, address, hashtag or code in two.
    """
    words = sentence.words(piece)
    if piece.end > sentence.end or not is_balanced(words):
        raise DeclineError("cuts through quotes or brackets")
    if sentence.touches_protected(piece):
        raise DeclineError("cuts through a link, tag or code")
    tokens = sentence.tokens(piece)
    if is_title_case(sentence) or not tokens:
        return words
    first = tokens[0]
    is_function_word = first.lower_ in FUNCTION_WORDS or first.pos_ == "ADV"
    if is_function_word and not first.text[:2].isupper():
        return words[0].lower() + words[1:]
    if first.pos_ == "NOUN" and not is_known_word(first.lower_):
        return words
    return lower_first(words, first)


@cache
def is_known_word(word: str) -> bool:
    """Return True if a lower-case word is in the dictionary of inflections: else it is a name."""
    return bool(lemminflect.getAllLemmas(word))


def capital(sentence: Sentence, word: str) -> str:
    """Return a word that opens the new text, with a capital if the source began with one."""
    return upper_first(word) if starts_upper(sentence) else word


def arrange(sentence: Sentence, parts: Sequence[Piece | str]) -> str:
    """Write a sentence anew as `engine.rearrange` does, with one more care about capitals.

    An article that belongs to a name is lowered (`The Hague`, `the Episcopal Church`: only the
    latter pattern is common), and no word is lowered in title case.

    Raises:
        DeclineError: as `engine.rearrange`; or a piece cuts a quotation or bracket in two.
    """
    texts: list[Piece | str] = []
    for part in parts:
        if isinstance(part, Piece):
            if part.end > sentence.end or not is_balanced(sentence.words(part)):
                raise DeclineError("cuts through quotes or brackets")
            if texts and part.start == sentence.start:
                part = moved_words(sentence, part)
        texts.append(part)
    text = rearrange(sentence, texts)
    if sentence.text[sentence.start].isdigit() and any(c.isupper() for c in sentence.text):
        text = upper_first(text)
    return text


def rest_after(sentence: Sentence, token: Token) -> Piece:
    """The stretch from behind a token to the final punctuation, white space left out.

    Raises:
        DeclineError: nothing follows.
    """
    start = token.idx + len(token)
    end = sentence.end
    while start < end and sentence.text[start].isspace():
        start += 1
    if start >= end:
        raise DeclineError("nothing follows the verb")
    return Piece(start, end)


def without(sentence: Sentence, whole: Piece, hole: Piece) -> list[Piece]:
    """The stretches of `whole` before and after `hole`, white space at their ends left out.

    The comma before the hole goes, and then the one behind it too: they were a pair around it.
    """
    text = sentence.text
    before, behind = text[whole.start : hole.start].rstrip(), text[hole.end : whole.end]
    end = whole.start + len(before.rstrip(", "))
    start = hole.end + len(behind) - len(behind.lstrip())
    if not before or before.endswith(","):
        start = hole.end + len(behind) - len(behind.lstrip(", "))
    pieces = [Piece(whole.start, end), Piece(start, whole.end)]
    return [piece for piece in pieces if piece.start < piece.end]


def follows_directly(sentence: Sentence, piece: Piece) -> Token | None:
    """The word that stands right behind a stretch, or None if punctuation or nothing does."""
    for token in sentence.doc:
        if token.idx >= piece.end:
            return None if token.is_punct else token
    return None


def has_word(tokens: Iterable[Token], words: frozenset[str]) -> bool:
    """Return True if one of some tokens is one of some lower-case words."""
    return any(token.lower_ in words for token in tokens)
