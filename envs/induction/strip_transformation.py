"""Strips of colours turned into others by a rule: ARC in one dimension, as Y. Xu et al. (2023).

The prompt lists all the steps that the rule may consist of, and a task is valid only if every rule
that fits the examples gives the same results for the new strips.
"""

from collections.abc import Iterator, Sequence
from random import Random

from palaestra.generators.induction.hidden_rules import HiddenProgram
from palaestra.generators.induction.list_programs import Numbers, run
from palaestra.generators.induction.pictures import colours, examples
from palaestra.generators.induction.strip_transformation import StripStep, menu, strip
from palaestra.scenes import Grid
from palaestra.task import ladder
from palaestra.verifiers.reading.grids import grid


class StripTransformation(HiddenProgram):
    """Find the rule that turns strips of colours into others from examples, and apply it."""

    unit = "strip"
    answer_type = "digits"

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
    def random_menu(cls, rng: Random, knobs: Knobs) -> tuple[StripStep, ...]:
        return menu(rng, knobs.menu, knobs.colours)

    @classmethod
    def random_cases(cls, rng: Random, knobs: Knobs) -> list[Numbers]:
        number = knobs.examples + knobs.new
        return [strip(rng, knobs.length, knobs.colours) for _ in range(number)]

    @staticmethod
    def case_text(numbers: Numbers) -> str:
        """A strip as text.

        >>> StripTransformation.case_text((1, 0, 2))
        '102'
        """
        return "".join(map(str, numbers))

    def is_refuted(self, outputs: Sequence[Numbers]) -> bool:
        """Whether a similar program fits as well, and is shorter or gives other results."""
        number = len(self.inputs)
        for other in similar(self.program, self.menu):
            if all(run(other, numbers) == out for numbers, out in zip(self.inputs, outputs)):
                results = [run(other, numbers) for numbers in self.new]
                if len(other) < len(self.program) or results != outputs[number:]:
                    return True
        return False

    def prompt(self) -> str:
        text = self.case_text
        examples = "\n".join(f"{text(xs)} -> {text(run(self.program, xs))}" for xs in self.inputs)
        new = "\n".join(map(text, self.new))
        size = self.size_text()
        setting = self.phrase(
            f"A hidden rule turns strips of colours 0 to 9 into others. It consists of {size}, "
            "taken from this list:",
            f"Each strip of colours 0 to 9 below was changed by the same rule. It is {size}, from "
            "this list:",
        )
        order, cells = self.order_text(" "), len(self.new[0])
        wanted = "the new strip, as a line"
        if self.new[1:]:
            wanted = f"the {len(self.new)} new strips in order, as lines"
        return (
            f"{setting}\n\n{self.menu_text()}\n\nA block is a longest possible run of cells of one "
            f"colour other than 0. {order}Each step takes the strip as the step before left it and "
            f"changes all its cells at the same time.\n\nExamples:\n{examples}\n\nWhat does the "
            f"rule make of this?\n{new}\n\nAll rules that fit the examples agree on it. Write "
            f"only {wanted} of {cells} digits, such as '{('3021' * cells)[:cells]}'."
        )

    def scene(self) -> Grid:
        return self.pictured([])

    def solved_scene(self, answer: str) -> Grid:
        return self.pictured(self.read(answer))

    def pictured(self, results: Sequence[Sequence[int]]) -> Grid:
        """The examples and the new strips, with results if there are any."""
        return examples(self.examples(), self.new, results, colours, colours)

    def read(self, answer: str) -> list[list[int]]:
        rows = grid(answer, len(self.new), len(self.new[0]), "0123456789")
        return [list(map(int, row)) for row in rows]

    def difficulty(self) -> float:
        return super().difficulty() * len(self.new[0])


def similar(program: Sequence[StripStep], steps: Sequence[StripStep]) -> Iterator[list[StripStep]]:
    """A program without one of its steps, with two of them exchanged, or with one replaced."""
    for n, step in enumerate(program):
        before, after = program[:n], program[n + 1 :]
        yield [*before, *after]
        if after:
            yield [*before, after[0], step, *after[1:]]
        yield from ([*before, other, *after] for other in steps if other != step)
