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
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from embsyntax.jobs import InputError

EMPTY = "-"
UNVERIFIED = "unverified"
IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
PROMPT_POLICIES = ("none", "similarity")
POOLINGS = ("mean", "cls", "lasttoken", "max", "weightedmean", "declared")
DTYPES = ("float32", "bfloat16", "float16")
FORMATS = ("csv", "tsv", "parquet", "jsonl", "stsbenchmark", "sick")
BACKENDS = {
    "hf": "sentence_transformers",
    "folder": "sentence_transformers",
    "endpoint": "endpoint",
    "baseline": "baseline",
}
OWN_PAIRS_DIMENSION = "similarity"
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


@dataclass(frozen=True)
class Model:
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
    def source_kind(self) -> str:
        """Prefix of ``source``: ``hf``, ``folder``, ``endpoint`` or ``baseline``."""
        return self.source.partition(":")[0]

    @property
    def location(self) -> str:
        """``source`` after its prefix: hub id, folder, URL with remote name, or baseline name."""
        return self.source.partition(":")[2]

    @property
    def backend(self) -> str:
        """``sentence_transformers``, ``endpoint`` or ``baseline``."""
        return BACKENDS[self.source_kind]

    @property
    def base_url(self) -> str:
        """Address of an endpoint, without the name of the remote model (``""`` otherwise)."""
        return self.location.rpartition("#")[0] if self.backend == "endpoint" else ""

    @property
    def remote_model(self) -> str:
        """Name that an endpoint knows the model by (``""`` otherwise)."""
        return self.location.rpartition("#")[2] if self.backend == "endpoint" else ""

    @property
    def pools_prompt(self) -> bool:
        """False if the tokens of the prompt are left out of pooling (INSTRUCTOR).

        sentence-transformers knows this from the hub id alone, and a pinned snapshot is a folder:
        whoever loads the folder must say so.
        """
        return not self.location.startswith(INSTRUCTOR_PREFIX)

    @property
    def pypi_requirement(self) -> str:
        """``package==version`` of the PyPI package that carries the model, or ``""``."""
        return self.pypi.partition(":")[0]

    @property
    def pypi_folder(self) -> str:
        """Folder of the model inside that package's wheel, or ``""``."""
        return self.pypi.partition(":")[2]


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
        suite: Name of the set of corpora that are scored together.
        corpus: Name of the corpus in every table.
        format: One of ``FORMATS``.
        sentence1_column: Column of the first text of each pair (ignored by the fixed formats
            ``stsbenchmark`` and ``sick``, where it names the field of the documentation).
        pairs: One entry per dimension.
        score_max: Score of a perfect pair (scores are divided by it), or None if unscored.
        origin: ``https://...``, ``hf:datasets/org/name:path`` or ``folder:path``.
        revision: 40 hexadecimal digits, ``unverified``, or ``""``.
        sha256: Of the raw file, or ``""`` if the row does not pin it.
        bytes: Size of the raw file, or None.
        mirror_path: Path tried inside each mirror folder, or ``""``.
        licence: Licence of the data.
        attribution: Whom to credit.
        training_sets_note: Known use as training data and other remarks.
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
        module_names: Names of files beside this one, without ``.py``.

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
        file = folder / f"{name}.py"
        if not file.is_file():
            known = sorted(entry.stem for entry in folder.glob("*.py") if entry.stem != "__init__")
            raise InputError(f"code_version: no module {name!r}; known: {', '.join(known)}.")
        content = file.read_bytes()
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:12]


def _read_rows(path: str | Path, columns: tuple[str, ...] | None) -> list[_Row]:
    shown = str(path)
    try:
        content = Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{shown}: no such file. Check the path in the config.") from None
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
    source = _parse_model_source(row)
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
    return Model(
        model=name,
        label=row.required("label", "a name for readers"),
        paper_row=row.text("paper_row"),
        source=source,
        revision=row.revision("revision", required=kind == "hf"),
        weights_revision=weights_revision,
        pypi=pypi,
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


def _parse_model_source(row: _Row) -> str:
    allowed = "hf:org/name, folder:PATH, endpoint:BASE_URL#remote-model or baseline:NAME"
    checks: dict[str, Callable[[str], object]] = {
        "hf": lambda rest: re.fullmatch(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", rest),
        "folder": lambda rest: bool(rest.strip()),
        "endpoint": lambda rest: re.fullmatch(r"https?://[^#\s]+#[^#\s]+", rest),
        "baseline": lambda rest: IDENTIFIER.fullmatch(rest),
    }
    source = row.required("source", allowed)
    kind, _, rest = source.partition(":")
    if kind not in checks or not checks[kind](rest):
        raise row.error("source", allowed, "Correct the prefix or what follows it.")
    return source


def _parse_source(row: _Row) -> Source:
    pairs = _parse_pairs(row)
    origin = _parse_origin(row)
    checksum = row.sha256("sha256", required=False)
    if origin.startswith("http://") and not checksum:
        raise row.error(
            "sha256", "64 hexadecimal digits where the origin is http://", "Pin the sha256."
        )
    return Source(
        source=row.identifier("source"),
        file=_parse_file_name(row),
        suite=row.identifier("suite"),
        corpus=row.identifier("corpus"),
        format=row.choice("format", FORMATS, "Convert the file or correct the name."),
        sentence1_column=row.required("sentence1_column", "the column of the first text"),
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
    )


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
