"""The catalogues under ``config/``: their columns, the values allowed in them, how to read them.

Each catalogue is a tab-separated UTF-8 file with one header line and one row per thing. Cells are
taken as they stand (no quoting), ``-`` or an empty cell means "none", and blank lines and lines
that start with ``#`` are skipped. This module is the only one that knows the columns; it uses the
standard library alone, so that the Snakefile and every script can import it.

Every error is an ``InputError`` that names the file, the line, the column, the value, what is
allowed, and what to do next.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from embsyntax.jobs import InputError

EMPTY = "-"
UNVERIFIED = "unverified"
IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
PROMPT_POLICIES = ("none", "similarity")
POOLINGS = ("mean", "cls", "lasttoken", "max", "weightedmean", "declared")
DTYPES = ("float32", "bfloat16", "float16")
FORMATS = ("csv", "tsv", "parquet", "jsonl", "stsbenchmark", "sick", "squad")
BACKENDS = {
    "hf": "sentence_transformers",
    "folder": "sentence_transformers",
    "endpoint": "endpoint",
    "baseline": "baseline",
}
SOURCE_FORMS = {
    "hf": ("hf:org/name", r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*"),
    "folder": ("folder:PATH", r".*\S.*"),
    "endpoint": (
        "endpoint:BASE_URL#remote-model, the address without user, password or '?'",
        r"https?://[^#\s?@]+#[^#\s]+",
    ),
    "baseline": ("baseline:NAME", IDENTIFIER.pattern),
    "wheel": ("wheel:https://.../NAME.whl#path/inside/wheel", r"https://[^#\s]+\.whl#[^#\s]+"),
    "pypi": ("pypi", ""),
}
"""How a model's source is written, and what may follow its prefix."""

MODEL_SOURCES = ("hf", "folder", "endpoint", "baseline")
LANGUAGE_MODEL_SOURCES = ("hf", "wheel", "pypi", "folder")

LANGUAGE_MODEL_KINDS = ("parser", "causal_lm", "cross_encoder")
"""A parser gives trees (spaCy), a causal_lm text and likelihoods, a cross_encoder labels."""

RELEASED_SUITE = "sr_released"
"""Files of the released benchmark: their first sentences stand in where no raw file is reached."""

TRAINING_SUITE = "stsb_train"
"""Pairs that the retraining experiments learn from: no benchmark is made of their sentences."""

OWN_PAIRS_DIMENSION = "similarity"
REGENERATED_PREFIX = "sr_regenerated_"
"""Suites with this prefix hold the pairs of a generator."""

INSTRUCTOR_PREFIX = "hkunlp/instructor-"
"""Hub ids whose prompt is left out of the mean, as sentence-transformers does for these ids."""

MODEL_COLUMNS = (
    "model",
    "label",
    "paper_row",
    "source",
    "revision",
    "weights_revision",
    "pypi",
    "pooling",
    "prompt_policy",
    "similarity_prompt",
    "query_prompt",
    "document_prompt",
    "dtype",
    "max_tokens",
    "embedding_dim",
    "n_parameters",
    "gated",
    "licence",
    "attribution",
    "training_sets",
    "checked",
)
LANGUAGE_MODEL_COLUMNS = (
    "model",
    "label",
    "kind",
    "family",
    "source",
    "revision",
    "sha256",
    "pypi",
    "files",
    "dtype",
    "max_tokens",
    "n_parameters",
    "gated",
    "licence",
    "attribution",
    "checked",
)
MODEL_FILE_COLUMNS = ("model", "file", "sha256", "bytes")
CORPUS_COLUMNS = (
    "source",
    "file",
    "suite",
    "corpus",
    "format",
    "sentence1_column",
    "pairs",
    "score_max",
    "sentence_columns",
    "split",
    "origin",
    "revision",
    "sha256",
    "bytes",
    "mirror_path",
    "licence",
    "attribution",
    "training_sets_note",
)
OWN_PAIRS_KEYS = ("path", "sentence1", "sentence2", "score", "score_max", "format")


class _Located:
    """What the models of both catalogues share: the cells that say where a model comes from."""

    source: str
    pypi: str

    @property
    def source_kind(self) -> str:
        """Prefix of ``source``, e.g. ``hf`` or ``folder``."""
        return self.source.partition(":")[0]

    @property
    def location(self) -> str:
        """``source`` after its prefix: hub id, folder, URL with what follows, or a name."""
        return self.source.partition(":")[2]

    @property
    def pypi_requirement(self) -> str:
        """``package==version`` of the PyPI package that carries the model, or ``""``."""
        return self.pypi.partition(":")[0]

    @property
    def pypi_folder(self) -> str:
        """Folder of the model inside that package's wheel, or ``""``."""
        return self.pypi.partition(":")[2]


