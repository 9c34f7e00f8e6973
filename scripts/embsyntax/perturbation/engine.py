"""What every perturbation rule shares: the sentence it reads, edits by offset, its registration.

A rule is a function from a `Sentence` to a `Change`; it raises `DeclineError` with a reason where
its preconditions do not hold. It works on a spaCy parse and character offsets only: whatever lies
outside the spans that it moves or replaces stays as it was, character by character. Rules use no
randomness, no network and no language model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from spacy.tokens import Doc, Span, Token

from embsyntax.jobs import InputError
from embsyntax.rubric import MAX_SCORE, MIN_SCORE

DIMENSIONS = ("structure", "relation", "lexical", "trap")
"""Dimensions of the SR paper (section 3 and appendix), and the traps of the triples."""

PROTECTED = re.compile(
    r"""https?://\S+|www\.\S+        # addresses
    |\S+@\S+\.\w+                    # mail
    |[#@]\w+                         # hashtags and mentions
    |`[^`\n]+`                       # code
    |(?<!\w)[~./]?/?[\w.-]+/[\w./-]+ # paths
    |\w+\(\)                         # calls
    |<[^<>\s][^<>]*>                 # tags""",
    re.VERBOSE,
)
"""Spans that no rule may change inside: they move as a whole or stay."""

TERMINAL = re.compile(r"""[\s.!?…:;,"'”’)\]]*\Z""")
"""What stands at the end of a sentence and stays there when its words move."""

ACRONYM = re.compile(r"[A-Z][A-Z0-9&.'’-]*s?")
FUNCTION_TAGS = frozenset({"DT", "PDT", "PRP$", "IN"})
"""Words that lose their capital even where they begin a name ("The Hague")."""

ALWAYS_UPPER = frozenset({"I", "I'm", "I've", "I'd", "I'll", "I’m", "I’ve", "I’d", "I’ll"})


class DeclineError(Exception):
    """A rule does not apply to a sentence; the message is a short reason without its words.

    Reasons are counted, so the same cause has always the same words (`no direct object`).
    """


@dataclass(frozen=True)
class Change:
    """What a rule made of a sentence.

    Attributes:
        text: the changed sentence.
        detail: what was done to which words, for reviewers (`dogs <-> cats`).
    """

    text: str
    detail: str


@dataclass(frozen=True)
class Rule:
    """A registered perturbation.

    Attributes:
        name: unique, snake_case.
        dimension: one of `DIMENSIONS`.
        perturbation: the paper's or the dataset card's name for it (`voice exchange`,
            `inversion`, `partial inversion`, `concept order`, `conceptual relationship`,
            `insertion`, `replacement`, or a trap type).
        expected_score: 0-5 by the STS rubric.
        why: why that score.
        preconditions: what a sentence must have, in words.
        is_default: False if the rule is off unless the config names it.
        off_because: why it is off; empty for a rule that is on.
        function: the rule itself.
    """

    name: str
    dimension: str
    perturbation: str
    expected_score: int
    why: str
    preconditions: str
    is_default: bool
    off_because: str
    function: Callable[[Sentence], Change]

    @property
    def family(self) -> str:
        """The module that the rule stands in."""
        return self.function.__module__.rpartition(".")[2]

    def __call__(self, sentence: Sentence) -> Change:
        """Apply the rule.

        Raises:
            DeclineError: the rule does not apply, or gave the sentence back unchanged.
        """
        if not sentence.is_single:
            raise DeclineError("more than one sentence")
        change = self.function(sentence)
        if squeeze(change.text) == squeeze(sentence.text):
            raise DeclineError("nothing changed")
        return change


RULES: dict[str, Rule] = {}
"""Every registered rule by name; filled when `embsyntax.perturbation.catalogue` is imported."""


def rule(
    *,
    name: str,
    dimension: str,
    perturbation: str,
    expected_score: int,
    why: str,
    preconditions: str,
    off_because: str = "",
) -> Callable[[Callable[[Sentence], Change]], Rule]:
    """Register a perturbation rule; see `Rule` for the arguments.

    A rule with `off_because` is off unless the config names it.

    Raises:
        InputError: the name is taken, the dimension unknown, or the score outside 0-5.
    """

    def register(function: Callable[[Sentence], Change]) -> Rule:
        if name in RULES:
            raise InputError(f"perturbation rule {name!r} is registered twice; rename one")
        if dimension not in DIMENSIONS:
            raise InputError(f"rule {name!r}: dimension {dimension!r}; allowed: {DIMENSIONS}")
        if not MIN_SCORE <= expected_score <= MAX_SCORE:
            raise InputError(f"rule {name!r}: score {expected_score}; allowed: 0 to 5")
        RULES[name] = Rule(
            name=name,
            dimension=dimension,
            perturbation=perturbation,
            expected_score=expected_score,
            why=why,
            preconditions=preconditions,
            is_default=not off_because,
            off_because=off_because,
            function=function,
        )
        return RULES[name]

    return register


def squeeze(text: str) -> str:
    """Return a text with runs of white space made one space, and none at its ends."""
    return " ".join(text.split())


@dataclass(frozen=True)
class Piece:
    """A stretch of the source, `start` to `end` (character offsets)."""

    start: int
    end: int


class Sentence:
    """A parsed text as rules see it.

    Attributes:
        doc: the parse (spaCy, with tagger, parser, lemmas and entities), 1 or more tokens.
        text: the text, character by character as it came.
    """

    def __init__(self, doc: Doc) -> None:
        """Take a parse of one text."""
        self.doc = doc
        self.text = doc.text

    @cached_property
    def roots(self) -> list[Token]:
        """Roots of the sentences that the parser saw, punctuation and lone symbols left out."""
        return [sent.root for sent in self.doc.sents if any(t.is_alpha for t in sent)]

    @cached_property
    def is_single(self) -> bool:
        """True if the parser saw exactly one sentence with words."""
        return len(self.roots) == 1

    @property
    def root(self) -> Token:
        """The root of the one sentence."""
        return self.roots[0]

    @cached_property
    def is_question(self) -> bool:
        """True if the text ends in a question mark."""
        return "?" in self.text[self.end :]

    @cached_property
    def end(self) -> int:
        """Offset where the final punctuation begins (the length of the text if there is none)."""
        match = TERMINAL.search(self.text)
        return match.start() if match else len(self.text)

    @cached_property
    def start(self) -> int:
        """Offset of the first word: opening quotes, dashes and spaces stand before it."""
        match = re.search(r"\w", self.text)
        return match.start() if match else 0

    @cached_property
    def protected(self) -> list[Piece]:
        """Addresses, hashtags, code and the like: see `PROTECTED`."""
        return [Piece(*match.span()) for match in PROTECTED.finditer(self.text)]

    def touches_protected(self, piece: Piece) -> bool:
        """Return True if the piece cuts through a protected span (holding it whole is allowed)."""
        return any(
            span.start < piece.end
            and piece.start < span.end
            and not (piece.start <= span.start and span.end <= piece.end)
            for span in self.protected
        )

    def words(self, piece: Piece) -> str:
        """The source text of a piece."""
        return self.text[piece.start : piece.end]

    def tokens(self, piece: Piece) -> list[Token]:
        """The tokens that lie wholly inside a piece."""
        return [t for t in self.doc if t.idx >= piece.start and t.idx + len(t) <= piece.end]


def piece_of(*tokens: Token) -> Piece:
    """Return the stretch from the first to the last of some tokens, all between included."""
    first = min(tokens, key=lambda token: token.i)
    last = max(tokens, key=lambda token: token.i)
    return Piece(first.idx, last.idx + len(last))


def piece_of_span(span: Span) -> Piece:
    """Return the stretch of a spaCy span."""
    return Piece(span.start_char, span.end_char)


def subtree_piece(token: Token, *, without: Iterable[str] = ()) -> Piece:
    """Return the stretch of a token's subtree, final punctuation left out.

    Args:
        token: head of the subtree.
        without: dependency labels; direct children with these labels are cut off when they stand
            at an edge of the subtree.

    Returns:
        From the first to the last token left.

    Raises:
        DeclineError: the subtree is not contiguous (`discontinuous phrase`).
    """
    cut = {t.i for child in token.children if child.dep_ in set(without) for t in child.subtree}
    kept = [t for t in token.subtree if t.i not in cut]
    while kept and kept[-1].is_punct and kept[-1].text not in ")]\"'”’":
        kept.pop()
    while kept and kept[0].is_punct and kept[0].text not in "([\"'“‘":
        kept.pop(0)
    if not kept:
        raise DeclineError("empty phrase")
    if kept[-1].i - kept[0].i + 1 != len(kept):
        raise DeclineError("discontinuous phrase")
    return piece_of(*kept)


def is_always_upper(token: Token) -> bool:
    """Return True if a word keeps its capital away from the start of a sentence."""
    if token.tag_ in FUNCTION_TAGS and not (token.text.isupper() and len(token.text) > 1):
        return token.text in ALWAYS_UPPER
    return (
        token.text in ALWAYS_UPPER
        or token.pos_ == "PROPN"
        or token.ent_type_ in {"PERSON", "GPE", "ORG", "NORP", "LOC", "FAC", "PRODUCT", "LANGUAGE"}
        or bool(ACRONYM.fullmatch(token.text) and len(token.text) > 1)
        or any(character.isupper() for character in token.text[1:])
        or token.text.lower() in {"i"}
    )


def lower_first(text: str, first: Token) -> str:
    """Lower the first letter of a phrase that moves away from the start, unless it is a name.

    Args:
        text: the phrase as it stood in the source.
        first: its first word.

    Returns:
        The phrase, at most its first letter changed.
    """
    if not text or is_always_upper(first):
        return text
    match = re.search(r"\w", text)
    if not match:
        return text
    at = match.start()
    return text[:at] + text[at].lower() + text[at + 1 :]


def upper_first(text: str) -> str:
    """Raise the first letter of a text."""
    match = re.search(r"\w", text)
    if not match:
        return text
    at = match.start()
    return text[:at] + text[at].upper() + text[at + 1 :]


def starts_upper(sentence: Sentence) -> bool:
    """Return True if the first word of the source has a capital (tweets and titles may not)."""
    return sentence.text[sentence.start : sentence.start + 1].isupper()


def replace_pieces(sentence: Sentence, edits: Sequence[tuple[Piece, str]]) -> str:
    """Put new texts into stretches of a sentence; all else stays character by character.

    Args:
        sentence: the source.
        edits: stretches that do not overlap, each with its new text (`""` removes it, with one
            space beside it).

    Returns:
        The new text. A removed stretch leaves no double space, none before punctuation, and none
        at the ends.

    Raises:
        DeclineError: the stretches overlap, or one cuts through an address, hashtag or code.
    """
    text, at, parts = sentence.text, 0, []
    for piece, new in sorted(edits, key=lambda edit: (edit[0].start, edit[0].end)):
        if piece.start < at:
            raise DeclineError("overlapping phrases")
        if sentence.touches_protected(piece):
            raise DeclineError("cuts through a link, tag or code")
        before = text[at : piece.start]
        if not new and (before.endswith(" ") or not (parts or before)):
            after = text[piece.end : piece.end + 1]
            if before and (not after or after.isspace() or after in ",.;:!?"):
                before = before[:-1]
            elif not before and after == " ":
                piece = Piece(piece.start, piece.end + 1)
        parts += [before, new]
        at = piece.end
    parts.append(text[at:])
    return "".join(parts)


def swap_pieces(sentence: Sentence, first: Piece, second: Piece) -> str:
    """Exchange two stretches, and move the capital of the first word with its place.

    Args:
        sentence: the source.
        first: a stretch.
        second: another one, which does not overlap the first.

    Returns:
        The new text.

    Raises:
        DeclineError: see `replace_pieces`; or both stretches read the same.
    """
    if first.start > second.start:
        first, second = second, first
    left, right = sentence.words(first), sentence.words(second)
    if left.lower() == right.lower():
        raise DeclineError("both phrases read the same")
    if first.start == sentence.start and starts_upper(sentence):
        words = sentence.tokens(first)
        left = lower_first(left, words[0]) if words else left
        right = upper_first(right)
    return replace_pieces(sentence, [(first, right), (second, left)])


def rearrange(sentence: Sentence, parts: Sequence[Piece | str]) -> str:
    """Write the body of a sentence anew from stretches of the source and words between them.

    What stands before the first word and the final punctuation stay in place. The capital of the
    first word goes to the new first word; the old first word is lowered unless it is a name.

    Args:
        sentence: the source.
        parts: stretches and literal texts, in their new order. They are joined with one space; a
            literal that begins with punctuation is joined without (`", "` may be written `","`).

    Returns:
        The new text.

    Raises:
        DeclineError: a stretch cuts through an address, hashtag or code, or nothing is left.
    """
    out = ""
    for part in parts:
        if isinstance(part, Piece):
            if sentence.touches_protected(part):
                raise DeclineError("cuts through a link, tag or code")
            text = sentence.words(part).strip()
            words = sentence.tokens(part)
            if out and words and part.start == sentence.start:
                text = lower_first(text, words[0])
        else:
            text = part.strip()
        if not text:
            continue
        glued = text[0] in ",.;:!?" or text.startswith(("'s", "’s", "n't"))
        out += text if not out or glued else f" {text}"
    if not out:
        raise DeclineError("empty phrase")
    if starts_upper(sentence):
        out = upper_first(out)
    return sentence.text[: sentence.start] + out + sentence.text[sentence.end :]
