"""The rules of crossing lanes of cars and rivers with logs, which all move as announced."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from palaestra.generators.games.solo import SoloRules
from palaestra.generators.games.steps import WAIT, step_or_wait
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cells import cell_name

STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1), WAIT: (0, 0)}
WAYS = (*STEPS,)
HIT = -1
"""The cell of a player who was hit, or who has drowned."""

GRASS, ROAD, RIVER = "grass", "road", "river"


class Lane(NamedTuple):
    """A row: what it is, how far its cars or logs go to the right in a turn, and their columns at
    the start, as bits.
    """

    ground: str
    speed: int
    things: int


class State(NamedTuple):
    """The cell of the player or `HIT`, the turns so far modulo the width, and the coins that are
    left, as bits.
    """

    cell: int
    turn: int
    coins: int


@dataclass(frozen=True)
class RoadCrossing(SoloRules[State, int]):
    """Collect all coins and reach the top row. A move is the number of a way."""

    width: int
    lanes: tuple[Lane, ...]
    """The rows from the top."""

    coins: tuple[int, ...]
    """The cells of all coins, collected ones included."""

    def occupied(self, row: int, column: int, turn: int) -> bool:
        """Whether a car or a log is on a cell."""
        lane = self.lanes[row]
        return bool(lane.things >> ((column - lane.speed * turn) % self.width) & 1)

    def target(self, state: State, move: int) -> tuple[int, int] | None:
        """The row and column that a step leads to; None off the board."""
        row, column = divmod(state.cell, self.width)
        down, right = STEPS[WAYS[move]]
        row, column = row + down, column + right
        inside = 0 <= row < len(self.lanes) and 0 <= column < self.width
        return (row, column) if inside else None

    def legal(self, state: State) -> Sequence[int]:
        if state.cell == HIT:
            return ()
        return [move for move in range(5) if self.target(state, move) is not None]

    def apply(self, state: State, move: int) -> State:
        target = self.target(state, move)
        assert target is not None, "the move is not legal"
        row, column = target
        turn = (state.turn + 1) % self.width
        lane = self.lanes[row]
        here = self.occupied(row, column, state.turn)
        if lane.ground == RIVER:
            column += lane.speed
            safe = here and 0 <= column < self.width
        else:
            safe = not here and not self.occupied(row, column, turn)
        cell = row * self.width + column if safe else HIT
        coins = state.coins
        if cell in self.coins:
            coins &= ~(1 << self.coins.index(cell))
        return State(cell, turn, coins)

    def distance(self, state: State) -> float:
        if state.cell == HIT:
            return float("inf")
        row, column = divmod(state.cell, self.width)
        left = [cell for n, cell in enumerate(self.coins) if state.coins >> n & 1]
        return float(max([row, *(self._detour(row, column, cell) for cell in left)]))

    def _detour(self, row: int, column: int, coin: int) -> int:
        """The fewest moves by way of a coin to the top, where a log may carry the player along by
        two cells in a move, beside a step.
        """
        down, right = divmod(coin, self.width)
        return max(abs(row - down) + down, -(-abs(column - right) // 3), 1)

    def judgement(self, state: State) -> float:
        return -self.distance(state) - 3 * state.coins.bit_count()

    def why_lost(self, state: State) -> str:
        return "you were hit by a car, fell into the water or were carried off the board"

    def decode(self, text: str) -> State:
        return State(*super().decode(text))

    def name(self, state: State, move: int) -> str:
        return WAYS[move]

    def read(self, state: State, text: str) -> int:
        move = WAYS.index(step_or_wait(text))
        if move not in self.legal(state):
            raise InvalidAnswer("this step would leave the board")
        return move

    def sign(self, row: int, column: int, state: State) -> str:
        """What is seen on a cell."""
        cell = row * self.width + column
        if cell == state.cell:
            return "@"
        there = self.occupied(row, column, state.turn)
        if self.lanes[row].ground == RIVER:
            return "=" if there else "~"
        if there:
            return ">" if self.lanes[row].speed > 0 else "<"
        return "$" if cell in self.coins and state.coins >> self.coins.index(cell) & 1 else "."

    def show(self, state: State) -> str:
        rows = "\n".join(
            " ".join(self.sign(row, column, state) for column in range(self.width))
            + "   "
            + self.note(row)
            for row in range(len(self.lanes))
        )
        left = (
            cell_name(*divmod(cell, self.width))
            for n, cell in enumerate(self.coins)
            if state.coins >> n & 1
        )
        # A car may be over a coin.
        return f"{rows}\n\nCoins left: {', '.join(left) or 'none'}" if self.coins else rows

    def note(self, row: int) -> str:
        """What a row is, and how it moves."""
        ground, speed, _ = self.lanes[row]
        if ground == GRASS:
            return ground
        return f"{ground}, {abs(speed)} to the {'right' if speed > 0 else 'left'}"

    def scene(self, state: State) -> Grid:
        fills = {GRASS: "t2", ROAD: "shade", RIVER: "water"}
        signs = [
            [self.sign(row, column, state) for column in range(self.width)]
            for row in range(len(self.lanes))
        ]
        coins = {cell for n, cell in enumerate(self.coins) if state.coins >> n & 1}
        cells = tuple(
            tuple(
                _cell(sign, fills[lane.ground], "$" * (number * self.width + n in coins))
                for n, sign in enumerate(row)
            )
            for number, (lane, row) in enumerate(zip(self.lanes, signs))
        )
        return Grid(cells, right=tuple((self.note(row),) for row in range(len(self.lanes))))


def _cell(sign: str, fill: str, coin: str) -> Cell:
    if sign == "=":
        return Cell(fill="c7")
    if sign in "<>":
        return Cell(sign, fill="c3", corner=coin)
    if sign == "@":
        return Cell("@", mark="disc", tone="accent", fill=fill)
    return Cell("$", fill="c4") if sign == "$" else Cell(fill=fill)
