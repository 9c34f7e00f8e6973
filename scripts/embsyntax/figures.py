"""Draw the figures: data frames in, matplotlib figures out, equal bytes for equal data.

Values come in as 0-1 and are drawn x100, as the paper prints them. Nothing here computes a result.
"""

from __future__ import annotations

import math
import os
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib as mpl
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from embsyntax.jobs import InputError

INK = "#222222"
MUTED = "#6b6b6b"
RULE = "#d9d9d9"
OURS = "#0072b2"
PUBLISHED = "#e69f00"
PUBLISHED_TEXT = "#8a5f00"
BOX = "#f3f6f9"
"""Colours; blue and orange of Okabe and Ito (2008), distinct to colour-blind eyes and in grey."""

STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
    "pdf.fonttype": 42,
    "svg.hashsalt": "embedding-syntax",
    "axes.unicode_minus": True,
}
"""Fonts that matplotlib ships, kept as text; a fixed salt, so that equal data give equal bytes."""

RESOLUTION = 300
"""Dots per inch of bitmaps."""

PROBING_COLUMNS = ["model", "sentence1", "sentence2", "cosine", "published"]

CONSTRUCTION_COLUMNS = ["stage", "item", "n", "text"]

STAGES = {
    "corpora": "Corpora",
    "perturbation": "Perturbation",
    "filter": "Filters",
    "annotation": "Scores 0-5",
    "validation": "Validation",
}
"""Steps of figure 2, in order; the benchmark itself is the last box."""

EXAMPLE_CHARACTERS = (25, 70)
"""Length of the sentence that figure 2 shows: not too short to show anything, fits its box."""

FIGURE_1 = "figure1"
"""How the table of published numbers names figure 1."""

SENTENCE_WIDTH = 34
"""Characters of a sentence per line in its box."""

LABEL_WIDTH = 26
"""Characters of the name of a model per line."""

WIDTH = 6.3
"""Inches: the text width of most journals and of the paper."""

ROW_HEIGHT = 0.36
"""Inches per model."""

HEAD_HEIGHT = 1.55
"""Inches for the sentences and the legend above the models."""

