"""Passage traps: one sentence of a real passage is flipped where it stands, and nothing else."""

from __future__ import annotations

import re
from collections import Counter

import pandas as pd

from embsyntax.jobs import InputError
from embsyntax.triple_splits import require_columns

PASSAGE_COLUMNS = ("id", "type", "seed_id", "query", "original", "twin", "start", "end")
"""Columns of a table of passages; `start` and `end` are offsets of the sentence in `original`."""

NO_PASSAGE = "no passage around the sentence"
LINE_BREAK = "trap with a line break"
OTHER_ENDING = "trap ends with another mark"
SAME_TEXT = "trap equals the sentence"
DROP_REASONS = (NO_PASSAGE, LINE_BREAK, OTHER_ENDING, SAME_TEXT)
"""Why a triple gives no passage, in the order in which it is looked at."""

FINAL_MARKS = re.compile(r"[^\w\s]*$")
"""The marks that a sentence ends with, closing quotes and brackets included; perhaps none."""


class NoTwinError(ValueError):
    """A passage cannot be flipped; the message is one of `DROP_REASONS`."""


def flip_sentence(passage: str, start: int, end: int, trap: str) -> str:
    """Put a trap in the place of a sentence of a passage.

    A trap that ends with other marks than the sentence would change more than the sentence: the
    border to the next one.

    Args:
        passage: the real passage.
        start: where the sentence begins, in characters.
        end: where it ends, exclusive.
        trap: the sentence that takes its place; spaces at its ends do not count.

    Returns:
        The flipped passage, checked byte by byte.

    Raises:
        NoTwinError: one of `DROP_REASONS`.
    """
    sentence, trap = passage[start:end], trap.strip()
    if not re.search(r"\w", passage[:start] + passage[end:]):
        raise NoTwinError(NO_PASSAGE)
    if len(trap.splitlines()) > 1:
        raise NoTwinError(LINE_BREAK)
    if FINAL_MARKS.search(trap)[0] != FINAL_MARKS.search(sentence)[0]:
        raise NoTwinError(OTHER_ENDING)
    if trap.split() == sentence.split():
        raise NoTwinError(SAME_TEXT)
    twin = passage[:start] + trap + passage[end:]
    check_bytes(passage, twin, start, end, trap)
    return twin


def check_bytes(original: str, twin: str, start: int, end: int, trap: str) -> None:
    """Check that two passages differ by one sentence and by nothing else, in UTF-8 bytes.

    Args:
        original: the passage.
        twin: the flipped passage.
        start: where the sentence begins in the original, in characters.
        end: where it ends, exclusive.
        trap: what has to stand there in the twin.

    Raises:
        InputError: a byte before or after the sentence differs, or something else stands there.
    """
    if twin.encode() != original[:start].encode() + trap.encode() + original[end:].encode():
        raise InputError(
            f"the twin of the passage {original[:60]!r} differs from it outside characters "
            f"{start} to {end}, or does not hold {trap[:60]!r} there; allowed: one flipped "
            "sentence. Make the passages again from the triples."
        )


def build_passages(triples: pd.DataFrame, seeds: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Make a passage and its flipped twin of each triple whose sentence came out of a passage.

    Args:
        triples: columns `id, type, seed_id, anchor, paraphrase, trap`.
        seeds: columns `seed_id` (unique), `context`, `start` and `end` (characters).

    Returns:
        The passages (`PASSAGE_COLUMNS`) in the order of the triples, the query being the
        paraphrase; and the drops (`reason, n`), a row for each of `DROP_REASONS`. Every triple is
        a passage or counted there.

    Raises:
        InputError: a column is missing, a triple has an unknown `seed_id`, or its anchor does not
            stand at the offsets of its seed.
    """
    needed = ("id", "type", "seed_id", "anchor", "paraphrase", "trap")
    require_columns(triples, needed, "table of triples")
    require_columns(seeds, ("seed_id", "context", "start", "end"), "table of seeds")
    known = seeds.set_index("seed_id")[["context", "start", "end"]]
    drops: Counter[str] = Counter()
    records = []
    for row in triples.itertuples(index=False):
        if row.seed_id not in known.index:
            raise InputError(
                f"triple {row.id!r}: its seed {row.seed_id!r} is not among the {len(known)} "
                "seeds. Give the seeds that the triples were made of."
            )
        passage, start, end = known.loc[row.seed_id]
        if passage[start:end] != row.anchor:
            raise InputError(
                f"triple {row.id!r}: characters {start} to {end} of the passage of seed "
                f"{row.seed_id!r} are {passage[start:end][:60]!r}, not the anchor "
                f"{row.anchor[:60]!r}. Give the seeds that the triples were made of."
            )
        try:
            twin = flip_sentence(passage, start, end, row.trap)
        except NoTwinError as error:
            drops[str(error)] += 1
            continue
        records.append((row.id, row.type, row.seed_id, row.paraphrase, passage, twin, start, end))
    counted = [(reason, drops[reason]) for reason in DROP_REASONS]
    dtypes = dict.fromkeys(PASSAGE_COLUMNS, "str") | {"start": "int64", "end": "int64"}
    return (
        pd.DataFrame(records, columns=list(PASSAGE_COLUMNS)).astype(dtypes),
        pd.DataFrame(counted, columns=["reason", "n"]),
    )


def check_passages(passages: pd.DataFrame, triples: pd.DataFrame) -> None:
    """Check a whole table of passages against the triples, byte by byte.

    Args:
        passages: from `build_passages`.
        triples: columns `id` (unique), `anchor, paraphrase, trap`.

    Raises:
        InputError: names the first passage that is not its triple's.
    """
    known = triples.set_index("id")[["anchor", "paraphrase", "trap"]]
    for row in passages.itertuples(index=False):
        anchor, paraphrase, trap = known.loc[row.id]
        if row.original[row.start : row.end] != anchor or row.query != paraphrase:
            raise InputError(
                f"passage {row.id!r}: characters {row.start} to {row.end} are not the anchor of "
                "the triple, or the query is not its paraphrase. Make the passages again."
            )
        check_bytes(row.original, row.twin, row.start, row.end, trap.strip())
