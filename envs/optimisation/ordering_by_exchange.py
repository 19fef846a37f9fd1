"""Orders of least cost in which two neighbours show which of them comes first.

W. E. Smith (1956) orders jobs by a ratio and S. M. Johnson (1954) jobs of two machines; W. A. Horn
(1972), and Clyde Monma and Jeffrey Sidney (1979) order items that have to wait for others.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, permutations
from random import Random
from typing import Any, Literal, Self

from palaestra.generators.optimisation.ordering_by_exchange import (
    COSTS,
    Cost,
    Item,
    available_first,
    best_cost,
    best_order,
    cost_of,
    held_back,
    keys_of,
    random_items,
    random_waits,
)
from palaestra.generators.solutions import Optimum, SearchResult
from palaestra.scenes import Cell, Table
from palaestra.task import ladder
from palaestra.verifiers.reading.numbered_items import numbers_of
from palaestra.verifiers.reading.values import joined

NUMBERS: dict[Cost, tuple[str, ...]] = {
    "waiting": ("takes {} minutes", "loses {} a minute"),
    "pairs": ("blue number {}", "red number {}"),
    "unloading": ("effort {}", "weight {}"),
    "capital": ("price {}", "return {}"),
    "stack": ("weight {}", "strength {}"),
    "machines": ("{} minutes of washing", "{} minutes of drying"),
    "growth": ("multiply by {}", "then add {}"),
    "digits": ("{}",),
}
"""The numbers of an item in words."""

NOUNS: dict[Cost, str] = {
    "waiting": "repair", "pairs": "card", "unloading": "crate", "capital": "project",
    "stack": "box", "machines": "load", "growth": "operation", "digits": "card",
}  # fmt: skip

RULES: dict[Cost, str] = {
    "waiting": "The repairs are carried out one after the other, without pauses, from time 0. A "
    "repair loses its amount for each minute from time 0 until it ends, its own minutes included.",
    "pairs": "The cards are laid in a row. For every two cards, neighbours or not, the blue number "
    "of the earlier card is multiplied by the red number of the later card, and all these products "
    "are added up.",
    "unloading": "The crates are taken off a cart one after the other. Taking a crate off costs "
    "its effort multiplied by the total weight on the cart just before, its own weight included.",
    "capital": "The projects are carried out one after the other. The price of a project is paid "
    "when it starts, and its return is received when it ends, before the next one starts. All "
    "money comes from a fund, which has to have a certain amount at the start, so that it can pay "
    "every price in full and never goes below 0.",
    "stack": "The boxes are stacked, one on another; the order goes from the top to the bottom. "
    "The overload of a box is the total weight of the boxes above it minus its strength, which may "
    "be negative.",
    "machines": "There are one washing machine and one dryer, each for one load at a time, and "
    "both take the loads in the same order. Washing begins at time 0 and makes no pauses. Drying a "
    "load begins as soon as it is washed and the dryer is free.",
    "growth": "A number is 1 at the start, and each operation is carried out once, one after the "
    "other, on the number that the one before leaves.",
    "digits": "The cards are laid in a row from left to right, and their digits are read as one "
    "long number.",
}

GOALS: dict[Cost, str] = {
    "waiting": "the total loss",
    "pairs": "the total",
    "unloading": "the total cost",
    "capital": "the amount that the fund has to have at the start",
    "stack": "the greatest overload of a box",
    "machines": "the time at which the last load is dry",
    "growth": "the number at the end",
    "digits": "the long number",
}


MIXED = tuple(cost for cost in COSTS if cost != "stack")
"""The costs that are asked for by chance. For stacks one rule is right whatever waits for what
(E. L. Lawler, 1973): from the bottom, the available box with the greatest weight plus strength.
"""


class OrderingByExchange(Optimum):
    """Order items, of which some wait for others, so that a stated cost is least."""

    tags = {"optimisation", "scheduling", "greedy"}
    quantity = "value"

    class Knobs(Optimum.Knobs):
        items: int = ladder(4, 6, 9, 14, 18, 22, 26, low=4, high=28)
        chains: int = ladder(4, 3, 4, 5, 5, 6, 6, low=2, high=6)  # of items that wait for another
        greatest: int = ladder(12, 15, 20, 25, 30, 40, 60, low=8, high=99)  # about, of the numbers
        cost: Literal[
            "any", "waiting", "pairs", "unloading", "capital", "stack", "machines", "growth",
            "digits",
        ] = ladder("any")  # fmt: skip

    cost: Cost
    greatest: bool
    """Whether the cost is to be as great as possible."""

    items: tuple[Item, ...]
    after: tuple[int, ...]
    """The item that each one waits for, or -1."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        cost = rng.choice(MIXED) if knobs.cost == "any" else knobs.cost
        greatest = cost in {"growth", "digits"} and rng.random() < 0.5
        items = random_items(rng, cost, knobs.items, knobs.greatest)
        after = random_waits(rng, knobs.items, min(knobs.chains, knobs.items))
        items = held_back(rng, cost, items, after, greatest)
        return cls(cost=cost, greatest=greatest, items=tuple(items), after=tuple(after))

    def canonical(self) -> str:
        """The items as trees of those that wait for them, without their numbers."""

        def tree(number: int) -> tuple[Any, ...]:
            below = [n for n, before in enumerate(self.after) if before == number]
            return (*self.items[number : number + 1], *sorted(map(tree, below), key=repr))

        roots = [n for n, before in enumerate(self.after) if before < 0]
        return repr((self.cost, self.greatest, sorted(map(tree, roots), key=repr)))

    def prompt(self) -> str:
        noun, size = NOUNS[self.cost], len(self.items)
        nouns = "boxes" if noun == "box" else f"{noun}s"
        listed = "\n".join(self.row(number) for number in range(size))
        least = "great" if self.greatest else "early" if self.cost == "machines" else "small"
        goal = GOALS[self.cost]
        ask = self.phrase(
            f"Find an order of the {nouns} for which {goal} is as {least} as possible.",
            f"In which order is {goal} as {least} as possible?",
        )
        waits = (
            f" Any {noun} that is listed with 'after' another one has to come later than that one, "
            "at once or not."
            if max(self.after) >= 0
            else ""
        )
        return (
            f"Here are {size} {nouns}:\n{listed}\n\n{RULES[self.cost]}{waits}\n\n{ask} If several "
            f"orders are equally good, any of them will do. Write the numbers of all {nouns} in "
            f"this order, such as '{joined(range(1, size + 1))}'."
        )

    def row(self, number: int) -> str:
        """An item in words."""
        words = ", ".join(
            form.format(value) for form, value in zip(NUMBERS[self.cost], self.items[number])
        )
        before = self.after[number]
        waits = f"; after {before + 1}" if before >= 0 else ""
        return f"{number + 1}: {words}{waits}"

    def scene(self) -> Table:
        return self.view(range(len(self.items)))

    def solved_scene(self, answer: str) -> Table:
        order = self.read(answer)
        return self.view([number for number in order if 0 <= number < len(self.items)])

    def view(self, order: Iterable[int]) -> Table:
        """The items in an order, with their numbers and what they wait for."""
        forms = NUMBERS[self.cost]
        rows, left = list[tuple[Cell, ...]](), list[str]()
        for number in order:
            before = self.after[number]
            cells = [Cell(form.format(n)) for form, n in zip(forms, self.items[number])]
            rows.append((*cells, Cell(f"after {before + 1}" if before >= 0 else "")))
            left.append(str(number + 1))
        return Table(tuple(rows), left=tuple(left))

    def read(self, answer: str) -> list[int]:
        """The items in order, counted from 0."""
        nouns = [NOUNS[self.cost], f"{NOUNS[self.cost]}s", "boxes", "item", "items"]
        numbers = numbers_of(answer, nouns, "a list of numbers of items", ordered=True)
        return [number - 1 for number in numbers]

    def as_text(self, solution: Iterable[int]) -> str:
        return joined([number + 1 for number in solution])

    def violation(self, solution: Any) -> str:
        size = len(self.items)
        if not all(0 <= number < size for number in solution):
            return f"the numbers are from 1 to {size}"
        if len(set(solution)) < len(solution):
            return "a number is listed twice"
        if len(solution) < size:
            return f"the order has {len(solution)} of {size} numbers"
        at = {number: position for position, number in enumerate(solution)}
        early = next((n for n in solution if self.after[n] >= 0 and at[self.after[n]] > at[n]), -1)
        return "" if early < 0 else f"{early + 1} comes before {self.after[early] + 1}"

    def worth(self, solution: Any) -> int:
        return cost_of(self.cost, self.items, solution)

    def search(self) -> SearchResult:
        return SearchResult(*best_order(self.cost, self.items, self.after, self.greatest))

    def naive_solutions(self) -> list[Any]:
        """The order of the list, and sorted by either number."""
        keys = [*keys_of(self.cost, self.items, self.greatest).values()][:2]
        orders = [available_first(self.after, lambda n: n)]
        for key in keys:
            ordered = sorted(range(len(self.items)), key=key)
            rise = {number: position for position, number in enumerate(ordered)}
            orders += [
                available_first(self.after, rise.__getitem__),
                available_first(self.after, lambda n, rise=rise: -rise[n]),  # type: ignore[misc]
            ]
        return orders

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """The item next that is least or greatest by some key, and swaps of neighbours."""
        size = len(self.items)
        mixed = rng.sample(range(size), size)
        players = {
            "first listed first": available_first(self.after, lambda n: n),
            "last listed first": available_first(self.after, lambda n: -n),
            "random order": available_first(self.after, mixed.__getitem__),
        }
        for name, key in keys_of(self.cost, self.items, self.greatest).items():
            ordered = sorted(rng.sample(range(size), size), key=key)
            rise = {number: position for position, number in enumerate(ordered)}
            players[f"least {name} first"] = available_first(self.after, rise.__getitem__)
            if name != "rule":
                players[f"greatest {name} first"] = available_first(
                    self.after,
                    lambda n, rise=rise: -rise[n],  # type: ignore[misc]
                )
        players["swaps of neighbours"] = self.swapped(players["least rule first"])
        return players

    def swapped(self, order: Sequence[int]) -> list[int]:
        """An order after swaps of neighbours, while one helps."""
        order, improved = [*order], True
        while improved:
            improved = False
            for n, (one, other) in enumerate(pairwise(order)):
                swap = [*order[:n], other, one, *order[n + 2 :]]
                if self.after[other] != one and self.is_better(swap, order):
                    order, improved = swap, True
                    break
        return order

    def is_better(self, one: Sequence[int], other: Sequence[int]) -> bool:
        """Whether the first of two orders is better."""
        worths = self.worth(one), self.worth(other)
        return worths[0] > worths[1] if self.greatest else worths[0] < worths[1]

    def audit(self, answer: str) -> bool:
        """Whether a table of all sets of items that can come first has no better cost."""
        order = self.read(answer)
        best = best_cost(self.cost, self.items, self.after, self.greatest)
        return not self.violation(order) and self.worth(order) == best

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(items=5, chains=3, greatest=12)

    def candidates(self) -> Iterable[str]:
        return map(self.as_text, permutations(range(len(self.items))))
