"""Tests of critique/uniqueness: systems are read from prompts and solved by trying all values."""

import re
from itertools import product
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.critique.uniqueness import Uniqueness
from palaestra.generators.critique.uniqueness import (
    Condition,
    System,
    random_system,
    searched,
    solutions,
)

NAME = "critique/uniqueness"


def other_solutions(block, names):
    """The solutions of a system in a prompt, other than the known one."""
    known = re.search(r"Known solution: (.+)", block)[1]
    known = set() if known == "none" else set(known.split(", "))
    conditions = re.findall(
        r"^- (at least one|exactly one|an odd number).*: (.+)$", block, re.MULTILINE
    )
    for row in product((False, True), repeat=len(names)):
        true = {name for name, value in zip(names, row) if value}
        for sort, text in conditions:
            literals = text.split(", ")
            number = sum((each.split()[-1] in true) != each.startswith("not") for each in literals)
            if not {"at": number > 0, "ex": number == 1, "an": number % 2 == 1}[sort[:2]]:
                break
        else:
            if true != known:
                yield ", ".join(sorted(true)) or "none"


@pytest.mark.parametrize("level", range(5))
def test_answers_are_those_of_the_prompt(level):
    for seed in range(3):
        task = Address.of(NAME, seed, level).task()
        blocks = task.prompt().split("\n\n")[1:-1]
        lines = [[*other_solutions(block, task.names)] or ["unique"] for block in blocks]
        assert all(len(line) == 1 for line in lines)
        assert task.answer() == "\n".join(f"{n}: {line[0]}" for n, line in enumerate(lines, 1))


def test_twins_and_distances():
    rng = Random(4)
    for variables, distance in ((4, 2), (7, 3), (10, 5)):
        for unique in (False, True):
            system = random_system(rng, variables, distance, unique)
            rows = solutions(system)
            assert sorted(rows) == sorted(searched(system)[0])
            assert system.known in rows
            assert len(rows) == 2 - unique
            if not unique:
                assert sum(a != b for a, b in zip(*rows)) >= distance


def test_every_task_has_a_system_of_each_sort():
    for seed in range(20):
        others = Address.of(NAME, seed, 0).task().others()
        assert None in others
        assert any(others)


FREE = System(3, (Condition("one", (1, 2)), Condition("odd", (-1, 3))), (True, False, True))
FIXED = System(2, (Condition("some", (1, -2)), Condition("one", (1, 2))), (True, False))


def test_scores():
    assert solutions(FREE) == [(False, True, False), (True, False, True)]
    task = Uniqueness(systems=(FIXED._replace(variables=3, known=(True, False, True)), FREE))
    wide = task.systems[0]
    assert len(solutions(wide)) == 2  # the third variable is free there
    task = Uniqueness(systems=(FREE, FREE))
    assert task.verify("1: B\n2: b.").correct
    assert task.verify("1: A, C\n2: B").reason == "1 of the 2 values is wrong"  # the known one
    assert task.verify("1: unique\n2: no other solution").value == 0
    assert Uniqueness(systems=(FIXED, FIXED)).verify("1: unique\n2: Only one").correct
    with pytest.raises(ValueError, match="list of names"):
        task.verify("1: X\n2: B")
