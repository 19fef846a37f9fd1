"""Reading a minesweeper board (the game is by Robert Donner and Curt Johnson, Microsoft, 1990).

Whether a board is consistent is NP-complete, as Richard Kaye showed (2000); on these, up to the
expert board, all placements can still be counted.
"""

from collections.abc import Iterable, Mapping
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.cells import COUNTED, images, in_rows, text
from palaestra.generators.minesweeper import (
    COVERED,
    Board,
    Certain,
    certain,
    covered,
    laid,
    obvious,
    opened,
    refuted,
)
from palaestra.scenes import Cell, Grid, Panels, cells_of
from palaestra.scenes.elements import changed
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.cells import cell_name, cells
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.values import joined

LOOKS = {COVERED: Cell(fill="muted"), "0": Cell()} | {
    str(n): Cell(str(n), tone=tone)
    for n, tone in enumerate(("c0", "c2", "c3", "c4", "c7", "c11", "ink", "shade"), start=1)
}
"""How the signs of a board are drawn."""


class MinesweeperDeduction(Puzzle):
    """Find the covered cells of a minesweeper board that are certainly mines or certainly safe."""

    version = 4
    tags = {"grid", "deduction", "unique-solution"}
    answer_type = "cells"

    class Knobs(Puzzle.Knobs):
        rows: int = ladder(5, 6, 6, 7, 10, 12, 16, 16, low=3)
        columns: int = ladder(5, 6, 6, 7, 10, 12, 16, 30, low=3)
        # the top level is the expert board, with 99 mines
        density: float = ladder(0.16, 0.18, 0.2, 0.2, 0.2, 0.2, 0.21, 0.206, low=0.15, high=0.25)
        total_shown: bool = ladder(False, False, True)  # how many mines there are in all
        deep: bool = ladder(False, False, False, True)  # one number at a time is not enough

    board: Board
    total: int | None
    deep: bool

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        area = knobs.rows * knobs.columns
        total = round(knobs.density * area)
        mines, board = laid(rng, knobs.rows, knobs.columns, total)
        while True:
            hidden, safe = covered(board), sorted(obvious(board).safe)
            far = len(hidden) < 0.6 * area
            if far and (not safe or (not knobs.deep and rng.random() < 0.3)):
                break
            guess = [cell for cell in hidden if cell not in mines]  # a lucky one
            board = opened(board, mines, rng.choice(safe or guess))
        deep = knobs.deep and area > 16  # smaller boards are hardly ever that hard
        return cls(board=board, total=total if knobs.total_shown else None, deep=deep)

    def is_valid(self) -> bool:
        forced = self.certain()
        beyond = (forced.mines | forced.safe) - self.easy()
        return min(len(forced.mines), len(forced.safe)) > 0 and (bool(beyond) or not self.deep)

    def certain(self) -> Certain:
        """What follows from the board."""
        return certain(self.board, self.total)

    def easy(self) -> frozenset[int]:
        """The certain cells that follow from one number at a time."""
        squares = obvious(self.board)
        return squares.mines | squares.safe

    def canonical(self) -> str:
        square = len(self.board) == len(self.board[0])
        pictures = ("\n".join(map("".join, image)) for image in images(self.board, turned=square))
        return f"{self.total}\n{min(pictures)}"

    def prompt(self) -> str:
        many = "" if self.total is None else f" There are {self.total} mines in all."
        rules = self.phrase(
            "Here is a minesweeper board in the middle of a game. A digit is an open cell, which "
            "is not a mine; it gives the number of mines among the up to eight cells around it. A "
            "question mark is a covered cell, which may or may not be a mine.",
            "In the grid below some cells hide mines. Open cells hold no mine and show a digit: "
            "the number of mines among their neighbours across, down and diagonally. Covered cells "
            "are shown as '?'.",
        )
        return (
            f"{rules}{many} {COUNTED}: r1c2 is the cell in row 1, column 2.\n\n{text(self.board)}"
            "\n\nWhich covered cells are mines in every arrangement of mines that agrees with "
            f"{'the digits' if self.total is None else 'the digits and the number of mines'}, and "
            "which are mines in none of them? List all of both kinds, wherever they are on the "
            "board, and leave out every cell that may be either. Answer with two lines, such as:\n"
            "'mines: r1c2, r4c1'\n'safe: r3c3'"
        )

    def scene(self) -> Grid | Panels:
        return self.picture({})

    def solved_scene(self, answer: str) -> Grid | Panels:
        """The board with a flag on each cell listed as a mine and a dot on each one listed as safe;
        a cross is on a cell that is listed as both.
        """
        mines, safe = self.read(answer)
        marks = dict.fromkeys(mines, "flag") | dict.fromkeys(safe, "dot")
        marks |= dict.fromkeys(mines & safe, "cross")
        return self.picture(marks)

    def picture(self, marks: Mapping[int, str]) -> Grid | Panels:
        """The scene of the board with these marks, below the number of mines if it is known."""
        cells = [cell for row in cells_of(self.board, LOOKS) for cell in row]
        for n, mark in marks.items():
            tone = "bad" if mark == "cross" else "accent"
            cells[n] = changed(cells[n], mark=mark, tone=tone)
        rows = tuple(map(tuple, in_rows(cells, len(self.board[0]))))
        board = Grid(rows, coordinates=True)
        return board if self.total is None else Panels((board,), (f"mines: {self.total}",))

    def answer(self) -> str:
        forced = self.certain()
        return self.written(forced.mines, forced.safe)

    def written(self, mines: Iterable[int], safe: Iterable[int]) -> str:
        """Cells as an answer."""
        wide = len(self.board[0])
        lines = (
            f"{label}: {joined([cell_name(*divmod(n, wide)) for n in sorted(some)]) or 'none'}"
            for label, some in (("mines", mines), ("safe", safe))
        )
        return "\n".join(lines)

    def read(self, answer: str) -> tuple[set[int], set[int]]:
        """The mines and the safe cells of an answer."""
        high, wide = len(self.board), len(self.board[0])
        lines = pairs(answer, names=["mines", "safe"])
        mines, safe = (
            {row * wide + column for row, column in cells(lines[label], high, wide)}
            for label in ("mines", "safe")
        )
        return mines, safe

    def verify(self, answer: str) -> Score:
        mines, safe = self.read(answer)
        forced = self.certain()
        wide = len(self.board[0])
        for label, marked, right in (("a mine", mines, forced.mines), ("safe", safe, forced.safe)):
            for cell in sorted(marked - right):
                name = cell_name(*divmod(cell, wide))
                return Score(0, f"{name} is listed, but is not a covered cell that must be {label}")
        if mines == forced.mines and safe == forced.safe:
            return Score(1, parts={"progress": 1})
        wanted = (forced.mines | forced.safe) - (self.easy() if self.deep else set())
        share = len(wanted & (mines | safe)) / len(wanted)
        return Score(
            share / 2,
            "the listed cells are certain, but some certain cells are missing",
            {"progress": len(mines | safe) / len(forced.mines | forced.safe)},
        )

    def audit(self, answer: str) -> bool:
        mines, safe = self.read(answer)
        return Certain(frozenset(mines), frozenset(safe)) == refuted(self.board, self.total)

    def difficulty(self) -> float:
        forced = self.certain()
        beyond = (forced.mines | forced.safe) - self.easy()
        return float(len(covered(self.board)) + 5 * len(beyond))

    def shortcuts(self) -> Iterable[str]:
        hidden = covered(self.board)
        easy = obvious(self.board)
        yield self.written(hidden, [])
        yield self.written([], hidden)
        yield self.written([], [])
        yield self.written(hidden[:1], [])
        yield self.written([], hidden[-1:])
        if self.deep:
            yield self.written(easy.mines, easy.safe)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(rows=3, columns=3, density=0.2, total_shown=True)

    def candidates(self) -> Iterable[str]:
        hidden = covered(self.board)
        for states in product((0, 1, 2), repeat=len(hidden)):
            sorts = [[c for c, state in zip(hidden, states) if state == n] for n in (1, 2)]
            yield self.written(*sorts)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Conclude from one number at a time."""
        squares = obvious(self.board)
        return {"one number at a time": self.written(squares.mines, squares.safe)}
