"""Seeds: the sentences that triples are made of, each with its place in the passage around it.

A text of a raw file is a passage (a paragraph of XQuAD, an answer of GooAQ) or a sentence of its
own (SICK, MED, AllNLI). Every sentence that is not taken is counted by its reason, file by file.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from embsyntax.corpora import check_text, count_words, normalise_text, read_texts, sentence_id
from embsyntax.jobs import InputError
from embsyntax.near_duplicates import choose_distinct, comparison_form
from embsyntax.registry import Source
from embsyntax.sentence_splitting import split_sentences, word_set

SEED_COLUMNS = (
    "seed_id",
    "text",
    "source",
    "has_number",
    "context",
    "start",
    "end",
    "context_sentences",
    "file",
    "split",
    "licence",
)
"""Columns of the seeds, in order: those of the published data set, then ours.

`text` is `context[start:end]` (characters); `context_sentences` counts the sentences of the
context, 1 for a sentence without a passage; `source`, `file` (as SOURCE/FILE), `split` and
`licence` are those of the raw file.
"""

SHAPE_REASONS = (
    "too short",
    "too long",
    "white space or form of characters",
    "markup or address",
    "not a whole sentence",
    "not English running text",
)
"""Why a sentence is not taken, whatever else there is, in the order in which it is looked at."""

OVERLAP_REASONS = (
    "in a given text",
    "duplicate",
    "near a given text",
    "near duplicate",
)
"""The same because of other texts; these follow."""

DROP_COLUMNS = ("file", "unit", "outcome", "n")

PARAGRAPH_FORMAT = "squad"
"""Format of a file of paragraphs with questions (SQuAD, XQuAD); its column is `context`."""

MARKUP = re.compile(r"https?://|www\.|\S@\S|</?\w+[^<>]*>|&\w+;|[\[\]{}|\\^~]|\w_\w|\.\.\.|…|#\w")
FIRST_CHARACTER = re.compile(r"""["'“‘«(]*[A-Z0-9À-ÞŠŽ]""")
LAST_CHARACTER = re.compile(r"""[.!?]["'”’»)]*$""")
OPEN_END = re.compile(r"[,;:–—-]$")
GLUED = re.compile(r"[a-zà-ÿ]{2}[.!?][A-Z][a-z]")
"""Two sentences without white space between them."""

BRACKETS = {"(": ")", "“": "”", "«": "»"}

NUMBER = re.compile(
    r"\d|\b(?i:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    r"sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|"
    r"trillion|(?:hundred|thousand|million|billion|dozen)s?)\b|"
    r"\b(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|April|June|"
    r"July|August|September|October|November|December)\b"
)
"""A digit, a word for a number above one, a weekday or a month (but March and May: verbs too)."""

ENGLISH_WORDS = word_set(
    "the a an of to in and is are was were be been being for on with as by at from that this these "
    "those it its he she they his her their there not or but which who has have had can could will "
    "would should may might must do does did if when while than then into about after before "
    "between over under through during up down out off all some any no each most many more other "
    "you your we our i my one two what how where because so such only also them him us"
)
FOREIGN_WORDS = (
    word_set(
        "der das und ist nicht ein eine einen dem den des mit von auf für sich zu im sind wurde "
        "auch het een van en niet dat zijn voor met naar werd ook bij deze hij "
        "och att det som på är av för inte med af ikke til jeg ett har og "
        "le la les est et une un dans qui que pour pas sur du au avec ce il elle sont été "
        "el los las una por con del se su es como más para fue lo y "
        "di che non della per gli nel è sono anche alla dei "
        "os não uma em da dos com mais foi ao às cu și este din "
        "się nie jest na że z w je že po za su od i "
        "ja ei se että oli bir ve bu için ile yang dan untuk dengan dari ini"
    )
    - ENGLISH_WORDS
)
"""Frequent in German, Dutch; Swedish, Danish, Norwegian; French, Spanish, Italian, Portuguese,
Romanian; Polish, Czech, Croatian; Finnish, Turkish, Indonesian; and no frequent English words."""

