"""The rules of removing pairs of equal tiles that a path of at most three segments joins."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from random import Random
from typing import NamedTuple

from palaestra.generators.cells import in_rows
from palaestra.generators.cells import text as text_of
from palaestra.generators.games.grid_neighbours import neighbours
from palaestra.generators.games.solo import SoloRules
from palaestra.generators.search import Plan
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cells import cell_name, cell_pair
from palaestra.verifiers.reading.values import plain

SIGNS = "#.ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The signs of a wall, an empty cell, and tiles."""

LONGEST = 200
"""The most characters of a move."""

EXAMPLE = "r1c2 r3c4"

_LEAD = re.compile(
    r"(?:(?:my |the )?(?:next )?(?:move|choice|answer|pair)(?: is)?:? )?"
    r"(?:i(?:'ll| will| would like to| choose(?: to)?)? |let us |let's )?"
    r"(?:(?:remove|pair|match|take|join|connect|clear|play|choose)s?[ :]+)?"
    r"(?:the )?(?:(?:pair|tiles|cells)(?: of)?[ :]+)?(?:at )?",
    re.IGNORECASE,
)
_JOINTS = re.compile(r" with |<-+>|\u2194|&|/|\+")

WALL = -1

MOST_BOARDS = 150
"""The number of boards that may be reached from the first one of a room with safe moves first."""

Board = tuple[int, ...]
"""The tile of each cell, row by row, from 1 on; 0 is an empty cell, and -1 is a wall."""

Move = tuple[int, int]
"""Two cells, in ascending order."""


