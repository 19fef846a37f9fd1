"""The weighted set cover problem, one of Richard Karp's 21 (1972)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress, product
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import natural_orders, pared, shuffled, stepwise
from palaestra.generators.optimisation.covers import cheapest_cover
from palaestra.generators.solutions import Optimum, SearchResult
from palaestra.scenes import Cell, Grid
from palaestra.task import ladder
from palaestra.verifiers.reading.numbered_items import numbers_of
from palaestra.verifiers.reading.values import joined

TRIES = 3
"""How often ties of rarest elements are broken, for covers that must not be the cheapest."""


class SetCover(Optimum):
    """Choose the cheapest sets that cover every element, where greedy choices fail."""

    tags = {"optimisation", "sets", "search"}
    quantity = "cost"

    class Knobs(Optimum.Knobs):
        elements: int = ladder(7, 9, 11, 13, 15, 18, 20, low=5, high=24)
        sets: int = ladder(7, 9, 11, 13, 16, 19, 22, low=5, high=26)
        cost: int = ladder(9, 9, 12, 15, 20, 25, 30, low=3, high=99)  # of a set, at most

    sets: tuple[tuple[int, ...], ...]
    """The elements of each set, counted from 1."""
    costs: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Sets of about a third of the elements, whose costs follow their sizes."""
        numbers = range(1, knobs.elements + 1)
        sets = list[list[int]]()
        for _ in range(knobs.sets):
            size = rng.randint(2, max(3, knobs.elements // 2))
            sets.append(sorted(rng.sample(numbers, size)))
        for number in numbers:  # each element is in two sets at least
            while sum(number in each for each in sets) < 2:
                each = rng.choice(sets)
                if number not in each:
                    each.append(number)
                    each.sort()
        most = max(map(len, sets))
        noise = 1 + knobs.cost // 20
        costs = [
            max(1, round(len(each) * knobs.cost / most) + rng.randint(-noise, noise))
            for each in sets
        ]
        return cls(sets=tuple(map(tuple, sets)), costs=tuple(costs))

    @property
    def elements(self) -> int:
        """The number of elements."""
        return max(map(max, self.sets))

    def canonical(self) -> str:
        return repr(sorted(zip(self.sets, self.costs)))

    def prompt(self) -> str:
        listed = "\n".join(
            f"set {number}: cost {cost}, elements {joined(each)}"
            for number, (each, cost) in enumerate(zip(self.sets, self.costs), 1)
        )
        task = self.phrase(
            f"Choose sets so that each of the elements 1 to {self.elements} is in at least one of "
            "them, and the costs of the chosen sets add up to as little as possible.",
            f"Find the cheapest collection of sets that covers all elements from 1 to "
            f"{self.elements}: every element has to be in one or more of the chosen sets.",
        )
        return (
            f"{task} Chosen sets may overlap.\n\n{listed}\n\nIf several choices are equally good, "
            f"any of them will do. Write the numbers of the sets, such as '1, 2, {len(self.sets)}'."
        )

    def scene(self) -> Grid:
        return self.view(())

    def solved_scene(self, answer: str) -> Grid:
        return self.view(self.read(answer))

    def view(self, chosen: Sequence[int]) -> Grid:
        """A row for each set with its elements, and its cost at the left."""
        rows = tuple(
            tuple(
                Cell(
                    str(number) if number in each else "",
                    ("accent" if n in chosen else "shade") if number in each else "paper",
                )
                for number in range(1, self.elements + 1)
            )
            for n, each in enumerate(self.sets)
        )
        left = tuple((f"{n}: {cost}",) for n, cost in enumerate(self.costs, 1))
        return Grid(rows, left=left)

    def read(self, answer: str) -> list[int]:
        """The sets, counted from 0."""
        numbers = numbers_of(answer, ("set", "sets"), "a list of numbers of sets")
        return [number - 1 for number in numbers]

    def as_text(self, solution: Iterable[int]) -> str:
        return joined([n + 1 for n in solution])

    def violation(self, solution: Any) -> str:
        if not all(0 <= n < len(self.sets) for n in solution):
            return f"the sets have numbers from 1 to {len(self.sets)} only"
        if len(set(solution)) < len(solution):
            return "a set is listed twice"
        missing = set(range(1, self.elements + 1)).difference(*(self.sets[n] for n in solution))
        return f"element {min(missing)} is not covered" if missing else ""

    def worth(self, solution: Any) -> int:
        return sum(self.costs[n] for n in solution)

    def search(self) -> SearchResult:
        masks = [sum(1 << number - 1 for number in each) for each in self.sets]
        return SearchResult(*cheapest_cover(masks, self.costs, (1 << self.elements) - 1))

    def naive_solutions(self) -> list[Any]:
        """Greedy covers, as they are and without what they do not need, and all sets."""
        greedy = [self.greedy(key) for key in self.keys().values()]
        dearest = [pared(self.dearest_first(each), self.covers) for each in greedy]
        rarest = [self.rarest_first(Random(n)) for n in range(TRIES)]
        pruned = [pared(each[::-1], self.covers) for each in greedy]
        return [*greedy, *pruned, *dearest, *rarest, self.whole]

    def keys(self) -> Mapping[str, Callable[[int, int], float]]:
        """Greedy rules by name: the least of these, of a set and of how many elements it adds."""
        return {
            "cost for each new element": lambda n, new: self.costs[n] / new,
            "cost": lambda n, _: self.costs[n],
            "greatest number of new elements": lambda _, new: -new,
        }

    @property
    def whole(self) -> range:
        """All sets."""
        return range(len(self.sets))

    def covers(self, chosen: Iterable[int]) -> bool:
        """Whether every element is in one of these sets."""
        return not self.violation([*chosen])

    def greedy(self, key: Callable[[int, int], float], rng: Random | None = None) -> list[int]:
        """The set of the least key, among those that add elements, again and again."""

        def rank(n: int, chosen: list[int]) -> float | None:
            new = set(self.sets[n]).difference(*(self.sets[each] for each in chosen))
            return key(n, len(new)) if new else None

        return stepwise(self.whole, rng or Random(0), rank)

    def dearest_first(self, chosen: Iterable[int]) -> list[int]:
        """Sets from the dearest to the cheapest."""
        return sorted(chosen, key=lambda n: -self.costs[n])

    def rarest_first(self, rng: Random) -> list[int]:
        """For the element in fewest sets, the one that costs least for each element that it adds,
        again and again; then without what is not needed, the dearest first.
        """
        left, chosen = {*range(1, self.elements + 1)}, list[int]()
        while left:
            holders = {x: [n for n in self.whole if x in self.sets[n]] for x in left}
            rarest = min(shuffled(sorted(left), rng), key=lambda x: len(holders[x]))
            able = shuffled(holders[rarest], rng)
            best = min(able, key=lambda n: self.costs[n] / len(left.intersection(self.sets[n])))
            chosen.append(best)
            left.difference_update(self.sets[best])
        return pared(self.dearest_first(chosen), self.covers)

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Greedy covers with ties broken at random, and all sets but those that are not needed."""
        costs = {"cost": self.costs.__getitem__, "size": lambda n: len(self.sets[n])}
        orders = natural_orders([*self.whole], rng, costs)
        return {
            "rarest element first": self.rarest_first(rng),
            **{
                f"least {name}, pared from the dearest": pared(
                    self.dearest_first(self.greedy(key, rng)), self.covers
                )
                for name, key in self.keys().items()
            },
            **{f"least {name}": self.greedy(key, rng) for name, key in self.keys().items()},
            **{
                f"least {name}, pared": pared(self.greedy(key, rng)[::-1], self.covers)
                for name, key in self.keys().items()
            },
            **{f"without {name}": pared(order, self.covers) for name, order in orders.items()},
        }

    def audit(self, answer: str) -> bool:
        """Whether it covers all, and no cover costs less, by a table of all parts of the whole."""
        chosen = self.read(answer)
        least = {frozenset[int](): 0}
        for each, cost in zip(self.sets, self.costs):
            for covered, spent in list(least.items()):
                union = covered | frozenset(each)
                least[union] = min(least.get(union, spent + cost), spent + cost)
        best = least[frozenset(range(1, self.elements + 1))]
        return not self.violation(chosen) and self.worth(chosen) == best

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(elements=6, sets=7, cost=9)

    def candidates(self) -> Iterable[str]:
        guesses = product((0, 1), repeat=len(self.sets))
        return (self.as_text(compress(self.whole, guess)) for guess in guesses if any(guess))
