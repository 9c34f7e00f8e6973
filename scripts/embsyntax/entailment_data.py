"""Labelled pairs that an entailment judge learns from, and the texts that it must not learn.

Three kinds: files that people labelled, pairs that the perturbation rules make (a structure rule
keeps the meaning, a trap does not), and pairs of `entailment_patterns`. The rules' sentences are
none that triples are made of, and no text is near one of the probes that judges are measured on.
Every pair that was read or made is taken or counted by the reason why not.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from embsyntax.corpora import normalise_text
from embsyntax.entailment_labels import CONTRADICTION, ENTAILMENT, NEUTRAL
from embsyntax.entailment_patterns import Statement, make_pattern_pairs
from embsyntax.jobs import InputError
from embsyntax.labelled_pairs import LabelledPair, read_labelled_pairs
from embsyntax.near_duplicates import comparison_form, find_near_given
from embsyntax.regenerated import RULES
from embsyntax.registry import Source

TRAINING_COLUMNS = ("premise", "hypothesis", "label", "source", "group")
"""Columns of a table of labelled pairs; `label` is one of `LABELS`, `source` a raw file as
SOURCE/FILE, `rules` or `patterns`; `group` names the rule or pattern and repeats the file."""

DATA_COLUMNS = ("source", "group", "label", "outcome", "n")
"""Columns of the table of counts; the outcomes of a group add up to the pairs that came."""

PATTERNS = "patterns"

TAKEN = "taken"
OUTCOMES = (
    TAKEN,
    "sentence is a seed or near one",
    "near a probe",
    "repeated",
    "two labels",
    "over the limit",
)
"""What becomes of a pair, and of a sentence that pairs would be made of."""

NEAR = 0.8
"""Least Jaccard index of character n-grams of a text that counts as near a seed or probe."""


@dataclass(frozen=True)
class PairLimits:
    """How many pairs are made of the rules' sentences.

    Attributes:
        rule: most pairs of a rule that keeps or changes the meaning.
        trap: most pairs of a trap type, and of the same with a structure rule on the other side.
        pattern: most pairs of a pattern.
        max_words: most words of a sentence that pairs are made of.
        seed: of the draws.
    """

    rule: int
    trap: int
    pattern: int
    max_words: int
    seed: int


# -------------------------------------------------------------------------- pairs of the rules

ONE_WAY = frozenset({"by_phrase_drop"})
"""Structure rules whose output says less than its source."""

NO_STATEMENTS = ("how_", "title_", "indirect_question", "noun_title_question", "question_")
"""How names of structure rules begin that make or change questions and titles: few are taken."""

SCOPE_RULES = frozenset(
    {
        "modifier_swap",
        "modifier_transfer",
        "mixed_modifier_swap",
        "noun_modifier_swap",
        "possessor_swap",
    }
)
"""Relation rules that move a modifier to another noun."""

INSERTIONS = frozenset({"adjective_insertion", "noun_insertion", "verb_insertion"})
REPLACEMENTS = frozenset({"adjective_replacement", "noun_replacement", "verb_replacement"})
NEGATIVE = re.compile(
    r"\b(no|not|never|nobody|none|nothing|without|few|every|all|each|if|only|cannot|\w+n't)\b", re.I
)
"""Words under which an insertion says less, not more."""

TRAP_LABELS = {
    "trap_negation": CONTRADICTION,
    "trap_numbers": CONTRADICTION,
    "trap_role_swap": CONTRADICTION,
    "trap_time_order": CONTRADICTION,
    "trap_entity_swap": CONTRADICTION,
    "trap_scope": NEUTRAL,
    "trap_quantifier": NEUTRAL,
    "trap_hedge": NEUTRAL,
}

WEAK = re.compile(
    r"\b(may|might|possibly|perhaps|maybe|think|thinks|thought|sometimes|often|usually)\b", re.I
)
"""Words of a weaker claim, as the rule of hedges puts them in or takes them out."""

OPPOSED = frozenset(
    {
        *(("least", "most"), ("more", "fewer"), ("more", "less"), ("fewer", "more")),
        *(("less", "more"), ("over", "under"), ("majority", "minority"), ("minority", "majority")),
        *(("many", "few"), ("most", "few"), ("few", "most"), ("few", "many"), ("a few", "many")),
        *(("every", "no"), ("several", "no"), ("everyone", "no one"), ("everybody", "nobody")),
        *(("everything", "nothing"), ("nobody", "everybody"), ("a lot of", "few")),
        *(("a lot of", "little"), ("lots of", "few"), ("lots of", "little"), ("always", "rarely")),
        *(("rarely", "always"), ("seldom", "always"), ("up to", "at least")),
    }
)
"""Changes of the rules of quantifiers and hedges after which neither side says the other."""

WEAKENED = frozenset({("all", "some"), ("all", "some of"), ("every", "one"), ("each", "one")})
"""Changes of the rule of quantifiers after which the source says the output."""


def judge_trap(rule: str, detail: str) -> tuple[str, str]:
    """Say what a trap and its source say of each other.

    Args:
        rule: name of the trap rule.
        detail: what it changed, such as `all -> some`.

    Returns:
        The label, and the direction that surely has it: `both`, `forward` (source as premise) or
        `backward`. Of two claims of different strength the stronger one may well say the weaker
        one, so that only the other direction is taken.
    """
    label = TRAP_LABELS[rule]
    if rule not in ("trap_quantifier", "trap_hedge"):
        return label, "both"
    old, _, new = (part.strip().lower() for part in detail.partition("->"))
    if (old, new) in OPPOSED:
        return CONTRADICTION, "both"
    if rule == "trap_quantifier":
        return label, "backward" if (old, new) in WEAKENED else "forward"
    return label, "backward" if WEAK.search(new or old) else "forward"


def make_rule_pairs(
    candidates: pd.DataFrame, limits: PairLimits
) -> tuple[list[LabelledPair], Counter[tuple[str, str, str]]]:
    """Make labelled pairs of what the rules made of sentences.

    A structure rule keeps the meaning, a trap and a relation rule change it, and so does a trap
    with a structure rule on the other side. Of pairs that hold both ways one direction is drawn.

    Args:
        candidates: `regenerated.CANDIDATE_COLUMNS`, made by rules.
        limits: how many pairs of what.

    Returns:
        The pairs, and how many of a group and label were over the limit: (group, label) -> n.
    """
    made = candidates.loc[candidates["status"] == "made"]
    short = made["sentence1"].str.split().str.len() <= limits.max_words
    groups: dict[str, list[tuple[str, str, str]]] = {}
    for _, rows in made.loc[short].groupby("sentence_id", sort=True):
        for group, pair in _relate_outputs(rows, limits.seed):
            groups.setdefault(group, []).append(pair)
    pairs, over = [], Counter()
    for group in sorted(groups):
        distinct = list(dict.fromkeys(groups[group]))
        most = limits.trap if group.startswith("trap_") else limits.rule
        if group.startswith(NO_STATEMENTS):
            most //= 4
        drawn = sorted(distinct, key=lambda pair: _place(limits.seed, *pair))[:most]
        pairs += [LabelledPair(*pair, RULES, group) for pair in drawn]
        for _, _, label in set(distinct) - set(drawn):
            over[group, label] += 1
    return pairs, over


def _place(seed: int, *texts: str) -> str:
    """Return where a draw by hashes puts something."""
    return hashlib.sha256("\x1f".join((str(seed), *texts)).encode("utf-8")).hexdigest()


def _relate_outputs(rows: pd.DataFrame, seed: int) -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Yield group and pair for the outputs of all rules on one sentence."""
    source = normalise_text(rows["sentence1"].iloc[0])
    equal, traps = [], []
    for row in rows.itertuples():
        output = normalise_text(row.sentence2)
        if row.dimension == "structure":
            yield row.rule, _directed(source, output, ENTAILMENT, row.rule in ONE_WAY, seed)
            if row.rule not in ONE_WAY and not row.rule.startswith(NO_STATEMENTS):
                equal.append(output)
        elif row.dimension == "trap":
            label, direction = judge_trap(row.rule, row.detail)
            traps.append((row.rule, output, label, direction))
        elif row.rule in INSERTIONS:
            if not NEGATIVE.search(source):
                label = NEUTRAL if _place(seed, output)[0] < "8" else ENTAILMENT
                pair = (source, output) if label == NEUTRAL else (output, source)
                yield row.rule, (*pair, label)
        else:
            label = NEUTRAL if row.rule in SCOPE_RULES | REPLACEMENTS else CONTRADICTION
            yield row.rule, _directed(source, output, label, False, seed)
    for rule, output, label, direction in traps:
        for group, text in [(rule, source), *((f"{rule} of a paraphrase", e) for e in equal)]:
            if direction == "both":
                yield group, _directed(text, output, label, False, seed)
            else:
                pair = (text, output) if direction == "forward" else (output, text)
                yield group, (*pair, label)
    for one, other in zip(equal, equal[1:], strict=False):
        yield "two paraphrases", _directed(one, other, ENTAILMENT, False, seed)


