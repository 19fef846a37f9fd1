"""The rules of swapping neighbouring tiles into lines of equal ones, which vanish under gravity."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

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

_SWAP = re.compile(
    r"(?:(?:my |the )?(?:move|swap|decision|choice|answer)(?: is)?:? )?"
    r"(?:i(?:'ll| will| would like to| choose(?: to)?)? |let us |let's )?"
    r"(?:(?:swap|exchange)(?: the)?(?: tiles| cells)?:? )?",
    re.IGNORECASE,
)
_JOINTS = re.compile(r" with |<-+>|\u2194|\\leftrightarrow|/")

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
        masks = self._masks(state)
        moves = list[Move]()
        for move, beside, beyond in swaps(self.height, self.width):
            first, second = state[move[0]], state[move[1]]
            if not first or not second or first == second:
                continue
            if _any_within(beside, masks[second]) or _any_within(beyond, masks[first]):
                moves.append(move)
        return moves

    def _masks(self, board: Sequence[int]) -> list[int]:
        """The cells of each type of tile, as bits."""
        masks, bit = [0] * len(LETTERS), 1
        for tile in board:
            masks[tile] |= bit
            bit <<= 1
        return masks

    def apply(self, state: Board, move: Move) -> Board:
        board = list(state)
        one, other = move
        board[one], board[other] = board[other], board[one]
        while matched := self.matched(board):
            columns = set[int]()
            for cell in range(len(board)):
                if matched >> cell & 1:
                    board[cell] = 0
                    columns.add(cell % self.width)
            for column in columns:
                tiles = [tile for tile in board[column :: self.width] if tile]
                board[column :: self.width] = [0] * (self.height - len(tiles)) + tiles
        return tuple(board)

    def matched(self, board: Sequence[int]) -> int:
        """The cells of all lines of equal tiles, as bits."""
        width = self.width
        starts, gone = line_starts(self.height, width), 0
        for tiles in self._masks(board)[1:]:
            across = tiles & tiles >> 1 & tiles >> 2 & starts
            down = tiles & tiles >> width & tiles >> 2 * width
            gone |= across | across << 1 | across << 2 | down | down << width | down << 2 * width
        return gone

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
        start = _SWAP.sub("", plain(text).strip(" .!*").replace("**", ""), count=1)
        body = _JOINTS.sub(" and ", start)
        try:
            cells = cell_pair(body, self.height, self.width, "r1c2-r1c3")
        except InvalidAnswer:
            raise InvalidAnswer("expected one swap of two cells, such as r1c2-r1c3") from None
        one, other = sorted(row * self.width + column for row, column in cells)
        if (one, other) not in pairs(self.height, self.width):
            raise InvalidAnswer("the two cells are not neighbours")
        if (one, other) not in self.legal(state):
            raise InvalidAnswer("this swap makes no line of three equal tiles")
        return one, other

    def show(self, state: Board) -> str:
        numbers = " ".join(str(n + 1) for n in range(self.width))
        rows = (state[n : n + self.width] for n in range(0, len(state), self.width))
        lines = [f"{n} {' '.join(LETTERS[tile] for tile in row)}" for n, row in enumerate(rows, 1)]
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
def line_starts(height: int, width: int) -> int:
    """The cells at which a line across can begin, as bits."""
    cells = range(height * width)
    return sum(1 << cell for cell in cells if cell % width <= width - LINE)


@lru_cache(maxsize=64)
def swaps(height: int, width: int) -> tuple[tuple[Move, tuple[int, ...], tuple[int, ...]], ...]:
    """All swaps, each with the pairs of cells, as bits, that make a line with its first cell, and
    with its second one, but for lines with both.
    """
    every = lines(height, width)

    def others(cell: int, avoided: int) -> tuple[int, ...]:
        lined = (line for line in every if cell in line and avoided not in line)
        return tuple(sum(1 << each for each in line if each != cell) for line in lined)

    return tuple(
        ((one, other), others(one, other), others(other, one))
        for one, other in pairs(height, width)
    )


def _any_within(patterns: Sequence[int], mask: int) -> bool:
    """Whether a mask has all bits of one of the patterns."""
    for pattern in patterns:  # noqa: SIM110 - any() takes twice as long, in the hot path of search
        if mask & pattern == pattern:
            return True
    return False


class Best(NamedTuple):
    """The best plan of some swaps."""

    plan: Plan[Move]
    swaps: int
    """The most swaps that were searched."""
    removed: int


@lru_cache(maxsize=512)
def most_removed(rules: TileSwapping, start: Board, most: int, budget: int) -> Best:
    """A plan that removes the most tiles in so many swaps, one of the shortest of these. There are
    fewer swaps, at least one, where the search of all would take more than ``budget`` boards.
    """
    came: dict[Board, tuple[Board, Move] | None] = {start: None}
    wave, best, depth = [start], start, 0
    while depth < most:
        after = list[Board]()
        for board in wave:
            for move in rules.legal(board):
                new = rules.apply(board, move)
                if new not in came:
                    came[new] = board, move
                    after.append(new)
            if depth and len(came) > budget:
                return Best(_retraced(came, best), depth, best.count(0))
        wave, depth = after, depth + 1
        best = max(best, *after, key=empty_cells) if after else best
    return Best(_retraced(came, best), depth, best.count(0))


def _retraced(came: dict[Board, tuple[Board, Move] | None], board: Board) -> Plan[Move]:
    """The plan that leads to a board."""
    path = list[Move]()
    while (step := came[board]) is not None:
        board, move = step
        path.append(move)
    return Plan(tuple(reversed(path)), len(came))


def empty_cells(board: Board) -> int:
    """The number of empty cells."""
    return board.count(0)
