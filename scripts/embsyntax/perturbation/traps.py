"""Traps: a few words change, most stay, and the sentence means something else.

The eight types of the FlipAware dataset card: negation, numbers, role swap, time order, quantifier,
hedge, entity swap, scope. Every trap keeps to the limits of its filter (`MIN_KEPT`, `MAX_NEW`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from spacy.tokens import Token

from embsyntax.perturbation.arguments import passive_agent_swap, subject_object_swap
from embsyntax.perturbation.certainty import other_certainty, weakened
from embsyntax.perturbation.engine import (
    Change,
    DeclineError,
    Piece,
    Sentence,
    piece_of,
    replace_pieces,
    rule,
    starts_upper,
    upper_first,
)
from embsyntax.perturbation.lexical import (
    find_adjectives,
    find_nouns,
    fits,
    is_untouchable,
    like_case,
    pick_index,
    sentence_words,
    tokens_of,
)
from embsyntax.perturbation.main_clause import is_title_case, word_set
from embsyntax.perturbation.modifiers import article_edit
from embsyntax.perturbation.polarity import (
    NOT,
    OTHER_NEGATIVE,
    negated_statement,
    negative_words,
    with_for_without,
    with_negation,
    without_negation,
)
from embsyntax.perturbation.quantities import (
    QUANTITY_WORDS,
    TIME_UNITS,
    other_numbers,
    other_quantity,
)
from embsyntax.perturbation.statements import (
    SAYING,
    UNCLEAR_SUBJECTS,
    Edits,
    before,
    beside,
    first_word,
    lowered,
    next_token,
    own_subject,
)
from embsyntax.perturbation.verbs import FINITE_TAGS
from embsyntax.perturbation.vocabulary import (
    COUNTRIES,
    FEMALE_NAMES,
    FEMALE_PEOPLE,
    MALE_NAMES,
    MALE_PEOPLE,
    NAMES_OF_A_KIND,
    pick,
)

MIN_KEPT, MAX_NEW = 0.7, 4
"""Filter of the dataset card: share of the anchor's words that a trap keeps, words that it adds."""

WORD = re.compile(r"\w+(?:['’]\w+)*")


def _words(text: str) -> Counter[str]:
    return Counter(word.lower() for word in WORD.findall(text))


def _trap(sentence: Sentence, edits: Edits, detail: str) -> Change:
    """Make edits, give a new first word the capital of the old one, and hold the filter's limits.

    Raises:
        DeclineError: as `_held`.
    """
    text = replace_pieces(sentence, edits)
    if starts_upper(sentence):
        text = text[: sentence.start] + upper_first(text[sentence.start :])
    return _held(sentence, text, detail)


def _held(sentence: Sentence, text: str, detail: str) -> Change:
    """Return a change that keeps to the limits of the filter.

    Raises:
        DeclineError: too few words are kept, or too many are new.
    """
    source, changed = _words(sentence.text), _words(text)
    if (source & changed).total() < MIN_KEPT * source.total():
        raise DeclineError("too few words kept")
    if (changed - source).total() > MAX_NEW:
        raise DeclineError("too many new words")
    return Change(text, detail)


@rule(
    name="trap_negation",
    dimension="trap",
    perturbation="negation",
    expected_score=2,
    why="same topic and participants, but what was said to be is now said not to be",
    preconditions="a negation that can go, or a verb that can take one",
)
def trap_negation(sentence: Sentence) -> Change:
    """Take a negation away, or put one in (`is` -> `is not`, `runs` -> `does not run`)."""
    words = sentence_words(sentence)
    if words & OTHER_NEGATIVE:
        raise DeclineError("negation in other words")
    negative = negative_words(sentence)
    if len(negative) > 1:
        raise DeclineError("negated twice")
    if negative:
        edits, detail = without_negation(sentence, negative[0])
    elif "without" in words:
        edits, detail = with_for_without(sentence)
    else:
        edits, detail = with_negation(sentence)
    return _trap(sentence, edits, detail)


