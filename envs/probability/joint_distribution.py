"""Bounds of probabilities: Boole, "The Laws of Thought" (1854); Theodore Hailperin (1965)."""

import re
from collections.abc import Mapping
from fractions import Fraction
from math import prod
from random import Random
from typing import Literal, Self

from palaestra.generators.probability.joint_distribution import (
    Event,
    Fact,
    Quantity,
    Term,
    bounds_of,
    fact_text,
    quantity_text,
    random_distribution,
    random_quantity,
    value_in,
    worlds,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import matched, pairs
from palaestra.verifiers.reading.probabilities import probability
from palaestra.verifiers.reading.stated_values import stated
from palaestra.verifiers.reading.values import joined

ENDS = ("least", "greatest")

SPELLINGS = {
    "minimum": "least", "min": "least", "lower bound": "least", "lower": "least",
    "smallest": "least", "lowest": "least", "least value": "least",
    "maximum": "greatest", "max": "greatest", "upper bound": "greatest", "upper": "greatest",
    "the least": "least", "the least value": "least", "least probability": "least",
    "the greatest": "greatest", "the greatest value": "greatest",
    "greatest probability": "greatest",
    "largest": "greatest", "highest": "greatest", "greatest value": "greatest",
}  # fmt: skip
"""Other labels of the two values."""

_LABELS = "|".join(sorted((*ENDS, *SPELLINGS), key=len, reverse=True))
_AND = re.compile(r",?\s{1,4}and\s{1,4}" + rf"(?=(?:the )?(?:{_LABELS})\b)", re.IGNORECASE)
_BETWEEN = re.compile(
    rf"\b({_LABELS})[ \t]+(?:-|\u2013|\u2014|is|of)[ \t]+(?=[\d$\\])", re.IGNORECASE
)
"""A dash between blanks is no minus sign here: a probability has none."""


class JointDistribution(Puzzle):
    """Find the least and greatest value of a probability that is only partly determined."""

    tags = {"probability", "fractions", "optimisation", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        variables: int = ladder(2, 3, 3, 3, 2, 4, 2, low=2, high=4)
        values: int = ladder(2, 2, 2, 2, 3, 2, 4, high=4)  # of a variable; 2 is an event
        facts: int = ladder(2, 3, 4, 5, 5, 6, 8, low=2, high=9)
        relations: Literal["plain", "conditional", "all"] = ladder(
            "plain", "conditional", "conditional", "all"
        )

    sizes: tuple[int, ...]
    facts: tuple[Fact, ...]
    quantity: Quantity

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        variables = knobs.variables if knobs.values == 2 else 2
        sizes = (knobs.values,) * variables
        independent = knobs.relations == "all" and knobs.values == 2 and rng.random() < 0.5
        number = len(worlds(sizes))
        chances = random_distribution(rng, sizes, rng.choice((20, 24, 30)), independent)
        quantities = list[Quantity]()
        if independent:
            one, two = Term(0, "=", 1), Term(1, "=", 1)
            quantities = [
                Quantity("probability", Event("and", terms))
                for terms in ((one,), (two,), (one, two))
            ]
        while len(quantities) < min(knobs.facts, number - 1) + 1:
            quantity = random_quantity(rng, sizes, knobs.relations)
            if quantity not in quantities:
                quantities.append(quantity)
        facts = list[Fact]()
        for n, quantity in enumerate(quantities[:-1]):
            value = value_in(quantity, sizes, chances)
            assert value is not None, "all worlds are possible"
            facts.append(Fact(quantity, *value.as_integer_ratio(), independent and n == 2))
        shown = rng.sample(facts, len(facts))
        return cls(sizes=sizes, facts=tuple(shown), quantity=quantities[-1])

    def is_valid(self) -> bool:
        """Whether up to three facts matter, and no numbers at hand are the bounds."""
        limits = bounds_of(self.quantity, self.facts, self.sizes)
        if limits is None:
            return False
        values = {Fraction(fact.above, fact.below) for fact in self.facts} | {Fraction(0)}
        at_hand = values | {1 - value for value in values}
        ends = {limits.least, limits.greatest}
        if ends <= at_hand or max(end.denominator for end in ends) <= 5:
            return False
        return self.needs(min(3, len(self.facts)))

    def needs(self, number: int) -> bool:
        """Whether at least so many facts change the bounds if they are left out.

        This takes most of the time of sampling: there is a linear program for each fact.
        """
        limits = bounds_of(self.quantity, self.facts, self.sizes)
        assert limits is not None, "the facts can be true"
        for n in range(len(self.facts)):
            if number > len(self.facts) - n:
                return False
            fewer = bounds_of(self.quantity, self.facts[:n] + self.facts[n + 1 :], self.sizes)
            number -= fewer is None or fewer[:2] != limits[:2]
            if not number:
                return True
        return False

    def ends(self) -> dict[str, Fraction]:
        """The two values of the answer by their labels."""
        limits = bounds_of(self.quantity, self.facts, self.sizes)
        assert limits is not None, "the facts of a valid task can be true"
        return {"least": limits.least, "greatest": limits.greatest}

    def prompt(self) -> str:
        number = len(self.sizes)
        if self.sizes[0] == 2:
            who = f"{number} events {joined('ABCD'[:number])}"
            what = "the events"
        else:
            numbers = joined(range(self.sizes[0]))
            who = f"{number} random variables {joined('XYZW'[:number])} with values among {numbers}"
            what = "the variables"
        facts = "\n".join(fact_text(fact, self.sizes) for fact in self.facts)
        quantity = quantity_text(self.quantity, self.sizes)
        notation = notation_of(f"{facts}\n{quantity}")
        question = self.phrase(
            f"This is known about {who}:\n{facts}\n\nNothing else is known about the joint "
            f"distribution of {what}. What are the least and the greatest value that {quantity} "
            "can have?",
            f"The following is true of {who}:\n{facts}\n\nConsider all joint distributions of "
            f"{what} for which this is true. Find the least and the greatest value of {quantity} "
            "among them.",
        )
        return (
            f"{question} They are equal if the value is determined.{notation}\n\nAnswer with the "
            "two exact values as fractions, such as:\nleast: 2/7\ngreatest: 5/13"
        )

    def answer(self) -> str:
        return "\n".join(f"{label}: {value}" for label, value in self.ends().items())

    def read(self, answer: str) -> dict[str, Fraction]:
        """The values of an answer by their labels."""
        values = pairs(_BETWEEN.sub(r"\1: ", _AND.sub("\n", answer)), ENDS, spellings=SPELLINGS)
        return {label: probability(stated(value)) for label, value in values.items()}

    def verify(self, answer: str) -> Score:
        return matched(self.read(answer), self.ends())

    def canonical(self) -> str:
        return f"{self.sizes} {sorted(map(str, self.facts))} {self.quantity}"

    def difficulty(self) -> float:
        """The products of the pivots of the simplex method."""
        limits = bounds_of(self.quantity, self.facts, self.sizes)
        assert limits is not None, "the facts of a valid task can be true"
        return float(limits.pivots * (len(self.facts) + 1) * prod(self.sizes))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who take events for independent, know nothing, or copy numbers."""
        values = sorted({Fraction(fact.above, fact.below) for fact in self.facts})
        low, high = sorted(rng.choices([Fraction(0), *values, Fraction(1)], k=2))
        product = prod(rng.sample(values, min(2, len(values))), start=Fraction(1))
        return {
            "nothing known": lines(Fraction(0), Fraction(1)),
            "independent": lines(product, product),
            "numbers": lines(low, high),
            "no more than a number": lines(Fraction(0), values[0]),
        }

    def shortcuts(self) -> list[str]:
        values = sorted({Fraction(fact.above, fact.below) for fact in self.facts})
        return [lines(one, two) for one in (Fraction(0), *values) for two in (*values, Fraction(1))]


def notation_of(text: str) -> str:
    """What a text needs to be explained of its notation: conditions and expected values.

    >>> notation_of("P(A and B) = 1/2"), notation_of("E(X) = 1/2")
    ('', ' E(X) is the expected value of X.')
    """
    bar = (
        " In P(... | ...), what follows the bar is a condition: it is the probability of what "
        "precedes the bar under this condition."
    )
    means = [
        f" E({name}) is the expected value of {name}." for name in "XYZW" if f"E({name})" in text
    ]
    return (bar if "|" in text else "") + "".join(means)


def lines(least: Fraction, greatest: Fraction) -> str:
    """An answer."""
    return f"least: {least}\ngreatest: {greatest}"
