"""Judges: the order of their labels, what they refuse, and what a killed job keeps."""

from __future__ import annotations

import json
import logging

import numpy as np
import pandas as pd
import pytest
import torch

import tiny_judge
from embsyntax import entailment, judge_training, training
from embsyntax.entailment import PROOF_PAIRS, Pair
from embsyntax.entailment_labels import LABELS, find_label
from embsyntax.jobs import InputError
from embsyntax.training import TrainSettings
from embsyntax.triple_entailment import score_probes, score_test, score_triples
from embsyntax.vector_store import VectorStore

LOG = logging.getLogger("test")
SETTINGS = TrainSettings(
    epochs=5,
    batch_size=9,
    learning_rate=5e-3,
    warmup_share=0.1,
    max_tokens=64,
    seed=7,
    precision="float32",
)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return tiny_judge.write_tiny_encoder(tmp_path_factory.mktemp("encoder"))


def train(encoder, folder, settings=SETTINGS):
    pairs = pd.concat([tiny_judge.labelled_pairs()] * 4, ignore_index=True)
    dev = tiny_judge.labelled_pairs()
    return judge_training.train_judge(
        encoder, pairs, dev, settings, folder, "tiny", "cpu", 200, LOG
    )


@pytest.fixture(scope="module")
def trained(encoder, tmp_path_factory):
    torch.set_num_threads(1)
    return train(encoder, tmp_path_factory.mktemp("scratch"))


@pytest.fixture(scope="module")
def pairs():
    texts = tiny_judge.labelled_pairs()
    return [Pair(*row) for row in zip(texts["premise"], texts["hypothesis"], strict=True)]


def decide(folder, pairs):
    judge = entailment.load_judge(folder, "tiny", "cpu")
    return entailment.judge_pairs(judge, pairs, 100, None, LOG)


def test_a_judge_learns_and_its_labels_are_proved(trained, pairs):
    assert trained.measures["dev_accuracy"] == 1.0
    judge = entailment.load_judge(trained.folder, "tiny", "cpu")
    assert judge.columns == (0, 1, 2)
    assert judge.describe()["label_order"] == "as its config says"
    assert [entry["label"] for entry in judge.describe()["proof"]] == list(LABELS)
    assert json.loads(json.dumps(judge.describe()))["max_tokens"] == judge.max_tokens
    judged = entailment.judge_pairs(judge, pairs, 100, None, LOG)
    assert judged.probabilities.dtype == np.float32
    np.testing.assert_allclose(judged.probabilities.sum(axis=1), 1, atol=1e-6)
    gold = [LABELS.index(label) for label in tiny_judge.labelled_pairs()["label"]]
    assert judged.probabilities.argmax(axis=1).tolist() == gold


@pytest.mark.parametrize("order", [(1, 2, 0), (2, 1, 0), (1, 0, 2)])
@pytest.mark.parametrize("is_named", [True, False])
def test_labels_in_another_order_give_the_same_decisions(trained, pairs, tmp_path, order, is_named):
    names = tiny_judge.names_in(order) if is_named else [f"LABEL_{n}" for n in range(3)]
    folder = tiny_judge.rename_labels(trained.folder, order, names, tmp_path / "other")
    judge = entailment.load_judge(folder, "tiny", "cpu")
    assert judge.columns == tuple(order.index(n) for n in range(3))
    assert judge.is_order_stated == is_named
    np.testing.assert_allclose(
        decide(folder, pairs).probabilities,
        decide(trained.folder, pairs).probabilities,
        atol=1e-6,
    )


def test_wrong_names_are_refused_with_what_the_judge_says(trained, tmp_path):
    names = [LABELS[1], LABELS[0], LABELS[2]]
    folder = tiny_judge.rename_labels(trained.folder, (0, 1, 2), names, tmp_path / "wrong")
    with pytest.raises(InputError) as error:
        entailment.load_judge(folder, "tiny", "cpu")
    message = str(error.value)
    assert "does not fit" in message and PROOF_PAIRS[0][1] in message
    assert "entailment 0." in message or "entailment 1." in message


