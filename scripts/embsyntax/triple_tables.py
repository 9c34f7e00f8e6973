"""Lay the scores of triples and passages out as boards, tidy and for readers.

Values are 0-1 in the tidy board, and x100 in Markdown. A trap type whose triples no measured
entailment model has filtered is marked wherever its name stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from embsyntax.registry import Model
from embsyntax.scores import ScoreSettings, rank_groups
from embsyntax.tables import (
    describe_models,
    format_estimate,
    format_percent,
    format_points,
    kind_of,
    label_of,
    markdown_table,
    note_paragraph,
)
from embsyntax.triple_scores import (
    ACCURACY,
    ALL,
    AUC,
    MACRO,
    MARGIN,
    MRR,
    PASSAGE,
    PASSAGE_ACCURACY,
    RECALL_AT_1,
    TIE_SHARE,
)

BOARD_COLUMNS = [
    "suite",
    "corpus",
    "dimension",
    "metric",
    "model",
    "label",
    "kind",
    "value",
    "ci_low",
    "ci_high",
    "n",
    "n_anchors",
    "rank_group",
    "is_filtered",
    "n_parameters",
    "licence",
    "training_sets",
    "reason",
]

METRIC_LABELS = {
    ACCURACY: "accuracy",
    PASSAGE_ACCURACY: "accuracy",
    TIE_SHARE: "ties",
    MARGIN: "margin",
    AUC: "AUC",
    RECALL_AT_1: "recall@1",
    MRR: "MRR",
}
RANKED_METRICS = (ACCURACY, PASSAGE_ACCURACY)
UNFILTERED = "unfiltered"
DECLARED = "declared"
"""The judge that is no entailment model."""


def build_triple_board(
    scores: pd.DataFrame,
    comparisons: pd.DataFrame,
    sets: pd.DataFrame,
    models: Mapping[str, Model],
    suite: str,
) -> pd.DataFrame:
    """Rank the models on each set, with what is known of each model.

    Args:
        scores: tables of `triple_scores.score_triples` or `score_passages`, one below the other.
        comparisons: of the same models.
        sets: from `triple_sets.describe_sets`; its order is that of the board.
        models: the catalogue.
        suite: name of the suite.

    Returns:
        `BOARD_COLUMNS`, values 0-1, all metrics; the best model of each set, type and metric
        first. The rank group is missing but for accuracy, and where there was no comparison.
    """
    board = scores.copy()
    ranked = board["metric"].isin(RANKED_METRICS) & board["ci_low"].notna()
    groups = pd.Series(pd.NA, index=board.index, dtype="Int64")
    groups[ranked] = rank_groups(board[ranked], comparisons)
    board["rank_group"] = groups
    board["suite"] = suite
    board["label"] = [label_of(name, models) for name in board["model"]]
    board["kind"] = [kind_of(name, models) for name in board["model"]]
    known = [models.get(name) for name in board["model"]]
    board["n_parameters"] = pd.array(
        [model.n_parameters if model else None for model in known], dtype="Int64"
    )
    board["licence"] = [model.licence if model else "" for model in known]
    board["training_sets"] = [model.training_sets if model else "" for model in known]
    filtered = sets.set_index(["corpus", "type"])["is_filtered"]
    keys = pd.MultiIndex.from_frame(board[["corpus", "dimension"]])
    board["is_filtered"] = filtered.reindex(keys).array
    orders = {
        "corpus": list(dict.fromkeys(sets["corpus"])),
        "dimension": order_types(board["dimension"]),
        "metric": list(METRIC_LABELS),
    }
    for column, order in orders.items():
        board[f"{column}_order"] = board[column].map(order.index)
    board = board.sort_values(
        [*(f"{column}_order" for column in orders), "value", "model"],
        ascending=[True, True, True, False, True],
        na_position="last",
        kind="stable",
    )
    return board[BOARD_COLUMNS].reset_index(drop=True)


def order_types(dimensions: pd.Series) -> list[str]:
    """Put the mean over types first, then all triples together, then the types by name."""
    names = set(dimensions)
    return [name for name in (MACRO, ALL) if name in names] + sorted(names - {MACRO, ALL})


def list_unfiltered(sets: pd.DataFrame, corpus: str) -> list[str]:
    """Return the types of a set whose triples no measured entailment model has filtered."""
    own = sets[(sets["corpus"] == corpus) & (sets["n"] > 0)]
    return own.loc[(own["is_filtered"] == False).fillna(False), "type"].tolist()  # noqa: E712


def describe_origin(sets: pd.DataFrame, corpus: str) -> str:
    """Say who wrote and who filtered a set, and which types nobody filtered.

    Args:
        sets: from `triple_sets.describe_sets`.
        corpus: name of the set, which has rows.

    Returns:
        One or two sentences, or nothing for a set of which nothing is known.
    """
    own = sets[(sets["corpus"] == corpus) & (sets["n"] > 0)]
    generators, judges = (sorted(set(own[column]) - {""}) for column in ("generator", "judge"))
    words = []
    if generators:
        words.append(f"Written by {', '.join(generators)}")
    if judges == [DECLARED]:
        words.append("no entailment model looked at them (judge `declared`)")
    elif judges:
        words.append(f"filtered by {', '.join(f'`{judge}`' for judge in judges)}")
    text = f"{'; '.join(words)}." if words else ""
    unfiltered = list_unfiltered(sets, corpus)
    if unfiltered:
        text += f" Unfiltered types: {', '.join(unfiltered)}."
    return text.strip()


def triple_board_markdown(
    board: pd.DataFrame,
    sets: pd.DataFrame,
    settings: ScoreSettings,
    false_discovery_rate: float,
    definitions: Mapping[str, str],
    models: Mapping[str, Model],
    track_note: str,
    suite: str,
) -> str:
    """Return a board of triples or passages as Markdown.

    Args:
        board: from `build_triple_board`, 0 rows or more.
        sets: what the sets hold.
        settings: the numbers of the bootstrap, for the explanation.
        false_discovery_rate: level of the comparisons, for the explanation.
        definitions: what each baseline does, by the name that stands in its `source`.
        models: the catalogue.
        track_note: what to say of the data; empty for the real ones.
        suite: name of the suite.

    Returns:
        The text; a set without rows is named with its reason.
    """
    is_passages = PASSAGE in set(board["dimension"])
    parts = [f"# Board: {suite}\n\n", note_paragraph(track_note)]
    if len(board):
        parts.append(_explain(is_passages, settings, false_discovery_rate))
    reasons: dict[str, int] = {}
    empty = []
    for corpus in dict.fromkeys(sets["corpus"]):
        part = board[board["corpus"] == corpus]
        if part.empty:
            reason = sets.loc[sets["corpus"] == corpus, "reason"].iloc[0]
            empty.append(f"- `{corpus}`: {reason}\n")
            continue
        origin = describe_origin(sets, corpus)
        parts += [f"\n## {corpus}\n\n", f"{origin}\n\n" if origin else ""]
        if is_passages:
            metrics = [name for name in METRIC_LABELS if name in set(part["metric"])]
            columns = [(PASSAGE, name, METRIC_LABELS[name]) for name in metrics]
            parts.append(_lay_out(part, columns, columns[0][:2], "passages", reasons))
            continue
        unfiltered = list_unfiltered(sets, corpus)
        columns = [
            (name, ACCURACY, f"{name} ({UNFILTERED})" if name in unfiltered else name)
            for name in order_types(part["dimension"])
        ]
        parts.append(_lay_out(part, columns, (MACRO, ACCURACY), "triples", reasons))
        columns = [(ALL, name, METRIC_LABELS[name]) for name in (TIE_SHARE, MARGIN, AUC)]
        parts += [
            "\nAll triples together:\n\n",
            _lay_out(part, columns, (MACRO, ACCURACY), "triples", reasons),
        ]
    if empty:
        lead = "Sets without rows" if len(board) else "There is nothing to score"
        parts += ["\n" if len(board) else "", f"{lead}:\n\n", *empty]
    if reasons:
        parts += ["\n", *[f"({number}) {reason}.\n" for reason, number in reasons.items()]]
    parts += describe_models(list(dict.fromkeys(board["model"])), models, definitions)
    return "".join(parts)


def _explain(is_passages: bool, settings: ScoreSettings, false_discovery_rate: float) -> str:
    interval = (
        f"In brackets the {format_percent(settings.confidence)} percentile interval "
        f"({settings.resamples:,} bootstrap resamples of source sentences). `#` is the rank group "
        "by accuracy: 1 + the number of models that are significantly better (paired bootstrap, "
        "Benjamini-Hochberg over all pairs of models of a column at "
        f"{format_percent(false_discovery_rate)}). All texts are encoded alike; similarities are "
        f"rounded to {settings.cosine_decimals} decimals, and a tie counts one half.\n"
    )
    if is_passages:
        return (
            "How often a query is closer to its passage than to the twin with one flipped sentence "
            "(accuracy, x100; a coin gives 50), and where the passage stands among all passages "
            f"and twins of the set (recall@1 and mean reciprocal rank, x100). {interval}"
        )
    return (
        "How often an anchor is closer to its paraphrase than to the trap that looks alike "
        "(accuracy, x100; a coin gives 50). `macro` is the unweighted mean over the trap types, "
        "`all` counts every triple alike. Margin: mean of the paraphrase's similarity less the "
        "trap's, x100 (of the length baseline in words). AUC: of one threshold that tells "
        f"paraphrases from traps. {interval}"
    )


def _lay_out(
    part: pd.DataFrame,
    columns: Sequence[tuple[str, str, str]],
    ranking: tuple[str, str],
    unit: str,
    reasons: dict[str, int],
) -> str:
    """Return one table of a set: a row per model, best first by the `ranking` column."""
    lines = {
        (line["dimension"], line["metric"], line["model"]): line for _, line in part.iterrows()
    }
    order = [model for dimension, metric, model in lines if (dimension, metric) == ranking]
    rows = []
    for model in order:
        leading = lines[(*ranking, model)]
        group = "" if pd.isna(leading["rank_group"]) else str(leading["rank_group"])
        label = leading["label"] + ("" if leading["kind"] == "model" else f" ({leading['kind']})")
        cells = [format_cell(lines[(*key, model)], reasons) for *key, _ in columns]
        rows.append([group, label, *cells])
    counts = [f"{lines[(*key, order[0])]['n']:,}" for *key, _ in columns]
    rows.append(["", unit, *counts])
    names = [name for *_, name in columns]
    return markdown_table(["#", "model", *names], rows, right=names)


def format_cell(line: pd.Series, reasons: dict[str, int]) -> str:
    """Return value, interval and rank group of one cell, x100, with the number of its reason.

    Args:
        line: `value, ci_low, ci_high, rank_group, reason`.
        reasons: reason -> number of its footnote; a new reason is added.

    Returns:
        The text.
    """
    text = format_estimate(line["value"], line["ci_low"], line["ci_high"])
    if not pd.isna(line["rank_group"]):
        text += f" #{line['rank_group']}"
    if line["reason"] and np.isnan(line["ci_low"]):
        text += f" ({reasons.setdefault(line['reason'], len(reasons) + 1)})"
    return text


def balance_markdown(
    table: pd.DataFrame, limit: float, definitions: Mapping[str, str], track_note: str
) -> str:
    """Return the table of `triple_balance.balance_sets` as Markdown, a section per set.

    Args:
        table: its second frame.
        limit: distance from chance that was allowed, 0-0.5.
        definitions: what each baseline does.
        track_note: what to say of the data; empty for the real ones.

    Returns:
        The text.
    """
    baselines = list(dict.fromkeys(table["baseline"]))
    parts = [
        "# Balanced triples\n\n",
        note_paragraph(track_note),
        "How often a baseline without a model puts the paraphrase above the trap (accuracy, x100, "
        "a tie counts one half), on all triples and on the largest part of them on which, type by "
        f"type, each of these baselines is within {100 * limit:g} points of chance. The part of a "
        "set `NAME` is scored as `NAME_balanced`.\n",
    ]
    for name in dict.fromkeys(table["set"]):
        part = table[table["set"] == name]
        if part["n"].max() == 0:
            parts.append(f"\n## {name}\n\nThis set has no triple.\n")
            continue
        rows = []
        for group in dict.fromkeys(part["group"]):
            lines = part[part["group"] == group].set_index("baseline")
            row = [group, f"{lines['n'].iloc[0]:,}"]
            row += [format_points(lines.loc[key, "accuracy"]) for key in baselines]
            row.append(f"{lines['n_balanced'].iloc[0]:,}")
            row += [format_points(lines.loc[key, "accuracy_balanced"]) or "-" for key in baselines]
            rows.append(row)
        after = [f"{key}, balanced" for key in baselines]
        head = ["type", "n", *baselines, "n balanced", *after]
        parts += [f"\n## {name}\n\n", markdown_table(head, rows, right=head[1:])]
    parts += ["\n", *[f"- `{key}`: {definitions[key]}\n" for key in baselines]]
    return "".join(parts)
