"""Settings of what people write and judge; standard library only."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from embsyntax.jobs import InputError

SHEET_SUFFIXES = (".csv", ".tsv", ".txt")
"""What a filled sheet is called; spreadsheets save these as text."""


def check_people_settings(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Refuse sheets that are not there, are no text, or stand in both lists.

    Args:
        settings: the config key `triples.people`.

    Returns:
        The settings.

    Raises:
        InputError: names key, file, and what is allowed.
    """
    for key in ("written", "votes"):
        for path in settings[key]:
            if Path(path).suffix.lower() not in SHEET_SUFFIXES:
                raise InputError(
                    f"config key triples.people.{key}: {path!r}; allowed: a filled sheet as "
                    f"{', '.join(SHEET_SUFFIXES)}. Save it as 'CSV UTF-8' and name that file."
                )
            if not Path(path).is_file():
                raise InputError(
                    f"config key triples.people.{key}: there is no file {path!r}. Correct the "
                    "path, or take it out of the list."
                )
    both = sorted(set(settings["written"]) & set(settings["votes"]))
    if both:
        raise InputError(
            f"config keys triples.people.written and .votes both name {both[0]!r}; a writing sheet "
            "holds no votes. Take it out of one of them."
        )
    return settings