def test_unnamed_labels_of_an_untrained_judge_are_refused_with_the_proof(
    encoder, trained, tmp_path
):
    names = [f"LABEL_{n}" for n in range(3)]
    folder = tiny_judge.rename_labels(trained.folder, (0, 1, 2), names, tmp_path / "random")
    model = judge_training.open_base(encoder, SETTINGS, "cpu")
    model.model.config.id2label = dict(enumerate(names))
    model.model.config.label2id = {name: n for n, name in enumerate(names)}
    model.model.save_pretrained(folder)
    with pytest.raises(InputError, match="do not tell them clearly") as error:
        entailment.load_judge(folder, "tiny", "cpu")
    assert "LABEL_2 0." in str(error.value)


def test_proof_needs_a_label_of_its_own_for_each_pair():
    clear = np.array([[0.1, 0.2, 0.7], [0.9, 0.05, 0.05], [0.2, 0.6, 0.2]])
    assert entailment.prove_order(clear, None, "x") == (2, 0, 1)
    for vague in (clear[[0, 0, 2]], np.array([[0.4, 0.3, 0.3], clear[1], clear[2]])):
        with pytest.raises(InputError, match="do not tell"):
            entailment.prove_order(vague, None, "x")


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["contradiction", "entailment", "neutral"], (0, 1, 2)),
        (["ENTAILMENT", "NEUTRAL", "CONTRADICTION"], (2, 0, 1)),
        (["LABEL_0", "LABEL_1", "LABEL_2"], None),
    ],
)
def test_order_as_a_config_names_it(names, expected):
    assert entailment.read_order(dict(enumerate(names)), "x") == expected


@pytest.mark.parametrize(
    "names",
    [["yes", "no", "maybe"], ["entailment", "not_entailment", "neutral"], ["LABEL_1"] * 3],
)
def test_unknown_names_are_refused(names):
    with pytest.raises(InputError, match="its labels are named"):
        entailment.read_order(dict(enumerate(names)), "x")


def test_find_label():
    assert find_label("Contradiction") == "contradiction"
    assert find_label("entailment or neutral") is None


def test_two_labels_or_pickled_weights_are_refused(trained, tmp_path):
    folder = tiny_judge.rename_labels(
        trained.folder, (0, 1), ["entailment", "neutral"], tmp_path / "two"
    )
    with pytest.raises(InputError, match="it has 2 labels"):
        entailment.load_judge(folder, "tiny", "cpu")
    pickled = tmp_path / "pickled"
    pickled.mkdir()
    (pickled / "config.json").write_text((trained.folder / "config.json").read_text())
    torch.save({}, pickled / "pytorch_model.bin")
    with pytest.raises(InputError, match=r"needed: config.json and \*.safetensors"):
        entailment.load_judge(pickled, "tiny", "cpu")


def test_an_encoder_without_a_head_is_refused(encoder, trained, tmp_path):
    folder = tmp_path / "headless"
    tiny_judge.rename_labels(trained.folder, (0, 1, 2), list(LABELS), folder)
    (folder / "model.safetensors").write_bytes((encoder / "model.safetensors").read_bytes())
    with pytest.raises(InputError, match="not trained to label pairs"):
        entailment.load_judge(folder, "tiny", "cpu")


def test_code_of_a_model_is_not_run(trained, tmp_path):
    folder = tiny_judge.rename_labels(trained.folder, (0, 1, 2), list(LABELS), tmp_path / "code")
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "unheard_of", "auto_map": {"AutoConfig": "code.Config"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "code.py").write_text("raise SystemExit('ran')")
    with pytest.raises(InputError, match="without code of its own"):
        entailment.load_judge(folder, "tiny", "cpu")


