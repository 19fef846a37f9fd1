"""Slitherlink, by Nikoli (1989): one loop along the lines of a grid, given by its cells.

An answer states the cells inside the loop. The loop is single and does not touch itself if and only
if the cells inside are connected, and those outside are, also by way of the border of the grid.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Self

from palaestra.generators.baselines import Key
from palaestra.generators.bitsets import bits
from palaestra.generators.cells import example_line, images, in_rows, text
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.loops import blob, crossed, padded, solve, unique
from palaestra.generators.grids.pencil import UNKNOWN, BinaryGrid, SearchResult, thinned
from palaestra.generators.grids.shapes import connected, framed, sides
from palaestra.scenes import Border, Cell, Grid
from palaestra.scenes.elements import changed
from palaestra.scenes.loops import LoopEntry
from palaestra.task import ladder
from palaestra.verifiers.reading.cells import cell_name

INSIDE, OUTSIDE = "#", "-"


Corner = tuple[int, int]
"""Where grid lines cross, as a row and a column of lines from 0."""

TRIES = 30
"""How many times numbers are left out to see whether the loop is still the only one."""


class Slitherlink(BinaryGrid):
    """Draw one closed loop along grid lines from the number of its sides at some cells."""

    tags = {"grid", "loop", "connectivity", "constraint-satisfaction", "unique-solution"}
    version = 2
    signs = INSIDE + OUTSIDE

    class Knobs(BinaryGrid.Knobs):
        size: int = ladder(3, 4, 5, 6, 7, 8, 10, 13, 16, low=3, high=20)
        # of the cells that have a number, if so few are enough
        share: float = ladder(0.9, 0.85, 0.75, 0.7, 0.6, 0.5, low=0.4, high=1)

    clues: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        cells = range(size * size)
        while True:
            inside = blob(rng, size)
            every = {cell: crossed(inside, cell, size) for cell in cells}
            if unique(size, every, cells):
                break
        fewest = round(knobs.share * size * size)
        kept = thinned(cells, lambda some: unique(size, every, some), rng, fewest, TRIES)
        signs = "".join(str(every[cell]) if cell in kept else UNKNOWN for cell in cells)
        return cls(clues=tuple(in_rows(signs, size)))

    def shape(self) -> tuple[int, int]:
        return len(self.clues), len(self.clues)

    def solved(self) -> SearchResult[int]:
        """Up to two solutions, as the cells inside the loop."""
        size = len(self.clues)
        signs = enumerate("".join(self.clues))
        result = solve(size, {cell: int(sign) for cell, sign in signs if sign != UNKNOWN})
        cells = (1 << size * size) - 1
        return replace(result, solutions=[on & cells for on in result.solutions])

    def canonical(self) -> str:
        return min("\n".join(map("".join, image)) for image in images(self.clues))

    def alterations(self, rng: Random) -> Iterator[Self]:
        """Two numbers change places."""
        flat, size = "".join(self.clues), len(self.clues)
        for signs in exchanges(flat, rng, lambda cell: flat[cell].isdecimal() or None):
            yield self.model_copy(update={"clues": tuple(in_rows("".join(signs), size))})

    def prompt(self) -> str:
        size = len(self.clues)
        rules = self.phrase(
            f"Draw a single closed loop along the lines of a grid of {size} rows and {size} "
            "columns of square cells; it may also run along the outer edge of the grid. The loop "
            "never crosses, touches or branches off itself. A number in a cell states how many of "
            "the cell's four sides are part of the loop; a cell with a dot may have any number.",
            f"In this slitherlink of {size} by {size} cells, connect corners of cells along their "
            "sides, inside the grid or on its outer edge, into one loop without loose ends, in "
            "which no corner is visited twice. Each digit states exactly how many sides of its "
            "cell the loop uses. A cell with a dot may have any number.",
        )
        example = example_line(OUTSIDE + INSIDE * 2, size)
        return (
            f"{rules} There is exactly one way to do it.\n\n{text(self.clues)}\n\nAnswer by "
            f"marking the cells that the loop encloses: {size} lines of {size} cells separated by "
            f"spaces, '{INSIDE}' for a cell inside the loop and '{OUTSIDE}' for one outside. (The "
            "loop then runs exactly where an inside cell meets an outside cell or the edge of the "
            f"grid.) A line looks like '{example}'."
        )

    def picture(self, signs: Sequence[str]) -> Grid:
        """The scene of the numbers between dots, with the loop around the cells inside."""
        size = len(self.clues)
        board = super().picture(signs)
        cells = (
            tuple(changed(cell, text=clue.strip(UNKNOWN)) for cell, clue in zip(*pair))
            for pair in zip(board.cells, self.clues)
        )
        inside = {divmod(cell, size) for cell, sign in enumerate(signs) if sign == INSIDE}
        loop = tuple(Border(side, tone="accent", width=0.14) for side in around(inside))
        return changed(board, cells=tuple(cells), style="dots", borders=loop)

    def entry(self) -> LoopEntry:
        size = len(self.clues)
        return LoopEntry((INSIDE, OUTSIDE), (("",) * size,) * size)

    def look(self, cell: int, sign: str, known: bool) -> Cell:
        return Cell(fill="t5" if sign == INSIDE else "paper")

    def violation(self, on: Sequence[bool]) -> str:
        size = len(self.clues)
        inside = bits(cell for cell, enclosed in enumerate(on) if enclosed)
        for cell, sign in enumerate("".join(self.clues)):
            count = crossed(inside, cell, size)
            if sign not in (UNKNOWN, str(count)):
                return f"the loop uses {count} sides of {cell_name(*divmod(cell, size))}"
        if not inside:
            return "there is no loop"
        if not connected(inside, size, size):
            return "the cells inside are not in one piece"
        outside = framed(size) | padded(~inside & (1 << size * size) - 1, size)
        if not connected(outside, size + 2, size + 2):
            return "a cell outside is cut off from the border"
        return ""

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, share=0.9)

    def allows(self, on: Collection[int], cell: int) -> bool:
        """Whether the cell joins those inside, and the loop does not pass along a cell with 0."""
        size, clues = len(self.clues), "".join(self.clues)
        near = sides(size, size)[cell]
        joins = not on or not {*near}.isdisjoint(on)
        return joins and all(clues[n] != "0" for n in (cell, *near))

    def keys(self) -> Mapping[str, Key[int]]:
        clues = "".join(self.clues)
        return {"clue": lambda cell: 1.5 if clues[cell] == UNKNOWN else int(clues[cell])}


def around(inside: Collection[tuple[int, int]]) -> Iterator[tuple[Corner, Corner]]:
    """The sides of cells inside that separate them from others, as the corners that they join.

    >>> [*around([(0, 0), (0, 1)])][:2]
    [((0, 0), (0, 1)), ((1, 0), (1, 1))]
    """
    for row, column in sorted(inside):
        a, b, c, d = ((row + i, column + j) for i in (0, 1) for j in (0, 1))
        beside = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        for side, other in zip(((a, b), (c, d), (a, c), (b, d)), beside):
            if other not in inside:
                yield side
