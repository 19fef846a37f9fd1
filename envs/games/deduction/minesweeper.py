"""Minesweeper, the game of Robert Donner and Curt Johnson (Microsoft, 1990), without guessing.

On a valid board, a player who considers every arrangement of mines that agrees with the open cells
never has to guess.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from random import Random
from typing import Self

from palaestra.generators.cells import COUNTED, text
from palaestra.generators.minesweeper import COVERED, Board, covered, laid, obvious, opened, swept
from palaestra.scenes import Cell, Grid, cells_of
from palaestra.task import InvalidAnswer, Play, Policy, Score, Task, Turn, ladder
from palaestra.verifiers.reading.cells import cell as read_cell
from palaestra.verifiers.reading.cells import cell_name
from palaestra.verifiers.reading.lead_ins import read_move

_VERB = re.compile(r"\s*+(?:open|reveal|uncover|click)(?![a-z])", re.IGNORECASE)


SIGNS = {COVERED: Cell(fill="muted"), "0": Cell()} | {
    str(n): Cell(str(n), tone=tone)
    for n, tone in enumerate(("c0", "c2", "c3", "c8", "c10", "c9", "ink", "shade"), start=1)
}
"""How the signs of a board are drawn."""


class Minesweeper(Task):
    """Open all cells without a mine, using the counts of neighbouring mines."""

    version = 2
    tags = {"deduction", "grid", "hidden-state"}
    answer_type = "cells"
    hidden = {"mines"}
    baseline_note = (
        "Some boards up to 16 by 16 can be opened from one number at a time, as in the original "
        "game; the expert board of the top level hardly ever can."
    )

    class Knobs(Task.Knobs):
        rows: int = ladder(5, 6, 7, 8, 9, 12, 16, 16, low=4, high=20)
        columns: int = ladder(5, 6, 7, 8, 9, 12, 16, 30, low=4, high=30)
        density: float = ladder(0.2, 0.17, 0.2, 0.2, 0.19, 0.18, 0.18, 0.206, low=0.15, high=0.21)

    board: Board
    """The board with the cells that are open at the start."""

    total: int
    mines: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        total = round(knobs.density * knobs.rows * knobs.columns)
        mines, board = laid(rng, knobs.rows, knobs.columns, total)
        return cls(board=board, total=total, mines=tuple(sorted(mines)))

    def is_valid(self) -> bool:
        """Whether most cells are covered, no move opens most of them, and no guess is necessary."""
        hidden = covered(self.board)
        if 2 * len(hidden) <= len(self.board) * self.columns() or not swept(self.board, self.mines):
            return False
        safe = (cell for cell in hidden if cell not in self.mines)
        return all(self.share(opened(self.board, self.mines, cell)) <= 0.5 for cell in safe)

    def play(self) -> Play:
        board, reward = self.board, 0.0
        last: tuple[tuple[int, int], ...] = ()
        observation = f"{self.rules()}\n\n{text(board)}\n\nYou have {self.turns()} moves."
        for left in reversed(range(self.turns())):
            turn, reward = self.turn(board, observation, reward, left + 1, last), 0.0
            try:
                row, column = read_move(self.read, (yield turn))
            except InvalidAnswer as error:
                observation = f"That is not a move such as 'open r1c2': {error}. {left} moves left."
                continue
            name, before = cell_name(row, column), self.value(board)
            if board[row][column] != COVERED:
                observation = f"{name} is already open. {left} moves left."
                continue
            if row * self.columns() + column in self.mines:
                return Score(0, f"there was a mine at {name}")
            board = opened(board, self.mines, row * self.columns() + column)
            reward, last = self.value(board) - before, ((row, column),)
            if self.share(board) == 1:
                return Score(1)
            observation = f"{name} is safe.\n\n{text(board)}\n\n{left} moves left."
        return Score(0, "the moves ran out before the board was clear")

    def read(self, move: str) -> tuple[int, int]:
        """The cell that a move opens."""
        named = _VERB.sub("", move, count=1)
        return read_cell(named, len(self.board), self.columns(), "open r1c2")

    def turn(
        self,
        board: Board,
        observation: str,
        reward: float,
        left: int,
        last: tuple[tuple[int, int], ...],
    ) -> Turn:
        """The turn that shows a board, with the cell that was opened last."""
        moves, shown = moves_and_text(board)
        return Turn(
            observation,
            reward,
            legal_moves=[*moves],
            state=f"{shown}\n{left} left",
            scene=partial(scene, board, last),
        )

    def columns(self) -> int:
        """The number of columns."""
        return len(self.board[0])

    def turns(self) -> int:
        """The number of moves: one for each safe cell, and a few more."""
        return covered_cells(self.board) - self.total + 5

    def share(self, board: Board) -> float:
        """The share of the safe cells that have been opened since the start."""
        start = covered_cells(self.board)
        return (start - covered_cells(board)) / (start - self.total)

    def value(self, board: Board) -> float:
        """The cube of the share, which is an advance that a lost or a stalled game pays back."""
        return self.share(board) ** 3

    def rules(self) -> str:
        """The rules in words."""
        rows, columns = len(self.board), self.columns()
        return self.phrase(
            f"This is minesweeper on a board of {rows} rows and {columns} columns. {self.total} "
            "cells hide a mine. Open all the others. A digit is an open cell and counts the mines "
            "among the up to eight cells around it; '?' is a covered cell. Opening a mine loses "
            "the game. Opening a cell with a 0 opens the cells around it too, and so on from "
            f"there. You never need to guess. {COUNTED}. A move opens one cell, such as "
            "'open r1c2', which is the cell in row 1, column 2.",
            f"Clear a minefield of {rows} by {columns} cells, {self.total} of which are mined. "
            "'?' is a covered cell; a digit is an open one and gives the number of its neighbours, "
            "horizontally, vertically and diagonally, that are mined. You win when every cell "
            "without a mine is open, and lose when you open one with a mine. The cells around a 0 "
            "are opened for you, and so on from each further 0. Logic is always enough. "
            f"{COUNTED}. A move looks like 'open r1c2', which opens the cell in row 1, column 2.",
        )

    def solve(self) -> Iterator[str]:
        """Open cells that are certainly safe, by the open cells and the number of mines."""
        columns = self.columns()
        return (f"open {cell_name(*divmod(n, columns))}" for n in swept(self.board, self.mines))

    def difficulty(self) -> float:
        return float(len(covered(self.board)))

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """A player who concludes from one number at a time, and else opens any other cell."""

        def move(turn: Turn) -> str:
            board = tuple(row.replace(" ", "") for row in turn.state.splitlines()[:-1])
            certain = obvious(board)
            doubtful = [cell for cell in covered(board) if cell not in certain.mines]
            cell = rng.choice(sorted(certain.safe) or doubtful or covered(board))
            return f"open {cell_name(*divmod(cell, self.columns()))}"

        return {"one number at a time": move}

    def shortcuts(self) -> Iterator[str]:
        for cell in (covered(self.board)[0], covered(self.board)[-1]):
            yield f"open {cell_name(*divmod(cell, self.columns()))}"


@lru_cache(maxsize=256)  # a move that opens nothing leaves the board as it is
def moves_and_text(board: Board) -> tuple[tuple[str, ...], str]:
    """The legal moves of a board, and the board as text."""
    columns = len(board[0])
    moves = tuple(f"open {cell_name(*divmod(cell, columns))}" for cell in covered(board))
    return moves, text(board)


def covered_cells(board: Board) -> int:
    """The number of covered cells."""
    return sum(row.count(COVERED) for row in board)


def scene(board: Board, last: tuple[tuple[int, int], ...] = ()) -> Grid:
    """What there is to see of a board, with a mark on the cell that was opened last."""
    return Grid(cells_of(board, SIGNS), coordinates=True, last=last)
