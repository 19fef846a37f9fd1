"""Programs for stories with an input and an output, as in the problems of the International
Collegiate Programming Contest (since 1970); their algorithms are classics.
"""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Self

from palaestra.generators.programs.stdin_story.inputs import others, sufficient
from palaestra.generators.programs.stdin_story.stories import (
    Numbers,
    example,
    random_story,
    short_cases,
    solution,
    story,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.programs.judging import graded_io, whole_program
from palaestra.verifiers.sandbox import Limits

SHORTEST_S, ITEMS_PER_S = 0.5, 10_000
"""The processor time of a program, in seconds, is at least the first, and a second for so many
items: ten times what the solutions need.
"""


class StdinStory(Puzzle):
    """Write a Python program that reads a story's input and prints what it asks for."""

    version = 3
    tags = {"sandboxed", "code", "algorithms"}
    hidden = {"seed"}
    verbatim = True
    expensive = True

    class Knobs(Puzzle.Knobs):
        tier: int = ladder(1, 1, 2, 2, 3, 3)  # of the algorithm
        size: int = ladder(30, 300, 1_000, 3_000, 15_000, 20_000, low=10)  # of the longest input

    family: str
    numbers: Numbers
    size: int
    seed: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        family, numbers = random_story(rng, knobs.tier)
        return cls(family=family, numbers=numbers, size=knobs.size, seed=rng.randrange(2**32))

    def is_valid(self) -> bool:
        """No answer is right more often than not; on short inputs, that is told soon."""
        small = [wanted for _, wanted in short_cases(self.family, self.numbers, self.seed)]
        return max(map(small.count, small)) <= len(small) // 2

    def cases(self) -> tuple[tuple[str, str], ...]:
        """The hidden inputs, with what is wanted."""
        return sufficient(self.family, self.numbers, self.seed, self.size)

    def limits(self) -> Limits:
        """Limits of the program for each input."""
        cpu_s = max(SHORTEST_S, self.size / ITEMS_PER_S)
        return Limits(cpu_s=cpu_s, sleep_s=0.3, memory_mb=256)

    def canonical(self) -> str:
        return repr((self.family, self.numbers))

    def prompt(self) -> str:
        stdin, wanted = example(self.family, self.numbers)
        ask = self.phrase(
            "Write a Python program that reads from standard input and prints to standard output.",
            "Write a Python program that solves this problem. It reads from standard input and "
            "prints to standard output.",
        )
        return (
            f"{ask}\n\n{story(self.family, self.numbers, self.wording // 2)}\n\nFor the input\n\n"
            f"{stdin.strip()}\n\nthe output is\n\n{wanted}\n\nAn input has up to about "
            f"{self.size} items, and the program has {self.limits().cpu_s:g} seconds of processor "
            "time for each input. Answer with the program. Only Python's standard library is "
            "available."
        )

    def answer(self) -> str:
        return solution(self.family, self.numbers)

    def verify(self, answer: str) -> Score:
        return graded_io(whole_program(answer), self.cases(), self.limits())

    def audit(self, answer: str) -> bool:
        """Whether it stands other inputs, drawn in another way."""
        tests = others(self.family, self.numbers, self.seed, 30)
        return graded_io(whole_program(answer), tests, self.limits()).correct

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who print the output of the example, or one figure of the numbers."""
        read = (
            "import sys\n\nwords = sys.stdin.read().split()\n"
            "xs = [int(word) for word in words if word.lstrip('-').isdigit()]"
        )
        figures = {
            "sum": "sum(xs)",
            "sum without the first number": "sum(xs[1:])",
            "greatest number": "max(xs)",
            "least number": "min(xs)",
            "number of items": "len(xs) - 1",
            "last number": "xs[-1]",
            "distinct numbers": "len(set(xs[1:]))",
            "numbers in order": "*sorted(xs[1:])",
        }
        _, shown = example(self.family, self.numbers)
        return {
            "output of the example": f"{read}\nprint({shown!r})",
            "input": "print(open(0).read())",
            **{name: f"{read}\nprint({figure})" for name, figure in figures.items()},
        }

    def difficulty(self) -> float:
        """The length of a solution, and how many doublings the inputs are long."""
        lines = solution(self.family, self.numbers).count("\n")
        return float(lines * self.size.bit_length())

    def shortcuts(self) -> Iterable[str]:
        yield "print(input())"
        yield "n = input()\nprint(0)"
        yield "n = input()\nprint(0, 0)"
        yield "import sys\nsys.stdin.read()\nsys.exit(0)"