@dataclass(frozen=True)
class Model(_Located):
    """One row of ``config/models.tsv``; text cells without a value are ``""``.

    Attributes:
        model: Id, used as wildcard and in every table.
        label: Name shown to readers.
        paper_row: Name of the model in table 4 of the paper, or ``""``.
        source: ``hf:org/name``, ``folder:PATH``, ``endpoint:BASE_URL#remote-model`` or
            ``baseline:NAME``.
        revision: 40 hexadecimal digits, ``unverified``, or ``""`` where there is no hub.
        weights_revision: Other commit of the hub that holds the safetensors file, or ``""``.
        pypi: ``package==version:path/inside/wheel``, or ``""``.
        pooling: One of ``POOLINGS``, or ``""`` for endpoints and baselines.
        prompt_policy: ``none`` (nothing is put before a text) or ``similarity``
            (``similarity_prompt`` is put before both texts of a pair).
        similarity_prompt: Prompt for both texts of a pair, or None.
        query_prompt: Prompt for queries in retrieval, or None.
        document_prompt: Prompt for documents in retrieval, or None.
        dtype: Number format on a GPU (on a CPU it is float32), or ``""``.
        max_tokens: Longest input in tokens, or None.
        embedding_dim: Length of a vector, or None.
        n_parameters: Number of parameters, or None.
        gated: True if the hub asks for an accepted licence and a token.
        licence: Licence of the weights.
        attribution: Whom to credit.
        training_sets: Known training sets.
        checked: What was verified about this row, in words.
    """

    model: str
    label: str
    paper_row: str
    source: str
    revision: str
    weights_revision: str
    pypi: str
    pooling: str
    prompt_policy: str
    similarity_prompt: str | None
    query_prompt: str | None
    document_prompt: str | None
    dtype: str
    max_tokens: int | None
    embedding_dim: int | None
    n_parameters: int | None
    gated: bool
    licence: str
    attribution: str
    training_sets: str
    checked: str

    @property
    def backend(self) -> str:
        """``sentence_transformers``, ``endpoint`` or ``baseline``."""
        return BACKENDS[self.source_kind]

    @property
    def base_url(self) -> str:
        """Address of an endpoint, without the name of the remote model (``""`` otherwise)."""
        return self.location.rpartition("#")[0] if self.source_kind == "endpoint" else ""

    @property
    def remote_model(self) -> str:
        """Name that an endpoint knows the model by (``""`` otherwise)."""
        return self.location.rpartition("#")[2] if self.source_kind == "endpoint" else ""

    @property
    def mirror_name(self) -> str:
        """Path of the model's folder under ``models/`` of a mirror."""
        return self.location

    @property
    def pools_prompt(self) -> bool:
        """False if the tokens of the prompt are left out of pooling (INSTRUCTOR).

        sentence-transformers knows this from the hub id alone, and a pinned snapshot is a folder:
        whoever loads the folder must say so.
        """
        return not self.location.startswith(INSTRUCTOR_PREFIX)


@dataclass(frozen=True)
class LanguageModel(_Located):
    """One row of ``config/language_models.tsv``: a parser, or a model that writes and judges text.

    Text cells without a value are ``""``.

    Attributes:
        model: Id, used as wildcard and in every table.
        label: Name shown to readers.
        kind: One of ``LANGUAGE_MODEL_KINDS``.
        family: What it shares with its relatives, e.g. ``qwen3``: data and training. The second
            generator of the triples is of another one. ``""`` where it does not matter.
        source: ``hf:org/name``, ``wheel:URL#path/inside/wheel``, ``pypi`` (the column ``pypi``
            says it all) or ``folder:PATH``.
        revision: 40 hexadecimal digits, ``unverified``, or ``""`` where there is no hub.
        sha256: Of the wheel that ``source`` names, or ``""``.
        pypi: ``package==version:path/inside/wheel``, or ``""``.
        files: Patterns of the files that are used, e.g. ``*.safetensors``; ``*`` spans no folder.
        dtype: Number format on a GPU, or ``""``.
        max_tokens: Longest input and output together in tokens, or None.
        n_parameters: Number of parameters, or None.
        gated: True if the hub asks for an accepted licence and a token.
        licence: Licence of the weights.
        attribution: Whom to credit.
        checked: What was verified about this row, in words.
    """

    model: str
    label: str
    kind: str
    family: str
    source: str
    revision: str
    sha256: str
    pypi: str
    files: tuple[str, ...]
    dtype: str
    max_tokens: int | None
    n_parameters: int | None
    gated: bool
    licence: str
    attribution: str
    checked: str

    @property
    def mirror_name(self) -> str:
        """Path of the model's folder under ``models/`` of a mirror: hub id, else its own id."""
        return self.location if self.source_kind == "hf" else self.model

    @property
    def weights_revision(self) -> str:
        """Always ``""``: no language model takes its weights from another commit."""
        return ""

    @property
    def wheel_url(self) -> str:
        """Address of the wheel where it was published (``""`` for other sources)."""
        return self.location.rpartition("#")[0] if self.source_kind == "wheel" else ""

    @property
    def wheel_folder(self) -> str:
        """Folder of the model inside that wheel (``""`` for other sources)."""
        return self.location.rpartition("#")[2] if self.source_kind == "wheel" else ""


@dataclass(frozen=True)
class ModelFile:
    """One row of ``config/model_files.tsv``: a file of a model that must have this sha256."""

    model: str
    file: str
    sha256: str
    bytes: int | None


@dataclass(frozen=True)
class PairColumns:
    """Columns of one dimension of a corpus; ``score`` is None if the pairs carry no score."""

    dimension: str
    text: str
    score: str | None


