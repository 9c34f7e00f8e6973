"""Causal language models that run here: loading, answering questions, text likelihoods.

A model is a folder with `config.json` and safetensors, or with one GGUF file. Everything is read
from disk; nothing is downloaded.
"""

from __future__ import annotations

import copy
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import jinja2
import numpy as np
import torch
from filelock import FileLock
from safetensors.torch import save_model
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    GenerationConfig,
    LogitsProcessor,
    LogitsProcessorList,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    TemperatureLogitsWarper,
    TopPLogitsWarper,
)
from transformers.utils import logging as transformers_logging

from embsyntax.answers import Parameters, Question, Reply
from embsyntax.devices import forbid_tf32, name_device
from embsyntax.jobs import InputError

Item = TypeVar("Item")
Result = TypeVar("Result")

ENGINE_VERSION = 1
"""Raised whenever a change of this module changes answers: part of their key."""

MODEL_PACKAGES = ("accelerate", "gguf", "tokenizers", "torch", "transformers")
"""Distributions whose version can change an answer or a likelihood."""

TORCH_DTYPES = {
    "float32": torch.float32,
    "bfloat16": torch.bfloat16,
    "float16": torch.float16,
}


@dataclass(frozen=True)
class CausalModel:
    """A loaded causal language model.

    Attributes:
        name: id in the catalogue, for messages.
        network: the model, on its device, in its number format.
        tokenizer: with a padding token.
        device: `cpu` or `cuda`.
        dtype: a key of `TORCH_DTYPES`.
        end_tokens: tokens that end an answer, by the model's and by the tokenizer's word.
    """

    name: str
    network: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    device: str
    dtype: str
    end_tokens: tuple[int, ...]

    @property
    def max_tokens(self) -> int:
        """The longest text in tokens, question and answer together."""
        return self.network.config.get_text_config().max_position_embeddings


def load_language_model(
    folder: str | Path, name: str, key: str, device: str, dtype: str, scratch: str | Path
) -> CausalModel:
    """Load a model from disk.

    A GGUF file is unpacked once into a folder of safetensors, since reading it takes many times as
    long, and each job loads its model.

    Args:
        folder: with `config.json` and safetensors, or with one GGUF file.
        name: id in the catalogue, for messages.
        key: identifies the files, such as a digest of their checksums.
        device: `cpu` or `cuda`.
        dtype: a key of `TORCH_DTYPES`.
        scratch: where unpacked GGUF files are kept.

    Returns:
        The model, ready to run.

    Raises:
        InputError: if the folder holds no model of a known form, or the number format is unknown.
    """
    if dtype not in TORCH_DTYPES:
        raise InputError(
            f"language model {name!r}: dtype {dtype!r}; allowed: {', '.join(TORCH_DTYPES)}. "
            "Correct its row in the catalogue."
        )
    forbid_tf32()
    transformers_logging.disable_progress_bar()
    folder = Path(folder)
    gguf = find_gguf(folder, name)
    if gguf is not None:
        folder = unpack_gguf(gguf, dtype, Path(scratch) / f"{name}-{key}-{dtype}")
    network, tokenizer = _read_model(folder, TORCH_DTYPES[dtype])
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    stated = network.generation_config.eos_token_id
    ends = {*(stated if isinstance(stated, list) else [stated]), tokenizer.eos_token_id} - {None}
    # Of the model's own settings for generation only the end tokens count.
    network.generation_config = GenerationConfig(
        eos_token_id=sorted(ends), pad_token_id=tokenizer.pad_token_id
    )
    network = network.to(device).eval()
    return CausalModel(name, network, tokenizer, device, dtype, tuple(sorted(ends)))


def _read_model(
    folder: Path, dtype: torch.dtype, gguf_file: str | None = None
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    options = {"local_files_only": True, "trust_remote_code": False}
    if gguf_file:
        options["gguf_file"] = gguf_file
    tokenizer = AutoTokenizer.from_pretrained(folder, **options)
    return AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, **options), tokenizer


