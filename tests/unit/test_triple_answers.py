"""Triples by a language model: the published prompt, replies of every kind, shards, candidates."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pandas as pd
import pytest

from chat_doubles import ChatDouble
from embsyntax.answers import AnswerStore, Reply, TokenBudget, answer_questions
from embsyntax.jobs import InputError
from embsyntax.prompts import read_prompt
from embsyntax.replies import FAILURE_CLASSES, read_reply
from embsyntax.trap_types import read_trap_types
from embsyntax.triple_answers import (
    ANSWER_COLUMNS,
    DOES_NOT_APPLY,
    TRIPLE_FORM,
    Pair,
    generate_triple_answers,
)
from embsyntax.triple_attempts import check_answers
from embsyntax.triple_candidates import choose_candidates

CONFIG = Path(__file__).resolve().parents[2] / "config"
PROMPT = read_prompt(CONFIG / "prompts/triple_v1.jinja")
TYPES = read_trap_types(CONFIG / "trap_types.tsv")
LOG = logging.getLogger("test_triple_answers")

PUBLISHED_SYSTEM = (
    "You create test data for embedding models. You always reply with a single JSON object and "
    "nothing else."
)
PUBLISHED_USER = """\
Trap type: role swap
Rule: Swap who does what to whom while reusing the same words, for example the dog bit the man and \
the man bit the dog.

Example
Source: The young lawyer thanked the judge after the trial.
{"paraphrase": "After the trial, the young lawyer expressed thanks to the judge.", "trap": "The \
judge thanked the young lawyer after the trial."}

Now the real task.
Source: A "quoted" {brace} & <tag>\tseed.

paraphrase: the same meaning as the source, with a few words changed. Every fact stays true.
trap: copy the source and change only one to three words, following the rule, so the meaning \
becomes different.

