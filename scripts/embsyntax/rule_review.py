"""Quality of the perturbation rules: outputs drawn for raters, their judgements, the rates.

Raters see a source and an output, in an order that says nothing about the rule, and judge three
things (`QUESTIONS`). Whether the meaning relation is the intended one follows from the rule's
dimension, which they don't see. What is recorded holds no sentence, only the ids of the texts: the
corpora are not ours to pass on. Each record carries the hash of the rule's code, and the draw
depends on it, so that a changed rule needs a fresh draw and new judgements.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

from embsyntax.fluency_filter import choose_half, fit_threshold, measure_filter
from embsyntax.jobs import InputError
from embsyntax.tables import markdown_table

QUESTIONS = {
    "grammatical": ("yes", "no"),
    "meaning": ("same", "changed", "unclear"),
    "plausible": ("yes", "no"),
}
"""What a rater answers of each item, and with which words.

grammatical: the output is well-formed English, or no worse formed than its source; a marked but
well-formed order ("Gone was the dog") counts. meaning: whoever believes the source must believe the
output and the other way round (`same`), or not (`changed`). plausible: the output describes
something that could be meant.
"""

INTENDED = {"structure": "same", "relation": "changed", "lexical": "changed", "trap": "changed"}
"""Meaning that an output must have, by dimension of its rule."""

REVIEW_COLUMNS = [
    "rule",
    "code_hash",
    "n_outputs",
    "corpus",
    "sentence_id",
    "output_id",
    "perplexity_ratio",
]
"""What is recorded of a judged output; `n_outputs` is how many the rule had to draw from."""

PASSES = (1, 2)
ANSWER_COLUMNS = [f"{question}_{number}" for number in PASSES for question in QUESTIONS]

QUALITY_COLUMNS = [
    "rule",
    "dimension",
    "metric",
    "value",
    "ci_low",
    "ci_high",
    "n",
    "kappa",
    "is_default",
]

FILTER_COLUMNS = [
    "half",
    "threshold",
    "n",
    "n_kept",
    "share_kept",
    "grammatical_before",
    "grammatical_after",
]

GRAMMATICAL_GOAL = 0.99
"""Share of grammatical outputs that the fluency filter is fitted for."""

ALL_DEFAULT = "all rules on by default"
MIN_GRAMMATICAL, MIN_INTENDED = 0.80, 0.85
"""A rule below either is off by default."""
MIN_ALL_GRAMMATICAL, MIN_ALL_INTENDED = 0.88, 0.92
"""What the rules that are on reach together."""


def text_id(text: str) -> str:
    """Return the first 16 hex digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def draw_outputs(
    candidates: pd.DataFrame, code_hashes: Mapping[str, str], n_per_rule: int, seed: int
) -> pd.DataFrame:
    """Draw outputs of each rule at random.

    Args:
        candidates: columns `candidate_id, rule, corpus, sentence_id, sentence1, sentence2, status`.
        code_hashes: rule -> hash of its code; only these rules are drawn, and another hash gives
            another draw.
        n_per_rule: outputs per rule; all of them where a rule has fewer.
        seed: of the draw.

    Returns:
        Columns `item, candidate_id, status, rule, code_hash, n_outputs, corpus, sentence_id,
        output_id, sentence1, sentence2`; the items of all rules are mixed.
    """
    made = candidates[
        (candidates["status"] == "made") & candidates["rule"].isin(list(code_hashes))
    ].copy()
    made["code_hash"] = made["rule"].map(code_hashes)
    made["output_id"] = [text_id(text) for text in made["sentence2"]]
    made["item"] = [
        text_id(f"{seed}|{code}|{rule}|{sentence}|{output}")
        for code, rule, sentence, output in zip(
            made["code_hash"], made["rule"], made["sentence_id"], made["output_id"], strict=True
        )
    ]
    made = made.drop_duplicates("item").sort_values("item")
    made["n_outputs"] = made.groupby("rule")["item"].transform("size")
    drawn = made.groupby("rule").head(n_per_rule).sort_values("item", ignore_index=True)
    columns = ["item", "candidate_id", "status", *REVIEW_COLUMNS[:-1], "sentence1", "sentence2"]
    return drawn[columns]


def read_judgements(path: str | Path, items: Sequence[str]) -> pd.DataFrame:
    """Read the answers of one pass.

    Args:
        path: tab-separated, columns `item, grammatical, meaning, plausible`.
        items: ids that must be there, once each.

    Returns:
        One row per item, in the order of `items`.

    Raises:
        InputError: a column lacks, an id is unknown, missing or repeated, or an answer is not one
            of the allowed words.
    """
    label = Path(path).name
    table = pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)
    lacking = [name for name in ("item", *QUESTIONS) if name not in table.columns]
    if lacking:
        raise InputError(f"{label}: no column {', '.join(lacking)}; a pass has item and answers")
    repeated = table.loc[table["item"].duplicated(), "item"]
    if len(repeated):
        raise InputError(f"{label}: item {repeated.iloc[0]} is answered twice; keep one row")
    unknown = sorted(set(table["item"]) - set(items))
    missing = sorted(set(items) - set(table["item"]))
    if unknown or missing:
        raise InputError(
            f"{label}: {len(missing)} items without an answer ({', '.join(missing[:3])}), "
            f"{len(unknown)} unknown ({', '.join(unknown[:3])}); answer each item of the sheet once"
        )
    for question, allowed in QUESTIONS.items():
        wrong = table[~table[question].isin(allowed)]
        if len(wrong):
            first = wrong.iloc[0]
            raise InputError(
                f"{label}, item {first['item']}, column {question}: {first[question]!r}; allowed: "
                f"{', '.join(allowed)}"
            )
    return table.set_index("item").loc[list(items)].reset_index()


