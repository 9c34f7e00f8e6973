"""The card: its YAML, its tables that add up, texts that break nothing, the licence."""

from __future__ import annotations

import dataclasses
import re

import pandas as pd
import pytest
from huggingface_hub import DatasetCard

from dataset_loading import read_front_matter
from embsyntax.dataset_card import (
    LARGEST,
    choose_licence,
    choose_size,
    describe_generator,
    describe_judge,
    escape_text,
    escape_url,
    fence_text,
    find_unfiltered,
    lay_out_statistics,
    list_absent,
    parse_licence,
    quote_yaml,
)
from embsyntax.dataset_folder import collect_parts, columns_of
from embsyntax.jobs import InputError
from made_dataset import NASTY, make_facts, make_statistics, make_tables, write_dataset


@pytest.fixture(scope="module")
def tables():
    return make_tables()


@pytest.fixture(scope="module")
def folder(tmp_path_factory, tables):
    folder = tmp_path_factory.mktemp("dataset")
    write_dataset(folder, tables, make_facts(tables))
    return folder


@pytest.fixture(scope="module")
def card(folder):
    return (folder / "README.md").read_text(encoding="utf-8")


def read_tables(card: str) -> list[list[list[str]]]:
    """The Markdown tables of a card: cells of each row, the header first."""
    found, lines = [], []
    for line in [*card.splitlines(), ""]:
        if line.startswith("| "):
            cells = re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
            lines.append([cell.strip() for cell in cells])
        elif lines:
            found.append([lines[0], *lines[2:]])
            lines = []
    return found


def table_with(card: str, *header: str) -> list[list[str]]:
    tables = [table for table in read_tables(card) if table[0][: len(header)] == list(header)]
    assert tables, header
    return tables[0]


def numbers(cells: list[str]) -> list[int]:
    return [int(cell) for cell in cells]


def test_front_matter_parses_and_keeps_every_text(folder):
    card = read_front_matter(folder)
    assert card["pretty_name"] == f"Triples {NASTY}".replace("\n", " ")
    assert card["license"] == "other"
    assert card["license_name"] == "per-source"
    assert card["language"] == ["en"]
    assert card["size_categories"] == ["n<1K"]
    assert card["task_categories"] == ["sentence-similarity", "feature-extraction"]
    human = next(info for info in card["dataset_info"] if info["config_name"] == "human_test")
    names = [feature["name"] for feature in human["features"]]
    assert names == [column.name for column in columns_of("human_test")]
    assert "yes" in names
    assert "no" in names


def test_yes_and_no_are_quoted(card):
    assert '- name: "yes"\n' in card
    assert '- name: "no"\n' in card
    assert not re.search(r"name: (yes|no)$", card, re.MULTILINE)


def test_the_hub_library_reads_the_card(folder):
    card = DatasetCard.load(folder / "README.md")
    assert card.data.license == "other"
    assert [entry["config_name"] for entry in card.data.configs][0] == "default"
    assert card.data.dataset_info[0]["splits"][0]["num_examples"] == 5


def test_every_table_has_rows_of_one_length(card):
    tables = read_tables(card)
    assert len(tables) > 12
    for table in tables:
        assert len({len(row) for row in table}) == 1, table


def test_contents_add_up(card, tables):
    rows = table_with(card, "Config", "Rows")[1:]
    counts = {row[0]: int(row[1]) for row in rows}
    assert counts.pop("all") == sum(counts.values())
    assert counts == {
        f"{part.config} ({part.split})": len(part.rows) for part in collect_parts(tables)
    }


def test_rows_of_the_types_add_up_both_ways(card):
    header, *rows = table_with(card, "Trap type", "train")
    assert header[-1] == "Sum"
    for row in rows:
        assert sum(numbers(row[1:-1])) == int(row[-1])
    for column in zip(*(numbers(row[1:]) for row in rows), strict=True):
        assert sum(column[:-1]) == column[-1]
    contents = {row[0]: row[1] for row in table_with(card, "Config", "Rows")[1:]}
    total = dict(zip(header, rows[-1], strict=True))
    assert total["train"] == contents["default (train)"]
    assert total["human_test"] == contents["human_test (test)"]


def test_filter_statistics_add_up_for_both_generators(card):
    shown = [table for table in read_tables(card) if table[0][:2] == ["Trap type", "Generated"]]
    assert len(shown) == 2
    for header, *rows in shown:
        outcomes = slice(2, header.index("Keep rate"))
        for row in rows:
            assert sum(numbers(row[outcomes])) == int(row[1])
            kept = int(row[header.index("Kept")])
            assert row[-1] == f"{100 * kept / int(row[1]):.1f} %"
        for place in range(1, header.index("Keep rate")):
            column = [int(row[place]) for row in rows]
            assert sum(column[:-1]) == column[-1]


