"""Norinori, by Nikoli: shaded dominoes that do not touch, two shaded cells in each region."""

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from random import Random
from typing import Self

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.cells import images, in_rows, text
from palaestra.generators.grids.dominoes import CLEAR, SHADED, dominoes, paired_up, settled, solve
from palaestra.generators.grids.pencil import BinaryGrid, SearchResult
from palaestra.generators.grids.shapes import LETTERS, gathered, renamed, sides
from palaestra.scenes import Grid
from palaestra.scenes.elements import changed
from palaestra.task import ladder
from palaestra.verifiers.reading.cells import cell_name


class Norinori(BinaryGrid):
    """Shade two cells in each region so that each shaded cell touches exactly one other."""

    tags = {"grid", "regions", "constraint-satisfaction", "unique-solution"}
    version = 2
    signs = SHADED + CLEAR

    class Knobs(BinaryGrid.Knobs):
        size: int = ladder(4, 5, 6, 7, 8, 10, high=11)
        # of the borders of regions; the more, the fewer known cells
        repairs: int = ladder(2, 3, 4, 6, 10, 16, low=0, high=20)

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
        return cls(board=tuple(in_rows("".join(letters), size)))

    def shape(self) -> tuple[int, int]:
        return len(self.board), len(self.board)

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
        return (
            f"{rules} A cell with a small letter belongs to its region like any other but must not "
            f"be shaded. There is exactly one way to do it.\n\n{text(self.board)}\n\n"
            f"{self.answer_format('a shaded cell', 'any other', CLEAR + SHADED * 2)}"
        )

    def picture(self, signs: Sequence[str]) -> Grid:
        """The scene of the regions, with a cross in each cell that is known to be clear."""
        board = super().picture(signs)
        cells = (
            tuple(
                changed(cell, mark="cross", tone="shade") if letter.islower() else cell
                for cell, letter in zip(*pair)
            )
            for pair in zip(board.cells, self.board)
        )
        regions = tuple(map(tuple, in_rows(self.regions(), len(self.board))))
        return changed(board, cells=tuple(cells), regions=regions)

    def violation(self, on: Sequence[bool]) -> str:
        size = len(self.board)
        for cell, letter in enumerate("".join(self.board)):
            if letter.islower() and on[cell]:
                return f"{cell_name(*divmod(cell, size))} must stay clear"
        for letter, region in zip(LETTERS, gathered(self.regions())):
            count = sum(on[cell] for cell in region)
            if count != 2:
                return f"region {letter} has {count} shaded cells"
        for cell, near in enumerate(sides(size, size)):
            count = sum(on[other] for other in near)
            if on[cell] and count != 1:
                return f"the shaded cell {cell_name(*divmod(cell, size))} touches {count} others"
        return ""

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=4)

    def candidates(self) -> Iterable[str]:
        regions = gathered(self.regions())
        for chosen in combinations(range(16), 2 * len(regions)):
            if all(len({*chosen} & {*region}) == 2 for region in regions):
                yield self.written(bits(chosen))

    def allows(self, on: Collection[int], cell: int) -> bool:
        """Whether the region lacks a shaded cell, and no domino beside the cell is whole."""
        size, regions = len(self.board), self.regions()
        near = sides(size, size)
        beside = [n for n in near[cell] if n in on]
        return (
            not "".join(self.board)[cell].islower()
            and sum(regions[n] == regions[cell] for n in on) < 2
            and len(beside) < 2
            and all({*near[n]}.isdisjoint(on) for n in beside)
        )
