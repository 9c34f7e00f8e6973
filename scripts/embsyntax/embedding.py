"""The embedding engine: each unique text of a suite once, in batches of a fixed token budget.

Texts are sorted by their number of tokens over the whole suite and cut into batches by padded
tokens instead of by number of texts, so that little is padding and little of the cache is missed.
The plan covers all texts of a suite, whatever is stored already: a run that was killed goes on
with the same batches, and so with the same bits.
"""

from __future__ import annotations

import contextlib
import json
import logging
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import (
    Pooling,
    StaticEmbedding,
    Transformer,
)
from transformers import PreTrainedTokenizerBase
from transformers.utils import logging as transformers_logging

from embsyntax.devices import forbid_tf32
from embsyntax.jobs import InputError, progress
from embsyntax.provenance import digest, library_versions
from embsyntax.registry import Model
from embsyntax.similarities import require_finite, shorten_text
from embsyntax.vector_store import VectorStore

ENGINE_VERSION = 1
"""Raised whenever a change of this module changes vectors: part of the key of stored vectors."""

ENGINE_PACKAGES = ("sentence-transformers", "tokenizers", "torch", "transformers")
"""Distributions whose version can change a vector."""

TORCH_DTYPES = {
    "float32": torch.float32,
    "bfloat16": torch.bfloat16,
    "float16": torch.float16,
}

TEXTS_PER_TOKENIZATION = 1024
"""Texts given to the tokenizer at once, which bounds the memory."""

NO_LIMIT = 10**9
"""Tokenizers state a length above this where a model has no limit."""

UNUSED_WEIGHTS = "pooler"
"""Part of a network that sentence vectors do not pass through; many releases leave it out."""

PLAIN_INPUTS = {"input_ids", "token_type_ids", "attention_mask"}
"""Inputs of a model that the engine can pad by itself."""


@dataclass(frozen=True)
class Tokens:
    """The tokens of one text.

    Attributes:
        count: tokens that the model sees, special ones and prompt included.
        is_truncated: whether tokens were cut off.
        ids: the tokens, or None where the model's own preprocessing must be used.
        type_ids: the segment of each token.
    """

    count: int
    is_truncated: bool
    ids: Sequence[int] | None = None
    type_ids: Sequence[int] | None = None


@dataclass(frozen=True)
class Embedded:
    """The vectors of unique texts and what it took.

    Attributes:
        vectors: float32, shape (texts, dimension), finite, in the order of the texts.
        n_truncated: texts that were longer than the model takes.
        n_tokens: tokens of all texts, after truncation, without padding.
        n_stored: texts whose vectors were in the store already.
        n_zero: texts with a vector of zeros (without any token that the model knows).
    """

    vectors: np.ndarray
    n_truncated: int
    n_tokens: int
    n_stored: int
    n_zero: int


