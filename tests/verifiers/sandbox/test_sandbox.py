"""Running and judging programs in jails. The hostile ones are in test_exploits."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from palaestra.verifiers.sandbox import (
    Limits,
    MissingTool,
    Sandbox,
    SandboxUnavailable,
    languages,
    sandbox,
)
from palaestra.verifiers.sandbox.canaries import chosen, tried
from palaestra.verifiers.sandbox.comparing import same_output, same_value
from palaestra.verifiers.sandbox.judging import Case, IoTest
from palaestra.verifiers.sandbox.languages import available
from palaestra.verifiers.sandbox.outcomes import Outcome
from palaestra.verifiers.sandbox.slots import JailError

BACKENDS = [
    backend
    for backend, level in (("native", "namespaces"), ("native-restricted", "landlock"))
    if not tried(level)
]
QUICK = Limits(cpu_s=1, wall_s=4, memory_mb=256)


def test_this_machine_has_a_backend():
    """Where it has none, the tests below are empty, and that has to be seen."""
    assert BACKENDS, tried("namespaces")


@pytest.fixture(scope="module", params=BACKENDS)
def jail(request):
    with Sandbox(request.param, slots=2) as made:
        yield made


@pytest.fixture(scope="module")
def native():
    if "native" not in BACKENDS:
        pytest.skip(tried("namespaces"))
    with Sandbox("native", slots=2) as made:
        yield made


# ------------------------------------------------------------------ outcomes


@pytest.mark.parametrize(
    ("source", "status"),
    [
        ("print('hi')", "PASS"),
        ("1 / 0", "RE"),
        ("import sys; sys.exit(3)", "RE"),
        ("import os; os._exit(0)", "PASS"),
        ("def f(", "RE"),
        ("while True: pass", "TLE"),
        ("import time; time.sleep(30)", "TLE"),
        ("b = bytearray(1 << 30)", "MLE"),
        ("while True: print('x' * 1000)", "OLE"),
        ("import ctypes; ctypes.CDLL(None).ptrace(0, 0, 0, 0)", "VIOLATION"),
        ("import os, signal; os.abort()", "RE"),
    ],
)
def test_statuses(jail, source, status):
    outcome = jail.run(source, limits=QUICK)
    assert outcome.status == status, outcome
    assert status == "PASS" or outcome.reason


def test_what_a_program_is_given(jail):
    source = "import sys; print(input(), sys.argv[1:], open('data/notes.txt').read(), __name__)"
    outcome = jail.run(source, stdin="line\n", args=["a", "b"], files={"data/notes.txt": "n"})
    assert outcome.text == "line ['a', 'b'] n __main__\n"
    assert outcome.status == "PASS"
    assert outcome.isolation in {"namespaces", "landlock"}
    assert outcome.cpu_s > 0
    assert outcome.memory_kb > 1_000


def test_any_text_comes_through(jail):
    text = "é漢字🤼\udce9\x00\r\n"
    assert jail.run("import sys; sys.stdout.write(sys.stdin.read())", stdin=text).text.encode(
        "utf-8", "replace"
    ) == text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").encode(
        "utf-8", "replace"
    ).replace(b"\r\n", b"\n")


def test_tracebacks_speak_of_the_program_alone(jail):
    outcome = jail.run("def f():\n    return 1 / 0\nf()")
    lines = outcome.stderr.decode().splitlines()
    assert lines[1] == '  File "solution.py", line 3, in <module>'
    assert "    return 1 / 0" in lines
    assert "program.py" not in outcome.stderr.decode()


def test_every_program_starts_afresh(jail):
    first = "import json, builtins, os; json.x = builtins.y = 1; open('left', 'w').write('x')"
    assert jail.run(first).status == "PASS"
    for _ in range(3):
        second = (
            "import json, builtins, os; print(hasattr(json, 'x'), hasattr(builtins, 'y'), "
            "os.listdir('.'))"
        )
        assert jail.run(second).text == "False False []\n"


def test_chance_and_hashes_are_the_same_each_time(jail):
    source = "import random; print(random.random(), hash('a'))"
    assert len({jail.run(source).text for _ in range(4)}) == 1


@pytest.mark.parametrize("language", sorted(set(available()) - {"python"}))
def test_languages(native, language):
    source = {
        "c": '#include <stdio.h>\nint main(void){int n; scanf("%d", &n); printf("%d\\n", 2*n);}',
        "c++": "#include <iostream>\nint main(){int n; std::cin >> n; std::cout << 2*n << '\\n';}",
        "javascript": "console.log(2 * parseInt(require('fs').readFileSync(0, 'utf8')))",
        "bash": "read n; echo $((2 * n))",
        "sql": "create table t(n); insert into t values (21); select 2 * n, null from t;",
    }[language]
    outcome = native.run(source, language=language, stdin="21\n")
    assert outcome.text == ("42|NULL\n" if language == "sql" else "42\n"), outcome
    again = native.run(source, language=language.upper(), stdin="21\n")
    assert (again.status, again.text) == ("PASS", outcome.text)


def test_what_does_not_compile(native):
    outcome = native.run("int main(void) { return x; }", language="c")
    assert outcome.status == "CE"
    assert "undeclared" in outcome.reason
    verdict = native.judge_io("int main(", [("", "")], language="c")
    assert (verdict.fraction, verdict.status) == (0.0, "CE")


def test_a_program_that_is_too_long_is_no_failure_of_ours(native):
    verdict = native.judge_io("// " + "x" * 70_000, [("", "")], language="javascript")
    assert (verdict.fraction, verdict.status) == (0.0, "CE")
    long = "print(1)  #" + "x" * 200_000
    assert native.run(long).text == "1\n"


def test_bad_requests_are_told(jail):
    with pytest.raises(ValueError, match="a language is python"):
        jail.run("", language="cobol")
    for name in ("/etc/x", "../x", "a//b", ".", "a\0", "x" * 300):
        with pytest.raises(ValueError, match="a file lies below"):
            jail.run("", files={name: ""})
    with pytest.raises(ValueError, match="files beside a program"):
        jail.run("", files={"x": "y" * 30_000})
    for limit in ({"cpu_s": 0}, {"memory_mb": 1}, {"output_kb": 0}, {"wall_s": -1}):
        with pytest.raises(ValueError, match="lies from"):
            Limits(**limit)
    for wrong in ({"backend": "magic"}, {"minimum": "total"}, {"slots": 0}):
        with pytest.raises(ValueError, match=r"backend|level|slots"):
            Sandbox(**wrong)


def test_a_machine_without_walls_is_refused_with_advice(monkeypatch):
    monkeypatch.setattr("palaestra.verifiers.sandbox.canaries.tried", lambda level: "no unshare")
    monkeypatch.setattr(
        "palaestra.verifiers.sandbox.canaries.contained", lambda engine, build: "no engine"
    )
    with pytest.raises(SandboxUnavailable, match="user namespaces") as refusal:
        chosen("auto", "landlock")
    assert "no unshare" in str(refusal.value)
    with pytest.raises(SandboxUnavailable):
        chosen("native-restricted", "namespaces")


def test_without_walls_only_where_that_is_said(monkeypatch):
    monkeypatch.setattr("palaestra.verifiers.sandbox.canaries.tried", lambda level: "no unshare")
    with Sandbox("native", slots=1) as refused, pytest.raises(SandboxUnavailable):
        refused.run("print(1)")
    try:
        with Sandbox("native", slots=1, allow_unsafe=True) as unsafe:
            outcome = unsafe.run("print(1)")
            assert (outcome.text, outcome.isolation) == ("1\n", "none")
            assert unsafe.run("import os; os.fork()").status == "RE"
            with pytest.raises(SandboxUnavailable, match="held by 'none'"):
                unsafe.at_least("landlock")
            with pytest.raises(MissingTool, match="needs namespaces"):
                unsafe.run("true", language="bash")
    except JailError as why:
        pytest.skip(str(why))


def test_a_level_can_be_demanded(jail):
    assert jail.at_least(jail.level) is jail
    if jail.level == "landlock":
        with pytest.raises(SandboxUnavailable, match="held by 'landlock'"):
            jail.at_least("namespaces")


NUMPY = """
import numpy as np
print(np.arange(1_000_000).sum(), np.linalg.det(np.eye(3)))
"""


def test_packages(jail):
    assert jail.run(NUMPY).status == "RE"
    with Sandbox(jail.backend, slots=1, packages=("numpy",)) as calculating:
        assert calculating.run(NUMPY).text == "499999500000 1.0\n"
        assert calculating.run("import palaestra.task").status == "RE"
        assert calculating.run("import pytest").status == "RE"
    for name in ("palaestra", "no_such_package", "json.tool", "math"):
        with pytest.raises(ValueError, match="cannot be given the package"):
            Sandbox(packages=(name,))


# ------------------------------------------------------------------ judging

ADD = "print(sum(map(int, input().split())))"


def test_by_output(jail):
    verdict = jail.judge_io(ADD, [("1 2", "3"), ("4 5", "9\n"), ("1 1", "3")])
    assert (verdict.passed, verdict.status, verdict.integrity) == (2, "WA", "strong")
    assert verdict.fraction == pytest.approx(2 / 3)
    tests = [IoTest("1 2", "3", weight=3), IoTest("x", "1", weight=1)]
    assert jail.judge_io(ADD, tests).fraction == 0.75
    early = jail.judge_io(ADD, [("x", "1"), ("1 2", "3")], early_exit=True)
    assert [test.status for test in early.per_test] == ["RE", "RE"]
    assert early.fraction == 0


def test_by_a_checker_of_ours(jail):
    def is_divisor(given, wanted, output):
        return output.strip().isdecimal() and int(given) % int(output) == 0

    verdict = jail.judge_io("print(3)", [("12", ""), ("14", "")], checker=is_divisor)
    assert [test.status for test in verdict.per_test] == ["PASS", "WA"]


def test_by_calls(jail):
    source = "def f(x, y=1): return x * y\nclass S:\n    def g(self, x): return (x, {x: [None]})"
    cases = [([2], 2), Case([2], 6, kwargs={"y": 3}), (["ab"], "ab"), ([2], 2.0)]
    verdict = jail.judge_calls(source, "f", cases)
    assert [test.status for test in verdict.per_test] == ["PASS", "PASS", "PASS", "WA"]
    assert jail.judge_calls(source, "S.g", [(["k"], ["k", {"k": [None]}])]).fraction == 1
    assert jail.judge_calls(source, "missing", [([1], 1)]).status == "RE"


def test_calls_go_on_after_one_was_lost(jail):
    source = "import os\ndef f(x):\n    if x == 1: os._exit(0)\n    if x == 2: 1 / 0\n    return x"
    verdict = jail.judge_calls(source, "f", [([n], n) for n in range(4)])
    assert [test.status for test in verdict.per_test] == ["PASS", "RE", "RE", "PASS"]


def test_calls_are_not_made_for_ever(jail):
    source = "import time\ndef f(x):\n    time.sleep(0.05)\n    raise SystemExit"
    verdict = jail.judge_calls(source, "f", [([n], n) for n in range(60)])
    assert verdict.fraction == 0
    assert [test.reason for test in verdict.per_test].count("not tried") == 57


def test_what_runs_alone_is_not_run_for_calls(jail):
    source = """
