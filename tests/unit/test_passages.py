"""Passages with one flipped sentence: found by offsets, all other bytes as they were."""

from __future__ import annotations

import json
import random
import re

import pandas as pd
import pytest

from embsyntax import passages as ps
from embsyntax.jobs import InputError

PASSAGE = (
    "The café opened in 1904.  Its owner hired two cooks. \u201cWe never close,\u201d he said."
)
SENTENCE = "Its owner hired two cooks."
TRAP = "Its owner hired six cooks."
START = PASSAGE.index(SENTENCE)
END = START + len(SENTENCE)


def flip(passage: str, sentence: str, trap: str) -> str:
    start = passage.index(sentence)
    return ps.flip_sentence(passage, start, start + len(sentence), trap)


def test_the_sentence_is_replaced_and_every_other_byte_stays():
    assert ps.flip_sentence(PASSAGE, START, END, f" {TRAP}\n") == (
        "The café opened in 1904.  Its owner hired six cooks. \u201cWe never close,\u201d he said."
    )


def test_offsets_decide_where_a_sentence_stands_twice():
    assert ps.flip_sentence("Go on. Stop. Go on.", 13, 19, "Go back.") == "Go on. Stop. Go back."


@pytest.mark.parametrize(
    ("passage", "sentence", "trap", "reason"),
    [
        ("It rains.", "It rains.", "It snows.", ps.NO_PASSAGE),
        ("(It rains.) ", "It rains.", "It snows.", ps.NO_PASSAGE),
        ("It rains. It snows.", "It rains.", "It\nis dry.", ps.LINE_BREAK),
        ("It rains. It snows.", "It rains.", "It\u2028is dry.", ps.LINE_BREAK),
        ("It rains. It snows.", "It rains.", "It is dry", ps.OTHER_ENDING),
        ("It rains. It snows.", "It rains.", "It is dry!", ps.OTHER_ENDING),
        ("It rains. It snows.", "It rains.", "It is dry.\u201d", ps.OTHER_ENDING),
        ("It rains. It snows.", "It rains.", "", ps.OTHER_ENDING),
        ("It rains. It snows.", "It rains.", " It  rains.", ps.SAME_TEXT),
    ],
)
def test_what_cannot_be_flipped_has_a_reason(passage, sentence, trap, reason):
    with pytest.raises(ps.NoTwinError) as caught:
        flip(passage, sentence, trap)
    assert str(caught.value) == reason


def test_random_passages_change_in_one_place_only():
    generator = random.Random(5)
    words = ["naïve", "Straße", "日本", "🙂", "it's", "x²", "dog", "(cat)", "1,000", "e\u0301"]
    spaces = [" ", "  ", "\n", "\t", "\u00a0", "\u2003"]
    for _ in range(300):
        sentences = [
            " ".join([*generator.choices(words, k=generator.randint(3, 7)), "end."])
            for _ in range(4)
        ]
        chosen = generator.randrange(4)
        head = "".join(text + generator.choice(spaces) for text in sentences[:chosen])
        tail = "".join(generator.choice(spaces) + text for text in sentences[chosen + 1 :])
        passage = head + sentences[chosen] + tail
        trap = "Flipped: " + sentences[chosen]
        twin = ps.flip_sentence(passage, len(head), len(passage) - len(tail), trap)
        assert twin.encode() == head.encode() + trap.encode() + tail.encode()


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text + " ",
        lambda text: text.replace("café", "cafe\u0301"),
        lambda text: text.replace("  Its", " Its"),
        lambda text: text.replace("six", "Six"),
        lambda text: text.replace("\u201c", '"'),
    ],
)
def test_the_byte_check_finds_a_single_other_byte(damage):
    twin = ps.flip_sentence(PASSAGE, START, END, TRAP)
    ps.check_bytes(PASSAGE, twin, START, END, TRAP)
    with pytest.raises(InputError, match="differs"):
        ps.check_bytes(PASSAGE, damage(twin), START, END, TRAP)