def record_judgements(
    drawn: pd.DataFrame, passes: Sequence[pd.DataFrame], ratios: Mapping[str, float]
) -> pd.DataFrame:
    """Put the answers of both passes beside the ids of what was judged, without any text.

    Args:
        drawn: from `draw_outputs`.
        passes: two tables from `read_judgements`, in the order of `drawn`.
        ratios: candidate -> perplexity of the output per perplexity of the source; missing
            where no model judged it.

    Returns:
        `REVIEW_COLUMNS` and `ANSWER_COLUMNS`.
    """
    record = drawn.assign(perplexity_ratio=drawn["candidate_id"].map(ratios))[REVIEW_COLUMNS].copy()
    for number, answers in zip(PASSES, passes, strict=True):
        for question in QUESTIONS:
            record[f"{question}_{number}"] = answers[question].to_numpy()
    return record.sort_values(["rule", "sentence_id", "output_id"], ignore_index=True)


def read_reviews(path: str | Path) -> pd.DataFrame:
    """Read recorded judgements.

    Raises:
        InputError: a column lacks.
    """
    table = pd.read_csv(path, sep="\t", dtype={"code_hash": str, "sentence_id": str})
    lacking = [name for name in [*REVIEW_COLUMNS, *ANSWER_COLUMNS] if name not in table.columns]
    if lacking:
        raise InputError(f"{Path(path).name}: no column {', '.join(lacking)}")
    return table


def judge_reviews(reviews: pd.DataFrame, dimensions: Mapping[str, str]) -> pd.DataFrame:
    """Turn answers into right and wrong.

    Args:
        reviews: from `read_reviews`.
        dimensions: rule -> its dimension.

    Returns:
        Columns `rule` and, for each pass, `grammatical_i`, `intended_i`, `plausible_i` (booleans).
    """
    wanted = reviews["rule"].map(dimensions).map(INTENDED)
    judged = reviews[["rule"]].copy()
    for number in PASSES:
        judged[f"grammatical_{number}"] = reviews[f"grammatical_{number}"] == "yes"
        judged[f"intended_{number}"] = reviews[f"meaning_{number}"] == wanted
        judged[f"plausible_{number}"] = reviews[f"plausible_{number}"] == "yes"
    return judged


def tabulate_quality(
    reviews: pd.DataFrame,
    dimensions: Mapping[str, str],
    defaults: Mapping[str, bool],
    confidence: float,
) -> pd.DataFrame:
    """Return the share of good outputs by rule and over all rules that are on.

    Args:
        reviews: from `read_reviews`.
        dimensions: rule -> its dimension.
        defaults: rule -> whether it is on by default.
        confidence: share of the Wilson interval, which counts items and not judgements.

    Returns:
        Columns `QUALITY_COLUMNS`, metrics `grammatical`, `intended`, `plausible`: mean of both
        passes, with Cohen's kappa of the passes (empty where all answers are equal).
    """
    judged = judge_reviews(reviews, dimensions)
    on = judged["rule"].map(defaults).astype(bool)
    groups = [(rule, part) for rule, part in judged.groupby("rule", sort=True)]
    if on.any():
        groups.append((ALL_DEFAULT, judged[on]))
    records = []
    for rule, part in groups:
        for metric in ("grammatical", "intended", "plausible"):
            first, second = (part[f"{metric}_{number}"].to_numpy() for number in PASSES)
            value, n = float((first.mean() + second.mean()) / 2), len(part)
            low, high = proportion_confint(value * n, n, alpha=1 - confidence, method="wilson")
            records.append(
                {
                    "rule": rule,
                    "dimension": dimensions.get(rule, ""),
                    "metric": metric,
                    "value": value,
                    "ci_low": low,
                    "ci_high": high,
                    "n": n,
                    "kappa": passes_kappa(first, second),
                    "is_default": defaults.get(rule, True),
                }
            )
    return pd.DataFrame(records, columns=QUALITY_COLUMNS)


def passes_kappa(first: np.ndarray, second: np.ndarray) -> float:
    """Return Cohen's kappa of two passes of yes and no; NaN where every answer is the same."""
    if len(np.unique(np.concatenate([first, second]))) < 2:
        return np.nan
    table = np.zeros((2, 2))
    np.add.at(table, (first.astype(int), second.astype(int)), 1)
    return float(cohens_kappa(table, return_results=False))