@dataclass(frozen=True)
class Source:
    """One row of ``config/corpora.tsv``; text cells without a value are ``""``.

    Attributes:
        source: Folder of the raw file under ``results/corpora``.
        file: Name of the raw file.
        suite: Name of the set of corpora that are scored together, or ``""`` for a file that
            holds no pairs.
        corpus: Name of the corpus in every table.
        format: One of ``FORMATS``.
        sentence1_column: Column of the first text of each pair (ignored by the fixed formats
            ``stsbenchmark`` and ``sick``, where it names the field of the documentation).
        pairs: One entry per dimension; none for a file that gives sentences only.
        score_max: Score of a perfect pair (scores are divided by it), or None if unscored.
        origin: ``https://...``, ``hf:datasets/org/name:path`` or ``folder:path``.
        revision: 40 hexadecimal digits, ``unverified``, or ``""``.
        sha256: Of the raw file, or ``""`` if the row does not pin it.
        bytes: Size of the raw file, or None.
        mirror_path: Path tried inside each mirror folder, or ``""``.
        licence: Licence of the data.
        attribution: Whom to credit.
        training_sets_note: Known use as training data and other remarks.
        sentence_columns: Columns whose texts are sentences of the corpus; a cell may hold a list.
        split: Name of the part of the corpus, or ``""``.
    """

    source: str
    file: str
    suite: str
    corpus: str
    format: str
    sentence1_column: str
    pairs: tuple[PairColumns, ...]
    score_max: float | None
    origin: str
    revision: str
    sha256: str
    bytes: int | None
    mirror_path: str
    licence: str
    attribution: str
    training_sets_note: str
    sentence_columns: tuple[str, ...] = ()
    split: str = ""

    @property
    def path(self) -> str:
        """``source/file``, the name of the raw file in the config."""
        return f"{self.source}/{self.file}"

    @property
    def origin_kind(self) -> str:
        """``url``, ``hf`` or ``folder``."""
        prefix = self.origin.partition(":")[0]
        return prefix if prefix in {"hf", "folder"} else "url"

    @property
    def origin_location(self) -> str:
        """The whole address of a URL, else ``origin`` after its prefix."""
        return self.origin if self.origin_kind == "url" else self.origin.partition(":")[2]

    @property
    def hub_repository(self) -> str:
        """``org/name`` of a data set of the hub (``""`` for other origins)."""
        if self.origin_kind != "hf":
            return ""
        return self.origin_location.partition(":")[0].removeprefix("datasets/")

    @property
    def hub_path(self) -> str:
        """Path of the file inside that data set (``""`` for other origins)."""
        return self.origin_location.partition(":")[2] if self.origin_kind == "hf" else ""


class _Row:
    """One row with its file and line, so that each cell can be checked and refused by name."""

    def __init__(self, path: str, line: int, cells: dict[str, str]) -> None:
        self.path = path
        self.line = line
        self.cells = cells

    def error(self, column: str, allowed: str, next_step: str) -> InputError:
        value = self.cells.get(column, "")
        shown = repr(value) if value else "empty"
        return InputError(
            f"{self.path}, line {self.line}, column {column!r}: the value is {shown}; "
            f"allowed: {allowed}. {next_step}"
        )

    def text(self, column: str) -> str:
        return self.cells[column]

    def required(self, column: str, meaning: str) -> str:
        if not self.cells[column]:
            raise self.error(column, meaning, f"Fill in {column!r} in this row.")
        return self.cells[column]

    def identifier(self, column: str) -> str:
        if not IDENTIFIER.fullmatch(self.cells[column]):
            raise self.error(
                column,
                "letters, digits, '.', '_' and '-', with a letter or digit first",
                "It becomes part of file names: choose a name of that form.",
            )
        return self.cells[column]

    def choice(self, column: str, allowed: Iterable[str], next_step: str) -> str:
        if self.cells[column] not in allowed:
            raise self.error(column, ", ".join(allowed), next_step)
        return self.cells[column]

    def matching(self, column: str, pattern: str, allowed: str, next_step: str) -> str:
        if not re.fullmatch(pattern, self.cells[column]):
            raise self.error(column, allowed, next_step)
        return self.cells[column]

    def whole_number(self, column: str) -> int | None:
        if not self.cells[column]:
            return None
        number = self.matching(
            column, r"[0-9]+", "a whole number above 0, or -", "Write digits without separators."
        )
        if int(number) < 1:
            raise self.error(column, "a whole number above 0, or -", "Correct the number.")
        return int(number)

    def sha256(self, column: str, *, required: bool) -> str:
        if not self.cells[column] and not required:
            return ""
        return self.matching(
            column,
            r"[0-9a-f]{64}",
            "64 lower-case hexadecimal digits" + ("" if required else ", or -"),
            "Compute it with `sha256sum FILE`.",
        )

    def revision(self, column: str, *, required: bool) -> str:
        if not self.cells[column] and not required:
            return ""
        return self.matching(
            column,
            rf"[0-9a-f]{{40}}|{UNVERIFIED}",
            f"40 lower-case hexadecimal digits of a commit, or {UNVERIFIED!r}"
            + ("" if required else ", or -"),
            f"A branch or tag moves: pin its commit, or write {UNVERIFIED!r} if nobody checked it.",
        )

    def relative_path(self, column: str, *, required: bool) -> str:
        value = self.cells[column]
        if not value and not required:
            return ""
        if not _is_safe_path(value):
            raise self.error(
                column,
                "a relative path with '/' between its parts and without '..'",
                "Write the path relative to its folder.",
            )
        return value

    def prompt(self, column: str) -> str | None:
        if not self.cells[column]:
            return None
        allowed = 'a JSON string such as "query: ", or -'
        step = "Put the prompt in double quotes (JSON), with \\n for a new line."
        try:
            prompt = json.loads(self.cells[column])
        except json.JSONDecodeError:
            raise self.error(column, allowed, step) from None
        if not isinstance(prompt, str) or not prompt:
            raise self.error(column, allowed, step)
        return prompt


