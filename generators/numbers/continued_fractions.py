"""Continued fractions: of fractions by Euclid, of square roots by Lagrange, and their values."""

from fractions import Fraction
from functools import lru_cache
from math import isqrt


def expansion(above: int, below: int) -> list[int]:
    """The terms of a fraction, by Euclid's algorithm.

    >>> expansion(43, 30)
    [1, 2, 3, 4]
    """
    terms = []
    while below:
        terms.append(above // below)
        above, below = below, above % below
    return terms


def valued(terms: list[int] | tuple[int, ...]) -> Fraction:
    """The fraction with these terms.

    >>> valued([1, 2, 3, 4])
    Fraction(43, 30)
    """
    value = Fraction(terms[-1])
    for term in reversed(terms[:-1]):
        value = term + 1 / value
    return value


def root_expansion(number: int, last: int) -> list[int]:
    """The terms of the square root of a non-square, by Lagrange's algorithm.

    >>> root_expansion(7, 5)
    [2, 1, 1, 1, 4, 1]
    """
    first = isqrt(number)
    terms, m, d = [first], 0, 1
    while len(terms) <= last:
        m = d * terms[-1] - m
        d = (number - m * m) // d
        terms.append((first + m) // d)
    return terms


def convergent(number: int, last: int) -> Fraction:
    """The convergent of a square root's expansion that ends with the term of index ``last``.

    >>> convergent(7, 3)
    Fraction(8, 3)
    """
    return valued(root_expansion(number, last))


@lru_cache(maxsize=256)
def best(above: int, below: int, most: int) -> Fraction:
    """The closest fraction with a denominator of at most ``most``.

    >>> best(314159, 100000, 200)
    Fraction(355, 113)
    """
    return Fraction(above, below).limit_denominator(most)
