"""Polynomials with integer coefficients, the highest power first, and their rational roots."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from math import gcd, isqrt

from palaestra.verifiers.sums import signed_sum

Polynomial = tuple[int, ...]


def times(one: Sequence[int], other: Sequence[int]) -> Polynomial:
    """The product of two polynomials.

    >>> times((1, -2), (1, 2))
    (1, 0, -4)
    """
    total = [0] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            total[i + j] += a * b
    return tuple(total)


def product(factors: Iterable[Sequence[int]]) -> Polynomial:
    """The product of several polynomials.

    >>> product([(1, -1), (1, -1), (2, 1)])
    (2, -3, 0, 1)
    """
    return reduce(times, (tuple(factor) for factor in factors), (1,))


def divided(polynomial: Sequence[int], root: Fraction) -> Polynomial | None:
    """The quotient by the linear factor of a root; ``None`` if the division leaves a remainder.

    >>> divided((2, -3, 0, 1), Fraction(-1, 2)), divided((1, 0, 1), Fraction(1))
    ((1, -2, 1), None)
    """
    p, q = root.numerator, root.denominator
    quotient: list[int] = []
    carried = 0
    for coefficient in polynomial[:-1]:
        # By Gauss's lemma, the quotient by q*x - p has integer coefficients if it exists.
        carried, rest = divmod(coefficient + p * carried, q)
        if rest:
            return None
        quotient.append(carried)
    return None if polynomial[-1] + p * carried else tuple(quotient)


def multiplicity(polynomial: Sequence[int], root: Fraction) -> int:
    """How often a root's linear factor divides a polynomial.

    >>> multiplicity((1, -2, 1), Fraction(1)), multiplicity((1, -2, 1), Fraction(2))
    (2, 0)
    """
    quotient = divided(polynomial, root)
    return 0 if quotient is None else 1 + multiplicity(quotient, root)


def divisors(number: int) -> list[int]:
    """The positive divisors of a number other than 0, ascending.

    >>> divisors(-12)
    [1, 2, 3, 4, 6, 12]
    """
    left = abs(number)
    factors = [1]
    prime = 2
    while left > 1:
        if prime > isqrt(left):
            prime = left
        powers = [1]
        while left % prime == 0:
            left //= prime
            powers.append(powers[-1] * prime)
        factors = [divisor * power for divisor in factors for power in powers]
        prime += 1
    return sorted(factors)


def rational_roots(polynomial: Sequence[int]) -> Counter[Fraction]:
    """All rational roots with their multiplicities, by the rational root theorem.

    >>> sorted(map(str, rational_roots((2, -3, 0, 1)).elements()))
    ['-1/2', '1', '1']
    """
    roots: Counter[Fraction] = Counter()
    left = tuple(polynomial)
    while len(left) > 1 and left[-1] == 0:
        roots[Fraction(0)] += 1
        left = left[:-1]
    if len(left) > 1:
        for root in _possible(left):
            if times_over := multiplicity(left, root):
                roots[root] = times_over
    return roots


def _possible(polynomial: Polynomial) -> list[Fraction]:
    """Possible roots p/q: q - p divides the value at 1, and q + p the value at -1."""
    at_one = sum(polynomial)
    at_minus_one = sum(c if n % 2 == 0 else -c for n, c in enumerate(reversed(polynomial)))
    return [
        Fraction(p, q)
        for q in divisors(polynomial[0])
        for size in divisors(polynomial[-1])
        if gcd(size, q) == 1
        for p in (size, -size)
        if _divides(q - p, at_one) and _divides(q + p, at_minus_one)
    ]


def _divides(part: int, whole: int) -> bool:
    return whole % part == 0 if part else whole == 0


def written(polynomial: Sequence[int], unknown: str = "x") -> str:
    """A polynomial in the usual notation.

    >>> written((2, 0, -1, 5)), written((-1, 0))
    ('2x^3 - x + 5', '-x')
    """
    powers = [f"{unknown}^{n}" for n in range(len(polynomial) - 1, 1, -1)]
    return signed_sum(zip(polynomial, [*powers, unknown, ""][-len(polynomial) :]))
