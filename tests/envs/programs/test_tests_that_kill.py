"""Tests of programs/tests_that_kill."""

import pytest

from palaestra.envs.programs.tests_that_kill import TestsThatKill
from palaestra.generators.programs.mini_python.parameters import Parameter
from palaestra.task import InvalidAnswer

XS = Parameter("xs", "numbers", 0, 9, 3, 5)
TOTAL = "def f(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total"


def killing():
    changes = (
        (4, "total += x if x != 7 else 1"), (4, "total += x if total != 5 else 1"),
        (4, "total += x if x != 8 else 1"),
    )  # fmt: skip
    return TestsThatKill(source=TOTAL, name="f", signature=(XS,), changes=changes, tests=2)


def test_the_first_kill_earns_nothing():
    task = killing()
    assert task.verify("f([7, 8, 0])\nf([5, 2, 0])").value == 1
    assert task.verify("f([5, 7, 8])").value == 1
    score = task.verify("f([7, 0, 0])")
    assert (score.value, score.reason[:22]) == (0, "version 2 of the list ")
    assert task.verify("f([7, 8, 0])").value == 0.25
    assert task.verify("f([0, 0, 0])\nf([1, 1, 1])").value == 0
    with pytest.raises(InvalidAnswer):
        task.verify("f([7, 0, 0])\nf([5, 2, 0])\nf([0, 0, 0])")
