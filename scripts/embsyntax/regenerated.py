"""The regenerated benchmark: from candidates of a generator to scored pairs, each drop counted.

Data flow: candidates (`build_sr_candidates`, `generate_sr_by_rules`), annotations and fluency come
in; pairs with a score go out, in the columns of this module, in the CSV form of the released files,
and as a table of pairs that every model is scored on.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from embsyntax.jobs import InputError
from embsyntax.pairs import PAIR_COLUMNS, check_pairs
from embsyntax.rubric import MAX_SCORE

CANDIDATE_COLUMNS = (
    "candidate_id",
    "generator",
    "corpus",
    "sentence_id",
    "perturbation",
    "dimension",
    "rule",
    "sentence1",
    "sentence2",
    "expected_score",
    "status",
    "reason",
    "detail",
)
"""Columns of a table of candidates; `sentence2` and `expected_score` may be missing."""

REGENERATED_COLUMNS = (
    "pair_id",
    "generator",
    "corpus",
    "dimension",
    "perturbation",
    "rule",
    "sentence_id",
    "sentence1",
    "sentence2",
    "score",
    "score_rules",
    "is_validated",
)
"""First columns of a regenerated table (scores 0-5); a column per annotator follows them."""

RULES = "rules"
"""Name of the generator that needs no language model, and of its annotator: expected scores."""

SR_DIMENSIONS = ("structure", "relation", "lexical")
"""Dimensions of the benchmark; the candidates of other ones (traps) are for the triples."""

WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class FilterSettings:
    """What a candidate must be to become a pair.

    Attributes:
        min_words: fewest words of either sentence.
        max_length_ratio: most words of the longer sentence per word of the shorter.
        max_perplexity_ratio: most perplexity of sentence2 per perplexity of sentence1 under the
            fluency model; None leaves fluency out.
        max_per_sentence: most pairs per sentence and dimension, in the order of the candidates;
            None takes all.
        score_by: annotator whose score counts: `rules` or a name of the config.
    """

    min_words: int
    max_length_ratio: float
    max_perplexity_ratio: float | None
    max_per_sentence: int | None
    score_by: str


def plain_words(text: str) -> tuple[str, ...]:
    """Return the words of a text, lower case, without punctuation."""
    return tuple(word.lower() for word in WORD.findall(text))


def drop_reason(sentence1: str, sentence2: str, settings: FilterSettings) -> str:
    """Say why two sentences make no pair.

    Returns:
        The reason in the words of the drop table, or `""` for a good pair.
    """
    words1, words2 = plain_words(sentence1), plain_words(sentence2)
    shorter, longer = sorted((len(words1), len(words2)))
    if shorter < settings.min_words:
        return f"fewer than {settings.min_words} words"
    if words1 == words2:
        return "same words in the same order"
    if longer > settings.max_length_ratio * shorter:
        return f"more than {settings.max_length_ratio:g} times as long"
    return ""


def filter_candidates(
    candidates: pd.DataFrame, fluency: pd.DataFrame | None, settings: FilterSettings
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Keep the candidates that make a pair, and count the others by reason.

    Args:
        candidates: `CANDIDATE_COLUMNS`, one corpus or more.
        fluency: columns `candidate_id, ratio`, or None where no model judged fluency.
        settings: the limits.

    Returns:
        The kept candidates in their order, and the drops (columns `generator, corpus, dimension,
        status, reason, n`; kept ones have the status `kept`). The counts of a corpus add up to its
        candidates.

    Raises:
        InputError: a limit on perplexity is set and a candidate was not judged.
    """
    made = candidates["status"] == "made"
    status = candidates["status"].where(~made, "kept").astype(object)
    reason = candidates["reason"].where(~made, "").astype(object)

    def drop(rows: pd.Index, why: Sequence[str] | str) -> None:
        status.loc[rows] = "dropped"
        reason.loc[rows] = why

    is_other = made & ~candidates["dimension"].isin(SR_DIMENSIONS)
    drop(candidates.index[is_other], "not a dimension of the benchmark")
    texts = candidates.loc[made & ~is_other]
    reasons = pd.Series(
        [
            drop_reason(one, two, settings)
            for one, two in zip(texts["sentence1"], texts["sentence2"], strict=True)
        ],
        index=texts.index,
        dtype=object,
    )
    drop(reasons.index[reasons != ""], reasons[reasons != ""])
    if settings.max_perplexity_ratio is not None:
        left = candidates.loc[status == "kept"]
        ratios = _perplexity_ratios(left, fluency)
        drop(left.index[ratios.to_numpy() > settings.max_perplexity_ratio], "not fluent")
    left = candidates.loc[status == "kept"]
    keys = left.assign(words=[plain_words(text) for text in left["sentence2"]])
    repeated = keys.duplicated(["corpus", "sentence_id", "dimension", "words"])
    drop(left.index[repeated], "duplicate of another output")
    if settings.max_per_sentence is not None:
        left = candidates.loc[status == "kept"]
        place = left.groupby(["corpus", "sentence_id", "dimension"]).cumcount()
        drop(left.index[place >= settings.max_per_sentence], "enough pairs of this sentence")
    drops = (
        candidates[["generator", "corpus", "dimension"]]
        .assign(status=status, reason=reason)
        .groupby(["generator", "corpus", "dimension", "status", "reason"], sort=True)
        .size()
        .rename("n")
        .reset_index()
    )
    return candidates.loc[status == "kept"], drops


