"""The leaderboard: each model in one row, from the released benchmark to triples and passages.

It only joins boards that exist; a column whose suite or set is missing says why and stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from embsyntax.own_triples import PASSAGES_SUITE, TRIPLES_SUITE
from embsyntax.registry import Model
from embsyntax.scores import SPEARMAN, ScoreSettings
from embsyntax.tables import (
    UNDEFINED,
    describe_models,
    format_percent,
    kind_of,
    label_of,
    markdown_table,
    note_paragraph,
    order_corpora,
)
from embsyntax.triple_scores import ACCURACY, MACRO, PASSAGE, PASSAGE_ACCURACY
from embsyntax.triple_sets import BALANCED_SUFFIX, HUMAN_TEST, PASSAGE_TEST, XGEN_TEST
from embsyntax.triple_splits import TEST
from embsyntax.triple_tables import describe_origin, format_cell

LEADERBOARD_COLUMNS = [
    "model",
    "label",
    "board",
    "suite",
    "corpus",
    "dimension",
    "metric",
    "value",
    "ci_low",
    "ci_high",
    "n",
    "rank_group",
    "reason",
]

RELEASED_SUITE, STSB_SUITE = "sr_released", "stsb_test"
LEADERBOARD_SUITES = (RELEASED_SUITE, STSB_SUITE, TRIPLES_SUITE, PASSAGES_SUITE)


@dataclass(frozen=True)
class Column:
    """One column of the leaderboard.

    Attributes:
        board: id of the column.
        title: its name for readers.
        meaning: what it is, in a phrase.
        suite: where it comes from.
        corpus: name of the corpus or set; `""`: the average, or the only corpus of the suite.
        dimension: as on the board of the suite.
        metric: as on the board of the suite.
    """

    board: str
    title: str
    meaning: str
    suite: str
    corpus: str
    dimension: str
    metric: str


def _triples(board: str, title: str, meaning: str, corpus: str) -> Column:
    meaning = f"triple accuracy, mean over the trap types, {meaning}"
    return Column(board, title, meaning, TRIPLES_SUITE, corpus, MACRO, ACCURACY)


COLUMNS = (
    Column(
        "sr_structure",
        "SR structure",
        "Spearman on the released SR files, mean over corpora: form changes",
        RELEASED_SUITE,
        "",
        "structure",
        SPEARMAN,
    ),
    Column(
        "sr_relation",
        "SR relation",
        "Spearman on the released SR files, mean over corpora: relations change",
        RELEASED_SUITE,
        "",
        "relation",
        SPEARMAN,
    ),
    Column("stsb_test", "STS-B", "Spearman on STS-B test", STSB_SUITE, "", "similarity", SPEARMAN),
    _triples("triples_test", "Triples", "test", TEST),
    _triples(
        "triples_test_balanced",
        "Triples, balanced",
        "the part of test that lengths, words and characters do not solve",
        TEST + BALANCED_SUFFIX,
    ),
    _triples("triples_xgen_test", "Triples, 2nd generator", "by another generator", XGEN_TEST),
    _triples("triples_human_test", "Triples, people", "written by people", HUMAN_TEST),
    Column(
        "passages",
        "Passages",
        "query closer to its passage than to the twin with one flipped sentence",
        PASSAGES_SUITE,
        PASSAGE_TEST,
        PASSAGE,
        PASSAGE_ACCURACY,
    ),
)


def read_board(path: str | Path) -> pd.DataFrame:
    """Read the tidy board of a suite.

    Args:
        path: file written from `tables.build_board` or `triple_tables.build_triple_board`.

    Returns:
        Columns `suite, corpus, dimension, metric, model, value, ci_low, ci_high, n, rank_group,
        reason`; an empty number is NaN, an empty text `""`.
    """
    table = pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)
    numbers = ["value", "ci_low", "ci_high", "n", "rank_group"]
    table[numbers] = table[numbers].apply(pd.to_numeric)
    names = ["suite", "corpus", "dimension", "metric", "model", *numbers, "reason"]
    return table[names]


def build_leaderboard(
    boards: Mapping[str, pd.DataFrame],
    sets: pd.DataFrame,
    model_ids: Sequence[str],
    models: Mapping[str, Model],
) -> pd.DataFrame:
    """Join the boards, a row for each model and column.

    Args:
        boards: suite -> its board (`read_board`); suites may be missing.
        sets: descriptions of the sets of triples and passages (`triple_sets.describe_sets`).
        model_ids: models and baselines of the boards.
        models: the catalogue.

    Returns:
        `LEADERBOARD_COLUMNS`, values 0-1, models before baselines, the best by the first column
        of triples (or what there is) first. A missing value has a reason; `n` is then 0.
    """
    records = []
    for column in COLUMNS:
        part, reason = _choose_rows(boards, column, sets)
        found = part.set_index("model")
        corpus = column.corpus if part.empty else part["corpus"].iloc[0]
        for model in model_ids:
            numbers: dict[str, object] = {"value": np.nan, "ci_low": np.nan, "ci_high": np.nan}
            numbers |= {"n": 0, "rank_group": pd.NA, "reason": reason}
            if model in found.index:
                line = found.loc[model]
                numbers = {name: line[name] for name in numbers}
                if pd.isna(line["rank_group"]):
                    numbers["rank_group"] = pd.NA
            elif not reason:
                numbers["reason"] = "the model is not on this board"
            records.append(
                {
                    "model": model,
                    "label": label_of(model, models),
                    "board": column.board,
                    "suite": column.suite,
                    "corpus": corpus,
                    "dimension": column.dimension,
                    "metric": column.metric,
                }
                | numbers
            )
    table = pd.DataFrame(records, columns=LEADERBOARD_COLUMNS)
    table = table.astype({"n": "int64", "rank_group": "Int64"})
    place = {model: rank for rank, model in enumerate(_order_models(table, model_ids, models))}
    order = table["model"].map(place)
    return table.loc[order.sort_values(kind="stable").index].reset_index(drop=True)


def _choose_rows(
    boards: Mapping[str, pd.DataFrame], column: Column, sets: pd.DataFrame
) -> tuple[pd.DataFrame, str]:
    """Return the rows of a column, one per model; or none and the reason."""
    if column.suite not in boards:
        empty = pd.DataFrame(columns=["model", "corpus"])
        return empty, f"the suite {column.suite} is not among `suites` of the config"
    board = boards[column.suite]
    part = board[(board["dimension"] == column.dimension) & (board["metric"] == column.metric)]
    corpus = column.corpus
    if not corpus and len(part):
        corpus = order_corpora(part["corpus"])[-1]
    part = part[part["corpus"] == corpus]
    if len(part):
        return part, ""
    reasons = sets.loc[(sets["corpus"] == corpus) & (sets["n"] == 0), "reason"]
    return part, reasons.iloc[0] if len(reasons) else "nothing was scored there"


def _order_models(
    table: pd.DataFrame, model_ids: Sequence[str], models: Mapping[str, Model]
) -> list[str]:
    """Put models before baselines, and in each the best first."""
    wide = table.pivot(index="model", columns="board", values="value")
    triples_first = sorted(COLUMNS, key=_is_no_triple_column)
    used = [column.board for column in triples_first if wide[column.board].notna().any()]
    keys = wide[used[0]] if used else pd.Series(0.0, index=wide.index)
    return sorted(
        model_ids,
        key=lambda model: (kind_of(model, models) == "baseline", -keys.fillna(-1)[model], model),
    )


def _is_no_triple_column(column: Column) -> bool:
    return column.suite != TRIPLES_SUITE


def leaderboard_markdown(
    table: pd.DataFrame,
    sets: pd.DataFrame,
    settings: ScoreSettings,
    false_discovery_rate: float,
    definitions: Mapping[str, str],
    models: Mapping[str, Model],
    track_note: str,
) -> str:
    """Return the leaderboard as Markdown.

    Args:
        table: from `build_leaderboard`.
        sets: descriptions of the sets of triples and passages.
        settings: the numbers of the bootstrap, for the explanation.
        false_discovery_rate: level of the comparisons, for the explanation.
        definitions: what each baseline does, by the name that stands in its `source`.
        models: the catalogue.
        track_note: what to say of the data; empty for the real ones.

    Returns:
        The text: the table, what each column is and made by, models and baselines.
    """
    ids = list(dict.fromkeys(table["model"]))
    cells = table.set_index(["model", "board"])
    reasons: dict[str, int] = {}
    rows = []
    for model in ids:
        kind = kind_of(model, models)
        row = [label_of(model, models) + ("" if kind == "model" else f" ({kind})")]
        for column in COLUMNS:
            line = cells.loc[(model, column.board)]
            is_missing = np.isnan(line["value"]) and line["n"] == 0
            row.append(UNDEFINED_CELL if is_missing else format_cell(line, reasons))
        rows.append(row)
    titles = [column.title for column in COLUMNS]
    counts = table.groupby("board")["n"].max()
    rows.append(["rows", *[f"{counts[column.board]:,}" for column in COLUMNS]])
    parts = [
        "# Leaderboard\n\n",
        note_paragraph(track_note),
        f"Values x100 with their {format_percent(settings.confidence)} interval "
        f"({settings.resamples:,} bootstrap resamples of source sentences) and rank group `#`: 1 + "
        "the number of models, baselines included, that are significantly better in this column "
        f"(false discovery rate {format_percent(false_discovery_rate)}). Columns are not "
        "comparable with one another: correlations have chance level 0, accuracies 50 (a tie "
        "counts one half).\n\n",
        markdown_table(["model", *titles], rows, right=titles),
    ]
    if reasons:
        parts += ["\n", *[f"({number}) {reason}.\n" for reason, number in reasons.items()]]
    parts.append("\n## Columns\n\n")
    for column in COLUMNS:
        parts.append(f"- **{column.title}**: {_describe(column, table, sets)}\n")
    parts += describe_models(ids, models, definitions)
    return "".join(parts)


FEW_TRIPLES = 10
"""Types with fewer triples are named: each weighs as much in the mean as any other."""

UNDEFINED_CELL = "-"
"""Stands in a column that has no rows; the list of columns says why."""


def _describe(column: Column, table: pd.DataFrame, sets: pd.DataFrame) -> str:
    part = table[table["board"] == column.board]
    if part["n"].max() == 0:
        return f"{column.meaning}. Empty: {part['reason'].iloc[0]}."
    text = f"{column.meaning}; {part['n'].max():,} rows."
    own = sets[(sets["corpus"] == column.corpus) & (sets["n"] > 0)]
    if column.suite == TRIPLES_SUITE:
        text = f"{text.removesuffix('.')} of {len(own)} trap types."
        few = own[own["n"] < FEW_TRIPLES]
        if len(few):
            counts = (f"{row.type} {row.n}" for row in few.itertuples(index=False))
            text += f" Few triples: {', '.join(counts)}."
    if column.suite in (TRIPLES_SUITE, PASSAGES_SUITE):
        text = f"{text} {describe_origin(sets, column.corpus)}".strip()
    if part["value"].isna().all():
        text += f" {UNDEFINED.capitalize()}: {part['reason'].iloc[0]}."
    return text
