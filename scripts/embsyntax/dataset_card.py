"""The card of the dataset folder: front matter, tables and text, all written from the run.

Whatever comes from data or config (titles, sources, reasons, prompts) is escaped, so that no text
can break a table, open a tag or change the type of a YAML value.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import jinja2
import numpy as np
import pandas as pd

from embsyntax.chat_settings import RULES, TRANSFORMERS
from embsyntax.dataset_folder import (
    CANDIDATES,
    DEFAULT,
    HUMAN,
    PASSAGES,
    SEEDS,
    XGEN,
    Part,
    columns_of,
    list_configs,
    list_splits,
)
from embsyntax.jobs import InputError
from embsyntax.registry import REGENERATED_PREFIX, LanguageModel, Model, Source
from embsyntax.tables import format_percent, format_points, markdown_table
from embsyntax.trap_types import TrapType
from embsyntax.triple_splits import SPLITS, require_columns

DECLARED = "declared"
"""Judge of the rules: no entailment model looks at a triple."""

ALL = "all"
"""Stands for the trap type in the rows that sum up."""

SHARE_ALIKE = "cc-by-sa-4.0"
OTHER = "other"
NOT_STATED = "not stated"

FITS_SHARE_ALIKE = frozenset(
    {
        "apache-2.0",
        "cc-by-2.0",
        "cc-by-2.5",
        "cc-by-3.0",
        "cc-by-4.0",
        "cc-by-sa-3.0",
        "cc-by-sa-4.0",
        "cc0-1.0",
        "mit",
    }
)
"""Licences whose texts may stand in a collection under CC BY-SA 4.0, each with its attribution."""

HUB_LICENCES = FITS_SHARE_ALIKE | {
    "cc-by-nc-2.0",
    "cc-by-nc-3.0",
    "cc-by-nc-4.0",
    "cc-by-nc-sa-2.0",
    "cc-by-nc-sa-3.0",
    "cc-by-nc-sa-4.0",
}
"""Licences that the hub knows by name, as far as raw files have them."""

SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
)
"""Categories of the hub: fewer rows than the number."""

LARGEST = "10M<n<100M"

ACTIVE = re.compile(r"[`*\[\]~$|\\]|(?<!\w)_|_(?!\w)")
"""Characters that Markdown acts on, in tables too; an underscore inside a word is none."""

BACKTICKS = re.compile(r"`+")

FEW_ROWS = 100
"""Test rows below which the card warns of a trap type."""

MEANINGS = {
    DEFAULT: "Filtered triples",
    CANDIDATES: "Every generation with its entailment, word overlap, and the reason it was kept or "
    "rejected",
    SEEDS: "Source sentences, the data set each came from, and the passage around it",
    XGEN: "Test set written by another model on the same held-out sentences",
    PASSAGES: "Passage retrieval traps: one sentence inside a real passage is flipped",
    HUMAN: "Triples written by people, with the votes of others",
}
"""What a config holds, for the table of contents."""

REGENERATED_MEANING = "Scored sentence pairs of the SR benchmark, made anew by the generator {}"

ABSENT = {
    DEFAULT: "no triple was kept",
    CANDIDATES: "nothing was generated",
    SEEDS: "there is no seed",
    XGEN: "no triple of a second generator was kept",
    PASSAGES: "no test sentence came from a passage of several sentences",
    HUMAN: "nobody has written a triple yet",
}
"""Why a config has no row."""

NOT_COUNTS = ("generator", "judge", "trap_type", "keep_rate")
"""Columns of the filter statistics that are no counts; a column `is_...` is none either."""


@dataclass(frozen=True)
class Licence:
    """The licence of the whole folder.

    Attributes:
        identifier: as the hub names it; `OTHER` where no single licence holds for every row.
        note: what a user has to know about it, a sentence or two.
    """

    identifier: str
    note: str


@dataclass(frozen=True)
class RunFacts:
    """What the card says of a run beyond its rows.

    Attributes:
        title: name of the data set.
        repository: address of the code; `""` for none.
        track_note: note on the data; `""` for none.
        triples: the config's block `triples`.
        generators: name -> settings of each generator of triples that is a language model:
            `backend, model, revision, temperature, top_p, max_tokens`.
        trap_types: rows of the trap types' table.
        sources: rows of the corpora table.
        models: rows of the models table.
        language_models: rows of the language models' table.
        prompt: text of the generation prompt's file; `""` if no language model wrote triples.
        statistics: filter statistics, a row per generator and trap type, and one for all types.
        judges: measures of the judges; None if none was measured.
        leakage: `embsyntax.triple_splits.LEAKAGE_COLUMNS`.
        baselines: accuracies of the baselines on all triples and on the balanced subset.
        passage_drops: `reason, n`: test triples that gave no passage.
        regenerated: generators of regenerated SR pairs.
        has_votes: whether people voted on generated triples.
        is_example: whether the sheets of people only show the form.
    """

    title: str
    repository: str
    track_note: str
    triples: Mapping[str, Any]
    generators: Mapping[str, Mapping[str, Any]]
    trap_types: Mapping[str, TrapType]
    sources: Sequence[Source]
    models: Mapping[str, Model]
    language_models: Mapping[str, LanguageModel]
    prompt: str
    statistics: pd.DataFrame
    judges: pd.DataFrame | None
    leakage: pd.DataFrame
    baselines: pd.DataFrame
    passage_drops: pd.DataFrame
    regenerated: Sequence[str]
    has_votes: bool
    is_example: bool


def escape_text(text: object) -> str:
    """Make a text safe in Markdown, in prose as well as in a cell: one line, no tag, no mark-up."""
    plain = html.escape(" ".join(str(text).split()), quote=False)
    return ACTIVE.sub(lambda match: f"&#{ord(match[0])};", plain)


def escape_url(address: str) -> str:
    """Make an address safe as the target of a Markdown link."""
    return quote(address.strip(), safe="/:?#@!$&'*+,;=%~")


def fence_text(text: str) -> str:
    """Put a text into a fenced block that none of its own lines can close."""
    longest = max((len(run) for run in BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text.rstrip()}\n{fence}\n"


def quote_yaml(text: str) -> str:
    """Write a text as a YAML string, whatever it looks like (`yes`, `1.0`, `a: b`)."""
    plain = "".join(character if character.isprintable() else " " for character in text)
    return json.dumps(plain, ensure_ascii=False)


def parse_licence(text: str) -> str:
    """Return the name of a licence in lower case, without remarks in brackets.

    Args:
        text: as in the corpora table, such as `CC-BY-SA-3.0 (Stack Exchange)`.
    """
    return text.partition("(")[0].strip().lower()


def choose_licence(licences: Iterable[str]) -> Licence:
    """Choose the licence of a folder from those of its rows, by the strictest.

    Args:
        licences: of the rows, as in the corpora table.

    Returns:
        CC BY-SA 4.0 where every source may stand under it (it then binds all that stands beside
        it), the licence itself where there is only one, else `OTHER`.
    """
    names = sorted({parse_licence(text) or NOT_STATED for text in licences})
    if names and all(name in FITS_SHARE_ALIKE for name in names):
        return Licence(
            SHARE_ALIKE,
            "Every source may be passed on under CC BY-SA 4.0; each row names the licence of its "
            "own sentence, whose attribution has to stay.",
        )
    if len(names) == 1 and names[0] in HUB_LICENCES:
        return Licence(names[0], "All sentences come under this one licence.")
    strict = [name for name in names if "-nc" in name]
    unknown = [name for name in names if name not in HUB_LICENCES]
    notes = ["No single licence holds for all rows: each row names that of its own sentence."]
    if strict:
        notes.append(
            f"Rows under {', '.join(map(str.upper, strict))} must not be used commercially, and "
            "the folder as a whole must not either; to get a part that may be, leave these rows "
            "out by the column `licence`."
        )
    if unknown:
        notes.append(
            f"Of some sources the licence is not one of the common ones ({', '.join(unknown)}): "
            "ask their authors before you pass those rows on."
        )
    return Licence(OTHER, " ".join(notes))


def choose_size(n_rows: int) -> str:
    """Return the hub's category of a number of rows."""
    return next((name for limit, name in SIZES if n_rows < limit), LARGEST)


