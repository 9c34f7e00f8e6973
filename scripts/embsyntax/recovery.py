"""Say whether the working folder may be unlocked after a kill (`make resume` runs this).

A lock may go only when nobody works in the folder any more: neither a Snakemake process nor a job
that outlived the Snakemake process that started it.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

import psutil

log = logging.getLogger("recovery")


def is_snakemake(command: list[str]) -> bool:
    """Say whether a command line is Snakemake's own or that of one of its script jobs.

    An editor or a pager that looks at a log under `.snakemake/` is neither.
    """
    program = Path(command[0]).name if command else ""
    if program == "snakemake":
        return True
    if not program.startswith("python"):
        return False
    arguments = [part for part in command[1:] if part not in ("-u", "-m", "-I", "-s", "-E")]
    first = arguments[0] if arguments else ""
    return Path(first).name == "snakemake" or "/.snakemake/scripts/" in first


def list_holders(folder: Path) -> list[tuple[int, str]]:
    """List the live Snakemake processes, jobs included, whose working folder is `folder`.

    Args:
        folder: the folder that holds `.snakemake/`.

    Returns:
        (process id, command line) of each, this process and its ancestors left out, by id.
    """
    own = {os.getpid(), *(parent.pid for parent in psutil.Process().parents())}
    holders = []
    for process in psutil.process_iter():
        try:
            if process.pid in own or process.status() == psutil.STATUS_ZOMBIE:
                continue
            command = process.cmdline()
            if is_snakemake(command) and Path(process.cwd()) == folder:
                holders.append((process.pid, " ".join(command)))
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return sorted(holders)


def main() -> int:
    """Return 0 when the folder is free, 1 when live processes hold it."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    holders = list_holders(Path.cwd())
    for pid, command in holders:
        log.error("process %d still works in this folder: %s", pid, command[:160])
    if holders:
        log.error("nothing was unlocked: wait for these processes or end them, then try again")
        return 1
    log.info("no live process holds this folder: it may be unlocked")
    return 0


if __name__ == "__main__":
    sys.exit(main())