from dataclasses import dataclass
@dataclass
class Point:
    x: "int"
def f(x):
    if x < 0: exit(3)
    return Point(x).x + 1
if __name__ == "__main__": print(f(int(input())))
"""
    assert jail.judge_calls(source, "f", [([2], 3)]).fraction == 1
    assert jail.run(source, stdin="4").text == "5\n"
    assert jail.run(source, stdin="-4").exit_code == 3
    assert jail.run("quit()").status == "PASS"


def test_what_never_ends_is_run_once(native, monkeypatch):
    runs = []
    plain = native.run_job
    monkeypatch.setattr(native, "run_job", lambda job: runs.append(plain(job)) or runs[-1])
    limits = Limits(cpu_s=0.1, wall_s=1.2)
    assert native.judge_io("while True: pass", [("", "")], limits=limits).status == "TLE"
    assert len(runs) == 1


def test_calls_share_a_process_unless_they_are_fresh(jail):
    source = "n = 0\ndef f():\n    global n\n    n += 1\n    return n"
    assert jail.judge_calls(source, "f", [([], 1), ([], 2)]).fraction == 1
    assert jail.judge_calls(source, "f", [([], 1), ([], 1)], fresh=True).fraction == 1


def test_time_is_not_spent_on_the_hopeless(jail):
    verdict = jail.judge_calls("def f(x):\n    while True: pass", "f", [([1], 1)] * 5, limits=QUICK)
    assert [test.status for test in verdict.per_test] == ["TLE"] * 5
    assert [test.reason for test in verdict.per_test].count("not tried") == 3


SUITE = """
import pytest
import unittest
from solution import add

