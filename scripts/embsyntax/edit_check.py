"""Edit check of the triples: does a trap change what its type says, and nothing else?

Symbolic and without a parse: texts are compared as lists of words by the closed lists of
`edit_words`. It cannot tell that two sentences mean the same in other words; the entailment filter
comes after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from difflib import SequenceMatcher
from itertools import groupby

from embsyntax.edit_words import (
    ARTICLES,
    BOUNDS,
    CERTAIN,
    EARLIER_FIRST,
    FUNCTION_WORDS,
    HEDGE_COMPANIONS,
    HEDGES,
    NEGATED_FORMS,
    NEGATION_COMPANIONS,
    NEGATIVE,
    ORDER_OPPOSITES,
    ORDER_WORDS,
    PLACEHOLDER,
    PREPOSITIONS,
    PRONOUNS,
    QUANTIFIER_COMPANIONS,
    QUANTIFIERS,
    SCOPE_WORDS,
    TIME_WORDS,
    Word,
    is_adjective,
    is_known_word,
    read_amounts,
    read_words,
)
from embsyntax.jobs import InputError
from embsyntax.perturbation.main_clause import word_set
from embsyntax.perturbation.symmetric import RECIPROCAL_VERBS, SYMMETRIC_HOSTS, SYMMETRIC_VERBS
from embsyntax.perturbation.vocabulary import (
    COUNTRIES,
    FEMALE_NAMES,
    MALE_NAMES,
    NAMES_OF_A_KIND,
    NOUN_CLASSES,
)
from embsyntax.trap_types import EditLimits

EDIT_REASONS = (
    "empty text",
    "paraphrase equals anchor",
    "trap equals anchor",
    "trap equals paraphrase",
    "too few words changed",
    "too many words changed",
    "bag of words changed",
    "no negation added or removed",
    "several negations changed",
    "number added or removed",
    "no number changed",
    "number means the same",
    "several numbers changed",
    "number of another kind",
    "function words changed",
    "voice changed",
    "no two parts exchanged",
    "only modifiers exchanged",
    "exchange keeps the meaning",
    "no word of time order",
    "order of events stays",
    "quantifier added or removed",
    "no quantifier replaced",
    "quantifier means the same",
    "several quantifiers changed",
    "no hedge changed",
    "hedge means the same",
    "no name replaced",
    "several names changed",
    "name means the same",
    "name of another kind",
    "no modifier moved",
    "other words changed",
)
"""Why a candidate fails, in the order in which the reasons are tried; the first one counts."""


def check_edit(anchor: str, paraphrase: str, trap: str, trap_type: str, limits: EditLimits) -> str:
    """Check a candidate.

    Args:
        anchor: the source sentence.
        paraphrase: what should mean the same.
        trap: what should mean something else.
        trap_type: one of `trap_types.TRAP_TYPES`.
        limits: how much the trap may change.

    Returns:
        `""` if it passes, else one of `EDIT_REASONS`.

    Raises:
        InputError: the trap type is unknown.
    """
    if trap_type not in CHECKS:
        raise InputError(
            f"trap type {trap_type!r}; allowed: {', '.join(CHECKS)}. Correct the trap types."
        )
    old, other, new = (read_words(text) for text in (anchor, paraphrase, trap))
    if not (old and other and new):
        return "empty text"
    forms = [[word.form for word in words] for words in (old, other, new)]
    if forms[0] == forms[1]:
        return "paraphrase equals anchor"
    if forms[0] == forms[2]:
        return "trap equals anchor"
    if forms[1] == forms[2]:
        return "trap equals paraphrase"
    n_changed = count_changed_words(old, new)
    if n_changed < limits.min_changed_words:
        return "too few words changed"
    if n_changed > limits.max_changed_words:
        return "too many words changed"
    if limits.keeps_words and _content(old) != _content(new):
        return "bag of words changed"
    return CHECKS[trap_type](old, new)


def count_changed_words(old: list[Word], new: list[Word]) -> int:
    """Return how many words go or come, whichever are more; a word that moves does both."""
    blocks = _blocks(old, new)
    return max(sum(len(gone) for gone, _ in blocks), sum(len(come) for _, come in blocks))


def _blocks(old: list[Word], new: list[Word]) -> list[tuple[list[Word], list[Word]]]:
    """Return what was replaced by what, from left to right; either side may be empty."""
    forms = [[word.form for word in words] for words in (old, new)]
    return [
        (old[i1:i2], new[j1:j2])
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, *forms, autojunk=False).get_opcodes()
        if tag != "equal"
    ]


def _content(words: list[Word]) -> Counter[str]:
    """The keys of the words that carry content; words of time order are left to their check."""
    return Counter(w.key for w in words if w.key not in FUNCTION_WORDS and w.key not in TIME_WORDS)


def _rest(words: list[Word], dropped: AbstractSet[str]) -> list[str]:
    """The keys of all words but some, in their order."""
    return [w.key for w in words if w.key not in dropped and w.form not in dropped]


def _kept(words: list[Word], kept: AbstractSet[str]) -> list[str]:
    """The keys of some words, in their order."""
    return [w.key for w in words if w.key in kept]


def _check_negation(old: list[Word], new: list[Word]) -> str:
    sides = [_without_negations(words) for words in (old, new)]
    difference = abs(sides[0][0] - sides[1][0])
    if difference == 0:
        return "no negation added or removed"
    if difference > 1:
        return "several negations changed"
    return "" if sides[0][1] == sides[1][1] else "other words changed"


def _without_negations(words: list[Word]) -> tuple[int, list[str]]:
    """Return how often a text negates, and the keys of its other words."""
    n_negations, rest, has_neither = 0, [], False
    for word in words:
        plain = NEGATED_FORMS.get(word.form) or NEGATED_FORMS.get(word.key)
        if plain:
            n_negations += 1
            rest.append(plain)
        elif word.form in NEGATIVE or word.key in NEGATIVE:
            n_negations += not (word.form == "nor" and has_neither)
            has_neither |= word.form == "neither"
        elif word.key not in NEGATION_COMPANIONS and word.form not in NEGATION_COMPANIONS:
            rest.append(word.key)
    return n_negations, rest


def _check_numbers(old: list[Word], new: list[Word]) -> str:
    (amounts, others), (new_amounts, new_others) = read_amounts(old), read_amounts(new)
    if len(amounts) != len(new_amounts):
        return "number added or removed"
    changes = [pair for pair in zip(amounts, new_amounts, strict=True) if pair[0] != pair[1]]
    is_same_rest = _rest(others, ARTICLES) == _rest(new_others, ARTICLES)
    if not changes:
        return "number means the same" if amounts and is_same_rest else "no number changed"
    if len(changes) > 1:
        return "several numbers changed"
    if changes[0][0].kind != changes[0][1].kind:
        return "number of another kind"
    return "" if is_same_rest else "other words changed"


def _exchanges(old: list[str], new: list[str]) -> Iterator[tuple[list[str], list[str], list[str]]]:
    """Yield every way to read `new` as `old` with two parts exchanged.

    Yields:
        The first part, what stands between both, the second part; keys.
    """
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    inner, changed = old[start : len(old) - end], new[start : len(new) - end]
    for left in range(1, len(inner)):
        for right in range(1, len(inner) - left + 1):
            first, second = inner[:left], inner[len(inner) - right :]
            between = inner[left : len(inner) - right]
            if second + between + first == changed:
                yield first, between, second


PARTICLES = PREPOSITIONS | word_set("up down out away back apart together")
"""Words that are no modifiers of a noun, whatever the dictionary says."""

LINKS = PREPOSITIONS | {"be"}
"""Keys of which one stands beside an adjective of likeness (`A is like B`)."""

COORDINATION = word_set("and or nor plus but with as")
"""What stands between two parts that have the same role."""

DROPPED_IN_ORDER = ARTICLES | {"do"}
"""Keys that come and go when parts change their places."""


def _check_role_swap(old: list[Word], new: list[Word]) -> str:
    keys, new_keys = _rest(old, DROPPED_IN_ORDER), _rest(new, DROPPED_IN_ORDER)
    if Counter(keys) != Counter(new_keys):
        is_voice = keys.count("by") != new_keys.count("by")
        return "voice changed" if is_voice else "function words changed"
    forms = {word.key: word.form for word in old}
    found = [
        _judge_exchange(first, between, second, forms)
        for first, between, second in _exchanges(keys, new_keys)
        if set(between) - COORDINATION
        and (first[0] in PREPOSITIONS) == (second[0] in PREPOSITIONS)
        and _names_something(first)
        and _names_something(second)
    ]
    if not found:
        return "no two parts exchanged"
    return "" if "" in found else min(found, key=EDIT_REASONS.index)


def _names_something(keys: list[str]) -> bool:
    return any(key in PRONOUNS or key not in FUNCTION_WORDS for key in keys)


def _judge_exchange(
    first: list[str], between: list[str], second: list[str], forms: dict[str, str]
) -> str:
    """Say why an exchange of two parts swaps no roles, or `""`."""
    if all(len(part) == 1 and _is_modifier(forms[part[0]]) for part in (first, second)):
        return "only modifiers exchanged"
    passed = set(between)
    content = passed - FUNCTION_WORDS
    symmetric = set(SYMMETRIC_VERBS)
    if "with" in passed:
        symmetric |= RECIPROCAL_VERBS
    if passed & LINKS:
        symmetric |= SYMMETRIC_HOSTS
    is_symmetric = bool(content) and content <= symmetric
    is_kept = passed <= {"be"} or content == {"say"} or is_symmetric
    return "exchange keeps the meaning" if is_kept else ""


def _is_modifier(form: str) -> bool:
    """Return True for a word that is an adjective, no noun of the vocabulary and no particle."""
    return is_adjective(form) and form not in NOUN_KINDS and form not in PARTICLES


def _check_time_order(old: list[Word], new: list[Word]) -> str:
    prepositions = [Counter(_kept(words, PREPOSITIONS)) for words in (old, new)]
    if prepositions[0] != prepositions[1]:
        return "function words changed"
    if _rest(old, TIME_WORDS | FUNCTION_WORDS) == _rest(new, TIME_WORDS | FUNCTION_WORDS):
        changed = _changed_order_words(old, new)
        if changed is not None:
            return "" if changed in ORDER_OPPOSITES else "order of events stays"
    orders = [list(_orders(words)) for words in (old, new)]
    if not orders[0] or not orders[1]:
        return "no word of time order"
    if len(orders[0]) != len(orders[1]):
        return "order of events stays"
    is_reversed = any(_is_reversed(*pair) for pair in zip(*orders, strict=True))
    return "" if is_reversed else "order of events stays"


def _changed_order_words(old: list[Word], new: list[Word]) -> frozenset[str] | None:
    """Return the one word of time order and the one that stands for it, or None.

    Words between two events are left out: their place counts as well.
    """
    keys = [_kept(words, TIME_WORDS) for words in (old, new)]
    if len(keys[0]) != len(keys[1]):
        return None
    pairs = [frozenset(pair) for pair in zip(*keys, strict=True) if pair[0] != pair[1]]
    is_plain = len(pairs) == 1 and bool(pairs[0] - set(ORDER_WORDS))
    return pairs[0] if is_plain else None


def _orders(words: list[Word]) -> Iterator[tuple[set[str], set[str]]]:
    """Yield for each word of time order the words of the earlier and of the later event."""
    for place, word in enumerate(words):
        if word.key not in ORDER_WORDS:
            continue
        left, right = words[:place], words[place + 1 :]
        if not _content(left):
            cut = _end_of_clause(right)
            left, right = right[cut:], right[:cut]
        is_passive = bool(right) and right[0].form == "by"
        if (ORDER_WORDS[word.key] == EARLIER_FIRST) == is_passive:
            left, right = right, left
        yield _keys(left), _keys(right)


def _end_of_clause(words: list[Word]) -> int:
    """Return where the clause ends that a sentence opens with: at its comma."""
    for place, word in enumerate(words):
        if word.ends_clause:
            return place + 1
    return len(words)


def _keys(words: list[Word]) -> set[str]:
    return set(_rest(words, TIME_WORDS | ARTICLES))


def _is_reversed(old: tuple[set[str], set[str]], new: tuple[set[str], set[str]]) -> bool:
    """Return True if something that was earlier is later now, and the other way round.

    Pronouns and the like count only where an event has no other word.
    """
    to_later = (old[0] - old[1]) & (new[1] - new[0])
    to_earlier = (old[1] - old[0]) & (new[0] - new[1])
    if all(event - FUNCTION_WORDS for event in old):
        to_later, to_earlier = to_later - FUNCTION_WORDS, to_earlier - FUNCTION_WORDS
    return bool(to_later and to_earlier)


def _check_quantifier(old: list[Word], new: list[Word]) -> str:
    (kinds, rest), (new_kinds, new_rest) = (_without_quantifiers(words) for words in (old, new))
    if len(kinds) != len(new_kinds):
        return "quantifier added or removed"
    n_changed = sum(one != two for one, two in zip(kinds, new_kinds, strict=True))
    if n_changed == 0:
        is_same = bool(kinds) and rest == new_rest
        return "quantifier means the same" if is_same else "no quantifier replaced"
    if n_changed > 1:
        return "several quantifiers changed"
    return "" if rest == new_rest else "other words changed"


def _without_quantifiers(words: list[Word]) -> tuple[list[str], list[str]]:
    """Return what each quantifier stands for, and all keys with a placeholder for each."""
    found, rest = [], []
    for place, word in enumerate(words):
        following = words[place + 1] if place + 1 < len(words) else None
        is_bound = word.form in BOUNDS and following is not None and _is_figure(following)
        kind = BOUNDS[word.form] if is_bound else QUANTIFIERS.get(word.form)
        if kind and rest and rest[-1] == "not" and words[place - 1].form == "not":
            rest.pop()
            kind = f"not {kind}"
        if kind:
            found.append(kind)
            rest.append(PLACEHOLDER.key)
        elif word.key not in QUANTIFIER_COMPANIONS:
            rest.append(word.key)
    return found, rest


def _is_figure(word: Word) -> bool:
    return word.form == "$" or any(amount.kind == "number" for amount in read_amounts([word])[0])


def _check_hedge(old: list[Word], new: list[Word]) -> str:
    hedges = [[w for w in words if _degree(w)] for words in (old, new)]
    forms = [[w.key for w in words] for words in hedges]
    if forms[0] == forms[1]:
        return "no hedge changed"
    degrees = [Counter(_degree(w) for w in words if _degree(w) != CERTAIN) for words in hedges]
    if degrees[0] == degrees[1]:
        return "hedge means the same"
    rests = [
        [w.key for w in words if not _degree(w) and w.key not in HEDGE_COMPANIONS]
        for words in (old, new)
    ]
    return "" if rests[0] == rests[1] else "other words changed"


def _degree(word: Word) -> str:
    return HEDGES.get(word.form) or HEDGES.get(word.key, "")


PERSON, PLACE = "person", "place"
KINDS = {
    name.lower(): kind
    for kind, examples in {
        PLACE: ("Pakistan", "London", "Texas"),
        PERSON: ("Obama",),
        "company": ("Google", "Toyota"),
        "team": ("Broncos", "Lakers", "Arsenal"),
        "language": ("Dutch",),
    }.items()
    for example in examples
    for names in NAMES_OF_A_KIND
    if example in names
    for name in names
}
"""Kind of each name of the tables where several of them hold one kind."""

KIND_MARKS = {
    **dict.fromkeys(word_set("university college institute bank corporation inc ltd"), "company"),
    **dict.fromkeys(word_set("river lake street road island airport mount park square"), PLACE),
}
"""Words of a name that tell its kind."""

INNER_WORDS = word_set("of the de la van von")
"""Words inside names that are written in lower case."""


def _name_kinds() -> dict[str, set[str]]:
    """The kinds of each word of a known name, in lower case."""
    kinds: dict[str, set[str]] = {}
    for number, names in enumerate(NAMES_OF_A_KIND):
        for name in names:
            for word in name.lower().split():
                kinds.setdefault(word, set()).add(KINDS.get(name.lower(), str(number)))
    for name in MALE_NAMES | FEMALE_NAMES:
        kinds.setdefault(name.lower(), set()).add(PERSON)
    for word, kind in KIND_MARKS.items():
        kinds.setdefault(word, set()).add(kind)
    return kinds


def _noun_kinds() -> dict[str, set[tuple[int, int]]]:
    """The class and the group of synonyms of each noun of the vocabulary."""
    kinds: dict[str, set[tuple[int, int]]] = {}
    for number, noun_class in enumerate(NOUN_CLASSES):
        for group, nouns in enumerate(noun_class.words):
            for noun in nouns:
                kinds.setdefault(noun.lower(), set()).add((number, group))
    return kinds


NAME_KINDS = _name_kinds()
NOUN_KINDS = _noun_kinds()
ALIASES = {
    frozenset((country.lower(), alias.lower()))
    for country, aliases in COUNTRIES.items()
    for alias in aliases.split()
}
NO_NAMES = (
    FUNCTION_WORDS
    | NEGATIVE
    | NEGATION_COMPANIONS
    | TIME_WORDS
    | frozenset((*QUANTIFIERS, *HEDGES))
)


def _check_entity_swap(old: list[Word], new: list[Word]) -> str:
    blocks = [
        part
        for block in _blocks(old, new)
        for part in _parted(*block, old, new)
        if _rest(part[0], ARTICLES) != _rest(part[1], ARTICLES)
    ]
    verdicts = [_judge_replacement(gone, come, old, new) for gone, come in blocks]
    replaced = [
        block
        for block, verdict in zip(blocks, verdicts, strict=True)
        if verdict != "no name replaced"
    ]
    if not replaced:
        return "no name replaced"
    pairs = {tuple(" ".join(w.form for w in side) for side in block) for block in replaced}
    if len(pairs) > 1:
        return "several names changed"
    reason = next((v for v in verdicts if v and v != "no name replaced"), "")
    if reason:
        return reason
    return "" if len(replaced) == len(blocks) else "other words changed"


def _parted(
    gone: list[Word], come: list[Word], old: list[Word], new: list[Word]
) -> list[tuple[list[Word], list[Word]]]:
    """Part names from other words that were replaced beside them, if word stands for word."""
    if len(gone) != len(come):
        return [(gone, come)]
    pairs = zip(gone, come, strict=True)
    parts = [
        list(group) for _, group in groupby(pairs, key=lambda pair: _are_alike(pair, old, new))
    ]
    return [([one for one, _ in part], [two for _, two in part]) for part in parts]


def _are_alike(pair: tuple[Word, Word], old: list[Word], new: list[Word]) -> bool:
    """Return True if both words are names, or both nouns of the vocabulary."""
    are_names = _is_name([pair[0]], old) and _is_name([pair[1]], new)
    return are_names or all(word.key in NOUN_KINDS for word in pair)


def _judge_replacement(gone: list[Word], come: list[Word], old: list[Word], new: list[Word]) -> str:
    """Say why a replacement is none of a name by another one of its kind, or `""`."""
    sides = [_rest(side, ARTICLES) for side in (gone, come)]
    if not all(sides) or any(read_amounts(side)[0] for side in (gone, come)):
        return "no name replaced"
    if _is_name(gone, old) and _is_name(come, new):
        forms = [{word.form for word in side} for side in (gone, come)]
        if forms[0] <= forms[1] or forms[1] <= forms[0] or _are_aliases(*forms):
            return "name means the same"
        kinds = [set().union(*(NAME_KINDS.get(form, set()) for form in side)) for side in forms]
        is_other = kinds[0] and kinds[1] and not kinds[0] & kinds[1]
        return "name of another kind" if is_other else ""
    nouns = [NOUN_KINDS.get(" ".join(side)) for side in sides]
    if not (nouns[0] and nouns[1]):
        return "no name replaced"
    if nouns[0] & nouns[1]:
        return "name means the same"
    shared = {number for number, _ in nouns[0]} & {number for number, _ in nouns[1]}
    return "" if shared else "name of another kind"


def _are_aliases(one: set[str], other: set[str]) -> bool:
    return any(frozenset((a, b)) in ALIASES for a in one for b in other)


def _is_name(span: list[Word], words: list[Word]) -> bool:
    """Return True if all words of a span are written as names, or known as such."""
    is_lower = all(word.text.islower() for word in words if word.text[0].isalpha())
    for word in span:
        if word.form in ARTICLES or (word.form in INNER_WORDS and len(span) > 1):
            continue
        if word.form in NO_NAMES or read_amounts([word])[0]:
            return False
        if is_lower:
            if word.form not in NAME_KINDS:
                return False
        elif word.text.islower() or not _is_plainly_a_name(word, words):
            return False
    return True


def _is_plainly_a_name(word: Word, words: list[Word]) -> bool:
    """Return True unless a capital may be there only because the sentence begins."""
    if word is not words[0] or word.form in NAME_KINDS:
        return True
    return not is_known_word(word.form) or word.text.isupper()


def _check_scope(old: list[Word], new: list[Word]) -> str:
    keys, new_keys = _rest(old, DROPPED_IN_ORDER), _rest(new, DROPPED_IN_ORDER)
    if Counter(keys) != Counter(new_keys):
        return "function words changed"
    forms = {word.key: word.form for word in old}
    for first, between, second in _exchanges(keys, new_keys):
        if not between:
            is_opening = keys[: len(first)] == first
            is_moved = any(
                _is_moved_modifier(span, passed, forms, is_opening)
                for span, passed in ((first, second), (second, first))
            )
            if is_moved:
                return ""
        elif set(between) - FUNCTION_WORDS and all(
            len(part) == 1 and (part[0] in SCOPE_WORDS or _is_modifier(forms[part[0]]))
            for part in (first, second)
        ):
            return ""
    return "no modifier moved"


NEGATION_RAISERS = word_set(
    "think believe suppose expect want guess feel imagine seem appear reckon intend"
)
"""Keys of verbs whose negation is understood as that of what follows (`I don't think he came`)."""

LONGEST_MODIFIER = 3
"""Words of the longest phrase that counts as a modifier, without articles."""


def _is_moved_modifier(
    span: list[str], passed: list[str], forms: dict[str, str], is_opening: bool
) -> bool:
    """Return True for words of scope, or an adjective or phrase, that passed a word of content.

    A phrase that went in front, or changed places with another one, applies to what it did; so does
    a negation that passed a verb of `NEGATION_RAISERS`.
    """
    if not set(passed) - FUNCTION_WORDS:
        return False
    if all(key in SCOPE_WORDS for key in span):
        return span != ["not"] or not set(passed) & NEGATION_RAISERS
    if len(span) == 1:
        return _is_modifier(forms[span[0]])
    if is_opening or passed[0] in PREPOSITIONS:
        return False
    return len(span) <= LONGEST_MODIFIER and span[0] in PREPOSITIONS


CHECKS: dict[str, Callable[[list[Word], list[Word]], str]] = {
    "negation": _check_negation,
    "numbers": _check_numbers,
    "role_swap": _check_role_swap,
    "time_order": _check_time_order,
    "quantifier": _check_quantifier,
    "hedge": _check_hedge,
    "entity_swap": _check_entity_swap,
    "scope": _check_scope,
}
"""The check of each trap type, on the words of anchor and trap."""
