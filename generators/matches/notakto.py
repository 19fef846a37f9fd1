"""The rules of Notakto, with the crosses of each board as bits, row by row from the top left.

Whoever completes the last line loses, so that the theory of heaps of Nim does not apply. Instead,
each board has a value in a commutative monoid of 18 elements, the misère quotient of the game, and
the product of the values states who wins (Thane Plambeck and Greg Whitehead, "The Secrets of
Notakto: Winning at X-only Tic-Tac-Toe", arXiv:1301.1672, 2013).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_uppercase
from typing import NamedTuple

from palaestra.generators.matches.impartial import Impartial
from palaestra.generators.matches.square_boards import bits, board, board_text, name_of
from palaestra.scenes import Cell, Grid, Panels, cells_of
from palaestra.task import InvalidAnswer
from palaestra.verifiers.matches.notakto import cell_of_board

SIZE = 3
WHOLE = (1 << SIZE * SIZE) - 1
LETTERS = ascii_uppercase[:8]
"""The names of the boards."""

LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
"""Rows, columns and diagonals."""

Move = tuple[int, int]
"""A board and a cell of it."""

Value = tuple[int, int, int, int]
"""An element of the monoid: the exponents of its generators a, b, c and d."""

ONE: Value = (0, 0, 0, 0)
"""The value of a board with a line, and of nothing at all."""

LOST: frozenset[Value] = frozenset({(1, 0, 0, 0), (0, 2, 0, 0), (0, 1, 1, 0), (0, 0, 2, 0)})
"""The values of positions that the player to move loses: a, b², bc and c²."""

BOARDS: dict[Value, str] = {
    ONE: "001 002 142",
    (0, 0, 1, 0): "000",
    (0, 0, 2, 0): "020",
    (0, 0, 0, 1): "003",
    (1, 0, 0, 1): "016 051 106",
    (1, 0, 0, 0): "012 015 025 033 034 050 053 104 141 146 154 163 252 255 345 356 505",
    (0, 1, 0, 0): "005 013 014 021 022 035 036 052 055 143 145 156 161 162 253",
    (1, 1, 0, 0): "023 032 105 116 152",
}
"""The boards without a line of each value, as octal numbers, up to rotations and reflections."""

CROSS = {"X": Cell("X", mark="disc", tone="c3"), ".": Cell()}
DEAD = {"X": Cell("X", fill="shade"), ".": Cell(fill="shade")}


class State(NamedTuple):
    """The crosses of each board, and whose turn it is."""

    boards: tuple[int, ...]
    turn: int


@dataclass(frozen=True)
class Notakto(Impartial[State, Move]):
    """Notakto on some boards; a board with a line is dead."""

    boards: int
    state_type = State
    signs = ("P", "Q")

    def start(self) -> State:
        return State((0,) * self.boards, 0)

    def legal(self, state: State) -> Sequence[Move]:
        return [
            (n, cell)
            for n, crosses in enumerate(state.boards)
            if not is_dead(crosses)
            for cell in bits(WHOLE & ~crosses)
        ]

    def choices(self, state: State) -> int:
        return sum(9 - each.bit_count() for each in state.boards if not is_dead(each))

    def apply(self, state: State, move: Move) -> State:
        boards, turn = state
        n, cell = move
        return State((*boards[:n], boards[n] | 1 << cell, *boards[n + 1 :]), 1 - turn)

    def over(self, state: State) -> bool:
        return all(map(is_dead, state.boards))

    def wins(self, state: State) -> bool:
        value = ONE
        for crosses in state.boards:
            value = _product(value, value_of(crosses))
        return value not in LOST

    def name(self, state: State, move: Move) -> str:
        return f"{LETTERS[move[0]]} {name_of(move[1], SIZE)}"

    def read(self, state: State, text: str) -> Move:
        alive = [n for n, crosses in enumerate(state.boards) if not is_dead(crosses)]
        letter, (row, column) = cell_of_board(text, LETTERS[: len(state.boards)], SIZE)
        if not letter and len(alive) > 1:
            raise InvalidAnswer("state the board as well as the cell")
        n, cell = LETTERS.index(letter) if letter else alive[0], row * SIZE + column
        if n not in alive:
            raise InvalidAnswer(f"board {letter} is dead")
        if state.boards[n] >> cell & 1:
            raise InvalidAnswer(f"{self.name(state, (n, cell))} has a cross already")
        return n, cell

    def show(self, state: State) -> str:
        return "\n\n".join(
            f"Board {letter}{' (dead)' if is_dead(crosses) else ''}:\n{board_text(_signs(crosses))}"
            for letter, crosses in zip(LETTERS, state.boards)
        )

    def scene(self, state: State, last: Move | None) -> Panels:
        grids = tuple(
            Grid(
                cells_of(_signs(crosses), DEAD if is_dead(crosses) else CROSS),
                coordinates=True,
                last=(divmod(last[1], SIZE),) if last is not None and last[0] == n else (),
            )
            for n, crosses in enumerate(state.boards)
        )
        return Panels(grids, captions=tuple(LETTERS[: len(grids)]))

    def judgement(self, state: State, player: int) -> float:
        """Whether the other player would complete the last line, if both made all crosses that
        complete none, as far as they can be seen now, and then a line on each board.
        """
        left = sum(_harmless(crosses) + 1 for crosses in state.boards if not is_dead(crosses))
        return float(left % 2 == (state.turn != player))


@lru_cache(maxsize=1 << 9)
def is_dead(crosses: int) -> bool:
    """Whether a board has a line."""
    return any(crosses & line == line for line in LINES)


@lru_cache(maxsize=1 << 9)
def _harmless(crosses: int) -> int:
    """The number of free cells that complete no line."""
    return sum(not is_dead(crosses | 1 << cell) for cell in bits(WHOLE & ~crosses))


def _signs(crosses: int) -> list[list[str]]:
    return board(SIZE, SIZE, {"X": crosses})


@lru_cache(maxsize=1 << 9)
def images(crosses: int) -> tuple[int, ...]:
    """A board in its eight positions, by rotations and reflections."""

    def moved(row: int, column: int) -> Iterator[tuple[int, int]]:
        for _ in range(4):
            yield row, column
            yield column, row
            row, column = column, SIZE - 1 - row

    masks = [0] * 8
    for cell in bits(crosses):
        for n, (row, column) in enumerate(moved(*divmod(cell, SIZE))):
            masks[n] |= 1 << row * SIZE + column
    return tuple(masks)


@lru_cache(maxsize=1)
def _values() -> dict[int, Value]:
    """The value of each board without a line."""
    return {
        crosses: value
        for value, names in BOARDS.items()
        for name in names.split()
        for crosses in images(int(name, 8))
    }


def value_of(crosses: int) -> Value:
    """The value of a board, as exponents of a, b, c and d.

    >>> value_of(0b010_000_000), value_of(0b000_010_000)
    ((0, 0, 0, 0), (0, 0, 2, 0))
    """
    return _values().get(crosses, ONE)


@lru_cache(maxsize=1 << 9)
def _product(one: Value, two: Value) -> Value:
    """The product of two elements, by a² = 1, b³ = b, b²c = c, c³ = ac², b²d = d, cd = ad and
    d² = c².
    """
    a, b, c, d = (x + y for x, y in zip(one, two))
    before = None
    while before != (a, b, c, d):
        before = a, b, c, d
        if d >= 2:
            c, d = c + 2, d - 2
        if c and d:
            a, c = a + 1, c - 1
        if c >= 3:
            a, c = a + 1, c - 1
        if b >= 3 or (b >= 2 and (c or d)):
            b -= 2
        a %= 2
    return a, b, c, d
