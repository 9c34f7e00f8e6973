"""Words as the edit check of the triples sees them, and its closed lists.

A text becomes a list of words: contractions are written out (`can't` -> `can not`), fixed
expressions are one word (`a lot of`), `an` is `a`. Each word has a key, the same for all its
inflections and for all forms of a pronoun. Numbers, dates and units are read by their values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import lemminflect

from embsyntax.perturbation.main_clause import word_set


def _listed(text: str) -> list[str]:
    """Return the words of a text in their order, split at white space."""
    return text.split()


TOKEN = re.compile(
    r"\d+(?:st|nd|rd|th)\b|\d+(?:[.,]\d+)*|[%$€£¥°]|[^\W\d_]+(?:['’.][^\W\d_]+)*", re.IGNORECASE
)
SHORT_NOT = word_set(
    "dont doesnt didnt cant wont isnt arent wasnt werent havent hasnt hadnt couldnt wouldnt "
    "shouldnt cannot"
)
"""Negated auxiliaries without an apostrophe."""

FULL_AUXILIARIES = {"ca": "can", "wo": "will", "sha": "shall"}
SUFFIXES = {"ll": "will", "re": "are", "ve": "have", "m": "am"}
"""Auxiliaries that a contraction cuts short: before `n't`, and after an apostrophe."""

IS_AFTER = word_set("it he she that this there here what who where how when everything everyone")
"""Words after which `'s` is a verb; after others it may be a possessive."""

EXPRESSIONS = {
    tuple(expression.split()): name
    for name, expressions in {
        "at_least": "at least|no fewer than|no less than",
        "at_most": "at most|no more than|up to",
        "more_than": "more than",
        "less_than": "less than|fewer than",
        "a_few": "a few|a handful of|a couple of|a small number of",
        "lots_of": "a lot of|lots of|plenty of|a large number of|dozens of|hundreds of|"
        "thousands of|millions of",
        "hardly_any": "hardly any|almost no",
        "almost_all": "almost all|nearly all|nearly every|almost every",
        "nobody": "no one",
        "the_majority": "the majority of|a majority of",
        "the_minority": "the minority of|a minority of",
        "percent": "per cent",
        "before": "ahead of|prior to",
        "once": "as soon as",
    }.items()
    for expression in expressions.split("|")
}
"""Expressions that are one word, by their words."""

CLAUSE_ENDS = frozenset(",;:")
"""Marks of which one stands between a clause that a sentence opens with and the next."""

LONGEST_EXPRESSION = max(len(words) for words in EXPRESSIONS)

ARTICLES = word_set("a the")
BE = word_set("be is are was were been being am")
HAVE = word_set("have has had having")
DO = word_set("do does did doing done")
PRONOUNS = {
    form: forms.split()[0]
    for forms in (
        "he him his himself",
        "she her hers herself",
        "they them their theirs themselves",
        "i me my mine myself",
        "we us our ours ourselves",
        "you your yours yourself",
        "it its itself",
        "who whom whose",
    )
    for form in forms.split()
}
PREPOSITIONS = word_set(
    """in on at of to from with by for into onto over under about against between through during
    without within near behind beside across along around above below off toward towards upon
    inside outside atop"""
)
CONNECTIVES = word_set("and or nor but plus as so than that which where if because while though")
FUNCTION_WORDS = (
    ARTICLES
    | PREPOSITIONS
    | CONNECTIVES
    | frozenset(PRONOUNS)
    | word_set("this these those there be have do not will would can could may might must shall")
)
"""Keys of words that carry no content of their own."""

NEGATIVE = word_set(
    """not no never nobody nothing nowhere none neither nor hardly barely scarcely
    hardly_any without avoid fail refuse"""
)
"""Keys of words that negate."""

NEGATED_FORMS = {
    negated: plain
    for plain, negated in (
        pair.split("/")
        for pair in _listed(
            """able/unable happy/unhappy safe/unsafe likely/unlikely known/unknown
        clear/unclear necessary/unnecessary usual/unusual fair/unfair common/uncommon
        available/unavailable aware/unaware certain/uncertain healthy/unhealthy
        important/unimportant successful/unsuccessful possible/impossible legal/illegal
        valid/invalid correct/incorrect complete/incomplete active/inactive
        regular/irregular relevant/irrelevant honest/dishonest agree/disagree
        like/dislike allow/disallow approve/disapprove if/unless"""
        )
    )
}
"""Words with a negation in them, each with the word that it negates."""

NEGATION_COMPANIONS = (
    ARTICLES
    | DO
    | word_set(
        """some any somebody anybody everybody someone anyone everyone something anything
        everything somewhere anywhere ever always already yet still long longer either too also both
        and or with by of to all every"""
    )
)
"""Keys of words that come, go or change with a negation."""

CARDINALS = {
    word: value
    for value, word in enumerate(
        _listed(
            """zero one two three four five six seven eight nine ten eleven twelve thirteen
        fourteen fifteen sixteen seventeen eighteen nineteen"""
        )
    )
}
TENS = {
    word: 10 * value
    for value, word in enumerate(
        _listed("""twenty thirty forty fifty sixty seventy eighty ninety"""), start=2
    )
}
MULTIPLES = {"dozen": 12, "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
ORDINALS = {
    word: value
    for value, word in enumerate(
        _listed(
            """first second third fourth fifth sixth seventh eighth ninth tenth eleventh
        twelfth thirteenth"""
        ),
        start=1,
    )
}
PARTS = word_set("half quarter double twice thrice triple")
WEEKDAYS = word_set("monday tuesday wednesday thursday friday saturday sunday")
MONTHS = word_set(
    "january february march april may june july august september october november december"
)
CLOCK = {"a.m": "am", "p.m": "pm", "am": "am", "pm": "pm", "noon": "noon", "midnight": "midnight"}
UNITS = {
    spelling: spellings.split("/")[0]
    for spellings in _listed(
        """km/kilometre/kilometer m/metre/meter cm/centimetre/centimeter
        mm/millimetre/millimeter mile/mi foot/ft inch yard/yd
        kg/kilo/kilogram/kilogramme g/gram mg/milligram pound/lb/£ ounce/oz ton/tonne
        litre/liter/l ml/millilitre/milliliter gallon percent/% dollar/$ euro/€ yen/¥
        cent second/sec minute/min hour/hr day week month year decade century degree/°
        celsius fahrenheit acre hectare watt kilowatt volt byte megabyte gigabyte mph
        kph point"""
    )
    for spelling in spellings.split("/")
}
"""Units by their spellings."""

QUANTIFIERS = {
    word: kind
    for kind, words in {
        "all": "all every each everyone everybody everything both",
        "nearly all": "almost_all",
        "most": "most the_majority",
        "many": "many much lots_of numerous",
        "some": "some several someone somebody something a_few",
        "few": "few little hardly_any the_minority",
        "none": "no none nobody nothing neither",
        "any": "any anyone anybody anything either",
        "half": "half",
        "one": "one single",
        "at least": "at_least",
        "at most": "at_most",
        "more": "more more_than",
        "less": "less fewer less_than",
    }.items()
    for word in words.split()
}
"""Quantifiers, each with the amount that it stands for."""

BOUNDS = {"over": "more", "above": "more", "under": "less", "below": "less"}
"""Prepositions that are quantifiers before a number."""

QUANTIFIER_COMPANIONS = ARTICLES | word_set("of than be have do")
"""Keys of words that come, go or change with a quantifier."""

CERTAIN = "certain"
HEDGES = {
    word: level
    for level, words in {
        CERTAIN: """will must shall definitely certainly surely undoubtedly clearly obviously
        inevitably know prove proven confirm demonstrate certain sure guaranteed undoubted""",
        "likely": "would should probably likely presumably",
        "possible": """may might could can possibly perhaps maybe potentially conceivably possible
        potential seem appear seemingly uncertain unsure unlikely doubtful""",
        "reported": """reportedly allegedly apparently supposedly suspected alleged supposed think
        believe guess suspect suggest indicate assume claim allege doubt""",
        "at all times": "always constantly invariably",
        "often": "usually often frequently generally mostly normally typically commonly",
        "at times": "sometimes occasionally",
        "seldom": "rarely seldom",
    }.items()
    for word in words.split()
}
"""Words of certainty and frequency, each with its degree; a plain statement counts as certain."""

HEDGE_COMPANIONS = ARTICLES | word_set("be have do to that it")
"""Keys of words that come, go or change with a hedge."""

EARLIER_FIRST, LATER_FIRST = "before", "after"
ORDER_WORDS = {
    **dict.fromkeys(("before", "until", "till", "then", "precede"), EARLIER_FIRST),
    **dict.fromkeys(("after", "once", "since", "when", "following", "follow"), LATER_FIRST),
}
"""Words between two events; what stands before `before` comes first.

