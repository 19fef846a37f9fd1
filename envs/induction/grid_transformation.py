"""Grids turned into grids by a rule shown by examples, after F. Chollet's ARC (2019).

The prompt lists all the steps that the rule may consist of, and a task is valid only if every rule
that fits the examples gives the same result for the new grid.
"""

from collections.abc import Sequence
from math import isqrt
from random import Random

from palaestra.generators.induction.grid_transformation import GridStep, menu, square
from palaestra.generators.induction.hidden_rules import HiddenProgram
from palaestra.generators.induction.list_programs import Numbers, run
from palaestra.generators.induction.pictures import UNKNOWN, colours
from palaestra.scenes import Cell, Grid, Panels
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.grids import grid


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
    def random_menu(cls, rng: Random, knobs: Knobs) -> tuple[GridStep, ...]:
        return menu(rng, knobs.menu, knobs.colours)

    @classmethod
    def random_cases(cls, rng: Random, knobs: Knobs) -> list[Numbers]:
        return [square(rng, knobs.size, knobs.colours) for _ in range(knobs.examples + 1)]

    @staticmethod
    def case_text(numbers: Numbers) -> str:
        r"""A square as lines of digits.

        >>> GridTransformation.case_text((1, 2, 3, 4))
        '12\n34'
        """
        size = isqrt(len(numbers))
        row = "".join(map(str, numbers))
        return "\n".join(row[n : n + size] for n in range(0, len(row), size))

    def prompt(self) -> str:
        text = self.case_text
        examples = "\n\n".join(
            f"Example {n}:\n{text(numbers)}\nbecomes\n{text(run(self.program, numbers))}"
            for n, numbers in enumerate(self.inputs, 1)
        )
        side, size = isqrt(len(self.new[0])), self.size_text()
        setting = self.phrase(
            f"A hidden rule turns grids of colours 0 to 9 into others. It consists of {size}, "
            "taken from this list:",
            f"Each grid of colours 0 to 9 below was changed by the same rule. It is {size}, from "
            "this list:",
        )
        order = self.order_text(" ")
        return (
            f"{setting}\n\n{self.menu_text()}\n\n{order}Each step takes the grid as the step "
            f"before left it and changes all its cells at the same time.\n\n{examples}\n\nWhat "
            f"does the rule make of this grid?\n{text(self.new[0])}\n\nAll rules that fit the "
            f"examples agree on it. Write only the new grid, in {side} lines of {side} digits. "
            f"A line looks like '{('3021' * side)[:side]}'."
        )

    def scene(self) -> Panels:
        return self.pictured(None)

    def solved_scene(self, answer: str) -> Panels:
        return self.pictured(self.read(answer)[0])

    def pictured(self, result: Sequence[int] | None) -> Panels:
        """The examples and the new grid, each beside what becomes of it."""
        scenes, captions = list[Grid](), list[str]()
        for n, (before, after) in enumerate(self.examples(), 1):
            scenes += [board(colours(before)), board(colours(after))]
            captions += [f"Example {n}", "becomes"]
        (new,) = self.new
        cells = [UNKNOWN] * len(new) if result is None else colours(result)
        scenes += [board(colours(new)), board(cells)]
        return Panels(tuple(scenes), (*captions, "New grid", "becomes"), columns=4)

    def read(self, answer: str) -> list[list[int]]:
        side = isqrt(len(self.new[0]))
        return [[int(cell) for row in grid(answer, side, side, "0123456789") for cell in row]]

    def verify(self, answer: str) -> Score:
        (cells,), (result,) = self.read(answer), self.results()
        wrong = sum(a != b for a, b in zip(cells, result))
        return Score(0, f"{wrong} of the cells are wrong") if wrong else Score(1)

    def difficulty(self) -> float:
        return super().difficulty() * len(self.new[0])


def board(cells: Sequence[Cell]) -> Grid:
    """Cells as a square."""
    size = isqrt(len(cells))
    return Grid(tuple(tuple(cells[n : n + size]) for n in range(0, len(cells), size)))
