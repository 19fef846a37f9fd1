"""Two players who leave trails on a board and move at the same time, and an opponent who turns at
random.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from palaestra.generators.matches.simultaneous_match import (
    SimultaneousResponse,
    SimultaneousRules,
)
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase
from palaestra.verifiers.reading.cells import cell_name
from palaestra.verifiers.reading.lead_ins import without_lead_in
from palaestra.verifiers.reading.moves import direction

WAYS = ("up", "right", "down", "left")
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
SIGNS = ("X", "O")
TRAILS = ("x", "o")
WALL, FLOOR = "#", "."
_FILLERS = frozenset(("a", "one", "cell", "step", "now", "to", "towards", "the", "by"))
TURNS = (0, 1, 3)
"""The ways ahead, to the right and to the left, relative to the last one."""


class State(NamedTuple):
    """The cells of both players, the ways of their last steps, their trails as bits, with the cells
    on which they are, and what player 0 has chosen in this turn.
    """

    first: int
    second: int
    first_way: int
    second_way: int
    first_trail: int
    second_trail: int
    written: int | None = None


@dataclass(frozen=True)
class LightTrails(SimultaneousRules[State, int]):
    """The last player who can step to a free cell wins. A move is the number of a way."""

    rows: int
    columns: int
    walls: int
    """The cells of walls, as bits."""

    turns: tuple[int, int, int]
    """How often the built-in opponent goes ahead, to its right and to its left, in percent."""

    state_type = State
    beginning = State(0, 0, 0, 0, 0, 0)

    def options(self, state: State, player: int) -> tuple[tuple[int, int], ...]:
        """The ways to free cells, each with its cell."""
        taken = self.walls | state.first_trail | state.second_trail
        near = around(self.rows, self.columns)[at(state, player)]
        return tuple((way, cell) for way, cell in near if not taken >> cell & 1)

    def choices(self, state: State, player: int) -> Sequence[int]:
        return [way for way, _ in self.options(state, player)]

    def turned(self, state: State, first: int, second: int) -> State:
        one = dict(around(self.rows, self.columns)[state.first])[first]
        two = dict(around(self.rows, self.columns)[state.second])[second]
        return State(
            one, two, first, second, state.first_trail | 1 << one, state.second_trail | 1 << two
        )

    def outcome(self, state: State) -> float | None:
        if state.first == state.second:
            return 0.0
        stuck = [not self.options(state, player) for player in (0, 1)]
        return float(stuck[1] - stuck[0]) if any(stuck) else None

    def chances_of(self, state: State, player: int) -> Mapping[int, float]:
        ahead = state.second_way if player else state.first_way
        free = self.choices(state, player)
        weights = {
            way: percent
            for turn, percent in zip(TURNS, self.turns)
            if (way := (ahead + turn) % len(WAYS)) in free
        }
        if not weights:
            return {free[0]: 1.0}  # the way back
        whole = sum(weights.values())
        return {way: percent / whole for way, percent in weights.items()}

    def room(self, state: State, player: int) -> int:
        """How many free cells a player can reach, if nobody else moves."""
        taken = self.walls | state.first_trail | state.second_trail
        return len(reached(self.rows, self.columns, taken, at(state, player)))

    def nearer(self, state: State, player: int) -> int:
        """The cells that a player reaches earlier than the other one, less those of the other."""
        taken = self.walls | state.first_trail | state.second_trail
        mine, theirs = (
            reached(self.rows, self.columns, taken, at(state, each))
            for each in (player, 1 - player)
        )
        far = self.rows * self.columns
        return sum(
            (mine.get(cell, far) < theirs.get(cell, far))
            - (mine.get(cell, far) > theirs.get(cell, far))
            for cell in mine.keys() | theirs.keys()
        )

    def name(self, state: State, move: int) -> str:
        return WAYS[move]

    def read(self, state: State, text: str) -> int:
        bare = without_lead_in(text, [SIGNS[self.player(state)]])
        words = [word for word in phrase(bare).split() if word not in _FILLERS]
        way = WAYS.index(direction(" ".join(words)))
        if way not in self.legal(state):
            raise InvalidAnswer(f"there is no free cell if you go {WAYS[way]}")
        return way

    def sign(self, state: State, cell: int) -> str:
        """What is seen on a cell."""
        for player in (0, 1):
            if at(state, player) == cell:
                return SIGNS[player]
        for player, trail in enumerate((state.first_trail, state.second_trail)):
            if trail >> cell & 1:
                return TRAILS[player]
        return WALL if self.walls >> cell & 1 else FLOOR

    def show(self, state: State, player: int) -> str:
        lines = [f"   {' '.join(str(n + 1) for n in range(self.columns))}"]
        for row in range(self.rows):
            signs = (self.sign(state, row * self.columns + n) for n in range(self.columns))
            lines.append(f"{row + 1}  {' '.join(signs)}")
        mine, theirs = (
            f"{SIGNS[each]} in {cell_name(*divmod(at(state, each), self.columns))}"
            for each in (player, 1 - player)
        )
        ways = (WAYS[state.first_way], WAYS[state.second_way])
        board = "\n".join(lines)
        return f"{board}\n\nYou are {mine}. Your opponent is {theirs}, facing {ways[1 - player]}."

    def end(self, state: State, player: int) -> str:
        if state.first == state.second:
            return "Both players have stepped to the same cell: a draw."
        outcome = self.outcome(state)
        if not outcome:
            return "Neither player can step to a free cell: a draw."
        if (outcome > 0) == (player == 0):
            return "Your opponent cannot step to a free cell: you have won the round."
        return "You cannot step to a free cell: you have lost the round."

    def scene(self, state: State, player: int) -> Grid:
        tones = {player: "c0", 1 - player: "c1"}
        looks = {
            WALL: Cell(fill="dark"),
            FLOOR: Cell(),
            **{TRAILS[each]: Cell(fill=tones[each].replace("c", "t")) for each in (0, 1)},
            **{SIGNS[each]: self._head(state, each, tones[each]) for each in (0, 1)},
        }
        return Grid(
            tuple(
                tuple(
                    looks[self.sign(state, row * self.columns + column)]
                    for column in range(self.columns)
                )
                for row in range(self.rows)
            ),
            coordinates=True,
        )

    @staticmethod
    def _head(state: State, player: int, tone: str) -> Cell:
        return Cell(SIGNS[player], mark="disc", tone=tone, fill=tone.replace("c", "t"))


def at(state: State, player: int) -> int:
    """The cell of a player."""
    return state.second if player else state.first


@lru_cache(maxsize=64)
def around(rows: int, columns: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The ways from each cell that do not leave the board, each with its cell."""
    return tuple(
        tuple(
            (way, (row + down) * columns + column + right)
            for way, (down, right) in enumerate(STEPS)
            if 0 <= row + down < rows and 0 <= column + right < columns
        )
        for row in range(rows)
        for column in range(columns)
    )


@lru_cache(maxsize=1 << 14)
def reached(rows: int, columns: int, taken: int, start: int) -> dict[int, int]:
    """The free cells that can be reached from a cell, each with the number of steps."""
    near, steps, wave = around(rows, columns), {start: 0}, [start]
    for here in wave:
        for _, cell in near[here]:
            if cell not in steps and not taken >> cell & 1:
                steps[cell] = steps[here] + 1
                wave.append(cell)
    del steps[start]
    return steps


class TrailResponse(SimultaneousResponse):
    """The best response to the built-in opponent.

    It makes no difference whose trail a cell belongs to, nor from where this player came.
    """

    def expectations(self, state: Any) -> Mapping[Any, float]:
        taken = state.first_trail | state.second_trail
        way = "second_way" if self.player else "first_way"
        return super().expectations(
            state._replace(first_trail=taken, second_trail=0, written=None, **{way: 0})
        )


@lru_cache(maxsize=32)
def trail_response(rules: LightTrails, player: int) -> TrailResponse:
    """The best response, which all episodes of a match share."""
    return TrailResponse(rules, player, 1 << 30)
