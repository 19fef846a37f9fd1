"""Mutation testing: tests are as good as the slips that they show up, by R. DeMillo, R. Lipton and
F. Sayward, "Hints on test data selection: help for the practicing programmer" (1978).
"""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, Self

from palaestra.generators.programs.mini_python.draw import Function, program
from palaestra.generators.programs.mini_python.english import bounds, listing, nameless
from palaestra.generators.programs.mini_python.parameters import (
    Signature,
    arguments,
    call_of,
    literal,
    plain_calls,
    random_call,
)
from palaestra.generators.programs.mini_python.players import filled_with, literals
from palaestra.generators.programs.mini_python.rewriting import replaced
from palaestra.generators.programs.mini_python.run import Program, compiled
from palaestra.generators.programs.mini_python.walk import walked
from palaestra.generators.programs.tests_that_kill import (
    PLAIN,
    POOL,
    killing_call,
    pool_of,
    rare_changes,
)
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading import layout


class TestsThatKill(Puzzle):
    """Find a few inputs that tell a Python function from every one of several spoilt versions."""

    __test__ = False  # for pytest, which would take it for a test

    tags = {"code", "testing"}
    answer_type = "code-lines"

    class Knobs(Puzzle.Knobs):
        idioms: int = ladder(1, 1, 2, 2, 2, 3, 4, low=1, high=6)  # loops one after another
        tier: int = ladder(0, 1, 1, 2, 2, 3, 3)  # 1 with branches, 2 with nesting, 3 with recursion
        length: int = ladder(4, 5, 5, 5, 6, 7, 8, high=10)  # of the lists and strings it is given
        versions: int = ladder(1, 1, 2, 2, 3, 4, 5, low=1, high=6)

    source: str
    name: str
    signature: Signature
    changes: tuple[tuple[int, str], ...]
    tests: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        while True:
            function = program(rng, knobs.idioms, knobs.tier, knobs.length)
            rare = rare_changes(rng, function, knobs.versions)
            if len(rare) == knobs.versions:
                break
        return cls(
            source=function.source, name=function.name, signature=function.signature,
            changes=tuple(sorted((change.line, change.text) for change, _ in rare)),
            tests=len({call_of(function.name, values) for _, values in rare}),
        )  # fmt: skip

    def canonical(self) -> str:
        return nameless("\n".join([self.source, *(text for _, text in self.changes)]))

    def versions(self) -> list[Program]:
        """The spoilt programs."""
        return [compiled(replaced(self.source, line, text)) for line, text in self.changes]

    def prompt(self) -> str:
        number = len(self.changes)
        ask = self.phrase(
            "There is a version of it with one line changed:"
            if number == 1
            else f"There are {number} versions of it, each with one line changed:",
            "One line was changed in a copy of it. This is the changed version:"
            if number == 1
            else f"One line was changed in each of {number} copies of it. These are the changed "
            "versions:",
        )
        changes = "\n".join(f"- line {line} is: {text}" for line, text in self.changes)
        return (
            f"Here is a program in Python 3, with its lines numbered.\n\n{listing(self.source)}\n\n"
            f"{ask}\n{changes}\n\n{self._task()} Raising an exception or running forever also "
            "counts as a different result. The arguments are within these "
            f"bounds:\n{bounds(self.signature)}\n\nA call looks like "
            f"'{plain_calls(self.name, self.signature)[0]}', with all values written out."
        )

    def _task(self) -> str:
        other = "a different result from the original program"
        if len(self.changes) == 1:
            return f"Write a call on which the changed version returns {other}."
        if self.tests == 1:
            return f"Write one call on which every one of the changed versions returns {other}."
        return (
            f"Write at most {self.tests} calls, one on each line, so that every one of the changed "
            f"versions returns, on at least one of your calls, {other}."
        )

    def answer(self) -> str:
        function = Function(self.source, self.name, self.signature)
        original = compiled(self.source)
        calls = (killing_call(original, version, function) for version in self.versions())
        return "\n".join(dict.fromkeys(filter(None, calls)))

    def verify(self, answer: str) -> Score:
        rows, original = self._rows(answer), compiled(self.source)
        wanted = [(values, original.apply(self.name, values).shown) for values in rows]
        killed = [
            any(version.apply(self.name, values).shown != shown for values, shown in wanted)
            for version in self.versions()
        ]
        parts = {"progress": sum(killed) / len(killed)}
        if all(killed):
            return Score(1, parts=parts)
        alive = killed.index(False) + 1
        reason = f"version {alive} of the list returns the same as the original on all calls"
        return Score(_worth(sum(killed), len(killed)), reason, parts)

    def _rows(self, answer: str) -> list[list[Any]]:
        """The arguments of each call."""
        calls = layout.code_lines(answer)
        if not 0 < len(calls) <= self.tests:
            raise InvalidAnswer(f"write at most {self.tests} calls, one per line")
        return [arguments(call, self.name, self.signature) for call in calls]

    def audit(self, answer: str) -> bool:
        rows = self._rows(answer)

        def shown(running: Program) -> list[str]:
            copies = ([v[:] if isinstance(v, list) else v for v in row] for row in rows)
            return [walked(running.parsed, self.name, copy) for copy in copies]

        original = shown(compiled(self.source))
        return all(shown(version) != original for version in self.versions())

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who call the function at random, or with a literal of the changed lines."""
        texts = [literals(text) or ["0"] for _, text in self.changes]
        by_literal = (filled_with(self.signature, literal(some[-1]), rng) for some in texts)
        players = {
            "random calls": [
                random_call(rng, self.name, self.signature) for _ in range(self.tests)
            ],
            "literals of the changed lines": [call_of(self.name, row) for row in by_literal],
        }
        return {name: "\n".join(calls[: self.tests]) for name, calls in players.items()}

    def difficulty(self) -> float:
        pool = pool_of(Function(self.source, self.name, self.signature))
        steps = (compiled(self.source).apply(self.name, values).steps for values in pool)
        return len(self.changes) * sum(steps)

    def random_baseline(self) -> float:
        """That of one call, drawn at random: it is one of so many that is right."""
        return 1 / POOL if len(self.changes) == 1 else 0

    def shortcuts(self) -> Iterable[str]:
        """The calls that come to mind first."""
        plain = plain_calls(self.name, self.signature, PLAIN)
        starts = range(0, len(plain), self.tests)
        return ["\n".join(plain[start : start + self.tests]) for start in starts]


def _worth(killed: int, number: int) -> float:
    """What it is worth to kill some of the versions, where the first may be luck.

    >>> [_worth(killed, 5) for killed in range(5)]
    [0.0, 0.0, 0.0625, 0.25, 0.5625]
    """
    return (max(0, killed - 1) / max(1, number - 1)) ** 2
