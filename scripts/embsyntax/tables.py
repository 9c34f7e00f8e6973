"""Lay scores out as tables for people: the board of a suite, and table 4 of the paper.

Scores come in as values 0-1. The board's TSV keeps them so; Markdown and LaTeX, and table 4 in all
its forms, print them times 100 with two decimals, as the paper does.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

import pandas as pd

from embsyntax.registry import Model
from embsyntax.scores import AVERAGE, SPEARMAN, TIE_CEILING, ScoreSettings, rank_groups

PAPER_CORPORA = ("stsb", "sickr", "askubuntu", "cqadupstack", "twitter", "biosses")
"""Order of the columns of table 4 (Zhang et al. 2023)."""

CORPUS_LABELS = {
    "stsb": "STS-B",
    "sickr": "SICK-R",
    "askubuntu": "AskUbuntu",
    "cqadupstack": "CQADupStack",
    "twitter": "Twitter",
    "biosses": "BIOSSES",
    AVERAGE: "Avg.",
}

PAPER_LABELS = {
    "structure": "Structural heuristics",
    "relation": "Relational understanding",
    "lexical": "Lexical",
    "structure_over_relation": "Structure above relation (AUC)",
}

TABLE_4, TABLE_6 = "table4", "table6"
"""How the table of published numbers names tables 4 and 6."""

BOARD_COLUMNS = [
    "suite",
    "dimension",
    "corpus",
    "model",
    "label",
    "kind",
    "metric",
    "value",
    "ci_low",
    "ci_high",
    "n",
    "n_anchors",
    "rank_group",
    "tie_ceiling",
    "n_parameters",
    "licence",
    "training_sets",
    "reason",
]

UNDEFINED = "undefined"


def format_points(value: float) -> str:
    """Return a value 0-1 times 100 with two decimals, without a negative zero; empty if NaN."""
    if value is None or math.isnan(value):
        return ""
    text = f"{100 * value:.2f}"
    return text.removeprefix("-") if float(text) == 0 else text


def format_percent(share: float) -> str:
    """Return a share 0-1 as a percentage without needless zeros, such as `95 %`."""
    return f"{100 * share:g} %"


def format_estimate(value: float, low: float, high: float) -> str:
    """Return `value [low, high]` times 100; the value alone where it has no interval."""
    if math.isnan(value):
        return UNDEFINED
    if math.isnan(low):
        return format_points(value)
    return f"{format_points(value)} [{format_points(low)}, {format_points(high)}]"


def escape_markdown(text: str) -> str:
    """Make a text safe as a cell of a Markdown table."""
    return " ".join(str(text).split()).replace("\\", "\\\\").replace("|", "\\|")


def escape_latex(text: str) -> str:
    """Make a text safe in LaTeX."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {character: "\\" + character for character in "&%$#_{}"}
    return "".join(special.get(character, character) for character in text)


def markdown_table(
    header: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[str]
) -> str:
    """Return a Markdown table.

    Args:
        header: names of the columns.
        rows: cells, as many as the header has.
        right: names of the columns that are aligned right, as numbers are.

    Returns:
        The table, ending with a line feed.
    """
    rule = ["---:" if name in right else "---" for name in header]
    lines = [header, rule, *[[escape_markdown(cell) for cell in row] for row in rows]]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def note_paragraph(track_note: str) -> str:
    """Return the note on the data as a paragraph; empty when there is none."""
    return f"**Data: {track_note}.**\n\n" if track_note else ""


def order_corpora(corpora: Iterable[str]) -> list[str]:
    """Put the paper's corpora in the paper's order, others after them, the average last."""
    names = list(dict.fromkeys(corpora))
    known = [name for name in PAPER_CORPORA if name in names]
    others = [name for name in names if name not in known and name != AVERAGE]
    return known + others + ([AVERAGE] if AVERAGE in names else [])


def label_of(model: str, models: Mapping[str, Model]) -> str:
    """Return the label of a model; its id when the catalogue doesn't know it."""
    return models[model].label if model in models else model