def _directed(
    one: str, other: str, label: str, is_one_way: bool, seed: int
) -> tuple[str, str, str]:
    """Return a pair that holds both ways in a drawn direction."""
    if is_one_way or _place(seed, one, other)[0] < "8":
        return one, other, label
    return other, one, label


def find_statements(candidates: pd.DataFrame) -> list[Statement]:
    """Return the plain statements of the rules' sentences, for `make_pattern_pairs`.

    Args:
        candidates: `regenerated.CANDIDATE_COLUMNS`, made by rules.

    Returns:
        Those that a plain claim of certainty can be put into, in the order of their texts; with
        subject and object where the rules exchange them.
    """
    made = candidates.loc[candidates["status"] == "made"]
    roles: dict[str, tuple[str, str]] = {}
    for row in made.loc[made["rule"] == "subject_object_swap"].itertuples():
        subject, arrow, thing = row.detail.partition(" <-> ")
        if arrow:
            roles[row.sentence1] = (subject, thing)
    weakened = made.loc[made["rule"] == "trap_hedge"]
    is_plain = ~weakened["detail"].map(lambda detail: bool(WEAK.search(detail.split("->")[0])))
    texts = dict.fromkeys(sorted(weakened.loc[is_plain, "sentence1"]))
    return [Statement(normalise_text(text), *roles.get(text, ())) for text in texts]


