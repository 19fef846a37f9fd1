"""Survo puzzles, by Seppo Mustonen (2006): numbers of a table found from its margins."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, permutations
from random import Random
from typing import Self

from palaestra.generators.cells import text
from palaestra.generators.grids.marks import lines
from palaestra.generators.grids.pencil import (
    Board,
    Different,
    Found,
    Pencil,
    Total,
    between,
    revealed,
)
from palaestra.task import Score, ladder
from palaestra.verifiers.grids.number_tables import table
from palaestra.verifiers.reading.boards import altered

LOOKS = 300
"""How many boards may be looked at to prove that there is one solution."""


class Survo(Pencil):
    """Place the numbers from 1 on, each once, so that rows and columns have the given sums."""

    tags = {"grid", "arithmetic", "constraint-satisfaction", "unique-solution"}

    class Knobs(Pencil.Knobs):
        rows: int = ladder(2, 2, 3, 3, 3, 3, 4, low=2)
        columns: int = ladder(3, 4, 3, 4, 4, 5, 5, low=2, high=6)
        given: int = ladder(3, 3, 2, 4, 1, 2, 2, low=0, high=12)  # more are, until it is settled

    givens: tuple[tuple[int, ...], ...]
    across: tuple[int, ...]
    down: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        rows, columns = knobs.rows, knobs.columns
        numbers = rng.sample(range(1, rows * columns + 1), rows * columns)
        sums = [sum(numbers[cell] for cell in line) for line in lines(rows, columns)]
        across, down = tuple(sums[:rows]), tuple(sums[rows:])
        chosen = rng.sample(range(rows * columns), min(knobs.given, rows * columns - 2))
        given = revealed(
            lambda some: solve(across, down, tuple(some.get(n, 0) for n in range(len(numbers)))),
            numbers,
            {cell: numbers[cell] for cell in chosen},
            rng,
        )
        givens = [given.get(cell, 0) for cell in range(rows * columns)]
        table = (tuple(givens[n : n + columns]) for n in range(0, len(givens), columns))
        return cls(givens=tuple(table), across=across, down=down)

    def solved(self) -> Found[tuple[int, ...]]:
        return solve(self.across, self.down, tuple(chain.from_iterable(self.givens)))

    def canonical(self) -> str:
        """The order of rows, and of columns, does not matter to the sums."""
        rows = [(total, row) for total, row in zip(self.across, self.givens)]
        turned = [(total, row) for total, row in zip(self.down, zip(*self.givens))]
        return str(min(ordered(rows, self.down), ordered(turned, self.across)))

    def prompt(self) -> str:
        rows, columns = len(self.across), len(self.down)
        last = rows * columns
        rules = self.phrase(
            f"Fill this table of {rows} rows and {columns} columns with the whole numbers from 1 "
            f"to {last}, each used exactly once, so that the numbers of each row and of each "
            "column add up to the sums that are given.",
            f"The numbers 1, 2, ..., {last} must be placed in the {last} cells of a table with "
            f"{rows} rows and {columns} columns, one in each cell. The total of each row and the "
            "total of each column are given.",
        )
        return (
            f"{rules} Dots are empty cells; the numbers that are there must stay. There is exactly "
            f"one way to do it.\n\n{text([[cell or '.' for cell in row] for row in self.givens])}"
            f"\n\nSums of the rows, from top to bottom: {' '.join(map(str, self.across))}\nSums of "
            f"the columns, from left to right: {' '.join(map(str, self.down))}\n\nAnswer with the "
            f"whole table, given numbers included: {rows} lines of {columns} numbers separated by "
            f"spaces. A line looks like '{' '.join(str(last - n) for n in range(columns))}'."
        )

    def answer(self) -> str:
        (solution,) = self.solved().solutions
        wide = len(self.down)
        return text([solution[n : n + wide] for n in range(0, len(solution), wide)])

    def verify(self, answer: str) -> Score:
        rows, columns = len(self.across), len(self.down)
        cells = table(answer, rows, columns)
        if sorted(n for row in cells for n in row) != [*range(1, rows * columns + 1)]:
            return Score(0, f"the numbers are not those from 1 to {rows * columns}, each once")
        if flaw := altered(self.givens, cells, blank=0):
            return Score(0, flaw)
        for kind, sums, some in (("row", self.across, cells), ("column", self.down, zip(*cells))):
            for number, (wanted, line) in enumerate(zip(sums, some), 1):
                if sum(line) != wanted:
                    return Score(0, f"{kind} {number} has the sum {sum(line)}")
        return Score(1)

    def audit(self, answer: str) -> bool:
        return answer.replace(",", " ").split() == self.answer().split()

    def blanks(self) -> int:
        return sum(row.count(0) for row in self.givens)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(rows=2, columns=3, given=0)

    def candidates(self) -> Iterable[str]:
        for numbers in permutations(range(1, 7)):
            yield text([numbers[:3], numbers[3:]])


@lru_cache(maxsize=64)
def solve(
    across: tuple[int, ...], down: tuple[int, ...], givens: tuple[int, ...]
) -> Found[tuple[int, ...]]:
    """Up to two tables with these sums and given numbers, row by row; 0 is an empty cell."""
    size = len(givens)
    values = between(1, size)
    board = Board(size, [Different(tuple(range(size)), values)])
    for line, total in zip(lines(len(across), len(down)), (*across, *down)):
        board.add(Total(tuple(line), total))
    return board.solve([1 << given if given else values for given in givens], most=LOOKS)


def ordered(
    rows: list[tuple[int, tuple[int, ...]]], down: tuple[int, ...]
) -> list[tuple[int, tuple[int, ...]]]:
    """A table with its rows put in order, and then its columns."""
    rows = sorted(rows, key=lambda row: (row[0], sorted(row[1])))
    columns = sorted(zip(down, *(row for _, row in rows)))
    return [(column[0], tuple(column[1:])) for column in columns] + [
        (total, ()) for total, _ in rows
    ]
