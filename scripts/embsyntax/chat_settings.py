"""The config's generators and annotators: who writes and who judges; standard library only."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
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
    {"attempts", "base_url", "budget_tokens", "concurrency", "family", "shards", "timeout_seconds"}
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
        family: what the model shares with its relatives, such as `qwen3`; `""` if it is not said.
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
    family: str
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
        if entry["backend"] == TRANSFORMERS and entry["model"] not in local:
            raise InputError(
                f"{key}/model: got {entry['model']!r}; allowed with the backend transformers: "
                f"{', '.join(local)}. Correct it or add a row to the catalogue "
                "of language models."
            )
        family = ""
        if entry["backend"] == TRANSFORMERS:
            family = catalogue[entry["model"]].family
            if entry.get("family", family) != family:
                raise InputError(
                    f"{key}/family: got {entry['family']!r}, and the catalogue of language models "
                    f"says {family!r} of {entry['model']}; leave the key out."
                )
        settings = ChatModelSettings(
            **{
                "name": name,
                "role": role,
                "base_url": "",
                "revision": "",
                "family": family,
                **config["chat"],
                **entry,
            }
        )
        found[name] = settings
    return found


def check_sr_settings(config: Mapping[str, Any], corpora: Collection[str]) -> None:
    """Refuse names and files of the regenerated track that would be passed over in silence.

    Args:
        config: checked against its schema; keys `sr`, `generators`, `annotators`, `validation`,
            `tree_kernel`, `rule_review`.
        corpora: corpora of the regenerated benchmark.

    Raises:
        InputError: naming the key, what came, and what is allowed.
    """
    for name, entry in config["generators"].items():
        if name == RULES or entry["backend"] == RULES:
            raise InputError(
                f"config key generators/{name}: the name and the backend {RULES!r} belong to the "
                f"built-in generator; allowed: another name with backend {TRANSFORMERS} or {OPENAI}"
            )
    generators = [RULES, *config["generators"]]
    annotators = list(config["annotators"])
    score_by = config["sr"]["score_by"]
    _refuse_unknown("sr/score_by", score_by, generators)
    for generator, annotator in score_by.items():
        allowed = [RULES, *annotators] if generator == RULES else annotators
        _refuse_unknown(f"sr/score_by/{generator}", [annotator], allowed)
    for generator in config["sr"]["generators"]:
        if generator != RULES and generator not in score_by:
            raise InputError(
                f"config key sr/score_by: the generator {generator!r} has no entry; its pairs have "
                f"no score of the rules. Name one of the annotators ({', '.join(annotators)})"
            )
    sheets = config["validation"]["sheets"]
    _refuse_unknown("validation/sheets", sheets, config["sr"]["generators"])
    bracketed = config["tree_kernel"]["bracketed"]
    _refuse_unknown("tree_kernel/bracketed", bracketed, corpora)
    passes = config["rule_review"]["passes"]
    if len(passes) not in (0, 2):
        raise InputError(
            f"config key rule_review/passes: {len(passes)} file; allowed: none, or one of each pass"
        )
    for key, paths in (
        ("validation/sheets", [path for files in sheets.values() for path in files]),
        ("tree_kernel/bracketed", bracketed.values()),
        ("rule_review/passes", passes),
    ):
        for path in paths:
            if not Path(path).is_file():
                raise InputError(f"config key {key}: there is no file {path!r}; correct the path")


def check_triple_settings(
    config: Mapping[str, Any], models: Mapping[str, ChatModelSettings]
) -> None:
    """Refuse generators of the triples that are unknown, alike, or cannot do what they are asked.

    Args:
        config: checked against its schema; key `triples`.
        models: the generators that are language models, from `read_chat_models`.

    Raises:
        InputError: naming the key, what came, and what is allowed.
    """
    triples = config["triples"]
    keys = ("generator", "second_generator")
    names = {key: triples[key] for key in keys if triples[key] is not None}
    n_candidates = triples["generate"]["n_candidates"]
    families = {}
    for key, name in names.items():
        _refuse_unknown(f"triples/{key}", [name], [RULES, *models])
        if name == RULES:
            families[key] = RULES
            continue
        families[key] = models[name].family
        if n_candidates > 1 and models[name].temperature == 0:
            raise InputError(
                f"config key triples/{key}: {name!r} has the temperature 0 and would give the same "
                f"answer {n_candidates} times; allowed: a temperature above 0, or "
                "triples/generate/n_candidates 1."
            )
    if len(names) < len(keys):
        return
    for key, name in names.items():
        if not families[key]:
            raise InputError(
                f"config key generators/{name}: no family, and triples/{key} names it; generator "
                "and second generator have to be of two families. Add the key family, such as "
                "qwen3 or gpt-4o."
            )
    if len({*families.values()}) == 1:
        both = " and ".join(map(repr, names.values()))
        raise InputError(
            f"config keys triples/generator and triples/second_generator: {both} are both of the "
            f"family {families[keys[0]]!r}; allowed: two families, or null as the second one. Name "
            "another generator."
        )


def _refuse_unknown(key: str, names: Iterable[str], allowed: Collection[str]) -> None:
    for name in names:
        if name not in allowed:
            raise InputError(
                f"config key {key}: unknown {name!r}; allowed: {', '.join(sorted(allowed))}"
            )
