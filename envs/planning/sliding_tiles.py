"""Sliding tiles, as in the fifteen puzzle of Noyes Chapman (about 1880), on small boards."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Self

from palaestra.generators.cells import text
from palaestra.generators.planning.pictures import PicturedPlan, tiles
from palaestra.generators.sliding_tiles import (
    Board,
    adjacent,
    in_order,
    rows_and_columns,
    shortest,
    slid,
    walked,
)
from palaestra.scenes import Grid
from palaestra.task import ladder
from palaestra.verifiers.planning.plans import Illegal
from palaestra.verifiers.reading.moves import numbers
from palaestra.verifiers.reading.values import joined


class SlidingTiles(PicturedPlan):
    """Sort the tiles of a board by sliding them into its gap, in few moves."""

    version = 2
    tags = {"planning", "search", "spatial"}

    class Knobs(PicturedPlan.Knobs):
        rows: int = ladder(2, 2, 3, 3, 3, 4)
        walk: int = ladder(12, 25, 14, 20, 36, 44, low=8, high=80)  # slides away from the goal
        spare: int = ladder(4, 4, 4, 4, 2, 0)  # moves that a plan may have more than the shortest

    board: Board
    spare: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        board = walked(rng, knobs.rows, 3, knobs.walk + rng.randrange(4))
        return cls(board=board, spare=knobs.spare)

    def is_valid(self) -> bool:
        plan = self.search()
        return plan is not None and len(plan) > 5

    def search(self) -> tuple[int, ...] | None:
        plan = shortest(self.board, 3)
        return None if plan is None else plan.moves

    def move_limit(self) -> int:
        return len(self.plan()) + self.spare

    def canonical(self) -> str:
        return repr((self.board, self.spare))

    def prompt(self) -> str:
        rows = len(self.board) // 3
        start, goal = (
            text([["_" if n == 0 else n for n in board[r * 3 : r * 3 + 3]] for r in range(rows)])
            for board in (self.board, in_order(rows, 3))
        )
        task = self.phrase(
            "Numbered tiles lie on a board with one gap (_).",
            "This board is full of tiles except for one place, the gap, which is marked _.",
        )
        return (
            f"{task} A move slides a tile that is directly above, below, to the left or to the "
            "right of the gap into it, so that the gap is then where the tile was.\n\nStart:\n"
            f"{start}\n\nGoal:\n{goal}\n\nGet from the start to the goal in at most "
            f"{self.move_limit()} moves. Answer with the numbers of the tiles that are moved, in "
            "order, such as '5, 2, 1, 4'."
        )

    def picture(self, state: Board) -> Grid:
        return tiles(state, 3, coordinates=False)

    def goal_picture(self) -> Grid:
        return self.picture(in_order(len(self.board) // 3, 3))

    def read(self, answer: str) -> list[int]:
        return numbers(answer, "a list of tiles, such as '5, 2, 1, 4'")

    def as_text(self, moves: Sequence[int]) -> str:
        return joined(moves)

    def initial(self) -> Board:
        return self.board

    def after(self, state: Board, move: int) -> Board:
        gap = state.index(0)
        for cell in adjacent(len(state) // 3, 3)[gap]:
            if state[cell] == move:
                return slid(state, gap, cell)
        raise Illegal("the tile is not beside the gap")

    def moves_from(self, state: Board) -> Iterable[int]:
        return [state[cell] for cell in adjacent(len(state) // 3, 3)[state.index(0)]]

    def distance(self, state: Board) -> float:
        """The rows and columns between the tiles and their cells in the goal."""
        return rows_and_columns(state, 3)

    def violation(self, state: Board) -> str:
        goal = in_order(len(state) // 3, 3)
        return "" if state == goal else "the tiles are not in the order of the goal in the end"

    def audit(self, answer: str) -> bool:
        """Keeps the coordinates of the tiles."""
        where = {tile: divmod(cell, 3) for cell, tile in enumerate(self.board)}
        tiles = self.read(answer)
        for tile in tiles:
            if tile not in where or sum(abs(a - b) for a, b in zip(where[tile], where[0])) != 1:
                return False
            where[tile], where[0] = where[0], where[tile]
        home = all(where[tile] == divmod(tile - 1, 3) for tile in where if tile)
        return home and len(tiles) <= self.move_limit()

    def difficulty(self) -> float:
        return float(len(self.plan()) * len(self.board))

    def shortcuts(self) -> Iterable[str]:
        yield joined(range(1, len(self.board)))
