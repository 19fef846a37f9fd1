"""Arrow maze, known as Signpost: number the cells so that each arrow points to the next number."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Self

from palaestra.generators.cells import in_rows, text
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.arrow_maze import END, Arrows, pointing, reached, roaming, solve
from palaestra.generators.grids.numbered_paths import NumberedPath, numbered
from palaestra.generators.grids.pencil import SearchResult, revealed
from palaestra.scenes import Grid
from palaestra.scenes.elements import Mark, changed
from palaestra.task import ladder

MARKS: Mapping[str, Mark] = {
    "N": "up", "NE": "up-right", "E": "right", "SE": "down-right",
    "S": "down", "SW": "down-left", "W": "left", "NW": "up-left", END: "",
}  # fmt: skip
"""How arrows are drawn."""


class ArrowMaze(NumberedPath):
    """Number all cells from 1 on so that the arrow of each points towards the next number."""

    version = 3
    tags = {"grid", "path", "constraint-satisfaction", "unique-solution"}
    apart = "the arrow of {} does not point towards {}"

    class Knobs(NumberedPath.Knobs):
        size: int = ladder(3, 4, 4, 5, 5, 6, 6)
        givens: int = ladder(2, 4, 1, 4, 1, 6, 2, low=0, high=9)  # at first; more until unique

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
        first = {0, last, *rng.sample(range(size * size), min(knobs.givens, size * size - 4))}
        shown = {n: path[n] for n in sorted(first)}
        positions = revealed(lambda some: solve(arrows, some), path, shown, rng)
        return cls(arrows=arrows, givens=numbered(positions, size))

    def solved(self) -> SearchResult[tuple[int, ...]]:
        """Up to two solutions, as the cell of each number."""
        return solve(self.arrows, self.positions())

    def alterations(self, rng: Random) -> Iterator[Self]:
        """Two arrows, or two given numbers, change places; no arrow points out of the grid."""
        size = len(self.arrows)
        arrows = [arrow for row in self.arrows for arrow in row]
        numbers = [number for row in self.givens for number in row]

        def group(position: int) -> str | None:
            if position < size * size:
                return None if arrows[position] == END else "arrow"
            number = numbers[position - size * size]
            return "number" if 1 < number < size * size else None

        for signs in exchanges([*arrows, *numbers], rng, group):
            table = tuple(map(tuple, in_rows(signs, size)))
            altered = self.model_copy(update={"arrows": table[:size], "givens": table[size:]})
            pointing_out = [
                arrow != END and not on for arrow, on in zip(signs, reached(table[:size]))
            ]
            if not any(pointing_out):
                yield altered

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

    def picture(self, rows: Sequence[Sequence[int]]) -> Grid:
        """The numbers beside the arrows; the last cell is coloured."""
        board = super().picture(rows)
        cells = (
            tuple(
                changed(cell, mark=MARKS[arrow], fill="t6" if arrow == END else "paper")
                for cell, arrow in zip(row, arrows)
            )
            for row, arrows in zip(board.cells, self.arrows)
        )
        return changed(board, cells=tuple(cells))

    def follows(self, cell: int, after: int) -> bool:
        return bool(reached(self.arrows)[cell] >> after & 1)
