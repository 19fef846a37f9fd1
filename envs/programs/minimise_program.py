"""The shortest program that does the same, after H. Massalin, "Superoptimizer: a look at the
smallest program" (1987). What makes it too long is what optimising compilers take out; see
``palaestra.generators.programs.minimise_program``.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.programs.mini_python.draw import program
from palaestra.generators.programs.mini_python.english import PROGRAM, bounds, nameless, shortened
from palaestra.generators.programs.mini_python.parameters import Signature
from palaestra.generators.programs.mini_python.parse import length
from palaestra.generators.programs.mini_python.run import Program, compiled
from palaestra.generators.programs.mini_python.trials import (
    Trial,
    battery,
    confirmed,
    covering,
    first_failure,
    pool_of,
)
from palaestra.generators.programs.minimise_program import padded
from palaestra.generators.programs.minimise_program.players import shortenings
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder

INPUTS = 12
"""On how many inputs the two programs are compared before the task is given."""

POOL = 40
"""Among how many inputs those are looked for that take a branch which others do not take."""


FREE = 0.5
"""The share of what is needless that earns nothing, for to leave out one line may be luck."""


class MinimiseProgram(Puzzle):
    """Write a shorter program that does the same as a Python program with needless parts."""

    version = 3
    tags = {"code", "refactoring"}
    answer_type = "code"
    hidden = {"reference"}

    class Knobs(Puzzle.Knobs):
        idioms: int = ladder(1, 1, 1, 2, 2, 3, 4, low=1, high=5)  # loops one after another
        tier: int = ladder(0, 1, 1, 2, 2, 3, 3)  # 1 with branches, 2 with nesting, 3 with recursion
        length: int = ladder(4, 5, 5, 6, 6, 7, 8, high=10)  # of the lists and strings it is given
        needless: int = ladder(4, 6, 7, 8, 9, 11, 14, low=4, high=16)  # things to take out
        subtlety: int = ladder(0, 0, 1, 1, 2, 2, 2)  # 1 with branches, 2 with loops and functions

    source: str
    name: str
    signature: Signature
    target: int
    reference: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        function = program(rng, knobs.idioms, knobs.tier, knobs.length)
        reference, source = padded(rng, function, knobs.needless, knobs.subtlety)
        return cls(
            source=source, name=function.name, signature=function.signature,
            target=length(reference), reference=reference,
        )  # fmt: skip

    def is_valid(self) -> bool:
        """Whether both programs give the same values, and never an exception."""
        tried = pool_of(self.reference, self.name, self.signature).first(INPUTS)
        same = not first_failure(compiled(self.source), tried)
        return same and len(tried) == INPUTS and length(self.source) > self.target

    def canonical(self) -> str:
        return nameless(self.source)

    def prompt(self) -> str:
        now = length(self.source)
        ask = self.phrase(
            f"Write a shorter program in which {self.name} returns the same value",
            f"Shorten it so that {self.name} still returns the same value",
        )
        return (
            f"Here is a program in Python 3.\n\n{self.source}\n\n{ask} for all arguments within "
            f"these bounds:\n{bounds(self.signature)}\n\nThe length of a program is the number of "
            "its tokens: each name, keyword, number, string, operator, bracket, comma, colon and "
            "dot is one token, however long it is; spaces, line breaks and comments do not count. "
            f"The line 'row[0] += size' has 6. The program above has {now}; yours must have at "
            f"most {self.target}.\n\n{PROGRAM}\n\nWrite the whole program. {self.name} must keep "
            "its name and take its arguments in the same order; everything else may change. A "
            "program looks like this:\n\ndef half(n):\n    return n // 2"
        )

    def answer(self) -> str:
        return self.reference

    def verify(self, answer: str) -> Score:
        running = self._program(answer)
        if failing := first_failure(running, self.tests()):
            result = shortened(running.call(failing.call).shown)
            return Score(0, f"{failing.call} gives {result}, unlike the program above")
        now, before = length(running.source), length(self.source)
        if now <= self.target:
            return Score(1, parts={"progress": 1, "tokens": now})
        share = (before - now) / (before - self.target)
        reason = f"it does the same, but has {now} tokens, which is more than {self.target}"
        value = max(0, share - FREE)
        return Score(value, reason, {"progress": value, "tokens": now})

    def tests(self) -> tuple[Trial, ...]:
        """Inputs that show what is left out of the program but should not be."""
        return _tests(self.source, self.reference, self.name, self.signature)

    def _program(self, answer: str) -> Program:
        running = compiled(answer.replace("\r\n", "\n").expandtabs(4))
        function = running.parsed.get(self.name)
        if function is None or len(function.parameters) != len(self.signature):
            number = len(self.signature)
            raise InvalidAnswer(f"no function {self.name} with {number} arguments is defined")
        return running

    def audit(self, answer: str) -> bool:
        source = self._program(answer).source
        return confirmed(source, self.source, self.name, self.signature)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who leave out lines by how they look, and never run the program."""
        return shortenings(self.source, rng)

    def difficulty(self) -> float:
        """What has to be looked through, for each token that has to go."""
        before = length(self.source)
        return before * (before - self.target) / 100

    def shortcuts(self) -> Iterable[str]:
        """The program as it is, and with one of its lines left out."""
        yield self.source
        rows = self.source.split("\n")
        yield from ("\n".join(rows[:n] + rows[n + 1 :]) for n in range(1, min(len(rows), 9)))
        yield "\n".join(rows[:-2] + rows[-1:])


@lru_cache(maxsize=64)
def _tests(source: str, reference: str, name: str, signature: Signature) -> tuple[Trial, ...]:
    """What tells apart the mutants of the short program, and takes every branch of the long one."""
    pool = pool_of(reference, name, signature)
    return tuple(covering(source, pool.first(POOL), battery(reference, name, signature)))
