"""The last digits of powers: Fermat's and Euler's theorems (1640, 1763), and powers by squaring."""

from collections.abc import Iterable
from math import gcd
from random import Random
from typing import Literal, Self

from palaestra.task import Derivation, Puzzle, Score, Step, ladder
from palaestra.verifiers.reading.numbers import integer, last_digits


class PowerDigits(Puzzle):
    """Find the last digits of a huge power, or its remainder modulo a number."""

    version = 3
    tags = {"congruences", "number-theory", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        base: int = ladder(2, 2, 2, 2, 3, 3, 4, 6, low=2, high=30)  # digits
        exponent: int = ladder(2, 2, 3, 4, 5, 6, 6, 9, low=1, high=30)  # digits
        digits: int = ladder(2, 3, 3, 4, 4, 4, 4, 5, low=2, high=12)
        tower: int = ladder(1, 1, 1, 1, 1, 1, 2, 2, low=1, high=2)  # exponents on exponents
        modulus: Literal["ten", "any"] = ladder(
            "ten", "ten", "ten", "any", "any", "any", "ten", "any"
        )

    base: int
    exponents: tuple[int, ...]
    modulus: int
    digits: int
    """The number of last digits to give; 0 for a remainder."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        low = 10 ** (knobs.digits - 1)
        ten = knobs.modulus == "ten"
        exponents = [rng.randrange(max(4, 10 ** (knobs.exponent - 1)), 10**knobs.exponent)]
        exponents += [rng.randint(3, 99) for _ in range(knobs.tower - 1)]
        return cls(
            base=rng.randrange(10 ** (knobs.base - 1), 10**knobs.base),
            exponents=tuple(exponents),
            modulus=10 * low if ten else rng.randrange(low, 10 * low),
            digits=knobs.digits if ten else 0,
        )

    def is_valid(self) -> bool:
        """Whether base and modulus are coprime, and no small power has the same remainder.

        For last digits, the exponent is coprime to 2 and 5, the prime factors of the order of any
        base, so that all last digits are equally likely.
        """
        if self.digits and gcd(self.exponents[0], 10) > 1:
            return False
        large = len(self.exponents) > 1 or self.base ** min(self.exponents[0], 99) > self.modulus
        small = {pow(self.base, power, self.modulus) for power in range(3)}
        return gcd(self.base, self.modulus) == 1 and large and self.value() not in small

    def value(self) -> int:
        """The remainder."""
        exponent = self.exponents[-1]
        for base in reversed(self.exponents[:-1]):
            exponent = base**exponent
        return pow(self.base, exponent, self.modulus)

    def canonical(self) -> str:
        return f"{self.base} {self.exponents} {self.modulus}"

    def prompt(self) -> str:
        tower = str(self.exponents[-1])
        for base in reversed(self.exponents[:-1]):
            tower = f"({base}^{tower})"
        power = f"{self.base}^{tower}"
        if self.digits:
            ask = self.phrase(
                f"What are the last {self.digits} decimal digits of {power}?",
                f"With which {self.digits} digits does {power} end when it is written in decimal?",
            )
            shape = f"Give all {self.digits} digits, including leading zeros, such as"
            return f"{ask} '^' is a power. {shape} '{'05172839461728'[: self.digits]}'."
        ask = self.phrase(
            f"Which remainder does {power} leave when it is divided by {self.modulus}?",
            f"What is {power} modulo {self.modulus}?",
        )
        return f"{ask} '^' is a power. Give a number from 0 to {self.modulus - 1}, such as '29'."

    def answer(self) -> str:
        return f"{self.value():0{self.digits}}"

    def verify(self, answer: str) -> Score:
        digits = int(last_digits(answer, self.digits)) if self.digits else integer(answer)
        if not 0 <= digits < self.modulus:
            return Score(0, f"the number is not from 0 to {self.modulus - 1}")
        right = digits == self.value()
        return Score(1) if right else Score(0, "the power leaves another remainder")

    def difficulty(self) -> float:
        """The number of squarings and products, weighted by the digits of the factors."""
        bits = self.exponents[0].bit_length() * (self.exponents[1] if self.exponents[1:] else 1)
        return bits * len(str(self.modulus)) ** 2

    def derivation(self) -> Derivation:
        """Squares and products, bit by bit of the exponent; a tower of exponents has no steps."""
        if len(self.exponents) > 1:
            return
        first = power = self.base % self.modulus
        for bit in f"{self.exponents[0]:b}"[1:]:
            power = yield Step(f"{power}^2 mod {self.modulus}", power**2 % self.modulus)
            if bit == "1":
                product = power * first % self.modulus
                power = yield Step(f"{power} * {first} mod {self.modulus}", product)

    def random_baseline(self) -> float:
        return 1 / self.modulus

    def shortcuts(self) -> Iterable[str]:
        yield str(pow(self.base, 2, self.modulus)).zfill(self.digits)
        yield str(self.base % self.modulus).zfill(self.digits)
