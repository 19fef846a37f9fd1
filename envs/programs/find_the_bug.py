"""Debugging: programs with one slip, of the kinds that R. DeMillo, R. Lipton and F. Sayward tested
tests with, "Hints on test data selection: help for the practicing programmer" (1978).
"""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Self

from palaestra.generators.programs.find_the_bug import bugged
from palaestra.generators.programs.mini_python.draw import program
from palaestra.generators.programs.mini_python.english import (
    bounds,
    listing,
    nameless,
    numbered_line,
    shortened,
)
from palaestra.generators.programs.mini_python.mutate import TOLD, slips
from palaestra.generators.programs.mini_python.parameters import Signature
from palaestra.generators.programs.mini_python.players import random_slips
from palaestra.generators.programs.mini_python.rewriting import replaced
from palaestra.generators.programs.mini_python.run import Program, compiled
from palaestra.generators.programs.mini_python.trials import (
    Trial,
    battery,
    confirmed,
    first_failure,
    killer,
)
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder

KINDS = "\n".join(f"- {change}" for change in TOLD)


class FindTheBug(Puzzle):
    """Find the line of a Python function that is wrong, and correct it."""

    version = 3
    tags = {"debugging", "code"}
    answer_type = "code"

    class Knobs(Puzzle.Knobs):
        idioms: int = ladder(1, 1, 1, 2, 2, 3, 5, low=1, high=6)  # loops one after another
        tier: int = ladder(0, 1, 2, 1, 2, 3, 3)  # 1 with branches, 2 with nesting, 3 with recursion
        length: int = ladder(4, 5, 5, 6, 6, 7, 8, high=10)  # of the lists and strings it is given
        outputs_shown: bool = ladder(
            True, True, True, True, False, False, False
        )  # what it returns instead

    source: str
    name: str
    signature: Signature
    line: int
    right: str
    examples: tuple[Trial, ...]
    outputs_shown: bool

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        while True:
            function = program(rng, knobs.idioms, knobs.tier, knobs.length)
            bug = bugged(rng, function)
            if bug is not None:
                break
        return cls(
            source=bug.source, name=function.name, signature=function.signature, line=bug.line,
            right=bug.right, examples=bug.examples, outputs_shown=knobs.outputs_shown,
        )  # fmt: skip

    def canonical(self) -> str:
        return nameless(f"{self.source}\n{self.line}: {self.right}")

    def reference(self) -> str:
        """The program as it should be."""
        return replaced(self.source, self.line, self.right)

    def prompt(self) -> str:
        ask = self.phrase(
            "One line of this Python program contains a mistake.",
            "This Python program contains a single mistake.",
        )
        return (
            f"{ask} The lines are numbered.\n\n{listing(self.source)}\n\nThe mistake is of one of "
            f"these types:\n{KINDS}\n\nThis is what the program should return:\n{self._shown()}\n\n"
            "Correct the line, so that the program returns the right value for these and for all "
            f"other arguments within these bounds:\n{bounds(self.signature)}\n\nWrite the number "
            "of the line, a colon, and the whole corrected line, such as '14: steps = []'. All "
            "other lines stay as they are, and so does the indentation of the line."
        )

    def _shown(self) -> str:
        running = compiled(self.source)
        lines = []
        for trial in self.examples:
            now = running.call(trial.call).shown
            instead = (
                f"   (now it returns {now})" if self.outputs_shown and now != trial.shown else ""
            )
            lines.append(f"{trial.call} -> {trial.shown}{instead}")
        return "\n".join(lines)

    def answer(self) -> str:
        """The first slip that undoes the slip, by all the examples."""
        running = Program(self.source)
        rivals = (slip for slip in slips(self.source) if not killer(running, slip, self.examples))
        first = next(rivals)
        return f"{first.line}: {first.text}"

    def verify(self, answer: str) -> Score:
        running = compiled(self.repaired(answer))
        if failing := first_failure(running, self.examples):
            result = shortened(running.call(failing.call).shown)
            return Score(0, f"{failing.call} still gives {result}")
        if first_failure(running, battery(self.reference(), self.name, self.signature)):
            return Score(0, "the examples are right, but not all other inputs")
        return Score(1)

    def repaired(self, answer: str) -> str:
        """The program with the line that is answered."""
        number, text = numbered_line(answer)
        if not 1 <= number <= self.source.count("\n") + 1:
            raise InvalidAnswer(f"line {number} does not exist")
        return replaced(self.source, number, text)

    def audit(self, answer: str) -> bool:
        return confirmed(self.repaired(answer), self.reference(), self.name, self.signature)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who undo one of the slips that are possible, whatever the examples show."""
        slips_ = random_slips(self.source, rng)
        return {name: f"{slip.line}: {slip.text}" for name, slip in slips_.items()}

    def difficulty(self) -> float:
        return len(slips(self.source)) * sum(trial.steps for trial in self.examples) / 100

    def random_baseline(self) -> float:
        """That of one of the slips, taken at random."""
        return 1 / len(slips(self.source))

    def shortcuts(self) -> Iterable[str]:
        """Each line left out."""
        for number, _ in enumerate(self.source.split("\n"), 1):
            yield f"{number}: pass"
