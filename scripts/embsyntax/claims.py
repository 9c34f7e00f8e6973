"""Judge each published number by ours: it matches, it differs, or it was not run, and why.

Numbers stand here as the paper prints them, times 100. On the released track a number matches when
ours lies within the tolerance. On the retraining track, where the paper gives neither seeds nor
intervals, it matches when it lies in our interval over seeds. A cosine that the paper prints as a
whole percentage is rounded in the same way first.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from embsyntax.jobs import InputError
from embsyntax.registry import Model
from embsyntax.scores import AVERAGE, SPEARMAN
from embsyntax.tables import is_published_model, markdown_table, note_paragraph

RELEASED, RETRAINING, REGENERATED = "released", "retraining", "regenerated"
TRIPLES = "triples"
"""The track of the dataset card's numbers."""

MATCHES, DIFFERS, NOT_RUN = "matches", "differs", "not run"

LEXICAL, COSINE = "lexical", "cosine"

ROUNDING_SLACK = 1e-9
"""Room for the last bit of a float when a difference equals the tolerance."""

PUBLISHED_COLUMNS = [
    "claim",
    "item",
    "track",
    "model",
    "condition",
    "corpus",
    "dimension",
    "metric",
    "value",
    "source_note",
]

COUNTS = (
    "generated",
    "skipped",
    "unparsed",
    "paraphrase_rejected",
    "trap_rejected",
    "low_overlap",
    "kept",
)
"""Metrics that are whole numbers as printed, not times 100."""

PUBLISHED_WORDS = {
    "track": (RELEASED, REGENERATED, RETRAINING, TRIPLES),
    "dimension": ("", "structure", "relation", LEXICAL, "similarity", "tree_kernel"),
    "metric": (
        SPEARMAN,
        "pearson",
        COSINE,
        "correlation",
        "revision_rate",
        "tree_kernel_similarity",
        "keep_rate",
        *COUNTS,
    ),
}
"""Words that these columns of the published numbers may hold; `""` is written `-`."""

MAX_PUBLISHED = 100
"""Largest published value that is no count; they are all times 100."""

CLAIM_COLUMNS = [
    "claim",
    "item",
    "track",
    "model",
    "condition",
    "corpus",
    "dimension",
    "metric",
    "published",
    "ours",
    "ci_low",
    "ci_high",
    "runs",
    "verdict",
    "reason",
]

BUNDLED_DATA = "the data of this run are bundled sentences, not the released files"

LEXICAL_NOT_RELEASED = "the lexical pairs are not among the released files"

NO_RELEASED_SAMPLE = (
    "the sampled pairs were not released; for the pairs made anew see results/tables/validation"
)

FILTER_ITEMS = ("filter_statistics", "filter_statistics_cross")
"""The filter statistics of the dataset card: of the main generator, and of the cross generator."""

JUDGED_ELSEWHERE = {
    **dict.fromkeys(
        FILTER_ITEMS, "set beside ours in results/tables/filter_statistics_published.md"
    ),
    "agreement": "judged in results/tables/annotator_agreement.md, where an annotator was run",
    "table1": NO_RELEASED_SAMPLE,
    "table2": NO_RELEASED_SAMPLE,
    "table3": NO_RELEASED_SAMPLE,
    "table5": "neither corpus nor trees were released; see results/tables/table5_tree_kernel.md",
}
"""Items whose numbers this table cannot judge, and where to look."""

TRACK_NOT_RUN = {
    RETRAINING: "needs retraining, which is not part of this run",
    REGENERATED: "needs pairs made anew, which are not part of this run",
}

TRUNCATED_AVERAGE = "the paper cuts its averages after two decimals; ours is compared uncut"


@dataclass(frozen=True)
class Evidence:
    """What this run measured for a claim.

    Attributes:
        value: ours, x100.
        ci_low: lower end of the interval, x100; NaN without an interval.
        ci_high: upper end of the interval, x100; NaN without an interval.
        runs: how many runs stand behind it, at least 1.
        model: id of the model that was run.
    """

    value: float
    ci_low: float
    ci_high: float
    runs: int
    model: str