@dataclass(frozen=True)
class TilePairs(SoloRules[Board, Move]):
    """Remove all tiles in pairs."""

    columns: int

    def legal(self, state: Board) -> Sequence[Move]:
        free, cells = self._free(state), dict[int, list[int]]()
        for cell, tile in enumerate(state):
            if tile > 0:
                cells.setdefault(tile, []).append(cell)
        return sorted(
            (one, other)
            for same in cells.values()
            for n, one in enumerate(same)
            for other in same[n + 1 :]
            if self._joined(free, one, other)
        )

    def _free(self, board: Board) -> tuple[list[int], list[int]]:
        """The empty cells of each row and of each column, as bits."""
        columns = self.columns
        rows, lines = [0] * (len(board) // columns), [0] * columns
        for cell, tile in enumerate(board):
            if not tile:
                row, column = divmod(cell, columns)
                rows[row] |= 1 << column
                lines[column] |= 1 << row
        return rows, lines

    def _joined(self, free: tuple[list[int], list[int]], one: int, other: int) -> bool:
        """Whether a path of at most three segments joins two cells through empty ones."""
        rows, lines = free
        (r, c), (s, d) = divmod(one, self.columns), divmod(other, self.columns)
        return _bridged(rows, lines, (r, c), (s, d)) or _bridged(lines, rows, (c, r), (d, s))

    def apply(self, state: Board, move: Move) -> Board:
        board = list(state)
        for cell in move:
            board[cell] = 0
        return tuple(board)

    def distance(self, state: Board) -> float:
        """The number of pairs that are left."""
        return sum(tile > 0 for tile in state) / 2

    def why_lost(self, state: Board) -> str:
        return "no two equal tiles can be joined"

    def judgement(self, state: Board) -> float:
        """How many pairs can be removed next."""
        return float(len(self.legal(state)))

    def name(self, state: Board, move: Move) -> str:
        return " ".join(cell_name(*divmod(cell, self.columns)) for cell in move)

    def read(self, state: Board, text: str) -> Move:
        if len(text) > LONGEST:
            raise InvalidAnswer(f"a move has at most {LONGEST} characters")
        body = plain(text).replace("**", "").strip(" .!*`")
        body = _JOINTS.sub(" and ", _LEAD.sub("", body, count=1))
        rows = len(state) // self.columns
        try:
            cells = cell_pair(body, rows, self.columns, EXAMPLE)
        except InvalidAnswer as error:
            if "outside" in str(error):
                raise
            raise InvalidAnswer(f"expected two cells, such as {EXAMPLE}") from None
        one, other = sorted(row * self.columns + column for row, column in cells)
        for cell in (one, other):
            if state[cell] <= 0:
                raise InvalidAnswer(f"there is no tile on {cell_name(*divmod(cell, self.columns))}")
        if one == other or state[one] != state[other]:
            raise InvalidAnswer("expected two different cells with equal tiles")
        if not self._joined(self._free(state), one, other):
            raise InvalidAnswer("no path of at most three segments joins these tiles")
        return one, other

    def show(self, state: Board) -> str:
        signs = self._signs(state)
        rows = [[n, *row] for n, row in enumerate(signs, 1)]
        return text_of([[" ", *range(1, self.columns + 1)], *rows])

    def _signs(self, state: Board) -> list[list[str]]:
        return [[SIGNS[tile + 1] for tile in row] for row in in_rows(state, self.columns)]

    def scene(self, state: Board) -> Grid:
        cells = [Cell(fill="dark" if tile else "muted") for tile in (WALL, 0)]
        cells += [Cell(sign, fill=f"t{n % 12}") for n, sign in enumerate(SIGNS[2:])]
        rows = in_rows(state, self.columns)
        return Grid(tuple(tuple(cells[t + 1] for t in row) for row in rows), coordinates=True)


def _bridged(
    rows: Sequence[int], lines: Sequence[int], one: tuple[int, int], other: tuple[int, int]
) -> bool:
    """Whether a path joins two cells that goes along the column of one, then along a row, then
    along the column of the other. Each of the three segments may be missing.
    """
    (row, column), (end_row, end) = one, other
    if column == end:  # the path is straight
        return not _between(row, end_row) & ~lines[column]
    common = _reach(lines[column], row) & _reach(lines[end], end_row)
    between = _between(column, end)
    while common:
        if not between & ~rows[(common & -common).bit_length() - 1]:
            return True
        common &= common - 1
    return False


def _between(one: int, other: int) -> int:
    """The cells between two cells of a line, as bits.

    >>> bin(_between(4, 1)), _between(1, 2)
    ('0b1100', 0)
    """
    low, high = (one, other) if one < other else (other, one)
    return (1 << high) - (2 << low)


def _reach(line: int, cell: int) -> int:
    """A cell of a line, and those that are reached from it through empty cells, as bits.

    >>> bin(_reach(0b11011, 2))
    '0b11111'
    """
    reached = 1 << cell
    up, down = reached << 1, reached >> 1
    while line & up:
        reached |= up
        up <<= 1
    while line & down:
        reached |= down
        down >>= 1
    return reached


class TooManyBoards(ValueError):
    """More boards can be reached than may be visited."""


class Survey:
    """How a player fares who removes pairs at random, but safe ones first, on a board and on those
    that follow from it.
    """

    def __init__(self, rules: TilePairs, most: int) -> None:
        self.rules, self.most = rules, most
        self._known: dict[Board, float] = {}

    def share(self, board: Board) -> float:
        """The share of games in which the board is cleared; 0 if and only if it cannot be.

        Raises :class:`TooManyBoards`.
        """
        known = self._known.get(board)
        if known is not None:
            return known
        rules = self.rules
        moves = self.moves(board)
        shares = [self.share(rules.apply(board, move)) for move in moves]
        empty = 1.0 if rules.distance(board) == 0 else 0.0
        share = sum(shares) / len(shares) if shares else empty
        if len(self._known) >= self.most:
            raise TooManyBoards(f"more than {self.most} boards can be reached")
        self._known[board] = share
        return share

    def share_after(self, board: Board, move: Move) -> float:
        """The share after a move."""
        return self.share(self.rules.apply(board, move))

    def visited(self) -> int:
        """The number of boards that have been looked at."""
        return len(self._known)

    def moves(self, board: Board) -> Sequence[Move]:
        """A safe move alone, or else all legal moves."""
        legal = self.rules.legal(board)
        safe = safe_move(board, legal)
        return [safe] if safe else legal


def safe_move(board: Board, legal: Sequence[Move]) -> Move | None:
    """A move after which the board can be cleared if it can be cleared at all, if one is seen at a
    glance: it removes the last two tiles of a type, or is one of two moves that remove the last
    four. Removed tiles open ways and close none.
    """
    pairs = dict[int, list[Move]]()
    for move in legal:
        pairs.setdefault(board[move[0]], []).append(move)
    for tile, moves in pairs.items():
        number = board.count(tile)
        if number == 2:
            return moves[0]
        if number == 4:
            for one, other in moves:
                if any(one not in each and other not in each for each in moves):
                    return one, other
    return None


class Size(NamedTuple):
    """What a room is like."""

    rows: int
    """The rows of tiles and walls; there is a row of empty cells besides."""
    columns: int
    walls: int
    """The number of walls, at least, as there are four tiles of each type."""


class Room(NamedTuple):
    """A part of a board, around which there are walls."""

    cells: tuple[Board, ...]
    """Rows of cells, with tiles of types from 1 on."""

    share: float
    """See :class:`Survey`."""


def room(rng: Random, size: Size, most_share: float, tries: int) -> Room | None:
    """A random room that can be cleared, with a row of empty cells at the top or at the bottom.

    It is the first one of some in which few random games clear it, or else the one with the fewest
    of them; None if none can be cleared.
    """
    best, columns = None, size.columns
    above = rng.random() < 0.5
    number = (size.rows * columns - size.walls) // 4
    empty, rest = [0] * columns, size.rows * columns - 4 * number
    for _ in range(tries):
        cells = [*(1 + n // 4 for n in range(4 * number)), *[WALL] * rest]
        rng.shuffle(cells)
        board = tuple([*empty, *cells] if above else [*cells, *empty])
        try:
            share = Survey(TilePairs(columns), MOST_BOARDS).share(board)
        except TooManyBoards:
            continue
        if share and (best is None or share < best.share):
            best = Room(tuple(map(tuple, in_rows(board, columns))), share)
            if share <= most_share:
                break
    return best


def joined_rooms(rooms: Sequence[Room], across: int) -> tuple[int, Board]:
    """The columns and cells of a board of rooms, of which so many are side by side. Walls are
    between them, and each room has types of its own.
    """
    blocks, tile = list[list[list[int]]](), 0
    for each in rooms:
        shifted = [[number + tile * (number > 0) for number in row] for row in each.cells]
        tile += max(map(max, each.cells))
        blocks.append(shifted)
    columns = across * (len(blocks[0][0]) + 1) - 1
    board = list[int]()
    for start in range(0, len(blocks), across):
        if start:
            board += [WALL] * columns
        for lines in zip(*blocks[start : start + across]):
            row = [cell for line in lines for cell in (*line, WALL)][:-1]
            board += [*row, *[WALL] * (columns - len(row))]
    return columns, tuple(board)


class Clearance(NamedTuple):
    """How a board is cleared."""

    plan: Plan[Move]
    share: float
    """See :class:`Survey`."""


@lru_cache(maxsize=512)
def clearance(columns: int, board: Board) -> Clearance | None:
    """How a board is cleared, a room at a time; None where it cannot be cleared."""
    rules, plan, visited, share = TilePairs(columns), list[Move](), 0, 1.0
    for cells in rooms_of(columns, board):
        survey = Survey(rules, MOST_BOARDS)
        alone = tuple(tile if cell in cells else WALL for cell, tile in enumerate(board))
        share *= survey.share(alone)
        if not share:
            return None
        while moves := survey.moves(alone):
            plan.append(max(moves, key=partial(survey.share_after, alone)))
            alone = rules.apply(alone, plan[-1])
        visited += survey.visited()
    return Clearance(Plan(tuple(plan), visited), share)


def rooms_of(columns: int, board: Board) -> list[set[int]]:
    """The cells of each part of a board that walls separate from the others."""
    left = {cell for cell, tile in enumerate(board) if tile != WALL}
    beside, rooms = neighbours(len(board) // columns, columns), list[set[int]]()
    for start in sorted(left):
        if start in left:
            rooms.append({start})
            waiting = [start]
            left.remove(start)
            while waiting:
                for cell in beside[waiting.pop()]:
                    if cell in left:
                        left.remove(cell)
                        rooms[-1].add(cell)
                        waiting.append(cell)
    return rooms
