"""The fundamental theorem of arithmetic: Euclid, "Elements" VII and IX; Gauss (1801)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.numbers.factors import by_trial, factors, is_prime, next_prime
from palaestra.verifiers.reading.factorisations import factorisation


class PrimeFactorization(Puzzle):
    """Write a number as a product of primes."""

    version = 2
    tags = {"primes", "factoring"}
    answer_type = "product"

    class Knobs(Puzzle.Knobs):
        factors: int = ladder(3, 3, 3, 4, 4, 4, 5, 5, low=2, high=8)
        largest: int = ladder(40, 80, 100, 150, 300, 600, 1_500, 5_000, low=20, high=100_000)
        large: int = ladder(1, 2, 2, 3, 3, 3, 3, 3, low=1, high=4)  # factors of about that size

    number: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        number = 1
        for n in range(knobs.factors):
            low = knobs.largest // 4 if n < knobs.large else 2
            high = knobs.largest if n < knobs.large else 20
            factor = next_prime(rng.randint(low, high))
            number *= factor if number * factor < 10**20 else 2
        return cls(number=number)

    def is_valid(self) -> bool:
        return self.number > 100

    def prompt(self) -> str:
        ask = self.phrase(
            f"Write {self.number} as a product of prime numbers.",
            f"What are the prime factors of {self.number}?",
        )
        return (
            f"{ask} Give all of them, in any order, with '*' between them. A prime that occurs "
            "several times is repeated or has its exponent after '^', such as '2^3 * 5 * 7 * 7'."
        )

    def answer(self) -> str:
        factors = sorted(factored(self.number).items())
        return " * ".join(f"{p}^{times}" if times > 1 else str(p) for p, times in factors)

    def verify(self, answer: str) -> Score:
        factors = factorisation(answer, self.number)
        product = 1
        for factor, times in factors:
            if factor < 2 or self.number % factor:
                return Score(0, f"{str(factor)[:40]} is not a prime factor of the number")
            # The exponent is too large, and its power might fill the memory.
            if times > self.number.bit_length():
                return Score(0, "an exponent is too large")
            product *= factor**times
            if product > self.number:
                return Score(0, "the product is larger than the number")
        for factor, _ in factors:
            if not is_prime(factor):
                return Score(0, f"{factor} is not prime")
        return Score(1) if product == self.number else Score(0, "the product is another number")

    def audit(self, answer: str) -> bool:
        factors: Counter[int] = Counter()
        for factor, times in factorisation(answer, self.number):
            factors[factor] += times
        return factors == by_trial(self.number)

    def difficulty(self) -> float:
        """The number of trial divisions until the rest is prime."""
        *others, last = sorted(factored(self.number).elements())
        return max([*others, min(last, int(last**0.5))])

    def shortcuts(self) -> list[str]:
        small = next(p for p in (2, 3, 5, 7, 11, 13, 1) if self.number % p == 0)
        return [str(self.number), f"{self.number}^1", f"1 * {self.number}",
                f"{small} * {self.number // small}"]  # fmt: skip

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Divide by the primes that are easy to test, and take what is left for a prime."""

        def divided(primes: Iterable[int]) -> str:
            rest, factors = self.number, list[int]()
            for prime in primes:
                while rest % prime == 0 and rest > prime:
                    rest //= prime
                    factors.append(prime)
            return " * ".join(map(str, [*factors, rest]))

        return {
            "divided by 2, 3 and 5": divided((2, 3, 5)),
            "divided by the primes below 20": divided((2, 3, 5, 7, 11, 13, 17, 19)),
        }


@lru_cache(maxsize=256)
def factored(number: int) -> Counter[int]:
    """The prime factors of a number."""
    return factors(number)
