"""Morphology that rules share: verb forms, agreement, chains of auxiliaries, pronoun case.

Nothing is registered here. Forms come from lemminflect, a dictionary of English inflections; where
it has none, or lists a rare form first, `EXCEPTIONS` and the prefixes of `PREFIX` stand in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import lemminflect
from spacy.tokens import Token

from embsyntax.perturbation.engine import DeclineError

FINITE_TAGS = frozenset({"VBZ", "VBP", "VBD"})
VERB_TAGS = FINITE_TAGS | {"VB", "VBG", "VBN"}

EXCEPTIONS = {
    ("bear", "VBN"): "borne",
    ("breastfeed", "VBD"): "breastfed",
    ("breastfeed", "VBN"): "breastfed",
    ("bid", "VBD"): "bid",
    ("broadcast", "VBD"): "broadcast",
    ("get", "VBN"): "got",
    ("lean", "VBN"): "leaned",
    ("lie", "VBD"): "lay",
    ("lie", "VBN"): "lain",
    ("light", "VBN"): "lit",
    ("mimic", "VBD"): "mimicked",
    ("mimic", "VBG"): "mimicking",
    ("mimic", "VBN"): "mimicked",
    ("program", "VBD"): "programmed",
    ("program", "VBG"): "programming",
    ("program", "VBN"): "programmed",
    ("quit", "VBN"): "quit",
    ("saute", "VBD"): "sauteed",
    ("saute", "VBG"): "sauteing",
    ("saute", "VBN"): "sauteed",
    ("ski", "VBN"): "skied",
    ("spell", "VBN"): "spelled",
    ("spoil", "VBN"): "spoiled",
    ("spit", "VBD"): "spat",
    ("spit", "VBN"): "spat",
    ("typeset", "VBG"): "typesetting",
    ("wake", "VBN"): "woken",
    ("weave", "VBD"): "wove",
}
"""Forms by lemma and tag where the first form of the dictionary is rare or wrong."""

PREFIX = re.compile(
    r"(?:[a-z]+-|co|counter|fore|inter|mis|out|over|pre|re|sub|un|under)(?=[a-z]{2})"
)
"""What a verb that the dictionary lacks may begin with: `outsell` goes like `sell`."""

BE_FORMS = frozenset({"am", "is", "are", "was", "were", "be", "being", "been", "'s", "’s", "'re"})

FULL_FORMS = {
    "'ll": "will",
    "’ll": "will",
    "'ve": "have",
    "’ve": "have",
    "'re": "are",
    "’re": "are",
    "'m": "am",
    "’m": "am",
    "m": "am",
    "ca": "can",
    "wo": "will",
    "sha": "shall",
}
"""Auxiliaries that contractions leave of a word, with one reading each."""

CONTRACTED_STEMS = {"can": "ca", "will": "wo", "shall": "sha"}
"""What is written before `n't`, where it differs from the word."""

NEVER_CONTRACTED = frozenset({"am", "may", "be", "been", "being", "to"})
"""Auxiliaries that take `not` and never `n't`."""

OBJECT_CASE = {
    "i": "me",
    "he": "him",
    "she": "her",
    "we": "us",
    "they": "them",
    "who": "whom",
}
SUBJECT_CASE = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they", "whom": "who"}

FIRST_PERSON = frozenset({"i", "me"})
PLURAL_PRONOUNS = frozenset({"we", "us", "they", "them", "you", "these", "those", "both"})
SINGULAR_PRONOUNS = frozenset(
    {
        "i",
        "me",
        "he",
        "him",
        "she",
        "her",
        "it",
        "this",
        "that",
        "everyone",
        "everybody",
        "everything",
        "someone",
        "somebody",
        "something",
        "anyone",
        "anybody",
        "anything",
        "noone",
        "nobody",
        "nothing",
        "each",
        "another",
        "one",
    }
)
PLURAL_NOUNS = frozenset(
    {"people", "police", "cattle", "folks", "youths", "children", "men", "women"}
)
"""Plural nouns without a plural ending, which the tagger may call singular."""

PLURAL_QUANTITIES = frozenset(
    {"number", "lot", "lots", "couple", "group", "plenty", "majority", "handful", "dozens"}
)
"""Heads of `a lot of dogs`: the noun after `of` decides the number."""

UNCLEAR_QUANTITIES = frozenset(
    {
        "all",
        "any",
        "half",
        "kind",
        "least",
        "less",
        "lot",
        "lots",
        "majority",
        "minority",
        "more",
        "most",
        "none",
        "part",
        "percent",
        "rest",
        "series",
        "some",
        "sort",
        "type",
        "variety",
        "%",
        "percentage",
        "bunch",
        "pair",
        "team",
        "group",
        "range",
        "host",
    }
)
"""Heads whose number depends on what follows, and not always clearly."""


@dataclass(frozen=True)
class Agreement:
    """What a finite verb agrees with.

    Attributes:
        person: 1, 2 or 3.
        is_plural: True for plural (and for every `you`).
    """

    person: int
    is_plural: bool


@dataclass(frozen=True)
class VerbGroup:
    """A verb with its tense, modality, aspect, voice and negation.

    Attributes:
        lemma: base form of the main verb (`see`).
        tense: `present` or `past` of a finite group without a modal, otherwise "".
        modal: a modal verb or `to`, otherwise "".
        is_perfect: `has seen`.
        is_progressive: `is seeing`.
        is_passive: `is seen`.
        negation: "", `not` or `n't`, as the source writes it.
    """

    lemma: str
    tense: str = ""
    modal: str = ""
    is_perfect: bool = False
    is_progressive: bool = False
    is_passive: bool = False
    negation: str = ""

    @property
    def is_finite(self) -> bool:
        """True if the group has tense or a modal verb."""
        return bool(self.tense) or self.modal not in ("", "to")


@dataclass(frozen=True)
class VerbTokens:
    """Where a verb group stands.

    Attributes:
        group: what it says.
        verb: the main verb.
        auxiliaries: auxiliaries in the order of the text, without the negation.
        negation: `not` or `n't`, or None.
        adverbs: adverbs between the first auxiliary (or the subject) and the verb, in order.
    """

    group: VerbGroup
    verb: Token
    auxiliaries: tuple[Token, ...]
    negation: Token | None
    adverbs: tuple[Token, ...]

    @property
    def tokens(self) -> tuple[Token, ...]:
        """All of them, in the order of the text."""
        words = [*self.auxiliaries, *self.adverbs, self.verb]
        if self.negation is not None:
            words.append(self.negation)
        return tuple(sorted(words, key=lambda token: token.i))

    @property
    def first(self) -> Token:
        """The finite word: the first auxiliary, or the verb itself."""
        return self.auxiliaries[0] if self.auxiliaries else self.verb

    @property
    def next_tag(self) -> str:
        """Tag of the verb after the first auxiliary; "" if there is no auxiliary."""
        words = [*self.auxiliaries, self.verb]
        return words[1].tag_ if len(words) > 1 else ""


@cache
def is_known_verb(lemma: str) -> bool:
    """Return True if the dictionary has the verb, or has it without a prefix."""
    if lemminflect.getAllInflections(lemma, upos="VERB") or (lemma, "VBN") in EXCEPTIONS:
        return True
    match = PREFIX.match(lemma)
    return bool(match) and is_known_verb(lemma[match.end() :])


@cache
def inflections(lemma: str, tag: str) -> tuple[str, ...]:
    """Return every form of a verb for a tag, the usual one first.

    Args:
        lemma: base form, lower case.
        tag: one of `VB`, `VBP`, `VBZ`, `VBD`, `VBG`, `VBN`.

    Returns:
        One form or more; those of an unknown verb follow the regular pattern.
    """
    if tag in ("VB", "VBP") and lemma != "be":
        return (lemma,)
    listed = lemminflect.getAllInflections(lemma, upos="VERB").get(tag, ())
    match = PREFIX.match(lemma)
    if not listed and match and is_known_verb(lemma[match.end() :]):
        stem = lemma[match.end() :]
        listed = tuple(lemma[: match.end()] + form for form in inflections(stem, tag))
    forms = sorted(
        listed or lemminflect.getInflection(lemma, tag, inflect_oov=True),
        key=lambda form: form.count("-") + form.count(" ") > lemma.count("-"),
    )
    usual = EXCEPTIONS.get((lemma, tag))
    if usual:
        forms = [usual, *(form for form in forms if form != usual)]
    return tuple(forms)


def inflect(lemma: str, tag: str) -> str:
    """Return the usual form of a verb for a tag; see `inflections`."""
    return inflections(lemma, tag)[0]


def past_participle(lemma: str) -> str:
    """Return the past participle of a verb (`write` -> `written`)."""
    return inflect(lemma, "VBN")


def lemma_of(token: Token) -> str:
    """Return the base form of a verb as it is written, checked by inflecting it back.

    The parser's lemma comes first, the dictionary's next; the first that has the written form among
    its own forms is taken (`rides` is `ride`, as `rid` has no such form).

    Raises:
        DeclineError: no verb has this form (`unknown verb`).
    """
    form = token.lower_
    tags = {"VBD", "VBN"} if token.tag_ in ("VBD", "VBN") else {token.tag_} & VERB_TAGS
    candidates = [
        token.lemma_.lower(),
        *lemminflect.getAllLemmas(form, upos="VERB").get("VERB", ()),
    ]
    match = PREFIX.match(form)
    if match:
        stems = lemminflect.getAllLemmas(form[match.end() :], upos="VERB").get("VERB", ())
        candidates += [form[: match.end()] + stem for stem in stems]
    for lemma in candidates:
        if is_known_verb(lemma) and any(form in inflections(lemma, tag) for tag in tags):
            return lemma
    raise DeclineError("unknown verb")


def be_form(tense: str, agreement: Agreement) -> str:
    """Return the finite form of `be`.

    Args:
        tense: `present` or `past`.
        agreement: person and number of the subject.
    """
    if tense == "past":
        return "were" if agreement.is_plural else "was"
    if agreement.is_plural:
        return "are"
    return {1: "am", 2: "are", 3: "is"}[agreement.person]


def finite_form(lemma: str, tense: str, agreement: Agreement) -> str:
    """Return the finite form of a verb (`see`, `present`, third singular -> `sees`)."""
    if lemma == "be":
        return be_form(tense, agreement)
    if tense == "past":
        return inflect(lemma, "VBD")
    is_third_singular = agreement.person == 3 and not agreement.is_plural
    return inflect(lemma, "VBZ") if is_third_singular else lemma


def spell_group(
    group: VerbGroup, agreement: Agreement, *, needs_auxiliary: bool = False
) -> list[str]:
    """Write a verb group, its negation left out.

    Args:
        group: what to write; a progressive one without tense is a participle (`being seen`).
        agreement: person and number of its subject.
        needs_auxiliary: True if the first word must be an auxiliary, as in questions; a negated
            group always gets one.

    Returns:
        Its words: auxiliaries first, the main verb last (`has`, `been`, `seen`).
    """
    steps: list[tuple[str, str]] = []
    is_participle = group.is_progressive and not group.tense and not group.modal
    if group.is_perfect:
        steps.append(("have", "VBN"))
    if group.is_progressive and not is_participle:
        steps.append(("be", "VBG"))
    if group.is_passive:
        steps.append(("be", "VBN"))
    has_auxiliary = bool(steps or group.modal) or group.lemma == "be"
    if not has_auxiliary and (group.negation or needs_auxiliary) and group.tense:
        steps.append(("do", "VB"))
    words = [group.modal] if group.modal else []
    form = "VB" if group.modal else "VBG" if is_participle else group.tense
    for lemma, next_form in [*steps, (group.lemma, "")]:
        if form in ("present", "past"):
            words.append(finite_form(lemma, form, agreement))
        else:
            words.append(inflect(lemma, form) if form else lemma)
        form = next_form
    return words


def negate(auxiliary: str, negation: str) -> str:
    """Put a negation behind an auxiliary (`can`, `n't` -> `can't`; `am`, `n't` -> `am not`).

    Args:
        auxiliary: a finite auxiliary or `to`.
        negation: "", `not`, `n't` or, where the source has it apart, ` n't`.
    """
    if not negation:
        return auxiliary
    if auxiliary == "to":
        return "not to"
    if negation.strip() == "not" or auxiliary in NEVER_CONTRACTED:
        return "cannot" if (auxiliary, negation) == ("can", "not") else f"{auxiliary} not"
    return f"{CONTRACTED_STEMS.get(auxiliary, auxiliary)}{negation}"


def full_auxiliary(token: Token, next_tag: str) -> str:
    """Return the full lower-case form of an auxiliary (`wo` -> `will`).

    Args:
        token: the auxiliary.
        next_tag: tag of the next verb of its group, which tells `'d` and `'s` apart.

    Raises:
        DeclineError: the auxiliary is not standard English (`ain't`, `gonna`).
    """
    form = token.lower_
    if form in ("'s", "’s"):
        return "has" if next_tag == "VBN" and token.lemma_ != "be" else "is"
    if form in ("'d", "’d"):
        return "had" if next_tag == "VBN" else "would"
    form = FULL_FORMS.get(form, form)
    if token.tag_ in ("MD", "TO"):
        return form
    if form in BE_FORMS or form in _HAVE_FORMS or form in _DO_FORMS:
        return form
    raise DeclineError("unusual auxiliary")


_HAVE_FORMS = frozenset({"have", "has", "had", "having"})
_DO_FORMS = frozenset({"do", "does", "did"})
_PAST_FORMS = frozenset({"was", "were", "had", "did"})


def read_group(verb: Token) -> VerbTokens:
    """Read the verb group of a main verb: its auxiliaries, negation and adverbs before it.

    Args:
        verb: a verb that is no auxiliary.

    Returns:
        The group with its tokens; it may be non-finite.

    Raises:
        DeclineError: the verb is unknown, or the chain is not one of standard English.
    """
    if verb.tag_ not in VERB_TAGS:
        raise DeclineError("no verb form")
    left = [child for child in verb.lefts if child.dep_ in ("aux", "auxpass")]
    negations = [child for child in verb.lefts if child.dep_ == "neg"]
    if len(negations) > 1:
        raise DeclineError("negated twice")
    negation = negations[0] if negations else None
    adverbs = []
    if negation is not None and negation.lower_ not in ("not", "n't", "n’t", "nt"):
        adverbs.append(negation)
        negation = None
    if negation is not None and negation.lower_ == "nt":
        raise DeclineError("unusual auxiliary")
    words = [*left, verb]
    forms = [full_auxiliary(token, words[index + 1].tag_) for index, token in enumerate(words[:-1])]
    group = _read_chain(forms, verb)
    if negation is not None:
        apart = negation.i > 0 and bool(verb.doc[negation.i - 1].whitespace_)
        is_short = negation.lower_ != "not"
        text = negation.text if negation.text in ("n't", "n’t") else negation.lower_
        group = replace(group, negation=f" {text}" if is_short and apart else text)
    subjects = [child for child in verb.lefts if child.dep_ in ("nsubj", "nsubjpass")]
    anchor = min([token.i for token in left] or [token.i for token in subjects[-1:]] or [-1])
    adverbs += [child for child in verb.lefts if child.dep_ == "advmod" and child.i > anchor]
    return VerbTokens(
        group, verb, tuple(left), negation, tuple(sorted(adverbs, key=lambda token: token.i))
    )


def _read_chain(forms: Sequence[str], verb: Token) -> VerbGroup:
    rest = list(forms)
    modal = tense = ""
    lemma = lemma_of(verb)
    if not rest:
        return VerbGroup(lemma, tense=_bare_tense(verb, lemma), is_progressive=verb.tag_ == "VBG")
    if rest[0] in _DO_FORMS:
        if len(rest) > 1 or verb.tag_ not in ("VB", "VBP"):
            raise DeclineError("unusual auxiliary")
        return VerbGroup(lemma, tense="past" if rest[0] == "did" else "present")
    first = rest[0]
    if first not in BE_FORMS and first not in _HAVE_FORMS:
        modal = rest.pop(0)
    elif first not in ("be", "being", "been", "having"):
        tense = "past" if first in _PAST_FORMS else "present"
    is_perfect = bool(rest) and rest[0] in _HAVE_FORMS
    if is_perfect:
        rest.pop(0)
    flags = {"is_perfect": is_perfect, "is_progressive": False, "is_passive": False}
    is_past_form = verb.tag_ in ("VBN", "VBD")
    if not rest:
        if verb.tag_ == "VBG" or (is_perfect and not is_past_form):
            raise DeclineError("unusual auxiliary")
    elif len(rest) == 1 and verb.tag_ == "VBG":
        flags["is_progressive"] = True
    elif len(rest) == 1 and is_past_form:
        flags["is_passive"] = True
    elif len(rest) == 2 and rest[1] == "being" and is_past_form:
        flags["is_progressive"] = flags["is_passive"] = True
    else:
        raise DeclineError("unusual auxiliary")
    if modal and not rest and not is_perfect and verb.tag_ not in ("VB", "VBP"):
        raise DeclineError("unusual auxiliary")
    return VerbGroup(lemma, tense=tense, modal=modal, **flags)


def _bare_tense(verb: Token, lemma: str) -> str:
    """Tense of a verb without auxiliaries; a subject shows that one tagged as bare is finite."""
    if verb.tag_ in ("VBD", "VBZ"):
        return "past" if verb.tag_ == "VBD" else "present"
    has_subject = any(child.dep_ == "nsubj" for child in verb.lefts)
    if verb.tag_ == "VBP" or (verb.tag_ == "VB" and has_subject and verb.dep_ == "ROOT"):
        return "present" if verb.lower_ == lemma else "past"
    if verb.tag_ == "VBN" and has_subject and verb.lower_ in inflections(lemma, "VBD"):
        return "past"
    return ""


def conjuncts(head: Token) -> list[Token]:
    """Return a noun and those that are coordinated with it, in order."""
    found = [head]
    for child in head.rights:
        if child.dep_ == "conj":
            found += conjuncts(child)
    return found


def agreement_of(head: Token) -> Agreement:
    """Return person and number of a noun phrase.

    Args:
        head: its head, with its determiners and conjuncts in the parse.

    Raises:
        DeclineError: the number is not clear from the words (`number not clear`).
    """
    coordinated = conjuncts(head)
    if len(coordinated) > 1:
        links = {
            child.lower_ for item in coordinated for child in item.children if child.dep_ == "cc"
        }
        if links <= {"and", "&"} and links:
            return Agreement(3, is_plural=True)
        raise DeclineError("number not clear")
    # In capitals it is the country, whatever the tagger says.
    form = head.text if head.text == "US" else head.lower_
    if form == "you":
        return Agreement(2, is_plural=True)
    if form in FIRST_PERSON:
        return Agreement(1, is_plural=False)
    if form in PLURAL_PRONOUNS:
        return Agreement(3, is_plural=True)
    if form in SINGULAR_PRONOUNS and head.pos_ in ("PRON", "DET", "NOUN", "NUM"):
        return Agreement(3, is_plural=False)
    return Agreement(3, is_plural=_is_plural_noun(head))


def _is_plural_noun(head: Token) -> bool:
    form = head.lower_
    determiners = {child.lower_ for child in head.lefts if child.dep_ in ("det", "amod", "predet")}
    if form in PLURAL_QUANTITIES or form in UNCLEAR_QUANTITIES:
        inner = [noun for child in head.rights if child.lower_ == "of" for noun in child.rights]
        is_a_lot = form in PLURAL_QUANTITIES and not determiners & {"the", "this", "that"}
        if is_a_lot and len(inner) == 1 and form != "group":
            return agreement_of(inner[0]).is_plural
        if form != "number" and (inner or form not in PLURAL_QUANTITIES):
            raise DeclineError("number not clear")
    if form in PLURAL_NOUNS:
        return True
    if head.tag_ in ("NNS", "NNPS"):
        if determiners & {"a", "an", "this", "that", "each", "every", "another"}:
            raise DeclineError("number not clear")
        is_odd = form.isalpha() and not form.endswith("s") and not _is_irregular_plural(form)
        if head.tag_ == "NNS" and is_odd:
            raise DeclineError("number not clear")
        return True
    if head.tag_ == "NN" and _is_irregular_plural(form):
        return True
    if head.tag_ in ("NN", "NNP"):
        if determiners & {"these", "those", "both", "many", "few", "several"}:
            raise DeclineError("number not clear")
        numbers = [child for child in head.lefts if child.dep_ == "nummod"]
        if any(number.lower_ not in ("one", "1") for number in numbers) and head.tag_ == "NN":
            raise DeclineError("number not clear")
        if form.endswith("s") and head.tag_ == "NN" and not _is_singular_in_s(form):
            raise DeclineError("number not clear")
        return False
    if head.tag_ == "CD":
        return form not in ("one", "1")
    raise DeclineError("number not clear")


@cache
def _is_singular_in_s(form: str) -> bool:
    if form.endswith(("ss", "us", "is", "news")):
        return True
    return form in lemminflect.getAllLemmas(form, upos="NOUN").get("NOUN", ())


@cache
def _is_irregular_plural(form: str) -> bool:
    """Return True for `geese`, and False for `broccoli` and `sheep`."""
    lemmas = lemminflect.getAllLemmas(form, upos="NOUN").get("NOUN", ())
    return bool(lemmas) and form not in lemmas and not form.endswith("s")


def object_case(form: str) -> str:
    """Return a pronoun as it stands after a verb or preposition (`he` -> `him`)."""
    return OBJECT_CASE.get(form.lower(), form)


def subject_case(form: str) -> str:
    """Return a pronoun as it stands before its verb (`him` -> `he`)."""
    return SUBJECT_CASE.get(form.lower(), form)