def try_fluency_filter(reviews: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Set a limit on the perplexity ratio on half of the judged outputs, measure it on the other.

    An output is good if both passes call it grammatical.

    Args:
        reviews: from `read_reviews`, with perplexity ratios.
        seed: of the division.

    Returns:
        A row per half (`fitted`, `held out`): `half, threshold, n, n_kept, share_kept,
        grammatical_before, grammatical_after`; shares 0-1. No row where ratios are missing.
    """
    known = reviews[reviews["perplexity_ratio"].notna()]
    if known.empty:
        return pd.DataFrame(columns=FILTER_COLUMNS)
    good = ((known["grammatical_1"] == "yes") & (known["grammatical_2"] == "yes")).to_numpy()
    ratios = known["perplexity_ratio"].to_numpy()
    ids = known["rule"] + known["sentence_id"] + known["output_id"]
    half = choose_half(list(ids), seed)
    fitted = fit_threshold(ratios[half], good[half], GRAMMATICAL_GOAL)
    held_out = measure_filter(ratios[~half], good[~half], fitted.threshold)
    rows = [
        (
            name,
            effect.threshold,
            effect.n,
            effect.n_kept,
            effect.share_kept,
            effect.share_good,
            effect.share_good_kept,
        )
        for name, effect in (("fitted", fitted), ("held out", held_out))
    ]
    return pd.DataFrame(rows, columns=FILTER_COLUMNS)


def filter_markdown(table: pd.DataFrame) -> str:
    """Return what `try_fluency_filter` found as a section of Markdown; empty without rows."""
    rows = [
        [
            line["half"],
            f"{line['threshold']:.2f}",
            f"{line['n']:,}",
            f"{100 * line['share_kept']:.1f}",
            f"{100 * line['grammatical_before']:.1f}",
            f"{100 * line['grammatical_after']:.1f}",
        ]
        for _, line in table.iterrows()
    ]
    header = ["half", "limit", "outputs", "kept", "grammatical before", "after"]
    if not rows:
        return ""
    return (
        "\n## What a fluency filter would do\n\n"
        "Limit on the perplexity of the output per perplexity of its source under a small language "
        f"model, set on one half for {100 * GRAMMATICAL_GOAL:g} % grammatical outputs (by both "
        "passes) and measured on the other; shares in percent. It is off "
        "(`sr.filters.max_perplexity_ratio`).\n\n" + markdown_table(header, rows, right=header[1:])
    )


def quality_markdown(table: pd.DataFrame, off_because: Mapping[str, str], raters: str) -> str:
    """Return the quality of the rules as Markdown.

    Args:
        table: from `tabulate_quality`.
        off_because: rule -> why it is off; empty for rules that are on.
        raters: who judged, in words.

    Returns:
        One row per rule: shares in percent with intervals, agreement of the passes.
    """
    rows = []
    for rule, part in table.groupby("rule", sort=False):
        cells = part.set_index("metric")
        shown = [
            f"{100 * cells.loc[metric, 'value']:.0f} [{100 * cells.loc[metric, 'ci_low']:.0f}, "
            f"{100 * cells.loc[metric, 'ci_high']:.0f}]"
            for metric in ("grammatical", "intended", "plausible")
        ]
        kappas = [
            "" if np.isnan(cells.loc[metric, "kappa"]) else f"{cells.loc[metric, 'kappa']:.2f}"
            for metric in ("grammatical", "intended")
        ]
        first = cells.iloc[0]
        name = rule if rule == ALL_DEFAULT else f"`{rule}`"
        why = off_because.get(rule, "")
        rows.append([name, first["dimension"], str(first["n"]), *shown, *kappas, why])
    header = ["rule", "dimension", "n", "grammatical", "intended", "plausible"]
    header += ["kappa of grammatical", "kappa of intended", "off because"]
    return (
        "# Quality of the perturbation rules\n\n"
        f"Random outputs, judged without knowing the rule, in two independent passes. {raters} "
        "Shares in percent, mean of both passes, with intervals over outputs. These judgements are "
        "no human validation and do not enter tables 1-3.\n\n"
        + markdown_table(header, rows, right=header[2:8])
    )


def table7_markdown(sentence: str, table: pd.DataFrame) -> str:
    """Return table 7 as Markdown: one sentence through every perturbation.

    Args:
        sentence: the sentence.
        table: columns `dimension, perturbation, rule, is_default, expected_score, sentence2,
            reason`.
    """
    rows = [
        [
            line["dimension"],
            line["perturbation"],
            f"`{line['rule']}`" + ("" if line["is_default"] else " (off)"),
            str(line["expected_score"]),
            line["sentence2"] or f"declined: {line['reason']}",
        ]
        for _, line in table.iterrows()
    ]
    header = ["dimension", "perturbation", "rule", "score", "result"]
    return (
        f"# Table 7: one sentence through every perturbation\n\nSource: {sentence}\n\n"
        + markdown_table(header, rows, right=["score"])
    )
