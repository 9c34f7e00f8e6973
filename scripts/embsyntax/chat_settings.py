"""The config's generators and annotators: who writes and who judges; standard library only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from embsyntax.jobs import InputError
from embsyntax.registry import LanguageModel

ROLES = ("generators", "annotators")
"""Config keys that hold entries by name."""

RULES, TRANSFORMERS, OPENAI = "rules", "transformers", "openai"

CAUSAL_LM = "causal_lm"
"""Kind of the language models that write text, in the catalogue."""

BACKENDS = (RULES, TRANSFORMERS, OPENAI)

PERTURBATIONS = {
    "voice": "structure",
    "inversion": "structure",
    "relation": "relation",
    "lexical": "lexical",
}
"""Perturbations of the paper (section 3 and appendix) that a prompt exists for -> dimension."""

NOT_IN_RESULTS = frozenset(
    {"attempts", "base_url", "budget_tokens", "concurrency", "shards", "timeout_seconds"}
)
"""Settings that change how fast or how far a job gets, but no answer."""


@dataclass(frozen=True)
class ChatModelSettings:
    """One generator or annotator that is a language model.

    Attributes:
        name: its key in the config.
        role: one of `ROLES`.
        backend: `transformers` (files on this machine) or `openai` (a server).
        model: id of the language models' catalogue, or the server's name of the model.
        base_url: address of the server; `""` for `transformers`.
        revision: what is known of the version of a server's model; `""` if nothing.
        temperature: 0 or more.
        top_p: above 0, at most 1.
        max_tokens: longest answer.
        seed: of all draws.
        response_format: how a server is told the form of an answer.
        extra_body: further keys of each request.
        batch_size: questions answered together on this machine.
        concurrency: requests at once.
        attempts: tries per request.
        timeout_seconds: per request.
        budget_tokens: tokens that may be spent in all; None for no limit.
        shards: jobs that share the work of a corpus and perturbation.
        max_sentences: sentences per corpus, drawn by seed; None for all.
    """

    name: str
    role: str
    backend: str
    model: str
    base_url: str
    revision: str
    temperature: float
    top_p: float
    max_tokens: int
    seed: int
    response_format: str
    extra_body: Mapping[str, Any]
    batch_size: int
    concurrency: int
    attempts: int
    timeout_seconds: float
    budget_tokens: int | None
    shards: int
    max_sentences: int | None

    @property
    def is_local(self) -> bool:
        """Whether the model's files are needed on this machine, and a GPU is of use."""
        return self.backend == TRANSFORMERS

    def result_settings(self) -> list[str]:
        """Return all settings that can change a result, as sorted `name=value` strings."""
        values = asdict(self)
        return sorted(f"{name}={values[name]}" for name in set(values) - NOT_IN_RESULTS)


def read_chat_models(
    config: Mapping[str, Any], role: str, catalogue: Mapping[str, LanguageModel]
) -> dict[str, ChatModelSettings]:
    """Read the language models among the generators or annotators of the config.

    An entry says only what differs from the config key `chat`.

    Args:
        config: checked against its schema.
        role: one of `ROLES`.
        catalogue: from `embsyntax.registry.read_language_models`.

    Returns:
        Settings by name, in the order of the config; entries with the backend `rules` are left out.

    Raises:
        InputError: if an entry lacks what its backend needs, or names an unknown model.
    """
    local = sorted(name for name, row in catalogue.items() if row.kind == CAUSAL_LM)
    found = {}
    for name, entry in config[role].items():
        if entry["backend"] == RULES:
            continue
        key = f"config key {role}/{name}"
        if entry["backend"] not in BACKENDS:
            raise InputError(
                f"{key}/backend: got {entry['backend']!r}; allowed: {', '.join(BACKENDS)}."
            )
        needed = ("model", "base_url") if entry["backend"] == OPENAI else ("model",)
        missing = [part for part in needed if not entry.get(part)]
        if missing:
            raise InputError(
                f"{key}: the backend {entry['backend']} needs {' and '.join(missing)}; add it."
            )
        settings = ChatModelSettings(
            **{
                "name": name,
                "role": role,
                "base_url": "",
                "revision": "",
                **config["chat"],
                **entry,
            }
        )
        if settings.is_local and settings.model not in local:
            raise InputError(
                f"{key}/model: got {settings.model!r}; allowed with the backend transformers: "
                f"{', '.join(local)}. Correct it or add a row to the catalogue "
                "of language models."
            )
        found[name] = settings
    return found
