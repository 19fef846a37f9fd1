"""Functions and programs judged by their results in the sandbox."""

import pytest

from palaestra.task import InvalidAnswer, JudgeError
from palaestra.verifiers.programs import judging as programs
from palaestra.verifiers.programs.judging import graded_calls, graded_io
from palaestra.verifiers.sandbox import Limits, SandboxUnavailable, Verdict, outcomes, sandbox


@pytest.fixture(scope="module", autouse=True)
def _isolated():
    try:
        sandbox().report()
    except SandboxUnavailable as why:
        pytest.skip(str(why))


CASES = [([[n, 2]], n + 2) for n in range(10)]


@pytest.mark.parametrize(
    "source",
    [
        "def solve(v):\n    raise SystemExit(0)",
        "import os\ndef solve(v):\n    os._exit(0)",
        "import sys\nsys.exit(0)\ndef solve(v):\n    return sum(v)",
        "class S(int):\n    __eq__ = lambda s, o: True\ndef solve(v):\n    return S(1)",
        "def solve(v):\n    return float(sum(v))",
        "def solve(v):\n    return [sum(v)]",
        "def solve(v):\n    return float('nan')",
        "def solve(v):\n    import gc\n    return [o for o in gc.get_objects() if o == 11][:1]",
        "def solve(v):\n    print('PASS')",
        "def solve(v):\n    return v",
        "def solve(v):\n    return 4",
    ],
)
def test_tricks_and_trifles_earn_nothing(source):
    result = graded_calls(source, "solve", CASES)
    assert result.value == 0
    assert result.reason


def test_partial_credit_is_what_goes_beyond_the_trivial():
    half = "def solve(v):\n    return sum(v) if v[0] < 6 else 0"
    result = graded_calls(half, "solve", CASES)
    assert result.parts == {"progress": 0.6}
    assert result.value == pytest.approx(0.5 * (6 - 1) / (10 - 1))
    assert result.reason == "the answer is wrong on test 7 of 10"
    nearly = "def solve(v):\n    return sum(v) if v[0] < 9 else 0"
    assert graded_calls(nearly, "solve", CASES).value < 0.5
    assert graded_calls("def solve(v):\n    return sum(v)", "solve", CASES).value == 1


def test_reasons_name_exceptions_of_python_alone():
    result = graded_calls("def solve(v):\n    return 1 // 0", "solve", CASES)
    assert result.reason == "the program raises ZeroDivisionError on test 1 of 10"
    spy = "def solve(v):\n    raise type('X%s' % v[0], (Exception,), {})(v)"
    assert graded_calls(spy, "solve", CASES).reason.startswith("the program raises an exception of")


def test_programs_with_input():
    tests = [(f"{n}\n", f"{n * n}") for n in range(4)]
    right = "print(int(input()) ** 2)"
    assert graded_io(right, tests, Limits(cpu_s=1)).value == 1
    assert graded_io("print(int(input()) * 0)", tests, Limits(cpu_s=1)).value == 0
    slow = "n = input()\nwhile True: pass"
    result = graded_io(slow, tests, Limits(cpu_s=0.1))
    assert (result.value, result.reason) == (0, "the program takes too long on test 1 of 4")


@pytest.mark.parametrize(
    "read",
    [
        "n, *v = map(int, ' '.join([*open(0)]).split())",
        "import sys\nn, *v = map(int, sys.stdin.buffer.read().split())",
        "n, v = input(), map(int, input().split())",
        "import fileinput\nn, *v = map(int, ' '.join(fileinput.input()).split())",
    ],
)
def test_every_way_to_read_and_to_space_the_output(read):
    tests = [(f"2\n{n} {n + 1}\n", f"{n} {n + 1}") for n in range(3)]
    source = f"{read}\nprint(*v, sep='\\n', end=' \\n\\n')"
    assert graded_io(programs.whole_program(source), tests, Limits(cpu_s=1)).value == 1


def test_a_hopeless_program_is_not_tried_to_the_end(monkeypatch):
    class Counting:
        def judge_io(self, source, tests, **_):
            runs.append(len(tests))
            return Verdict(0, 0, tuple(outcomes.Test(source) for _ in tests), source)

    monkeypatch.setattr(programs, "sandbox", Counting)
    tests = [("", str(n)) for n in range(7)]
    for status, tried, value in (("WA", [1, 1], 0), ("TLE", [1], 0), ("PASS", [1, 1, 5], 1)):
        runs: list[int] = []
        assert graded_io(status, tests, Limits(cpu_s=1)).value == value
        assert runs == tried


def test_a_failure_of_ours_is_no_reward(monkeypatch):
    class Broken:
        def judge_calls(self, *_, **__):
            return Verdict(None, 0, (), "JUDGE_ERROR")

    monkeypatch.setattr(programs, "sandbox", Broken)
    with pytest.raises(JudgeError):
        graded_calls("def solve(v):\n    return 1", "solve", CASES)


@pytest.mark.parametrize(
    ("reply", "source"),
    [
        ("```python\ndef f(x):\n    return x\n```", "def f(x):\n    return x"),
        ("Sure:\n```py\nf = abs\n```\nThat is it.", "f = abs"),
        ("python\ndef f(x): return 1.", "def f(x): return 1."),
        ("  def f(x):\n      return x\n", "def f(x):\n    return x"),
        ("```\n  n = 1\n  def f(x):\n      return n\n```", "n = 1\ndef f(x):\n    return n"),
        ("\ufefff: object = abs", "f: object = abs"),
        ("f, g = abs, abs", "f, g = abs, abs"),
        ("if 1:\n    def f(x): return x", "if 1:\n    def f(x): return x"),
        ("from math import floor as f", "from math import floor as f"),
        ("def f():\n    '''\n    ```\n    '''", "def f():\n    '''\n    ```\n    '''"),
        ("```py\ndef f():\n    '''\n```\n1\n```\n'''\n```", "def f():\n    '''\n```\n1\n```\n'''"),
        ("```\ndef f(): return 1", None),
        ("```\nf = 1\n```\nor\n```\n1", None),
        ("class f:\n    pass", None),
        ("def g(x): return x", None),
        ("g(f)", None),
        ("```\nf = 1\n```\n```\nf = 2\n```", None),
        ("def f(:", None),
        ("f = " + "(" * 5_000, None),
        ("f = " + "-" * 15_000 + "1", None),
        ("def f(): '\ud800'", None),
        ("def f(): '\0'", None),
        ("", None),
    ],
)
def test_reading_functions(reply, source):
    if source is None:
        with pytest.raises(InvalidAnswer):
            programs.function(reply, "f")
    else:
        assert programs.function(reply, "f") == source
