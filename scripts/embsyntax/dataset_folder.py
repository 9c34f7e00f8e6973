"""The dataset folder for the hub: which rows and columns each config and split holds, as Parquet.

A config is a table of its own kind (triples, candidates, seeds, ...); its splits have the same
columns. A split without rows gets no file, as loaders refuse an empty one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from embsyntax.jobs import InputError
from embsyntax.provenance import file_sha256
from embsyntax.registry import REGENERATED_PREFIX
from embsyntax.triple_splits import SPLITS, TEST, TRAIN, require_columns

DEFAULT = "default"
CANDIDATES = "candidates"
SEEDS = "seeds"
XGEN = "xgen_test"
PASSAGES = "passage_test"
HUMAN = "human_test"
CONFIGS = (DEFAULT, CANDIDATES, SEEDS, XGEN, PASSAGES, HUMAN)
"""Configs of the published data set, in the order of the card; those of SR pairs follow them."""

ARROW_TYPES = {
    "string": pa.string(),
    "int64": pa.int64(),
    "float64": pa.float64(),
    "bool": pa.bool_(),
}
"""The types of columns, by the names that they have in the card too."""

DATA_FOLDER = "data"
"""Folder of the Parquet files inside the dataset folder."""


@dataclass(frozen=True)
class Column:
    """A column of a config.

    Attributes:
        name: as in the files.
        dtype: a key of `ARROW_TYPES`.
        meaning: for the card.
        is_published: whether the data set that this one follows has it too.
    """

    name: str
    dtype: str
    meaning: str
    is_published: bool = False


TRIPLE_COLUMNS = (
    Column("id", "string", "of the triple", is_published=True),
    Column("type", "string", "trap type", is_published=True),
    Column("anchor", "string", "source sentence", is_published=True),
    Column("paraphrase", "string", "the same meaning in other words", is_published=True),
    Column("trap", "string", "nearly the same words, another meaning", is_published=True),
)
ORIGIN_COLUMNS = (
    Column("seed_id", "string", "row of `seeds` that the triple was made of"),
    Column("source", "string", "data set that the sentence comes from"),
    Column("licence", "string", "licence of the sentence"),
)
MAKER_COLUMNS = (
    Column("generator", "string", "who wrote the triple"),
    Column("judge", "string", "whose entailment filtered it"),
)
FILTERED_COLUMN = Column(
    "is_filtered",
    "bool",
    "true: the judge was measured in this run and seldom takes a trap of this type for a "
    "paraphrase; false: that was not measured or not so, or no entailment model looked at the row",
)
BALANCED_COLUMN = Column(
    "is_balanced",
    "bool",
    "whether the triple belongs to the subset that no baseline without a model solves; empty "
    "where no subset was drawn",
)

COLUMNS: dict[str, tuple[Column, ...]] = {
    DEFAULT: (*TRIPLE_COLUMNS, *ORIGIN_COLUMNS, *MAKER_COLUMNS, FILTERED_COLUMN, BALANCED_COLUMN),
    CANDIDATES: (
        *TRIPLE_COLUMNS,
        Column("generator", "string", "who wrote the candidate", is_published=True),
        Column(
            "nli_para",
            "float64",
            "entailment of the paraphrase, the smaller of both directions (0-1)",
            is_published=True,
        ),
        Column("nli_trap", "float64", "the same for the trap", is_published=True),
        Column(
            "overlap",
            "float64",
            "share of the anchor's words that the trap keeps (0-1)",
            is_published=True,
        ),
        Column("kept", "bool", "whether the filter kept it", is_published=True),
        Column("reason", "string", "why it was kept or rejected", is_published=True),
        *ORIGIN_COLUMNS,
        Column("judge", "string", "whose entailment filtered it"),
        Column("status", "string", "whether the generator wrote anything"),
        Column("nli_para_forward", "float64", "entailment of anchor to paraphrase (0-1)"),
        Column("nli_para_backward", "float64", "entailment of paraphrase to anchor (0-1)"),
        Column("nli_trap_forward", "float64", "entailment of anchor to trap (0-1)"),
        Column("nli_trap_backward", "float64", "entailment of trap to anchor (0-1)"),
        Column("new_words", "int64", "words that the trap adds"),
        Column("edit_reason", "string", "what the edit check found; empty if it passed"),
        Column("detail", "string", "further words on the outcome"),
        Column("n_attempts", "int64", "answers that were written for this seed and type"),
    ),
    SEEDS: (
        Column("seed_id", "string", "of the sentence", is_published=True),
        Column("text", "string", "the sentence", is_published=True),
        Column("source", "string", "data set that it comes from", is_published=True),
        Column("has_number", "bool", "whether it holds a number or a date", is_published=True),
        Column("context", "string", "the passage around it", is_published=True),
        Column("start", "int64", "where it begins in the passage, in characters"),
        Column("end", "int64", "where it ends, exclusive"),
        Column("file", "string", "raw file, as SOURCE/FILE of the code"),
        Column("split", "string", "split of its triples, or `dropped`"),
        Column("licence", "string", "licence of the raw file"),
    ),
    XGEN: (*TRIPLE_COLUMNS, *ORIGIN_COLUMNS, *MAKER_COLUMNS, FILTERED_COLUMN, BALANCED_COLUMN),
    PASSAGES: (
        Column("query", "string", "the paraphrase of a sentence of the passage", is_published=True),
        Column("original", "string", "the passage as it was published", is_published=True),
        Column("twin", "string", "the passage with this sentence flipped", is_published=True),
        Column("id", "string", "of the triple in `default`"),
        Column("type", "string", "trap type"),
        Column("start", "int64", "where the sentence begins in `original`, in characters"),
        Column("end", "int64", "where it ends, exclusive"),
        *ORIGIN_COLUMNS,
    ),
    HUMAN: (
        *TRIPLE_COLUMNS,
        Column("author", "string", "who wrote it", is_published=True),
        Column("yes", "int64", "votes for the triple", is_published=True),
        Column("no", "int64", "votes against it", is_published=True),
        Column("source", "string", "data set of the anchor; empty if it is none of the seeds"),
        Column("licence", "string", "licence of the anchor, likewise"),
    ),
}
"""Columns of each config, in order."""

REGENERATED_COLUMNS = (
    Column("id", "string", "of the pair"),
    Column("corpus", "string", "corpus of the benchmark"),
    Column("dimension", "string", "`structure`, `relation` or `lexical`"),
    Column("perturbation", "string", "what was done to the sentence"),
    Column("rule", "string", "rule that did it; empty for a language model"),
    Column("sentence1", "string", "source sentence"),
    Column("sentence2", "string", "changed sentence"),
    Column("score", "float64", "similarity of the two, from 0 to 5"),
    Column("is_validated", "bool", "whether a person looked at the pair"),
    Column("source", "string", "data set that the sentence comes from"),
    Column("licence", "string", "licence of the sentence"),
)
"""Columns of a config of regenerated SR pairs."""


@dataclass(frozen=True)
class Part:
    """One file of the folder.

    Attributes:
        config: name of the config.
        split: name of the split.
        rows: at least one, with the columns of the config in their order.
    """

    config: str
    split: str
    rows: pd.DataFrame

    @property
    def path(self) -> str:
        """Path inside the dataset folder."""
        return f"{DATA_FOLDER}/{self.config}/{self.split}.parquet"


@dataclass(frozen=True)
class RunTables:
    """What a run of the pipeline left, as frames.

    Attributes:
        triples: of the main generator, with their split.
        seeds: `embsyntax.seeds.SEED_COLUMNS`.
        splits: `embsyntax.triple_splits.SPLIT_COLUMNS`.
        filtered: one frame per generator, one row per generation.
        passages: `embsyntax.passages.PASSAGE_COLUMNS`.
        human: triples that people wrote; may have no row.
        xgen: triples of the second generator; None if there is none.
        balance: `id, set, is_balanced`.
        regenerated: generator -> its validated SR pairs.
        sentences: sentences of the SR corpora: `sentence_id, source, licence`.
    """

    triples: pd.DataFrame
    seeds: pd.DataFrame
    splits: pd.DataFrame
    filtered: Sequence[pd.DataFrame]
    passages: pd.DataFrame
    human: pd.DataFrame
    xgen: pd.DataFrame | None
    balance: pd.DataFrame
    regenerated: Mapping[str, pd.DataFrame]
    sentences: pd.DataFrame


def columns_of(config: str) -> tuple[Column, ...]:
    """Return the columns of a config, in order."""
    return REGENERATED_COLUMNS if config.startswith(REGENERATED_PREFIX) else COLUMNS[config]


def list_configs(generators: Sequence[str]) -> list[str]:
    """Return every config that a run may have, in the order of the card.

    Args:
        generators: of regenerated SR pairs.
    """
    return [*CONFIGS, *(f"{REGENERATED_PREFIX}{generator}" for generator in generators)]


def list_splits(config: str) -> tuple[str, ...]:
    """Return every split that a config may have."""
    if config == DEFAULT:
        return SPLITS
    return (TRAIN,) if config in (CANDIDATES, SEEDS) else (TEST,)


def collect_parts(tables: RunTables) -> list[Part]:
    """Lay the tables of a run out as configs and splits.

    Args:
        tables: of the run.

    Returns:
        The parts that have rows, in the order of the card.

    Raises:
        InputError: a table lacks a column, a row has no known seed, or a split is unknown.
    """
    origins = tables.seeds[["seed_id", "source", "licence"]]
    frames = {
        DEFAULT: _mark_balanced(tables.triples, tables.balance, "split"),
        CANDIDATES: _join_origins(
            pd.concat(tables.filtered, ignore_index=True).rename(columns={"candidate_id": "id"}),
            origins,
            CANDIDATES,
        ),
        SEEDS: _place_seeds(tables.seeds, tables.splits),
        PASSAGES: _join_origins(tables.passages, origins, PASSAGES),
        HUMAN: _find_origins(tables.human, tables.seeds),
    }
    if tables.xgen is not None:
        frames[XGEN] = _mark_balanced(tables.xgen.assign(set=XGEN), tables.balance, "set")
    for generator, pairs in tables.regenerated.items():
        frames[f"{REGENERATED_PREFIX}{generator}"] = _join_sentences(
            pairs.rename(columns={"pair_id": "id"}), tables.sentences, generator
        )
    parts = []
    for config in list_configs(list(tables.regenerated)):
        if config not in frames:
            continue
        frame, splits = frames[config], list_splits(config)
        for split in splits:
            rows = frame
            if len(splits) > 1:
                _require_known_splits(frame, config, splits)
                rows = frame[frame["split"] == split]
            if len(rows):
                parts.append(Part(config, split, _shape(rows, config)))
    return parts


def make_arrow_table(part: Part) -> pa.Table:
    """Turn a part into an Arrow table with the exact types of its config and no other metadata.

    Args:
        part: rows with the columns of its config.

    Returns:
        The table; missing values are nulls.

    Raises:
        InputError: a value does not fit the type of its column.
    """
    schema = pa.schema(
        [(column.name, ARROW_TYPES[column.dtype]) for column in columns_of(part.config)]
    )
    try:
        table = pa.Table.from_pandas(part.rows, schema=schema, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise InputError(
            f"dataset, config {part.config}, split {part.split}: {error}. Make the table that it "
            "comes from again."
        ) from None
    return table.replace_schema_metadata(None)


def write_part(part: Part, path: str | Path) -> tuple[int, int]:
    """Write a part as Parquet.

    Args:
        part: what to write.
        path: the file; its folder is made too.

    Returns:
        Bytes of the rows in memory, and of the file.
    """
    table = make_arrow_table(part)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path, compression="zstd")
    return table.nbytes, Path(path).stat().st_size


def list_checksums(folder: str | Path, paths: Iterable[str]) -> str:
    """Return what `sha256sum` prints for some files of a folder, sorted by path.

    Args:
        folder: the dataset folder.
        paths: of files inside it.
    """
    return "".join(f"{file_sha256(Path(folder) / path)}  {path}\n" for path in sorted(paths))


def _shape(rows: pd.DataFrame, config: str) -> pd.DataFrame:
    names = [column.name for column in columns_of(config)]
    require_columns(rows, names, f"table behind the dataset's config {config}")
    return rows[names].reset_index(drop=True)


def _require_known_splits(frame: pd.DataFrame, config: str, splits: Sequence[str]) -> None:
    strange = frame.loc[~frame["split"].isin(splits), "split"]
    if len(strange):
        raise InputError(
            f"dataset, config {config}: a row has the split {strange.iloc[0]!r}; allowed: "
            f"{', '.join(splits)}. Make the triples again."
        )


def _mark_balanced(triples: pd.DataFrame, balance: pd.DataFrame, column: str) -> pd.DataFrame:
    """Add `is_balanced`: empty where the set of a triple was not balanced."""
    require_columns(balance, ("id", "set", "is_balanced"), "table of balanced triples")
    require_columns(triples, ("id", column), "table of triples")
    marked = triples.drop(columns="is_balanced", errors="ignore").merge(
        balance[["id", "set", "is_balanced"]].rename(columns={"set": column}),
        on=["id", column],
        how="left",
        validate="one_to_one",
    )
    marked["is_balanced"] = marked["is_balanced"].astype("boolean")
    return marked


def _join_origins(rows: pd.DataFrame, origins: pd.DataFrame, config: str) -> pd.DataFrame:
    require_columns(rows, ("seed_id",), f"table behind the dataset's config {config}")
    rows = rows.drop(columns=["source", "licence"], errors="ignore")
    unknown = rows.loc[~rows["seed_id"].isin(origins["seed_id"]), "seed_id"]
    if len(unknown):
        raise InputError(
            f"dataset, config {config}: {len(unknown)} rows have no seed, the first "
            f"{unknown.iloc[0]!r}; every row needs one. Make the tables of this run again."
        )
    return rows.merge(origins, on="seed_id", how="left", validate="many_to_one")


def _place_seeds(seeds: pd.DataFrame, splits: pd.DataFrame) -> pd.DataFrame:
    placed = seeds["seed_id"].map(splits.set_index("seed_id")["split"])
    if placed.isna().any():
        raise InputError(
            f"dataset, config {SEEDS}: seed {seeds.loc[placed.isna(), 'seed_id'].iloc[0]!r} has no "
            "split; make the splits again from these seeds"
        )
    return seeds.assign(split=placed)


def _find_origins(human: pd.DataFrame, seeds: pd.DataFrame) -> pd.DataFrame:
    """Add source and licence of the anchors that are seeds, by their text."""
    if {"source", "licence"} <= set(human.columns):
        return human
    require_columns(human, ("anchor",), "table of triples by people")
    known = seeds.drop_duplicates("text").set_index("text")
    return human.assign(
        source=human["anchor"].map(known["source"]), licence=human["anchor"].map(known["licence"])
    )


def _join_sentences(pairs: pd.DataFrame, sentences: pd.DataFrame, generator: str) -> pd.DataFrame:
    config = f"{REGENERATED_PREFIX}{generator}"
    require_columns(pairs, ("sentence_id",), f"table behind the dataset's config {config}")
    known = sentences.drop_duplicates("sentence_id").set_index("sentence_id")
    files = pairs["sentence_id"].map(known["source"])
    unknown = pairs.loc[files.isna(), "sentence_id"]
    if len(unknown):
        raise InputError(
            f"dataset, config {config}: no sentence {unknown.iloc[0]!r} among those of the "
            "corpora; make the pairs again from these sentences"
        )
    return pairs.assign(
        source=files.str.split("/").str[0], licence=pairs["sentence_id"].map(known["licence"])
    )
