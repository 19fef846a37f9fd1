"""A puzzle of the shared base, defined in a few lines."""

from fractions import Fraction
from random import Random
from typing import Self

import pytest

from palaestra.generators.probability_puzzle import ProbabilityPuzzle
from palaestra.task import InvalidAnswer, ladder


class Lottery(ProbabilityPuzzle):
    """Find the probability that a ticket wins."""

    class Knobs(ProbabilityPuzzle.Knobs):
        tickets: int = ladder(10, 20)

    tickets: int
    prizes: int
    even: bool

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        return cls(tickets=knobs.tickets, prizes=rng.randint(3, 8), even=rng.random() < 0.5)

    def experiment(self) -> str:
        return f"One of {self.tickets} tickets, numbered from 1, is drawn."

    def claims(self) -> tuple[list[str], list[str]]:
        known = ["its number is even"] if self.even else []
        return [f"its number is at most {self.prizes}"], known

    def probability(self) -> Fraction:
        tickets = range(2, self.tickets + 1, 2) if self.even else range(1, self.tickets + 1)
        return Fraction(sum(ticket <= self.prizes for ticket in tickets), len(tickets))


@pytest.mark.parametrize("seed", range(6))
def test_a_probability_puzzle_asks_and_judges(seed: int) -> None:
    task = Lottery.sample(Random(seed), Lottery.Knobs.at(1))
    assert ("Under this condition" in task.prompt()) == task.even
    assert task.verify(task.answer()).value == 1
    above, below = task.probability().as_integer_ratio()
    assert task.verify(f"{3 * above}/{3 * below}").value == 1
    assert task.verify(str(task.probability() / 2)).value == 0
    assert task.verify("3/2").value == 0
    assert not any(task.verify(text).correct for text in task.shortcuts())
    with pytest.raises(InvalidAnswer):
        task.verify("likely")
