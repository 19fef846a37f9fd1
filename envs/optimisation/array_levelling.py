"""Changing a row of numbers at the least cost until it satisfies conditions.

Miriam Ayer, H. D. Brunk and others (1955) fit a rising row to numbers. Differences of neighbours,
which turn steps on runs into steps on single numbers, are common in competitive programming.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate, product
from random import Random
from statistics import median_low
from typing import Any, Literal, Self

from palaestra.generators.optimisation.array_levelling import (
    STEPS,
    Goal,
    Price,
    Steps,
    broken,
    cheapest,
    cost,
    greedy,
    least_cost,
    numbers_of,
    random_goal,
    random_row,
)
from palaestra.generators.solutions import Optimum, SearchResult, search_result
from palaestra.scenes import Cell, Grid
from palaestra.task import ladder
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.values import joined


class ArrayLevelling(Optimum):
    """Change a row of numbers by the cheapest steps until it satisfies conditions."""

    tags = {"optimisation", "dynamic-programming", "sequences", "arithmetic"}
    quantity = "cost"

    class Knobs(Optimum.Knobs):
        length: int = ladder(5, 8, 12, 18, 24, 30, 38, low=4, high=40)
        high: int = ladder(9, 12, 15, 20, 24, 28, 32, low=6, high=40)  # the greatest number
        conditions: int = ladder(1, 1, 2, 2, 2, 3, 3)
        steps: Literal["single", "runs", "ends", "any"] = ladder("single", "any")
        base: bool = ladder(False, False, True)  # whether a step costs something for itself
        price: int = ladder(1, 2, 3, 4, 5, 6, 9, low=1, high=20)  # of a step, at most

    steps: Steps
    row: tuple[int, ...]
    goal: Goal
    price: Price
    high: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        steps = rng.choice(STEPS) if knobs.steps == "any" else knobs.steps
        goal = random_goal(rng, knobs.conditions, knobs.length, knobs.high)
        up, down = rng.randint(1, knobs.price), rng.randint(1, knobs.price)
        base, factors = 0, tuple[int, ...]()
        if steps == "runs":
            up = down = 1
        elif knobs.base:
            base = rng.randint(knobs.high // 4, knobs.high) * min(2, knobs.price)
        if knobs.price > 2:
            up, down = (1, 1) if steps == "runs" else (rng.randint(1, 2), rng.randint(1, 2))
            number = knobs.length + (steps == "runs")
            factors = tuple(rng.randint(1, knobs.price) for _ in range(number))
        row = random_row(rng, goal, knobs.length, knobs.high)
        price = Price(up, down, base, factors)
        return cls(
            steps=steps,
            row=tuple(row),
            goal=goal,
            price=price,
            high=knobs.high,
        )

    def is_valid(self) -> bool:
        if broken(self.goal, self.row) == 0 or not search_result(self).solution:
            return False
        return super().is_valid()

    def prompt(self) -> str:
        goals = [*self.goal.texts(), f"Every number is from 0 to {self.high}."]
        listed = "\n".join(f"- {text}" for text in goals)
        ask = self.phrase(
            "Change it at the least total cost into a row for which the following holds.",
            "Which row can it be changed into at the least total cost, if the new row has to "
            "satisfy the following?",
        )
        example = joined([n % 3 for n in range(len(self.row))])
        return (
            f"Here is a row of {len(self.row)} numbers:\n{joined(self.row)}\n\n{self.rule()} "
            f"Numbers may leave the range from 0 to {self.high} on the way.\n\n{ask}\n"
            f"{listed}\n\nIf several rows cost equally little, any of them will do. Write the "
            f"{len(self.row)} numbers of the new row in order, such as '{example}'."
        )

    def rule(self) -> str:
        """What a step does, and what it costs."""
        up, down, base, factors = self.price
        by = "by any whole amount" if base else "by 1"
        same = ", the same for all of them" if base else ""
        each = " for each 1 of the amount" if base else ""
        if self.steps == "runs":
            what = (
                "A step raises by 1 all numbers of one run of neighbouring positions, or lowers "
                "all of them by 1; a run may have any length, from one position to all."
            )
            if not factors:
                return f"{what} A step costs 2, whatever its length."
            return (
                f"{what} A step costs the sum of the tolls of the two borders of its run. There "
                f"are {len(factors)} borders, from the one before position 1 and the one between "
                f"positions 1 and 2 to the one behind position {len(self.row)}, with these tolls: "
                f"{joined(factors)}."
            )
        one = (
            "one number" if self.steps == "single" else "all numbers from one position to the last"
        )
        what = f"A step raises or lowers {one} {by}{same if self.steps == 'ends' else ''}."
        if factors:
            which = "its position" if self.steps == "single" else "the first of these positions"
            once, twice = (f"{n} times " if n > 1 else "" for n in (up, down))
            price = (
                f"To raise costs {once}the factor of {which}{each}, and to lower costs {twice}that "
                f"factor{each}. The factors of the positions, in order, are {joined(factors)}."
            )
        elif up == down:
            price = f"A step costs {up}{each}."
        else:
            price = f"A step that raises costs {up}{each}, and a step that lowers {down}{each}."
        more = f" In addition, each step costs {base}, whatever its amount." if base else ""
        return f"{what} {price}{more}"

    def scene(self) -> Grid:
        return self.view(None)

    def solved_scene(self, answer: str) -> Grid:
        return self.view(self.read(answer)[: len(self.row)])

    def view(self, changed: Sequence[int] | None) -> Grid:
        """The row, the factors of its positions, and the row that it is changed into."""
        spare = [Cell(fill="none")] * (self.steps == "runs" and bool(self.price.factors))
        rows = [(*(Cell(str(number)) for number in self.row), *spare)]
        left = [("row",)]
        if self.price.factors:
            rows.append(tuple(Cell(str(number), "t1") for number in self.price.factors))
            left.append(("toll before" if spare else "factor",))
        if changed is not None:
            cells = [
                Cell(str(new)[:6], "accent" if new != old else "paper")
                for old, new in zip(self.row, changed)
            ]
            rows.append((*cells, *[Cell()] * (len(self.row) - len(cells)), *spare))
            left.append(("new row",))
        return Grid(tuple(rows), left=tuple(left))

    def read(self, answer: str) -> list[int]:
        return integers(answer, what="a list of numbers")

    def as_text(self, solution: Any) -> str:
        return joined(solution)

    def violation(self, solution: Any) -> str:
        if len(solution) != len(self.row):
            return f"the row has {len(solution)} numbers, not {len(self.row)}"
        if not all(0 <= number <= self.high for number in solution):
            return f"not every number is from 0 to {self.high}"
        number = broken(self.goal, solution)
        return f"condition {number} is broken" if number else ""

    def worth(self, solution: Any) -> int:
        return cost(self.steps, self.price, self.row, solution)

    def search(self) -> SearchResult:
        return SearchResult(*cheapest(self.steps, self.price, self.row, self.goal, self.high))

    def difficulty(self) -> float:
        """The numbers that each position may have, for each condition."""
        return float(len(self.row) * (self.high + 1) * len(self.goal.texts()))

    def naive_solutions(self) -> list[Any]:
        """Equal numbers, the greatest so far and the least to come, and their mirror images."""
        row = self.row
        size = len(row)
        rising = [[*accumulate(row, max)], [*accumulate(row[::-1], min)][::-1]]
        falling = [[*accumulate(row, min)], [*accumulate(row[::-1], max)][::-1]]
        even = [[number] * size for number in (median_low(row), sum(row) // size, row[0], row[-1])]
        return [*even, *rising, *falling]

    def baseline(self, best: int) -> int:
        worths = [self.worth(each) for each in self.naive_solutions() if not self.violation(each)]
        return min(worths, default=best + 1 + sum(self.row) * self.price.down)

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Position by position from either end, for these steps or for single ones; and changes of
        few numbers while they help.
        """
        numbers = numbers_of(self.goal, self.high)
        goal, back = self.goal, self.goal.reversed()
        price = self.price
        turned = price._replace(factors=price.factors[: len(self.row)][::-1])
        names = ("equal median", "equal mean", "first number", "last number", "greatest so far")
        players = dict(zip(names, self.naive_solutions()))
        players["from the first position on"] = greedy(self.steps, price, self.row, goal, numbers)
        players["nearest, from the first on"] = greedy("single", price, self.row, goal, numbers)
        players["nearest, from the last on"] = greedy(
            "single", turned, self.row[::-1], back, numbers
        )[::-1]
        starts = [each for each in players.values() if not self.violation(each)]
        if starts:
            players["changes that help"] = self.improved(min(starts, key=self.worth), rng)
        return players

    def improved(self, row: Sequence[int], rng: Random) -> list[int]:
        """A row after changes of single numbers, and of all from one position on."""
        size, step = len(row), self.goal.number if self.goal.extra == "multiples" else 1
        result = [*row]
        runs = [(a, a + 1) for a in range(size)] + [(a, size) for a in range(size)]
        while True:
            options = [
                [*result[:a], *(number + by for number in result[a:b]), *result[b:]]
                for a, b in rng.sample(runs, len(runs))
                for by in (step, -step)
            ]
            better = next(
                (
                    each
                    for each in options
                    if self.worth(each) < self.worth(result) and not self.violation(each)
                ),
                None,
            )
            if better is None:
                return result
            result = better

    def audit(self, answer: str) -> bool:
        """Whether a search from the last position on has no smaller cost."""
        row = self.read(answer)
        best = least_cost(self.steps, self.price, self.row, self.goal, self.high)
        return not self.violation(row) and self.worth(row) == best

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(length=4, high=6, conditions=2, steps="any")

    def candidates(self) -> list[str]:
        rows = product(range(self.high + 1), repeat=len(self.row))
        return [joined(row) for row in rows]
