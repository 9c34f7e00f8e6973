"""Validation by people: a sheet goes out, filled sheets come back, corrections are applied.

The sheet is blind: it shows two sentences and a score, not the rule or the generator. It is a CSV
with a byte order mark, so that spreadsheets read it as UTF-8, and cells that a spreadsheet would
take for a formula begin with an apostrophe. What comes back may have other separators, column
order, line ends, and byte order mark; changed sentences, unknown or repeated ids and unknown
verdicts are refused by row, because a correction of the wrong pair is worse than none.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import krippendorff
import numpy as np
import pandas as pd
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

from embsyntax.jobs import InputError
from embsyntax.rubric import MAX_SCORE, MIN_SCORE
from embsyntax.sheets import guard_formula, read_sheet, unguard_formula
from embsyntax.stats import Estimate, Interval

ACCEPT, REVISE, REJECT = "accept", "revise", "reject"
VERDICTS = (ACCEPT, REVISE, REJECT)
"""The pair is right; it is right once corrected as the row says; it must go."""

SHEET_COLUMNS = (
    "pair_id",
    "corpus",
    "dimension",
    "sentence1",
    "sentence2",
    "score",
    "verdict",
    "revised_sentence2",
    "revised_score",
    "rater",
    "comment",
)
"""Columns of a sheet; raters fill those from `verdict` on."""

FIXED_COLUMNS = SHEET_COLUMNS[:6]
FILLED_COLUMNS = SHEET_COLUMNS[6:]
SHOWN = 3
"""How many examples a message names."""

NOT_VALIDATED = "not yet validated"
BY_PEOPLE = "validated by people"
EXAMPLE = "example sheet, no human validation"
"""What a table of revision rates says of each of its rows."""


@dataclass(frozen=True)
class Review:
    """One row that a rater filled.

    Attributes:
        pair_id: id of the pair.
        rater: who filled it, not empty.
        verdict: one of `VERDICTS`.
        revised_sentence2: new text, or `""` to keep the old one.
        revised_score: new score 0-5, or None to keep the old one.
    """

    pair_id: str
    rater: str
    verdict: str
    revised_sentence2: str
    revised_score: int | None


def sample_pairs(pairs: pd.DataFrame, n_per_dimension: int, seed: int) -> pd.DataFrame:
    """Draw pairs for people, the same number of every corpus and dimension, spread over the rules.

    Args:
        pairs: regenerated pairs (columns `pair_id, corpus, dimension, rule, ...`).
        n_per_dimension: how many pairs of each corpus and dimension; all of them where there are
            fewer.
        seed: of the draw. A pair's place in the draw depends on its id and the seed alone, so equal
            pairs give equal samples on any machine.

    Returns:
        The drawn pairs, in an order that says nothing about their rules. Each rule has its share of
        the sample to a whole pair, and at least one pair while there is room.
    """
    drawn = []
    keyed = pairs.assign(key=[_draw_key(pair_id, seed) for pair_id in pairs["pair_id"]])
    for _, cell in keyed.groupby(["corpus", "dimension"], sort=True):
        ordered = cell.sort_values("key")
        sizes = ordered["rule"].value_counts().sort_index()
        for rule, n in share_out(sizes.to_dict(), min(n_per_dimension, len(ordered))).items():
            drawn.append(ordered[ordered["rule"] == rule].head(n))
    if not drawn:
        raise InputError("validation: there is no pair to draw; see drops.tsv of the corpora")
    return pd.concat(drawn).sort_values(["corpus", "dimension", "key"]).drop(columns="key")


def _draw_key(pair_id: str, seed: int) -> str:
    return hashlib.sha256(f"{seed}|{pair_id}".encode()).hexdigest()


def share_out(sizes: Mapping[str, int], total: int) -> dict[str, int]:
    """Share a number out over groups in proportion to their sizes (largest remainders).

    Args:
        sizes: group -> its size, each at least 1.
        total: what to share, at most the sum of the sizes.

    Returns:
        Group -> share, adding up to `total`; no share above the size, and at least 1 each while
        `total` allows.
    """
    if total < len(sizes):
        largest = sorted(sizes, key=lambda group: (-sizes[group], group))[:total]
        return dict.fromkeys(sorted(largest), 1)
    spare = total - len(sizes)
    rest = {group: size - 1 for group, size in sizes.items()}
    whole = sum(rest.values())
    exact = {group: spare * size / whole if whole else 0.0 for group, size in rest.items()}
    shares = {group: 1 + int(value) for group, value in exact.items()}
    by_remainder = sorted(exact, key=lambda group: (int(exact[group]) - exact[group], group))
    for group in by_remainder[: total - sum(shares.values())]:
        shares[group] += 1
    return shares


def make_sheet(sample: pd.DataFrame) -> str:
    """Return the sheet as CSV text with a byte order mark, CRLF line ends, empty verdicts."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(SHEET_COLUMNS)
    for record in sample[list(FIXED_COLUMNS)].itertuples(index=False):
        writer.writerow([*(guard_formula(str(cell)) for cell in record), *[""] * 5])
    return "\ufeff" + buffer.getvalue()


