"""Grids turned into grids by a rule shown by examples, after F. Chollet's ARC (2019).

Here all the steps that the rule may be made of are listed, and a task is fair only if every rule
that fits the examples makes the same of the new grid.
"""

from math import isqrt
from random import Random
from typing import Self

from palaestra.generators.induction.grid_transformation import GridStep, menu, square
from palaestra.generators.induction.hidden_programs import HiddenProgram
from palaestra.generators.induction.list_programs import Numbers, run
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.values import grid


class GridTransformation(HiddenProgram):
    """Find the rule that turns grids of colours into others from examples, and apply it."""

    version = 2
    tags = HiddenProgram.tags | {"grid"}

    class Knobs(HiddenProgram.Knobs):
        steps: int = ladder(1, 1, 2, 2, 2, 3, 3, high=3)
        menu: int = ladder(6, 10, 8, 11, 14, 9, 12, low=4, high=16)
        size: int = ladder(4, 4, 5, 5, 6, 6, 7, low=3, high=9)
        colours: int = ladder(3, 3, 4, 4, 5, 5, 6, low=3, high=9)
        examples: int = ladder(3, 3, 3, 3, 3, 3, 3, low=1, high=5)

    menu: tuple[GridStep, ...]
    program: tuple[GridStep, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        steps = menu(rng, knobs.menu, knobs.colours)
        squares = [square(rng, knobs.size, knobs.colours) for _ in range(knobs.examples + 1)]
        program = tuple(rng.sample(steps, knobs.steps))
        return cls(menu=steps, program=program, inputs=tuple(squares[:-1]), new=(squares[-1],))

    @staticmethod
    def shown(numbers: Numbers) -> str:
        r"""A square in lines.

        >>> GridTransformation.shown((1, 2, 3, 4))
        '12\n34'
        """
        size = isqrt(len(numbers))
        row = "".join(map(str, numbers))
        return "\n".join(row[n : n + size] for n in range(0, len(row), size))

    def prompt(self) -> str:
        shown = self.shown
        examples = "\n\n".join(
            f"Example {n}:\n{shown(numbers)}\nbecomes\n{shown(run(self.program, numbers))}"
            for n, numbers in enumerate(self.inputs, 1)
        )
        size = isqrt(len(self.new[0]))
        steps, made = self.steps_told(), self.size_told()
        setting = self.phrase(
            f"A hidden rule turns grids of colours 0 to 9 into others. It consists of {made}, "
            "taken from this list:",
            f"Each grid of colours 0 to 9 below was changed by the same rule. It is {made}, from "
            "this list:",
        )
        again = self.again_told(" ")
        return (
            f"{setting}\n\n{steps}\n\n{again}Each step takes the grid as the step before left it "
            f"and changes all its cells at the same time.\n\n{examples}\n\nWhat does the rule make "
            f"of this grid?\n{shown(self.new[0])}\n\nAll rules that fit the examples agree on it. "
            f"Write only the new grid, in {size} lines of {size} digits."
        )

    def verify(self, answer: str) -> Score:
        (new,) = self.new
        size = isqrt(len(new))
        squares = [int(cell) for row in grid(answer, size, size, "0123456789") for cell in row]
        wrong = sum(a != b for a, b in zip(squares, run(self.program, new)))
        return Score(0, f"{wrong} of the cells are wrong") if wrong else Score(1)

    def difficulty(self) -> float:
        return super().difficulty() * len(self.new[0])
