"""Edit check of the triples: hand-made cases of every trap type, precedence, limits."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from embsyntax.edit_check import CHECKS, EDIT_REASONS, check_edit, count_changed_words
from embsyntax.edit_words import read_amounts, read_words
from embsyntax.jobs import InputError
from embsyntax.trap_types import TRAP_TYPES, EditLimits, read_trap_types

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests/data/edit_check_cases.tsv"
HEADER = ["trap_type", "anchor", "paraphrase", "trap", "reason"]
TYPES = read_trap_types(ROOT / "config/trap_types.tsv")
CASES_PER_TYPE = 60
UNLIMITED = EditLimits(1, 100, keeps_words=False)


def read_cases():
    lines = CASES.read_text(encoding="utf-8").splitlines()
    assert lines[0].split("\t") == HEADER
    cases = []
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split("\t")
        assert len(cells) == len(HEADER), f"line {number}"
        cases.append(pytest.param(*cells, id=f"{cells[0]}-{number}"))
    return cases


@pytest.mark.parametrize(("trap_type", "anchor", "paraphrase", "trap", "reason"), read_cases())
def test_candidate_passes_or_fails_for_the_expected_reason(
    trap_type, anchor, paraphrase, trap, reason
):
    assert check_edit(anchor, paraphrase, trap, trap_type, TYPES[trap_type].limits) == reason


def test_every_type_has_its_cases_and_every_reason_a_case():
    cases = [case.values for case in read_cases()]
    n_cases = Counter(case[0] for case in cases)
    assert set(n_cases) == set(TRAP_TYPES) == set(CHECKS)
    assert min(n_cases.values()) >= CASES_PER_TYPE
    assert min(Counter(case[0] for case in cases if not case[-1]).values()) >= 15
    found = {case[-1] for case in cases} - {""}
    assert found == set(EDIT_REASONS) - {"too few words changed"}


def test_reasons_stand_once():
    assert len(EDIT_REASONS) == len(set(EDIT_REASONS))


@pytest.mark.parametrize("trap_type", TRAP_TYPES)
def test_worked_example_passes(trap_type):
    row = TYPES[trap_type]
    texts = (row.example_anchor, row.example_paraphrase, row.example_trap)
    assert check_edit(*texts, trap_type, row.limits) == ""


@pytest.mark.parametrize("trap_type", TRAP_TYPES)
def test_worked_example_passes_as_no_other_type(trap_type):
    row = TYPES[trap_type]
    texts = (row.example_anchor, row.example_paraphrase, row.example_trap)
    for other in set(TRAP_TYPES) - {trap_type}:
        assert check_edit(*texts, other, TYPES[other].limits) in EDIT_REASONS, other


def test_the_first_reason_counts():
    anchor, trap = "Two men sang.", "Two men sang!"
    limits = TYPES["numbers"].limits
    assert check_edit(anchor, "", trap, "numbers", limits) == "empty text"
    assert check_edit(anchor, anchor, trap, "numbers", limits) == "paraphrase equals anchor"
    assert check_edit(anchor, "A duo sang.", trap, "numbers", limits) == "trap equals anchor"


def test_limits_hold():
    texts = ("Two men sang loudly.", "A duo sang loudly.", "Three men sang loudly.")
    limits = TYPES["numbers"].limits
    assert check_edit(*texts, "numbers", limits) == ""
    few = replace(limits, min_changed_words=2)
    assert check_edit(*texts, "numbers", few) == "too few words changed"
    texts = ("Two men sang loudly.", "A duo sang loudly.", "Three girls wept.")
    assert check_edit(*texts, "numbers", few) == "too many words changed"
    assert check_edit(*texts, "numbers", UNLIMITED) == "other words changed"
    kept = replace(UNLIMITED, keeps_words=True)
    assert check_edit(*texts, "numbers", kept) == "bag of words changed"


def test_unknown_type_is_refused():
    with pytest.raises(InputError, match="'irony'; allowed: negation, numbers"):
        check_edit("A b.", "B a.", "A c.", "irony", UNLIMITED)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("It is late.", "It is not late.", 1),
        ("It isn't late.", "It is late.", 1),
        ("A lot of men sang.", "Few men sang.", 1),
        ("Only men sang.", "Men only sang.", 1),
        ("Dogs chase cats.", "Cats chase dogs.", 2),
        ("She ate an apple.", "She ate a pear.", 1),
        ("A man sang.", "A man sang.", 0),
    ],
)
def test_count_changed_words(old, new, expected):
    assert count_changed_words(read_words(old), read_words(new)) == expected


def test_words_are_written_out_and_have_keys():
    words = read_words("They can’t see a lot of Ann's mice, it's dark at 9 a.m.")
    assert [word.form for word in words] == [
        *("they", "can", "not", "see", "lots_of", "ann", "'s", "mice", "it", "is", "dark", "at"),
        *("9", "a.m"),
    ]
    assert [word.form for word in words if word.ends_clause] == ["mice"]
    assert read_words("saw")[0].key == read_words("seen")[0].key == "see"
    assert read_words("him")[0].key == read_words("his")[0].key == "he"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,200 kg", [("number", 1200.0), ("unit", "kg")]),
        ("two hundred kilograms", [("number", 200.0), ("unit", "kg")]),
        ("twenty five", [("number", 25.0)]),
        ("2.5 million", [("number", 2_500_000.0)]),
        ("on May 3", [("month", "may"), ("number", 3.0)]),
        ("You may go at 9 am", [("number", 9.0), ("clock", "am")]),
        ("I am the 2nd", [("ordinal", 2.0)]),
        ("on 3.10.1999", [("number", "3.10.1999")]),
    ],
)
def test_amounts_are_read_by_value(text, expected):
    amounts, _ = read_amounts(read_words(text))
    assert [(amount.kind, amount.value) for amount in amounts] == expected