def label_studio_tasks(sample: pd.DataFrame) -> str:
    """Return the sample as Label Studio's task import (JSON; https://labelstud.io/guide/tasks)."""
    tasks = [
        {"data": {column: str(getattr(record, column)) for column in FIXED_COLUMNS}}
        for record in sample[list(FIXED_COLUMNS)].itertuples(index=False)
    ]
    return json.dumps(tasks, ensure_ascii=False, indent=1) + "\n"


def label_studio_config() -> str:
    """Return the labelling interface for the tasks (XML; https://labelstud.io/tags)."""
    verdicts = "\n".join(f'    <Choice value="{verdict}"/>' for verdict in VERDICTS)
    scores = "\n".join(
        f'    <Choice value="{score}"/>' for score in range(MIN_SCORE, MAX_SCORE + 1)
    )
    return f"""<View>
  <Header value="$corpus, $dimension, score $score"/>
  <Text name="sentence1" value="$sentence1"/>
  <Text name="sentence2" value="$sentence2"/>
  <Choices name="verdict" toName="sentence2" choice="single" required="true">
{verdicts}
  </Choices>
  <TextArea name="revised_sentence2" toName="sentence2" maxSubmissions="1"/>
  <Choices name="revised_score" toName="sentence2" choice="single">
{scores}
  </Choices>
  <TextArea name="comment" toName="sentence2" maxSubmissions="1"/>
</View>
"""


def read_reviews(path: str | Path, sample: pd.DataFrame) -> list[Review]:
    """Read one filled sheet, or one export of Label Studio (`.json`).

    Args:
        path: the file.
        sample: what the sheet was made from.

    Returns:
        The reviews, in the order of the file.

    Raises:
        InputError: the file cannot be read, or a row is not sound; see the module's docstring.
    """
    label = Path(path).name
    if Path(path).suffix == ".json":
        rows = _read_export(path, label)
    else:
        rows = read_sheet(path, label, SHEET_COLUMNS)
    originals = sample.set_index("pair_id")
    reviews: list[Review] = []
    places: dict[tuple[str, str], str] = {}
    for place, cells in rows:
        review = _check_row(place, cells, originals)
        key = (review.rater, review.pair_id)
        if key in places:
            raise InputError(
                f"{place}: rater {review.rater!r} has pair {review.pair_id} already in "
                f"{places[key]}; a rater has one row per pair: delete one of them"
            )
        places[key] = place
        reviews.append(review)
    return reviews


def require_all_pairs(reviews: pd.DataFrame, sample: pd.DataFrame) -> None:
    """Refuse sheets that together leave a pair of the sample out.

    Args:
        reviews: from `merge_reviews`; empty where nobody filled a sheet, which is allowed.
        sample: what the sheets were made from.

    Raises:
        InputError: naming how many pairs have no row, and the first of them.
    """
    seen = set(reviews["pair_id"])
    missing = [pair_id for pair_id in sample["pair_id"] if pair_id not in seen]
    if seen and missing:
        raise InputError(
            f"validation sheets: {len(missing)} of {len(sample)} pairs of the sample have no row: "
            f"{', '.join(missing[:SHOWN])}{' ...' if len(missing) > SHOWN else ''}; put the rows "
            "back from the sheet that sample_validation made, and fill them"
        )


