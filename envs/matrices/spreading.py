"""A fire that spreads over a grid, at each cell in its own time, by E. W. Dijkstra (1959)."""

from collections.abc import Iterable
from random import Random
from typing import Self

from palaestra import scenes
from palaestra.generators.cells import COUNTED, text
from palaestra.generators.matrices.mosaics import Cell, Grid, arrivals, distances
from palaestra.scenes.elements import changed
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.cells import cell_name
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.rows import compared


class Spreading(Puzzle):
    """Find when a fire that starts in several cells at once reaches some cells, and all of them."""

    version = 2
    tags = {"matrices", "graph", "shortest-path", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        side: int = ladder(4, 4, 5, 6, 8, 10, low=4, high=14)
        slow: int = ladder(2, 4, 6, 9, 9, 9)  # minutes that a cell takes to catch fire, at most
        rocks: int = ladder(10, 12, 15, 20, 25, 25, low=0, high=35)  # percent of the cells
        targets: int = ladder(3, 3, 4, 4, 5, 6, low=2)

    grid: Grid
    starts: tuple[Cell, ...]
    targets: tuple[Cell, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        side = range(knobs.side)
        rows = [
            [-1 if rng.random() < knobs.rocks / 100 else rng.randint(1, knobs.slow) for _ in side]
            for _ in side
        ]
        cells = rng.sample([(r, c) for r in side for c in side], 2 + knobs.targets)
        for r, c in cells:
            rows[r][c] = rng.randint(1, knobs.slow)
        starts = tuple(sorted(cells[:2]))
        return cls(grid=tuple(map(tuple, rows)), starts=starts, targets=tuple(sorted(cells[2:])))

    def is_valid(self) -> bool:
        """Whether all cells asked for are reached, not all at once, and some by a longer path."""
        times, steps = self.times(), distances(self.grid, self.starts)
        if not set(self.targets) <= set(times):
            return False
        return len({times[cell] for cell in self.targets}) > 1 and max(steps.values()) > 2

    def times(self) -> dict[Cell, int]:
        """When each cell that is reached catches fire."""
        return arrivals(self.grid, self.starts)

    def right(self) -> list[int]:
        """When the cells asked for catch fire, and the last of all."""
        times = self.times()
        return [*(times[cell] for cell in self.targets), max(times.values())]

    def prompt(self) -> str:
        task = self.phrase(
            "A fire spreads over this grid.", "Cells of this grid catch fire from one another."
        )
        pictured = text([["#" if n == -1 else n for n in row] for row in self.grid])
        starts = " and ".join(cell_name(*cell) for cell in self.starts)
        cells = ", ".join(cell_name(*cell) for cell in self.targets)
        return (
            f"{task} A cell with the number n catches fire n minutes after the first of its "
            "neighbours (above, below, left, right) is on fire. Cells marked # are rocks and "
            f"never burn. {COUNTED}: r2c5 is in row 2 and column 5. At minute 0 the cells {starts} "
            f"are on fire, whatever their numbers.\n\n{pictured}\n\nAt which minute does each of "
            f"these cells catch fire: {cells}? And at which minute does the last cell that ever "
            f"burns catch fire? Answer with {len(self.targets) + 1} numbers in this order, such as "
            f"'{', '.join(str(90 + n) for n in range(len(self.targets) + 1))}'."
        )

    def scene(self) -> scenes.Grid:
        """The grid, with the cells that are on fire at first and those whose times are wanted."""

        def square(cell: Cell, number: int) -> scenes.Cell:
            if number == -1:
                return scenes.Cell(fill="dark")
            if cell in self.starts:
                return scenes.Cell(str(number), "c1", corner="fire")
            if cell in self.targets:
                return scenes.Cell(str(number), "t5", corner="?")
            return scenes.Cell(str(number))

        cells = (
            tuple(square((r, c), n) for c, n in enumerate(row)) for r, row in enumerate(self.grid)
        )
        return scenes.Grid(tuple(cells), coordinates=True)

    def solved_scene(self, answer: str) -> scenes.Panels:
        """The grid with the minutes of an answer, beside which the numbers of the cells are in the
        corner, and the last minute above it.
        """
        *minutes, last = integers(answer, len(self.targets) + 1)
        board = self.scene()
        rows = [[*row] for row in board.cells]
        for (r, c), minute in zip(self.targets, minutes):
            rows[r][c] = changed(
                rows[r][c], text=str(minute), tone="accent", corner=rows[r][c].text
            )
        grid = changed(board, cells=tuple(map(tuple, rows)))
        return scenes.Panels((grid,), (f"the last cell: minute {last}",))

    def answer(self) -> str:
        return ", ".join(map(str, self.right()))

    def verify(self, answer: str) -> Score:
        return compared(integers(answer, len(self.targets) + 1), self.right(), "number")

    def difficulty(self) -> float:
        return float(len(self.times()) * max(self.times().values()))

    def shortcuts(self) -> Iterable[str]:
        """The times if every cell took one minute."""
        steps = distances(self.grid, self.starts)
        times = [*(steps[cell] for cell in self.targets), max(steps.values())]
        if times != self.right():
            yield ", ".join(map(str, times))
