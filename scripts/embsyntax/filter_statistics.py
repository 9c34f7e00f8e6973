"""Counts of the triples' filter: what became of every generation, and the published counts beside.

Each row of ours adds up to what was generated; the published rows do not, and what they leave
unexplained stands beside them. Rates are stored as 0-1 and shown in percent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pandas as pd
from statsmodels.stats.proportion import proportion_confint

from embsyntax.claims import DIFFERS, FILTER_ITEMS, MATCHES, NOT_RUN, TRIPLES
from embsyntax.jobs import InputError
from embsyntax.tables import format_percent, markdown_table, note_paragraph
from embsyntax.trap_types import TRAP_TYPES
from embsyntax.triple_filter import (
    FILTERED_COLUMNS,
    KEPT,
    LOW_OVERLAP,
    PARAPHRASE_REJECTED,
    REASONS,
    TRAP_REJECTED,
)
from embsyntax.triple_settings import DECLARED, FilterLimits, FilterRun
from embsyntax.triple_splits import require_columns

ALL = "all"
"""Row of all trap types together."""

STATISTICS_COLUMNS = (
    "generator",
    "judge",
    "trap_type",
    "generated",
    *REASONS,
    "keep_rate",
    "is_filtered",
)

LAYOUT = ("skipped", "unparsed", PARAPHRASE_REJECTED, TRAP_REJECTED, LOW_OVERLAP, KEPT)
"""Outcomes in the published layout, in its order."""

MAIN, CROSS = FILTER_ITEMS
"""The two published tables: of the main generator, and of the one that wrote xgen_test."""

OURS, PUBLISHED = "ours", "published"
NOT_COMPARABLE = "not comparable"

COMPARED_COLUMNS = (
    "item",
    "trap_type",
    "run",
    "generator",
    "judge",
    "generated",
    *LAYOUT,
    "keep_rate",
    "ci_low",
    "ci_high",
    "remainder",
    "is_filtered",
    "verdict",
    "reason",
)

PUBLISHED_LIMITS = FilterLimits(0.7, 0.5, 0.7, 4)
PUBLISHED_CANDIDATES = 4
"""Limits and candidates per seed and type of the dataset card (steps 2 and 3)."""

NO_SECOND_GENERATOR = "no second generator in this run"
NOTHING_GENERATED = "nothing was generated"

HEADLINES = {
    "trap_type": "Trap type",
    "generated": "Generated",
    "request_failed": "Request failed",
    "skipped": "Skipped",
    "unparsed": "Unparsed",
    "edit_check_failed": "Edit check failed",
    "paraphrase_rejected": "Paraphrase rejected",
    "trap_rejected": "Trap rejected",
    "low_overlap": "Low overlap",
    "too_many_new_words": "Too many new words",
    "kept": "Kept",
    "keep_rate": "Keep rate",
}


def tabulate_statistics(
    filtered: Mapping[str, pd.DataFrame], judge: str, filtered_types: Sequence[str]
) -> pd.DataFrame:
    """Count what became of the candidates of each generator and trap type.

    Args:
        filtered: generator -> its candidates, from `triple_filter.filter_candidates`.
        judge: who filtered them.
        filtered_types: trap types on which the judge is a filter.

    Returns:
        `STATISTICS_COLUMNS`, a row per generator and type and one for all types; the keep rate
        (0-1) is NaN where nothing was generated. All types together count as filtered when each
        type with a candidate does.

    Raises:
        InputError: a frame is of another generator or judge, or a row does not add up.
    """
    records = []
    for generator, frame in filtered.items():
        require_columns(frame, FILTERED_COLUMNS, "table of filtered candidates")
        for column, expected in (("generator", generator), ("judge", judge)):
            strange = frame.loc[frame[column] != expected, column]
            if len(strange):
                raise InputError(
                    f"filtered candidates of {generator!r}, column {column}: "
                    f"{strange.iloc[0]!r}; allowed: {expected!r}. Filter them again."
                )
        for name in (*TRAP_TYPES, ALL):
            part = frame if name == ALL else frame[frame["type"] == name]
            counts = part["reason"].value_counts()
            types = set(part["type"]) if name == ALL else {name}
            records.append(
                {
                    "generator": generator,
                    "judge": judge,
                    "trap_type": name,
                    "generated": len(part),
                    **{reason: int(counts.get(reason, 0)) for reason in REASONS},
                    "keep_rate": int(part["kept"].sum()) / len(part) if len(part) else math.nan,
                    "is_filtered": bool(types) and types <= set(filtered_types),
                }
            )
    table = pd.DataFrame(records, columns=list(STATISTICS_COLUMNS))
    check_statistics(table)
    return table


def check_statistics(table: pd.DataFrame) -> None:
    """Check that every outcome of every generation is counted once.

    Args:
        table: `STATISTICS_COLUMNS`.

    Raises:
        InputError: the outcomes of a row do not add up to what was generated, the types of a
            generator not to its row of all types, or a keep rate is not that of its row.
    """
    require_columns(table, STATISTICS_COLUMNS, "filter statistics")
    remedy = "Filter the candidates again."
    for row in table.to_dict("records"):
        place = f"filter statistics, generator {row['generator']!r}, trap type {row['trap_type']!r}"
        total = sum(row[reason] for reason in REASONS)
        if total != row["generated"]:
            raise InputError(
                f"{place}: the outcomes add up to {total}, not to the {row['generated']} "
                f"generated; allowed outcomes: {', '.join(REASONS)}. {remedy}"
            )
        rate = row[KEPT] / row["generated"] if row["generated"] else math.nan
        if not (math.isclose(rate, row["keep_rate"]) or rate != rate != row["keep_rate"]):
            raise InputError(f"{place}: keep rate {row['keep_rate']}, not {rate}. {remedy}")
    numbers = ["generated", *REASONS]
    for generator, part in table.groupby("generator", sort=False):
        is_all = part["trap_type"] == ALL
        together, types = part.loc[is_all, numbers], part.loc[~is_all, numbers].sum()
        if len(together) != 1 or (together.iloc[0] != types).any():
            raise InputError(
                f"filter statistics, generator {generator!r}: the trap types do not add up to one "
                f"row {ALL!r}. {remedy}"
            )


def statistics_markdown(
    table: pd.DataFrame,
    limits: FilterLimits,
    max_false_accept: float,
    track_note: str,
) -> str:
    """Return the statistics as Markdown, a section per generator.

    Args:
        table: from `tabulate_statistics`.
        limits: of the filter.
        max_false_accept: most traps of a type, as a share, that a judge may let pass (0-1).
        track_note: what to say of the data; empty for the real ones.
    """
    parts = ["# Filter statistics of the triples\n\n", note_paragraph(track_note)]
    parts.append(
        "What became of every generation (a seed and a trap type); each row adds up to "
        "`Generated`. Of several reasons the first in the order of the columns counts. "
        f"{describe_limits(limits)}\n\n"
    )
    header = [HEADLINES[name] for name in ("trap_type", "generated", *REASONS, "keep_rate")]
    for generator, part in table.groupby("generator", sort=False):
        judge = part["judge"].iloc[0]
        rows = [
            [
                mark_type(row["trap_type"], row["is_filtered"]),
                *(str(row[name]) for name in ("generated", *REASONS)),
                format_rate(row["keep_rate"]),
            ]
            for row in part.to_dict("records")
        ]
        parts += [f"## Generator {generator}, judge {judge}\n\n", describe_judge(part)]
        parts += [markdown_table(header, rows, right=header[1:]), "\n"]
    parts.append(
        f"`unfiltered`: the judge is no entailment model, was not measured in this run, or takes "
        f"more than {format_percent(max_false_accept)} of the probes' traps of this type for "
        "paraphrases. `n/a`: nothing was generated.\n"
    )
    return "".join(parts)


def describe_limits(limits: FilterLimits) -> str:
    """Say in a sentence what passes the filter."""
    return (
        f"Kept: entailment of the paraphrase at least {limits.min_paraphrase:g} both ways, of the "
        f"trap below {limits.max_trap:g} at least one way, at least "
        f"{format_percent(limits.min_overlap)} of the anchor's words in the trap, at most "
        f"{limits.max_new_words} new ones."
    )


def describe_judge(part: pd.DataFrame) -> str:
    """Say in a paragraph whether an entailment model has looked at the candidates."""
    if part["judge"].iloc[0] == DECLARED:
        return (
            "No entailment model has looked at these candidates: paraphrase and trap are what the "
            "generator declares.\n\n"
        )
    return ""


def mark_type(name: str, is_filtered: bool) -> str:
    """Return a trap type as readers see it, marked where no filter has looked at it."""
    return name.replace("_", " ") + ("" if is_filtered else " (unfiltered)")


def format_rate(rate: float) -> str:
    """Return a rate 0-1 in percent with one decimal, `n/a` for NaN."""
    return "n/a" if math.isnan(rate) else f"{100 * rate:.1f} %"


def list_differences(run: FilterRun, generator_model: str, judge_model: str) -> list[str]:
    """Say in what a run differs from the published one, so that their counts do not compare.

    Args:
        run: ours.
        generator_model: the published one, as an id of the language models' table.
        judge_model: the same for the judge.

    Returns:
        One text for each difference; none when the counts compare.
    """
    found = []
    for what, own, other in (
        ("generator", run.generator_model, generator_model),
        ("judge", run.judge_model, judge_model),
    ):
        if own.rpartition("/")[2].lower() != other:
            found.append(f"{what} {own} instead of {other}")
    if run.limits != PUBLISHED_LIMITS:
        found.append("other limits of the filter")
    if run.n_candidates != PUBLISHED_CANDIDATES:
        found.append(f"{run.n_candidates} candidates instead of {PUBLISHED_CANDIDATES}")
    return found


def read_published_counts(published: Sequence[Mapping[str, str]]) -> pd.DataFrame:
    """Lay the published counts out, a row per item and trap type.

    Args:
        published: rows from `claims.read_published`.

    Returns:
        Columns `item, trap_type, generator, judge, generated`, those of `LAYOUT`, `keep_rate`
        (0-1, as printed), in the order of items and types.

    Raises:
        InputError: a number is missing.
    """
    found: dict[tuple[str, str], dict[str, object]] = {}
    for row in published:
        if row["track"] == TRIPLES:
            record = found.setdefault(
                (row["item"], row["corpus"]),
                {"generator": row["model"], "judge": row["condition"]},
            )
            is_rate = row["metric"] == "keep_rate"
            record[row["metric"]] = float(row["value"]) / 100 if is_rate else int(row["value"])
    records = []
    for item in FILTER_ITEMS:
        for name in (*TRAP_TYPES, ALL):
            record = found.get((item, name), {})
            missing = [m for m in ("generated", *LAYOUT, "keep_rate") if m not in record]
            if missing:
                raise InputError(
                    f"table of published numbers, item {item}, trap type {name}: no "
                    f"{', '.join(missing)}; restore these rows of the file"
                )
            records.append({"item": item, "trap_type": name, **record})
    return pd.DataFrame(records)


def compare_published(
    statistics: pd.DataFrame,
    published: pd.DataFrame,
    runs: Mapping[str, FilterRun],
    confidence: float,
    is_released_data: bool,
) -> pd.DataFrame:
    """Set our counts beside the published ones, in the published layout.

    Args:
        statistics: from `tabulate_statistics`.
        published: from `read_published_counts`.
        runs: item (`MAIN`, `CROSS`) -> how our candidates were made; an item without a run was
            not run.
        confidence: share that the Wilson intervals of the keep rates cover.
        is_released_data: False when bundled data stand in for the real ones; then nothing
            compares.

    Returns:
        `COMPARED_COLUMNS`, two rows per item and type: published, then ours if it was run.
        `remainder` is what the published columns leave of the generated; verdict and reason
        stand in the last row of each type.
    """
    ours = statistics.set_index(["generator", "trap_type"])
    records = []
    for row in published.to_dict("records"):
        run = runs.get(row["item"])
        theirs = _lay_out(row, confidence) | {"item": row["item"], "run": PUBLISHED}
        theirs |= {"generator": row["generator"], "judge": row["judge"]}
        if run is None:
            records.append(theirs | {"verdict": NOT_RUN, "reason": NO_SECOND_GENERATOR})
            continue
        counts = ours.loc[(run.generator, row["trap_type"])].to_dict()
        own = _lay_out(counts | {"trap_type": row["trap_type"]}, confidence)
        own |= {"item": row["item"], "run": OURS, "generator": run.generator}
        own |= {"judge": counts["judge"], "is_filtered": bool(counts["is_filtered"])}
        differences = list_differences(run, row["generator"], row["judge"])
        if not is_released_data:
            differences.append("bundled sentences as seeds")
        own["verdict"], own["reason"] = _judge_rates(own, theirs, differences, confidence)
        records += [theirs, own]
    table = pd.DataFrame(records, columns=list(COMPARED_COLUMNS))
    table["is_filtered"] = table["is_filtered"].astype("boolean")
    text = {"verdict": "", "reason": ""}
    return table.fillna(text)


def _lay_out(counts: Mapping[str, object], confidence: float) -> dict[str, object]:
    """Return the counts of a row in the published layout, its remainder and interval."""
    record = {name: counts[name] for name in ("trap_type", "generated", *LAYOUT, "keep_rate")}
    record["remainder"] = record["generated"] - sum(record[name] for name in LAYOUT)
    low, high = wilson_interval(record[KEPT], record["generated"], confidence)
    return record | {"ci_low": low, "ci_high": high}


def wilson_interval(count: int, n: int, confidence: float) -> tuple[float, float]:
    """Return the Wilson interval of a share; NaN for none of nothing.

    Args:
        count: 0 to n.
        n: 0 or more.
        confidence: share that it covers, 0-1.
    """
    if n == 0:
        return math.nan, math.nan
    low, high = proportion_confint(count, n, alpha=1 - confidence, method="wilson")
    return float(low), float(high)


def _judge_rates(
    own: Mapping[str, object],
    theirs: Mapping[str, object],
    differences: Sequence[str],
    confidence: float,
) -> tuple[str, str]:
    """Return verdict and reason of our keep rate against the published one.

    Both are shares of samples. They match when the interval of their difference (Newcombe 1998,
    method 10, https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I)
    holds 0.
    """
    if differences:
        return NOT_COMPARABLE, "; ".join(differences)
    if not own["generated"]:
        return NOT_RUN, NOTHING_GENERATED
    ours, printed = own[KEPT] / own["generated"], theirs[KEPT] / theirs["generated"]
    difference = ours - printed
    low = difference - math.hypot(ours - own["ci_low"], theirs["ci_high"] - printed)
    high = difference + math.hypot(own["ci_high"] - ours, printed - theirs["ci_low"])
    shown = (
        f"difference {100 * difference:+.1f} points, {format_percent(confidence)} interval "
        f"[{100 * low:+.1f}, {100 * high:+.1f}], on other seeds"
    )
    return (MATCHES if low <= 0 <= high else DIFFERS), shown


def compared_markdown(table: pd.DataFrame, confidence: float, track_note: str) -> str:
    """Return the comparison as Markdown in the published layout, a section per item.

    Args:
        table: from `compare_published`.
        confidence: share that the intervals cover.
        track_note: what to say of the data; empty for the real ones.
    """
    titles = {MAIN: "Filter statistics", CROSS: "Filter statistics, cross generator"}
    names = ("generated", *LAYOUT)
    header = ["Trap type", "Run", *(HEADLINES[name] for name in names), "Keep rate"]
    header += ["Interval", "Remainder", "Verdict"]
    parts = [
        "# Filter statistics in the published layout\n\n",
        note_paragraph(track_note),
        f"Intervals of the keep rate: {format_percent(confidence)}, Wilson. `Remainder` is what "
        "the published columns leave of the generated: unexplained in the published rows; in ours "
        "failed requests, failed edit checks and too many new words, counted one by one in "
        "`filter_statistics.md`.\n",
    ]
    for item, part in table.groupby("item", sort=False):
        rows = []
        for row in part.to_dict("records"):
            label = row["trap_type"].replace("_", " ")
            if row["run"] == OURS:
                label = mark_type(row["trap_type"], row["is_filtered"])
            low, high = row["ci_low"], row["ci_high"]
            interval = "n/a" if math.isnan(low) else f"[{100 * low:.1f}, {100 * high:.1f}]"
            counts = [str(row[name]) for name in names]
            rate = format_rate(row["keep_rate"])
            rest = [interval, str(row["remainder"]), row["verdict"]]
            rows.append([label, row["run"], *counts, rate, *rest])
        runs = part.drop_duplicates("run")
        made = "; ".join(
            f"{row.run}: {row.generator}, judge {row.judge}" for row in runs.itertuples()
        )
        parts += [f"\n## {titles[item]}\n\n{made}.\n\n", _explain_verdicts(part)]
        parts.append(markdown_table(header, rows, right=header[2:-1]))
    return "".join(parts)


def _explain_verdicts(part: pd.DataFrame) -> str:
    """Return the reasons of the verdicts as paragraphs, each with its types unless all share it."""
    judged = part[part["verdict"] != ""]
    groups = judged.groupby(["verdict", "reason"], sort=False)["trap_type"].agg(list)
    lines = []
    for (verdict, reason), types in groups.items():
        of_types = "" if len(groups) == 1 else f"{', '.join(types).replace('_', ' ')}: "
        lines.append(f"- {of_types}{verdict}: {reason}.\n")
    return "".join(lines) + "\n" if lines else ""
