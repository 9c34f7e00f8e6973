"""Seeds: sentence splitting, near-duplicates, readers, every drop with its reason."""

from __future__ import annotations

import itertools
import json
import os
import random
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from embsyntax import seeds as seeds_module
from embsyntax.jobs import InputError
from embsyntax.near_duplicates import (
    character_ngrams,
    choose_distinct,
    find_similar_pairs,
    jaccard_index,
)
from embsyntax.registry import Source
from embsyntax.seeds import (
    SeedLimits,
    check_seeds,
    draw_texts,
    extract_seeds,
    find_shape_reason,
    has_number,
    is_english,
    read_paragraphs,
)
from embsyntax.sentence_splitting import split_sentences

LIMITS = SeedLimits(min_words=8, max_words=30, near_duplicate=0.8, max_texts=None, draw_seed=1)
GOOD = "The committee of the town had met twice before the vote."

SPLITS = [
    ("One came. Two left.", ["One came.", "Two left."]),
    ("Dr. Smith met Mrs. Jones. They talked.", ["Dr. Smith met Mrs. Jones.", "They talked."]),
    ("He paid 3.5 dollars. It was 2.25 before.", ["He paid 3.5 dollars.", "It was 2.25 before."]),
    ("J. R. R. Tolkien wrote it. George W. Bush read it.", None),
    ("Plants need vitamin C. The body does too.", ["Plants need vitamin C.", "The body does too."]),
    ("The U.S. Army left the U.S. The army of the U.K. stayed.", None),
    ("We ship nuts, e.g. Brazil nuts, i.e. Large ones.", ["{all}"]),
    ("It opens at 9 a.m. Monday. It shuts at 5 p.m. The bar stays open.", None),
    ("See No. 5 and Fig. 2 of it. Look at p. 12 too.", None),
    ("He said no. Then he left.", ["He said no.", "Then he left."]),
    ("The firm is Acme Inc. It sells rope.", ["The firm is Acme Inc.", "It sells rope."]),
    ("Acme Inc. Chairman Bob Hill spoke.", ["{all}"]),
    ("They cited Brown v. Board of Education.", ["{all}"]),
    ("Is it true? Yes! It is.", ["Is it true?", "Yes!", "It is."]),
    ('She said "It is over." Then she left.', ['She said "It is over."', "Then she left."]),
    ('They were "Franks". Others were not.', ['They were "Franks".', "Others were not."]),
    ("It fell (see below). It rose.", ["It fell (see below).", "It rose."]),
    ("It fell.[12][citation needed] It rose.[3]", ["It fell.", "It rose."]),
    ("1. Heat the oven. 2. Mix it all. 3) Bake.", ["Heat the oven.", "Mix it all.", "Bake."]),
    (
        "Do this:\n- Cut the bread\n• Eat it\n(b) Rest\n",
        ["Do this:", "Cut the bread", "Eat it", "Rest"],
    ),
    ("It began in 1999. 12 people came.", ["It began in 1999.", "12 people came."]),
    ("It went on... He slept. She had iOS. iOS is hers.", None),
    ("Version 2.0 of Node.js is out. See example.com for it.", None),
    ("  Spaces around.  \r\n\r\n  And lines.\u2028Of all kinds.  ", None),
    ("Él vino. Ángela se fue.", ["Él vino.", "Ángela se fue."]),
    ("", []),
    (" \n ", []),
]
EXPECTED = {
    "J. R. R. Tolkien wrote it. George W. Bush read it.": [
        "J. R. R. Tolkien wrote it.",
        "George W. Bush read it.",
    ],
    "The U.S. Army left the U.S. The army of the U.K. stayed.": [
        "The U.S. Army left the U.S.",
        "The army of the U.K. stayed.",
    ],
    "It opens at 9 a.m. Monday. It shuts at 5 p.m. The bar stays open.": [
        "It opens at 9 a.m. Monday.",
        "It shuts at 5 p.m.",
        "The bar stays open.",
    ],
    "See No. 5 and Fig. 2 of it. Look at p. 12 too.": [
        "See No. 5 and Fig. 2 of it.",
        "Look at p. 12 too.",
    ],
    "It went on... He slept. She had iOS. iOS is hers.": [
        "It went on...",
        "He slept.",
        "She had iOS. iOS is hers.",
    ],
    "Version 2.0 of Node.js is out. See example.com for it.": [
        "Version 2.0 of Node.js is out.",
        "See example.com for it.",
    ],
    "  Spaces around.  \r\n\r\n  And lines.\u2028Of all kinds.  ": [
        "Spaces around.",
        "And lines.",
        "Of all kinds.",
    ],
}


