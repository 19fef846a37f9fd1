"""Arrow maze, known as Signpost: number the cells so that each arrow points to the next number."""

from itertools import pairwise
from random import Random
from typing import Self

from palaestra.generators.cells import in_rows, text
from palaestra.generators.grids.arrow_maze import END, Arrows, pointing, reached, roaming, solve
from palaestra.generators.grids.numbered_paths import NumberedPath, numbered
from palaestra.generators.grids.pencil import SearchResult, revealed
from palaestra.task import ladder


class ArrowMaze(NumberedPath):
    """Number all cells from 1 on so that the arrow of each points towards the next number."""

    version = 2
    tags = {"grid", "path", "constraint-satisfaction", "unique-solution"}
    apart = "the arrow of {} does not point towards {}"

    class Knobs(NumberedPath.Knobs):
        size: int = ladder(3, 4, 4, 5, 5, 6, 6)
        given: int = ladder(2, 4, 1, 4, 1, 6, 2, low=0, high=9)  # at first; more until unique

    arrows: Arrows

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size, path = knobs.size, None
        while path is None:
            path = roaming(rng, size)
        flat = [END] * (size * size)
        for cell, after in pairwise(path):
            flat[cell] = pointing(cell, after, size)
        arrows = tuple(map(tuple, in_rows(flat, size)))
        last = size * size - 1
        first = {0, last, *rng.sample(range(size * size), min(knobs.given, size * size - 4))}
        shown = {n: path[n] for n in sorted(first)}
        positions = revealed(lambda some: solve(arrows, some), path, shown, rng)
        return cls(arrows=arrows, givens=numbered(positions, size))

    def solved(self) -> SearchResult[tuple[int, ...]]:
        """Up to two solutions, as the cell of each number."""
        return solve(self.arrows, self.positions())

    def prompt(self) -> str:
        size = len(self.arrows)
        last = size * size
        rules = self.phrase(
            f"Number the cells of this {size} by {size} grid from 1 to {last}, each number once, "
            "so that the arrow in the cell of 1 points towards the cell of 2, that of 2 towards "
            f"that of 3, and so on up to {last}. The next number may be any distance away along "
            "the direction of the arrow, with other cells between.",
            f"A walk visits all {last} cells of a {size} by {size} grid, each exactly once. From "
            "every cell it moves in the direction of the cell's arrow, to the next cell or to one "
            "further on in that straight line; it may jump over cells, visited or not. Number the "
            f"cells from 1 to {last} in the order in which they are visited.",
        )
        return (
            f"{rules} Arrows are written as points of the compass, with north (N) at the top: NE "
            f"is up and to the right, SW down and to the left; '{END}' is the last cell, which has "
            "no arrow. The second grid has the given numbers, with dots for the others. There is "
            f"exactly one way to do it.\n\nArrows:\n{text(self.arrows)}\n\nGiven numbers:\n"
            f"{self.board()}\n\n{self.answer_format(range(2, 2 * size + 2, 2))}"
        )

    def follows(self, cell: int, after: int) -> bool:
        return bool(reached(self.arrows)[cell] >> after & 1)
