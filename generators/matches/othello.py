"""The rules of Othello (Reversi), with discs as bits, row by row from the top left."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.matches.rules import DRAW, LOSS, WIN, Rules
from palaestra.generators.matches.square_boards import (
    bits,
    board,
    board_scene,
    board_text,
    name_of,
    read_cell,
)
from palaestra.scenes import Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.values import plain

PASS = -1
"""The move of a player who can place no disc."""


class State(NamedTuple):
    """The discs of both players, and whose turn it is."""

    first: int
    second: int
    turn: int


@dataclass(frozen=True)
class Othello(Rules[State, int]):
    """Othello on a square board of an even number of cells; X moves first."""

    size: int
    state_type = State

    def start(self) -> State:
        half = self.size // 2
        cells = [(half - 1, half), (half, half - 1), (half - 1, half - 1), (half, half)]
        a, b, c, d = (1 << row * self.size + column for row, column in cells)
        return State(a | b, c | d, 0)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[int]:
        mine, theirs = _sides(state)
        cells = _placeable(self.size, mine, theirs)
        if not cells:
            return (PASS,)
        corners = cells & _corners(self.size)
        return [*bits(corners), *bits(cells & ~corners)]

    def apply(self, state: State, move: int) -> State:
        first, second, turn = state
        if move == PASS:
            return State(first, second, 1 - turn)
        mine, theirs = _sides(state)
        turned = _turned(self.size, mine, theirs, 1 << move)
        mine, theirs = mine | turned | 1 << move, theirs & ~turned
        return State(mine, theirs, 1) if turn == 0 else State(theirs, mine, 0)

    def outcome(self, state: State) -> int | None:
        first, second, _ = state
        mine, theirs = _sides(state)
        if _placeable(self.size, mine, theirs) or _placeable(self.size, theirs, mine):
            return None
        lead = first.bit_count() - second.bit_count()
        return WIN if lead > 0 else LOSS if lead < 0 else DRAW

    def name(self, state: State, move: int) -> str:
        return "pass" if move == PASS else name_of(move, self.size)

    def read(self, state: State, text: str) -> int:
        legal = self.legal(state)
        if plain(text).strip(" .").casefold() in {"pass", "i pass"}:
            if legal != (PASS,):
                raise InvalidAnswer("you can place a disc, so you may not pass")
            return PASS
        return read_cell(text, self.size, self.size, legal)

    def show(self, state: State) -> str:
        count = f"X has {state.first.bit_count()} discs, O has {state.second.bit_count()}."
        return f"{board_text(self._signs(state))}\n\n{count}"

    def _signs(self, state: State) -> list[list[str]]:
        return board(self.size, self.size, {"X": state.first, "O": state.second})

    def scene(self, state: State, last: int | None) -> Grid:
        return board_scene(self._signs(state), () if last in {None, PASS} else (last,))

    def judgement(self, state: State, player: int) -> float:
        """Discs, of which those in corners count twelve times."""
        corners = _corners(self.size)
        first, second = (side.bit_count() + 11 * (side & corners).bit_count() for side in state[:2])
        return float(first - second if player == 0 else second - first)

    def free(self, state: State) -> int:
        """The number of empty cells."""
        return self.size**2 - (state.first | state.second).bit_count()


def _sides(state: State) -> tuple[int, int]:
    """The discs of the player to move, and those of the other player."""
    first, second, turn = state
    return (first, second) if turn == 0 else (second, first)


@lru_cache(maxsize=8)
def _corners(size: int) -> int:
    last = size - 1
    return sum(1 << row * size + column for row in (0, last) for column in (0, last))


@lru_cache(maxsize=8)
def _shifts(size: int) -> tuple[tuple[int, int, int], ...]:
    """The shift of each direction that goes up in numbers, and the mask of the cells that a step in
    this direction can lead to, and the same for the opposite direction.
    """
    cells = range(size * size)
    inner_left = sum(1 << cell for cell in cells if cell % size != size - 1)
    inner_right = sum(1 << cell for cell in cells if cell % size)
    every = inner_left | inner_right
    return (
        (1, inner_right, inner_left),
        (size, every, every),
        (size + 1, inner_right, inner_left),
        (size - 1, inner_left, inner_right),
    )


@lru_cache(maxsize=1 << 16)
def _placeable(size: int, mine: int, theirs: int) -> int:
    """The empty cells from which discs of the other player are enclosed."""
    taken = mine | theirs
    cells = 0
    for shift, up, down in _shifts(size):
        way = theirs & up
        run = mine << shift & way
        while run:
            run <<= shift
            cells |= run & up
            run &= way
        way = theirs & down
        run = mine >> shift & way
        while run:
            run >>= shift
            cells |= run & down
            run &= way
    return cells & ~taken


def _turned(size: int, mine: int, theirs: int, disc: int) -> int:
    """The discs that a new disc turns over."""
    turned = 0
    for shift, up, down in _shifts(size):
        run, line = disc << shift & up, 0
        while run & theirs:
            line |= run
            run = run << shift & up
        if run & mine:
            turned |= line
        run, line = disc >> shift & down, 0
        while run & theirs:
            line |= run
            run = run >> shift & down
        if run & mine:
            turned |= line
    return turned
