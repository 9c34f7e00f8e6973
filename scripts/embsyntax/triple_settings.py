"""Settings of the splits and of the filter of the triples; standard library only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from embsyntax.jobs import InputError
from embsyntax.registry import Source, select

ROUNDING = 1e-9
"""What a sum of three shares may be off by."""

DECLARED = "declared"
"""The judge that is no entailment model: paraphrase and trap are what the generator says."""


@dataclass(frozen=True)
class SplitSettings:
    """Everything that decides about the side of a sentence; a change moves sentences.

    Attributes:
        train: share of the sentences, 0-1.
        dev: share, 0-1.
        test: share, 0-1; the three add up to 1.
        seed: enters the hash, 0 or more.
        near_duplicate: Jaccard index of the character n-grams from which two sentences are
            near-duplicates, above 0 and at most 1.
    """

    train: float
    dev: float
    test: float
    seed: int
    near_duplicate: float

    def __post_init__(self) -> None:
        """Refuse shares that do not add up to 1 and limits out of range."""
        shares = (self.train, self.dev, self.test)
        if min(shares) < 0 or abs(sum(shares) - 1) > ROUNDING:
            raise InputError(
                f"shares of train, dev and test: {shares}; allowed: numbers from 0 that add up "
                "to 1. Correct the shares of the split in the config."
            )
        if not 0 < self.near_duplicate <= 1:
            raise InputError(
                f"near_duplicate {self.near_duplicate}; allowed: a Jaccard index above 0 and at "
                "most 1. Correct it in the config."
            )


@dataclass(frozen=True)
class FilterLimits:
    """What the filter lets pass (published: 0.7, 0.5, 0.7 and 4).

    Attributes:
        min_paraphrase: least entailment (0-1) of the paraphrase, the smaller of both directions.
        max_trap: the entailment (0-1) of the trap, read in the same way, stays below it.
        min_overlap: least share (0-1) of the anchor's words that the trap keeps.
        max_new_words: most words that the trap adds, 0 or more.
    """

    min_paraphrase: float
    max_trap: float
    min_overlap: float
    max_new_words: int

    def __post_init__(self) -> None:
        """Refuse limits out of range, and those by which a text could be both."""
        for name in ("min_paraphrase", "max_trap", "min_overlap"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(
                    f"config key triples.filter.{name}: {getattr(self, name)}; allowed: 0 to 1. "
                    "Correct it."
                )
        if self.max_new_words < 0:
            raise InputError(
                f"config key triples.filter.max_new_words: {self.max_new_words}; allowed: 0 or "
                "more. Correct it."
            )
        if self.max_trap > self.min_paraphrase:
            raise InputError(
                f"config keys triples.filter.max_trap and min_paraphrase: {self.max_trap} and "
                f"{self.min_paraphrase}; allowed: max_trap at most min_paraphrase, or one score "
                "would make a text both paraphrase and trap. Correct them."
            )


@dataclass(frozen=True)
class FilterRun:
    """How candidates were made and filtered, as far as it decides whether counts compare.

    Attributes:
        generator: its name in this run, as in the statistics.
        generator_model: what wrote them: `rules`, or a language model.
        judge_model: what filtered them: `declared`, or an entailment model.
        limits: of the filter.
        n_candidates: asked for per seed and type.
    """

    generator: str
    generator_model: str
    judge_model: str
    limits: FilterLimits
    n_candidates: int


def read_split_settings(config: Mapping[str, object]) -> SplitSettings:
    """Return the settings under a config key `split`; its keys of files are left out.

    Raises:
        InputError: see `SplitSettings`.
    """
    return SplitSettings(**{key: config[key] for key in SplitSettings.__annotations__})


def read_filter_limits(config: Mapping[str, object]) -> FilterLimits:
    """Return the limits under a config key `filter`; its limit of a judge is left out.

    Raises:
        InputError: see `FilterLimits`.
    """
    return FilterLimits(**{key: config[key] for key in FilterLimits.__annotations__})


def choose_train_only(names: Iterable[str], sources: Iterable[Source]) -> list[Source]:
    """Look up the raw files whose texts may be seeds of `train` alone.

    Args:
        names: config key `triples.split.train_only`, as SOURCE/FILE.
        sources: rows of the catalogue.

    Returns:
        Their rows, in the order of the config.

    Raises:
        InputError: a file is unknown, or declares no columns of sentences.
    """
    known = {source.path: source for source in sources}
    chosen = [
        known[name] for name in select(names, sorted(known), "raw file of triples.split.train_only")
    ]
    for source in chosen:
        if not source.sentence_columns:
            raise InputError(
                f"config key triples.split.train_only: {source.path} declares no sentence_columns "
                "in the corpora table; name its columns there, or choose another file."
            )
    return chosen


def list_earlier_files(earlier: str | None) -> list[str]:
    """Return the file of an earlier split, if the config names one.

    Args:
        earlier: config key `triples.split.earlier`.

    Raises:
        InputError: there is no such file.
    """
    if earlier is None:
        return []
    if not Path(earlier).is_file():
        raise InputError(
            f"config key triples.split.earlier: no file {earlier!r}; allowed: the splits.parquet "
            "of an earlier run, copied out of results/, or null. Correct the path."
        )
    return [earlier]


def list_generators(triples: Mapping[str, object]) -> list[str]:
    """Return the generators of the config key `triples`: the main one, then the second if any."""
    return [name for name in (triples["generator"], triples["second_generator"]) if name]


def list_filter_runs(
    triples: Mapping[str, Mapping[str, object]], generators: Mapping[str, Mapping[str, object]]
) -> list[FilterRun]:
    """Say for each generator of the triples how its candidates are made and filtered.

    Args:
        triples: config key `triples`.
        generators: config key `generators`.

    Raises:
        InputError: the limits of the filter are out of range.
    """
    judge = triples["judges"].get(triples["judge"], {})
    base = f"{judge['base']} trained here" if "base" in judge else triples["judge"]
    return [
        FilterRun(
            generator=name,
            generator_model=generators.get(name, {}).get("model", name),
            judge_model=judge.get("model", base),
            limits=read_filter_limits(triples["filter"]),
            n_candidates=triples["generate"]["n_candidates"],
        )
        for name in list_generators(triples)
    ]
