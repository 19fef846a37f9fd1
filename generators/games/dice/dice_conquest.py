"""The rules of attacks by dice: which region to attack with an army, and when to stop."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Card, Cards
from palaestra.verifiers.reading.actions import action

STOP = -1
"""The move that ends a round; other moves are the numbers of regions."""

MOVING, STOPPED = -1, -2
"""In a state without an attack: whether the round goes on."""


class State(NamedTuple):
    """The soldiers of the player, the defenders of each region (0 for a conquered one), and the
    region that is being attacked, or `MOVING`, or `STOPPED`.
    """

    soldiers: int
    defenders: tuple[int, ...]
    attack: int


@lru_cache(maxsize=16)
def losses(attackers: int, defenders: int) -> tuple[tuple[int, float], ...]:
    """How many soldiers the attacker loses when so many dice are compared, each number with its
    probability; the defender loses the rest of those at stake.

    The highest dice of both sides are compared, and then the second highest, if both have two. The
    attacker loses one for each pair in which the own die is not higher.

    >>> [(lost, round(chance * 1296)) for lost, chance in losses(2, 2)]
    [(0, 295), (1, 420), (2, 581)]
    """
    counts = Counter[int]()
    for dice in product(range(1, 7), repeat=attackers + defenders):
        mine, theirs = sorted(dice[:attackers])[::-1], sorted(dice[attackers:])[::-1]
        counts[sum(one <= other for one, other in zip(mine, theirs))] += 1
    return tuple((lost, counts[lost] / counts.total()) for lost in sorted(counts))


@dataclass(frozen=True)
class DiceConquest(ChanceRules[State, int]):
    """Attack regions from a camp. A chance event is the number of soldiers that an attack costs."""

    values: tuple[int, ...]
    """The points of each region."""

    soldier: int
    """The points of each soldier that is left in the end."""

    pairs: tuple[tuple[int, int, int], ...] = ()
    """Two regions each, with the points that they are worth together, beside their own."""

    state_type = State

    def legal(self, state: State) -> Sequence[int]:
        if state.attack != MOVING or state.soldiers < 2 or not any(state.defenders):
            return ()
        return (*(n for n, number in enumerate(state.defenders) if number), STOP)

    def dice(self, state: State, region: int) -> tuple[int, int]:
        """The dice of both sides in an attack. One soldier has to stay in the camp."""
        return min(3, state.soldiers - 1), min(2, state.defenders[region])

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        return losses(*self.dice(state, state.attack)) if state.attack >= 0 else ()

    def apply(self, state: State, move: int) -> State:
        soldiers, defenders, attack = state
        if attack < 0:
            return State(soldiers, defenders, STOPPED if move == STOP else move)
        left = defenders[attack] - (min(self.dice(state, attack)) - move)
        # Whoever conquers a region leaves a soldier there.
        soldiers -= move + (not left)
        return State(soldiers, (*defenders[:attack], left, *defenders[attack + 1 :]), MOVING)

    def payoff(self, state: State) -> float:
        points = self.soldier * state.soldiers
        points += sum(v for v, number in zip(self.values, state.defenders) if not number)
        for one, other, value in self.pairs:
            if not state.defenders[one] and not state.defenders[other]:
                points += value
        return float(points)

    def name(self, state: State, move: int) -> str:
        return "stop" if move == STOP else f"attack {letter(move)}"

    def read(self, state: State, text: str) -> int:
        moves = {self.name(state, move): move for move in self.legal(state)}
        return moves[action(text, {name: synonyms(name) for name in moves})]

    def show(self, state: State) -> str:
        regions = "\n".join(
            f"Region {letter(n)}: {_defenders(number)}" for n, number in enumerate(state.defenders)
        )
        return f"Your soldiers in the camp: {state.soldiers}\n{regions}"

    def news(self, state: State, event: int) -> str:
        beaten = min(self.dice(state, state.attack)) - event
        region = letter(state.attack)
        text = f"The attack on {region} costs you {event} and the defenders {beaten}."
        if self.apply(state, event).defenders[state.attack]:
            return text
        return f"{text} Region {region} is conquered, and a soldier of yours stays there."

    def end(self, state: State) -> str:
        return f"You have {self.payoff(state):g} points."

    def scene(self, state: State) -> Cards:
        rows: list[tuple[Card, ...]] = [(Card(str(state.soldiers), shape="tile", fill="t0"),)]
        rows += [
            (
                Card(str(number or ""), shape="tile", fill="t3" if number else "good"),
                Card(str(value), shape="coin"),
            )
            for number, value in zip(state.defenders, self.values)
        ]
        rows += [(Card(str(value), shape="coin"),) for *_, value in self.pairs]
        names = [f"Region {letter(n)}" for n in range(len(self.values))]
        names += [f"{letter(one)} and {letter(other)}" for one, other, _ in self.pairs]
        return Cards(tuple(rows), ("Soldiers", *names))

    def thumbs(self) -> Mapping[str, Callable[[State, Random], int]]:
        return {
            "the weakest region, as long as it is outnumbered": lambda state, rng: self._outnumber(
                state, lambda n: -state.defenders[n]
            ),
            "the best points for each defender, as long as it is outnumbered": lambda state, rng: (
                self._outnumber(state, lambda n: self.values[n] / state.defenders[n])
            ),
            "the most valuable region, to the end": lambda state, rng: max(
                self.legal(state)[:-1], key=lambda n: self.values[n]
            ),
            "the best region, if it pays on its own": lambda state, rng: self._alone(state),
            "stop at once": lambda state, rng: STOP,
        }

    def _outnumber(self, state: State, value: Callable[[int], float]) -> int:
        weaker = [n for n in self.legal(state)[:-1] if state.soldiers > state.defenders[n] + 1]
        return max(weaker, key=value, default=STOP)

    def _alone(self, state: State) -> int:
        """The region with the best gain, where each defender costs a soldier on average."""
        gains = {
            n: self.values[n] - self.soldier * (state.defenders[n] + 1)
            for n in self.legal(state)[:-1]
            if state.soldiers > state.defenders[n]
        }
        best = max(gains, key=lambda n: gains[n], default=STOP)
        return best if gains and gains[best] > 0 else STOP


def _defenders(number: int) -> str:
    if not number:
        return "conquered"
    return f"{number} defender{'s' * (number > 1)}"


def letter(number: int) -> str:
    """The name of a region.

    >>> letter(1)
    'B'
    """
    return "ABCDEFGH"[number]


def synonyms(name: str) -> list[str]:
    """Other ways to write a move, in lower case.

    >>> synonyms("attack B")[:3]
    ['b', 'region b', 'attack region b']
    """
    if name == "stop":
        return ["end", "end the round", "stop attacking", "stop the attack", "stay", "pass"]
    region = name[-1].casefold()
    return [region, f"region {region}", f"attack region {region}", f"attack on {region}",
            f"attack on region {region}", f"attack the region {region}"]  # fmt: skip
