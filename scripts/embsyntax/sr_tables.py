"""Tables of the regenerated benchmark: 1-3 and 4-6 of the paper, and the two tracks compared.

Numbers of the paper stand beside ours only as what the paper printed for its own data: nothing here
is a re-scoring of the released pairs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from embsyntax import stats
from embsyntax.contrast import AUC, CONTRAST
from embsyntax.registry import Model
from embsyntax.scores import SPEARMAN, TIE_CEILING, ScoreSettings
from embsyntax.tables import (
    CORPUS_LABELS,
    UNDEFINED,
    format_estimate,
    format_percent,
    kind_of,
    lay_out_models,
    layout_markdown,
    markdown_table,
    note_paragraph,
    order_corpora,
)
from embsyntax.validation import EXAMPLE, NOT_VALIDATED, Agreement

PAPER_DIMENSIONS = ("structure", "relation")
LEXICAL = "lexical"
CEILING_LABEL = "tie ceiling: the most that any predictor without ties can reach"
CEILING = "ceiling"

VALIDATION_TABLES = {"stsb": 1, "twitter": 2, "cqadupstack": 3}
"""Corpus of each validation table of the paper (appendix, tables 1-3)."""

REVISION_RATE = "revision_rate"
"""Metric of the published tables 1-3, in percent."""

TREE_KERNEL = "tree_kernel_similarity"
"""Metric of the published table 5, x100."""

VALIDATION_COLUMNS = [
    "table",
    "corpus",
    "dimension",
    "original_samples",
    "modified_samples",
    "rejected_samples",
    "rate",
    "ci_low",
    "ci_high",
    "published_rate",
    "status",
]

MODELS_FOR_CORRELATION = 3
MODELS_FOR_INTERVAL = 5
"""Fewest models for a rank correlation between tracks, and for its interval."""

TRACK_COLUMNS = [
    "generator",
    "dimension",
    "corpus",
    "models",
    "metric",
    "value",
    "ci_low",
    "ci_high",
    "n",
    "reason",
]


def build_regenerated_table4(
    scores: pd.DataFrame,
    contrasts: pd.DataFrame,
    models: Mapping[str, Model],
    published_order: Mapping[tuple[str, str, str], float],
) -> pd.DataFrame:
    """Lay the scores on a regenerated suite out as table 4, with ceilings and AUC beside them.

    Args:
        scores: score tables of all models on the suite.
        contrasts: tables of `embsyntax.contrast.score_contrast` of all models.
        models: the catalogue.
        published_order: from `index_published`; only its order is used, since the paper's numbers
            are about other pairs.

    Returns:
        As `embsyntax.tables.build_table4`, with one row `tie_ceiling` (kind `ceiling`) for each of
        the two dimensions, and a third block `structure_over_relation` of AUC x100.
    """
    wanted = scores["dimension"].isin(PAPER_DIMENSIONS)
    values = scores[wanted & (scores["metric"] == SPEARMAN)]
    ceilings = (
        scores[wanted & (scores["metric"] == TIE_CEILING)]
        .drop_duplicates(["dimension", "corpus"])
        .assign(model=TIE_CEILING)
    )
    blocks = pd.concat([values, ceilings, contrasts[contrasts["metric"] == AUC]], ignore_index=True)
    order = pd.Categorical(blocks["dimension"], [*PAPER_DIMENSIONS, CONTRAST])
    blocks = blocks.assign(order=order).sort_values("order", kind="stable")
    table = lay_out_models(blocks, models, published_order, shows_published=False)
    is_ceiling = table["model"] == TIE_CEILING
    table.loc[is_ceiling, ["label", "kind"]] = [CEILING_LABEL, CEILING]
    table = table[~(is_ceiling & (table["dimension"] == CONTRAST))]
    place = table["dimension"].map([*PAPER_DIMENSIONS, CONTRAST].index)
    return (
        table.assign(place=place, last=table["kind"] == CEILING)
        .sort_values(["place", "last"], kind="stable")
        .drop(columns=["place", "last"])
        .reset_index(drop=True)
    )


def regenerated_table4_markdown(
    tables: Mapping[str, pd.DataFrame], settings: ScoreSettings, track_note: str
) -> str:
    """Return table 4 of the regenerated track as Markdown, a part per generator.

    Args:
        tables: generator -> its table from `build_regenerated_table4`.
        settings: the numbers of the bootstrap, for the caption.
        track_note: what to say of the data; empty for the real ones.
    """
    parts = [
        "# Table 4 on the regenerated track\n\n",
        note_paragraph(track_note),
        "Pairs made by this pipeline, not the released ones: the numbers are no reproduction of "
        "table 4. Spearman correlation of similarity and score, x100, with its "
        f"{format_percent(settings.confidence)} interval ({settings.resamples:,} resamples of "
        "anchors). With scores that are constant per rule, Spearman measures how well a model "
        "orders rules; the tie ceiling says how much of it can be reached, and the AUC (x100, "
        "chance 50) how often a model puts a structure pair above a relation pair of the same "
        "sentence.\n",
    ]
    for generator, table in tables.items():
        parts.append(f"\n# Generator `{generator}`\n{layout_markdown(table)}")
    return "".join(parts)


def build_table6(
    scores: pd.DataFrame,
    models: Mapping[str, Model],
    published: Mapping[tuple[str, str, str], float],
) -> pd.DataFrame:
    """Lay the lexical scores out as table 6 of the paper, its numbers below ours.

    Args:
        scores: score tables of all models on a regenerated suite.
        models: the catalogue.
        published: from `index_published` for table 6.

    Returns:
        As `embsyntax.tables.build_table4`.
    """
    chosen = (scores["dimension"] == LEXICAL) & (scores["metric"] == SPEARMAN)
    return lay_out_models(scores[chosen], models, published, shows_published=True)


def table6_markdown(
    tables: Mapping[str, pd.DataFrame], settings: ScoreSettings, track_note: str
) -> str:
    """Return table 6 as Markdown, a part per generator."""
    parts = [
        "# Table 6: lexical perturbations\n\n",
        note_paragraph(track_note),
        "Spearman correlation of similarity and score, x100, with its "
        f"{format_percent(settings.confidence)} interval. The paper's lexical pairs were never "
        "released: *its numbers*, below ours, are about other pairs. Where scores are constant per "
        "rule, the length alone tells insertions from replacements: read the baselines first.\n",
    ]
    for generator, table in tables.items():
        parts.append(f"\n# Generator `{generator}`\n{layout_markdown(table)}")
    return "".join(parts)


def rank_correlations(
    released: pd.Series, regenerated: pd.Series, resamples: int, confidence: float, seed: int
) -> list[tuple[str, stats.Estimate, stats.Interval, int]]:
    """Correlate how two tracks rank the same models.

    Args:
        released: value by model.
        regenerated: value by model; models that lack a value on either side are left out.
        resamples: how many times the models are drawn anew.
        confidence: share of the percentile interval.
        seed: of the resamples.

    Returns:
        Metric, estimate, interval and number of models, for Spearman and Kendall's tau-b.
    """
    both = pd.concat([released, regenerated], axis=1, join="inner").dropna().to_numpy()
    n = len(both)
    generator = np.random.default_rng(seed)
    draws = [generator.integers(0, n, n) for _ in range(resamples)] if n else []
    found = []
    for metric, measure in (
        (SPEARMAN, lambda data: stats.spearman(data[:, 0], data[:, 1]).value),
        ("kendall", lambda data: float(kendalltau(data[:, 0], data[:, 1]).statistic)),
    ):
        if n < MODELS_FOR_CORRELATION:
            why = f"{n} models on both tracks; a rank correlation needs {MODELS_FOR_CORRELATION}"
            found.append(
                (metric, stats.Estimate(math.nan, why), stats.Interval(math.nan, math.nan, why), n)
            )
            continue
        if np.ptp(both, axis=0).min() == 0:
            why = "all models have the same value on a track"
            found.append(
                (metric, stats.Estimate(math.nan, why), stats.Interval(math.nan, math.nan, why), n)
            )
            continue
        value = stats.Estimate(measure(both))
        if n < MODELS_FOR_INTERVAL:
            why = f"no interval from fewer than {MODELS_FOR_INTERVAL} models"
            found.append((metric, value, stats.Interval(math.nan, math.nan, why), n))
            continue
        drawn = [measure(both[rows]) for rows in draws if np.ptp(both[rows], axis=0).min() > 0]
        interval = stats.percentile_interval(np.array(drawn), confidence)
        found.append((metric, value, interval, n))
    return found


def build_track_comparison(
    released: pd.DataFrame,
    regenerated: Mapping[str, pd.DataFrame],
    models: Mapping[str, Model],
    settings: ScoreSettings,
) -> pd.DataFrame:
    """Ask whether both tracks rank models alike.

    Args:
        released: score tables on the released suite.
        regenerated: generator -> score tables on its suite.
        models: the catalogue; baselines are compared with and without.
        settings: the numbers of the bootstrap (models are drawn anew).

    Returns:
        Columns `TRACK_COLUMNS`; `models` says `embedding models` or `with baselines`.
    """
    records = []
    for generator, scores in regenerated.items():
        for dimension in PAPER_DIMENSIONS:
            sides = [
                side[(side["dimension"] == dimension) & (side["metric"] == SPEARMAN)]
                for side in (released, scores)
            ]
            corpora = order_corpora(
                name for name in sides[0]["corpus"] if name in set(sides[1]["corpus"])
            )
            for corpus in corpora:
                values = [
                    side[side["corpus"] == corpus].set_index("model")["value"] for side in sides
                ]
                for kind in ("embedding models", "with baselines"):
                    chosen = [
                        side[
                            [
                                kind == "with baselines" or kind_of(m, models) == "model"
                                for m in side.index
                            ]
                        ]
                        for side in values
                    ]
                    for metric, estimate, interval, n in rank_correlations(
                        *chosen, settings.resamples, settings.confidence, settings.seed
                    ):
                        records.append(
                            (
                                generator,
                                dimension,
                                corpus,
                                kind,
                                metric,
                                estimate.value,
                                interval.low,
                                interval.high,
                                n,
                                estimate.reason or interval.reason,
                            )
                        )
    return pd.DataFrame(records, columns=TRACK_COLUMNS)


def track_comparison_markdown(table: pd.DataFrame, track_note: str) -> str:
    """Return the comparison of the tracks as Markdown."""
    rows = [
        [
            line["generator"],
            line["dimension"],
            CORPUS_LABELS.get(line["corpus"], line["corpus"]),
            line["models"],
            line["metric"],
            _format_correlation(line["value"], line["ci_low"], line["ci_high"]),
            str(line["n"]),
            line["reason"],
        ]
        for _, line in table.iterrows()
    ]
    header = ["generator", "dimension", "corpus", "models", "metric", "correlation", "n", "note"]
    return (
        "# Released and regenerated track\n\n"
        + note_paragraph(track_note)
        + "Rank correlation of the models' Spearman scores on the released files with those on the "
        "regenerated pairs; intervals over models. 1: both tracks rank models alike.\n\n"
        + markdown_table(header, rows, right=["correlation", "n"])
    )


def _format_correlation(value: float, low: float, high: float) -> str:
    if math.isnan(value):
        return UNDEFINED
    return f"{value:.2f}" if math.isnan(low) else f"{value:.2f} [{low:.2f}, {high:.2f}]"


def index_validation(published: Sequence[Mapping[str, str]]) -> dict[tuple[str, str], float]:
    """Return the published revision rates in percent by corpus and dimension (tables 1-3)."""
    return {
        (row["corpus"], row["dimension"]): float(row["value"])
        for row in published
        if row["metric"] == REVISION_RATE
    }


def build_validation_table(
    rates: pd.DataFrame,
    published: Mapping[tuple[str, str], float],
    sampled: pd.DataFrame,
    status: str,
) -> pd.DataFrame:
    """Lay revision rates out as tables 1-3 of the paper.

    Args:
        rates: `embsyntax.validation.revision_rates` by corpus and dimension; empty if no sheet was
            filled.
        published: (corpus, dimension) -> published rate in percent.
        sampled: columns `corpus, dimension` of the drawn pairs.
        status: who filled the sheets; replaced by "not yet validated" where nobody did.

    Returns:
        Columns `VALIDATION_COLUMNS`; rates 0-1, empty where nothing was validated.
    """
    known = rates.set_index(["corpus", "dimension"]).to_dict("index")
    records = []
    in_order = [name for name in VALIDATION_TABLES if name in set(sampled["corpus"])]
    others = [name for name in order_corpora(sampled["corpus"]) if name not in in_order]
    for corpus in in_order + others:
        for dimension in PAPER_DIMENSIONS:
            if not ((sampled["corpus"] == corpus) & (sampled["dimension"] == dimension)).any():
                continue
            row = known.get((corpus, dimension), {})
            records.append(
                {
                    "table": VALIDATION_TABLES.get(corpus, ""),
                    "corpus": corpus,
                    "dimension": dimension,
                    **row,
                    "published_rate": published.get((corpus, dimension), math.nan) / 100,
                    "status": status if row else NOT_VALIDATED,
                }
            )
    table = pd.DataFrame(records, columns=VALIDATION_COLUMNS)
    counts = ["original_samples", "modified_samples", "rejected_samples"]
    return table.astype(dict.fromkeys(counts, "Int64"))


def validation_markdown(
    table: pd.DataFrame,
    by_rule: pd.DataFrame,
    agreements: Sequence[Agreement],
    confidence: float,
    track_note: str,
) -> str:
    """Return tables 1-3, false accepts by rule and the raters' agreement as Markdown."""
    mark = f" ({EXAMPLE})" if EXAMPLE in set(table["status"]) else ""
    parts = [
        f"# Tables 1-3: validation by people{mark}\n\n",
        note_paragraph(track_note),
        "Share of sampled pairs that a rater revised or rejected (modified), in percent, with its "
        f"{format_percent(confidence)} Wilson interval; the paper's rates are about its own "
        "pairs.\n\n",
    ]
    rows = []
    for _, line in table.iterrows():
        is_open = line["status"] == NOT_VALIDATED
        rows.append(
            [
                str(line["table"]),
                CORPUS_LABELS.get(line["corpus"], line["corpus"]),
                line["dimension"],
                "" if is_open else str(line["original_samples"]),
                "" if is_open else str(line["modified_samples"]),
                "" if is_open else format_estimate(line["rate"], line["ci_low"], line["ci_high"]),
                "" if math.isnan(line["published_rate"]) else f"{100 * line['published_rate']:.2f}",
                line["status"],
            ]
        )
    header = ["table", "corpus", "dimension", "sampled", "modified", "rate", "published", "status"]
    parts.append(markdown_table(header, rows, right=["sampled", "modified", "rate", "published"]))
    if len(by_rule):
        parts.append(f"\n## Accepted by the filters, not by the raters: by rule{mark}\n\n")
        rows = [
            [
                line["rule"],
                str(line["original_samples"]),
                str(line["modified_samples"]),
                format_estimate(line["rate"], line["ci_low"], line["ci_high"]),
            ]
            for _, line in by_rule.iterrows()
        ]
        header = ["rule", "reviewed", "modified", "rate"]
        parts.append(markdown_table(header, rows, right=header[1:]))
    parts.append(f"\n## Agreement of raters on the verdict{mark}\n\n")
    rows = [
        [
            agreement.metric,
            _format_correlation(
                agreement.estimate.value, agreement.interval.low, agreement.interval.high
            ),
            str(agreement.n),
            str(agreement.n_raters),
            agreement.estimate.reason,
        ]
        for agreement in agreements
    ]
    header = ["coefficient", "value", "pairs", "raters", "note"]
    parts.append(markdown_table(header, rows, right=["value", "pairs", "raters"]))
    return "".join(parts)


