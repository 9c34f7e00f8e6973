"""Find per-pair results that another machine made, before any job runs.

Standard library only: the Snakefile reads this index while it builds its list of jobs. Layout of
a folder: `FOLDER/<suite>/<model>/similarities.parquet` and `manifest.json` beside it, which is
the layout of this workflow's own `results/similarities`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from embsyntax.jobs import InputError
from embsyntax.registry import IDENTIFIER

SIMILARITIES_FILE = "similarities.parquet"

MANIFEST_FILE = "manifest.json"

LAYOUT = f"FOLDER/<suite>/<model>/{{{SIMILARITIES_FILE},{MANIFEST_FILE}}}"

OWN_RESULTS = Path("results/similarities")
"""Where this workflow writes its own similarities; never a source of external ones."""


def list_external_models(folders: Iterable[str]) -> dict[str, str]:
    """Name the folder that holds the results of each external model.

    Args:
        folders: the config key `external_results`.

    Returns:
        Model id to folder, sorted by model id. A model counts if any suite of a folder has it.

    Raises:
        InputError: if a folder does not exist, is this run's own output, holds no results or only
            one of the two files, if a model's folder is no usable id, or if two folders hold
            results of one model.
    """
    found: dict[str, str] = {}
    for folder in folders:
        for model in _models_of_folder(folder):
            if found.setdefault(model, folder) != folder:
                raise InputError(
                    f"external_results: both {found[model]} and {folder} hold results of the model "
                    f"{model!r}; allowed: one folder per model. Remove it from one of them, or "
                    "put its suites into one folder."
                )
    return dict(sorted(found.items()))


def _models_of_folder(folder: str) -> set[str]:
    root = Path(folder)
    where = f"external_results: {folder}"
    if not root.is_dir():
        raise InputError(f"{where} is not a folder; allowed: folders with {LAYOUT}. Mend the path.")
    if root.resolve() == OWN_RESULTS.resolve():
        raise InputError(
            f"{where} is where this run writes its own results; allowed: a folder made elsewhere. "
            "Copy the results to another folder and name that one."
        )
    models = set()
    for name in (SIMILARITIES_FILE, MANIFEST_FILE):
        for path in root.glob(f"[!.]*/[!.]*/{name}"):
            _check_entry(path.parent, where)
            models.add(path.parent.name)
    if not models:
        raise InputError(f"{where} holds no results; the layout is {LAYOUT}. Is it one level off?")
    return models


def _check_entry(entry: Path, where: str) -> None:
    for name in (SIMILARITIES_FILE, MANIFEST_FILE):
        if not (entry / name).is_file():
            raise InputError(
                f"{where}: {entry.parent.name}/{entry.name} has no {name}; allowed: both "
                f"{SIMILARITIES_FILE} and {MANIFEST_FILE}. Copy the whole folder again."
            )
    if not IDENTIFIER.fullmatch(entry.name):
        raise InputError(
            f"{where}: the folder {entry.name!r} of suite {entry.parent.name} is no model id; "
            "allowed: letters, digits, '.', '_' and '-', with a letter or digit first. Rename it."
        )


def external_file(folders: Mapping[str, str], name: str) -> Callable[[Any], str]:
    """Make the input function of a rule: the external file of a suite and model.

    Args:
        folders: what `list_external_models` returned.
        name: `similarities.parquet` or `manifest.json`.

    Returns:
        A function of the wildcards `suite` and `model` that returns a path, and raises
        `InputError` if the model's folder has no results of that suite.
    """

    def find(wildcards: Any) -> str:
        folder = Path(folders[wildcards.model])
        path = folder / wildcards.suite / wildcards.model / name
        if not path.is_file():
            suites = sorted(
                entry.parent.parent.name
                for entry in folder.glob(f"*/*/{name}")
                if entry.parent.name == wildcards.model
            )
            raise InputError(
                f"external_results: {folder} has no results of model {wildcards.model!r} on suite "
                f"{wildcards.suite!r}; it has them on {', '.join(suites)}. Make them on the other "
                "machine, or leave the suite or the folder out (--config suites=[...])."
            )
        return str(path)

    return find
