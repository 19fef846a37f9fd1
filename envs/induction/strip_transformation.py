"""Strips of colours turned into others by a rule: ARC in one dimension, as Y. Xu et al. (2023).

All the steps that the rule may be made of are listed, and a task is fair only if every rule that
fits the examples makes the same of the new strips.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Self

from palaestra.generators.induction.hidden_programs import HiddenProgram
from palaestra.generators.induction.list_programs import Numbers, run
from palaestra.generators.induction.strip_transformation import StripStep, menu, strip
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.values import grid


class StripTransformation(HiddenProgram):
    """Find the rule that turns strips of colours into others from examples, and apply it."""

    class Knobs(HiddenProgram.Knobs):
        steps: int = ladder(1, 1, 2, 2, 3, 3, 4, high=4)
        menu: int = ladder(6, 10, 8, 12, 10, 13, 11, low=4, high=16)
        length: int = ladder(10, 12, 14, 16, 18, 20, 22, low=8, high=30)
        colours: int = ladder(3, 3, 3, 4, 4, 5, 5, low=2, high=9)
        examples: int = ladder(3, 3, 3, 3, 4, 4, 4, low=2, high=6)
        new: int = ladder(1, 1, 2, 2, 2, 2, 2, low=1, high=4)

    menu: tuple[StripStep, ...]
    program: tuple[StripStep, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        steps = menu(rng, knobs.menu, knobs.colours)
        number = knobs.examples + knobs.new
        strips = [strip(rng, knobs.length, knobs.colours) for _ in range(number)]
        return cls(
            menu=steps,
            program=tuple(rng.sample(steps, knobs.steps)),
            inputs=tuple(strips[: knobs.examples]),
            new=tuple(strips[knobs.examples :]),
        )

    @staticmethod
    def shown(numbers: Numbers) -> str:
        """A strip as it is written.

        >>> StripTransformation.shown((1, 0, 2))
        '102'
        """
        return "".join(map(str, numbers))

    def doubtful(self, outputs: Sequence[Numbers]) -> bool:
        """Whether a program much like the rule fits as well but is shorter, or says other things.

        That takes less time to find out than the search, which need not be made then.
        """
        number = len(self.inputs)
        for other in near(self.program, self.menu):
            if all(run(other, given) == out for given, out in zip(self.inputs, outputs)):
                made = [run(other, numbers) for numbers in self.new]
                if len(other) < len(self.program) or made != outputs[number:]:
                    return True
        return False

    def prompt(self) -> str:
        shown = self.shown
        examples = "\n".join(f"{shown(xs)} -> {shown(run(self.program, xs))}" for xs in self.inputs)
        new = "\n".join(map(shown, self.new))
        steps, made = self.steps_told(), self.size_told()
        setting = self.phrase(
            f"A hidden rule turns strips of colours 0 to 9 into others. It consists of {made}, "
            "taken from this list:",
            f"Each strip of colours 0 to 9 below was changed by the same rule. It is {made}, from "
            "this list:",
        )
        again = self.again_told(" ")
        wanted = "the new strip, as a line"
        if self.new[1:]:
            wanted = f"the {len(self.new)} new strips in order, as lines"
        return (
            f"{setting}\n\n{steps}\n\nA block is a longest possible run of cells of one colour "
            f"other than 0. {again}Each step takes the strip as the step before left it and "
            f"changes all its cells at the same time.\n\nExamples:\n{examples}\n\nWhat does the "
            f"rule make of this?\n{new}\n\nAll rules that fit the examples agree on it. Write "
            f"only {wanted} of {len(self.new[0])} digits."
        )

    def verify(self, answer: str) -> Score:
        rows = grid(answer, len(self.new), len(self.new[0]), "0123456789")
        right = [tuple(map(int, row)) == run(self.program, xs) for row, xs in zip(rows, self.new)]
        if all(right):
            return Score(1)
        return Score(0, f"strip {right.index(False) + 1} is wrong")

    def difficulty(self) -> float:
        return super().difficulty() * len(self.new[0])


def near(program: Sequence[StripStep], steps: Sequence[StripStep]) -> Iterator[list[StripStep]]:
    """A program without one of its steps, with two of them exchanged, or with one replaced."""
    for place in range(len(program)):
        before, after = program[:place], program[place + 1 :]
        yield [*before, *after]
        if after:
            yield [*before, after[0], program[place], *after[1:]]
        yield from ([*before, step, *after] for step in steps if step != program[place])
