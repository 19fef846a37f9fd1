"""Exact inference for probabilistic programs: Andrew Gordon et al. (2014)."""

import re
from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Literal, Self

from palaestra.generators.probability.probabilistic_program import (
    Program,
    Shape,
    as_text,
    iterated,
    meaning,
    random_program,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import matched, pairs
from palaestra.verifiers.reading.probabilities import probability
from palaestra.verifiers.reading.stated_values import stated
from palaestra.verifiers.reading.values import joined

Chances = tuple[Fraction, ...]

RULES = (
    "flip(p) returns 1 with probability p and 0 otherwise. uniform(n) returns each of the numbers "
    "0 to n - 1 with the same probability. All calls are independent. All variables are 0 at first."
)
OBSERVE = (
    " A run in which the condition of an observe(...) is false is discarded: all probabilities are "
    "those under the condition that no observe(...) fails."
)
CLOSE = 1e-9
"""The greatest difference from an iterated probability."""

_LABEL = re.compile(
    r"(^|[,;{\n])([ \t*\u2022-]{0,8}\"?)(?:\\?(?:P|Pr|Prob)\s?\(\s?(?:[a-z]{1,12}\s?=\s?)?(\d)\s?\)"
    r"|(?:value|result|return|returns|output)[ \t]?=?[ \t]?(?=(\d)))",
    re.IGNORECASE,
)
"""Ways to say which value a line is about, besides its number."""

LONGEST = 12
"""The most digits of a denominator."""


class ProbabilisticProgram(Puzzle):
    """Find the exact probability of each value that a program with random choices returns."""

    tags = {"probability", "fractions", "programs", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        variables: int = ladder(2, 2, 2, 2, 2, 3, 3, low=2, high=4)
        statements: int = ladder(1, 2, 3, 3, 3, 4, 6, high=8)
        loop: Literal["none", "repeat", "while", "any"] = ladder(
            "none", "none", "none", "repeat", "while", "any", "while"
        )
        observations: int = ladder(0, 0, 1, 0, 0, 1, 2)

    program: Program
    variables: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        shape = Shape(knobs.variables, knobs.statements, knobs.loop, knobs.observations)
        return cls(program=random_program(rng, shape), variables=knobs.variables)

    def is_valid(self) -> bool:
        """Whether the law differs from those of simpler programs, and all values are possible."""
        law = meaning(self.program, self.variables)
        if law is None:
            return False
        chances = law.chances
        most = max(chance.denominator for chance in chances)
        if not all(chances) or len({*chances}) < 2 or not 20 < most < 10**LONGEST:
            return False
        operations = {line.operation for line in self.program}
        if "observe" in operations and self.simplified(observing=False) == chances:
            return False
        loops = operations & {"repeat", "while", "while flip"}
        return not loops or self.simplified(looping=False) != chances

    def simplified(self, observing: bool = True, looping: bool = True) -> Chances:
        """The law with the conditions ignored, or with loops of at most one round; the uniform
        law if there is none.
        """
        law = meaning(self.program, self.variables, observing, looping)
        number = self.program[-1].numbers[-1]
        return law.chances if law else (Fraction(1, number),) * number

    def chances(self) -> Chances:
        """The probabilities of the values 0, 1, ..."""
        return self.simplified()

    def prompt(self) -> str:
        values = joined(range(len(self.chances())))
        observed = any(line.operation == "observe" for line in self.program)
        rules = RULES + OBSERVE * observed
        code = f"```python\n{as_text(self.program)}\n```"
        question = self.phrase(
            f"This program makes random choices:\n\n{code}\n\n{rules}\n\nIt returns one of the "
            f"values {values}. Find the probability of each.",
            f"{rules} With what probability does the following program return each of the values "
            f"{values}?\n\n{code}\n\n",
        ).strip()
        example = [Fraction(n, 7) for n in ((2, 4, 1) if values == "0, 1, 2" else (2, 1, 3, 1))]
        return (
            f"{question}\n\nAnswer with a line for each of these values, which states its exact "
            f"probability as a fraction, such as:\n{as_lines(tuple(example))}"
        )

    def answer(self) -> str:
        return as_lines(self.chances())

    def verify(self, answer: str) -> Score:
        return matched(self.read(answer), dict(enumerate(self.chances())))

    def read(self, answer: str) -> dict[int, Fraction]:
        """The probability that an answer states for each value."""
        names = [str(n) for n in range(self.program[-1].numbers[-1])]
        values = pairs(_LABEL.sub(r"\1\2\3", answer), names)
        return {int(name): probability(stated(text)) for name, text in values.items()}

    def audit(self, answer: str) -> bool:
        """Iterate the loops in floating-point numbers until nearly nothing is left in them."""
        close = iterated(self.program, self.variables)
        return all(abs(value - close[n]) < CLOSE for n, value in self.read(answer).items())

    def difficulty(self) -> float:
        """How many states the statements are executed in, and coefficients of equations."""
        law = meaning(self.program, self.variables)
        assert law is not None, "a valid program has a law"
        return float(law.work)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who guess the uniform law, ignore conditions, or go through loops once."""
        number = len(self.chances())
        operations = {line.operation for line in self.program}
        players = {"uniform": (Fraction(1, number),) * number}
        if "observe" in operations:
            players["conditions ignored"] = self.simplified(observing=False)
        if operations & {"repeat", "while", "while flip"}:
            players["one round"] = self.simplified(looping=False)
        return {name: as_lines(chances) for name, chances in players.items()}


def as_lines(chances: Chances) -> str:
    """An answer."""
    return "\n".join(f"{value}: {chance}" for value, chance in enumerate(chances))