def cut(passage: str) -> list[str]:
    return [passage[start:end] for start, end in split_sentences(passage)]


@pytest.mark.parametrize(("passage", "sentences"), SPLITS)
def test_passages_are_split(passage, sentences):
    expected = EXPECTED[passage] if sentences is None else sentences
    assert cut(passage) == [passage if s == "{all}" else s for s in expected]


def test_spans_are_ordered_and_without_outer_white_space():
    pieces = ["Mr. A.", " ", "\n", "- ", "2. ", "It is.", "x", "(b) ", "[1]", "...", "? ", "É"]
    draw = random.Random(3)
    for _ in range(2000):
        passage = "".join(draw.choices(pieces, k=draw.randint(0, 12)))
        last = 0
        for start, end in split_sentences(passage):
            assert last <= start < end <= len(passage)
            assert passage[start:end] == passage[start:end].strip()
            last = end


def make_texts(n: int) -> list[str]:
    """Texts of few words, so that many are alike."""
    draw = random.Random(5)
    words = ["man", "dog", "plays", "with", "the", "a", "red", "guitar", "in", "women", "house"]
    return [" ".join(draw.choices(words, k=draw.randint(1, 9))) for _ in range(n)]


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.8, 1.0])
def test_similar_pairs_are_those_of_the_exact_index(threshold, monkeypatch):
    monkeypatch.setattr("embsyntax.near_duplicates.BLOCK_ROWS", 64)
    texts = [*make_texts(120), "", "?!", "ab", "AB."]
    expected = [
        (later, earlier)
        for later, earlier in itertools.product(range(len(texts)), repeat=2)
        if earlier < later and jaccard_index(texts[later], texts[earlier]) >= threshold - 1e-9
    ]
    found = find_similar_pairs(texts, threshold)
    assert [tuple(pair) for pair in found] == expected
    assert len(expected) > 5


def test_similar_pairs_of_nothing_and_bad_thresholds():
    assert find_similar_pairs([], 0.5).shape == (0, 2)
    assert find_similar_pairs(["one"], 0.5).dtype == np.int64
    for threshold in (0, 1.01, -1):
        with pytest.raises(InputError, match="above 0, at most 1"):
            find_similar_pairs(["one"], threshold)


def test_character_ngrams_ignore_case_and_punctuation():
    assert character_ngrams("A dog!") == {" a do", "a dog", " dog "}
    assert jaccard_index("A dog, running.", "a DOG running") == 1


def test_the_first_of_near_duplicates_stays_and_dropped_ones_drop_nothing():
    first = "the quick brown fox jumps over the lazy dog near the river bank"
    second = "the quick brown fox jumps over the lazy dog near the river bend"
    third = "the quick brown fox jumps over the lazy hen near the river bend"
    assert jaccard_index(first, second) > 0.8 > jaccard_index(first, third)
    assert jaccard_index(second, third) > 0.7
    assert choose_distinct([first, second, third], 0.8) == [-1, 0, -1]
    assert choose_distinct([second, "other words", first], 0.8, given=["none of it", first]) == [
        4,
        -1,
        4,
    ]