assert add(1, 2) == 3
assert add((1,), (2,)) == (1, 2)
stack = Stack()
stack.push(4)
assert stack.pop() == 4

def test_empty():
    with pytest.raises(IndexError):
        Stack().pop()

@pytest.mark.parametrize("a, b", [(1, 2), (3, 4)])
def test_pairs(a, b):
    assert add(a, b) == pytest.approx(a + b)

class TestAdd(unittest.TestCase):
    def test_text(self):
        self.assertEqual(add("a", "b"), "ab")
"""
SOLUTION = """
def add(a, b): return a + b
class Stack:
    def __init__(self): self.items = []
    def push(self, item): self.items.append(item)
    def pop(self): return self.items.pop()
"""


def test_by_a_suite_of_tests(jail):
    verdict = jail.judge_asserts(SOLUTION, SUITE)
    assert (verdict.fraction, verdict.passed, verdict.integrity) == (1.0, 6, "strong"), verdict
    broken = jail.judge_asserts(SOLUTION.replace("a + b", "a - b"), SUITE)
    assert 0 < broken.fraction < 1
    assert jail.judge_asserts("import os; os._exit(0)", SUITE).fraction == 0
    assert jail.judge_asserts("", "assert nothing() == 1").fraction == 0


def test_what_a_suite_sees_of_a_program(jail):
    source = """