def write_front_matter(
    title: str, licence: Licence, parts: Sequence[Part], sizes: Mapping[str, tuple[int, int]]
) -> str:
    """Write the YAML block that the hub and `datasets` read.

    Args:
        title: name of the data set.
        licence: of the folder.
        parts: the files, in order.
        sizes: path of a part -> bytes of its rows in memory, and of its file.

    Returns:
        YAML without the lines `---`. Every text is quoted: `yes` and `no` are columns.
    """
    lines = [f"pretty_name: {quote_yaml(title)}", f"license: {quote_yaml(licence.identifier)}"]
    if licence.identifier == OTHER:
        lines.append('license_name: "per-source"')
    lines += ['language:\n- "en"', 'multilinguality:\n- "monolingual"']
    lines.append(f'size_categories:\n- "{choose_size(sum(len(part.rows) for part in parts))}"')
    lines.append('task_categories:\n- "sentence-similarity"\n- "feature-extraction"')
    lines.append('tags:\n- "hard-negatives"\n- "paraphrase"\n- "text-embeddings"')
    configs, infos = ["configs:"], ["dataset_info:"]
    for config in dict.fromkeys(part.config for part in parts):
        own = [part for part in parts if part.config == config]
        configs += [f"- config_name: {quote_yaml(config)}", "  data_files:"]
        infos += [f"- config_name: {quote_yaml(config)}", "  features:"]
        for column in columns_of(config):
            infos += [f"  - name: {quote_yaml(column.name)}", f"    dtype: {column.dtype}"]
        infos.append("  splits:")
        for part in own:
            configs += [
                f"  - split: {quote_yaml(part.split)}",
                f"    path: {quote_yaml(part.path)}",
            ]
            infos += [
                f"  - name: {quote_yaml(part.split)}",
                f"    num_bytes: {sizes[part.path][0]}",
                f"    num_examples: {len(part.rows)}",
            ]
        infos += [
            f"  download_size: {sum(sizes[part.path][1] for part in own)}",
            f"  dataset_size: {sum(sizes[part.path][0] for part in own)}",
        ]
    return "\n".join([*lines, *configs, *infos])