ENGLISH = [
    "A man is playing a guitar in the park near his house",
    "Tom doesn't actually live within Boston city limits.",
    "I've never seen you in a pretty dress before.",
    "The city of Los Angeles grew after the war of 1848.",
    "Charles de Gaulle was the president of France for ten years.",
    "Three women are sitting together near woven walls",
    "The café in Köln was closed by the owner in May.",
]
FOREIGN = [
    "Der Mann ist in das Haus gegangen und hat das Buch an sich genommen.",
    "Die Frau war so alt, dass man es ihr nicht mehr ansah.",
    "Le chat est sur la table et le chien dort dans la cuisine.",
    "El niño va a la escuela con su hermano todos los días.",
    "Il gatto è sul tavolo e il cane non dorme nella cucina.",
    "O menino foi para a escola com o irmão dele de manhã.",
    "De man is in het huis en de hond was niet in de tuin.",
    "Mannen är i huset och hunden ligger på golvet i köket.",
    "To jest bardzo dobry pomysł, ale on nie ma na to czasu.",
    "Mies on talossa ja koira ei ole siellä, koska se oli ulkona.",
    "Bu adam evde ve köpek bahçede uyuyor, ama kedi için yer yok.",
    "Anak itu pergi ke sekolah dengan kakak dan adik yang kecil.",
    "Omul este în casă și câinele nu doarme cu pisica în bucătărie.",
    "Человек находится в доме, а собака спит в саду у дома.",
    "这个人在房子里面 而 狗 在 花园 里 睡觉 今天",
    "Senate confirms Janet Yellen next Federal Reserve Chair today",
    "12 345 678 910 11 12 13 14 15",
]


@pytest.mark.parametrize("text", ENGLISH)
def test_english_is_known(text):
    assert is_english(text)


@pytest.mark.parametrize("text", FOREIGN)
def test_other_languages_and_headlines_are_not_taken(text):
    assert not is_english(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It cost 5 dollars", True),
        ("It cost five dollars", True),
        ("Dozens of people left", True),
        ("They met on Monday", True),
        ("They met in March", False),
        ("You may march with someone", False),
        ("No one is often alone", False),
        ("Twofold is no number here", False),
        ("It fell in the 1990s", True),
    ],
)
def test_numbers_are_seen(text, expected):
    assert has_number(text) is expected


@pytest.mark.parametrize(
    ("text", "context_sentences", "reason"),
    [
        (GOOD, 5, ""),
        (GOOD[:-1], 1, ""),
        (GOOD[:-1], 2, "not a whole sentence"),
        ("It has seven words in all here.", 1, "too short"),
        (" ".join(["the"] * 31) + ".", 1, "too long"),
        (GOOD.replace(" had", "  had"), 1, "white space or form of characters"),
        (GOOD.replace(" had", "\u00a0had"), 1, "white space or form of characters"),
        (GOOD.replace("town", "cafe\u0301"), 1, "white space or form of characters"),
        (GOOD.replace("town", "to\u200bwn"), 1, "white space or form of characters"),
        (GOOD.replace("town", "http://town.org"), 1, "markup or address"),
        (GOOD.replace("town", "<b>town</b>"), 1, "markup or address"),
        (GOOD.replace("town", "town[12]"), 1, "markup or address"),
        (GOOD.replace(".", "..."), 1, "markup or address"),
        (GOOD[0].lower() + GOOD[1:], 1, "not a whole sentence"),
        (GOOD.replace(".", ","), 1, "not a whole sentence"),
        (GOOD.replace(".", ":"), 2, "not a whole sentence"),
        (GOOD.replace("town", "town)"), 1, "not a whole sentence"),
        (GOOD.replace("town", '"town'), 1, "not a whole sentence"),
        (GOOD.replace("town", "“town"), 1, "not a whole sentence"),
        (GOOD.replace("town had", "town.Then it had"), 1, "not a whole sentence"),
        (GOOD.replace("town", '"town" (of old)'), 1, ""),
        ("Der Mann ist in das Haus gegangen und schläft.", 1, "not English running text"),
    ],
)
def test_every_shape_has_its_reason(text, context_sentences, reason):
    assert find_shape_reason(text, context_sentences, LIMITS) == reason


def make_source(file: str, columns: str = "text", **changes) -> Source:
    row = {
        "source": "mine",
        "file": file,
        "suite": "",
        "corpus": "mine",
        "format": file.rpartition(".")[2],
        "sentence1_column": "",
        "pairs": (),
        "score_max": None,
        "origin": f"folder:{file}",
        "revision": "",
        "sha256": "",
        "bytes": None,
        "mirror_path": "",
        "licence": "MIT",
        "attribution": "",
        "training_sets_note": "",
        "sentence_columns": tuple(columns.split(",")),
        "split": "train",
    }
    return Source(**{**row, **changes})


