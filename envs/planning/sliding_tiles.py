"""Sliding tiles, as in the fifteen puzzle of Noyes Chapman (about 1880), on small boards."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.cells import text
from palaestra.generators.search import a_star
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.values import integers, joined

Board = tuple[int, ...]


@lru_cache(maxsize=16)
def around(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """For each place, in reading order, the places beside it.

    >>> around(2, 2)[0]
    (1, 2)
    """
    return tuple(
        tuple(
            other
            for other in range(rows * columns)
            if abs(other // columns - place // columns) + abs(other % columns - place % columns)
            == 1
        )
        for place in range(rows * columns)
    )


def slid(board: Board, gap: int, place: int) -> Board:
    """A board on which the tile at a place went into the gap.

    >>> slid((1, 0, 2), 1, 2)
    (1, 2, 0)
    """
    new = list(board)
    new[gap], new[place] = new[place], 0
    return tuple(new)


@lru_cache(maxsize=256)
def shortest(board: Board, columns: int) -> tuple[int, ...] | None:
    """The fewest tiles to slide, in order, until all are sorted; the search is bounded."""
    beside = around(len(board) // columns, columns)
    far = [
        [
            abs(p // columns - (t - 1) // columns) + abs(p % columns - (t - 1) % columns)
            for p in range(len(board))
        ]
        for t in range(1, len(board))
    ]

    def ways(state: Board) -> Iterator[tuple[int, Board]]:
        gap = state.index(0)
        return ((state[place], slid(state, gap, place)) for place in beside[gap])

    def distance(state: Board) -> float:
        return sum(far[tile - 1][place] for place, tile in enumerate(state) if tile)

    plan = a_star(board, ways, distance, budget=3_000)
    return None if plan is None else plan.moves


class SlidingTiles(Puzzle):
    """Sort the tiles of a board by sliding them into its gap, in few moves."""

    tags = {"planning", "search", "spatial"}

    class Knobs(Puzzle.Knobs):
        rows: int = ladder(2, 2, 3, 3, 3, 3)
        walk: int = ladder(12, 25, 14, 22, 32, 50, low=8, high=80)  # slides away from the goal
        spare: int = ladder(4, 4, 4, 4, 2, 0)  # moves that a plan may have more than the shortest

    board: Board
    spare: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        beside = around(knobs.rows, 3)
        board = (*range(1, 3 * knobs.rows), 0)
        gap, last = len(board) - 1, -1
        for _ in range(knobs.walk + rng.randrange(4)):
            place = rng.choice([place for place in beside[gap] if place != last])
            board, gap, last = slid(board, gap, place), place, gap
        return cls(board=board, spare=knobs.spare)

    def is_valid(self) -> bool:
        plan = shortest(self.board, 3)
        return plan is not None and len(plan) > 5

    def plan(self) -> tuple[int, ...]:
        """A shortest plan."""
        solution = shortest(self.board, 3)
        assert solution is not None, "a fair board is solved within the budget"
        return solution

    def limit(self) -> int:
        """How many moves there may be."""
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
            f"{start}\n\nGoal:\n{goal}\n\nGet from the start to the goal in at most {self.limit()} "
            "moves. Answer with the numbers of the tiles that are moved, in order, such as "
            "'5, 2, 1, 4'."
        )

    def answer(self) -> str:
        return joined(self.plan())

    def verify(self, answer: str) -> Score:
        tiles = integers(answer, what="a list of tiles")
        if len(tiles) > self.limit():
            return Score(0, f"{len(tiles)} moves are more than {self.limit()}")
        board, beside = self.board, around(len(self.board) // 3, 3)
        for number, tile in enumerate(tiles, 1):
            gap = board.index(0)
            place = next((place for place in beside[gap] if board[place] == tile), None)
            if place is None:
                return Score(0, f"in move {number}, the tile is not beside the gap")
            board = slid(board, gap, place)
        if board != (*range(1, len(board)), 0):
            return Score(0, "the tiles are not in the order of the goal in the end")
        return Score(1)

    def audit(self, answer: str) -> bool:
        """Keeps the coordinates of the tiles."""
        where = {tile: divmod(place, 3) for place, tile in enumerate(self.board)}
        tiles = [int(tile) for tile in answer.replace(",", " ").split()]
        for tile in tiles:
            if tile not in where or sum(abs(a - b) for a, b in zip(where[tile], where[0])) != 1:
                return False
            where[tile], where[0] = where[0], where[tile]
        home = all(where[tile] == divmod(tile - 1, 3) for tile in where if tile)
        return home and len(tiles) <= self.limit()

    def difficulty(self) -> float:
        return float(len(self.plan()) * len(self.board))

    def shortcuts(self) -> Iterable[str]:
        yield joined(range(1, len(self.board)))
