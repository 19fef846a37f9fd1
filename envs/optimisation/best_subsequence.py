"""Longest and heaviest subsequences under rules, by dynamic programming.

Craige Schensted (1961) and Michael Fredman (1975) treat the longest increasing subsequence.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import natural_orders, one_pass
from palaestra.generators.optimisation.best_subsequence import (
    OTHERS,
    SHAPES,
    Rule,
    broken,
    fitting_rule,
    greatest_weight,
    heaviest,
)
from palaestra.generators.optimisation.listed import ListedOptimum
from palaestra.generators.solutions import SearchResult
from palaestra.scenes import Cell, Grid
from palaestra.task import ladder


class BestSubsequence(ListedOptimum):
    """Choose numbers of a row that satisfy rules on order and gaps, with the greatest weight."""

    tags = {"optimisation", "dynamic-programming", "sequences"}
    quantity = "weight"

    class Knobs(ListedOptimum.Knobs):
        length: int = ladder(8, 11, 15, 20, 27, 36, 48, low=7, high=60)
        rules: int = ladder(1, 2, 2, 2, 2, 3, 3, low=1, high=3)
        greatest: int = ladder(20, 30, 40, 60, 80, 99, 99, low=12, high=500)  # of the numbers
        weight: int = ladder(9, 9, 12, 15, 20, 25, 30, low=5, high=99)  # of a number, at most

    numbers: tuple[int, ...]
    weights: tuple[int, ...]
    conditions: tuple[Rule, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """A row in which some heavy numbers are in the way: high ones first, low ones last."""
        size, high = knobs.length, knobs.greatest
        numbers = [rng.randint(1, high) for _ in range(size)]
        weights = [1 + int(knobs.weight * rng.random() ** 2) for _ in range(size)]
        for _ in range(max(2, size // 6)):
            position = rng.randrange(size)
            early = position < size // 2
            numbers[position] = rng.randint(high * 3 // 4, high) if early else rng.randint(1, 4)
            weights[position] = rng.randint(knobs.weight * 4 // 5, knobs.weight)
        names = [rng.choice(SHAPES), *rng.sample(OTHERS, knobs.rules - 1)]
        rules = [fitting_rule(rng, name, size, high) for name in names]
        return cls(numbers=tuple(numbers), weights=tuple(weights), conditions=tuple(rules))

    def is_valid(self) -> bool:
        """Whether an optimal choice has two numbers or more, and all rules matter."""
        if len(self.search().solution) < 2 or not super().is_valid():
            return False
        best = self.worth(self.search().solution)
        others = (self.conditions[:n] + self.conditions[n + 1 :] for n in range(self.rule_count()))
        return all(
            self.worth(heaviest(self.numbers, self.weights, some)[0]) > best for some in others
        )

    def rule_count(self) -> int:
        """The number of rules."""
        return len(self.conditions)

    def size(self) -> int:
        return len(self.numbers)

    def noun(self) -> str:
        return "positions"

    def prompt(self) -> str:
        rows = [
            f"{n}: number {number}, weight {weight}"
            for n, (number, weight) in enumerate(zip(self.numbers, self.weights), 1)
        ]
        head = self.phrase(
            f"A row has {self.size()} positions, each with a number and a weight:",
            f"Here are {self.size()} numbers in a row, by position, and the weight of each:",
        )
        ask = self.phrase(
            "Choose one or more positions whose weights add up to as much as possible. The chosen "
            "numbers, in the order of the row, have to satisfy the following.",
            "Which positions have the greatest total weight, if their numbers, read from the first "
            "position to the last, satisfy the following? Choose one or more.",
        )
        rules = "\n".join(f"- {rule.text()}" for rule in self.conditions)
        listed = "\n".join(rows)
        return (
            f"{head}\n{listed}\n\n{ask}\n{rules}\n\nIf several choices are equally good, any of "
            f"them will do. Write the chosen positions in increasing order, such as '1, 2, "
            f"{min(6, self.size())}'."
        )

    def scene(self) -> Grid:
        return self.view(())

    def solved_scene(self, answer: str) -> Grid:
        return self.view(self.read(answer))

    def view(self, chosen: Sequence[int]) -> Grid:
        """The numbers and their weights by position, ten in a row."""
        rows, left = list[tuple[Cell, ...]](), list[tuple[str, ...]]()
        for first in range(0, self.size(), 10):
            some = range(first, min(first + 10, self.size()))
            rest = (Cell(fill="none"),) * (10 - len(some))
            marks = ["accent" if n in chosen else "paper" for n in some]
            rows.append(
                (*(Cell(str(self.numbers[n]), fill) for n, fill in zip(some, marks)), *rest)
            )
            rows.append((*(Cell(str(self.weights[n]), "t1") for n in some), *rest))
            left += [(f"{some[0] + 1} to {some[-1] + 1}",), ("weight",)]
        return Grid(tuple(rows), left=tuple(left))

    def rules(self, solution: Sequence[int]) -> str:
        if not solution:
            return "no position is chosen"
        if list(solution) != sorted(set(solution)):
            return "the positions are not in increasing order"
        number = broken(self.numbers, solution, self.conditions)
        return f"rule {number} of {len(self.conditions)} is broken" if number else ""

    def worth(self, solution: Any) -> int:
        return sum(self.weights[n] for n in solution)

    def search(self) -> SearchResult:
        return SearchResult(*heaviest(self.numbers, self.weights, self.conditions))

    def difficulty(self) -> float:
        """The pairs of positions, for each rule."""
        return float(self.size() ** 2 * len(self.conditions))

    def fits(self, chosen: Iterable[int]) -> bool:
        """Whether a choice breaks no rule."""
        return not self.violation(sorted(chosen))

    def naive_solutions(self) -> list[Any]:
        """What fits, from the heaviest on and from the first position on; the heaviest position."""
        positions = range(self.size())
        falling = sorted(positions, key=lambda n: -self.weights[n])
        single = [[n] for n in falling if self.fits([n])][:1] or [[0]]
        passes = [sorted(one_pass(order, self.fits)) for order in (positions, falling)]
        return [*single, *(chosen for chosen in passes if chosen)]

    def baseline(self, best: int) -> int:
        worths = [self.worth(each) for each in self.naive_solutions() if not self.violation(each)]
        return max(worths, default=0)

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """What fits in each natural order; the most numbers; the best under the first rule alone;
        and a local search.
        """
        equal = [1] * self.size()
        orders = natural_orders(
            range(self.size()),
            rng,
            {"weight": self.weights.__getitem__, "number": self.numbers.__getitem__},
        )
        players: dict[str, list[int]] = {
            name: sorted(one_pass(order, self.fits)) for name, order in orders.items()
        }
        players["most numbers"] = heaviest(self.numbers, equal, self.conditions)[0]
        if len(self.conditions) > 1:
            first = heaviest(self.numbers, self.weights, self.conditions[:1])[0]
            players["what fits of the best for the first rule"] = one_pass(first, self.fits)
        players["exchanges"] = self.exchanged(players["greatest weight first"], rng)
        return self.nonempty(players)

    def exchanged(self, chosen: list[int], rng: Random) -> list[int]:
        """Put in a position and take out at most one, while that helps."""
        while True:
            options = [
                sorted({*chosen, new} - {old})
                for new in rng.sample(range(self.size()), self.size())
                for old in (-1, *chosen)
                if new not in chosen
            ]
            better = [
                each
                for each in options
                if self.worth(each) > self.worth(chosen) and self.fits(each)
            ]
            if not better:
                return chosen
            chosen = max(better, key=self.worth)

    def audit(self, answer: str) -> bool:
        """Whether it breaks no rule, and a recursion from the first position finds no more."""
        chosen = self.read(answer)
        best = greatest_weight(self.numbers, self.weights, self.conditions)
        return not self.violation(chosen) and self.worth(chosen) == best

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(length=7, rules=2, greatest=20, weight=9)

    def candidates(self) -> Iterable[str]:
        positions = range(self.size())
        choices = (c for size in range(1, self.size() + 1) for c in combinations(positions, size))
        return map(self.as_text, choices)
