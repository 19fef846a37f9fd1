"""Properties of whole numbers from 2."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import isqrt, prod

from palaestra.generators.critique.counterexample.properties import Property


@lru_cache(maxsize=16_384)
def factors(number: int) -> tuple[tuple[int, int], ...]:
    """The prime factors of a number with their exponents.

    >>> factors(360)
    ((2, 3), (3, 2), (5, 1))
    """
    pairs, rest, divisor = [], number, 2
    while divisor * divisor <= rest:
        exponent = 0
        while rest % divisor == 0:
            rest //= divisor
            exponent += 1
        if exponent:
            pairs.append((divisor, exponent))
        divisor += 1
    return (*pairs, (rest, 1)) if rest > 1 else tuple(pairs)


def is_prime(number: int) -> bool:
    """Whether a number is prime."""
    return number > 1 and factors(number) == ((number, 1),)


def divisors(number: int) -> int:
    """The number of divisors, 1 and the number itself included."""
    return prod(exponent + 1 for _, exponent in factors(number))


def divisor_sum(number: int) -> int:
    """The sum of all divisors, 1 and the number itself included."""
    return prod((p ** (exponent + 1) - 1) // (p - 1) for p, exponent in factors(number))


def digit_sum(number: int) -> int:
    """The sum of the decimal digits."""
    return sum(map(int, str(number)))


def is_sum_of_two_squares(number: int) -> bool:
    """Whether a number is a sum of two squares: Fermat's theorem."""
    return all(p % 4 != 3 or exponent % 2 == 0 for p, exponent in factors(number))


def objects(size: int) -> Sequence[int]:
    """The numbers from 2 to ``size``."""
    return range(2, size + 1)


def _families() -> Iterator[Property[int]]:
    for m in (3, 5, 7):
        yield _property(f"divisible by {m}", lambda n, m=m: n % m == 0)  # type: ignore[misc]
    for m, rest in ((4, 1), (3, 2), (8, 3), (6, 5), (5, 4)):
        clause = f"the remainder {rest} when divided by {m}"
        yield Property(
            f"leaves {clause}",
            f"does not leave {clause}",
            lambda n, m=m, rest=rest: n % m == rest,  # type: ignore[misc]
        )
    for k in (4, 6, 8, 12):
        yield Property(
            f"has more than {k} divisors (1 and itself included)",
            f"has at most {k} divisors (1 and itself included)",
            lambda n, k=k: divisors(n) > k,  # type: ignore[misc]
        )
    for k in (8, 12, 17):
        yield Property(
            f"has a digit sum above {k}",
            f"has a digit sum of at most {k}",
            lambda n, k=k: digit_sum(n) > k,  # type: ignore[misc]
        )
    for digit in "17":
        yield Property(
            f"contains the digit {digit}",
            f"does not contain the digit {digit}",
            lambda n, digit=digit: digit in str(n),  # type: ignore[misc]
        )
    for k in (2, 3):
        clause = f"exactly {k} different prime factors"
        yield Property(
            f"has {clause}",
            f"does not have {clause}",
            lambda n, k=k: len(factors(n)) == k,  # type: ignore[misc]
        )
    for k in (10, 40):
        yield Property(
            f"has a prime factor above {k}",
            f"has no prime factor above {k}",
            lambda n, k=k: factors(n)[-1][0] > k,  # type: ignore[misc]
        )


def _property(noun: str, holds: Callable[[int], bool]) -> Property[int]:
    return Property(f"is {noun}", f"is not {noun}", holds)


PROPERTIES: tuple[Property[int], ...] = (
    Property("is even", "is odd", lambda n: n % 2 == 0),
    _property("prime", is_prime),
    _property("a square", lambda n: isqrt(n) ** 2 == n),
    Property(
        "is divisible by the square of a prime",
        "is divisible by no square of a prime",
        lambda n: any(exponent > 1 for _, exponent in factors(n)),
    ),
    _property("a sum of two squares of whole numbers (0 included)", is_sum_of_two_squares),
    Property("has an even digit sum", "has an odd digit sum", lambda n: digit_sum(n) % 2 == 0),
    Property(
        "has a digit that occurs more than once",
        "has no digit that occurs more than once",
        lambda n: len(set(str(n))) < len(str(n)),
    ),
    Property(
        "has an even number of ones in binary",
        "has an odd number of ones in binary",
        lambda n: n.bit_count() % 2 == 0,
    ),
    Property(
        "has a sum of divisors (itself included) that is divisible by 3",
        "has a sum of divisors (itself included) that is not divisible by 3",
        lambda n: divisor_sum(n) % 3 == 0,
    ),
    _property("less than the sum of its smaller divisors", lambda n: divisor_sum(n) > 2 * n),
    _property("one less than a prime", lambda n: is_prime(n + 1)),
    _property("one more than a prime", lambda n: is_prime(n - 1)),
    Property(
        "becomes a prime if it is doubled and 1 is added",
        "becomes no prime if it is doubled and 1 is added",
        lambda n: is_prime(2 * n + 1),
    ),
    Property(
        "has a square that is one less than a prime",
        "has a square that is not one less than a prime",
        lambda n: is_prime(n * n + 1),
    ),
    _property("the same when its digits are reversed", lambda n: str(n) == str(n)[::-1]),
    *_families(),
)
"""Properties of numbers, each with its negation."""
