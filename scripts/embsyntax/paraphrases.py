"""Paraphrases by rules: another structure, other words of the same meaning, or both at once.

The structure rules of the perturbation package give the structures, `synonyms` the words. Which of
several come first is decided by a hash, so that no rule dominates and equal inputs give equal
outputs.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from embsyntax.perturbation.engine import Rule, Sentence, squeeze
from embsyntax.perturbation.main_clause import word_set
from embsyntax.perturbation.modifiers import article_before
from embsyntax.replacements import Replacement, find_replacements
from embsyntax.rule_runs import apply_rule
from embsyntax.synonyms import VERB

STRUCTURE = "structure"
"""Dimension of the rules that give a sentence another structure."""

SAME_MEANING = 5
"""Score of the rules whose outputs say the same in an order that is usual, too; others mark a part
of the sentence (`It is a dog that barks`), and are taken where there is nothing else."""

VOICE = "voice exchange"
"""Perturbation of the rules that give the verb other objects and subjects."""

NO_PARAPHRASE = word_set(
    """by_phrase_drop predicate_fronting participle_inversion adjective_inversion object_fronting
    complement_fronting indirect_question how_to_gerund title_to_how difference_question
    question_fronting"""
)
"""Structure rules that leave something out, turn a question into something else, or whose order is
found in verse rather than in prose."""

OFTEN_MARKED = word_set("adverbial_fronting")
"""Structure rules with the highest score that often weigh some words too much."""

MOST_REPLACED = 3
"""Most expressions that are replaced in a paraphrase."""

ARTICLE = re.compile(r"\b(an?) $", re.IGNORECASE)


@dataclass(frozen=True)
class Paraphrase:
    """A sentence that says the same.

    Attributes:
        text: the sentence.
        rule: name of the structure rule, or `""`.
        replaced: the pairs of words, for reviewers (`photo -> picture`).
        rank: 0 for a usual structure with replaced words, and for two and more replaced words; 1
            for one of both; 2 and 3 for the same with a structure that marks a part.
    """

    text: str
    rule: str
    replaced: tuple[str, ...]
    rank: int

    @property
    def detail(self) -> str:
        """What was done, for reviewers."""
        return "; ".join(part for part in (self.rule, *self.replaced) if part)


def choose_structures(rules: Sequence[Rule]) -> list[Rule]:
    """Return the rules that give paraphrases, out of those that are on."""
    return [
        rule for rule in rules if rule.dimension == STRUCTURE and rule.name not in NO_PARAPHRASE
    ]


def list_paraphrases(sentence: Sentence, rules: Sequence[Rule]) -> list[Paraphrase]:
    """List the paraphrases of a sentence.

    Args:
        sentence: parsed.
        rules: structure rules, from `choose_structures`.

    Returns:
        Paraphrases with texts that differ from each other and from the source in more than marks
        and capitals, by rank.
    """
    replacements = find_replacements(sentence)
    structures = [("", sentence.text, False, False)]
    for rule in rules:
        text, *_ = apply_rule(rule, sentence, "a seed")
        if text is not None:
            is_marked = rule.expected_score < SAME_MEANING or rule.name in OFTEN_MARKED
            structures.append((rule.name, text, is_marked, rule.perturbation == VOICE))
    found = []
    for name, text, is_marked, is_voice in structures:
        usable = [each for each in replacements if not is_voice or _survives_voice(each)]
        usable.sort(key=lambda each: _hash(sentence.text, name, each.name))
        for n_replaced in range(min(len(usable), MOST_REPLACED) + 1):
            new, names = _replace(text, usable[:n_replaced])
            is_alone = len(names) + bool(name) < 2
            found.append(Paraphrase(new, name, names, 2 * is_marked + is_alone))
    kept = {_key(sentence.text): None}
    for each in sorted(found, key=lambda each: (each.rank, _hash(each.text))):
        kept.setdefault(_key(each.text), each)
    return [each for each in kept.values() if each is not None]


def order_paraphrases(paraphrases: Sequence[Paraphrase], *key: str) -> list[Paraphrase]:
    """Return paraphrases by rank, and of equal rank in an order that a key decides about."""
    return sorted(paraphrases, key=lambda each: (each.rank, _hash(*key, each.text)))


def _survives_voice(replacement: Replacement) -> bool:
    """Return True if a replacement holds where the verb gets another subject, too."""
    return replacement.part != VERB or (replacement.is_steady and " " not in replacement.new)


def _replace(text: str, chosen: Sequence[Replacement]) -> tuple[str, tuple[str, ...]]:
    """Put words into a text, each only if the old one stands there just once.

    No sentence comes to begin with figures.

    Returns:
        The new text, and the names of the pairs that were replaced.
    """
    names = []
    for each in chosen:
        places = list(
            re.finditer(rf"(?<![\w-]){re.escape(each.old)}(?![\w-])", text, re.IGNORECASE)
        )
        if len(places) != 1:
            continue
        start, end = places[0].span()
        new = each.new
        if start == 0 and new[0].isdigit():
            continue
        if text[start].isupper() and new[0].islower():
            new = new[0].upper() + new[1:]
        text = _with_article(text[:start], new) + new + text[end:]
        names.append(each.name)
    return text, tuple(sorted(names))


def _with_article(before: str, word: str) -> str:
    """Return what stands before a word, with `a` or `an` at its end as the word needs it."""
    match = ARTICLE.search(before)
    if match is None:
        return before
    form = article_before(word)
    return before[: match.start()] + (form.capitalize() if match[1][0].isupper() else form) + " "


def _key(text: str) -> str:
    return re.sub(r"\W+", " ", squeeze(text).lower()).strip()


def _hash(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
