"""Labelled pairs by patterns: what the perturbation rules give too few of.

Word order, scope, quantifiers, certainty and time are rare in sentences of the corpora, and a swap
of any two noun phrases is mostly nonsense that gives its label away. So short statements of the
corpora, and plain sentences of closed word lists, are put into frames whose relation is known: two
frames of one class say the same thing, two of different classes are labelled by a table. Each
frame stands in pairs of every label, so that no word of it tells the label.

No randomness: what is drawn depends on hashes of a seed and of the texts.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from embsyntax.entailment_labels import CONTRADICTION, ENTAILMENT, NEUTRAL

Item = TypeVar("Item")


class PatternPair(NamedTuple):
    """A labelled pair.

    Attributes:
        premise: first text.
        hypothesis: second text.
        label: what the premise says of the hypothesis.
        pattern: name of the pattern.
    """

    premise: str
    hypothesis: str
    label: str
    pattern: str


@dataclass(frozen=True)
class Statement:
    """A plain statement of a corpus.

    Attributes:
        text: the sentence.
        subject: its subject as it stands there, or "".
        object: its direct object as it stands there, or "".
    """

    text: str
    subject: str = ""
    object: str = ""


OPENINGS = ("a", "an", "the", "two", "three", "four", "five", "some", "several", "one", "people")
"""First words of statements whose capital can go."""

MOST_WORDS = 11
STATEMENT = re.compile(r"(?P<text>[A-Z][\w' -]+?)\s*\.?\s*")
BE = re.compile(r"(?P<subject>.+?) (?P<be>is|are|was|were) (?P<rest>.+)")
PLURAL = re.compile(
    r"(?:Two|Three|Four|Five|Six|Some|Several|Many|The) "
    r"(?P<noun>(?:[a-z]+ ){0,2}(?:[a-z]+[a-rt-z]s|men|women|people|children)) "
    r"(?P<be>are|were) (?P<rest>.+)"
)
EXISTENTIAL = re.compile(r"\b(there|it|this|that|these|those|not|no|never)\b", re.IGNORECASE)

PEOPLE = (
    *("doctor", "nurse", "teacher", "lawyer", "judge", "farmer", "baker", "pilot", "singer"),
    *("painter", "driver", "student", "gardener", "banker", "soldier", "writer", "plumber"),
    *("waiter", "cook", "tailor", "tourist", "mayor", "priest", "guard", "clerk", "sailor"),
    *("dentist", "tenant", "landlord", "manager", "actor", "miner", "butcher", "librarian"),
    *("coach", "goalkeeper", "senator", "minister", "reporter", "witness", "client", "editor"),
)
TRANSITIVE = (
    *(("thanked", "thanked"), ("visited", "visited"), ("called", "called"), ("saw", "seen")),
    *(("helped", "helped"), ("followed", "followed"), ("blamed", "blamed"), ("hired", "hired")),
    *(("praised", "praised"), ("chose", "chosen"), ("beat", "beaten"), ("warned", "warned")),
    *(("forgave", "forgiven"), ("ignored", "ignored"), ("invited", "invited"), ("sued", "sued")),
    *(("photographed", "photographed"), ("recognised", "recognised"), ("hurt", "hurt")),
    *(("criticised", "criticised"), ("greeted", "greeted"), ("pushed", "pushed")),
    *(("interviewed", "interviewed"), ("admired", "admired"), ("taught", "taught")),
    *(("accused", "accused"), ("defended", "defended"), ("replaced", "replaced")),
)
CONVERSES = (
    ("{a} sold {thing} to {b}.", "{b} bought {thing} from {a}."),
    ("{a} lent {b} {thing}.", "{b} borrowed {thing} from {a}."),
    ("{a} gave {thing} to {b}.", "{b} received {thing} from {a}."),
    ("{a} handed {b} {thing}.", "{b} was handed {thing} by {a}."),
    ("{a} is older than {b}.", "{b} is younger than {a}."),
    ("{a} is taller than {b}.", "{b} is shorter than {a}."),
    ("{a} is richer than {b}.", "{b} is poorer than {a}."),
    ("{a} earns more than {b}.", "{b} earns less than {a}."),
    ("{a} arrived earlier than {b}.", "{b} arrived later than {a}."),
    ("{a} lives above {b}.", "{b} lives below {a}."),
    ("{a} won against {b}.", "{b} lost to {a}."),
    ("{a} is the boss of {b}.", "{b} works for {a}."),
)
THINGS = (
    *("a car", "an old clock", "a bicycle", "some money", "a coat", "a ladder", "a camera"),
    *("a map", "a ticket", "a boat", "a parcel", "a letter", "a ring", "a hammer", "a novel"),
)
CIRCUMSTANCES = (
    *("in the morning", "last week", "at the party", "on the train", "in the street"),
    *("during the trial", "at work", "on Friday", "in the garden", "two years ago"),
)
EVENTS = (
    *("the meeting", "the war", "lunch", "the match", "the exam", "the funeral", "the concert"),
    *("sunrise", "the wedding", "the strike", "the storm", "breakfast", "the holidays"),
    *("the election", "the trip", "the lecture", "the harvest", "the fire", "the interview"),
)
ACTIONS = (
    ("sell the house", "sold the house", "selling the house"),
    ("open the window", "opened the window", "opening the window"),
    ("pay the bill", "paid the bill", "paying the bill"),
    ("leave the city", "left the city", "leaving the city"),
    ("repair the roof", "repaired the roof", "repairing the roof"),
    ("answer the letter", "answered the letter", "answering the letter"),
    ("buy the ticket", "bought the ticket", "buying the ticket"),
    ("read the report", "read the report", "reading the report"),
    ("close the shop", "closed the shop", "closing the shop"),
    ("call the police", "called the police", "calling the police"),
    ("wash the car", "washed the car", "washing the car"),
    ("sign the paper", "signed the paper", "signing the paper"),
    ("join the club", "joined the club", "joining the club"),
    ("change the rules", "changed the rules", "changing the rules"),
    ("visit the castle", "visited the castle", "visiting the castle"),
    ("lock the gate", "locked the gate", "locking the gate"),
    ("water the plants", "watered the plants", "watering the plants"),
    ("miss the bus", "missed the bus", "missing the bus"),
    ("finish the work", "finished the work", "finishing the work"),
    ("cross the bridge", "crossed the bridge", "crossing the bridge"),
    ("clean the kitchen", "cleaned the kitchen", "cleaning the kitchen"),
    ("eat the fish", "ate the fish", "eating the fish"),
    ("move to the coast", "moved to the coast", "moving to the coast"),
    ("lose the game", "lost the game", "losing the game"),
    ("take the train", "took the train", "taking the train"),
    ("learn the language", "learned the language", "learning the language"),
)
"""Infinitive, past and gerund of what people do."""

ADJECTIVES = (
    *("tall", "old", "small", "green", "blue", "wooden", "broken", "white", "dirty", "new"),
    *("round", "heavy", "grey", "narrow", "empty", "yellow", "large", "expensive", "wet"),
)
OBJECTS = (
    *("table", "chair", "house", "boat", "box", "lamp", "car", "fence", "bench", "tree"),
    *("bottle", "wall", "bicycle", "tower", "basket", "statue", "door", "ladder", "bag"),
)
PLACES = ("next to", "behind", "in front of", "near", "beside", "below", "to the left of")

SCALE = {
    "none": ("None of the {n} {are} {p}", "No {n} {are} {p}", "Not one of the {n} {is} {p}"),
    "few": ("Few of the {n} {are} {p}", "Hardly any of the {n} {are} {p}", "Few {n} {are} {p}"),
    "some": ("Some of the {n} {are} {p}", "Some {n} {are} {p}", "A few of the {n} {are} {p}"),
    "half": ("Half of the {n} {are} {p}", "Half the {n} {are} {p}"),
    "many": ("Many of the {n} {are} {p}", "Many {n} {are} {p}", "A lot of the {n} {are} {p}"),
    "most": (
        "Most of the {n} {are} {p}",
        "Most {n} {are} {p}",
        "The majority of the {n} {are} {p}",
    ),
    "not all": ("Not all of the {n} {are} {p}", "Not every one of the {n} {is} {p}"),
    "all": (
        "All of the {n} {are} {p}",
        "All {n} {are} {p}",
        "Every one of the {n} {is} {p}",
        "Each of the {n} {is} {p}",
    ),
}
SCALE_LABELS = {
    **dict.fromkeys(
        [
            *(("none", "some"), ("none", "all"), ("none", "most"), ("none", "many")),
            *(("few", "most"), ("few", "many"), ("few", "all"), ("all", "not all")),
            *(("all", "few"), ("most", "few"), ("many", "few"), ("all", "none")),
            *(("some", "none"), ("most", "none"), ("many", "none"), ("not all", "all")),
            *(("half", "all"), ("half", "none"), ("all", "half"), ("none", "half")),
        ],
        CONTRADICTION,
    ),
    **dict.fromkeys(
        [
            *(("some", "all"), ("some", "most"), ("some", "many"), ("many", "all")),
            *(("most", "all"), ("many", "most"), ("not all", "none"), ("few", "none")),
            *(("some", "not all"), ("some", "half"), ("not all", "few"), ("many", "half")),
        ],
        NEUTRAL,
    ),
    **dict.fromkeys(
        [("all", "some"), ("most", "some"), ("many", "some"), ("none", "not all")], ENTAILMENT
    ),
}
BOUNDS = {
    "least": ("At least {k} {n} {are} {p}", "No fewer than {k} {n} {are} {p}"),
    "most": ("At most {k} {n} {are} {p}", "No more than {k} {n} {are} {p}"),
    "more": ("More than {k} {n} {are} {p}", "Over {k} {n} {are} {p}"),
    "fewer": ("Fewer than {k} {n} {are} {p}", "Under {k} {n} {are} {p}"),
    "exact": ("Exactly {k} {n} {are} {p}", "Just {k} {n} {are} {p}"),
}
BOUND_LABELS = {
    **dict.fromkeys(
        [
            *(("more", "fewer"), ("fewer", "more"), ("more", "most"), ("fewer", "least")),
            *(("most", "more"), ("least", "fewer"), ("exact", "more"), ("exact", "fewer")),
        ],
        CONTRADICTION,
    ),
    **dict.fromkeys(
        [("least", "most"), ("most", "least"), ("least", "exact"), ("most", "exact")], NEUTRAL
    ),
    **dict.fromkeys([("exact", "least"), ("exact", "most"), ("more", "least")], ENTAILMENT),
}
COUNTS = ("ten", "fifty", "two hundred", "20", "300", "twelve", "1,000", "six", "40", "eighteen")

CERTAINTY = {
    "possible": (
        "It is possible that {a}",
        "Perhaps {a}",
        "Maybe {a}",
        "{S} may {b} {p}",
        "{S} might {b} {p}",
        "{S} {be} possibly {p}",
        "There is a chance that {a}",
    ),
    "likely": (
        "It is likely that {a}",
        "{S} {be} probably {p}",
        "{S} {be} most likely {p}",
        "In all likelihood, {a}",
    ),
    "certain": (
        "It is certain that {a}",
        "{S} {be} definitely {p}",
        "{S} {be} certainly {p}",
        "There is no doubt that {a}",
        "Undoubtedly, {a}",
    ),
}
CERTAINTY_LABELS = {
    ("possible", "certain"): NEUTRAL,
    ("possible", "likely"): NEUTRAL,
    ("likely", "certain"): NEUTRAL,
    ("certain", "likely"): ENTAILMENT,
}
PLAIN_LABELS = {"possible": NEUTRAL, "likely": NEUTRAL, "certain": ENTAILMENT}
"""What a statement with a degree of certainty says of the plain one."""

BELIEFS = {
    "belief": (
        "Experts believe that {a}",
        "Experts think that {a}",
        "In the opinion of experts, {a}",
        "Experts suspect that {a}",
    ),
    "knowledge": (
        "Experts know that {a}",
        "Experts are sure that {a}",
        "Experts have proved that {a}",
    ),
    "report": ("Reportedly, {a}", "It is said that {a}", "{S} {be} allegedly {p}"),
    "fact": ("It is a fact that {a}", "{S} {be} without doubt {p}"),
}
BELIEF_LABELS = {
    ("belief", "knowledge"): NEUTRAL,
    ("report", "fact"): NEUTRAL,
    ("belief", "fact"): NEUTRAL,
    ("report", "knowledge"): NEUTRAL,
    ("knowledge", "fact"): ENTAILMENT,
}
FREQUENCY = {
    "always": ("{S} {be} always {p}", "At all times {a}", "{S} {be} constantly {p}"),
    "often": ("{S} {be} often {p}", "{S} {be} frequently {p}", "Often {a}"),
    "sometimes": ("{S} {be} sometimes {p}", "At times {a}", "{S} {be} occasionally {p}"),
    "rarely": ("{S} {be} rarely {p}", "{S} {be} seldom {p}", "{S} {be} hardly ever {p}"),
    "never": ("{S} {be} never {p}", "At no time {be} {s} {p}"),
}
FREQUENCY_LABELS = {
    **dict.fromkeys(
        [
            *(("always", "rarely"), ("always", "never"), ("often", "rarely"), ("often", "never")),
            *(("rarely", "always"), ("never", "always"), ("rarely", "often"), ("never", "often")),
            *(("sometimes", "never"), ("never", "sometimes"), ("never", "rarely")),
        ],
        CONTRADICTION,
    ),
    **dict.fromkeys(
        [
            *(("sometimes", "always"), ("often", "always"), ("sometimes", "often")),
            *(("rarely", "never"), ("sometimes", "rarely")),
        ],
        NEUTRAL,
    ),
    **dict.fromkeys([("always", "often"), ("often", "sometimes")], ENTAILMENT),
}
PROSPECTS = {
    "will": ("The {x} will {v}", "The {x} is going to {v}", "The {x} is certain to {v}"),
    "probably": (
        "The {x} will probably {v}",
        "The {x} is likely to {v}",
        "It is likely that the {x} will {v}",
    ),
    "may": (
        "The {x} may {v}",
        "The {x} might {v}",
        "The {x} could {v}",
        "Perhaps the {x} will {v}",
        "It is possible that the {x} will {v}",
    ),
    "not": ("The {x} will not {v}", "The {x} is not going to {v}", "The {x} won't {v}"),
}
PROSPECT_LABELS = {
    ("may", "will"): NEUTRAL,
    ("probably", "will"): NEUTRAL,
    ("may", "probably"): NEUTRAL,
    ("will", "may"): ENTAILMENT,
    ("will", "not"): CONTRADICTION,
    ("not", "will"): CONTRADICTION,
    ("may", "not"): NEUTRAL,
    ("not", "probably"): CONTRADICTION,
}
NOT_SCOPES = (
    {
        "inner": ("The {x} decided not to {v}", "The {x} made the decision not to {v}"),
        "outer": ("The {x} did not decide to {v}", "The {x} made no decision to {v}"),
    },
    {
        "inner": ("The {x} promised not to {v}", "The {x} gave a promise not to {v}"),
        "outer": ("The {x} did not promise to {v}", "The {x} gave no promise to {v}"),
    },
    {
        "inner": ("The {x} told the {y} not to {v}", "The {y} was told by the {x} not to {v}"),
        "outer": (
            "The {x} did not tell the {y} to {v}",
            "The {y} was not told by the {x} to {v}",
        ),
    },
    {
        "inner": ("The {x} tried not to {v}", "The {x} made an effort not to {v}"),
        "outer": ("The {x} did not try to {v}", "The {x} made no effort to {v}"),
    },
    {
        "inner": (
            "The {x} said that the {y} did not {v}",
            "According to the {x}, the {y} did not {v}",
        ),
        "outer": (
            "The {x} did not say that the {y} {past}",
            "It was not said by the {x} that the {y} {past}",
        ),
    },
    {
        "inner": (
            "The {x} proved that the {y} did not {v}",
            "That the {y} did not {v} was proved by the {x}",
        ),
        "outer": (
            "The {x} did not prove that the {y} {past}",
            "It was not proved by the {x} that the {y} {past}",
        ),
    },
)
NOT_LABELS = {("inner", "outer"): NEUTRAL, ("outer", "inner"): NEUTRAL}
CROWDS = {
    "all": ("Everyone in the {g} {past}", "Everybody in the {g} {past}"),
    "none": ("Nobody in the {g} {past}", "No one in the {g} {past}"),
    "some": ("Someone in the {g} {past}", "Somebody in the {g} {past}"),
    "not all": ("Not everyone in the {g} {past}", "Not everybody in the {g} {past}"),
}
GROUPS = ("family", "team", "office", "village", "class", "group", "choir", "company", "street")
FOCUS = {
    "only": (
        ("Only {x}", "Just {x}", "No one but {x}"),
        ("only {x}", "just {x}", "nothing but {x}"),
    ),
    "even": (("Even {x}",), ("even {x}",)),
}

EARLIER_FIRST = (
    "{A} before {b}.",
    "Before {b}, {a}.",
    "{B} after {a}.",
    "After {a}, {b}.",
    "{A}, and then {b}.",
    "First {a}, then {b}.",
)
"""Frames of two clauses that say: a comes before b."""


class Draw:
    """Choices that depend on a seed and on a key."""

    def __init__(self, seed: int) -> None:
        """Keep the seed."""
        self.seed = seed

    def number(self, *key: object) -> int:
        """Return a whole number that depends on the key."""
        text = "\x1f".join(map(str, (self.seed, *key)))
        return int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:8], "big")

    def pick(self, options: Sequence[Item], *key: object) -> Item:
        """Return one of the options."""
        return options[self.number(*key) % len(options)]

    def shuffle(self, items: Iterable[Item], *key: object) -> list[Item]:
        """Return items without repetition in an order that depends on each alone."""
        return sorted(dict.fromkeys(items), key=lambda item: self.number(*key, item))


def make_pattern_pairs(
    statements: Sequence[Statement], limit: int, seed: int
) -> Iterator[PatternPair]:
    """Make pairs of every pattern.

    Args:
        statements: plain statements of corpora, without repetition.
        limit: most pairs of a pattern.
        seed: of what is drawn.

    Yields:
        The pairs, pattern by pattern; a pattern gives fewer where there are not enough statements.
    """
    draw = Draw(seed)
    plain = [clause for statement in statements if (clause := _read_clause(statement))]
    for name, make in PATTERNS.items():
        pairs = (PatternPair(*pair, name) for pair in make(plain, draw))
        yield from itertools.islice(pairs, limit)


class Clause(NamedTuple):
    """A statement that can stand inside another sentence.

    Attributes:
        text: without the point at its end.
        inner: the same without its capital.
        statement: where it comes from.
    """

    text: str
    inner: str
    statement: Statement


Pair = tuple[str, str, str]
Maker = Callable[[Sequence[Clause], Draw], Iterator[Pair]]


def _read_clause(statement: Statement) -> Clause | None:
    """Return a short positive statement as a clause, or None."""
    match = STATEMENT.fullmatch(statement.text)
    if match is None or EXISTENTIAL.search(match["text"]):
        return None
    text = match["text"]
    words = text.split()
    if not 4 <= len(words) <= MOST_WORDS or words[0].lower() not in OPENINGS:
        return None
    return Clause(text, text[0].lower() + text[1:], statement)


def _relate(
    frames: Mapping[str, Sequence[str]],
    labels: Mapping[tuple[str, str], str],
    cells: Mapping[str, str],
    draw: Draw,
    key: str,
) -> Iterator[Pair]:
    """Yield a pair of one class, a pair of two that is no entailment, and now and then one that is.

    Args:
        frames: class -> texts with places, which all say the same thing.
        labels: what the first class says of the second.
        cells: what stands in the places.
        draw: of classes and frames.
        key: of the draws.
    """

    def fill(name: str, part: str) -> str:
        return draw.pick(frames[name], key, name, part).format_map(cells) + "."

    wide = [name for name in frames if len(frames[name]) > 1]
    same = draw.pick(wide, key, "same")
    first, second = draw.shuffle(frames[same], key)[:2]
    yield first.format_map(cells) + ".", second.format_map(cells) + ".", ENTAILMENT
    apart = [pair for pair, label in labels.items() if label != ENTAILMENT]
    first, second = draw.pick(apart, key, "apart")
    yield fill(first, "premise"), fill(second, "hypothesis"), labels[first, second]
    within = [pair for pair, label in labels.items() if label == ENTAILMENT]
    if within and draw.number(key, "within") % 3 == 0:
        first, second = draw.pick(within, key, "within")
        yield fill(first, "premise"), fill(second, "hypothesis"), ENTAILMENT


def _be_cells(clause: Clause) -> dict[str, str] | None:
    """Return the parts of a clause with a form of `be`, or None."""
    match = BE.fullmatch(clause.text)
    if match is None or BE.fullmatch(match["rest"]):
        return None
    subject = match["subject"]
    return {
        "a": clause.inner,
        "S": subject,
        "s": subject[0].lower() + subject[1:],
        "be": match["be"],
        "b": "be" if match["be"] in ("is", "are") else "have been",
        "p": match["rest"],
    }


def _make_certainty(clauses: Sequence[Clause], draw: Draw) -> Iterator[Pair]:
    for clause in draw.shuffle(clauses, "certainty"):
        cells = _be_cells(clause)
        if cells is None:
            continue
        yield from _relate(CERTAINTY, CERTAINTY_LABELS, cells, draw, f"certainty {clause.text}")
        name = draw.pick(list(PLAIN_LABELS), "plain", clause.text)
        frame = draw.pick(CERTAINTY[name], "plain frame", clause.text).format_map(cells)
        yield f"{frame}.", f"{clause.text}.", PLAIN_LABELS[name]


def _make_beliefs(clauses: Sequence[Clause], draw: Draw) -> Iterator[Pair]:
    for clause in draw.shuffle(clauses, "beliefs"):
        if cells := _be_cells(clause):
            yield from _relate(BELIEFS, BELIEF_LABELS, cells, draw, f"beliefs {clause.text}")


def _make_frequencies(clauses: Sequence[Clause], draw: Draw) -> Iterator[Pair]:
    for clause in draw.shuffle(clauses, "frequencies"):
        if cells := _be_cells(clause):
            yield from _relate(FREQUENCY, FREQUENCY_LABELS, cells, draw, f"freq {clause.text}")


def _plural_cells(clauses: Sequence[Clause], draw: Draw, name: str) -> Iterator[dict[str, str]]:
    for clause in draw.shuffle(clauses, name):
        match = PLURAL.fullmatch(clause.text)
        if match:
            is_past = match["be"] == "were"
            yield {
                "n": match["noun"],
                "are": match["be"],
                "is": "was" if is_past else "is",
                "p": match["rest"],
                "k": draw.pick(COUNTS, name, clause.text),
            }


def _make_quantifiers(clauses: Sequence[Clause], draw: Draw) -> Iterator[Pair]:
    for cells in _plural_cells(clauses, draw, "quantifiers"):
        for turn in range(2):
            key = f"quantifiers {turn} {cells['n']} {cells['p']}"
            yield from _relate(SCALE, SCALE_LABELS, cells, draw, key)


def _make_bounds(clauses: Sequence[Clause], draw: Draw) -> Iterator[Pair]:
    for cells in _plural_cells(clauses, draw, "bounds"):
        yield from _relate(BOUNDS, BOUND_LABELS, cells, draw, f"bounds {cells['n']} {cells['p']}")


def _make_crowds(clauses: Sequence[Clause], draw: Draw) -> Iterator[Pair]:
    labels = {pair: label for pair, label in SCALE_LABELS.items() if set(pair) <= set(CROWDS)}
    for group, (_, past, _) in draw.shuffle(itertools.product(GROUPS, ACTIONS), "crowds"):
        yield from _relate(
            CROWDS, labels, {"g": group, "past": past}, draw, f"crowds {group} {past}"
        )


def _make_prospects(clauses: Sequence[Clause], draw: Draw) -> Iterator[Pair]:
    for person, action in draw.shuffle(itertools.product(PEOPLE, ACTIONS), "prospects"):
        cells = {"x": person, "v": action[0]}
        key = f"prospects {person} {action[0]}"
        yield from _relate(PROSPECTS, PROSPECT_LABELS, cells, draw, key)


def _make_negation_scopes(clauses: Sequence[Clause], draw: Draw) -> Iterator[Pair]:
    for person, action in draw.shuffle(itertools.product(PEOPLE, ACTIONS), "negation scopes"):
        key = f"negation scopes {person} {action[0]}"
        other = draw.pick([name for name in PEOPLE if name != person], key, "other")
        cells = {"x": person, "y": other, "v": action[0], "past": action[1]}
        yield from _relate(draw.pick(NOT_SCOPES, key), NOT_LABELS, cells, draw, key)


def _make_roles(clauses: Sequence[Clause], draw: Draw) -> Iterator[Pair]:
    for one, other in draw.shuffle(itertools.permutations(PEOPLE, 2), "roles"):
        key = f"roles {one} {other}"
        past, participle = draw.pick(TRANSITIVE, key, "verb")
        when = draw.pick(CIRCUMSTANCES, key, "when")
        frames = [
            "The {a} {past} the {b} {when}.",
            "The {b} was {participle} by the {a} {when}.",
            "It was the {a} who {past} the {b} {when}.",
            "{When}, the {a} {past} the {b}.",
            "{When}, the {b} was {participle} by the {a}.",
        ]
        cells = {"past": past, "participle": participle, "when": when}
        cells["When"] = when[0].upper() + when[1:]

        def fill(frame: str, a: str, b: str, cells: Mapping[str, str] = cells) -> str:
            return frame.format_map({**cells, "a": a, "b": b})

        first, second, third = draw.shuffle(frames, key)[:3]
        yield fill(first, one, other), fill(second, one, other), ENTAILMENT
        yield fill(first, one, other), fill(first, other, one), CONTRADICTION
        yield fill(second, one, other), fill(third, other, one), CONTRADICTION


def _make_converses(clauses: Sequence[Clause], draw: Draw) -> Iterator[Pair]:
    for one, other in draw.shuffle(itertools.permutations(PEOPLE, 2), "converses"):
        key = f"converses {one} {other}"
        frames = draw.pick(CONVERSES, key)
        thing = draw.pick(THINGS, key)
        cells = {"a": f"the {one}", "b": f"the {other}", "thing": thing}
        swapped = {**cells, "a": cells["b"], "b": cells["a"]}
        turn = draw.number(key, "turn") % 2
        first, second = (frames[turn], frames[1 - turn])
        for frame, filling, label in (
            (second, cells, ENTAILMENT),
            (first, swapped, CONTRADICTION),
            (second, swapped, CONTRADICTION),
        ):
            texts = (first.format_map(cells), frame.format_map(filling))
            yield (*(text[0].upper() + text[1:] for text in texts), label)


def _make_orders(clauses: Sequence[Clause], draw: Draw) -> Iterator[Pair]:
    short = [clause for clause in clauses if len(clause.text.split()) < MOST_WORDS - 2]
    mixed = draw.shuffle(short, "orders")
    for one, other in zip(mixed[::2], mixed[1::2], strict=False):
        key = f"orders {one.text} {other.text}"
        cells = {"A": one.text, "a": one.inner, "B": other.text, "b": other.inner}
        swapped = {"A": other.text, "a": other.inner, "B": one.text, "b": one.inner}
        first, second, third = draw.shuffle(EARLIER_FIRST, key)[:3]
        yield first.format_map(cells), second.format_map(cells), ENTAILMENT
        yield first.format_map(cells), first.format_map(swapped), CONTRADICTION
        yield second.format_map(cells), third.format_map(swapped), CONTRADICTION


def _make_action_orders(clauses: Sequence[Clause], draw: Draw) -> Iterator[Pair]:
    frames = (
        "The {x} {past1} before {ing2}.",
        "Before {ing2}, the {x} {past1}.",
        "The {x} {past2} after {ing1}.",
        "After {ing1}, the {x} {past2}.",
        "The {x} {past1} and then {past2}.",
        "First the {x} {past1}, then the {x} {past2}.",
        "The {x} {past1}. Later, the {x} {past2}.",
    )
    for person, first, second in draw.shuffle(
        itertools.product(PEOPLE, ACTIONS[::2], ACTIONS[1::2]), "action orders"
    ):
        key = f"action orders {person} {first[0]} {second[0]}"
        cells = {"x": person, "past1": first[1], "ing1": first[2]}
        cells |= {"past2": second[1], "ing2": second[2]}
        swapped = {"x": person, "past2": first[1], "ing2": first[2]}
        swapped |= {"past1": second[1], "ing1": second[2]}
        one, two, three = draw.shuffle(frames, key)[:3]
        yield one.format_map(cells), two.format_map(cells), ENTAILMENT
        yield one.format_map(cells), one.format_map(swapped), CONTRADICTION
        yield two.format_map(cells), three.format_map(swapped), CONTRADICTION


def _make_times(clauses: Sequence[Clause], draw: Draw) -> Iterator[Pair]:
    frames = {
        "before": ("{A} before {e}", "Before {e}, {a}", "{A} prior to {e}", "{A} ahead of {e}"),
        "after": ("{A} after {e}", "After {e}, {a}", "{A} following {e}"),
        "during": ("{A} during {e}", "During {e}, {a}"),
    }
    labels = dict.fromkeys(itertools.permutations(frames, 2), CONTRADICTION)
    for clause in draw.shuffle(clauses, "times"):
        cells = {"A": clause.text, "a": clause.inner, "e": draw.pick(EVENTS, clause.text)}
        yield from _relate(frames, labels, cells, draw, f"times {clause.text}")


def _make_focus(clauses: Sequence[Clause], draw: Draw) -> Iterator[Pair]:
    """`Only` and `even` before the subject or before the object of a statement."""
    for clause in draw.shuffle(clauses, "focus"):
        subject, thing, text = clause.statement.subject, clause.statement.object, clause.text
        if not (subject and thing and text.startswith(subject)) or text.count(f" {thing}") != 1:
            continue
        word = "even" if draw.number("focus word", text) % 4 == 0 else "only"
        openings, inner = FOCUS[word]
        low = subject[0].lower() + subject[1:]
        rest = text.removeprefix(subject)
        on_subject = [f"{opening.format(x=low)}{rest}." for opening in openings]
        on_object = [f"{text.replace(f' {thing}', f' {form.format(x=thing)}')}." for form in inner]
        yield on_subject[0], on_object[0], NEUTRAL
        yield on_object[-1], on_subject[0], NEUTRAL
        if len(on_object) > 1:
            yield (*draw.shuffle(on_object, text)[:2], ENTAILMENT)
            yield (*draw.shuffle(on_subject, text)[:2], ENTAILMENT)


def _make_people_focus(clauses: Sequence[Clause], draw: Draw) -> Iterator[Pair]:
    """`Only the cook washed the car` against `The cook washed only the car`."""
    for person, action in draw.shuffle(itertools.product(PEOPLE, ACTIONS), "people focus"):
        verb, the, thing = action[1].partition(" the ")
        if not the:
            continue
        word = draw.pick(("only", "just", "even", "only"), "people focus", person, verb)
        who, what = f"the {person}", f"the {thing}"
        on_subject = [f"{word.capitalize()} {who} {verb} {what}."]
        on_object = [f"{who.capitalize()} {verb} {word} {what}."]
        if word != "even":
            on_subject += [
                f"Nobody but {who} {verb} {what}.",
                f"{who.capitalize()} alone {verb} {what}.",
            ]
            on_object += [f"{who.capitalize()} {verb} nothing but {what}."]
            on_object += [f"{who.capitalize()} {verb} {what} and nothing else."]
        yield on_subject[0], on_object[0], NEUTRAL
        yield draw.pick(on_object, person, verb), draw.pick(on_subject, person, verb), NEUTRAL
        if word != "even":
            same = draw.pick((on_subject, on_object), person, verb, "same")
            yield (*draw.shuffle(same, person)[:2], ENTAILMENT)


def _make_modifiers(clauses: Sequence[Clause], draw: Draw) -> Iterator[Pair]:
    """`The old chair is near the table` against `The chair is near the old table`."""
    for one, other in draw.shuffle(itertools.permutations(OBJECTS, 2), "modifiers"):
        key = f"modifiers {one} {other}"
        adjective, place = draw.pick(ADJECTIVES, key), draw.pick(PLACES, key)
        first = f"The {adjective} {one} is {place} the {other}."
        moved = f"The {one} is {place} the {adjective} {other}."
        there = f"There is a{_n(adjective)} {adjective} {one} {place} the {other}."
        which = f"The {one}, which is {adjective}, is {place} the {other}."
        yield first, moved, NEUTRAL
        yield draw.pick((there, which), key), moved, NEUTRAL
        yield first, which, ENTAILMENT


def _n(word: str) -> str:
    """Return what makes the article fit a word that follows it."""
    return "n" if word[0] in "aeiou" else ""


PATTERNS: dict[str, Maker] = {
    "roles": _make_roles,
    "converses": _make_converses,
    "orders of statements": _make_orders,
    "orders of actions": _make_action_orders,
    "before and after": _make_times,
    "quantifiers": _make_quantifiers,
    "bounds": _make_bounds,
    "crowds": _make_crowds,
    "certainty": _make_certainty,
    "beliefs": _make_beliefs,
    "frequencies": _make_frequencies,
    "prospects": _make_prospects,
    "scope of negation": _make_negation_scopes,
    "focus": _make_focus,
    "focus on people": _make_people_focus,
    "place of modifiers": _make_modifiers,
}
