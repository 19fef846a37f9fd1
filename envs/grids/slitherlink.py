"""Slitherlink, by Nikoli (1989): one loop along the lines of a grid, given by its cells.

An answer states the cells inside the loop. The loop is single and does not touch itself if and only
if the cells inside are connected, and those outside are, also by way of the border of the grid.
"""

from collections.abc import Iterable
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.bitsets import bits
from palaestra.generators.cells import images, picture, text
from palaestra.generators.grids.loops import blob, crossed, padded, solve, unique
from palaestra.generators.grids.pencil import Pencil, SearchResult, spared
from palaestra.generators.grids.shapes import connected, framed
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.values import grid

INSIDE, OUTSIDE, BLANK = "#", "-", "."


TRIES = 8
"""How many numbers are tried whether they can be done without."""


class Slitherlink(Pencil):
    """Draw one closed loop along grid lines from the number of its sides at some cells."""

    tags = {"grid", "loop", "connectivity", "constraint-satisfaction", "unique-solution"}

    class Knobs(Pencil.Knobs):
        size: int = ladder(3, 4, 5, 6, 6, 7, 8, low=3)
        share: float = ladder(0.9, 0.85, 0.8, 0.75, 0.65, 0.6, 0.6, low=0.4, high=1)  # of numbers
        minimal: bool = ladder(*[False] * 4, True)  # a few of them that are not needed go as well

    clues: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        cells = range(size * size)
        while True:
            inside = blob(rng, size)
            every = {cell: crossed(inside, cell, size) for cell in cells}
            kept = rng.sample(cells, round(knobs.share * size * size))
            if unique(size, every, kept):
                break
        if knobs.minimal:
            kept = spared(kept, lambda some: unique(size, every, some), rng, most=TRIES)
        signs = "".join(str(every[cell]) if cell in kept else BLANK for cell in cells)
        return cls(clues=tuple(signs[n : n + size] for n in range(0, size * size, size)))

    def solved(self) -> SearchResult[int]:
        signs = "".join(self.clues)
        size = len(self.clues)
        solution = solve(size, {n: int(sign) for n, sign in enumerate(signs) if sign != BLANK})
        cells = (1 << size * size) - 1
        return SearchResult(
            [on & cells for on in solution.solutions],
            solution.nodes,
            solution.steps,
            solution.complete,
        )

    def canonical(self) -> str:
        return min("\n".join(map("".join, image)) for image in images(self.clues))

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
        example = " ".join((OUTSIDE + INSIDE * 2) * size)[: 2 * size - 1]
        return (
            f"{rules} There is exactly one way to do it.\n\n{text(self.clues)}\n\nAnswer by "
            f"marking the cells that the loop encloses: {size} lines of {size} cells separated by "
            f"spaces, '{INSIDE}' for a cell inside the loop and '{OUTSIDE}' for one outside. (The "
            "loop then runs exactly where an inside cell meets an outside cell or the edge of the "
            f"grid.) A line looks like '{example}'."
        )

    def answer(self) -> str:
        (inside,) = self.solved().solutions
        return picture(inside, len(self.clues), len(self.clues), INSIDE + OUTSIDE)

    def verify(self, answer: str) -> Score:
        size = len(self.clues)
        cells = [sign for row in grid(answer, size, size, INSIDE + OUTSIDE) for sign in row]
        inside = bits(n for n, sign in enumerate(cells) if sign == INSIDE)
        for cell, sign in enumerate("".join(self.clues)):
            many = crossed(inside, cell, size)
            if sign not in (BLANK, str(many)):
                row, column = divmod(cell, size)
                place = f"row {row + 1}, column {column + 1}"
                return Score(0, f"the loop uses {many} sides of the cell in {place}")
        if not inside:
            return Score(0, "there is no loop")
        if not connected(inside, size, size):
            return Score(0, "the cells inside are not in one piece")
        outside = framed(size) | padded(~inside & (1 << size * size) - 1, size)
        if not connected(outside, size + 2, size + 2):
            return Score(0, "a cell outside is cut off from the border")
        return Score(1)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, share=0.9)

    def candidates(self) -> Iterable[str]:
        for cells in product((0, 1), repeat=9):
            yield picture(bits(n for n, on in enumerate(cells) if on), 3, 3, INSIDE + OUTSIDE)
