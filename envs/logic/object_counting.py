"""Counting possessions after a story, as in bAbI (J. Weston et al., 2015)."""

from collections.abc import Iterable
from random import Random
from typing import Literal, Self

from palaestra.generators.logic.object_counting import (
    KINDS,
    Deal,
    Stock,
    as_text,
    carry_out,
    random_deal,
)
from palaestra.generators.people import NAMES
from palaestra.generators.quantities import THINGS
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import matched, pairs
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.values import joined


class ObjectCounting(Puzzle):
    """Track purchases, losses, gifts and exchanges, and count what everybody has in the end."""

    version = 2
    tags = {"tracking", "calculation", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        people: int = ladder(2, 2, 3, 3, 4, 5, 6, low=2, high=12)
        things: int = ladder(2, 2, 2, 3, 3, 4, 5, low=2, high=8)
        deals: int = ladder(3, 5, 8, 13, 20, 35, 60, low=1, high=200)
        kinds: Literal["plain", "parts", "all"] = ladder("plain", "plain", "parts", "all")

    names: tuple[str, ...]
    things: tuple[str, ...]
    start: tuple[tuple[int, ...], ...]
    deals: tuple[Deal, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        start = tuple(
            tuple(rng.randint(4, 30) for _ in range(knobs.things)) for _ in range(knobs.people)
        )
        stock = [list(row) for row in start]
        deals: list[Deal] = []
        while len(deals) < knobs.deals:
            deal = random_deal(rng, KINDS[knobs.kinds], stock)
            if deal is not None:
                carry_out(stock, deal)
                deals.append(deal)
        return cls(
            names=tuple(rng.sample(NAMES, knobs.people)),
            things=tuple(rng.sample(THINGS, knobs.things)),
            start=start,
            deals=tuple(deals),
        )

    def canonical(self) -> str:
        return repr((self.start, self.deals))

    def prompt(self) -> str:
        start = "\n".join(
            f"{name} has {joined([f'{n} {x}' for n, x in zip(row, self.things)])}."
            for name, row in zip(self.names, self.start)
        )
        story = " ".join(self._sentence(n) for n in range(len(self.deals)))
        ask = self.phrase(
            "How many of each thing does everybody have in the end?",
            "State how many of each thing everybody has after that.",
        )
        sample = joined(range(3, 3 + len(self.things)))
        return (
            f"{self.phrase('At the start', 'In the beginning')}:\n{start}\n\nThen this happens, in "
            f"this order:\n{story}\n\n{ask} Write one line for each person, with the numbers of "
            f"{joined(self.things)} in this order, such as '{self.names[0]}: {sample}'."
        )

    def _sentence(self, n: int) -> str:
        return as_text(self.deals[n], self.names, self.things, self.wording + n)

    def end(self) -> Stock:
        """The possessions in the end."""
        stock = [list(row) for row in self.start]
        for deal in self.deals:
            carry_out(stock, deal)
        return stock

    def answer(self) -> str:
        return self._table(self.end())

    def _table(self, stock: Iterable[Iterable[int]]) -> str:
        return "\n".join(f"{name}: {joined(list(row))}" for name, row in zip(self.names, stock))

    def verify(self, answer: str) -> Score:
        counts: dict[str, int] = {}
        for name, row in pairs(answer, self.names).items():
            numbers = integers(row, len(self.things))
            counts |= {f"{name}'s {thing}": n for thing, n in zip(self.things, numbers)}
        right = [n for row in self.end() for n in row]
        return matched(counts, dict(zip(counts, right)))

    def difficulty(self) -> float:
        return float(len(self.deals) + len(self.names) * len(self.things))

    def shortcuts(self) -> Iterable[str]:
        yield self._table(self.start)
