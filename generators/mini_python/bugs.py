"""Putting a slip into a program, such that examples of what it should do lead back to the slip."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from palaestra.generators.mini_python.mutate import Slip, replaced, slips, spoilt_lines
from palaestra.generators.mini_python.parse import head
from palaestra.generators.mini_python.run import Program
from palaestra.generators.mini_python.trials import Trial, telling

SLIPS = 12
"""How many slips are tried on a program before it is given up."""

FAILING = 2
"""How many examples at least show that something is wrong."""


class Bug(NamedTuple):
    """A program with a slip in it."""

    source: str
    line: int
    """The line that is wrong."""
    right: str
    """What stood there."""
    examples: tuple[Trial, ...]
    """What it should do: enough of it that no other slip would make it do that."""


def bugged(rng: Random, source: str, wanted: Sequence[Trial]) -> Bug | None:
    """A program with a slip that some of the trials show and that another slip undoes."""
    program, rows, found = Program(source), source.split("\n"), slips(source)
    ordered = sorted(wanted, key=lambda trial: trial.steps)
    for slip in rng.sample(found, min(SLIPS, len(found))):
        row = rows[slip.line - 1].strip()
        if head(row) not in spoilt_lines(slip.text):
            continue
        failing = _failing(program, slip, ordered)
        if len(failing) >= FAILING:
            wrong = Program(replaced(source, slip.line, slip.text))
            examples = telling(wrong, slips(wrong.source), ordered, failing[:FAILING])
            rng.shuffle(examples)
            return Bug(wrong.source, slip.line, row, tuple(examples))
    return None


def _failing(program: Program, slip: Slip, wanted: Sequence[Trial]) -> list[Trial]:
    """The trials that show a slip; none where one of them ends with an exception."""
    program.change(*slip)
    found = []
    try:
        for trial in wanted:
            outcome = program.call(trial.call, 4 * trial.steps + 60)
            if outcome.fault:
                return []
            if outcome.shown != trial.shown:
                found.append(trial)
    finally:
        program.restore()
    return found