FOOT_HEIGHT = 0.55
"""Inches for the axis below the models."""


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure by its suffix (`.pdf`, `.png`, `.svg`), without date or program version.

    Args:
        figure: the figure.
        path: where to; an existing file is replaced.
    """
    suffix = Path(path).suffix.removeprefix(".")
    metadata: dict[str, dict[str, None]] = {
        "pdf": {"CreationDate": None, "ModDate": None, "Creator": None, "Producer": None},
        "png": {"Software": None},
        "svg": {"Date": None, "Creator": None},
    }
    with mpl.rc_context(STYLE):
        figure.savefig(path, dpi=RESOLUTION, metadata=metadata.get(suffix, {}), facecolor="white")


def build_probing_table(
    pairs: pd.DataFrame,
    similarities: Mapping[str, pd.DataFrame],
    published: Sequence[Mapping[str, str]],
) -> pd.DataFrame:
    """Set the cosine of the sentence pair of figure 1 beside the value that the paper prints.

    Args:
        pairs: the probing example: a single pair.
        similarities: the similarity of this pair (`pair_id, similarity`) by model.
        published: rows of the table of published numbers.

    Returns:
        A frame with `PROBING_COLUMNS`, one row per model, values 0-1: the models of the paper's
        figure first, in its order, then others. `cosine` is NaN for a model of the paper that was
        not run, `published` for a model that the paper's figure does not show.

    Raises:
        InputError: there is not exactly one pair, or a model's similarity is not that of this pair.
    """
    if len(pairs) != 1:
        raise InputError(
            f"the probing example has {len(pairs)} pairs; figure 1 shows exactly one: correct the "
            "suite probing_example of the corpora table"
        )
    pair = pairs.iloc[0]
    cosines = {}
    for model, frame in similarities.items():
        if list(frame["pair_id"]) != [pair["pair_id"]]:
            raise InputError(
                f"model {model!r}: its similarities are of the pairs "
                f"{', '.join(frame['pair_id']) or '(none)'}, the probing example is "
                f"{pair['pair_id']}: make them again"
            )
        cosines[model] = float(frame["similarity"].iloc[0])
    printed = {
        row["model"]: float(row["value"]) / 100 for row in published if row["item"] == FIGURE_1
    }
    return pd.DataFrame(
        [
            {
                "model": model,
                "sentence1": pair["sentence1"],
                "sentence2": pair["sentence2"],
                "cosine": cosines.get(model, math.nan),
                "published": printed.get(model, math.nan),
            }
            for model in dict.fromkeys((*printed, *cosines))
        ],
        columns=PROBING_COLUMNS,
    )


def plot_probing_example(table: pd.DataFrame, labels: Mapping[str, str]) -> Figure:
    """Draw figure 1: two sentences that mean opposite things, and how alike each model finds them.

    Args:
        table: from `build_probing_table`, at least one row.
        labels: names of models for readers, by id.

    Returns:
        The figure: the sentences in boxes, below them one line per model on an axis of 0 to 100
        (from the lowest value if that is negative), ours as a dot, the published value as a bar.

    Raises:
        InputError: the table is empty.
    """
    if table.empty:
        raise InputError(
            "figure 1 has no model to show; select one with the config key `models`, or restore "
            f"the rows of item {FIGURE_1} in the table of published numbers"
        )
    with mpl.rc_context(STYLE):
        height = HEAD_HEIGHT + ROW_HEIGHT * len(table) + FOOT_HEIGHT
        figure = Figure(figsize=(WIDTH, height))
        head = figure.add_axes((0.0, 1 - HEAD_HEIGHT / height, 1.0, HEAD_HEIGHT / height))
        _draw_sentences(head, table["sentence1"].iloc[0], table["sentence2"].iloc[0])
        bottom, share = FOOT_HEIGHT / height, ROW_HEIGHT * len(table) / height
        axes = figure.add_axes((0.31, bottom, 0.44, share))
        _draw_cosines(axes, table, labels)
    return figure


def _draw_sentences(axes: Axes, sentence1: str, sentence2: str) -> None:
    """Draw both sentences in boxes, joined by an arrow."""
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.set_axis_off()
    for left, sentence in ((0.04, sentence1), (0.56, sentence2)):
        box = FancyBboxPatch(
            (left, 0.5),
            0.40,
            0.36,
            boxstyle="round,pad=0,rounding_size=0.015",
            mutation_aspect=WIDTH / HEAD_HEIGHT,
            facecolor=BOX,
            edgecolor=MUTED,
        )
        axes.add_patch(box)
        text = "\n".join(textwrap.wrap(sentence, SENTENCE_WIDTH, max_lines=3, placeholder=" ..."))
        size = 12 if "\n" not in text else 8.5
        axes.text(left + 0.20, 0.68, text, ha="center", va="center", color=INK, fontsize=size)
    arrow = FancyArrowPatch(
        (0.45, 0.68), (0.55, 0.68), arrowstyle="<|-|>", mutation_scale=11, color=MUTED, lw=1
    )
    axes.add_patch(arrow)
    axes.text(
        0.5, 0.30, "How similar do models find these two sentences?", ha="center", color=MUTED
    )


def _draw_cosines(axes: Axes, table: pd.DataFrame, labels: Mapping[str, str]) -> None:
    """Draw one line per model: ours as a dot, the published value as a bar, both as numbers."""
    ours, published = 100 * table["cosine"], 100 * table["published"]
    lowest = min(0.0, float(pd.concat([ours, published]).min()))
    left = 20 * math.floor(lowest / 20)
    rows = range(len(table))
    axes.set(xlim=(left, 103), ylim=(len(table) - 0.5, -0.5))
    axes.hlines(rows, left, 100, color=RULE, lw=1, zorder=1)
    axes.scatter(published, rows, marker="|", s=200, color=PUBLISHED, lw=3, zorder=2)
    axes.scatter(ours, rows, marker="o", s=44, color=OURS, zorder=3, edgecolor="white", lw=0.8)
    names = [labels.get(name, name) for name in table["model"]]
    shown_names = [
        "\n".join(textwrap.wrap(name, LABEL_WIDTH, break_on_hyphens=False)) for name in names
    ]
    axes.set_yticks(list(rows), shown_names, color=INK, fontsize=8.5, linespacing=1.05)
    axes.tick_params(axis="y", length=0, pad=8)
    axes.tick_params(axis="x", color=MUTED, labelcolor=MUTED)
    axes.set_xticks(range(left, 101, 20))
    axes.set_xlabel("cosine of the two sentences x100", color=MUTED)
    axes.spines[["top", "left", "right"]].set_visible(False)
    axes.spines["bottom"].set(color=MUTED, bounds=(left, 100))
    across = axes.get_yaxis_transform()
    for offset, head, values, missing, colour in (
        (1.15, "\u25cf ours", ours, "not run", OURS),
        (1.40, "\u2503 paper", published, "\u2013", PUBLISHED_TEXT),
    ):
        axes.text(offset, -0.75, head, transform=across, ha="center", color=colour, weight="bold")
        for row, value in zip(rows, values, strict=True):
            is_missing = math.isnan(value)
            axes.text(
                offset,
                row,
                missing if is_missing else f"{value:.0f} %",
                transform=across,
                ha="center",
                va="center_baseline",
                color=MUTED if is_missing else colour,
                weight="normal" if is_missing else "bold",
            )


def build_construction_table(
    sentences: pd.DataFrame, sentence_drops: pd.DataFrame, drops: pd.DataFrame, pairs: pd.DataFrame
) -> pd.DataFrame:
    """Count what each step of the construction took in and gave out.

    Args:
        sentences: columns `corpus, sentence_id`.
        sentence_drops: columns `corpus, reason, n`.
        drops: columns `generator, corpus, dimension, status, reason, n` of all corpora.
        pairs: the pairs of the benchmark after validation.

    Returns:
        Columns `CONSTRUCTION_COLUMNS`: counts by stage, and with the stage `example` one sentence
        with one pair of each dimension (the first sentence of readable length that has a structure
        and a relation pair; its first pairs).

    Raises:
        InputError: there is no pair.
    """
    if pairs.empty:
        raise InputError("figure 2: the benchmark has no pair; see the drops of its corpora")
    rows: list[tuple[str, str, int | None, str]] = []
    for corpus, group in sentences.groupby("corpus", sort=True):
        rows.append(("corpora", corpus, len(group), ""))
    rows.append(("corpora", "dropped", int(sentence_drops["n"].sum()), ""))
    tried = drops[drops["status"] != "declined"]
    for dimension, group in tried.groupby("dimension", sort=True):
        rows.append(("perturbation", dimension, int(group["n"].sum()), ""))
    lost = drops[drops["status"] == "dropped"].groupby("reason")["n"].sum().sort_index()
    rows += [("filter", reason, int(n), "") for reason, n in lost.items()]
    for score, group in pairs.groupby("score", sort=True):
        rows.append(("annotation", f"score {int(score)}", len(group), ""))
    rows.append(("validation", "validated by people", int(pairs["is_validated"].sum()), ""))
    for dimension, group in pairs.groupby("dimension", sort=True):
        rows.append(("benchmark", dimension, len(group), ""))
    rows += _choose_example(pairs)
    table = pd.DataFrame(rows, columns=CONSTRUCTION_COLUMNS)
    return table.astype({"n": "Int64"})


def _choose_example(pairs: pd.DataFrame) -> list[tuple[str, str, int | None, str]]:
    lengths = pairs["sentence1"].str.len()
    fits = pairs[lengths.between(*EXAMPLE_CHARACTERS)]
    dimensions = fits.groupby("sentence_id", sort=False)["dimension"].agg(set)
    both = dimensions[[{"structure", "relation"} <= found for found in dimensions]]
    source = both.index[0] if len(both) else pairs["sentence_id"].iloc[0]
    chosen = pairs[pairs["sentence_id"] == source].drop_duplicates("dimension")
    example = [("example", "source", None, str(chosen["sentence1"].iloc[0]))]
    for _, pair in chosen.iterrows():
        example.append(("example", pair["dimension"], int(pair["score"]), pair["sentence2"]))
    return example


def plot_construction(table: pd.DataFrame, generator: str, track_note: str) -> Figure:
    """Draw figure 2: the steps from corpora to benchmark with the counts of this run.

    Args:
        table: from `build_construction_table`.
        generator: name of the generator, for its box.
        track_note: what to say of the data; empty for the real ones.

    Returns:
        The figure: a row of boxes joined by arrows, below it an example sentence and its pairs.
    """
    counts = {stage: part for stage, part in table.groupby("stage", sort=False)}
    bodies = {}
    for stage in STAGES:
        part = counts.get(stage, table.iloc[:0])
        bodies[stage] = [f"{item}: {n:,}" for item, n in zip(part["item"], part["n"], strict=True)]
    bodies["perturbation"] = [f"generator: {generator}", *bodies["perturbation"]]
    boxes = [*STAGES.items(), ("benchmark", "Benchmark")]
    bodies["benchmark"] = [
        f"{item}: {n:,}"
        for item, n in zip(counts["benchmark"]["item"], counts["benchmark"]["n"], strict=True)
    ]
    lines = max(len(_wrap_lines(body)) for body in bodies.values())
    head = 0.42 + 0.145 * lines
    example = counts["example"]
    foot = 0.34 + 0.3 * len(example)
    width = 1.35 * WIDTH
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width, head + foot + 0.2))
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        height = head + foot + 0.2
        axes.set(xlim=(0, width), ylim=(0, height))
        axes.set_axis_off()
        step = (width - 0.2) / len(boxes)
        for index, (stage, title) in enumerate(boxes):
            left = 0.1 + index * step
            _draw_box(axes, left, height - head - 0.1, step - 0.22, head, title, bodies[stage])
            if index:
                middle = height - 0.1 - head / 2
                arrow = FancyArrowPatch(
                    (left - 0.22, middle),
                    (left, middle),
                    arrowstyle="-|>",
                    mutation_scale=9,
                    color=MUTED,
                    lw=1,
                )
                axes.add_patch(arrow)
        top = foot
        for index, (_, line) in enumerate(example.iterrows()):
            y = top - 0.3 * (index + 0.5)
            score = "" if pd.isna(line["n"]) else f" (score {line['n']})"
            axes.text(0.1, y, f"{line['item']}{score}", color=MUTED, va="center", fontsize=8)
            text = textwrap.shorten(line["text"], 110, placeholder=" ...")
            axes.text(1.6, y, text, color=INK, va="center", fontsize=8, parse_math=False)
        if track_note:
            note = textwrap.shorten(f"Data: {track_note}", 140, placeholder=" ...")
            axes.text(0.1, 0.1, note, color=PUBLISHED_TEXT, va="center", fontsize=7)
    return figure


def _wrap_lines(body: Sequence[str]) -> list[str]:
    return [part for line in body for part in textwrap.wrap(line, 22, subsequent_indent="  ")]


def _draw_box(
    axes: Axes, left: float, bottom: float, width: float, height: float, title: str, body: list[str]
) -> None:
    """Draw a titled box with one line per count, in inches."""
    box = FancyBboxPatch(
        (left, bottom),
        width,
        height,
        boxstyle="round,pad=0,rounding_size=0.05",
        facecolor=BOX,
        edgecolor=MUTED,
    )
    axes.add_patch(box)
    top = bottom + height
    axes.text(left + 0.08, top - 0.16, title, color=INK, va="center", weight="bold", fontsize=8)
    for number, line in enumerate(_wrap_lines(body)):
        y = top - 0.36 - 0.145 * number
        axes.text(left + 0.08, y, line, color=INK, va="center", fontsize=6.5, parse_math=False)
