"""The rules of Dodgem, with cars as bits, row by row from the top left.

X drives to the right and O upwards. Both leave the board at the far side of their direction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.matches.limited_wins import LimitedRules
from palaestra.generators.matches.rules import DRAW, LOSS, WIN
from palaestra.generators.matches.square_boards import (
    bits,
    board,
    board_scene,
    board_text,
    move_in,
    name_of,
)
from palaestra.scenes import Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.matches.dodgem import car_move

OFF = -1
"""The end of a move off the board."""

NOBODY = 2
LONGEST = 60
"""The moves of both players in a game from the start."""

Size = tuple[int, int]
"""The numbers of rows and columns."""

Move = tuple[int, int]
"""The cells that a car leaves and enters; the second is :data:`OFF` if it leaves the board."""


class State(NamedTuple):
    """The cars of both players, whose turn it is, how many moves are left, and who has to win with
    these: the other player wins at their end. With :data:`NOBODY`, that is a draw.
    """

    first: int
    second: int
    turn: int
    left: int = LONGEST
    hunter: int = NOBODY


Step = tuple[Move, tuple[int, int]]
"""A move, and the cars of both players after it."""

WAYS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


@dataclass(frozen=True)
class Dodgem(LimitedRules[State, Move]):
    """Dodgem. At the start, each player has one car less than its side of the board has cells."""

    rows: int
    columns: int
    state_type = State

    def start(self) -> State:
        rows, columns = self.rows, self.columns
        left = sum(1 << row * columns for row in range(rows - 1))
        return State(left, ((1 << columns) - 2) << columns * (rows - 1), 0)

    @property
    def size(self) -> Size:
        return self.rows, self.columns

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[Move]:
        return [move for move, _ in _steps(self.size, *state[:3])]

    def apply(self, state: State, move: Move) -> State:
        first, second, turn, left, hunter = state
        change = 1 << move[0] | (1 << move[1] if move[1] != OFF else 0)
        if turn == 0:
            return State(first ^ change, second, 1, left - 1, hunter)
        return State(first, second ^ change, 0, left - 1, hunter)

    def outcome(self, state: State) -> int | None:
        """A player without cars has won, and so has one who cannot move."""
        first, second, turn, left, hunter = state
        if not first or not second:
            return LOSS if first else WIN
        if not _steps(self.size, first, second, turn):
            return LOSS if turn else WIN
        if left > 0:
            return None
        return DRAW if hunter == NOBODY else WIN if hunter else LOSS

    def solved(self, state: State) -> int | None:
        """By a search that knows who has to win."""
        first, second, turn, left, hunter = state
        if hunter == NOBODY:
            return None
        wins = _wins(self.size, _packed(first, second), turn, left, hunter)
        return WIN if wins == (hunter == 0) else LOSS

    def moves_to_win(self, state: State, most: int) -> int | None:
        """With how many moves of its own the player to move wins by force; None if more than
        ``most``.
        """
        return next((n for n in range(1, most + 1) if self.wins(state, n)), None)

    def moves_needed(self, state: State) -> int:
        left = (state.left + 1) // 2
        return self.moves_to_win(state, left) or left

    def wins(self, state: State, moves: int) -> bool:
        """Whether the player to move wins by force with so many moves of its own."""
        first, second, turn = state[:3]
        return _wins(self.size, _packed(first, second), turn, 2 * moves - 1, turn)

    def winning(self, state: State, moves: int) -> list[Move]:
        """The first moves of such a win."""
        turn = state.turn
        return [
            move
            for move, after in _steps(self.size, *state[:3])
            if _wins(self.size, _packed(*after), 1 - turn, 2 * moves - 2, turn)
        ]

    def is_forward(self, state: State, move: Move) -> bool:
        """Whether a move is one to the front."""
        return move[1] == OFF or abs(move[1] - move[0]) == (self.columns if state.turn else 1)

    def before(self, state: State, player: int, most: int) -> list[int]:
        """The cars of a player before a move that can have led to this position, where there were
        at most so many of them.
        """
        cars, size = state[player], self.size
        right, top = _exits(size)
        free = (1 << self.rows * self.columns) - 1 & ~(state.first | state.second)
        earlier = [cars | 1 << cell for cell in bits(free & (right, top)[player])]
        if cars.bit_count() == most:
            earlier = []
        # A car that drives backward reverses a move.
        earlier += [
            cars ^ 1 << end ^ 1 << start
            for end in bits(cars)
            for start in _neighbours(size, player, end)
            if free >> start & 1
        ]
        return earlier

    def way(self, state: State, player: int) -> int:
        """The number of moves forward that take all cars of a player off the board."""
        return _way(self.size, state[player], player)

    def way_of(self, cars: int, player: int) -> int:
        """The same for some cars of a player."""
        return _way(self.size, cars, player)

    def name(self, state: State, move: Move) -> str:
        start, end = move
        return (
            f"{name_of(start, self.columns)}-{'off' if end == OFF else name_of(end, self.columns)}"
        )

    def read(self, state: State, text: str) -> Move:
        (row, column), end = car_move(move_in(text), self.rows, self.columns)
        start = row * self.columns + column
        if isinstance(end, str):
            target = self._ahead(state, row, column, end)
        else:
            target = end[0] * self.columns + end[1]
        move = start, target
        if move not in self.legal(state):
            raise InvalidAnswer(f"{name_of(start, self.columns)} cannot move there")
        return move

    def _ahead(self, state: State, row: int, column: int, way: str) -> int:
        """The cell beside a cell, or off the board."""
        forward = ("right", "up")[state.turn]
        way = forward if way == "forward" else way
        if way not in WAYS:
            return OFF
        row, column = row + WAYS[way][0], column + WAYS[way][1]
        if 0 <= row < self.rows and 0 <= column < self.columns:
            return row * self.columns + column
        if way == forward:
            return OFF
        raise InvalidAnswer("cars leave the board forward only")

    def show(self, state: State) -> str:
        text = board_text(self._signs(state))
        if state.hunter == NOBODY:
            return f"{text}\n\nMoves left for both players together: {state.left}."
        moves = (state.left + (state.turn == state.hunter)) // 2
        return f"{text}\n\nMoves that {self.signs[state.hunter]} may still make: {moves}."

    def _signs(self, state: State) -> list[list[str]]:
        return board(self.rows, self.columns, {"X": state.first, "O": state.second})

    def scene(self, state: State, last: Move | None) -> Grid:
        return board_scene(self._signs(state), [n for n in last or () if n != OFF])

    def judgement(self, state: State, player: int) -> float:
        """How many moves forward the player is ahead, where a car that the other player bars from
        its way counts as half a move.
        """
        first, second = state[:2]
        right, top = _exits(self.size)
        barred = (second & ~top) >> self.columns & first, (first & ~right) << 1 & second
        ahead = (barred[0].bit_count() - barred[1].bit_count()) / 2
        ahead += self.way(state, 1) - self.way(state, 0)
        return ahead if player == 0 else -ahead


@lru_cache(maxsize=8)
def _exits(size: Size) -> tuple[int, int]:
    """The cells from which cars leave the board: those at the right and at the top."""
    rows, columns = size
    return sum(1 << row * columns for row in range(rows)) << columns - 1, (1 << columns) - 1


@lru_cache(maxsize=256)
def _neighbours(size: Size, player: int, end: int) -> tuple[int, ...]:
    """The cells from which a car can move to a cell."""
    rows, columns = size
    row, column = divmod(end, columns)
    back = (row + 1, column) if player else (row, column - 1)
    sides = (0, 1) if player else (1, 0)
    cells = [back, *((row + n * sides[0], column + n * sides[1]) for n in (-1, 1))]
    return tuple(r * columns + c for r, c in cells if 0 <= r < rows and 0 <= c < columns)


class Drive(NamedTuple):
    """A move of a car where nothing is in its way."""

    move: Move
    entered: int
    """The cell that the car enters, as a bit; none if it leaves the board."""

    changed: int
    """The cells that are not the same afterwards."""


@lru_cache(maxsize=8)
def _drives(size: Size, turn: int) -> tuple[tuple[Drive, ...], ...]:
    """For each cell the moves of a car there, first the one forward."""
    ways = ((-1, 0), (0, -1), (0, 1)) if turn else ((0, 1), (-1, 0), (1, 0))
    drives = list[tuple[Drive, ...]]()
    rows, columns = size
    for start in range(rows * columns):
        each = list[Drive]()
        for number, (down, right) in enumerate(ways):
            row, column = start // columns + down, start % columns + right
            if 0 <= row < rows and 0 <= column < columns:
                end = row * columns + column
                each.append(Drive((start, end), 1 << end, 1 << start | 1 << end))
            elif number == 0:
                each.append(Drive((start, OFF), 0, 1 << start))
        drives.append(tuple(each))
    return tuple(drives)


@lru_cache(maxsize=1 << 14)
def _steps(size: Size, first: int, second: int, turn: int) -> tuple[Step, ...]:
    """All moves of a player, those forward first."""
    cars, taken = second if turn else first, first | second
    drives, steps, aside = _drives(size, turn), list[Step](), list[Step]()
    for start in bits(cars):
        target = steps
        for move, entered, changed in drives[start]:
            if not entered & taken:
                after = (first, second ^ changed) if turn else (first ^ changed, second)
                target.append((move, after))
            target = aside
    return (*steps, *aside)


NEVER = 1_000
"""More moves than any game has."""

PACK = 32
"""More bits than a board has cells."""


@dataclass(slots=True)
class _Known:
    """What is known of a position, where one player has to win by force."""

    after: tuple[int, ...]
    """The positions after each move, see :func:`_packed`."""

    loses: int
    """With so many moves of both players together, or fewer, the player does not win."""

    wins: int
    """With so many moves or more, the player wins."""


def _packed(first: int, second: int) -> int:
    """The cars of both players as one number, which costs the garbage collector nothing."""
    return first << PACK | second


@lru_cache(maxsize=1 << 16)
def _known(size: Size, cars: int, turn: int, hunter: int) -> _Known:
    """The record of a position, in which the search enters what it proves."""
    first, second = cars >> PACK, cars & (1 << PACK) - 1
    if not first or not second:
        won = (not first) == (hunter == 0)
        return _Known((), -1, 0) if won else _Known((), NEVER, NEVER)
    after = _after(size, cars, second if turn else first, turn, first | second)
    if not after:
        return _Known((), -1, 0) if turn == hunter else _Known((), NEVER, NEVER)
    if not _stays(size, first, second, hunter, turn == hunter):
        return _Known(after, 0, NEVER)
    return _Known(after, 1 if turn == hunter else 2, NEVER)


def _after(size: Size, cars: int, own: int, turn: int, taken: int) -> tuple[int, ...]:
    """The positions after each move, in the order of :func:`_steps`."""
    drives, shift = _drives(size, turn), 0 if turn else PACK
    ahead, aside = list[int](), list[int]()
    for start in bits(own):
        target = ahead
        for _, entered, changed in drives[start]:
            if not entered & taken:
                target.append(cars ^ changed << shift)
            target = aside
    return (*ahead, *aside)


def _wins(size: Size, cars: int, turn: int, left: int, hunter: int) -> bool:
    """Whether a player wins by force while both together make at most so many moves."""
    known = _known(size, cars, turn, hunter)
    if left <= known.loses:
        return False
    if left >= known.wins:
        return True
    mine, other = turn == hunter, 1 - turn
    for after in known.after:
        if _wins(size, after, other, left - 1, hunter) == mine:
            break
    else:
        mine = not mine
    if mine:
        known.wins = min(known.wins, left)
    else:
        known.loses = max(known.loses, left)
    return mine


def _stays(size: Size, first: int, second: int, player: int, to_move: bool) -> bool:
    """Whether a player cannot win with a single move more, nor be blocked before it."""
    cars, taken = (first, second)[player], first | second
    if _way(size, cars, player) < 2:
        return False
    if to_move or cars & _exits(size)[player]:
        return True
    entered = 0
    for start in bits(cars):
        for _, cell, _ in _drives(size, player)[start]:
            entered |= cell & ~taken
    return entered & (entered - 1) != 0


@lru_cache(maxsize=1 << 14)
def _way(size: Size, cars: int, player: int) -> int:
    columns = size[1]
    if player == 0:
        return sum(columns - n % columns for n in bits(cars))
    return sum(n // columns + 1 for n in bits(cars))
