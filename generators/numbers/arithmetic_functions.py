"""Sums of arithmetic functions over ranges that are too long to go through.

Godfrey Hardy and Edward Wright, "An Introduction to the Theory of Numbers" (1938), treat them all.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from math import gcd, isqrt, lcm, prod
from random import Random
from typing import Literal, NamedTuple

from palaestra.verifiers.numbers.factors import factors

Topic = Literal[
    "divisors", "sigma", "remainders", "quotients", "coprime pairs", "gcd pairs", "gcd sum",
    "lcm sum", "coprime", "multiples", "totients", "factorial",
]  # fmt: skip

SHORT = 1_000
"""The greatest bound up to which numbers are gone through one by one in an audit."""


class Question(NamedTuple):
    """A question about the numbers up to ``bound``, with further numbers that it names."""

    topic: Topic
    bound: int
    others: tuple[int, ...] = ()

    def text(self) -> str:
        """The question as a sentence."""
        n, others = self.bound, self.others
        first, second = (*others, 0, 0)[:2]
        return {
            "divisors": f"For each whole number from {first} to {n}, count its positive divisors, "
            "1 and the number itself included. What is the sum of these counts?",
            "sigma": f"For each whole number from {first} to {n}, add its positive divisors, 1 and "
            "the number itself included. What is the sum of all these sums?",
            "remainders": f"Divide {first} by each whole number from 1 to {n}. What is the sum of "
            "the remainders?",
            "quotients": f"Divide {first} by each whole number from 1 to {n}, and drop the "
            "remainders. What is the sum of the squares of the quotients?",
            "coprime pairs": f"How many pairs (a, b) of whole numbers with 1 <= a <= {n} and "
            f"1 <= b <= {first} have the greatest common divisor {second}? The order matters: "
            "(2, 4) and (4, 2) are different pairs.",
            "gcd pairs": f"Take the greatest common divisor of a and b for each pair (a, b) of "
            f"whole numbers with 1 <= a <= {n} and 1 <= b <= {first}. What is the sum of all of "
            "them?",
            "gcd sum": f"Take the greatest common divisor of k and {n} for each whole number k "
            f"from 1 to {n}. What is the sum of all of them?",
            "lcm sum": f"Take the least common multiple of k and {n} for each whole number k from "
            f"1 to {n}. What is the sum of all of them?",
            "coprime": f"How many whole numbers from {second} to {n} have no divisor in common "
            f"with {first} but 1?",
            "multiples": f"How many whole numbers from 1 to {n} are divisible by exactly one of "
            f"{', '.join(map(str, others[:-1]))} and {others[-1] if others else ''}?",
            "totients": f"For each divisor d of {n}, count the whole numbers from 1 to d that have "
            f"no divisor in common with d but 1, and multiply this count by the number of positive "
            "divisors of d. What is the sum of the products?",
            "factorial": f"{first} to the power of k divides the product 1 * 2 * 3 * ... * {n}. "
            "What is the greatest such k?",
        }[self.topic]

    def value(self) -> int:
        """The answer, without going through the numbers one by one."""
        return VALUES[self.topic](self.bound, self.others)

    def by_hand(self) -> int:
        """The answer from the definitions, for a short range."""
        return sum(self.terms())

    def terms(self) -> Iterable[int]:
        """The numbers that the answer is the sum of."""
        n, others, topic = self.bound, self.others, self.topic
        numbers = range(1, n + 1)
        first, second = (*others, 0, 0)[:2]
        if topic in {"coprime pairs", "gcd pairs"}:
            pairs = (gcd(a, b) for a in numbers for b in range(1, first + 1))
            return (d if topic == "gcd pairs" else int(d == second) for d in pairs)
        if topic == "totients":
            return (
                sum(gcd(k, d) == 1 for k in range(1, d + 1)) * len(divisors(d)) for d in divisors(n)
            )
        if topic == "factorial":
            product = prod(numbers)
            return (product % first**k == 0 for k in range(1, 2 * n))
        simple: Mapping[Topic, Callable[[], Iterable[int]]] = {
            "divisors": lambda: (len(divisors(k)) for k in range(first, n + 1)),
            "sigma": lambda: (sum(divisors(k)) for k in range(first, n + 1)),
            "remainders": lambda: (first % k for k in numbers),
            "quotients": lambda: ((first // k) ** 2 for k in numbers),
            "gcd sum": lambda: (gcd(k, n) for k in numbers),
            "lcm sum": lambda: (lcm(k, n) for k in numbers),
            "coprime": lambda: (gcd(k, first) == 1 for k in range(second, n + 1)),
            "multiples": lambda: (sum(k % each == 0 for each in others) == 1 for k in numbers),
        }
        return simple[topic]()


def divisors(n: int) -> list[int]:
    """The divisors of a number, from a look at all numbers up to it.

    >>> divisors(6)
    [1, 2, 3, 6]
    """
    return [d for d in range(1, n + 1) if n % d == 0]


def divisor_total(n: int) -> int:
    """The sum of the numbers of divisors of 1 to n, by Dirichlet's hyperbola.

    >>> divisor_total(6)
    14
    """
    root = isqrt(n)
    return 2 * sum(n // d for d in range(1, root + 1)) - root * root


def triangle(n: int) -> int:
    """The sum of the numbers from 1 to n."""
    return n * (n + 1) // 2


def blocks(n: int, last: int) -> Iterator[tuple[int, int, int]]:
    """The numbers up to ``last`` in runs with the same quotient of n: first, last and quotient.

    >>> list(blocks(7, 9))
    [(1, 1, 7), (2, 2, 3), (3, 3, 2), (4, 7, 1), (8, 9, 0)]
    """
    start = 1
    while start <= last:
        quotient = n // start
        end = min(last, n // quotient) if quotient else last
        yield start, end, quotient
        start = end + 1


def sigma_total(n: int) -> int:
    """The sum of the sums of divisors of 1 to n.

    >>> sigma_total(6)
    33
    """
    return sum(q * (triangle(b) - triangle(a - 1)) for a, b, q in blocks(n, n))


def moebius(last: int) -> list[int]:
    """The values of the Moebius function from 0, where it is set to 0, to ``last``.

    >>> moebius(6)
    [0, 1, -1, -1, 0, -1, 1]
    """
    values = [0, 1] + [0] * (last - 1)
    for d in range(1, last + 1):
        if values[d]:
            for multiple in range(2 * d, last + 1, d):
                values[multiple] -= values[d]
    return values[: last + 1]


def totients(last: int) -> list[int]:
    """The values of Euler's function from 0 to ``last``.

    >>> totients(6)
    [0, 1, 1, 2, 2, 4, 2]
    """
    values = list(range(last + 1))
    for p in range(2, last + 1):
        if values[p] == p:
            for multiple in range(p, last + 1, p):
                values[multiple] -= values[multiple] // p
    return values


def coprime_pairs(n: int, m: int) -> int:
    """The pairs of numbers up to n and up to m without a common divisor.

    >>> coprime_pairs(3, 3)
    7
    """
    return sum(mu * (n // d) * (m // d) for d, mu in enumerate(moebius(min(n, m))) if mu)


def coprime_up_to(n: int, number: int) -> int:
    """The numbers from 1 to n without a divisor in common with another number.

    >>> coprime_up_to(10, 6)
    3
    """
    primes = sorted(factors(number))
    return sum(
        (-1) ** size * (n // prod(some))
        for size in range(len(primes) + 1)
        for some in combinations(primes, size)
    )


def exactly_one(n: int, numbers: tuple[int, ...]) -> int:
    """The numbers up to n that are divisible by exactly one of several numbers.

    >>> exactly_one(10, (2, 3))
    6
    """
    return sum(
        (-1) ** (size - 1) * size * (n // lcm(*some))
        for size in range(1, len(numbers) + 1)
        for some in combinations(numbers, size)
    )


def multiplicative(n: int, power: Callable[[int, int], int]) -> int:
    """A multiplicative function, from its values at powers p**e.

    >>> multiplicative(12, lambda p, e: e + 1)
    6
    """
    return prod(power(p, e) for p, e in factors(n).items())


def gcd_power(p: int, e: int) -> int:
    """The sum of the greatest common divisors of p**e with 1 to p**e (Pillai)."""
    below: int = p ** (e - 1)
    return below * ((e + 1) * p - e)


def order_power(p: int, e: int) -> int:
    """The sum of d times the totient of d over the divisors d of p**e."""
    powers: list[int] = [p**k for k in range(e + 1)]
    return 1 + sum(d * (d - d // p) for d in powers[1:])


def weighted_power(p: int, e: int) -> int:
    """The sum of the totient of d times the number of divisors of d, over the divisors of p**e."""
    powers: list[int] = [p**k for k in range(e + 1)]
    return 1 + sum((k + 1) * (d - d // p) for k, d in enumerate(powers) if k)


def legendre(n: int, number: int) -> int:
    """The greatest power of a number that divides the factorial of n.

    >>> legendre(10, 6)
    4
    """

    def exponent(p: int) -> int:
        total, rest = 0, n
        while rest:
            rest //= p
            total += rest
        return total

    return min(exponent(p) // e for p, e in factors(number).items())


VALUES: Mapping[Topic, Callable[[int, tuple[int, ...]], int]] = {
    "divisors": lambda n, o: divisor_total(n) - divisor_total(o[0] - 1),
    "sigma": lambda n, o: sigma_total(n) - sigma_total(o[0] - 1),
    "remainders": lambda n, o: (
        n * o[0] - sum(q * (triangle(b) - triangle(a - 1)) for a, b, q in blocks(o[0], n))
    ),
    "quotients": lambda n, o: sum(q * q * (b - a + 1) for a, b, q in blocks(o[0], n)),
    "coprime pairs": lambda n, o: coprime_pairs(n // o[1], o[0] // o[1]),
    "gcd pairs": lambda n, o: sum(
        value * (n // d) * (o[0] // d) for d, value in enumerate(totients(min(n, o[0]))) if d
    ),
    "gcd sum": lambda n, _: multiplicative(n, gcd_power),
    "lcm sum": lambda n, _: n * (multiplicative(n, order_power) + 1) // 2,
    "coprime": lambda n, o: coprime_up_to(n, o[0]) - coprime_up_to(o[1] - 1, o[0]),
    "multiples": exactly_one,
    "totients": lambda n, _: multiplicative(n, weighted_power),
    "factorial": lambda n, o: legendre(n, o[0]),
}


def composite(rng: Random, size: int) -> int:
    """A number up to ``size`` with several small prime factors."""
    number = rng.choice((2, 3))
    while True:
        more = number * rng.choice((2, 2, 3, 3, 5, 7, 11, 13, 17, 19, 23))
        if more > size:
            return number
        number = more


def random_question(rng: Random, topic: Topic, bound: int) -> Question:
    """A question about numbers up to about ``bound``; less where all of them are gone through."""
    n = rng.randint(bound // 2, bound)
    if topic in {"divisors", "sigma"}:
        n = min(n, 4 * 10**7 + rng.randint(0, 10**7))
        return Question(topic, n, (rng.choice((1, rng.randint(2, n // 2))),))
    if topic in {"remainders", "quotients"}:
        n = min(n, 10**7 + rng.randint(0, 10**7))
        return Question(topic, n, (rng.randint(n // 2, 2 * n),))
    if topic in {"coprime pairs", "gcd pairs"}:
        if topic == "gcd pairs":
            n = min(n, rng.randint(2_000, 4_000))
            return Question(topic, n, (rng.randint(n // 2, 2 * n),))
        common = rng.randint(2, 4) if n < 2_000 else n // rng.randint(300, 900)
        return Question(topic, n, (rng.randint(n // 2, 2 * n), common))
    if topic in {"gcd sum", "lcm sum", "totients"}:
        return Question(topic, composite(rng, bound))
    if topic == "coprime":
        return Question(topic, n, (composite(rng, max(30, min(n, 10**6))), rng.randint(2, n // 3)))
    if topic == "multiples":
        low = 4 if bound < 10**4 else 10
        return Question(topic, n, tuple(sorted(rng.sample(range(low, 4 * low), 3))))
    return Question(topic, n, (composite(rng, max(20, min(n // 4, 10**4))),))
