"""One tile is to reach a cell while others come back to theirs, a step in solving twisty puzzles.

Rows and columns go round, blocks of four turn. Keeping what is solved is done by commutators, such
as David Singmaster's notes on the cube (1979) describe; here search finds the shortest plans.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.cells import COUNTED, text
from palaestra.generators.planning.bidirectional_search import (
    Board,
    Turns,
    rotations,
    shifts,
    shortest_between,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.planning.simulated import simulated, tokens
from palaestra.verifiers.reading.boards import cell_name
from palaestra.verifiers.reading.values import joined


@lru_cache(maxsize=32)
def turns(rows: int, columns: int) -> Turns:
    """The shifts of rows and columns and the turns of blocks of four."""
    lines, blocks = shifts(rows, columns), rotations(rows, columns, 2)
    return Turns({**lines.act, **blocks.act}, {**lines.undo, **blocks.undo})


@lru_cache(maxsize=32)
def leads(rows: int, columns: int) -> dict[str, Board]:
    """For each move, where it carries the tile of each place."""
    board, puzzle = tuple(range(rows * columns)), turns(rows, columns)
    return {name: puzzle.act[puzzle.undo[name]](board) for name in puzzle.act}


@lru_cache(maxsize=256)
def shortest(rows: int, columns: int, start: Board, goal: Board) -> tuple[str, ...] | None:
    """The fewest moves that carry tiles from some places to others."""
    to, undo = leads(rows, columns), turns(rows, columns).undo

    def ways(places: Board) -> Iterator[tuple[str, Board]]:
        return ((name, tuple([there[p] for p in places])) for name, there in to.items())

    def back(places: Board) -> Iterator[tuple[str, Board]]:
        return ((undo[name], before) for name, before in ways(places))

    plan = shortest_between(start, goal, ways, back, budget=20_000)
    return None if plan is None else plan.moves


class TileRotation(Puzzle):
    """Bring one tile to a cell by shifts and turns, with some others back in place in the end."""

    tags = {"planning", "search", "spatial"}

    class Knobs(Puzzle.Knobs):
        rows: int = ladder(3, 3, 3, 4, 4, 4, low=3, high=5)
        columns: int = ladder(3, 3, 4, 4, 4, 5, low=3, high=5)
        fixed: int = ladder(2, 4, 5, 6, 7, 10, low=2)
        moves: int = ladder(2, 3, 3, 3, 4, 4, high=4)  # that a plan has at least

    board: Board
    columns: int
    tile: int
    target: int
    fixed: Board
    moves: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.rows * knobs.columns
        board = tuple(rng.sample(range(1, size + 1), size))
        # Few fixed tiles are never in the way of a long plan.
        fixed = min(max(knobs.fixed, 2 * knobs.moves - 2), size - 3)
        start, target, *kept = rng.sample(range(size), 2 + fixed)
        return cls(
            board=board,
            columns=knobs.columns,
            tile=board[start],
            target=target,
            fixed=tuple(sorted(board[place] for place in kept)),
            moves=knobs.moves,
        )

    def rows(self) -> int:
        """How many rows the board has."""
        return len(self.board) // self.columns

    def ends(self) -> tuple[Board, Board]:
        """The places of the tiles that matter, at the start and in the end."""
        kept = sorted(map(self.board.index, self.fixed))
        return (self.board.index(self.tile), *kept), (self.target, *kept)

    def plan(self) -> tuple[str, ...] | None:
        """A shortest plan."""
        return shortest(self.rows(), self.columns, *self.ends())

    def limit(self) -> int:
        """How many moves there may be."""
        return len(self.plan() or ())

    def is_valid(self) -> bool:
        return self.limit() >= self.moves

    def canonical(self) -> str:
        return repr((self.rows(), self.columns, self.ends()))

    def prompt(self) -> str:
        board = text(
            [self.board[n : n + self.columns] for n in range(0, len(self.board), self.columns)]
        )
        task = self.phrase(
            "Numbered tiles fill a board. A move is one of these:",
            "The tiles of this board are moved several at a time. These are the moves:",
        )
        return (
            f"{task}\n- L1 shifts row 1 to the left by one place, R1 to the right, and the same "
            "for the other rows; the tile that leaves the board comes back in at the other end;\n- "
            "U1 shifts column 1 up by one place, D1 down, and the same for the other columns; the "
            "tile that leaves comes back in at the other end;\n- r1c2+ turns the block of two by "
            "two tiles whose top left cell is row 1, column 2, clockwise by a quarter, r1c2- "
            "counterclockwise, and the same for every other block that fits on the board.\n"
            f"{COUNTED}.\n\n{board}\n\nBring tile {self.tile} to row "
            f"{self.target // self.columns + 1}, column {self.target % self.columns + 1}. In the "
            f"end the tiles {joined(self.fixed)} must be where they are now, though they may move "
            "on the way; where the others end does not matter. Use at most "
            f"{self.limit()} moves. Answer with the moves in order, such as 'D1, U1, r2c1+'."
        )

    def answer(self) -> str:
        return joined(self.plan() or ())

    def read(self, answer: str) -> list[str]:
        """The moves that an answer lists."""
        known = turns(self.rows(), self.columns).act
        return tokens(answer, known, "a list of moves on this board, such as 'L1, r1c1+'")

    def verify(self, answer: str) -> Score:
        act = turns(self.rows(), self.columns).act

        def flaw(board: Board) -> str:
            if board[self.target] != self.tile:
                row, column = divmod(board.index(self.tile), self.columns)
                return f"in the end tile {self.tile} is at {cell_name(row, column)}"
            moved = [tile for tile in self.fixed if board.index(tile) != self.board.index(tile)]
            return f"in the end tile {moved[0]} is not where it was" if moved else ""

        return simulated(
            self.read(answer), self.board, lambda b, name: act[name](b), flaw, self.limit()
        )

    def audit(self, answer: str) -> bool:
        """Follows the coordinates of the tiles that matter."""
        rows, columns, moves = self.rows(), self.columns, self.read(answer)
        spots = [divmod(place, columns) for place in self.ends()[0]]
        for move in moves:
            spots = [_carried(spot, move, rows, columns) for spot in spots]
        return [r * columns + c for r, c in spots] == [*self.ends()[1]] and len(
            moves
        ) <= self.limit()

    def difficulty(self) -> float:
        return float(len(turns(self.rows(), self.columns).act) ** self.moves * len(self.fixed))

    def shortcuts(self) -> Iterable[str]:
        return ["L1, U1", "r1c1+, r1c1+"]


def _carried(spot: tuple[int, int], move: str, rows: int, columns: int) -> tuple[int, int]:
    """Where a move carries the tile of a cell."""
    r, c = spot
    if move[0] in "LRUD":
        number = int(move[1:]) - 1
        if move[0] in "LR":
            return (r, (c + (1 if move[0] == "R" else -1)) % columns) if r == number else spot
        return ((r + (1 if move[0] == "D" else -1)) % rows, c) if c == number else spot
    top, left = (int(part) - 1 for part in move[1:-1].split("c"))
    y, x = r - top, c - left
    if not (0 <= y < 2 and 0 <= x < 2):
        return spot
    return (top + x, left + 1 - y) if move[-1] == "+" else (top + 1 - x, left + y)