LIMIT, NAMES = 3, ("a", "b")
class Base:
    MOST = 5
    def __call__(self): return 1
class Shape(Base):
    def area(self): return 2
def make(): return Shape()
"""
    suite = """
import solution
from solution import LIMIT, NAMES, Base, Shape, make

def test_constants():
    assert (LIMIT, NAMES, solution.LIMIT, Shape.MOST) == (3, ("a", "b"), 3, 5)

def test_kinds():
    assert isinstance(make(), Shape) and isinstance(make(), Base)
    assert not isinstance(3, Shape) and callable(make) and not callable(LIMIT)

def test_calls():
    shape = Shape()
    assert shape.area() == make().area() == 2 and shape() == 1

def test_what_may_be_missing():
    assert hasattr(solution, "make") and not hasattr(solution, "other")
    assert getattr(solution, "other", 7) == 7
"""
    verdict = jail.judge_asserts(source, suite)
    assert (verdict.fraction, verdict.passed) == (1, 4), verdict


@pytest.mark.parametrize(
    "test",
    [
        "with pytest.raises(Exception): absent(1)",
        "with pytest.raises(BaseException): absent",
        "with pytest.raises(AttributeError): solution.absent",
        "with pytest.raises(ImportError): from solution import absent",
        "unittest.TestCase().assertRaises(BaseException, lambda: absent())",
        "try: absent()\n    except BaseException: pass",
    ],
)
def test_nothing_wants_a_name_to_be_missing(native, test):
    suite = f"import pytest, unittest, solution\ndef test_it():\n    {test}"
    assert native.judge_asserts("x = 1", suite).fraction == 0


def test_suites_of_any_size(native):
    suite = "".join(f"assert f({n}) == {n}  # {'-' * 80}\n" for n in range(1_500))
    assert native.judge_asserts("def f(x): return x", suite).passed == 1_500


def test_a_suite_that_is_broken_is_our_fault(jail):
    verdict = jail.judge_asserts(SOLUTION, "def test_x(:")
    assert (verdict.fraction, verdict.status) == (None, "JUDGE_ERROR")


def test_objects_are_not_equal_because_they_say_so(jail):
    source = "class E:\n    def __eq__(self, other): return True\ndef f(): return E()"
    assert jail.judge_asserts(source, "assert f() == 3").fraction == 0
    assert jail.judge_calls(source, "f", [([], 3)]).fraction == 0


@pytest.mark.parametrize("forged", ['{"dict": [[]]}', '[{"dict": []}]', '{"dict": [1]}', "[[[["])
def test_forged_replies_are_no_values(native, forged):
    source = f"import os\ndef f(): os.write(3, b'{{\"value\": {forged}}}\\n')"
    verdict = native.judge_calls(source, "f", [([], 1)])
    assert (verdict.fraction, verdict.status) == (0.0, "WA")


def test_comparing():
    assert same_output("1\n2 ", "1 2")
    assert not same_output("1 2", "12")
    assert not same_output("1.0", "1")
    assert same_output("1.0", "1", tolerance=1e-9)
    assert not same_output("1", "inf", tolerance=0.5)
    assert same_value({"a": (1, 2.5)}, {"a": [1, 2.5]})
    assert same_value({1, 2}, frozenset({2, 1}))
    assert not same_value({1, 2}, {1.0, 2})
    assert not same_value({1}, [1])
    assert not same_value({1: 2}, {True: 2})
    assert not same_value({1: 2}, {1: True})
    assert not same_value([1], [1, 1])
    assert not same_value(1, 1.0)
    assert same_value(1, 1.0, tolerance=1e-9)
    assert not same_value(1, True, tolerance=1)
    assert same_value(float("nan"), float("nan"))
    assert not same_value(0.0, float("nan"))


# ------------------------------------------------------------------ the judge


def test_threads_and_coroutines_share_the_jails(jail):
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda n: jail.run(f"print({n})").text, range(40)))
    assert told == [f"{n}\n" for n in range(40)]

    async def many():
        return await asyncio.gather(*(jail.arun(f"print({n})") for n in range(10)))

    assert [outcome.text for outcome in asyncio.run(many())] == [f"{n}\n" for n in range(10)]


def test_a_jail_that_is_lost_is_replaced(native):
    assert native.run("print(1)").status == "PASS"
    for slot in native.free:
        slot.process.kill()
    assert native.run("print(2)").text == "2\n"


def test_a_jail_that_is_lost_on_the_way_is_a_failure_of_ours(native, monkeypatch):
    def lost(self, job):
        return Outcome("JUDGE_ERROR", reason="gone")

    monkeypatch.setattr("palaestra.verifiers.sandbox.slots.Slot.run", lost)
    verdict = native.judge_io(ADD, [("1 2", "3")])
    assert (verdict.fraction, verdict.status) == (None, "JUDGE_ERROR")


def test_nothing_is_left_open(native):
    native.run("print(1)")
    before = {file.name for file in Path("/proc/self/fd").iterdir()}
    for source in ("print(1)", "1 / 0", "import os; os._exit(1)", "def f(): return 1"):
        native.run(source)
        native.judge_calls(source, "f", [([], 1)])
        native.judge_asserts(source, "assert f() == 1")
    native.judge_asserts("", "assert True")
    grown = {file.name for file in Path("/proc/self/fd").iterdir()} - before
    assert len(grown) <= 3 * native.size + 1, grown  # the jails of the suites, once


def test_files_can_be_listed_without_complaint(native):
    if "bash" not in native.languages():
        pytest.skip("there is no bash")
    told = native.run("echo hi > a; cp -p a b; ls -l a b", language="bash")
    assert (told.status, told.stderr) == ("PASS", b"")
    assert told.text.count("nobody nobody 3") == 2


def test_jails_outlive_the_threads_that_start_them(native):
    """As those of a pool, or of a server, do not last."""
    with Sandbox("native", 1) as made:
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(made.run, "print(1)").result().status == "PASS"
        (slot,) = made.free
        with pytest.raises(subprocess.TimeoutExpired):
            slot.process.wait(0.3)
        assert made.judge_asserts("x = 1", "assert x == 1").fraction == 1
        assert made.started == 1


def test_a_jail_that_ended_while_nobody_looked_is_replaced(native):
    with Sandbox("native", 1) as made:
        made.run("print(1)")
        made.free[0].process.kill()
        made.free[0].process.wait()
        assert made.judge_calls("def f(): return 1", "f", [([], 1)]).fraction == 1
        assert made.started == 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_killed_judge_leaves_nothing(backend):
    code = f"""
