"""Settings, probes, learned pairs and measures of entailment judges; no model runs here."""

from __future__ import annotations

import copy
import math
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
import yaml

from embsyntax import entailment_data, entailment_patterns, judge_measures
from embsyntax.entailment_data import PairLimits
from embsyntax.entailment_labels import CONTRADICTION, ENTAILMENT, LABELS, NEUTRAL
from embsyntax.entailment_probes import read_probes
from embsyntax.jobs import InputError
from embsyntax.judge_settings import read_judges
from embsyntax.labelled_pairs import read_labelled_pairs
from embsyntax.registry import read_corpora, read_language_models, read_models
from embsyntax.trap_types import TRAP_TYPES

REPOSITORY = Path(__file__).resolve().parents[2]
CONFIG = yaml.safe_load((REPOSITORY / "config/config.yaml").read_text(encoding="utf-8"))
SOURCES = {row.path: row for row in read_corpora(REPOSITORY / "config/corpora.tsv")}
MODELS = read_models(REPOSITORY / "config/models.tsv")
LANGUAGE_MODELS = read_language_models(REPOSITORY / "config/language_models.tsv")


# ------------------------------------------------------------------------------------- settings


def settings(**changes):
    triples = copy.deepcopy(CONFIG["triples"])
    for path, value in changes.items():
        *parents, last = path.split("__")
        place = triples
        for name in parents:
            place = place[name]
        place[last] = value
    corpora = list(CONFIG["sentences"]["corpora"])
    return read_judges(triples, MODELS, LANGUAGE_MODELS, SOURCES.values(), corpora)


def test_judges_of_the_config():
    judges = settings()
    assert judges["nli_deberta"].model == "nli-deberta-v3-base"
    trained = judges["trained_minilm"]
    assert trained.base == "all-MiniLM-L6-v2" and trained.model == ""
    assert [row.path for row in trained.files] == trained.train["files"]
    assert trained.dev_file.path == "sick/SICK_trial.txt"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"judge": "somebody"}, "unknown judge of triples.judge.*declared"),
        ({"measured_judges": ["declared"]}, "unknown judge of triples.measured_judges"),
        ({"judges__declared": {"model": "nli-deberta-v3-base"}}, "the name is taken"),
        ({"judge": "declared"}, "believes the generator"),
        ({"judges__nli_deberta": {}}, r"allowed: \{model"),
        ({"judges__nli_deberta__base": "all-MiniLM-L6-v2"}, "it has base, model"),
        ({"judges__trained_minilm": {"base": "all-MiniLM-L6-v2"}}, "it has base"),
        ({"judges__nli_deberta__model": "qwen3-4b-instruct-2507"}, "unknown cross_encoder"),
        ({"judges__trained_minilm__base": "random_vectors"}, "unknown model of"),
        ({"judges__trained_minilm__train__files": ["sick/none.txt"]}, "unknown raw file"),
        ({"judges__trained_minilm__train__rule_corpora": ["web"]}, "unknown corpus"),
        (
            {"judges__trained_minilm__train__files": ["sick/SICK_test_annotated.txt"]},
            "is held out",
        ),
        ({"judges__trained_minilm__train__dev_file": "sick/SICK_train.txt"}, "is held out"),
        (
            {"judges__trained_minilm__train__dev_file": "sick/SICK_test_annotated.txt"},
            "other pairs than those of the test",
        ),
        ({"judging__test_file": "sick/none.txt"}, "unknown raw file of triples.judging.test_file"),
    ],
)
def test_settings_that_cannot_work_are_refused(changes, message):
    with pytest.raises(InputError, match=message):
        settings(**changes)


def test_a_declared_judge_goes_with_rules():
    assert settings(judge="declared", generator="rules")


# ------------------------------------------------------------------------------------- probes

PROBES = [
    "probe_id\tkind\tsentence1\tsentence2\tis_same_meaning",
    "n1\tnegation\tThe gate is open.\tThe gate is not open.\tno",
    "p1\tparaphrase\tThe gate is open.\tThe gate stands open.\tyes",
]


def write_probes(folder, *changes):
    lines = "\n".join(PROBES)
    for old, new in changes:
        assert old in lines
        lines = lines.replace(old, new)
    (folder / "probes.tsv").write_text(lines + "\n", encoding="utf-8")
    return folder / "probes.tsv"