class Encoder:
    """A loaded model that turns batches of tokens into vectors."""

    def __init__(
        self, network: SentenceTransformer, *, name: str, device: str, dtype: str, prompt: str
    ) -> None:
        """Wrap a loaded sentence-transformers model.

        Args:
            network: the model, on its device, in its number format.
            name: id of the model, for messages.
            device: `cpu` or `cuda`.
            dtype: `float32`, `bfloat16` or `float16`.
            prompt: put before each text; `""` for none.
        """
        self.network = network.eval()
        self.name = name
        self.device = device
        self.dtype = dtype
        self.prompt = prompt
        self._prompt_length = (
            network.preprocess([""], prompt=prompt).get("prompt_length") if prompt else None
        )

    @property
    def max_tokens(self) -> int | None:
        """The longest input in tokens, or None without a limit."""
        limit = self.network.max_seq_length
        return None if limit is None or limit > NO_LIMIT else int(limit)

    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        """Tokenize texts, once and for all where the model takes plain tokens."""
        tokens: list[Tokens] = []
        for start in range(0, len(texts), TEXTS_PER_TOKENIZATION):
            part = [self.prompt + text for text in texts[start : start + TEXTS_PER_TOKENIZATION]]
            tokens += self._tokenize_part(part)
        return tokens

    def encode(self, texts: Sequence[str], tokens: Sequence[Tokens]) -> np.ndarray:
        """Embed one batch.

        A batch that does not fit into the memory of the GPU is halved, down to single texts.

        Args:
            texts: the texts without prompt.
            tokens: their tokens.

        Returns:
            float32, shape (number of texts, dimension).

        Raises:
            InputError: if a single text does not fit, or if a vector is not finite.
        """
        vectors = self._try_forward(texts, tokens)
        if vectors is None:
            if len(texts) == 1:
                raise InputError(
                    f"model {self.name!r}: the GPU's memory is too small for a single text of "
                    f"{tokens[0].count} tokens: {shorten_text(texts[0])}. Free memory on the GPU, "
                    "lower max_tokens or take bfloat16 in the models table, or run on the CPU with "
                    "--resources gpu=0."
                )
            half = len(texts) // 2
            return np.concatenate(
                [
                    self.encode(texts[:half], tokens[:half]),
                    self.encode(texts[half:], tokens[half:]),
                ]
            )
        require_finite(vectors, texts, self.name)
        return vectors

    def _try_forward(self, texts: Sequence[str], tokens: Sequence[Tokens]) -> np.ndarray | None:
        """Return the vectors of a batch, or None if the GPU's memory is too small for it."""
        try:
            return self.forward(texts, tokens)
        except torch.cuda.OutOfMemoryError:
            pass  # the frames that hold tensors are gone only after this block
        torch.cuda.empty_cache()
        return None

    @torch.inference_mode()
    def forward(self, texts: Sequence[str], tokens: Sequence[Tokens]) -> np.ndarray:
        """Run the model over one batch, without any check."""
        features = {
            key: value.to(self.device) if isinstance(value, torch.Tensor) else value
            for key, value in self._features(texts, tokens).items()
        }
        vectors = self.network(features)["sentence_embedding"]
        if self.network.truncate_dim is not None:
            vectors = vectors[:, : self.network.truncate_dim]
        return vectors.float().cpu().numpy()

    def _tokenize_part(self, texts: list[str]) -> list[Tokens]:
        first = self.network[0]
        if isinstance(first, StaticEmbedding):
            encodings = first.tokenizer.encode_batch(texts, add_special_tokens=False)
            return [Tokens(len(e.ids), bool(e.overflowing), e.ids) for e in encodings]
        if _takes_plain_tokens(first):
            encodings = first.processor(texts, truncation="longest_first").encodings
            return [Tokens(len(e.ids), bool(e.overflowing), e.ids, e.type_ids) for e in encodings]
        limit = self.max_tokens or NO_LIMIT
        lists = self.network.tokenizer(texts, truncation=False)["input_ids"]
        return [Tokens(min(len(ids), limit), len(ids) > limit) for ids in lists]

    def _features(self, texts: Sequence[str], tokens: Sequence[Tokens]) -> dict[str, Any]:
        first = self.network[0]
        if tokens[0].ids is None:
            return self.network.preprocess(list(texts), prompt=self.prompt or None)
        if isinstance(first, StaticEmbedding):
            ends = np.cumsum([0, *(entry.count for entry in tokens[:-1])])
            ids = [token for entry in tokens for token in entry.ids]
            return {
                "input_ids": torch.tensor(ids, dtype=torch.long),
                "offsets": torch.from_numpy(ends),
            }
        tokenizer = first.processor
        features = pad_tokens(
            tokens,
            pad_id=tokenizer.pad_token_id,
            pad_type_id=tokenizer.pad_token_type_id,
            side=tokenizer.padding_side,
        )
        if "token_type_ids" not in tokenizer.model_input_names:
            del features["token_type_ids"]
        features["modality"] = "text"
        if self._prompt_length is not None:
            features["prompt_length"] = self._prompt_length
        return features


def pad_tokens(
    tokens: Sequence[Tokens], *, pad_id: int, pad_type_id: int, side: str
) -> dict[str, Any]:
    """Pad the tokens of a batch to the longest text.

    Args:
        tokens: the texts of the batch, at least one.
        pad_id: the token that fills up.
        pad_type_id: its segment.
        side: `left` or `right`.

    Returns:
        input_ids, token_type_ids and attention_mask: int64, shape (texts, longest).
    """
    shape = (len(tokens), max(entry.count for entry in tokens))
    ids = np.full(shape, pad_id, dtype=np.int64)
    type_ids = np.full(shape, pad_type_id, dtype=np.int64)
    mask = np.zeros(shape, dtype=np.int64)
    for row, entry in enumerate(tokens):
        part = slice(shape[1] - entry.count, None) if side == "left" else slice(entry.count)
        ids[row, part] = entry.ids
        type_ids[row, part] = entry.type_ids
        mask[row, part] = 1
    return {
        "input_ids": torch.from_numpy(ids),
        "token_type_ids": torch.from_numpy(type_ids),
        "attention_mask": torch.from_numpy(mask),
    }


