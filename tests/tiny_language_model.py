"""A causal language model of a few thousand random numbers, in the form of a real one."""

from __future__ import annotations

from pathlib import Path

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

WORDS = ["<s>", "</s>", "<unk>", "<|system|>", "<|user|>", "<|assistant|>", *"abcdefghijklmn"]

CHAT_TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|> {{ message['content'] }} {% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)

NO_SYSTEM = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system') }}{% endif %}"


def write_tiny_model(
    folder: Path, chat_template: str | None = CHAT_TEMPLATE, max_tokens: int = 64
) -> Path:
    """Write a model folder; equal calls give equal weights."""
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
        chat_template=chat_template,
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(WORDS),
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=max_tokens,
        bos_token_id=0,
        eos_token_id=1,
        initializer_range=0.6,
    )
    network = LlamaForCausalLM(config)
    # Settings that must not count.
    network.generation_config = GenerationConfig(
        eos_token_id=[1, 19], do_sample=True, top_k=1, repetition_penalty=5.0, max_new_tokens=2
    )
    network.save_pretrained(folder)
    return folder
