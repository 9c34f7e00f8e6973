"""Prompt files: versions, blocks, fields; those of the repository say what their tasks need."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from embsyntax.jobs import InputError
from embsyntax.prompts import read_prompt
from embsyntax.provenance import file_sha256
from embsyntax.replies import SCORE_FORM, SENTENCE_FORM, read_reply

FILES = sorted((Path(__file__).resolve().parents[2] / "config/prompts").glob("*"))

GOOD = """{% block system %}
Rewrite.
{% endblock %}
{% block user_1 %}a{% endblock %}
{% block assistant_1 %}b{% endblock %}
{% block user %}Sentence: {{ sentence }}{% endblock %}
"""


def write(folder: Path, text: str, name: str = "voice_v1.jinja") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_blocks_become_messages_in_their_order(tmp_path):
    path = write(tmp_path, GOOD)
    question = read_prompt(path).ask(SENTENCE_FORM, sentence="{{ x }} {% y %} <b> & 'c'")
    assert question.messages == (
        ("system", "Rewrite."),
        ("user", "a"),
        ("assistant", "b"),
        ("user", "Sentence: {{ x }} {% y %} <b> & 'c'"),
    )
    assert (question.prompt, question.prompt_sha256) == ("voice_v1", file_sha256(path))


def test_an_edit_changes_the_key(tmp_path):
    before = read_prompt(write(tmp_path, GOOD)).ask(SENTENCE_FORM, sentence="A.")
    after = read_prompt(write(tmp_path, GOOD + "\n")).ask(SENTENCE_FORM, sentence="A.")
    assert before.messages == after.messages
    assert before.content_key != after.content_key


@pytest.mark.parametrize("name", ["voice.jinja", "voice_v.jinja", "Voice_v1.jinja", "voice_v1.txt"])
def test_a_name_without_version_is_refused(tmp_path, name):
    with pytest.raises(InputError, match="carries no version"):
        read_prompt(write(tmp_path, GOOD, name))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{% block system %}a{% endblock %}", "its blocks are system; allowed"),
        ("no block", "its blocks are none; allowed"),
        (GOOD.replace("assistant_1", "user_2"), "system, user_1, user_2, user; allowed"),
        (GOOD.replace("block user %}S", "block other %}S"), "its blocks are .*other; allowed"),
        ("{% block system %}\n{{ x }\n", "line 2"),
    ],
)
def test_a_file_that_is_no_conversation_is_refused(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read_prompt(write(tmp_path, text))


def test_an_absent_file_and_another_encoding_are_refused(tmp_path):
    with pytest.raises(InputError, match="no such file; correct config key 'prompts'"):
        read_prompt(tmp_path / "voice_v1.jinja")
    path = tmp_path / "voice_v2.jinja"
    path.write_bytes(GOOD.encode("utf-16"))
    with pytest.raises(InputError, match="no UTF-8 text"):
        read_prompt(path)


def test_a_field_that_is_not_given_is_refused(tmp_path):
    with pytest.raises(InputError, match="'sentence' is undefined; allowed fields: text"):
        read_prompt(write(tmp_path, GOOD)).ask(SENTENCE_FORM, text="A.")


# The files of this repository


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.stem != "triple_v1"], ids=lambda path: path.stem
)
def test_the_examples_are_answers_of_the_right_form(path):
    is_score = path.stem.startswith("annotate")
    form = SCORE_FORM if is_score else SENTENCE_FORM
    fields = {"sentence1": "One.", "sentence2": "Two."} if is_score else {"sentence": "One."}
    question = read_prompt(path).ask(form, **fields)
    examples = [text for role, text in question.messages if role == "assistant"]
    readings = [read_reply(text, "stop", "", form) for text in examples]
    assert [reading.failure_class for reading in readings] == [""] * len(examples)
    assert all(text == json.dumps(json.loads(text)) for text in examples)
    assert list(form.schema["properties"])[0] in question.messages[0][1]
    if is_score:
        assert sorted(reading.value for reading in readings) == [0, 1, 2, 3, 4, 5]
        assert all(f"{score}: " in question.messages[0][1] for score in range(6))
    else:
        assert None in [reading.value for reading in readings]
    for text in fields.values():
        assert text in question.messages[-1][1]


def test_there_is_a_prompt_per_perturbation():
    names = {path.stem.rpartition("_v")[0] for path in FILES}
    assert names >= {"voice", "inversion", "relation", "lexical", "annotate"}