If the rule cannot apply to this source, reply {"skip": true}
Otherwise reply with the JSON object only, in the same form as the example."""

GOOD = '{"paraphrase": "P one.", "trap": "T one."}'
PAIR = Pair("P one.", "T one.")

REPLIES = [
    # read
    (GOOD, "stop", PAIR, ""),
    ('{"trap": "T one.", "paraphrase": "P one."}', "stop", PAIR, ""),
    (f"```json\n{GOOD}\n```", "stop", PAIR, ""),
    (f"```\n{GOOD}\n```", "stop", PAIR, ""),
    (f"Sure! Here is the object:\n{GOOD}", "stop", PAIR, ""),
    (f"{GOOD}\nThe trap adds a negation.", "stop", PAIR, ""),
    (f"Before. {GOOD} After.", "stop", PAIR, ""),
    (f"{GOOD}\n{GOOD}", "stop", PAIR, ""),
    (f"<think>maybe {{not}}</think>{GOOD}", "stop", PAIR, ""),
    ('{"paraphrase": "P one.", "trap": "T one.",}', "stop", PAIR, ""),
    ('{"paraphrase": "P\none.", "trap": "T one."}', "stop", PAIR, ""),
    ('{"paraphrase": "  P   one. ", "trap": "T one.\\n"}', "stop", PAIR, ""),
    ('{"paraphrase": "\\u0050 one.", "trap": "T one."}', "stop", PAIR, ""),
    ('{"paraphrase": "Caf\\u00e9 \\ud83d\\ude00", "trap": "T"}', "stop", Pair("Café 😀", "T"), ""),
    ('{"paraphrase": "Say \\"no\\".", "trap": "{T}"}', "stop", Pair('Say "no".', "{T}"), ""),
    ('{"paraphrase": "P one.", "trap": "T one.", "skip": false}', "stop", PAIR, ""),
    ('{"paraphrase": "P one.", "trap": "T one.", "skip": null}', "stop", PAIR, ""),
    (f"{GOOD}", "length", PAIR, ""),
    ('{"skip": true}', "stop", DOES_NOT_APPLY, ""),
    ('```json\n{"skip": true}\n```', "stop", DOES_NOT_APPLY, ""),
    ('The rule cannot apply.\n{"skip": true}', "stop", DOES_NOT_APPLY, ""),
    ('{"skip": true, "paraphrase": "", "trap": null}', "stop", DOES_NOT_APPLY, ""),
    # empty, cut off, refused, no object
    ("", "stop", None, "empty"),
    (" \n\t", "stop", None, "empty"),
    ("", "length", None, "truncated"),
    ('{"paraphrase": "P one.", "trap": "T o', "length", None, "truncated"),
    ('{"paraphrase": "P one.", "trap": "T one."', "stop", None, "truncated"),
    ('```json\n{"paraphrase": "P one.",', "stop", None, "truncated"),
    ("<think>The rule says to", "length", None, "truncated"),
    ('<think>{"paraphrase": "P", "trap": "T"}', "stop", None, "truncated"),
    ("paraphrase: P one. trap: T one.", "length", None, "truncated"),
    (GOOD, "content_filter", None, "refused"),
    ("I'm sorry, but I can't help with that.", "stop", None, "refused"),
    ("As an AI, I have no opinion.", "stop", None, "refused"),
    ("paraphrase: P one.\ntrap: T one.", "stop", None, "no_json"),
    ("skip", "stop", None, "no_json"),
    ('["P one.", "T one."]', "stop", None, "no_json"),
    ('"paraphrase": "P one.", "trap": "T one."', "stop", None, "no_json"),
    ("{'paraphrase': 'P one.', 'trap': 'T one.'}", "stop", None, "no_json"),
    ('{"paraphrase": "Say "no".", "trap": "T one."}', "stop", None, "no_json"),
    ('{paraphrase: "P one.", trap: "T one."}', "stop", None, "no_json"),
    # objects of another form
    ("{}", "stop", None, "schema"),
    ('{"paraphrase": "P one."}', "stop", None, "schema"),
    ('{"trap": "T one."}', "stop", None, "schema"),
    ('{"para": "P one.", "trap": "T one."}', "stop", None, "schema"),
    ('{"Paraphrase": "P one.", "Trap": "T one."}', "stop", None, "schema"),
    ('{"paraphrase": "P one.", "trap": "T one.", "why": "x"}', "stop", None, "schema"),
    ('{"paraphrase": "", "trap": "T one."}', "stop", None, "schema"),
    ('{"paraphrase": "P one.", "trap": " "}', "stop", None, "schema"),
    ('{"paraphrase": null, "trap": null}', "stop", None, "schema"),
    ('{"paraphrase": ["P one."], "trap": "T one."}', "stop", None, "schema"),
    ('{"paraphrase": 3, "trap": "T one."}', "stop", None, "schema"),
    ('{"triple": {"paraphrase": "P one.", "trap": "T one."}}', "stop", None, "schema"),
    ('{"paraphrase": "P", "paraphrase": "Q", "trap": "T"}', "stop", None, "schema"),
    ('{"paraphrase": "\\ud83d", "trap": "T one."}', "stop", None, "schema"),
    ('{"skip": "true"}', "stop", None, "schema"),
    ('{"skip": 1}', "stop", None, "schema"),
    ('{"skip": false}', "stop", None, "schema"),
    ('{"skip": true, "paraphrase": "P one.", "trap": "T one."}', "stop", None, "schema"),
    # two that differ
    (f'{GOOD}\n{{"paraphrase": "P two.", "trap": "T two."}}', "stop", None, "several_objects"),
    (f'{GOOD} {{"skip": true}}', "stop", None, "several_objects"),
]


def test_the_prompt_is_the_published_one_word_for_word():
    role_swap = TYPES["role_swap"]
    question = PROMPT.ask(
        TRIPLE_FORM,
        name=role_swap.label,
        rule=role_swap.definition,
        ex_anchor=role_swap.example_anchor,
        ex_para=role_swap.example_paraphrase,
        ex_trap=role_swap.example_trap,
        seed='A "quoted" {brace} & <tag>\tseed.',
    )
    assert question.messages == (("system", PUBLISHED_SYSTEM), ("user", PUBLISHED_USER))


@pytest.mark.parametrize("trap_type", TYPES.values(), ids=TYPES)
def test_the_worked_example_of_each_type_is_a_good_reply(trap_type):
    example = {"paraphrase": trap_type.example_paraphrase, "trap": trap_type.example_trap}
    reading = read_reply(json.dumps(example), "stop", "", TRIPLE_FORM)
    assert reading.value == Pair(**example)


@pytest.mark.parametrize(("text", "finish_reason", "value", "failure_class"), REPLIES)
def test_each_reply_has_its_value_or_its_failure_class(text, finish_reason, value, failure_class):
    reading = read_reply(text, finish_reason, "", TRIPLE_FORM)
    assert (reading.value, reading.failure_class) == (value, failure_class)


def test_the_replies_are_many_and_of_all_classes():
    assert len([reply for reply in REPLIES if reply[0] != GOOD]) >= 40
    assert {reply[3] for reply in REPLIES} == {"", *FAILURE_CLASSES} - {"request_failed"}


def assign(*texts, trap_type="negation"):
    rows = [(f"s{number}", trap_type, text) for number, text in enumerate(texts)]
    return pd.DataFrame(rows, columns=["seed_id", "type", "text"])


def ask_in(folder, reply, asked=None):
    def ask(questions):
        double = ChatDouble(reply)
        store = AnswerStore(folder, "shard-0", LOG)
        answers = answer_questions(questions, double, store, TokenBudget(folder / "u", None), LOG)
        if asked is not None:
            asked.extend(double.asked)
        return answers

    return ask


def test_no_reply_is_lost_on_its_way_to_the_attempts(tmp_path):
    texts = [f"The dog number {number} is in the garden." for number in range(len(REPLIES))]
    replies = {text: Reply(*reply[:2]) for text, reply in zip(texts, REPLIES, strict=True)}

    def reply(question):
        user = question.messages[-1][1]
        return replies[user.partition("Now the real task.\nSource: ")[2].partition("\n")[0]]

    table, answers = generate_triple_answers(
        assign(*texts), TYPES, PROMPT, 1, ask_in(tmp_path, reply), 0, 1
    )
    assert list(table.columns) == list(ANSWER_COLUMNS)
    assert len(table) == len(answers) == len(REPLIES)
    assert table["raw_text"].tolist() == [text for text, *_ in REPLIES]
    assert table["failure_class"].tolist() == [reply[3] for reply in REPLIES]
    attempts = check_answers(table, "double", TYPES)
    statuses = dict(zip(attempts["seed_id"], attempts["status"], strict=True))
    for number, (_, _, value, failure_class) in enumerate(REPLIES):
        expected = "skipped" if value == DOES_NOT_APPLY else "edit_check_failed"
        assert statuses[f"s{number}"] == ("unparsed" if failure_class else expected)
    unread = attempts[attempts["status"] == "unparsed"]
    assert unread["paraphrase"].isna().all() and unread["trap"].isna().all()
    assert set(unread["detail"].str.partition(":")[0]) == {*FAILURE_CLASSES} - {"request_failed"}
    assert attempts["raw_text"].notna().all()


def test_each_candidate_is_asked_for_with_seeds_of_its_own(tmp_path):
    asked = []
    ask = ask_in(tmp_path, lambda question: Reply(GOOD, "stop"), asked)
    table, _ = generate_triple_answers(assign("One a.", "Two b."), TYPES, PROMPT, 4, ask, 0, 1)
    assert table["attempt"].tolist() == [1, 2, 3, 4] * 2
    assert len({seed for _, seed in asked}) == len(asked) == 8
    again = []
    generate_triple_answers(
        assign("One a.", "Two b."), TYPES, PROMPT, 4, ask_in(tmp_path, None, again), 0, 1
    )
    assert again == []


def test_shards_share_the_work_and_leave_nothing_out(tmp_path):
    assigned = assign(*[f"Sentence number {number} here." for number in range(9)])
    ask = ask_in(tmp_path, lambda question: Reply(GOOD, "stop"))
    parts = [
        generate_triple_answers(assigned, TYPES, PROMPT, 2, ask, shard, 3)[0] for shard in range(3)
    ]
    assert sum(map(len, parts)) == 18
    joined = pd.concat(parts)[["seed_id", "attempt"]]
    assert not joined.duplicated().any()
    with pytest.raises(InputError, match="shard 3: allowed are 0 to 2"):
        generate_triple_answers(assigned, TYPES, PROMPT, 2, ask, 3, 3)


def test_the_first_that_passes_the_edit_check_is_the_candidate(tmp_path):
    anchor = "The cat sat on the old mat."
    paraphrase = "On the old mat the cat was sitting."
    replies = [
        Reply("", "", error="HTTP 500"),
        Reply(json.dumps({"paraphrase": paraphrase, "trap": anchor}), "stop"),
        Reply(
            json.dumps({"paraphrase": paraphrase, "trap": "The cat did not sit on the old mat."}),
            "stop",
        ),
        Reply('{"skip": true}', "stop"),
    ]
    ask = ask_in(tmp_path, lambda question: replies[question.sample])
    table, _ = generate_triple_answers(assign(anchor), TYPES, PROMPT, 4, ask, 0, 1)
    attempts = check_answers(table, "double", TYPES)
    assert attempts["status"].tolist() == ["request_failed", "edit_check_failed", "made", "skipped"]
    assert attempts["edit_reason"].tolist() == ["", "trap equals anchor", "", ""]
    chosen = choose_candidates(attempts, "double", {"s0": anchor}).iloc[0]
    assert (chosen["candidate_id"], chosen["status"]) == ("double:s0:negation", "made")
    assert chosen["trap"] == "The cat did not sit on the old mat."
    assert (chosen["anchor"], chosen["n_attempts"]) == (anchor, 4)


def test_answers_of_a_type_that_is_gone_are_refused(tmp_path):
    ask = ask_in(tmp_path, lambda question: Reply(GOOD, "stop"))
    table, _ = generate_triple_answers(assign("One a."), TYPES, PROMPT, 1, ask, 0, 1)
    with pytest.raises(InputError, match="trap type 'negation'; allowed: scope"):
        check_answers(table, "double", {"scope": TYPES["scope"]})


def test_no_seed_gives_an_empty_table(tmp_path):
    ask = ask_in(tmp_path, lambda question: Reply(GOOD, "stop"))
    table, answers = generate_triple_answers(assign(), TYPES, PROMPT, 4, ask, 0, 1)
    attempts = check_answers(table, "double", TYPES)
    assert (len(table), answers, len(attempts)) == (0, [], 0)
    assert len(choose_candidates(attempts, "double", {})) == 0
