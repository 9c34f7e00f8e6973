"""Sentences that are kept for people before anything is generated.

A module of its own: whatever it makes is an input of every generator, so that an edit of the sheets
must not touch it.
"""

from __future__ import annotations

import pandas as pd

from embsyntax.jobs import InputError
from embsyntax.near_duplicates import find_similar_pairs
from embsyntax.sampling import draw_rows
from embsyntax.triple_splits import DROPPED, TEST, normalise_source, require_columns


def reserve_seeds(
    seeds: pd.DataFrame, splits: pd.DataFrame, n_sentences: int, seed: int, near_duplicate: float
) -> pd.DataFrame:
    """Draw the sentences of the test split that are kept for people.

    Args:
        seeds: columns `seed_id, text, context_sentences`.
        splits: from `embsyntax.triple_splits.assign_splits`.
        n_sentences: how many to draw, 1 or more; all that are fit where there are fewer.
        seed: of the draw.
        near_duplicate: least Jaccard index of a near-duplicate; a sentence with one among the seeds
            that are not dropped is not fit, since a generator would see its like.

    Returns:
        The column `seed_id`, in the order of the seeds. Sentences of their own come first; those
        out of a passage, which may lean on what stands around them, fill up what is missing. The
        table is empty where no seed is test.

    Raises:
        InputError: a column is missing, or no test seed would be left for the generators.
    """
    require_columns(seeds, ("seed_id", "text", "context_sentences"), "table of seeds")
    sides = seeds["seed_id"].map(splits.set_index("seed_id")["split"])
    placed = seeds.assign(split=sides)[sides.notna() & (sides != DROPPED)].reset_index(drop=True)
    texts = [normalise_source(text) for text in placed["text"]]
    near = placed.index.isin(find_similar_pairs(texts, near_duplicate).ravel())
    is_test = placed["split"] == TEST
    fit = placed[is_test & ~near]
    alone = fit[fit["context_sentences"] == 1]
    drawn = draw_rows(alone, "seed_id", n_sentences, seed)
    rest = draw_rows(fit.drop(alone.index), "seed_id", n_sentences - len(drawn), seed)
    drawn = pd.concat([drawn, rest]).sort_index()
    n_test = int(is_test.sum())
    if n_test and len(drawn) == n_test:
        raise InputError(
            f"triples.people.n_sentences is {n_sentences}, and the test split has {n_test} seeds: "
            "none would be left for the generators. Lower it, or add seeds."
        )
    return drawn[["seed_id"]].reset_index(drop=True)