def _read_export(path: str | Path, label: str) -> list[tuple[str, dict[str, str]]]:
    try:
        tasks = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise InputError(f"{label}: not JSON ({error}); export from Label Studio as JSON") from None
    if not isinstance(tasks, list) or not all(
        isinstance(task, dict) and isinstance(task.get("data"), dict) for task in tasks
    ):
        raise InputError(f"{label}: not a list of tasks with `data`; export as JSON, not JSON-MIN")
    rows = []
    for number, task in enumerate(tasks, start=1):
        place = f"{label}, task {number}"
        fixed = {column: str(task["data"].get(column, "")) for column in FIXED_COLUMNS}
        done = [a for a in task.get("annotations") or [] if not a.get("was_cancelled")]
        if not done:
            raise InputError(f"{place}: pair {fixed['pair_id']} has no annotation; finish it")
        for annotation in done:
            cells = dict.fromkeys(FILLED_COLUMNS, "")
            for result in annotation.get("result", []):
                value = result.get("value", {})
                words = value.get("choices") or value.get("text") or [""]
                if result.get("from_name") in cells:
                    cells[result["from_name"]] = words if isinstance(words, str) else words[0]
            cells["rater"] = f"label_studio_{annotation.get('completed_by', '')}"
            rows.append((place, fixed | cells))
    return rows


def _check_row(place: str, cells: Mapping[str, str], originals: pd.DataFrame) -> Review:
    cell = {name: " ".join(unguard_formula(cells[name]).split()) for name in SHEET_COLUMNS}
    pair_id = cell["pair_id"]
    if pair_id not in originals.index:
        raise InputError(
            f"{place}, column pair_id: {pair_id!r} is not in the sample; was the sheet made by "
            "another run (other seed, config or rules)? Put the id back, or fill a new sheet"
        )
    original = originals.loc[pair_id]
    for column in FIXED_COLUMNS[1:]:
        if " ".join(cell[column].split()) != " ".join(str(original[column]).split()):
            raise InputError(
                f"{place}, column {column}: {cell[column]!r} where the sample has "
                f"{str(original[column])!r}; leave it as it was (corrections go to "
                "revised_sentence2 and revised_score)"
            )
    verdict = cell["verdict"].lower()
    if verdict not in VERDICTS:
        raise InputError(
            f"{place}, column verdict: {cell['verdict']!r}; allowed: {', '.join(VERDICTS)}"
        )
    if not cell["rater"]:
        raise InputError(f"{place}, column rater: empty; give a name or a number of the rater")
    score = _check_score(place, cell["revised_score"])
    has_revision = bool(cell["revised_sentence2"]) or score is not None
    if has_revision != (verdict == REVISE):
        raise InputError(
            f"{place}: verdict {verdict!r} {'with' if has_revision else 'without'} a revised "
            "sentence or score; `revise` needs at least one of them, other verdicts none"
        )
    if cell["revised_sentence2"] == cell["sentence1"]:
        raise InputError(
            f"{place}, column revised_sentence2: the same as sentence1, which makes no pair; "
            "correct it, or use the verdict `reject`"
        )
    return Review(pair_id, cell["rater"], verdict, cell["revised_sentence2"], score)


def _check_score(place: str, text: str) -> int | None:
    if not text:
        return None
    allowed = [str(score) for score in range(MIN_SCORE, MAX_SCORE + 1)]
    plain = text.replace(",", ".").removesuffix(".0")
    if plain not in allowed:
        raise InputError(
            f"{place}, column revised_score: {text!r}; allowed: whole numbers "
            f"{MIN_SCORE} to {MAX_SCORE}, or empty"
        )
    return int(plain)


