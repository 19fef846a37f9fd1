"""List functions: rules shown by examples, after J. Rule, "The child as hacker" (2020).

Examples alone never settle a rule. The prompt lists all the steps that the rule may consist of, and
a task is valid only if every rule that fits the examples gives the same outputs for the new lists.
"""

from collections.abc import Sequence
from random import Random

from palaestra.generators.induction.hidden_rules import HiddenProgram
from palaestra.generators.induction.list_programs import Numbers, Step, menu, run
from palaestra.generators.induction.pictures import examples
from palaestra.generators.tiles import entered, tiles
from palaestra.scenes import Grid
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.reading.matrices import lists_of_integers
from palaestra.verifiers.reading.values import joined


class ListFunctions(HiddenProgram):
    """Find the rule that turns lists into lists from examples, and apply it to new lists."""

    class Knobs(HiddenProgram.Knobs):
        steps: int = ladder(1, 2, 2, 3, 3, 4, 4)
        menu: int = ladder(6, 6, 10, 8, 12, 10, 14, high=16)
        examples: int = ladder(3, 3, 3, 4, 4, 4, 4, low=2, high=6)
        length: int = ladder(5, 5, 6, 6, 7, 8, 8, high=10)
        new: int = ladder(2, 2, 3, 3, 3, 3, 3, low=1, high=4)

    @classmethod
    def random_menu(cls, rng: Random, knobs: Knobs) -> tuple[Step, ...]:
        return menu(rng, knobs.menu)

    @classmethod
    def random_cases(cls, rng: Random, knobs: Knobs) -> list[Numbers]:
        return [
            tuple(rng.randrange(10) for _ in range(knobs.length + rng.randrange(3)))
            for _ in range(knobs.examples + knobs.new)
        ]

    @staticmethod
    def case_text(numbers: Numbers) -> str:
        """A list as text.

        >>> ListFunctions.case_text((1, 2))
        '[1, 2]'
        """
        return f"[{joined(numbers)}]"

    def is_refuted(self, outputs: Sequence[Numbers]) -> bool:
        return min(map(len, outputs)) < 2

    def prompt(self) -> str:
        text = self.case_text
        examples = "\n".join(f"{text(xs)} -> {text(run(self.program, xs))}" for xs in self.inputs)
        new = "\n".join(f"{n}. {text(numbers)}" for n, numbers in enumerate(self.new, 1))
        size = self.size_text()
        setting = self.phrase(
            f"A hidden rule turns lists of whole numbers into lists. It consists of {size}, taken "
            "from this list:",
            f"Each list below was changed by the same rule. The rule is {size}, taken from these:",
        )
        order = self.order_text("\n")
        return (
            f"{setting}\n\n{self.menu_text()}\n\n{order}Examples:\n{examples}\n\nWhat does the "
            f"rule make of these lists?\n{new}\n\nAll rules that fit the examples agree on this. "
            f"Write only the outputs, one line for each list in order, such as '[4, 0, 7]'."
        )

    def scene(self) -> Grid:
        return self.pictured([])

    def solved_scene(self, answer: str) -> Grid:
        return self.pictured(self.read(answer))

    def pictured(self, results: Sequence[Sequence[int]]) -> Grid:
        """The examples and the new lists, with results if there are any."""
        return examples(self.examples(), self.new, results, tiles, entered)

    def read(self, answer: str) -> list[list[int]]:
        rows = lists_of_integers(answer, [self.case_text(numbers) for numbers in self.new])
        if len(rows) != len(self.new):
            raise InvalidAnswer(f"not one list on each of {len(self.new)} lines")
        return rows