def test_probes_are_read(tmp_path):
    probes = read_probes(write_probes(tmp_path), TRAP_TYPES)
    assert probes["is_same_meaning"].tolist() == [False, True]
    assert probes["kind"].tolist() == ["negation", "paraphrase"]


@pytest.mark.parametrize(
    ("change", "column"),
    [
        (("p1\t", "n1\t"), "probe_id"),
        (("\tnegation\t", "\tirony\t"), "kind"),
        (("The gate is not open.", "-"), "sentence2"),
        (("The gate is not open.", "The gate is open."), "sentence2"),
        (("\tyes", "\tmaybe"), "is_same_meaning"),
        (("\tyes", "\tno"), "is_same_meaning"),
        (("\tparaphrase\t", "\thedge\t"), "is_same_meaning"),
    ],
)
def test_faulty_probes_are_refused_by_name(tmp_path, change, column):
    with pytest.raises(InputError, match=f"row ., column '{column}'"):
        read_probes(write_probes(tmp_path, change), TRAP_TYPES)


def test_probes_with_other_columns_are_refused(tmp_path):
    with pytest.raises(InputError, match="needed: rows with the columns"):
        read_probes(write_probes(tmp_path, ("probe_id", "id")), TRAP_TYPES)


# ------------------------------------------------------------------------------- labelled files

SICK = (
    "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
    "1\tA dog  runs\tAn animal runs\t4\tENTAILMENT\n"
    "2\tA dog runs\tNo dog runs\t4\tCONTRADICTION\n"
)


def labelled(tmp_path, text, form="sick"):
    path = tmp_path / "pairs.txt"
    path.write_text(text, encoding="utf-8")
    return read_labelled_pairs(path, replace(SOURCES["sick/SICK_train.txt"], format=form))


def test_labelled_pairs_are_read(tmp_path):
    pairs = labelled(tmp_path, SICK)
    assert pairs[0][:3] == ("A dog runs", "An animal runs", ENTAILMENT)
    assert [pair.label for pair in pairs] == [ENTAILMENT, CONTRADICTION]
    assert {pair.source for pair in pairs} == {"sick/SICK_train.txt"}
    hub = "premise\thypothesis\tlabel\nA\tB\tneutral\n"
    assert labelled(tmp_path, hub, "tsv")[0][:3] == ("A", "B", NEUTRAL)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("CONTRADICTION", "NO", "label 'NO'; allowed: contradiction, entailment, neutral"),
        ("No dog runs", "...", "empty text"),
        ("entailment_judgment", "judgement", "A file of labelled pairs has the columns"),
    ],
)
def test_faulty_labelled_pairs_are_refused(tmp_path, old, new, message):
    with pytest.raises(InputError, match=message):
        labelled(tmp_path, SICK.replace(old, new))


def test_equivalent_pairs_of_sts_count_both_ways(mirror):
    name = "stsbenchmark/sts-train.csv"
    path = mirror / SOURCES[name].mirror_path
    if not path.is_file():
        pytest.skip("no raw file of STS-B train here")
    pairs = read_labelled_pairs(path, SOURCES[name])
    assert {pair.label for pair in pairs} == {ENTAILMENT}
    assert {pair[:2] for pair in pairs} == {pair[1::-1] for pair in pairs}


# ------------------------------------------------------------------------------- pairs of rules

LIMITS = PairLimits(rule=5, trap=5, pattern=4, max_words=20, seed=1)


def candidates(*rows):
    columns = ("sentence_id", "dimension", "rule", "sentence1", "sentence2", "detail", "status")
    return pd.DataFrame([(*row, "made") for row in rows], columns=columns)


DOG = candidates(
    ("s1", "structure", "passive", "The dog bit a man.", "A man was bitten by the dog.", ""),
    ("s1", "trap", "trap_negation", "The dog bit a man.", "The dog did not bite a man.", ""),
    ("s1", "relation", "subject_object_swap", "The dog bit a man.", "A man bit the dog.", "x"),
    ("s1", "structure", "by_phrase_drop", "The dog bit a man.", "A man was bitten.", ""),
)


