"""The rules of English draughts, with the 32 dark cells as bits, row by row from the top left.

The pieces of the first player, Black, start at the top.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from palaestra.generators.matches.rules import DRAW, LOSS, WIN, Rules
from palaestra.generators.matches.square_boards import bits, board_scene, board_text
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cell_paths import cell_path
from palaestra.verifiers.reading.cells import cell_name

SIZE = 8
CELLS = tuple(divmod(2 * n + (n // 4 + 1) % 2, SIZE) for n in range(32))
"""The row and the column of each dark cell."""

NUMBERED = {n + 1: each for n, each in enumerate(CELLS)}
"""The standard numbers of the cells."""

NOBODY = 2
LONGEST = 200
"""The moves of both players in a game from the start."""

PIECES = {
    "b": Cell("b", mark="disc", tone="black"),
    "B": Cell("B", mark="disc", tone="black"),
    "w": Cell("w", mark="disc", tone="white"),
    "W": Cell("W", mark="disc", tone="white"),
    ".": Cell(fill="shade"),
    " ": Cell(),
}

Path = tuple[int, ...]
"""A move: the cells on which a piece stands one after another."""


class State(NamedTuple):
    """The pieces of both players, which of them are kings, whose turn it is, how many moves are
    left, and who has to win with these: the other player wins at their end. With
    :data:`NOBODY`, that is a draw.
    """

    first: int
    second: int
    kings: int
    turn: int
    left: int = LONGEST
    hunter: int = NOBODY


@dataclass(frozen=True)
class Checkers(Rules[State, Path]):
    """English draughts with a limited number of moves."""

    state_type = State
    signs = ("Black", "White")

    def start(self) -> State:
        return State(0x00000FFF, 0xFFF00000, 0, 0)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[Path]:
        return _legal(*state[:4])

    def apply(self, state: State, move: Path) -> State:
        first, second, kings, turn, left, hunter = state
        start, end = 1 << move[0], 1 << move[-1]
        captured = 0
        for hop in pairwise(move):
            captured |= _BETWEEN.get(hop, 0)
        king = kings & start or end & _LAST_ROWS[turn]
        kings &= ~(start | captured)
        if king:
            kings |= end
        if turn == 0:
            return State(first & ~start | end, second & ~captured, kings, 1, left - 1, hunter)
        return State(first & ~captured, second & ~start | end, kings, 0, left - 1, hunter)

    def outcome(self, state: State) -> int | None:
        first, second, kings, turn, left, hunter = state
        if not _legal(first, second, kings, turn):
            return WIN if turn else LOSS
        if left > 0:
            return None
        return DRAW if hunter == NOBODY else WIN if hunter else LOSS

    def name(self, state: State, move: Path) -> str:
        return "-".join(cell_name(*CELLS[n]) for n in move)

    def read(self, state: State, text: str) -> Path:
        path = cell_path(text, SIZE, SIZE, NUMBERED, "r6c1-r5c2")
        legal = self.legal(state)
        named = tuple(map(_NUMBERS.get, path))
        ends = [move for move in legal if (move[0], move[-1]) == (named[0], named[-1])]
        fits = [move for move in legal if move == named] or (ends if len(named) == 2 else [])
        if len(fits) > 1:
            raise InvalidAnswer("several moves lead there; name every cell of the way")
        if not fits:
            must = "; a capture is compulsory, with all its jumps" if _captures(legal) else ""
            raise InvalidAnswer(f"{'-'.join(cell_name(*each) for each in path)} is not legal{must}")
        return fits[0]

    def show(self, state: State) -> str:
        limit = f"Moves left for both players together: {state.left}."
        return f"{board_text(self._signs(state, '.'))}\n\n{limit}"

    def _signs(self, state: State, light: str) -> list[list[str]]:
        signs = [[light] * SIZE for _ in range(SIZE)]
        for n, (row, column) in enumerate(CELLS):
            owner = "b" if state.first >> n & 1 else "w" if state.second >> n & 1 else "."
            signs[row][column] = owner.upper() if state.kings >> n & 1 else owner
        return signs

    def scene(self, state: State, last: Path | None) -> Grid:
        cells = [row * SIZE + column for row, column in (CELLS[n] for n in last or ())]
        return board_scene(self._signs(state, " "), cells, PIECES)

    def judgement(self, state: State, player: int) -> float:
        """Pieces, of which a king counts as much as one and a half men."""
        first, second = (
            side.bit_count() + (side & state.kings).bit_count() / 2 for side in state[:2]
        )
        return first - second if player == 0 else second - first


_NUMBERS = {each: n for n, each in enumerate(CELLS)}
_LAST_ROWS = 0xF0000000, 0x0000000F


def _ways(cell: int, downs: Sequence[int], length: int) -> Iterator[int]:
    row, column = CELLS[cell]
    for down in downs:
        for right in (-1, 1):
            end = row + length * down, column + length * right
            if end in _NUMBERS:
                yield _NUMBERS[end]


_DOWNS = (1,), (-1,), (-1, 1)
"""The directions of Black's men, of White's men, and of kings."""

_STEPS = tuple(
    tuple(tuple((1 << end, (n, end)) for end in _ways(n, downs, 1)) for n in range(32))
    for downs in _DOWNS
)
"""For each type of piece and each cell, the bits of the ends of steps, with the moves."""

_BETWEEN = {
    (n, end): next(1 << m for m in _ways(n, (-1, 1), 1) if m in set(_ways(end, (-1, 1), 1)))
    for n in range(32)
    for end in _ways(n, (-1, 1), 2)
}
"""The bit of the cell that each jump passes."""

_JUMPS = tuple(
    tuple(tuple((_BETWEEN[n, e], 1 << e, e) for e in _ways(n, downs, 2)) for n in range(32))
    for downs in _DOWNS
)
"""For each type of piece and each cell, the bits of the cells that are jumped over and entered."""


@lru_cache(maxsize=1 << 16)
def _legal(first: int, second: int, kings: int, turn: int) -> tuple[Path, ...]:
    """The captures, the longest first, or else the steps, those of kings first."""
    mine, theirs = (second, first) if turn else (first, second)
    empty = ~(mine | theirs)
    pieces = [(n, 2) for n in bits(mine & kings)] + [(n, turn) for n in bits(mine & ~kings)]
    jumps = [
        path
        for n, sort in pieces
        for path in _jumps(_JUMPS[sort], (n,), theirs, empty | 1 << n)
        if len(path) > 1
    ]
    if jumps:
        return tuple(sorted(jumps, key=len, reverse=True))
    return tuple(step for n, sort in pieces for end, step in _STEPS[sort][n] if empty & end)


def _jumps(
    ways: Sequence[Sequence[tuple[int, int, int]]], path: Path, theirs: int, empty: int
) -> Iterator[Path]:
    """The ways to go on with jumps until there is none; the path itself where there is none."""
    ended = True
    for over, end, cell in ways[path[-1]]:
        if theirs & over and empty & end:
            ended = False
            yield from _jumps(ways, (*path, cell), theirs & ~over, empty)
    if ended:
        yield path


def _captures(legal: Sequence[Path]) -> bool:
    return any((move[0], move[1]) in _BETWEEN for move in legal)
