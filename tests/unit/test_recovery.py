"""Which processes hold a working folder, and which only look at it."""

import subprocess
import sys
import time

import pytest

from embsyntax.recovery import is_snakemake, list_holders


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (["/x/.venv/bin/python", "/x/.venv/bin/snakemake", "--cores", "2"], True),
        (["/usr/bin/python3", "-m", "snakemake", "--cores", "1"], True),
        (["python3.11", "/x/.snakemake/scripts/tmp1.embed_texts.py"], True),
        (["/x/bin/snakemake"], True),
        (["tail", "-f", ".snakemake/log/today.snakemake.log"], False),
        (["vim", "/x/.snakemake/scripts/tmp1.embed_texts.py"], False),
        (["/x/bin/python", "-m", "embsyntax.recovery"], False),
        ([], False),
    ],
)
def test_only_snakemake_and_its_jobs_hold_a_folder(command, expected):
    assert is_snakemake(command) is expected


def test_a_live_job_is_found_and_a_pager_is_not(tmp_path):
    folder = tmp_path / ".snakemake/scripts"
    folder.mkdir(parents=True)
    script = folder / "tmp1.job.py"
    script.write_text("import time\ntime.sleep(60)\n")
    job = subprocess.Popen([sys.executable, str(script)], cwd=tmp_path)
    pager = subprocess.Popen(["tail", "-f", str(script)], cwd=tmp_path, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 10
        while not list_holders(tmp_path) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert [pid for pid, _ in list_holders(tmp_path)] == [job.pid]
    finally:
        for process in (job, pager):
            process.kill()
            process.wait()