import sys
from palaestra.verifiers.sandbox import Sandbox
made = Sandbox({backend!r}, slots=1)
made.run("print(1)")
print(made.free[0].process.pid, flush=True)
made.run("import time; time.sleep(60)")
"""
    judge = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    launcher = int(judge.stdout.readline())
    time.sleep(0.3)
    group = os.getpgid(launcher)
    judge.send_signal(signal.SIGKILL)
    judge.wait()
    for _ in range(2_400):
        alive = [
            entry
            for entry in Path("/proc").iterdir()
            if entry.name.isdecimal() and in_group(entry, group)
        ]
        if not alive:
            break
        time.sleep(0.05)
    assert not alive
    judge.stdout.close()


def in_group(entry, group):
    """Whether a process, that is no zombie, belongs to a process group."""
    try:
        fields = (entry / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[0] != "Z" and int(fields[2]) == group


def test_a_forked_child_has_jails_of_its_own(native):
    native.run("print(1)")
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if native.run("print(2)").text == "2\n" else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert native.run("print(3)").text == "3\n"


def test_importing_starts_nothing():
    code = """
import os, threading
from palaestra.verifiers.sandbox import Sandbox, sandbox
sandbox(), Sandbox()
print(threading.active_count(), len(os.listdir(f"/proc/self/task")))
import subprocess
print(subprocess.run(["pgrep", "-P", str(os.getpid()), "-f", "jail-app"]).returncode)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["1", "1", "1"]