def lay_out_contents(parts: Sequence[Part]) -> str:
    """Return the table of contents: a row per file, the last one for all of them."""
    rows = [
        (f"{part.config} ({part.split})", str(len(part.rows)), describe_config(part.config))
        for part in parts
    ]
    rows.append((ALL, str(sum(len(part.rows) for part in parts)), ""))
    return _table(("Config", "Rows", "What it holds"), rows, {"Rows"})


def describe_config(config: str) -> str:
    """Return what a config holds, for readers."""
    if config.startswith(REGENERATED_PREFIX):
        return REGENERATED_MEANING.format(config.removeprefix(REGENERATED_PREFIX))
    return MEANINGS[config]


def list_absent(parts: Sequence[Part], generators: Sequence[str]) -> list[str]:
    """Say what is left out as it has no row, config by config and split by split.

    Args:
        parts: the files.
        generators: of regenerated SR pairs.

    Returns:
        A sentence part for each, such as `human_test (nobody has written a triple yet)`.
    """
    there = {(part.config, part.split) for part in parts}
    absent = []
    for config in list_configs(generators):
        missing = [split for split in list_splits(config) if (config, split) not in there]
        if len(missing) == len(list_splits(config)):
            absent.append(f"{config} ({ABSENT.get(config, 'no pair was kept')})")
        elif missing:
            absent.append(f"{config}, split {', '.join(missing)} (no triple of it was kept)")
    return absent


def lay_out_types(parts: Sequence[Part], trap_types: Mapping[str, TrapType]) -> str:
    """Return the rows of each trap type in each set of triples and passages; both ways with sums.

    Args:
        parts: the files.
        trap_types: rows of the trap types' table, which give order and labels.
    """
    chosen = [part for part in parts if part.config in (DEFAULT, XGEN, PASSAGES, HUMAN)]
    counts = {
        part.split if part.config == DEFAULT else part.config: part.rows["type"].value_counts()
        for part in chosen
    }
    found = set().union(*(set(column.index) for column in counts.values())) if counts else set()
    rows = []
    for name in order_types(found | set(trap_types), trap_types):
        numbers = [int(column.get(name, 0)) for column in counts.values()]
        rows.append((label_type(name, trap_types), *map(str, numbers), str(sum(numbers))))
    totals = [int(column.sum()) for column in counts.values()]
    rows.append((ALL, *map(str, totals), str(sum(totals))))
    header = ("Trap type", *counts, "Sum")
    return _table(header, rows, set(header[1:]))


