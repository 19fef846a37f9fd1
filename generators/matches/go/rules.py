"""The rules of go, with stones as bits, row by row from the top left."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.matches.go.chains import (
    Stones,
    allowed,
    areas,
    borders,
    lead,
    neighbours,
    placed,
    stones_of,
    weak_stones,
)
from palaestra.generators.matches.rules import LOSS, WIN, Rules
from palaestra.generators.matches.square_boards import (
    board,
    board_scene,
    board_text,
    cell_in,
    move_in,
    name_of,
)
from palaestra.scenes import Grid
from palaestra.task import InvalidAnswer

PASS = -1
"""The move of a player who places no stone."""

PASSES = {"pass", "i pass", "passing", "i will pass", "i'll pass"}

EXAMPLE = "r2c3, or 'pass'"


class State(NamedTuple):
    """The stones of both players, and how the game goes on."""

    first: int
    second: int
    turn: int
    left: int
    """How many moves of both players are left, passes included."""

    margin: int
    """By how many points the first player's area must be larger, at least, to win."""

    ko: int = 0
    """The bit of the cell where a stone would restore the board before the last move."""

    passes: int = 0
    """How many passes in a row have just been made; two end the game."""


@dataclass(frozen=True)
class Go(Rules[State, int]):
    """Go on a square board with area scoring, simple ko, no suicide, and a number of moves."""

    size: int
    state_type = State

    def start(self) -> State:
        return State(0, 0, 0, 2 * self.size**2, 1)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[int]:
        moves = _moves(self.size, *_sides(state), state.ko)
        if state.passes and self.leader(state) == state.turn:
            return (PASS, *moves)
        return (*moves, PASS)

    def apply(self, state: State, move: int) -> State:
        _, _, turn, left, margin, ko, passes = state
        if move == PASS:
            return state._replace(turn=1 - turn, left=left - 1, ko=0, passes=passes + 1)
        captured = _moves(self.size, *_sides(state), ko)[move]
        stones, ko = placed(self.size, _stones(self.size, *_sides(state)), 1 << move, captured)
        _remember(self.size, stones)
        first, second = stones[:2] if turn else (stones.theirs, stones.mine)
        return State(first, second, 1 - turn, left - 1, margin, ko)

    def outcome(self, state: State) -> int | None:
        if state.left > 0 and state.passes < 2:
            return None
        return LOSS if self.leader(state) else WIN

    def leader(self, state: State) -> int:
        """Who wins if the game ends now."""
        return int(self.lead(state) < state.margin)

    def lead(self, state: State) -> int:
        """By how many points the first player's area is larger."""
        return lead(self.size, state.first, state.second)

    def name(self, state: State, move: int) -> str:
        return "pass" if move == PASS else name_of(move, self.size)

    def read(self, state: State, text: str) -> int:
        if move_in(text).strip(" .*`\"'").casefold() in PASSES:
            return PASS
        move = cell_in(text, self.size, self.size, EXAMPLE)
        if move not in _moves(self.size, *_sides(state), state.ko):
            cell = name_of(move, self.size)
            raise InvalidAnswer(f"{cell} is not a legal move; expected a cell such as {EXAMPLE}")
        return move

    def show(self, state: State) -> str:
        first, second = areas(self.size, state.first, state.second)
        lines = [
            f"Area at present: X {first}, O {second}.",
            f"X wins if its area exceeds that of O by more than {state.margin - 0.5}, else O wins.",
            f"Moves left for both players together: {state.left}.",
        ]
        if state.ko:
            lines.append(f"Not allowed in this move (ko): {name_of(_number(state.ko), self.size)}.")
        if state.passes:
            lines.append("The last move was a pass.")
        return "\n".join([board_text(self._signs(state)), "", *lines])

    def _signs(self, state: State) -> list[list[str]]:
        return board(self.size, self.size, {"X": state.first, "O": state.second})

    def scene(self, state: State, last: int | None) -> Grid:
        return board_scene(self._signs(state), () if last in {None, PASS} else (last,))

    def judgement(self, state: State, player: int) -> float:
        """The area, and half a point less for each own stone in a group with a single liberty."""
        first, second = areas(self.size, state.first, state.second)
        empty = borders(self.size)[0] & ~(state.first | state.second)
        stones = _stones(self.size, state.first, state.second)
        weak = weak_stones(stones.my_chains, empty) - weak_stones(stones.their_chains, empty)
        ahead = first - second - weak / 2
        return ahead if player == 0 else -ahead

    def stones(self, state: State) -> Stones:
        """The stones with their chains, those of the player to move first."""
        return _stones(self.size, *_sides(state))

    def free(self, state: State) -> int:
        """The number of empty cells."""
        return self.size**2 - (state.first | state.second).bit_count()

    def captures(self, state: State, move: int) -> bool:
        """Whether a move captures a stone."""
        return move != PASS and _moves(self.size, *_sides(state), state.ko)[move] > 0

    def fills_eye(self, state: State, move: int) -> bool:
        """Whether a stone would take an empty cell with no neighbours but own stones."""
        return move != PASS and not neighbours(self.size)[1 << move] & ~_sides(state)[0]


def _sides(state: State) -> tuple[int, int]:
    """The stones of the player to move, and those of the other player."""
    return (state.second, state.first) if state.turn else (state.first, state.second)


def _number(bit: int) -> int:
    return bit.bit_length() - 1


_recent: dict[tuple[int, int, int], Stones] = {}
"""The chains of positions that moves have led to, by size and stones."""

MOST_RECENT = 2_048


def _remember(size: int, stones: Stones) -> None:
    if len(_recent) >= MOST_RECENT:
        _recent.clear()
    _recent[size, stones.mine, stones.theirs] = stones


def _stones(size: int, mine: int, theirs: int) -> Stones:
    """The stones of two players with their chains, which follow from the move before if known."""
    return _recent.get((size, mine, theirs)) or stones_of(size, mine, theirs)


@lru_cache(maxsize=1 << 12)
def _moves(size: int, mine: int, theirs: int, ko: int) -> dict[int, int]:
    """The stones that each allowed stone captures, by the number of its cell."""
    stones = _stones(size, mine, theirs)
    return {cell.bit_length() - 1: taken for cell, taken in allowed(size, stones, ko)}
