"""Structural models with random noise, and what would have been in them.

The value of a variable is a sum of its parents, perhaps of a product of two of them, and of its own
noise, modulo a number. What would have been is computed for pairs of worlds with the same noise,
one as observed and one after an intervention (Balke and Pearl, 1994).
"""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from random import Random
from typing import NamedTuple

from palaestra.generators.bayesian_networks import Claims, Inference, random_row
from palaestra.generators.dags import ancestors, random_parents

NAMES = "ABCDEFGHIJ"


Term = tuple[int, tuple[int, ...]]
"""A factor, and one or two variables that it is multiplied by."""

Pair = tuple[tuple[int, ...], tuple[int, ...]]
"""Values of variables in two worlds."""


class Equation(NamedTuple):
    """The equation of a variable: terms with a factor and one or two variables, and the weights of
    the noise, which is 0, 1, ...
    """

    terms: tuple[Term, ...]
    noise: tuple[int, ...]


Model = tuple[Equation, ...]
"""The equations in an order in which causes come first."""


def random_model(rng: Random, variables: int, modulus: int, denominator: int) -> Model:
    """A model in which a variable has up to three causes."""
    dag = random_parents(rng, variables, 3, 1.6)
    equations = []
    for parents in dag:
        terms: list[Term] = [(rng.randrange(1, modulus), (parent,)) for parent in parents]
        if len(parents) > 1 and rng.random() < 0.6:
            pair = tuple(sorted(rng.sample(parents, 2)))
            dropped = rng.choice(pair)
            terms = [term for term in terms if term[1] != (dropped,)]
            terms.append((rng.randrange(1, modulus), pair))
        equations.append(Equation(tuple(terms), random_row(rng, modulus, denominator)))
    return tuple(equations)


def value_of(equation: Equation, modulus: int, values: Sequence[int], noise: int) -> int:
    """The value of a variable for the values of those before it and its noise.

    >>> value_of(Equation(((2, (0,)), (1, (0, 1))), (1, 1, 1)), 3, (2, 1), 1)
    1
    """
    total = noise
    for factor, variables in equation.terms:
        part = factor
        for variable in variables:
            part *= values[variable]
        total += part
    return total % modulus


@lru_cache(maxsize=512)
def counterfactual(model: Model, known: Claims, actions: Claims, event: Claims) -> Inference | None:
    """The probability that an event would have happened after actions, if what is known happened
    without them. None if it cannot happen.

    The noise of the variables is dealt with in their order: what is known rules out pairs of worlds
    early, and pairs that differ in variables without further use are one.
    """
    modulus = len(model[0].noise)
    seen, forced, wanted = dict(known), dict(actions), dict(event)
    needed = ancestors(causes(model), [*seen, *wanted])
    last = last_uses(model, needed, wanted)
    pairs: dict[Pair, int] = {((), ()): 1}
    work = 0
    for node, equation in enumerate(model):
        after = dict[Pair, int]()
        noises = equation.noise if node in needed else (sum(equation.noise),)
        for (actual, other), weight in pairs.items():
            for noise, times in enumerate(noises):
                work += 1
                value = value_of(equation, modulus, actual, noise)
                if node in needed and seen.get(node, value) != value:
                    continue
                would_be = forced.get(node, value_of(equation, modulus, other, noise))
                key = (
                    tuple(v * (last[n] > node) for n, v in enumerate((*actual, value))),
                    tuple(v * (last[n] > node) for n, v in enumerate((*other, would_be))),
                )
                after[key] = after.get(key, 0) + weight * times
        pairs = after
    below = sum(pairs.values())
    above = sum(
        weight for (_, other), weight in pairs.items() if all(other[n] == v for n, v in event)
    )
    return Inference(Fraction(above, below), work) if below else None


def last_uses(model: Model, needed: Collection[int], wanted: Collection[int]) -> list[int]:
    """The last variable that each is a cause of; those of the event are of use in the end."""
    last = [0] * len(model)
    for node, above in enumerate(causes(model)):
        if node in needed:
            for cause in above:
                last[cause] = node
    for node in wanted:
        last[node] = len(model)
    return last


def by_enumeration(
    model: Model, known: Mapping[int, int], actions: Mapping[int, int], event: Mapping[int, int]
) -> Fraction:
    """The same, with all values of the noise one by one."""
    modulus = len(model[0].noise)
    above = below = Fraction(0)
    for noises in product(range(modulus), repeat=len(model)):
        chance = Fraction(1)
        actual, other = list[int](), list[int]()
        for node, (equation, noise) in enumerate(zip(model, noises)):
            chance *= Fraction(equation.noise[noise], sum(equation.noise))
            actual.append(value_of(equation, modulus, actual, noise))
            other.append(actions.get(node, value_of(equation, modulus, other, noise)))
        if all(actual[node] == value for node, value in known.items()):
            below += chance
            above += chance * all(other[node] == value for node, value in event.items())
    return above / below


def causes(model: Model) -> list[tuple[int, ...]]:
    """The direct causes of each variable."""
    return [
        tuple(sorted({variable for _, variables in equation.terms for variable in variables}))
        for equation in model
    ]


def equation_text(model: Model, node: int) -> str:
    """The equation of a variable, and the law of its noise."""
    equation = model[node]
    terms = []
    for factor, variables in equation.terms:
        letters = [NAMES[variable] for variable in variables]
        terms.append(" * ".join([str(factor), *letters] if factor > 1 else letters))
    noise = f"U{NAMES[node]}"
    right = " + ".join([*terms, noise])
    modulus = len(equation.noise)
    right = f"({right}) mod {modulus}" if terms else noise
    chances = [Fraction(weight, sum(equation.noise)) for weight in equation.noise]
    law = ", ".join(f"{n} with probability {chance}" for n, chance in enumerate(chances))
    return f"{NAMES[node]} = {right}, where {noise} is {law}"
