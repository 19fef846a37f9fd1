"""Statements about a joint distribution of a few variables, as linear equations.

The worlds are the assignments of values to all variables. The statements are true of a random
distribution, which is not part of the task.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.bayesian_networks import random_row
from palaestra.verifiers.probability.joint_distribution import (
    Bounds,
    bounds,
    bounds_from,
    feasible,
)

World = tuple[int, ...]


class Term(NamedTuple):
    """A comparison of a variable with a number, or with another variable if ``is_variable``."""

    variable: int
    relation: Literal["=", "<", ">"]
    right: int
    is_variable: bool = False

    def holds(self, world: World) -> bool:
        """Whether it is true in a world."""
        left = world[self.variable]
        right = world[self.right] if self.is_variable else self.right
        return {"=": left == right, "<": left < right, ">": left > right}[self.relation]


class Event(NamedTuple):
    """Terms of which all hold (``and``), or at least one (``or``)."""

    joint: Literal["and", "or"]
    terms: tuple[Term, ...]

    def holds(self, world: World) -> bool:
        """Whether it is true in a world."""
        each = [term.holds(world) for term in self.terms]
        return all(each) if self.joint == "and" else any(each)


class Quantity(NamedTuple):
    """A probability of an event, perhaps under a condition, or the mean of a variable."""

    topic: Literal["probability", "mean"]
    event: Event
    condition: Event | None = None


class Fact(NamedTuple):
    """The value of a quantity, ``above / below``, which is stated as independence if so marked."""

    quantity: Quantity
    above: int
    below: int
    independence: bool = False


Sizes = tuple[int, ...]
"""How many values each variable has: 0 to the size less 1."""


@lru_cache(maxsize=64)
def worlds(sizes: Sizes) -> tuple[World, ...]:
    """All worlds, in order."""
    return tuple(product(*map(range, sizes)))


def row_of(quantity: Quantity, sizes: Sizes) -> list[int]:
    """The quantity without its condition as a linear function of the probabilities of worlds."""
    if quantity.topic == "mean":
        variable = quantity.event.terms[0].variable
        return [world[variable] for world in worlds(sizes)]
    return [
        int(
            quantity.event.holds(each)
            and (not quantity.condition or quantity.condition.holds(each))
        )
        for each in worlds(sizes)
    ]


def condition_of(quantity: Quantity, sizes: Sizes) -> list[int]:
    """The probability of the condition, which is 1 without one, as a linear function."""
    return [int(not quantity.condition or quantity.condition.holds(w)) for w in worlds(sizes)]


def value_in(quantity: Quantity, sizes: Sizes, chances: Sequence[Fraction]) -> Fraction | None:
    """The quantity in one distribution; None if the condition has probability 0."""
    below = sum((c for c, n in zip(chances, condition_of(quantity, sizes)) if n), Fraction(0))
    above = sum((c * n for c, n in zip(chances, row_of(quantity, sizes))), Fraction(0))
    return above / below if below else None


def equations(facts: Sequence[Fact], sizes: Sizes) -> list[list[Fraction]]:
    """What the facts say of the probabilities of the worlds, which add up to 1."""
    rows = [[Fraction(1)] * (len(worlds(sizes)) + 1)]
    for quantity, above, below, _ in facts:
        value = Fraction(above, below)
        row, under = row_of(quantity, sizes), condition_of(quantity, sizes)
        if quantity.condition is None:
            rows.append([*map(Fraction, row), value])
        else:
            rows.append([*(a - value * b for a, b in zip(row, under)), Fraction(0)])
    return rows


@lru_cache(maxsize=256)
def bounds_of(quantity: Quantity, facts: tuple[Fact, ...], sizes: Sizes) -> Bounds | None:
    """The bounds of a quantity under facts.

    None if nothing satisfies the facts, or the condition of a quantity can have probability 0.
    """
    rows = equations(facts, sizes)
    start = feasible(rows)
    if start is None:
        return None
    for each in dict.fromkeys([quantity, *(fact.quantity for fact in facts)]):
        if each.condition is not None:
            least, _ = start[0].greatest([-weight for weight in condition_of(each, sizes)])
            if not least:
                return None
    function = [*map(Fraction, row_of(quantity, sizes))]
    if quantity.condition is None:
        return bounds_from(start, function)
    # The probabilities divided by that of the condition, and the inverse of that as a variable
    # (Charnes and Cooper, 1962).
    scaled = [[*row[:-1], -row[-1], Fraction(0)] for row in rows]
    unit = [*map(Fraction, condition_of(quantity, sizes)), Fraction(0), Fraction(1)]
    return bounds([*scaled, unit], [*function, Fraction(0)])


# ----------------------------------------------------------------------------- random ones


def random_distribution(
    rng: Random, sizes: Sizes, denominator: int, independent: bool
) -> list[Fraction]:
    """Random positive probabilities of all worlds; the first two variables may be independent."""
    number = len(worlds(sizes))
    if not independent:
        return [Fraction(w, denominator) for w in random_row(rng, number, denominator)]
    one, two = (random_row(rng, size, 5) for size in sizes[:2])
    result = []
    for first, second in product(one, two):
        rest = random_row(rng, number // (sizes[0] * sizes[1]), 4)
        result += [Fraction(first * second * third, 25 * 4) for third in rest]
    return result


def random_term(rng: Random, variable: int, sizes: Sizes) -> Term:
    """A comparison of one variable with a number, which is neither always true nor always false."""
    size = sizes[variable]
    if size == 2 or rng.random() < 0.5:
        return Term(variable, "=", rng.randrange(size))
    return rng.choice(
        (
            Term(variable, "<", rng.randint(1, size - 1)),
            Term(variable, ">", rng.randrange(size - 1)),
        )
    )


def random_quantity(rng: Random, sizes: Sizes, relations: str) -> Quantity:
    """A quantity; ``relations`` is ``plain``, ``conditional``, or ``all`` with means and
    comparisons of two variables.
    """
    variables = rng.sample(range(len(sizes)), len(sizes))
    terms = [random_term(rng, variable, sizes) for variable in variables]
    numeric = max(sizes) > 2
    draw = rng.random()
    if relations != "plain" and draw < 0.4:
        return Quantity("probability", Event("and", (terms[0],)), Event("and", (terms[1],)))
    if relations == "all" and numeric and draw < 0.6:
        if draw < 0.5:
            return Quantity("mean", Event("and", (Term(variables[0], "=", 0),)))
        term = Term(variables[0], rng.choice(("=", "<")), variables[1], is_variable=True)
        return Quantity("probability", Event("and", (term,)))
    number = rng.choice((1, 2))
    joint: Literal["and", "or"] = "and" if number == 1 else rng.choice(("and", "or"))
    return Quantity("probability", Event(joint, tuple(terms[:number])))


# -------------------------------------------------------------------------------- in words


def term_text(term: Term, sizes: Sizes) -> str:
    """A term in words: an event or its complement if the variable has two values."""
    if sizes[term.variable] == 2 and not term.is_variable:
        letter = "ABCD"[term.variable]
        return letter if term.right else f"not {letter}"
    names = "XYZW"
    right = names[term.right] if term.is_variable else term.right
    return f"{names[term.variable]} {term.relation} {right}"


def event_text(event: Event, sizes: Sizes) -> str:
    """An event in words."""
    return f" {event.joint} ".join(term_text(term, sizes) for term in event.terms)


def quantity_text(quantity: Quantity, sizes: Sizes) -> str:
    """A quantity in the usual notation, as in ``P(A | not B)`` or ``E(X)``."""
    if quantity.topic == "mean":
        return f"E({'XYZW'[quantity.event.terms[0].variable]})"
    condition = f" | {event_text(quantity.condition, sizes)}" if quantity.condition else ""
    return f"P({event_text(quantity.event, sizes)}{condition})"


def fact_text(fact: Fact, sizes: Sizes) -> str:
    """A fact in words."""
    if fact.independence:
        one, two = (term_text(term, sizes) for term in fact.quantity.event.terms)
        return f"{one} and {two} are independent"
    return f"{quantity_text(fact.quantity, sizes)} = {Fraction(fact.above, fact.below)}"