def build_table5(measured: pd.DataFrame, published: Sequence[Mapping[str, str]]) -> pd.DataFrame:
    """Put the measured tree-kernel similarities above the paper's (table 5).

    Args:
        measured: columns `corpus, tree, n_trees, n_available, value, ci_low, ci_high`.
        published: rows of the table of published numbers.

    Returns:
        The same columns and `published`; the paper's corpora have rows of their own, since it
        measured others.
    """
    rows = [
        {"corpus": row["corpus"], "tree": "constituency", "published": float(row["value"]) / 100}
        for row in published
        if row["metric"] == TREE_KERNEL
    ]
    ours = measured.set_index("corpus").loc[order_corpora(measured["corpus"])].reset_index()
    table = pd.concat([ours, pd.DataFrame(rows)], ignore_index=True)
    return table.astype({"n_trees": "Int64", "n_available": "Int64"})


def table5_markdown(table: pd.DataFrame, decay: float, confidence: float, track_note: str) -> str:
    """Return table 5 as Markdown.

    Args:
        table: columns `corpus, tree, n_trees, value, ci_low, ci_high, published`.
        decay: of the kernel.
        confidence: share of the intervals.
        track_note: what to say of the data; empty for the real ones.
    """
    rows = [
        [
            CORPUS_LABELS.get(line["corpus"], line["corpus"]),
            line["tree"],
            "" if pd.isna(line["n_trees"]) else f"{int(line['n_trees']):,}",
            ""
            if pd.isna(line["value"])
            else f"{line['value']:.4f} [{line['ci_low']:.4f}, {line['ci_high']:.4f}]",
            "" if pd.isna(line["published"]) else f"{line['published']:.3f}",
        ]
        for _, line in table.iterrows()
    ]
    header = ["corpus", "trees", "n", "mean similarity", "published"]
    return (
        "# Table 5: tree-kernel similarity\n\n"
        + note_paragraph(track_note)
        + "Mean normalised subset-tree kernel (Collins & Duffy 2002) of two different random trees "
        f"of a corpus, decay {decay:g}, with its {format_percent(confidence)} interval over trees; "
        "lower means more varied syntax. Trees named `dependency` are grammatical-relation trees "
        "made from a dependency parse, not the constituency trees of the paper, so the published "
        "numbers compare only in kind.\n\n"
        + markdown_table(header, rows, right=["n", "mean similarity", "published"])
    )
