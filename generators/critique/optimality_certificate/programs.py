"""Linear programs with small whole numbers, and the multipliers that prove their optima."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import NamedTuple


class Solved(NamedTuple):
    """The optimum of a linear program."""

    primal: list[Fraction]
    dual: list[Fraction]
    examined: int
    """The entries of the table that were looked at."""


def simplex(
    rows: Sequence[Sequence[int]], bounds: Sequence[int], objective: Sequence[int]
) -> Solved:
    """Maximise an objective of nonnegative variables with ``row . x <= bound``, by the method of G.
    Dantzig (1951) and the rule of R. Bland (1977). The bounds are at least 0.

    >>> [*map(int, simplex([[1, 1], [1, 0]], [4, 2], [2, 1]).dual)]
    [1, 1]
    """
    number, wide = len(rows), len(objective)
    table = [
        [*map(Fraction, row), *(Fraction(n == k) for k in range(number)), Fraction(bound)]
        for n, (row, bound) in enumerate(zip(rows, bounds))
    ]
    costs = [*(Fraction(-c) for c in objective), *[Fraction(0)] * (number + 1)]
    basis, examined = [wide + n for n in range(number)], 0
    while True:
        enters = next((n for n, cost in enumerate(costs[:-1]) if cost < 0), None)
        if enters is None:
            break
        ratios = [
            (row[-1] / row[enters], basis[n], n) for n, row in enumerate(table) if row[enters] > 0
        ]
        leaves = min(ratios)[2]
        basis[leaves] = enters
        pivot = table[leaves][enters]
        table[leaves] = [value / pivot for value in table[leaves]]
        for row in [*(row for n, row in enumerate(table) if n != leaves), costs]:
            factor = row[enters]
            row[:] = [value - factor * other for value, other in zip(row, table[leaves])]
        examined += (number + 1) * len(costs)
    primal = [Fraction(0)] * (wide + number)
    for n, row in zip(basis, table):
        primal[n] = row[-1]
    return Solved(primal[:wide], costs[wide : wide + number], examined)


def random_program(rng: Random, size: int) -> tuple[list[list[int]], list[int], list[int], int]:
    """Rows, bounds, objective and optimum of a program with whole primal and dual solutions.

    About half of the ``size`` constraints are tight at the optimum, and as many variables are
    positive there; the others are nearly so.
    """
    while True:
        active = rng.randint((size + 1) // 2, max(2, size - 1))
        rows = [[rng.randint(0, 4) for _ in range(size)] for _ in range(size)]
        tight = rng.sample(range(size), active)
        positive = rng.sample(range(size), active)
        x = [rng.randint(1, 5) if n in positive else 0 for n in range(size)]
        y = [rng.randint(1, 4) if n in tight else 0 for n in range(size)]
        loads = [sum(a * b for a, b in zip(row, x)) for row in rows]
        prices = [sum(a * b for a, b in zip(column, y)) for column in zip(*rows)]
        bounds = [load + (n not in tight) * rng.randint(1, 3) for n, load in enumerate(loads)]
        objective = [
            price - (n not in positive) * rng.randint(1, 3) for n, price in enumerate(prices)
        ]
        if min(objective) < 1 or min(bounds) < 1 or not all(map(any, rows)):
            continue
        if _determined(rows, tight, positive):
            return rows, bounds, objective, sum(a * b for a, b in zip(objective, x))


def _determined(rows: Sequence[Sequence[int]], tight: list[int], positive: list[int]) -> bool:
    """Whether the tight rows determine their multipliers: a determinant that is not 0."""
    matrix = [[Fraction(rows[n][k]) for k in positive] for n in tight]
    for n in range(len(matrix)):
        pivot = next((k for k in range(n, len(matrix)) if matrix[k][n]), None)
        if pivot is None:
            return False
        matrix[n], matrix[pivot] = matrix[pivot], matrix[n]
        for row in matrix[n + 1 :]:
            factor = row[n] / matrix[n][n]
            row[:] = [value - factor * other for value, other in zip(row, matrix[n])]
    return True


def careless_multipliers(
    rng: Random,
    rows: Sequence[Sequence[int]],
    bounds: Sequence[int],
    objective: Sequence[int],
    value: int,
) -> Mapping[str, list[Fraction]]:
    """Multipliers of players who solve no equations."""
    number = len(rows)
    ratios = [
        max((Fraction(c, a) for a, c in zip(row, objective) if a), default=Fraction(0))
        for row in rows
    ]
    single = [Fraction(value, bound) for bound in bounds]
    least = min(range(number), key=lambda n: ratios[n] * bounds[n])
    greedy, left = [Fraction(0)] * number, [Fraction(c) for c in objective]
    for n in sorted(range(number), key=lambda n: bounds[n]):
        need = [c / a for a, c in zip(rows[n], left) if a and c > 0]
        greedy[n] = min(need, default=Fraction(0))
        left = [c - greedy[n] * a for a, c in zip(rows[n], left)]
    return {
        "greedy": greedy,
        "equal": [Fraction(value, sum(bounds))] * number,
        "ones": [Fraction(1)] * number,
        "one constraint": [ratios[n] if n == least else Fraction(0) for n in range(number)],
        "one constraint to the optimum": [
            single[n] if n == least else Fraction(0) for n in range(number)
        ],
        "small numbers": [Fraction(rng.randint(0, 3)) for _ in range(number)],
    }
