"""The rules of sliding on ice: a move goes on until something is in the way."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from palaestra.generators.games.solo import SoloRules
from palaestra.generators.games.steps import step
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer

STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
WAYS = (*STEPS,)
ROCK, HOLE, SAND, ICE = "#", "O", ":", "."
LOST = -1
"""The cell of a player in a hole."""


class State(NamedTuple):
    """The cell of the player or `LOST`, and the gems that are left, as bits."""

    cell: int
    gems: int


@dataclass(frozen=True)
class IceSliding(SoloRules[State, int]):
    """Collect all gems on a board of ice. A move is the number of a way."""

    rows: tuple[str, ...]
    """The board without the player: ice, rocks, holes, sand, and ice where gems are at first."""

    gems: tuple[int, ...]
    """The cells of all gems, collected ones included."""

    def slide(self, state: State, move: int) -> State:
        """Where a slide ends, with the gems that are collected on the way."""
        width = len(self.rows[0])
        row, column = divmod(state.cell, width)
        down, right = STEPS[WAYS[move]]
        gems = state.gems
        while True:
            below, beside = row + down, column + right
            inside = 0 <= below < len(self.rows) and 0 <= beside < width
            if not inside or self.rows[below][beside] == ROCK:
                return State(row * width + column, gems)
            row, column = below, beside
            cell = row * width + column
            if cell in self.gems:
                gems &= ~(1 << self.gems.index(cell))
            if self.rows[row][column] == HOLE:
                return State(LOST, gems)
            if self.rows[row][column] == SAND:
                return State(cell, gems)

    def legal(self, state: State) -> Sequence[int]:
        if state.cell == LOST:
            return ()
        return [move for move in range(4) if self.slide(state, move).cell != state.cell]

    def apply(self, state: State, move: int) -> State:
        return self.slide(state, move)

    def distance(self, state: State) -> float:
        """The fewest rows and columns that contain all gems: a move collects those of one."""
        return float("inf") if state.cell == LOST else float(lines_of(self, state.gems))

    def judgement(self, state: State) -> float:
        return float("-inf") if state.cell == LOST else -float(state.gems.bit_count())

    def why_lost(self, state: State) -> str:
        return "you fell into a hole" if state.cell == LOST else super().why_lost(state)

    def decode(self, text: str) -> State:
        return State(*super().decode(text))

    def name(self, state: State, move: int) -> str:
        return WAYS[move]

    def read(self, state: State, text: str) -> int:
        move = WAYS.index(step(text))
        if move not in self.legal(state):
            raise InvalidAnswer("something is in the way at once")
        return move

    def sign(self, row: int, column: int, state: State) -> str:
        """What is seen on a cell."""
        cell = row * len(self.rows[0]) + column
        if cell == state.cell:
            return "@"
        if cell in self.gems and state.gems >> self.gems.index(cell) & 1:
            return "*"
        return self.rows[row][column]

    def show(self, state: State) -> str:
        columns = range(len(self.rows[0]))
        row, column = divmod(state.cell, len(self.rows[0]))
        below = "sand" if self.rows[row][column] == SAND else "ice"
        grid = "\n".join(
            " ".join(self.sign(row, column, state) for column in columns)
            for row in range(len(self.rows))
        )
        return f"{grid}\n\nYou are on {below}."

    def scene(self, state: State) -> Grid:
        fills = {ROCK: "dark", HOLE: "muted", SAND: "t4", ICE: "water", "*": "water", "@": "water"}
        return Grid(
            tuple(
                tuple(
                    _cell(sign, fills[sign])
                    for sign in (self.sign(row, column, state) for column in range(len(line)))
                )
                for row, line in enumerate(self.rows)
            )
        )


@lru_cache(maxsize=4_096)
def lines_of(rules: IceSliding, gems: int) -> int:
    """The fewest rows and columns that contain some gems."""
    if not gems:
        return 0
    width = len(rules.rows[0])
    cells = [divmod(cell, width) for n, cell in enumerate(rules.gems) if gems >> n & 1]
    rows = sorted({row for row, _ in cells})
    return min(
        number + len({column for row, column in cells if row not in some})
        for number in range(len(rows) + 1)
        for some in combinations(rows, number)
    )


def _cell(sign: str, fill: str) -> Cell:
    if sign == "@":
        return Cell("@", mark="disc", tone="accent", fill=fill)
    return (
        Cell(sign, fill="c4" if sign == "*" else fill) if sign in {"*", HOLE} else Cell(fill=fill)
    )