def read_published(rows: Sequence[Mapping[str, str]], path: str) -> list[dict[str, str]]:
    """Check the table of published numbers.

    Args:
        rows: from `registry.read_table`.
        path: where they came from, for messages.

    Returns:
        The rows.

    Raises:
        InputError: if there is no row, the columns are others, a value is no number or out of
            range, a track, dimension or metric is unknown, or a claim is listed twice.
    """
    if not rows:
        raise InputError(f"{path}: no published number in it; restore the file")
    if list(rows[0]) != PUBLISHED_COLUMNS:
        missing = [column for column in PUBLISHED_COLUMNS if column not in rows[0]]
        others = [column for column in rows[0] if column not in PUBLISHED_COLUMNS]
        raise InputError(
            f"{path}: missing column(s): {', '.join(missing) or 'none'}; unknown column(s): "
            f"{', '.join(others) or 'none'}; allowed, in this order: {', '.join(PUBLISHED_COLUMNS)}"
        )
    seen: set[str] = set()
    for number, row in enumerate(rows, start=1):
        try:
            is_finite = math.isfinite(float(row["value"]))
        except ValueError:
            is_finite = False
        if not is_finite:
            raise InputError(
                f"{path}, row {number}, column value: {row['value']!r} is no number; "
                "give the published value times 100"
            )
        for column, allowed in PUBLISHED_WORDS.items():
            if row[column] not in allowed:
                raise InputError(
                    f"{path}, row {number}, column {column}: {row[column]!r}; allowed: "
                    f"{', '.join(word or '-' for word in allowed)}"
                )
        if row["metric"] in COUNTS:
            if not row["value"].isdecimal():
                raise InputError(
                    f"{path}, row {number}, column value: {row['value']!r} is no count; give a "
                    "whole number from 0"
                )
        elif abs(float(row["value"])) > MAX_PUBLISHED:
            raise InputError(
                f"{path}, row {number}, column value: {row['value']} is not within "
                f"-{MAX_PUBLISHED} to {MAX_PUBLISHED}; give the published value times 100"
            )
        if row["claim"] in seen:
            raise InputError(
                f"{path}, row {number}, column claim: {row['claim']!r} stands there twice; "
                "each claim needs a name of its own"
            )
        seen.add(row["claim"])
    return [dict(row) for row in rows]


def judge_value(
    published: float, evidence: Evidence, track: str, tolerance: float
) -> tuple[str, str]:
    """Compare a published number with ours.

    Args:
        published: x100.
        evidence: ours, x100.
        track: `released` (tolerance) or `retraining` (interval over seeds).
        tolerance: largest difference that still matches, x100.

    Returns:
        The verdict and the reason.
    """
    difference = evidence.value - published
    if track == RETRAINING:
        if math.isnan(evidence.ci_low):
            return NOT_RUN, "one run gives no interval over seeds"
        is_match = evidence.ci_low <= published <= evidence.ci_high
        where = "inside" if is_match else "outside"
        return MATCHES if is_match else DIFFERS, f"published value {where} our interval over seeds"
    is_match = abs(difference) <= tolerance + ROUNDING_SLACK
    shown = f"difference {difference:+.2f}".replace("-0.00", "0.00").replace("+0.00", "0.00")
    if is_match:
        return MATCHES, shown
    return DIFFERS, f"{shown}, more than {tolerance:g}"


def index_scores(scores: pd.DataFrame) -> dict[tuple[str, str, str, str], pd.Series]:
    """Return (model, corpus, dimension, metric) -> its row of the score tables."""
    return {
        (row["model"], row["corpus"], row["dimension"], row["metric"]): row
        for _, row in scores.iterrows()
    }


def find_models(
    published: str, board_models: Sequence[str], models: Mapping[str, Model]
) -> list[str]:
    """Return the models of this run that a published row is about, the same id first."""
    found = [name for name in board_models if is_published_model(published, name, models)]
    return sorted(found, key=lambda name: name != published)


def explain_absent_model(published: str, models: Mapping[str, Model]) -> str:
    """Say why a model has no result in this run."""
    known = [name for name in models if is_published_model(published, name, models)]
    if known and all(models[name].backend == "endpoint" for name in known):
        return f"needs an API key: {known[0]} is not among the models of this run"
    return f"{known[0] if known else published} is not among the models of this run"


@dataclass(frozen=True)
class RunResults:
    """All that this run measured.

    Attributes:
        scores: the score tables on the released suite, values 0-1.
        probing: model -> cosine of the sentence pair of figure 1.
        board_models: ids of the models of this run.
        models: the catalogue.
    """

    scores: pd.DataFrame
    probing: Mapping[str, float]
    board_models: Sequence[str]
    models: Mapping[str, Model]


def find_evidence(
    row: Mapping[str, str],
    results: RunResults,
    indexed: Mapping[tuple[str, str, str, str], pd.Series],
) -> Evidence | str:
    """Find what this run says of a published number.

    Args:
        row: a published number.
        results: what was measured.
        indexed: the scores, from `index_scores`.

    Returns:
        The evidence, or why there is none.
    """
    if row["dimension"] == LEXICAL:
        return LEXICAL_NOT_RELEASED
    if row["item"] in JUDGED_ELSEWHERE:
        return JUDGED_ELSEWHERE[row["item"]]
    if row["track"] != RELEASED:
        return TRACK_NOT_RUN.get(row["track"], f"nothing here measures the track {row['track']!r}")
    measured = list(results.probing) if row["metric"] == COSINE else list(results.board_models)
    found = find_models(row["model"], measured, results.models)
    if not found:
        return explain_absent_model(row["model"], results.models)
    model = found[0]
    if row["metric"] == COSINE:
        return Evidence(float(round(100 * results.probing[model])), math.nan, math.nan, 1, model)
    score = indexed.get((model, row["corpus"], row["dimension"], row["metric"]))
    if score is None:
        cell = f"{row['metric']} of {row['corpus']} {row['dimension']}"
        return f"this run has no {cell} for {model}"
    if math.isnan(score["value"]):
        return f"undefined: {score['reason']}"
    return Evidence(100 * score["value"], 100 * score["ci_low"], 100 * score["ci_high"], 1, model)