def order_types(names: Iterable[str], trap_types: Mapping[str, TrapType]) -> list[str]:
    """Put trap types in the order of their table; others follow by name, `ALL` comes last."""
    names = set(names)
    others = sorted(names - set(trap_types) - {ALL})
    return [*(n for n in trap_types if n in names), *others, *([ALL] if ALL in names else [])]


def label_type(name: str, trap_types: Mapping[str, TrapType]) -> str:
    """Return the label of a trap type; its id where the table doesn't know it."""
    return trap_types[name].label if name in trap_types else name


def find_unfiltered(parts: Sequence[Part], statistics: pd.DataFrame) -> list[str]:
    """Return the trap types whose traps the entailment filter says nothing about, sorted.

    Args:
        parts: the files.
        statistics: filter statistics; its column `is_filtered` counts where it has one, since of a
            type without any kept row no file says it.
    """
    found: set[str] = set()
    for part in parts:
        if "is_filtered" in part.rows:
            found |= set(part.rows.loc[~part.rows["is_filtered"].astype(bool), "type"])
    if "is_filtered" in statistics:
        found |= set(statistics.loc[~statistics["is_filtered"].astype(bool), "trap_type"])
    return sorted(found - {ALL})


def lay_out_statistics(
    statistics: pd.DataFrame,
    generator: str,
    trap_types: Mapping[str, TrapType],
    unfiltered: Sequence[str],
) -> str:
    """Return the filter statistics of one generator in the published layout.

    Args:
        statistics: `generator, trap_type, generated`, a column per outcome, `keep_rate`.
        generator: whose rows are shown.
        trap_types: rows of the trap types' table.
        unfiltered: types that are marked with `(unfiltered)`.

    Returns:
        The table; empty where the generator has no row.

    Raises:
        InputError: the outcomes of a row do not add up to what was generated, or the types do not
            add up to the row `all`.
    """
    require_columns(statistics, ("generator", "trap_type", "generated", "kept"), "statistics")
    own = statistics[statistics["generator"] == generator].set_index("trap_type")
    if own.empty:
        return ""
    counts = [name for name in own.columns if name not in NOT_COUNTS and not name.startswith("is_")]
    outcomes = [name for name in counts if name != "generated"]
    for name, row in own[counts].iterrows():
        if row[outcomes].sum() != row["generated"]:
            raise InputError(
                f"filter statistics, generator {generator!r}, trap type {name!r}: the outcomes add "
                f"up to {row[outcomes].sum():g}, not to the {row['generated']:g} generated; make "
                "the statistics again"
            )
    parts = own.drop(index=ALL, errors="ignore")
    if ALL in own.index and (parts[counts].sum() != own.loc[ALL, counts]).any():
        raise InputError(
            f"filter statistics, generator {generator!r}: the types do not add up to the row "
            f"{ALL!r}; make the statistics again"
        )
    rows = []
    for name in order_types(own.index, trap_types):
        mark = " (unfiltered)" if name in unfiltered else ""
        row = own.loc[name, counts]
        rate = row["kept"] / row["generated"] if row["generated"] else np.nan
        shown = "" if np.isnan(rate) else f"{100 * rate:.1f} %"
        numbers = [str(int(row[column])) for column in counts]
        rows.append((label_type(name, trap_types) + mark, *numbers, shown))
    header = ("Trap type", *map(_headline, counts), "Keep rate")
    return _table(header, rows, set(header[1:]))


