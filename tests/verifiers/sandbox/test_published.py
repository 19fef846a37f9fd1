"""Suites in published forms."""

import pytest

from palaestra.verifiers.sandbox import Limits, Sandbox
from palaestra.verifiers.sandbox.canaries import tried
from palaestra.verifiers.sandbox.published import apps, humaneval, livecodebench, mbpp

BACKENDS = [
    backend
    for backend, level in (("native", "namespaces"), ("native-restricted", "landlock"))
    if not tried(level)
]
QUICK = Limits(cpu_s=2, wall_s=20, memory_mb=256)


@pytest.fixture(scope="module", params=BACKENDS)
def jail(request):
    with Sandbox(request.param, slots=1) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def native():
    with Sandbox(BACKENDS[0], slots=1) as sandbox:
        yield sandbox


def judged(jail, source, suite, **options):
    return jail.judge_asserts(source, suite, limits=QUICK, **options)


ADD = "def add(a, b):\n    return a + b\n"
WRONG = "def add(a, b):\n    return a * b\n"
HUMANEVAL = """

METADATA = {'author': 'nobody', 'dataset': 'test'}


def check(candidate):
    assert candidate(2, 3) == 5
    assert candidate(0, 7) == 7, "This prints if this assert fails"
    # Check some edge cases
    assert True, "This prints if this assert fails 2 (also good for debugging!)"

"""
HUMANEVAL_LOOP = """
def check(candidate):
    import math, random
    rng = random.Random(42)
    import copy
    for _ in range(100):
        a, b = rng.randint(-100, 100), rng.randint(-100, 100)
        assert math.fabs(candidate(copy.deepcopy(a), b) - a - b) < 1e-4
"""
MBPP = ["assert add(1, 2) == 3", "assert set(add([1], [2])) == set([1, 2])",
        "assert math.isclose(add(0.5, 0.25), 0.75, rel_tol=0.001)"]  # fmt: skip
SUM = "class Solution:\n    def total(self, numbers, start):\n        return sum(numbers) + start\n"
CALLS = [{"input": "[1, 2, 3]\n4", "output": "10", "testtype": "functional"},
         {"input": "[]\n-1", "output": "-1.0", "testtype": "functional"}]  # fmt: skip


@pytest.mark.parametrize("test", [HUMANEVAL, HUMANEVAL_LOOP])
def test_the_form_of_humaneval(jail, test):
    assert judged(jail, ADD, humaneval(test, "add")).fraction == 1
    assert judged(jail, WRONG, humaneval(test, "add")).status == "WA"
    assert judged(jail, "", humaneval(test, "add")).fraction == 0


def test_the_form_of_mbpp(jail):
    suite = mbpp(MBPP, ["import math"])
    assert judged(jail, ADD, suite).passed == 3
    assert judged(jail, WRONG, suite).passed == 0
    assert judged(jail, ADD, mbpp(MBPP[:2], "x = 1")).fraction == 1


def test_the_forms_of_apps(jail):
    lines = {"inputs": [["1 2", "3"], "4\n"], "outputs": [["6"], "4\n"]}
    program = "import sys; print(sum(map(int, sys.stdin.read().split())))"
    assert jail.judge_io(program, apps(lines), limits=QUICK).fraction == 1
    calls = '{"fn_name": "total", "inputs": [[[1, 2], 3], [[], 0]], "outputs": [[6], 0]}'
    assert judged(jail, SUM, apps(calls)).passed == 2
    plain = "def total(numbers, start): return (sum(numbers) + start,)"
    assert [test.status for test in judged(jail, plain, apps(calls)).per_test] == ["PASS", "WA"]


def test_the_forms_of_livecodebench(jail):
    program = "print(sum(int(n) for n in input().split()))"
    tests = '[{"input": "1 2\\n", "output": "3\\n", "testtype": "stdin"}]'
    assert jail.judge_io(program, livecodebench(tests), limits=QUICK).fraction == 1
    suite = livecodebench(CALLS, '{"func_name": "total"}')
    assert judged(jail, SUM, suite).passed == 2
    assert judged(jail, SUM.replace("sum", "len"), suite).passed == 1


@pytest.mark.parametrize(
    ("read", "record"),
    [
        (apps, {"inputs": []}),
        (apps, {"inputs": ["1"], "outputs": []}),
        (apps, {"inputs": [[1]], "outputs": [1], "fn_name": "f()"}),
        (livecodebench, []),
        (livecodebench, CALLS),
    ],
)
def test_records_that_are_none(read, record):
    with pytest.raises(ValueError, match=r"field|outputs|tests|called"):
        read(record)
