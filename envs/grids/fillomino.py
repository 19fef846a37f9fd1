"""Fillomino, by Nikoli: a grid cut into regions that are filled with the number of their cells.

Every region that there might be is one variable; each cell is covered once, and no two regions of
the same size touch.
"""

from collections.abc import Iterable
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.cells import images, text
from palaestra.generators.grids.fillomino import alone, parted, region, solve, written
from palaestra.generators.grids.pencil import Found, Pencil, revealed, spared
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.boards import altered, cell_name
from palaestra.verifiers.reading.values import grid


class Fillomino(Pencil):
    """Fill a grid with numbers so that each region of equal numbers has that number of cells."""

    tags = {"grid", "regions", "constraint-satisfaction", "unique-solution"}

    class Knobs(Pencil.Knobs):
        size: int = ladder(4, 4, 5, 5, 6, 6, 7, low=3)
        largest: int = ladder(4, 4, 4, 5, 4, 5, 5, low=3)  # region
        given: float = ladder(0.6, 0.5, 0.45, 0.4, 0.35, 0.35, 0.3, low=0.25, high=0.6)
        minimal: bool = ladder(*[False] * 6, True)  # fewer numbers that are not needed

    givens: tuple[tuple[int, ...], ...]
    largest: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size, largest = knobs.size, knobs.largest
        truth = None
        while truth is None:
            truth = parted(rng, size, largest)
        cells = rng.sample(range(size * size), round(knobs.given * size * size))
        first = {cell: truth[cell] for cell in sorted(cells)}
        given = revealed(lambda some: solve(size, largest, some), truth, first, rng)
        if knobs.minimal:
            kept = spared([*given], lambda some: alone(size, largest, truth, some), rng, most=4)
            given = {cell: truth[cell] for cell in kept}
        givens = [given.get(cell, 0) for cell in range(size * size)]
        rows = (tuple(givens[n : n + size]) for n in range(0, len(givens), size))
        return cls(givens=tuple(rows), largest=largest)

    def solved(self) -> Found[tuple[int, ...]]:
        flat = enumerate(number for row in self.givens for number in row)
        return solve(len(self.givens), self.largest, {n: number for n, number in flat if number})

    def canonical(self) -> str:
        return f"{self.largest} {min(images(self.givens))}"

    def prompt(self) -> str:
        size = len(self.givens)
        rules = self.phrase(
            f"Write a number from 1 to {self.largest} in every empty cell of this {size} by {size} "
            "grid, shown as a dot. Cells with the same number that share a side belong to the same "
            "region, and every region must have exactly as many cells as its number says.",
            f"Fill this grid of {size} rows and {size} columns with numbers from 1 to "
            f"{self.largest}. For each cell, count the cells, itself included, that can be reached "
            "from it over cells with its number, in steps up, down, left or right: this count must "
            "equal the cell's number.",
        )
        board = text([[number or "." for number in row] for row in self.givens])
        example = " ".join(str(n % self.largest + 1) for n in range(size))
        return (
            f"{rules} Two regions of the same size may touch at corners only. A region may have "
            "several of the given numbers or none of them. The given numbers must stay. There is "
            f"exactly one way to do it.\n\n{board}\n\nAnswer with the whole grid: {size} lines of "
            f"{size} numbers separated by spaces. A line looks like '{example}'."
        )

    def answer(self) -> str:
        (numbers,) = self.solved().solutions
        return written(numbers)

    def verify(self, answer: str) -> Score:
        size = len(self.givens)
        signs = [str(n) for n in range(1, self.largest + 1)]
        table = [[int(sign) for sign in row] for row in grid(answer, size, size, signs)]
        if flaw := altered(self.givens, table, blank=0):
            return Score(0, flaw)
        cells = [number for row in table for number in row]
        for cell, number in enumerate(cells):
            many = len(region(cells, cell, size))
            if many != number:
                name = cell_name(*divmod(cell, size))
                return Score(0, f"the region of {name} has {many} cells")
        return Score(1)

    def blanks(self) -> int:
        return sum(row.count(0) for row in self.givens)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, largest=3)

    def candidates(self) -> Iterable[str]:
        flat = (number for row in self.givens for number in row)
        return map(written, product(*([number] if number else (1, 2, 3) for number in flat)))
