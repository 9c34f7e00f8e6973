"""Figures: the table behind each, what is drawn, equal bytes for equal data."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from embsyntax.figures import (
    build_construction_table,
    build_probing_table,
    plot_construction,
    plot_probing_example,
    save_figure,
)
from embsyntax.jobs import InputError
from embsyntax.registry import read_table

PAIR = pd.DataFrame(
    [{"pair_id": "figure1:similarity:1", "sentence1": "Mice chase.", "sentence2": "Chase mice."}]
)
PUBLISHED = [
    {"item": "table4", "model": "small", "value": "1.00"},
    {"item": "figure1", "model": "small", "value": "98"},
    {"item": "figure1", "model": "large", "value": "94"},
]


def similarity(number, pair_id="figure1:similarity:1"):
    return pd.DataFrame({"pair_id": [pair_id], "similarity": [number]})


@pytest.fixture
def table():
    return build_probing_table(
        PAIR, {"other": similarity(-0.25), "small": similarity(0.981)}, PUBLISHED
    )


def test_table_holds_ours_and_the_published_values(table):
    assert list(table.columns) == ["model", "sentence1", "sentence2", "cosine", "published"]
    assert list(table["model"]) == ["small", "large", "other"]
    assert list(table["cosine"].fillna(9)) == [0.981, 9, -0.25]
    assert list(table["published"].fillna(9)) == [0.98, 0.94, 9]
    assert set(table["sentence1"]) == {"Mice chase."}


def test_figure_shows_sentences_models_and_percentages(table):
    figure = plot_probing_example(table, {"small": "The small model"})
    texts = [text.get_text() for axes in figure.axes for text in axes.texts]
    names = [label.get_text() for label in figure.axes[1].get_yticklabels()]
    assert {"Mice chase.", "Chase mice."} <= set(texts)
    assert names == ["The small model", "large", "other"]
    assert texts.count("98 %") == 2
    assert "not run" in texts
    assert "-25 %" in texts
    assert figure.axes[1].get_xlim()[0] == -40


def test_long_sentences_stay_in_their_boxes():
    pair = PAIR.assign(sentence1="word " * 200)
    figure = plot_probing_example(
        build_probing_table(pair, {"small": similarity(0.5)}, PUBLISHED), {}
    )
    assert max(text.get_text().count("\n") for text in figure.axes[0].texts) <= 2


def test_no_pair_or_several_are_refused():
    with pytest.raises(InputError, match="2 pairs; figure 1 shows exactly one"):
        build_probing_table(pd.concat([PAIR, PAIR]), {}, PUBLISHED)


def test_similarities_of_other_pairs_are_refused():
    with pytest.raises(InputError, match="model 'small': its similarities are of the pairs stsb:1"):
        build_probing_table(PAIR, {"small": similarity(0.5, "stsb:1")}, PUBLISHED)


def test_no_model_at_all_is_refused():
    with pytest.raises(InputError, match="no model to show"):
        plot_probing_example(build_probing_table(PAIR, {}, []), {})


@pytest.mark.parametrize("suffix", ["pdf", "png", "svg"])
def test_equal_data_give_equal_bytes_without_dates(table, tmp_path, suffix):
    contents = []
    for run in range(2):
        path = tmp_path / f"{run}.{suffix}"
        save_figure(plot_probing_example(table, {}), path)
        contents.append(path.read_bytes())
    assert contents[0] == contents[1]
    for word in (b"CreationDate", b"ModDate", b"dc:date", b"Software"):
        assert word not in contents[0]


def test_the_published_values_of_the_paper(repository):
    published = read_table(repository / "config/published.tsv")
    pair = read_table(repository / "config/probes/figure1.tsv")[0]
    table = build_probing_table(pd.DataFrame([{"pair_id": "x", **pair}]), {}, published)
    printed = table.set_index("model")["published"].to_dict()
    assert printed == {"all-MiniLM-L6-v2": 0.98, "sup-simcse-roberta-large": 0.94}
    assert set(table["sentence1"]) == {"Mice chase cats."}
    assert set(table["sentence2"]) == {"Cats chase mice."}
    assert all(math.isnan(number) for number in table["cosine"])


def make_construction():
    sentences = pd.DataFrame({"corpus": ["stsb"] * 3, "sentence_id": ["s1", "s2", "s3"]})
    sentence_drops = pd.DataFrame({"corpus": ["stsb"], "reason": ["too short"], "n": [4]})
    drops = pd.DataFrame(
        [
            ("rules", "stsb", "structure", "kept", "", 2),
            ("rules", "stsb", "structure", "dropped", "not fluent", 1),
            ("rules", "stsb", "structure", "declined", "no verb", 9),
            ("rules", "stsb", "relation", "kept", "", 1),
        ],
        columns=["generator", "corpus", "dimension", "status", "reason", "n"],
    )
    source = "A man in a hat plays the guitar."
    pairs = pd.DataFrame(
        {
            "sentence_id": ["s1", "s1", "s2"],
            "dimension": ["structure", "relation", "structure"],
            "sentence1": [source, source, "Short one."],
            "sentence2": ["The guitar is played.", "A $5 hat_in a man.", "One short."],
            "score": [5, 1, 5],
            "is_validated": False,
        }
    )
    return sentences, sentence_drops, drops, pairs


def test_construction_counts_add_up():
    table = build_construction_table(*make_construction())
    counts = table.set_index(["stage", "item"])["n"]
    assert counts["corpora", "stsb"] == 3
    assert counts["corpora", "dropped"] == 4
    assert counts["perturbation", "structure"] == 3
    assert counts["filter", "not fluent"] == 1
    assert counts["annotation", "score 5"] == 2
    assert counts["validation", "validated by people"] == 0
    assert counts["benchmark", "relation"] == 1
    example = table[table["stage"] == "example"]
    assert example["item"].tolist() == ["source", "structure", "relation"]
    assert example["text"].iloc[0].startswith("A man in a hat")


def test_construction_figure_draws_counts_and_gives_equal_bytes(tmp_path):
    table = build_construction_table(*make_construction())
    contents = []
    for name in ("one.pdf", "two.pdf"):
        figure = plot_construction(table, "rules", "bundled sentences")
        save_figure(figure, tmp_path / name)
        contents.append((tmp_path / name).read_bytes())
    assert contents[0] == contents[1]
    drawn = " ".join(text.get_text() for text in figure.axes[0].texts)
    for words in ("stsb: 3", "generator: rules", "not fluent: 1", "A $5 hat_in a man.", "bundled"):
        assert words in drawn


def test_construction_without_pairs_is_refused():
    sentences, sentence_drops, drops, pairs = make_construction()
    with pytest.raises(InputError, match="has no pair"):
        build_construction_table(sentences, sentence_drops, drops, pairs.iloc[:0])
