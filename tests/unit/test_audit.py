"""The audit on a handful of rows, and on the released files where they are."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from embsyntax.audit import (
    AUDIT_COLUMNS,
    NOTES,
    audit_markdown,
    build_audit,
    format_audit,
    normalise,
)
from embsyntax.jobs import InputError
from embsyntax.pairs import build_pairs
from embsyntax.registry import read_corpora
from embsyntax.stats import spearman, tie_ceiling

ROWS = {
    "stsb": [
        ("A man eats.", "Eats a man.", 5, "Eats a man.", 2),
        ("A dog runs.", "A dog runs.", 5, "Runs a dog.", 3),
        ("Cats sleep", "Sleep cats now", 4, "Sleep cats now", 4),
        ("A man eats.", "Eats a man.", 1, "Man a eats.", 0),
    ],
    "biosses": [
        ("One cell.", "Cell one.", 3, "Cells.", 1),
        ("Two cells.", "Cells two.", 4, "Cell.", 2),
        ("Six cells.", "Cells, six.", 5, "Six cells.", 0),
    ],
}


def make_pairs(rows=ROWS, scale=5):
    records = []
    for dimension, (text, label) in {"structure": (1, 2), "relation": (3, 4)}.items():
        for corpus, lines in rows.items():
            for number, line in enumerate(lines, start=1):
                records.append(
                    {
                        "pair_id": f"{corpus}:{dimension}:{number}",
                        "corpus": corpus,
                        "dimension": dimension,
                        "row": number,
                        "sentence1": line[0],
                        "sentence2": line[text],
                        "score": line[label] / scale,
                    }
                )
    return pd.DataFrame(records)


TRAIN = pd.DataFrame(
    {"sentence1": ["A man eats.", "x"], "sentence2": ["y", 'the "Dog"'], "score": [1.0, 0.0]}
)


@pytest.fixture(scope="module")
def audit():
    return build_audit(make_pairs(), TRAIN)


def value(audit, corpus, dimension, metric):
    keys = ["corpus", "dimension", "metric"]
    return audit.set_index(keys).loc[(corpus, dimension, metric), "value"]


def test_columns_keys_and_order(audit):
    assert list(audit.columns) == AUDIT_COLUMNS
    assert not audit.duplicated(["corpus", "dimension", "metric"]).any()
    assert list(dict.fromkeys(audit["metric"])) == list(NOTES)
    assert list(audit.loc[audit["metric"] == "rows", "corpus"]) == ["stsb", "biosses", "all"]


@pytest.mark.parametrize(
    ("corpus", "dimension", "metric", "expected"),
    [
        ("stsb", "both", "rows", 4),
        ("all", "both", "rows", 7),
        ("stsb", "both", "different_sentences", 3),
        ("all", "both", "identical_strings", 2),
        ("all", "both", "identical_strings_labelled_differently", 1),
        ("all", "both", "identical_strings_labelled_2_apart", 1),
        ("biosses", "both", "identical_strings", 0),
        ("stsb", "structure", "repeated_pairs", 1),
        ("stsb", "structure", "repeated_pairs_labelled_differently", 1),
        ("stsb", "relation", "repeated_pairs", 0),
        ("all", "structure", "label_5", 3),
        ("all", "relation", "label_0", 2),
        ("stsb", "structure", "label_mean", 3.75),
        ("all", "structure", "equal_to_source", 1),
        ("all", "structure", "equal_to_source_label_5", 1),
        ("biosses", "relation", "equal_to_source_label_0", 1),
        ("stsb", "both", "sentences_in_stsb_train_exact", 1),
        ("stsb", "both", "rows_in_stsb_train_exact", 2),
        ("all", "both", "rows_in_stsb_train_normalised", 2),
    ],
)
def test_counts(audit, corpus, dimension, metric, expected):
    assert value(audit, corpus, dimension, metric) == expected


def test_correlations_are_those_of_the_statistics(audit):
    assert value(audit, "stsb", "structure", "tie_ceiling") == tie_ceiling([5, 5, 4, 1]).value
    expected = spearman([0, 0, 1, 0], [5, 5, 4, 1]).value
    assert value(audit, "stsb", "structure", "length_difference_spearman") == expected
    cells = [value(audit, name, "structure", "tie_ceiling") for name in ("stsb", "biosses")]
    average = value(audit, "average", "structure", "tie_ceiling")
    assert average == pytest.approx(sum(cells) / 2)


def test_undefined_stays_undefined_with_a_reason(audit):
    text = format_audit(audit).set_index(["corpus", "dimension", "metric"])
    cell = text.loc[("biosses", "structure", "length_difference_spearman")]
    assert cell["value"] == ""
    assert "all 3 similarities are equal" in cell["note"]
    average = text.loc[("average", "structure", "length_difference_spearman")]
    assert average["value"] == ""
    assert "undefined in biosses" in average["note"]
    assert math.isnan(value(audit, "stsb", "both", "identical_strings_label_spearman"))


def test_counts_are_written_as_whole_numbers(audit):
    text = format_audit(audit).set_index(["corpus", "dimension", "metric"])["value"]
    assert text["all", "both", "rows"] == "7"
    assert text["stsb", "structure", "label_mean"] == "3.750000"


def test_labels_of_each_dimension_add_up(audit):
    labels = audit[audit["metric"].str.fullmatch(r"label_\d")]
    assert (
        labels.groupby(["corpus", "dimension"])["value"].sum()
        == labels.groupby(["corpus", "dimension"])["n"].first()
    ).all()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  The CAT, sat . ", "the cat sat"),
        ("STRASSE straße", "strasse strasse"),
        ("?!", "?!"),
        ("don't", "don t"),
    ],
)
def test_normalise(text, expected):
    assert normalise(text) == expected


def test_markdown_states_the_counts_and_the_note(audit):
    text = audit_markdown(audit, is_released_data=False, track_note="a test")
    assert "**Data: a test.**" in text
    assert "The files hold 7 rows." in text
    assert "9,424" not in text
    assert "In 2 rows the structure and the relation sentence are the same string" in text
    assert "9,424 (PDF) and 9,224 (web text)" in audit_markdown(audit, True, "")
    assert "nan" not in text


def test_a_missing_dimension_is_refused():
    pairs = make_pairs()
    with pytest.raises(InputError, match="structure and relation; these pairs have structure"):
        build_audit(pairs[pairs["dimension"] == "structure"], TRAIN)


def test_a_row_of_one_dimension_only_is_refused():
    pairs = make_pairs()
    with pytest.raises(InputError, match="corpus 'biosses', row 3: only one of the dimensions"):
        build_audit(pairs[pairs["pair_id"] != "biosses:relation:3"], TRAIN)


@pytest.mark.parametrize("score", [0.5, math.nan])
def test_a_score_that_is_no_label_is_refused(score):
    pairs = make_pairs()
    pairs.loc[2, "score"] = score
    with pytest.raises(InputError, match="pair stsb:structure:3: its score is"):
        build_audit(pairs, TRAIN)


def test_the_released_files(mirror, repository):
    sources = read_corpora(repository / "config/corpora.tsv")
    released, train = (
        build_pairs([(mirror / row.mirror_path, row) for row in sources if row.suite == suite])
        for suite in ("sr_released", "stsb_train")
    )
    audit = build_audit(released, train)
    rows = audit[audit["metric"] == "rows"].set_index("corpus")["value"].to_dict()
    assert rows == {
        "stsb": 1152,
        "sickr": 3854,
        "askubuntu": 334,
        "cqadupstack": 1820,
        "twitter": 2041,
        "biosses": 88,
        "all": 9289,
    }
    assert value(audit, "all", "both", "identical_strings") == 539
    assert value(audit, "all", "both", "identical_strings_labelled_differently") == 160
    assert value(audit, "all", "both", "identical_strings_labelled_2_apart") == 50
    length = value(audit, "stsb", "relation", "length_difference_spearman")
    assert round(100 * length, 1) == 28.3
    ceilings = audit[audit["metric"] == "tie_ceiling"]["value"]
    assert (round(ceilings.min(), 2), round(ceilings.max(), 2)) == (0.82, 0.98)
    text = audit_markdown(audit, True, "")
    assert "In 539 rows" in text
    assert "160 of them got two different labels" in text