@pytest.fixture
def write(tmp_path):
    def write_texts(file: str, *texts: str, **changes) -> tuple[Path, Source]:
        path = tmp_path / file
        path.write_text("".join(json.dumps({"text": t}) + "\n" for t in texts), encoding="utf-8")
        return path, make_source(file, **changes)

    return write_texts


@pytest.fixture
def write_squad(tmp_path):
    def write_paragraphs(*contexts: object) -> tuple[Path, Source]:
        path = tmp_path / "x.json"
        articles = [{"title": "t", "paragraphs": [{"context": c, "qas": []}]} for c in contexts]
        path.write_text(json.dumps({"data": articles, "version": "1"}), encoding="utf-8")
        return path, make_source("x.json", "context", format="squad", source="x", split="")

    return write_paragraphs


def test_each_sentence_is_a_seed_or_a_counted_drop(write, write_squad):
    passage = f"{GOOD} Short one. The river of the valley flooded 2 of its banks in spring.[3]\n"
    given = "A benchmark holds this sentence about a cat on a mat."
    texts = [
        GOOD.upper().replace("THE COMMITTEE", "The committee"),
        given.replace("cat on", "cat, on"),
        given.replace("A benchmark", "The benchmark"),
        "The river of the valley flooded 3 of its banks in spring.",
        "A farmer sold the barn to one of the new owners.",
        "A farmer sold the barn to one of the new owners.",
        "wrong start of a text that is long enough here",
    ]
    found, counts = extract_seeds(
        [write_squad(passage), write("a.jsonl", *texts)],
        [write("given.jsonl", given)],
        LIMITS,
    )
    assert list(found.columns) == list(seeds_module.SEED_COLUMNS)
    assert found["text"].tolist() == [
        GOOD,
        "The river of the valley flooded 2 of its banks in spring.",
        "A farmer sold the barn to one of the new owners.",
    ]
    assert found["context"].tolist() == [passage, passage, texts[4]]
    assert found["has_number"].tolist() == [False, True, False]
    assert found["context_sentences"].tolist() == [3, 3, 1]
    assert found["source"].tolist() == ["x", "x", "mine"]
    assert found["file"].tolist() == ["x/x.json", "x/x.json", "mine/a.jsonl"]
    assert found["split"].tolist() == ["", "", "train"]
    n = counts.set_index(["file", "outcome"])["n"]
    assert n["x/x.json", "too short"] == 1
    assert n["mine/a.jsonl"].to_dict() == {
        **dict.fromkeys(counts["outcome"], 0),
        **{"drawn": 6, "repeated": 1, "kept": 1, "not a whole sentence": 1, "duplicate": 1},
        **{"in a given text": 1, "near a given text": 1, "near duplicate": 1},
    }
    sums = counts.groupby(["file", "unit"])["n"].sum()
    assert sums["mine/a.jsonl", "text"] == len(texts)
    assert sums["mine/a.jsonl", "sentence"] == len(texts) - 1
    assert sums["x/x.json", "sentence"] == len(split_sentences(passage))


def test_later_files_change_no_earlier_seed(write):
    first = write("a.jsonl", GOOD, "A farmer sold the barn to one of the new owners.")
    second = write("b.jsonl", GOOD.replace("twice", "once"), source="other")
    alone, _ = extract_seeds([first], [], LIMITS)
    both, _ = extract_seeds([first, second], [], LIMITS)
    pd.testing.assert_frame_equal(both.iloc[:2], alone)
    again, _ = extract_seeds([first, second], [], LIMITS)
    pd.testing.assert_frame_equal(both, again)


def test_texts_are_drawn_by_their_hash_and_counted(write):
    texts = [f"The number {i} of the list is a name of {i * 7919} things." for i in range(60)]
    seeds, counts = extract_seeds([write("a.jsonl", *texts)], [], SeedLimits(8, 30, 1.0, 20, 1))
    n = counts.set_index("outcome")["n"]
    assert (n["drawn"], n["not drawn"], len(seeds)) == (20, 40, 20)
    assert [t for t in texts if t in set(seeds["text"])] == seeds["text"].tolist()
    few, more = set(draw_texts(texts, 20, 1)), set(draw_texts([*texts, "new"], 20, 1))
    assert len(few & more) >= 19
    assert few != set(draw_texts(texts, 20, 2))
    assert draw_texts(texts, None, 1) == texts