In the passive (`followed by`) it is the other way round.
"""

ORDER_OPPOSITES = frozenset(
    frozenset(pair.split("/"))
    for pair in _listed(
        """earlier/later previous/following previous/next previously/subsequently
        previously/later prior/subsequent preceding/following precede/follow
        beforehand/afterwards beforehand/afterward"""
    )
)
"""Words of time order that reverse it if one stands for the other."""

TIME_WORDS = frozenset(ORDER_WORDS) | {word for pair in ORDER_OPPOSITES for word in pair}

SCOPE_WORDS = word_set(
    """only just even also merely solely mainly mostly chiefly primarily especially particularly
    exactly simply not never all both every each some most many few no almost nearly hardly barely
    always often sometimes usually rarely still again alone too either at_least at_most"""
)
"""Modifiers of whatever they stand at."""


@dataclass(frozen=True)
class Word:
    """A word of a text.

    Attributes:
        text: as it stands there.
        form: in lower case, written out.
        key: the same for all forms of the word.
        ends_clause: True if a comma, colon or semicolon follows.
    """

    text: str
    form: str
    key: str
    ends_clause: bool


def read_words(text: str) -> list[Word]:
    """Return the words of a text; punctuation and white space are no words."""
    parts = [
        (part, form, text[match.end() : match.end() + 1] in CLAUSE_ENDS)
        for match in TOKEN.finditer(text)
        for part, form in _written_out(match[0])
    ]
    words, place = [], 0
    while place < len(parts):
        length, name = _expression([form for _, form, _ in parts[place:][:LONGEST_EXPRESSION]])
        taken = parts[place : place + length]
        form = name or taken[0][1]
        words.append(Word(" ".join(part for part, _, _ in taken), form, key_of(form), taken[-1][2]))
        place += length
    return words


def _expression(forms: list[str]) -> tuple[int, str]:
    """Return how many words an expression takes and its name, or 1 and `""`."""
    for length in range(len(forms), 1, -1):
        name = EXPRESSIONS.get(tuple(forms[:length]))
        if name:
            return length, name
    return 1, ""


def _written_out(token: str) -> list[tuple[str, str]]:
    """Return a token as pairs of text and form: two of them for a contraction."""
    form = token.lower().replace("’", "'")
    if form in SHORT_NOT or re.fullmatch(r"[a-z]+n't", form):
        stem = re.fullmatch(r"(.+?)(?:n't|nt|not)", form)[1]
        return [(token, FULL_AUXILIARIES.get(stem, stem)), (token, "not")]
    stem, mark, suffix = form.rpartition("'")
    if mark and suffix in (*SUFFIXES, "s", "d"):
        is_verb = suffix == "s" and stem in IS_AFTER
        full = "is" if is_verb else SUFFIXES.get(suffix, mark + suffix)
        return [(token[: len(stem)], stem), (token[len(stem) :], full)]
    return [(token, "a" if form == "an" else form)]


@cache
def key_of(form: str) -> str:
    """Return what all forms of a word share.

    Args:
        form: a word in lower case.
    """
    if form in PRONOUNS:
        return PRONOUNS[form]
    for forms, key in ((BE, "be"), (HAVE, "have"), (DO, "do")):
        if form in forms:
            return key
    if any(form in words for words in (NEGATED_FORMS, HEDGES, TIME_WORDS, SCOPE_WORDS)):
        return form
    lemmas = lemminflect.getAllLemmas(form)
    found = lemmas.get("VERB") or lemmas.get("NOUN")
    return found[0].lower() if found else form


def is_known_word(form: str) -> bool:
    """Return True if the dictionary has a word, in lower case; it has few names."""
    return bool(lemminflect.getAllLemmas(form))


def is_adjective(form: str) -> bool:
    """Return True if the dictionary has a word as an adjective."""
    return "ADJ" in lemminflect.getAllLemmas(form)


@dataclass(frozen=True)
class Amount:
    """A number, date or unit.

    Attributes:
        kind: `number`, `ordinal`, `part`, `unit`, `weekday`, `month` or `clock`.
        value: what it stands for; equal for two spellings.
    """

    kind: str
    value: float | str


PLACEHOLDER = Word("#", "#", "#", ends_clause=False)
"""Stands for a word that is compared apart from the others."""


def read_amounts(words: list[Word]) -> tuple[list[Amount], list[Word]]:
    """Return the numbers, dates and units of a text in their order, and its words without them.

    Where one stood, the words have `PLACEHOLDER`.
    """
    amounts: list[Amount] = []
    others: list[Word] = []
    previous = ""
    for place, word in enumerate(words):
        amount = _amount(word, place, words[place - 1].form if place else "")
        if amount is None:
            others.append(word)
            previous = ""
            continue
        joined = _joined(amounts[-1], previous, word, amount) if previous else None
        if joined is None:
            amounts.append(amount)
            others.append(PLACEHOLDER)
        else:
            amounts[-1] = joined
        previous = word.form
    return amounts, others


def _joined(before: Amount, previous: str, word: Word, amount: Amount) -> Amount | None:
    """Return the number of two words (`two million`, `twenty five`), or None if they are two."""
    if before.kind != "number" or amount.kind != "number":
        return None
    if word.form in MULTIPLES:
        return Amount("number", before.value * amount.value)
    if previous in TENS and word.form in CARDINALS:
        return Amount("number", before.value + amount.value)
    return None


def _amount(word: Word, place: int, before: str) -> Amount | None:
    form = word.form
    if form[0].isdigit():
        if form[-1].isalpha():
            return Amount("ordinal", float(form[:-2]))
        return _figure(form)
    for table in (CARDINALS, TENS, MULTIPLES):
        value = table.get(form) or table.get(word.key)
        if value is not None:
            return Amount("number", float(value))
    if form in ORDINALS:
        return Amount("ordinal", float(ORDINALS[form]))
    if form in PARTS:
        return Amount("part", form)
    if form in WEEKDAYS:
        return Amount("weekday", form)
    if form in MONTHS:
        is_name = form not in ("may", "march") or (word.text[0].isupper() and place > 0)
        return Amount("month", form) if is_name else None
    if form in CLOCK and (form != "am" or before[:1].isdigit()):
        return Amount("clock", CLOCK[form])
    unit = UNITS.get(form) or UNITS.get(word.key)
    return Amount("unit", unit) if unit else None


def _figure(form: str) -> Amount:
    plain = form.replace(",", "")
    try:
        return Amount("number", float(plain))
    except ValueError:
        return Amount("number", form)