LETTER_RUN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
CONTRACTION = re.compile(r"(?:n['’]t|['’](?:s|ve|ll|re|d|m))$")

MIN_ENGLISH_SHARE = 0.1
FOREIGN_WEIGHT = 2
MIN_ASCII_SHARE = 0.9
"""Limits of `is_english`."""


@dataclass(frozen=True)
class SeedLimits:
    """What may become a seed.

    Attributes:
        min_words: fewest words (`count_words`), at least 1 (published: 8).
        max_words: most words, at least `min_words` (published: 30).
        near_duplicate: least Jaccard index of character n-grams at which two sentences count as
            the same, above 0, at most 1.
        max_texts: most distinct texts of a file that are read, drawn by their hash; None for all.
        draw_seed: of that draw, 0 or more.
    """

    min_words: int
    max_words: int
    near_duplicate: float
    max_texts: int | None
    draw_seed: int

    def __post_init__(self) -> None:
        """Refuse limits that no sentence can meet."""
        if not 1 <= self.min_words <= self.max_words:
            raise InputError(
                f"config keys triples.seeds.min_words and max_words: {self.min_words} and "
                f"{self.max_words}; allowed: 1 <= min_words <= max_words. Correct them."
            )
        if not 0 < self.near_duplicate <= 1:
            raise InputError(
                f"config key triples.seeds.near_duplicate: {self.near_duplicate}; allowed: above "
                "0, at most 1. Correct it."
            )


