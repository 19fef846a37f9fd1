"""Rules shown by examples: short programs out of a list of steps, to be applied to new cases.

Examples alone never settle a rule. Here all the steps that it may be made of are listed, and a
task is fair only if every rule that fits the examples makes the same of the new cases.
"""

from abc import abstractmethod
from collections.abc import Iterable, Sequence

from palaestra.generators.induction.list_programs import Numbers, Search, Step, fitting, run
from palaestra.task import Puzzle


class HiddenProgram(Puzzle):
    """Find a short program from examples, and apply it to new cases."""

    tags = {"induction", "program-synthesis", "unique-solution"}

    menu: tuple[Step, ...]
    """All the steps that the program may be made of."""

    program: tuple[Step, ...]
    inputs: tuple[Numbers, ...]
    """What the examples start from."""

    new: tuple[Numbers, ...]

    @staticmethod
    @abstractmethod
    def shown(numbers: Numbers) -> str:
        """A case as it is written."""

    def is_valid(self) -> bool:
        cases = (*self.inputs, *self.new)
        outputs = [run(self.program, numbers) for numbers in cases]
        # Outputs that tell nothing, and steps that do nothing, make a dull rule.
        if len(set(outputs)) < len(outputs) or any(a == b for a, b in zip(cases, outputs)):
            return False
        made = outputs[len(self.inputs) :]
        if any([step.applied(numbers) for numbers in self.new] == made for step in self.alone()):
            return False  # one step alone would do for the new cases
        if self.doubtful(outputs):
            return False
        result = self.search()
        return len(result.outcomes) == 1 and result.shortest == len(self.program)

    def alone(self) -> Sequence[Step]:
        """The steps that are less than the program."""
        return self.menu if len(self.program) > 1 else ()

    def doubtful(self, outputs: Sequence[Numbers]) -> bool:
        """Whether what the program makes of all cases shows that the task is not fair, which takes
        less time than the search.
        """
        return False

    def search(self) -> Search:
        """What all the programs that fit the examples make of the new cases."""
        examples = tuple((numbers, run(self.program, numbers)) for numbers in self.inputs)
        return fitting(self.menu, len(self.program), examples, self.new)

    def canonical(self) -> str:
        seen = sorted((given, run(self.program, given)) for given in self.inputs)
        return repr((self.menu, len(self.program), seen, sorted(self.new)))

    def steps_told(self) -> str:
        """The menu, a line a step."""
        return "\n".join(f"- {step.as_text()}" for step in self.menu)

    def size_told(self) -> str:
        """Of how many steps the program is made."""
        most = len(self.program)
        return "one step" if most == 1 else f"at most {most} steps, one after another"

    def again_told(self, end: str) -> str:
        """That steps may come again, where there are several, with this end to the sentence."""
        sentence = f"A step may be used more than once, and the order matters.{end}"
        return sentence if self.alone() else ""

    def answer(self) -> str:
        (outcome,) = self.search().outcomes
        return "\n".join(map(self.shown, outcome))

    def difficulty(self) -> float:
        return float(self.search().looked_at)

    def shortcuts(self) -> Iterable[str]:
        """The new cases as they are, and each step of the menu alone."""
        yield "\n".join(map(self.shown, self.new))
        for step in self.alone():
            yield "\n".join(self.shown(step.applied(numbers)) for numbers in self.new)
