"""The Chinese remainder theorem: "Sunzi Suanjing" (about 400), Qin Jiushao (1247)."""

from collections.abc import Iterable, Sequence
from math import gcd, lcm
from random import Random
from typing import Self

from palaestra.task import Puzzle, Score, Sentence, ladder
from palaestra.verifiers.reading.numbers import integer

Congruence = tuple[int, int, int]
"""The numbers a, r and m of a * x ≡ r (mod m)."""


class SimultaneousCongruences(Puzzle):
    """Find the smallest number with given remainders modulo several numbers."""

    tags = {"congruences", "number-theory", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        congruences: int = ladder(2, 2, 3, 3, 4, 5, 7, low=2, high=10)
        modulus: int = ladder(15, 30, 20, 40, 60, 99, 400, low=12, high=9999)
        shared: bool = ladder(False, False, False, False, True)  # moduli with common factors
        factor: int = ladder(1, 1, 1, 1, 1, 9, 40, low=1, high=999)

    congruences: tuple[Congruence, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        moduli: list[int] = []
        most = min(knobs.congruences, 2 + knobs.modulus // 12)  # few small moduli are independent
        for _ in range(500):
            modulus = rng.randint(4, knobs.modulus)
            if modulus not in moduli and (knobs.shared or gcd(modulus, lcm(*moduli)) == 1):
                moduli.append(modulus)
            if len(moduli) == most:
                break
        hidden = rng.randrange(lcm(*moduli))
        return cls(congruences=tuple(_congruence(rng, m, hidden, knobs.factor) for m in moduli))

    def is_valid(self) -> bool:
        moduli = [m for _, _, m in self.congruences]
        # No congruence is redundant, and the answer is not among the first numbers to try.
        return self.value() > 2 * max(moduli) and all(
            lcm(*(m for m in moduli if m != omitted)) < lcm(*moduli) for omitted in moduli
        )

    def canonical(self) -> str:
        return repr(sorted(self.congruences))

    def value(self) -> int:
        """The smallest solution, by adding one congruence at a time."""
        solution, step = 0, 1
        for a, r, m in self.congruences:
            remainder, shared = r * pow(a, -1, m) % m, gcd(step, m)
            times = (remainder - solution) // shared * pow(step // shared, -1, m // shared)
            solution, step = (solution + step * times) % lcm(step, m), lcm(step, m)
        return solution

    def sentences(self) -> Sequence[Sentence]:
        return [
            Sentence(
                f"{'x' if a == 1 else f'{a} * x'} leaves the remainder {r} when divided by {m}"
            )
            for a, r, m in self.congruences
        ]

    def prompt(self) -> str:
        lines = "\n".join(sentence.text for sentence in self.sentences())
        ask = self.phrase(
            "Find the smallest whole number x, not less than 0, for which all of these statements "
            "hold:",
            "Which is the smallest whole number x, 0 or more, such that all of these statements "
            "are true?",
        )
        return f"{ask}\n\n{lines}\n\nSuch a number exists. Give x alone, such as '17'."

    def answer(self) -> str:
        return str(self.value())

    def verify(self, answer: str) -> Score:
        x = integer(answer)
        if x < 0:
            return Score(0, "the number is less than 0")
        for a, r, m in self.congruences:
            if a * x % m != r:
                return Score(0, f"the remainder modulo {m} is wrong")
        smallest = x < lcm(*(m for _, _, m in self.congruences))
        return Score(1) if smallest else Score(0, "there is a smaller solution")

    def difficulty(self) -> float:
        """An estimate of the steps of Euclid's algorithm, from the sizes of the moduli."""
        return sum(len(bin(m)) * (1 if a == 1 else 2) for a, _, m in self.congruences)

    def random_baseline(self) -> float:
        return 1 / lcm(*(m for _, _, m in self.congruences))

    def shortcuts(self) -> Iterable[str]:
        yield str(lcm(*(m for _, _, m in self.congruences)) - 1)
        yield str(sum(r for _, r, _ in self.congruences))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(congruences=2, modulus=12)

    def candidates(self) -> Iterable[str]:
        return map(str, range(2 * lcm(*(m for _, _, m in self.congruences))))


def _congruence(rng: Random, modulus: int, x: int, largest: int) -> Congruence:
    units = [a for a in range(2, min(largest, modulus - 1) + 1) if gcd(a, modulus) == 1]
    a = rng.choice(units) if units else 1
    return a, a * x % modulus, modulus