def _takes_plain_tokens(first: torch.nn.Module) -> bool:
    """Say whether the first module just pads and masks what its tokenizer gives for a text."""
    return (
        isinstance(first, Transformer)
        and isinstance(first.processor, PreTrainedTokenizerBase)
        and first.processor.is_fast
        and first.processor.pad_token_id is not None
        and set(first.processor.model_input_names) <= PLAIN_INPUTS
        and "message" not in first.modality_config
        and not first.processing_kwargs
        and "flash" not in str(first.config._attn_implementation)
    )


def plan_batches(texts: Sequence[str], counts: Sequence[int], batch_tokens: int) -> list[list[int]]:
    """Cut texts into batches of at most `batch_tokens` padded tokens, the longest texts first.

    Args:
        texts: unique texts.
        counts: tokens of each.
        batch_tokens: longest text times number of texts of a batch; one text may exceed it.

    Returns:
        Positions of the texts, batch by batch; the same for any order of the same texts.
    """
    order = sorted(range(len(texts)), key=lambda i: (counts[i], texts[i]), reverse=True)
    batches: list[list[int]] = []
    start = 0
    while start < len(order):
        size = max(1, batch_tokens // max(1, counts[order[start]]))
        batches.append(order[start : start + size])
        start += size
    return batches


def embed_texts(
    encoder: Encoder,
    texts: Sequence[str],
    *,
    batch_tokens: int,
    shard_batches: int = 1,
    store: VectorStore | None = None,
    log: logging.Logger | None = None,
) -> Embedded:
    """Embed unique texts, taking from the store what it has and saving whole batches to it.

    Of a batch that is stored in part (texts were added to the suite) only what is missing is
    computed.

    Args:
        encoder: the model.
        texts: unique texts of a suite; none for a suite without rows.
        batch_tokens: padded tokens of a batch.
        shard_batches: batches that are saved together; a kill loses at most these.
        store: vectors of an earlier run, or None.
        log: where progress and truncation are reported; nothing is reported without it.

    Returns:
        The vectors in the order of the texts, and counts.

    Raises:
        InputError: for a vector that is not finite, or a text that the GPU's memory can't hold.
        ValueError: if a text comes twice.
    """
    if len(set(texts)) != len(texts):
        raise ValueError(f"{len(texts)} texts, {len(set(texts))} of them unique")
    if not texts:
        shape = (0, encoder.network.get_embedding_dimension() or 0)
        return Embedded(np.empty(shape, dtype=np.float32), 0, 0, 0, 0)
    tokens = encoder.tokenize(texts)
    batches = plan_batches(texts, [entry.count for entry in tokens], batch_tokens)
    rows: list[np.ndarray | None] = [None] * len(texts)
    if store is not None:
        for position, text in enumerate(texts):
            if text in store:
                rows[position] = store.vectors([text])[0]
    n_stored = sum(row is not None for row in rows)
    work = [missing for batch in batches if (missing := [i for i in batch if rows[i] is None])]
    unsaved: list[int] = []
    steps = progress(work, len(work), f"embed with {encoder.name}", log) if log else work
    for done, batch in enumerate(steps, start=1):
        vectors = encoder.encode([texts[i] for i in batch], [tokens[i] for i in batch])
        for position, vector in zip(batch, vectors, strict=True):
            rows[position] = vector
        unsaved += batch
        if store is not None and (done % shard_batches == 0 or done == len(work)):
            store.append([texts[i] for i in unsaved], np.stack([rows[i] for i in unsaved]))
            unsaved.clear()
    result = np.stack(rows)
    embedded = Embedded(
        vectors=result,
        n_truncated=sum(entry.is_truncated for entry in tokens),
        n_tokens=sum(entry.count for entry in tokens),
        n_stored=n_stored,
        n_zero=int((~result.any(axis=1)).sum()),
    )
    if log:
        _report(embedded, encoder, len(texts), log)
    return embedded


def _report(embedded: Embedded, encoder: Encoder, n_texts: int, log: logging.Logger) -> None:
    log.info(
        "%s on %s, %s: %d texts, %d tokens; %d vectors were stored already",
        encoder.name,
        encoder.device,
        encoder.dtype,
        n_texts,
        embedded.n_tokens,
        embedded.n_stored,
    )
    if embedded.n_truncated:
        log.warning(
            "%d of %d texts are longer than the %s tokens that %s takes: the rest was cut off",
            embedded.n_truncated,
            n_texts,
            encoder.max_tokens,
            encoder.name,
        )
    if embedded.n_zero:
        log.warning(
            "%d of %d texts hold no token that %s knows: their cosine is 0 with everything",
            embedded.n_zero,
            n_texts,
            encoder.name,
        )


def choose_dtype(model: Model, device: str, cpu_dtype: str) -> str:
    """Return the number format of a job: the row's on a GPU, the config's on a CPU."""
    return model.dtype if device == "cuda" else cpu_dtype


def load_encoder(
    folder: str | Path, model: Model, device: str, dtype: str, log: logging.Logger | None = None
) -> Encoder:
    """Load a model folder as its catalogue row declares, or refuse it.

    Args:
        folder: files of the model: sentence-transformers, transformers or model2vec.
        model: the row of the models table.
        device: `cpu` or `cuda`.
        dtype: `float32`, `bfloat16` or `float16`, of weights and activations.
        log: where a lowered max_tokens is reported.

    Returns:
        The encoder, with the row's prompt, pooling and length limit.

    Raises:
        InputError: if the folder cannot be loaded without remote code or pickled weights, or
            disagrees with the row (pooling, dimension).
    """
    forbid_tf32()
    _refuse_pickled_weights(Path(folder), model)
    with _quiet_loading():
        try:
            network = _load_network(Path(folder), model, device, TORCH_DTYPES[dtype])
        except (
            OSError,
            ValueError,
            KeyError,
            ImportError,
            RuntimeError,
            SafetensorError,
        ) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                f"model {model.model!r}: its folder {str(folder)!r} cannot be loaded as a "
                f"sentence-transformers, transformers or model2vec model with safetensors weights "
                f"and without remote code: {type(error).__name__}: {error}. Check the row of the "
                "models table and the files."
            ) from error
        _check_weights(network, model)
    _check_pooling(network, model)
    if not model.pools_prompt:
        network.set_pooling_include_prompt(include_prompt=False)
    _limit_tokens(network, model, log)
    dimension = network.get_embedding_dimension()
    if model.embedding_dim and dimension and dimension != model.embedding_dim:
        raise InputError(
            f"model {model.model!r}: the models table declares embedding_dim "
            f"{model.embedding_dim}, but the folder's vectors have {dimension} numbers. Correct "
            "the row, or check that the files are those of this model."
        )
    prompt = model.similarity_prompt if model.prompt_policy == "similarity" else ""
    return Encoder(network, name=model.model, device=device, dtype=dtype, prompt=prompt or "")


