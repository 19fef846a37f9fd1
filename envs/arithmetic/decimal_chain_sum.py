"""Decimal fractions, added and rounded: Simon Stevin, "De Thiende" (1585); bankers' rounding."""

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal, localcontext
from fractions import Fraction
from random import Random
from typing import Literal, Self

from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.numbers import rational

RULES = {
    "none": "",
    "up": "a result halfway between two such numbers is rounded to the one further from zero",
    "even": "a result halfway between two such numbers is rounded to the one with an even last "
    "digit",
    "down": "further digits are dropped, so that the result moves towards zero",
}
MODES = {"up": ROUND_HALF_UP, "even": ROUND_HALF_EVEN, "down": ROUND_DOWN}

Step = tuple[str, str]
"""An operation, '+', '-' or '*', and its second operand."""


class DecimalChainSum(Puzzle):
    """Carry out a chain of decimal sums and products, rounded by a stated rule at each product."""

    tags = {"calculation", "decimals", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        steps: int = ladder(1, 2, 4, 6, 9, 12, 18, low=1, high=60)
        digits: int = ladder(1, 2, 2, 3, 4, 4, 6, low=1, high=12)  # before the point
        places: int = ladder(1, 2, 2, 3, 3, 4, 4, low=1, high=9)
        products: float = ladder(0.0, 0.0, 0.0, 0.3, 0.3, 0.35, 0.35, low=0, high=0.7)
        rounding: Literal["none", "up", "even", "down", "any"] = ladder(
            "none", "none", "none", "up", "any"
        )

    start: str
    steps: tuple[Step, ...]
    places: int
    rounding: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        rounding = rng.choice(tuple(MODES)) if knobs.rounding == "any" else knobs.rounding
        products = knobs.products if rounding != "none" else 0
        return cls(
            start=_number(rng, knobs.digits, knobs.places),
            steps=tuple([_step(rng, knobs, products) for _ in range(knobs.steps)]),
            places=knobs.places,
            rounding=rounding,
        )

    def is_valid(self) -> bool:
        return abs(2 * self.value()) > 1

    def value(self) -> Fraction:
        """The result of the chain."""
        point = -self.places - 1
        terms = [("+", self.start), *self.steps]
        if all(number[point : point + 1] == "." and sign != "*" for sign, number in terms):
            units = [
                int(number.replace(".", "")) * (1 - 2 * (sign == "-")) for sign, number in terms
            ]
            return Fraction(sum(units), 10**self.places)
        total = Fraction(self.start)
        for sign, number in self.steps:
            if sign == "*":
                total = rounded(total * Fraction(number), self.places, self.rounding)
            else:
                total += Fraction(number) if sign == "+" else -Fraction(number)
        return total

    def canonical(self) -> str:
        return f"{self.rounding} {self.places} {self.start} {self.steps}"

    def prompt(self) -> str:
        words = {"+": "add", "-": "subtract", "*": "multiply by"}
        chain = ", ".join(f"{words[sign]} {number}" for sign, number in self.steps)
        start = self.phrase(f"Start with {self.start}", f"Take the number {self.start}")
        rule = "Nothing is rounded."
        if any(sign == "*" for sign, _ in self.steps):
            rule = (
                f"After each multiplication, round the result to {self.places} "
                f"place{'s' * (self.places > 1)} after the decimal point before the next step: "
                f"{'take the nearest such number; ' * (self.rounding != 'down')}"
                f"{RULES[self.rounding]}. Nothing else is rounded."
            )
        return (
            f"{start}, then carry out these steps in order, each on the result of the one before: "
            f"{chain}.\n\n{rule}\n\nGive the final result exactly, as a decimal number such as "
            "'-407.25'."
        )

    def answer(self) -> str:
        scaled = abs(self.value()) * 10**self.places
        digits = str(int(scaled)).zfill(self.places + 1)
        sign = "-" * (self.value() < 0)
        return f"{sign}{digits[: -self.places]}.{digits[-self.places :]}"

    def verify(self, answer: str) -> Score:
        right = rational(answer) == self.value()
        return Score(1) if right else Score(0, "the steps give another number")

    def audit(self, answer: str) -> bool:
        with localcontext(Context(prec=400)):
            total = Decimal(self.start)
            for sign, number in self.steps:
                term = Decimal(number)
                total = {"+": total + term, "-": total - term, "*": total * term}[sign]
                if sign == "*":
                    total = total.quantize(Decimal(1).scaleb(-self.places), MODES[self.rounding])
            return Fraction(total) == rational(answer)

    def difficulty(self) -> float:
        """The number of digits to add, and of pairs of digits to multiply."""
        size = {"+": 1, "-": 1, "*": len(self.start)}
        return sum(size[sign] * len(number) for sign, number in self.steps)


def rounded(number: Fraction, places: int, how: str) -> Fraction:
    """A number rounded to some decimal places by one of the rules of ``RULES``.

    >>> [str(rounded(Fraction(-5, 2), 0, how)) for how in ("up", "even", "down")]
    ['-3', '-2', '-2']
    """
    whole, rest = divmod(abs(number) * 10**places, 1)
    half = Fraction(1, 2)
    if how != "down" and (rest > half or (rest == half and (how == "up" or whole % 2))):
        whole += 1
    return Fraction(whole if number > 0 else -whole, 10**places)


def _number(rng: Random, digits: int, places: int) -> str:
    return f"{rng.randrange(10 ** (digits - 1), 10**digits)}.{rng.randrange(10**places):0{places}}"


def _step(rng: Random, knobs: DecimalChainSum.Knobs, products: float) -> Step:
    if rng.random() < products:
        # Factors near 1 with few digits make ties likely and keep the numbers small.
        return "*", rng.choice(("0.5", "1.5", "0.25", "1.25", "0.75", "0.35", "1.05", "-0.85"))
    return rng.choice("+-"), _number(rng, knobs.digits, knobs.places)
