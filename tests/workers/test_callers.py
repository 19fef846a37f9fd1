"""Callers in threads, event loops and forked processes."""

import asyncio
import os
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from tests.workers.processes import alive, gone, lines, number_in, sockets, soon

from palaestra.workers.pool import Failed, Late, Lost, Workers, workers


def test_sixteen_threads_get_their_own_answers():
    with Workers(2) as pool, ThreadPoolExecutor(16) as threads:
        results = threads.map(lambda n: pool.call("copy:copy", [n] * (n % 50)), range(800))
        assert list(results) == [[n] * (n % 50) for n in range(800)]


def test_the_event_loop_goes_on(deeds, pool, tmp_path):
    note = tmp_path / "note"

    async def tick():
        for _ in range(1_000):
            await asyncio.sleep(0)
        note.touch()  # without the ticks the call would never end

    async def run():
        return await asyncio.gather(pool.acall(f"{deeds}:wait_for", str(note)), tick())

    assert asyncio.run(run()) == ["done", None]


def test_faults_are_raised_in_the_event_loop(deeds, pool):
    async def run(*call, **limits):
        return await pool.acall(*call, **limits)

    with pytest.raises(Failed, match="ValueError: no"):
        asyncio.run(run(f"{deeds}:fail", "plain"))
    with pytest.raises(Late):
        asyncio.run(run(f"{deeds}:hang", wall_s=0.2))


def test_many_calls_at_once_from_the_event_loop():
    async def run(pool):
        return await asyncio.gather(*(pool.acall("math:gcd", n, 6) for n in range(300)))

    with Workers(2) as pool:
        assert asyncio.run(run(pool)) == pool.map("math:gcd", [(n, 6) for n in range(300)])


def test_a_cancelled_call_is_killed(deeds, pool, tmp_path):
    hung, queued = tmp_path / "hung", tmp_path / "queued"

    async def run():
        first = asyncio.create_task(pool.acall(f"{deeds}:hang", str(hung)))
        while not hung.exists():
            await asyncio.sleep(0.01)
        second = asyncio.create_task(pool.acall(f"{deeds}:touch", str(queued)))
        await asyncio.sleep(0)
        for task in (second, first):
            task.cancel()
        ends = await asyncio.gather(first, second, return_exceptions=True)
        assert [type(end) for end in ends] == [asyncio.CancelledError] * 2
        return await pool.acall("math:gcd", 12, 18)

    assert asyncio.run(run()) == 6
    soon(lambda: gone(number_in(hung)))
    assert not queued.exists()


def test_an_interrupted_wait_kills_the_call(deeds, pool, tmp_path):
    """As by Ctrl-C, which raises in the main thread; here by what the wait itself raises."""
    note = tmp_path / "note"

    def interrupting():
        yield (str(note),)
        number_in(note)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pool.map(f"{deeds}:hang", interrupting())
    assert alive(pool)
    soon(lambda: gone(number_in(note)))


def test_closing_ends_calls_under_way_and_in_the_queue(deeds, tmp_path):
    note = tmp_path / "note"
    pool = Workers(1)
    with ThreadPoolExecutor() as threads:
        calls = [threads.submit(pool.call, f"{deeds}:hang", str(note)) for _ in range(3)]
        pid = number_in(note)
        pool.close()
        for call in calls:
            with pytest.raises(Lost, match="closed"):
                call.result()
    assert gone(pid)
    with pytest.raises(Lost, match="is closed"):
        pool.call("os:getpid")
    pool.close()
    assert pool.closed


def test_a_thread_that_ends_takes_no_worker_with_it(pool):
    """Linux takes a parent for dead when the thread that started the child has ended."""
    processes = []
    thread = threading.Thread(target=lambda: processes.append(pool.call("os:getpid")))
    thread.start()
    thread.join()
    assert pool.call("os:getpid") == processes[0]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_child_gets_its_own_workers(deeds, pool, tmp_path):
    mine = pool.call("os:getpid"), workers().call("os:getpid")
    note = tmp_path / "note"
    with warnings.catch_warnings(), ThreadPoolExecutor() as threads:
        warnings.simplefilter("ignore")  # of threads in a process that forks
        waiting = threads.submit(pool.call, f"{deeds}:wait_for", str(note), "mine")
        soon(Path(f"{note}.begun").exists)
        if not (child := os.fork()):
            code = 1
            with suppress(BaseException):
                theirs = pool.call("os:getpid"), workers().call("os:getpid")
                pool.close()
                code = int(bool({*mine} & {*theirs}))
            os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
        note.touch()
        assert waiting.result() == "mine"
    assert (pool.call("os:getpid"), workers().call("os:getpid")) == mine


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_child_lets_go_of_its_parents_lines():
    """A worker would not end with its parent while a child held a copy of its line."""
    before = sockets()
    with Workers(1) as pool, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert alive(pool)
        assert len(sockets() - before) == (3 if lines() else 0)
        if not (child := os.fork()):
            os._exit(not sockets() <= before)
        assert os.waitpid(child, 0)[1] == 0
