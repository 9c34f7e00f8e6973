"""Where a word of a parsed sentence may be replaced by a synonym: the conditions of `synonyms`.

Numbers and dates may be written another way, too (`five` and `5`, `60%` and `60 percent`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from spacy.tokens import Token

from embsyntax.edit_words import CARDINALS, FUNCTION_WORDS, MONTHS
from embsyntax.perturbation.engine import DeclineError, Piece, Sentence, piece_of
from embsyntax.perturbation.lexical import (
    BOUND,
    frame_of,
    is_free,
    is_untouchable,
    lemmas_of,
    sentence_words,
    subject_of,
    tokens_of,
)
from embsyntax.perturbation.main_clause import word_set
from embsyntax.perturbation.verbs import VERB_TAGS, inflect, lemma_of
from embsyntax.perturbation.vocabulary import pick, plural
from embsyntax.synonyms import (
    ADJECTIVE,
    ADVERB,
    CONJUNCTION,
    DESCRIBED,
    FIGURE,
    GERUND,
    NAMED,
    NOUN,
    OBJECT,
    PERSON_TO,
    PREPOSITION,
    SYNONYMS,
    VERB,
    Synonym,
)

NO_VERB = word_set("amod compound aux auxpass prep det")
"""Labels of verb forms that are no verb of a clause."""

NO_PLAIN_OBJECT = word_set("prt dative attr expl")
"""Labels of words with which a verb has another sense."""

ENDS_IN_PREPOSITION = word_set("about for to with into on in at of")
"""Last words of verbs that make a clumsy passive (`was asked for`)."""

RESULTS = word_set(
    "be become beat claim close end equal find finish form give join lead learn leave premiere "
    "produce reach reveal say see settle stand total trade win"
)
"""Verbs that often tell what came of something rather than what for (`rose to close at 5`)."""

SPELLING = "spelling"
"""Part of speech of a number or date that is written another way."""

FIGURES = {str(value): word for word, value in CARDINALS.items() if 1 < value < 13}
DECADE = re.compile(r"[12][0-9]{2}0s")
DAY = re.compile(r"[1-9]|[12][0-9]|3[01]")

DETERMINED = word_set("det poss nummod predet amod")
"""Labels of what stands before a countable noun in the singular."""


@dataclass(frozen=True)
class Replacement:
    """A word or expression of a sentence and what may stand for it.

    Attributes:
        piece: where it stands.
        old: as it stands there.
        new: in the same form, in lower case unless it is written with capitals.
        name: the pair, for reviewers.
        part: one of `synonyms.PARTS`, or `SPELLING`.
        is_steady: True unless the new word would need another form where the old one keeps its
            own (`chose` and `chosen` for `selected`).
    """

    piece: Piece
    old: str
    new: str
    name: str
    part: str
    is_steady: bool


@cache
def _table() -> dict[str, list[Synonym]]:
    """The synonyms by the first word of what they replace."""
    table: dict[str, list[Synonym]] = {}
    for synonym in SYNONYMS:
        table.setdefault(synonym.old.split()[0], []).append(synonym)
    return table


def find_replacements(sentence: Sentence) -> list[Replacement]:
    """Return what may be replaced in a sentence, from left to right, without overlaps.

    Of several synonyms of a word one is taken, by a hash of the sentence. No word is replaced that
    stands in the sentence twice, and none is put in that stands there already. A small number is
    written another way only if it is the only one.
    """
    found: list[Replacement] = []
    end = 0
    n_small = sum(token.lower_ in CARDINALS or token.text in FIGURES for token in sentence.doc)
    for token in tokens_of(sentence):
        if token.idx < end:
            continue
        options = list(_options(sentence, token))
        if n_small == 1 or token.text not in FIGURES and token.lower_ not in CARDINALS:
            options += _spellings(sentence, token)
        if not options:
            continue
        longest = max(option.piece.end for option in options)
        options = [option for option in options if option.piece.end == longest]
        name = pick([option.name for option in options], "synonym", sentence.text)
        found.append(next(option for option in options if option.name == name))
        end = longest
    return found


def _options(sentence: Sentence, token: Token) -> Iterator[Replacement]:
    """Yield the replacements that begin at a token."""
    form = token.lower_
    starts = {form, token.lemma_.lower()}
    if token.pos_ == "VERB" and token.tag_ in VERB_TAGS:
        try:
            starts.add(lemma_of(token))
        except DeclineError:
            return
    for start in sorted(starts):
        for synonym in _table().get(start, ()):
            words = _matched(token, synonym)
            if words and _is_allowed(sentence, words, synonym) and _is_new(sentence, synonym):
                replacement = _make(sentence, words, synonym)
                if replacement is not None:
                    yield replacement


def _spellings(sentence: Sentence, token: Token) -> Iterator[Replacement]:
    """Yield other ways to write the number or date that begins at a token."""
    for find in SPELLINGS:
        found = find(token)
        if found is None or any(is_untouchable(sentence, word) for word in found[0]):
            continue
        words, new, name = found
        piece = piece_of(*words)
        yield Replacement(piece, sentence.words(piece), new, name, SPELLING, True)


def _spelt_number(token: Token) -> tuple[list[Token], str, str] | None:
    """`Five boats` and `5 boats`; a number that stands alone before what it counts."""
    if token.tag_ != "CD" or token.dep_ != "nummod" or token.head.i - token.i not in (1, 2):
        return None
    if any(token.children) or not token.whitespace_ or token.i and not token.nbor(-1).whitespace_:
        return None
    if token.head.pos_ != "NOUN" or token.head.text == "%" or token.nbor(1).tag_ == "CD":
        return None
    value = CARDINALS.get(token.lower_)
    if value is not None and value > 1 and token.i > 0:
        return [token], str(value), "number word -> figures"
    if token.text in FIGURES:
        return [token], FIGURES[token.text], "figures -> number word"
    return None


def _spelt_percentage(token: Token) -> tuple[list[Token], str, str] | None:
    """`60%` and `60 percent`."""
    following = _after(token)
    if not re.fullmatch(r"\d+(\.\d+)?", token.text) or following is None:
        return None
    if following.text == "%" and not token.whitespace_:
        return [token, following], f"{token.text} percent", "% -> percent"
    return None


def _spelt_year(token: Token) -> tuple[list[Token], str, str] | None:
    """`In 1874` and `in the year 1874`."""
    year = _after(token)
    if token.lower_ != "in" or year is None or not _is_year(year):
        return None
    following = _after(year)
    opens = token.i == 0 and following is not None and following.text[0].isupper()
    if year.dep_ != "pobj" and not opens:
        return None
    if following is not None and following.text in ("and", "or", "to", "-", "–", "/"):
        return None
    return [token, year], f"in the year {year.text}", "in YEAR -> in the year YEAR"


def _spelt_span(token: Token) -> tuple[list[Token], str, str] | None:
    """`Between 1980 and 1984` and `from 1980 to 1984`."""
    words = list(token.doc[token.i : token.i + 4])
    if len(words) < 4 or not (_is_year(words[1]) and _is_year(words[3])):
        return None
    if token.lower_ == "between" and words[2].lower_ == "and":
        new = f"from {words[1].text} to {words[3].text}"
        return words, new, "between YEAR and YEAR -> from YEAR to YEAR"
    return None


def _spelt_decade(token: Token) -> tuple[list[Token], str, str] | None:
    """`During the 1960s` and `in the 1960s`."""
    words = list(token.doc[token.i : token.i + 3])
    if len(words) < 3 or words[1].lower_ != "the" or not DECADE.fullmatch(words[2].text):
        return None
    other = {"during": "in", "in": "during"}.get(token.lower_)
    return (words[:1], other, f"{token.lower_} DECADE -> {other} DECADE") if other else None


def _spelt_date(token: Token) -> tuple[list[Token], str, str] | None:
    """`8 February 2007` and `February 8, 2007`."""
    words = list(token.doc[token.i : token.i + 4])
    texts = [word.text for word in words]
    is_day = len(words) > 2 and DAY.fullmatch(texts[0]) and texts[1].lower() in MONTHS
    if is_day and _is_year(words[2]):
        following = _after(words[2])
        is_open = following is None or following.text in (",", ".")
        new = f"{texts[1]} {texts[0]}, {texts[2]}"
        return (words[:3], new, "day month -> month day") if is_open else None
    is_month = len(words) > 3 and texts[0].lower() in MONTHS and DAY.fullmatch(texts[1])
    if is_month and texts[2] == "," and _is_year(words[3]):
        return words, f"{texts[1]} {texts[0]} {texts[3]}", "month day -> day month"
    return None


SPELLINGS = (
    _spelt_number,
    _spelt_percentage,
    _spelt_year,
    _spelt_span,
    _spelt_decade,
    _spelt_date,
)


def _is_year(token: Token) -> bool:
    return re.fullmatch(r"1[0-9]{3}|20[0-9]{2}", token.text) is not None


def _after(token: Token) -> Token | None:
    return token.nbor(1) if token.i + 1 < len(token.doc) else None


def _matched(token: Token, synonym: Synonym) -> list[Token]:
    """Return the tokens that an expression takes from a token on, none if it does not stand there.

    The first word of a verb and nouns and adjectives match by their base forms.
    """
    wanted = synonym.old.split()
    if token.i + len(wanted) > len(token.doc):
        return []
    words = list(token.doc[token.i : token.i + len(wanted)])
    rest = zip(words[1:], wanted[1:], strict=True)
    if any(word.lower_ != expected for word, expected in rest):
        return []
    if any(word.whitespace_ != " " for word in words[:-1]):
        return []
    return words if _is_of_part(token, synonym) else []


def _is_of_part(token: Token, synonym: Synonym) -> bool:
    """Return True if a token is of the part of speech of a synonym, in one of its forms."""
    if synonym.tags and token.tag_ not in synonym.tags:
        return False
    first = synonym.old.split()[0]
    if synonym.part == NOUN:
        return token.tag_ in ("NN", "NNS") and token.lemma_.lower() == first
    if synonym.part == VERB:
        return token.tag_ in VERB_TAGS and token.pos_ == "VERB" and _lemma(token) == first
    if token.lower_ != first:
        return False
    if " " in synonym.old:
        return True
    if synonym.part == ADJECTIVE:
        return token.tag_ in ("JJ", "VBN") and token.pos_ == "ADJ"
    if synonym.part == ADVERB:
        return token.pos_ == "ADV" or FIGURE in synonym.before
    if synonym.part == PREPOSITION:
        return token.dep_ == "prep"
    return token.dep_ in ("aux", "mark", "nsubj")


def _lemma(verb: Token) -> str:
    try:
        return lemma_of(verb)
    except DeclineError:
        return ""


def _is_new(sentence: Sentence, synonym: Synonym) -> bool:
    """Return True if the old word stands once in a sentence, and no word of the new one does."""
    old, new = synonym.old.split(), synonym.new.removeprefix("=").split()
    if synonym.part in (NOUN, VERB, ADJECTIVE) and lemmas_of(sentence)[old[0]] > 1:
        return False
    if synonym.part == VERB:
        new = new[:1]
    come = {word for word in new if word not in FUNCTION_WORDS} - {*old}
    return not sentence_words(sentence) & come


def _is_allowed(sentence: Sentence, words: list[Token], synonym: Synonym) -> bool:
    """Return True if all conditions of a synonym hold where it would be put in."""
    first, last = words[0], words[-1]
    before = first.nbor(-1).lower_ if first.i else ""
    following = last.nbor(1) if last.i + 1 < len(last.doc) else None
    if {before, following.lower_ if following else ""} & synonym.not_beside:
        return False
    if synonym.before and (following is None or not _follows(following, synonym)):
        return False
    if synonym.roles and first.dep_ not in synonym.roles:
        return False
    if synonym.heads and not {first.head.lower_, first.head.lemma_.lower()} & synonym.heads:
        return False
    if synonym.in_scenes and not _is_scene(sentence):
        return False
    if FIGURE in synonym.before:
        return not any(is_untouchable(sentence, word) for word in words)
    if not all(is_free(sentence, word) for word in words):
        return False
    return CHECKS[synonym.part](words, synonym)


def _is_scene(sentence: Sentence) -> bool:
    """Return True if a sentence describes what goes on: its main verb is in the progressive."""
    root = sentence.root
    return root.tag_ == "VBG" and any(c.lower_ in ("is", "are") for c in root.lefts)


def _follows(following: Token, synonym: Synonym) -> bool:
    if FIGURE in synonym.before:
        return following.pos_ == "NUM" or following.text in ("$", "£", "€")
    return following.lower_ in synonym.before


def _goes_with(token: Token | None, synonym: Synonym) -> bool:
    """Return True if an object or noun is among those that a synonym needs, none it excludes."""
    if token is None:
        return not synonym.of
    names = {token.lower_, token.lemma_.lower()}
    return bool(not synonym.of or names & synonym.of) and not names & synonym.not_of


def _allows_noun(words: list[Token], synonym: Synonym) -> bool:
    noun = words[-1]
    if noun.dep_ in BOUND or _is_followed_by_noun(noun):
        return False
    lefts = list(noun.lefts)
    if any(child.dep_ in ("compound", "nmod", "punct") for child in lefts):
        is_plain = all(c.tag_ in ("NN", "NNS") for c in lefts if c.dep_ in ("compound", "nmod"))
        if not (synonym.in_compounds and is_plain) or any(c.dep_ == "punct" for c in lefts):
            return False
    if noun.tag_ == "NN" and not synonym.is_bare:
        return any(child.dep_ in DETERMINED for child in lefts)
    return True


def _is_followed_by_noun(token: Token) -> bool:
    if token.i + 1 == len(token.doc):
        return False
    following = token.nbor(1)
    return following.pos_ in ("NOUN", "PROPN", "NUM") and following.dep_ != "npadvmod"


def _allows_verb(words: list[Token], synonym: Synonym) -> bool:
    verb = words[0]
    if verb.dep_ in NO_VERB:
        return False
    if synonym.subjects:
        subject = subject_of(verb)
        if subject is None or not {subject.lower_, subject.lemma_.lower()} & synonym.subjects:
            return False
    if len(words) > 1:
        return _allows_phrasal_verb(words, synonym)
    frame, target = _frame(verb)
    if frame not in synonym.frames:
        return False
    prepositions = {child.lower_ for child in verb.rights if child.dep_ == "prep"}
    if synonym.needs and not synonym.needs & prepositions:
        return False
    if frame == OBJECT:
        is_passive = verb.tag_ == "VBN" and target is not None and target.i < verb.i
        if is_passive and synonym.new.split()[-1] in ENDS_IN_PREPOSITION:
            return False
    return _goes_with(target if frame == OBJECT else _prepositional(verb), synonym)


def _prepositional(verb: Token) -> Token | None:
    """Return the object of the preposition right after a verb, or None."""
    following = verb.nbor(1) if verb.i + 1 < len(verb.doc) else None
    if following is None or following.dep_ != "prep":
        return None
    return next((child for child in following.rights if child.dep_ == "pobj"), None)


def _allows_phrasal_verb(words: list[Token], synonym: Synonym) -> bool:
    verb, last = words[0], words[-1]
    children = {child.dep_ for child in verb.children}
    if children & {"acomp", "attr", "expl", "oprd"}:
        return False
    others = [c for c in verb.children if c.dep_ == "prt" and c not in words]
    if others or last.dep_ not in ("prep", "prt", "agent", "advmod"):
        return False
    if last.dep_ == "prep" or last.dep_ == "agent":
        if last.head != verb and last.head not in words:
            return False
        target = next((c for c in last.rights if c.dep_ == "pobj"), None)
        if target is None or any(c.dep_ == "dobj" for c in verb.children):
            return False
        return _goes_with(target, synonym)
    target = next((c for c in verb.children if c.dep_ in ("dobj", "nsubjpass")), None)
    if target is None and synonym.new not in ("return", "accelerate"):
        return False
    return _goes_with(target, synonym)


def _frame(verb: Token) -> tuple[str, Token | None]:
    """Return one of `synonyms.FRAMES` and the object, or `""`: see `lexical.frame_of` for most."""
    frame, target = frame_of(verb)
    if frame:
        return frame, target
    labels = {child.dep_ for child in verb.children}
    if labels & NO_PLAIN_OBJECT:
        return "", None
    if "acomp" in labels:
        return (DESCRIBED, None) if len(labels & {"acomp", "dobj", "prt"}) == 1 else ("", None)
    if "oprd" in labels:
        return (NAMED, None) if verb.tag_ == "VBN" else ("", None)
    clauses = [child for child in verb.rights if child.dep_ in ("ccomp", "xcomp")]
    objects = [child for child in verb.children if child.dep_ in ("dobj", "nsubjpass")]
    if len(clauses) == 1:
        clause = clauses[0]
        if clause.tag_ == "VBG" and clause.dep_ == "xcomp" and not objects:
            return GERUND, None
        has_to = any(child.lower_ == "to" and child.dep_ == "aux" for child in clause.lefts)
        if has_to and (objects or any(child.dep_ == "nsubj" for child in clause.lefts)):
            return PERSON_TO, None
        return "", None
    is_participle = verb.tag_ == "VBN" and verb.dep_ in ("acl", "relcl") and not objects
    return (OBJECT, verb.head) if is_participle and not clauses else ("", None)


def _allows_adjective(words: list[Token], synonym: Synonym) -> bool:
    adjective = words[0]
    children = {child.lower_ for child in adjective.children}
    if adjective.dep_ == "amod":
        noun = adjective.head
        following = adjective.nbor(1) if adjective.i + 1 < len(adjective.doc) else None
        if following is not None and following.pos_ in ("PROPN", "NUM"):
            return False
    elif adjective.dep_ in ("acomp", "attr"):
        noun = next((c for c in adjective.head.children if c.dep_ == "nsubj"), None)
    else:
        return False
    if children & {"as", "too", "how"}:
        return False
    if synonym.new.startswith("very ") and children & {"very", "so", "really"}:
        return False
    return _goes_with(noun, synonym)


def _allows_adverb(words: list[Token], synonym: Synonym) -> bool:
    if " " in synonym.new and len(words) == 1 and not _is_at_edge(words[0]):
        return False
    if len(words) > 1:
        return not synonym.old.endswith(" as") or words[-1].dep_ == "cc"
    return not any(child.dep_ in ("advmod", "prep", "pobj") for child in words[0].children)


def _is_at_edge(adverb: Token) -> bool:
    """Return True if a phrase may stand for an adverb: where a clause begins or ends."""
    following = _after(adverb)
    is_last = following is None or (following.is_punct and following.text != "-")
    return is_last or adverb.i == 0 or adverb.nbor(-1).text in (",", ";")


def _allows_preposition(words: list[Token], synonym: Synonym) -> bool:
    last = words[-1]
    if synonym.old.endswith(" to") and last.tag_ == "TO":
        return last.dep_ == "aux"
    target = next((c for c in last.rights if c.dep_ in ("pobj", "pcomp")), None)
    if target is None or target.pos_ == "NUM" or target.tag_ in ("CD", "WDT", "WP"):
        return False
    if any(child.pos_ == "NUM" for child in target.lefts) and words[0].lower_ in ("near", "close"):
        return False
    return _goes_with(target, synonym)


def _allows_conjunction(words: list[Token], synonym: Synonym) -> bool:
    word = words[0]
    if synonym.old == "which":
        before = word.nbor(-1) if word.i else None
        is_plain = before is not None and before.tag_ in ("NN", "NNS")
        return is_plain and word.dep_ == "nsubj" and word.head.dep_ == "relcl"
    if synonym.old != "to":
        is_clause = word.dep_ == "mark" and word.head.dep_ == "advcl"
        return is_clause and (synonym.old != "if" or _is_in_present(word.head))
    verb = word.head
    if verb.dep_ != "advcl" or verb.tag_ != "VB" or word.i + 1 != verb.i:
        return False
    if verb.lemma_ in RESULTS:
        return False
    before = word.nbor(-1) if word.i else None
    return before is not None and before.lower_ not in ("order", "as", "not", ",")


def _is_in_present(verb: Token) -> bool:
    """Return True if a clause has its finite verb in the present: no wish and no fiction."""
    finite = next((c for c in verb.lefts if c.dep_ in ("aux", "auxpass")), verb)
    return finite.tag_ in ("VBZ", "VBP")


CHECKS = {
    NOUN: _allows_noun,
    VERB: _allows_verb,
    ADJECTIVE: _allows_adjective,
    ADVERB: _allows_adverb,
    PREPOSITION: _allows_preposition,
    CONJUNCTION: _allows_conjunction,
}


def _make(sentence: Sentence, words: list[Token], synonym: Synonym) -> Replacement | None:
    """Return the replacement with the new word in the form of the old one, None if it has none."""
    first = words[0]
    is_steady, new = True, synonym.new.removeprefix("=")
    if not synonym.new.startswith("="):
        head, _, rest = new.partition(" ")
        if synonym.part == NOUN and first.tag_ == "NNS":
            new = plural(new)
        elif synonym.part == VERB:
            try:
                form = inflect(head, first.tag_)
                is_steady = first.tag_ not in ("VBD", "VBN") or (
                    inflect(head, "VBD") == inflect(head, "VBN")
                )
            except DeclineError:
                return None
            if not is_steady and not _is_surely(first):
                return None
            new = f"{form} {rest}".strip()
    piece = piece_of(*words)
    old = sentence.words(piece)
    if re.sub(r"\W", "", old.lower()) == re.sub(r"\W", "", new.lower()):
        return None
    return Replacement(piece, old, new, synonym.name, synonym.part, is_steady)


def _is_surely(verb: Token) -> bool:
    """Return True if a past form is a past tense or a participle beyond doubt, as it is tagged."""
    has_auxiliary = any(child.dep_ in ("aux", "auxpass") for child in verb.children)
    if verb.tag_ == "VBN":
        return has_auxiliary
    return not has_auxiliary and any(child.dep_ in ("nsubj", "conj") for child in verb.lefts)
