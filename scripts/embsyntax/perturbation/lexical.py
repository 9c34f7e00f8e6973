"""Lexical perturbations: a noun, an adjective or a verb is put in or replaced; the structure stays.

Appendix of the SR paper (table 6). All words come from the tables of `vocabulary`: a word is
touched only if it stands there, and only in a place that fits every word of its class.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from spacy.tokens import Token

from embsyntax.perturbation.engine import (
    Change,
    DeclineError,
    Piece,
    Sentence,
    lower_first,
    piece_of,
    replace_pieces,
    rule,
    upper_first,
)
from embsyntax.perturbation.main_clause import is_title_case, word_set
from embsyntax.perturbation.modifiers import article_edit
from embsyntax.perturbation.verbs import VERB_TAGS, inflect, inflections, lemma_of
from embsyntax.perturbation.vocabulary import (
    ADJECTIVE_CLASSES,
    CONTINUING,
    FEMALE,
    MALE,
    NOUN_CLASSES,
    VERB_CLASSES,
    AdjectiveClass,
    NounClass,
    VerbClass,
    pick,
    plural,
)

SINGULAR_PRONOUNS = word_set("he him his himself she her hers herself")
BOUND = word_set("compound nmod amod npadvmod appos")
"""Labels of nouns that belong to another noun."""

MAIN_ROLES = word_set("nsubj nsubjpass dobj attr ROOT")
BARE_ROLES = word_set("nsubj nsubjpass conj ROOT")
"""Where a singular countable noun may lack a determiner: in headlines; elsewhere it is an idiom."""

FIXED_PAIRS = frozenset(
    " ".join(pair.split())
    for pair in """best practice, best practices, best way, big brother, big deal, black box, black
    friday, black hole, black market, blue screen, clean install, clear text, cold
    war, common sense, dead end, dry run, early days, early warning, first lady,
    first time, free kick, fresh install, fresh installation, good bye, good luck,
    good morning, good news, good night, good thing, great deal, green card, hard
    disk, hard drive, hard time, heavy metal, high court, high definition, high end,
    high level, high school, high speed, high street, high voltage, hot dog, hot
    seat, hot spot, human being, human rights, large number, last one, last time,
    left hand, light bulb, light colored, long distance, long run, long shot, long
    term, long time, long way, low level, middle east, new line, new year, old age,
    old friend, open source, private key, private life, public domain, public key,
    public relations, public school, real time, red card, red carpet, right hand,
    right thing, right wing, rough idea, short circuit, short cut, short story,
    short term, simple past, soft drink, special forces, strong suit, white hat,
    white house, white noise, white paper, white space, wide range, yellow card""".replace(
        "\n", " "
    ).split(",")
)
"""Adjective and noun that name one thing together, or nearly so."""

CHILDREN = word_set("child children kid kids boy boys girl girls baby toddler teenager")
SIZE_OR_AGE = word_set("young old little big small")
"""Adjectives that say of children what their opposites cannot (`little girl`)."""

QUOTED = re.compile(r"\"[^\"]+\"|“[^”]+”|``.+?''|(?<!\w)['‘][^'’]+['’](?!\w)")
"""Quotations: a sentence may speak about their words."""

FRAMES = ("object", "none", "clause", "infinitive")
NOT_A_PLACE = word_set("about as for of like than per against via")
"""Prepositions that give the verbs of frame `none` other senses (`stand for`, `run against`)."""

PARTICLES = word_set("up out down off away back aside apart")
PREPOSITIONS = word_set("over in on along around by through")
"""Words right after a verb that change its sense; `PREPOSITIONS` only if they govern nothing."""

PERSON_PRONOUNS = word_set(
    "i you he she we they who people everyone everybody someone somebody him them me us"
)
ACTING = word_set("PERSON ORG NORP GPE")
"""Types of names that can say and want."""

NAMED = word_set("GPE ORG FAC LOC PRODUCT PERSON NORP")
GROUPS = word_set("group team crowd couple family pair")
AGENT_ENDINGS = ("er", "or", "ist", "ian", "ee", "ant", "man", "men", "ers", "ors", "ists", "ians")
DEGREES = word_set("more most less least as how too")
COMPLEMENTS = word_set("of about by from with that")
"""What follows some adjectives of a class only (`tired of`)."""

BEGINNINGS = ("begin", "start", "continue")


@lru_cache(maxsize=4)
def tokens_of(sentence: Sentence) -> tuple[Token, ...]:
    """Return the tokens of a sentence; asking spaCy for them again and again is slow."""
    return tuple(sentence.doc)


@lru_cache(maxsize=4)
def lemmas_of(sentence: Sentence) -> Counter[str]:
    """Return how often each lemma stands in a sentence."""
    return Counter(token.lemma_.lower() for token in tokens_of(sentence))


@lru_cache(maxsize=4)
def sentence_words(sentence: Sentence) -> frozenset[str]:
    """Return the lower-case forms and lemmas of a sentence."""
    return frozenset(token.lower_ for token in tokens_of(sentence)) | lemmas_of(sentence).keys()


@lru_cache(maxsize=4)
def untouchable(sentence: Sentence) -> tuple[Piece, ...]:
    """Return quotations, addresses, hashtags, code and the like."""
    quoted = (Piece(*match.span()) for match in QUOTED.finditer(sentence.text))
    return (*sentence.protected, *quoted)


def is_untouchable(sentence: Sentence, token: Token) -> bool:
    """Return True if a word stands in a quotation, an address, a hashtag, code or the like."""
    start, end = token.idx, token.idx + len(token)
    return any(span.start < end and start < span.end for span in untouchable(sentence))


def is_free(sentence: Sentence, token: Token) -> bool:
    """Return True if a word stands alone and says what it means.

    It is in no hyphenated word, path, address, name or quotation, and has no capitals but those of
    the start of a sentence or of title case.
    """
    text, start, end = sentence.text, token.idx, token.idx + len(token)
    if any(mark in "-–/_\\@#&=+~^$%" for mark in text[start - 1 : start] + text[end : end + 1]):
        return False
    if text[start - 1 : start] == "." or (text[end : end + 1] == "." and end < sentence.end):
        return False
    if token.ent_type_ not in ("", "DATE", "ORDINAL") or (len(token) > 1 and token.text.isupper()):
        return False
    if text[start].isupper() and start != sentence.start and not is_title_case(sentence):
        return False
    return not is_untouchable(sentence, token)


def like_case(token: Token, word: str) -> str:
    """Write a word with a capital if the word in whose place it comes has one."""
    return upper_first(word) if token.text[0].isupper() else word


def article_edits(token: Token, word: str) -> list[tuple[Piece, str]]:
    """Return the edit that makes an article right before a word that comes to stand at a token.

    Args:
        token: the place; the word before it may be `a` or `an`.
        word: what will stand there.
    """
    edit = article_edit(token.nbor(-1), word) if token.i else None
    return [edit] if edit else []


def insert_before(sentence: Sentence, token: Token, word: str) -> str:
    """Put a word before another, mending article and capital."""
    old = lower_first(token.text, token) if token.idx == sentence.start else token.text
    new = f"{like_case(token, word)} {old}"
    return replace_pieces(sentence, [*article_edits(token, word), (piece_of(token), new)])


def replace_word(sentence: Sentence, token: Token, word: str) -> str:
    """Put a word in the place of another, mending article and capital."""
    new = like_case(token, word)
    return replace_pieces(sentence, [*article_edits(token, word), (piece_of(token), new)])


def pick_index(count: int, *key: str) -> int:
    """Return one of `range(count)`, the same on every machine for the same key."""
    return int(pick([str(index) for index in range(count)], *key))


@dataclass(frozen=True)
class FoundNoun:
    """A noun of the table in a sentence.

    Attributes:
        token: where it stands.
        noun_class: its class.
        group: its group of synonyms.
        is_plural: whether it stands in the plural.
    """

    token: Token
    noun_class: NounClass
    group: tuple[str, ...]
    is_plural: bool


@cache
def _noun_table() -> dict[str, list[tuple[NounClass, tuple[str, ...], bool]]]:
    """Every form of every noun: its classes, groups of synonyms, and whether it is a plural."""
    table: dict[str, list[tuple[NounClass, tuple[str, ...], bool]]] = {}
    for noun_class in NOUN_CLASSES:
        for group in noun_class.words:
            for word in group:
                table.setdefault(word, []).append((noun_class, group, noun_class.is_plural))
                if not noun_class.is_mass and not noun_class.is_plural:
                    table.setdefault(plural(word), []).append((noun_class, group, True))
    return table


@lru_cache(maxsize=4)
def find_nouns(sentence: Sentence) -> tuple[FoundNoun, ...]:
    """Return the nouns of the table that stand free, in a sense that their class has."""
    table, found = _noun_table(), []
    for token in tokens_of(sentence):
        entries = table.get(token.lower_)
        if not entries or token.tag_ not in ("NN", "NNS") or token.dep_ in BOUND:
            continue
        if _is_bound_after(token) or not is_free(sentence, token):
            continue
        if any(child.dep_ in ("compound", "nmod", "punct") for child in token.lefts):
            continue
        if token.i and re.search(r"[._]\w", token.nbor(-1).text):
            continue
        for noun_class, group, is_plural in entries:
            if _has_sense(token, noun_class, is_plural):
                found.append(FoundNoun(token, noun_class, group, is_plural))
                break
    return tuple(found)


def _is_bound_after(token: Token) -> bool:
    """Return True if the next word goes with a noun: `game 7`, `user editable`, `tumor derived`."""
    if token.i + 1 == len(token.doc):
        return False
    following = token.nbor(1)
    if following.pos_ in ("NOUN", "PROPN", "ADJ", "NUM") or following.dep_ == "amod":
        return True
    is_last = following.i + 1 == len(token.doc)
    return following.tag_ == "VBN" and not is_last and following.nbor(1).pos_ == "NOUN"


def _has_sense(token: Token, noun_class: NounClass, is_plural: bool) -> bool:
    """Return True if number and surroundings of a noun fit its class."""
    if is_plural != (token.tag_ == "NNS") and not noun_class.is_plural:
        return False
    head = token.head
    around = {head.lemma_.lower(), head.lower_}
    if head.pos_ == "ADP":
        around.add(head.head.lemma_.lower())
    around |= {child.lemma_.lower() for child in token.rights if child.dep_ in ("acl", "relcl")}
    before = {child.lower_ for child in token.lefts}
    if noun_class.not_with & (around | before):
        return False
    if noun_class.verbs and not noun_class.verbs & (around | before):
        return False
    if noun_class.is_mass or is_plural or token.dep_ in BARE_ROLES:
        return True
    return any(child.dep_ in ("det", "poss", "nummod", "predet") for child in token.lefts)


def _one_noun(sentence: Sentence, key: str, nouns: Sequence[FoundNoun]) -> FoundNoun:
    """Return one of several nouns: a main argument if there is one, else any."""
    main = [noun for noun in nouns if noun.token.dep_ in MAIN_ROLES] or nouns
    return main[pick_index(len(main), key, sentence.text)]


def other_nouns(sentence: Sentence, noun: FoundNoun) -> list[str]:
    """Return what may stand for a noun: words of its class that the sentence has not.

    Where a pronoun tells the sex of somebody, people keep theirs.
    """
    words = sentence_words(sentence)
    source = noun.group[0]
    needs_sex = noun.noun_class.is_person and bool(words & SINGULAR_PRONOUNS)
    return [
        group[0]
        for group in noun.noun_class.words
        if group is not noun.group
        and not words & set(group)
        and not (
            needs_sex
            and ((group[0] in MALE, group[0] in FEMALE) != (source in MALE, source in FEMALE))
        )
    ]


@rule(
    name="noun_replacement",
    dimension="lexical",
    perturbation="replacement",
    expected_score=2,
    why="another participant or thing: not equivalent, some details shared",
    preconditions="a noun of the table in a sense of its class, outside compounds, names and code",
)
def noun_replacement(sentence: Sentence) -> Change:
    """Replace a noun by another one of its class, in its number, with the article mended."""
    if sentence_words(sentence) & {"another", "other", "others"}:
        raise DeclineError("another or other refers to a noun")
    lemmas = lemmas_of(sentence)
    nouns = [
        noun
        for noun in find_nouns(sentence)
        if lemmas[noun.token.lemma_.lower()] == 1 and other_nouns(sentence, noun)
    ]
    if not nouns:
        raise DeclineError("no noun of the table")
    noun = _one_noun(sentence, "noun_replacement", nouns)
    new = pick(other_nouns(sentence, noun), "noun_replacement", sentence.text)
    if noun.is_plural and not noun.noun_class.is_plural:
        new = plural(new)
    text = replace_word(sentence, noun.token, new)
    return Change(text, f"{noun.token.text} -> {new}")


@rule(
    name="noun_insertion",
    dimension="lexical",
    perturbation="insertion",
    expected_score=4,
    why="a noun before a noun says of what kind it is: a detail",
    preconditions="a noun of the table that has modifiers there and none in the sentence",
)
def noun_insertion(sentence: Sentence) -> Change:
    """Put a noun before a noun (`table` -> `kitchen table`)."""
    words = sentence_words(sentence)
    nouns = [noun for noun in find_nouns(sentence) if set(noun.noun_class.modifiers) - words]
    if not nouns:
        raise DeclineError("no noun that takes a noun of the table")
    noun = _one_noun(sentence, "noun_insertion", nouns)
    options = [word for word in noun.noun_class.modifiers if word not in words]
    word = pick(options, "noun_insertion", sentence.text)
    return Change(insert_before(sentence, noun.token, word), f"+ {word} ({noun.token.text})")


@rule(
    name="adjective_insertion",
    dimension="lexical",
    perturbation="insertion",
    expected_score=4,
    why="an adjective adds a detail; all else is the same",
    preconditions="a noun of the table with adjectives there and none in the sentence",
)
def adjective_insertion(sentence: Sentence) -> Change:
    """Put an adjective before a noun that has none (`a dog` -> `a small dog`)."""
    words = sentence_words(sentence)
    nouns = [
        noun
        for noun in find_nouns(sentence)
        if set(noun.noun_class.adjectives) - words
        and not any(child.dep_ in ("amod", "advmod", "quantmod") for child in noun.token.children)
    ]
    if not nouns:
        raise DeclineError("no noun that takes an adjective of the table")
    noun = _one_noun(sentence, "adjective_insertion", nouns)
    options = [word for word in noun.noun_class.adjectives if word not in words]
    word = pick(options, "adjective_insertion", sentence.text)
    return Change(insert_before(sentence, noun.token, word), f"+ {word} ({noun.token.text})")


def kind_of(noun: Token) -> str:
    """Return what a noun names: `person`, `animal`, `thing`, or `unclear`."""
    form = noun.lower_
    if form in PERSON_PRONOUNS or noun.ent_type_ == "PERSON":
        return "person"
    for noun_class, _, _ in _noun_table().get(form, []):
        if noun_class.is_person:
            return "person"
        return "animal" if noun_class.is_animal else "thing"
    if noun.pos_ not in ("NOUN", "PRON") or form.endswith(AGENT_ENDINGS):
        return "unclear"
    return "thing"


def is_being(noun: Token | None) -> bool:
    """Return True if a noun surely names people or animals, or what acts as people do."""
    if noun is None:
        return False
    if noun.ent_type_ in ACTING or noun.lower_ in GROUPS:
        return True
    return kind_of(noun) in ("person", "animal")


@cache
def _adjective_table() -> dict[str, list[tuple[AdjectiveClass, tuple[str, ...]]]]:
    """Classes and groups of synonyms by adjective."""
    table: dict[str, list[tuple[AdjectiveClass, tuple[str, ...]]]] = {}
    for adjective_class in ADJECTIVE_CLASSES:
        for group in adjective_class.words:
            for word in group:
                table.setdefault(word, []).append((adjective_class, group))
    return table


@lru_cache(maxsize=4)
def find_adjectives(
    sentence: Sentence,
) -> tuple[tuple[Token, AdjectiveClass, tuple[str, ...]], ...]:
    """Return the adjectives of the table that describe a noun that their class fits.

    Returns:
        For each its token, its class, and its group of synonyms there.
    """
    table, found = _adjective_table(), []
    for token in tokens_of(sentence):
        entries = table.get(token.lower_)
        if not entries or token.pos_ != "ADJ" or not is_free(sentence, token):
            continue
        noun = _described(token)
        if noun is None or noun.pos_ not in ("NOUN", "PRON") or _is_fixed(token, noun):
            continue
        for adjective_class, group in entries:
            same = {word for other in adjective_class.words for word in other}
            if any(child.dep_ == "conj" and child.lower_ not in same for child in token.children):
                continue
            if fits(token, noun, adjective_class.of):
                found.append((token, adjective_class, group))
                break
    return tuple(found)


def _described(adjective: Token) -> Token | None:
    """Return the noun that an adjective describes, or None."""
    if adjective.dep_ == "amod":
        return adjective.head
    if adjective.dep_ in ("acomp", "attr"):
        return next((c for c in adjective.head.children if c.dep_ in ("nsubj", "csubj")), None)
    return None


def _is_fixed(adjective: Token, noun: Token) -> bool:
    """Return True if an adjective belongs to its noun, or to words that fit it alone."""
    form = adjective.lower_
    if f"{form} {noun.lower_}" in FIXED_PAIRS or noun.ent_type_ in NAMED:
        return True
    if form in SIZE_OR_AGE and noun.lower_ in CHILDREN:
        return True
    if adjective.dep_ == "amod" and adjective.i + 1 < len(adjective.doc):
        following = adjective.nbor(1)
        if following.pos_ in ("PROPN", "NUM", "SYM") or following.ent_type_ in NAMED:
            return True
    if adjective.i and adjective.nbor(-1).lower_ in ("middle", "far"):
        return True
    return any(
        child.lower_ in DEGREES or child.lower_ in COMPLEMENTS or child.dep_ == "ccomp"
        for child in adjective.children
    )


def fits(adjective: Token, noun: Token, of: str) -> bool:
    """Return True if an adjective describes what its class is said of; see `AdjectiveClass`."""
    if of == "complement":
        return adjective.dep_ == "acomp"
    if of == "predicate":
        return adjective.dep_ == "acomp" and kind_of(noun) in ("person", "animal")
    if of == "attribute":
        return adjective.dep_ == "amod"
    if of == "plural":
        return adjective.dep_ == "amod" and noun.tag_ == "NNS"
    if " " in of:
        return not {noun.lower_, noun.lemma_.lower()}.isdisjoint(of.split())
    kind = kind_of(noun)
    if of == "being":
        return kind in ("person", "animal")
    return of in ("", kind)


@rule(
    name="adjective_replacement",
    dimension="lexical",
    perturbation="replacement",
    expected_score=3,
    why="one quality differs: roughly equivalent, some important information differs",
    preconditions="an adjective of the table that describes a noun of the kind that its class fits",
)
def adjective_replacement(sentence: Sentence) -> Change:
    """Replace an adjective by another one of its class, with the article mended."""
    words = sentence_words(sentence)
    slots = []
    for token, adjective_class, group in find_adjectives(sentence):
        others = [g[0] for g in adjective_class.words if g is not group and not words & set(g)]
        if others:
            slots.append((token, others))
    if not slots:
        raise DeclineError("no adjective of the table")
    token, others = slots[pick_index(len(slots), "adjective_replacement", sentence.text)]
    new = pick(others, "adjective_replacement", sentence.text)
    return Change(replace_word(sentence, token, new), f"{token.text} -> {new}")


def subject_of(verb: Token) -> Token | None:
    """Return the noun that a verb is said of, through participles and coordination, or None."""
    while True:
        subject = next((c for c in verb.lefts if c.dep_ in ("nsubj", "nsubjpass")), None)
        if subject is not None:
            is_relative = verb.dep_ == "relcl" and subject.tag_ in ("WDT", "WP")
            return verb.head if is_relative else subject
        if verb.dep_ in ("acl", "relcl"):
            return verb.head
        if verb.dep_ not in ("conj", "xcomp", "advcl") or verb.head.pos_ not in ("VERB", "AUX"):
            return None
        verb = verb.head


def frame_of(verb: Token) -> tuple[str, Token | None]:
    """Return the frame of a verb and its object, if it has one.

    Returns:
        One of `FRAMES` with the object (of a passive, the subject) or None; `""` for anything else:
        double objects, particles, predicates.
    """
    children = [child for child in verb.children if child.dep_ not in ("punct", "aux", "neg")]
    labels = {child.dep_ for child in children}
    if labels & {"prt", "dative", "acomp", "attr", "oprd", "expl"}:
        return "", None
    clauses = [child for child in children if child.dep_ in ("ccomp", "xcomp")]
    objects = [child for child in children if child.dep_ in ("dobj", "nsubjpass")]
    if len(objects) + len(clauses) > 1:
        return "", None
    if objects:
        return "object", objects[0]
    if clauses:
        clause = clauses[0]
        if clause.dep_ == "xcomp" and clause.tag_ == "VB":
            is_infinitive = any(c.lower_ == "to" for c in clause.lefts) and clause.i > verb.i
            return ("infinitive", None) if is_infinitive else ("", None)
        return ("clause", None) if _is_plain_clause(clause, verb) else ("", None)
    if any(child.dep_ == "prep" and child.lower_ in NOT_A_PLACE for child in children):
        return "", None
    if verb.tag_ == "VBN" and not any(child.dep_ == "aux" for child in verb.children):
        return "", None
    return "none", None


def _is_plain_clause(clause: Token, verb: Token) -> bool:
    """Return True for a clause after its verb, with its own subject, not negated, not quoted."""
    labels = {child.dep_ for child in clause.children}
    marks = {child.lower_ for child in clause.lefts if child.dep_ == "mark"}
    between = clause.doc[verb.i + 1 : clause.left_edge.i + 1]
    return (
        clause.dep_ == "ccomp"
        and clause.i > verb.i
        and bool(labels & {"nsubj", "nsubjpass", "expl"})
        and "neg" not in labels
        and marks <= {"that"}
        and clause.left_edge.tag_ not in ("WP", "WRB", "WDT")
        and not any(token.is_punct or token.is_quote for token in between)
    )


@dataclass(frozen=True)
class FoundVerb:
    """A verb in a sentence.

    Attributes:
        token: where it stands.
        lemma: its base form.
        verb_class: its class in its frame, or None.
        frame: see `frame_of`.
    """

    token: Token
    lemma: str
    verb_class: VerbClass | None
    frame: str


@cache
def _verb_table() -> dict[tuple[str, str], list[VerbClass]]:
    """Classes by lemma and frame, in the order of the table."""
    table: dict[tuple[str, str], list[VerbClass]] = {}
    for verb_class in VERB_CLASSES:
        for word in verb_class.verbs:
            table.setdefault((word, verb_class.frame), []).append(verb_class)
    return table


@cache
def _verb_forms() -> frozenset[str]:
    """Every form of every verb that can be replaced or begun."""
    lemmas = {lemma for lemma, _ in _verb_table()} | CONTINUING
    return frozenset(
        form for lemma in lemmas for tag in VERB_TAGS for form in inflections(lemma, tag)
    )


@lru_cache(maxsize=4)
def find_verbs(sentence: Sentence) -> tuple[FoundVerb, ...]:
    """Return the verbs whose frame is clear, with their class if they have one; the root first."""
    forms = _verb_forms()
    verbs = [t for t in tokens_of(sentence) if t.lower_ in forms and t.pos_ == "VERB"]
    found = []
    for token in sorted(verbs, key=lambda verb: (verb.dep_ != "ROOT", verb.i)):
        if token.tag_ not in VERB_TAGS or token.dep_ in ("amod", "compound", "aux", "prep"):
            continue
        if not is_free(sentence, token):
            continue
        following = token.nbor(1) if token.i + 1 < len(token.doc) else None
        if following is not None and _changes_sense(following):
            continue
        try:
            lemma = lemma_of(token)
        except DeclineError:
            continue
        if lemma in CONTINUING or any((lemma, frame) in _verb_table() for frame in FRAMES):
            frame, target = frame_of(token)
            if frame:
                found.append(FoundVerb(token, lemma, _class_of(token, lemma, frame, target), frame))
    return tuple(found)


def _changes_sense(following: Token) -> bool:
    """Return True if the word after a verb is a particle or adjective (`sell out`, `fall ill`)."""
    if following.lower_ in PARTICLES or following.pos_ == "ADJ" and following.dep_ != "amod":
        return True
    return following.lower_ in PREPOSITIONS and following.dep_ != "prep"


def _class_of(token: Token, lemma: str, frame: str, target: Token | None) -> VerbClass | None:
    """Return the first class that holds a verb in its frame, with its object and subject."""
    for verb_class in _verb_table().get((lemma, frame), []):
        if verb_class.objects and (
            target is None or not verb_class.objects & {target.lower_, target.lemma_.lower()}
        ):
            continue
        if verb_class.not_with and any(
            word.lower_ in verb_class.not_with
            for child in token.rights
            if child.tag_ in ("IN", "TO", "RP")
            for word in (child, *child.rights)
        ):
            continue
        if verb_class.needs_being and not is_being(subject_of(token)):
            continue
        return verb_class
    return None


@rule(
    name="verb_replacement",
    dimension="lexical",
    perturbation="replacement",
    expected_score=2,
    why="another action between the same participants: not equivalent, details shared",
    preconditions="a verb of the table in its frame, with its kind of object and subject",
)
def verb_replacement(sentence: Sentence) -> Change:
    """Replace a verb by another one of its frame and class, in the same form."""
    words = sentence_words(sentence)
    for verb in find_verbs(sentence):
        if verb.verb_class is None:
            continue
        others = [word for word in verb.verb_class.others if word not in words]
        if others:
            new = inflect(pick(others, "verb_replacement", sentence.text), verb.token.tag_)
            text = replace_word(sentence, verb.token, new)
            return Change(text, f"{verb.token.text} -> {new}")
    raise DeclineError("no verb of the table in its frame")


@rule(
    name="verb_insertion",
    dimension="lexical",
    perturbation="insertion",
    expected_score=4,
    why="a second verb adds a detail of the action; all else is the same",
    preconditions="a verb of the table that has a companion there, or one of a lasting action",
)
def verb_insertion(sentence: Sentence) -> Change:
    """Put a verb beside a verb (`runs` -> `runs and jumps`, `begins to run`)."""
    words = sentence_words(sentence)
    for verb in find_verbs(sentence):
        token = verb.token
        is_means = verb.lemma == "use" and token.tag_ == "VBG"
        if (
            is_means
            or token.dep_ == "conj"
            or any(c.dep_ in ("neg", "conj", "cc") for c in token.children)
        ):
            continue
        before = verb.verb_class.before if verb.verb_class else ()
        after = verb.verb_class.after if verb.verb_class else ()
        options = [word for word in before or after if word not in words]
        old = lower_first(token.text, token) if token.idx == sentence.start else token.text
        if options:
            word = inflect(pick(options, "verb_insertion", sentence.text), token.tag_)
            new = f"{like_case(token, word)} and {old}" if before else f"{token.text} and {word}"
        elif verb.lemma in CONTINUING and _can_begin(token, verb.frame):
            word = inflect(pick(BEGINNINGS, "verb_insertion", sentence.text), token.tag_)
            new = f"{like_case(token, word)} to {verb.lemma}"
        else:
            continue
        return Change(replace_pieces(sentence, [(piece_of(token), new)]), f"+ {word} ({old})")
    raise DeclineError("no verb that takes another one")


def _can_begin(verb: Token, frame: str) -> bool:
    """Return True if `begin to` fits before a verb: active, and no bare form or gerund."""
    labels = {child.dep_ for child in verb.children}
    if frame not in ("object", "none") or labels & {"auxpass", "nsubjpass"}:
        return False
    if not is_being(subject_of(verb)):
        return False
    if verb.tag_ == "VBG":
        return "aux" in labels or verb.dep_ in ("acl", "ROOT")
    return verb.tag_ in ("VBZ", "VBP", "VBD")