def kind_of(model: str, models: Mapping[str, Model]) -> str:
    """Return `baseline` or `model`."""
    is_baseline = model in models and models[model].backend == "baseline"
    return "baseline" if is_baseline else "model"


def format_parameters(n_parameters: int | None) -> str:
    """Return a parameter count in millions; empty when unknown."""
    return "" if n_parameters is None else f"{n_parameters / 1e6:,.0f} M"


def build_board(
    scores: pd.DataFrame, comparisons: pd.DataFrame, models: Mapping[str, Model], suite: str
) -> pd.DataFrame:
    """Rank the models of a suite, with intervals, rank groups and what is known of each model.

    Args:
        scores: the score tables of all models, one below the other.
        comparisons: paired comparisons of the same models.
        models: the catalogue.
        suite: name of the suite.

    Returns:
        A tidy frame with `BOARD_COLUMNS`, values 0-1, the best model of each corpus and dimension
        first.
    """
    board = scores[scores["metric"] == SPEARMAN].copy()
    board["rank_group"] = rank_groups(board, comparisons)
    ceilings = scores[scores["metric"] == TIE_CEILING].drop_duplicates(["corpus", "dimension"])
    ceilings = ceilings.set_index(["corpus", "dimension"])["value"]
    keys = pd.MultiIndex.from_frame(board[["corpus", "dimension"]])
    board["tie_ceiling"] = ceilings.reindex(keys).to_numpy()
    board["suite"] = suite
    board["label"] = [label_of(name, models) for name in board["model"]]
    board["kind"] = [kind_of(name, models) for name in board["model"]]
    known = [models.get(name) for name in board["model"]]
    board["n_parameters"] = pd.array(
        [model.n_parameters if model else None for model in known], dtype="Int64"
    )
    board["licence"] = [model.licence if model else "" for model in known]
    board["training_sets"] = [model.training_sets if model else "" for model in known]
    dimensions = list(dict.fromkeys(board["dimension"]))
    corpora = order_corpora(board["corpus"])
    board["dimension_order"] = board["dimension"].map(dimensions.index)
    board["corpus_order"] = board["corpus"].map(corpora.index)
    board = board.sort_values(
        ["dimension_order", "corpus_order", "value", "model"],
        ascending=[True, True, False, True],
        na_position="last",
        kind="stable",
    )
    return board[BOARD_COLUMNS].reset_index(drop=True)