@rule(
    name="trap_numbers",
    dimension="trap",
    perturbation="numbers",
    expected_score=3,
    why="roughly equivalent, but a number, date or amount differs",
    preconditions="a number, a weekday or a month outside scores, times, ranges, names and code",
)
def trap_numbers(sentence: Sentence) -> Change:
    """Change one number, date or amount; its form stays (`1,200` -> `1,440`)."""
    slots = [
        (token, others)
        for token in tokens_of(sentence)
        if (others := other_numbers(sentence, token))
    ]
    if not slots:
        raise DeclineError("no number that can change")
    token, others = slots[pick_index(len(slots), "trap_numbers", sentence.text)]
    new = like_case(token, pick(others, "trap_numbers", sentence.text))
    edits: Edits = [(piece_of(token), new)]
    place = token.i - 2 if beside(token, -1) == "$" else token.i - 1
    article = article_edit(sentence.doc[place] if place >= 0 else None, new)
    return _trap(sentence, edits + ([article] if article else []), f"{token.text} -> {new}")


@rule(
    name="trap_role_swap",
    dimension="trap",
    perturbation="role swap",
    expected_score=2,
    why="the same words, but who does it and to whom is exchanged",
    preconditions="a verb whose subject can change places with its object or its agent",
)
def trap_role_swap(sentence: Sentence) -> Change:
    """Exchange who does it and to whom, as the relation dimension does."""
    try:
        change = subject_object_swap.function(sentence)
    except DeclineError:
        change = passive_agent_swap.function(sentence)
    return _held(sentence, change.text, change.detail)


TIME_SWAPS = {"before": "after", "after": "before"}
NEIGHBOURS = {"previous": "following", "following": "previous"}
NO_TIME_VERBS = word_set(
    "look name go run ask take come chase seek inquire see get be model pattern swim jump crawl "
    "race walk dive watch"
)
"""Verbs with which `after` tells no time (`look after`)."""

NO_TIME_NOUNS = word_set(
    "court judge panel committee crowd jury senate house congress audience parliament tribunal "
    "magistrate council commission hearing camera him her them me us you it god"
)
"""What one stands before without being earlier."""

NO_TIME_BEFORE = word_set(
    "soon day one shot year time long ever even right until till since from well -"
)
NO_TIME_AFTER = word_set("all that this long which then effects hours noon now")
"""Words with which `before` or `after` forms one expression."""

SPANS = word_set("a an few several many couple some")
EVENTS = word_set(
    "talks talk election elections summit visit meeting vote match game war conference protest "
    "trial hearing holiday anniversary deadline cup olympics debate polls poll launch release "
    "march decision verdict session ceremony surgery race"
)
"""What `ahead of` tells the time of."""


@rule(
    name="trap_time_order",
    dimension="trap",
    perturbation="time order",
    expected_score=2,
    why="the same events in the other order",
    preconditions="before, after, ahead of, prior to, following, or earlier or later with a span",
)
def trap_time_order(sentence: Sentence) -> Change:
    """Reverse the order of two events (`before` -> `after`, `a day later` -> `a day earlier`)."""
    for token in tokens_of(sentence):
        found = _other_order(sentence, token)
        if found is not None:
            piece, new = found
            new = like_case(token, new)
            return _trap(sentence, [(piece, new)], f"{sentence.words(piece)} -> {new}")
    raise DeclineError("no word of time order")


def _other_order(sentence: Sentence, token: Token) -> tuple[Piece, str] | None:
    """Return where a word of time order stands and what may stand there, or None."""
    form, following = token.lower_, next_token(token)
    if form in TIME_SWAPS:
        is_time = token.dep_ in ("prep", "mark") and _tells_time(sentence, token)
        return (piece_of(token), TIME_SWAPS[form]) if is_time else None
    if following is None:
        return None
    if form == "ahead" and following.lower_ == "of":
        event = next((child for child in following.rights if child.dep_ == "pobj"), None)
        if event is not None and event.lower_ in EVENTS and beside(token, -1) != "far":
            return piece_of(token, following), "after"
    elif form == "prior" and following.lower_ == "to":
        return piece_of(token, following), "after"
    elif form == "following" and token.dep_ == "prep" and token.tag_ == "VBG":
        return piece_of(token), "before"
    elif form in ("earlier", "later"):
        is_span = beside(token, -1) in TIME_UNITS
        if is_span and following.lower_ not in ("this", "than", "in", "on"):
            return piece_of(token), "later" if form == "earlier" else "earlier"
    elif form in NEIGHBOURS and beside(token, -1) == "the" and following.lower_ in TIME_UNITS:
        return piece_of(token), NEIGHBOURS[form]
    return None


