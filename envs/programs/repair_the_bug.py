"""Debugging whole programs: the bugs are slips as in R. DeMillo, R. Lipton and F. Sayward, "Hints
on test data selection" (1978). Repair by tests goes back to W. Weimer, T. Nguyen, C. Le Goues and
S. Forrest, "Automatically finding patches using genetic programming" (2009).
"""

import ast
from collections.abc import Iterable, Mapping
from random import Random
from typing import Self

from palaestra.generators.programs.mini_python.draw import program
from palaestra.generators.programs.mini_python.english import bounds, nameless
from palaestra.generators.programs.mini_python.mutate import TOLD, slips
from palaestra.generators.programs.mini_python.parameters import Signature
from palaestra.generators.programs.mini_python.players import random_slips
from palaestra.generators.programs.mini_python.rewriting import replaced
from palaestra.generators.programs.mini_python.run import compiled
from palaestra.generators.programs.repair_the_bug import (
    MOVED,
    Bug,
    Case,
    Shown,
    counted,
    drawn_bugs,
    exemplified,
    inputs,
    passing,
    relocations,
    shown,
    spoilt,
    table,
    tested,
    unrepaired,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.programs.judging import function, graded_calls, parsed

TESTS = 30
"""On how many hidden inputs a repaired program is tried."""

FAILING = 6
"""How many of them at least the broken program fails."""


class RepairTheBug(Puzzle):
    """Repair a Python program with several bugs, from examples of what it should return."""

    version = 4
    tags = {"sandboxed", "code", "debugging"}
    hidden = {"seed"}
    verbatim = True
    expensive = True

    class Knobs(Puzzle.Knobs):
        bugs: int = ladder(1, 1, 2, 2, 3, 4, high=5)
        idioms: int = ladder(1, 2, 2, 3, 4, 6, low=1, high=8)  # loops one after another
        tier: int = ladder(0, 1, 2, 2, 3, 3)  # 1 with branches, 2 with nesting, 3 with recursion
        length: int = ladder(4, 5, 5, 6, 6, 7, high=10)  # of the lists and strings it is given
        moved: bool = ladder(False, True, True, True, True, True)  # whether lines may be misplaced
        outputs_shown: bool = ladder(
            True, True, True, False, False, False
        )  # what it returns as it is

    right: str
    name: str
    signature: Signature
    bugs: tuple[Bug, ...]
    moved: bool
    outputs_shown: bool
    seed: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        bugs, idioms = None, max(knobs.idioms, knobs.bugs)  # or there is no room for the bugs
        while bugs is None:
            right, name, signature = program(rng, idioms, knobs.tier, knobs.length)
            wanted = inputs(right, name, signature)
            bugs = drawn_bugs(rng, right, wanted[:8], knobs.bugs, knobs.moved)
        return cls(
            right=right, name=name, signature=signature, bugs=bugs, moved=knobs.moved,
            outputs_shown=knobs.outputs_shown, seed=rng.randrange(2**32),
        )  # fmt: skip

    def is_valid(self) -> bool:
        """Whether the hidden inputs show every bug, whichever others are repaired, and no fault of
        a repair of the last one that the examples allow.
        """
        cases = self.cases()
        if len(cases) < TESTS or sum(passing(self.broken(), self.name, cases)) > TESTS - FAILING:
            return False
        left = (spoilt(self.right, bugs) for bugs in unrepaired(self.bugs))
        if any(all(passing(source, self.name, cases)) for source in left):
            return False
        allowed = self.shown().allowed
        return all(all(passing(source, self.name, cases)) for source in allowed)

    def cases(self) -> tuple[Case, ...]:
        """The hidden inputs, with what is wanted."""
        return tested(self.right, self.name, self.signature, self.seed, TESTS)

    def shown(self) -> Shown:
        """The examples, and the repairs of the last bug that they allow."""
        return shown(self.right, self.name, self.signature, self.bugs, self.moved)

    def broken(self) -> str:
        """The program as it is given."""
        return spoilt(self.right, self.bugs)

    def canonical(self) -> str:
        return nameless(f"{self.right}\n{self.broken()}")

    def prompt(self) -> str:
        number = len(self.bugs)
        ask = self.phrase(
            f"This Python program has {counted(number, 'bug')}, made by changing "
            f"{counted(number, 'line')} of a program that works.",
            f"Someone changed {counted(number, 'line')} of a working Python program, so that it "
            f"now has {counted(number, 'bug')}.",
        )
        kinds = "\n".join(f"- {slip}" for slip in (*TOLD, *[MOVED] * self.moved))
        return (
            f"{ask}\n\n{self.broken()}\n\nEach bug is of one of these types:\n{kinds}\n\n"
            f"This is what the program should return:\n{self._shown()}\n\n"
            "Repair it, so that it returns the right value for these and for all other arguments "
            f"within these bounds:\n{bounds(self.signature)}\n\nAnswer with the whole repaired "
            f"program, that is, {self.name} and all functions that it calls. You may rewrite it."
        )

    def _shown(self) -> str:
        return "\n".join(exemplified(self.broken(), self.shown().examples, self.outputs_shown))

    def answer(self) -> str:
        return self.right

    def verify(self, answer: str) -> Score:
        source = function(answer, self.name)
        if ast.dump(parsed(source)) == ast.dump(parsed(self.broken())):
            return Score(0, "the program is unchanged")
        cases = self.cases()
        free = sum(passing(self.broken(), self.name, cases))
        return graded_calls(source, self.name, cases, free=free)

    def audit(self, answer: str) -> bool:
        """Whether it stands other inputs, five times as many."""
        others = tested(self.right, self.name, self.signature, self.seed + 1, 5 * TESTS)
        return graded_calls(function(answer, self.name), self.name, others).correct

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who change as many lines as there are bugs, whatever the examples show."""
        players: dict[str, str] = {}
        for name in random_slips(self.broken(), rng):
            source = self.broken()
            for _ in self.bugs:
                slip = random_slips(source, rng)[name]
                source = replaced(source, slip.line, slip.text)
            players[name] = source
        if self.moved:
            players["random line moved"] = rng.choice([*relocations(self.broken()), self.broken()])
        return players

    def difficulty(self) -> float:
        cases = self.cases()[:8]
        steps = sum(compiled(self.right).apply(self.name, case.values).steps for case in cases)
        return len(self.bugs) * len(slips(self.right)) * steps / 100

    def random_baseline(self) -> float:
        """That of as many slips, taken at random."""
        return (1 / len(slips(self.broken()))) ** len(self.bugs)

    def shortcuts(self) -> Iterable[str]:
        """The program as it is, with a line left out, and a table of the examples."""
        rows = self.broken().split("\n")
        yield from ("\n".join(rows[:n] + rows[n + 1 :]) for n in range(1, min(len(rows), 6)))
        yield self.broken()
        yield table(self.name, self.signature, self.shown().examples)
