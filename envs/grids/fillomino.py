"""Fillomino, by Nikoli: a grid cut into regions that are filled with the number of their cells.

The solver keeps the numbers that each cell may hold. A region takes the cells that it cannot grow
without, leaves those where it would be too large, and is nowhere where there is too little room.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Self

from palaestra.generators.baselines import fillings
from palaestra.generators.cells import images, in_rows, text
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.fillomino import alone, parted, region, solve
from palaestra.generators.grids.pencil import (
    Grid,
    NumberGrid,
    SearchResult,
    as_grid,
    by_cell,
    revealed,
    thinned,
)
from palaestra.scenes import Grid as GridScene
from palaestra.scenes.elements import changed
from palaestra.task import ladder
from palaestra.verifiers.reading.cells import cell_name


class Fillomino(NumberGrid):
    """Fill a grid with numbers so that each region of equal numbers has that number of cells."""

    tags = {"grid", "regions", "constraint-satisfaction", "unique-solution"}
    version = 4

    class Knobs(NumberGrid.Knobs):
        size: int = ladder(4, 4, 5, 6, 7, 8, 9, low=3)
        largest: int = ladder(4, 4, 4, 5, 5, 6, 9, low=3)  # region
        givens: float = ladder(0.6, 0.5, 0.42, 0.38, 0.33, 0.55, 0.6, low=0.25, high=0.6)
        minimal: bool = ladder(*[False] * 5, True)  # fewer numbers that are not needed

    givens: Grid
    largest: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size, largest = knobs.size, knobs.largest
        truth = None
        while truth is None:
            truth = parted(rng, size, largest)
        cells = rng.sample(range(size * size), round(knobs.givens * size * size))
        first = {cell: truth[cell] for cell in sorted(cells)}
        numbers = revealed(lambda some: solve(size, largest, some), truth, first, rng)
        if knobs.minimal:

            def enough(some: list[int]) -> bool:
                return alone(size, largest, truth, some)

            kept = thinned([*numbers], enough, rng, tries=30)
            numbers = {cell: truth[cell] for cell in kept}
        return cls(givens=as_grid(numbers, size, size), largest=largest)

    def solved(self) -> SearchResult[tuple[int, ...]]:
        return solve(len(self.givens), self.largest, by_cell(self.givens))

    def highest(self) -> int:
        return self.largest

    def canonical(self) -> str:
        return f"{self.largest} {min(images(self.givens))}"

    def alterations(self, rng: Random) -> Iterator[Self]:
        """Two given numbers change places."""
        flat = [number for row in self.givens for number in row]
        for numbers in exchanges(flat, rng, lambda cell: True if flat[cell] else None):
            givens = tuple(map(tuple, in_rows(numbers, len(self.givens))))
            yield self.model_copy(update={"givens": givens})

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
        example = (n % self.largest + 1 for n in range(size))
        return (
            f"{rules} Two regions of the same size may touch at corners only. A region may have "
            "several of the given numbers or none of them. The given numbers must stay. There is "
            f"exactly one way to do it.\n\n{self.board()}\n\n{self.answer_format(example)}"
        )

    def picture(self, rows: Sequence[Sequence[int]]) -> GridScene:
        """With thick borders around the regions once all cells are filled."""
        numbers, board = [number for row in rows for number in row], super().picture(rows)
        if 0 in numbers:
            return board
        size = len(rows)
        firsts = [min(region(numbers, cell, size)) for cell in range(size * size)]
        return changed(board, regions=tuple(map(tuple, in_rows(firsts, size))))

    def violation(self, rows: list[list[int]]) -> str:
        size = len(self.givens)
        numbers = [number for row in rows for number in row]
        for cell, number in enumerate(numbers):
            count = len(region(numbers, cell, size))
            if count != number:
                return f"the region of {cell_name(*divmod(cell, size))} has {count} cells"
        return ""

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, largest=3)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Put a number into cell by cell whose region is not too large; none is changed again."""
        size = len(self.givens)
        clues = by_cell(self.givens)
        cells = [n for n in range(size * size) if n not in clues]

        def options(cell: int, numbers: Mapping[int, int]) -> list[int]:
            now = {**clues, **numbers}
            flat = [now.get(n, 0) for n in range(size * size)]
            allowed = []
            for number in range(1, self.largest + 1):
                flat[cell] = number
                if len(region(flat, cell, size)) <= number:
                    allowed.append(number)
            return allowed

        def nearest(cell: int) -> int:
            row, column = divmod(cell, size)
            return clues[min(clues, key=lambda n: abs(n // size - row) + abs(n % size - column))]

        players = fillings(cells, options, rng)
        players["number of the nearest given cell"] = {cell: nearest(cell) for cell in cells}
        return {
            player: text(as_grid({**dict.fromkeys(cells, 1), **clues, **numbers}, size, size))
            for player, numbers in players.items()
        }