def _tells_time(sentence: Sentence, token: Token) -> bool:
    """Return True for a `before` or `after` between two events, neither a span nor a place."""
    if token.text[0].isupper() and token.idx != sentence.start and not is_title_case(sentence):
        return False
    if beside(token, -1) in NO_TIME_BEFORE or beside(token, 1) in NO_TIME_AFTER:
        return False
    if token.dep_ == "mark":
        return True
    target = next((child for child in token.rights if child.dep_ in ("pobj", "pcomp")), None)
    if target is None or target.lower_ in ("being", "having"):
        return False
    if target.lower_ in TIME_UNITS and any(
        child.pos_ == "NUM" or child.lower_ in SPANS for child in target.lefts
    ):
        return False
    if target.pos_ == "NUM" and target.ent_type_ not in ("DATE", "TIME"):
        return False
    if token.lower_ == "after":
        return token.head.lemma_ not in NO_TIME_VERBS
    return target.lower_ not in NO_TIME_NOUNS


@rule(
    name="trap_quantifier",
    dimension="trap",
    perturbation="quantifier",
    expected_score=2,
    why="same topic, but the claim covers another amount",
    preconditions="a quantifier of a noun phrase, or a bound of a number",
)
def trap_quantifier(sentence: Sentence) -> Change:
    """Change a quantifier (`all dogs` -> `some dogs`, `at least 20` -> `at most 20`)."""
    for token in tokens_of(sentence):
        if token.lower_ not in QUANTITY_WORDS or is_untouchable(sentence, token):
            continue
        found = other_quantity(token)
        if found is not None:
            piece, new = found
            new = upper_first(new) if sentence.words(piece)[0].isupper() else new
            return _trap(sentence, [(piece, new)], f"{sentence.words(piece)} -> {new}")
    raise DeclineError("no quantifier that can change")


@rule(
    name="trap_hedge",
    dimension="trap",
    perturbation="hedge",
    expected_score=3,
    why="the same statement, made with another degree of certainty",
    preconditions="a word of certainty, or a plain statement that can be weakened",
)
def trap_hedge(sentence: Sentence) -> Change:
    """Change how certain a claim is (`will` -> `might`, `plays` -> `may play`)."""
    edits, detail = other_certainty(sentence) or weakened(sentence)
    return _trap(sentence, edits, detail)


COMMON_WORDS = word_set(
    "turkey china jordan chad georgia mali mint unity opera java ruby apple amazon oracle safari "
    "bucks bulls hawks nets rockets spurs warriors eagles falcons rams ravens titans texans colts "
    "chargers raiders cowboys browns heat nice cinnamon latin polish"
)
"""Names that are common words where they are written in lower case."""


def _name_table() -> dict[str, list[tuple[str, ...]]]:
    """The kinds of each name, in lower case."""
    table: dict[str, list[tuple[str, ...]]] = {}
    for kind in NAMES_OF_A_KIND:
        for name in kind:
            table.setdefault(name.lower(), []).append(kind)
    return table


NAME_TABLE = _name_table()
FIRST_WORDS = frozenset(name.split()[0] for name in NAME_TABLE)
ALIASES = {country.lower(): word_set(words.lower()) for country, words in COUNTRIES.items()}


@rule(
    name="trap_entity_swap",
    dimension="trap",
    perturbation="entity swap",
    expected_score=2,
    why="the same said of another person, place, organisation or product",
    preconditions="one mention of a name of the table, or of a person with a known first name",
)
def trap_entity_swap(sentence: Sentence) -> Change:
    """Replace one name by another one of the same kind (`France` -> `Spain`)."""
    found = [*_names(sentence), *_people(sentence)]
    if not found:
        raise DeclineError("no name of the table")
    piece, others = found[pick_index(len(found), "trap_entity_swap", sentence.text)]
    old, new = sentence.words(piece), pick(others, "trap_entity_swap", sentence.text)
    if old.islower():
        new = new.lower()
    elif old.isupper() and len(old) > 4:
        new = new.upper()
    opening = sentence.tokens(piece)[0]
    article = article_edit(opening.nbor(-1) if opening.i else None, new)
    edits: Edits = [(piece, new)]
    return _trap(sentence, edits + ([article] if article else []), f"{old} -> {new}")