def test_sources_add_up_to_all_rows(card):
    rows = table_with(card, "Source", "Licence")[1:]
    counts = [int(row[3]) for row in rows]
    assert sum(counts[:-1]) == counts[-1]
    assert counts[-1] == int(table_with(card, "Config", "Rows")[-1][1])
    credit = {row[0]: row[2] for row in rows}
    assert "Marelli" in credit["sick"]
    assert "Artetxe" in credit["xquad"]
    assert credit["not stated"] == ""


def test_unfiltered_types_are_marked_everywhere(card):
    assert "**Unfiltered types: role swap.**" in card
    assert card.count("role swap (unfiltered)") == 2
    assert "negation (unfiltered)" not in card
    assert "says nothing about traps of the types role swap" in card


def test_a_declared_judge_leaves_no_type_to_be_called_blind(tmp_path, tables):
    """Every row is unfiltered then; the card says why once, and calls no judge blind."""
    triples = tables.triples.assign(is_filtered=False, judge="declared")
    facts = make_facts(tables, judges=None)
    facts = dataclasses.replace(facts, triples={**facts.triples, "judge": "declared"})
    write_dataset(tmp_path, dataclasses.replace(tables, triples=triples), facts)
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "**No entailment model looked at any row**" in card
    assert "nfiltered types" not in card
    assert "(unfiltered)" not in card


def test_a_type_without_kept_rows_is_marked_by_the_statistics(tables):
    parts = collect_parts(tables)
    statistics = make_statistics(tables)
    assert find_unfiltered(parts, statistics) == ["role_swap"]
    none_kept = [part for part in parts if "is_filtered" not in part.rows]
    assert find_unfiltered(none_kept, statistics) == ["role_swap"]
    assert find_unfiltered(none_kept, statistics.drop(columns="is_filtered")) == []


def test_nothing_of_the_data_is_read_as_mark_up(card):
    body = card.split("---\n", 2)[2]
    assert "<script>" not in body
    assert "[g](h)" not in body
    assert "*e*" not in body
    assert "`f`" not in body
    assert "](https://example.org/a%20%28b%29)" in body


def test_a_prompt_cannot_close_its_block(card):
    assert "````text\nTrap type: {name}\n```\n{% block %}\n````\n" in card


def test_what_the_run_did_is_said(card):
    for text in (
        "8 to 30 words",
        "4 from xquad/xquad.en.json",
        "The rules of this repository",
        "all-MiniLM-L6-v2, trained for this run on sick/SICK_train.txt",
        "at least 0.7",
        "below 0.5",
        "at least 70 % of the anchor's words",
        "at most 4 new ones",
        "80 / 10 / 10 by source sentence",
        "SmolLM2-135M-Instruct (GGUF Q4_1), run locally with temperature 0.7",
        "triples without one: 3 (no passage around the sentence)",
        "word overlap 10.00",
        "0.850 to 0.880",
    ):
        assert text in card, text
    assert "is not among them" not in card


def test_a_bare_run_says_what_it_lacks(tmp_path):
    tables = make_tables(with_all=False)
    facts = make_facts(tables, judges=None, prompt="", track_note="", repository="")
    triples = {**facts.triples, "judge": "declared", "second_generator": None}
    write_dataset(tmp_path, tables, dataclasses.replace(facts, triples=triples))
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    for text in (
        "**No entailment model looked at any row**",
        "- No entailment model has looked at any row.",
        "None in this run",
        "No judge was measured in this run",
        "There were no triples to measure baselines on",
        "Nobody has written or judged a triple yet",
        "No person has written a triple of this run, nor judged one",
        "human_test (nobody has written a triple yet)",
    ):
        assert text in card, text
    unsaid = ("load_dataset(folder)\n", "## Generation prompt", "## SR pairs", "**Data")
    for text in (*unsaid, "nfiltered types", "(unfiltered)", "entails the anchor"):
        assert text not in card, text


def test_example_sheets_are_named_as_such(tmp_path):
    tables = make_tables(with_all=False)
    write_dataset(tmp_path, tables, make_facts(tables, is_example=True))
    assert "The sheets of this run only show the form" in (tmp_path / "README.md").read_text()


def test_a_judge_that_was_not_measured_is_named(tmp_path, tables):
    judges = pd.DataFrame({"judge": ["other"], "metric": ["x"], "value": [0.5]})
    write_dataset(tmp_path, tables, make_facts(tables, judges=judges))
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "The judge of this run, made_judge, is not among them" in card
    assert "**Unfiltered types: role swap.** The judge of this run was not measured" in card


