"""The simplex method in whole numbers (G. Dantzig 1951; J. Edmonds 1967 for integral pivots).

A dictionary states each basic variable as ``(b - a . nonbasic) / denominator`` with whole numbers.
Its entries are determinants of parts of the program, so that every division is exact. Cycles are
prevented by the rule of R. Bland (1977).
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal


class WorkLimit(RuntimeError):
    """The program takes more work than is allowed."""


class Budget:
    """How much work is left: entries of dictionaries that may be computed, larger ones for more."""

    def __init__(self, entries: int) -> None:
        self.left = entries

    def spend(self, entries: int) -> None:
        """Raises :class:`WorkLimit` where nothing is left."""
        self.left -= entries
        if self.left < 0:
            raise WorkLimit("the program takes too much work")


State = Literal["optimal", "infeasible", "unbounded"]


class Dictionary:
    """Maximise ``objective . x`` where ``row . x <= bound`` for each row and x >= 0, in whole
    numbers; the last of a row is its bound. In the first ``equations`` rows both sides are equal.
    """

    def __init__(
        self, objective: Sequence[int], rows: Sequence[Sequence[int]], equations: int,
        budget: Budget,
    ) -> None:  # fmt: skip
        size = len(objective)
        self.budget = budget
        self.columns = [*range(size)]
        """The variables that are 0, by column."""
        self.basis = [*range(size, size + len(rows))]
        """The variable of each row; those from ``size`` on are slacks."""
        self.next = size + len(rows)
        self.table = [[*row] for row in rows]
        self.costs = [*(-c for c in objective), 0]
        self.denominator = 1
        self.is_feasible = self._solve_equations(equations)

    def copy(self) -> "Dictionary":
        """A dictionary that can be changed on its own."""
        twin = object.__new__(Dictionary)
        twin.budget, twin.columns, twin.basis = self.budget, [*self.columns], [*self.basis]
        twin.next, twin.denominator, twin.is_feasible = self.next, self.denominator, True
        twin.table, twin.costs = [*self.table], self.costs  # rows are replaced, never changed
        return twin

    def _solve_equations(self, number: int) -> bool:
        """Take the slacks of equations out, which are 0; False where one has no solution."""
        for _ in range(number):
            first = self.table[0]
            column = next((j for j, a in enumerate(first[:-1]) if a), None)
            if column is None:
                if first[-1]:
                    return False
            else:
                self._pivot(0, column)
                del self.columns[column]
                self.table = [[*row[:column], *row[column + 1 :]] for row in self.table]
                self.costs = [*self.costs[:column], *self.costs[column + 1 :]]
                self.table.append(self.table[0])
                self.basis.append(self.basis[0])
            del self.table[0], self.basis[0]
        return True

    def _pivot(self, r: int, s: int) -> None:
        """Exchange the variable of a row and that of a column."""
        top, old = self.table[r], self.denominator
        pivot = top[s]
        weight = 1 + (abs(pivot).bit_length() + old.bit_length()) // 64
        self.budget.spend((len(self.table) + 1) * len(top) * weight)
        if pivot < 0:  # keep the denominator positive
            pivot, sign = -pivot, -1
        else:
            sign = 1
        signed = [sign * a for a in top]

        def changed(row: list[int]) -> list[int]:
            factor = row[s]
            if factor == 0:
                return row if pivot == old else [a * pivot // old for a in row]
            new = [(a * pivot - factor * b) // old for a, b in zip(row, signed)]
            new[s] = -factor * sign
            return new

        self.table = [row if i == r else changed(row) for i, row in enumerate(self.table)]
        self.costs = changed(self.costs)
        signed[s] = sign * old
        self.table[r] = signed
        self.denominator = pivot
        self.basis[r], self.columns[s] = self.columns[s], self.basis[r]

    def solve(self) -> State:
        """Go on to an optimum."""
        if not self.is_feasible or not self._restore(by_cost=False):
            return "infeasible"
        patience = 4 * (len(self.table) + len(self.columns))
        while True:
            negative = [j for j, c in enumerate(self.costs[:-1]) if c < 0]
            if not negative:
                return "optimal"
            if patience > 0:
                s = min(negative, key=lambda j: (self.costs[j], self.columns[j]))
            else:
                s = min(negative, key=self.columns.__getitem__)
            patience -= 1
            best: tuple[int, int, int] | None = None
            for i, row in enumerate(self.table):
                if row[s] > 0:
                    if best is None:
                        best = (row[-1], row[s], i)
                        continue
                    order = row[-1] * best[1] - best[0] * row[s]
                    if order < 0 or (order == 0 and self.basis[i] < self.basis[best[2]]):
                        best = (row[-1], row[s], i)
            if best is None:
                return "unbounded"
            self._pivot(best[2], s)

    def restore(self) -> State:
        """Go on to an optimum from one to which rows were added, by the dual method."""
        return "optimal" if self._restore(by_cost=True) else "infeasible"

    def _restore(self, by_cost: bool) -> bool:
        """Make all basic variables nonnegative; False where that is impossible.

        ``by_cost`` keeps the costs nonnegative. Without it all costs count as 0.
        """
        while True:
            low = [i for i, row in enumerate(self.table) if row[-1] < 0]
            if not low:
                return True
            r = min(low, key=self.basis.__getitem__)
            row = self.table[r]
            able = [j for j, a in enumerate(row[:-1]) if a < 0]
            if not able:
                return False
            if by_cost:
                best = able[0]
                for j in able:
                    if self.costs[j] * row[best] > self.costs[best] * row[j]:
                        best = j
                able = [j for j in able if self.costs[j] * row[best] == self.costs[best] * row[j]]
            self._pivot(r, min(able, key=self.columns.__getitem__))

    def limit(self, variable: int, bound: int, at_least: bool = False) -> None:
        """Add the row ``variable <= bound``, or ``variable >= bound``."""
        sign = -1 if at_least else 1
        d = self.denominator
        if variable in self.basis:
            row = self.table[self.basis.index(variable)]
            new = [-sign * a for a in row]
            new[-1] += sign * bound * d
        else:
            new = [0] * (len(self.columns) + 1)
            new[self.columns.index(variable)] = sign * d
            new[-1] = sign * bound * d
        self.table.append(new)
        self.basis.append(self.next)
        self.next += 1

    def values(self, size: int) -> list[Fraction]:
        """The values of the first variables."""
        x = [Fraction(0)] * size
        for variable, row in zip(self.basis, self.table):
            if variable < size and row[-1]:
                x[variable] = Fraction(row[-1], self.denominator)
        return x

    @property
    def value(self) -> Fraction:
        """The value of the objective."""
        return Fraction(self.costs[-1], self.denominator)
