"""Calls that fail, hang or end their worker."""

import os
import pickle
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.workers.processes import alive, dead, gone, number_in, soon

from palaestra.workers import worker
from palaestra.workers.pool import Failed, Late, Lost, WorkerFault, Workers


@pytest.mark.parametrize("deed", ["hang", "hang_in_c", "hang_deaf", "stop", "shut"])
def test_a_call_that_hangs_is_killed(deed, deeds, pool):
    pid = pool.call("os:getpid")
    with pytest.raises(Lost if deed == "shut" else Late):
        pool.call(f"{deeds}:{deed}", wall_s=30 if deed == "shut" else 0.3)
    assert alive(pool)
    soon(lambda: gone(pid))


@pytest.mark.parametrize("deed", ["hang", "hang_in_c", "hang_deaf"])
def test_a_call_that_burns_is_killed(deed, deeds):
    with Workers(1, wall_s=60, cpu_s=0.2) as pool:
        with pytest.raises(Late, match="processor"):
            pool.call(f"{deeds}:{deed}")
        assert alive(pool)


def test_processor_time_is_that_of_one_call_and_not_of_waiting(deeds):
    with Workers(1, wall_s=60, cpu_s=0.3) as pool:
        pids = {pool.call(f"{deeds}:pid_after", 0.1) for _ in range(5)}
    assert len(pids) == 1


def test_the_wait_for_a_worker_does_not_count(deeds, pool, tmp_path, later):
    note = tmp_path / "note"
    with ThreadPoolExecutor() as threads:
        first = threads.submit(pool.call, f"{deeds}:wait_for", str(note), wall_s=3_600)
        soon(Path(f"{note}.begun").exists)
        second = threads.submit(pool.call, "math:gcd", 12, 18, wall_s=60)
        soon(lambda: pool._supervisor._queue)
        later(pool, 600)
        note.touch()
        assert (first.result(), second.result()) == ("done", 6)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space")
def test_a_call_that_bursts_is_lost(deeds):
    with Workers(1, wall_s=60, memory_mb=300) as pool:
        assert pool.call(f"{deeds}:burst", 50) == 50 << 20
        pid = pool.call("os:getpid")
        for deed in (("burst", 400), ("burst_by_and_by",)):
            with pytest.raises(Lost, match="out of memory, with 300 MB"):
                pool.call(f"{deeds}:{deed[0]}", *deed[1:])
            assert alive(pool)
        assert gone(pid) or pool.call("os:getpid") != pid


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space")
def test_a_worker_that_has_grown_is_replaced(deeds):
    with Workers(1, memory_mb=300) as pool:
        small = [pool.call(f"{deeds}:keep", 1) for _ in range(3)]
        big = [pool.call(f"{deeds}:keep", 160) for _ in range(3)]
    assert len(set(small)) == 1
    assert len({*small, *big}) == 3, "each is replaced after the call that made it grow"


def test_a_worker_that_has_served_its_calls_is_replaced():
    with Workers(1) as pool:
        pids = pool.map("os:getpid", [()] * (worker.CALLS + 1))
    assert len(set(pids)) == 2
    assert len(set(pids[: worker.CALLS])) == 1


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [("os:_exit", (3,), "exited with 3"), ("os:abort", (), "killed by signal 6")],
)
def test_a_worker_that_ends_is_lost(function, arguments, message, pool):
    with pytest.raises(Lost, match=message):
        pool.call(function, *arguments)
    assert alive(pool)


def test_a_worker_that_is_killed_from_outside_is_lost(deeds, pool, tmp_path):
    note = tmp_path / "note"
    with ThreadPoolExecutor() as threads:
        hung = threads.submit(pool.call, f"{deeds}:hang", str(note))
        os.kill(number_in(note), signal.SIGKILL)
        with pytest.raises(Lost, match="signal 9"):
            hung.result()
    assert alive(pool)


def test_an_idle_worker_that_is_killed_is_replaced(pool):
    pid = pool.call("os:getpid")
    os.kill(pid, signal.SIGKILL)
    soon(lambda: gone(pid))
    assert pool.call("os:getpid") != pid


def test_a_worker_that_speaks_out_of_turn_is_lost(deeds, pool, tmp_path):
    with ExitStack() as held:
        for _ in range(120):  # so that the descriptor of the worker's socket is a high one
            held.enter_context(tmp_path.joinpath("held").open("w"))
        with pytest.raises(Lost, match="out of turn"):
            pool.call(f"{deeds}:babble")
    assert alive(pool)


@pytest.mark.parametrize("fork", [False, True])
def test_what_a_worker_has_started_is_killed_with_it(fork, deeds, tmp_path):
    note = tmp_path / "note"
    with Workers(1) as pool, ThreadPoolExecutor() as threads:
        hung = threads.submit(pool.call, f"{deeds}:spawn", str(note), fork)
        child = number_in(note)
        assert not dead(child)
        pool.close()
        assert isinstance(hung.exception(), Lost)
    soon(lambda: dead(child))


def test_what_a_worker_leaves_behind_as_it_ends_is_killed(deeds, pool, tmp_path, later):
    note = tmp_path / "note"
    with ThreadPoolExecutor() as threads:
        left = threads.submit(pool.call, f"{deeds}:orphan", str(note), wall_s=3_600)
        child = number_in(note)
        # The child holds the line, so that only the clock tells that nobody will answer.
        later(pool, 3_600)
        assert isinstance(left.exception(), WorkerFault)
    soon(lambda: dead(child))
    assert alive(pool)


def test_functions_may_set_alarms(deeds, pool):
    assert [pool.call(f"{deeds}:alarm") for _ in range(3)] == ["rang"] * 3


def test_a_fault_does_not_fail_the_others(deeds):
    with Workers(2, wall_s=5) as pool:
        results = pool.map("copy:copy", [(1,), (b"x",), (3,)])
        assert [results[0], type(results[1]), results[2]] == [1, Failed, 3]
        results = pool.map(f"{deeds}:pid_after", [(0,), (3_600,), (0,), ("x",), (0,)], at_once=2)
    assert [type(each) for each in results] == [int, Late, int, Failed, int]


def test_faults_can_be_pickled():
    for fault in (Late("a"), Lost("b"), Failed("ValueError", "c")):
        copy = pickle.loads(pickle.dumps(fault))  # our own
        assert (type(copy), str(copy), vars(copy)) == (type(fault), str(fault), vars(fault))
        assert isinstance(copy, WorkerFault)