def read_table(path: str | Path) -> list[dict[str, str]]:
    """Read any catalogue: header and rows as text, with ``-`` as ``""``.

    Args:
        path: Tab-separated UTF-8 file; a byte order mark and CRLF line ends are accepted.

    Returns:
        One dict per row, keyed by column name, in file order.

    Raises:
        InputError: The file is missing, empty or not UTF-8, a column name is repeated or empty,
            or a row has another number of cells than the header.
    """
    return [row.cells for row in _read_rows(path, columns=None)]


def read_models(path: str | Path) -> dict[str, Model]:
    """Read ``config/models.tsv``.

    Returns:
        The models by id, in file order.

    Raises:
        InputError: A cell is not allowed, an id is repeated, or a column is missing or unknown.
    """
    models: dict[str, Model] = {}
    lines: dict[tuple[str, ...], int] = {}
    for row in _read_rows(path, MODEL_COLUMNS):
        model = _parse_model(row)
        _refuse_repeated(row, "model", (model.model,), lines)
        models[model.model] = model
    return models


def read_language_models(path: str | Path) -> dict[str, LanguageModel]:
    """Read ``config/language_models.tsv``.

    Returns:
        The language models by id, in file order.

    Raises:
        InputError: A cell is not allowed, an id is repeated, or a column is missing or unknown.
    """
    models: dict[str, LanguageModel] = {}
    lines: dict[tuple[str, ...], int] = {}
    for row in _read_rows(path, LANGUAGE_MODEL_COLUMNS):
        model = _parse_language_model(row)
        _refuse_repeated(row, "model", (model.model,), lines)
        models[model.model] = model
    return models


def read_model_files(path: str | Path) -> dict[str, list[ModelFile]]:
    """Read ``config/model_files.tsv``: the files of each model that are pinned by sha256.

    Returns:
        The files by model id; a model that pins no file is absent.

    Raises:
        InputError: A cell is not allowed, or a file of a model is listed twice.
    """
    files: dict[str, list[ModelFile]] = {}
    lines: dict[tuple[str, ...], int] = {}
    for row in _read_rows(path, MODEL_FILE_COLUMNS):
        entry = ModelFile(
            model=row.identifier("model"),
            file=row.relative_path("file", required=True),
            sha256=row.sha256("sha256", required=True),
            bytes=row.whole_number("bytes"),
        )
        _refuse_repeated(row, "file", (entry.model, entry.file), lines)
        files.setdefault(entry.model, []).append(entry)
    return files


