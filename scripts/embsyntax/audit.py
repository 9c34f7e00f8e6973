"""Audit a benchmark of scored pairs in two dimensions: what its files hold, and what that limits.

The released files of SR (Zhang et al., Findings of EMNLP 2023) give, for each source sentence, one
changed sentence per dimension and its label, a whole number from 0 to 5. The audit counts and
correlates; it judges nothing and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from embsyntax.baselines import WORD, compare_lengths
from embsyntax.jobs import InputError
from embsyntax.scores import AVERAGE
from embsyntax.stats import Estimate, spearman, tie_ceiling
from embsyntax.tables import (
    CORPUS_LABELS,
    UNDEFINED,
    format_points,
    markdown_table,
    note_paragraph,
    order_corpora,
)

AUDIT_COLUMNS = ["corpus", "dimension", "metric", "value", "n", "note"]

ALL = "all"
"""Name of the corpus that stands for all corpora together."""

BOTH = "both"
"""Name of the dimension that stands for a whole row: source sentence and both changed sentences."""

DIMENSIONS = ("structure", "relation")
"""Dimensions of the released files: structural heuristics and relational understanding."""

LABELS = range(6)
"""Labels of the STS rubric (Cer et al. 2017): 0 dissimilar to 5 equivalent."""

LARGE_DIFFERENCE = 2
"""Labels at least this far apart disagree by more than a neighbouring grade of the rubric."""

PUBLISHED_ROWS = {"PDF": 9424, "web text": 9224}
"""Pairs per dimension that the paper states in its two versions (Zhang et al. 2023)."""

REAL_METRICS = frozenset(
    {"identical_strings_label_spearman", "label_mean", "tie_ceiling", "length_difference_spearman"}
)
"""Metrics that are no counts; `value` of all others is a whole number."""

NOTES = {
    "rows": "rows of the raw file",
    "different_sentences": "different first sentences",
    "repeated_pairs": "pairs that repeat an earlier pair of the corpus and dimension exactly",
    "repeated_pairs_labelled_differently": "of these, with another label than the first one",
    "identical_strings": "rows whose structure and relation sentences are the same string",
    "identical_strings_labelled_differently": "of these, with two different labels",
    "identical_strings_labelled_2_apart": "of these, with labels at least 2 apart",
    "identical_strings_label_spearman": "Spearman correlation of the two labels of these rows",
    **{f"label_{label}": f"pairs with label {label}" for label in LABELS},
    "label_mean": "mean label, 0-5",
    "tie_ceiling": "highest Spearman correlation of a predictor without ties",
    "length_difference_spearman": (
        "Spearman correlation of label and absolute difference of the numbers of word tokens"
    ),
    "equal_to_source": "pairs whose changed sentence is the source sentence itself",
    **{f"equal_to_source_label_{label}": f"of these, with label {label}" for label in LABELS},
    "sentences_in_stsb_train_exact": "different first sentences that stand in STS-B train",
    "sentences_in_stsb_train_normalised": (
        "the same, compared without case, punctuation and spacing"
    ),
    "rows_in_stsb_train_exact": "rows whose first sentence stands in STS-B train",
    "rows_in_stsb_train_normalised": "the same, compared without case, punctuation and spacing",
}
"""What each metric counts or measures, in the order of the table."""

Record = tuple[str, str, str, float, int, str]
Measured = Iterator[tuple[str, float, int, str]]


def build_audit(released: pd.DataFrame, stsb_train: pd.DataFrame) -> pd.DataFrame:
    """Audit a benchmark of pairs.

    Args:
        released: pairs of the benchmark, with the dimensions `DIMENSIONS`; scores 0-1.
        stsb_train: pairs of STS-B train, whose sentences are searched for overlap.

    Returns:
        A tidy frame with `AUDIT_COLUMNS`: matter by matter, the corpora in the paper's order and
        then `all` (sums over corpora) or `average` (unweighted means). `value` is NaN where it is
        undefined, with the reason in `note`.

    Raises:
        InputError: a dimension is missing, unknown or has other rows than the other one; a score
            is undefined, or is no label of `LABELS` over the largest label.
    """
    rows = join_dimensions(released)
    train = set(stsb_train["sentence1"]) | set(stsb_train["sentence2"])
    corpora = order_corpora(rows["corpus"])
    parts = {corpus: rows[rows["corpus"] == corpus] for corpus in corpora}
    records: list[Record] = []
    for measure in (count_rows, compare_identical_strings, overlap_measure(train)):
        for corpus, part in {**parts, ALL: rows}.items():
            records += [(corpus, BOTH, *measured) for measured in measure(part)]
    for dimension in DIMENSIONS:
        for measure in (count_repeated, count_labels, count_equal_to_source):
            for corpus, part in {**parts, ALL: rows}.items():
                records += [(corpus, dimension, *measured) for measured in measure(part, dimension)]
        by_corpus = [
            (corpus, dimension, *measured)
            for corpus, part in parts.items()
            for measured in correlate(part, dimension)
        ]
        records += by_corpus + average_records(by_corpus, dimension)
    audit = pd.DataFrame(records, columns=AUDIT_COLUMNS)
    order = {metric: position for position, metric in enumerate(NOTES)}
    corpus_order = {name: position for position, name in enumerate((*corpora, ALL, AVERAGE))}
    dimension_order = {name: position for position, name in enumerate((BOTH, *DIMENSIONS))}
    keys = pd.DataFrame(
        {
            "metric": audit["metric"].map(order),
            "dimension": audit["dimension"].map(dimension_order),
            "corpus": audit["corpus"].map(corpus_order),
        }
    )
    positions = keys.sort_values(["metric", "dimension", "corpus"], kind="stable").index
    return audit.loc[positions].reset_index(drop=True)


def join_dimensions(pairs: pd.DataFrame) -> pd.DataFrame:
    """Put both pairs of each row of the raw files side by side again.

    Args:
        pairs: pairs with the dimensions `DIMENSIONS`; scores 0-1.

    Returns:
        One row per row of the raw files: `corpus, row, sentence1`, and for each dimension
        `<dimension>` (the changed sentence) and `<dimension>_label` (0-5).

    Raises:
        InputError: see `build_audit`.
    """
    found = sorted(set(pairs["dimension"]))
    if found != sorted(DIMENSIONS):
        raise InputError(
            f"the audit compares the dimensions {' and '.join(DIMENSIONS)}; these pairs have "
            f"{', '.join(found) or 'none'}: name both in the column `pairs` of the corpora table"
        )
    keys = ["corpus", "row", "sentence1"]
    frames = []
    for dimension in DIMENSIONS:
        part = pairs[pairs["dimension"] == dimension]
        frame = part[keys].copy()
        frame[dimension] = part["sentence2"]
        frame[f"{dimension}_label"] = to_labels(part)
        frames.append(frame)
    joined = frames[0].merge(frames[1], on=keys, how="outer", indicator=True, sort=False)
    alone = joined[joined["_merge"] != "both"]
    if len(alone):
        first = alone.iloc[0]
        raise InputError(
            f"corpus {first['corpus']!r}, row {first['row']}: only one of the dimensions "
            f"{' and '.join(DIMENSIONS)} has this row; both come from one row of a raw file: "
            "make the pairs again with the rule build_pairs"
        )
    return joined.drop(columns="_merge").astype({f"{name}_label": "int64" for name in DIMENSIONS})


def to_labels(pairs: pd.DataFrame) -> pd.Series:
    """Turn scores 0-1 back into labels 0-5, or refuse the first one that is none."""
    scaled = pairs["score"] * max(LABELS)
    bad = pairs[~((scaled - scaled.round()).abs() < 1e-6)]
    if len(bad):
        first = bad.iloc[0]
        raise InputError(
            f"pair {first['pair_id']}: its score is {first['score'] * max(LABELS):g} of "
            f"{max(LABELS)}; the audit needs whole labels from 0 to {max(LABELS)}: correct the raw "
            "file or its score_max"
        )
    return scaled.round().astype("int64")


def normalise(text: str) -> str:
    """Return a text without case, punctuation and spacing; one without any word stays as it is."""
    return " ".join(WORD.findall(text.casefold())) or text


def count_rows(rows: pd.DataFrame) -> Measured:
    """Count rows and different first sentences."""
    yield "rows", len(rows), len(rows), ""
    yield "different_sentences", count_sentences(rows), len(rows), ""


def count_sentences(rows: pd.DataFrame) -> int:
    """Count the different first sentences, each corpus for itself."""
    return len(rows[["corpus", "sentence1"]].drop_duplicates())


def compare_identical_strings(rows: pd.DataFrame) -> Measured:
    """Count the rows whose two changed sentences are one string, and compare their two labels."""
    same = rows[rows["structure"] == rows["relation"]]
    apart = (same["structure_label"] - same["relation_label"]).abs()
    yield "identical_strings", len(same), len(rows), ""
    yield "identical_strings_labelled_differently", int((apart > 0).sum()), len(same), ""
    many = int((apart >= LARGE_DIFFERENCE).sum())
    yield "identical_strings_labelled_2_apart", many, len(same), ""
    agreement = spearman(same["structure_label"], same["relation_label"])
    yield "identical_strings_label_spearman", agreement.value, len(same), agreement.reason


def overlap_measure(train: set[str]) -> Callable[[pd.DataFrame], Measured]:
    """Return a function that counts the first sentences that stand in STS-B train.

    Args:
        train: all sentences of STS-B train, first and second.
    """
    forms = {"exact": (str, train), "normalised": (normalise, {normalise(text) for text in train})}

    def measure_overlap(rows: pd.DataFrame) -> Measured:
        for form, (transform, known) in forms.items():
            hits = rows[[transform(text) in known for text in rows["sentence1"]]]
            yield (
                f"sentences_in_stsb_train_{form}",
                count_sentences(hits),
                count_sentences(rows),
                "",
            )
            yield f"rows_in_stsb_train_{form}", len(hits), len(rows), ""

    return measure_overlap


def count_repeated(rows: pd.DataFrame, dimension: str) -> Measured:
    """Count the pairs that repeat an earlier one, and those of them with another label."""
    label = f"{dimension}_label"
    keys = ["corpus", "sentence1", dimension]
    first_label = rows.groupby(keys, sort=False)[label].transform("first")
    is_repeated = rows.duplicated(keys)
    n_repeated = int(is_repeated.sum())
    yield "repeated_pairs", n_repeated, len(rows), ""
    differing = int((is_repeated & (rows[label] != first_label)).sum())
    yield "repeated_pairs_labelled_differently", differing, n_repeated, ""


def count_labels(rows: pd.DataFrame, dimension: str) -> Measured:
    """Count the pairs with each label, and average the labels."""
    labels = rows[f"{dimension}_label"]
    for label in LABELS:
        yield f"label_{label}", int((labels == label).sum()), len(rows), ""
    yield "label_mean", float(labels.mean()), len(rows), ""


def count_equal_to_source(rows: pd.DataFrame, dimension: str) -> Measured:
    """Count the pairs whose changed sentence is its source, by label."""
    labels = rows.loc[rows["sentence1"] == rows[dimension], f"{dimension}_label"]
    yield "equal_to_source", len(labels), len(rows), ""
    for label in LABELS:
        yield f"equal_to_source_label_{label}", int((labels == label).sum()), len(labels), ""


def correlate(rows: pd.DataFrame, dimension: str) -> Measured:
    """Measure the tie ceiling of the labels and their correlation with the length difference."""
    labels = rows[f"{dimension}_label"].to_numpy(dtype=np.float64)
    lengths = compare_lengths(list(rows["sentence1"]), list(rows[dimension]))
    estimates: dict[str, Estimate] = {
        "tie_ceiling": tie_ceiling(labels),
        "length_difference_spearman": spearman(lengths, labels),
    }
    for metric, estimate in estimates.items():
        yield metric, estimate.value, len(rows), estimate.reason


def average_records(records: list[Record], dimension: str) -> list[Record]:
    """Average each metric over corpora, unweighted; undefined where one corpus is undefined."""
    averages = []
    for metric in dict.fromkeys(record[2] for record in records):
        values = {record[0]: record[3] for record in records if record[2] == metric}
        n = sum(record[4] for record in records if record[2] == metric)
        undefined = [corpus for corpus, value in values.items() if np.isnan(value)]
        reason = f"undefined in {', '.join(undefined)}" if undefined else ""
        averages.append(
            (AVERAGE, dimension, metric, float(np.mean(list(values.values()))), n, reason)
        )
    return averages


def format_audit(audit: pd.DataFrame) -> pd.DataFrame:
    """Write counts as whole numbers, other values with six decimals, and add the definitions.

    Args:
        audit: from `build_audit`.

    Returns:
        The same rows with `value` as text, empty where undefined, and `note` filled in.
    """
    text = audit.copy()
    text["value"] = [
        "" if np.isnan(value) else f"{value:.6f}" if metric in REAL_METRICS else f"{value:.0f}"
        for metric, value in zip(audit["metric"], audit["value"], strict=True)
    ]
    text["note"] = [
        f"{NOTES[metric]}; undefined: {reason}" if reason else NOTES[metric]
        for metric, reason in zip(audit["metric"], audit["note"], strict=True)
    ]
    return text


class _Cells:
    """The values of an audit by corpus, dimension and metric, as the Markdown needs them."""

    def __init__(self, audit: pd.DataFrame) -> None:
        self.values = audit.set_index(["corpus", "dimension", "metric"])["value"].to_dict()
        self.corpora = order_corpora(name for name in audit["corpus"] if name not in (ALL, AVERAGE))

    def label(self, corpus: str) -> str:
        return {ALL: "all"}.get(corpus) or CORPUS_LABELS.get(corpus, corpus)

    def count(self, corpus: str, metric: str, dimension: str = BOTH) -> str:
        return f"{self.values[corpus, dimension, metric]:,.0f}"

    def points(self, corpus: str, metric: str, dimension: str = BOTH) -> str:
        return format_points(self.values[corpus, dimension, metric]) or UNDEFINED

    def mean(self, corpus: str, metric: str, dimension: str) -> str:
        return f"{self.values[corpus, dimension, metric]:.2f}"

    def table(self, header: list[str], cells: Callable[[str], list[str]], last: str = ALL) -> str:
        rows = [[self.label(corpus), *cells(corpus)] for corpus in (*self.corpora, last)]
        return markdown_table(["corpus", *header], rows, right=header)


def audit_markdown(audit: pd.DataFrame, is_released_data: bool, track_note: str) -> str:
    """Return the audit for readers: one table per matter, with a sentence each.

    Args:
        audit: from `build_audit`.
        is_released_data: whether these are the authors' files, which the paper's counts speak of.
        track_note: what to say of the data; empty for the real ones.

    Returns:
        The text.
    """
    cells = _Cells(audit)
    return "".join(
        [
            "# Audit of the released files\n\n",
            note_paragraph(track_note),
            "Each row of a file holds a source sentence and two changed sentences, one per "
            "dimension (structure, relation), each with a label from 0 (dissimilar) to 5 "
            "(equivalent). Correlations and ceilings are Spearman x100; `Avg.` is the unweighted "
            "mean over corpora.\n",
            _describe_rows(cells, is_released_data),
            _describe_identical_strings(cells),
            _describe_labels(cells),
            _describe_correlations(cells),
            _describe_equal_to_source(cells),
            _describe_overlap(cells),
        ]
    )


def _describe_rows(cells: _Cells, is_released_data: bool) -> str:
    repeated = sum(cells.values[ALL, name, "repeated_pairs"] for name in DIMENSIONS)
    published = ""
    if is_released_data:
        stated = " and ".join(f"{n:,} ({where})" for where, n in PUBLISHED_ROWS.items())
        published = f" The paper states {stated}."
    duplicates = {0: "No pair repeats", 1: "One pair repeats"}.get(
        repeated, f"{repeated:,.0f} pairs repeat"
    )
    return (
        "\n## Rows\n\n"
        f"The files hold {cells.count(ALL, 'rows')} rows.{published} {duplicates} an earlier pair "
        "of the same corpus and dimension exactly.\n\n"
    ) + cells.table(
        ["rows", "different sources", "repeated: structure", "repeated: relation"],
        lambda corpus: [
            cells.count(corpus, "rows"),
            cells.count(corpus, "different_sentences"),
            *[cells.count(corpus, "repeated_pairs", name) for name in DIMENSIONS],
        ],
    )


def _describe_identical_strings(cells: _Cells) -> str:
    metrics = [
        "identical_strings",
        "identical_strings_labelled_differently",
        "identical_strings_labelled_2_apart",
    ]
    rows, different, apart = (cells.count(ALL, metric) for metric in metrics)
    return (
        "\n## One string, two labels\n\n"
        f"In {rows} rows the structure and the relation sentence are the same string, so that both "
        f"pairs are the same pair. {different} of them got two different labels, {apart} of them "
        "labels two or more apart. The correlation of the two labels shows how far the annotator "
        "agrees with itself.\n\n"
    ) + cells.table(
        ["identical strings", "different labels", "2 or more apart", "correlation of labels"],
        lambda corpus: [
            *[cells.count(corpus, metric) for metric in metrics],
            cells.points(corpus, "identical_strings_label_spearman"),
        ],
    )


def _describe_labels(cells: _Cells) -> str:
    parts = [
        "\n## Labels\n\n",
        "How many pairs have each label. A dimension tests what its name says only as far as its "
        "labels differ.\n",
    ]
    for dimension in DIMENSIONS:
        high = sum(cells.values[ALL, dimension, f"label_{label}"] for label in (4, 5))
        share = high / cells.values[ALL, BOTH, "rows"]
        parts += [
            f"\n**{dimension.capitalize()}**: {share:.1%} of all pairs have label 4 or 5.\n\n",
            cells.table(
                [*map(str, LABELS), "mean"],
                lambda corpus, name=dimension: [
                    *[cells.count(corpus, f"label_{label}", name) for label in LABELS],
                    cells.mean(corpus, "label_mean", name),
                ],
            ),
        ]
    return "".join(parts)


def _describe_correlations(cells: _Cells) -> str:
    def row(metric: str) -> Callable[[str], list[str]]:
        return lambda corpus: [cells.points(corpus, metric, name) for name in DIMENSIONS]

    return "".join(
        [
            "\n## Tie ceiling\n\n",
            "Many labels are equal, so that not even a predictor that orders all pairs correctly "
            "reaches 100 unless it repeats the same ties.\n\n",
            cells.table(list(DIMENSIONS), row("tie_ceiling"), last=AVERAGE),
            "\n## Length difference\n\n",
            "What a baseline without any model reaches: the absolute difference of the numbers of "
            "word tokens (`\\w+`) as similarity, larger = more similar. A value far from 0 means "
            "that the labels can be guessed in part from lengths.\n\n",
            cells.table(list(DIMENSIONS), row("length_difference_spearman"), last=AVERAGE),
        ]
    )


def _describe_equal_to_source(cells: _Cells) -> str:
    total = sum(cells.values[ALL, name, "equal_to_source"] for name in DIMENSIONS)
    below = total - sum(
        cells.values[ALL, name, f"equal_to_source_label_{max(LABELS)}"] for name in DIMENSIONS
    )
    parts = [
        "\n## Changed sentence equal to its source\n\n",
        f"In {total:,.0f} pairs nothing was changed: every embedding model gives them cosine 1. "
        f"{below:,.0f} of them have a label below {max(LABELS)}.\n",
    ]
    for dimension in DIMENSIONS:
        parts += [
            f"\n**{dimension.capitalize()}**, by label:\n\n",
            cells.table(
                ["pairs", *map(str, LABELS)],
                lambda corpus, name=dimension: [
                    cells.count(corpus, "equal_to_source", name),
                    *[
                        cells.count(corpus, f"equal_to_source_label_{label}", name)
                        for label in LABELS
                    ],
                ],
            ),
        ]
    return "".join(parts)


def _describe_overlap(cells: _Cells) -> str:
    exact, normalised = (
        cells.count(ALL, f"sentences_in_stsb_train_{form}") for form in ("exact", "normalised")
    )
    return (
        "\n## Overlap with STS-B train\n\n"
        f"{exact} different source sentences also stand in STS-B train (as first or second "
        f"sentence), {normalised} when case, punctuation and spacing are left aside. A model that "
        "was trained on STS-B has seen them, though not with these changed sentences.\n\n"
    ) + cells.table(
        ["different sources", "exact", "normalised"],
        lambda corpus: [
            cells.count(corpus, "different_sentences"),
            cells.count(corpus, "sentences_in_stsb_train_exact"),
            cells.count(corpus, "sentences_in_stsb_train_normalised"),
        ],
    )
