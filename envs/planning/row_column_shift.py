"""A board whose rows and columns are shifted cyclically: the fifteen puzzle on a torus.

Shortest plans are found from both ends at once, as Ira Pohl does (1969).
"""

from collections.abc import Iterable
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.bidirectional_search import Board, Turns
from palaestra.generators.cells import COUNTED, text
from palaestra.generators.planning.turn_puzzles import SortingPuzzle, shifts
from palaestra.task import ladder
from palaestra.verifiers.reading.values import joined

cached_shifts = lru_cache(maxsize=32)(shifts)


@lru_cache(maxsize=256)
def shortest(board: Board, rows: int) -> tuple[str, ...] | None:
    """The fewest shifts that sort a board."""
    goal = tuple(sorted(board))
    plan = cached_shifts(rows, len(board) // rows).plan(board, goal, budget=40_000)
    return None if plan is None else plan.moves


class RowColumnShift(SortingPuzzle):
    """Sort the tiles of a full board by cyclic shifts of whole rows and columns."""

    version = 3
    tags = {"planning", "search", "spatial"}
    example = "R1, U2"

    class Knobs(SortingPuzzle.Knobs):
        rows: int = ladder(2, 3, 3, 3, 4, 4, 5, low=2)
        columns: int = ladder(5, 3, 4, 4, 4, 4, 5, low=3)
        shifts: int = ladder(3, 3, 4, 5, 5, 6, 6, high=7)  # that lead away from the goal

    rows: int
    shifts: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        goal = tuple(range(1, knobs.rows * knobs.columns + 1))
        board = cached_shifts(knobs.rows, knobs.columns).scrambled(rng, goal, knobs.shifts)
        return cls(board=board, rows=knobs.rows, shifts=knobs.shifts)

    def is_valid(self) -> bool:
        """Whether no plan is shorter than the shifts that scrambled the board."""
        plan = self.search()
        return plan is not None and len(plan) == self.shifts

    def turns_by_name(self) -> Turns:
        return cached_shifts(self.rows, len(self.board) // self.rows)

    def width(self) -> int:
        return len(self.board) // self.rows

    def search(self) -> tuple[str, ...] | None:
        return shortest(self.board, self.rows)

    def move_limit(self) -> int:
        return self.shifts

    def canonical(self) -> str:
        return repr((self.rows, self.board))

    def prompt(self) -> str:
        rows, columns = self.rows, len(self.board) // self.rows
        start, goal = (
            text([board[r * columns : (r + 1) * columns] for r in range(rows)])
            for board in (self.board, self.goal())
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

    def audit(self, answer: str) -> bool:
        """Keeps the coordinates of each tile."""
        rows, columns = self.rows, len(self.board) // self.rows
        where = {tile: divmod(cell, columns) for cell, tile in enumerate(self.board)}
        moves = self.read(answer)
        for direction, number in ((name[0], int(name[1:]) - 1) for name in moves):
            along = {"L": -1, "R": 1}.get(direction, 0)
            down = {"U": -1, "D": 1}.get(direction, 0)
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
