"""Painting a pattern line by line, each stroke over those before: the strange printer, in 2D."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Self

from palaestra.generators.cells import images, text
from palaestra.generators.grids.pattern_copying import (
    BLACK,
    DIRECTIONS,
    WHITE,
    Stroke,
    lines,
    on_line,
    painted,
    plan,
)
from palaestra.scenes import Cell, Grid, Panels, cells_of
from palaestra.scenes.elements import changed
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.moves import orders

LOOKS = {BLACK: Cell(fill="dark"), WHITE: Cell()}
"""How cells are drawn."""


class PatternCopying(Puzzle):
    """Paint whole rows, columns and diagonals in an order that leaves a given black pattern."""

    tags = {"grid", "planning", "search"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        size: int = ladder(4, 5, 6, 7, 8, 9, 11, low=3, high=14)
        strokes: int = ladder(4, 6, 8, 11, 14, 18, 24, low=3, high=40)
        diagonals: bool = ladder(False, False, True)

    board: tuple[str, ...]
    diagonals: bool

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        every = lines(knobs.size, knobs.diagonals)
        chosen = rng.sample(every, min(knobs.strokes, len(every)))
        # Both colours are needed, since the order of strokes of one colour does not matter.
        strokes = [(*line, rng.choice((BLACK, WHITE, BLACK))) for line in chosen]
        return cls(board=painted(strokes, knobs.size), diagonals=knobs.diagonals)

    def is_valid(self) -> bool:
        """Whether the order matters: painting every line that is all black is not enough."""
        strokes = self.planned()
        black = [stroke for stroke in strokes if stroke[2] == BLACK]
        return len(black) < len(strokes) and painted(black, len(self.board)) != self.board

    def planned(self) -> list[Stroke]:
        """Strokes that lead to the pattern."""
        return plan(self.board, self.diagonals)

    def canonical(self) -> str:
        return f"{self.diagonals} {min(images(self.board))}"

    def prompt(self) -> str:
        size, most = len(self.board), len(self.planned())
        what = "row or column, or a whole diagonal," if self.diagonals else "row or column"
        rules = self.phrase(
            f"A board of {size} rows and {size} columns is white at first. A stroke paints a whole "
            f"{what} in one colour, black or white, and covers whatever was painted there before.",
            f"You paint a white board of {size} by {size} cells. With every stroke all cells of "
            f"one {what} get the same colour, black or white, whatever colour they had.",
        )
        diagonals = (
            " There are diagonals of two kinds. Falling ones run down to the right, rising ones up "
            f"to the right. Both are numbered from 1 to {2 * size - 1}: 'falling 1' is the bottom "
            f"left corner alone, 'falling {size}' starts at the top left corner, and 'falling "
            f"{2 * size - 1}' is the top right corner alone; 'rising 1' is the top left corner "
            f"alone, 'rising {size}' starts at the bottom left corner, and 'rising "
            f"{2 * size - 1}' is the bottom right corner alone."
        )
        return (
            f"{rules} Rows are numbered from 1 at the top, columns from 1 at the left."
            f"{diagonals if self.diagonals else ''} Paint this pattern, in which '{BLACK}' is "
            f"black and '{WHITE}' is white, with at most {most} strokes:\n\n{text(self.board)}\n\n"
            "Answer with the strokes in the order in which they are painted, one a line, such as "
            "'row 2 black' or 'column 1 white'."
        )

    def scene(self) -> Grid:
        return self.picture(self.board)

    def solved_scene(self, answer: str) -> Panels:
        """The pattern, and beside it what the strokes paint: each cell has the number of the last
        stroke over it.
        """
        strokes, size = self.read(answer), len(self.board)
        picture = self.picture(painted(strokes, size))
        rows = [[*row] for row in picture.cells]
        for number, stroke in enumerate(strokes, 1):
            for r, c in on_line(stroke[:2], size):
                tone = "c5" if rows[r][c].fill == "dark" else "accent"
                rows[r][c] = changed(rows[r][c], text=str(number), tone=tone)
        after = changed(picture, cells=tuple(map(tuple, rows)))
        return Panels((self.scene(), after), ("pattern", "painted"))

    def picture(self, board: Sequence[str]) -> Grid:
        """The scene of a board, with the number of each line at an end of it.

        Those of falling diagonals come after a backslash, those of rising ones after a slash.
        """
        cells, size = cells_of(board, LOOKS), len(board)
        if not self.diagonals:
            return Grid(cells, coordinates=True)
        return Grid(
            cells,
            left=tuple((str(n + 1),) for n in range(size)),
            top=tuple((f"/{n + 1}", str(n + 1)) for n in range(size)),
            right=tuple(
                (f"\\{2 * size - 1 - n}" if n < size - 1 else "", f"/{size + n}" if n else "")
                for n in range(size)
            ),
            bottom=tuple((f"\\{n + 1}",) for n in range(size)),
        )

    def answer(self) -> str:
        names = {BLACK: "black", WHITE: "white"}
        return "\n".join(
            f"{direction} {n} {names[colour]}" for direction, n, colour in self.planned()
        )

    def read(self, answer: str) -> list[Stroke]:
        """The strokes of an answer."""
        colours = {"black": BLACK, "white": WHITE}
        numbers = [str(n) for n in range(100)]
        what = "each line to be a stroke such as 'row 2 black'"
        strokes = [
            (direction, int(number), colours[colour])
            for direction, number, colour in orders(answer, DIRECTIONS, numbers, colours, what=what)
        ]
        if not {stroke[:2] for stroke in strokes} <= {*lines(len(self.board), self.diagonals)}:
            raise InvalidAnswer("a stroke is along a line that does not exist")
        return strokes

    def verify(self, answer: str) -> Score:
        strokes, most = self.read(answer), len(self.planned())
        if len(strokes) > most:
            return Score(0, f"{len(strokes)} strokes, but at most {most} are allowed")
        board = painted(strokes, len(self.board))
        wrong = sum(a != b for row, also in zip(board, self.board) for a, b in zip(row, also))
        return Score(0, f"{wrong} cells have the wrong colour") if wrong else Score(1)

    def audit(self, answer: str) -> bool:
        """Compare each cell with the last stroke over it."""
        strokes, size = self.read(answer), len(self.board)
        last: dict[tuple[int, int], str] = {}
        for direction, number, colour in reversed(strokes):
            for cell in on_line((direction, number), size):
                last.setdefault(cell, colour)
        cells = ((r, c, sign) for r, row in enumerate(self.board) for c, sign in enumerate(row))
        right = all(last.get((r, c), WHITE) == sign for r, c, sign in cells)
        return right and len(strokes) <= len(self.planned())

    def difficulty(self) -> float | None:
        return len(self.planned()) * len(self.board)

    def shortcuts(self) -> Iterable[str]:
        size = len(self.board)
        full = [n for n, row in enumerate(self.board, 1) if row.count(BLACK) * 2 > size]
        return ["row 1 white", "\n".join(f"row {n} black" for n in full)]
