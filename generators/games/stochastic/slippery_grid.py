"""The rules of a grid on which steps may slip sideways, with exits that pay, and pits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.generators.games.steps import step
from palaestra.scenes import Cell, Grid

WAYS = ("up", "right", "down", "left")
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
STILL = -1
FLOOR, WALL, PIT = ".", "#", "O"


class State(NamedTuple):
    """The cell of the player, the moves left, and the way of the step that is being made, or -1."""

    cell: int
    left: int
    way: int


@dataclass(frozen=True)
class SlipperyGrid(ChanceRules[State, int]):
    """Reach an exit. A move is the number of a way; a chance event is the way that is taken."""

    rows: tuple[str, ...]
    """The grid: floor, walls, pits, and exits, which are digits: the points that they pay."""

    slip: int
    """The probability to slip to each side, in percent."""

    state_type = State

    @property
    def width(self) -> int:
        return len(self.rows[0])

    def sign(self, cell: int) -> str:
        """What a cell holds."""
        row, column = divmod(cell, self.width)
        return self.rows[row][column]

    def beside(self, cell: int, way: int) -> int:
        """The cell that a step leads to, which is the same one at a wall or an edge."""
        row, column = divmod(cell, self.width)
        down, right = STEPS[way]
        row, column = row + down, column + right
        if not (0 <= row < len(self.rows) and 0 <= column < self.width):
            return cell
        return cell if self.rows[row][column] == WALL else row * self.width + column

    def legal(self, state: State) -> Sequence[int]:
        on_floor = self.sign(state.cell) == FLOOR
        return range(4) if on_floor and state.left and state.way == STILL else ()

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        return () if state.way == STILL else slips(state.way, self.slip)

    def apply(self, state: State, move: int) -> State:
        if state.way == STILL:
            return State(state.cell, state.left - 1, move)
        return State(self.beside(state.cell, move), state.left, STILL)

    def payoff(self, state: State) -> float:
        sign = self.sign(state.cell)
        return float(sign) if sign.isdigit() else 0.0

    def name(self, state: State, move: int) -> str:
        return WAYS[move]

    def read(self, state: State, text: str) -> int:
        return WAYS.index(step(text))

    def show(self, state: State) -> str:
        row, column = divmod(state.cell, self.width)
        lines = [" ".join(line) for line in self.rows]
        lines[row] = lines[row][: 2 * column] + "@" + lines[row][2 * column + 1 :]
        grid = "\n".join(lines)
        return f"{grid}\n\nYou are in row {row + 1}, column {column + 1}. Moves left: {state.left}"

    def news(self, state: State, event: int) -> str:
        verb = "move" if event == state.way else "slip"
        if self.beside(state.cell, event) == state.cell:
            return f"You {verb} {WAYS[event]}, which is blocked, and stay where you are."
        return f"You {verb} {WAYS[event]}."

    def end(self, state: State) -> str:
        points = f"get {self.payoff(state):g} points"
        sign = self.sign(state.cell)
        if sign == PIT:
            return f"You have fallen into a pit and {points}."
        if sign == FLOOR:
            return f"You have no moves left and {points}."
        return f"You have reached an exit and {points}."

    def scene(self, state: State) -> Grid:
        grid = tuple(
            tuple(
                self._cell(sign, row * self.width + column == state.cell)
                for column, sign in enumerate(line)
            )
            for row, line in enumerate(self.rows)
        )
        return Grid(grid, last=(divmod(state.cell, self.width),))

    def _cell(self, sign: str, here: bool) -> Cell:
        if here:
            return Cell("@" if sign == FLOOR else sign, mark="disc", tone="accent", fill="water")
        fills = {FLOOR: "water", WALL: "dark", PIT: "muted"}
        return Cell("" if sign in {FLOOR, WALL} else sign, fill=fills.get(sign, "good"))

    def thumbs(self) -> Mapping[str, Callable[[State, Random], int]]:
        return {
            "one step ahead, exits for their distance": lambda state, rng: self._ahead(state),
            "to the nearest exit": lambda state, rng: self._towards(state, rng, 0.0, 0),
            "to the best exit": lambda state, rng: self._towards(state, rng, 1.0, 0),
            "to the best exit, away from pits": lambda s, rng: self._towards(s, rng, 1.0, 3),
            "to the best exit for its distance": lambda s, rng: self._towards(s, rng, 0.5, 1),
        }

    def _ahead(self, state: State) -> int:
        """The step with the best mean worth of the next cell: there, each exit counts its points
        times a share for each step to it, and a pit counts nothing.
        """
        share = 1 - 2 * self.slip / 100

        def worth(cell: int) -> float:
            sign = self.sign(cell)
            if sign == PIT:
                return 0.0
            return max(
                (self.payoff(State(at, 0, STILL)) * share**far for at, far in costs(self, cell, 0)),
                default=0.0,
            )

        return max(
            range(4),
            key=lambda way: sum(
                chance * worth(self.beside(state.cell, to)) for to, chance in slips(way, self.slip)
            ),
        )

    def _towards(self, state: State, rng: Random, greed: float, fear: int) -> int:
        """A step of a cheapest way to an exit, where slips are ignored but for ``fear``, the price
        of a step beside a pit. ``greed`` weighs the points of exits.
        """
        best: tuple[float, int] = (float("-inf"), 0)
        for way in rng.sample(range(4), 4):
            after = self.beside(state.cell, way)
            for exit_cell, price in costs(self, after, fear):
                worth = greed * 4 * self.payoff(State(exit_cell, 0, STILL)) - price
                best = max(best, (worth, way), key=lambda each: each[0])
        return best[1]


@lru_cache(maxsize=64)
def slips(way: int, slip: int) -> tuple[tuple[int, float], ...]:
    """The ways that a step may take, each with its probability.

    >>> slips(0, 10)
    ((0, 0.8), (3, 0.1), (1, 0.1))
    """
    aside = slip / 100
    return (way, (100 - 2 * slip) / 100), ((way - 1) % 4, aside), ((way + 1) % 4, aside)


@lru_cache(maxsize=4096)
def costs(rules: SlipperyGrid, start: int, fear: int) -> tuple[tuple[int, int], ...]:
    """The exits that can be reached from a cell, each with the price of a cheapest way."""
    prices, exits = {start: 0}, list[tuple[int, int]]()
    waves: dict[int, list[int]] = {0: [start]}
    price = 0
    while waves:
        for cell in waves.pop(price, []):
            if prices[cell] < price:
                continue
            if rules.sign(cell).isdigit():
                exits.append((cell, price))
            if rules.sign(cell) != FLOOR:
                continue
            near = [rules.beside(cell, way) for way in range(4)]
            step = price + 1 + fear * any(rules.sign(each) == PIT for each in near)
            for each in near:
                if step < prices.get(each, 1 << 30):
                    prices[each] = step
                    waves.setdefault(step, []).append(each)
        price += 1
    return tuple(exits)
