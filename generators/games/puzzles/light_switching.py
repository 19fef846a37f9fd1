"""Lamps that switch their neighbours as well, on a rectangle or a torus, and the fewest presses.

Presses commute and those of a lamp count modulo the number of its states, so that what to press is
the solution of linear equations over GF(2) or GF(3): Marlow Anderson and Todd Feil, "Turning Lights
Out with Linear Algebra" (1998). Where the matrix is singular, the fewest presses are those of the
lightest vector in a coset of its kernel.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import NamedTuple

from palaestra.generators.games.grid_neighbours import neighbours
from palaestra.generators.games.solo import SoloRules
from palaestra.scenes import Cell, Grid
from palaestra.verifiers.reading.cells import cell, cell_name
from palaestra.verifiers.reading.values import plain

Lamps = tuple[int, ...]
"""The state of each lamp, row by row: 0 is dark."""

FILLS = ("paper", "t6", "c6")
"""How bright a lamp is drawn in each state; with two states, the last one is that of a lit lamp."""

_PRESS = re.compile(
    r"\A(?:press|push|switch|toggle)(?: (?:the )?(?:lamp|button|cell))?(?: (?:at|in))? (?=\S)",
    re.IGNORECASE,
)


class Solver(NamedTuple):
    """Solutions as integers with a byte for each lamp.

    A byte sums up to 49 products of two numbers below 3, which fit into it.
    """

    parts: tuple[int, ...]
    """For each lamp, what its state adds to a solution; behind the bytes of the lamps stand those
    that are 0 modulo the number of states if and only if there is a solution."""
    kernel: tuple[int, ...]
    """All ways to press that change nothing."""
    remainders: bytes
    """The remainder of each byte."""


@dataclass(frozen=True)
class LightSwitching(SoloRules[Lamps, int]):
    """Turn all lamps off. A move is the cell of a lamp, which steps on with its neighbours."""

    rows: int
    columns: int
    states: int
    """The number of states of a lamp, a prime: 2 or 3."""
    wraps: bool
    """Whether the last row is beside the first, and the last column beside the first."""

    @cached_property
    def reach(self) -> tuple[tuple[int, ...], ...]:
        """For each lamp, all lamps that a press on it switches."""
        if not self.wraps:
            near = neighbours(self.rows, self.columns)
            return tuple((lamp, *others) for lamp, others in enumerate(near))
        return tuple(
            tuple(
                (row + down) % self.rows * self.columns + (column + right) % self.columns
                for down, right in ((0, 0), (-1, 0), (0, -1), (0, 1), (1, 0))
            )
            for row in range(self.rows)
            for column in range(self.columns)
        )

    def legal(self, state: Lamps) -> Sequence[int]:
        return range(len(state))

    def apply(self, state: Lamps, move: int) -> Lamps:
        lamps = list(state)
        for lamp in self.reach[move]:
            lamps[lamp] = (lamps[lamp] + 1) % self.states
        return tuple(lamps)

    def distance(self, state: Lamps) -> float:
        """The fewest presses that turn all lamps off; infinite where none do."""
        presses = self.presses(state)
        return float("inf") if presses is None else float(sum(presses))

    def presses(self, state: Lamps) -> bytes | None:
        """How often to press each lamp, with as few presses as can be; None without a solution."""
        parts, kernel, remainders = self.solver
        size = len(state)
        total = sum(part * lamp for part, lamp in zip(parts, state) if lamp)
        solution = total.to_bytes(size + self.defect, "little").translate(remainders)
        if any(solution[size:]):
            return None
        if len(kernel) == 1:
            return solution[:size]
        base = int.from_bytes(solution[:size], "little")
        ways = ((base + each).to_bytes(size, "little").translate(remainders) for each in kernel)
        return min(ways, key=sum)

    @cached_property
    def solver(self) -> Solver:
        return solver(self)

    @cached_property
    def defect(self) -> int:
        """The dimension of the kernel."""
        number = len(self.solver.kernel)
        return next(n for n in range(number) if self.states**n == number)

    def judgement(self, state: Lamps) -> float:
        """How many steps the lamps have to go in all until they are dark, as a negative number."""
        return -float(sum(-lamp % self.states for lamp in state))

    def name(self, state: Lamps, move: int) -> str:
        return cell_name(*divmod(move, self.columns))

    def read(self, state: Lamps, text: str) -> int:
        row, column = cell(_PRESS.sub("", plain(text)), self.rows, self.columns, "r2c3")
        return row * self.columns + column

    def show(self, state: Lamps) -> str:
        numbers = " ".join(str(n + 1) for n in range(self.columns))
        lines = [
            f"{row + 1}  {' '.join(map(str, state[row * self.columns :][: self.columns]))}"
            for row in range(self.rows)
        ]
        return "\n".join([f"   {numbers}", *lines])

    def scene(self, state: Lamps) -> Grid:
        """The lamps; where there are three states, their numbers stand on them."""
        step = 2 if self.states == 2 else 1
        cells = [
            Cell(str(lamp) if self.states > 2 else "", "paper", "disc", FILLS[lamp * step])
            if lamp
            else Cell("", "paper", "disc", "shade")
            for lamp in state
        ]
        rows = range(0, len(state), self.columns)
        return Grid(tuple(tuple(cells[n : n + self.columns]) for n in rows), coordinates=True)


@lru_cache(maxsize=64)
def solver(rules: LightSwitching) -> Solver:
    """The solver of a board, by elimination modulo the number of states.

    Row operations bring the matrix of the presses to reduced form, and are recorded beside it. The
    recorded row of a pivot maps lamps to the presses of that pivot; the other ones map them to the
    conditions for a solution.
    """
    size, prime = rules.rows * rules.columns, rules.states
    matrix = [[0] * (2 * size) for _ in range(size)]
    for press, reach in enumerate(rules.reach):
        matrix[press][size + press] = 1
        for lamp in reach:  # five different lamps, as a torus has at least three rows
            matrix[lamp][press] = 1
    pivots = list[int]()
    for column in range(size):
        rank = len(pivots)
        chosen = next((row for row in range(rank, size) if matrix[row][column]), None)
        if chosen is None:
            continue
        matrix[rank], matrix[chosen] = matrix[chosen], matrix[rank]
        inverse = pow(matrix[rank][column], -1, prime)
        top = matrix[rank] = [inverse * value % prime for value in matrix[rank]]
        for row in range(size):
            if row != rank and (factor := matrix[row][column]):
                matrix[row] = [(a - factor * b) % prime for a, b in zip(matrix[row], top)]
        pivots.append(column)
    positions = [*pivots, *range(size, 2 * size - len(pivots))]
    parts = tuple(
        sum(-row[size + lamp] % prime << 8 * position for row, position in zip(matrix, positions))
        for lamp in range(size)
    )
    remainders = bytes(n % prime for n in range(256))
    return Solver(parts, _kernel(matrix, pivots, size, prime), remainders)


def _kernel(
    matrix: Sequence[Sequence[int]], pivots: Sequence[int], size: int, prime: int
) -> tuple[int, ...]:
    """All vectors that a matrix in reduced form maps to 0, with a byte for each number."""
    free = [column for column in range(size) if column not in pivots]
    vectors = list[int]()
    for values in product(range(prime), repeat=len(free)):
        vector = sum(value << 8 * column for value, column in zip(values, free))
        for row, pivot in zip(matrix, pivots):
            total = sum(value * row[column] for value, column in zip(values, free))
            vector += -total % prime << 8 * pivot
        vectors.append(vector)
    return tuple(vectors)
