"""Kakurasu, also known as index sums: a Japanese puzzle of weighted sums in rows and columns.

A random filling often shares its sums with others; wherever a second one differs from it, a cell
is told, until there is no second one left.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.bitsets import ones
from palaestra.generators.cells import text
from palaestra.generators.grids.line_solver import Lines, having, solve
from palaestra.generators.grids.pencil import Pencil, SearchResult
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.boards import altered
from palaestra.verifiers.reading.values import grid

FULL, EMPTY, BLANK = "#", "-", "."


class Kakurasu(Pencil):
    """Fill cells, each worth its position in the line, so that rows and columns have given sums."""

    version = 2
    tags = {"grid", "constraint-satisfaction", "arithmetic", "unique-solution"}

    class Knobs(Pencil.Knobs):
        size: int = ladder(4, 5, 5, 6, 7, 8, 9, low=3)
        shown: int = ladder(4, 6, 1, 1, 0, 0, 0, high=10)  # cells told before more are needed

    givens: tuple[str, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        side = range(knobs.size)
        picture = [sum((rng.random() < 0.55) << n for n in side) for _ in side]
        turned = [sum((picture[r] >> c & 1) << r for r in side) for c in side]
        rows, columns = tuple(map(weight, picture)), tuple(map(weight, turned))
        cells = rng.sample([*product(side, side)], min(knobs.shown, knobs.size**2 - 1))
        while True:
            task = cls.of(rows, columns, {(r, c): picture[r] >> c & 1 for r, c in cells})
            solution = task.solved()
            if solution.unique:
                return task
            other = next(some for some in solution.solutions if [*some] != picture)
            doubts = [(r, c) for r in side for c in ones(other[r] ^ picture[r])]
            cells.append(rng.choice(doubts))

    @classmethod
    def of(
        cls, rows: tuple[int, ...], columns: tuple[int, ...], shown: dict[tuple[int, int], int]
    ) -> Self:
        """The puzzle with these sums, in which these cells are told."""
        signs = {cell: FULL if on else EMPTY for cell, on in shown.items()}
        side = range(len(rows))
        givens = ("".join(signs.get((r, c), BLANK) for c in side) for r in side)
        return cls(givens=tuple(givens), rows=rows, columns=columns)

    def solved(self) -> SearchResult[tuple[int, ...]]:
        size = len(self.rows)
        lines: Lines = [weighing(size, total) for total in (*self.rows, *self.columns)]
        for row, line in enumerate(self.givens):
            for column, sign in enumerate(line):
                if sign != BLANK:
                    lines = having(lines, size, (row, column), int(sign == FULL))
        work = sum(map(len, lines))
        solutions, nodes = solve(lines, size)
        return SearchResult(solutions, nodes, work * nodes.bit_length(), True)

    def canonical(self) -> str:
        lying = ["".join(column) for column in zip(*self.givens)]
        ways = [(self.rows, self.columns, [*self.givens]), (self.columns, self.rows, lying)]
        return str(min(ways))

    def prompt(self) -> str:
        size = len(self.rows)
        rules = self.phrase(
            f"Choose which cells of a {size} by {size} grid to fill. A filled cell counts twice: "
            "for the sum of its row it is worth the number of its column (1 in the leftmost "
            f"column, {size} in the rightmost), and for the sum of its column the number of its "
            f"row (1 in the top row, {size} in the bottom row). Every row and every column must "
            "reach exactly the sum given for it.",
            f"In this kakurasu the {size} columns are numbered 1 to {size} from left to right, the "
            f"{size} rows 1 to {size} from top to bottom. Fill some of the cells so that they meet "
            "all sums. The column numbers of the filled cells in a row add up to that row's sum, "
            "and the row numbers of the filled cells in a column add up to that column's sum. A "
            "sum of 0 means that nothing is filled there.",
        )
        return (
            f"{rules} Exactly one filling fits.\n\nSums of the rows, from top to bottom: "
            f"{' '.join(map(str, self.rows))}\nSums of the columns, from left to right: "
            f"{' '.join(map(str, self.columns))}\n\nSome cells may be known: '{FULL}' is filled, "
            f"'{EMPTY}' is not, and a dot is unknown.\n\n{text(self.givens)}\n\nAnswer with the "
            f"whole grid: {size} lines of {size} cells separated by spaces, '{FULL}' for a filled "
            f"cell and '{EMPTY}' for an empty one. A line looks like "
            f"'{' '.join(f'{FULL}{EMPTY}' * size)[: 2 * size - 1]}'."
        )

    def answer(self) -> str:
        (rows,) = self.solved().solutions
        side = range(len(rows))
        return text([[FULL if row >> column & 1 else EMPTY for column in side] for row in rows])

    def verify(self, answer: str) -> Score:
        size = len(self.rows)
        cells = grid(answer, size, size, FULL + EMPTY)
        if flaw := altered(self.givens, cells, BLANK):
            return Score(0, flaw)
        for kind, sums, lines in (("row", self.rows, cells), ("column", self.columns, zip(*cells))):
            for number, (wanted, line) in enumerate(zip(sums, lines), 1):
                total = sum(n for n, cell in enumerate(line, 1) if cell == FULL)
                if total != wanted:
                    return Score(0, f"{kind} {number} has the sum {total}")
        return Score(1)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, shown=0)

    def candidates(self) -> Iterable[str]:
        for cells in product(FULL + EMPTY, repeat=9):
            yield text([cells[:3], cells[3:6], cells[6:]])


def weight(line: int) -> int:
    """The sum of a line whose n-th cell is filled where the n-th bit is set.

    >>> weight(0b101)
    4
    """
    return sum(place + 1 for place in ones(line))


@lru_cache(maxsize=1024)
def weighing(length: int, total: int) -> tuple[int, ...]:
    """All lines with a sum.

    >>> [bin(line) for line in weighing(3, 3)]
    ['0b11', '0b100']
    """
    return tuple(line for line in range(1 << length) if weight(line) == total)
