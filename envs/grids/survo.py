"""Survo puzzles, by Seppo Mustonen (2006): numbers of a table found from its margins."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, permutations
from random import Random
from typing import Self

from palaestra.generators.cells import in_rows, line_names, lines, text
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.constraints import Board, Different, Total, between
from palaestra.generators.grids.pencil import (
    Grid,
    PermutationGrid,
    SearchResult,
    as_grid,
    labels,
    margins,
    revealed,
)
from palaestra.scenes import Grid as Picture
from palaestra.scenes.elements import changed
from palaestra.task import ladder

MAX_NODES = 300
"""Limit of the search nodes when proving that there is one solution."""


class Survo(PermutationGrid):
    """Place the numbers from 1 on, each once, so that rows and columns have the given sums."""

    version = 2
    tags = {"grid", "arithmetic", "constraint-satisfaction", "unique-solution"}

    class Knobs(PermutationGrid.Knobs):
        rows: int = ladder(2, 2, 3, 3, 3, 3, 4, low=2)
        columns: int = ladder(3, 4, 3, 4, 4, 5, 5, low=2, high=6)
        givens: int = ladder(3, 3, 2, 4, 1, 2, 2, low=0, high=12)  # at first; more until unique

    givens: Grid
    across: tuple[int, ...]
    down: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        rows, columns = knobs.rows, knobs.columns
        numbers = rng.sample(range(1, rows * columns + 1), rows * columns)
        sums = [sum(numbers[cell] for cell in line) for line in lines(rows, columns)]
        across, down = tuple(sums[:rows]), tuple(sums[rows:])
        chosen = rng.sample(range(rows * columns), min(knobs.givens, rows * columns - 2))
        shown = revealed(
            lambda some: solve(across, down, tuple(some.get(n, 0) for n in range(len(numbers)))),
            numbers,
            {cell: numbers[cell] for cell in chosen},
            rng,
        )
        return cls(givens=as_grid(shown, rows, columns), across=across, down=down)

    def solved(self) -> SearchResult[tuple[int, ...]]:
        return solve(self.across, self.down, tuple(chain.from_iterable(self.givens)))

    def canonical(self) -> str:
        """The order of rows, and of columns, does not matter to the sums."""
        rows = [(total, row) for total, row in zip(self.across, self.givens)]
        turned = [(total, row) for total, row in zip(self.down, zip(*self.givens))]
        return str(min(ordered(rows, self.down), ordered(turned, self.across)))

    def alterations(self, rng: Random) -> Iterator[Self]:
        """The sums of two rows or of two columns change places, or two given numbers do."""
        rows, columns = len(self.across), len(self.down)
        numbers = [*self.across, *self.down, *chain.from_iterable(self.givens)]

        def group(position: int) -> str | None:
            if position >= rows + columns:
                return "given" if numbers[position] else None
            return "row" if position < rows else "column"

        for others in exchanges(numbers, rng, group):
            across, down = tuple(others[:rows]), tuple(others[rows : rows + columns])
            givens = tuple(map(tuple, in_rows(others[rows + columns :], columns)))
            yield self.model_copy(update={"across": across, "down": down, "givens": givens})

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
            f"one way to do it.\n\n{self.board()}\n\n"
            f"{margins('Sums of', (*self.across, *self.down), rows)}\n\n{self.answer_format()}"
        )

    def picture(self, rows: Sequence[Sequence[int]]) -> Picture:
        """The scene of the table with its sums on the right and below."""
        right, bottom = (tuple(map(labels, sums)) for sums in (self.across, self.down))
        return changed(super().picture(rows), right=right, bottom=bottom)

    def violation(self, rows: list[list[int]]) -> str:
        return super().violation(rows) or self.false_sum(rows)

    def false_sum(self, rows: list[list[int]]) -> str:
        """Which row or column has another sum, if any."""
        names = line_names(len(self.across), len(self.down))
        for name, line, total in zip(names, (*rows, *zip(*rows)), (*self.across, *self.down)):
            if sum(line) != total:
                return f"{name} has the sum {sum(line)}"
        return ""

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(rows=2, columns=3, givens=0)

    def candidates(self) -> Iterable[str]:
        for numbers in permutations(range(1, 7)):
            yield text([numbers[:3], numbers[3:]])

    def options(self, cell: int, numbers: Mapping[int, int]) -> list[int]:
        """The missing numbers with which no line exceeds its sum, or is full and has another."""

        def exceeded(line: Sequence[int], total: int, number: int) -> bool:
            known = [number if n == cell else numbers[n] for n in line if n == cell or n in numbers]
            return sum(known) != total if len(known) == len(line) else sum(known) > total

        crossing = [
            (line, total)
            for line, total in zip(
                lines(len(self.across), len(self.down)), (*self.across, *self.down)
            )
            if cell in line
        ]
        return [
            number
            for number in super().options(cell, numbers)
            if not any(exceeded(line, total, number) for line, total in crossing)
        ]


@lru_cache(maxsize=64)
def solve(
    across: tuple[int, ...], down: tuple[int, ...], givens: tuple[int, ...]
) -> SearchResult[tuple[int, ...]]:
    """Up to two tables with these sums and given numbers, row by row; 0 is an empty cell."""
    size = len(givens)
    values = between(1, size)
    board = Board(size, [Different(tuple(range(size)), values)])
    for line, total in zip(lines(len(across), len(down)), (*across, *down)):
        board.add(Total(line, total))
    return board.solve([1 << number if number else values for number in givens], most=MAX_NODES)


def ordered(
    rows: list[tuple[int, tuple[int, ...]]], down: tuple[int, ...]
) -> list[tuple[int, tuple[int, ...]]]:
    """A table with its rows put in order, and then its columns."""
    rows = sorted(rows, key=lambda row: (row[0], sorted(row[1])))
    columns = sorted(zip(down, *(row for _, row in rows)))
    return [(column[0], tuple(column[1:])) for column in columns] + [
        (total, ()) for total, _ in rows
    ]
