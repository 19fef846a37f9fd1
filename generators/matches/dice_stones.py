"""The rules of a race of numbered stones, of which a die selects the one to move."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.matches.dice_match import DiceRules
from palaestra.generators.matches.rules import LOSS, WIN
from palaestra.generators.matches.square_boards import hop_name, read_hop
from palaestra.scenes import Card, Cards, Cell, Grid, Panels, cells_of
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.values import plain

_STONE = re.compile(r"(?:move )?([xo])([1-9])(?: ?: ?| from | )", re.IGNORECASE)
"""A stone that is named before its cells, as in "X3: r2c2-r2c3"."""

OFF = -1
"""Where a stone is that has been captured."""

Stones = tuple[int, ...]
"""The cell of each stone of a player, row by row from 0, or `OFF`."""

Hop = tuple[int, int]


class State(NamedTuple):
    """The stones of both players, whose turn it is, and the number rolled; 0 before a roll."""

    first: Stones
    second: Stones
    turn: int
    die: int


@dataclass(frozen=True)
class DiceStones(DiceRules[State, "Hop | int"]):
    """A race on a square board, with as many faces of the die as each player has stones."""

    size: int
    stones: int

    state_type = State

    def start(self) -> State:
        corner = self.corner()[: self.stones]
        last = self.size**2 - 1
        return State(tuple(corner), tuple(last - cell for cell in corner), 0, 0)

    def corner(self) -> list[int]:
        """The cells of X's corner, the nearest ones to it first; O's are opposite to them."""
        cells = sorted(range(self.size**2), key=lambda cell: sum(divmod(cell, self.size)))
        return [cell for cell in cells if sum(divmod(cell, self.size)) < self.size - 1]

    def combinations(self, state: State) -> int:
        """A bound on the number of positions of the stones that may follow."""
        number = 1
        for turn, stones in enumerate(state[:2]):
            for cell in stones:
                row, column = divmod(cell, self.size)
                if turn == 0:
                    row, column = self.size - 1 - row, self.size - 1 - column
                number *= 1 if cell == OFF else (row + 1) * (column + 1) + 1
        return number

    def player(self, state: State) -> int:
        return state.turn

    def outcome(self, state: State) -> int | None:
        if self.size**2 - 1 in state.first or max(state.second) == OFF:
            return WIN
        if 0 in state.second or max(state.first) == OFF:
            return LOSS
        return None

    def legal(self, state: State) -> Sequence["Hop | int"]:
        if not state.die or self.outcome(state) is not None:
            return ()
        mine, _ = sides_of(state)
        hops = targets(self.size, state.turn)
        cells = [mine[number] for number in movable(mine, state.die - 1)]
        return [(cell, end) for cell in cells for end in hops[cell]]

    def chances(self, state: State) -> Sequence[tuple["Hop | int", float]]:
        if state.die:
            return ()
        return [(face, 1 / self.stones) for face in range(1, self.stones + 1)]

    def apply(self, state: State, move: "Hop | int") -> State:
        if isinstance(move, int):
            return state._replace(die=move)
        mine, theirs = hopped(*sides_of(state), move)
        sides = (mine, theirs) if state.turn == 0 else (theirs, mine)
        return State(*sides, 1 - state.turn, 0)

    def win_chance(self, state: State) -> float | None:
        if state.die or self.outcome(state) is not None:
            return None
        worth = chance_before_roll(self, state.first, state.second, state.turn)
        return worth if state.turn == 0 else 1 - worth

    def name(self, state: State, move: "Hop | int") -> str:
        return str(move) if isinstance(move, int) else hop_name(move, self.size)

    def read(self, state: State, text: str) -> Hop:
        legal = [move for move in self.legal(state) if not isinstance(move, int)]
        body = plain(text)
        if stone := _STONE.match(body):
            mine, _ = sides_of(state)
            number = int(stone[2]) - 1
            if stone[1].upper() != self.signs[state.turn] or number >= self.stones:
                raise InvalidAnswer(f"{stone[0].strip()!r} is no stone of {self.signs[state.turn]}")
            legal = [move for move in legal if move[0] == mine[number]]
            body = body[stone.end() :]
        return read_hop(body, self.size, self.size, legal)

    def show(self, state: State) -> str:
        rows = self._signs(state)
        numbers = " ".join(f"{n + 1:>2}" for n in range(self.size))
        lines = [f"{n + 1} {' '.join(f'{sign:>2}' for sign in row)}" for n, row in enumerate(rows)]
        return "\n".join([f"  {numbers}", *lines, "", f"Die: {state.die}"])

    def _signs(self, state: State) -> list[list[str]]:
        signs = ["."] * self.size**2
        for sign, stones in zip(self.signs, state[:2]):
            for number, cell in enumerate(stones, 1):
                if cell != OFF:
                    signs[cell] = f"{sign}{number}"
        return [signs[row * self.size : (row + 1) * self.size] for row in range(self.size)]

    def news(self, state: State, event: "Hop | int") -> str:
        return f"{self.signs[state.turn]} rolls {event}."

    def scene(self, state: State, last: "Hop | int | None") -> Panels:
        fills = {"X": "t3", "O": "t6"}
        signs = {
            f"{sign}{n}": Cell(f"{sign}{n}", fill=fill)
            for sign, fill in fills.items()
            for n in range(1, self.stones + 1)
        }
        marked = () if last is None or isinstance(last, int) else last
        grid = Grid(
            cells_of(self._signs(state), {**signs, ".": Cell()}),
            coordinates=True,
            last=tuple(divmod(cell, self.size) for cell in marked),
        )
        die = Cards(((Card(str(state.die), shape="die"),),), ("Die",))
        return Panels((grid, die), ("", ""), columns=1)

    def thumbs(self) -> Mapping[str, Callable[[State, Random], Hop]]:
        def by(value: Callable[[Stones, Stones, int], float]) -> Callable[[State, Random], Hop]:
            """Win if possible; else the move with the best position, at random if equal."""

            def choose(state: State, rng: Random) -> Hop:
                moves = [move for move in self.legal(state) if not isinstance(move, int)]
                rng.shuffle(moves)

                def worth(move: Hop) -> float:
                    after = self.apply(state, move)
                    won = 1_000.0 * (self.outcome(after) is not None)
                    theirs, mine = sides_of(after)
                    return won + value(mine, theirs, state.turn)

                return max(moves, key=worth)

            return choose

        def nearest(stones: Stones, turn: int) -> int:
            return min((self._distance(cell, turn) for cell in stones if cell != OFF), default=9)

        def lead(mine: Stones, theirs: Stones, turn: int) -> float:
            return nearest(theirs, 1 - turn) - nearest(mine, turn)

        def total(mine: Stones, theirs: Stones, turn: int) -> float:
            return -sum(self._distance(cell, turn) for cell in mine if cell != OFF)

        def men(stones: Stones) -> int:
            return sum(cell != OFF for cell in stones)

        return {
            "win, else capture, else get nearer": by(
                lambda mine, theirs, turn: 10 * (men(mine) - men(theirs)) - nearest(mine, turn)
            ),
            "win, else the lead of the first stone": by(lead),
            "win, else the lead of the first stone, then more stones": by(
                lambda mine, theirs, turn: lead(mine, theirs, turn) + 0.1 * men(mine)
            ),
            "win, else the lead of the first stone, then fewer stones": by(
                lambda mine, theirs, turn: lead(mine, theirs, turn) - 0.1 * men(mine)
            ),
            "win, else the lead after the likely reply": self._ahead,
            "win, else the fewest steps of all stones": by(total),
            "win, else few stones of the other player": by(
                lambda mine, theirs, turn: -10 * men(theirs) + total(mine, theirs, turn)
            ),
        }

    def _ahead(self, state: State, rng: Random) -> Hop:
        """The move after which the lead of the first stone is best on average over the rolls of the
        other player, who takes the best lead for itself.
        """
        turn = state.turn
        moves = [move for move in self.legal(state) if not isinstance(move, int)]
        rng.shuffle(moves)

        def lead(after: State) -> float:
            if (over := self.outcome(after)) is not None:
                return 100.0 if (over == WIN) == (turn == 0) else -100.0
            near = [
                min(self._distance(cell, side) for cell in stones if cell != OFF)
                for side, stones in enumerate(after[:2])
            ]
            return near[1 - turn] - near[turn]

        def worth(move: Hop) -> float:
            after = self.apply(state, move)
            if self.outcome(after) is not None:
                return 1_000.0
            rolls = [self.apply(after, face) for face in range(1, self.stones + 1)]
            return sum(min(lead(self.apply(roll, n)) for n in self.legal(roll)) for roll in rolls)

        return max(moves, key=worth)

    def _distance(self, cell: int, turn: int) -> int:
        """The number of moves from a cell to the corner where a player wins."""
        row, column = divmod(cell, self.size)
        return max(row, column) if turn else self.size - 1 - min(row, column)


def sides_of(state: State) -> tuple[Stones, Stones]:
    """The stones of the player to move, and those of the other player."""
    return (state.second, state.first) if state.turn else (state.first, state.second)


@lru_cache(maxsize=16)
def targets(size: int, turn: int) -> tuple[tuple[int, ...], ...]:
    """The cells that a stone of a player can move to, for each cell: diagonally first.

    >>> targets(3, 0)[0], targets(3, 1)[8], targets(3, 0)[2]
    ((4, 3, 1), (4, 5, 7), (5,))
    """
    step = -1 if turn else 1
    return tuple(
        tuple(
            (row + step * down) * size + column + step * right
            for down, right in ((1, 1), (1, 0), (0, 1))
            if 0 <= row + step * down < size and 0 <= column + step * right < size
        )
        for row in range(size)
        for column in range(size)
    )


def movable(mine: Stones, number: int) -> list[int]:
    """The stones that a roll allows to move, all counted from 0: the one of this number, or, if it
    has been captured, the next lower and the next higher one.

    >>> movable((4, OFF, OFF, 7), 0), movable((4, OFF, OFF, 7), 1), movable((OFF, OFF, 2), 0)
    ([0], [0, 3], [2])
    """
    if mine[number] != OFF:
        return [number]
    lower = [n for n in range(number) if mine[n] != OFF][-1:]
    higher = [n for n in range(number + 1, len(mine)) if mine[n] != OFF][:1]
    return lower + higher


def hopped(mine: Stones, theirs: Stones, hop: Hop) -> tuple[Stones, Stones]:
    """The stones after a move, which captures a stone of either player."""
    start, end = hop
    if end in theirs:
        theirs = tuple([OFF if cell == end else cell for cell in theirs])
    if end in mine:
        mine = tuple([OFF if cell == end else cell for cell in mine])
    return tuple([end if cell == start else cell for cell in mine]), theirs


@lru_cache(maxsize=1 << 18)
def chance_before_roll(rules: DiceStones, first: Stones, second: Stones, turn: int) -> float:
    """The probability to win of the player to roll, in a game that goes on."""
    mine, theirs = (second, first) if turn else (first, second)
    goal = 0 if turn else rules.size**2 - 1
    hops = targets(rules.size, turn)
    best = dict[int, float]()
    for number, cell in enumerate(mine):
        if cell == OFF:
            continue
        best[number] = 0.0
        for end in hops[cell]:
            after, left = hopped(mine, theirs, (cell, end))
            if end == goal or max(left) == OFF:
                best[number] = 1.0
                break
            sides = (left, after) if turn else (after, left)
            worth = 1 - chance_before_roll(rules, *sides, 1 - turn)
            best[number] = max(best[number], worth)
    rolls = (max(best[n] for n in movable(mine, number)) for number in range(rules.stones))
    return sum(rolls) / rules.stones
