"""Whatever happens in a worker, the caller learns of it, goes on, and nothing is left behind."""

import asyncio
import os
import pickle
import signal
import subprocess
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.workers import process as worker_process
from palaestra.workers import supervisor, worker
from palaestra.workers.pool import Failed, Late, Lost, WorkerFault, Workers, workers

DEEDS = '''
import os, signal, subprocess, sys, threading, time
from pathlib import Path

KEPT = []


def note_down(note, pid):
    """All at once, since whoever sees the file may end this process before it could be filled."""
    Path(note + ".part").write_text(str(pid))
    os.replace(note + ".part", note)


def hang(note=None):
    if note:
        note_down(note, os.getpid())
    while True:
        pass


def hang_in_c():
    sum(range(10**14))


def hang_deaf():
    for number in range(1, 32):
        if number not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGPROF):
            signal.signal(number, signal.SIG_IGN)
    hang()


def stop():
    os.kill(os.getpid(), signal.SIGSTOP)


def burst(megabytes):
    return len(bytearray(megabytes << 20))


def burst_by_and_by():
    grown = []
    while True:
        grown.append(bytearray(1 << 20))


def keep(megabytes):
    KEPT.append(b"x" * (megabytes << 20))
    return os.getpid()


def pid_after(seconds):
    time.sleep(seconds)
    return os.getpid()


def spawn(note, fork):
    if not fork:
        child = subprocess.Popen([sys.executable, "-c", "while True: pass"]).pid
    elif not (child := os.fork()):
        hang()
    note_down(note, child)
    hang()


def orphan(note):
    if not (child := os.fork()):
        hang()
    note_down(note, child)
    os._exit(7)


def wait_for(note, said="done"):
    Path(note + ".begun").touch()
    while not Path(note).exists():
        time.sleep(0.001)
    return said


def touch(note):
    Path(note).touch()


def chatter(text):
    print(text)
    sys.stdout.write(text)
    sys.stdout.flush()
    os.write(1, text.encode())
    os.write(2, text.encode())
    subprocess.run(["echo", text])
    return sys.stdin.read()


def text(length):
    return "x" * length


class Loud(Exception):
    def __str__(self):
        return "!" * 10_000_000


class Mute(Exception):
    def __str__(self):
        raise SystemExit(2)


class Odd(BaseException):
    def __init__(self, one, two):
        self.lock = threading.Lock()

    def __str__(self):
        return "\\ud800 is half a pair"


def fail(how):
    def deep(): deep()
    match how:
        case "plain": raise ValueError("no")
        case "loud": raise Loud
        case "mute": raise Mute
        case "odd": raise Odd(1, 2)
        case "exit": sys.exit("bye")
        case "interrupt": raise KeyboardInterrupt
        case "generator": raise GeneratorExit
        case "deep": deep()


def strange(what):
    looped = []
    looped.append(looped)
    nested = []
    for _ in range(100_000):
        nested = [nested]
    return {
        "nan": float("nan"), "inf": [float("inf")], "set": {1}, "bytes": b"x", "object": object(),
        "long": 10**5_000, "loop": looped, "deep": nested, "keys": {(1, 2): 3},
    }[what]


def alarm():
    """What Math-Verify does."""
    def ring(*_): raise TimeoutError("alarm")
    signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        hang()
    except TimeoutError:
        return "rang"


def shut():
    os.closerange(3, 1_000)
    hang()


def babble():
    for line in range(3, 100):
        try:
            os.write(line, b"\\xff" * 100)
        except OSError:
            pass


def environment(name):
    return os.environ.get(name)
'''


@pytest.fixture
def deeds(tmp_path, monkeypatch):
    """The name of a module of functions that only this test knows of."""
    name = f"deeds_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(DEEDS)
    monkeypatch.syspath_prepend(tmp_path)
    return name


@pytest.fixture
def pool():
    with Workers(1, wall_s=30) as made:
        yield made


