"""Smallest unsatisfiable cores: Mark Liffiton and Karem Sakallah, "Algorithms for Computing Minimal
Unsatisfiable Subsets of Constraints" (2008).
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import compress, product
from random import Random
from typing import Any, Literal, Self

from palaestra.generators.baselines import natural_orders, pared, stepwise
from palaestra.generators.logic.unsatisfiable_core import (
    Clause,
    contradictory_clauses,
    excluded,
    smallest_core,
)
from palaestra.generators.people import NAMES
from palaestra.generators.solutions import Optimum, SearchResult
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.reading.numbered_items import numbers_of
from palaestra.verifiers.reading.values import joined

Widths = Literal["2", "2 and 3", "3"]


class UnsatisfiableCore(Optimum):
    """Name as few demands as possible that cannot all be met, among many that contradict."""

    tags = {"propositional-logic", "optimisation", "search", "deduction"}
    quantity = "number of demands"

    class Knobs(Optimum.Knobs):
        people: int = ladder(3, 4, 4, 4, 5, 6, 7, 8, low=3, high=8)
        demands: int = ladder(6, 9, 14, 20, 38, 42, 48, 56, low=4, high=64)  # or a few more
        widths: Widths = ladder("2", "2", "2 and 3", "3")  # people of a demand

    people: int
    names: tuple[str, ...]
    demands: tuple[Clause, ...]
    """Clauses: the number of a person who comes, or minus the number of one who does not."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Random demands, which exclude more than all that can happen."""
        chosen = {"2": (2,), "2 and 3": (2, 3), "3": (3,)}[knobs.widths]
        widths = [min(width, knobs.people - 1) for width in chosen]
        possible = sum(_number(knobs.people, width) for width in set(widths))
        number = min(knobs.demands, possible * 3 // 4)
        demands = contradictory_clauses(rng, knobs.people, widths, number)
        names = rng.sample(NAMES, knobs.people)
        return cls(people=knobs.people, names=tuple(names), demands=tuple(demands))

    @cached_property
    def masks(self) -> list[int]:
        """For each demand the worlds in which it is not met."""
        return [excluded(clause, self.people) for clause in self.demands]

    def canonical(self) -> str:
        return repr(sorted(self.demands))

    def prompt(self) -> str:
        listed = "\n".join(f"{n}: {self.sentence(each)}" for n, each in enumerate(self.demands, 1))
        names = f"{joined(self.names[:-1])} and {self.names[-1]}"
        task = self.phrase(
            f"Each of {names} either comes to a party or does not. These demands cannot all be "
            f"met:\n\n{listed}\n\nFind a set of these demands that cannot all be met either, and "
            "that is as small as possible.",
            f"{names} are invited to a party, and any of them may come. The demands below "
            f"contradict each other.\n\n{listed}\n\nWhich of the demands are enough for a "
            "contradiction? Choose as few of them as possible such that no choice of guests meets "
            "all the chosen ones.",
        )
        return (
            f"{task} 'Or' means that one or more of the persons come. If several smallest sets "
            "exist, any of them will do. Write the numbers of the demands, such as "
            f"'1, 2, {len(self.demands)}'."
        )

    def sentence(self, clause: Clause) -> str:
        """A demand in English."""
        come = [self.names[n - 1] for n in clause if n > 0]
        stay = [self.names[-n - 1] for n in clause if n < 0]
        then = f"{_listing(come, 'or')} comes" if come else ""
        if not stay:
            return f"{then}."
        if not come:
            ending = ("does not", "do not both", "do not all")[min(len(stay), 3) - 1]
            return f"{_listing(stay, 'and')} {ending} come."
        return f"If {_listing(stay, 'and')} {'comes' if len(stay) == 1 else 'come'}, then {then}."

    def scene(self) -> Grid:
        return self.view(())

    def solved_scene(self, answer: str) -> Grid:
        return self.view(self.read(answer))

    def view(self, chosen: Sequence[int]) -> Grid:
        """A row for each demand: + for a person who meets it by coming, - by staying away."""
        rows = tuple(
            tuple(
                Cell(
                    "+" if person in clause else "-" if -person in clause else "",
                    "accent" if n in chosen else "paper",
                )
                for person in range(1, self.people + 1)
            )
            for n, clause in enumerate(self.demands)
        )
        left = tuple((str(n),) for n in range(1, len(rows) + 1))
        return Grid(rows, top=tuple((name,) for name in self.names), left=left)

    def read(self, answer: str) -> list[int]:
        """The demands, counted from 0."""
        numbers = numbers_of(answer, ("demand", "demands", "core"), "a list of demands")
        if not numbers:
            raise InvalidAnswer("no demand is listed")
        return [number - 1 for number in numbers]

    def as_text(self, solution: Iterable[int]) -> str:
        return joined([n + 1 for n in solution])

    def violation(self, solution: Any) -> str:
        if not all(0 <= n < len(self.demands) for n in solution):
            return f"the demands have numbers from 1 to {len(self.demands)} only"
        if len(set(solution)) < len(solution):
            return "a demand is listed twice"
        return "" if self.contradict(solution) else "all of these demands can be met"

    def contradict(self, chosen: Iterable[int]) -> bool:
        """Whether these demands cannot all be met."""
        union = 0
        for n in chosen:
            union |= self.masks[n]
        return union == (1 << (1 << self.people)) - 1

    def worth(self, solution: Any) -> int:
        return len(solution)

    def search(self) -> SearchResult:
        return SearchResult(*smallest_core(self.masks, 1 << self.people))

    def naive_solutions(self) -> list[Any]:
        """All demands."""
        return [range(len(self.demands))]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Cores from which nothing can be left out, by the order in which demands are left out, and
        a greedy one.
        """
        numbers = range(len(self.demands))
        keys = {
            "number of persons": lambda n: len(self.demands[n]),
            "number of those who stay": lambda n: sum(x < 0 for x in self.demands[n]),
        }
        orders = natural_orders([*numbers], rng, keys)
        greedy = self.greedy(rng)
        return {
            **{f"without {name}": pared(order, self.contradict) for name, order in orders.items()},
            "most excluded first": greedy,
            "most excluded first, pared": pared(greedy[::-1], self.contradict),
        }

    def greedy(self, rng: Random) -> list[int]:
        """The demand that excludes most of what is still possible, again and again."""

        def rank(n: int, chosen: list[int]) -> float | None:
            mask = self.masks[n]
            for each in chosen:
                mask &= ~self.masks[each]
            return -mask.bit_count() if mask else None

        return stepwise(range(len(self.demands)), rng, rank)

    def audit(self, answer: str) -> bool:
        """Whether these demands contradict each other, and no fewer do.

        A core has one of the unmet demands of every choice of guests: it is a hitting set.
        """
        chosen = self.read(answer)
        unmet = {
            frozenset(n for n, each in enumerate(self.demands) if guests.isdisjoint(each))
            for signs in product((1, -1), repeat=self.people)
            if (guests := {sign * n for n, sign in enumerate(signs, 1)})
        }
        if self.violation(chosen) or any(each.isdisjoint(chosen) for each in unmet):
            return False
        return not _is_hit(
            sorted(unmet, key=lambda each: (len(each), *sorted(each))), len(chosen) - 1
        )

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(people=3, demands=6, widths="2")

    def candidates(self) -> Iterable[str]:
        guesses = product((0, 1), repeat=len(self.demands))
        numbers = range(len(self.demands))
        return (self.as_text(compress(numbers, guess)) for guess in guesses if any(guess))


def _number(people: int, width: int) -> int:
    """How many different demands about so many persons there are."""
    number = 1
    for n in range(width):
        number = number * 2 * (people - n) // (n + 1)
    return number


def _listing(names: Sequence[str], word: str) -> str:
    """Names with a word before the last of them, such as ``Ada, Bo or Cleo``."""
    return f" {word} ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _is_hit(sets: Sequence[frozenset[int]], size: int) -> bool:
    """Whether at most ``size`` numbers hit all sets; ``sets`` are sorted by size.

    Sets without a common number need a number each, which bounds the search.
    """
    if not sets:
        return True
    apart, used = 0, set[int]()
    for each in sets:
        if used.isdisjoint(each):
            apart += 1
            used |= each
    if apart > size:
        return False
    left = list(sets)
    for n in sorted(sets[0], key=lambda n: -sum(n in each for each in sets)):
        if _is_hit([each for each in left if n not in each], size - 1):
            return True
        left = sorted((each - {n} for each in left), key=len)  # from now on without n
    return False
