"""The rules of dropping tetrominoes in a known order on a board until it is empty.

Deciding whether a known sequence of pieces can empty a board is NP-complete (Demaine, Hohenberger
and Liben-Nowell, "Tetris is Hard, Even to Approximate", 2003; Breukelaar et al., 2004).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import NamedTuple

from palaestra.generators.games.arcade.tetrominoes import (
    SHAPES,
    Board,
    Drop,
    Placement,
    dropped,
    drops,
    landing,
    options,
    orientations,
    turns,
)
from palaestra.generators.games.solo import SoloRules
from palaestra.scenes import Cell, Grid, Panels, Text
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase

AREA = 4
"""The squares of a piece."""

MOST_AT_ONCE = 3
"""The most rows that a piece of a sequence clears where those are chosen at random."""

FILLER = frozenset(
    ("drop", "place", "put", "use", "we", "over", "covering", "piece", "the", "in", "into", "at",
     "on", "with", "its", "leftmost", "left", "from", "of", "and", "as", "to", "square", "move",
     "starting", "number")
)  # fmt: skip
"""Words around a move that say nothing."""

_MARKS = re.compile(r"[-=]>|[\u2192@|#]")
"""Marks between an orientation and a column, or before a column."""

_TOKEN = re.compile(
    r"(?P<piece>[iotszjl])(?P<turn>[1-4])?|(?P<label>columns?|col|c|orientation|rotation)?"
    r"(?P<number>\d{1,2})?",
    re.ASCII,
)


class State(NamedTuple):
    """A board and the number of pieces that have been dropped."""

    board: Board
    number: int


@dataclass(frozen=True)
class FallingPieces(SoloRules[State, Placement]):
    """Empty the board with the pieces in their order. A move is an orientation and a column."""

    width: int
    height: int
    pieces: str

    def legal(self, state: State) -> Sequence[Placement]:
        return [*self.drops(state)]

    def drops(self, state: State) -> Mapping[Placement, Drop]:
        """The result of each drop of the next piece that leaves it on the board."""
        if state.number == len(self.pieces):
            return {}
        return _drops(state.board, self.pieces[state.number], self.width, self.height)

    def apply(self, state: State, move: Placement) -> State:
        return State(self.drops(state)[move].board, state.number + 1)

    def distance(self, state: State) -> float:
        """The fewest pieces whose squares fill up all rows that are not empty, and no other parts
        of rows; infinite if so many are not left.
        """
        filled = sum(map(int.bit_count, state.board))
        if not filled:
            return 0.0
        goal = self.width * sum(map(bool, state.board))
        for number in range(1, len(self.pieces) - state.number + 1):
            squares = filled + AREA * number
            if squares >= goal and squares % self.width == 0:
                return float(number)
        return float("inf")

    def why_lost(self, state: State) -> str:
        if state.number == len(self.pieces):
            return "all pieces have been dropped, and the board is not empty"
        if not self.legal(state):
            piece = self.pieces[state.number]
            return f"the next piece, {piece}, fits nowhere on the board"
        return "the squares of the pieces that are left cannot fill up the rows of the board"

    def decode(self, text: str) -> State:
        return State(*super().decode(text))

    def judgement(self, state: State) -> float:
        """Few empty squares below full ones, and then few rows."""
        if self.distance(state) == float("inf"):
            return float("-inf")
        return -float(10 * covered(state.board) + sum(map(bool, state.board)))

    def name(self, state: State, move: Placement) -> str:
        return f"{self.pieces[state.number]}{move.turn} {move.column}"

    def read(self, state: State, text: str) -> Placement:
        piece = self.pieces[state.number]
        turn, column = _read(text, piece)
        if not 1 <= turn <= len(turns(piece)):
            raise InvalidAnswer(f"{piece}{turn} is not an orientation of {piece}")
        move = Placement(turn, column)
        if move in self.drops(state):
            return move
        last = self.width - len(turns(piece)[turn - 1][0]) + 1
        if not 1 <= column <= last:
            raise InvalidAnswer(f"the leftmost column of {piece}{turn} is one of 1 to {last}")
        raise InvalidAnswer(f"{piece}{turn} would not be entirely on the board there")

    def show(self, state: State) -> str:
        rows = ["".join(".#"[row >> n & 1] for n in range(self.width)) for row in state.board]
        lines = ["Board:", *(" ".join(row) for row in reversed(rows))]
        lines.append(" ".join(str(n + 1) for n in range(self.width)))
        left = self.pieces[state.number :]
        return "\n".join([*lines, "", f"Pieces, the next one first: {' '.join(left)}"])

    def scene(self, state: State) -> Panels:
        """The board, the orientations of the next piece and the order of all that are left."""
        full, free = Cell(fill="shade"), Cell()
        rows = [
            tuple(full if row >> n & 1 else free for n in range(self.width))
            for row in reversed(state.board)
        ]
        board = Grid(tuple(rows), bottom=tuple((str(n + 1),) for n in range(self.width)))
        left = self.pieces[state.number :]
        if not left:
            return Panels((board,))
        names, shapes = zip(*orientations(left[0]))
        order = Text((" ".join(left),))
        return Panels(
            (board, Panels(shapes, names, columns=4), order),
            ("", "Orientations", "Pieces, the next one first"),
            columns=1,
        )


@lru_cache(maxsize=4096)
def _drops(board: Board, piece: str, width: int, height: int) -> Mapping[Placement, Drop]:
    return drops(board, piece, width, height)


def _read(text: str, piece: str) -> tuple[int, int]:
    """The orientation and the column of a move of a piece. Numbers without a label stand for what
    has none, and after the name of the piece for both.
    """
    example = f"such as '{piece}1 2'"
    values = {"turn": list[int](), "column": list[int](), "": list[int]()}
    label, is_named = "", False
    for word in phrase(_MARKS.sub(" ", text)).split():
        token = _TOKEN.fullmatch(word)
        if word in FILLER:
            continue
        if not token:
            raise InvalidAnswer(f"expected an orientation and a column, {example}")
        if token["piece"]:
            if token["piece"] != piece.casefold():
                raise InvalidAnswer(f"the next piece is {piece}")
            values["turn"] += [int(token["turn"])] if token["turn"] else []
            label, is_named = "", True
            continue
        if token["label"]:
            label = "column" if token["label"].startswith("c") else "turn"
        if token["number"]:
            values[label].append(int(token["number"]))
            label = ""
    turn, column, others = values.values()
    if is_named and len(others) == 2 and not (turn or column):
        return others[0], others[1]
    if not turn and len(turns(piece)) == 1:
        turn = [1]
    if len(turn) == 1 and not column:
        column, others = others, []
    elif len(column) == 1 and not turn:
        turn, others = others, []
    if others or len(turn) != 1 or len(column) != 1:
        raise InvalidAnswer(f"expected one orientation and one column, {example}")
    return turn[0], column[0]


def covered(board: Board) -> int:
    """The empty squares that have a full one above them.

    >>> covered((0b01, 0b10))
    1
    """
    above = number = 0
    for row in reversed(board):
        number += (above & ~row).bit_count()
        above |= row
    return number


def dellacherie(rules: FallingPieces, state: State, move: Placement) -> float:
    """The judgement of a drop by Pierre Dellacherie's controller of one piece (2003): the height of
    its landing, the squares of the piece in cleared rows, changes between full and empty along rows
    and columns, covered squares, and depths of wells.
    """
    piece, width = rules.pieces[state.number], rules.width
    landed = landing(state.board, piece, move, width, rules.height)
    assert landed is not None, "the drop is legal"
    level, masks = landed
    wall = (1 << width) - 1
    cleared = [mask for n, mask in enumerate(masks, level) if state.board[n] | mask == wall]
    board = rules.drops(state)[move].board
    rows = [row for row in board if row]
    across = sum(
        ((walled(row, width) ^ walled(row, width) >> 1) & (2 * wall + 1)).bit_count()
        for row in rows
    )
    down = sum((one ^ other).bit_count() for one, other in zip((wall, *board), (*board, 0)))
    eroded = len(cleared) * sum(map(int.bit_count, cleared))
    height = level + (len(masks) - 1) / 2
    return eroded - height - across - down - 4 * covered(board) - _wells(board, width)


def walled(row: int, width: int) -> int:
    """A row with full squares on its left and right.

    >>> bin(walled(0b010, 3))
    '0b10101'
    """
    return row << 1 | 1 | 2 << width


def _wells(board: Board, width: int) -> int:
    """The sum of 1 to its depth for each well: open squares with full ones or walls beside them."""
    total = 0
    for column in range(width):
        depth = 0
        for row in reversed(board):
            padded = walled(row, width)
            beside = padded >> column & 1 and padded >> column + 2 & 1
            if row >> column & 1:
                break
            depth = depth + 1 if beside else 0
            total += depth
    return total


def plan_of(
    rules: FallingPieces, state: State, budget: int
) -> tuple[tuple[Placement, ...] | None, int]:
    """Drops that empty the board, and the number of boards looked at; None in place of drops if
    there are none, or the number exceeds the budget.

    Boards with few covered squares and few rows come first, and none is looked at twice.
    """
    seen = set[State]()

    def plans(state: State) -> Iterator[tuple[Placement, ...]]:
        if not any(state.board):
            yield ()
            return
        seen.add(state)
        after = {State(drop.board, state.number + 1): n for n, drop in rules.drops(state).items()}
        open_states = [new for new in after if rules.distance(new) < float("inf")]
        for new in sorted(open_states, key=lambda new: _roughness(new.board)):
            if new not in seen and len(seen) <= budget:
                for plan in plans(new):
                    yield (after[new], *plan)

    return next(plans(state), None), len(seen)


def _roughness(board: Board) -> int:
    edges = sum((row ^ row >> 1).bit_count() for row in board)
    return 10 * covered(board) + 2 * sum(map(bool, board)) + edges


class Emptied(NamedTuple):
    """A board that a sequence of pieces empties."""

    board: Board
    pieces: str
    covered: int
    """The covered squares of all boards of the plan behind it."""


def emptied(rng: Random, rows: int, width: int, number: int) -> Emptied | None:
    """A board and so many pieces that clear so many rows in all and leave nothing.

    Found from the end: in each step, full rows are put between others, and a piece is taken out
    that fills them up. None where there is no such step, or nothing is left to begin with.
    """
    at_once = [1] + [0] * (number - 1)
    for _ in range(rows - 1):
        at_once[rng.choice([n for n, some in enumerate(at_once) if some < MOST_AT_ONCE])] += 1
    board: Board = (0,) * (rows + 1)
    pieces, total = "", 0
    for cleared in at_once:
        before = _undone(rng, board, cleared, rows, width)
        if before is None or not any(before[0]):
            return None
        board, pieces = before[0], before[1] + pieces
        total += covered(board)
    return Emptied(board, pieces, total)


def _undone(
    rng: Random, board: Board, cleared: int, most: int, width: int
) -> tuple[Board, str] | None:
    """A board of up to so many rows and a piece that is dropped on it, clears so many rows and
    leaves another board; the first such pair of a random order.
    """
    top = sum(map(bool, board)) + cleared
    if top > most:
        return None
    drops = [*_places(top, width)]
    rng.shuffle(drops)
    wall = (1 << width) - 1
    for piece, where, level in drops:
        high = len(turns(piece)[where.turn - 1])
        for lines in combinations(range(level, level + high), cleared):
            rows = [row for row in board if row]
            for line in lines:
                rows.insert(line, wall)
            before = _without(rows, piece, where, level, width)
            if before is None:
                continue
            padded = (*before, *[0] * (len(board) - len(before)))
            if dropped(padded, piece, where, width, len(board)) == (board, cleared):
                return padded, piece
    return None


@lru_cache(maxsize=256)
def _places(top: int, width: int) -> tuple[tuple[str, Placement, int], ...]:
    """The pieces, their placements and their lowest rows within so many rows."""
    return tuple(
        (piece, where, level)
        for piece in SHAPES
        for where in options(piece, width)
        for level in range(top - len(turns(piece)[where.turn - 1]) + 1)
    )


@lru_cache(maxsize=4096)
def _masks(piece: str, where: Placement, width: int) -> tuple[int, ...]:
    """The rows of a piece, from the bottom."""
    landed = landing((0,) * 4, piece, where, width, 4)
    assert landed is not None, "an empty board has room for each piece"
    return tuple(landed[1])


def _without(
    rows: list[int], piece: str, where: Placement, level: int, width: int
) -> list[int] | None:
    """Rows without the squares of a piece; None where it has none there, or a row is full or empty
    below another afterwards.
    """
    before = rows.copy()
    for n, mask in enumerate(_masks(piece, where, width), level):
        if n >= len(before) or before[n] & mask != mask:
            return None
        before[n] ^= mask
    while before and not before[-1]:
        before.pop()
    return None if 0 in before or (1 << width) - 1 in before else before
