"""Twiddle, from Simon Tatham's Portable Puzzle Collection: square blocks of tiles are turned.

Shortest plans are found from both ends at once, as Ira Pohl does (1969).
"""

from collections.abc import Iterable
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.bidirectional_search import Board, Turns
from palaestra.generators.cells import COUNTED, text
from palaestra.generators.planning.turn_puzzles import SortingPuzzle, rotations
from palaestra.task import ladder
from palaestra.verifiers.reading.values import joined

cached_rotations = lru_cache(maxsize=32)(rotations)


@lru_cache(maxsize=256)
def shortest(board: Board, columns: int, block: int) -> tuple[str, ...] | None:
    """The fewest turns that sort a board."""
    goal = tuple(sorted(board))
    plan = cached_rotations(len(board) // columns, columns, block).plan(board, goal, budget=40_000)
    return None if plan is None else plan.moves


class Twiddle(SortingPuzzle):
    """Sort the tiles of a board by turning square blocks of them by quarters."""

    tags = {"planning", "search", "spatial"}
    example = "r1c1+, r1c2-"

    class Knobs(SortingPuzzle.Knobs):
        rows: int = ladder(3, 3, 3, 4, 4, 4, low=3, high=5)
        columns: int = ladder(3, 3, 4, 4, 4, 5, low=3, high=5)
        block: int = ladder(2, 2, 2, 3, 2, 2)  # the side of what is turned
        turns: int = ladder(3, 4, 5, 6, 6, 6, high=7)  # that lead away from the goal

    columns: int
    block: int
    turns: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        columns = max(knobs.columns, knobs.block + 1)
        goal = tuple(range(1, knobs.rows * columns + 1))
        puzzle = cached_rotations(knobs.rows, columns, knobs.block)
        board = puzzle.scrambled(rng, goal, knobs.turns)
        return cls(board=board, columns=columns, block=knobs.block, turns=knobs.turns)

    def is_valid(self) -> bool:
        """Whether a plan saves at most one of the turns that scrambled the board."""
        plan = self.search()
        return plan is not None and self.turns - 1 <= len(plan) > 2

    def turns_by_name(self) -> Turns:
        return cached_rotations(len(self.board) // self.columns, self.columns, self.block)

    def width(self) -> int:
        return self.columns

    def search(self) -> tuple[str, ...] | None:
        return shortest(self.board, self.columns, self.block)

    def canonical(self) -> str:
        return repr((self.columns, self.block, self.board))

    def prompt(self) -> str:
        rows, columns, side = len(self.board) // self.columns, self.columns, self.block
        start, goal = (
            text([board[r * columns : (r + 1) * columns] for r in range(rows)])
            for board in (self.board, self.goal())
        )
        task = self.phrase(
            f"Numbered tiles fill a board. A move turns a block of {side} by {side} tiles by a "
            "quarter, as if it were one piece.",
            f"On this board any block of {side} by {side} tiles may be turned by 90 degrees about "
            "its centre, all its tiles together; that is one move.",
        )
        return (
            f"{task} The digits on the tiles stay upright. {COUNTED}. A move is written as the row "
            "and column of the block's top left tile, and + for clockwise or - for "
            f"counterclockwise, as in r1c2+.\n\nStart:\n{start}\n\nGoal:\n{goal}\n\nGet from the "
            f"start to the goal in at most {self.move_limit()} moves. Answer with the moves in "
            "order, such as 'r2c1+, r2c1-, r1c1+'."
        )

    def audit(self, answer: str) -> bool:
        """Cuts out each block, turns it as a matrix, and puts it back."""
        width, side, moves = self.columns, self.block, self.read(answer)
        grid = [list(self.board[n : n + width]) for n in range(0, len(self.board), width)]
        for move in moves:
            top, left = (int(part) - 1 for part in move[1:-1].split("c"))
            cut = [row[left : left + side] for row in grid[top : top + side]]
            turned = zip(*cut[::-1]) if move[-1] == "+" else [*zip(*cut)][::-1]
            for row, part in zip(grid[top:], turned):
                row[left : left + side] = part
        flat = [tile for row in grid for tile in row]
        return flat == sorted(flat) and len(moves) <= len(self.plan())

    def difficulty(self) -> float:
        blocks = (len(self.board) // self.columns - self.block + 1) * (
            self.columns - self.block + 1
        )
        return float((2 * blocks) ** len(self.plan()))

    def shortcuts(self) -> Iterable[str]:
        return [joined(["r1c1+"] * 2), joined(["r1c1-", "r1c2-", "r2c1-"][: len(self.plan())])]