def find_gguf(folder: Path, name: str) -> Path | None:
    """Return the GGUF file of a model's folder, or None if it holds a model of the usual form.

    Raises:
        InputError: if it holds neither, or several GGUF files.
    """
    if (folder / "config.json").is_file():
        return None
    files = sorted(folder.rglob("*.gguf"))
    if len(files) != 1:
        raise InputError(
            f"language model {name!r}: its folder holds no config.json and {len(files)} GGUF "
            "files; allowed: config.json with safetensors, or one GGUF file. Correct its row in "
            "the catalogue."
        )
    return files[0]


def unpack_gguf(gguf: Path, dtype: str, target: Path) -> Path:
    """Unpack a quantised GGUF file into a folder of safetensors, unless that was done before.

    Args:
        gguf: the file.
        dtype: number format of the weights.
        target: the folder to be made.

    Returns:
        The folder; its weights are those that the quantised ones stand for, in that format.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(target.with_name(f".{target.name}.lock")):
        if target.is_dir():
            return target
        network, tokenizer = _read_model(gguf.parent, TORCH_DTYPES[dtype], gguf.name)
        partial = target.with_name(f".{target.name}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        # Not by the model's own method, which refuses since the model was quantised once.
        config = network.config
        del config.quantization_config
        config.architectures = [type(network).__name__]
        config.save_pretrained(partial)
        save_model(network, str(partial / "model.safetensors"), metadata={"format": "pt"})
        network.generation_config.save_pretrained(partial)
        tokenizer.save_pretrained(partial)
        partial.rename(target)
    return target


def halve_on_overflow(
    work: Callable[[Sequence[Item]], list[Result]], items: Sequence[Item]
) -> list[Result]:
    """Work on a batch; where the GPU's memory is too small for it, on each half in turn.

    Args:
        work: gives one result per item.
        items: one or more.

    Returns:
        The results in the order of the items.

    Raises:
        torch.cuda.OutOfMemoryError: if a single item is too large.
    """
    try:
        return work(items)
    except torch.cuda.OutOfMemoryError:
        if len(items) == 1:
            raise
    # Outside the handler, whose traceback would keep the tensors of the failed try alive.
    torch.cuda.empty_cache()
    half = len(items) // 2
    return halve_on_overflow(work, items[:half]) + halve_on_overflow(work, items[half:])


class RowNoise(LogitsProcessor):
    """Make the likeliest token a drawn one, each row of a batch by a generator of its own.

    The largest of log-probability plus Gumbel noise falls on each token with its probability. So
    an answer depends on its own seed and not on what else stands in its batch.
    """

    def __init__(self, seeds: Sequence[int], device: str) -> None:
        """Start a generator per row."""
        self.generators = [torch.Generator(device).manual_seed(seed) for seed in seeds]

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """Add noise to scores, shape (rows, vocabulary)."""
        noise = torch.empty_like(scores, dtype=torch.float32)
        for row, generator in zip(noise, self.generators, strict=True):
            row.exponential_(generator=generator)
        return scores.float() - noise.log()


class LocalChat:
    """The `transformers` backend: a model on this machine, asked in batches."""

    def __init__(
        self,
        name: str,
        model: CausalModel,
        parameters: Parameters,
        batch_size: int,
        identity: Mapping[str, Any],
    ) -> None:
        """Get ready.

        Args:
            name: of the generator or annotator.
            model: the loaded model.
            parameters: how answers are drawn.
            batch_size: questions answered together, 1 or more; a kill loses as many.
            identity: revision and checksums of the model.

        Raises:
            InputError: if the model has no chat template.
        """
        if not model.tokenizer.chat_template:
            raise InputError(
                f"{name}: the language model {model.name!r} has no chat template, so it is no "
                "instruct model; take one that is."
            )
        self.name = name
        self.device = name_device(model.device)
        self.model = model
        self.parameters = parameters
        self.batch_size = batch_size
        self.identity = {
            "backend": "transformers",
            "model": model.name,
            "dtype": model.dtype,
            "engine_version": ENGINE_VERSION,
            **identity,
        }

    def with_seed(self, seed: int) -> LocalChat:
        """Return the same model with another seed."""
        other = copy.copy(self)
        other.parameters = replace(self.parameters, seed=seed)
        return other

    def cut_batches(self, questions: Sequence[Question]) -> list[tuple[Question, ...]]:
        """Put questions of similar length together, so that little is padding."""
        ordered = sorted(questions, key=lambda q: (q.n_bytes, q.content_key))
        return [
            tuple(ordered[start : start + self.batch_size])
            for start in range(0, len(ordered), self.batch_size)
        ]

    def answer_batches(
        self, batches: Iterable[Sequence[Question]]
    ) -> Iterator[tuple[Sequence[Question], Sequence[Reply]]]:
        """Answer one batch after the other."""
        for batch in batches:
            yield batch, halve_on_overflow(self._answer, batch)

    def _answer(self, questions: Sequence[Question]) -> list[Reply]:
        texts = [render_chat(self.model.tokenizer, q.messages) for q in questions]
        lists = self.model.tokenizer(texts, add_special_tokens=False)["input_ids"]
        room = self.model.max_tokens - self.parameters.max_tokens
        replies: dict[int, Reply] = {}
        fitting = []
        for position, ids in enumerate(lists):
            if len(ids) <= room:
                fitting.append(position)
                continue
            error = (
                f"the question has {len(ids)} tokens; with {self.parameters.max_tokens} for the "
                f"answer, the model takes {room}"
            )
            replies[position] = Reply("", "", error=error)
        seeds = [self.parameters.seed_of(questions[position]) for position in fitting]
        written = generate(self.model, [lists[p] for p in fitting], seeds, self.parameters)
        for position, (text, n_tokens, is_cut) in zip(fitting, written, strict=True):
            replies[position] = Reply(
                text=text,
                finish_reason="length" if is_cut else "stop",
                prompt_tokens=len(lists[position]),
                completion_tokens=n_tokens,
                served_model=self.model.name,
            )
        return [replies[position] for position in range(len(questions))]


def render_chat(tokenizer: PreTrainedTokenizerBase, messages: Sequence[tuple[str, str]]) -> str:
    """Put messages into the chat form of a model, thinking off where it has such a switch.

    Args:
        tokenizer: with a chat template.
        messages: role and text of each; a system message stands first.

    Returns:
        The text up to where the answer begins.
    """
    options = {"tokenize": False, "add_generation_prompt": True, "enable_thinking": False}
    chat = [{"role": role, "content": text} for role, text in messages]
    try:
        return tokenizer.apply_chat_template(chat, **options)
    except jinja2.TemplateError:
        # Some models know no system role: there it goes before the first message of the user.
        system, first, *others = chat
        merged = {"role": "user", "content": f"{system['content']}\n\n{first['content']}"}
        return tokenizer.apply_chat_template([merged, *others], **options)


@torch.inference_mode()
def generate(
    model: CausalModel,
    prompts: Sequence[Sequence[int]],
    seeds: Sequence[int],
    parameters: Parameters,
) -> list[tuple[str, int, bool]]:
    """Write on from each prompt of a batch, padded on the left.

    Args:
        model: the model.
        prompts: tokens of each prompt.
        seeds: of each prompt.
        parameters: how tokens are drawn.

    Returns:
        For each prompt: the text after it, its number of tokens, and whether the limit cut it.
    """
    if not prompts:
        return []
    pad = model.tokenizer.pad_token_id
    longest = max(map(len, prompts))
    ids = np.full((len(prompts), longest), pad, dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, tokens in enumerate(prompts):
        ids[row, longest - len(tokens) :] = tokens
        mask[row, longest - len(tokens) :] = 1
    processors = LogitsProcessorList()
    if parameters.temperature > 0:
        processors.append(TemperatureLogitsWarper(parameters.temperature))
        if parameters.top_p < 1:
            processors.append(TopPLogitsWarper(parameters.top_p))
        processors.append(RowNoise(seeds, model.device))
    output = model.network.generate(
        input_ids=torch.from_numpy(ids).to(model.device),
        attention_mask=torch.from_numpy(mask).to(model.device),
        do_sample=False,
        max_new_tokens=parameters.max_tokens,
        logits_processor=processors,
    )
    written = []
    for row in output[:, longest:].tolist():
        length = next((n for n, token in enumerate(row) if token in model.end_tokens), None)
        is_cut = length is None
        tokens = row if is_cut else row[:length]
        text = model.tokenizer.decode(tokens, skip_special_tokens=True)
        written.append((text, len(tokens) + (not is_cut), is_cut))
    return written
