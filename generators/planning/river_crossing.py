"""Ferries that carry so much weight, and passengers who must not be left together.

Everyone has a number; those who can row come first. A party is kept as bits.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from palaestra.generators.search import a_star
from palaestra.verifiers.planning.plans import Illegal

State = tuple[int, int]
"""Who is on the first bank, and 0 if the boat is there, otherwise 1."""


class Ferry(NamedTuple):
    """A boat, and all who have to cross in it."""

    weights: tuple[int, ...]
    rowers: int  # how many can row
    clashes: tuple[tuple[int, int], ...]  # who must not be left together
    capacity: int

    def everyone(self) -> int:
        """All of them, as bits."""
        return (1 << len(self.weights)) - 1

    def crew(self) -> int:
        """Those who can row, as bits."""
        return (1 << self.rowers) - 1


def members(party: int) -> list[int]:
    """The numbers of those in a party.

    >>> members(0b1101)
    [0, 2, 3]
    """
    return [n for n in range(party.bit_length()) if party >> n & 1]


def crossed(ferry: Ferry, state: State, party: int, names: tuple[str, ...]) -> State:
    """The state after a crossing, which has to be possible.

    >>> crossed(Ferry((6, 3), 1, (), 9), (0b11, 0), 0b11, ("farmer", "goat"))
    (0, 1)
    """
    first, side = state
    bank = ferry.everyone() ^ first if side else first
    if party & ~bank:
        raise Illegal("someone is in the boat who is not on its bank")
    if not party & ferry.crew():
        raise Illegal("nobody in the boat can row")
    if sum(ferry.weights[n] for n in members(party)) > ferry.capacity:
        raise Illegal("the boat is too heavy")
    left = bank ^ party
    for a, b in ferry.clashes:
        if not left & ferry.crew() and left >> a & left >> b & 1:
            raise Illegal(f"{names[a]} and {names[b]} are left together")
    return first ^ party, 1 - side


@lru_cache(maxsize=256)
def shortest(ferry: Ferry) -> tuple[int, ...] | None:
    """The fewest crossings, each as the party that is in the boat.

    >>> shortest(Ferry(weights=(6, 3, 3), rowers=1, clashes=(), capacity=9))
    (3, 1, 5)
    """
    everyone, crew = ferry.everyone(), ferry.crew()
    pairs = [1 << a | 1 << b for a, b in ferry.clashes]
    boatloads = parties(ferry)

    def ways(state: State) -> Iterator[tuple[int, State]]:
        first, side = state
        bank = everyone ^ first if side else first
        for party in boatloads:
            if party & ~bank == 0:
                left = bank ^ party
                if left & crew or not any(left & pair == pair for pair in pairs):
                    yield party, (first ^ party, 1 - side)

    plan = a_star((everyone, 0), ways, lambda state: float(state[0] != 0))
    return None if plan is None else plan.moves


def parties(ferry: Ferry) -> list[int]:
    """Who can be in the boat together, the small parties first."""
    weights, able = ferry.weights, list[int]()
    for size in range(1, len(weights) + 1):
        some = [
            party
            for party in combinations(range(len(weights)), size)
            if party[0] < ferry.rowers and sum(weights[n] for n in party) <= ferry.capacity
        ]
        if not some:
            break  # what is too heavy stays so when someone joins
        able += [sum(1 << n for n in party) for party in some]
    return able
