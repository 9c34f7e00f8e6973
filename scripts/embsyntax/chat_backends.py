"""Open the backend of a generator or annotator, its store of answers and its budget."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from embsyntax.answers import (
    Answer,
    AnswerStore,
    ChatBackend,
    Parameters,
    Question,
    TokenBudget,
    answer_questions,
    model_key,
    summarize_answers,
)
from embsyntax.chat_endpoint import CHAT_PATH, ChatEndpoint, ChatSettings
from embsyntax.chat_settings import ChatModelSettings, read_chat_models
from embsyntax.devices import choose_device, name_device, use_threads
from embsyntax.http_client import open_server
from embsyntax.language_models import MODEL_PACKAGES, CausalModel, LocalChat, load_language_model
from embsyntax.provenance import digest, read_manifest
from embsyntax.registry import read_language_models

CPU_DTYPE = "float32"
"""Number format of weights on a CPU, as for embedding models."""

SERVER_PACKAGES = ("httpx", "tenacity")
"""Distributions that carry requests; they change no answer."""

USAGE_FILE = "usage.jsonl"
"""Ledger of the tokens that a generator or annotator has taken, over all its jobs."""


@dataclass(frozen=True)
class JobResources:
    """What a job may use.

    Attributes:
        config_device: config key `device`.
        gpu: GPUs that Snakemake lends the job.
        threads: CPU threads.
        scratch: folder for what survives a kill.
    """

    config_device: str
    gpu: int
    threads: int
    scratch: Path


def file_checksums(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return file -> sha256 of a downloaded model, from its manifest."""
    return {name: record["sha256"] for name, record in manifest["files"].items()}


def load_model(
    name: str,
    snapshot: str | Path,
    manifest: Mapping[str, Any],
    gpu_dtype: str,
    resources: JobResources,
    log: logging.Logger,
) -> CausalModel:
    """Load a language model on the device of the job.

    Args:
        name: id in the catalogue.
        snapshot: folder of its files.
        manifest: of these files.
        gpu_dtype: number format on a GPU, by the catalogue.
        resources: of the job.
        log: logger of the job.

    Returns:
        The model.
    """
    use_threads(resources.threads)
    device = choose_device(resources.config_device, resources.gpu, log)
    dtype = CPU_DTYPE if device == "cpu" else gpu_dtype
    log.info("loading %s on %s in %s", name, name_device(device), dtype)
    key = digest(file_checksums(manifest))
    scratch = resources.scratch / "language_models"
    return load_language_model(snapshot, name, key, device, dtype, scratch)


def open_backend(
    settings: ChatModelSettings,
    snapshot: str | Path | None,
    manifest: Mapping[str, Any] | None,
    gpu_dtype: str,
    resources: JobResources,
    log: logging.Logger,
) -> ChatBackend:
    """Open the backend that the config names.

    Args:
        settings: of the generator or annotator.
        snapshot: folder of the model's files; None for a server.
        manifest: of the model's files; None for a server.
        gpu_dtype: number format on a GPU, by the catalogue.
        resources: of the job.
        log: logger of the job.

    Returns:
        The backend; a server has not been asked anything yet.

    Raises:
        InputError: if the model cannot be loaded, or the address or key is unusable.
    """
    parameters = Parameters(
        settings.temperature, settings.top_p, settings.max_tokens, settings.seed
    )
    if not settings.is_local:
        server = open_server(settings.base_url, CHAT_PATH, settings.model)
        requests = ChatSettings(
            concurrency=settings.concurrency,
            attempts=settings.attempts,
            timeout_seconds=settings.timeout_seconds,
            response_format=settings.response_format,
            extra_body=settings.extra_body,
        )
        return ChatEndpoint(settings.name, server, parameters, requests, settings.revision, log)
    model = load_model(settings.model, snapshot, manifest, gpu_dtype, resources, log)
    identity = {"revision": manifest["revision"], "files": file_checksums(manifest)}
    return LocalChat(settings.name, model, parameters, settings.batch_size, identity)


@dataclass(frozen=True)
class AnswerJob:
    """Asks the questions of one job and keeps their answers.

    Attributes:
        settings: of the generator or annotator.
        backend: whom to ask.
        task: folder of the job's answers below those of the model, such as `stsb/voice`.
        writer: name of the file that this job appends to.
        scratch: folder for what survives a kill.
        log: logger of the job.
    """

    settings: ChatModelSettings
    backend: ChatBackend
    task: str
    writer: str
    scratch: Path
    log: logging.Logger

    def ask(self, questions: list[Question], seed: int | None = None) -> list[Answer]:
        """Answer questions, from the store where it holds them.

        Args:
            questions: what to ask.
            seed: in place of the seed of the config.

        Returns:
            The answers in the order of the questions.

        Raises:
            InputError: see `answer_questions`.
        """
        backend = self.backend if seed is None else self.backend.with_seed(seed)
        folder = self.scratch / "answers" / self.settings.role / self.settings.name
        store = AnswerStore(folder / model_key(backend) / self.task, self.writer, self.log)
        budget = TokenBudget(folder / USAGE_FILE, self.settings.budget_tokens)
        return answer_questions(questions, backend, store, budget, self.log)

    def describe(self, answers: Sequence[Answer]) -> dict[str, Any]:
        """Return what a manifest says of the model and its answers."""
        return {
            "packages": MODEL_PACKAGES if self.settings.is_local else SERVER_PACKAGES,
            "device": self.backend.device,
            "seed": self.settings.seed,
            "models": {self.settings.model: dict(self.backend.identity)},
            "sampling": asdict(self.backend.parameters),
            "answers": summarize_answers(answers),
        }


def open_job(
    config: Mapping[str, Any],
    role: str,
    name: str,
    model_files: Sequence[str],
    resources: JobResources,
    task: str,
    writer: str,
    log: logging.Logger,
) -> AnswerJob:
    """Open the backend and the store of a job.

    Args:
        config: checked against its schema.
        role: `generators` or `annotators`.
        name: key of the config under that role.
        model_files: snapshot and manifest of the model; empty for a server.
        resources: of the job.
        task: folder of the job's answers below those of the model.
        writer: name of the file that this job appends to; no other job at the same time.
        log: logger of the job.

    Returns:
        The job; no question has been asked yet.

    Raises:
        InputError: if the config's entry is not usable, or the model cannot be loaded.
    """
    catalogue = read_language_models(config["language_models_table"])
    settings = read_chat_models(config, role, catalogue)[name]
    snapshot, manifest, dtype = None, None, ""
    if settings.is_local:
        snapshot, manifest = model_files[0], read_manifest(model_files[1])
        dtype = catalogue[settings.model].dtype
    backend = open_backend(settings, snapshot, manifest, dtype, resources, log)
    return AnswerJob(settings, backend, task, writer, resources.scratch, log)