# ------------------------------------------------------------------------------- all of them


def collect_pairs(
    files: Iterable[tuple[Path, Source]],
    candidates: Sequence[pd.DataFrame],
    seeds: Sequence[str],
    probes: Sequence[str],
    limits: PairLimits,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Collect the pairs that a judge learns from, and count the others.

    Args:
        files: raw files of labelled pairs with their rows of the catalogue.
        candidates: what the rules made of the sentences of corpora; none: no pairs of rules and
            patterns.
        seeds: texts of the seeds of triples: no sentence near one gives pairs of rules.
        probes: texts that judges are measured on: no pair holds a text near one.
        limits: how many pairs the rules give.

    Returns:
        The pairs (`TRAINING_COLUMNS`, in an order that depends on their texts alone) and the counts
        (`DATA_COLUMNS`).

    Raises:
        InputError: see `read_labelled_pairs`; or no pair is left.
    """
    counts: Counter[tuple[str, str, str, str]] = Counter()
    pairs = [pair for path, source in files for pair in read_labelled_pairs(path, source)]
    if candidates:
        table = pd.concat(candidates, ignore_index=True)
        pairs += _collect_rule_pairs(table, seeds, limits, counts)
    pairs = _drop_repeated(pairs, counts)
    pairs = _drop_near_probes(pairs, probes, counts)
    if not pairs:
        raise InputError("no labelled pair is left for the judge; see triples.judges in the config")
    for pair in pairs:
        counts[pair.source, pair.group, pair.label, TAKEN] += 1
    ordered = sorted(pairs, key=lambda pair: _place(limits.seed, *pair[:2]))
    rows = [(*key, n) for key, n in counts.items()]
    data = pd.DataFrame(rows, columns=list(DATA_COLUMNS)).sort_values(
        list(DATA_COLUMNS[:4]), ignore_index=True
    )
    return pd.DataFrame(ordered, columns=list(TRAINING_COLUMNS)), data


def _collect_rule_pairs(
    table: pd.DataFrame,
    seeds: Sequence[str],
    limits: PairLimits,
    counts: Counter[tuple[str, str, str, str]],
) -> list[LabelledPair]:
    sentences = sorted(table["sentence1"].unique())
    is_near = find_near_given(sentences, seeds, NEAR)
    left = [text for text, near in zip(sentences, is_near, strict=True) if not near]
    counts[RULES, "sentences", "", "sentence is a seed or near one"] = int(is_near.sum())
    counts[RULES, "sentences", "", TAKEN] = len(left)
    table = table.loc[table["sentence1"].isin(set(left))]
    pairs, over = make_rule_pairs(table, limits)
    for (group, label), n in over.items():
        counts[RULES, group, label, "over the limit"] += n
    statements = find_statements(table)
    counts[PATTERNS, "statements", "", TAKEN] = len(statements)
    found = make_pattern_pairs(statements, limits.pattern, limits.seed)
    return pairs + [LabelledPair(*pair[:3], PATTERNS, pair.pattern) for pair in found]


def _drop_repeated(
    pairs: Sequence[LabelledPair], counts: Counter[tuple[str, str, str, str]]
) -> list[LabelledPair]:
    """Keep the first of equal pairs, and none that has two labels in the same source."""
    labels: dict[tuple[str, str, str], set[str]] = {}
    for pair in pairs:
        labels.setdefault((pair.source, pair.premise, pair.hypothesis), set()).add(pair.label)
    seen: set[tuple[str, str]] = set()
    kept = []
    for pair in pairs:
        if len(labels[pair.source, pair.premise, pair.hypothesis]) > 1:
            counts[pair.source, pair.group, pair.label, "two labels"] += 1
        elif (pair.premise, pair.hypothesis) in seen:
            counts[pair.source, pair.group, pair.label, "repeated"] += 1
        else:
            seen.add((pair.premise, pair.hypothesis))
            kept.append(pair)
    return kept


def _drop_near_probes(
    pairs: Sequence[LabelledPair],
    probes: Sequence[str],
    counts: Counter[tuple[str, str, str, str]],
) -> list[LabelledPair]:
    texts = list(dict.fromkeys(text for pair in pairs for text in pair[:2]))
    is_near = dict(zip(texts, find_near_given(texts, probes, NEAR), strict=True))
    kept = []
    for pair in pairs:
        if is_near[pair.premise] or is_near[pair.hypothesis]:
            counts[pair.source, pair.group, pair.label, "near a probe"] += 1
        else:
            kept.append(pair)
    return kept


def count_seeds_in(pairs: pd.DataFrame, seeds: Sequence[str]) -> int:
    """Count the seeds that a judge has learned from, case and punctuation left aside.

    Args:
        pairs: `TRAINING_COLUMNS`.
        seeds: texts.
    """
    known = {comparison_form(text) for text in (*pairs["premise"], *pairs["hypothesis"])}
    return sum(comparison_form(text) in known for text in seeds)
