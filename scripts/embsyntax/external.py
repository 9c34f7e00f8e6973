"""Check per-pair similarities that another machine made before they join the tables of this one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from embsyntax.baselines import UNBOUNDED_BASELINES
from embsyntax.jobs import InputError
from embsyntax.similarities import make_similarities, pairs_digest, similarities_digest

STATED_FIELDS = ("model", "suite", "pairs_sha256", "cosine_decimals", "similarities_sha256")
"""What the manifest of external results must state; this workflow's own manifests do.

`pairs_sha256` may stand at the top or under `data`: the digest of `similarities.pairs_digest`;
`similarities_sha256` is that of `similarities.similarities_digest`.
"""

COLUMNS = ("pair_id", "similarity")

EXAMPLES_SHOWN = 3


def read_external_manifest(path: str | Path) -> dict[str, Any]:
    """Read a manifest that another machine wrote.

    Raises:
        InputError: if it is no JSON object.
    """
    try:
        manifest = json.loads(Path(path).read_text(encoding="utf-8"))
    except (UnicodeDecodeError, ValueError) as error:
        raise InputError(f"{path} is no JSON file ({error}). Copy it again.") from None
    if not isinstance(manifest, dict):
        raise InputError(f"{path} holds no JSON object. Copy it again.")
    return manifest


def read_external_similarities(path: str | Path) -> pd.DataFrame:
    """Read a table of similarities that another machine wrote.

    Raises:
        InputError: if it is no whole Parquet file.
    """
    try:
        return pd.read_parquet(path)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(f"{path} is no whole Parquet file ({error}). Copy it again.") from None


def check_external(
    similarities: pd.DataFrame,
    manifest: Mapping[str, Any],
    pairs: pd.DataFrame,
    *,
    suite: str,
    model: str,
    cosine_decimals: int,
) -> pd.DataFrame:
    """Take over external similarities if they are of the same pairs and made in the same way.

    Args:
        similarities: columns `pair_id, similarity`, one row per pair in any order.
        manifest: must state `STATED_FIELDS`.
        pairs: columns `pair_id, sentence1, sentence2`, n rows.
        suite: name of the suite.
        model: id of the model.
        cosine_decimals: decimals that similarities are rounded to here.

    Returns:
        Columns `pair_id, similarity` (float64; -1 to 1, but for the baseline of lengths), n rows
        in the order of the pairs.

    Raises:
        InputError: if the manifest lacks a field or states another model, suite, digest or
            rounding; if a column is missing; if pairs are missing, unknown or given twice; or if a
            similarity is no finite number from -1 to 1.
    """
    where = f"external results of model {model!r} on suite {suite!r}"
    _check_manifest(manifest, pairs, where, suite, model, cosine_decimals)
    missing = [column for column in COLUMNS if column not in similarities.columns]
    if missing:
        raise InputError(
            f"{where}: similarities.parquet lacks the column(s) {', '.join(missing)}; it has "
            f"{', '.join(map(str, similarities.columns)) or 'none'}. Write {' and '.join(COLUMNS)}."
        )
    _check_pair_ids(similarities["pair_id"], pairs["pair_id"], where)
    column = similarities["similarity"]
    if not pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column):
        raise InputError(
            f"{where}: the column similarity is of type {column.dtype}; allowed: numbers. "
            "Write it as float64."
        )
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    values = pd.Series(values, index=similarities["pair_id"]).loc[pairs["pair_id"]].to_numpy()
    _refuse_values(~np.isfinite(values), values, pairs, where, "a finite number")
    if model not in UNBOUNDED_BASELINES:
        # Half a unit of the last decimal: a cosine of 1 in float32 may come a little above 1.
        limit = 1 + 0.5 * 10.0**-cosine_decimals
        _refuse_values(np.abs(values) > limit, values, pairs, where, "a cosine from -1 to 1")
    table = make_similarities(pairs["pair_id"], values, cosine_decimals)
    if similarities_digest(table) != manifest["similarities_sha256"]:
        raise InputError(
            f"{where}: similarities.parquet holds other numbers than those that manifest.json was "
            "written for (similarities_sha256 differs). Copy both files again from the same run."
        )
    return table


def _check_manifest(
    manifest: Mapping[str, Any],
    pairs: pd.DataFrame,
    where: str,
    suite: str,
    model: str,
    cosine_decimals: int,
) -> None:
    data = manifest.get("data")
    manifest = {**(data if isinstance(data, Mapping) else {}), **manifest}
    absent = [name for name in STATED_FIELDS if name not in manifest]
    if absent:
        raise InputError(
            f"{where}: manifest.json does not state {', '.join(absent)}; needed: "
            f"{', '.join(STATED_FIELDS)}. Make the results with this workflow, or add what is true."
        )
    expected = {
        "model": (model, "It must lie in the folder of its own model: move it."),
        "suite": (suite, "It must lie in the folder of its own suite: move it."),
        "cosine_decimals": (
            cosine_decimals,
            "Ties differ with the rounding: set scores/cosine_decimals alike on both machines.",
        ),
        "pairs_sha256": (
            pairs_digest(pairs),
            "They were made from other pairs, or in another order: use the same corpora table on "
            "both machines.",
        ),
    }
    for name, (value, advice) in expected.items():
        if manifest[name] != value or isinstance(manifest[name], bool):
            raise InputError(
                f"{where}: manifest.json states {name} = {manifest[name]!r}; expected: {value!r}. "
                + advice
            )


def _check_pair_ids(given: pd.Series, wanted: pd.Series, where: str) -> None:
    problems = [
        (given[given.duplicated()], "have two similarities"),
        (wanted[~wanted.isin(given)], "have no similarity"),
        (given[~given.isin(wanted)], "are not in this suite"),
    ]
    for pair_ids, what in problems:
        if len(pair_ids):
            raise InputError(
                f"{where}: {len(pair_ids)} pair(s) {what} ({_show(pair_ids.tolist())}); allowed: "
                f"each of the {len(wanted)} pairs once. Make the results again, or copy them whole."
            )


def _refuse_values(
    is_bad: np.ndarray, values: np.ndarray, pairs: pd.DataFrame, where: str, allowed: str
) -> None:
    rows = np.flatnonzero(is_bad)
    if len(rows):
        named = [f"{pairs['pair_id'].iloc[row]} = {values[row]}" for row in rows[:EXAMPLES_SHOWN]]
        named += [""] * (len(rows) - len(named))
        raise InputError(
            f"{where}: {len(rows)} similarities are not allowed ({_show(named)}); allowed: "
            f"{allowed}. Make the results again."
        )


def _show(values: Sequence[Any]) -> str:
    shown = ", ".join(str(value) for value in values[:EXAMPLES_SHOWN])
    more = len(values) - EXAMPLES_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
