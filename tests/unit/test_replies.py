"""Every malformed reply has a class of its own, and no good one is lost."""

from __future__ import annotations

import pytest

from embsyntax.replies import (
    FAILURE_CLASSES,
    SCORE_FORM,
    SENTENCE_FORM,
    FormError,
    make_form,
    read_reply,
)

SENTENCES = [
    # (text, finish reason, value, failure class)
    ('{"sentence": "A b."}', "stop", "A b.", ""),
    ('{"sentence": "A b."}', "length", "A b.", ""),
    ('```json\n{"sentence": "A b."}\n```', "stop", "A b.", ""),
    ('Here it is:\n{"sentence": "A b."}\nGood luck!', "stop", "A b.", ""),
    ('{"sentence": "A b.",}', "stop", "A b.", ""),
    ('{"sentence": "A\n b. "}', "stop", "A b.", ""),
    ('{"sentence": "\\u0041 b."}', "stop", "A b.", ""),
    ('{"sentence": "say {b}"}', "stop", "say {b}", ""),
    ('{"sentence": null}', "stop", None, ""),
    ('<think>no</think>{"sentence": "A b."}', "stop", "A b.", ""),
    ('{"sentence": "A b."}\n{"sentence": "A b."}', "stop", "A b.", ""),
    ('{"note": 1} {"sentence": "A b."}', "stop", "A b.", ""),
    ('{"sentence": "I\'m sorry, but no."}', "stop", "I'm sorry, but no.", ""),
    ('{"sentence": "A b."} {"sentence": "B a."}', "stop", None, "several_objects"),
    ('{"sentence": null} {"sentence": "B a."}', "stop", None, "several_objects"),
    ('{"text": "A b."}', "stop", None, "schema"),
    ('{"sentence": "A b.", "why": "x"}', "stop", None, "schema"),
    ('{"sentence": 5}', "stop", None, "schema"),
    ('{"sentence": ["A b."]}', "stop", None, "schema"),
    ('{"sentence": ""}', "stop", None, "schema"),
    ('{"sentence": " \\n "}', "stop", None, "schema"),
    ('{"sentence": "\\ud800 b"}', "stop", None, "schema"),
    ('{"sentence": "A", "sentence": "B"}', "stop", None, "schema"),
    ('{"result": {"sentence": "A b."}}', "stop", None, "schema"),
    ("{}", "stop", None, "schema"),
    ("A b.", "stop", None, "no_json"),
    ("{'sentence': 'A b.'}", "stop", None, "no_json"),
    ('{sentence: "A b."}', "stop", None, "no_json"),
    ('"A b."', "stop", None, "no_json"),
    ('{"sentence": "A b', "length", None, "truncated"),
    ('{"sentence": "A b', "stop", None, "truncated"),
    ("Let me think about", "length", None, "truncated"),
    ("Let me think about", "max_tokens", None, "truncated"),
    ('<think>perhaps {"sentence": "A"}', "length", None, "truncated"),
    ("", "length", None, "truncated"),
    ("", "stop", None, "empty"),
    (" \n", "", None, "empty"),
    ("I'm sorry, but I can't help with that.", "stop", None, "refused"),
    ("I cannot rewrite this sentence.", "stop", None, "refused"),
    ("As an AI language model, I refuse", "stop", None, "refused"),
    ("", "content_filter", None, "refused"),
    ("No.", "refusal", None, "refused"),
]


@pytest.mark.parametrize(("text", "finish_reason", "value", "failure_class"), SENTENCES)
def test_sentences(text, finish_reason, value, failure_class):
    reading = read_reply(text, finish_reason, "", SENTENCE_FORM)
    assert (reading.value, reading.failure_class) == (value, failure_class)
    assert failure_class in ("", *FAILURE_CLASSES)


def test_every_class_occurs():
    classes = {case[3] for case in SENTENCES} - {""}
    assert classes == set(FAILURE_CLASSES) - {"request_failed"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"score": 3}', 3),
        ('{"score": 0}', 0),
        ('{"score": 5.0}', 5),
        ('{"score": "4"}', 4),
        ('{"score": " 2.0 "}', 2),
        ('{"score": 6}', None),
        ('{"score": -1}', None),
        ('{"score": 3.5}', None),
        ('{"score": "three"}', None),
        ('{"score": "4/5"}', None),
        ('{"score": true}', None),
        ('{"score": null}', None),
        ('{"score": 1e999}', None),
    ],
)
def test_scores(text, value):
    reading = read_reply(text, "stop", "", SCORE_FORM)
    assert reading.value == value
    assert reading.failure_class == ("schema" if value is None else "")


def test_a_failed_request_says_why():
    reading = read_reply("", "", "HTTP 400 (too long)", SENTENCE_FORM)
    assert (reading.failure_class, reading.detail) == ("request_failed", "HTTP 400 (too long)")


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ('{"sentence": "A."}', ""),
        ('{"sentence": "A.",}', "trailing commas 1"),
        ('{"sentence": "A\n."}', "control characters 1"),
        ('{"n": 1} {x} {"sentence": "A."}', "further objects 1; invalid parts 1"),
        ('<think>x</think>{"sentence": "A."}', "thinking"),
        ('{"sentence": "A."} {"sent', "a further part is cut off"),
        ('{"text": "A."}', "its keys are text, not sentence"),
    ],
)
def test_nothing_is_mended_in_silence(text, detail):
    assert read_reply(text, "stop", "", SENTENCE_FORM).detail == detail


def test_the_schema_is_what_servers_can_enforce():
    for form in (SENTENCE_FORM, SCORE_FORM):
        assert form.schema["additionalProperties"] is False
        assert form.schema["required"] == list(form.schema["properties"])
    assert SCORE_FORM.schema["properties"]["score"]["enum"] == [0, 1, 2, 3, 4, 5]


def test_a_form_of_another_task():
    def read_word(value):
        if value != "yes":
            raise FormError("not yes")
        return True

    form = make_form("vote", "vote", {"type": "string"}, read_word)
    assert read_reply('{"vote": "yes"}', "stop", "", form).value is True
    assert read_reply('{"vote": "no"}', "stop", "", form).detail == "not yes"
