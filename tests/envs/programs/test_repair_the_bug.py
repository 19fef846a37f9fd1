"""Tests of programs/repair_the_bug."""

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra import Address
from palaestra.envs.programs.repair_the_bug import RepairTheBug
from palaestra.generators.programs.mini_python.parameters import Parameter
from palaestra.generators.programs.mini_python.run import compiled
from palaestra.generators.programs.repair_the_bug import Bug, passing, spoilt, unrepaired
from palaestra.task import InvalidAnswer

SEEDS = st.integers(0, 10**6)


def task(name, level, seed):
    return Address.of(f"programs/{name}", seed, level).task()


TOTAL = """\
def f(xs):
    total = 0
    for x in xs:
        if x > 3:
            total += x
        else:
            total -= 1
    return total"""
BUGS = (Bug(4, "if x < 3:"), Bug(8, "", "deeper"))
BROKEN = """\
def f(xs):
    total = 0
    for x in xs:
        if x < 3:
            total += x
        else:
            total -= 1
            return total"""


def broken():
    row = (Parameter("xs", "numbers", 0, 9, 3, 5),)
    return RepairTheBug(
        right=TOTAL, name="f", signature=row, bugs=BUGS, moved=True, outputs_shown=True, seed=1
    )


def test_bugs_are_put_in():
    assert broken().broken() == BROKEN
    assert spoilt(TOTAL, [Bug(2, "", "below")]).split("\n")[1:3] == [
        "    for x in xs:",
        "        total = 0",
    ]
    assert spoilt(TOTAL, [Bug(7, "", "shallower")]).split("\n")[5:] == [
        "        else:",
        "        total -= 1",
        "    return total",
    ]
    for bug in (Bug(3, "", "below"), Bug(2, "", "deeper"), Bug(8, "", "shallower")):
        with pytest.raises(InvalidAnswer):
            spoilt(TOTAL, [bug])


@pytest.mark.usefixtures("jail")
def test_any_repair_that_works_is_right():
    given = broken()
    for answer in (
        TOTAL,
        f"```python\n{TOTAL}\n```",
        "f = lambda xs: sum(x if x > 3 else -1 for x in xs)",
        "def f(xs):\n    xs = [x if x >= 4 else -1 for x in xs]\n    return sum(xs)",
    ):
        assert given.verify(answer).value == 1, answer
        assert given.audit(answer)


@pytest.mark.usefixtures("jail")
def test_half_a_repair_is_no_repair():
    given = broken()
    for answer in (BROKEN, f"{BROKEN}  # repaired", BROKEN.replace("total", "total")):
        assert given.verify(answer).reason == "the program is unchanged"
    for bug in BUGS:
        assert given.verify(spoilt(TOTAL, [bug])).value < 0.5
    table = {tuple(ast.literal_eval(t.call[2:-1])): int(t.shown) for t in given.shown().examples}
    answer = f"def f(xs):\n    return {table}.get(tuple(xs), 0)"
    assert given.verify(answer).value == 0
    for answer in ("def g(xs):\n    return 1", "def f(xs)\n    return 1", "return total", ""):
        with pytest.raises(InvalidAnswer):
            given.verify(answer)


@settings(max_examples=8)
@given(SEEDS, st.integers(0, 5))
def test_examples_and_hidden_inputs_show_each_bug(seed, level):
    given = task("repair_the_bug", level, seed)
    cases = given.cases()
    shown = given.shown().examples
    assert all(passing(given.right, given.name, cases))
    for left in unrepaired(given.bugs):
        wrong = spoilt(given.right, left)
        assert not all(passing(wrong, given.name, cases))
        assert any(compiled(wrong).call(t.call).shown != t.shown for t in shown)