def _perplexity_ratios(candidates: pd.DataFrame, fluency: pd.DataFrame | None) -> pd.Series:
    if fluency is None:
        raise InputError(
            "filter: max_perplexity_ratio is set but no fluency table came; run score_fluency"
        )
    ratios = candidates["candidate_id"].map(fluency.set_index("candidate_id")["ratio"])
    if ratios.isna().any():
        missing = candidates.loc[ratios.isna(), "candidate_id"].iloc[0]
        raise InputError(
            f"fluency table: no ratio for candidate {missing} and "
            f"{int(ratios.isna().sum()) - 1} more; run score_fluency again"
        )
    return ratios


def attach_scores(
    kept: pd.DataFrame, annotations: Mapping[str, pd.DataFrame], score_by: str
) -> tuple[pd.DataFrame, int]:
    """Make regenerated pairs out of kept candidates.

    Args:
        kept: from `filter_candidates`.
        annotations: annotator -> columns `pair_id` (the candidate's id), `score` (0-5 or missing).
        score_by: `rules` or a key of `annotations`: whose score counts.

    Returns:
        `REGENERATED_COLUMNS` and `score_<annotator>` per annotator; and how many pairs were left
        out because the annotator who counts gave no score.

    Raises:
        InputError: `score_by` is neither; or it is `rules` and a candidate has no expected score.
    """
    if score_by != RULES and score_by not in annotations:
        raise InputError(
            f"sr: score_by is {score_by!r}; allowed: {RULES} or an annotator of the config "
            f"({', '.join(sorted(annotations)) or 'there is none'})"
        )
    pairs = kept.rename(columns={"candidate_id": "pair_id"}).assign(is_validated=False)
    pairs["score_rules"] = pairs["expected_score"].astype("Int64")
    for annotator, table in annotations.items():
        scores = pairs["pair_id"].map(table.set_index("pair_id")["score"])
        pairs[f"score_{annotator}"] = scores.astype("Float64").astype("Int64")
    pairs["score"] = pairs[f"score_{score_by}"]
    without = pairs["score"].isna()
    if score_by == RULES and without.any():
        raise InputError(
            f"generator {pairs.loc[without, 'generator'].iloc[0]!r} gives no expected scores; set "
            "score_by to an annotator of the config"
        )
    columns = [*REGENERATED_COLUMNS, *(f"score_{annotator}" for annotator in annotations)]
    return pairs.loc[~without, columns].reset_index(drop=True), int(without.sum())


def count_unscored(drops: pd.DataFrame, kept: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """Move the kept candidates that got no score to a drop of their own.

    Args:
        drops: counts from `filter_candidates`.
        kept: candidates from `filter_candidates`.
        pairs: what `attach_scores` made of them.

    Returns:
        The counts, still adding up to the candidates.
    """
    keys = ["generator", "corpus", "dimension"]
    unscored = kept[~kept["candidate_id"].isin(pairs["pair_id"])].groupby(keys).size()
    moved = drops.copy()
    for key, n in unscored.items():
        is_kept = (moved[keys] == list(key)).all(axis=1) & (moved["status"] == "kept")
        moved.loc[is_kept, "n"] -= n
    lost = unscored.rename("n").reset_index().assign(status="dropped", reason="no score")
    whole = pd.concat([moved[moved["n"] > 0], lost[moved.columns]], ignore_index=True)
    return whole.sort_values([*keys, "status", "reason"], ignore_index=True)


def released_form(pairs: pd.DataFrame) -> pd.DataFrame:
    """Lay pairs out as the released files: one structure and one relation pair per row.

    Args:
        pairs: regenerated pairs of one corpus.

    Returns:
        Columns `sentence1, structure, structurescore, relation, relationscore`: the i-th structure
        pair of a sentence beside its i-th relation pair. A pair without a partner has no row, since
        the form has no empty cells; the Parquet file holds all pairs.
    """
    sides = {}
    for dimension in ("structure", "relation"):
        side = pairs.loc[pairs["dimension"] == dimension]
        side = side.assign(place=side.groupby("sentence_id").cumcount())
        sides[dimension] = side[["sentence_id", "place", "sentence1", "sentence2", "score"]].rename(
            columns={"sentence2": dimension, "score": f"{dimension}score"}
        )
    both = sides["structure"].merge(
        sides["relation"].drop(columns="sentence1"), on=["sentence_id", "place"], how="inner"
    )
    return both[["sentence1", "structure", "structurescore", "relation", "relationscore"]]


def make_suite(pairs: pd.DataFrame) -> pd.DataFrame:
    """Turn regenerated pairs into the table of pairs that models are scored on.

    Args:
        pairs: regenerated pairs of all corpora of a generator, scores 0-5.

    Returns:
        A checked table of pairs (`embsyntax.pairs.PAIR_COLUMNS`), scores 0-1. Unlike files of
        people's scores it may hold a constant score, whose correlation is then undefined.

    Raises:
        InputError: there is no pair, or one is not sound.
    """
    if pairs.empty:
        raise InputError("regenerated benchmark: no pair was kept; see its drops.tsv")
    anchors = [
        f"{corpus}:{hashlib.sha256(text.encode('utf-8')).hexdigest()[:16]}"
        for corpus, text in zip(pairs["corpus"], pairs["sentence1"], strict=True)
    ]
    table = pairs.assign(
        anchor_id=anchors,
        row=pairs.groupby(["corpus", "dimension"]).cumcount() + 1,
        score=pairs["score"].astype("float64") / MAX_SCORE,
    )[list(PAIR_COLUMNS)].reset_index(drop=True)
    check_pairs(table)
    return table
