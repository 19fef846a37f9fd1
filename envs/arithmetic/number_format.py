"""Numbers in many notations: Roman, other bases (Leibniz 1703), words, powers of ten."""

from fractions import Fraction
from math import factorial
from random import Random
from typing import Literal, Self

from palaestra.generators.arithmetic.number_format import WRITTEN, near
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.values import items, joined

LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

FORMS = {
    "digits": "plain decimal thousand",
    "common": "plain decimal thousand words",
    "mixed": "plain decimal thousand words scientific percent fraction dozen roman",
    "all": " ".join(WRITTEN),
}


class NumberFormat(Puzzle):
    """Sort numbers that are written in different notations by size."""

    version = 2
    tags = {"calculation", "ordering", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        numbers: int = ladder(4, 5, 6, 8, 10, 12, 16, 20, high=26)
        spread: int = ladder(90, 80, 60, 40, 25, 15, 8, 5, low=3)
        forms: Literal["digits", "common", "mixed", "all"] = ladder(
            "digits", "common", "common", "mixed", "all"
        )

    numbers: tuple[tuple[str, int, int], ...]
    """The notation, numerator and denominator of each number."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        high = rng.randint(400, 3900)
        low = max(100, high * (100 - knobs.spread) // 100)
        by_value: dict[Fraction, str] = {}
        while len(by_value) < knobs.numbers:
            form = rng.choice(FORMS[knobs.forms].split())
            by_value.setdefault(near(rng, form, low, high), form)
        return cls(numbers=tuple((form, *v.as_integer_ratio()) for v, form in by_value.items()))

    def canonical(self) -> str:
        return repr(sorted(self.numbers))

    def prompt(self) -> str:
        lines = "\n".join(
            f"{label}. {WRITTEN[form][0](Fraction(above, below))}"
            for label, (form, above, below) in zip(LABELS, self.numbers)
        )
        opening = self.phrase(
            "These numbers are written in different ways:",
            "Each line below names a number in its own notation:",
        )
        ask = self.phrase(
            "Put them in order, the smallest first.", "Sort them from the smallest to the largest."
        )
        sample = joined(LABELS[: len(self.numbers)][::2] + LABELS[: len(self.numbers)][1::2])
        return (
            f"{opening}\n\n{lines}\n\nA comma separates thousands and a point starts the decimals; "
            "1.5e3 is 1.5 times 10 to the power 3; 0x starts a number in base 16 (A to F are the "
            "digits 10 to 15), 0o one in base 8, 0b one in base 2; 250% is 2.5; a dozen is 12; "
            "a/b is a divided by b; a number written only with the letters I, V, X, L, C, D and M "
            f"is a Roman numeral, where IV is 4. No two of the numbers are equal.\n\n{ask} Write "
            f"the {len(self.numbers)} letters in that order, such as '{sample}'."
        )

    def order(self) -> list[str]:
        """The labels in increasing order of their numbers."""
        by_size = sorted(
            zip(self.numbers, LABELS), key=lambda pair: Fraction(pair[0][1], pair[0][2])
        )
        return [label for _, label in by_size]

    def answer(self) -> str:
        return joined(self.order())

    def verify(self, answer: str) -> Score:
        labels = [item.upper() for item in items(answer)]
        right = self.order()
        if sorted(labels) != sorted(right):
            raise InvalidAnswer(f"not each of the {len(right)} letters exactly once")
        wrong = sum(one != other for one, other in zip(labels, right))
        return Score(0, f"{wrong} letters are in the wrong position") if wrong else Score(1)

    def difficulty(self) -> float:
        forms = len({form for form, _, _ in self.numbers})
        return float(len(self.numbers) * forms)

    def random_baseline(self) -> float:
        return 1 / factorial(len(self.numbers))

    def shortcuts(self) -> list[str]:
        """The numbers in the order of the prompt, and by length of text."""
        written = [WRITTEN[form][0](Fraction(a, b)) for form, a, b in self.numbers]
        lengths = sorted(zip(LABELS, written), key=lambda pair: len(pair[1]))
        return [joined(LABELS[: len(self.numbers)]), joined([label for label, _ in lengths])]
