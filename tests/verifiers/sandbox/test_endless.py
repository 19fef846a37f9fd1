"""Programs that never end: those of which it can be proved are ended early, and no others."""

import importlib.util
import json
import os
import sys
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import palaestra.verifiers.sandbox
from palaestra.verifiers.sandbox import Limits, Sandbox
from palaestra.verifiers.sandbox.activity import MOST_CROWDED, Activity, activity, crowding
from palaestra.verifiers.sandbox.judging import session
from palaestra.verifiers.sandbox.sandbox import MOST_SLEEPING, SLEEPING
from palaestra.verifiers.sandbox.slots import ENDLESS, MARGIN, Job, Run

FOLDER = Path(palaestra.verifiers.sandbox.__file__).parent / "jail-app"
LIMITS = Limits(cpu_s=30, wall_s=600)
"""So much that a program which is ended earlier was ended by a proof."""


@pytest.fixture(scope="module", params=["native", "native-restricted"])
def jail(request):
    with Sandbox(request.param, slots=1) as sandbox:
        yield sandbox


ENDLESS_LOOPS = {
    "nothing": "while True: pass",
    "a step is missing": "i = 0\nwhile i < 10:\n    j = i + 1",
    "counting": "i = 0\nwhile True:\n    i += 1",
    "counting up and down": "i = 0\nwhile True:\n    i += 1\n    if i > 5:\n        i -= 5",
    "bisection": (
        "low, high = 0, 10\nwhile low < high:\n    middle = (low + high) // 2\n"
        "    if middle * middle <= 50:\n        low = middle\n    else:\n        high = middle"
    ),
    "lists": "queue = [1, 2, 3]\nwhile queue:\n    queue.append(queue.pop(0))",
    "the same list twice": "a = [[0], [0]]\nwhile a:\n    a.reverse()\n    a[0] = a[1]",
    "a long period": "x = 1\nwhile x:\n    x = x * 2 % 101",
    "in a loop over items": "for n in range(3):\n    while n < 5:\n        m = n",
    "a loop over items inside": (
        "t = 0\nwhile t < 9:\n    t = 0\n    for n in range(3):\n        t += n"
    ),
    "functions": (
        "def step(n):\n    return n * 2 if n % 2 else n // 2\n"
        "def run():\n    n = 4\n    while n != 3:\n        n = step(n)\nrun()"
    ),
    "no state to speak of": "x = 0.5\nwhile True:\n    x = 1 - x",
    "what would leave it": (
        "def f():\n    n = 1\n    while n:\n        if n > 2:\n            return open('x')\nf()"
    ),
    "an expression over lines": (
        "a = 1\nwhile a:\n    a = max(\n        a,\n        1,\n    )\n    b = a"
    ),
    "texts": "s = 'abc'\nwhile s != 'abd':\n    s = s[1:] + s[0]",
}


@pytest.mark.parametrize("source", ENDLESS_LOOPS.values(), ids=ENDLESS_LOOPS)
def test_endless_loops_are_ended_early(jail, source):
    outcome = jail.run(source, limits=LIMITS)
    assert outcome.status == "TLE"
    assert "never ends" in outcome.reason
    assert outcome.cpu_s < 0.1 * LIMITS.cpu_s


SPINNING = "import time\nuntil = time.process_time() + 0.1\n"
"""Programs that take longer than it takes to be looked at several times."""

