"""The rules of collecting dots in a maze before monsters, which follow a stated rule, catch you."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.games.solo import SoloRules
from palaestra.generators.games.steps import WAIT, step_or_wait
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cells import cell_name

STEPS = {"up": (-1, 0), "left": (0, -1), "down": (1, 0), "right": (0, 1), WAIT: (0, 0)}
WAYS = (*STEPS,)
WALL, FLOOR = "#", "."
CAUGHT = -1
"""The cell of a player who was caught."""


class State(NamedTuple):
    """The cell of the player or `CAUGHT`, those of the monsters, the dots that are left, as bits,
    and the number of turns until the monsters move: 0 if they do so after the next move.
    """

    cell: int
    monsters: tuple[int, ...]
    dots: int
    rest: int


@dataclass(frozen=True)
class DotChase(SoloRules[State, int]):
    """Collect all dots. A move is the number of a way."""

    rows: tuple[str, ...]
    """The maze: walls and floor."""

    dots: tuple[int, ...]
    """The cells of all dots, collected ones included."""

    period: int
    """Monsters move after every so many moves of the player."""

    @property
    def width(self) -> int:
        return len(self.rows[0])

    def legal(self, state: State) -> Sequence[int]:
        if state.cell == CAUGHT:
            return ()
        near = around(self.rows)[state.cell]
        return [move for move in range(5) if move == 4 or near[move] != state.cell]

    def apply(self, state: State, move: int) -> State:
        cell = around(self.rows)[state.cell][move] if move < 4 else state.cell
        dots = state.dots
        if cell in self.dots:
            dots &= ~(1 << self.dots.index(cell))
        monsters, rest = state.monsters, (state.rest - 1) % self.period
        if cell in monsters:
            return State(CAUGHT, monsters, dots, rest)
        if state.rest == 0 and dots:
            monsters = tuple(self.chase(monster, cell) for monster in monsters)
            if cell in monsters:
                return State(CAUGHT, monsters, dots, rest)
        return State(cell, monsters, dots, rest)

    def chase(self, monster: int, cell: int) -> int:
        """The cell that a monster goes to: the first neighbour, in the order up, left, down, right,
        that is one step nearer to the player.
        """
        far = steps_from(self.rows, cell)
        return min(around(self.rows)[monster], key=lambda each: far[each])

    def distance(self, state: State) -> float:
        """The steps to the farthest dot, or to the nearest one and then one for each other dot."""
        if state.cell == CAUGHT:
            return float("inf")
        left = [cell for n, cell in enumerate(self.dots) if state.dots >> n & 1]
        if not left:
            return 0.0
        far = steps_from(self.rows, state.cell)
        steps = [far[cell] for cell in left]
        return float(max(*steps, min(steps) + len(left) - 1))

    def judgement(self, state: State) -> float:
        """Few dots left, then a near one, and no monster beside the player."""
        if state.cell == CAUGHT:
            return float("-inf")
        far = steps_from(self.rows, state.cell)
        near = min(
            (far[cell] for n, cell in enumerate(self.dots) if state.dots >> n & 1), default=0
        )
        danger = sum(far[monster] < 3 for monster in state.monsters)
        return -100.0 * state.dots.bit_count() - near - 3 * danger

    def why_lost(self, state: State) -> str:
        return "you were caught" if state.cell == CAUGHT else super().why_lost(state)

    def decode(self, text: str) -> State:
        return State(*super().decode(text))

    def name(self, state: State, move: int) -> str:
        return WAYS[move]

    def read(self, state: State, text: str) -> int:
        move = WAYS.index(step_or_wait(text))
        if move not in self.legal(state):
            raise InvalidAnswer("there is a wall")
        return move

    def sign(self, cell: int, state: State) -> str:
        """What is seen on a cell."""
        if cell == state.cell:
            return "@"
        if cell in state.monsters:
            return "M"
        if cell in self.dots and state.dots >> self.dots.index(cell) & 1:
            return "*"
        row, column = divmod(cell, self.width)
        return self.rows[row][column]

    def show(self, state: State) -> str:
        grid = "\n".join(
            " ".join(self.sign(row * self.width + column, state) for column in range(self.width))
            for row in range(len(self.rows))
        )
        monsters = ", ".join(cell_name(*divmod(monster, self.width)) for monster in state.monsters)
        dots = ", ".join(
            cell_name(*divmod(cell, self.width))
            for n, cell in enumerate(self.dots)
            if state.dots >> n & 1
        )
        moves = "this move" if state.rest == 0 else f"{state.rest + 1} moves, this one included"
        return f"{grid}\n\nMonsters: {monsters}. Dots: {dots}. The monsters move after {moves}."

    def scene(self, state: State) -> Grid:
        return Grid(
            tuple(
                tuple(
                    _cell(self.sign(row * self.width + column, state))
                    for column in range(self.width)
                )
                for row in range(len(self.rows))
            )
        )


def _cell(sign: str) -> Cell:
    if sign == WALL:
        return Cell(fill="dark")
    tones = {"@": "accent", "M": "bad", "*": "c4"}
    if sign in tones:
        return Cell("" if sign == "*" else sign, mark="disc", tone=tones[sign])
    return Cell()


@lru_cache(maxsize=256)
def around(rows: tuple[str, ...]) -> tuple[tuple[int, int, int, int], ...]:
    """The cells above, to the left, below and to the right of each cell; the cell itself where a
    wall or the edge is in the way.
    """
    width = len(rows[0])

    def beside(row: int, column: int, way: str) -> int:
        down, right = STEPS[way]
        below, side = row + down, column + right
        inside = 0 <= below < len(rows) and 0 <= side < width
        free = inside and rows[below][side] == FLOOR
        return below * width + side if free else row * width + column

    return tuple(
        (
            beside(row, column, "up"),
            beside(row, column, "left"),
            beside(row, column, "down"),
            beside(row, column, "right"),
        )
        for row in range(len(rows))
        for column in range(width)
    )


@lru_cache(maxsize=4_096)
def steps_from(rows: tuple[str, ...], cell: int) -> dict[int, int]:
    """The number of steps from a cell to each one that can be reached."""
    near, steps, wave = around(rows), {cell: 0}, [cell]
    for here in wave:
        for other in near[here]:
            if other not in steps:
                steps[other] = steps[here] + 1
                wave.append(other)
    return steps