def soon(what):
    """Wait until something holds, as long as that may take on a busy machine."""
    end = monotonic() + 120
    while not what():
        assert monotonic() < end, "it never happened"
        sleep(0.005)


def gone(pid):
    """Whether there is no such process, not even a zombie."""
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return False
    return True


def dead(pid):
    """The same, where somebody else may be slow to reap it."""
    stat = Path(f"/proc/{pid}/stat")
    return gone(pid) or (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


def number_in(note):
    soon(note.exists)
    return int(note.read_text())


@pytest.fixture
def later(monkeypatch):
    """Lets time pass for the pools of this process: ``later(pool, seconds)``."""
    skew = [0.0]
    for module in (supervisor, worker_process):
        monkeypatch.setattr(module, "monotonic", lambda: monotonic() + skew[0])

    def pass_by(pool, seconds):
        skew[0] += seconds
        pool._supervisor._ring()  # it sleeps until the deadline that it knows of

    return pass_by


def lines():
    """The descriptors that are open here, where the system tells."""
    folder = Path("/proc/self/fd")
    return sorted(folder.iterdir()) if folder.exists() else []


def sockets():
    found = set()
    for line in lines():
        with suppress(OSError):
            found.add(str(line.readlink()))
    return {name for name in found if name.startswith("socket:")}


def alive(pool):
    return pool.call("math:gcd", 12, 18) == 6


# ----------------------------------------------------------------------------- what comes back

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    # Half a surrogate pair is a character that a model can say.
    | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)  # fmt: skip


@pytest.fixture(scope="module")
def steady():
    with Workers(1) as made:
        yield made


@settings(deadline=None, max_examples=50)
@given(VALUES)
def test_values_come_back_as_they_went(steady, value):
    assert steady.call("copy:copy", value) == value
    assert repr(steady.call("copy:copy", value)) == repr(value)


def test_tuples_come_back_as_lists(steady):
    assert steady.call("copy:copy", (1, (2,))) == [1, [2]]


@pytest.mark.parametrize("length", [0, 1, 1 << 16, 5_000_000])
def test_what_is_huge_goes_both_ways(steady, length):
    assert steady.call("copy:copy", "x" * length) == "x" * length


def test_what_is_too_huge_is_a_failure_on_either_side(deeds, pool, monkeypatch):
    monkeypatch.setattr(worker, "FRAME", 1_000)  # here, not over there
    with pytest.raises(Failed, match=r"ValueError: \d+ bytes"):
        pool.call("copy:copy", "x" * 1_000)
    with pytest.raises(Lost, match="out of turn"):
        pool.call(f"{deeds}:text", 2_000)
    monkeypatch.undo()


def test_a_result_over_the_limit_is_a_failure(deeds):
    with Workers(1, wall_s=30) as pool, pytest.raises(Failed, match=r"ValueError: \d+ bytes"):
        pool.call(f"{deeds}:text", worker.FRAME)


def test_what_a_function_prints_or_reads_is_nothing(deeds, pool, capfd):
    assert pool.call(f"{deeds}:chatter", "\1\2v\3") == ""
    assert alive(pool)
    assert capfd.readouterr() == ("", "")


# ------------------------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize(
    ("how", "type_", "message"),
    [
        ("plain", "ValueError", "no"),
        ("loud", "Loud", "!" * worker.MESSAGE),
        ("mute", "Mute", "(telling it raised SystemExit)"),
        ("odd", "Odd", "\ud800 is half a pair"),
        ("exit", "SystemExit", "bye"),
        ("interrupt", "KeyboardInterrupt", ""),
        ("generator", "GeneratorExit", ""),
        ("deep", "RecursionError", "maximum recursion depth exceeded"),
    ],
)
def test_what_a_function_raises_is_told(how, type_, message, deeds, pool):
    pid = pool.call("os:getpid")
    with pytest.raises(Failed) as caught:
        pool.call(f"{deeds}:fail", how)
    assert (caught.value.type, caught.value.message) == (type_, message)
    assert pool.call("os:getpid") == pid, "the worker goes on"


