"""The manifest of a result: code, config, data and model revisions, versions, device, seed.

Standard library only. A manifest holds no timestamp and no absolute path: equal runs give equal
bytes.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import platform
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from embsyntax.jobs import write_text

REPOSITORY = Path(__file__).resolve().parents[2]

MANIFEST_VERSION = 1


def code_commit() -> str:
    """Return the git commit of the code, with `-modified` when tracked files differ from it.

    Returns:
        40 hex digits, 40 hex digits and `-modified`, or `unknown` outside a git checkout.
    """
    command = ["git", "-C", str(REPOSITORY)]
    try:
        head = subprocess.run(
            [*command, "rev-parse", "HEAD"], capture_output=True, text=True, check=True
        ).stdout.strip()
        changed = subprocess.run(
            [*command, "status", "--porcelain", "--untracked-files=no"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{head}-modified" if changed else head


def digest(value: Any) -> str:
    """Return the first 16 hex digits of the SHA-256 of a JSON value (keys sorted)."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def file_sha256(path: str | Path) -> str:
    """Return the SHA-256 of a file as 64 hex digits, read in pieces."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def library_versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the installed version of each package, `not installed` where it is absent."""
    versions = {}
    for package in sorted(packages):
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = "not installed"
    return versions


def make_manifest(
    snakemake: Any,
    *,
    packages: Iterable[str],
    device: str | None = None,
    seed: int | None = None,
    data: Mapping[str, Any] | None = None,
    models: Mapping[str, Any] | None = None,
    **extra: Any,
) -> dict[str, Any]:
    """Say how a result was made.

    Args:
        snakemake: the object that Snakemake gives to a `script:`.
        packages: distributions whose versions matter for the result.
        device: `cpu` or the name of the accelerator, where numbers depend on it.
        seed: the seed, where anything is random.
        data: what is known of the data (file sha256, revisions, counts).
        models: what is known of the models (revision, weights sha256, verified or not).
        **extra: anything else that the rule wants to state.

    Returns:
        A JSON-ready mapping without timestamps or absolute paths.
    """
    parameters = {key: value for key, value in snakemake.params.items() if key != "code"}
    return {
        "manifest_version": MANIFEST_VERSION,
        "rule": snakemake.rule,
        "wildcards": dict(snakemake.wildcards.items()),
        "code_commit": code_commit(),
        "code_version": dict(snakemake.params.items()).get("code"),
        "parameters_digest": digest(parameters),
        "python": platform.python_version(),
        "libraries": library_versions(packages),
        "device": device,
        "seed": seed,
        "data": dict(data or {}),
        "models": dict(models or {}),
        **extra,
    }


def write_manifest(path: str | Path, manifest: Mapping[str, Any]) -> None:
    """Write a manifest as indented JSON with sorted keys, atomically."""
    write_text(json.dumps(manifest, indent=2, sort_keys=True, ensure_ascii=False) + "\n", path)


def read_manifest(path: str | Path) -> dict[str, Any]:
    """Read a manifest written by `write_manifest`."""
    return json.loads(Path(path).read_text(encoding="utf-8"))