def lay_out_judges(judges: pd.DataFrame) -> str:
    """Return the measures of the judges, a row each, with intervals and reasons.

    Args:
        judges: `metric` and `value`, perhaps `judge` and other keys, `ci_low`, `ci_high`, `n`,
            `reason`.
    """
    require_columns(judges, ("metric", "value"), "table of judges")
    numbers = ("value", "ci_low", "ci_high", "n", "reason")
    keys = [name for name in judges.columns if name not in numbers]
    rows = []
    for row in judges.to_dict("records"):
        low, high = row.get("ci_low", np.nan), row.get("ci_high", np.nan)
        interval = "" if pd.isna(low) else f"{low:.3f} to {high:.3f}"
        value = "" if pd.isna(row["value"]) else f"{row['value']:.3f}"
        n = "" if pd.isna(row.get("n", np.nan)) else str(int(row["n"]))
        reason = "" if pd.isna(row.get("reason", "")) else str(row.get("reason", ""))
        texts = ["" if pd.isna(row[key]) else str(row[key]) for key in keys]
        rows.append((*texts, value, interval, n, reason))
    header = (*map(_headline, keys), "Value", "Interval", "n", "Note")
    return _table(header, rows, {"Value", "Interval", "n"})


def lay_out_leakage(leakage: pd.DataFrame) -> str:
    """Return the table of what one split shares with another.

    Args:
        leakage: `embsyntax.triple_splits.LEAKAGE_COLUMNS`.
    """
    rows = [
        (
            row.check,
            f"{row.split} in {row.other}",
            str(int(row.n)),
            str(int(row.n_leaked)),
            "must be 0" if row.is_forbidden else "reported",
        )
        for row in leakage.itertuples(index=False)
    ]
    return _table(("Check", "Where", "Items", "Found", "Rule"), rows, {"Items", "Found"})


def lay_out_balance(balance: pd.DataFrame, trap_types: Mapping[str, TrapType]) -> str:
    """Return the accuracies of baselines that use no model, before and after balancing.

    Args:
        balance: `group, baseline, n, accuracy, n_balanced, accuracy_balanced`, perhaps `set`.
        trap_types: rows of the trap types' table, for labels.
    """
    keys = [name for name in balance.columns if name in ("set", "corpus")]
    rows = [
        (
            *(str(row[key]) for key in keys),
            label_type(str(row["group"]), trap_types),
            str(row["baseline"]).replace("_", " "),
            str(int(row["n"])),
            _points(row["accuracy"]),
            str(int(row["n_balanced"])),
            _points(row["accuracy_balanced"]),
        )
        for row in balance.to_dict("records")
    ]
    header = (
        *map(_headline, keys),
        "Trap type",
        "Baseline",
        "Triples",
        "Accuracy",
        "Balanced triples",
        "Accuracy on them",
    )
    return _table(header, rows, {*header[-4:]})


def lay_out_sources(parts: Sequence[Part], sources: Sequence[Source]) -> str:
    """Return each source with its licence, its attribution and its rows in the folder.

    Args:
        parts: the files.
        sources: rows of the corpora table.

    Returns:
        The table; its last row sums up.
    """
    origins = pd.concat([part.rows[["source", "licence"]] for part in parts], ignore_index=True)
    origins = origins.fillna("").replace("", NOT_STATED)
    counts = origins.groupby(["source", "licence"], sort=True).size()
    credit: dict[tuple[str, str], list[str]] = {}
    for row in sources:
        credit.setdefault((row.source, row.licence), []).append(row.attribution)
    rows = [
        (source, licence, "; ".join(dict.fromkeys(credit.get((source, licence), []))), str(n))
        for (source, licence), n in counts.items()
    ]
    rows.append((ALL, "", "", str(int(counts.sum()))))
    return _table(("Source", "Licence", "Credit", "Rows"), rows, {"Rows"})


def lay_out_columns(config: str) -> str:
    """Return the columns of a config with their types and meanings."""
    rows = [
        (f"`{column.name}`", column.dtype, column.meaning, "" if column.is_published else "ours")
        for column in columns_of(config)
    ]
    return markdown_table(("Column", "Type", "Meaning", ""), rows, set())