@pytest.mark.parametrize(
    ("what", "type_"),
    [
        ("nan", "ValueError"),
        ("inf", "ValueError"),
        ("set", "TypeError"),
        ("bytes", "TypeError"),
        ("object", "TypeError"),
        ("long", "ValueError"),
        ("loop", "ValueError"),
        ("deep", "RecursionError"),
        ("keys", "TypeError"),
    ],
)
def test_what_is_no_json_is_a_failure(what, type_, deeds, pool):
    with pytest.raises(Failed) as caught:
        pool.call(f"{deeds}:strange", what)
    assert caught.value.type == type_
    assert alive(pool)


@pytest.mark.parametrize(
    "argument", [{1}, b"x", object(), float("nan"), 10**5_000], ids=lambda each: type(each).__name__
)
def test_arguments_that_are_no_json_are_a_failure(argument, pool):
    with pytest.raises(Failed, match=r"^(TypeError|ValueError): "):
        pool.call("copy:copy", argument)


@pytest.mark.parametrize("name", ["math:nothing", "no_such_module:x", "math:", ":x"])
def test_functions_that_are_not_there(name, steady):
    with pytest.raises(Failed):
        steady.call(name)


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="is 'package"):
        Workers().call("math.gcd", 1, 2)
    for flaw in ({"wall_s": 0}, {"wall_s": float("inf")}, {"cpu_s": -1}, {"cpu_s": float("nan")}):
        with pytest.raises(ValueError, match="number of seconds"):
            Workers(**flaw)
    with pytest.raises(ValueError, match="number of seconds"):
        Workers().call("math:gcd", 1, 2, wall_s=float("nan"))
    for flaw in ({"size": 0}, {"memory_mb": 0}):
        with pytest.raises(ValueError, match="one worker at least"):
            Workers(**flaw)


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
    ("function", "arguments", "told"),
    [("os:_exit", (3,), "exited with 3"), ("os:abort", (), "killed by signal 6")],
)
def test_a_worker_that_ends_is_lost(function, arguments, told, pool):
    with pytest.raises(Lost, match=told):
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


def test_a_worker_that_speaks_out_of_turn_is_lost(deeds, pool):
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
        told = pool.map("copy:copy", [(1,), (b"x",), (3,)])
        assert [told[0], type(told[1]), told[2]] == [1, Failed, 3]
        told = pool.map(f"{deeds}:pid_after", [(0,), (3_600,), (0,), ("x",), (0,)], at_once=2)
    assert [type(each) for each in told] == [int, Late, int, Failed, int]


def test_faults_can_be_pickled():
    for fault in (Late("a"), Lost("b"), Failed("ValueError", "c")):
        copy = pickle.loads(pickle.dumps(fault))  # our own
        assert (type(copy), str(copy), vars(copy)) == (type(fault), str(fault), vars(fault))
        assert isinstance(copy, WorkerFault)


# -------------------------------------------------------------------------------- how it starts


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
        told = pool.map("os:getpid", [()] * 5)
        assert [type(fault) for fault in told] == [Lost] * 5
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


# ------------------------------------------------------------------- who may call, and go away


def test_sixteen_threads_get_their_own_answers():
    with Workers(2) as pool, ThreadPoolExecutor(16) as threads:
        told = threads.map(lambda n: pool.call("copy:copy", [n] * (n % 50)), range(800))
        assert list(told) == [[n] * (n % 50) for n in range(800)]


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
    told = []
    thread = threading.Thread(target=lambda: told.append(pool.call("os:getpid")))
    thread.start()
    thread.join()
    assert pool.call("os:getpid") == told[0]


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


# -------------------------------------------------------------------------- what is left behind


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
