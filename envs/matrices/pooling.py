"""Pooling of windows, as in Kunihiko Fukushima's neocognitron (1980) and its heirs."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from random import Random
from statistics import median_low
from typing import Literal, Self

from palaestra.generators.cells import text
from palaestra.scenes import Border, Cell, Grid, Panels, cells_of
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.matrices import grid_score
from palaestra.verifiers.reading.number_tables import table

Matrix = tuple[tuple[int, ...], ...]
Operation = Literal["largest", "sum", "range", "median"]

POOLS: dict[str, tuple[str, Callable[[list[int]], int]]] = {
    "largest": ("its largest number", max),
    "sum": ("the sum of its numbers", sum),
    "range": ("its largest number minus its smallest number", lambda n: max(n) - min(n)),
    "median": (
        "its median (the middle one when its numbers are sorted; of two middle ones, the smaller)",
        median_low,
    ),
}


@lru_cache(maxsize=256)
def pooled(matrix: Matrix, operation: str, size: int, stride: int) -> Matrix:
    """One number for each window.

    >>> pooled(((1, 2, 3), (4, 5, 6)), "sum", 2, 1)
    ((12, 16),)
    """
    high, wide = len(matrix), len(matrix[0])
    return tuple(
        tuple(
            POOLS[operation][1]([n for row in matrix[r : r + size] for n in row[c : c + size]])
            for c in range(0, wide - size + 1, stride)
        )
        for r in range(0, high - size + 1, stride)
    )


class Pooling(Puzzle):
    """Slide a window over a matrix and write a number for each of its positions."""

    version = 2
    tags = {"matrices", "arithmetic", "unique-solution"}
    calculation = True
    answer_type = "matrix"

    class Knobs(Puzzle.Knobs):
        side: int = ladder(4, 5, 6, 8, 9, 11, low=4, high=14)
        size: int = ladder(2, 2, 3, 2, 3, 4)  # of the window
        stride: int = ladder(2, 1, 1, 1, 1, 1)
        operation: Literal["largest", "sum", "range", "median"] = ladder(
            "largest", "largest", "range", "sum", "median", "median"
        )
        span: int = ladder(20, 20, 50, 50, 99, 99, low=9, high=999)

    matrix: Matrix
    operation: Operation
    size: int
    stride: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        matrix = tuple(
            tuple(rng.randint(-knobs.span // 4, knobs.span) for _ in range(knobs.side))
            for _ in range(knobs.side)
        )
        return cls(matrix=matrix, operation=knobs.operation, size=knobs.size, stride=knobs.stride)

    def right(self) -> Matrix:
        """The numbers of all windows."""
        return pooled(self.matrix, self.operation, self.size, self.stride)

    def prompt(self) -> str:
        side, size, right = len(self.matrix), self.size, self.right()
        rest = ""
        if (side - size) % self.stride:
            rest = " Windows that would reach beyond the matrix are left out."
        task = self.phrase(
            f"A window of {size} by {size} cells slides over this matrix.",
            f"Look at this matrix through a window of {size} by {size} cells.",
        )
        far = "one cell" if self.stride == 1 else f"{self.stride} cells"
        return (
            f"{task} It begins at the top left corner and moves to the right by {far} at a time, "
            f"as long as it lies wholly in the matrix; then it begins at the left edge again, "
            f"{far} further down, and so on.{rest}\n\n{text(self.matrix)}\n\nFor each position of "
            f"the window, write {POOLS[self.operation][0]}. Answer with {len(right)} rows of "
            f"{len(right[0])} numbers, one row for each vertical position of the window, such as "
            f"'{' '.join(str(70 + n) for n in range(len(right[0])))}' for a row."
        )

    def scene(self) -> Grid:
        """The matrix, with the window at its first position."""
        size = self.size
        corners = ((0, 0), (0, size), (size, size), (size, 0), (0, 0))
        return Grid(cells_of(self.matrix), borders=(Border(corners, tone="c3"),))

    def solved_scene(self, answer: str) -> Panels:
        """The matrix, and the numbers of an answer."""
        rows = table(answer, len(self.right()), len(self.right()[0]))
        cells = tuple(tuple(Cell(str(n), tone="accent") for n in row) for row in rows)
        return Panels((self.scene(), Grid(cells)), ("matrix", "answer"))

    def answer(self) -> str:
        return "\n".join(" ".join(map(str, row)) for row in self.right())

    def verify(self, answer: str) -> Score:
        return grid_score(answer, self.right())

    def difficulty(self) -> float:
        return float(len(self.right()) ** 2 * self.size**2)

    def shortcuts(self) -> Iterable[str]:
        wide = len(self.right()[0])
        most = str(max(max(row) for row in self.matrix))
        yield "\n".join([" ".join([most] * wide)] * wide)
        yield "\n".join(" ".join(map(str, row[:wide])) for row in self.matrix[:wide])