def extract_seeds(
    files: Iterable[tuple[Path, Source]],
    given: Iterable[tuple[Path, Source]],
    limits: SeedLimits,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Take the seeds out of raw files.

    Args:
        files: raw files with their rows of the catalogue, in the order of the config; of equal
            sentences the first is kept.
        given: raw files whose texts no seed may equal or nearly equal (benchmarks).
        limits: what may become a seed.

    Returns:
        The seeds (`SEED_COLUMNS`) in the order of files, texts and sentences; and the counts
        (`DROP_COLUMNS`): for each file how many texts were drawn, repeated or not drawn, and how
        many sentences of the drawn ones were kept or dropped for which reason. The counts of a
        unit and file add up to what was read.

    Raises:
        InputError: a file cannot be read, or no sentence is left.
    """
    files = list(files)
    given_texts = [normalise_text(text) for path, row in given for text in read_texts(path, row)]
    counts: Counter[tuple[str, str, str]] = Counter()
    rows: list[dict[str, Any]] = []
    for path, source in files:
        rows += _list_sentences(path, source, limits, counts)
    rows = _drop_overlaps(rows, given_texts, limits.near_duplicate, counts)
    for row in rows:
        counts[row["file"], "sentence", "kept"] += 1
    table = _tabulate_counts([source.path for _, source in files], counts)
    if not rows:
        totals = table.groupby("outcome", sort=False)["n"].sum()
        found = ", ".join(f"{outcome}: {n}" for outcome, n in totals.items())
        raise InputError(
            f"no seed is left ({found}); see files, min_words and max_words of triples.seeds in "
            "the config"
        )
    seeds = pd.DataFrame(rows, columns=list(SEED_COLUMNS))
    check_seeds(seeds)
    return seeds, table


def check_seeds(seeds: pd.DataFrame) -> None:
    """Refuse what is no table of seeds.

    Raises:
        InputError: a column is missing, an id is repeated, or a sentence does not stand in its
            context where it should, byte by byte.
    """
    missing = [column for column in SEED_COLUMNS if column not in seeds.columns]
    if missing:
        raise InputError(
            f"not a table of seeds: missing column {', '.join(missing)}; make it again with the "
            "rule extract_seeds"
        )
    repeated = seeds.loc[seeds["seed_id"].duplicated(), "seed_id"]
    if len(repeated):
        raise InputError(
            f"not a table of seeds: seed_id {repeated.iloc[0]} stands in more than one row; make "
            "it again with the rule extract_seeds"
        )
    for seed in seeds.itertuples():
        if seed.context[seed.start : seed.end].encode() != seed.text.encode():
            raise InputError(
                f"not a table of seeds: the text of {seed.seed_id} does not stand at {seed.start} "
                f"to {seed.end} of its context; make it again with the rule extract_seeds"
            )


def find_shape_reason(text: str, context_sentences: int, limits: SeedLimits) -> str:
    """Say why a sentence is not taken for what it is: one of `SHAPE_REASONS`, or "" if it is.

    Args:
        text: the sentence as it stands in its passage.
        context_sentences: sentences of the passage. In a passage of several a sentence must end in
            `.`, `!` or `?`; a text of its own may lack it (image captions).
        limits: lengths in words.
    """
    n_words = count_words(text)
    if n_words < limits.min_words:
        return "too short"
    if n_words > limits.max_words:
        return "too long"
    if text != normalise_text(text) or not text.isprintable():
        return "white space or form of characters"
    if MARKUP.search(text):
        return "markup or address"
    if not is_whole(text, must_stop=context_sentences > 1):
        return "not a whole sentence"
    return "" if is_english(text) else "not English running text"


def is_whole(text: str, must_stop: bool) -> bool:
    """Say whether a text looks like one whole sentence: its first and last characters, its pairs.

    Args:
        text: without outer white space.
        must_stop: whether it must end in `.`, `!` or `?` (and closing quotes or brackets).
    """
    if not FIRST_CHARACTER.match(text) or OPEN_END.search(text) or GLUED.search(text):
        return False
    if must_stop and not LAST_CHARACTER.search(text):
        return False
    if text.count('"') % 2:
        return False
    awaited = []
    for character in text:
        if character in BRACKETS:
            awaited.append(BRACKETS[character])
        elif character in BRACKETS.values() and (not awaited or awaited.pop() != character):
            return False
    return not awaited


def is_english(text: str) -> bool:
    """Say whether a sentence is English running text, by its letters and by frequent words.

    At least 90 % of its letters are ASCII; at least one word in ten is a frequent English one or a
    contraction; and these are more than twice those that are frequent in other languages of Latin
    script and not in English. Headlines without a function word fail. Meant for sentences of eight
    words and more.
    """
    letters = [character for character in text if character.isalpha()]
    words = [word.lower() for word in LETTER_RUN.findall(text)]
    if sum(map(str.isascii, letters)) < MIN_ASCII_SHARE * len(letters):
        return False
    english = sum(word in ENGLISH_WORDS or bool(CONTRACTION.search(word)) for word in words)
    foreign = sum(word in FOREIGN_WORDS for word in words)
    return english >= max(1, MIN_ENGLISH_SHARE * len(words)) and english > FOREIGN_WEIGHT * foreign


def has_number(text: str) -> bool:
    """Say whether a sentence holds a digit, a number word above one, a weekday or a month."""
    return NUMBER.search(text) is not None


def read_passages(path: Path, source: Source) -> Iterator[str]:
    """Yield the texts of a raw file as they stand there: paragraphs, answers or sentences.

    Raises:
        InputError: the file cannot be read (see `read_texts`), or is no file of paragraphs.
    """
    if source.format == PARAGRAPH_FORMAT:
        yield from read_paragraphs(path, f"{path} (from {source.origin})")
    else:
        yield from read_texts(path, source)


def read_paragraphs(path: Path, label: str) -> list[str]:
    """Read the paragraphs of a file in the form of SQuAD (Rajpurkar et al. 2016), in order.

    Args:
        path: JSON, `{"data": [{"paragraphs": [{"context": TEXT, ...}, ...], ...}, ...]}`.
        label: name of the file in messages.

    Raises:
        InputError: no UTF-8 JSON of this form, a paragraph that is no text, or none at all.
    """
    try:
        document = json.loads(path.read_bytes().decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{label}: no JSON in UTF-8 ({error}); it is truncated, damaged or of another format: "
            "fetch it again"
        ) from None
    paragraphs = []
    for i, article in enumerate(_member(document, "data", label), start=1):
        place = f"{label}, article {i}"
        for j, paragraph in enumerate(_member(article, "paragraphs", place), start=1):
            text = paragraph.get("context") if isinstance(paragraph, dict) else None
            check_text(text, f"{place}, paragraph {j}, key 'context'")
            paragraphs.append(text)
    if not paragraphs:
        raise InputError(f"{label}: no paragraphs; at least one is needed: fetch the file again")
    return paragraphs


def _member(document: Any, key: str, place: str) -> list[Any]:
    """Return the list under a key of a JSON object, or refuse it."""
    found = document.get(key) if isinstance(document, dict) else None
    if not isinstance(found, list):
        raise InputError(
            f"{place}: no list under the key {key!r}; allowed: the form of SQuAD, data > "
            "paragraphs > context. Correct the format in the corpora table, or the file."
        )
    return found


def draw_texts(texts: Sequence[str], n: int | None, seed: int) -> list[str]:
    """Draw texts by their hash, so that a longer list changes few of them; they keep their order.

    Args:
        texts: distinct texts.
        n: how many; None for all.
        seed: of the draw.
    """
    if n is None or len(texts) <= n:
        return list(texts)
    hashes = {text: hashlib.sha256(f"{seed} {text}".encode()).digest() for text in texts}
    drawn = set(sorted(texts, key=hashes.__getitem__)[:n])
    return [text for text in texts if text in drawn]


def _list_sentences(
    path: Path, source: Source, limits: SeedLimits, counts: Counter[tuple[str, str, str]]
) -> list[dict[str, Any]]:
    """Return the sentences of a file whose shape is right, as rows of seeds; count all others."""
    read = Counter(read_passages(path, source))
    drawn = draw_texts(list(read), limits.max_texts, limits.draw_seed)
    counts[source.path, "text", "drawn"] = len(drawn)
    counts[source.path, "text", "repeated"] = read.total() - len(read)
    counts[source.path, "text", "not drawn"] = len(read) - len(drawn)
    rows = []
    for context in drawn:
        spans = split_sentences(context)
        for start, end in spans:
            text = context[start:end]
            reason = find_shape_reason(text, len(spans), limits)
            if reason:
                counts[source.path, "sentence", reason] += 1
                continue
            rows.append(
                {
                    "seed_id": sentence_id(source.source, text),
                    "text": text,
                    "source": source.source,
                    "has_number": has_number(text),
                    "context": context,
                    "start": start,
                    "end": end,
                    "context_sentences": len(spans),
                    "file": source.path,
                    "split": source.split,
                    "licence": source.licence,
                }
            )
    return rows


def _drop_overlaps(
    rows: list[dict[str, Any]],
    given: Sequence[str],
    threshold: float,
    counts: Counter[tuple[str, str, str]],
) -> list[dict[str, Any]]:
    """Keep the first of equal and nearly equal sentences, and none that is given; count the rest.

    Sentences are equal when they differ in case and punctuation only.
    """
    seen = {comparison_form(text): "in a given text" for text in given}
    distinct = []
    for row in rows:
        form = comparison_form(row["text"])
        if form in seen:
            counts[row["file"], "sentence", seen[form]] += 1
        else:
            seen[form] = "duplicate"
            distinct.append(row)
    nearest = choose_distinct([row["text"] for row in distinct], threshold, dict.fromkeys(given))
    kept = []
    for row, near in zip(distinct, nearest, strict=True):
        if near == -1:
            kept.append(row)
        else:
            reason = "near duplicate" if near < len(distinct) else "near a given text"
            counts[row["file"], "sentence", reason] += 1
    return kept


def _tabulate_counts(files: Sequence[str], counts: Counter[tuple[str, str, str]]) -> pd.DataFrame:
    """Return the counts with a row for each file and outcome, zeros included."""
    outcomes = [
        *(("text", outcome) for outcome in ("drawn", "repeated", "not drawn")),
        *(("sentence", outcome) for outcome in ("kept", *SHAPE_REASONS, *OVERLAP_REASONS)),
    ]
    return pd.DataFrame(
        [(file, *outcome, counts[file, *outcome]) for file in files for outcome in outcomes],
        columns=list(DROP_COLUMNS),
    )