def judge_claims(
    published: Sequence[Mapping[str, str]],
    results: RunResults,
    tolerance: float,
    is_released_data: bool,
) -> pd.DataFrame:
    """Give each published number its verdict.

    Args:
        published: rows from `read_published`, values x100.
        results: what was measured.
        tolerance: largest difference that still matches on the released track, x100.
        is_released_data: False when bundled data stand in for the released files; then nothing
            can be judged.

    Returns:
        A frame with `CLAIM_COLUMNS`, values x100, one row per published number, in their order.
    """
    indexed = index_scores(results.scores)
    records = []
    for row in published:
        evidence = find_evidence(row, results, indexed) if is_released_data else BUNDLED_DATA
        record = {column: row[column] for column in CLAIM_COLUMNS if column in row}
        record |= {
            "published": float(row["value"]),
            "ours": math.nan,
            "ci_low": math.nan,
            "ci_high": math.nan,
            "runs": 0,
        }
        if isinstance(evidence, str):
            records.append(record | {"verdict": NOT_RUN, "reason": evidence})
            continue
        verdict, reason = judge_value(record["published"], evidence, row["track"], tolerance)
        reasons = [reason]
        if row["corpus"] == AVERAGE and row["metric"] == SPEARMAN:
            reasons.append(TRUNCATED_AVERAGE)
        if row["metric"] == COSINE:
            reasons.append("ours is rounded to whole percent, as the paper prints it")
        if evidence.model != row["model"] and row["model"] in results.models:
            reasons.append(f"measured with {evidence.model}")
        remark = row["source_note"].partition("; ")[2]
        if verdict == DIFFERS and remark and row["corpus"] != AVERAGE:
            reasons.append(remark)
        records.append(
            record
            | {
                "ours": evidence.value,
                "ci_low": evidence.ci_low,
                "ci_high": evidence.ci_high,
                "runs": evidence.runs,
                "verdict": verdict,
                "reason": "; ".join(reasons),
            }
        )
    return explain_averages(pd.DataFrame(records, columns=CLAIM_COLUMNS))


def explain_averages(claims: pd.DataFrame) -> pd.DataFrame:
    """Name the corpora that differ beside each average that differs.

    Args:
        claims: from `judge_claims`, its reasons not yet complete.

    Returns:
        The same frame with longer reasons.
    """
    keys = ["item", "model", "dimension"]
    differing = claims[claims["verdict"] == DIFFERS]
    cells = differing[differing["corpus"] != AVERAGE].groupby(keys)["corpus"].agg(", ".join)
    explained = claims.copy()
    for index, row in differing[differing["corpus"] == AVERAGE].iterrows():
        corpora = cells.get(tuple(row[keys]))
        if corpora:
            explained.loc[index, "reason"] += f"; of its corpora, {corpora} differs"
    return explained


def format_number(value: float) -> str:
    """Return a number with two decimals; empty if NaN."""
    return "" if math.isnan(value) else f"{value:.2f}"


def claims_markdown(
    claims: pd.DataFrame, tolerance: float, confidence: float, track_note: str
) -> str:
    """Return the claims table as Markdown: a summary, then one section per item of the paper.

    Args:
        claims: from `judge_claims`.
        tolerance: x100, for the explanation.
        confidence: coverage of the intervals.
        track_note: what to say of the data; empty for the real ones.

    Returns:
        The text.
    """
    verdicts = (MATCHES, DIFFERS, NOT_RUN)
    items = list(dict.fromkeys(claims["item"]))
    summary = []
    for item in items:
        counts = Counter(claims.loc[claims["item"] == item, "verdict"])
        summary.append([item, *[str(counts[verdict]) for verdict in verdicts]])
    parts = [
        "# Claims: published numbers and ours\n\n",
        note_paragraph(track_note),
        f"Numbers x100. On the released track a number matches when ours differs by at most "
        f"{tolerance:g}; on the retraining track when it lies in our interval over seeds. "
        f"Intervals are {100 * confidence:g} %.\n\n",
        markdown_table(["item", *verdicts], summary, right=verdicts),
    ]
    if claims["metric"].isin(COUNTS).any():
        parts.append("\nCounts of the filter stand as printed.\n")
    header = ["model", "condition", "corpus", "dimension", "metric"]
    header += ["published", "ours", "interval", "runs", "verdict", "reason"]
    for item in items:
        rows = []
        for _, line in claims[claims["item"] == item].iterrows():
            low, high = format_number(line["ci_low"]), format_number(line["ci_high"])
            rows.append(
                [
                    *[line[name] for name in header[:5]],
                    f"{line['published']:.0f}"
                    if line["metric"] in COUNTS
                    else format_number(line["published"]),
                    format_number(line["ours"]),
                    f"[{low}, {high}]" if low else "",
                    str(line["runs"]),
                    line["verdict"],
                    line["reason"],
                ]
            )
        parts += [f"\n## {item}\n\n", markdown_table(header, rows, right=header[5:9])]
    return "".join(parts)
