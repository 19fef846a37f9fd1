"""The rules of Lines of Action, with pieces as bits, row by row from the top left."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from palaestra.generators.matches.forced_wins import ForcedRules
from palaestra.generators.matches.square_boards import (
    Hop,
    bits,
    board,
    board_scene,
    board_text,
    hop_name,
    read_hop,
)
from palaestra.scenes import Grid
from palaestra.verifiers.reading.lead_ins import without_lead_in

_LEAD = re.compile(
    r"(?:i )?(?:move|moves|slide)? ?(?:(?:the|my|a) (?:piece|stone) )?(?:(?:from|at|on|in) )?(?=r)",
    re.IGNORECASE,
)
_CAPTURE = re.compile(r"(?<=[0-9)]) ?x ?(?=[r(])", re.IGNORECASE)

View = tuple[int, int]
"""The pieces of the player to move, and those of the other player."""


class State(NamedTuple):
    """The pieces of both players, whose turn it is, how many moves are left for both together, and
    the player who has to win in them.
    """

    first: int
    second: int
    turn: int
    left: int = 1_000
    hunter: int = 0


@dataclass(frozen=True)
class LinesOfAction(ForcedRules[State, Hop]):
    """Bring all own pieces together. The last player to move wins if both have done so."""

    rows: int
    columns: int

    state_type = State

    def start(self) -> State:
        """X has the top and the bottom row, O the two outer columns, all without the corners."""
        rows, columns = range(self.rows), range(self.columns)
        first = sum(1 << r * self.columns + c for r in (0, self.rows - 1) for c in columns[1:-1])
        second = sum(1 << r * self.columns + c for r in rows[1:-1] for c in (0, self.columns - 1))
        return State(first, second, 0)

    def view(self, state: State) -> View:
        first, second, turn, *_ = state
        return (second, first) if turn else (first, second)

    def views(self, view: View) -> Sequence[View]:
        mine, theirs = view
        after = [
            (theirs & ~(1 << end), mine ^ 1 << start | 1 << end)
            for start, end in _hops(self.rows, self.columns, mine, theirs)
        ]
        return sorted(after, key=lambda each: self.groups(each[1]))

    def verdict(self, view: View) -> int:
        """The other player has moved last, and wins if the pieces of both are together."""
        mine, theirs = view
        if self.groups(theirs) == 1:
            return -1
        if self.groups(mine) == 1:
            return 1
        return 0 if _can_move(self.rows, self.columns, mine, theirs) else -1

    def groups(self, pieces: int) -> int:
        """The number of groups of pieces that are connected, diagonally as well."""
        return _groups(self.rows, self.columns, pieces)

    def legal(self, state: State) -> Sequence[Hop]:
        return _hops(self.rows, self.columns, *self.view(state))

    def apply(self, state: State, move: Hop) -> State:
        mine, theirs = self.view(state)
        mine, theirs = mine ^ 1 << move[0] | 1 << move[1], theirs & ~(1 << move[1])
        sides = (theirs, mine) if state.turn else (mine, theirs)
        return State(*sides, 1 - state.turn, state.left - 1, state.hunter)

    def judgement(self, state: State, player: int) -> float:
        """Few own groups, many of the other player, and own pieces that are near each other."""
        mine, theirs = (state.first, state.second)[:: -1 if player else 1]
        groups = self.groups(theirs) - self.groups(mine)
        return 10 * groups + self._spread(theirs) - self._spread(mine)

    def thumbs(self) -> Mapping[str, Callable[[State, Hop], float]]:
        def pieces(state: State, move: Hop) -> int:
            """The own pieces after a move."""
            return self.view(self.apply(state, move))[1]

        def nearest(state: State, move: Hop) -> float:
            return -float(self._distances(pieces(state, move)))

        def joined(state: State, move: Hop) -> float:
            mine = pieces(state, move)
            return -1_000.0 * self.groups(mine) - self._distances(mine)

        def fewest_replies(state: State, move: Hop) -> float:
            return -float(len(self.legal(self.apply(state, move))))

        return {
            "fewest replies": fewest_replies,
            "smallest sum of distances": nearest,
            "fewest groups, then smallest sum of distances": joined,
        }

    def _distances(self, pieces: int) -> int:
        """The sum of the distances between pieces, in steps of a king."""
        cells = [divmod(n, self.columns) for n in bits(pieces)]
        return sum(max(abs(r - s), abs(c - d)) for (r, c), (s, d) in combinations(cells, 2))

    def _spread(self, pieces: int) -> float:
        """The mean distance of pieces from their centre."""
        cells = [divmod(n, self.columns) for n in bits(pieces)]
        if not cells:
            return 0.0
        row, column = (sum(each) / len(cells) for each in zip(*cells))
        return float(sum(max(abs(r - row), abs(c - column)) for r, c in cells) / len(cells))

    def name(self, state: State, move: Hop) -> str:
        return hop_name(move, self.columns)

    def read(self, state: State, text: str) -> Hop:
        body = without_lead_in(text, [self.mover(state)])
        body = _CAPTURE.sub("-", _LEAD.sub("", body, count=1))
        return read_hop(body, self.rows, self.columns, self.legal(state))

    def show(self, state: State) -> str:
        left = f"Moves left for both players together: {state.left}."
        return f"{board_text(self._signs(state))}\n\n{left}"

    def scene(self, state: State, last: Hop | None) -> Grid:
        return board_scene(self._signs(state), last or ())

    def _signs(self, state: State) -> list[list[str]]:
        return board(self.rows, self.columns, {"X": state.first, "O": state.second})


@lru_cache(maxsize=1 << 15)
def _hops(rows: int, columns: int, mine: int, theirs: int) -> tuple[Hop, ...]:
    """The moves of a player: along each line as far as there are pieces on it, over own pieces but
    not over those of the other player.
    """
    return tuple(_generated(rows, columns, mine, theirs))


def _can_move(rows: int, columns: int, mine: int, theirs: int) -> bool:
    """Whether a player has a legal move."""
    return next(_generated(rows, columns, mine, theirs), None) is not None


def _generated(rows: int, columns: int, mine: int, theirs: int) -> Iterator[Hop]:
    """The moves of a player, one at a time."""
    taken, lines = mine | theirs, _lines(rows, columns)
    for start in bits(mine):
        for line, ways in lines[start]:
            for between, end, hop in ways[(line & taken).bit_count()]:
                if not between & theirs and not end & mine:
                    yield hop


Way = tuple[int, int, Hop]
"""The cells between the start and the end, the end, both as bits, and the move."""

Ways = tuple[int, tuple[tuple[Way, ...], ...]]
"""A line, as bits, and the ways along it by the number of steps."""


@lru_cache(maxsize=32)
def _lines(rows: int, columns: int) -> tuple[tuple[Ways, ...], ...]:
    """The four lines through each cell."""

    def ways(start: int, down: int, right: int) -> Iterator[Way]:
        """The ways in a direction, the shortest one first."""
        row, column = divmod(start, columns)
        passed = 0
        while 0 <= row + down < rows and 0 <= column + right < columns:
            row, column = row + down, column + right
            end = row * columns + column
            yield passed, 1 << end, (start, end)
            passed |= 1 << end

    def line(start: int, down: int, right: int) -> Ways:
        both = [*ways(start, down, right)], [*ways(start, -down, -right)]
        cells = 1 << start | sum(end for each in both for _, end, _ in each)
        by_steps = (
            tuple(each[steps - 1] for each in both if 0 < steps <= len(each))
            for steps in range(cells.bit_count() + 1)
        )
        return cells, tuple(by_steps)

    directions = (0, 1), (1, 0), (1, 1), (1, -1)
    return tuple(
        tuple(line(start, *direction) for direction in directions)
        for start in range(rows * columns)
    )


@lru_cache(maxsize=1 << 15)
def _groups(rows: int, columns: int, pieces: int) -> int:
    near, number = _near(rows, columns), 0
    while pieces:
        number += 1
        wave = pieces & -pieces
        pieces ^= wave
        while wave:
            cell = (wave & -wave).bit_length() - 1
            more = near[cell] & pieces
            pieces ^= more
            wave = wave & (wave - 1) | more
    return number


@lru_cache(maxsize=32)
def _near(rows: int, columns: int) -> tuple[int, ...]:
    """The neighbours of each cell, as bits, diagonal ones included."""
    return tuple(
        sum(
            1 << r * columns + c
            for r in range(max(0, row - 1), min(rows, row + 2))
            for c in range(max(0, column - 1), min(columns, column + 2))
            if (r, c) != (row, column)
        )
        for row in range(rows)
        for column in range(columns)
    )
