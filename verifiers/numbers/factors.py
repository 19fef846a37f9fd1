"""Deterministic primality tests and prime factorization."""

from collections import Counter
from math import gcd

_SMALL = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)

_PROVEN = 3_317_044_064_679_887_385_961_981
"""Below this number, no composite passes the Miller-Rabin test to the 13 smallest prime bases.

Sorenson and Webster, "Strong pseudoprimes to twelve prime bases" (2015).
"""


def is_prime(number: int) -> bool:
    """Whether a number is prime, by the Miller-Rabin test to bases that make it exact.

    Raises ``ValueError`` for numbers of more than 24 digits, for which the test is not exact.

    >>> [n for n in range(30) if is_prime(n)]
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
    """
    if number >= _PROVEN:
        raise ValueError("too large to be sure")
    for prime in _SMALL:
        if number % prime == 0:
            return number == prime
    return number > 1 and all(_passes(number, base) for base in _SMALL)


def _passes(number: int, base: int) -> bool:
    """Whether an odd number is a strong probable prime to a base."""
    twos = ((number - 1) & -(number - 1)).bit_length() - 1
    power = pow(base, (number - 1) >> twos, number)
    if power in (1, number - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % number
        if power == number - 1:
            return True
    return False


def next_prime(number: int) -> int:
    """The smallest prime that is not less than a number.

    >>> next_prime(24)
    29
    """
    while not is_prime(number):
        number += 1
    return number


def factors(number: int) -> Counter[int]:
    """The prime factors of a positive number, each with its exponent.

    >>> sorted(factors(360).items())
    [(2, 3), (3, 2), (5, 1)]
    """
    factors: Counter[int] = Counter()
    for prime in _SMALL:
        while number % prime == 0:
            number //= prime
            factors[prime] += 1
    parts = [number] if number > 1 else []
    while parts:
        part = parts.pop()
        if is_prime(part):
            factors[part] += 1
        else:
            divisor = _divisor(part)
            parts += [divisor, part // divisor]
    return factors


def _divisor(composite: int) -> int:
    """A proper divisor of a composite, by Pollard's rho method (1975)."""
    shift = 0
    while True:
        shift += 1
        slow = fast = 2
        divisor = 1
        while divisor == 1:
            slow = (slow * slow + shift) % composite
            fast = (fast * fast + shift) % composite
            fast = (fast * fast + shift) % composite
            divisor = gcd(slow - fast, composite)
        if divisor < composite:
            return divisor


def by_trial(number: int) -> Counter[int]:
    """The prime factors by trial division, to check :func:`factors`.

    >>> by_trial(91) == factors(91)
    True
    """
    factors: Counter[int] = Counter()
    divisor = 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            number //= divisor
            factors[divisor] += 1
        divisor += 1
    if number > 1:
        factors[number] += 1
    return factors
