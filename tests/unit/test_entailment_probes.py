"""The probes of entailment judges: enough of every kind, and near to no sentence of the data."""

import dataclasses

import pytest

from embsyntax.entailment_probes import COLUMNS, PARAPHRASE, read_probes
from embsyntax.jobs import InputError
from embsyntax.near_duplicates import comparison_form, find_near_given, find_similar_pairs
from embsyntax.registry import read_corpora
from embsyntax.seeds import read_passages
from embsyntax.sentence_splitting import split_sentences
from embsyntax.trap_types import TRAP_TYPES, read_trap_types

MIN_PER_KIND = 25
NEAR = 0.5
"""Least Jaccard index of a near-duplicate."""


@pytest.fixture(scope="module")
def probes(repository):
    return read_probes(repository / "config/probes/entailment.tsv", TRAP_TYPES)


@pytest.fixture(scope="module")
def texts(probes):
    """All first sentences, then all second ones."""
    return [*probes["sentence1"], *probes["sentence2"]]


def find_near(texts, given):
    near = find_near_given(texts, given, NEAR)
    return [text for text, is_near in zip(texts, near, strict=True) if is_near]


def list_text_columns(source):
    columns = [source.sentence1_column, *source.sentence_columns]
    columns += [pair.text for pair in source.pairs]
    return tuple(dict.fromkeys(filter(None, columns)))


def list_raw_sentences(repository, mirror):
    """Texts of all raw files in a mirror, and the sentences of those that are passages."""
    found = set()
    for source in read_corpora(repository / "config/corpora.tsv"):
        if not source.mirror_path or not (mirror / source.mirror_path).is_file():
            continue
        source = dataclasses.replace(source, sentence_columns=list_text_columns(source))
        for text in read_passages(mirror / source.mirror_path, source):
            found.add(text)
            found.update(text[span.start : span.end] for span in split_sentences(text))
    return found


def test_every_kind_has_enough_probes(probes):
    counts = probes["kind"].value_counts()
    assert set(counts.index) == {PARAPHRASE, *TRAP_TYPES}
    assert counts.min() >= MIN_PER_KIND, counts.to_dict()


def test_no_probe_stands_twice(probes):
    assert probes["probe_id"].is_unique
    forms = [
        frozenset(map(comparison_form, pair))
        for pair in zip(probes["sentence1"], probes["sentence2"], strict=True)
    ]
    assert len(set(forms)) == len(forms)
    assert all(len(form) == 2 for form in forms), "the sentences of a probe do not differ"


def test_no_sentence_is_near_to_one_of_another_probe(texts, probes):
    near = [
        (texts[later], texts[earlier])
        for later, earlier in find_similar_pairs(texts, NEAR).tolist()
        if later % len(probes) != earlier % len(probes)
    ]
    assert not near


def test_no_sentence_is_near_to_a_worked_example(texts, repository):
    types = read_trap_types(repository / "config/trap_types.tsv").values()
    examples = [
        text
        for row in types
        for text in (row.example_anchor, row.example_paraphrase, row.example_trap)
    ]
    assert not find_near(texts, examples)


def test_no_sentence_is_near_to_one_of_the_raw_files(texts, repository, mirror):
    given = list_raw_sentences(repository, mirror)
    if not given:
        pytest.skip(f"{mirror} holds no raw file of config/corpora.tsv")
    assert not find_near(texts, given)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"kind": "irony"}, "row 2, column 'kind': the value is 'irony'; allowed: paraphrase"),
        ({"probe_id": "a"}, "row 2, column 'probe_id': the value is 'a'; allowed: an id of its"),
        ({"sentence2": "-"}, "row 2, column 'sentence2': the value is '-'; allowed: a text"),
        ({"sentence2": "It is."}, "column 'sentence2': the value is 'It is.'; allowed: another"),
        ({"is_same_meaning": "maybe"}, "the value is 'maybe'; allowed: yes, no"),
        ({"is_same_meaning": "yes"}, "the value is 'yes'; allowed: yes for a paraphrase, no"),
    ],
)
def test_a_wrong_cell_is_refused(tmp_path, cells, message):
    good = ("a", PARAPHRASE, "It is so.", "So it is.", "yes")
    wrong = dict(zip(COLUMNS, ("b", "negation", "It is.", "It isn't.", "no"), strict=True)) | cells
    path = tmp_path / "probes.tsv"
    rows = [COLUMNS, good, tuple(wrong.values())]
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_probes(path, TRAP_TYPES)
