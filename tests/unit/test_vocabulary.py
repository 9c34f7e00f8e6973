"""The word tables of lexical rules and traps: no word stands for itself, every form is known."""

import pytest

from embsyntax.perturbation.verbs import inflect, is_known_verb
from embsyntax.perturbation.vocabulary import (
    ADJECTIVE_CLASSES,
    COUNTRIES,
    FEMALE,
    FEMALE_NAMES,
    MALE,
    MALE_NAMES,
    NAMES_OF_A_KIND,
    NOUN_CLASSES,
    VERB_CLASSES,
    pick,
    plural,
)


@pytest.mark.parametrize("table", [NOUN_CLASSES, ADJECTIVE_CLASSES])
def test_no_word_stands_twice_in_a_class(table):
    for word_class in table:
        words = [word for group in word_class.words for word in group]
        assert len(words) == len(set(words)), words
        assert len(word_class.words) > 1, words


def test_nouns_are_of_one_kind():
    for noun_class in NOUN_CLASSES:
        kinds = (noun_class.is_person, noun_class.is_animal, noun_class.is_mass)
        assert sum(kinds) <= 1, noun_class.words
    assert not MALE & FEMALE
    assert not MALE_NAMES & FEMALE_NAMES


def test_verbs_are_known_and_never_replaced_by_themselves():
    for verb_class in VERB_CLASSES:
        assert not set(verb_class.verbs) & set(verb_class.others)
        assert not (verb_class.before and verb_class.after)
        for word in (*verb_class.verbs, *verb_class.others, *verb_class.before, *verb_class.after):
            assert is_known_verb(word) or inflect(word, "VBD") == f"{word}ed", word


def test_names_stand_once_in_their_kind():
    for kind in NAMES_OF_A_KIND:
        assert len(kind) == len({name.lower() for name in kind}) > 1
    assert set(COUNTRIES) == set(NAMES_OF_A_KIND[0])


@pytest.mark.parametrize(
    ("noun", "expected"),
    [("knife", "knives"), ("fish", "fish"), ("police officer", "police officers"), ("man", "men")],
)
def test_plural(noun, expected):
    assert plural(noun) == expected


def test_pick_depends_on_the_key_alone():
    options = ("red", "green", "blue", "white")
    assert pick(options, "rule", "A dog barks.") == pick(options, "rule", "A dog barks.") == "white"
    assert {pick(options, "rule", str(number)) for number in range(50)} == set(options)
