"""Nothing is left behind: descriptors, threads, processes, handlers."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.workers.processes import alive, dead, gone, lines, number_in, soon

from palaestra.workers.pool import Lost, Workers


def test_no_line_no_thread_no_process_no_handler_is_left(deeds):
    handlers = [signal.getsignal(number) for number in signal.valid_signals()]
    before, threads = lines(), threading.active_count()
    pids = []
    for _ in range(3):
        with Workers(2, wall_s=60) as pool:
            pids += pool.map("os:getpid", [()] * 4)
            pool.map(f"{deeds}:hang", [()] * 2, wall_s=0.3)
            pool.map("os:_exit", [(1,)] * 2)
            pids += pool.map("os:getpid", [()] * 4)
            assert [signal.getsignal(number) for number in signal.valid_signals()] == handlers
    assert lines() == before
    assert threading.active_count() == threads
    assert all(gone(pid) for pid in pids)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="there is no /proc")
def test_lines_do_not_pile_up_while_the_pool_is_open(pool):
    def lose():
        with pytest.raises(Lost):
            pool.call("os:_exit", 1)
        return alive(pool)

    assert lose()
    before = len(lines())
    assert all(lose() for _ in range(10))
    soon(lambda: len(lines()) <= before)


def script(code, *arguments, **options):
    """Another Python, which prints what it does."""
    command = [sys.executable, "-W", "error", "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, text=True, stdout=subprocess.PIPE, **options)


KILLED = """
import sys, threading, time
sys.path.insert(0, sys.argv[1])
from palaestra.workers.pool import Workers
pool = Workers(4, wall_s=3600)
idle = pool.map("os:getpid", [()] * 3)
for call in ([sys.argv[2] + ":hang", sys.argv[1] + "/busy"], [sys.argv[2] + ":hang_in_c"]):
    threading.Thread(target=pool.call, args=call, daemon=True).start()
print(*idle, flush=True)
time.sleep(3600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a busy worker goes on for a while")
def test_workers_die_with_their_parent(deeds, tmp_path):
    with script(KILLED, tmp_path, deeds) as parent:
        idle = [int(pid) for pid in parent.stdout.readline().split()]
        busy = number_in(tmp_path / "busy")
        parent.kill()
    soon(lambda: all(dead(pid) for pid in [busy, *idle]))


ENDING = """
import sys, threading
sys.path.insert(0, sys.argv[1])
from palaestra.workers.pool import Lost, workers
deed = sys.argv[2] + ":hang"

def call():
    try:
        workers().call(deed, sys.argv[1] + "/note", wall_s=3600)
    except Lost:
        pass

threading.Thread(target=call, daemon=True).start()
while not workers().call("os.path:exists", sys.argv[1] + "/note"):
    pass
if sys.argv[3] == "raise":
    raise SystemExit(5)
"""


@pytest.mark.parametrize(("how", "code"), [("end", 0), ("raise", 5)])
def test_a_program_ends_while_a_worker_is_busy(how, code, deeds, tmp_path):
    environment = os.environ | {"PALAESTRA_WORKERS": "2"}
    ended = script(ENDING, tmp_path, deeds, how, stderr=subprocess.PIPE, env=environment)
    assert ended.communicate(timeout=120) == ("", "")
    assert ended.returncode == code
    soon(lambda: dead(number_in(tmp_path / "note")))


SIGNALS = """
import signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
from palaestra.workers.pool import *
with Workers(1, wall_s=60, cpu_s=0.2) as pool:
    for call in [("os:_exit", 3), ("os:kill", 0, 9), ("builtins:sum", "x" * 1_000_000)] * 3:
        try:
            pool.call(*call)
        except WorkerFault as fault:
            print(type(fault).__name__, end=" ")
"""


def test_a_caller_that_has_set_signals_its_own_way():
    """Children that reap themselves, lines that kill, everything blocked: it still works."""
    ended = script(SIGNALS)
    assert ended.communicate(timeout=60)[0].split() == ["Lost", "Lost", "Failed"] * 3
    assert ended.returncode == 0
