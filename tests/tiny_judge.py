"""A tiny encoder, and a few sentences that it can learn to judge in seconds."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

from embsyntax.entailment import PROOF_PAIRS
from embsyntax.entailment_labels import LABELS

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
WORDS = [
    "a",
    "man",
    "is",
    "playing",
    "guitar",
    "on",
    "stage",
    "there",
    "no",
    "for",
    "his",
    "old",
    "friends",
    "woman",
    "drum",
    "flute",
    "boy",
    "street",
    "loud",
    "today",
    ".",
    "the",
    "in",
]


def write_tiny_encoder(folder: Path) -> Path:
    """Write a BERT of two small layers; equal calls give equal weights."""
    vocabulary = {word: number for number, word in enumerate((*SPECIAL, *WORDS))}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_max_length=64,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=64,
        hidden_dropout_prob=0.05,
        initializer_range=0.2,
    )
    BertModel(config).save_pretrained(folder)
    return folder


def labelled_pairs() -> pd.DataFrame:
    """The proof pairs, and the same said of others."""
    rows = []
    for who in ("man", "woman", "boy"):
        for what in ("guitar", "drum", "flute"):
            for one, other, label in PROOF_PAIRS:
                texts = [t.replace("man", who).replace("guitar", what) for t in (one, other)]
                rows.append((*texts, label))
    return pd.DataFrame(rows, columns=["premise", "hypothesis", "label"])


def rename_labels(judge: Path, order: tuple[int, int, int], names: list[str], folder: Path) -> Path:
    """Write the same judge with its outputs in another order.

    Args:
        judge: folder of a judge whose outputs are in the order of `LABELS`.
        order: which old output each new one is.
        names: of the new outputs.
        folder: where it is written.
    """
    folder.mkdir()
    for path in judge.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    weights = load_file(folder / "model.safetensors")
    for name in ("classifier.weight", "classifier.bias"):
        weights[name] = weights[name][list(order)].contiguous()
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["id2label"] = {str(number): name for number, name in enumerate(names)}
    config["label2id"] = {name: number for number, name in enumerate(names)}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def names_in(order: tuple[int, int, int]) -> list[str]:
    """The true names of outputs in another order."""
    return [LABELS[number] for number in order]
