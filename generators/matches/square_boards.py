"""Boards of square cells: names of cells and moves, the board as text and as a scene."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from palaestra.generators.matches.rules import Rules
from palaestra.scenes import Cell, Grid, cells_of
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cells import EXAMPLE, cell, cell_name, cell_pair
from palaestra.verifiers.reading.values import plain

_LEAD = re.compile(
    r"(?:my )?(?:next )?move(?: is ?:?| ?[:=]) ?"
    r"|(?:i |i will |i'll |i would )?(?:play|choose|place|put|mark)(?: (?:at|on|in))? ",
    re.IGNORECASE,
)
_TO = re.compile(
    r"(?:(?:i )?moves? )?to |(?:a|my|one) (?:stone|mark|piece|disc) (?:at|on|in|to) ",
    re.IGNORECASE,
)

PIECES = {
    "X": Cell("X", mark="disc", tone="c3"),
    "O": Cell("O", mark="disc", tone="c6"),
    ".": Cell(),
}
"""The pieces of the first and the second player, and an empty cell."""


def bits(mask: int) -> Iterable[int]:
    """The numbers of the bits of a mask, the lowest first.

    >>> list(bits(0b1010))
    [1, 3]
    """
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def name_of(number: int, columns: int) -> str:
    """The name of a cell, by its number row by row from the top left, from 0.

    >>> name_of(7, 5)
    'r2c3'
    """
    return cell_name(*divmod(number, columns))


def move_in(text: str) -> str:
    """What stands behind a lead-in, without exclamation marks.

    >>> move_in("My move: r2c3!"), move_in("move is r2c3")
    ('r2c3', 'r2c3')
    """
    body = plain(text)
    lead = _LEAD.match(body)
    return body[lead.end() if lead else 0 :].rstrip("!")


def read_cell(text: str, rows: int, columns: int, legal: Collection[int]) -> int:
    """The number of the cell that a text names, such as "r2c3" or "move to row 2 column 3".

    Raises :class:`~palaestra.task.InvalidAnswer` for other texts and for cells that are not legal.
    """
    number = cell_in(text, rows, columns)
    if number not in legal:
        raise InvalidAnswer(f"{name_of(number, columns)} is not a legal move")
    return number


def cell_in(text: str, rows: int, columns: int, example: str = EXAMPLE) -> int:
    """The number of the cell that a text names, whether it is a legal move or not. ``example`` is
    a move as the prompt writes it.

    Raises :class:`~palaestra.task.InvalidAnswer`.
    """
    body = move_in(text)
    to = _TO.match(body)
    row, column = cell(body[to.end() if to else 0 :], rows, columns, example)
    return row * columns + column


def hop_name(hop: tuple[int, int], columns: int) -> str:
    """The name of a move from one cell to another.

    >>> hop_name((7, 2), 5)
    'r2c3-r1c3'
    """
    return f"{name_of(hop[0], columns)}-{name_of(hop[1], columns)}"


def read_hop(
    text: str, rows: int, columns: int, legal: Collection[tuple[int, int]]
) -> tuple[int, int]:
    """The cells that a move goes from and to.

    Raises :class:`~palaestra.task.InvalidAnswer` for other texts and for moves that are not legal.
    """
    start, end = cell_pair(move_in(text), rows, columns, "r2c3-r1c3")
    hop = start[0] * columns + start[1], end[0] * columns + end[1]
    if hop not in legal:
        raise InvalidAnswer(f"{hop_name(hop, columns)} is not a legal move")
    return hop


def board(rows: int, columns: int, pieces: Mapping[str, int], empty: str = ".") -> list[list[str]]:
    """Rows of signs, from the cells of each sign as bits."""
    signs = [empty] * (rows * columns)
    for sign, mask in pieces.items():
        for number in bits(mask):
            signs[number] = sign
    return [signs[row * columns : (row + 1) * columns] for row in range(rows)]


def board_text(signs: Sequence[Sequence[str]]) -> str:
    """A board with the numbers of rows and columns.

    >>> print(board_text([[".", "X"], ["O", "."]]))
       1 2
    1  . X
    2  O .
    """
    wide = len(str(len(signs)))
    wide_column = len(str(len(signs[0])))
    numbers = " ".join(str(n + 1).rjust(wide_column) for n in range(len(signs[0])))
    lines = [
        f"{row + 1:>{wide}}  {' '.join(sign.rjust(wide_column) for sign in line)}"
        for row, line in enumerate(signs)
    ]
    return "\n".join([f"{' ' * wide}  {numbers}", *lines])


def board_scene(
    signs: Sequence[Sequence[str]],
    last: Iterable[int] = (),
    pieces: Mapping[str, Cell] = PIECES,
) -> Grid:
    """What there is to see of a board; ``last`` are the cells of the last move, by number."""
    columns = len(signs[0])
    return Grid(
        cells_of([list(row) for row in signs], pieces),
        coordinates=True,
        last=tuple(divmod(number, columns) for number in last),
    )


Hop = tuple[int, int]
"""A move: the numbers of the cells that a piece leaves and enters."""


class Pieces(NamedTuple):
    """The pieces of both players, with a bit for each cell, row by row; and whose turn it is."""

    first: int
    second: int
    turn: int


class HopRules(Rules[Pieces, Hop]):
    """Rules of a game in which a move is a hop of a single piece, and all pieces are alike."""

    rows: int
    columns: int
    state_type = Pieces

    def player(self, state: Pieces) -> int:
        return state.turn

    def name(self, state: Pieces, move: Hop) -> str:
        return hop_name(move, self.columns)

    def read(self, state: Pieces, text: str) -> Hop:
        return read_hop(text, self.rows, self.columns, self.legal(state))

    def show(self, state: Pieces) -> str:
        return board_text(self._signs(state))

    def scene(self, state: Pieces, last: Hop | None) -> Grid:
        return board_scene(self._signs(state), last or ())

    def _signs(self, state: Pieces) -> list[list[str]]:
        return board(self.rows, self.columns, {"X": state.first, "O": state.second})
