"""Objects in what models write: fences, thinking, commas, braces in strings, half objects."""

from __future__ import annotations

import pytest

from embsyntax.json_scanner import drop_trailing_commas, find_end, scan_objects

ONE = {"sentence": "A."}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('{"sentence": "A."}', [ONE]),
        ('Sure! {"sentence": "A."} Hope it helps.', [ONE]),
        ('```json\n{"sentence": "A."}\n```', [ONE]),
        ('{"sentence": "A."}{"sentence": "B."}', [ONE, {"sentence": "B."}]),
        ('[{"sentence": "A."}]', [ONE]),
        ('{"a": {"sentence": "A."}}', [{"a": ONE}]),
        ('{"sentence": "a } b { c"}', [{"sentence": "a } b { c"}]),
        ('{"sentence": "a \\" } b"}', [{"sentence": 'a " } b'}]),
        ('{"sentence": "a\\\\"}', [{"sentence": "a\\"}]),
        ('{"sentence": "\\u0041."}', [ONE]),
        ('{"sentence": "A.",}', [ONE]),
        ('{"list": [1, 2, ], "sentence": "a, }",\n }', [{"list": [1, 2], "sentence": "a, }"}]),
        ('{"sentence": "a\nb"}', [{"sentence": "a\nb"}]),
        ('Use { here. {"sentence": "A."}', [ONE]),
        ('{not json} {"sentence": "A."}', [ONE]),
        ('{oops {"sentence": "A."}}', [ONE]),
        ('it\'s "quoted {" {"sentence": "A."}', [ONE]),
        ("{'sentence': 'A.'}", []),
        ('{"sentence": NaN}', []),
        ("{}", [{}]),
        ("no object", []),
        ("", []),
        ("[" * 5000 + "{" * 5000, []),
    ],
)
def test_objects_outside_thinking_are_found(text, values):
    assert [found.value for found in scan_objects(text).objects] == values


def test_positions_are_those_of_the_text():
    text = 'x {"a": 1,} y {"b": 2}'
    parts = [text[found.start : found.end] for found in scan_objects(text).objects]
    assert parts == ['{"a": 1,}', '{"b": 2}']


@pytest.mark.parametrize(
    ("text", "values", "is_cut"),
    [
        ('<think>{"sentence": "B."}</think>{"sentence": "A."}', [ONE], False),
        ('<thinking>\nhm { </thinking>\n{"sentence": "A."}', [ONE], False),
        ('I try {"sentence": "B."}\n</think>\n\n{"sentence": "A."}', [ONE], False),
        ('<think>{"sentence": "B."}', [], True),
        (
            '{"sentence": "<think> is a tag </think>"}',
            [{"sentence": "<think> is a tag </think>"}],
            0,
        ),
        ('<think>{ unclosed </think>{"sentence": "A."}', [ONE], False),
    ],
)
def test_thinking_does_not_count(text, values, is_cut):
    scan = scan_objects(text)
    assert [found.value for found in scan.objects] == values
    assert scan.is_cut == is_cut
    assert scan.has_thinking == ("sentence" not in text[:12])


def test_repairs_are_counted():
    (found,) = scan_objects('{"a": [1, 2,],\n"b": "x\ty\nz",}').objects
    assert found.value == {"a": [1, 2], "b": "x\ty\nz"}
    assert (found.n_trailing_commas, found.n_control_characters) == (2, 2)
    assert not found.has_repeated_key


def test_a_repeated_key_is_noticed():
    (found,) = scan_objects('{"a": 1, "a": 2}').objects
    assert found.has_repeated_key
    (found,) = scan_objects('{"a": {"b": 1, "b": 1}}').objects
    assert found.has_repeated_key


@pytest.mark.parametrize("text", ['{"sentence": "The man', '{"sentence": "A.", ', "so { "])
def test_a_half_object_is_noticed(text):
    scan = scan_objects(text)
    assert scan.is_cut
    assert scan.objects == ()


def test_a_brace_that_stays_open_before_an_object_is_counted():
    scan = scan_objects('so { it is {"sentence": "A."}')
    assert (scan.is_cut, scan.n_invalid, len(scan.objects)) == (False, 1, 1)


def test_a_half_object_after_a_whole_one_is_noticed():
    scan = scan_objects('{"sentence": "A."} {"sentence": "B')
    assert [found.value for found in scan.objects] == [ONE]
    assert scan.is_cut


def test_what_is_no_json_is_counted():
    assert scan_objects('{a} {b: {c}} {"sentence": "A."}').n_invalid == 3
    assert scan_objects("```python\npass\n```").has_fence


def test_the_closing_bracket_is_found():
    text = 'x{"a": "}", "b": [{}]}y'
    assert find_end(text, 1) == len(text) - 1
    assert find_end('{"a": 1', 0) is None


def test_commas_in_strings_stay():
    assert drop_trailing_commas('{"a": ",}", "b": [1 , ]}') == ('{"a": ",}", "b": [1  ]}', 1)
    assert drop_trailing_commas("[,]") == ("[]", 1)
    assert drop_trailing_commas('["a", "b"]') == ('["a", "b"]', 0)