def test_each_distinct_pair_runs_once_and_truncation_is_counted(trained, monkeypatch):
    judge = entailment.load_judge(trained.folder, "tiny", "cpu")
    asked = []
    run = entailment._run
    monkeypatch.setattr(entailment, "_run", lambda j, batch: asked.extend(batch) or run(j, batch))
    short, long = Pair("a man .", "a woman ."), Pair("a man . " * 40, "a woman .")
    judged = entailment.judge_pairs(judge, [short, long, short], 100, None, LOG)
    assert sorted(asked) == sorted([short, long])
    assert judged.is_truncated.tolist() == [False, True, False]
    np.testing.assert_array_equal(judged.probabilities[0], judged.probabilities[2])
    with pytest.raises(InputError, match="empty text"):
        entailment.judge_pairs(judge, [Pair("a", " ")], 100, None, LOG)


def test_a_killed_job_goes_on_with_the_same_numbers(trained, pairs, tmp_path, monkeypatch):
    monkeypatch.setattr(entailment, "BATCHES_PER_SHARD", 1)
    judge = entailment.load_judge(trained.folder, "tiny", "cpu")
    whole = entailment.judge_pairs(judge, pairs, 60, None, LOG).probabilities
    run, calls = entailment._run, []

    def fail_at_third(judge, batch):
        calls.append(batch)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return run(judge, batch)

    monkeypatch.setattr(entailment, "_run", fail_at_third)
    with pytest.raises(KeyboardInterrupt):
        entailment.judge_pairs(judge, pairs, 60, VectorStore(tmp_path), LOG)
    kept = len(VectorStore(tmp_path))
    assert kept == sum(map(len, calls[:2]))
    again = []
    monkeypatch.setattr(entailment, "_run", lambda j, batch: again.extend(batch) or run(j, batch))
    resumed = entailment.judge_pairs(judge, pairs, 60, VectorStore(tmp_path), LOG).probabilities
    assert len(again) == len(set(pairs)) - kept
    np.testing.assert_array_equal(resumed, whole)


def test_store_key_depends_on_files_and_order(trained):
    judge = entailment.load_judge(trained.folder, "tiny", "cpu")
    files = training.list_files(trained.folder)
    assert entailment.store_key(judge, files) != entailment.store_key(judge, {})


# ------------------------------------------------------------------------------------- training


def test_training_is_the_same_again_and_after_a_kill(encoder, trained, tmp_path, monkeypatch):
    wanted = (trained.folder / "model.safetensors").read_bytes()
    measure, calls = judge_training.measure_judge, []

    def fail_in_third_epoch(*arguments):
        calls.append(arguments)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return measure(*arguments)

    monkeypatch.setattr(judge_training, "measure_judge", fail_in_third_epoch)
    with pytest.raises(KeyboardInterrupt):
        train(encoder, tmp_path)
    assert sorted(training.read_epochs(tmp_path)) == [1, 2]
    monkeypatch.setattr(judge_training, "measure_judge", measure)
    again = train(encoder, tmp_path)
    assert again.best_epoch == trained.best_epoch
    assert dict(again.measures) == dict(trained.measures)
    assert (again.folder / "model.safetensors").read_bytes() == wanted
    pd.testing.assert_frame_equal(again.curves, trained.curves)
    # A job that was killed after its training only reads what it left.
    assert dict(train(encoder, tmp_path).measures) == dict(trained.measures)


def test_curves_and_best_epoch(trained):
    curves = trained.curves
    assert list(curves.columns) == list(training.CURVE_COLUMNS)
    dev = curves[curves["measure"] == "dev_accuracy"].set_index("epoch")["value"]
    assert list(dev.index) == [1, 2, 3, 4, 5]
    assert trained.best_epoch == dev.idxmax()
    losses = curves.loc[curves["measure"] == "train_loss", "value"]
    assert losses.iloc[-1] < losses.iloc[0] / 2


