"""Tests of machines/bracket_trace_errors: each step of the trace is done again."""

import re

import pytest

from palaestra.address import Address
from palaestra.task import InvalidAnswer

STEP = re.compile(r"^step (\d+): read (\S), stack: (.*)$", re.MULTILINE)
CLOSES = {")": "(", "]": "[", "}": "{", ">": "<"}


def wrong_steps(prompt: str) -> list[int]:
    """The steps whose stack is not that of the step before, after the bracket is read."""
    before: list[str] = []
    wrong = []
    for number, bracket, stack in STEP.findall(prompt):
        after = [] if stack == "empty" else stack.split(" ")
        wanted = list(before)
        if bracket not in CLOSES:
            wanted.append(bracket)
        elif wanted and wanted[-1] == CLOSES[bracket]:
            wanted.pop()
        if wanted != after:
            wrong.append(int(number))
        before = after
    return wrong


@pytest.mark.parametrize("level", [0, 1, 3, 5])
@pytest.mark.parametrize("seed", range(5))
def test_wrong_steps_are_those_that_do_not_follow(seed, level):
    task = Address.of("machines/bracket_trace_errors", seed, level).task()
    steps = len(STEP.findall(task.prompt()))
    right = wrong_steps(task.prompt())
    assert right
    assert task.answer() == ", ".join(map(str, right))
    assert task.verify(", ".join(map(str, reversed(right)))).value == 1
    for n in range(1, steps + 2):
        near = [step for step in right if step != n] if n in right else [*right, n]
        if near:
            assert task.verify(", ".join(map(str, near))).value == 0
    with pytest.raises(InvalidAnswer):
        task.verify(", ".join(map(str, [*right, right[0]])))