def describe_generator(
    name: str,
    generators: Mapping[str, Mapping[str, Any]],
    language_models: Mapping[str, LanguageModel],
) -> str:
    """Say in words who wrote triples.

    Args:
        name: `rules`, or a key of `generators`.
        generators: see `RunFacts`.
        language_models: rows of the language models' table.

    Returns:
        A phrase, escaped.
    """
    if name == RULES:
        return "the rules of this repository, which need no language model"
    entry = generators[name]
    draws = (
        f"temperature {entry['temperature']:g}, top_p {entry['top_p']:g}, at most "
        f"{entry['max_tokens']} tokens an answer"
    )
    if entry["backend"] == TRANSFORMERS:
        return f"{name_language_model(entry['model'], language_models)}, run locally with {draws}"
    version = f" ({escape_text(entry['revision'])})" if entry["revision"] else ""
    return f"{escape_text(entry['model'])}{version} behind an OpenAI-compatible server, {draws}"


def name_language_model(model: str, language_models: Mapping[str, LanguageModel]) -> str:
    """Return the name and revision of a language model of the table, escaped."""
    row = language_models[model]
    shown = row.location if row.source_kind == "hf" else row.label
    revision = f" (revision {row.revision})" if row.revision else ""
    return escape_text(f"{shown}{revision}")


def describe_judge(
    name: str,
    judges: Mapping[str, Mapping[str, Any]],
    models: Mapping[str, Model],
    language_models: Mapping[str, LanguageModel],
) -> str:
    """Say in words whose entailment filtered.

    Args:
        name: `declared`, or a key of `judges`.
        judges: the config key `triples.judges`.
        models: rows of the models table.
        language_models: rows of the language models' table.

    Returns:
        A phrase, escaped.
    """
    if name == DECLARED:
        return (
            "No entailment model looked at any row: a paraphrase counts as entailed and a trap as "
            "not, because whoever wrote them declares it so."
        )
    entry = judges[name]
    if "model" in entry:
        who = name_language_model(entry["model"], language_models)
    else:
        base, train = models[entry["base"]], entry["train"]
        files = ", ".join(train["files"])
        more = ""
        if train["rule_corpora"]:
            more = f" and on pairs by our own rules from {', '.join(train['rule_corpora'])}"
        who = escape_text(
            f"{base.label}, trained for this run on {files}{more} ({train['epochs']} epochs, the "
            f"best on {train['dev_file']})"
        )
    return f"{who} scores entailment both ways; the smaller one counts."


def list_biased_baselines(balance: pd.DataFrame, limit: float) -> list[str]:
    """Name the baselines that tell paraphrases from traps over all types, before balancing.

    Args:
        balance: as for `lay_out_balance`.
        limit: distance from chance, 0-0.5, above which a baseline is named.

    Returns:
        Phrases such as `word overlap 12.0 (test)`, x100.
    """
    whole = balance[balance["group"].astype(str) == ALL]
    far = whole[(whole["accuracy"] - 0.5).abs() > limit]
    return [
        f"{str(row['baseline']).replace('_', ' ')} {format_points(row['accuracy'])}"
        + (f" ({row['set']})" if "set" in row else "")
        for row in far.to_dict("records")
    ]


def render_card(
    template: str, parts: Sequence[Part], sizes: Mapping[str, tuple[int, int]], facts: RunFacts
) -> str:
    """Write the card.

    Args:
        template: Jinja text of the card.
        parts: the files, in order.
        sizes: path of a part -> bytes of its rows in memory, and of its file.
        facts: of the run.

    Returns:
        Markdown with YAML front matter.

    Raises:
        InputError: a table of the run does not add up or lacks a column, or the template names
            something that is not there.
    """
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # Markdown, not HTML: every text goes through escape_text
    )
    environment.filters |= {
        "fence": fence_text,
        "percent": format_percent,
        "text": escape_text,
        "url": escape_url,
    }
    try:
        return environment.from_string(template).render(**_describe(parts, sizes, facts))
    except jinja2.UndefinedError as error:
        raise InputError(f"template of the dataset card: {error}; correct the template") from None


