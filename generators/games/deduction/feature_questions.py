"""The rules of finding an object by questions about its features, against an adversary."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log2
from random import Random
from typing import NamedTuple

from palaestra.generators.games.deduction.adversary import AdversaryRules
from palaestra.scenes import Cell, Table
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import action

FEATURES = (
    "red", "round", "heavy", "wooden", "old", "soft", "large", "sweet", "smooth", "hollow",
    "shiny", "loud", "warm", "rare",
)  # fmt: skip


FORMS = (
    "is it {}", "is it {}?", "is the object {}", "is the object {}?", "ask {}", "ask about {}",
    "ask for {}", "ask whether it is {}", "question {}", "my question {}", "feature {}",
    "the feature {}", "name the feature {}", "pick {}", "does the object have the feature {}",
)  # fmt: skip
"""Other ways to write a question, in lower case."""


class State(NamedTuple):
    """The objects that are left, as bits, and the coins that are left to pay questions with."""

    objects: int
    coins: int


@dataclass(frozen=True)
class FeatureQuestions(AdversaryRules[State, int]):
    """Leave a single object. A move is the number of a feature."""

    objects: tuple[str, ...]
    features: tuple[str, ...]
    having: tuple[int, ...]
    """For each feature the objects that have it, as bits."""

    costs: tuple[int, ...]
    """The coins for each question."""

    state_type = State

    def is_won(self, state: State) -> bool:
        return state.objects.bit_count() == 1

    def legal(self, state: State) -> Sequence[int]:
        if self.is_won(state):
            return ()
        return [n for n, cost in enumerate(self.costs) if cost <= state.coins]

    def useful(self, state: State) -> Sequence[int]:
        return [n for n in splits(self, state.objects) if self.costs[n] <= state.coins]

    def answers(self, state: State, move: int) -> Mapping[str, State]:
        objects, left = state.objects, state.coins - self.costs[move]
        parts = {"yes": objects & self.having[move], "no": objects & ~self.having[move]}
        return {answer: State(part, left) for answer, part in parts.items() if part}

    def weight(self, state: State) -> float:
        return state.objects.bit_count()

    def needed(self, state: State) -> float:
        return cost_of(self, state.objects)

    def left(self, state: State) -> float:
        return state.coins

    def name(self, state: State, move: int) -> str:
        return self.features[move]

    def read(self, state: State, text: str) -> int:
        names = {name: [form.format(name) for form in FORMS] for name in self.features}
        move = self.features.index(action(text.strip().removesuffix("?"), names))
        if move not in self.legal(state):
            raise InvalidAnswer("you have too few coins for this question")
        return move

    def show(self, state: State) -> str:
        left = [name for n, name in enumerate(self.objects) if state.objects >> n & 1]
        return f"Objects left: {', '.join(left)}\nCoins left: {state.coins}"

    def table(self) -> str:
        """The features of each object."""
        return "\n".join(
            f"{name}: "
            + (
                ", ".join(
                    feature for feature, bits in zip(self.features, self.having) if bits >> n & 1
                )
                or "no feature"
            )
            for n, name in enumerate(self.objects)
        )

    def scene(self, state: State) -> Table:
        rows = tuple(
            tuple(
                Cell(
                    "x" if bits >> n & 1 else "",
                    fill="paper" if state.objects >> n & 1 else "muted",
                )
                for bits in self.having
            )
            for n in range(len(self.objects))
        )
        top = tuple(f"{name} ({cost})" for name, cost in zip(self.features, self.costs))
        return Table(rows, top=top, left=self.objects)

    def thumbs(self) -> Mapping[str, Callable[[State, Random], int]]:
        def by(value: Callable[[State, int], float]) -> Callable[[State, Random], int]:
            def choose(state: State, rng: Random) -> int:
                options = self.useful(state) or self.legal(state)
                return min(options, key=lambda move: value(state, move))

            return choose

        return {
            "the most even question": lambda state, rng: self.most_even(state),
            "the cheapest question that leaves at most 70 %": lambda state, rng: self.cheap(state),
            "the cheapest question that splits": by(lambda state, move: self.costs[move]),
            "the most objects ruled out for a coin": by(
                lambda state, move: -self._ruled_out(state, move) / self.costs[move]
            ),
            "the most halvings for a coin": by(
                lambda state, move: -self._halvings(state, move) / self.costs[move]
            ),
        }

    def _ruled_out(self, state: State, move: int) -> float:
        """How many objects the worst answer rules out."""
        return self.weight(state) - self.worst_weight(state, move)

    def _halvings(self, state: State, move: int) -> float:
        """The information of the worst answer, in bits."""
        return log2(self.weight(state) / self.worst_weight(state, move))


@lru_cache(maxsize=65_536)
def splits(rules: FeatureQuestions, objects: int) -> tuple[int, ...]:
    """The features that some objects have and others do not, the most even ones first."""
    halves = {
        n: abs(2 * (objects & bits).bit_count() - objects.bit_count())
        for n, bits in enumerate(rules.having)
        if objects & bits and objects & ~bits
    }
    return tuple(sorted(halves, key=lambda n: halves[n]))


@lru_cache(maxsize=65_536)
def cost_of(rules: FeatureQuestions, objects: int) -> float:
    """The coins that the best strategy needs in the worst case, or infinity."""
    if objects.bit_count() == 1:
        return 0.0
    best = float("inf")
    for n in splits(rules, objects):
        cost, bits = rules.costs[n], rules.having[n]
        if cost >= best:
            continue
        worst = cost_of(rules, objects & bits)
        if cost + worst < best:
            best = min(best, cost + max(worst, cost_of(rules, objects & ~bits)))
    return best
