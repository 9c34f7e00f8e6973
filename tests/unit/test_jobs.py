"""Job log, atomic writes, offline mode."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from embsyntax import jobs


def make_job(folder: Path) -> SimpleNamespace:
    return SimpleNamespace(rule="build_thing", log=[str(folder / "logs" / "build_thing.log")])


def test_input_error_is_one_clear_line_and_exit_status_1(tmp_path):
    job = make_job(tmp_path)
    with pytest.raises(SystemExit) as stop, jobs.open_job_log(job):
        raise jobs.InputError("file x.csv, row 3: score 'many'; allowed: a number")
    assert stop.value.code == 1
    text = Path(job.log[0]).read_text()
    assert text == "ERROR file x.csv, row 3: score 'many'; allowed: a number\n"


def test_unexpected_errors_leave_their_traceback_in_the_log(tmp_path):
    job = make_job(tmp_path)
    with pytest.raises(ZeroDivisionError), jobs.open_job_log(job):
        1 / 0  # noqa: B018
    assert "Traceback" in Path(job.log[0]).read_text()


def test_the_log_is_released_after_the_job(tmp_path):
    job = make_job(tmp_path)
    with jobs.open_job_log(job) as log:
        log.info("first")
    with jobs.open_job_log(job) as log:
        log.info("second")
    assert Path(job.log[0]).read_text() == "INFO second\n"


def test_write_atomic_leaves_nothing_behind_after_a_failure(tmp_path):
    target = tmp_path / "table.tsv"
    target.write_text("old")
    with pytest.raises(RuntimeError), jobs.write_atomic(target) as partial:
        partial.write_text("half")
        raise RuntimeError
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["table.tsv"]


def test_write_tsv_has_a_fixed_format(tmp_path):
    frame = pd.DataFrame({"model": ["a", "b"], "value": [0.1, float("nan")]})
    jobs.write_tsv(frame, tmp_path / "t.tsv")
    assert (tmp_path / "t.tsv").read_bytes() == b"model\tvalue\na\t0.100000\nb\t\n"


def test_progress_passes_every_item_and_reports_the_end(caplog):
    with caplog.at_level("INFO"):
        assert list(jobs.progress(iter("abc"), 3, "letters")) == ["a", "b", "c"]
    assert "letters [####################] 3/3" in caplog.text


def test_force_offline(monkeypatch):
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE"):
        monkeypatch.setenv(name, "0")
    jobs.force_offline()
    assert os.environ["HF_HUB_OFFLINE"] == "1"
    assert os.environ["HF_DATASETS_OFFLINE"] == "1"
