"""The rules of alquerque, with the men of both players as bits, row by row from the top left.

Men move in every direction along the lines of the board, and capture by jumps along them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from palaestra.generators.matches.forced_wins import ForcedRules
from palaestra.generators.matches.square_boards import (
    bits,
    board,
    board_scene,
    board_text,
    name_of,
)
from palaestra.scenes import Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cell_paths import cell_path
from palaestra.verifiers.reading.lead_ins import without_lead_in

WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))

Path = tuple[int, ...]
"""A move: the cells on which a man stands one after another."""

View = tuple[int, int]
"""The men of the player to move, and those of the other player."""


class State(NamedTuple):
    """The men of both players, whose turn it is, how many moves are left for both together, and the
    player who has to win in them.
    """

    first: int
    second: int
    turn: int
    left: int = 1_000
    hunter: int = 0


@dataclass(frozen=True)
class Alquerque(ForcedRules[State, Path]):
    """Alquerque on a square board; with five rows, each player has twelve men at the start."""

    size: int
    """The number of rows and columns, which is odd."""

    state_type = State

    def start(self) -> State:
        half = self.size**2 // 2
        men = (1 << half) - 1
        # On both sides of the middle: in its row, men of O to the left and of X to the right.
        return State(men << half + 1, men, 0)

    def view(self, state: State) -> View:
        return (state.second, state.first) if state.turn else (state.first, state.second)

    def views(self, view: View) -> Sequence[View]:
        return [_after(self.size, view, move) for move in _legal(self.size, *view)]

    def verdict(self, view: View) -> int:
        return 0 if _legal(self.size, *view) else -1

    def legal(self, state: State) -> Sequence[Path]:
        return _legal(self.size, *self.view(state))

    def apply(self, state: State, move: Path) -> State:
        theirs, mine = _after(self.size, self.view(state), move)
        rest = 1 - state.turn, state.left - 1, state.hunter
        return State(theirs, mine, *rest) if state.turn else State(mine, theirs, *rest)

    def name(self, state: State, move: Path) -> str:
        return "-".join(name_of(cell, self.size) for cell in move)

    def read(self, state: State, text: str) -> Path:
        body = without_lead_in(text, [self.mover(state)])
        path = cell_path(body, self.size, self.size, example="r2c3-r1c3")
        named = tuple(row * self.size + column for row, column in path)
        legal = self.legal(state)
        ends = [move for move in legal if (move[0], move[-1]) == (named[0], named[-1])]
        fits = [move for move in legal if move == named] or (ends if len(named) == 2 else [])
        if len(fits) > 1:
            raise InvalidAnswer("several moves lead there; name every cell of the way")
        if not fits:
            must = "; a capture is compulsory, with all its jumps" if self.captures(state) else ""
            raise InvalidAnswer(f"{self.name(state, named)} is not legal{must}")
        return fits[0]

    def captures(self, state: State) -> bool:
        """Whether the player to move has to capture."""
        move = self.legal(state)[0]
        return (move[0], move[1]) in _between(self.size)

    def show(self, state: State) -> str:
        moves = (state.left + (state.turn == state.hunter)) // 2
        limit = f"Moves that {self.signs[state.hunter]} may still make: {moves}."
        return f"{board_text(self._signs(state))}\n\n{limit}"

    def _signs(self, state: State) -> list[list[str]]:
        return board(self.size, self.size, {"X": state.first, "O": state.second})

    def scene(self, state: State, last: Path | None) -> Grid:
        return board_scene(self._signs(state), last or ())

    def judgement(self, state: State, player: int) -> float:
        """How many more men a player has, with a little for men that can move."""
        mine, theirs = (state.second, state.first) if player else (state.first, state.second)
        lead = mine.bit_count() - theirs.bit_count()
        return lead + 0.05 * (
            len(_legal(self.size, mine, theirs)) - len(_legal(self.size, theirs, mine))
        )

    def thumbs(self) -> Mapping[str, Callable[[State, Path], float]]:
        # Each rule ends with one that tells moves apart, as most moves capture nothing.
        def most_captured(state: State, move: Path) -> float:
            return 100.0 * len(move) + self._looks(state, move)

        def fewest_replies(state: State, move: Path) -> float:
            after = self.apply(state, move)
            return -float(len(_legal(self.size, *self.view(after)))) + self._looks(state, move) / 10

        def safest(state: State, move: Path) -> float:
            """The men that are left after the reply that takes the most."""
            after = self.view(self.apply(state, move))
            left = [view[0].bit_count() - view[1].bit_count() for view in self.views(after)]
            return min(left, default=100) + self._looks(state, move) / 100

        def offered(state: State, move: Path) -> float:
            """Whether the other player has to capture, as few men as possible."""
            after = self.apply(state, move)
            legal = _legal(self.size, *self.view(after))
            if not legal:
                return 100.0
            most = len(legal[0]) - 1 if self.captures(after) else 0
            return 50.0 * (most > 0) - 5.0 * most - len(legal) / 10

        def nearest(state: State, move: Path) -> float:
            """How near the man comes to those of the other player, in sum."""
            theirs = bits(self.view(self.apply(state, move))[0])
            row, column = divmod(move[-1], self.size)
            ways = (divmod(cell, self.size) for cell in theirs)
            return -float(sum(max(abs(row - r), abs(column - c)) for r, c in ways))

        return {
            "the longest jump": most_captured,
            "fewest replies": fewest_replies,
            "most men after the reply": safest,
            "an offer of a man": offered,
            "towards the other player's men": nearest,
        }


def _ways(size: int, cell: int) -> Iterator[tuple[int, ...]]:
    """For each line from a cell, the next cell and, if the line goes on, the one behind it."""
    row, column = divmod(cell, size)
    for down, right in WAYS if (row + column) % 2 == 0 else WAYS[:4]:
        cells = [(row + n * down, column + n * right) for n in (1, 2)]
        inside = [r * size + c for r, c in cells if 0 <= r < size and 0 <= c < size]
        if inside:
            yield tuple(inside)


@lru_cache(maxsize=8)
def _steps(size: int) -> tuple[tuple[int, ...], ...]:
    """The neighbours of each cell along the lines of the board."""
    return tuple(tuple(way[0] for way in _ways(size, cell)) for cell in range(size * size))


@lru_cache(maxsize=8)
def _jumps(size: int) -> tuple[tuple[tuple[int, int, int], ...], ...]:
    """For each cell, the bits of the cells that a jump passes and enters, and the latter cell."""
    return tuple(
        tuple((1 << way[0], 1 << way[1], way[1]) for way in _ways(size, cell) if len(way) == 2)
        for cell in range(size * size)
    )


@lru_cache(maxsize=8)
def _between(size: int) -> Mapping[tuple[int, int], int]:
    """The bit of the cell that each jump passes."""
    return {(cell, end): over for cell in range(size * size) for over, _, end in _jumps(size)[cell]}


@lru_cache(maxsize=1 << 16)
def _legal(size: int, mine: int, theirs: int) -> tuple[Path, ...]:
    """The captures, the longest first, or else the steps."""
    empty = (1 << size * size) - 1 & ~(mine | theirs)
    captures = [
        path
        for cell in bits(mine)
        for path in _paths(_jumps(size), (cell,), theirs, empty | 1 << cell)
        if len(path) > 1
    ]
    if captures:
        return tuple(sorted(captures, key=len, reverse=True))
    steps = _steps(size)
    return tuple((cell, end) for cell in bits(mine) for end in steps[cell] if empty >> end & 1)


def _paths(
    jumps: Sequence[Sequence[tuple[int, int, int]]], path: Path, theirs: int, empty: int
) -> Iterator[Path]:
    """The ways to go on with jumps until there is none; the path itself where there is none."""
    ended = True
    for over, end, cell in jumps[path[-1]]:
        if theirs & over and empty & end:
            ended = False
            yield from _paths(jumps, (*path, cell), theirs & ~over, empty)
    if ended:
        yield path


def _after(size: int, view: View, move: Path) -> View:
    """The position after a move, from the view of the other player."""
    mine, theirs = view
    between = _between(size)
    for hop in pairwise(move):
        theirs &= ~between.get(hop, 0)
    return theirs, mine & ~(1 << move[0]) | 1 << move[-1]
