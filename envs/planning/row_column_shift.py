"""A board whose rows and columns go round: the fifteen puzzle's relative on a torus.

Shortest plans are found from both ends at once, as Ira Pohl does (1969).
"""

from collections.abc import Iterable
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.cells import COUNTED, text
from palaestra.generators.planning.bidirectional_search import Board, shifts
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.planning.simulated import simulated, tokens
from palaestra.verifiers.reading.values import joined

turns = lru_cache(maxsize=32)(shifts)


@lru_cache(maxsize=256)
def shortest(board: Board, rows: int) -> tuple[str, ...] | None:
    """The fewest shifts that sort a board."""
    goal = tuple(sorted(board))
    plan = turns(rows, len(board) // rows).plan(board, goal, budget=40_000)
    return None if plan is None else plan.moves


class RowColumnShift(Puzzle):
    """Sort the tiles of a full board by shifting whole rows and columns, which go round."""

    version = 2
    tags = {"planning", "search", "spatial"}

    class Knobs(Puzzle.Knobs):
        rows: int = ladder(2, 3, 3, 3, 4, 4, 4, low=2, high=5)
        columns: int = ladder(5, 3, 4, 4, 4, 4, 5, low=3, high=5)
        shifts: int = ladder(3, 3, 4, 5, 5, 6, 6, high=7)  # that lead away from the goal

    board: Board
    rows: int
    shifts: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        puzzle = turns(knobs.rows, knobs.columns)
        board, last, names = tuple(range(1, knobs.rows * knobs.columns + 1)), "", list(puzzle.act)
        for _ in range(knobs.shifts):
            last = rng.choice([name for name in names if name != puzzle.undo.get(last)])
            board = puzzle.act[last](board)
        return cls(board=board, rows=knobs.rows, shifts=knobs.shifts)

    def is_valid(self) -> bool:
        """Whether no plan is shorter than the one that the board was made by."""
        plan = shortest(self.board, self.rows)
        return plan is not None and len(plan) == self.shifts

    def canonical(self) -> str:
        return repr((self.rows, self.board))

    def prompt(self) -> str:
        rows, columns = self.rows, len(self.board) // self.rows
        start, goal = (
            text([board[r * columns : (r + 1) * columns] for r in range(rows)])
            for board in (self.board, tuple(sorted(self.board)))
        )
        task = self.phrase(
            "Numbered tiles fill a board, and are moved a whole row or column at a time.",
            "The tiles of this board move in whole rows and whole columns only.",
        )
        return (
            f"{task} A move shifts every tile of one row by one place to the left or right, or "
            "every tile of one column by one place up or down; the tile that leaves the board at "
            f"one end comes back in at the other. {COUNTED}. L2 stands for row 2 to the left, R2 "
            "for row 2 to the right, U3 for column 3 up and D3 for column 3 down.\n\nStart:\n"
            f"{start}\n\nGoal:\n{goal}\n\nGet from the start to the goal in at most {self.shifts} "
            "moves. Answer with the moves in order, such as 'D1, U1, L2'."
        )

    def answer(self) -> str:
        plan = shortest(self.board, self.rows)
        assert plan is not None, "a fair board is solved within the budget"
        return joined(plan)

    def read(self, answer: str) -> list[str]:
        """The moves that an answer lists."""
        known = turns(self.rows, len(self.board) // self.rows).act
        return tokens(answer, known, "a list of moves, such as 'R1, U2'")

    def verify(self, answer: str) -> Score:
        act = turns(self.rows, len(self.board) // self.rows).act
        return simulated(
            self.read(answer),
            self.board,
            lambda board, name: act[name](board),
            lambda board: "" if board == tuple(sorted(board)) else "the tiles are not in order",
            self.shifts,
        )

    def audit(self, answer: str) -> bool:
        """Keeps the coordinates of each tile."""
        rows, columns = self.rows, len(self.board) // self.rows
        where = {tile: divmod(place, columns) for place, tile in enumerate(self.board)}
        moves = self.read(answer)
        for way, number in ((name[0], int(name[1:]) - 1) for name in moves):
            along = {"L": -1, "R": 1}.get(way, 0)
            down = {"U": -1, "D": 1}.get(way, 0)
            for tile, (r, c) in where.items():
                if number == (r if along else c):
                    where[tile] = (r + down) % rows, (c + along) % columns
        home = all(where[tile] == divmod(tile - 1, columns) for tile in where)
        return home and len(moves) <= self.shifts

    def difficulty(self) -> float:
        columns = len(self.board) // self.rows
        # In a column of two tiles, up is down.
        return float((2 * self.rows + columns * min(self.rows - 1, 2)) ** self.shifts)

    def shortcuts(self) -> Iterable[str]:
        return [joined(["L1"] * self.shifts), joined(["U1", "L1"] * (self.shifts // 2))]
