"""Score triples and passages: does a model put the paraphrase above the trap that looks alike?

Triples become rows of a table of pairs (`list_triple_pairs`), so embedding models, endpoints and
the baselines without a model all give their similarities by the same path as for scored pairs; so
do the passages (`list_passage_pairs`). All texts are encoded alike, anchor or not. The set that a
triple belongs to (dev, test, a file of your own) stands in the column `corpus`, its trap type in
`dimension`; tables have the columns of `embsyntax.scores`. Intervals come from resampling anchors:
the triples of one source sentence are drawn together, across trap types.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence
from itertools import chain, combinations

import numpy as np
import pandas as pd

from embsyntax import stats
from embsyntax.jobs import InputError
from embsyntax.pairs import PAIR_COLUMNS
from embsyntax.scores import (
    COMPARISON_COLUMNS,
    SCORE_COLUMNS,
    SPEARMAN,
    Cell,
    ScoreSettings,
    compare_two,
    join_similarities,
)
from embsyntax.stats import Floats
from embsyntax.triple_splits import require_columns

TRIPLE_COLUMNS = ("corpus", "type", "anchor", "paraphrase", "trap")
"""Columns that triples need here; `corpus` is the name of their set."""

PASSAGE_COLUMNS = ("corpus", "query", "original", "twin")
"""Columns that passages need here."""

MAX_PASSAGE_PAIRS = 20_000_000
"""Pairs of queries and texts of the pool that fit in a few gigabytes of memory."""

SCORED_COLUMNS = ("pair_id", "corpus", "dimension", "anchor_id", "row", "score")
"""What scoring needs of a table of pairs: all but the texts."""

MACRO = "macro"
"""Stands for the type in the unweighted mean over the trap types."""

ALL = "all"
"""Stands for the type where all triples count alike; its AUC is that of one global threshold."""

ACCURACY = "triple_accuracy"
"""Share of the triples whose paraphrase is above the trap; a tie counts one half."""

TIE_SHARE = "tie_share"
"""Share of the triples whose paraphrase and trap have the same similarity."""

MARGIN = "margin"
"""Mean of the paraphrase's similarity less the trap's."""

AUC = "auc"
"""Area under the ROC curve of one threshold that tells paraphrases from traps."""

TRIPLE_METRICS = (ACCURACY, TIE_SHARE, MARGIN, AUC)

PASSAGE = "passage"
"""Stands for the dimension in the scores of passages."""

ORIGINAL, TWIN, OTHER = "original", "twin", "other"
"""What a text of the pool is to a query; stands for the dimension in the pairs of passages."""

PASSAGE_ACCURACY, RECALL_AT_1, MRR = "passage_accuracy", "recall_at_1", "mrr"
PASSAGE_METRICS = (PASSAGE_ACCURACY, TIE_SHARE, RECALL_AT_1, MRR)


def list_triple_pairs(triples: pd.DataFrame) -> pd.DataFrame:
    """Make the two pairs of each triple: anchor and paraphrase (score 1), anchor and trap (0).

    Args:
        triples: `TRIPLE_COLUMNS`.

    Returns:
        A table of pairs (`PAIR_COLUMNS`), two rows per triple; `row` is the number of the triple
        within its set, from 1, and `anchor_id` follows from the anchor. No rows without triples.

    Raises:
        InputError: a column is missing, a text is missing or empty, or a type is called `macro`
            or `all`.
    """
    _check_texts(triples, TRIPLE_COLUMNS, "table of triples")
    reserved = sorted({MACRO, ALL} & set(triples["type"]))
    if reserved:
        raise InputError(
            f"a trap type is called {reserved[0]!r}, which is the name of a mean over types; give "
            "it another name"
        )
    numbers = triples.groupby("corpus").cumcount() + 1
    records = []
    for number, row in zip(numbers, triples.itertuples(index=False), strict=True):
        anchor_id = f"{row.corpus}:{_short_hash(row.anchor)}"
        for role, text, score in (("paraphrase", row.paraphrase, 1.0), ("trap", row.trap, 0.0)):
            pair_id = f"{row.corpus}:{row.type}:{number}:{role}"
            records.append(
                (pair_id, row.corpus, row.type, anchor_id, number, row.anchor, text, score)
            )
    return _make_pairs(records)


def list_passage_pairs(passages: pd.DataFrame) -> pd.DataFrame:
    """Pair each query with every passage and every twin of its set, each distinct text once.

    The table has queries x pool rows, which embed no text more than once; its texts are stored as
    categories, as each stands in many rows.

    Args:
        passages: `PASSAGE_COLUMNS`.

    Returns:
        A table of pairs: `dimension` says what the text is to the query (`ORIGINAL`, `TWIN` or
        `OTHER`), `row` is the number of the query within its set, `score` is 1 for the original
        and 0 otherwise, and `anchor_id` follows from the original. No rows without passages.

    Raises:
        InputError: a column is missing, a text is missing or empty, a twin equals its original, or
            there would be more than `MAX_PASSAGE_PAIRS`.
    """
    _check_texts(passages, PASSAGE_COLUMNS, "table of passages")
    same = passages.loc[passages["original"] == passages["twin"], "original"]
    if len(same):
        raise InputError(
            f"{len(same)} passages equal their twin, the first begins {same.iloc[0][:60]!r}; a "
            "twin has one sentence flipped. Remove them."
        )
    parts = [part for _, part in passages.groupby("corpus", sort=False)]
    pools = [list(dict.fromkeys([*part["original"], *part["twin"]])) for part in parts]
    n_pairs = sum(len(part) * len(pool) for part, pool in zip(parts, pools, strict=True))
    if n_pairs > MAX_PASSAGE_PAIRS:
        raise InputError(
            f"{len(passages)} queries with all passages and twins make {n_pairs:,} pairs; "
            f"allowed: {MAX_PASSAGE_PAIRS:,}. Take fewer seeds with passages (config keys "
            "triples.seeds.limits.max_texts or triples.generate.per_type)."
        )
    texts = list(dict.fromkeys([*passages["query"], *chain.from_iterable(pools)]))
    frames = [_pair_pool(part, pool, texts) for part, pool in zip(parts, pools, strict=True)]
    return pd.concat(frames, ignore_index=True) if frames else _make_pool_pairs([[]] * 8, texts)


def _pair_pool(passages: pd.DataFrame, pool: list[str], texts: list[str]) -> pd.DataFrame:
    """Pair the queries of one set with its pool; `texts` are the categories of the result."""
    n, m = len(passages), len(pool)
    corpus = str(passages["corpus"].iloc[0])
    place = {text: number for number, text in enumerate(pool)}
    roles = np.full((n, m), OTHER, dtype=object)
    for row, (original, twin) in enumerate(
        zip(passages["original"], passages["twin"], strict=True)
    ):
        roles[row, place[original]] = ORIGINAL
        roles[row, place[twin]] = TWIN
    code = {text: number for number, text in enumerate(texts)}
    anchors = np.array([f"{corpus}:{_short_hash(text)}" for text in passages["original"]], object)
    return _make_pool_pairs(
        [
            [f"{corpus}:{row}:{number}" for row in range(1, n + 1) for number in range(1, m + 1)],
            np.full(n * m, corpus, dtype=object),
            roles.ravel(),
            np.repeat(anchors, m),
            np.repeat(np.arange(1, n + 1), m),
            np.repeat([code[text] for text in passages["query"]], m),
            np.tile([code[text] for text in pool], n),
            (roles == ORIGINAL).ravel(),
        ],
        texts,
    )


def _make_pool_pairs(columns: Sequence[Sequence[object]], texts: list[str]) -> pd.DataFrame:
    """Return a table of pairs whose texts are given as numbers of `texts`."""
    types = _pair_types() | {"sentence1": "int64", "sentence2": "int64"}
    pairs = pd.DataFrame(
        {
            name: pd.Series(column, dtype=types[name])
            for name, column in zip(PAIR_COLUMNS, columns, strict=True)
        }
    )
    for name in ("sentence1", "sentence2"):
        pairs[name] = pd.Categorical.from_codes(pairs[name], pd.Index(texts, dtype="str"))
    return pairs


def compare_similarities(positive: Floats, negative: Floats) -> Floats:
    """Return 1 where the first similarity is higher, 0 where it is lower, 0.5 where they tie.

    Args:
        positive: similarities, shape (n,), finite.
        negative: similarities, shape (n,), finite.

    Returns:
        Shape (n,), of 0, 0.5 and 1.
    """
    return (np.sign(positive - negative) + 1) / 2


def weighted_area(positive: Floats, negative: Floats, weights: Floats) -> Floats:
    """Return the area under the ROC curve of two samples, for many weightings at once.

    It is the weighted share of (positive, negative) couples in which the positive is higher, a tie
    counting one half (Mann and Whitney 1947); one threshold serves them all.

    Args:
        positive: shape (n,), finite.
        negative: shape (n,), finite; the i-th has the weight of the i-th positive.
        weights: shape (n, b), at least 0.

    Returns:
        Shape (b,), 0-1; NaN where all weights are 0.
    """
    order = np.argsort(negative, kind="stable")
    ascending = negative[order]
    below = np.vstack([np.zeros(weights.shape[1]), np.cumsum(weights[order], axis=0)])
    lower = below[np.searchsorted(ascending, positive, side="left")]
    upper = below[np.searchsorted(ascending, positive, side="right")]
    total = weights.sum(axis=0)
    return _divide(np.einsum("ij,ij->j", weights, (lower + upper) / 2), total**2)


def rank_original(similarities: Floats, original: int) -> tuple[float, float]:
    """Return the expected recall at 1 and reciprocal rank of one text of a pool.

    Texts that tie with it stand in random order, so both are means over its possible ranks.

    Args:
        similarities: of all texts of the pool with the query, shape (pool,).
        original: position of the text that is sought.

    Returns:
        Recall at 1 and reciprocal rank, each 0-1.
    """
    above = int(np.count_nonzero(similarities > similarities[original]))
    tied = int(np.count_nonzero(similarities == similarities[original]))
    ranks = np.arange(above + 1, above + tied + 1)
    return float(above == 0) / tied, float(np.mean(1 / ranks))


def score_triples(
    pairs: pd.DataFrame, similarities: pd.DataFrame, model: str, settings: ScoreSettings
) -> pd.DataFrame:
    """Score one model on each set and trap type.

    Args:
        pairs: from `list_triple_pairs`.
        similarities: columns `pair_id, similarity`.
        model: id of the model.
        settings: the numbers of the bootstrap, and the decimals that settle ties.

    Returns:
        A tidy frame with `SCORE_COLUMNS`, metrics `TRIPLE_METRICS`, `n` = triples. After the types
        of a set come `MACRO` and `ALL`. Where a resample lacks a type, the macro mean is over the
        others.

    Raises:
        InputError: the similarities do not fit the pairs, or the pairs are no triples.
    """
    cells = _measure_triples(pairs, {model: similarities}, settings)
    return _tabulate(cells, model, TRIPLE_METRICS, settings)


def score_passages(
    pairs: pd.DataFrame, similarities: pd.DataFrame, model: str, settings: ScoreSettings
) -> pd.DataFrame:
    """Score one model on each set of passages.

    Args:
        pairs: from `list_passage_pairs`.
        similarities: columns `pair_id, similarity`.
        model: id of the model.
        settings: the numbers of the bootstrap, and the decimals that settle ties.

    Returns:
        A tidy frame with `SCORE_COLUMNS`, dimension `PASSAGE`, metrics `PASSAGE_METRICS`: the
        share of queries with the original above its twin (a tie counts one half), the share of
        ties, and recall at 1 and mean reciprocal rank of the original among all passages and twins
        of the set. `n` = queries; those with one original are drawn together.

    Raises:
        InputError: the similarities do not fit the pairs, or the pairs are no passages.
    """
    cells = _measure_passages(pairs, {model: similarities}, settings)
    return _tabulate(cells, model, PASSAGE_METRICS, settings)


def compare_on_triples(
    pairs: pd.DataFrame,
    similarities: Mapping[str, pd.DataFrame],
    settings: ScoreSettings,
    false_discovery_rate: float,
) -> pd.DataFrame:
    """Compare every two models by triple accuracy on every set and type, over shared resamples.

    Args:
        pairs: from `list_triple_pairs`.
        similarities: model -> columns `pair_id, similarity`.
        settings: the numbers of the bootstrap.
        false_discovery_rate: level at which a corrected p-value is significant, 0-1.

    Returns:
        A tidy frame with `COMPARISON_COLUMNS`, as `scores.rank_groups` takes it. P-values are
        corrected within a set and type.

    Raises:
        InputError: as `score_triples`.
    """
    cells = _measure_triples(pairs, similarities, settings)
    return _compare(cells, list(similarities), ACCURACY, settings, false_discovery_rate)


def compare_on_passages(
    pairs: pd.DataFrame,
    similarities: Mapping[str, pd.DataFrame],
    settings: ScoreSettings,
    false_discovery_rate: float,
) -> pd.DataFrame:
    """Compare every two models by passage accuracy; see `compare_on_triples`."""
    cells = _measure_passages(pairs, similarities, settings)
    return _compare(cells, list(similarities), PASSAGE_ACCURACY, settings, false_discovery_rate)


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def _make_pairs(records: Sequence[tuple[object, ...]]) -> pd.DataFrame:
    """Return a table of pairs whose types do not depend on there being rows."""
    return pd.DataFrame(records, columns=list(PAIR_COLUMNS)).astype(_pair_types())


def _pair_types() -> dict[str, str]:
    return dict.fromkeys(PAIR_COLUMNS, "str") | {"row": "int64", "score": "float64"}


def _check_texts(frame: pd.DataFrame, columns: Sequence[str], name: str) -> None:
    require_columns(frame, columns, name)
    if frame.empty:
        return
    for column in columns:
        empty = frame[column].isna() | (frame[column].astype(str).str.strip() == "")
        if empty.any():
            raise InputError(
                f"{name}, column {column}, row {int(np.argmax(empty)) + 1}: empty; every row "
                f"needs a text in each of {', '.join(columns)}. Fill it or remove the row."
            )


def _divide(numerator: Floats, denominator: Floats) -> Floats:
    """Divide; NaN where the denominator is 0."""
    result = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    return np.divide(numerator, denominator, out=result, where=denominator > 0)


def _match_rows(pairs: pd.DataFrame, column: str, values: Sequence[object]) -> list[pd.Index]:
    """Return for each value of a column the index of its pairs, in the order of their `row`.

    Raises:
        InputError: a row number does not have exactly one pair for each value.
    """
    rows = np.unique(pairs["row"].to_numpy())
    found = []
    for value in values:
        part = pairs[pairs[column] == value].sort_values("row", kind="stable")
        if not np.array_equal(part["row"].to_numpy(), rows):
            raise InputError(
                f"set {pairs['corpus'].iloc[0]!r}: each row number needs exactly one pair with "
                f"{column} {value}. Make the pairs again from the triples or passages."
            )
        found.append(part.index)
    return found


def _predict(
    pairs: pd.DataFrame, similarities: Mapping[str, pd.DataFrame], settings: ScoreSettings
) -> pd.DataFrame:
    """Return one column of rounded similarities per model, with the index of the pairs."""
    return pd.DataFrame(
        {
            model: join_similarities(pairs, frame, model, settings.cosine_decimals)["similarity"]
            for model, frame in similarities.items()
        }
    )


def _measure_triples(
    pairs: pd.DataFrame, similarities: Mapping[str, pd.DataFrame], settings: ScoreSettings
) -> dict[tuple[str, str], Cell]:
    """Return (set, type) -> estimates and resamples of `TRIPLE_METRICS` for each model."""
    predicted = _predict(pairs, similarities, settings)
    cells: dict[tuple[str, str], Cell] = {}
    for corpus, part in pairs.groupby("corpus", sort=False):
        paraphrases, traps = _match_rows(part, "score", (1.0, 0.0))
        similar = {
            model: (column[paraphrases].to_numpy(), column[traps].to_numpy())
            for model, column in predicted.items()
        }
        types = part.loc[paraphrases, "dimension"].to_numpy()
        masks = {str(name): types == name for name in part["dimension"].unique()}
        masks[ALL] = np.ones(len(types), dtype=bool)
        anchors = part.loc[paraphrases, "anchor_id"].to_numpy()
        measured = _resample_triples(similar, masks, anchors, str(corpus), settings)
        whole = measured.pop(ALL)
        measured |= {MACRO: _average(measured, whole), ALL: whole}
        measured = {name: _drop_few(cell) for name, cell in measured.items()}
        cells |= {(str(corpus), name): cell for name, cell in measured.items()}
    return cells


def _resample_triples(
    similar: Mapping[str, tuple[Floats, Floats]],
    masks: Mapping[str, np.ndarray],
    anchors: np.ndarray,
    corpus: str,
    settings: ScoreSettings,
) -> dict[str, Cell]:
    """Measure each group of the triples of one set, on the triples as they are and resampled.

    Samples of groups with few anchors are kept here: the mean over types needs them.
    """
    seed = stats.make_seed(settings.seed, corpus, "triples")
    chunks = [np.ones((len(anchors), 1))]
    chunks += list(stats.draw_weights(anchors, settings.resamples, seed))
    cells = {}
    for name, mask in masks.items():
        estimates: dict[str, dict[str, stats.Estimate]] = {metric: {} for metric in TRIPLE_METRICS}
        samples: dict[str, dict[str, Floats]] = {metric: {} for metric in TRIPLE_METRICS}
        n_anchors = len(set(anchors[mask]))
        for model, (paraphrase, trap) in similar.items():
            values = np.concatenate(
                [_measure(paraphrase[mask], trap[mask], weights[mask]) for weights in chunks],
                axis=1,
            )
            for metric, row in zip(TRIPLE_METRICS, values, strict=True):
                estimates[metric][model] = stats.Estimate(float(row[0]))
                samples[metric][model] = row[1:]
        cells[name] = _make_cell(int(mask.sum()), n_anchors, estimates, samples)
    return cells


def _measure(paraphrase: Floats, trap: Floats, weights: Floats) -> Floats:
    """Return the `TRIPLE_METRICS` under each weighting, shape (metrics, b)."""
    total = weights.sum(axis=0)
    columns = np.stack(
        [compare_similarities(paraphrase, trap), paraphrase == trap, paraphrase - trap]
    )
    return np.vstack([_divide(columns @ weights, total), weighted_area(paraphrase, trap, weights)])


def _measure_passages(
    pairs: pd.DataFrame, similarities: Mapping[str, pd.DataFrame], settings: ScoreSettings
) -> dict[tuple[str, str], Cell]:
    """Return (set, `PASSAGE`) -> estimates and resamples of `PASSAGE_METRICS` for each model."""
    predicted = _predict(pairs, similarities, settings)
    cells: dict[tuple[str, str], Cell] = {}
    for corpus, part in pairs.groupby("corpus", sort=False):
        originals, twins = _match_rows(part, "dimension", (ORIGINAL, TWIN))
        anchors = part.loc[originals, "anchor_id"].to_numpy()
        n, n_anchors = len(anchors), len(set(anchors))
        seed = stats.make_seed(settings.seed, str(corpus), PASSAGE)
        estimates: dict[str, dict[str, stats.Estimate]] = {name: {} for name in PASSAGE_METRICS}
        samples: dict[str, dict[str, Floats]] = {name: {} for name in PASSAGE_METRICS}
        for model, column in predicted.items():
            own, twin = column[originals].to_numpy(), column[twins].to_numpy()
            ranks = [
                rank_original(column[pool.index].to_numpy(), pool.index.get_loc(original))
                for (_, pool), original in zip(part.groupby("row"), originals, strict=True)
            ]
            values = np.stack([compare_similarities(own, twin), own == twin, *np.transpose(ranks)])
            drawn = [
                values @ weights / weights.sum(axis=0)
                for weights in stats.draw_weights(anchors, settings.resamples, seed)
            ]
            for metric, row, resampled in zip(
                PASSAGE_METRICS, values, np.concatenate(drawn, axis=1), strict=True
            ):
                estimates[metric][model] = stats.Estimate(float(row.mean()))
                samples[metric][model] = resampled
        cells[(str(corpus), PASSAGE)] = _drop_few(_make_cell(n, n_anchors, estimates, samples))
    return cells


def _make_cell(
    n: int,
    n_anchors: int,
    estimates: dict[str, dict[str, stats.Estimate]],
    samples: dict[str, dict[str, Floats]],
) -> Cell:
    few = n_anchors < stats.MINIMUM_PAIRS
    return Cell(
        n=n,
        n_anchors=n_anchors,
        estimates=estimates,
        samples=samples,
        ceiling=stats.Estimate(1.0),
        no_samples=f"fewer than {stats.MINIMUM_PAIRS} anchors ({n_anchors})" if few else "",
    )


def _drop_few(cell: Cell) -> Cell:
    """Leave the samples out where too few anchors make them."""
    if not cell.no_samples:
        return cell
    return dataclasses.replace(cell, samples={metric: {} for metric in cell.samples})


def _average(cells: Mapping[str, Cell], whole: Cell) -> Cell:
    """Average the types without weights, in each resample over the types that it holds.

    A type of one or two anchors is missing in many resamples, so that what it adds to the mean
    widens the interval and makes no difference significant by itself.
    """
    estimates: dict[str, dict[str, stats.Estimate]] = {}
    samples: dict[str, dict[str, Floats]] = {}
    for metric, models in whole.estimates.items():
        estimates[metric] = {
            model: stats.Estimate(
                float(np.mean([cell.estimates[metric][model].value for cell in cells.values()]))
            )
            for model in models
        }
        samples[metric] = {}
        for model in models:
            rows = np.stack([cell.samples[metric][model] for cell in cells.values()])
            present = np.isfinite(rows)
            samples[metric][model] = np.where(present, rows, 0).sum(axis=0) / present.sum(0)
    return dataclasses.replace(whole, estimates=estimates, samples=samples)


def _tabulate(
    cells: Mapping[tuple[str, str], Cell],
    model: str,
    metrics: Sequence[str],
    settings: ScoreSettings,
) -> pd.DataFrame:
    records = []
    for (corpus, dimension), cell in cells.items():
        for metric in metrics:
            interval = cell.interval(metric, model, settings.confidence)
            records.append(
                {
                    "corpus": corpus,
                    "dimension": dimension,
                    "model": model,
                    "metric": metric,
                    "value": cell.estimates[metric][model].value,
                    "ci_low": interval.low,
                    "ci_high": interval.high,
                    "n": cell.n,
                    "n_anchors": cell.n_anchors,
                    "resamples": 0 if interval.reason else settings.resamples,
                    "reason": interval.reason,
                }
            )
    return pd.DataFrame(records, columns=SCORE_COLUMNS)


def _compare(
    cells: Mapping[tuple[str, str], Cell],
    models: Sequence[str],
    metric: str,
    settings: ScoreSettings,
    false_discovery_rate: float,
) -> pd.DataFrame:
    records = []
    for (corpus, dimension), cell in cells.items():
        # `compare_two` reads the column of Spearman's correlation; the metric takes its place.
        shown = dataclasses.replace(
            cell,
            estimates={SPEARMAN: cell.estimates[metric]},
            samples={SPEARMAN: cell.samples[metric]},
        )
        family = [
            compare_two(shown, first, second, settings) for first, second in combinations(models, 2)
        ]
        adjusted = stats.benjamini_hochberg([record["p_value"] for record in family])
        records += [
            {"corpus": corpus, "dimension": dimension}
            | record
            | {
                "metric": metric,
                "p_adjusted": p_adjusted,
                "is_significant": bool(p_adjusted <= false_discovery_rate),
            }
            for record, p_adjusted in zip(family, adjusted, strict=True)
        ]
    return pd.DataFrame(records, columns=COMPARISON_COLUMNS)
