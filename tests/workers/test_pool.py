"""How many workers are started, and when."""

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.workers.processes import alive, lines, soon

from palaestra.workers import process as worker_process
from palaestra.workers.pool import Lost, Workers, workers


def test_nothing_is_started_before_it_is_needed():
    before = threading.active_count(), lines()
    with Workers(4):
        assert (threading.active_count(), lines()) == before


def test_no_more_workers_than_are_needed_are_started():
    with Workers(8) as pool:
        assert len({pool.call("os:getpid") for _ in range(10)}) == 1


def test_warming_up_does_not_count(deeds, tmp_path, monkeypatch, later):
    note = tmp_path / "note"
    (tmp_path / "slow_to_import.py").write_text(
        f"import {deeds}; {deeds}.wait_for({str(note)!r}); WARM = [1]"
    )
    (tmp_path / "broken_to_import.py").write_text("raise SystemError")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(worker_process, "START_S", 3_600)
    warm = ("slow_to_import", "broken_to_import", "no_such_module")
    with Workers(1, warm=warm, wall_s=60) as pool, ThreadPoolExecutor() as threads:
        warmed = threads.submit(pool.call, "slow_to_import:WARM.copy")
        soon(Path(f"{note}.begun").exists)
        later(pool, 600)
        note.touch()
        assert warmed.result() == [1]


@pytest.mark.parametrize("program", ["/bin/false", "/no/such/python", "/bin/cat"])
def test_workers_that_do_not_start_are_lost(program, monkeypatch):
    monkeypatch.setattr(worker_process, "START_S", 0.3)
    monkeypatch.setattr(sys, "executable", program)
    with Workers(2) as pool:
        faults = pool.map("os:getpid", [()] * 5)
        assert [type(fault) for fault in faults] == [Lost] * 5
        monkeypatch.undo()
        assert alive(pool)


def test_a_worker_that_never_gets_ready_is_lost(tmp_path, monkeypatch):
    monkeypatch.setattr(worker_process, "START_S", 0.5)
    (tmp_path / "endless_to_import.py").write_text("while True: pass")
    monkeypatch.syspath_prepend(tmp_path)
    with Workers(1, warm=["endless_to_import"]) as pool, pytest.raises(Lost, match="not start"):
        pool.call("os:getpid")


def test_the_shared_pool(monkeypatch, deeds):
    workers().close()
    monkeypatch.setenv("PALAESTRA_WORKERS", "3")
    assert workers().size == 3
    assert workers() is workers()
    # Workers of workers do not multiply.
    assert workers().call(f"{deeds}:environment", "PALAESTRA_WORKERS") == "1"
    workers().close()
    monkeypatch.delenv("PALAESTRA_WORKERS")
    assert workers().size == os.cpu_count()
    workers().close()
    for wrong in ("0", "-1", "many", "٣", "1.5"):
        monkeypatch.setenv("PALAESTRA_WORKERS", wrong)
        with pytest.raises(ValueError, match="a whole number from 1"):
            workers()


def test_threads_share_one_pool():
    workers().close()
    with ThreadPoolExecutor(16) as threads:
        assert len(set(threads.map(lambda _: workers(), range(200)))) == 1