def test_training_without_a_label_is_refused(encoder, tmp_path):
    pairs = tiny_judge.labelled_pairs()
    pairs = pairs[pairs["label"] != "neutral"]
    with pytest.raises(InputError, match="no pair is labelled neutral"):
        judge_training.train_judge(
            encoder, pairs, pairs, SETTINGS, tmp_path, "tiny", "cpu", 100, LOG
        )


def test_bfloat16_trains_and_an_unknown_precision_is_refused(encoder, tmp_path):
    settings = TrainSettings(1, 9, 5e-3, 0.1, 64, 7, "bfloat16")
    assert train(encoder, tmp_path, settings).best_epoch == 1
    with pytest.raises(InputError, match="float32, bfloat16"):
        TrainSettings(1, 9, 5e-3, 0.1, 64, 7, "float16")


def test_training_key_depends_on_what_it_is_made_of():
    keys = {
        training.training_key(SETTINGS, "cpu", base="a"),
        training.training_key(SETTINGS, "cpu", base="b"),
        training.training_key(SETTINGS, "a GPU", base="a"),
        training.training_key(TrainSettings(4, 9, 5e-3, 0.1, 64, 7, "float32"), "cpu", base="a"),
    }
    assert len(keys) == 4


def test_batches_are_of_similar_length_and_hold_every_example_once():
    class Rows:
        column_names = ("premise", "label")

        def __len__(self):
            return 1000

        def __getitem__(self, name):
            return ["x" * (n * 37 % 101) for n in range(1000)]

    sampler = training.LengthBatchSampler(
        Rows(), 16, False, valid_label_columns=["label"], generator=None, seed=3
    )
    first, again = list(sampler), list(sampler)
    assert first == again and len(first) == len(sampler)
    assert sorted(n for batch in first for n in batch) == list(range(1000))
    spread = np.mean([np.ptp([sampler.lengths[n] for n in batch]) for batch in first])
    assert spread < 15
    sampler.set_epoch(1)
    assert list(sampler) != first


# -------------------------------------------------------------------------------------- scoring


def test_triples_are_scored_both_ways(trained):
    judge = entailment.load_judge(trained.folder, "tiny", "cpu")
    (one, other, _), (premise, hypothesis, _) = PROOF_PAIRS[:2]
    candidates = pd.DataFrame(
        {
            "candidate_id": ["a", "b"],
            "status": ["made", "unparsed"],
            "anchor": [premise, premise],
            "paraphrase": [hypothesis, None],
            "trap": [other, None],
        }
    )
    assert one == premise
    table = score_triples(candidates, judge, 100, None, LOG)
    assert table["candidate_id"].tolist() == ["a"]
    row = table.iloc[0]
    assert row["nli_para_forward"] > 0.5 > row["nli_trap_forward"]
    assert row["n_truncated"] == 0
    backward = entailment.judge_pairs(judge, [Pair(hypothesis, premise)], 100, None, LOG)
    assert row["nli_para_backward"] == pytest.approx(backward.entailment[0], abs=1e-6)
    empty = score_triples(candidates.iloc[1:], judge, 100, None, LOG)
    assert empty.empty and list(empty.columns) == list(table.columns)


def test_probes_and_test_pairs_are_scored(trained):
    judge = entailment.load_judge(trained.folder, "tiny", "cpu")
    probes = pd.DataFrame(
        [("p1", "negation", *PROOF_PAIRS[0][:2])],
        columns=["probe_id", "kind", "sentence1", "sentence2"],
    )
    scored = score_probes(probes, judge, 100, LOG)
    assert scored.loc[0, "nli_forward"] < 0.5
    test = score_test(tiny_judge.labelled_pairs(), judge, 100, LOG)
    assert (test[list(LABELS)].idxmax(axis=1) == test["label"]).all()
    assert score_test(tiny_judge.labelled_pairs().iloc[:0], judge, 100, LOG).empty
