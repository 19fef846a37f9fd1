"""The rules of swapping neighbouring tiles into lines of equal ones, which vanish under gravity."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from palaestra.generators.games.solo import SoloRules
from palaestra.generators.search import Plan
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cells import cell_name, cell_pair
from palaestra.verifiers.reading.values import plain

LETTERS = ".ABCDEF"
"""The sign of an empty cell, and those of tiles."""

LINE = 3
"""The number of equal tiles in a line that vanish."""

_SWAP = re.compile(r"(?:i |i'll |i will |my move(?: is)?:? |let us |let's )?(?:swap |exchange )?", re.I)

Board = tuple[int, ...]
"""The tile of each cell, row by row; 0 is an empty cell."""

Move = tuple[int, int]
"""Two neighbouring cells, the upper or left one first."""


@dataclass(frozen=True)
class TileSwapping(SoloRules[Board, Move]):
    """Remove a number of tiles from a board without new ones."""

    height: int
    width: int
    goal: int
    """The number of tiles to remove."""

    def legal(self, state: Board) -> Sequence[Move]:
        return [move for move in pairs(self.height, self.width) if self._matches(state, move)]

    def _matches(self, state: Board, move: Move) -> bool:
        one, other = move
        if not state[one] or not state[other] or state[one] == state[other]:
            return False
        board = list(state)
        board[one], board[other] = board[other], board[one]
        through = lines_through(self.height, self.width)
        return any(
            board[a] == board[b] == board[c] for cell in move for a, b, c in through[cell]
        )

    def apply(self, state: Board, move: Move) -> Board:
        board = list(state)
        one, other = move
        board[one], board[other] = board[other], board[one]
        while matched := self.matched(board):
            for cell in matched:
                board[cell] = 0
            self._fall(board)
        return tuple(board)

    def matched(self, board: Sequence[int]) -> set[int]:
        """The cells of all lines of equal tiles."""
        return {
            cell
            for line in lines(self.height, self.width)
            if board[line[0]] and board[line[0]] == board[line[1]] == board[line[2]]
            for cell in line
        }

    def _fall(self, board: list[int]) -> None:
        for column in range(self.width):
            tiles = [tile for tile in board[column :: self.width] if tile]
            board[column :: self.width] = [0] * (self.height - len(tiles)) + tiles

    def left(self, state: Board) -> int:
        """The number of tiles on the board."""
        return len(state) - state.count(0)

    def distance(self, state: Board) -> float:
        """The number of tiles that are still to be removed."""
        return float(max(0, self.goal - state.count(0)))

    def judgement(self, state: Board) -> float:
        """Few tiles, and then many moves."""
        return state.count(0) + 0.05 * len(self.legal(state))

    def name(self, state: Board, move: Move) -> str:
        one, other = (cell_name(*divmod(cell, self.width)) for cell in move)
        return f"{one}-{other}"

    def read(self, state: Board, text: str) -> Move:
        body = _SWAP.sub("", plain(text).strip(" .!"), count=1).replace(" with ", " and ")
        cells = cell_pair(body, self.height, self.width, "r1c2-r1c3")
        one, other = sorted(row * self.width + column for row, column in cells)
        if (one, other) not in pairs(self.height, self.width):
            raise InvalidAnswer("the two cells are not neighbours")
        if (one, other) not in self.legal(state):
            raise InvalidAnswer("this swap makes no line of three equal tiles")
        return one, other

    def show(self, state: Board) -> str:
        numbers = " ".join(str(n + 1) for n in range(self.width))
        rows = (state[n : n + self.width] for n in range(0, len(state), self.width))
        lines = [
            f"{n} {' '.join(LETTERS[tile] for tile in row)}" for n, row in enumerate(rows, 1)
        ]
        removed = f"Tiles removed so far: {state.count(0)} of {self.goal}"
        return "\n".join([f"  {numbers}", *lines, "", removed])

    def scene(self, state: Board) -> Grid:
        cells = [Cell(fill="muted"), *(Cell(sign, fill=f"t{n}") for n, sign in enumerate("ABCDEF"))]
        return Grid(
            tuple(
                tuple(cells[tile] for tile in state[n : n + self.width])
                for n in range(0, len(state), self.width)
            ),
            coordinates=True,
        )


@lru_cache(maxsize=64)
def pairs(height: int, width: int) -> tuple[Move, ...]:
    """All pairs of neighbouring cells."""
    cells = range(height * width)
    beside = [(cell, cell + 1) for cell in cells if cell % width < width - 1]
    below = [(cell, cell + width) for cell in cells if cell + width < height * width]
    return tuple(sorted(beside + below))


@lru_cache(maxsize=64)
def lines(height: int, width: int) -> tuple[tuple[int, int, int], ...]:
    """All lines of three cells, in rows and columns."""
    return tuple(_lines(height, width))


def _lines(height: int, width: int) -> Iterator[tuple[int, int, int]]:
    for row in range(height):
        for column in range(width):
            cell = row * width + column
            if column + LINE <= width:
                yield cell, cell + 1, cell + 2
            if row + LINE <= height:
                yield cell, cell + width, cell + 2 * width


@lru_cache(maxsize=64)
def lines_through(height: int, width: int) -> tuple[tuple[tuple[int, int, int], ...], ...]:
    """The lines of three cells through each cell."""
    every = lines(height, width)
    return tuple(
        tuple(line for line in every if cell in line) for cell in range(height * width)
    )


def most_removed(rules: TileSwapping, start: Board, moves: int, budget: int) -> Plan[Move] | None:
    """A plan of so many moves at most that removes the most tiles, one of the shortest of these;
    None if the search takes more than ``budget`` boards.
    """
    came: dict[Board, tuple[Board, Move] | None] = {start: None}
    wave, best = [start], start
    for _ in range(moves):
        after = list[Board]()
        for board in wave:
            for move in rules.legal(board):
                new = rules.apply(board, move)
                if new not in came:
                    came[new] = board, move
                    after.append(new)
                    best = max(best, new, key=empty_cells)
            if len(came) > budget:
                return None
        wave = after
    path, here = list[Move](), best
    while (step := came[here]) is not None:
        here, move = step
        path.append(move)
    return Plan(tuple(reversed(path)), len(came))


def empty_cells(board: Board) -> int:
    """The number of empty cells."""
    return board.count(0)
