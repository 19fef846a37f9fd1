"""Weighted interval scheduling, covering, stabbing and domination, by sweeps over sorted ends.

Jon Kleinberg and Éva Tardos, "Algorithm Design" (2005), treat the first two.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any, Literal, Self, get_args

from palaestra.generators.baselines import natural_orders, one_pass, pared
from palaestra.generators.optimisation.covers import cheapest_cover
from palaestra.generators.optimisation.interval_cover import (
    Interval,
    cheapest_dominating,
    cheapest_layers,
    cheapest_stabbing,
    dearest_packing,
    flow_cost,
    greedy_cover,
    near_costs,
    random_intervals,
)
from palaestra.generators.optimisation.listed import ListedOptimum
from palaestra.generators.solutions import SearchResult
from palaestra.scenes import Bar, Timeline
from palaestra.task import ladder

Problem = Literal["cover", "pack", "stab", "dominate"]
PROBLEMS: tuple[Problem, ...] = get_args(Problem)


class IntervalCover(ListedOptimum):
    """Choose intervals or days of the least cost or greatest value, where greedy choices fail."""

    tags = {"optimisation", "intervals", "dynamic-programming"}
    quantity = "total"

    class Knobs(ListedOptimum.Knobs):
        intervals: int = ladder(7, 9, 12, 16, 20, 26, 32, low=7, high=36)
        depth: int = ladder(1, 1, 2, 2, 2, 3, 3, low=1, high=3)  # chosen intervals at a day
        unit: int = ladder(3, 4, 5, 6, 7, 8, 9, low=3, high=20)  # the cost of a day, about
        problem: Literal["cover", "pack", "stab", "dominate", "any"] = ladder("any")

    problem: Problem
    intervals: tuple[Interval, ...]
    costs: tuple[int, ...]
    """The cost or the value of each interval; the cost of each day where days are chosen."""
    needs: tuple[int, ...] = ()
    """How many chosen intervals each day needs."""
    limit: int = 0
    """How many chosen intervals may have a day in common."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        problem = rng.choice(PROBLEMS) if knobs.problem == "any" else knobs.problem
        days, unit = knobs.intervals + 3, knobs.unit
        intervals = random_intervals(rng, knobs.intervals, days)
        lengths = [end - start + 1 for start, end in intervals]
        costs = near_costs(rng, lengths, unit, unit - 1)
        needs, limit = tuple[int, ...](), 0
        if problem == "cover":
            layers = [sum(a <= day <= b for a, b in intervals) for day in range(1, days + 1)]
            needs = tuple(min(layer, rng.randint(1, knobs.depth)) for layer in layers)
        elif problem == "pack":
            limit = knobs.depth
        elif problem == "stab":
            hits = [sum(a <= day <= b for a, b in intervals) for day in range(1, days + 1)]
            costs = near_costs(rng, (max(1, hit) for hit in hits), unit, unit + 1)
        elif problem == "dominate":
            meets = [sum(a <= d and c <= b for c, d in intervals) for a, b in intervals]
            costs = near_costs(rng, meets, unit, unit + 1)
        return cls(
            problem=problem,
            intervals=tuple(intervals),
            costs=tuple(costs),
            needs=needs,
            limit=limit,
        )

    def canonical(self) -> str:
        if self.problem == "stab":
            return repr((sorted(self.intervals), self.costs))
        return repr((self.problem, sorted(zip(self.intervals, self.costs)), self.needs, self.limit))

    def size(self) -> int:
        return len(self.costs)

    def noun(self) -> str:
        return "days" if self.problem == "stab" else "intervals"

    def days(self) -> int:
        """The number of days."""
        return max(end for _, end in self.intervals)

    def prompt(self) -> str:
        measure = "value" if self.problem == "pack" else "cost"
        rows = [f"{n}: days {a} to {b}" for n, (a, b) in enumerate(self.intervals, 1)]
        if self.problem != "stab":
            rows = [f"{row}, {measure} {cost}" for row, cost in zip(rows, self.costs)]
        head = self.phrase(
            f"These intervals of the days 1 to {self.days()} contain their first and last days:",
            f"The days have numbers from 1 to {self.days()}. Here are intervals of days, to which "
            "the first and the last day belong:",
        )
        what = "days" if self.problem == "stab" else "chosen intervals"
        ending = (
            "If several choices are equally good, any of them will do. Write the numbers of the "
            f"{what}, such as '1, 2, {min(9, self.size())}'."
        )
        return "\n".join([head, *rows, "", *self.task(), "", ending])

    def task(self) -> list[str]:
        """The lines that state what to choose."""
        if self.problem == "pack":
            rule = (
                "no day is in two of them"
                if self.limit == 1
                else f"no day is in more than {self.limit} of them"
            )
            return [
                self.phrase(
                    f"Choose intervals of the greatest total value, such that {rule}.",
                    f"Which intervals have the greatest total value, if {rule}?",
                )
            ]
        if self.problem == "stab":
            listed = ", ".join(f"{day}: {cost}" for day, cost in enumerate(self.costs, 1))
            return [
                f"A day costs this to choose: {listed}.",
                "",
                self.phrase(
                    "Choose days of the least total cost, such that each interval contains one or "
                    "more of them.",
                    "Each interval has to contain one or more of the days that you choose. Choose "
                    "days whose costs add up to as little as possible.",
                ),
            ]
        if self.problem == "dominate":
            return [
                self.phrase(
                    "Choose intervals of the least total cost, such that each interval that is not "
                    "chosen has at least one day in common with a chosen one.",
                    "Each interval has to be chosen, or to share a day with one that is chosen. "
                    "Which choice has the least total cost?",
                )
            ]
        if set(self.needs) == {1}:
            return [
                self.phrase(
                    "Choose intervals of the least total cost, such that each day is in at least "
                    "one of them.",
                    "Which intervals together contain all days and cost as little as possible?",
                )
            ]
        listed = ", ".join(f"{day}: {need}" for day, need in enumerate(self.needs, 1))
        return [
            f"At least this many chosen intervals have to contain each day: {listed}.",
            "",
            self.phrase(
                "Choose intervals of the least total cost that satisfy this.",
                "Which choice satisfies this at the least total cost?",
            ),
        ]

    def scene(self) -> Timeline:
        return self.view(())

    def solved_scene(self, answer: str) -> Timeline:
        return self.view(self.read(answer))

    def view(self, chosen: Sequence[int]) -> Timeline:
        """A row for each interval, and one for the chosen days."""
        if self.problem == "stab":
            rows = [(Bar(a, b + 1),) for a, b in self.intervals]
            marked = tuple(
                Bar(day, day + 1, str(cost), "accent" if day - 1 in chosen else "paper")
                for day, cost in enumerate(self.costs, 1)
            )
            names = (*map(str, range(1, len(rows) + 1)), "cost")
            return Timeline((*rows, marked), names, start=1, end=self.days() + 1)
        rows = [
            (Bar(a, b + 1, str(cost), "accent" if n in chosen else "t0"),)
            for n, ((a, b), cost) in enumerate(zip(self.intervals, self.costs))
        ]
        labels = tuple(map(str, range(1, len(rows) + 1)))
        return Timeline(tuple(rows), labels, start=1, end=self.days() + 1)

    def rules(self, solution: Sequence[int]) -> str:
        if len(set(solution)) < len(solution):
            return f"one of the {self.noun()} is listed twice"
        if self.problem == "pack":
            crowd = self.crowded(solution)
            return f"day {crowd} is in more than {self.limit} of them" if crowd else ""
        reach, left = self.reach(), list(self.wanted())
        for option in solution:
            for each in reach[option]:
                left[each] -= 1
        short = next((n for n, need in enumerate(left, 1) if need > 0), 0)
        if not short:
            return ""
        if self.problem == "cover":
            return f"day {short} is in too few of them"
        what = "contains no chosen day" if self.problem == "stab" else "meets no chosen interval"
        return f"interval {short} {what}"

    def crowded(self, solution: Iterable[int]) -> int:
        """The first day that is in too many intervals; 0 if there is none."""
        chosen = [self.intervals[n] for n in solution]
        for day in range(1, self.days() + 1):
            if sum(a <= day <= b for a, b in chosen) > self.limit:
                return day
        return 0

    def reach(self) -> list[list[int]]:
        """What each option serves: days or intervals, counted from 0."""
        if self.problem == "stab":
            return [
                [n for n, (a, b) in enumerate(self.intervals) if a <= day <= b]
                for day in range(1, self.size() + 1)
            ]
        if self.problem == "dominate":
            return [
                [n for n, (c, d) in enumerate(self.intervals) if a <= d and c <= b]
                for a, b in self.intervals
            ]
        return [[*range(a - 1, b)] for a, b in self.intervals]

    def wanted(self) -> tuple[int, ...]:
        """How often each day or interval has to be served."""
        return self.needs or (1,) * len(self.intervals)

    def worth(self, solution: Any) -> int:
        return sum(self.costs[n] for n in solution)

    def search(self) -> SearchResult:
        if self.problem == "pack":
            return SearchResult(*dearest_packing(self.intervals, self.costs, self.limit))
        if self.problem == "stab":
            return SearchResult(*cheapest_stabbing(self.intervals, self.costs))
        if self.problem == "dominate":
            return SearchResult(*cheapest_dominating(self.intervals, self.costs))
        return SearchResult(*cheapest_layers(self.intervals, self.costs, self.needs))

    def difficulty(self) -> float:
        """The pairs of intervals that a table compares, for each layer."""
        return float(len(self.intervals) ** 2 + max(self.needs, default=self.limit))

    def naive_solutions(self) -> list[Any]:
        """Greedy choices, and all options where they are allowed."""
        if self.problem == "pack":
            orders = self.orders(Random(0)).values()
            return [one_pass(order, self.fits) for order in orders]
        every = [*range(self.size())]
        return [every, *self.greedy(Random(0)).values()]

    def fits(self, chosen: Sequence[int]) -> bool:
        """Whether the choice breaks no rule."""
        return not self.rules(chosen)

    def orders(self, rng: Random) -> dict[str, list[int]]:
        """The options by the measures of intervals, and by cost."""
        reach = self.reach()
        keys: dict[str, Callable[[int], float]] = {
            "cost": self.costs.__getitem__,
            "cost for each day or interval": lambda n: self.costs[n] / (len(reach[n]) or 0.5),
            "number of days or intervals": lambda n: len(reach[n]),
        }
        if self.problem != "stab":
            keys["first day"] = lambda n: self.intervals[n][0]
            keys["last day"] = lambda n: self.intervals[n][1]
        return natural_orders(range(self.size()), rng, keys)

    def greedy(self, rng: Random) -> dict[str, list[int]]:
        """The options of the least rank each time."""
        reach, wanted, costs = self.reach(), self.wanted(), self.costs
        ranks: dict[str, Callable[[int, int], float]] = {
            "least cost for each new one": lambda n, new: costs[n] / new,
            "least cost": lambda n, _: costs[n],
            "most new ones": lambda _, new: -new,
            "most new ones less cost": lambda n, new: costs[n] - new * self.mean(),
        }
        players = {name: greedy_cover(reach, wanted, rank, rng) for name, rank in ranks.items()}
        return players | {
            f"{name}, pared": pared(each[::-1], self.fits) for name, each in players.items()
        }

    def mean(self) -> float:
        """The mean cost of serving one day or interval."""
        return sum(self.costs) / sum(map(len, self.reach()))

    def leftmost(self, rank: Callable[[int], float]) -> list[int]:
        """Serve the day or interval that ends first, of those not served, by the best option."""
        reach, left, chosen = self.reach(), list(self.wanted()), list[int]()
        elements = range(len(left))
        order = sorted(elements, key=lambda n: n if self.needs else self.intervals[n][1])
        for element in order:
            while left[element] > 0:
                options = [n for n in range(self.size()) if element in reach[n]]
                best = min((n for n in options if n not in chosen), key=rank)
                chosen.append(best)
                for each in reach[best]:
                    left[each] -= 1
        return chosen

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """One pass in each natural order; greedy choices; and from the first day to the last."""
        orders = self.orders(rng)
        if self.problem == "pack":
            return {name: one_pass(order, self.fits) for name, order in orders.items()}
        last = (lambda n: n) if self.problem == "stab" else (lambda n: self.intervals[n][1])
        reach, costs = self.reach(), self.costs
        sweeps: dict[str, Callable[[int], float]] = {
            "reaches farthest": lambda n: -last(n),
            "costs least": lambda n: costs[n],
            "costs least for each one": lambda n: costs[n] / len(reach[n]),
        }
        swept = {f"from the left, {name}": self.leftmost(rank) for name, rank in sweeps.items()}
        return {
            **self.greedy(rng),
            **{f"without {name}": pared(order, self.fits) for name, order in orders.items()},
            **swept,
            **{f"{name}, pared": pared(each, self.fits) for name, each in swept.items()},
        }

    def audit(self, answer: str) -> bool:
        """Compare with the cost of a flow, or with a cheapest set cover."""
        solution = self.read(answer)
        if self.violation(solution):
            return False
        worth = self.worth(solution)
        if self.problem == "pack":
            losses = [-value for value in self.costs]
            idle = [self.limit] * self.days()
            return flow_cost(self.intervals, losses, idle, self.limit) == -worth
        if self.problem == "cover":
            units = max(self.needs)
            idle = [units - need for need in self.needs]
            return flow_cost(self.intervals, self.costs, idle, units) == worth
        masks = [sum(1 << each for each in served) for served in self.reach()]
        best, _ = cheapest_cover(masks, self.costs, (1 << len(self.intervals)) - 1)
        return worth == self.worth(best)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(intervals=7, depth=2, unit=3)

    def candidates(self) -> Iterable[str]:
        choices = product((0, 1), repeat=self.size())
        return (self.as_text(n for n, b in enumerate(c) if b) for c in choices if any(c))
