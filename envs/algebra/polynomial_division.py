"""Division of polynomials with remainder: Ibn Yahya al-Maghribi al-Samaw'al (about 1150)."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from random import Random
from typing import Self

from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.algebra.monomials import as_text, expanded
from palaestra.verifiers.algebra.polynomials import Polynomial, times, written
from palaestra.verifiers.reading.labels import pairs


class PolynomialDivision(Puzzle):
    """Divide one polynomial by another, into quotient and remainder, with fractions if needed."""

    version = 2
    tags = {"polynomials", "calculation", "unique-solution"}
    calculation = True
    answer_type = "polynomial"

    class Knobs(Puzzle.Knobs):
        quotient: int = ladder(1, 2, 2, 3, 3, 4, 6, low=1, high=12)  # degree
        divisor: int = ladder(1, 1, 2, 2, 3, 4, 5, low=1, high=8)  # degree
        coefficient: int = ladder(9, 9, 9, 9, 9, 12, 20, low=4, high=99)
        leading: int = ladder(1, 1, 1, 1, 2, 3, 5, low=1, high=12)  # of the divisor

    dividend: tuple[int, ...]
    divisor: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size, whole = knobs.coefficient, knobs.leading == 1

        def coefficients(length: int) -> Polynomial:
            return tuple(rng.randint(-size, size) for _ in range(length))

        divisor = (rng.randint(min(2, knobs.leading), knobs.leading), *coefficients(knobs.divisor))
        dividend = (rng.randint(1, size), *coefficients(knobs.quotient + knobs.divisor))
        if whole:  # a product of small polynomials, whose quotient has small coefficients
            product = times(divisor, (rng.randint(1, size), *coefficients(knobs.quotient)))
            rest = (*(0 for _ in product[knobs.divisor :]), *coefficients(knobs.divisor))
            dividend = tuple(a + b for a, b in zip(product, rest))
        return cls(dividend=dividend, divisor=divisor)

    def is_valid(self) -> bool:
        quotient, rest = divided(self.dividend, self.divisor)
        return self.divisor[-1] != 0 and any(rest) and any(quotient[1:])

    def prompt(self) -> str:
        ask = self.phrase("Divide with remainder:", "Carry out this division of polynomials:")
        return (
            f"{ask}\n\n({written(self.dividend)}) ÷ ({written(self.divisor)})\n\nThe dividend is "
            "the divisor times the quotient plus the remainder, and the remainder has a lower "
            "degree than the divisor. Coefficients are exact whole numbers or fractions. Write "
            "two lines, without brackets, such as:\nquotient: 3x^4 - 5/7x + 23\nremainder: 19x - 31"
        )

    def answer(self) -> str:
        quotient, rest = divided(self.dividend, self.divisor)
        return f"quotient: {_written(quotient)}\nremainder: {_written(rest)}"

    def verify(self, answer: str) -> Score:
        read = pairs(answer, names=("quotient", "remainder"))
        quotient, rest = expanded(read["quotient"]), expanded(read["remainder"])
        if max(rest, default=0) >= max(1, len(self.divisor) - 1):
            return Score(0, "the degree of the remainder is not below that of the divisor")
        if max(quotient, default=0) != len(self.dividend) - len(self.divisor):
            return Score(0, "the degree of the quotient is wrong")
        remainder = dict(rest)
        for n, b in enumerate(reversed(self.divisor)):
            for power, a in quotient.items():
                remainder[n + power] = remainder.get(n + power, Fraction(0)) + a * b
        dividend = dict(enumerate(reversed(self.dividend)))
        for power in sorted({*remainder, *dividend}, reverse=True):
            if remainder.get(power, 0) != dividend.get(power, 0):
                return Score(
                    0, f"divisor * quotient + remainder has a wrong coefficient of x^{power}"
                )
        return Score(1)

    def audit(self, answer: str) -> bool:
        """Compare with the long division."""
        read = pairs(answer, names=("quotient", "remainder"))
        parts = divided(self.dividend, self.divisor)
        return [expanded(read[name]) for name in ("quotient", "remainder")] == [
            {n: c for n, c in enumerate(reversed(part)) if c} for part in parts
        ]

    def difficulty(self) -> float:
        steps = (len(self.dividend) - len(self.divisor) + 1) * len(self.divisor)
        return steps * len(self.answer())

    def shortcuts(self) -> Iterable[str]:
        yield f"quotient: 0\nremainder: {written(self.dividend)}"


def divided(
    dividend: Sequence[int], divisor: Sequence[int]
) -> tuple[list[Fraction], list[Fraction]]:
    """Quotient and remainder, the highest powers first.

    >>> [[str(c) for c in part] for part in divided((2, 0, 1), (2, 1))]
    [['1', '-1/2'], ['3/2']]
    """
    rest = [Fraction(c) for c in dividend]
    quotient = []
    for n in range(len(dividend) - len(divisor) + 1):
        quotient.append(rest[n] / divisor[0])
        for offset, coefficient in enumerate(divisor):
            rest[n + offset] -= quotient[-1] * coefficient
    return quotient, rest[len(quotient) :]


def _written(polynomial: Sequence[Fraction]) -> str:
    return as_text(dict(enumerate(reversed(polynomial))))
