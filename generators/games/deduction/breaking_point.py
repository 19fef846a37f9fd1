"""The rules of finding the height at which samples break, against an adversary."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.games.deduction.adversary import AdversaryRules
from palaestra.scenes import Cell, Table
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase

_MOVE = re.compile(
    r"(?:(?:drop|test|throw)(?: (?:a|the|one) sample| it| one)?(?: (?:from|at))? ?)?"
    r"(?:height |level |floor )?(\d{1,3})",
    re.ASCII,
)


class State(NamedTuple):
    """The greatest height that is survived, the least that breaks a sample, the samples left, and
    the coins left.
    """

    low: int
    high: int
    samples: int
    coins: int


@dataclass(frozen=True)
class BreakingPoint(AdversaryRules[State, int]):
    """Find the least height that breaks samples. A move is a height."""

    costs: tuple[int, ...]
    """The coins for a drop from each height, from 1 on."""

    state_type = State

    def is_won(self, state: State) -> bool:
        return state.high - state.low == 1

    def legal(self, state: State) -> Sequence[int]:
        if not state.samples or self.is_won(state):
            return ()
        return [n for n, cost in enumerate(self.costs, 1) if cost <= state.coins]

    def useful(self, state: State) -> Sequence[int]:
        between = range(state.low + 1, state.high) if state.samples else ()
        return [n for n in between if self.costs[n - 1] <= state.coins]

    def answers(self, state: State, move: int) -> Mapping[str, State]:
        low, high, samples, coins = state
        coins -= self.costs[move - 1]
        after = dict[str, State]()
        if move > low:
            after["it breaks"] = State(low, min(high, move), samples - 1, coins)
        if move < high:
            after["it survives"] = State(max(low, move), high, samples, coins)
        return after

    def weight(self, state: State) -> float:
        return state.high - state.low - 0.1 * state.samples

    def needed(self, state: State) -> float:
        return cost_of(self, state.low, state.high, state.samples)

    def left(self, state: State) -> float:
        return state.coins

    def name(self, state: State, move: int) -> str:
        return f"drop {move}"

    def read(self, state: State, text: str) -> int:
        match = _MOVE.fullmatch(phrase(text))
        if not match or "answer" in text.casefold():  # which would state a result
            raise InvalidAnswer("expected a height, such as 'drop 2'")
        move = int(match[1])
        if move not in self.legal(state):
            raise InvalidAnswer(
                f"expected a height from 1 to {len(self.costs)} whose drop you can pay"
            )
        return move

    def show(self, state: State) -> str:
        low = f"Samples survive height {state.low}" if state.low else "No drop is survived so far"
        high = (
            f"they break at height {state.high}."
            if state.high <= len(self.costs)
            else "none has broken."
        )
        return f"{low}; {high}\nSamples left: {state.samples}\nCoins left: {state.coins}"

    def scene(self, state: State) -> Table:
        heights = range(1, len(self.costs) + 1)
        fills = (
            "good" if n <= state.low else "bad" if n >= state.high else "paper" for n in heights
        )
        cells = tuple(Cell(str(cost), fill=fill) for cost, fill in zip(self.costs, fills))
        return Table((cells,), top=tuple(map(str, heights)), left=("price",))

    def thumbs(self) -> Mapping[str, Callable[[State, Random], int]]:
        def nearest(state: State, height: float) -> int:
            options = self.useful(state) or self.legal(state)
            return min(options, key=lambda move: abs(move - height))

        def even(state: State, rng: Random) -> int:
            return nearest(state, (state.low + state.high) / 2)

        def cautious(state: State, rng: Random) -> int:
            """The steps that are best where all prices are equal."""
            open_heights = state.high - state.low - 1
            return nearest(state, state.low + open_heights / (state.samples + 1) + 0.5)

        def up(state: State, rng: Random) -> int:
            return nearest(state, state.low + 1)

        def cheapest(state: State, rng: Random) -> int:
            options = self.useful(state) or self.legal(state)
            return min(options, key=lambda move: self.costs[move - 1])

        return {
            "the middle": even,
            "the middle, or one height at a time with the last sample": lambda state, rng: (
                up(state, rng) if state.samples == 1 else even(state, rng)
            ),
            "equal steps, and one height at a time with the last sample": lambda state, rng: (
                up(state, rng) if state.samples == 1 else cautious(state, rng)
            ),
            "the cheapest height": cheapest,
            "the cheapest height that leaves at most 70 %, or one at a time": lambda state, rng: (
                up(state, rng) if state.samples == 1 else self.cheap(state)
            ),
        }


@lru_cache(maxsize=65_536)
def cost_of(rules: BreakingPoint, low: int, high: int, samples: int) -> float:
    """The coins that the best strategy needs in the worst case, or infinity.

    >>> [cost_of(BreakingPoint((1,) * 100), 0, 101, samples) for samples in (1, 2, 3)]
    [100.0, 14.0, 9.0]
    """
    if high - low == 1:
        return 0.0
    if not samples:
        return float("inf")
    if samples == 1:  # one height after the other, from below
        return float(sum(rules.costs[low : high - 1]))
    return min(
        rules.costs[n - 1]
        + max(cost_of(rules, low, n, samples - 1), cost_of(rules, n, high, samples))
        for n in range(low + 1, high)
    )
