"""Writing a function from its description, as in J. Manna and R. Waldinger's "Toward Automatic
Program Synthesis" (1971); the descriptions are composed from a small typed language of operations.
"""

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any, Self

from palaestra.generators.programs.players import by_rote, idioms
from palaestra.generators.programs.specifications.steps import (
    Stage,
    given_type,
    is_lively,
    random_program,
    solution,
)
from palaestra.generators.programs.specifications.sufficient import (
    examples,
    others,
    sufficient,
    tested,
)
from palaestra.generators.programs.specifications.values import KINDS, NAMED, Kind
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.programs.judging import function, graded_calls

TRICKS = (
    "def solve(v):\n    return v",
    "def solve(v):\n    return 0",
    "def solve(v):\n    return []",
    "def solve(v):\n    return ''",
    "def solve(v):\n    raise SystemExit(0)",
    "import os\n\n\ndef solve(v):\n    os._exit(0)",
    "class Same(int):\n    __eq__ = lambda self, other: True\n\n\ndef solve(v):\n    return Same()",
    "def solve(v):\n    return float('nan')",
)
"""Functions that do nothing, and functions that hope to get away with it."""


class FunctionFromSpecification(Puzzle):
    """Write a Python function that does what a description says, step by step."""

    version = 4
    tags = {"sandboxed", "code", "specification"}
    hidden = {"seed"}
    verbatim = True
    expensive = True

    class Knobs(Puzzle.Knobs):
        stages: int = ladder(2, 2, 3, 3, 4, 5, 6, high=8)
        nested: int = ladder(0, 1, 1, 2, 2, 3, 4, high=6)  # of them, those made of several steps
        tests: int = ladder(28, 30, 32, 34, 36, 40, 44, low=24, high=100)

    argument_type: Kind
    program: tuple[Stage, ...]
    tests: int
    seed: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        argument = rng.choice(KINDS)
        program = random_program(rng, argument, knobs.stages, knobs.nested)
        return cls(
            argument_type=argument, program=program, tests=knobs.tests, seed=rng.randrange(2**32)
        )

    def is_valid(self) -> bool:
        return is_lively(
            self.program, tested(self.program, self.argument_type, self.seed, self.tests)
        )

    def canonical(self) -> str:
        return repr((self.argument_type, self.program))

    def prompt(self) -> str:
        steps = "\n".join(self.steps())
        shown = "\n".join(
            f"solve({value!r}) gives {result!r}"
            for value, result in examples(self.program, self.argument_type)
        )
        argument, gives = (
            NAMED[self.argument_type],
            NAMED[given_type(self.program)].partition(" (")[0],
        )
        ask = self.phrase(
            f"Write a Python function solve(v). Its argument is {argument}, its result {gives}.",
            f"Define a function solve(v) in Python that takes {argument} and returns {gives}.",
        )
        parts = (
            " Steps with a hyphen are parts of the step above them; they too are done in order, "
            "each to the result of the one before."
        )
        return (
            f"{ask} It does these steps in order, each to the result of the previous step, the "
            f"first one to v.{parts if ' - ' in steps else ''}\n\n{steps}\n\nIt returns the result "
            "of the last step. To 'take' or to 'count' something means that it becomes the result "
            "of the step. Lists and strings may be empty and numbers negative, unless stated "
            "otherwise; all calculations are exact. Upper and lower case are "
            f"different.\n\n{shown}\n\nAnswer with the program: the function, with all imports "
            "that it needs. Only Python's standard library is available."
        )

    def steps(self) -> Iterator[str]:
        """The description, line by line."""
        for number, stage in enumerate(self.program, 1):
            first, *others = stage.as_text(self.wording + number)
            yield f"{number}. {first}"
            yield from (f"   {line}" for line in others)

    def answer(self) -> str:
        return solution(self.program, "solve")

    def cases(self) -> tuple[tuple[Any, Any], ...]:
        """The hidden inputs, with what is wanted."""
        return sufficient(self.program, self.argument_type, self.seed, self.tests)

    def verify(self, answer: str) -> Score:
        source, cases = function(answer, "solve"), self.cases()
        return graded_calls(source, "solve", [((value,), want) for value, want in cases])

    def audit(self, answer: str) -> bool:
        """Whether it stands other and many more tests, drawn in another way."""
        source, cases = (
            function(answer, "solve"),
            others(self.program, self.argument_type, self.seed, 300),
        )
        return graded_calls(source, "solve", [((value,), want) for value, want in cases]).correct

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who apply one built-in function, or know nothing but the examples."""
        shown = examples(self.program, self.argument_type)
        return {**idioms("solve", "v"), **by_rote("solve", "v", shown)}

    def difficulty(self) -> float:
        return sum(1.0 + len(stage.inner) + len(stage.other) for stage in self.program)

    def shortcuts(self) -> Iterable[str]:
        return TRICKS
