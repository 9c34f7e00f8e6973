"""Dependency parses by spaCy, batched, and kept by content: a parser sees a text once.

The cache lies outside the declared outputs of a rule (Snakemake deletes those before a job
restarts). It is a folder of shards. Each holds the parses of one batch of texts, is written once
under a temporary name, and is renamed into place when complete: a kill loses at most one batch. The
name carries the checksum of the content, so that a shard damaged later is noticed and dropped.
Parses that are there are joined as arrays, without loading the parser or building documents.
"""

from __future__ import annotations

import embsyntax.light_spacy  # noqa: F401  # isort: skip

import hashlib
import json
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import spacy
import srsly
from spacy.language import Language
from spacy.strings import hash_string
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from embsyntax.jobs import InputError, progress, write_atomic
from embsyntax.provenance import digest

NEEDED_COMPONENTS = ("tagger", "parser", "lemmatizer", "ner")
"""What the perturbation rules read: tags, dependencies, lemmas, entities."""

SHARD_NAME = re.compile(r"shard-(?P<number>\d{6})-(?P<checksum>[0-9a-f]{32})\.msgpack")


@dataclass(frozen=True)
class Parser:
    """A downloaded spaCy pipeline.

    Attributes:
        folder: its files.
        components: names of its parts, in order.
        key: 16 hexadecimal digits of all that a parse depends on but the text: name and version,
            the sha256 of its files, the version of spaCy.
    """

    folder: Path
    components: tuple[str, ...]
    key: str

    def load(self) -> Language:
        """Load the pipeline (about a second)."""
        return spacy.load(self.folder)

    def load_vocab(self) -> Vocab:
        """Load what documents need to be read back: the vocabulary without any weights."""
        return spacy.load(self.folder, exclude=list(self.components)).vocab


def open_parser(folder: Path, files: Mapping[str, Mapping[str, Any]]) -> Parser:
    """Look at a downloaded pipeline without loading it.

    Args:
        folder: the snapshot.
        files: `files` of its manifest: name -> `sha256`, ...

    Returns:
        The parser.

    Raises:
        InputError: a component that the rules need is missing.
    """
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    missing = [name for name in NEEDED_COMPONENTS if name not in meta["pipeline"]]
    if missing:
        raise InputError(
            f"parser {meta['name']} {meta['version']}: it lacks {', '.join(missing)}; needed: "
            f"{', '.join(NEEDED_COMPONENTS)}. Name another parser in the config key parser."
        )
    made_of = {
        "name": meta["name"],
        "version": meta["version"],
        "files": {name: record["sha256"] for name, record in files.items()},
        "spacy": spacy.__version__,
    }
    return Parser(folder, tuple(meta["components"]), digest(made_of))