def merge_reviews(sheets: Iterable[Sequence[Review]]) -> pd.DataFrame:
    """Put the reviews of all sheets into one table.

    Args:
        sheets: reviews per file, in the order of the config.

    Returns:
        Columns `pair_id, rater, verdict, revised_sentence2, revised_score`; raters in the order of
        their first row.

    Raises:
        InputError: a rater reviewed a pair in two files.
    """
    reviews = pd.DataFrame(
        [vars(review) for sheet in sheets for review in sheet],
        columns=["pair_id", "rater", "verdict", "revised_sentence2", "revised_score"],
    ).astype({"revised_score": "Int64"})
    repeated = reviews.duplicated(["rater", "pair_id"])
    if repeated.any():
        first = reviews.loc[repeated].iloc[0]
        raise InputError(
            f"validation sheets: rater {first['rater']!r} has pair {first['pair_id']} in two "
            "files; give each rater one name, and each file of a rater other pairs"
        )
    return reviews


def apply_corrections(
    pairs: pd.DataFrame, reviews: pd.DataFrame, is_by_people: bool
) -> pd.DataFrame:
    """Correct the reviewed pairs, leave out the rejected ones.

    Args:
        pairs: regenerated pairs.
        reviews: from `merge_reviews`; where raters differ, the first rater of a pair decides.
        is_by_people: False for example sheets, which show the way: they change no pair.

    Returns:
        The pairs with `is_validated` true where a person reviewed them; scores of annotators are
        those of the text before the correction.
    """
    if not is_by_people:
        return pairs
    first = reviews.drop_duplicates("pair_id").set_index("pair_id")
    corrected = pairs.copy()
    reviewed = corrected["pair_id"].isin(first.index)
    corrected.loc[reviewed, "is_validated"] = True
    verdicts = corrected["pair_id"].map(first["verdict"])
    texts = corrected["pair_id"].map(first["revised_sentence2"].to_dict().get)
    scores = corrected["pair_id"].map(first["revised_score"])
    corrected["sentence2"] = corrected["sentence2"].where(texts.isna() | (texts == ""), texts)
    corrected["score"] = corrected["score"].where(scores.isna(), scores)
    return corrected.loc[(verdicts != REJECT).to_numpy()].reset_index(drop=True)


def revision_rates(
    sample: pd.DataFrame, reviews: pd.DataFrame, by: Sequence[str], confidence: float
) -> pd.DataFrame:
    """Count how many sampled pairs people changed or refused.

    Args:
        sample: the drawn pairs.
        reviews: from `merge_reviews`; the first rater of a pair counts.
        by: columns that make a group, `corpus, dimension` (tables 1-3) or `rule` (false accepts:
            pairs that passed every filter and that people did not).
        confidence: share of the Wilson interval.

    Returns:
        Columns `by`, `original_samples, modified_samples, rejected_samples, rate, ci_low, ci_high`;
        `modified_samples` holds revised and rejected ones, `rate` is their share.
    """
    verdicts = reviews.drop_duplicates("pair_id").set_index("pair_id")["verdict"]
    known = sample.assign(verdict=sample["pair_id"].map(verdicts))
    known = known[known["verdict"].notna()]
    records = []
    for names, group in known.groupby(list(by), sort=True):
        changed, n = int((group["verdict"] != ACCEPT).sum()), len(group)
        low, high = proportion_confint(changed, n, alpha=1 - confidence, method="wilson")
        records.append(
            (*names, n, changed, int((group["verdict"] == REJECT).sum()), changed / n, low, high)
        )
    columns = ["original_samples", "modified_samples", "rejected_samples"]
    return pd.DataFrame(records, columns=[*by, *columns, "rate", "ci_low", "ci_high"])


@dataclass(frozen=True)
class Agreement:
    """Agreement of raters by one coefficient.

    Attributes:
        metric: `cohen_kappa` or `krippendorff_alpha`.
        estimate: the coefficient, at most 1, or why there is none.
        interval: percentile interval over pairs, or why there is none.
        n: pairs that count.
        n_raters: raters that count.
    """

    metric: str
    estimate: Estimate
    interval: Interval
    n: int
    n_raters: int


