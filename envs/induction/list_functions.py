"""List functions: rules shown by examples, after J. Rule, "The child as hacker" (2020).

Examples alone never settle a rule. Here all the steps that it may be made of are listed, and a
task is fair only if every rule that fits the examples gives the same outputs for the new lists.
"""

from collections.abc import Iterable
from random import Random
from typing import Self

from palaestra.generators.list_programs import Numbers, Search, Step, fitting, menu, run
from palaestra.task import Puzzle, Score, Unreadable, ladder
from palaestra.verifiers.certificates import steps
from palaestra.verifiers.reading import joined, rows_of_integers


class ListFunctions(Puzzle):
    """Find the rule that turns lists into lists from examples, and apply it to new lists."""

    tags = {"induction", "program-synthesis", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        steps: int = ladder(1, 2, 2, 3, 3, 4, 4)
        menu: int = ladder(6, 6, 10, 8, 12, 10, 14, high=16)
        examples: int = ladder(3, 3, 3, 4, 4, 4, 4, low=2, high=6)
        length: int = ladder(5, 5, 6, 6, 7, 8, 8, high=10)
        new: int = ladder(2, 2, 3, 3, 3, 3, 3, low=1, high=4)

    menu: tuple[Step, ...]
    program: tuple[Step, ...]
    inputs: tuple[Numbers, ...]
    new: tuple[Numbers, ...]

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

    def fair(self) -> bool:
        outputs = [run(self.program, numbers) for numbers in (*self.inputs, *self.new)]
        # Outputs that tell nothing, and steps that do nothing, make a dull rule.
        if len(set(outputs)) < len(outputs) or min(map(len, outputs)) < 2:
            return False
        if any(given == made for given, made in zip((*self.inputs, *self.new), outputs)):
            return False
        made = outputs[len(self.inputs) :]
        if len(self.program) > 1 and any(
            [step.applied(numbers) for numbers in self.new] == made for step in self.menu
        ):
            return False  # one step alone would do for the new lists
        found = self.search()
        return len(found.outcomes) == 1 and found.shortest == len(self.program)

    def search(self) -> Search:
        """What all the programs that fit the examples make of the new lists."""
        examples = tuple((numbers, run(self.program, numbers)) for numbers in self.inputs)
        return fitting(self.menu, len(self.program), examples, self.new)

    def canonical(self) -> str:
        seen = sorted((given, run(self.program, given)) for given in self.inputs)
        return repr((self.menu, len(self.program), seen, sorted(self.new)))

    def prompt(self) -> str:
        steps = "\n".join(f"- {step.told()}" for step in self.menu)
        examples = "\n".join(f"{shown(xs)} -> {shown(run(self.program, xs))}" for xs in self.inputs)
        new = "\n".join(f"{n}. {shown(numbers)}" for n, numbers in enumerate(self.new, 1))
        most = len(self.program)
        made = "one step" if most == 1 else f"at most {most} steps, one after another"
        setting = self.phrase(
            f"A hidden rule turns lists of whole numbers into lists. It is made of {made}, out of "
            "these:",
            f"Each list below was changed by the same rule. The rule is {made}, taken from these:",
        )
        again = "" if most == 1 else "\nA step may be used more than once, and the order matters."
        return (
            f"{setting}\n\n{steps}\n{again}\nExamples:\n{examples}\n\nWhat does the rule make of "
            f"these lists?\n{new}\n\nAll rules that fit the examples agree on this. Write only the "
            f"outputs, one line for each list in order, such as '[4, 0, 7]'."
        )

    def answer(self) -> str:
        (outcome,) = self.search().outcomes
        return "\n".join(map(shown, outcome))

    def verify(self, answer: str) -> Score:
        told = rows_of_integers("\n".join(steps(answer)))
        if len(told) != len(self.new):
            raise Unreadable(f"not one list on each of {len(self.new)} lines")
        right = [tuple(row) == run(self.program, xs) for row, xs in zip(told, self.new)]
        parts = {f"output {n}": float(fits) for n, fits in enumerate(right, 1)}
        if all(right):
            return Score(1, parts=parts)
        return Score(0, f"output {right.index(False) + 1} is wrong", parts)

    def effort(self) -> float:
        return self.search().looked_at

    def lazy(self) -> Iterable[str]:
        """Each new list as it is, and each step of the menu alone."""
        yield "\n".join(map(shown, self.new))
        if len(self.program) > 1:
            for step in self.menu:
                yield "\n".join(shown(step.applied(numbers)) for numbers in self.new)


def shown(numbers: Numbers) -> str:
    """A list as it is written.

    >>> shown((1, 2))
    '[1, 2]'
    """
    return f"[{joined(numbers)}]"