ENDING_LOOPS = {
    "jumps that have no line": (
        "def run(n):\n    t = 0\n    while n:\n        n -= 1\n        for x in range(2000000):\n"
        "            if x >= 0:\n                t += 1\nrun(2)"
    ),
    "a clock": SPINNING + "while time.process_time() < until: pass",
    "a clock behind a function": (
        SPINNING + "def late():\n    return time.process_time() > until\nwhile not late(): pass"
    ),
    "a clock as a default": (
        SPINNING
        + "def late(now=time.process_time):\n    return now() > until\nwhile not late(): pass"
    ),
    "a thread": (
        "import threading, time\ngo = [1]\n"
        "def stop():\n    time.sleep(0.3)\n    go.clear()\n"
        "threading.Thread(target=stop).start()\nwhile go: pass"
    ),
    "a signal": (
        "import signal\ngo = [1]\n"
        "signal.signal(signal.SIGALRM, lambda *_: go.clear())\nsignal.setitimer(0, 0.3)\n"
        "while go: pass"
    ),
    "an exception from a signal": (
        "import signal\nclass Late(Exception): pass\n"
        "def late(*_): raise Late\n"
        "signal.signal(signal.SIGPROF, late)\nsignal.setitimer(signal.ITIMER_PROF, 0.2)\n"
        "try:\n    while True:\n        n = 1\nexcept Late: pass"
    ),
    "an iterator": (
        "steps = iter(range(300_000))\nx = 0\nwhile x is not None:\n    x = next(steps, None)"
    ),
    "an outer loop over items": (
        "for n in range(30_000):\n    k = 0\n    while k < 20:\n        k += 1\n    k = 0"
    ),
    "an outer function": (
        "def inner():\n    k = 0\n    while k < 20:\n        k += 1\n"
        "for _ in range(30_000): inner()"
    ),
    "a generator": (
        "def once():\n    while True:\n        yield 0\n"
        "n = 0\nfor _ in once():\n    n += 1\n    if n > 500_000: break"
    ),
    "a set": ("left = set(range(300_000))\nx = 0\nwhile left:\n    left.pop()"),
    "an object": (
        "class Steps:\n    n = 0\n    def __bool__(self):\n        self.n += 1\n"
        "        return self.n < 400_000\nsteps = Steps()\nwhile steps: pass"
    ),
    "an operator": (
        "class Steps(int):\n    n = 0\n    def __lt__(self, other):\n        Steps.n += 1\n"
        "        return Steps.n < 400_000\nx = Steps()\nwhile x < 1: pass"
    ),
    "a function that was replaced": (
        "n = 0\ndef len(x):\n    global n\n    n += 1\n    return n\nwhile len([]) < 400_000: pass"
    ),
    "a built-in that was replaced": (
        "import builtins\nn = [0]\n"
        "def mine(x):\n    n[0] += 1\n    return n[0]\nbuiltins.len = mine\n"
        "while len('') < 400_000: pass"
    ),
    "which object it is": (
        "a, b = [0], [0]\nx, n = b, 0\nwhile x is not a:\n    n += 1\n"
        "    if n > 500_000:\n        x = a"
    ),
    "a counter in a list": "n = [0]\nwhile n[0] < 500_000:\n    n[0] += 1",
    "half of an expression": (
        "n = 0\nwhile n < 500_000:\n    n = (\n        n\n        + 1\n    )"
    ),
    "one line": "n = 0\nwhile n < 700_000: n += 1",
    "a loop over items on one line": (
        "n = [0]\nwhile n[0] < 9:\n    for _ in range(300_000): n[0] += 0\n    n[0] += 3"
    ),
    "an error": (
        "x, n = [0] * 700_000, 0\ntry:\n    while True:\n        x[n]\n        n += 1\n"
        "except IndexError: pass"
    ),
    "words of the interpreter": (
        "import gc\nn = []\nclass Held:\n    def __del__(self): n.append(1)\n"
        "def held():\n    a = Held()\n    a.own = a\nfor _ in range(600): held()\n"
        "while len(n) < 300: x = [[]]; held()"
    ),
}


@pytest.mark.parametrize("source", ENDING_LOOPS.values(), ids=ENDING_LOOPS)
def test_what_ends_is_not_ended(jail, source):
    outcome = jail.run(f"{source}\nprint('done')", limits=LIMITS)
    assert (outcome.status, outcome.text) == ("PASS", "done\n"), outcome


def test_depth_is_the_programs(native):
    source = (
        "import sys\n"
        "def f(n):\n    for _ in range(200): pass\n    return f(n - 1) if n else 0\n"
        "def deepest():\n    low, high = 1, sys.getrecursionlimit()\n"
        "    while high - low > 1:\n        middle = (low + high) // 2\n"
        "        try: f(middle); low = middle\n"
        "        except RecursionError: high = middle\n    return low\n"
        "known = deepest()\n"
        "for _ in range(300): f(known - 1)\n"
        "print('done')"
    )
    assert native.run(source, limits=LIMITS).text == "done\n"


@pytest.fixture(scope="module")
def native():
    with Sandbox("native", slots=1) as sandbox:
        yield sandbox


