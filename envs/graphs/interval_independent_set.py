"""The heaviest independent set of an interval graph, which is solved as intervals are, in order.

András Frank (1976) found it in linear time; with equal weights, the earliest end goes first.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any, Self

from palaestra.generators.graphs.algorithms import Interval, heaviest
from palaestra.generators.graphs.encodings import ranked
from palaestra.generators.random_graphs import node_names
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.certificates import gap
from palaestra.verifiers.graph_answers import node_set


@lru_cache(maxsize=256)
def yardsticks(task: "IntervalIndependentSet") -> tuple[int, int]:
    """The most that a greedy choice weighs, which earns nothing, and the most there is."""
    return max(map(task.weight, task.heedless())), heaviest(task.intervals)[0]


class IntervalIndependentSet(Puzzle):
    """Choose intervals that do not overlap and weigh as much as possible together."""

    tags = {"graphs", "optimisation", "dynamic-programming"}

    class Knobs(Puzzle.Knobs):
        intervals: int = ladder(6, 8, 10, 14, 19, 26, 36, low=6, high=50)
        length: float = ladder(0.3, 0.3, 0.28, 0.25, 0.2, 0.18, 0.15, low=0.1, high=0.35)  # at most
        heaviest: int = ladder(5, 9, 15, 20, 40, 60, 99, low=4, high=999)

    names: tuple[str, ...]
    intervals: tuple[Interval, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        end = 4 * knobs.intervals
        drawn = []
        for _ in range(knobs.intervals):
            length = rng.randint(2, max(3, round(end * knobs.length)))
            start = rng.randint(0, end - length)
            drawn.append((start, start + length, rng.randint(1, knobs.heaviest)))
        return cls(names=node_names(rng, knobs.intervals), intervals=tuple(drawn))

    def is_valid(self) -> bool:
        greedy, best = yardsticks(self)
        return greedy < best

    def canonical(self) -> str:
        return repr(sorted(self.intervals))

    def weight(self, chosen: Sequence[int]) -> int:
        """What some intervals weigh together."""
        return sum(self.intervals[number][2] for number in chosen)

    def heedless(self) -> list[list[int]]:
        """Whatever fits: the earliest end first, the heaviest, the heaviest for its length."""
        rules: list[Any] = [
            lambda one: one[1],
            lambda one: -one[2],
            lambda one: (one[1] - one[0]) / one[2],
        ]
        choices = []
        for rule in rules:
            chosen: list[int] = []
            for number in sorted(range(len(self.names)), key=lambda n: rule(self.intervals[n])):
                if not self.clash([*chosen, number]):
                    chosen.append(number)
            choices.append(chosen)
        return choices

    def clash(self, chosen: Sequence[int]) -> str:
        """Two chosen intervals that overlap, in words."""
        for one, other in combinations(chosen, 2):
            (start, end, _), (begin, stop, _) = self.intervals[one], self.intervals[other]
            if start < stop and begin < end:
                return f"{self.names[one]} and {self.names[other]} overlap"
        return ""

    def prompt(self) -> str:
        order = ranked(self.names)
        lines = []
        for number in order:
            start, end, weight = self.intervals[number]
            lines.append(f"{self.names[number]}: from {start} to {end}, weight {weight}")
        listed = "\n".join(lines)
        task = self.phrase(
            "Choose some of these intervals of numbers, no two of which overlap, so that their "
            "weights add up to as much as possible.",
            "In the interval graph of these intervals, two of them are joined by an edge if and "
            "only if they overlap. Find a set of intervals, no two of them joined, whose weights "
            "add up to as much as possible.",
        )
        example = ", ".join(self.names[number] for number in order[:3])
        return (
            f"{task}\n\n{listed}\n\nIntervals that only meet, where one ends and the other starts, "
            "do not overlap. If several solutions are optimal, any of them will do. Write the "
            f"chosen intervals on one line in any order, such as '{example}'."
        )

    def answer(self) -> str:
        return self.as_text(sorted(heaviest(self.intervals)[1]))

    def as_text(self, chosen: Sequence[int]) -> str:
        """Intervals as an answer."""
        return ", ".join(self.names[number] for number in chosen) or "none"

    def verify(self, answer: str) -> Score:
        chosen = node_set(answer, self.names)
        if flaw := self.clash(chosen):
            return Score(0, flaw)
        weight = self.weight(chosen)
        value = gap(weight, *yardsticks(self))
        reason = "" if value == 1 else f"the total weight is {weight}, and a better choice exists"
        return Score(value, reason, {"weight": weight})

    def audit(self, answer: str) -> bool:
        """Whether it weighs as much as the longest way from point to point, with jumps."""
        chosen, best = node_set(answer, self.names), [0]
        for here in range(1, 1 + max(end for _, end, _ in self.intervals)):
            jumps = [best[start] + weight for start, end, weight in self.intervals if end == here]
            best.append(max([best[-1], *jumps]))
        return not self.clash(chosen) and self.weight(chosen) == best[-1]

    def difficulty(self) -> float:
        return len(self.intervals)

    def shortcuts(self) -> list[str]:
        everyone = range(len(self.names))
        return [self.as_text(chosen) for chosen in (*self.heedless(), everyone, ())]

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(intervals=7, length=0.3, heaviest=5)

    def candidates(self) -> list[str]:
        sizes = range(1, 6)
        return [self.as_text(c) for n in sizes for c in combinations(range(len(self.names)), n)]
