"""The rules of shut the box: tiles whose numbers add up to the roll of two dice are shut."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Card, Cards
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase

_SEPARATORS = str.maketrans("+&|", "   ")
_FILLERS = frozenset(("and", "shut", "close", "flip", "tile", "tiles", "the", "down", "number",
                      "numbers", "plus"))  # fmt: skip
_NUMBER = re.compile(r"[1-9][0-9]?", re.ASCII)


class State(NamedTuple):
    """The open tiles as bits, from tile 1 on, and the total of the dice, or 0 before a roll."""

    open: int
    total: int


@lru_cache(maxsize=256)
def sets_of(total: int, tiles: int) -> tuple[int, ...]:
    """The sets of different tiles with a sum, as bits, in ascending order.

    >>> [tiles_of(each) for each in sets_of(5, 9)]
    [[2, 3], [1, 4], [5]]
    """
    sums = {0: [0]}
    for tile in range(1, tiles + 1):
        for partial in sorted(sums, reverse=True):
            if partial + tile <= total:
                larger = [each | 1 << (tile - 1) for each in sums[partial]]
                sums[partial + tile] = sums.get(partial + tile, []) + larger
    return tuple(sorted(sums.get(total, ())))


def tiles_of(bits: int) -> list[int]:
    """The numbers of tiles.

    >>> tiles_of(0b10010)
    [2, 5]
    """
    return [n + 1 for n in range(bits.bit_length()) if bits >> n & 1]


@lru_cache(maxsize=16)
def totals(faces: int) -> tuple[tuple[int, float], ...]:
    """The totals of two dice with their probabilities.

    >>> totals(2)
    ((2, 0.25), (3, 0.5), (4, 0.25))
    """
    ways = {total: faces - abs(total - faces - 1) for total in range(2, 2 * faces + 1)}
    return tuple((total, number / faces**2) for total, number in ways.items())


@dataclass(frozen=True)
class ShutTheBox(ChanceRules[State, int]):
    """Shut open tiles that add up to the roll. A move is a set of tiles, as bits; a chance event is
    the total of the dice.
    """

    values: tuple[int, ...]
    """The points of each tile, from tile 1 on."""

    faces: int
    state_type = State

    def legal(self, state: State) -> Sequence[int]:
        if not state.total:
            return ()
        return [move for move in sets_of(state.total, len(self.values)) if move & ~state.open == 0]

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        return () if state.total or not state.open else totals(self.faces)

    def apply(self, state: State, move: int) -> State:
        return State(state.open & ~move, 0) if state.total else State(state.open, move)

    def payoff(self, state: State) -> float:
        return float(sum(self.values) - self.points(state.open))

    def points(self, tiles: int) -> int:
        """The points of a set of tiles."""
        return sum(self.values[tile - 1] for tile in tiles_of(tiles))

    def name(self, state: State, move: int) -> str:
        return f"shut {' '.join(map(str, tiles_of(move)))}"

    def read(self, state: State, text: str) -> int:
        words = phrase(text.translate(_SEPARATORS)).split()
        numbers = [word for word in words if word not in _FILLERS]
        if not numbers or not all(map(_NUMBER.fullmatch, numbers)):
            raise InvalidAnswer("expected the tiles to shut, such as 'shut 2 3'")
        tiles = [int(number) for number in numbers]
        if len({*tiles}) < len(tiles):
            raise InvalidAnswer("a tile is named twice")
        move = sum(1 << (tile - 1) for tile in tiles)
        if move not in self.legal(state):
            raise InvalidAnswer(f"expected open tiles that add up to {state.total}")
        return move

    def show(self, state: State) -> str:
        tiles = ", ".join(map(str, tiles_of(state.open)))
        return f"Open tiles: {tiles}\nTotal of the dice: {state.total}"

    def news(self, state: State, event: int) -> str:
        return f"The dice show {event} in total."

    def end(self, state: State) -> str:
        if not state.open:
            return f"You have shut all tiles and have {self.payoff(state):g} points."
        return f"You have no move and {self.payoff(state):g} points."

    def scene(self, state: State) -> Cards:
        tiles = tuple(
            Card(str(n), fill="paper" if state.open >> (n - 1) & 1 else "muted", shape="tile")
            for n in range(1, len(self.values) + 1)
        )
        points = tuple(Card(str(value), shape="coin") for value in self.values)
        total = (Card(str(state.total or ""), shape="die"),)
        return Cards((tiles, points, total), ("Tiles", "Points", "Dice"))

    def thumbs(self) -> Mapping[str, Callable[[State, Random], int]]:
        def by(value: Callable[[State, int], float]) -> Callable[[State, Random], int]:
            return lambda state, rng: max(self.legal(state), key=lambda move: value(state, move))

        return {
            "the fewest tiles, then the most points": by(
                lambda state, move: self.points(move) - 100 * move.bit_count()
            ),
            "the largest tile": by(lambda state, move: move),
            "the most tiles": by(lambda state, move: move.bit_count()),
            "the most points": by(lambda state, move: self.points(move)),
            "the fewest points": by(lambda state, move: -self.points(move)),
            "the most likely next move": by(self._mobility),
        }

    def _mobility(self, state: State, move: int) -> float:
        """The probability that there is a move after the next roll."""
        after = self.apply(state, move)
        return sum(chance for total, chance in self.chances(after)
                   if self.legal(State(after.open, total)))  # fmt: skip