def test_verdicts_are_those_of_a_limit(native):
    source = "def f(n):\n    while n % 2: pass\n    return n"
    cases = [([n], n) for n in (0, 1, 2, 3, 4)]
    short = Limits(cpu_s=0.2)
    verdict = native.judge_calls(source, "f", cases, limits=short)
    assert [test.status for test in verdict.per_test] == ["PASS", "TLE", "PASS", "TLE", "TLE"]
    assert ["never ends" in test.reason for test in verdict.per_test[:4]] == [0, 1, 0, 1]
    slow = source.replace("while n % 2: pass", "while n % 2: len(__import__('sys').path)")
    again = native.judge_calls(slow, "f", cases, limits=short)
    assert [test.status for test in again.per_test] == ["PASS", "TLE", "PASS", "TLE", "TLE"]
    assert not any("never ends" in test.reason for test in again.per_test)


def test_programs_are_run_once(native, monkeypatch):
    runs = []
    run_job = native.run_job
    monkeypatch.setattr(native, "run_job", lambda job: runs.append(job) or run_job(job))
    verdict = native.judge_io("while True: pass", [("", "")], limits=LIMITS)
    assert (verdict.status, len(runs)) == ("TLE", 1)


def test_the_next_program_finds_no_proof(native):
    assert native.run("while True: pass", limits=LIMITS).status == "TLE"
    finding = (
        "import signal\nwatch = signal.getsignal(signal.SIGVTALRM).__self__\n"
        "print(any(watch.ended[:]))\nwatch.ended[5] = 7"
    )
    assert [native.run(finding).text for _ in range(3)] == ["False\n"] * 3


def test_a_program_that_claims_never_to_end_is_late_at_most(native):
    claiming = "import signal\nsignal.getsignal(signal.SIGVTALRM).__self__.end()"
    outcome = native.run(claiming)
    assert (outcome.status, outcome.exit_code) == ("TLE", -9)
    claiming = "import signal\nsignal.getsignal(signal.SIGVTALRM).__self__.ended[0] = 1"
    assert native.run(claiming).status == "TLE"
    assert native.run("print(1)").status == "PASS"


# ------------------------------------------------------------------ states


@pytest.fixture(scope="module")
def endless():
    spec = importlib.util.spec_from_file_location("endless_in_tests", FOLDER / "endless.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


STEPS = (
    "i = i + 1",
    "i = i - 1",
    "i = (i * 2) % 7",
    "k = i",
    "k += 1",
    "a.append(i)",
    "a.reverse()",
    "a[:] = a[:3]",
    "a.pop() if a else 0",
    "d[i % 3] = k % 4",
    "s = s[1:] + s[:1]",
    "for n in range(2): i += n",
)
TESTS = ("i < 9", "i != 5", "len(a) < 6", "k < 20", "True", "s != 'ba' or i", "a and a[0] < 4")


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(TESTS), st.lists(st.sampled_from(STEPS), min_size=1, max_size=4))
def test_what_is_proved_is_so(endless, test, steps):
    """The states of a loop that is followed come back only where it goes on for very long."""
    body = "".join(f"        {step}\n" for step in steps)
    source = (
        "def f(seen):\n    i, k, a, d, s = 0, 0, [3, 1], {}, 'ab'\n    rounds = 0\n"
        f"    while {test}:\n{body}        seen()\n"
    )
    pure = source.replace("        seen()\n", "")
    tree = endless.ast.parse(pure)
    loop = next(node for node in endless.ast.walk(tree) if isinstance(node, endless.ast.While))
    states, proved, rounds = set(), None, count(1)

    class Enough(Exception):
        pass

    def seen():
        nonlocal proved
        number = next(rounds)
        state = endless.State(tree, loop, sys._getframe(1)).snapshot()
        if state in states and proved is None:
            proved = number
        states.add(state)
        if number > 400:
            raise Enough

    known = {}
    exec(compile(source, "solution.py", "exec"), known)  # noqa: S102  ours, from the lists above
    try:
        known["f"](seen)
    except Enough:
        return
    except IndexError:
        pass
    assert proved is None, f"it ended after {next(rounds) - 1} rounds, and was proved endless"


def test_the_jail_and_the_judge_agree_on_the_number(endless):
    text = (FOLDER / "__main__.py").read_text()
    assert f"FAILED, ENDLESS = 0, 1, 2, 3, {ENDLESS}" in text


# ------------------------------------------------------------------ limits


GROWING = "n = 0\nwhile n >= 0: n += 1"
"""What never ends, but by no proof that is known here."""


