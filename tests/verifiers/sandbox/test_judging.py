"""Judging programs by their output, by calls and by suites."""

import pytest

from palaestra.verifiers.sandbox import Limits
from palaestra.verifiers.sandbox.comparing import same_output, same_value
from palaestra.verifiers.sandbox.judging import Case, IoTest

QUICK = Limits(cpu_s=1, wall_s=4, memory_mb=256)
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