def _load_network(
    folder: Path, model: Model, device: str, dtype: torch.dtype
) -> SentenceTransformer:
    safe = {"dtype": dtype, "use_safetensors": True}
    if (folder / "modules.json").is_file():
        network = SentenceTransformer(
            str(folder),
            device=device,
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs=safe,
        )
    elif _is_model2vec(folder):
        static = StaticEmbedding.load(str(folder), local_files_only=True)
        network = SentenceTransformer(modules=[static], device=device)
    else:
        if model.pooling == "declared":
            raise InputError(
                f"model {model.model!r}: pooling 'declared' means that the folder's modules.json "
                "declares it, but there is no modules.json. Name the pooling (mean, cls, "
                "lasttoken, max or weightedmean) in the models table, as the model's card says."
            )
        offline = {"local_files_only": True, "trust_remote_code": False}
        body = Transformer(
            str(folder),
            model_kwargs={**safe, **offline},
            processor_kwargs=dict(offline),
            config_kwargs=dict(offline),
        )
        pooling = Pooling(body.get_embedding_dimension(), model.pooling)
        network = SentenceTransformer(modules=[body, pooling], device=device)
    if isinstance(network[0], StaticEmbedding):
        network.to(dtype)
    return network


def _is_model2vec(folder: Path) -> bool:
    config = folder / "config.json"
    if not config.is_file():
        return False
    return json.loads(config.read_text(encoding="utf-8")).get("model_type") == "model2vec"


def _refuse_pickled_weights(folder: Path, model: Model) -> None:
    for path in sorted(folder.rglob("*.bin")):
        if not any(path.parent.glob("*.safetensors")):
            raise InputError(
                f"model {model.model!r}: {path.relative_to(folder)} holds pickled weights and "
                "there is no safetensors file beside it; only safetensors are loaded. Pin a "
                "weights_revision that has them, or convert them at download."
            )


