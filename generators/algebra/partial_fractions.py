"""Partial fractions: the linear equations for their constants, and their sum at a point."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from palaestra.verifiers.algebra.polynomials import Polynomial, product, times
from palaestra.verifiers.linear import solved

Factor = tuple[Polynomial, int]
"""An irreducible factor of the denominator, and its multiplicity."""


def size_of(factor: Factor) -> int:
    """The number of constants that belong to a factor."""
    return (len(factor[0]) - 1) * factor[1]


@lru_cache(maxsize=256)
def cofactors(factors: tuple[Factor, ...]) -> tuple[Polynomial, ...]:
    """The polynomial that multiplies each constant in the numerator, all of the same length.

    >>> cofactors((((1, -1), 1), ((1, 2), 1)))
    ((1, 2), (1, -1))
    """
    degree = sum(map(size_of, factors))
    cofactors: list[Polynomial] = []
    for n, (polynomial, power) in enumerate(factors):
        others = product(p for k, (p, e) in enumerate(factors) if k != n for _ in range(e))
        for rest in range(power - 1, -1, -1):
            cofactor = times(others, product([polynomial] * rest))
            shifts = ((1, 0), (1,)) if len(polynomial) > 2 else ((1,),)
            cofactors += [times(cofactor, shift) for shift in shifts]
    return tuple((0,) * (degree - len(row)) + row for row in cofactors)


@lru_cache(maxsize=256)
def constants_of(factors: tuple[Factor, ...], numerator: Polynomial) -> tuple[Fraction, ...]:
    """The constants of the partial fractions, by solving linear equations."""
    columns = cofactors(factors)
    right = (0,) * (len(columns) - len(numerator)) + numerator
    return solved([(*row, end) for *row, end in zip(*columns, right)])


def value_at(polynomial: Sequence[int], x: int) -> int:
    """The value of a polynomial at a point."""
    value = 0
    for coefficient in polynomial:
        value = value * x + coefficient
    return value


def split_at(factors: tuple[Factor, ...], constants: Sequence[Fraction], x: int) -> Fraction:
    """The sum of the partial fractions at a point, times the denominator there."""
    left, total, below = list(constants), Fraction(0), 1
    for polynomial, power in factors:
        value = value_at(polynomial, x)
        below *= value**power
        for n in range(1, power + 1):
            above = left.pop(0)
            if len(polynomial) > 2:
                above = above * x + left.pop(0)
            total += above / value**n
    return total * below
