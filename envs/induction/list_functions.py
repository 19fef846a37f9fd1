"""List functions: rules shown by examples, after J. Rule, "The child as hacker" (2020).

Examples alone never settle a rule. Here all the steps that it may be made of are listed, and a
task is fair only if every rule that fits the examples gives the same outputs for the new lists.
"""

from collections.abc import Sequence
from random import Random
from typing import Self

from palaestra.generators.induction.hidden_programs import HiddenProgram
from palaestra.generators.induction.list_programs import Numbers, menu, run
from palaestra.task import InvalidAnswer, Score, ladder
from palaestra.verifiers.certificates import steps
from palaestra.verifiers.reading.values import joined, rows_of_integers


class ListFunctions(HiddenProgram):
    """Find the rule that turns lists into lists from examples, and apply it to new lists."""

    class Knobs(HiddenProgram.Knobs):
        steps: int = ladder(1, 2, 2, 3, 3, 4, 4)
        menu: int = ladder(6, 6, 10, 8, 12, 10, 14, high=16)
        examples: int = ladder(3, 3, 3, 4, 4, 4, 4, low=2, high=6)
        length: int = ladder(5, 5, 6, 6, 7, 8, 8, high=10)
        new: int = ladder(2, 2, 3, 3, 3, 3, 3, low=1, high=4)

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        steps = menu(rng, knobs.menu)
        lists = [
            tuple(rng.randrange(10) for _ in range(knobs.length + rng.randrange(3)))
            for _ in range(knobs.examples + knobs.new)
        ]
        return cls(
            menu=steps,
            program=tuple(rng.sample(steps, knobs.steps)),
            inputs=tuple(lists[: knobs.examples]),
            new=tuple(lists[knobs.examples :]),
        )

    @staticmethod
    def shown(numbers: Numbers) -> str:
        """A list as it is written.

        >>> ListFunctions.shown((1, 2))
        '[1, 2]'
        """
        return f"[{joined(numbers)}]"

    def doubtful(self, outputs: Sequence[Numbers]) -> bool:
        return min(map(len, outputs)) < 2

    def prompt(self) -> str:
        shown = self.shown
        examples = "\n".join(f"{shown(xs)} -> {shown(run(self.program, xs))}" for xs in self.inputs)
        new = "\n".join(f"{n}. {shown(numbers)}" for n, numbers in enumerate(self.new, 1))
        steps, made = self.steps_told(), self.size_told()
        setting = self.phrase(
            f"A hidden rule turns lists of whole numbers into lists. It consists of {made}, taken "
            "from this list:",
            f"Each list below was changed by the same rule. The rule is {made}, taken from these:",
        )
        again = self.again_told("\n")
        return (
            f"{setting}\n\n{steps}\n\n{again}Examples:\n{examples}\n\nWhat does the rule make of "
            f"these lists?\n{new}\n\nAll rules that fit the examples agree on this. Write only the "
            f"outputs, one line for each list in order, such as '[4, 0, 7]'."
        )

    def verify(self, answer: str) -> Score:
        rows = rows_of_integers("\n".join(steps(answer)))
        if len(rows) != len(self.new):
            raise InvalidAnswer(f"not one list on each of {len(self.new)} lines")
        right = [tuple(row) == run(self.program, xs) for row, xs in zip(rows, self.new)]
        parts = {f"output {n}": float(fits) for n, fits in enumerate(right, 1)}
        if all(right):
            return Score(1, parts=parts)
        return Score(0, f"output {right.index(False) + 1} is wrong", parts)
