"""The rules of a line game of three players, and a search for wins of one of them against both
others within a number of moves.

Stones are bits, row by row from the top left.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.matches.limited_wins import LimitedRules, LimitedSolver
from palaestra.generators.matches.rules import LOSS, WIN
from palaestra.generators.matches.square_boards import (
    PIECES,
    bits,
    board,
    board_scene,
    board_text,
    name_of,
    read_cell,
)
from palaestra.scenes import Cell, Grid

SIGNS = "XOZ"
"""The players in the order in which they move."""

STONES = {**PIECES, "Z": Cell("Z", mark="disc", tone="c2")}


Board = tuple[int, int, int, int]
"""The stones of the three players, and how many moves X has left."""


class State(NamedTuple):
    """The stones of the three players on the current board, whose turn it is, how many moves X has
    left there, and the boards after this one.
    """

    first: int
    second: int
    third: int
    turn: int
    left: int
    rest: tuple[Board, ...] = ()


def sides_of(state: State) -> tuple[int, int, int]:
    """The stones of the three players."""
    return state.first, state.second, state.third


@dataclass(frozen=True)
class ThreePlayerLine(LimitedRules[State, int]):
    """X, player 0, gets ``length`` stones in a line in time on one board after the other, or O and
    Z, together player 1, win.
    """

    rows: int
    columns: int
    length: int

    state_type = State
    signs = ("X", "O and Z")

    def start(self) -> State:
        return State(0, 0, 0, 0, self.rows * self.columns // 3)

    def player(self, state: State) -> int:
        return int(state.turn > 0)

    def mover(self, state: State) -> str:
        return SIGNS[state.turn]

    def free(self, state: State) -> int:
        """The free cells."""
        return (1 << self.rows * self.columns) - 1 & ~(state.first | state.second | state.third)

    def legal(self, state: State) -> Sequence[int]:
        return _legal(self, self.free(state))

    def apply(self, state: State, move: int) -> State:
        first, second, third, turn, left, rest = state
        cell = 1 << move
        if turn == 1:
            return State(first, second | cell, third, 2, left, rest)
        if turn == 2:
            return State(first, second, third | cell, 0, left, rest)
        first |= cell
        if rest and self.has_line(first):
            first, second, third, left = rest[0]
            return State(first, second, third, 0, left, rest[1:])
        return State(first, second, third, 1, left - 1, rest)

    def outcome(self, state: State) -> int | None:
        moved = (state.turn + 2) % 3
        if self.has_line(sides_of(state)[moved]):
            return LOSS if moved else WIN
        return None if state.left and self.free(state) else LOSS

    def has_line(self, stones: int) -> bool:
        """Whether stones contain a line."""
        for step, windows in _directions(self):
            run = windows
            for n in range(self.length):
                run &= stones >> n * step
            if run:
                return True
        return False

    def completing(self, stones: int, free: int) -> int:
        """The free cells where a stone completes a line."""
        return _completing(self, stones) & free

    def solved(self, state: State) -> int:
        first, second, third, turn, left, rest = state
        proof = (_wins, _holds, _holds_last)[turn]
        won = proof(self, first, second, third, left) and all(_wins(self, *board) for board in rest)
        return WIN if won else LOSS

    def is_open(self, state: State) -> bool:
        """Whether nobody has a line or can make one at once."""
        free = self.free(state)
        return not any(
            self.completing(stones, free) or self.has_line(stones) for stones in sides_of(state)
        )

    def threats(self, state: State, cell: int) -> int:
        """The number of cells at which X, after a stone on one, completes a line."""
        stones = state.first | 1 << cell
        return self.completing(stones, self.free(state)).bit_count()

    def fewest(self, state: State, most: int) -> int:
        """With how many moves X wins the current board against every play of both others; 0 if
        ``most`` are not enough.
        """
        for moves in range(1, most + 1):
            if self.solved(state._replace(left=moves, rest=())) == WIN:
                return moves
        return 0

    def moves_needed(self, state: State) -> int:
        return self.fewest(state, state.left)

    def name(self, state: State, move: int) -> str:
        return name_of(move, self.columns)

    def read(self, state: State, text: str) -> int:
        return read_cell(text, self.rows, self.columns, self.legal(state))

    def show(self, state: State) -> str:
        later = f" Boards after this one: {len(state.rest)}." if state.rest else ""
        left = f"Moves that X has left on this board: {state.left}."
        return f"{board_text(self._signs(state))}\n\n{left}{later}"

    def _signs(self, state: State) -> list[list[str]]:
        return board(self.rows, self.columns, dict(zip(SIGNS, sides_of(state))))

    def scene(self, state: State, last: int | None) -> Grid:
        return board_scene(self._signs(state), () if last is None else (last,), STONES)

    def judgement(self, state: State, player: int) -> float:
        """The cells where X completes a line, and those where the others do."""
        free = self.free(state)
        mine, second, third = (
            self.completing(stones, free).bit_count() for stones in sides_of(state)
        )
        value = float(mine - second - third)
        return value if player == 0 else -value

    def open_lines(self, state: State, turn: int) -> float:
        """How good the lines look that a player can still fill: a stone more counts four times."""
        mine, free = sides_of(state)[turn], self.free(state)
        return sum(
            4.0 ** (line & mine).bit_count() for line in _lines(self) if not line & ~(mine | free)
        )


class LineSolver(LimitedSolver[State, int]):
    """A solver whose losing players resist as long as possible, and then leave few good moves."""

    def hardest_replies(self, state: State) -> list[int]:
        best = self.best_moves(state)
        if self.worth(state, self.rules.player(state)) != LOSS:
            ending = [m for m in best if self.rules.outcome(self.rules.apply(state, m)) is not None]
            return ending or best
        after = {move: self.rules.apply(state, move) for move in best}
        resistance = {move: self._resists(each) for move, each in after.items()}
        return [move for move in best if resistance[move] == max(resistance.values())]

    def _resists(self, state: State) -> tuple[int, float]:
        if self.rules.outcome(state) is not None:
            return 0, 0.0
        share = self.share(state) if state.turn == 0 else 1.0
        return self.rules.moves_needed(state), -share


@lru_cache(maxsize=32)
def solver_of(rules: ThreePlayerLine, start: str) -> LineSolver:
    """The solver of all positions that follow from a start, which keeps what it has searched."""
    return LineSolver(rules)


@lru_cache(maxsize=16)
def _lines(rules: ThreePlayerLine) -> tuple[int, ...]:
    """The cells of each line."""
    return tuple(
        sum(1 << first + n * step for n in range(rules.length))
        for step, windows in _directions(rules)
        for first in bits(windows)
    )


@lru_cache(maxsize=16)
def _directions(rules: ThreePlayerLine) -> tuple[tuple[int, int], ...]:
    """The shift between neighbours, and the first cells of all lines, of each direction."""
    ways, reach = [], rules.length - 1
    for down, right in (0, 1), (1, 0), (1, 1), (1, -1):
        rows = range(rules.rows - reach * down)
        columns = range(reach * (right < 0), rules.columns - reach * (right > 0))
        starts = sum(1 << row * rules.columns + column for row in rows for column in columns)
        ways.append((down * rules.columns + right, starts))
    return tuple(ways)


@lru_cache(maxsize=1 << 15)
def _legal(rules: ThreePlayerLine, free: int) -> tuple[int, ...]:
    """The free cells, those near the middle first."""
    return tuple(cell for cell in _order(rules) if free >> cell & 1)


@lru_cache(maxsize=16)
def _order(rules: ThreePlayerLine) -> tuple[int, ...]:
    def far(cell: int) -> tuple[int, int]:
        row, column = divmod(cell, rules.columns)
        return (2 * row - rules.rows + 1) ** 2 + (2 * column - rules.columns + 1) ** 2, cell

    return tuple(sorted(range(rules.rows * rules.columns), key=far))


@lru_cache(maxsize=1 << 15)
def _completing(rules: ThreePlayerLine, stones: int) -> int:
    """The cells where a stone completes a line, other than those of the stones."""
    cells, length = 0, rules.length
    for step, windows in _directions(rules):
        for missing in range(length):
            run = windows
            for n in range(length):
                if n != missing:
                    run &= stones >> n * step
            cells |= run << missing * step
    return cells & ~stones


@lru_cache(maxsize=1 << 15)
def _wins(rules: ThreePlayerLine, first: int, second: int, third: int, moves: int) -> bool:
    """Whether X, who is to move, wins within so many moves."""
    free = (1 << rules.rows * rules.columns) - 1 & ~(first | second | third)
    if moves < 1 or not free:
        return False
    if rules.completing(first, free):
        return True
    dangers = rules.completing(second, free) | rules.completing(third, free)
    if moves == 1 or dangers & (dangers - 1):
        return False
    return any(
        _holds(rules, first | 1 << cell, second, third, moves - 1)
        for cell in _tries(rules, first, dangers or free, free, moves)
    )


def _tries(rules: ThreePlayerLine, first: int, cells: int, free: int, moves: int) -> Iterator[int]:
    """The moves that can win in time, those with the most threats first."""
    threats = {
        cell: rules.completing(first | 1 << cell, free).bit_count() for cell in _legal(rules, cells)
    }
    # Two moves are enough with three threats alone, as the others parry two.
    least = 3 if moves == 2 else 0
    yield from sorted(
        (cell for cell in threats if threats[cell] >= least), key=lambda cell: -threats[cell]
    )


@lru_cache(maxsize=1 << 15)
def _holds(rules: ThreePlayerLine, first: int, second: int, third: int, moves: int) -> bool:
    """Whether X wins within so many moves where O is to move, and then Z."""
    free = (1 << rules.rows * rules.columns) - 1 & ~(first | second | third)
    if rules.completing(second, free) | rules.completing(third, free):
        return False
    threats = rules.completing(first, free)
    number = threats.bit_count()
    if number > 2:
        return True
    if moves < 2:
        return False
    cells = threats if number == 2 else free
    return bool(cells) and all(
        _holds_last(rules, first, second | 1 << cell, third, moves)
        for cell in _replies(rules, first, cells)
    )


@lru_cache(maxsize=1 << 15)
def _holds_last(rules: ThreePlayerLine, first: int, second: int, third: int, moves: int) -> bool:
    """Whether X wins within so many moves where Z is to move, and then X."""
    free = (1 << rules.rows * rules.columns) - 1 & ~(first | second | third)
    if rules.completing(third, free):
        return False
    threats = rules.completing(first, free)
    if threats & (threats - 1):
        return True
    if moves < 2:
        return False
    cells = threats or free
    return bool(cells) and all(
        _wins(rules, first, second, third | 1 << cell, moves)
        for cell in _replies(rules, first, cells)
    )


def _replies(rules: ThreePlayerLine, first: int, cells: int) -> list[int]:
    """Cells to reply at, those first that would give X the most threats."""
    return sorted(
        _legal(rules, cells),
        key=lambda cell: -rules.completing(first | 1 << cell, cells).bit_count(),
    )
