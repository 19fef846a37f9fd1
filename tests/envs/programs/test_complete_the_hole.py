"""Tests of programs/complete_the_hole."""

import pytest

from palaestra.envs.programs.complete_the_hole import CompleteTheHole
from palaestra.generators.programs.mini_python.parameters import Parameter
from palaestra.generators.programs.mini_python.parse.subset import RESERVED
from palaestra.generators.programs.mini_python.rewriting import replaced
from palaestra.generators.programs.mini_python.run import compiled
from palaestra.generators.programs.mini_python.trials import trials
from palaestra.task import InvalidAnswer

XS = Parameter("xs", "numbers", 0, 9, 3, 5)
TOTAL = "def f(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total"


def hole():
    shown = trials(compiled(TOTAL), ["f([1, 2, 3])", "f([0, 0, 0])", "f([9, 1, 1])"])
    return CompleteTheHole(
        source=replaced(TOTAL, 4, "total += ____"), name="f", signature=(XS,),
        blanks=((4, "total += ____"),), right=("total += x",), examples=tuple(shown),
    )  # fmt: skip


def test_holes_are_filled_and_nothing_else_is_changed():
    task = hole()
    for answer in ("total += x", "total+=0 + x", "total += (x)", "total += x if x else 0"):
        assert task.verify(answer).value == 1, answer
    for answer in ("total += 1", "total = total + x", "total -= -x", "total += xs"):
        assert task.verify(answer).value == 0, answer
    assert task.verify("x").reason == "more than the hole in line 4 was changed"
    for answer in ("total += ", "total += x\ntotal += x", "total += y()", "total += x +"):
        with pytest.raises(InvalidAnswer):
            compiled(task.filled(task._lines(answer)))


def test_what_a_player_may_use():
    """What people write in a line for one thing, and what a name may be."""
    for line in (
        "total += sum(y for y in [x])", "total += sum([[x], [x]], [])[0]",
        "total += x if x in set(xs) else 0", "total += max(y for y in [x, x])",
        "total += [a for i, (a, b) in enumerate(zip(xs, xs)) if a == x][0]",
        "total += x if any(y == x for y in xs) else nope",
    ):  # fmt: skip
        assert hole().verify(line).value == 1, line
    assert not {"copyright", "display", "exit", "license"} & RESERVED, "they come and go with site"
