"""Tests of optimisation/linear_program: programs are read from prompts and solved by vertices."""

import re
from fractions import Fraction
from itertools import combinations

import pytest
import sympy

from palaestra.address import Address
from palaestra.envs.optimisation.linear_program import LinearProgram
from palaestra.generators.optimisation.linear_program import (
    Certificate,
    Program,
    fault,
    is_plain,
)

NAME = "optimisation/linear_program"


def coefficients(text, names):
    """The coefficients of a sum such as ``2x1 - x3``."""
    terms = re.findall(r"([+-]?) ?(\d*)(x\d)", text)
    values = dict.fromkeys(names, 0)
    for sign, number, name in terms:
        values[name] += int(number or 1) * (-1 if sign == "-" else 1)
    return [*values.values()]


def program_of(prompt):
    names = re.search(r"none of (.+) is negative", prompt)[1].split(", ")
    head = re.search(
        r"^(?:What is the greatest value of|How large can) (.+?)(?:, where| become, where)", prompt
    )[1]
    rows = re.findall(r"^\d+: (.+) <= (-?\d+)$", prompt, re.MULTILINE)
    return (
        coefficients(head, names),
        [coefficients(row, names) for row, _ in rows],
        [int(bound) for _, bound in rows],
    )


def best_vertex(objective, rows, bounds):
    """The greatest value at a vertex, from all square systems with sympy; None without one."""
    size, best = len(objective), None
    sides = [(row, bound) for row, bound in zip(rows, bounds, strict=True)]
    sides += [([int(i == j) for j in range(size)], 0) for i in range(size)]
    for chosen in combinations(sides, size):
        matrix = sympy.Matrix([row for row, _ in chosen])
        if matrix.det() == 0:
            continue
        x = matrix.LUsolve(sympy.Matrix([bound for _, bound in chosen]))
        within = all(sum(a * b for a, b in zip(row, x, strict=True)) <= bound
                     for row, bound in zip(rows, bounds, strict=True))  # fmt: skip
        if within and min(x) >= 0:
            value = sum(a * b for a, b in zip(objective, x, strict=True))
            best = value if best is None else max(best, value)
    return best


@pytest.mark.parametrize("level", range(4))
def test_the_case_is_that_of_the_vertices(level):
    for seed in range(8):
        task = Address.of(NAME, seed, level).task()
        objective, rows, bounds = program_of(task.prompt())
        assert (tuple(objective), tuple(map(tuple, rows)), tuple(bounds)) == task.program
        best, certificate = best_vertex(objective, rows, bounds), task.certificate
        if certificate.case == "infeasible":
            assert best is None
            continue
        # With one more constraint, a program is bounded; is its optimum where that holds tightly?
        top = 10_000
        limited = best_vertex(objective, [*rows, objective], [*bounds, top])
        assert (limited == top) == (certificate.case == "unbounded")
        if certificate.case == "optimal":
            assert (
                limited == best == sum(a * b for a, b in zip(objective, certificate.x, strict=True))
            )


def test_each_answer_is_right_and_certificates_of_other_cases_are_wrong():
    for level in range(7):
        cases = set()
        for seed in range(30):
            task = Address.of(NAME, seed, level).task()
            assert task.verify(task.answer()).correct
            x, y, d = task.certificate[1:]
            zeros, size = (Fraction(0),) * len(task.program.rows), len(task.program.objective)
            cases.add(task.certificate.case)
            for other in (
                Certificate("infeasible", y=y or zeros),
                Certificate(
                    "unbounded",
                    x or (Fraction(0),) * size,
                    direction=d or x or (Fraction(1),) * size,
                ),
                Certificate("optimal", x or (Fraction(0),) * size, y or zeros),
            ):
                if other.case != task.certificate.case:
                    assert fault(task.program, other)
            assert size == 2 or not is_plain(task.program)
        assert len(cases) == 3


TASK = LinearProgram(
    program=Program((3, 2), ((1, 1), (2, 0)), (4, 6)),
    certificate=Certificate("optimal", (Fraction(3), Fraction(1)), (Fraction(2), Fraction(1, 2))),
)


@pytest.mark.parametrize(
    "text",
    ["case: optimal\nx: 3, 1\ny: 2, 1/2", "Case: Optimal\ny = (2, 0.5)\nx = [3, 1]",
     '{"case": "optimal", "x": [3, 1], "y": ["2", "1/2"]}',
     "case: **optimal**\nx: 3 and 1\ny: 2; 1/2",
     "- case: optimal\n- x: (3, 1)\n- y: (4/2, 1/2)"],
)  # fmt: skip
def test_certificates_are_read(text):
    assert TASK.verify(text).correct


@pytest.mark.parametrize(
    ("text", "reason"),
    [("case: optimal\nx: 4, 0\ny: 2, 1/2", "x breaks a constraint"),
     ("case: optimal\nx: 3, 1\ny: 1, 1", "y does not bound the objective"),
     ("case: optimal\nx: 3, 0\ny: 2, 1/2", "x and y do not have the same value"),
     ("case: optimal\nx: 3, 1\ny: 4, -1/2", "a multiplier is negative"),
     ("case: infeasible\ny: 2, 1/2", "the multipliers do not contradict each other"),
     ("case: unbounded\nx: 0, 0\nd: 1, 0", "the points x + t*d do not remain feasible"),
     ("case: unbounded\nx: 0, 0\nd: 0, 0", "the objective does not grow in the direction d")],
)  # fmt: skip
def test_what_is_wrong(text, reason):
    assert TASK.verify(text).reason == reason


@pytest.mark.parametrize(
    "text",
    ["3, 1", "case: optimal\nx: 3, 1", "case: optimal\nx: 3, 1\ny: 2",
     "case: best\nx: 3, 1\ny: 2, 1", "case: unbounded\nx: 3, 1\ny: 2, 1/2",
     "case: optimal\nx: 3, 1/0\ny: 2, 1/2"],
)  # fmt: skip
def test_what_is_no_certificate(text):
    with pytest.raises(ValueError, match=r"expected|denominator"):
        TASK.verify(text)