def _names(sentence: Sentence) -> list[tuple[Piece, Sequence[str]]]:
    """Return the names of the table that can be swapped, with what may stand for each."""
    found: list[tuple[Piece, Sequence[str]]] = []
    words = sentence_words(sentence)
    for token in tokens_of(sentence):
        if token.lower_ not in FIRST_WORDS:
            continue
        is_long = f"{token.lower_} {beside(token, 1)}" in NAME_TABLE
        last = token.nbor(1) if is_long else token
        name = sentence.text[token.idx : last.idx + len(last)].lower()
        kinds = NAME_TABLE.get(name, [])
        if len(kinds) != 1 or words & ALIASES.get(name, frozenset()):
            continue
        others = [
            other
            for other in kinds[0]
            if other.lower() != name and not words & set(other.lower().split())
        ]
        if others and _stands_alone(sentence, token, last):
            found.append((piece_of(token, last), others))
    return found


def _stands_alone(sentence: Sentence, first: Token, last: Token) -> bool:
    """Return True if a name is no part of a longer one, stands once, and is meant as a name."""
    text, start, end = sentence.text, first.idx, last.idx + len(last)
    if first.text[0].islower() and (text != text.lower() or first.lower_ in COMMON_WORDS):
        return False
    if re.search(r"[\w\-–/_\\@#&=.]", text[start - 1 : start]) or (
        re.search(r"[\w\-–/_\\@#&=]", text[end : end + 1])
    ):
        return False
    if text.lower().count(text[start:end].lower()) > 1 or text.isupper():
        return False
    if any(span.start < end and start < span.end for span in sentence.protected):
        return False
    if first.dep_ == "conj" or first.tag_ in ("JJ", "NNS", "VB", "RB"):
        return False
    return _has_no_company(first, last)


def _has_no_company(first: Token, last: Token) -> bool:
    """Return True if neither another name nor an `and` or comma stands right beside a name."""
    previous, following = first.nbor(-1) if first.i else None, next_token(last)
    return not any(
        token is not None
        and (
            token.pos_ == "PROPN"
            or token.lower_ in ("and", "or", ",", "&", "new", "south", "north")
        )
        for token in (previous, following)
    )


def _people(sentence: Sentence) -> list[tuple[Piece, Sequence[str]]]:
    """Return the people with a known first name and a surname, with who may stand for each."""
    return [
        (piece_of(*entity), others)
        for entity in sentence.doc.ents
        if entity.label_ == "PERSON" and len(entity) == 2
        if (others := _other_people(sentence, entity[0], entity[1]))
    ]


def _other_people(sentence: Sentence, first: Token, last: Token) -> Sequence[str]:
    if not (first.is_title and last.is_alpha and last.text[0].isupper() and len(last) > 2):
        return ()
    if sentence.text.count(last.text) > 1 or last.text.isupper():
        return ()
    following = next_token(last)
    if following is not None and (
        following.pos_ == "PROPN"
        or following.text[0].isupper()
        or following.lower_ in ("and", "&", "or", "-")
    ):
        return ()
    if beside(first, -1) in ("-", "and", "&", "the", "of", "'", '"'):
        return ()
    if first.text in MALE_NAMES:
        return MALE_PEOPLE
    return FEMALE_PEOPLE if first.text in FEMALE_NAMES else ()


@rule(
    name="trap_scope",
    dimension="trap",
    perturbation="scope",
    expected_score=3,
    why="the same words, but one of them says something of another part of the sentence",
    preconditions="an adjective of the table that fits another noun of it too, or an only or a "
    "negation that can move",
)
def trap_scope(sentence: Sentence) -> Change:
    """Move a modifier (`a red hat and a scarf` -> `a hat and a red scarf`)."""
    for move in (_moved_only, _moved_not, _moved_adjective):
        found = move(sentence)
        if found is not None:
            return _trap(sentence, *found)
    raise DeclineError("no modifier that can move")


