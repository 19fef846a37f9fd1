"""Paths through all cells of a square, written as the number of each cell: numbrix, arrow maze."""

from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping
from itertools import pairwise
from random import Random
from typing import ClassVar

from palaestra.generators.cells import in_rows, text
from palaestra.generators.grids.pencil import Grid, PermutationGrid, as_grid, by_cell


class NumberedPath(PermutationGrid):
    """Number the cells of a square from 1 on, in the order of a path through all of them.

    A new environment defines its fields; ``follows``, the steps that the path may take; ``apart``;
    ``generate``; ``solved``, whose solutions list the cell of each number; and ``prompt``.
    """

    class Knobs(PermutationGrid.Knobs):
        size: int
        givens: int

    givens: Grid

    apart: ClassVar[str]
    """The reason if a number does not follow another, with ``{}`` for each of the two."""

    @abstractmethod
    def follows(self, cell: int, after: int) -> bool:
        """Whether the path may go from a cell to another."""

    def positions(self) -> dict[int, int]:
        """The cell of each number that is given, both counted from 0."""
        return {number - 1: cell for cell, number in by_cell(self.givens).items()}

    def answer(self) -> str:
        (path,) = self.solved().solutions
        numbers = {cell: number for number, cell in enumerate(path, 1)}
        size = len(self.givens)
        return text(in_rows([numbers[cell] for cell in range(size * size)], size))

    def violation(self, rows: list[list[int]]) -> str:
        return super().violation(rows) or self.false_step([n for row in rows for n in row])

    def false_step(self, numbers: list[int]) -> str:
        """Which number does not follow the one before, if any."""
        cells = {number: cell for cell, number in enumerate(numbers)}
        for number, after in pairwise(sorted(cells)):
            if not self.follows(cells[number], cells[after]):
                return self.apart.format(number, after)
        return ""

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, givens=3)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Walk from number to number, by any allowed step or to the cell with the fewest exits.

        The latter is H. C. von Warnsdorff's rule for knight's tours (1823). Where there is no
        step, the number goes to any free cell.
        """
        size = len(self.givens)
        cells = range(size * size)
        steps = [[after for after in cells if self.follows(cell, after)] for cell in cells]
        clues = self.positions()

        def walked(exits: Callable[[int, Collection[int]], float]) -> list[int]:
            path, free = list[int](), {*cells} - {*clues.values()}
            for number in cells:
                if number in clues:
                    path.append(clues[number])
                    continue
                near = [n for n in steps[path[-1]] if n in free] if path else []
                path.append(min(near or sorted(free), key=lambda cell: exits(cell, free)))
                free.remove(path[-1])
            return path

        players: dict[str, Callable[[int, Collection[int]], float]] = {
            "random step": lambda cell, free: rng.random(),
            "fewest exits first": lambda cell, free: sum(n in free for n in steps[cell]),
        }
        return {
            player: text(numbered(dict(enumerate(walked(exits))), size))
            for player, exits in players.items()
        }


def numbered(cells: Mapping[int, int], size: int) -> Grid:
    """The given numbers of a square from the cells of some numbers, which are counted from 0.

    >>> numbered({0: 3}, 2)
    ((0, 0), (0, 1))
    """
    return as_grid({cell: number + 1 for number, cell in cells.items()}, size, size)