def kappa_of(codes: np.ndarray) -> float:
    """Return Cohen's kappa of two raters' nominal codes, shape (2, pairs); NaN if all are equal."""
    if len(np.unique(codes)) < 2:
        return np.nan
    table = np.zeros((len(VERDICTS), len(VERDICTS)))
    np.add.at(table, tuple(codes.astype(int)), 1)
    return float(cohens_kappa(table, return_results=False))


def alpha_of(codes: np.ndarray) -> float:
    """Return Krippendorff's alpha of nominal codes, shape (raters, pairs), NaN for no rating."""
    known = codes[~np.isnan(codes)]
    if len(np.unique(known)) < 2 or not ((~np.isnan(codes)).sum(axis=0) > 1).any():
        return np.nan
    return float(krippendorff.alpha(reliability_data=codes, level_of_measurement="nominal"))


def rater_agreement(
    reviews: pd.DataFrame, resamples: int, confidence: float, seed: int
) -> list[Agreement]:
    """Measure how far raters give the same verdict.

    Args:
        reviews: from `merge_reviews`.
        resamples: how many times the pairs are drawn anew.
        confidence: share of the interval.
        seed: of the resamples.

    Returns:
        Cohen's kappa of the first two raters over the pairs that both have, and Krippendorff's
        alpha over all raters and pairs with two or more ratings.
    """
    codes = reviews.assign(code=reviews["verdict"].map(VERDICTS.index)).pivot(
        index="pair_id", columns="rater", values="code"
    )
    codes = codes.reindex(columns=list(dict.fromkeys(reviews["rater"])))
    table = codes[codes.notna().sum(axis=1) > 1].to_numpy(dtype=np.float64).T
    first_two = table[:2][:, ~np.isnan(table[:2]).any(axis=0)]
    return [
        measure_agreement("cohen_kappa", kappa_of, first_two, resamples, confidence, seed),
        measure_agreement("krippendorff_alpha", alpha_of, table, resamples, confidence, seed),
    ]


def measure_agreement(
    metric: str,
    coefficient: Callable[[np.ndarray], float],
    codes: np.ndarray,
    resamples: int,
    confidence: float,
    seed: int,
) -> Agreement:
    """Measure how far raters agree, with an interval over what they rated.

    Args:
        metric: name of the coefficient.
        coefficient: of codes, such as `alpha_of`; NaN where it is undefined.
        codes: nominal codes, shape (raters, items), NaN for no rating.
        resamples: how many times the items are drawn anew.
        confidence: share of the interval.
        seed: of the resamples.
    """
    n_raters, n = codes.shape
    why = ""
    if n_raters < 2 or n == 0:
        why, n = "fewer than two raters of the same pairs", 0
    elif np.isnan(value := coefficient(codes)):
        why = "every verdict is the same"
    if why:
        undefined = Interval(np.nan, np.nan, why)
        return Agreement(metric, Estimate(np.nan, why), undefined, n, n_raters)
    generator = np.random.default_rng(seed)
    drawn = np.array([coefficient(codes[:, generator.integers(0, n, n)]) for _ in range(resamples)])
    ends = np.nanquantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Agreement(metric, Estimate(value), Interval(*map(float, ends)), n, n_raters)


def agreement_table(agreements: Iterable[Agreement]) -> pd.DataFrame:
    """Return agreements as a tidy frame.

    Returns:
        Columns `metric, value, ci_low, ci_high, n, n_raters, reason`.
    """
    records = [
        {
            "metric": agreement.metric,
            "value": agreement.estimate.value,
            "ci_low": agreement.interval.low,
            "ci_high": agreement.interval.high,
            "n": agreement.n,
            "n_raters": agreement.n_raters,
            "reason": agreement.estimate.reason,
        }
        for agreement in agreements
    ]
    return pd.DataFrame(records)
