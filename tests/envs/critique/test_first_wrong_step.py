"""Tests of critique/first_wrong_step: equations are solved by another library."""

import random
import re

import pytest
import sympy

from palaestra.address import Address
from palaestra.envs.critique.first_wrong_step import FirstWrongStep
from palaestra.generators.critique.first_wrong_step import (
    RELATIONS,
    SIGNS,
    Values,
    first_broken_fact,
    first_fault,
    random_derivation,
    right_steps,
)
from palaestra.verifiers.expressions import worked

NAME = "critique/first_wrong_step"


@pytest.mark.parametrize("subject", RELATIONS)
def test_calculations_are_the_values_that_satisfy_the_facts(subject):
    """The two descriptions of a relation, a calculation and an equation, say the same."""
    rng = random.Random(1)
    for relation in RELATIONS[subject]:
        for _ in range(60):
            q, r, a, b = (rng.randint(2, 40) for _ in range(4))
            words = {"q": q, "r": r, "a": a, "b": b, "m": 47}
            total = relation.total.format(**words, p=rng.randint(1, 40)) if relation.total else "0"
            c = worked(total, SIGNS).value
            p = worked(relation.right.format(**words, c=c), SIGNS).value
            if p.denominator > 1 or c.denominator > 1:
                continue
            numbers = (q, r, a, b, int(c), 47)
            solutions = [x for x in range(-600, 2000) if relation.holds(Values(x, *numbers))]
            assert solutions == [p]


@pytest.mark.parametrize("seed", range(12))
def test_equations_are_solved_from_the_prompt(seed):
    task = Address.of(NAME, seed, 3, subjects="equations").task()
    prompt = task.prompt()
    expected = []
    for n in range(1, 4):
        block = prompt.split(f"Problem {n}. Equations:\n")[1].split("\n\n")[0]
        equations = [
            sympy.Eq(*(sympy.sympify(side, locals=LETTERS) for side in line.split(" = ")))
            for line in block.splitlines()
        ]
        values = sympy.solve(equations, dict=True)[0]
        steps = prompt.split(f"Solution {n}.\n")[1].split("\n\n")[0].splitlines()
        fault = "none"
        for step in steps:
            number, name, *_, value = re.split(r": | = ", step)
            right = values[LETTERS[name]]
            if fault == "none" and right != int(value):
                fault = f"{number.removeprefix('step ')}, {right}"
        expected.append(f"{n}: {fault}")
    assert task.verify("\n".join(expected)).correct
    assert task.answer() == "\n".join(expected)


LETTERS = {letter: sympy.Symbol(letter) for letter in "abcdefghijklmnopqrstuvwxyz"}


@pytest.mark.parametrize("subject", RELATIONS)
def test_faults_carry_on(subject):
    """All values before the first fault are right; behind it, steps use what is written."""
    rng = random.Random(5)
    for _ in range(20):
        each = random_derivation(rng, subject, ("abcdefgh", "pens"), 30, 2)
        number, value = first_fault(each)
        right = right_steps(each)
        assert each.steps[: number - 1] == tuple(right[: number - 1])
        assert each.steps[number - 1].value != value == right[number - 1].value
        assert first_broken_fact(each, 10_000) == (number, value)
        clean = random_derivation(rng, subject, ("abcdefgh", "pens"), 30, 0)
        assert first_fault(clean) is first_broken_fact(clean, 10_000) is None


def test_scores():
    task = Address.of(NAME, 1, 0).task()
    assert isinstance(task, FirstWrongStep)
    assert task.answer() == "1: 3, 12\n2: none"
    assert task.verify("Solution 1: step 3, value 12\n2: no error.").correct
    assert task.verify("1: 3, 32\n2: none").reason == "1 of the 2 values is wrong"
    assert task.verify("1: 4, 12\n2: none").value == 0
    assert task.verify("1: none\n2: none").value == 0


def test_positions_are_spread_out():
    """No position of the first fault is common among solutions with one."""
    faults = [f for s in range(60) for f in Address.of(NAME, s, 4).task().faults() if f]
    positions = [number for number, _ in faults]
    assert {3, 4, 5, 6, 7, 8, 9, 10} <= set(positions)
    assert max(map(positions.count, positions)) < 0.35 * len(positions)