def test_the_shared_sandbox():
    assert sandbox() is sandbox()
    assert sandbox().run("print('shared')").text == "shared\n"
    report = sandbox().report()
    assert report["isolation"] in {"namespaces", "landlock"}
    assert "python" in report["languages"]


def test_memory_is_limited_in_all_of_a_jail(native):
    native.run("print(1)")
    if native.free[-1].group is None:
        pytest.skip("no control groups can be made here")
    hoard = """
import os, time
for _ in range(20):
    if os.fork() == 0:
        hoard = b"x" * (200 << 20)
        time.sleep(5)
        os._exit(0)
for _ in range(20):
    os.wait()
"""
    outcome = native.run(hoard, limits=Limits(cpu_s=5, memory_mb=256))
    assert (outcome.status, "all its processes" in outcome.reason) == ("MLE", True)
    assert native.run("print(1)").status == "PASS"


# ------------------------------------------------------------------ texts, sizes and weights

LONE = "\ud800"
LANGUAGES = {
    "python": "print('ok')  # {}",
    "sql": "select 'ok'; -- {}",
    "c": '#include <stdio.h>\nint main(void) {{ puts("ok"); return 0; }} // {}',
    "c++": '#include <cstdio>\nint main() {{ puts("ok"); }} // {}',
    "javascript": "console.log('ok') // {}",
    "bash": "echo ok # {}",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_lone_surrogates_in_a_program_are_the_programs_affair(native, language):
    if language not in native.languages():
        pytest.skip(f"no {language} here")
    source = LANGUAGES[language].format(LONE)
    limits = Limits(memory_mb=2_048)
    assert native.run(source, language=language, limits=limits).status in {"PASS", "RE", "CE"}
    verdict = native.judge_io(source, [(LONE, "ok\n")], language=language, limits=limits)
    assert verdict.status in {"PASS", "RE", "CE"}, verdict


def test_lone_surrogates_elsewhere(jail):
    both = f"{LONE} \udcff\xe9"
    read = "import sys; print(sys.stdin.buffer.read().hex(), sys.argv[1:] == [], end='')"
    assert jail.run(read, stdin=both).text == "eda08020ffc3a9 True"
    laid = jail.run("print(open('a', 'rb').read().hex())", files={"a": both})
    assert laid.text == "eda08020ffc3a9\n"
    for text in (both, f"{LONE}\udc00", "\U00010000"):
        assert jail.judge_calls("def f(x): return x", "f", [([text], text)]).fraction == 1
    assert jail.judge_calls(LONE, "f", [([1], 1)]).status == "RE"
    assert jail.judge_calls("def f(): return 1", f"f{LONE}", [([], 1)]).status == "RE"
    assert jail.judge_asserts("def f(x): return x", f"assert f({both!r}) == {both!r}").fraction == 1
    assert jail.judge_asserts("def f(x): return x", f"assert f('{LONE}')").fraction is None


@pytest.mark.parametrize(
    "source",
    [
        "def f(): raise ValueError('\\ud800')",
        "def f(): raise type('\\udcff', (Exception,), {})('x')",
        "class C: pass\nC.__name__ = '\\ud800'\ndef f(): return C()",
    ],
)
def test_reasons_can_be_written(jail, source):
    for verdict in (
        jail.judge_calls(source, "f", [([], 1)]),
        jail.judge_asserts(source, "def test(): assert f() == 1"),
    ):
        assert verdict.fraction == 0
        "".join(test.reason for test in verdict.per_test).encode()
    Outcome("RE", reason=LONE).reason.encode()


@pytest.mark.parametrize("weights", [(0, 0), (-1, 2), (float("nan"), 1), (float("inf"), 1)])
def test_weights_make_shares(native, weights):
    io = [IoTest("1 2", "3", weight) for weight in weights]
    with pytest.raises(ValueError, match="weights"):
        native.judge_io(ADD, io)
    with pytest.raises(ValueError, match="weights"):
        native.judge_calls("def f(): return 1", "f", [Case([], 1, weight) for weight in weights])
    assert native.judge_io(ADD, [IoTest("1 2", "3", 0), IoTest("1 2", "4", 1)]).fraction == 0


def test_types_count_at_any_depth():
    assert same_value({(1, 2)}, {(1, 2)})
    assert not same_value({(1, 2)}, {(True, 2.0)})
    assert not same_value({(1, (2,))}, {(1, (2.0,))})
    assert not same_value({frozenset({1})}, {frozenset({True})})
    assert not same_value({(1, 2): 3}, {(True, 2): 3})
    assert same_value({(1, 2): 3, 1: 2}, {1: 2, (1, 2): 3})
    assert same_value({float("nan"), 1}, {1, float("nan")})
    assert not same_value({1: 1, 2: 2}, {1: 1})


def test_long_numbers_are_values(jail):
    source = "def f(n): return n * 10**5000"
    cases = [([n], n * 10**5000) for n in (1, -1, 3)]
    assert jail.judge_calls(source, "f", cases).fraction == 1


def test_a_large_value_fails_its_call_alone(jail):
    source = "def f(n): return [7] * n if n < 9 else [[]] * n if n > 10**5 else 'x' * (3 << 20)"
    cases = [([9], 0), ([9], 0), ([9], 0), ([300_000], 0), ([2], [7, 7])]
    verdict = jail.judge_calls(source, "f", cases, limits=Limits(memory_mb=1_024))
    statuses = [test.status for test in verdict.per_test]
    assert statuses == ["OLE"] * 4 + ["PASS"], verdict


def test_what_a_program_may_say_is_bounded(native):
    """Whatever it says, reading it costs the judge little."""
    source = "def f(n): return [[]] * 90_000"
    verdict = native.judge_calls(source, "f", [([n], []) for n in range(40)])
    statuses = [test.status for test in verdict.per_test]
    assert statuses[:5] == ["WA"] * 5
    assert statuses[6:] == ["OLE"] * 34, statuses
    many = native.judge_calls("def f(n): return [[]] * 200_000", "f", [([1], [])])
    assert many.status == "OLE"


def test_a_compiler_that_is_stopped_is_not_remembered(native):
    if "c" not in native.languages():
        pytest.skip("no C here")
    levels = "".join(f"#define A{n + 1} {f'A{n} ' * 10}\n" for n in range(9))
    bomb = f"#define A0\n{levels}int a A9;\nint main() {{ return a; }}\n"
    short = native.run(bomb, language="c", limits=Limits(compile_s=0.5))
    assert (short.status, short.stdout) == ("TLE", b""), short
    assert "compiling" in short.reason
    plain = '#include <stdio.h>\nint main(void) { puts("again"); return 0; }\n'
    runs = []
    said = b"gcc: fatal error: Killed signal terminated program cc1"
    stopped = Outcome("RE", stderr=said, exit_code=1)

    def run(job):
        runs.append(job)
        return native.run_job(job) if len(runs) > 1 else stopped

    assert languages.prepared("c", plain, run, limits=Limits(compile_s=3)).status == "MLE"
    assert not isinstance(languages.prepared("c", plain, run), Outcome)
    assert [job.limits.cpu_s for job in runs] == [3, 10]


def test_a_program_that_closes_its_channel_is_told_as_what_it_is(jail):
    source = "import os\ndef f():\n    os.close(3)\n    while True: pass"
    verdict = jail.judge_calls(source, "f", [([], 1)], limits=Limits(cpu_s=0.2, wall_s=2))
    assert (verdict.fraction, verdict.status) == (0, "TLE")
