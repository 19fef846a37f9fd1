"""Distances to the nearest marked cell of a maze, by C. Y. Lee's wave (1961) from all at once."""

from collections.abc import Iterable
from random import Random
from typing import Self

from palaestra import scenes
from palaestra.generators.cells import text
from palaestra.generators.matrices.mosaics import Grid, cells, distances
from palaestra.scenes import Cell, cells_of
from palaestra.scenes.elements import changed
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.matrices import grid_score
from palaestra.verifiers.reading.number_tables import table

LOOKS = {"-1": Cell(fill="dark"), "0": Cell(), "1": Cell("X", fill="t1", fixed=True)}
"""How walls, free cells and marked cells are drawn."""


class DistanceToNearest(Puzzle):
    """For each cell of a grid with walls, count the steps to the nearest marked cell."""

    tags = {"matrices", "graph", "shortest-path", "unique-solution"}
    calculation = True
    answer_type = "matrix"

    class Knobs(Puzzle.Knobs):
        side: int = ladder(4, 5, 6, 7, 9, 12, low=4, high=15)
        marks: int = ladder(1, 2, 2, 2, 3, 3, high=6)
        walls: int = ladder(10, 20, 25, 30, 35, 38, low=0, high=45)  # percent of the cells

    grid: Grid  # 1 is marked, 0 free, -1 a wall

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        side = knobs.side
        walls = knobs.walls / 100
        numbers = [-1 if rng.random() < walls else 0 for _ in range(side * side)]
        for cell in rng.sample(range(side * side), knobs.marks):
            numbers[cell] = 1
        return cls(grid=tuple(tuple(numbers[n * side : (n + 1) * side]) for n in range(side)))

    def is_valid(self) -> bool:
        """Whether most free cells are reached, some of them by a long path."""
        nearest = distances(self.grid, cells(self.grid, lambda n: n == 1))
        free = sum([len(row) - row.count(-1) for row in self.grid])
        return len(nearest) > 0.6 * free and max(nearest.values()) >= len(self.grid) - 1

    def right(self) -> list[list[int]]:
        """The distances, and -1 at walls and at cells that are not connected with a mark."""
        nearest = distances(self.grid, cells(self.grid, lambda n: n == 1))
        side = range(len(self.grid))
        return [[nearest.get((r, c), -1) for c in side] for r in side]

    def prompt(self) -> str:
        task = self.phrase(
            "How many steps is it from each cell of this grid to the nearest X?",
            "For every cell of this grid, find the length of a shortest path to any X.",
        )
        pictured = text([["#.X"[n + 1] for n in row] for row in self.grid])
        row = " ".join(["90", "-1", *map(str, range(91, 91 + len(self.grid) - 2))])
        return (
            f"{task} A step goes up, down, left or right to the next cell, and never onto a wall "
            f"(#).\n\n{pictured}\n\nAnswer with the grid of these numbers, row by row, separated "
            "by spaces: 0 at each X, and -1 at each wall and at each cell from which no X can be "
            f"reached. A row looks like '{row}'."
        )

    def scene(self) -> scenes.Grid:
        return scenes.Grid(cells_of(self.grid, LOOKS))

    def solved_scene(self, answer: str) -> scenes.Grid:
        """The grid with the numbers of an answer, which are in the corner of marked cells."""
        side = len(self.grid)
        rows = table(answer, side, side)

        def filled(cell: Cell, number: int) -> Cell:
            if cell.text:
                return changed(cell, corner=str(number))
            tone = "c5" if cell.fill == "dark" else "accent"
            return changed(cell, text=str(number), tone=tone)

        cells = (tuple(map(filled, *pair)) for pair in zip(self.scene().cells, rows))
        return scenes.Grid(tuple(cells))

    def answer(self) -> str:
        return "\n".join(" ".join(map(str, row)) for row in self.right())

    def verify(self, answer: str) -> Score:
        return grid_score(answer, self.right())

    def difficulty(self) -> float:
        return float(sum(n for row in self.right() for n in row if n > 0))

    def shortcuts(self) -> Iterable[str]:
        """The distances without walls."""
        marks = cells(self.grid, lambda n: n == 1)
        side = range(len(self.grid))
        rows = [
            [
                -1 if self.grid[r][c] == -1 else min(abs(r - i) + abs(c - j) for i, j in marks)
                for c in side
            ]
            for r in side
        ]
        if rows != self.right():
            yield "\n".join(" ".join(map(str, row)) for row in rows)
