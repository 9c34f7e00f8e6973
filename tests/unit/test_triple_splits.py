"""Splits by source sentence: stable, near-duplicates together, nothing leaks."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path

import pandas as pd
import pytest

from embsyntax import triple_splits as ts
from embsyntax.jobs import InputError
from embsyntax.registry import read_corpora
from embsyntax.seeds import SeedLimits, extract_seeds
from embsyntax.triple_splits import SplitSettings, assign_splits, list_sentences

SETTINGS = SplitSettings(train=0.8, dev=0.1, test=0.1, seed=7, near_duplicate=0.6)

SYLLABLES = [f"{consonant}{vowel}" for consonant in "bdgk" for vowel in "aeiou"]
WORDS = ["".join(parts) for parts in product(SYLLABLES, SYLLABLES, SYLLABLES[::4])]


def make_texts(n: int, seed: int) -> list[str]:
    """Draw sentences, some of them an earlier one with changed words, or two of them joined."""
    generator = random.Random(seed)
    texts: list[str] = []
    while len(texts) < n:
        if texts and generator.random() < 1 / 3:
            words = generator.choice(texts).rstrip(".").split()
            for _ in range(generator.choice((1, 2))):
                words[generator.randrange(len(words))] = generator.choice(WORDS)
        elif texts and generator.random() < 0.1:
            words = [generator.choice(texts).rstrip("."), generator.choice(texts).rstrip(".")]
        else:
            words = generator.choices(WORDS, k=generator.randint(8, 14))
        texts.append(" ".join(words) + ".")
    return texts


def make_seeds(texts: list[str], prefix: str = "s") -> pd.DataFrame:
    ids = [f"{prefix}{number}" for number in range(len(texts))]
    return pd.DataFrame({"seed_id": ids, "text": texts, "context": ""})


def as_dict(splits: pd.DataFrame) -> dict[str, str]:
    return dict(zip(splits["seed_id"], splits["split"], strict=True))


def find_side(side: str, texts: list[str]) -> str:
    return next(text for text in texts if ts.choose_side(text, SETTINGS) == side)


def jaccard(one: str, other: str) -> float:
    a, b = (
        {text[k : k + 5] for k in range(max(1, len(text) - 4))}
        for text in (f" {ts.normalise_source(one)} ", f" {ts.normalise_source(other)} ")
    )
    return len(a & b) / len(a | b)


@pytest.mark.parametrize("limit", [0.3, 0.6, 1.0])
def test_neighbours_are_those_of_a_search_through_all_pairs(limit):
    texts = [*make_texts(150, 1), "abcde fghij.", "abcde fghix.", "A", "a!", "ABCDE fghij"]
    expected = [
        [j for j in range(i) if jaccard(texts[i], texts[j]) >= limit - 1e-12]
        for i in range(len(texts))
    ]
    assert ts.list_neighbours(texts, limit) == expected
    assert sum(map(len, expected)) >= 2


def test_case_marks_and_spacing_do_not_change_the_side():
    text = make_texts(1, 3)[0]
    loud = "  " + text.upper().replace(" ", " , ").rstrip(".") + " !"
    assert ts.normalise_source(loud) == ts.normalise_source(text)
    assert ts.choose_side(loud, SETTINGS) == ts.choose_side(text, SETTINGS)
    assert ts.normalise_source("Cafe\u0301\u2019s_x") == "caf\u00e9 s x"


def test_shares_of_the_hash():
    sides = Counter(ts.choose_side(f"sentence number {k}", SETTINGS) for k in range(10_000))
    assert sides["train"] == pytest.approx(8000, abs=160)
    assert sides["dev"] == pytest.approx(1000, abs=120)
    assert sides["test"] == pytest.approx(1000, abs=120)


def test_the_side_is_the_same_on_every_machine():
    sides = [ts.choose_side(f"sentence number {k}", SETTINGS) for k in range(12)]
    assert " ".join(sides) == (
        "train dev train train train dev train train train train train train"
    )


@pytest.mark.parametrize("limit", [0.4, 0.6])
def test_1000_more_seeds_move_no_earlier_anchor(limit):
    seeds = make_seeds(make_texts(1800, 4))
    settings = replace(SETTINGS, near_duplicate=limit)
    before = assign_splits(seeds[:800], [], settings)
    after = assign_splits(seeds, [], settings)
    pd.testing.assert_frame_equal(before, after[:800])
    late = Counter(after["reason"][800:])
    assert late[ts.BY_NEIGHBOUR] > 100
    assert late[ts.TIES_TWO_SIDES] > 0 or limit > 0.5


def test_with_an_earlier_split_seeds_may_come_anywhere_in_the_table():
    texts = make_texts(1800, 5)
    seeds = make_seeds(texts)
    barred = make_texts(50, 6)
    before = assign_splits(seeds[:800], barred, SETTINGS)
    kept = as_dict(before[before["split"] != ts.DROPPED])
    shuffled = seeds.sample(frac=1, random_state=1)
    after = as_dict(assign_splits(shuffled, barred, SETTINGS, earlier=before))
    assert {seed: after[seed] for seed in kept} == kept
    moved = as_dict(assign_splits(shuffled, barred, SETTINGS))
    assert {seed: moved[seed] for seed in kept} != kept  # so the earlier split was needed


def test_no_near_duplicate_stands_on_another_side():
    texts = make_texts(250, 8)
    splits = assign_splits(make_seeds(texts), [], SETTINGS)["split"]
    for i in range(len(texts)):
        for j in range(i):
            if ts.DROPPED not in (splits[i], splits[j]) and splits[i] != splits[j]:
                assert jaccard(texts[i], texts[j]) < 0.6, (texts[i], texts[j])


def test_a_seed_that_ties_two_sides_is_dropped_and_ties_nothing_further():
    texts = [" ".join(random.Random(k).sample(WORDS, 9)) for k in range(60)]
    train, test = find_side("train", texts), find_side("test", texts)
    both = f"{train} {test}"
    wide = replace(SETTINGS, near_duplicate=0.4)
    assert jaccard(train, test) < 0.4 < min(jaccard(both, train), jaccard(both, test))
    done = assign_splits(make_seeds([train, test, both, both + " bababa"]), [], wide)
    assert done["split"].tolist() == ["train", "test", ts.DROPPED, ts.DROPPED]
    assert done["reason"].tolist() == [ts.BY_HASH] * 2 + [ts.TIES_TWO_SIDES] * 2
    counts = ts.count_splits(done).set_index(["split", "reason"])["n"]
    assert counts[(ts.DROPPED, ts.TIES_TWO_SIDES)] == 2
    assert counts.sum() == len(done)
    # Without one of the two sides nothing is tied, and what comes later follows.
    alone = assign_splits(make_seeds([test, both, both + " bababa"]), [], wide)
    assert alone["split"].tolist() == ["test"] * 3
    # What resembles only a dropped sentence is placed by its own hash.
    longer = both + " " + " ".join(random.Random(99).sample(WORDS, 14))
    assert max(jaccard(longer, train), jaccard(longer, test)) < 0.4 < jaccard(longer, both)
    behind = assign_splits(make_seeds([train, test, both, longer]), [], wide)
    assert behind["reason"].tolist()[3] == ts.BY_HASH


def test_train_only_texts_pull_their_near_duplicates_to_train():
    texts = make_texts(400, 9)
    free = assign_splits(make_seeds(texts), [], SETTINGS)
    barred = [
        text.upper() for text, side in zip(texts, free["split"], strict=True) if side == "test"
    ]
    bound = assign_splits(make_seeds(texts), barred, SETTINGS)
    known = {ts.normalise_source(text) for text in barred}
    sides = {
        side
        for text, side in zip(texts, bound["split"], strict=True)
        if ts.normalise_source(text) in known
    }
    assert barred
    assert sides == {"train"}
    again = assign_splits(make_seeds(texts), barred[::-1], SETTINGS)
    pd.testing.assert_frame_equal(bound, again)


def test_triples_take_the_split_of_their_source():
    splits = pd.DataFrame(
        {"seed_id": ["a", "b", "c"], "split": ["train", "dropped", "test"], "reason": ""}
    )
    triples = pd.DataFrame({"id": [1, 2, 3, 4], "seed_id": ["c", "b", "a", "c"]})
    done = ts.split_triples(triples, splits)
    assert done["id"].tolist() == [1, 3, 4]
    assert done["split"].tolist() == ["test", "train", "test"]
    with pytest.raises(InputError, match="'x'"):
        ts.split_triples(pd.DataFrame({"seed_id": ["x"]}), splits)


def make_leak_case(test_text: str, train_text: str) -> tuple[pd.DataFrame, ...]:
    seeds = pd.DataFrame(
        {
            "seed_id": ["a", "b", "c"],
            "text": [train_text, test_text, train_text],
            "context": ["One passage.", "One passage.", None],
        }
    )
    splits = pd.DataFrame({"seed_id": ["a", "b", "c"], "split": ["train", "test", "dropped"]})
    triples = pd.DataFrame(
        {
            "anchor": [train_text, test_text],
            "paraphrase": ["p one", "P two!"],
            "trap": ["p two", "t two"],
            "split": ["train", "test"],
        }
    )
    return seeds, splits, triples


def leaks(table: pd.DataFrame) -> dict[tuple[str, str, str], int]:
    return {
        (row.check, row.split, row.other): row.n_leaked
        for row in table.itertuples()
        if row.n_leaked
    }


def test_leakage_table_finds_each_leak():
    one, other = "The captain opened the quiet museum", "A painter followed the silver coast"
    clean = ts.tabulate_leakage(*make_leak_case(one, other), [], SETTINGS)
    assert leaks(clean) == {("same passage", "test", "train"): 1, ("same text", "test", "train"): 1}
    ts.require_no_leakage(clean)
    near = ts.tabulate_leakage(*make_leak_case(one, one + "s"), [], SETTINGS)
    assert leaks(near)[("near-duplicate", "test", "train")] == 1
    assert ("same source", "test", "train") not in leaks(near)
    same = ts.tabulate_leakage(*make_leak_case(one, one.lower() + "."), [], SETTINGS)
    assert leaks(same)[("same source", "test", "train")] == 1
    barred = ts.tabulate_leakage(*make_leak_case(one, other), [one], SETTINGS)
    assert leaks(barred)[("same source", "test", ts.TRAIN_ONLY_TEXTS)] == 1
    for table in (near, same, barred):
        with pytest.raises(InputError, match="of test in"):
            ts.require_no_leakage(table)


def test_splits_of_drawn_sentences_leak_nothing():
    seeds, barred = make_seeds(make_texts(900, 11)), make_texts(80, 12)
    splits = assign_splits(seeds, barred, SETTINGS)
    triples = seeds.rename(columns={"text": "anchor"}).assign(paraphrase="p", trap="t")
    triples = ts.split_triples(triples, splits)
    table = ts.tabulate_leakage(seeds, splits, triples, barred, SETTINGS)
    ts.require_no_leakage(table)
    assert table["n"].min() >= 0
    assert set(table.loc[table["is_forbidden"], "n_leaked"]) == {0}
    wrong = splits.assign(split=["train", "test"] * 450)
    with pytest.raises(InputError, match="near-duplicate"):
        ts.require_no_leakage(ts.tabulate_leakage(seeds, wrong, triples, barred, SETTINGS))


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"train": 0.7}, "add up"),
        ({"train": 1.2, "dev": -0.2, "test": 0.0}, "add up"),
        ({"near_duplicate": 0.0}, "Jaccard"),
        ({"near_duplicate": 1.1}, "Jaccard"),
    ],
)
def test_settings_out_of_range_are_refused(change, named):
    good = {"train": 0.8, "dev": 0.1, "test": 0.1, "seed": 1, "near_duplicate": 0.6}
    with pytest.raises(InputError, match=named):
        SplitSettings(**(good | change))


def test_bad_tables_are_refused():
    seeds = make_seeds(make_texts(3, 1))
    with pytest.raises(InputError, match="text"):
        assign_splits(seeds[["seed_id"]], [], SETTINGS)
    with pytest.raises(InputError, match="'s0'"):
        assign_splits(pd.concat([seeds, seeds]), [], SETTINGS)
    bad = pd.DataFrame({"seed_id": ["s0"], "split": ["validation"]})
    with pytest.raises(InputError, match="'validation'"):
        assign_splits(seeds, [], SETTINGS, earlier=bad)


def read_real_seeds(mirror, *names):
    """Seeds of real files, by the catalogue."""
    repository = Path(__file__).resolve().parents[2]
    catalogue = {row.path: row for row in read_corpora(repository / "config/corpora.tsv")}
    rows = [catalogue[name] for name in names]
    files = [(mirror / row.mirror_path, row) for row in rows]
    limits = SeedLimits(8, 30, near_duplicate=0.8, max_texts=None, draw_seed=1)
    return extract_seeds(files, [], limits)[0], list_sentences(files)


def test_1000_more_real_seeds_move_no_earlier_anchor(mirror):
    names = ("xquad/xquad.en.json", "sick/SICK_train.txt", "sick/SICK_test_annotated.txt")
    seeds, sentences = read_real_seeds(mirror, *names)
    assert set(seeds["text"]) <= set(sentences)
    settings = replace(SETTINGS, train=0.5, test=0.4, near_duplicate=0.5)
    n_before = len(seeds) - 1000
    assert n_before > 1000
    before = assign_splits(seeds[:n_before], [], settings)
    after = assign_splits(seeds, [], settings)
    pd.testing.assert_frame_equal(before, after[:n_before])
    late = Counter(after["reason"][n_before:])
    assert late[ts.BY_HASH] > 100
    assert late[ts.BY_NEIGHBOUR] > 100

    first = pd.concat([seeds[n_before:], seeds[:n_before]])  # as of a file put first in the config
    kept = as_dict(before[before["split"] != ts.DROPPED])
    with_earlier = as_dict(assign_splits(first, [], settings, earlier=before))
    assert {seed: with_earlier[seed] for seed in kept} == kept


def test_real_train_only_sentences_stand_in_train(mirror):
    seeds, sentences = read_real_seeds(mirror, "sick/SICK_trial.txt")
    splits = assign_splits(seeds, sentences[::2], SETTINGS)
    barred = set(sentences[::2])
    assert set(splits.loc[seeds["text"].isin(barred), "split"]) == {"train"}
    assert set(splits.loc[~seeds["text"].isin(barred), "split"]) >= {"train", "test"}


def make_xgen(texts, ids):
    frame = pd.DataFrame(columns=[*ts.TRIPLE_COLUMNS]).drop(columns="split")
    frame["id"], frame["seed_id"], frame["anchor"] = ids, ids, texts
    return frame.assign(paraphrase="Other words.", trap="Another meaning.")


def test_the_second_generator_writes_on_test_sentences_only():
    seeds = make_seeds(make_texts(200, 8))
    splits = assign_splits(seeds, [], SETTINGS)
    test = seeds[(splits["split"] == "test").array]
    xgen = make_xgen(test["text"].tolist(), test["seed_id"].tolist())
    selected = ts.select_xgen_test(xgen, splits)
    assert selected["id"].tolist() == test["seed_id"].tolist()
    assert list(selected.columns) == [name for name in ts.TRIPLE_COLUMNS if name != "split"]
    for split in ("train", "dev"):
        wrong = xgen.assign(seed_id=splits.loc[splits["split"] == split, "seed_id"].iloc[0])
        with pytest.raises(InputError, match=rf"of the second generator.*is {split}; allowed"):
            ts.select_xgen_test(wrong, splits)
    with pytest.raises(InputError, match="whose seed 'lost' is nan"):
        ts.select_xgen_test(xgen.assign(seed_id="lost"), splits)
    assert ts.select_xgen_test(xgen[:0], splits).empty


def test_leakage_of_the_second_generator_is_found():
    seeds = make_seeds(make_texts(300, 9))
    splits = assign_splits(seeds, [], SETTINGS)
    sides = splits["split"].array
    test = seeds[sides == "test"]
    triples = make_xgen(seeds["text"].tolist(), seeds["seed_id"].tolist()).assign(split=sides)
    arguments = (seeds, splits, triples)
    xgen = make_xgen(test["text"].tolist(), test["seed_id"].tolist())
    table = ts.tabulate_xgen_leakage(xgen, *arguments, [], SETTINGS)
    assert tuple(table.columns) == ts.LEAKAGE_COLUMNS
    assert table.loc[table["is_forbidden"], "n_leaked"].tolist() == [0] * 6
    ts.require_no_leakage(table)
    same = table[table["check"] == "same text"]
    assert same["n_leaked"].tolist() == [2 * len(xgen)] * 2  # the planted paraphrases and traps

    stolen = seeds.loc[sides == "train", "text"].iloc[0]
    table = ts.tabulate_xgen_leakage(
        pd.concat([xgen, make_xgen([stolen], ["x"])]), *arguments, [stolen.upper()], SETTINGS
    )
    found = table[table["is_forbidden"] & (table["n_leaked"] > 0)]
    assert found["other"].tolist() == ["train", "train", ts.TRAIN_ONLY_TEXTS, ts.TRAIN_ONLY_TEXTS]
    with pytest.raises(InputError, match="same source: 1 of .* of xgen_test in train"):
        ts.require_no_leakage(table)
