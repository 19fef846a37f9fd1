"""Least and greatest values of linear functions of probabilities (Boole, 1854; Hailperin, 1965).

A polytope ``{x >= 0, A x = b}`` is a list of rows, each with the coefficients of an equation and
its right side. Linear programs are solved by the simplex method with the rule of Bland (1977),
which rules out cycles, and in whole numbers throughout (Edmonds, 1967).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

Row = Sequence[Fraction]


@dataclass
class Tableau:
    """A basis of a polytope: equations solved for the basic variables, one for each row.

    All numbers are multiples of ``unit``, which is positive: a row states that ``unit`` times its
    basic variable is its last number less the others times their variables.
    """

    rows: list[list[int]]
    basis: list[int]
    unit: int

    def pivot(self, n: int, column: int, costs: list[int] | None = None) -> None:
        """Bring a variable into the basis in place of that of row ``n``; costs are a further row.

        The number of the row in that column is positive.
        """
        top = self.rows[n]
        lead, unit = top[column], self.unit
        others = [row for row in self.rows if row is not top]
        for row in others if costs is None else [*others, costs]:
            factor = row[column]
            if factor or lead != unit:
                row[:] = [(lead * a - factor * b) // unit for a, b in zip(row, top)]
        self.basis[n], self.unit = column, lead

    def greatest(self, function: Sequence[int]) -> tuple[Fraction, int]:
        """The greatest value of a function, and the number of pivots to its vertex."""
        factors = [function[basic] for basic in self.basis]
        costs = [
            self.unit * each - sum(f * row[column] for f, row in zip(factors, self.rows) if f)
            for column, each in enumerate((*function, 0))
        ]
        pivots = 0
        while True:
            column = next((c for c in range(len(function)) if costs[c] > 0), None)
            if column is None:
                return Fraction(-costs[-1], self.unit), pivots
            ratios = [
                (Fraction(row[-1], row[column]), self.basis[n], n)
                for n, row in enumerate(self.rows)
                if row[column] > 0
            ]
            self.pivot(min(ratios)[2], column, costs)
            pivots += 1


class Bounds(NamedTuple):
    """The least and the greatest value of a function, and the number of pivots to reach them."""

    least: Fraction
    greatest: Fraction
    pivots: int


def bounds(equations: Sequence[Row], function: Row) -> Bounds | None:
    """The bounds of a linear function on a bounded polytope; None if the polytope is empty.

    >>> one, two, three = map(Fraction, (1, 2, 3))
    >>> bounds([[one, one, one, one]], [one, two, three])[:2]
    (Fraction(1, 1), Fraction(3, 1))
    """
    start = feasible(equations)
    return None if start is None else bounds_from(start, function)


def bounds_from(start: tuple[Tableau, int], function: Row) -> Bounds:
    """The bounds of a function on a polytope from one of its vertices on, behind whose tableau
    stands the number of pivots to reach it. The tableau moves to another vertex.
    """
    tableau, pivots = start
    scale, whole = _whole(function)
    greatest, more = tableau.greatest(whole)
    least, even_more = tableau.greatest([-each for each in whole])
    return Bounds(-least / scale, greatest / scale, pivots + more + even_more)


def feasible(equations: Sequence[Row]) -> tuple[Tableau, int] | None:
    """A vertex of a polytope, and the number of pivots to reach it; None if it is empty."""
    number = len(equations[0]) - 1
    rows = []
    for n, equation in enumerate(equations):
        _, whole = _whole(equation)
        sign = -1 if whole[-1] < 0 else 1
        artificial = [int(n == each) for each in range(len(equations))]
        rows.append([sign * each for each in whole[:-1]] + artificial + [sign * whole[-1]])
    tableau = Tableau(rows, [number + n for n in range(len(rows))], 1)
    best, pivots = tableau.greatest([0] * number + [-1] * len(rows))
    if best:
        return None
    pivots += _drive_out(tableau, number)
    kept = [n for n, basic in enumerate(tableau.basis) if basic < number]
    tableau.rows = [[*tableau.rows[n][:number], tableau.rows[n][-1]] for n in kept]
    tableau.basis = [tableau.basis[n] for n in kept]
    return tableau, pivots


def _drive_out(tableau: Tableau, number: int) -> int:
    """Replace artificial variables in the basis, whose values are 0, by others if possible."""
    pivots = 0
    for n, basic in enumerate(tableau.basis):
        row = tableau.rows[n]
        column = next((c for c in range(number) if row[c]), None)
        if basic >= number and column is not None:
            if row[column] < 0:
                row[:] = [-each for each in row]
            tableau.pivot(n, column)
            pivots += 1
    return pivots


def _whole(row: Row) -> tuple[int, list[int]]:
    """A row in whole numbers, behind what it was multiplied by."""
    scale = lcm(*(each.denominator for each in row))
    return scale, [int(each * scale) for each in row]