def board_markdown(
    board: pd.DataFrame,
    settings: ScoreSettings,
    false_discovery_rate: float,
    definitions: Mapping[str, str],
    models: Mapping[str, Model],
    track_note: str,
) -> str:
    """Return the board as Markdown.

    Args:
        board: from `build_board`.
        settings: the numbers of the bootstrap, for the explanation.
        false_discovery_rate: level of the comparisons, for the explanation.
        definitions: what each baseline does, by the name that stands in its `source`.
        models: the catalogue.
        track_note: what to say of the data; empty for the real ones.

    Returns:
        The text.
    """
    suite = board["suite"].iloc[0]
    parts = [
        f"# Board: {suite}\n\n",
        note_paragraph(track_note),
        "Spearman correlation of similarity and score, x100, with its "
        f"{format_percent(settings.confidence)} percentile interval in brackets "
        f"({settings.resamples:,} bootstrap resamples of anchors). `#` is the rank group: 1 + the "
        "number of models that are significantly better (paired bootstrap on shared resamples, "
        "Benjamini-Hochberg over all pairs of models of a column at "
        f"{format_percent(false_discovery_rate)}). The tie ceiling is the highest "
        "correlation that a predictor without ties can reach, as many scores are equal. "
        f"Similarities are rounded to {settings.cosine_decimals} decimals and then ranked.\n",
    ]
    reasons: dict[str, int] = {}
    for dimension in dict.fromkeys(board["dimension"]):
        part = board[board["dimension"] == dimension]
        corpora = order_corpora(part["corpus"])
        leading = part[part["corpus"] == corpora[-1]]
        cells = part.set_index(["model", "corpus"])
        rows = []
        for _, line in leading.iterrows():
            row = ["" if pd.isna(line["rank_group"]) else str(line["rank_group"]), line["label"]]
            for corpus in corpora:
                cell = cells.loc[(line["model"], corpus)]
                text = format_estimate(cell["value"], cell["ci_low"], cell["ci_high"])
                if pd.isna(cell["rank_group"]):
                    number = reasons.setdefault(cell["reason"], len(reasons) + 1)
                    row.append(f"{text} ({number})")
                else:
                    mark = ""
                    if math.isnan(cell["ci_low"]):
                        number = reasons.setdefault(cell["reason"], len(reasons) + 1)
                        mark = f" ({number})"
                    row.append(f"{text} #{cell['rank_group']}{mark}")
            rows.append(row)
        ceilings = part.drop_duplicates("corpus").set_index("corpus")["tie_ceiling"]
        counts = part.drop_duplicates("corpus").set_index("corpus")["n"]
        rows.append(["", "tie ceiling", *[format_points(ceilings[name]) for name in corpora]])
        rows.append(["", "pairs", *[f"{counts[name]:,}" for name in corpora]])
        names = [CORPUS_LABELS.get(name, name) for name in corpora]
        table = markdown_table(["#", "model", *names], rows, right=names)
        parts += [f"\n## {dimension}\n\n", table]
    if reasons:
        parts += ["\n", *[f"({number}) {reason}.\n" for reason, number in reasons.items()]]
    parts += describe_models(list(dict.fromkeys(board["model"])), models, definitions)
    return "".join(parts)


def describe_models(
    ids: Sequence[str], models: Mapping[str, Model], definitions: Mapping[str, str]
) -> list[str]:
    """Return the sections that say what the models and baselines of a board are.

    Args:
        ids: of the models, in the order of the board.
        models: the catalogue.
        definitions: what each baseline does, by the name that stands in its `source`.

    Returns:
        Parts of a Markdown text; none without a model or baseline.
    """
    parts = []
    rows = []
    for name in ids:
        if kind_of(name, models) == "baseline":
            continue
        known = models.get(name)
        facts = (
            (format_parameters(known.n_parameters), known.licence, known.training_sets or "unknown")
            if known
            else ("", "", "unknown")
        )
        rows.append((label_of(name, models), name, *facts))
    if rows:
        parts += [
            "\n## Models\n\n",
            "A model that was trained on a corpus, or on what the corpus was made from, is not "
            "zero-shot there.\n\n",
            markdown_table(
                ["model", "id", "parameters", "licence", "training sets"],
                rows,
                right=["parameters"],
            ),
        ]
    baselines = [name for name in ids if kind_of(name, models) == "baseline"]
    if baselines:
        parts.append("\n## Baselines without a model\n\n")
        for name in baselines:
            text = definitions.get(models[name].location, "no definition")
            parts.append(f"- `{name}`: {text}\n")
    return parts


def is_published_model(published: str, model: str, models: Mapping[str, Model]) -> bool:
    """Say whether a model of this run is the one that a published number is about.

    Args:
        published: id or paper name in the table of published numbers.
        model: id of a model of this run.
        models: the catalogue.

    Returns:
        True if the ids agree or both are the same row of the paper.
    """
    row = models[model].paper_row if model in models else ""
    published_row = models[published].paper_row if published in models else published
    return published == model or (bool(row) and row == published_row)


def index_published(
    published: Sequence[Mapping[str, str]],
    board_models: Sequence[str],
    models: Mapping[str, Model],
    item: str,
) -> dict[tuple[str, str, str], float]:
    """Find the numbers of a table of the paper for the models of this run.

    Args:
        published: rows of the table of published numbers, in the paper's order.
        board_models: ids of the models of this run.
        models: the catalogue.
        item: `TABLE_4` or `TABLE_6`.

    Returns:
        (model id, dimension, corpus) -> published value x100; models stand in the paper's order.
    """
    return {
        (model, row["dimension"], row["corpus"]): float(row["value"])
        for row in published
        if row["item"] == item
        for model in board_models
        if is_published_model(row["model"], model, models)
    }