class ParseCache:
    """Parses of texts by one parser in a folder, appended to shard by shard.

    One process at a time writes to a folder. A text that stands in two shards keeps its first
    parse.
    """

    def __init__(self, folder: Path, log: logging.Logger) -> None:
        """Open a cache, drop what is damaged or unfinished in it, and read the rest.

        Args:
            folder: where the shards lie; made at the first append.
            log: where dropped shards are reported.
        """
        self.folder = folder
        self.log = log
        self._places: dict[bytes, tuple[DocBin, int]] = {}
        self._strings: dict[int, str] = {}
        self._next_number = 0
        for leftover in folder.glob(".*.partial*"):
            leftover.unlink(missing_ok=True)
        for path in sorted(folder.glob("shard-*")):
            self._read(path)

    def __contains__(self, text: str) -> bool:
        """Say whether the parse of a text is there."""
        return _text_digest(text) in self._places

    def append(self, texts: Sequence[str], docs: Sequence[Doc]) -> None:
        """Keep the parses of some texts as one shard, atomically."""
        digests = [_text_digest(text) for text in texts]
        parses = DocBin(docs=docs)
        content = srsly.msgpack_dumps({"texts": digests, "parses": parses.to_bytes()})
        name = f"shard-{self._next_number:06d}-{_checksum(content)}.msgpack"
        with write_atomic(self.folder / name) as partial:
            partial.write_bytes(content)
        self._next_number += 1
        self._keep(digests, parses)

    def collect(self, texts: Sequence[str]) -> DocBin:
        """Join the parses of texts that are there.

        Args:
            texts: in the order wanted.

        Returns:
            One document per text; equal texts give equal bytes, whatever else the cache holds.

        Raises:
            KeyError: a text is not there.
        """
        joined = DocBin()
        for text in texts:
            parses, at = self._places[_text_digest(text)]
            for part in ("tokens", "spaces", "cats", "flags", "span_groups"):
                getattr(joined, part).append(getattr(parses, part)[at])
        if joined.tokens:
            hashes = np.unique(np.vstack(joined.tokens)).tolist()
            joined.strings = {self._strings[h] for h in hashes if h in self._strings}
        return joined

    def _keep(self, digests: Sequence[bytes], parses: DocBin) -> None:
        self._strings.update((hash_string(string), string) for string in parses.strings)
        for at, text_digest in enumerate(digests):
            self._places.setdefault(text_digest, (parses, at))

    def _read(self, path: Path) -> None:
        match = SHARD_NAME.fullmatch(path.name)
        if match:
            self._next_number = max(self._next_number, int(match["number"]) + 1)
        content = path.read_bytes()
        if not match or _checksum(content) != match["checksum"]:
            self.log.warning(
                "parse cache: %s is damaged (its checksum is wrong): dropped, its texts are "
                "parsed again",
                path.name,
            )
            path.unlink()
            return
        shard = srsly.msgpack_loads(content)
        self._keep(shard["texts"], DocBin().from_bytes(shard["parses"]))


def parse_texts(
    texts: Sequence[str],
    load_parser: Callable[[], Language],
    cache: ParseCache,
    batch_texts: int,
    log: logging.Logger,
) -> DocBin:
    """Parse texts, those only that the cache does not hold.

    A parse does not depend on the texts beside it in a batch, so that it can be kept by content.

    Args:
        texts: what to parse; repeated texts are parsed once.
        load_parser: gives the pipeline; called if a text is missing.
        cache: of this pipeline.
        batch_texts: texts per batch and shard: what a kill can lose; at least 1.
        log: where progress goes.

    Returns:
        One document per text, in their order.
    """
    missing = [text for text in dict.fromkeys(texts) if text not in cache]
    log.info("%d of %d texts are not parsed yet", len(missing), len(texts))
    if missing:
        nlp = load_parser()
        batches = [missing[at : at + batch_texts] for at in range(0, len(missing), batch_texts)]
        for batch in progress(batches, len(batches), "batches of texts parsed", log):
            cache.append(batch, list(nlp.pipe(batch, batch_size=batch_texts)))
    return cache.collect(texts)


def read_parses(path: str | Path, vocab: Vocab | None = None) -> list[Doc]:
    """Read the documents of a file of the rule extract_parses.

    Args:
        path: the file.
        vocab: from `Parser.load_vocab`; without one, what a vocabulary knows of words (`is_stop`,
            `like_num`, ...) is missing, and the parse itself is there.

    Returns:
        The documents in the order of the sentences.
    """
    return list(DocBin().from_disk(path).get_docs(vocab if vocab is not None else Vocab()))


def read_docs(path: Path, texts: Sequence[str], vocab: Vocab) -> list[Doc]:
    """Read the parses of a corpus and hold them against its sentences.

    Args:
        path: a file of the rule extract_parses.
        texts: the sentences, in the same order.
        vocab: from `Parser.load_vocab`.

    Returns:
        One document per text.

    Raises:
        InputError: the documents are not those of the texts.
    """
    docs = read_parses(path, vocab)
    if [doc.text for doc in docs] != list(texts):
        raise InputError(
            f"{path}: {len(docs)} parses, which are not those of the {len(texts)} sentences; "
            "allowed: one parse per sentence, in the same order. Delete the file and make it anew "
            "with the rule extract_parses."
        )
    return docs


def _text_digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8")).digest()


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]
