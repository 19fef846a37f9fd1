"""Norinori, by Nikoli: shaded dominoes that do not touch, two shaded cells in each region."""

from collections.abc import Iterable
from itertools import combinations
from random import Random
from typing import Self

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.cells import images, picture, text
from palaestra.generators.grids.dominoes import CLEAR, SHADED, dominoes, paired_up, settled, solve
from palaestra.generators.grids.pencil import Pencil, SearchResult
from palaestra.generators.grids.shapes import (
    LETTERS,
    gathered,
    renamed,
    sides,
)
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.boards import cell_name
from palaestra.verifiers.reading.values import grid


class Norinori(Pencil):
    """Shade two cells in each region so that each shaded cell touches exactly one other."""

    tags = {"grid", "regions", "constraint-satisfaction", "unique-solution"}

    class Knobs(Pencil.Knobs):
        size: int = ladder(4, 5, 5, 6, 7, 7, 8, high=9)
        repairs: int = ladder(2, 2, 5, 4, 4, 12, 12, low=0, high=20)  # more, fewer told cells

    board: tuple[str, ...]
    """The letter of each cell's region, a small one where the cell is known to be clear."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        region = None
        while region is None:
            shaded = dominoes(rng, size)
            region = paired_up(rng, size, shaded)
        region, clear = settled(rng, size, region, bits(shaded), knobs.repairs)
        letters = [LETTERS[number] for number in region]
        for cell in ones(clear):
            letters[cell] = letters[cell].lower()
        return cls(board=tuple("".join(letters[n : n + size]) for n in range(0, size**2, size)))

    def solved(self) -> SearchResult[int]:
        clear = bits(n for n, letter in enumerate("".join(self.board)) if letter.islower())
        return solve(len(self.board), tuple(self.regions()), clear)

    def regions(self) -> list[int]:
        """Every cell's region."""
        return [LETTERS.index(letter) for letter in "".join(self.board).upper()]

    def canonical(self) -> str:
        flats = ("".join(map("".join, image)) for image in images(self.board))
        named = ((renamed([*map(ord, flat.upper())]), [*map(str.islower, flat)]) for flat in flats)
        return str(min(named))

    def prompt(self) -> str:
        size = len(self.board)
        rules = self.phrase(
            f"This grid of {size} rows and {size} columns is divided into regions; cells with the "
            "same letter are one region. Shade some cells so that every region has exactly two "
            "shaded cells, and every shaded cell shares a side with exactly one other shaded cell "
            "(in its own region or in another one).",
            f"Shade cells of this {size} by {size} grid in pairs: a pair is two cells side by "
            "side, across or down, and no cell of a pair shares a side with a cell of another "
            "pair, though pairs may touch at corners and may lie across a border between regions. "
            "Each region, marked by a letter of its own, must have exactly two shaded cells.",
        )
        example = " ".join((CLEAR + SHADED * 2) * size)[: 2 * size - 1]
        return (
            f"{rules} A cell with a small letter belongs to its region like any other but must not "
            f"be shaded. There is exactly one way to do it.\n\n{text(self.board)}\n\nAnswer with "
            f"the whole grid: {size} lines of {size} cells separated by spaces, '{SHADED}' for a "
            f"shaded cell and '{CLEAR}' for any other. A line looks like '{example}'."
        )

    def answer(self) -> str:
        (shaded,) = self.solved().solutions
        return picture(shaded, len(self.board), len(self.board), SHADED + CLEAR)

    def verify(self, answer: str) -> Score:
        size = len(self.board)
        cells = [s for row in grid(answer, size, size, SHADED + CLEAR) for s in row]
        for cell, letter in enumerate("".join(self.board)):
            if letter.islower() and cells[cell] == SHADED:
                return Score(0, f"{cell_name(*divmod(cell, size))} must stay clear")
        for letter, region in zip(LETTERS, gathered(self.regions())):
            many = sum(cells[cell] == SHADED for cell in region)
            if many != 2:
                return Score(0, f"region {letter} has {many} shaded cells")
        for cell, near in enumerate(sides(size, size)):
            many = sum(cells[other] == SHADED for other in near)
            if cells[cell] == SHADED and many != 1:
                name = cell_name(*divmod(cell, size))
                return Score(0, f"the shaded cell {name} touches {many} others")
        return Score(1)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=4)

    def candidates(self) -> Iterable[str]:
        regions = gathered(self.regions())
        for chosen in combinations(range(16), 2 * len(regions)):
            if all(len({*chosen} & {*region}) == 2 for region in regions):
                yield picture(bits(chosen), 4, 4, SHADED + CLEAR)
