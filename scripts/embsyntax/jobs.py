"""What every rule script shares: the job log, clear errors, atomic writes, progress, offline mode.

Standard library only, so that a script of any environment can import it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

Item = TypeVar("Item")

FLOAT_FORMAT = "%.6f"
"""Every number of a TSV is written with six decimals, so that equal runs give equal bytes."""

PROGRESS_INTERVAL_SECONDS = 10.0
"""Seconds between two progress lines of a loop (the log is a file as well as a screen)."""


CHATTY_LOGGERS = [
    "httpx",
    "httpx2",
    "httpcore",
    "httpcore2",
    "urllib3",
    "fontTools",
    "matplotlib",
    "filelock",
]
"""Libraries whose informative messages would drown those of a job."""


class InputError(ValueError):
    """Input or settings that the user must mend: shown as one clear message, without traceback.

    The message says what came, where (file, row, column), what is allowed, and what to do next.
    """


@contextlib.contextmanager
def open_job_log(snakemake: Any) -> Iterator[logging.Logger]:
    """Log a rule script to its `log:` file and to stderr, tracebacks and warnings included.

    Args:
        snakemake: the object that Snakemake gives to a `script:`.

    Yields:
        The logger of the job.

    Raises:
        SystemExit: with status 1 after an `InputError`, whose message is logged as one line.
    """
    path = Path(str(snakemake.log[0]))
    path.parent.mkdir(parents=True, exist_ok=True)
    formatter = logging.Formatter("%(levelname)s %(message)s")
    handlers: list[logging.Handler] = [
        logging.FileHandler(path, mode="w", encoding="utf-8"),
        logging.StreamHandler(sys.stderr),
    ]
    root = logging.getLogger()
    previous_level = root.level
    for handler in handlers:
        handler.setFormatter(formatter)
        root.addHandler(handler)
    root.setLevel(logging.INFO)
    for chatty in CHATTY_LOGGERS:
        logging.getLogger(chatty).setLevel(logging.WARNING)
    logging.captureWarnings(True)
    log = logging.getLogger(snakemake.rule)
    try:
        yield log
    except InputError as error:
        log.error("%s", error)
        raise SystemExit(1) from None
    except Exception:
        log.exception("rule %s failed", snakemake.rule)
        raise
    finally:
        for handler in handlers:
            handler.flush()
            handler.close()
            root.removeHandler(handler)
        root.setLevel(previous_level)


@contextlib.contextmanager
def write_atomic(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path beside `path`; rename it at success, remove it at failure.

    Args:
        path: the file to be made; its folder is made too.

    Yields:
        The path to write to (same suffix as `path`).
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.stem}.{os.getpid()}.partial{target.suffix}")
    try:
        yield partial
        with partial.open("rb") as written:
            os.fsync(written.fileno())
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def write_tsv(frame: Any, path: str | os.PathLike[str]) -> None:
    """Write a pandas frame as a TSV with fixed float format; undefined values stay empty."""
    with write_atomic(path) as partial:
        frame.to_csv(
            partial,
            sep="\t",
            index=False,
            float_format=FLOAT_FORMAT,
            lineterminator="\n",
            na_rep="",
        )


def write_text(text: str, path: str | os.PathLike[str]) -> None:
    """Write a text file (UTF-8, line feeds) atomically."""
    with write_atomic(path) as partial, partial.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def progress(
    items: Iterable[Item], total: int, description: str, log: logging.Logger | None = None
) -> Iterator[Item]:
    """Pass items through and log how far a long loop is, with the time left.

    Args:
        items: what to go through.
        total: how many items come (0 or more).
        description: the name of the loop.
        log: where to report; the root logger by default.

    Yields:
        The items, unchanged.
    """
    log = log or logging.getLogger("progress")
    start = last = time.monotonic()
    for done, item in enumerate(items, start=1):
        yield item
        now = time.monotonic()
        if now - last >= PROGRESS_INTERVAL_SECONDS or done == total:
            last = now
            left = (now - start) / done * max(total - done, 0)
            share = 100 * done / total if total else 100.0
            filled = int(share / 5)
            bar = "#" * filled + "." * (20 - filled)
            log.info("%s [%s] %d/%d, %.0f s left", description, bar, done, total, left)


def force_offline() -> None:
    """Forbid the Hugging Face libraries any network; call it before they are imported."""
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE"):
        os.environ[name] = "1"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
