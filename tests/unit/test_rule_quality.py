"""The recorded judgements of the rules are those of today's code, and good enough."""

import pytest

from embsyntax.perturbation.catalogue import RULES, list_rules, rule_code_hash
from embsyntax.registry import read_table
from embsyntax.rule_review import (
    ALL_DEFAULT,
    MIN_ALL_GRAMMATICAL,
    MIN_ALL_INTENDED,
    MIN_GRAMMATICAL,
    MIN_INTENDED,
    read_reviews,
    tabulate_quality,
)

JUDGED_PER_RULE = 50


@pytest.fixture(scope="module")
def reviews(repository):
    return read_reviews(repository / "tests/data/rule_reviews.tsv")


@pytest.fixture(scope="module")
def quality(reviews):
    table = tabulate_quality(
        reviews,
        {name: rule.dimension for name, rule in RULES.items()},
        {name: rule.is_default for name, rule in RULES.items()},
        0.95,
    )
    return table.set_index(["rule", "metric"])["value"]


@pytest.mark.parametrize("rule", list_rules(), ids=lambda rule: rule.name)
def test_a_rule_was_judged_in_its_present_form(reviews, rule):
    judged = reviews[reviews["rule"] == rule.name]
    if not rule.is_default and judged.empty:
        pytest.skip(f"off: {rule.off_because}")
    assert set(judged["code_hash"]) == {rule_code_hash(rule)}, "judge a fresh draw of this rule"
    assert len(judged) == len(judged.drop_duplicates(["sentence_id", "output_id"]))
    assert len(judged) == min(JUDGED_PER_RULE, judged["n_outputs"].iloc[0])


@pytest.mark.parametrize("rule", list_rules(), ids=lambda rule: rule.name)
def test_a_rule_that_is_on_is_good_enough(quality, rule):
    if not rule.is_default:
        pytest.skip(f"off: {rule.off_because}")
    assert quality[rule.name, "grammatical"] >= MIN_GRAMMATICAL
    assert quality[rule.name, "intended"] >= MIN_INTENDED


def test_the_rules_that_are_on_are_good_enough_together(quality):
    assert quality[ALL_DEFAULT, "grammatical"] >= MIN_ALL_GRAMMATICAL
    assert quality[ALL_DEFAULT, "intended"] >= MIN_ALL_INTENDED


def test_raters_say_what_they_are(repository):
    raters = read_table(repository / "tests/data/rule_review_raters.tsv")
    assert [row["pass"] for row in raters] == ["1", "2"]
    assert all("no human validation" in row["who"] for row in raters)