def test_a_program_has_no_more_time_than_decides(jail):
    outcome = jail.run(GROWING, limits=Limits(cpu_s=0.85, wall_s=600))
    assert outcome.status == "TLE"
    assert 0.85 * MARGIN <= outcome.cpu_s < 1.9  # the kernel counts in whole seconds, and gives two


def test_time_on_the_clock_is_kept(jail):
    outcome = jail.run("import time; time.sleep(600)", limits=Limits(cpu_s=30, wall_s=0.2))
    assert (outcome.status, outcome.exit_code) == ("TLE", -9)


@pytest.fixture
def crowded(monkeypatch):
    """A machine on which thirty processes share a processor, to all appearance."""
    monkeypatch.setattr("palaestra.verifiers.sandbox.slots.crowding", lambda: 30.0)


@pytest.mark.usefixtures("crowded")
def test_who_waits_for_a_processor_has_longer_on_the_clock(native, monkeypatch):
    waits = Activity(0, running=True)  # as the kernel tells of one that would compute if it could
    monkeypatch.setattr("palaestra.verifiers.sandbox.slots.activity", lambda _: waits)
    source = "import time\ntime.sleep(2)\nprint('done')"
    assert native.run(source, limits=Limits(cpu_s=0.1)).text == "done\n"
    given = native.run(source, limits=Limits(cpu_s=0.1, wall_s=1.3))
    assert (given.status, given.text) == ("TLE", "")


@pytest.mark.usefixtures("crowded")
def test_who_sleeps_has_no_longer_on_a_busy_machine(grouped):
    outcome = grouped.run("import time; time.sleep(600)", limits=Limits(cpu_s=0.1))
    assert (outcome.status, outcome.exit_code) == ("TLE", -9)
    assert outcome.reason == "more than 0.1 s, or 1.3 s on the clock"
    verdict = grouped.judge_calls(SLEEPER, "nap", [((), 1)], limits=Limits(cpu_s=0.1))
    assert (verdict.status, verdict.fraction) == ("TLE", 0)


def test_sleep_has_a_limit_of_its_own(grouped):
    limits = Limits(cpu_s=30, wall_s=600, sleep_s=0.3)
    outcome = grouped.run("import time; time.sleep(600)", limits=limits)
    assert (outcome.status, outcome.exit_code) == ("TLE", -9)
    assert outcome.reason == "more than 30 s, or 0.3 s on the clock"
    naps = "import time\nfor _ in range(40):\n    time.sleep(0.01)\n    sum(range(300_000))"
    assert grouped.run(naps, limits=limits).status == "PASS"


@pytest.mark.parametrize("backend", ["native", "native-restricted"])
def test_a_program_that_is_given_up_before_it_begins_is_ended(backend):
    with Sandbox(backend, slots=1) as sandbox, sandbox.slot() as slot:
        job = Job(b"import time; time.sleep(600)", limits=Limits(cpu_s=30, wall_s=600))
        run = Run(slot, job)  # while its jail starts
        run.abort()
        assert run.outcome().exit_code == -9
        run.close()


@pytest.mark.parametrize("sleep_s", [0.1, 4_000])
def test_limits_of_sleep_have_bounds(sleep_s):
    with pytest.raises(ValueError, match="sleep_s"):
        Limits(sleep_s=sleep_s)


@pytest.mark.usefixtures("crowded")
def test_sleep_counts_in_one_piece_on_a_busy_machine(grouped):
    """What went before it, as the start of the jail, is no sleep of the program's."""
    busy = "while time.process_time() < start + 0.05: pass"
    piece = f"time.sleep(1)\nstart = time.process_time()\n{busy}\n"
    outcome = grouped.run(f"import time\n{2 * piece}print('done')", limits=Limits(cpu_s=0.2))
    assert (outcome.status, outcome.text) == ("PASS", "done\n")
    assert outcome.wall_s > Limits(cpu_s=0.2).wall


