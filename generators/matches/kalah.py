"""The rules of Kalah, with the seeds of houses and stores in the order of sowing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from palaestra.generators.matches.rules import DRAW, LOSS, WIN, Rules
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.matches.kalah import house


class State(NamedTuple):
    """The houses of X, its store, the houses of O and its store, and whose turn it is."""

    seeds: tuple[int, ...]
    turn: int


@dataclass(frozen=True)
class Kalah(Rules[State, int]):
    """Kalah with so many houses on each side, and so many seeds in each at the start.

    A move is the number of a house of the player, in the order of sowing.
    """

    houses: int
    seeds: int
    state_type = State

    def start(self) -> State:
        side = (self.seeds,) * self.houses + (0,)
        return State(side + side, 0)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[int]:
        """First the moves that end in the store, then from the house that is nearest to it."""
        houses = self.houses
        first = (houses + 1) * state.turn
        mine = state.seeds[first : first + houses]
        again, other = list[int](), list[int]()
        for move in range(houses - 1, -1, -1):
            if seeds := mine[move]:
                (again if seeds == houses - move else other).append(move)
        return again + other

    def apply(self, state: State, move: int) -> State:
        houses, turn = self.houses, state.turn
        size, seeds = houses + 1, [*state.seeds]
        first = size * turn
        own, other = first + houses, (first + size + houses) % (2 * size)
        at = first + move
        hand, seeds[at] = seeds[at], 0
        while hand:
            at = (at + 1) % (2 * size)
            if at != other:
                seeds[at] += 1
                hand -= 1
        if first <= at < own and seeds[at] == 1 and (captured := seeds[2 * houses - at]):
            seeds[own] += captured + 1
            seeds[at] = seeds[2 * houses - at] = 0
        return self._swept(seeds, turn if at == own else 1 - turn)

    def _swept(self, seeds: list[int], turn: int) -> State:
        """The state for the player to move; without seeds to sow, the other one takes the rest."""
        houses, size = self.houses, self.houses + 1
        mine = size * turn
        if not any(seeds[mine : mine + houses]):
            theirs = size - mine
            seeds[theirs + houses] += sum(seeds[theirs : theirs + houses])
            seeds[theirs : theirs + houses] = [0] * houses
        return State(tuple(seeds), turn)

    def outcome(self, state: State) -> int | None:
        """Whoever has more than half of all seeds in the store wins, also before the end."""
        seeds, houses = state.seeds, self.houses
        first, second, total = seeds[houses], seeds[-1], sum(seeds)
        if 2 * first > total:
            return WIN
        if 2 * second > total:
            return LOSS
        return DRAW if first + second == total else None

    def name(self, state: State, move: int) -> str:
        return f"house {move + 1}"

    def read(self, state: State, text: str) -> int:
        move = house(text, self.houses)
        if move not in self.legal(state):
            raise InvalidAnswer(f"house {move + 1} is empty")
        return move

    def sides(self, state: State) -> tuple[Sequence[int], Sequence[int]]:
        """The houses of both players."""
        size = self.houses + 1
        return state.seeds[: self.houses], state.seeds[size : size + self.houses]

    def show(self, state: State) -> str:
        first, second = self.sides(state)
        wide = max(len(str(number)) for number in (*state.seeds, self.houses))

        def row(numbers: Sequence[object]) -> str:
            return " ".join(str(number).rjust(wide) for number in numbers)

        numbers = range(1, self.houses + 1)
        return (
            f"house   {row(numbers[::-1])}\n"
            f"O       {row(second[::-1])}\n"
            f"X       {row(first)}\n"
            f"house   {row(numbers)}\n\n"
            f"Stores: X {state.seeds[self.houses]}, O {state.seeds[-1]}"
        )

    def scene(self, state: State, last: int | None) -> Grid:
        first, second = self.sides(state)
        houses = self.houses
        ends = Cell(str(state.seeds[-1]), "t6"), Cell(str(state.seeds[houses]), "t3")
        numbers = [str(number) for number in range(1, houses + 1)]
        return Grid(
            (
                (ends[0], *(Cell(str(n)) for n in reversed(second)), Cell(fill="none")),
                (Cell(fill="none"), *(Cell(str(n)) for n in first), ends[1]),
            ),
            top=tuple((text,) for text in ["O", *reversed(numbers), ""]),
            bottom=tuple((text,) for text in ["", *numbers, "X"]),
        )

    def judgement(self, state: State, player: int) -> float:
        """The lead in the stores."""
        lead = state.seeds[self.houses] - state.seeds[-1]
        return float(lead if player == 0 else -lead)

    def free(self, state: State) -> int:
        """The number of seeds in houses."""
        return sum(state.seeds) - state.seeds[self.houses] - state.seeds[-1]
