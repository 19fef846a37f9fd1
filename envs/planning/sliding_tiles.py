"""Sliding tiles, as in the fifteen puzzle of Noyes Chapman (about 1880), on small boards."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.cells import text
from palaestra.generators.planning.pictures import PicturedPlan, tiles
from palaestra.generators.search import a_star
from palaestra.scenes import Grid
from palaestra.task import ladder
from palaestra.verifiers.planning.plans import Illegal
from palaestra.verifiers.reading.moves import numbers
from palaestra.verifiers.reading.values import joined

Board = tuple[int, ...]


@lru_cache(maxsize=16)
def adjacent(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """For each cell, in reading order, the cells beside it.

    >>> adjacent(2, 2)[0]
    (1, 2)
    """
    return tuple(
        tuple(
            other
            for other in range(rows * columns)
            if abs(other // columns - cell // columns) + abs(other % columns - cell % columns) == 1
        )
        for cell in range(rows * columns)
    )


def slid(board: Board, gap: int, cell: int) -> Board:
    """The board after the tile at a cell slid into the gap.

    >>> slid((1, 0, 2), 1, 2)
    (1, 2, 0)
    """
    new = list(board)
    new[gap], new[cell] = new[cell], 0
    return tuple(new)


@lru_cache(maxsize=256)
def shortest(board: Board, columns: int) -> tuple[int, ...] | None:
    """The fewest tiles to slide, in order, until all are sorted; the search is bounded."""
    beside = adjacent(len(board) // columns, columns)
    far = [
        [
            abs(p // columns - (t - 1) // columns) + abs(p % columns - (t - 1) % columns)
            for p in range(len(board))
        ]
        for t in range(1, len(board))
    ]

    def ways(state: Board) -> Iterator[tuple[int, Board]]:
        gap = state.index(0)
        return ((state[cell], slid(state, gap, cell)) for cell in beside[gap])

    def distance(state: Board) -> float:
        return sum(far[tile - 1][cell] for cell, tile in enumerate(state) if tile)

    plan = a_star(board, ways, distance, budget=10_000)
    return None if plan is None else plan.moves


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
        beside = adjacent(knobs.rows, 3)
        board = (*range(1, 3 * knobs.rows), 0)
        gap, last = len(board) - 1, -1
        for _ in range(knobs.walk + rng.randrange(4)):
            cell = rng.choice([cell for cell in beside[gap] if cell != last])
            board, gap, last = slid(board, gap, cell), cell, gap
        return cls(board=board, spare=knobs.spare)

    def is_valid(self) -> bool:
        plan = self.search()
        return plan is not None and len(plan) > 5

    def search(self) -> tuple[int, ...] | None:
        return shortest(self.board, 3)

    def move_limit(self) -> int:
        return len(self.plan()) + self.spare

    def canonical(self) -> str:
        return repr((self.board, self.spare))

    def prompt(self) -> str:
        rows, size = len(self.board) // 3, len(self.board)
        start, goal = (
            text([["_" if n == 0 else n for n in board[r * 3 : r * 3 + 3]] for r in range(rows)])
            for board in (self.board, (*range(1, size), 0))
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
        return self.picture((*range(1, len(self.board)), 0))

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
        return sum(
            abs(cell // 3 - (tile - 1) // 3) + abs(cell % 3 - (tile - 1) % 3)
            for cell, tile in enumerate(state)
            if tile
        )

    def violation(self, state: Board) -> str:
        goal = (*range(1, len(state)), 0)
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