def _check_weights(network: SentenceTransformer, model: Model) -> None:
    """Refuse a folder whose weights don't cover the network: the rest would be random numbers.

    The class that was loaded is loaded again without data, only to learn which names it misses.
    """
    for module in network:
        if not isinstance(module, Transformer):
            continue
        loaded = module.model
        _, report = type(loaded).from_pretrained(
            loaded.name_or_path,
            config=loaded.config,
            device_map="meta",
            local_files_only=True,
            output_loading_info=True,
            use_safetensors=True,
        )
        absent = {name for name in report["missing_keys"] if UNUSED_WEIGHTS not in name.split(".")}
        absent |= {str(mismatch[0]) for mismatch in report["mismatched_keys"]}
        if absent:
            shown = ", ".join(sorted(absent)[:3])
            raise InputError(
                f"model {model.model!r}: the weights in {loaded.name_or_path!r} lack {len(absent)} "
                f"tensors of a {type(loaded).__name__}, or have them in another shape: {shown}"
                f"{' ...' if len(absent) > 3 else ''}. They would be filled with random numbers. "
                "Check that the files are whole and are those of this architecture (a model with "
                "code of its own cannot be loaded)."
            )


def _check_pooling(network: SentenceTransformer, model: Model) -> None:
    poolings = [module for module in network if isinstance(module, Pooling)]
    if model.pooling == "declared":
        return
    if poolings:
        found = [str(module.pooling_mode) for module in poolings]
    elif isinstance(network[0], StaticEmbedding):
        found = ["mean"]
    else:
        found = ["none"]
    if found != [model.pooling]:
        raise InputError(
            f"model {model.model!r}: the models table declares pooling {model.pooling!r}, but the "
            f"folder's own modules have {', '.join(found)!r}. Write what the folder has, or "
            "'declared' to take it from there."
        )


def _limit_tokens(network: SentenceTransformer, model: Model, log: logging.Logger | None) -> None:
    """Set the length limit to the row's max_tokens, never above the model's own."""
    first = network[0]
    if isinstance(first, StaticEmbedding):
        if model.max_tokens:
            first.tokenizer.enable_truncation(model.max_tokens)
        return
    limits = [
        limit
        for limit in (network.max_seq_length, _positions(getattr(first, "config", None)))
        if limit is not None and limit <= NO_LIMIT
    ]
    own = min(limits, default=math.inf)
    wanted = model.max_tokens or own
    if wanted > own and log:
        log.warning(
            "%s: max_tokens is %d in the models table, but the model takes %d: texts are cut there",
            model.model,
            wanted,
            own,
        )
    if min(own, wanted) < math.inf:
        network.max_seq_length = int(min(own, wanted))


def _positions(config: Any) -> int | None:
    """Return how many tokens a model has learned positions for, or None if that is no limit."""
    positions = getattr(config, "max_position_embeddings", None)
    if not isinstance(positions, int) or positions < 1:
        return None
    # The RoBERTa family (MPNet included) counts positions from padding_idx + 1.
    offset_families = ("roberta", "xlm-roberta", "camembert", "mpnet", "xlm-roberta-xl")
    if getattr(config, "model_type", "") in offset_families:
        return positions - (config.pad_token_id or 0) - 1
    return positions


@contextlib.contextmanager
def _quiet_loading() -> Iterator[None]:
    """Keep the weight-loading bars of transformers out of the job log."""
    was_enabled = transformers_logging.is_progress_bar_enabled()
    transformers_logging.disable_progress_bar()
    try:
        yield
    finally:
        if was_enabled:
            transformers_logging.enable_progress_bar()


def store_key(encoder: Encoder, model: Model, files: Mapping[str, Mapping[str, Any]]) -> str:
    """Name what decides a vector, so that a store never mixes two kinds.

    Args:
        encoder: the loaded model.
        model: its row of the models table.
        files: the entry `files` of the model's manifest: name -> `{"sha256": ..., ...}`.

    Returns:
        16 hexadecimal digits.
    """
    return digest(
        {
            "engine": ENGINE_VERSION,
            "libraries": library_versions(ENGINE_PACKAGES),
            "files": {name: record["sha256"] for name, record in files.items()},
            "prompt": encoder.prompt,
            "pools_prompt": model.pools_prompt,
            "pooling": model.pooling,
            "dtype": encoder.dtype,
            "max_tokens": encoder.max_tokens,
            "device": encoder.device,
        }
    )


def summarize(encoder: Encoder, embedded: Embedded) -> dict[str, Any]:
    """Return what a manifest says of an embedding; nothing in it depends on what was stored."""
    return {
        "dtype": encoder.dtype,
        "prompt": encoder.prompt,
        "max_tokens": encoder.max_tokens,
        "embedding_dim": int(embedded.vectors.shape[1]),
        "n_texts": len(embedded.vectors),
        "n_tokens": embedded.n_tokens,
        "n_truncated": embedded.n_truncated,
        "n_zero_vectors": embedded.n_zero,
    }