def build_table4(
    scores: pd.DataFrame,
    models: Mapping[str, Model],
    published: Mapping[tuple[str, str, str], float],
    is_released_data: bool,
) -> pd.DataFrame:
    """Lay scores out as table 4: blocks of dimensions, one row per model, one column per corpus.

    Args:
        scores: the score tables of all models on the released suite, one below the other.
        models: the catalogue.
        published: from `index_published`; its order decides the order of the paper's models.
        is_released_data: False when bundled data stand in for the released files; then no published
            number is set beside ours.

    Returns:
        A frame of text: `dimension, model, label, kind` and for each corpus `<corpus>`,
        `<corpus>_ci_low`, `<corpus>_ci_high`, `<corpus>_published`, x100 with two decimals, empty
        where undefined. The paper's models come first, then others, then baselines.
    """
    values = scores[scores["metric"] == SPEARMAN]
    return lay_out_models(values, models, published, is_released_data)


def lay_out_models(
    values: pd.DataFrame,
    models: Mapping[str, Model],
    published: Mapping[tuple[str, str, str], float],
    shows_published: bool,
) -> pd.DataFrame:
    """Lay one metric out in blocks of dimensions, one row per model, one column per corpus.

    Args:
        values: rows of score tables, one per model, dimension and corpus.
        models: the catalogue.
        published: (model, dimension, corpus) -> published value x100; the models stand in its
            order.
        shows_published: False leaves the published numbers out.

    Returns:
        See `build_table4`.
    """
    corpora = order_corpora(values["corpus"])
    ids = list(dict.fromkeys(values["model"]))
    in_paper = [name for name in dict.fromkeys(key[0] for key in published) if name in ids]
    others = [name for name in ids if name not in in_paper and kind_of(name, models) == "model"]
    baselines = [name for name in ids if name not in in_paper and name not in others]
    cells = values.set_index(["model", "dimension", "corpus"])[["value", "ci_low", "ci_high"]]
    records = []
    for dimension in dict.fromkeys(values["dimension"]):
        for model in in_paper + others + baselines:
            record = {
                "dimension": dimension,
                "model": model,
                "label": label_of(model, models),
                "kind": kind_of(model, models),
            }
            for corpus in corpora:
                key = (model, dimension, corpus)
                value, low, high = cells.loc[key] if key in cells.index else (math.nan,) * 3
                record[corpus] = format_points(value)
                record[f"{corpus}_ci_low"] = format_points(low)
                record[f"{corpus}_ci_high"] = format_points(high)
                number = published.get(key, math.nan) if shows_published else math.nan
                record[f"{corpus}_published"] = format_points(number / 100)
            records.append(record)
    return pd.DataFrame(records)


def table4_corpora(table: pd.DataFrame) -> list[str]:
    """Return the names of the corpora of a table from `build_table4`."""
    return [
        name.removesuffix("_published") for name in table.columns if name.endswith("_published")
    ]


def table4_markdown(table: pd.DataFrame, settings: ScoreSettings, track_note: str) -> str:
    """Return table 4 as Markdown, each published number beside ours.

    Args:
        table: from `build_table4`.
        settings: the numbers of the bootstrap, for the caption.
        track_note: what to say of the data; empty for the real ones.

    Returns:
        The text.
    """
    heading = (
        "# Table 4: the released benchmark, re-scored\n\n"
        f"{note_paragraph(track_note)}"
        "Spearman correlation of similarity and score, x100: ours with its "
        f"{format_percent(settings.confidence)} interval ({settings.resamples:,} resamples of "
        "anchors), and below it *the published value*, where there is one. The paper cuts its "
        "averages after two decimals; ours are rounded.\n"
    )
    return heading + layout_markdown(table)


