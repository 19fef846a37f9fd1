"""The 0-1 knapsack problem, solved by dynamic programming, after Richard Bellman (1957)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress, product
from math import sqrt
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import natural_orders, one_pass
from palaestra.generators.optimisation.knapsack import Item, most_valuable, undominated
from palaestra.generators.solutions import Optimum, SearchResult
from palaestra.scenes import Cell, Grid, Panels
from palaestra.task import ladder
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.values import joined


class Knapsack(Optimum):
    """Choose the items of greatest value that fit into a knapsack, where greedy choices fail."""

    version = 2
    tags = {"optimisation", "search", "arithmetic"}
    quantity = "value"

    class Knobs(Optimum.Knobs):
        items: int = ladder(10, 11, 13, 16, 20, 25, 30, low=5, high=40)
        weight: int = ladder(12, 15, 30, 60, 99, 150, 200, low=8, high=200)  # of an item, at most
        spread: int = ladder(6, 6, 8, 10, 10, 12, 12, low=3, high=100)  # between value and weight

    items: tuple[Item, ...]
    capacity: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        weights = [rng.randint(2, knobs.weight) for _ in range(knobs.items)]
        items = [(w, max(1, w + rng.randint(-knobs.spread, knobs.spread))) for w in weights]
        capacity = max(*weights, int(sum(weights) * rng.uniform(0.35, 0.65)))
        return cls(items=tuple(items), capacity=capacity)

    def canonical(self) -> str:
        return repr((self.capacity, sorted(self.items)))

    def prompt(self) -> str:
        listed = "\n".join(
            f"{number}: weight {weight}, value {value}"
            for number, (weight, value) in enumerate(self.items, 1)
        )
        task = self.phrase(
            f"Choose items whose weights add up to at most {self.capacity}, so that their values "
            "add up to as much as possible.",
            f"A knapsack holds a total weight of {self.capacity}. Pack it with the items of the "
            "greatest total value.",
        )
        return (
            f"{task} There is one of each item, and it is taken whole or not at "
            f"all.\n\n{listed}\n\nIf several choices are equally good, any of them will do. Write "
            f"the numbers of the items you take, such as '1, 2, {len(self.items)}'."
        )

    def scene(self) -> Panels:
        return self.view(())

    def solved_scene(self, answer: str) -> Panels:
        return self.view(self.read(answer))

    def view(self, chosen: Sequence[int]) -> Panels:
        """Tables of ten items each, with the chosen ones marked."""
        tables = []
        for first in range(0, len(self.items), 10):
            part = [*enumerate(self.items)][first : first + 10]
            fills = ["accent" if n in chosen else "paper" for n, _ in part]
            rows = tuple(
                tuple(Cell(str(item[which]), fill) for (_, item), fill in zip(part, fills))
                for which in (0, 1)
            )
            top = tuple((str(n + 1),) for n, _ in part)
            tables.append(Grid(rows, top=top, left=(("weight",), ("value",))))
        return Panels(tuple(tables), (f"weight at most {self.capacity}",), columns=1)

    def read(self, answer: str) -> list[int]:
        """The items, counted from 0."""
        numbers = integers(answer.replace(" and ", ", "), what="a list of item numbers")
        return [number - 1 for number in numbers]

    def as_text(self, solution: Iterable[int]) -> str:
        return joined([item + 1 for item in solution])

    def violation(self, solution: Any) -> str:
        if not all(0 <= item < len(self.items) for item in solution):
            return f"the items have numbers from 1 to {len(self.items)} only"
        if len(set(solution)) < len(solution):
            return "an item is taken twice"
        weight, most = sum(self.items[item][0] for item in solution), self.capacity
        return f"a weight of {weight} is more than {most}" if weight > most else ""

    def worth(self, solution: Any) -> int:
        return sum(self.items[item][1] for item in solution)

    def search(self) -> SearchResult:
        cells = len(self.items) * (self.capacity + 1)
        return SearchResult(most_valuable(self.items, self.capacity), cells)

    def difficulty(self) -> float:
        return len(undominated(self.items, self.capacity))

    def naive_solutions(self) -> list[Any]:
        """The greedy choices, and all items."""
        return [*self.greedy_choices(), range(len(self.items))]

    def baseline(self, best: int) -> int:
        return max(map(self.worth, self.greedy_choices()))

    def greedy_choices(self) -> list[list[int]]:
        """All that fits, by value for weight, value, weight, or as listed."""
        orders: list[Callable[[Item], float]] = [
            lambda item: -item[1] / item[0],
            lambda item: -item[1],
            lambda item: item[0],
            lambda _: 0,
        ]
        return [*map(self.greedy_choice, orders)]

    def greedy_choice(self, order: Callable[[Item], float]) -> list[int]:
        """The items, in an order, that fit beside those chosen before."""
        room, chosen = self.capacity, []
        for item in sorted(range(len(self.items)), key=lambda n: order(self.items[n])):
            if self.items[item][0] <= room:
                room -= self.items[item][0]
                chosen.append(item)
        return sorted(chosen)

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """All that fits, in each natural order of the items."""
        weights, values = zip(*self.items)
        keys: Mapping[str, Callable[[int], float]] = {
            "weight": weights.__getitem__,
            "value": values.__getitem__,
            "value for weight": lambda item: values[item] / weights[item],
            "value for the root of weight": lambda item: values[item] / sqrt(weights[item]),
            "value less weight": lambda item: values[item] - weights[item],
        }
        orders = natural_orders(range(len(self.items)), rng, keys)
        return {name: one_pass(order, self.fits) for name, order in orders.items()}

    def fits(self, chosen: Iterable[int]) -> bool:
        """Whether the knapsack holds the weight of some items."""
        return sum(self.items[item][0] for item in chosen) <= self.capacity

    def audit(self, answer: str) -> bool:
        """Whether it is valid and worth as much as the best of all undominated choices."""
        chosen = self.read(answer)
        best = undominated(self.items, self.capacity)[-1][1]
        return not self.violation(chosen) and self.worth(chosen) == best

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(items=7, weight=12, spread=6)

    def candidates(self) -> Iterable[str]:
        items = range(len(self.items))
        guesses = product((0, 1), repeat=len(items))
        return (self.as_text(compress(items, guess)) for guess in guesses if any(guess))
