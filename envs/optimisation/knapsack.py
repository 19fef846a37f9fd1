"""The 0-1 knapsack problem, solved by dynamic programming, after Richard Bellman (1957)."""

from collections.abc import Callable, Iterable, Sequence
from itertools import compress, product
from random import Random
from typing import Self

from palaestra.generators.optimisation.knapsack import Item, most_valuable, undominated
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.certificates import gap
from palaestra.verifiers.reading.values import integers, joined


class Knapsack(Puzzle):
    """Choose the items of greatest value that fit into a knapsack; greed does not find them."""

    tags = {"optimisation", "search", "arithmetic"}

    class Knobs(Puzzle.Knobs):
        items: int = ladder(10, 11, 13, 16, 20, 25, 30, low=5, high=40)
        weight: int = ladder(12, 15, 20, 30, 40, 60, 80, low=8, high=200)  # of the heaviest
        spread: int = ladder(6, 6, 8, 10, 10, 12, 12, low=3, high=100)  # of values around weights

    items: tuple[Item, ...]
    capacity: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        weights = [rng.randint(2, knobs.weight) for _ in range(knobs.items)]
        items = [(w, max(1, w + rng.randint(-knobs.spread, knobs.spread))) for w in weights]
        capacity = max(*weights, int(sum(weights) * rng.uniform(0.35, 0.65)))
        return cls(items=tuple(items), capacity=capacity)

    def is_valid(self) -> bool:
        return self.baseline() < self.best()

    def best(self) -> int:
        """The greatest value that fits."""
        return self.total(most_valuable(self.items, self.capacity))[1]

    def baseline(self) -> int:
        """What the best of the greedy choices is worth."""
        return max(self.total(chosen)[1] for chosen in self.greedy_choices())

    def greedy_choices(self) -> list[list[int]]:
        """Whatever still fits, in four orders: value for weight, value, weight, and as listed."""
        orders: list[Callable[[int], float]] = [
            lambda place: -self.items[place][1] / self.items[place][0],
            lambda place: -self.items[place][1],
            lambda place: self.items[place][0],
            lambda place: place,
        ]
        return [self.packed(sorted(range(len(self.items)), key=order)) for order in orders]

    def packed(self, order: Iterable[int]) -> list[int]:
        """What is taken by someone who takes whatever still fits, in this order."""
        room, chosen = self.capacity, []
        for place in order:
            if self.items[place][0] <= room:
                room -= self.items[place][0]
                chosen.append(place)
        return sorted(chosen)

    def total(self, chosen: Iterable[int]) -> Item:
        """The weight and the value of some items."""
        taken = [self.items[place] for place in chosen]
        return sum(weight for weight, _ in taken), sum(value for _, value in taken)

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

    def answer(self) -> str:
        return self.as_text(most_valuable(self.items, self.capacity))

    def as_text(self, chosen: Sequence[int]) -> str:
        """A choice as an answer."""
        return joined([place + 1 for place in chosen])

    def read(self, answer: str) -> list[int]:
        """The numbers of the items in an answer."""
        return integers(answer.replace(" and ", ", "), what="a list of item numbers")

    def verify(self, answer: str) -> Score:
        numbers = self.read(answer)
        if not all(1 <= number <= len(self.items) for number in numbers):
            return Score(0, f"the items have numbers from 1 to {len(self.items)} only")
        if len(set(numbers)) < len(numbers):
            return Score(0, "an item is taken twice")
        weight, value = self.total(number - 1 for number in numbers)
        if weight > self.capacity:
            return Score(0, f"a weight of {weight} is more than {self.capacity}")
        worth = gap(value, self.baseline(), self.best())
        reason = "" if worth == 1 else f"a total value of {value} is not the greatest"
        return Score(worth, reason, {"value": value})

    def audit(self, answer: str) -> bool:
        """Whether the weight and value are those of the best of all undominated choices."""
        numbers = self.read(answer)
        if len(set(numbers)) < len(numbers) or not set(numbers) <= set(
            range(1, len(self.items) + 1)
        ):
            return False
        weight, value = self.total(number - 1 for number in numbers)
        front = undominated(self.items, self.capacity)
        return weight <= self.capacity and value == front[-1][1]

    def difficulty(self) -> float:
        return len(undominated(self.items, self.capacity))

    def shortcuts(self) -> Iterable[str]:
        return map(self.as_text, [*self.greedy_choices(), range(len(self.items))])

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(items=7, weight=12, spread=6)

    def candidates(self) -> Iterable[str]:
        places = range(len(self.items))
        guesses = product((0, 1), repeat=len(self.items))
        return (self.as_text(list(compress(places, guess))) for guess in guesses if any(guess))