def layout_markdown(table: pd.DataFrame) -> str:
    """Return a table from `lay_out_models` as Markdown, a section per dimension.

    Args:
        table: text cells, x100.

    Returns:
        The sections, each with its title.
    """
    corpora = table4_corpora(table)
    parts = []
    for dimension in dict.fromkeys(table["dimension"]):
        rows = []
        for _, line in table[table["dimension"] == dimension].iterrows():
            cells = []
            for corpus in corpora:
                text = line[corpus] or UNDEFINED
                if line[f"{corpus}_ci_low"]:
                    text += f" [{line[f'{corpus}_ci_low']}, {line[f'{corpus}_ci_high']}]"
                if line[f"{corpus}_published"]:
                    text += f"<br>*{line[f'{corpus}_published']}*"
                cells.append(text)
            label = line["label"] + ("" if line["kind"] == "model" else f" ({line['kind']})")
            rows.append([label, *cells])
        names = [CORPUS_LABELS.get(name, name) for name in corpora]
        title = PAPER_LABELS.get(dimension, dimension)
        table_text = markdown_table(["model", *names], rows, right=names)
        parts += [f"\n## {title} (`{dimension}`)\n\n", table_text]
    return "".join(parts)


def table4_latex(table: pd.DataFrame, settings: ScoreSettings, track_note: str) -> str:
    r"""Return table 4 as a LaTeX `tabular`, ours with intervals.

    Args:
        table: from `build_table4`.
        settings: the numbers of the bootstrap, for the leading comment.
        track_note: what to say of the data; empty for the real ones.

    Returns:
        The text; it needs `\usepackage{booktabs}`.
    """
    lead = (
        f"Spearman x100 with {format_percent(settings.confidence)} intervals, "
        f"{settings.resamples} resamples."
    )
    return layout_latex(table, lead, track_note)


def layout_latex(table: pd.DataFrame, lead: str, track_note: str) -> str:
    r"""Return a table from `lay_out_models` as a LaTeX `tabular`.

    Args:
        table: text cells, x100.
        lead: what the numbers are, for the leading comment.
        track_note: what to say of the data; empty for the real ones.

    Returns:
        The text; it needs `\usepackage{booktabs}`.
    """
    corpora = table4_corpora(table)
    width = len(corpora) + 1
    lines = [
        rf"% Needs \usepackage{{booktabs}}. {lead}",
        rf"\begin{{tabular}}{{l{'r' * len(corpora)}}}",
        r"\toprule",
    ]
    if track_note:
        note = escape_latex(f"Data: {track_note}")
        lines += [rf"\multicolumn{{{width}}}{{l}}{{{note}}} \\", r"\midrule"]
    names = [escape_latex(CORPUS_LABELS.get(name, name)) for name in corpora]
    lines.append(" & ".join(["Model", *names]) + r" \\")
    for dimension in dict.fromkeys(table["dimension"]):
        title = escape_latex(PAPER_LABELS.get(dimension, dimension))
        lines += [r"\midrule", rf"\multicolumn{{{width}}}{{c}}{{\textit{{{title}}}}} \\"]
        part = table[table["dimension"] == dimension]
        previous = "model"
        for _, line in part.iterrows():
            if line["kind"] != previous:
                lines.append(rf"\cmidrule(lr){{1-{width}}}")
                previous = line["kind"]
            cells = []
            for corpus in corpora:
                text = line[corpus].replace("-", "$-$") or "--"
                if line[f"{corpus}_ci_low"]:
                    interval = f"[{line[f'{corpus}_ci_low']}, {line[f'{corpus}_ci_high']}]"
                    text += rf" {{\scriptsize {interval.replace('-', '$-$')}}}"
                cells.append(text)
            lines.append(" & ".join([escape_latex(line["label"]), *cells]) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines) + "\n"
