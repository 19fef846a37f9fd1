"""Nurikabe, by Nikoli (1991): islands of given sizes in one connected sea without pools."""

from collections.abc import Collection, Iterator, Sequence
from random import Random
from typing import Self

from palaestra.generators.bitsets import bits
from palaestra.generators.cells import images, in_rows, text
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.nurikabe import LAND, SEA, archipelago, numbered, pooled, solve
from palaestra.generators.grids.pencil import BinaryGrid, Grid, SearchResult, as_grid, by_cell
from palaestra.generators.grids.shapes import connected, piece
from palaestra.scenes import Cell
from palaestra.scenes import Grid as Picture
from palaestra.scenes.elements import changed
from palaestra.task import ladder
from palaestra.verifiers.reading.cells import cell_name


class Nurikabe(BinaryGrid):
    """Shade a connected sea without 2 by 2 pools so that each number has an island of its size."""

    tags = {"grid", "connectivity", "constraint-satisfaction", "unique-solution"}
    version = 3
    signs = SEA + LAND

    class Knobs(BinaryGrid.Knobs):
        size: int = ladder(4, 5, 6, 7, 8, 9, 11, 14, low=3, high=15)
        largest: int = ladder(3, 4, 4, 4, 5, 5, 6, low=2)  # island

    numbers: Grid

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size, numbers = knobs.size, None
        while numbers is None:
            islands = archipelago(rng, size, knobs.largest)
            numbers = numbered(rng, size, islands) if islands else None
        return cls(numbers=as_grid(numbers, size, size))

    def shape(self) -> tuple[int, int]:
        return len(self.numbers), len(self.numbers)

    def solved(self) -> SearchResult[int]:
        return solve(len(self.numbers), tuple(by_cell(self.numbers).items()))

    def canonical(self) -> str:
        return str(min(images(self.numbers)))

    def alterations(self, rng: Random) -> Iterator[Self]:
        """Two numbers change places."""
        flat = [number for row in self.numbers for number in row]
        for numbers in exchanges(flat, rng, lambda cell: True if flat[cell] else None):
            rows = tuple(map(tuple, in_rows(numbers, len(self.numbers))))
            yield self.model_copy(update={"numbers": rows})

    def prompt(self) -> str:
        size = len(self.numbers)
        rules = self.phrase(
            f"Shade some cells of this grid of {size} rows and {size} columns as sea. The cells "
            "left white form islands: white cells that share a side are on the same island. Every "
            "island contains exactly one number, which states how many cells it has; no sea cell "
            "has a number. All sea cells are connected through their sides, and there is no square "
            "of 2 by 2 cells that is all sea.",
            f"Divide a map of {size} by {size} cells into land and sea. Each number is a land cell "
            "and gives the size of its island, that is, of all land that can be reached from it "
            "over land cells that share a side; islands never share a side with one another, and "
            "every island has exactly one number. The sea is in one piece, connected through "
            "sides, and must not fill any block of two by two cells.",
        )
        board = text([[number or "." for number in row] for row in self.numbers])
        return (
            f"{rules} Dots are cells without a number. There is exactly one way to do it.\n\n"
            f"{board}\n\n{self.answer_format('sea', 'land, numbers included', LAND + SEA * 2)}"
        )

    def picture(self, signs: Sequence[str]) -> Picture:
        """The scene of land and sea, with the numbers."""
        board = super().picture(signs)
        cells = (tuple(map(with_number, *pair)) for pair in zip(board.cells, self.numbers))
        return changed(board, cells=tuple(cells))

    def look(self, cell: int, sign: str, known: bool) -> Cell:
        return Cell(fill="water") if sign == SEA else super().look(cell, sign, known)

    def violation(self, on: Sequence[bool]) -> str:
        size, numbers = len(self.numbers), by_cell(self.numbers)
        sea = bits(cell for cell, wet in enumerate(on) if wet)
        land = (1 << size * size) - 1 ^ sea
        for cell, number in numbers.items():
            island = piece(land, 1 << cell, size, size)
            if island.bit_count() != number:
                name = cell_name(*divmod(cell, size))
                return f"{name} is on an island of {island.bit_count()} cells"
            if sum(island >> other & 1 for other in numbers) > 1:
                return "an island has two numbers"
        if land.bit_count() != sum(numbers.values()):
            return "there is an island without a number"
        if pooled(sea, size):
            return "there is a 2 by 2 square of sea"
        return "" if connected(sea, size, size) else "the sea is not in one piece"

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, largest=3)

    def allows(self, on: Collection[int], cell: int) -> bool:
        """Whether the cell has no number, and completes no 2 by 2 square of sea."""
        size, sea = len(self.numbers), bits(on)
        number = self.numbers[cell // size][cell % size]
        return not number and pooled(sea | 1 << cell, size) == pooled(sea, size)


def with_number(cell: Cell, number: int) -> Cell:
    """A cell with a number in place of its mark; with 0, it stays as it is."""
    return changed(cell, text=str(number), mark="", tone="", fixed=True) if number else cell