def _describe(
    parts: Sequence[Part], sizes: Mapping[str, tuple[int, int]], facts: RunFacts
) -> dict[str, Any]:
    """Return everything that the template may name."""
    triples = facts.triples
    generator, second, judge = triples["generator"], triples["second_generator"], triples["judge"]
    rows = {(part.config, part.split): len(part.rows) for part in parts}
    seeds = next((part.rows for part in parts if part.config == SEEDS), None)
    regenerated = sorted(
        {
            part.config.removeprefix(REGENERATED_PREFIX)
            for part in parts
            if part.config.startswith(REGENERATED_PREFIX)
        }
    )
    licence = choose_licence(
        NOT_STATED if pd.isna(value) else value
        for part in parts
        for value in part.rows["licence"].unique()
    )
    # Under a declared judge every row is unfiltered, which the card says once and plainly.
    unfiltered = [] if judge == DECLARED else find_unfiltered(parts, facts.statistics)
    test = [part.rows for part in parts if (part.config, part.split) == (DEFAULT, "test")]
    per_type = test[0]["type"].value_counts() if test else pd.Series(dtype="int64")
    few = [name for name in facts.trap_types if per_type.get(name, 0) < FEW_ROWS]
    return {
        "front_matter": write_front_matter(facts.title, licence, parts, sizes),
        "title": facts.title,
        "repository": facts.repository,
        "track_note": facts.track_note,
        "licence": licence,
        "is_default_there": any(part.config == DEFAULT for part in parts),
        "configs": list(dict.fromkeys(part.config for part in parts)),
        "absent": list_absent(parts, facts.regenerated),
        "rows": rows,
        "trap_types": facts.trap_types.values(),
        "contents": lay_out_contents(parts),
        "types": lay_out_types(parts, facts.trap_types),
        "seed_counts": {} if seeds is None else seeds["file"].value_counts(sort=False).to_dict(),
        "limits": triples["seeds"]["limits"],
        "split": triples["split"],
        "shares": " / ".join(f"{100 * triples['split'][name]:g}" for name in SPLITS),
        "filter": triples["filter"],
        "n_candidates": triples["generate"]["n_candidates"],
        "is_by_rules": generator == RULES,
        "is_declared": judge == DECLARED,
        "generator": generator,
        "generator_words": describe_generator(generator, facts.generators, facts.language_models),
        "second": second,
        "second_words": describe_generator(second, facts.generators, facts.language_models)
        if second
        else "",
        "judge": judge,
        "judge_words": describe_judge(
            judge, triples["judges"], facts.models, facts.language_models
        ),
        "unfiltered": [label_type(name, facts.trap_types) for name in unfiltered],
        "statistics": lay_out_statistics(facts.statistics, generator, facts.trap_types, unfiltered),
        "second_statistics": lay_out_statistics(
            facts.statistics, second, facts.trap_types, unfiltered
        )
        if second
        else "",
        "judges": ""
        if facts.judges is None or facts.judges.empty
        else lay_out_judges(facts.judges),
        "is_judge_measured": facts.judges is not None
        and judge in set(facts.judges.get("judge", pd.Series(dtype=object))),
        "leakage": lay_out_leakage(facts.leakage),
        "balance": ""
        if facts.baselines.empty
        else lay_out_balance(facts.baselines, facts.trap_types),
        "balance_limit": triples["balance"]["limit"],
        "biased": list_biased_baselines(facts.baselines, triples["balance"]["limit"]),
        "n_passages": rows.get((PASSAGES, "test"), 0),
        "passage_drops": [
            (row.reason, int(row.n)) for row in facts.passage_drops.itertuples(index=False) if row.n
        ],
        "prompt": facts.prompt,
        "columns": {
            config: lay_out_columns(config)
            for config in dict.fromkeys(part.config for part in parts)
        },
        "sources": lay_out_sources(parts, facts.sources),
        "few": [label_type(name, facts.trap_types) for name in few],
        "few_rows": FEW_ROWS,
        "has_people": (HUMAN, "test") in rows,
        "has_votes": facts.has_votes,
        "is_example": facts.is_example,
        "regenerated": regenerated,
    }


def _table(header: Sequence[str], rows: Iterable[Sequence[str]], right: set[str]) -> str:
    """Return a Markdown table whose header and cells are escaped."""
    named = [escape_text(name) for name in header]
    marked = {escape_text(name) for name in right}
    return markdown_table(named, [[escape_text(cell) for cell in row] for row in rows], marked)


def _headline(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _points(value: float) -> str:
    return "" if pd.isna(value) else format_points(value)
