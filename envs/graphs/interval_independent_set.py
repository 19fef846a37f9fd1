"""The heaviest independent set of an interval graph, by dynamic programming over the intervals.

András Frank (1976) found it in linear time; with equal weights, the earliest end goes first.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import natural_orders, one_pass
from palaestra.generators.graphs.puzzles import ranked
from palaestra.generators.random_graphs import node_names
from palaestra.generators.solutions import Optimum, SearchResult
from palaestra.scenes import Bar, Panels, Scene, Timeline
from palaestra.task import ladder
from palaestra.verifiers.reading.nodes import node_set

Interval = tuple[int, int, int]
"""The start, the end and the weight of an interval."""


def heaviest(intervals: Sequence[Interval]) -> tuple[int, tuple[int, ...]]:
    """The greatest weight of intervals that do not overlap, and their numbers.

    >>> heaviest([(0, 3, 2), (3, 5, 2), (2, 4, 3)])
    (4, (0, 1))
    """
    order = sorted(range(len(intervals)), key=lambda n: intervals[n][1])
    ends = [intervals[n][1] for n in order]
    best: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    for number in order:
        start, _, weight = intervals[number]
        total, chosen = best[bisect_right(ends, start, hi=len(best) - 1)]
        best.append(max(best[-1], (total + weight, (*chosen, number)), key=lambda pair: pair[0]))
    return best[-1]


class IntervalIndependentSet(Optimum):
    """Choose intervals of the greatest total weight that do not overlap."""

    version = 2
    tags = {"graphs", "optimisation", "dynamic-programming"}
    quantity = "weight"
    baseline_note = (
        "an interval is in the way of its neighbours only, so that taking the heaviest for its "
        "overlaps is right in most places; with more intervals one of them is more often wrong"
    )

    class Knobs(Optimum.Knobs):
        intervals: int = ladder(6, 9, 14, 24, 34, 46, 60, low=6, high=80)
        length: float = ladder(0.3, 0.3, 0.28, 0.25, 0.22, 0.2, 0.18, low=0.1, high=0.35)  # at most
        heaviest: int = ladder(5, 9, 15, 20, 40, 60, 99, low=4, high=999)

    names: tuple[str, ...]
    intervals: tuple[Interval, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        end = 4 * knobs.intervals
        intervals = []
        for _ in range(knobs.intervals):
            length = rng.randint(2, max(3, round(end * knobs.length)))
            start = rng.randint(0, end - length)
            # A long interval is in the way of many others, so it is heavy, too.
            share = length / max(3, round(end * knobs.length)) * rng.uniform(0.6, 1)
            intervals.append((start, start + length, max(1, round(share * knobs.heaviest))))
        return cls(names=node_names(rng, knobs.intervals), intervals=tuple(intervals))

    def canonical(self) -> str:
        return repr(sorted(self.intervals))

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

    def read(self, answer: str) -> tuple[int, ...]:
        return node_set(answer, self.names)

    def as_text(self, solution: Sequence[int]) -> str:
        return ", ".join(self.names[number] for number in solution) or "none"

    def scene(self) -> Scene:
        return self.bars(())

    def solved_scene(self, answer: str) -> Scene:
        return self.bars(self.read(answer))

    def bars(self, chosen: Sequence[int]) -> Scene:
        """A bar for each interval, by name, with its weight; the chosen ones are marked.

        More than 24 stand in two columns.
        """
        order = ranked(self.names)
        last = max(end for _, end, _ in self.intervals)
        columns = 1 if len(order) <= 24 else 2
        size = -(-len(order) // columns)
        charts = []
        for numbers in (order[n : n + size] for n in range(0, len(order), size)):
            spans = [(n, *self.intervals[n]) for n in numbers]
            bars = [
                Bar(start, end, tone="accent" if n in chosen else "t0")
                for n, start, end, _ in spans
            ]
            labels = tuple(self.names[n] for n in numbers)
            weights = tuple(str(weight) for *_, weight in spans)
            charts.append(Timeline(tuple((bar,) for bar in bars), labels, weights, end=last))
        return charts[0] if columns == 1 else Panels(tuple(charts), columns=columns)

    def violation(self, solution: Any) -> str:
        for one, other in combinations(solution, 2):
            (start, end, _), (begin, stop, _) = self.intervals[one], self.intervals[other]
            if start < stop and begin < end:
                return f"{self.names[one]} and {self.names[other]} overlap"
        return ""

    def worth(self, solution: Any) -> int:
        return sum(self.intervals[number][2] for number in solution)

    def search(self) -> SearchResult:
        return SearchResult(tuple(sorted(heaviest(self.intervals)[1])), len(self.intervals))

    def naive_solutions(self) -> list[Any]:
        """The greedy choices, all intervals, and none."""
        return [*self.greedy_choices(), range(len(self.names)), ()]

    def baseline(self, best: int) -> int:
        return max(map(self.worth, self.greedy_choices()))

    def greedy_choices(self) -> list[list[int]]:
        """All that fits: the earliest end first, the heaviest, or the heaviest for its length."""
        orders: list[Callable[[Interval], float]] = [
            lambda interval: interval[1],
            lambda interval: -interval[2],
            lambda interval: (interval[1] - interval[0]) / interval[2],
        ]
        return [*map(self.greedy_choice, orders)]

    def greedy_choice(self, order: Callable[[Interval], float]) -> list[int]:
        """The intervals, in an order, that overlap none of those chosen before."""
        chosen: list[int] = []
        intervals = self.intervals
        for number in sorted(range(len(intervals)), key=lambda n: order(intervals[n])):
            start, end, _ = intervals[number]
            if all(end <= intervals[n][0] or intervals[n][1] <= start for n in chosen):
                chosen.append(number)
        return chosen

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """All that fits, in each natural order of the intervals."""
        spans = self.intervals
        numbers = range(len(spans))
        overlaps = [sum(a < e and s < b for a, b, _ in spans) for s, e, _ in spans]
        keys: Mapping[str, Callable[[int], float]] = {
            "start": lambda n: spans[n][0],
            "end": lambda n: spans[n][1],
            "weight": lambda n: spans[n][2],
            "length": lambda n: spans[n][1] - spans[n][0],
            "weight for length": lambda n: spans[n][2] / (spans[n][1] - spans[n][0]),
            "number of overlaps": lambda n: overlaps[n],
            "weight for overlaps": lambda n: spans[n][2] / overlaps[n],
        }
        orders = natural_orders(numbers, rng, keys)
        return {
            name: one_pass(order, lambda chosen: not self.violation(chosen))
            for name, order in orders.items()
        }

    def audit(self, answer: str) -> bool:
        """Whether it is as heavy as the best choice of intervals that end by each point in turn."""
        chosen, best = self.read(answer), [0]
        for here in range(1, 1 + max(end for _, end, _ in self.intervals)):
            jumps = [best[start] + weight for start, end, weight in self.intervals if end == here]
            best.append(max([best[-1], *jumps]))
        return not self.violation(chosen) and self.worth(chosen) == best[-1]

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(intervals=7, length=0.3, heaviest=5)

    def candidates(self) -> list[str]:
        sizes = range(1, 6)
        return [self.as_text(c) for n in sizes for c in combinations(range(len(self.names)), n)]