@pytest.mark.parametrize("row", [0, 2])
def test_statistics_that_do_not_add_up_are_refused(tables, row):
    statistics = make_statistics(tables)
    statistics.loc[row, "trap_rejected"] += 1
    with pytest.raises(InputError, match="add up"):
        lay_out_statistics(statistics, "rules", {}, [])


def test_types_that_do_not_add_up_to_all_are_refused(tables):
    statistics = make_statistics(tables).drop(index=0)
    with pytest.raises(InputError, match="the types do not add up to the row 'all'"):
        lay_out_statistics(statistics, "rules", {}, [])


def test_statistics_of_an_absent_generator_are_empty(tables):
    assert lay_out_statistics(make_statistics(tables), "nobody", {}, []) == ""


@pytest.mark.parametrize(
    ("licences", "identifier", "note"),
    [
        (["CC-BY-SA-4.0", "Apache-2.0"], "cc-by-sa-4.0", "passed on under CC BY-SA 4.0"),
        (["CC-BY-SA-4.0 (SNLI); MultiNLI by genre"], "cc-by-sa-4.0", "attribution"),
        (["CC-BY-SA-3.0 (Stack Exchange)", "CC-BY-SA-4.0"], "cc-by-sa-4.0", "attribution"),
        (["CC-BY-NC-SA-3.0"], "cc-by-nc-sa-3.0", "one licence"),
        (["CC-BY-NC-SA-3.0", "CC-BY-SA-4.0"], "other", "under CC-BY-NC-SA-3.0 must not be used"),
        (["not specified", "CC-BY-SA-4.0"], "other", "(not specified): ask their authors"),
        (["not specified"], "other", "ask their authors"),
        ([""], "other", "(not stated): ask"),
        (["All rights reserved", "CC-BY-NC-SA-3.0"], "other", "commercially"),
    ],
)
def test_the_strictest_licence_counts(licences, identifier, note):
    licence = choose_licence(licences)
    assert licence.identifier == identifier
    assert note in licence.note


def test_licences_lose_their_remarks():
    assert parse_licence("CC-BY-SA-3.0 (Stack Exchange)") == "cc-by-sa-3.0"
    assert parse_licence("CC-BY-SA-4.0 (SNLI); MultiNLI by genre") == "cc-by-sa-4.0"


def test_sizes_are_those_of_the_hub():
    assert [choose_size(n) for n in (0, 999, 1000, 50_000, 10**9)] == [
        "n<1K",
        "n<1K",
        "1K<n<10K",
        "10K<n<100K",
        LARGEST,
    ]


def test_texts_are_escaped():
    assert escape_text("a\n <b> & |c| role_swap _d_") == (
        "a &lt;b&gt; &amp; &#124;c&#124; role_swap &#95;d&#95;"
    )
    assert fence_text("x````y") == "`````text\nx````y\n`````\n"
    assert quote_yaml('yes: "no"\n\x7f') == '"yes: \\"no\\"  "'
    assert escape_url("https://a.b/c(d) <e>") == "https://a.b/c%28d%29%20%3Ce%3E"


def test_missing_splits_are_named(tables):
    parts = [p for p in collect_parts(tables) if p.split != "dev" and p.config != "human_test"]
    assert list_absent(parts, ["rules"]) == [
        "default, split dev (no triple of it was kept)",
        "human_test (nobody has written a triple yet)",
    ]


def test_generators_and_judges_are_described(tables):
    facts = make_facts(tables)
    server = {
        "x": {
            "backend": "openai",
            "model": "gpt|4",
            "revision": "may",
            "temperature": 0.0,
            "top_p": 1.0,
            "max_tokens": 9,
        }
    }
    assert describe_generator("x", server, {}) == (
        "gpt&#124;4 (may) behind an OpenAI-compatible server, temperature 0, top_p 1, at most 9 "
        "tokens an answer"
    )
    local = {"q": {**server["x"], "backend": "transformers", "model": "qwen3-4b-instruct-2507"}}
    assert describe_generator("q", local, facts.language_models).startswith(
        "Qwen/Qwen3-4B-Instruct-2507 (revision cdbee75f17c01a7cc42f958dc650907174af0554), run loc"
    )
    judges = {"d": {"model": "phi-4-mini-instruct"}}
    assert describe_judge("d", judges, {}, facts.language_models).startswith(
        "microsoft/Phi-4-mini-instruct (revision "
    )
    assert "No entailment model" in describe_judge("declared", {}, {}, {})