def make_tables() -> tuple[pd.DataFrame, pd.DataFrame]:
    triples = pd.DataFrame(
        {
            "id": ["t1", "t2", "t3"],
            "type": ["negation", "numbers", "negation"],
            "seed_id": ["a", "b", "c"],
            "anchor": ["It rains.", "Two men ran.", "It hails."],
            "paraphrase": ["Rain falls.", "A pair of men ran.", "Hail falls."],
            "trap": ["It never rains.", "Six men ran.", "It never hails."],
        }
    )
    seeds = pd.DataFrame(
        {
            "seed_id": ["a", "b", "c"],
            "context": ["It rains. It snows.", "Two men ran.", "Sun. It hails."],
            "start": [0, 0, 5],
            "end": [9, 12, 14],
        }
    )
    return triples, seeds


def test_each_triple_is_a_passage_or_counted():
    triples, seeds = make_tables()
    passages, drops = ps.build_passages(triples, seeds)
    assert list(passages.columns) == list(ps.PASSAGE_COLUMNS)
    assert passages["id"].tolist() == ["t1", "t3"]
    assert passages["query"].tolist() == ["Rain falls.", "Hail falls."]
    assert passages["twin"].tolist() == ["It never rains. It snows.", "Sun. It never hails."]
    assert drops.set_index("reason")["n"].to_dict() == dict.fromkeys(ps.DROP_REASONS, 0) | {
        ps.NO_PASSAGE: 1
    }
    assert len(passages) + drops["n"].sum() == len(triples)
    ps.check_passages(passages, triples)


def test_damaged_tables_are_refused():
    triples, seeds = make_tables()
    passages, _ = ps.build_passages(triples, seeds)
    with pytest.raises(InputError, match="'t1'"):
        ps.check_passages(passages.assign(start=1), triples)
    with pytest.raises(InputError, match="query"):
        ps.check_passages(passages.assign(query="x"), triples)
    with pytest.raises(InputError, match="differs"):
        ps.check_passages(passages.assign(twin=passages["twin"] + "."), triples)
    with pytest.raises(InputError, match="'c' is not among"):
        ps.build_passages(triples, seeds[:2])
    with pytest.raises(InputError, match="not the anchor"):
        ps.build_passages(triples, seeds.assign(start=[1, 0, 5]))
    with pytest.raises(InputError, match="context"):
        ps.build_passages(triples, seeds[["seed_id"]])


def test_sentences_of_real_paragraphs_are_flipped(mirror):
    articles = json.loads((mirror / "xquad" / "xquad.en.json").read_text("utf-8"))["data"]
    triples, seeds = [], []
    for article in articles:
        for paragraph in article["paragraphs"]:
            context = paragraph["context"]
            for found in re.finditer(r"\S.*?[.!?](?=\s+[A-Z]|\s*$)", context):
                key = f"s{len(seeds)}"
                seeds.append((key, context, found.start(), found.end()))
                triples.append((key, "scope", key, found[0], "p", "Not so: " + found[0]))
    triples = pd.DataFrame(
        triples, columns=["id", "type", "seed_id", "anchor", "paraphrase", "trap"]
    )
    seeds = pd.DataFrame(seeds, columns=["seed_id", "context", "start", "end"])
    passages, drops = ps.build_passages(triples, seeds)
    ps.check_passages(passages, triples)
    assert len(passages) > 1000
    assert len(passages) + drops["n"].sum() == len(triples)


def test_no_triples_give_no_passages_of_the_right_kind(tmp_path):
    triples, seeds = make_tables()
    passages, drops = ps.build_passages(triples[:0], seeds)
    passages.to_parquet(tmp_path / "passages.parquet", index=False)
    read = pd.read_parquet(tmp_path / "passages.parquet")
    assert list(read.columns) == list(ps.PASSAGE_COLUMNS)
    assert read["start"].dtype == "int64"
    assert pd.api.types.is_string_dtype(read["query"])
    assert drops["n"].sum() == 0
    ps.check_passages(read, triples)
