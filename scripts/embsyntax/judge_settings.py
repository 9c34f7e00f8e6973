"""The config's entailment judges: what each is, and what it learns from; standard library only."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from embsyntax.jobs import InputError
from embsyntax.registry import LanguageModel, Model, Source, select
from embsyntax.triple_settings import DECLARED

CROSS_ENCODER = "cross_encoder"
"""Kind of the judges in the catalogue of language models."""

ENCODER_BACKEND = "sentence_transformers"
"""Backend of the models that a judge can be trained from."""

RULES = "rules"


@dataclass(frozen=True)
class JudgeSettings:
    """One entry of the config key `triples.judges`.

    Attributes:
        name: its key.
        model: row of the catalogue of language models; `""` for a judge that is trained here.
        base: row of the catalogue of models that it is trained from; `""` for one that is not.
        train: the entry's settings of the training; empty for one that is not trained.
        files: raw files of labelled pairs that it learns from.
        dev_file: raw file of labelled pairs that chooses the epoch, or None.
    """

    name: str
    model: str
    base: str
    train: Mapping[str, Any]
    files: tuple[Source, ...]
    dev_file: Source | None


def read_judges(
    triples: Mapping[str, Any],
    models: Mapping[str, Model],
    language_models: Mapping[str, LanguageModel],
    sources: Iterable[Source],
    corpora: Collection[str],
) -> dict[str, JudgeSettings]:
    """Read the judges of the config and refuse what could not work or would mislead.

    Args:
        triples: config key `triples`, checked against its schema.
        models: catalogue of embedding models.
        language_models: catalogue of language models.
        sources: rows of the catalogue of raw files.
        corpora: keys of `sentences.corpora`.

    Returns:
        The judges that the run uses, by name, in the order of the config.

    Raises:
        InputError: naming the key, what came and what is allowed.
    """
    known = {source.path: source for source in sources}
    test_file = triples["judging"]["test_file"]
    if test_file is not None:
        select([test_file], sorted(known), "raw file of triples.judging.test_file")
    used = {triples["judge"], *triples["measured_judges"]}
    judges = {}
    for name, entry in triples["judges"].items():
        if name not in used and name != DECLARED:
            continue
        key = f"config key triples.judges.{name}"
        if name == DECLARED:
            raise InputError(f"{key}: the name is taken by `judge: {DECLARED}`; choose another.")
        if ("model" in entry) == ("base" in entry) or ("base" in entry) != ("train" in entry):
            raise InputError(
                f"{key}: it has {', '.join(sorted(entry)) or 'no keys'}; allowed: {{model: ...}}, "
                "or {base: ..., train: {...}}."
            )
        judges[name] = (
            _read_given(name, key, entry, language_models)
            if "model" in entry
            else _read_trained(name, key, entry, models, known, corpora, test_file)
        )
    _check_choice(triples, judges)
    return judges


def _read_given(
    name: str, key: str, entry: Mapping[str, Any], language_models: Mapping[str, LanguageModel]
) -> JudgeSettings:
    rows = sorted(m for m, row in language_models.items() if row.kind == CROSS_ENCODER)
    select([entry["model"]], rows, f"{CROSS_ENCODER} of {key}.model")
    return JudgeSettings(name, entry["model"], "", {}, (), None)


def _read_trained(
    name: str,
    key: str,
    entry: Mapping[str, Any],
    models: Mapping[str, Model],
    known: Mapping[str, Source],
    corpora: Collection[str],
    test_file: str | None,
) -> JudgeSettings:
    train = entry["train"]
    rows = sorted(m for m, row in models.items() if row.backend == ENCODER_BACKEND)
    select([entry["base"]], rows, f"model of {key}.base")
    files = select(train["files"], sorted(known), f"raw file of {key}.train.files")
    select([train["dev_file"]], sorted(known), f"raw file of {key}.train.dev_file")
    select(train["rule_corpora"], sorted(corpora), f"corpus of {key}.train.rule_corpora")
    for held_out in (train["dev_file"], test_file):
        if held_out in files:
            raise InputError(
                f"{key}.train.files: {held_out} is held out (dev_file or triples.judging.test_file)"
                "; a judge that learned it would measure itself. Take it out of one of them."
            )
    if train["dev_file"] == test_file:
        raise InputError(
            f"{key}.train.dev_file: {test_file} is triples.judging.test_file as well; the epoch "
            "must be chosen on other pairs than those of the test. Name another file."
        )
    chosen = tuple(known[path] for path in files)
    return JudgeSettings(name, "", entry["base"], train, chosen, known[train["dev_file"]])


def _check_choice(triples: Mapping[str, Any], judges: Collection[str]) -> None:
    select([triples["judge"]], [DECLARED, *judges], "judge of triples.judge")
    select(triples["measured_judges"], judges, "judge of triples.measured_judges")
    if triples["judge"] == DECLARED and triples["generator"] != RULES:
        raise InputError(
            f"config key triples.judge: {DECLARED!r} believes the generator, and what "
            f"{triples['generator']!r} writes must be judged; allowed with it: "
            f"{', '.join(judges) or 'none'}. Name a judge, or take the generator {RULES}."
        )