def test_pairs_of_rules_have_the_label_of_their_rule():
    pairs, over = entailment_data.make_rule_pairs(DOG, LIMITS)
    labels = {(frozenset(pair[:2]), pair.label) for pair in pairs}
    dog, passive = "The dog bit a man.", "A man was bitten by the dog."
    negated = "The dog did not bite a man."
    assert (frozenset((dog, passive)), ENTAILMENT) in labels
    assert (frozenset((dog, negated)), CONTRADICTION) in labels
    assert (frozenset((passive, negated)), CONTRADICTION) in labels
    assert (frozenset((dog, "A man bit the dog.")), CONTRADICTION) in labels
    dropped = [pair for pair in pairs if pair.group == "by_phrase_drop"]
    assert [pair[:2] for pair in dropped] == [(dog, "A man was bitten.")]
    assert not over


@pytest.mark.parametrize(
    ("rule", "detail", "expected"),
    [
        ("trap_numbers", "3 -> 4", (CONTRADICTION, "both")),
        ("trap_scope", "", (NEUTRAL, "both")),
        ("trap_quantifier", "all -> some", (NEUTRAL, "backward")),
        ("trap_quantifier", "some -> all", (NEUTRAL, "forward")),
        ("trap_quantifier", "most -> few", (CONTRADICTION, "both")),
        ("trap_hedge", " -> may", (NEUTRAL, "backward")),
        ("trap_hedge", "may -> will", (NEUTRAL, "forward")),
    ],
)
def test_a_weaker_claim_is_only_taken_in_the_sure_direction(rule, detail, expected):
    assert entailment_data.judge_trap(rule, detail) == expected


def test_limits_count_what_they_leave_out():
    many = pd.concat(
        [DOG.assign(sentence_id=f"s{n}").replace("dog", f"dog{n}", regex=True) for n in range(9)]
    )
    pairs, over = entailment_data.make_rule_pairs(many, LIMITS)
    groups = pd.Series([pair.group for pair in pairs]).value_counts()
    assert groups.max() == 5
    assert over["passive", ENTAILMENT] == 4
    long = entailment_data.make_rule_pairs(DOG, replace(LIMITS, max_words=3))[0]
    assert long == []


def test_no_pair_is_near_a_seed_or_a_probe(tmp_path):
    path = tmp_path / "pairs.txt"
    path.write_text(SICK, encoding="utf-8")
    files = [(path, SOURCES["sick/SICK_train.txt"])]
    everything, counts = entailment_data.collect_pairs(files, [DOG], [], [], LIMITS)
    assert set(everything["source"]) == {"sick/SICK_train.txt", "rules", "patterns"}
    taken = counts[(counts["outcome"] == "taken") & (counts["label"] != "")]
    assert taken["n"].sum() == len(everything)
    seeds = ["the dog bit a man"]
    without, counts = entailment_data.collect_pairs(files, [DOG], seeds, [], LIMITS)
    assert "rules" not in set(without["source"])
    assert counts.loc[counts["outcome"] == "sentence is a seed or near one", "n"].tolist() == [1]
    probes = ["No dog runs!"]
    held, counts = entailment_data.collect_pairs(files, [], [], probes, LIMITS)
    assert held["hypothesis"].tolist() == ["An animal runs"]
    assert counts.set_index("outcome").loc["near a probe", "n"] == 1
    with pytest.raises(InputError, match="no labelled pair is left"):
        entailment_data.collect_pairs(files, [], [], ["No dog runs", "An animal runs"], LIMITS)


def test_collected_pairs_do_not_depend_on_order(tmp_path):
    first = entailment_data.collect_pairs([], [DOG], [], [], LIMITS)[0]
    again = entailment_data.collect_pairs([], [DOG.iloc[::-1]], [], [], LIMITS)[0]
    pd.testing.assert_frame_equal(first, again)


def test_patterns_give_no_word_that_tells_the_label():
    pairs = list(entailment_patterns.make_pattern_pairs([], 60, 1))
    assert pairs == list(entailment_patterns.make_pattern_pairs([], 60, 1))
    frame = pd.DataFrame(pairs)
    for pattern, part in frame.groupby("pattern"):
        assert ENTAILMENT in set(part["label"]), pattern
        assert set(part["label"]) - {ENTAILMENT}, pattern
    roles = frame[frame["pattern"] == "roles"]
    swapped = roles[roles["label"] == CONTRADICTION]
    same_words = [
        sorted(one.lower().split()) == sorted(other.lower().split())
        for one, other in zip(swapped["premise"], swapped["hypothesis"], strict=True)
    ]
    assert any(same_words)
    assert set(frame["label"]) == set(LABELS)


