"""Triples by rules: traps by the trap rules, paraphrases by structure rules and synonyms."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from spacy.tokens import Doc

from embsyntax.edit_check import check_edit
from embsyntax.jobs import progress
from embsyntax.paraphrases import Paraphrase, choose_structures, list_paraphrases, order_paraphrases
from embsyntax.perturbation.engine import Rule, Sentence
from embsyntax.rule_runs import apply_rule
from embsyntax.trap_types import TrapType
from embsyntax.triple_candidates import EDIT_CHECK_FAILED, MADE, collect_attempts

RULES = "rules"
"""Name of the generator."""

TRAP = "trap"
"""Dimension of the rules that make traps; each names its type as its perturbation."""

DIMENSIONS = ("structure", TRAP)
"""Dimensions of the rules that triples are made with."""

DECLINED_COLUMNS = ("type", "part", "reason", "n")
"""Columns of the counts of what the rules did not make; `part`: `trap` or `paraphrase`."""

NO_NUMBER, NO_PARAPHRASE = "no number", "no structure rule applies and no word can be replaced"


def generate_by_rules(
    seeds: pd.DataFrame,
    docs: Sequence[Doc],
    rules: Sequence[Rule],
    types: Mapping[str, TrapType],
    n_candidates: int,
    log: logging.Logger,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Make triples out of every seed, of every trap type that applies to it.

    Args:
        seeds: columns `seed_id, text, has_number`.
        docs: the parse of each seed, in the same order.
        rules: structure and trap rules that are on.
        types: from `trap_types.read_trap_types`.
        n_candidates: most attempts per seed and type, each with another paraphrase.
        log: where progress goes.

    Returns:
        The attempts (`triple_candidates.ATTEMPT_COLUMNS`), by seed and type, and the counts
        (`DECLINED_COLUMNS`) of seeds of which the rules made none: no trap, or a trap and no
        paraphrase. Attempts and declined seeds of a type add up to the seeds.
    """
    traps = [
        (types[name], rule)
        for rule in rules
        if rule.dimension == TRAP and (name := rule.perturbation.replace(" ", "_")) in types
    ]
    traps.sort(key=lambda pair: list(types).index(pair[0].trap_type))
    structures = choose_structures(rules)
    declined: Counter[tuple[str, str, str]] = Counter()
    rows: list[dict[str, Any]] = []
    parsed = zip(seeds.itertuples(), docs, strict=True)
    for seed, doc in progress(parsed, len(docs), "seeds", log):
        sentence = Sentence(doc)
        paraphrases: list[Paraphrase] | None = None
        for trap_type, rule in traps:
            name = trap_type.trap_type
            if trap_type.needs_number and not seed.has_number:
                declined[name, "trap", NO_NUMBER] += 1
                continue
            trap, _, reason, detail = apply_rule(rule, sentence, seed.seed_id)
            if trap is None:
                declined[name, "trap", reason] += 1
                continue
            if paraphrases is None:
                paraphrases = list_paraphrases(sentence, structures)
            if not paraphrases:
                declined[name, "paraphrase", NO_PARAPHRASE] += 1
                continue
            ordered = order_paraphrases(paraphrases, name)[:n_candidates]
            for number, paraphrase in enumerate(ordered, start=1):
                failure = check_edit(seed.text, paraphrase.text, trap, name, trap_type.limits)
                rows.append(
                    {
                        "attempt": number,
                        "seed_id": seed.seed_id,
                        "type": name,
                        "paraphrase": paraphrase.text,
                        "trap": trap,
                        "status": EDIT_CHECK_FAILED if failure else MADE,
                        "edit_reason": failure,
                        "detail": f"paraphrase: {paraphrase.detail}; trap: {detail}",
                        "raw_text": "",
                    }
                )
    counts = [(*key, n) for key, n in declined.items()]
    counts.sort(key=lambda row: (list(types).index(row[0]), row[1] != "trap", -row[3], row[2]))
    return collect_attempts(rows, RULES), pd.DataFrame(counts, columns=list(DECLINED_COLUMNS))
