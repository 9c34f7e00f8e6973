"""Settings of scored triples that are checked before any job: your own files, what is balanced.

Standard library only, so that the Snakefile can import it. The file itself is read by
`embsyntax.triple_sets`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from embsyntax.jobs import InputError
from embsyntax.registry import REGENERATED_PREFIX, Model, select

TRIPLES_SUITE = "triples"
"""Suite of the triples of this pipeline."""

PASSAGES_SUITE = "passages"
"""Suite of its passages."""

NOT_BALANCED = ("random_vectors",)
"""Baselines that are at chance on any triples, so that there is nothing to balance."""

OWN_TYPE = "own"
"""Stands for the trap type where a user's file names none."""

TEXT_ROLES = ("anchor", "paraphrase", "trap")
KEYS = ("path", *TEXT_ROLES, "type", "format")
FORMATS = ("csv", "tsv", "parquet", "jsonl")


@dataclass(frozen=True)
class OwnTriples:
    """One entry of the config key `own_triples`.

    Attributes:
        name: name of the suite and of the set in every table.
        path: the file.
        format: one of `FORMATS`.
        anchor: column of the anchors.
        paraphrase: column of the paraphrases.
        trap: column of the traps.
        type: column of the trap types, or `""`: all triples are of the type `OWN_TYPE`.
    """

    name: str
    path: str
    format: str
    anchor: str
    paraphrase: str
    trap: str
    type: str = ""

    @property
    def columns(self) -> list[str]:
        """The columns that the file must have."""
        return [name for name in (self.anchor, self.paraphrase, self.trap, self.type) if name]


def read_own_triples(mapping: Mapping[str, Mapping[str, object]]) -> dict[str, OwnTriples]:
    """Check the config key `own_triples`.

    Args:
        mapping: `{NAME: {path, anchor, paraphrase, trap, type, format}}`; without `type` all are of
            one type, and `format` follows from the suffix of the path if absent.

    Returns:
        The entries by name, sorted.

    Raises:
        InputError: a key is missing or unknown, two roles have one column, the format is unknown,
            or there is no such file.
    """
    return {name: _parse_entry(name, mapping[name]) for name in sorted(mapping)}


def refuse_taken_triple_names(
    names: Collection[str], suites: Collection[str], own_pairs: Collection[str]
) -> None:
    """Refuse names that would put two things into one folder of results.

    Args:
        names: of the config key `own_triples`.
        suites: of the corpora table.
        own_pairs: names of the config key `own_pairs`.

    Raises:
        InputError: naming the first of them.
    """
    reserved = (TRIPLES_SUITE, PASSAGES_SUITE)
    for name in reserved:
        if name in suites or name in own_pairs:
            raise InputError(
                f"{name!r} is the suite of this pipeline's own {name}; no suite of the corpora "
                "table and no entry of own_pairs may be called so. Choose another name."
            )
    taken = {
        **dict.fromkeys(suites, "a suite of the corpora table"),
        **dict.fromkeys(own_pairs, "an entry of own_pairs"),
        **dict.fromkeys(reserved, "a suite of this pipeline"),
    }
    for name in sorted(names):
        if name in taken or name.startswith(REGENERATED_PREFIX):
            owner = taken.get(name, "the regenerated pairs")
            raise InputError(
                f"config key own_triples: the name {name!r} belongs to {owner}; your triples "
                "would be mixed with it. Choose another name."
            )


def choose_balance_baselines(names: Iterable[str], models: Mapping[str, Model]) -> list[str]:
    """Check the config key `triples.balance.baselines`.

    Args:
        names: ids of baselines of the models table.
        models: the catalogue.

    Returns:
        What each of them computes, by the name that stands in its `source`.

    Raises:
        InputError: one is no baseline, or is at chance on any triples.
    """
    known = [
        name
        for name, model in models.items()
        if model.backend == "baseline" and model.location not in NOT_BALANCED
    ]
    chosen = select(names, known, "baseline of triples.balance.baselines")
    return [models[name].location for name in chosen]


def _parse_entry(name: str, entry: Mapping[str, object]) -> OwnTriples:
    where = f"config key own_triples: {name!r}"
    if not isinstance(entry, Mapping):
        raise InputError(f"{where}: got {entry!r}; allowed: keys {', '.join(KEYS)}.")
    unknown = sorted(set(map(str, entry)) - set(KEYS))
    if unknown:
        raise InputError(
            f"{where}: unknown key {unknown[0]!r}; allowed: {', '.join(KEYS)}. "
            "Correct or remove it."
        )
    text = {key: str(value) for key, value in entry.items() if value not in (None, "", "-")}
    for key in ("path", *TEXT_ROLES):
        if key not in text:
            raise InputError(f"{where}: {key!r} is missing; it is required. Add it.")
    file_format = text.pop("format", PurePosixPath(text["path"]).suffix.removeprefix(".").lower())
    if file_format not in FORMATS:
        raise InputError(
            f"{where}: the format of {text['path']!r} is {file_format or 'empty'!r}; allowed: "
            f"{', '.join(FORMATS)}. Name it by the key 'format' or by the file's suffix."
        )
    own = OwnTriples(name=name, format=file_format, **text)
    if len(set(own.columns)) < len(own.columns):
        raise InputError(
            f"{where}: one column stands for two of {', '.join((*TEXT_ROLES, 'type'))} "
            f"({', '.join(own.columns)}); each needs a column of its own. Correct the names."
        )
    if not Path(own.path).is_file():
        raise InputError(
            f"{where}: there is no file {own.path!r}. Correct the path; `~` is not expanded."
        )
    return own
