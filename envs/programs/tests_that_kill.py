"""Mutation testing: tests are as good as the slips that they show up, by R. DeMillo, R. Lipton and
F. Sayward, "Hints on test data selection: help for the practicing programmer" (1978).
"""

from collections.abc import Iterable
from random import Random
from typing import Self

from palaestra.generators.mini_python.draw import program
from palaestra.generators.mini_python.english import bounds, listing, nameless
from palaestra.generators.mini_python.killing import covering, killers, pool_calls, rare_slips
from palaestra.generators.mini_python.mutate import Slip, replaced
from palaestra.generators.mini_python.parameters import Signature, arguments, plain_calls
from palaestra.generators.mini_python.parse import head
from palaestra.generators.mini_python.run import Program, compiled
from palaestra.generators.mini_python.trials import trials
from palaestra.generators.mini_python.walk import walked
from palaestra.task import Puzzle, Score, Unreadable, ladder


class TestsThatKill(Puzzle):
    """Find a few inputs that tell a Python function from every one of several spoilt versions."""

    __test__ = False  # for pytest, which would take it for a test

    tags = {"code", "testing"}

    class Knobs(Puzzle.Knobs):
        idioms: int = ladder(1, 1, 2, 2, 2, 3, 4, low=1, high=6)  # loops one after another
        tier: int = ladder(0, 1, 1, 2, 2, 3, 3)  # 1 with branches, 2 with nesting, 3 with recursion
        length: int = ladder(4, 5, 5, 5, 6, 7, 8, high=10)  # of the lists and strings it is given
        versions: int = ladder(1, 1, 2, 2, 3, 4, 5, low=1, high=6)

    source: str
    name: str
    signature: Signature
    slips: tuple[tuple[int, str], ...]
    tests: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        while True:
            source, name, signature = program(rng, knobs.idioms, knobs.tier, knobs.length)
            rare = rare_slips(rng, source, name, signature, knobs.versions)
            if len(rare) == knobs.versions:
                break
        return cls(
            source=source, name=name, signature=signature,
            slips=tuple(sorted((slip.line, slip.text) for slip, _ in rare)),
            tests=len(covering(calls for _, calls in rare)),
        )  # fmt: skip

    def canonical(self) -> str:
        return nameless("\n".join([self.source, *(text for _, text in self.slips)]))

    def versions(self) -> list[str]:
        """The spoilt programs."""
        return [replaced(self.source, line, text) for line, text in self.slips]

    def prompt(self) -> str:
        one = len(self.slips) == 1
        changes = "\n".join(f"- line {line} is: {text}" for line, text in self.slips)
        ask = self.phrase(
            "There is a version of it with one line changed:"
            if one
            else f"There are {len(self.slips)} versions of it, each with one line changed:",
            "In a copy of it somebody has spoilt one line:"
            if one
            else f"In {len(self.slips)} copies of it somebody has spoilt one line each:",
        )
        write = (
            "a call on which it does"
            if one
            else f"at most {self.tests} calls, one on each line, such that for each of them there "
            "is a call on which it does"
        )
        if not one and self.tests == 1:
            write = "one call on which each of them does"
        return (
            f"Here is a program in Python 3, with its lines numbered.\n\n{listing(self.source)}\n\n"
            f"{ask}\n{changes}\n\nWrite {write} not return the same value as the original. To "
            "raise an exception or never to end counts as another value, too. The arguments are "
            f"within these bounds:\n{bounds(self.signature)}\n\nA call looks like "
            f"'{plain_calls(self.name, self.signature)[0]}', with all values written out."
        )

    def answer(self) -> str:
        running = Program(self.source)
        wanted = trials(running, pool_calls(self.source, self.name, self.signature))
        changes = [Slip(line, head(text)) for line, text in self.slips]
        return "\n".join(covering(killers(running, slip, wanted) for slip in changes))

    def verify(self, answer: str) -> Score:
        calls, original = self._calls(answer), compiled(self.source)
        wanted = [(call, original.call(call).shown) for call in calls]
        killed = [
            any(compiled(version).call(call).shown != shown for call, shown in wanted)
            for version in self.versions()
        ]
        if all(killed):
            return Score(1)
        # The first one may be luck, so that it earns nothing.
        value = max(0, sum(killed) - 1) / max(1, len(killed) - 1)
        alive = killed.index(False) + 1
        return Score(
            value, f"version {alive} of the list returns the same as the original on all calls"
        )

    def _calls(self, answer: str) -> list[str]:
        calls = [line.strip() for line in answer.split("\n") if line.strip()]
        if not 0 < len(calls) <= self.tests:
            raise Unreadable(f"not at most {self.tests} calls, one on each line")
        for call in calls:
            arguments(call, self.name, self.signature)
        return calls

    def audit(self, answer: str) -> bool:
        rows = [arguments(call, self.name, self.signature) for call in self._calls(answer)]

        def shown(source: str) -> list[str]:
            functions = compiled(source).parsed
            copies = ([v[:] if isinstance(v, list) else v for v in row] for row in rows)
            return [walked(functions, self.name, copy) for copy in copies]

        original = shown(self.source)
        return all(shown(version) != original for version in self.versions())

    def effort(self) -> float:
        wanted = trials(compiled(self.source), pool_calls(self.source, self.name, self.signature))
        return len(self.slips) * sum(trial.steps for trial in wanted)

    def lazy(self) -> Iterable[str]:
        """The calls that come to mind first."""
        plain = plain_calls(self.name, self.signature)
        starts = range(0, len(plain), self.tests)
        return ["\n".join(plain[start : start + self.tests]) for start in starts]