def _moved_only(sentence: Sentence) -> tuple[Edits, str] | None:
    """`Only dogs chase cats` -> `dogs chase only cats`, and back."""
    found = [token for token in tokens_of(sentence) if token.lower_ == "only"]
    verb = sentence.root
    subject = own_subject(verb)
    objects = [child for child in verb.rights if child.dep_ == "dobj"]
    if len(found) != 1 or len(objects) != 1 or subject is None or subject.i > verb.i:
        return None
    only, following = found[0], next_token(found[0])
    if following is None or sentence.is_question or beside(only, -1) in ("not", "the", "an"):
        return None
    if only.idx == sentence.start and following in subject.subtree:
        gone = Piece(only.idx, following.idx)
        return [(gone, ""), (before(objects[0].left_edge), "only ")], "only moved to the object"
    rest = [token for token in objects[0].subtree if token != only]
    if following == rest[0] and subject.left_edge.idx == sentence.start:
        opening = subject.left_edge
        edits: Edits = [(piece_of(opening), f"only {lowered(sentence, opening)}")]
        return [*edits, (piece_of(only), "")], "only moved to the subject"
    return None


NOT_A_THING = word_set("amount size color colour body range head hair eyes")
"""Nouns that must not lose their adjective (`a man of large size`)."""

WILLING = word_set("try decide promise agree plan vow pledge choose prefer")


def _moved_not(sentence: Sentence) -> tuple[Edits, str] | None:
    """`Promised not to go` -> `did not promise to go`, `says it is not` -> `does not say it is`."""
    verb = sentence.root
    labels = {"xcomp"} if verb.lemma_ in WILLING else {"ccomp"} if verb.lemma_ in SAYING else set()
    inner = next((child for child in verb.rights if child.dep_ in labels), None)
    if inner is None or verb.tag_ not in FINITE_TAGS or first_word(verb) != verb:
        return None
    negative = negative_words(sentence)
    if len(negative) != 1 or negative[0].head != inner or own_subject(verb) is None:
        return None
    if negative[0].lower_ not in NOT:
        return None
    if own_subject(verb).i > verb.i or sentence.is_question or beside(verb, 1) in ("", ",", ":"):
        return None
    come, _ = negated_statement(verb)
    if inner.dep_ == "xcomp":
        gone: Edits = [(piece_of(negative[0]), "")]
    else:
        gone, _ = without_negation(sentence, negative[0])
    return come + gone, "not moved to the main verb"


def _moved_adjective(sentence: Sentence) -> tuple[Edits, str] | None:
    """`A small dog chases a cat` -> `a dog chases a small cat`."""
    nouns = [
        noun
        for noun in find_nouns(sentence)
        if noun.token.left_edge.i < noun.token.i
        and not any(c.dep_ in ("amod", "nummod", "compound", "poss") for c in noun.token.lefts)
    ]
    for adjective, adjective_class, _ in find_adjectives(sentence) if nouns else ():
        noun = adjective.head
        if adjective.dep_ != "amod" or adjective.i + 1 != noun.i or any(adjective.children):
            continue
        if noun.lower_ in UNCLEAR_SUBJECTS or noun.lower_ in NOT_A_THING:
            continue
        alike = {word for group in adjective_class.words for word in group}
        for target in nouns:
            if target.token.lemma_ == noun.lemma_ or not alike & set(target.noun_class.adjectives):
                continue
            if fits(adjective, target.token, adjective_class.of):
                edits = _move(sentence, adjective, target.token)
                return edits, f"{adjective.text} moved to {target.token.text}"
    return None


def _move(sentence: Sentence, adjective: Token, noun: Token) -> Edits:
    """Take an adjective from its noun and put it before another one; articles are mended."""
    old, word = adjective.nbor(1), lowered(sentence, adjective)
    edits: Edits = [
        (Piece(adjective.idx, old.idx), ""),
        (piece_of(noun), f"{word} {noun.text}"),
    ]
    for place, following in ((adjective, old.text), (noun, word)):
        article = article_edit(place.nbor(-1) if place.i else None, following)
        edits += [article] if article else []
    return edits