# ------------------------------------------------------------------------------------- measures

FILTER = judge_measures.Limits(min_paraphrase=0.7, max_trap=0.5)
TYPES = ("negation", "hedge")


def measure(probes, test, types=TYPES):
    probes = pd.DataFrame(probes, columns=["kind", "nli_forward", "nli_backward"])
    test = pd.DataFrame(test, columns=["label", *LABELS])
    table = judge_measures.measure_judge("j", "-", probes, test, FILTER, types, 0.95)
    return table.set_index(["metric", "trap_type"])


def test_probes_count_as_in_the_filter():
    table = measure(
        [
            ("paraphrase", 0.7, 0.9),
            ("paraphrase", 0.9, 0.69),
            ("negation", 0.5, 0.9),
            ("negation", 0.9, 0.49),
            ("hedge", 0.0, 1.0),
        ],
        [(ENTAILMENT, 0.1, 0.8, 0.1), (NEUTRAL, 0.1, 0.8, 0.1)],
    )
    assert table.loc[("paraphrase_accept_rate", ""), "value"] == 0.5
    assert table.loc[("false_accept_rate", "negation"), "value"] == 0.5
    assert table.loc[("false_accept_rate", "hedge"), "value"] == 0
    assert table.loc[("balanced_accuracy", ""), "value"] == pytest.approx((0.5 + 0.75) / 2)
    row = table.loc[("sick_test_accuracy", "")]
    assert (row["value"], row["n"]) == (0.5, 2)
    # Wilson interval of 1 in 2.
    assert row["ci_low"] == pytest.approx(0.0945, abs=1e-3)
    assert row["ci_high"] == pytest.approx(0.9055, abs=1e-3)
    assert (table["reason"] == "").all()


def test_undefined_measures_have_a_reason():
    table = measure([("paraphrase", 0.9, 0.9)], [])
    assert math.isnan(table.loc[("sick_test_accuracy", ""), "value"])
    assert table.loc[("sick_test_accuracy", ""), "reason"] == "triples.judging.test_file is null"
    assert table.loc[("false_accept_rate", "hedge"), "reason"] == "no probe of this type"
    assert math.isnan(table.loc[("balanced_accuracy", ""), "value"])
    assert table.loc[("paraphrase_accept_rate", ""), "reason"] == ""


def test_interval_of_the_balanced_accuracy_is_that_of_one_share_where_the_others_are_certain():
    share = judge_measures.Share(0.8, 0.7, 0.9, 50)
    certain = judge_measures.Share(0.0, 0.0, 0.0, 50)
    balanced = judge_measures.balance_shares(share, [certain, certain])
    assert balanced.value == pytest.approx(0.9)
    assert (balanced.low, balanced.high) == pytest.approx((0.85, 0.95))


def test_markdown_marks_unfiltered_types_and_says_what_was_learned():
    table = measure(
        [("paraphrase", 0.9, 0.9), ("negation", 0.9, 0.9), ("hedge", 0.1, 0.1)], []
    ).reset_index()
    table["trained_on"] = "rules 10, sick/SICK_train.txt 5"
    text = judge_measures.judges_markdown(table, {"negation": "negation"}, FILTER, 0.95, 0.3, "x")
    line = next(row for row in text.splitlines() if "falsely accepted: negation" in row)
    assert line.endswith("(unfiltered) |")
    assert "falsely accepted: hedge | 0.00" in text
    assert "sick/SICK_train.txt 5. `rules`" in text and "**Data: x.**" in text
    empty = pd.DataFrame(columns=list(judge_measures.MEASURE_COLUMNS))
    assert "No judge was measured" in judge_measures.judges_markdown(
        empty, {}, FILTER, 0.95, 0.3, ""
    )


def test_training_is_described_by_what_was_taken():
    counts = pd.DataFrame(
        [
            ("rules", "a", "neutral", "taken", 3),
            ("rules", "b", "neutral", "taken", 2),
            ("rules", "sentences", "", "taken", 9),
            ("rules", "b", "neutral", "repeated", 4),
            ("med/MED.tsv", "med/MED.tsv", "neutral", "taken", 1),
        ],
        columns=list(entailment_data.DATA_COLUMNS),
    )
    assert judge_measures.describe_training(counts) == "med/MED.tsv 1, rules 5"