def refuse_unknown_models(
    files: Mapping[str, list[ModelFile]], models: Collection[str], path: str | Path
) -> None:
    """Refuse checksums of a model that no catalogue knows: a typo would leave a model unpinned.

    Args:
        files: from `read_model_files`.
        models: ids of all catalogues.
        path: of the checksums, for the message.

    Raises:
        InputError: naming the id and those that are near.
    """
    for model in files:
        if model not in models:
            near = difflib.get_close_matches(model, sorted(models), n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise InputError(
                f"{path}, column model: {model!r} is in no models table; allowed: an id of "
                f"config/models.tsv or config/language_models.tsv.{hint} Correct the row."
            )


def refuse_taken_names(own_pairs: Mapping[str, object], sources: Iterable[Source]) -> None:
    """Refuse a name of the config key ``own_pairs`` that a suite or a source folder has already.

    Raises:
        InputError: naming it.
    """
    taken = {name for source in sources for name in (source.suite, source.source)}
    for name in own_pairs:
        if name in taken or name.startswith(REGENERATED_PREFIX):
            raise InputError(
                f"config key own_pairs: the name {name!r} belongs to a suite or source of the "
                "corpora table; your pairs would be mixed with it. Choose another name."
            )


def refuse_missing_files(sources: Iterable[Source]) -> None:
    """Refuse sources whose ``folder:`` origin does not exist, before any job runs.

    Raises:
        InputError: naming source and path.
    """
    for source in sources:
        if source.origin_kind == "folder" and not Path(source.origin_location).is_file():
            raise InputError(
                f"{source.source} (own_pairs or corpora table): there is no file "
                f"{source.origin_location!r}. Correct the path; `~` is not expanded."
            )


def read_corpora(path: str | Path) -> list[Source]:
    """Read ``config/corpora.tsv``.

    Returns:
        One entry per raw file, in file order.

    Raises:
        InputError: A cell is not allowed, a raw file is listed twice, or two rows give the same
            dimension of the same corpus of a suite.
    """
    sources: list[Source] = []
    file_lines: dict[tuple[str, ...], int] = {}
    pair_lines: dict[tuple[str, ...], int] = {}
    for row in _read_rows(path, CORPUS_COLUMNS):
        source = _parse_source(row)
        _refuse_repeated(row, "file", (source.source, source.file), file_lines)
        for columns in source.pairs:
            key = (source.suite, source.corpus, columns.dimension)
            _refuse_repeated(row, "corpus", key, pair_lines)
        sources.append(source)
    return sources


def own_pairs_sources(mapping: Mapping[str, Mapping[str, object]]) -> list[Source]:
    """Turn the config key ``own_pairs`` into rows like those of ``config/corpora.tsv``.

    Suite, corpus and source folder carry the name of the entry; the dimension is ``similarity``.

    Args:
        mapping: ``{NAME: {path, sentence1, sentence2, score, score_max, format}}``. ``path``,
            ``sentence1`` and ``sentence2`` are required; without ``score`` the pairs are unscored;
            ``score_max`` is required with ``score``; ``format`` follows from the suffix if absent.

    Returns:
        One entry per name, sorted by name.

    Raises:
        InputError: A name, key or value is not allowed.
    """
    return [_parse_own_pairs(name, mapping[name]) for name in sorted(mapping)]


@dataclass(frozen=True)
class SentenceFiles:
    """One entry of the config key ``sentences.corpora``, with its rows of the catalogue.

    Attributes:
        files: Raw files whose texts are the sentences of the corpus.
        without: Raw files whose texts it must not hold.
    """

    files: tuple[Source, ...]
    without: tuple[Source, ...]


def choose_sentence_files(
    corpora: Mapping[str, Mapping[str, Iterable[str]]],
    sources: Iterable[Source],
    benchmark: Iterable[str],
) -> dict[str, SentenceFiles]:
    """Look up the raw files that give each corpus its sentences.

    Args:
        corpora: The config key ``sentences.corpora``: ``{NAME: {files: [SOURCE/FILE, ...],
            without: [SOURCE/FILE, ...]}}``.
        sources: Rows of the catalogue.
        benchmark: Corpora that a benchmark is made of.

    Returns:
        The files by corpus, in the order of the config.

    Raises:
        InputError: A name is no file name, a file is unknown or declares no sentences, or a
            corpus of the benchmark is made of training pairs.
    """
    known = {source.path: source for source in sources}
    chosen = {}
    for corpus, entry in corpora.items():
        if not IDENTIFIER.fullmatch(corpus):
            raise InputError(
                f"config key sentences.corpora: {corpus!r} becomes part of file names; allowed: "
                "letters, digits, '.', '_' and '-', with a letter or digit first. Rename it."
            )
        found = {}
        for key in ("files", "without"):
            names = select(entry[key], sorted(known), f"raw file of sentences.corpora.{corpus}")
            found[key] = tuple(known[name] for name in names)
            for name in names:
                if not known[name].sentence_columns:
                    raise InputError(
                        f"config key sentences.corpora.{corpus}.{key}: {name} declares no "
                        "sentence_columns in the corpora table; name its columns there, or "
                        "choose another file."
                    )
        chosen[corpus] = SentenceFiles(**found)
    for corpus in select(benchmark, list(chosen), "corpus of sr.corpora"):
        taught = [source.path for source in chosen[corpus].files if source.suite == TRAINING_SUITE]
        if taught:
            raise InputError(
                f"config key sr.corpora: {corpus!r} is made of {taught[0]}, which the retraining "
                "experiments learn from; allowed: held-out files. Take the corpus out of "
                "sr.corpora or the file out of sentences.corpora."
            )
    return chosen


def describe_stand_ins(corpora: Mapping[str, SentenceFiles]) -> str:
    """Say which corpora are made of the first sentences of the released benchmark only.

    Args:
        corpora: What ``choose_sentence_files`` returns.

    Returns:
        A note to print under tables, or ``""`` if every corpus has a raw distribution.
    """
    names = sorted(
        name
        for name, chosen in corpora.items()
        if all(source.suite == RELEASED_SUITE for source in chosen.files)
    )
    if not names:
        return ""
    return f"sentence1 of the released files stands in for the raw corpora {', '.join(names)}"


def select(ids: Iterable[str], known: Collection[str], what: str) -> list[str]:
    """Keep the order of the asked ids, drop repetitions, and refuse unknown ones.

    Args:
        ids: What the user asked for.
        known: What the catalogue holds.
        what: Name of the thing in the message, e.g. ``"model"``.

    Returns:
        The ids, each once.

    Raises:
        InputError: An id is unknown; the message lists near matches and all known ids, sorted.
    """
    if isinstance(ids, str):
        raise InputError(f"{what}: got the text {ids!r}; allowed: a list. Write [{ids}].")
    chosen = list(dict.fromkeys(str(entry) for entry in ids))
    unknown = [entry for entry in chosen if entry not in known]
    if unknown:
        near = sorted({match for entry in unknown for match in _near_matches(entry, known)})
        hint = f" Did you mean {', '.join(near)}?" if near else ""
        raise InputError(
            f"unknown {what}: {', '.join(map(repr, unknown))}; "
            f"known: {', '.join(sorted(known)) or 'none'}.{hint} "
            f"Correct the name or add a row for it to the catalogue under config/."
        )
    return chosen


def code_version(*module_names: str) -> str:
    """Hash of modules of this library, for a rule's ``params``: an edit reruns exactly the users.

    Args:
        module_names: Names of files beside this one, without ``.py``, or of packages beside it,
            which count with all their modules.

    Returns:
        12 hexadecimal digits; the order of the names does not matter.

    Raises:
        InputError: No name was given, or there is no such module.
    """
    folder = Path(__file__).parent
    if not module_names:
        raise InputError("code_version() needs at least one module name, e.g. 'scores'")
    digest = hashlib.sha256()
    for name in sorted(set(module_names)):
        files = sorted((folder / name).glob("*.py")) or [folder / f"{name}.py"]
        if not files[0].is_file():
            known = {entry.stem for entry in folder.glob("*.py")} - {"__init__"}
            known |= {entry.parent.name for entry in folder.glob("*/__init__.py")}
            raise InputError(
                f"code_version: no module {name!r}; known: {', '.join(sorted(known))}."
            )
        for file in files:
            content = file.read_bytes()
            digest.update(f"{file.relative_to(folder).with_suffix('')} {len(content)}\n".encode())
            digest.update(content)
    return digest.hexdigest()[:12]


def _read_rows(path: str | Path, columns: tuple[str, ...] | None) -> list[_Row]:
    shown = str(path)
    try:
        content = Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{shown}: no such file. Check the path in the config.") from None
    except OSError as error:
        raise InputError(
            f"{shown}: cannot be read ({error.strerror}); a catalogue is a tab-separated file. "
            "Check the path in the config."
        ) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(
            f"{shown}, line {line}: byte {error.object[error.start]:#04x} is not UTF-8; "
            "allowed: UTF-8 text. Save the file as UTF-8."
        ) from None
    lines = [
        (number, line.removesuffix("\r"))
        for number, line in enumerate(content.split("\n"), start=1)
        if line.strip() and not line.startswith("#")
    ]
    if not lines:
        raise InputError(f"{shown}: the file is empty; it needs a header line. Restore it.")
    header_line, header_text = lines[0]
    header = header_text.split("\t")
    _check_header(shown, header_line, header, columns)
    rows = []
    for number, line in lines[1:]:
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != len(header):
            raise InputError(
                f"{shown}, line {number}: {len(cells)} cells; allowed: {len(header)}, as in the "
                f"header. Separate cells by one tab and write {EMPTY!r} for an empty one."
            )
        values = ["" if cell == EMPTY else cell for cell in cells]
        rows.append(_Row(shown, number, dict(zip(header, values, strict=True))))
    return rows


def _check_header(
    shown: str, line: int, header: list[str], columns: tuple[str, ...] | None
) -> None:
    repeated = sorted({name for name in header if header.count(name) > 1})
    if repeated or "" in header:
        raise InputError(
            f"{shown}, line {line}: the header has "
            + (f"the column {repeated[0]!r} twice" if repeated else "a column without a name")
            + "; allowed: each name once. Correct the header."
        )
    if columns is None:
        return
    missing = [name for name in columns if name not in header]
    unknown = [name for name in header if name not in columns]
    if missing or unknown:
        problems = [f"column {name!r} is missing" for name in missing]
        problems += [f"column {name!r} is unknown" for name in unknown]
        raise InputError(
            f"{shown}, line {line}: {'; '.join(problems)}; allowed: {', '.join(columns)}. "
            "Correct the header; are the columns separated by tabs?"
        )


def _refuse_repeated(
    row: _Row, column: str, key: tuple[str, ...], lines: dict[tuple[str, ...], int]
) -> None:
    if key in lines:
        what = " / ".join(key)
        raise row.error(
            column,
            "each entry once",
            f"{what!r} already stands in line {lines[key]}: remove or rename one of them.",
        )
    lines[key] = row.line


def _parse_model(row: _Row) -> Model:
    name = row.identifier("model")
    source = _parse_located_source(row, MODEL_SOURCES)
    kind = source.partition(":")[0]
    is_local = BACKENDS[kind] == "sentence_transformers"
    policy = row.choice(
        "prompt_policy",
        PROMPT_POLICIES,
        "A prompt changes every score, so the policy must be declared: 'none' if nothing is put "
        "before a text, 'similarity' if similarity_prompt is.",
    )
    prompt = row.prompt("similarity_prompt")
    if (policy == "similarity") != (prompt is not None):
        raise row.error(
            "similarity_prompt",
            'a JSON string with policy "similarity", - with policy "none"',
            f"prompt_policy is {policy!r} in this row: make the two agree.",
        )
    if is_local:
        pooling = row.choice("pooling", POOLINGS, "See the model's card or 1_Pooling/config.json.")
        dtype = row.choice("dtype", DTYPES, "Use float32 if the card names none.")
    else:
        step = f"A model with source {kind!r} has none: write {EMPTY!r}."
        pooling = row.matching("pooling", "", EMPTY, step)
        dtype = row.matching("dtype", "", EMPTY, step)
    weights_revision = row.text("weights_revision")
    if weights_revision:
        row.revision("weights_revision", required=False)
    return Model(
        model=name,
        label=row.required("label", "a name for readers"),
        paper_row=row.text("paper_row"),
        source=source,
        revision=row.revision("revision", required=kind == "hf"),
        weights_revision=weights_revision,
        pypi=_parse_pypi(row),
        pooling=pooling,
        prompt_policy=policy,
        similarity_prompt=prompt,
        query_prompt=row.prompt("query_prompt"),
        document_prompt=row.prompt("document_prompt"),
        dtype=dtype,
        max_tokens=row.whole_number("max_tokens"),
        embedding_dim=row.whole_number("embedding_dim"),
        n_parameters=row.whole_number("n_parameters"),
        gated=row.choice("gated", ("yes", "no"), "Does the hub ask for an accepted licence?")
        == "yes",
        licence=row.required("licence", "the licence of the weights, or 'not specified'"),
        attribution=row.text("attribution"),
        training_sets=row.text("training_sets"),
        checked=row.required("checked", "what was verified, in words, or 'nothing'"),
    )


def _parse_language_model(row: _Row) -> LanguageModel:
    step = "A parser gives trees, a causal_lm text, a cross_encoder labels of pairs."
    kind = row.choice("kind", LANGUAGE_MODEL_KINDS, step)
    source = _parse_located_source(row, LANGUAGE_MODEL_SOURCES)
    source_kind = source.partition(":")[0]
    pypi = _parse_pypi(row)
    if source_kind == "pypi" and not pypi:
        raise row.error("pypi", "package==version:path/inside/wheel", "The source says pypi.")
    if source_kind != "wheel":
        step = f"It is that of a wheel, and the source is {source_kind!r}: write {EMPTY!r}."
        row.matching("sha256", "", EMPTY, step)
    if kind == "parser":
        row.matching("dtype", "", EMPTY, f"A parser runs as it is: write {EMPTY!r}.")
    else:
        row.choice("dtype", DTYPES, "Use float32 if the card names none.")
    return LanguageModel(
        model=row.identifier("model"),
        label=row.required("label", "a name for readers"),
        kind=kind,
        family=row.identifier("family") if kind == "causal_lm" else row.text("family"),
        source=source,
        revision=row.revision("revision", required=source_kind == "hf"),
        sha256=row.sha256("sha256", required=source_kind == "wheel"),
        pypi=pypi,
        files=_parse_patterns(row),
        dtype=row.text("dtype"),
        max_tokens=row.whole_number("max_tokens"),
        n_parameters=row.whole_number("n_parameters"),
        gated=row.choice("gated", ("yes", "no"), "Does the hub ask for an accepted licence?")
        == "yes",
        licence=row.required("licence", "the licence of the weights, or 'not specified'"),
        attribution=row.text("attribution"),
        checked=row.required("checked", "what was verified, in words, or 'nothing'"),
    )


def _parse_patterns(row: _Row) -> tuple[str, ...]:
    allowed = "patterns of file names such as *.safetensors, several with commas"
    patterns = tuple(part.strip() for part in row.required("files", allowed).split(","))
    if not all(map(_is_safe_path, patterns)) or len(set(patterns)) != len(patterns):
        raise row.error("files", f"{allowed}, each once and without '..'", "Correct the patterns.")
    return patterns


def _parse_pypi(row: _Row) -> str:
    pypi = row.text("pypi")
    if pypi:
        row.matching(
            "pypi",
            r"[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9.!+]+:[^:\s]+",
            "package==version:path/inside/wheel, or -",
            "Pin the exact version and name the folder of the model in the wheel.",
        )
        if not _is_safe_path(pypi.partition(":")[2]):
            raise row.error("pypi", "a relative path without '..'", "Correct the path.")
    return pypi


def _parse_located_source(row: _Row, kinds: tuple[str, ...]) -> str:
    forms = [SOURCE_FORMS[kind][0] for kind in kinds]
    allowed = f"{', '.join(forms[:-1])} or {forms[-1]}"
    source = row.required("source", allowed)
    kind, _, rest = source.partition(":")
    if kind not in kinds or not re.fullmatch(SOURCE_FORMS[kind][1], rest):
        raise row.error("source", allowed, "Correct the prefix or what follows it.")
    return source


def _parse_source(row: _Row) -> Source:
    sentence_columns = _parse_sentence_columns(row)
    pairs: tuple[PairColumns, ...] = ()
    if row.text("pairs") or not sentence_columns:
        pairs = _parse_pairs(row)
        row.identifier("suite")
        row.required("sentence1_column", "the column of the first text")
    else:
        step = "A file without pairs has none of this: write -, or fill in 'pairs'."
        for column in ("suite", "sentence1_column", "score_max"):
            row.matching(column, "", EMPTY, step)
    origin = _parse_origin(row)
    checksum = row.sha256("sha256", required=False)
    if origin.startswith("http://") and not checksum:
        raise row.error(
            "sha256", "64 hexadecimal digits where the origin is http://", "Pin the sha256."
        )
    return Source(
        source=row.identifier("source"),
        file=_parse_file_name(row),
        suite=row.text("suite"),
        corpus=row.identifier("corpus"),
        format=row.choice("format", FORMATS, "Convert the file or correct the name."),
        sentence1_column=row.text("sentence1_column"),
        pairs=pairs,
        score_max=_parse_score_max(row, is_scored=any(entry.score for entry in pairs)),
        origin=origin,
        revision=row.revision("revision", required=origin.startswith("hf:")),
        sha256=checksum,
        bytes=row.whole_number("bytes"),
        mirror_path=row.relative_path("mirror_path", required=False),
        licence=row.required("licence", "the licence of the data, or 'not specified'"),
        attribution=row.text("attribution"),
        training_sets_note=row.text("training_sets_note"),
        sentence_columns=sentence_columns,
        split=row.identifier("split") if row.text("split") else "",
    )


def _parse_sentence_columns(row: _Row) -> tuple[str, ...]:
    if not row.text("sentence_columns"):
        return ()
    columns = tuple(part.strip() for part in row.text("sentence_columns").split(","))
    if not all(columns) or len(set(columns)) != len(columns):
        raise row.error(
            "sentence_columns",
            "names of columns of the raw file, several with commas, each once, or -",
            "Name the columns as they stand in the raw file.",
        )
    return columns


def _parse_file_name(row: _Row) -> str:
    name = row.relative_path("file", required=True)
    if "/" in name:
        raise row.error("file", "a file name without a folder", "Keep the name only.")
    return name


def _parse_pairs(row: _Row) -> tuple[PairColumns, ...]:
    allowed = "dimension:text_column:score_column, several with commas; score_column - = unscored"
    step = "Name the columns as they stand in the raw file."
    entries = []
    for part in row.required("pairs", allowed).split(","):
        fields = [field.strip() for field in part.split(":")]
        if len(fields) != 3 or not all(fields) or not IDENTIFIER.fullmatch(fields[0]):
            raise row.error("pairs", allowed, step)
        dimension, text, score = fields
        entries.append(PairColumns(dimension, text, None if score == EMPTY else score))
    if len({entry.dimension for entry in entries}) != len(entries):
        raise row.error("pairs", "each dimension once", step)
    return tuple(entries)


def _parse_score_max(row: _Row, *, is_scored: bool) -> float | None:
    value = row.text("score_max")
    if not value and not is_scored:
        return None
    row.matching(
        "score_max",
        r"[0-9]+(\.[0-9]+)?",
        "a number above 0" + ("" if is_scored else ", or -"),
        "It is the score of a perfect pair, e.g. 5; scores are divided by it.",
    )
    if float(value) <= 0:
        raise row.error("score_max", "a number above 0", "Correct the number.")
    return float(value)


def _parse_origin(row: _Row) -> str:
    allowed = "https://..., hf:datasets/org/name:path or folder:path"
    origin = row.required("origin", allowed)
    patterns = (
        r"https?://[^\s/]+/\S+",
        r"hf:datasets/[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*:[^:\s]+",
        r"folder:.*\S.*",
    )
    if not any(re.fullmatch(pattern, origin) for pattern in patterns):
        raise row.error("origin", allowed, "Correct the address.")
    if origin.startswith("hf:") and not _is_safe_path(origin.rpartition(":")[2]):
        raise row.error("origin", allowed, "The path in the data set must not hold '..'.")
    return origin


def _parse_own_pairs(name: str, entry: Mapping[str, object]) -> Source:
    where = f"config key own_pairs: {name!r}"
    if not IDENTIFIER.fullmatch(name):
        raise InputError(
            f"{where}: the name becomes part of file names; allowed: letters, digits, '.', '_' "
            "and '-', with a letter or digit first. Rename it."
        )
    if not isinstance(entry, Mapping):
        raise InputError(f"{where}: got {entry!r}; allowed: keys {', '.join(OWN_PAIRS_KEYS)}.")
    unknown = [key for key in entry if key not in OWN_PAIRS_KEYS]
    if unknown:
        raise InputError(
            f"{where}: unknown key {unknown[0]!r}; allowed: {', '.join(OWN_PAIRS_KEYS)}. "
            "Correct or remove it."
        )
    text = {
        key: str(entry[key])
        for key in OWN_PAIRS_KEYS
        if entry.get(key) is not None and str(entry[key]) not in ("", EMPTY)
    }
    for key in ("path", "sentence1", "sentence2"):
        if key not in text:
            raise InputError(f"{where}: {key!r} is missing; it is required. Add it.")
    file = PurePosixPath(text["path"]).name
    file_format = text.get("format", PurePosixPath(file).suffix.removeprefix(".").lower())
    cells = {
        "score_max": text.get("score_max", ""),
        "format": file_format,
        "file": file,
    }
    row = _Row(where, 1, cells)
    if file_format not in FORMATS:
        raise InputError(
            f"{where}: the format of {text['path']!r} is {file_format or 'empty'!r}; allowed: "
            f"{', '.join(FORMATS)}. Name it by the key 'format' or by the file's suffix."
        )
    if not _is_safe_path(file):
        raise InputError(f"{where}: path {text['path']!r} does not end in a file name. Correct it.")
    score = text.get("score")
    try:
        score_max = _parse_score_max(row, is_scored=score is not None)
    except InputError:
        raise InputError(
            f"{where}: score_max is {text.get('score_max', 'missing')!r}; allowed: a number above "
            "0, the score of a perfect pair (e.g. 5 or 1). Add or correct it."
        ) from None
    return Source(
        source=name,
        file=file,
        suite=name,
        corpus=name,
        format=file_format,
        sentence1_column=text["sentence1"],
        pairs=(PairColumns(OWN_PAIRS_DIMENSION, text["sentence2"], score),),
        score_max=score_max,
        origin=f"folder:{text['path']}",
        revision="",
        sha256="",
        bytes=None,
        mirror_path="",
        licence="the user's own data",
        attribution="",
        training_sets_note="",
    )


def _is_safe_path(value: str) -> bool:
    parts = value.split("/")
    return not re.search(r"[\\\x00-\x1f]", value) and all(
        part not in ("", ".", "..") for part in parts
    )


def _near_matches(entry: str, known: Collection[str]) -> list[str]:
    folded = {name.lower(): name for name in known}
    found = difflib.get_close_matches(entry.lower(), folded, n=3, cutoff=0.6)
    return [folded[match] for match in found]