def test_how_many_processes_share_a_processor(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    file = tmp_path / "loadavg"
    for text, expected in (
        ("0.10 2.22 8.98 1/123 3525\n", 1),
        ("19.0 2.22 8.98 1/123 3525\n", 9.5),
        ("0.10 2.22 8.98 9/123 3525\n", 4.5),
        ("900.00 2.22 8.98 9/123 3525\n", MOST_CROWDED),
    ):
        file.write_text(text)
        assert crowding(file) == expected
    assert crowding(tmp_path / "none") == 1
    assert 1 <= crowding() <= MOST_CROWDED


def test_what_ends_a_little_late_is_still_heard(jail):
    late = "import time\nwhile time.process_time() < 0.55: pass\nprint('done')"
    outcome = jail.run(late, limits=Limits(cpu_s=0.5, wall_s=600))
    assert (outcome.status, outcome.exit_code, outcome.text) == ("TLE", 0, "done\n")


@pytest.mark.parametrize("patience", [1, 2])
def test_calls_have_no_more_time_than_their_limit(jail, patience):
    source = "def f(n):\n    while n >= 0: n += 1"
    limits, cases = Limits(cpu_s=0.2, wall_s=600), [([1], 1)] * 4
    verdict = jail.judge_calls(source, "f", cases, limits=limits, patience=patience)
    assert [test.status for test in verdict.per_test] == ["TLE"] * 4
    assert [test.reason for test in verdict.per_test].count("not tried") == 4 - patience
    for test in verdict.per_test[:patience]:
        assert 0.2 <= test.cpu_s < 0.9  # the kernel counts in whole seconds


def test_processes_of_a_program_share_its_time(grouped):
    source = (
        "import os\nfor _ in range(4):\n    if os.fork() == 0:\n        while True: pass\n"
        "for _ in range(4): os.wait()"
    )
    grouped.run("print(1)")  # the first program shares the time with the start of its jail
    outcome = grouped.run(source, limits=Limits(cpu_s=0.5, wall_s=600))
    assert (outcome.status, outcome.exit_code) == ("TLE", -9)
    assert outcome.cpu_s < 2  # four processes with a second each, as the kernel counts


# ------------------------------------------------------------------ sleepers

SLEEPER = "import time\ndef nap():\n    time.sleep(600)\ndef f(x):\n    return x"


@pytest.fixture
def grouped():
    with Sandbox("native", slots=1) as sandbox:
        with sandbox.slot() as slot:
            if slot.group is None:
                pytest.skip("nobody can tell sleepers here: there are no control groups")
        yield sandbox


def test_others_run_while_a_program_sleeps(grouped):
    with grouped.slot() as slot, session(slot, Job(SLEEPER.encode(), "calls")) as opened:
        assert grouped._is_full()
        request = json.dumps({"name": "nap", "args": [], "kwargs": {}})
        opened.send(f"token {request}\n".encode())
        while not opened.run.asleep:
            opened.run.step()
        assert not grouped._is_full()
        assert grouped.run("print(1)").text == "1\n"
    assert (grouped.busy, grouped.asleep) == (0, 0)
    assert not grouped._is_full()


def test_who_wakes_up_counts_again(grouped):
    with grouped.slot() as slot, session(slot, Job(SLEEPER.encode(), "calls")) as opened:
        while not opened.run.asleep:
            opened.run.step()
        assert opened.call("f", [5], {}) == 5
        assert grouped._is_full()


def test_who_computes_is_not_asleep(grouped):
    source = "import time\nwhile time.process_time() < 9: pass"
    with grouped.slot() as slot, session(slot, Job(source.encode(), "calls")) as opened:
        while opened.run.asleep or (now := slot.activity()) is None or not now.running:
            opened.run.step()  # until the program has begun
            assert opened.run.status is None
        for _ in range(5):
            opened.run.step()
            assert not opened.run.asleep
        assert grouped._is_full()


def test_sleepers_are_bounded():
    sandbox = Sandbox("native", slots=2)
    sandbox.busy, sandbox.asleep = sandbox.callers, 10_000
    assert sandbox.callers == 2 + 2 * SLEEPING
    assert sandbox._is_full()
    sandbox.busy -= 1
    assert not sandbox._is_full()
    sandbox = Sandbox("native", slots=1_000)
    sandbox.busy, sandbox.asleep = 1_000 + MOST_SLEEPING, 10_000
    assert sandbox._is_full()


def test_activity():
    before = Activity(10, running=False)
    assert Activity(11, running=False).sleeps_since(before)
    assert not Activity(12, running=False).sleeps_since(before)
    assert not Activity(3, running=False).sleeps_since(before)
    assert not Activity(10, running=True).sleeps_since(before)
    assert not Activity(10, running=False).sleeps_since(Activity(10, running=True))
    own = activity([str(os.getpid())])
    assert own is not None
    assert own.running
    assert own.ticks >= 0
    assert activity(["no process"]) is None
