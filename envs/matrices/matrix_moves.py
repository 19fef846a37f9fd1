"""Turning, mirroring and shifting matrices; Arthur Cayley's transpose (1858) among the moves."""

from collections.abc import Callable
from random import Random
from typing import Literal, Self

from palaestra.generators.cells import text
from palaestra.scenes import Cell, Grid, Panels, cells_of
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.matrices import grid_score
from palaestra.verifiers.reading.number_tables import table
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.rows import compared

Matrix = list[list[int]]
Move = tuple[str, int, int]


def _swapped(rows: Matrix, i: int, j: int) -> Matrix:
    order = list(range(len(rows)))
    order[i], order[j] = order[j], order[i]
    return [rows[n] for n in order]


def _turned(rows: Matrix) -> Matrix:
    return [list(column) for column in zip(*rows)]


MOVES: dict[str, tuple[str, Callable[[Matrix, int, int], Matrix]]] = {
    "right": ("rotate it by a quarter turn clockwise", lambda m, i, j: _turned(m[::-1])),
    "left": ("rotate it by a quarter turn counterclockwise", lambda m, i, j: _turned(m)[::-1]),
    "mirror": ("mirror it left to right", lambda m, i, j: [row[::-1] for row in m]),
    "flip": ("mirror it top to bottom", lambda m, i, j: m[::-1]),
    "transpose": (
        "swap rows and columns (the first row becomes the first column)",
        lambda m, i, j: _turned(m),
    ),
    "down": (
        "shift all rows down by {k} (a row that leaves at the bottom comes back at the top)",
        lambda m, i, j: m[-i - 1 :] + m[: -i - 1],
    ),
    "along": (
        "shift all columns right by {k} (a column that leaves on the right comes back on the left)",
        lambda m, i, j: [row[-i - 1 :] + row[: -i - 1] for row in m],
    ),
    "rows": ("swap rows {k} and {l}", _swapped),
    "columns": ("swap columns {k} and {l}", lambda m, i, j: _turned(_swapped(_turned(m), i, j))),
}
"""What each move is called, and what it does; its numbers count from 0."""


def spiral(rows: Matrix) -> list[int]:
    """The numbers in clockwise order from the top left corner inwards.

    >>> spiral([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    [1, 2, 3, 6, 9, 8, 7, 4, 5]
    """
    row: list[int] = []
    while rows:
        row += rows[0]
        rows = _turned(rows[1:])[::-1]
    return row


class MatrixMoves(Puzzle):
    """Carry out a chain of rotations, mirrorings, shifts and swaps on a matrix."""

    tags = {"matrices", "simulation", "spatial", "unique-solution"}
    calculation = True
    answer_type = "matrix"

    class Knobs(Puzzle.Knobs):
        rows: int = ladder(3, 3, 4, 4, 5, 6, low=2, high=9)
        columns: int = ladder(3, 4, 4, 5, 6, 7, low=2, high=9)
        moves: int = ladder(1, 2, 3, 5, 7, 10, high=20)
        read: Literal["rows", "spiral"] = ladder("rows", "rows", "rows", "spiral")

    matrix: tuple[tuple[int, ...], ...]
    moves: tuple[Move, ...]
    read: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        high, wide = knobs.rows, knobs.columns
        numbers = rng.sample(range(1, 100), high * wide)
        matrix = tuple(tuple(numbers[n * wide : (n + 1) * wide]) for n in range(high))
        moves, names = list[Move](), sorted(MOVES)
        for _ in range(knobs.moves):
            name = rng.choice(names)
            across = name in {"along", "columns"}
            size = wide if across else high
            i, j = sorted(rng.sample(range(size), 2)) if name in {"rows", "columns"} else (0, 0)
            moves.append((name, rng.randrange(size - 1) if name in {"down", "along"} else i, j))
            if name in {"right", "left", "transpose"}:
                high, wide = wide, high
        return cls(matrix=matrix, moves=tuple(moves), read=knobs.read)

    def is_valid(self) -> bool:
        before = [list(row) for row in self.matrix]
        return self.moved() not in (before, before[::-1]) or len(self.moves) == 1

    def moved(self) -> Matrix:
        """The matrix after all moves."""
        rows = [list(row) for row in self.matrix]
        for name, i, j in self.moves:
            rows = MOVES[name][1](rows, i, j)
        return rows

    def prompt(self) -> str:
        moves = "\n".join(
            f"{number}. {MOVES[name][0].format(k=i + 1, l=j + 1)}"
            for number, (name, i, j) in enumerate(self.moves, 1)
        )
        task = self.phrase(
            "Carry out these moves on the matrix, one after the other.",
            "Change this matrix step by step; each step applies to the result of the step before.",
        )
        row = " ".join(str(10 * n) for n in range(1, len(self.moved()[0]) + 1))
        shape = f"Answer with the rows of the resulting matrix, such as '{row}' for a row."
        if self.read == "spiral":
            shape = (
                "Then read the matrix in a spiral: the top row from left to right, the last column "
                "down, the bottom row from right to left, the first column up, and so on inwards "
                "until every number has been read once. Answer with the numbers in this order, "
                "such as '10, 20, 30, 40'."
            )
        return (
            f"{task} Rows count from 1 at the top, columns from 1 at the left.\n\n"
            f"{text(self.matrix)}\n\n{moves}\n\n{shape}"
        )

    def scene(self) -> Grid:
        return Grid(cells_of(self.matrix), coordinates=True)

    def solved_scene(self, answer: str) -> Panels:
        """The matrix before and after the moves; a spiral is laid back into rows."""
        high, wide = len(self.moved()), len(self.moved()[0])
        if self.read == "spiral":
            order = spiral([[*range(n * wide, (n + 1) * wide)] for n in range(high)])
            cells = dict(zip(order, integers(answer)))
            rows = [[str(cells.get(r * wide + c, "")) for c in range(wide)] for r in range(high)]
        else:
            rows = [[*map(str, row)] for row in table(answer, high, wide)]
        after = Grid(cells_of(rows, other=entered), coordinates=True)
        return Panels((self.scene(), after), ("before", "after"))

    def answer(self) -> str:
        if self.read == "spiral":
            return ", ".join(map(str, spiral(self.moved())))
        return "\n".join(" ".join(map(str, row)) for row in self.moved())

    def verify(self, answer: str) -> Score:
        if self.read == "spiral":
            return compared(integers(answer), spiral(self.moved()), "number")
        return grid_score(answer, self.moved())

    def difficulty(self) -> float:
        return float(len(self.matrix) * len(self.matrix[0]) * (len(self.moves) + 1))


def entered(text: str) -> Cell:
    """A cell with a number of an answer."""
    return Cell(text, tone="accent")
