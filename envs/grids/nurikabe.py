"""Nurikabe, by Nikoli (1991): islands of given sizes in one connected sea without pools."""

from collections.abc import Iterable
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.cells import images, picture, text
from palaestra.generators.grids.nurikabe import LAND, SEA, archipelago, pools, solve
from palaestra.generators.grids.pencil import Pencil, SearchResult
from palaestra.generators.grids.shapes import connected, piece
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.boards import cell_name
from palaestra.verifiers.reading.values import grid


class Nurikabe(Pencil):
    """Shade a connected sea without 2 by 2 pools so that each number has an island of its size."""

    tags = {"grid", "connectivity", "constraint-satisfaction", "unique-solution"}

    class Knobs(Pencil.Knobs):
        size: int = ladder(5, 5, 6, 7, 8, 9, 10, low=3)
        largest: int = ladder(3, 4, 4, 4, 5, 5, 6, low=2)  # island

    numbers: tuple[tuple[int, ...], ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size, islands = knobs.size, None
        while islands is None:
            islands = archipelago(rng, size, knobs.largest)
        givens = [0] * (size * size)
        for island in islands:
            givens[rng.choice(ones(island))] = island.bit_count()
        return cls(numbers=tuple(tuple(givens[n : n + size]) for n in range(0, len(givens), size)))

    def given(self) -> dict[int, int]:
        """The numbers by cell."""
        flat = enumerate(number for row in self.numbers for number in row)
        return {cell: number for cell, number in flat if number}

    def solved(self) -> SearchResult[int]:
        return solve(len(self.numbers), tuple(self.given().items()))

    def canonical(self) -> str:
        return str(min(images(self.numbers)))

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
        example = " ".join((LAND + SEA * 2) * size)[: 2 * size - 1]
        board = text([[number or "." for number in row] for row in self.numbers])
        return (
            f"{rules} Dots are cells without a number. There is exactly one way to do it.\n\n"
            f"{board}\n\nAnswer with the whole grid: {size} lines of {size} cells separated by "
            f"spaces, '{SEA}' for sea and '{LAND}' for land, numbers included. A line looks like "
            f"'{example}'."
        )

    def answer(self) -> str:
        (sea,) = self.solved().solutions
        return picture(sea, len(self.numbers), len(self.numbers), SEA + LAND)

    def verify(self, answer: str) -> Score:
        size, given = len(self.numbers), self.given()
        cells = [s for row in grid(answer, size, size, SEA + LAND) for s in row]
        land = bits(n for n, sign in enumerate(cells) if sign == LAND)
        sea = (1 << size * size) - 1 ^ land
        for cell, number in given.items():
            island = piece(land, 1 << cell, size, size)
            if island.bit_count() != number:
                name = cell_name(*divmod(cell, size))
                return Score(0, f"{name} is on an island of {island.bit_count()} cells")
            if sum(island >> other & 1 for other in given) > 1:
                return Score(0, "an island has two numbers")
        if land.bit_count() != sum(given.values()):
            return Score(0, "there is an island without a number")
        if any(pool & sea == pool for pool in pools(size)):
            return Score(0, "there is a 2 by 2 square of sea")
        return Score(1) if connected(sea, size, size) else Score(0, "the sea is not in one piece")

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, largest=3)

    def candidates(self) -> Iterable[str]:
        for cells in product((0, 1), repeat=9):
            yield picture(bits(n for n, on in enumerate(cells) if on), 3, 3, SEA + LAND)
