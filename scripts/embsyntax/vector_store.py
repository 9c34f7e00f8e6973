"""A resumable store of text vectors that survives a kill at any moment.

It lies outside the declared outputs of a rule (Snakemake deletes those before a job restarts). A
store is a folder of shards, each of which holds some texts' vectors, is written once under a
temporary name, and is renamed into place when complete: a shard is there as a whole or not at all.
The name carries the checksum of the content, so that a shard damaged later is noticed, dropped and
embedded anew. Texts are kept as SHA-256 digests only.
"""

from __future__ import annotations

import hashlib
import io
import logging
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from embsyntax.jobs import write_atomic

SHARD_NAME = re.compile(r"shard-(?P<number>\d{6})-(?P<checksum>[0-9a-f]{32})\.arrow")


def text_digest(text: str) -> bytes:
    """Return the SHA-256 of a text (UTF-8), 32 bytes."""
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).digest()


class VectorStore:
    """Vectors of texts in a folder, appended to shard by shard.

    One process at a time writes to a store; a text that stands in two shards keeps the vector of
    the first.
    """

    def __init__(self, folder: str | Path, log: logging.Logger | None = None) -> None:
        """Open a store, drop what is damaged or unfinished in it, and read the rest.

        Args:
            folder: where the shards lie; made at the first append.
            log: where dropped shards are reported.
        """
        self.folder = Path(folder)
        self.log = log or logging.getLogger(__name__)
        self._vectors: dict[bytes, np.ndarray] = {}
        self._next_number = 0
        for leftover in self.folder.glob(".*.partial*"):
            leftover.unlink(missing_ok=True)
        for path in sorted(self.folder.glob("shard-*")):
            self._read(path)

    def __contains__(self, text: str) -> bool:
        """Say whether the vector of a text is stored."""
        return text_digest(text) in self._vectors

    def __len__(self) -> int:
        """Return the number of stored vectors."""
        return len(self._vectors)

    def vectors(self, texts: Sequence[str]) -> np.ndarray:
        """Return the vectors of stored texts, float32, shape (number of texts, dimension).

        Raises:
            KeyError: if a text is not stored.
        """
        return np.stack([self._vectors[text_digest(text)] for text in texts])

    def append(self, texts: Sequence[str], vectors: np.ndarray) -> None:
        """Store vectors as one shard, atomically.

        Args:
            texts: unique texts; nothing happens if there is none.
            vectors: float32, shape (number of texts, dimension).

        Raises:
            ValueError: if the shape does not fit.
        """
        if not texts:
            return
        rows = np.ascontiguousarray(vectors, dtype=np.float32)
        if rows.ndim != 2 or len(rows) != len(texts):
            raise ValueError(f"{len(texts)} texts, but vectors of shape {vectors.shape}")
        digests = [text_digest(text) for text in texts]
        column = pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel()), rows.shape[1])
        table = pa.table({"text_sha256": pa.array(digests, pa.binary(32)), "vector": column})
        buffer = io.BytesIO()
        with pa.ipc.new_file(buffer, table.schema) as writer:
            writer.write_table(table)
        content = buffer.getvalue()
        name = f"shard-{self._next_number:06d}-{_checksum(content)}.arrow"
        with write_atomic(self.folder / name) as partial:
            partial.write_bytes(content)
        self._next_number += 1
        self._keep(digests, rows)

    def _keep(self, digests: Sequence[bytes], rows: np.ndarray) -> None:
        for digest, row in zip(digests, rows, strict=True):
            self._vectors.setdefault(digest, row)

    def _read(self, path: Path) -> None:
        match = SHARD_NAME.fullmatch(path.name)
        if match:
            self._next_number = max(self._next_number, int(match["number"]) + 1)
        content = path.read_bytes()
        if not match or _checksum(content) != match["checksum"]:
            self.log.warning(
                "vector store: %s is damaged (its checksum is wrong): dropped, its texts are "
                "embedded again",
                path.name,
            )
            path.unlink()
            return
        table = pa.ipc.open_file(pa.py_buffer(content)).read_all().combine_chunks()
        vectors = table["vector"].combine_chunks()
        rows = vectors.flatten().to_numpy().reshape(len(vectors), -1)
        self._keep(table["text_sha256"].to_pylist(), rows)


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]