def test_nothing_left_is_refused_with_the_counts(write):
    with pytest.raises(InputError, match=r"no seed is left \(.*too short: 1"):
        extract_seeds([write("a.jsonl", "Too short.")], [], LIMITS)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"min_words": 0}, "min_words"),
        ({"min_words": 31}, "min_words"),
        ({"near_duplicate": 0.0}, "near_duplicate"),
        ({"near_duplicate": 1.5}, "near_duplicate"),
    ],
)
def test_impossible_limits_are_refused(change, message):
    values = {
        "min_words": 8,
        "max_words": 30,
        "near_duplicate": 0.8,
        "max_texts": None,
        "draw_seed": 1,
    }
    with pytest.raises(InputError, match=message):
        SeedLimits(**{**values, **change})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "no JSON in UTF-8"),
        (b'"\xff"', "no JSON in UTF-8"),
        (b"[]", "no list under the key 'data'"),
        (b'{"data": [{"paragraphs": 3}]}', "article 1: no list under the key 'paragraphs'"),
        (b'{"data": [{"paragraphs": [{}]}]}', "article 1, paragraph 1, key 'context': null"),
        (b'{"data": [{"paragraphs": ["x"]}]}', "paragraph 1, key 'context': null"),
        (b'{"data": []}', "no paragraphs"),
    ],
)
def test_bad_files_of_paragraphs_are_refused(tmp_path, content, message):
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_paragraphs(path, str(path))


def test_hub_layouts_give_their_answers_and_premises(tmp_path):
    gooaq, nli = tmp_path / "g.parquet", tmp_path / "n.parquet"
    answer = f"{GOOD} It was in the news of the next day for 3 hours."
    pq.write_table(pa.table({"question": ["what?"], "answer": [answer]}), gooaq)
    premise = "Two women are embracing while holding to go packages."
    pq.write_table(
        pa.table({"premise": [premise] * 3, "hypothesis": list("abc"), "label": [0, 1, 2]}), nli
    )
    found, _ = extract_seeds(
        [
            (gooaq, make_source("g.parquet", "answer", source="gooaq")),
            (nli, make_source("n.parquet", "premise", source="all_nli")),
        ],
        [],
        LIMITS,
    )
    assert found["source"].tolist() == ["gooaq", "gooaq", "all_nli"]
    assert found["context"].tolist() == [answer, answer, premise]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.drop(columns="start"), "missing column start"),
        (lambda t: pd.concat([t, t]), "in more than one row"),
        (lambda t: t.assign(start=t["start"] + 1), "does not stand at 1"),
        (lambda t: t.assign(context="x" + t["context"]), "does not stand at 0"),
    ],
)
def test_what_is_no_table_of_seeds_is_refused(write, change, message):
    table, _ = extract_seeds([write("a.jsonl", GOOD)], [], LIMITS)
    with pytest.raises(InputError, match=message):
        check_seeds(change(table))


MIRROR = os.environ.get("EMBSYNTAX_MIRROR")


@pytest.mark.skipif(not MIRROR, reason="EMBSYNTAX_MIRROR names no folder with the raw files")
def test_real_files_give_enough_seeds():
    root = Path(str(MIRROR).split(os.pathsep)[0])
    xquad = make_source("xquad.en.json", "context", format="squad", source="xquad")
    med = make_source("MED.tsv", "sentence1", format="sick", source="med")
    sick = make_source("SICK_train.txt", "sentence_A,sentence_B", format="sick", source="sick")
    sts = make_source("sts-test.csv", "sentence1,sentence2", format="stsbenchmark")
    files = [
        (root / "xquad" / xquad.file, xquad),
        (root / "med" / med.file, med),
        (root / "sick" / sick.file, sick),
    ]
    found, counts = extract_seeds(files, [(root / "stsbenchmark" / sts.file, sts)], LIMITS)
    assert len(found) >= 2000
    assert found.loc[found["source"] == "xquad", "context_sentences"].gt(1).mean() > 0.9
    sums = counts.groupby(["file", "unit"])["n"].sum()
    assert sums["xquad/xquad.en.json", "text"] == 240
    assert sums["med/MED.tsv", "text"] == 5382
