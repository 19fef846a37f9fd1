"""Putting a slip into a program, such that examples of what it should do lead back to the slip."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from palaestra.generators.programs.mini_python.draw import Function
from palaestra.generators.programs.mini_python.mutate import slipped, slips
from palaestra.generators.programs.mini_python.parse import head
from palaestra.generators.programs.mini_python.repairs import repairs
from palaestra.generators.programs.mini_python.rewriting import Change, replaced
from palaestra.generators.programs.mini_python.run import Program
from palaestra.generators.programs.mini_python.trials import (
    Trial,
    drawn_calls,
    killer,
    pool_of,
    telling,
    trials,
)

SLIPS = 12
"""How many slips are tried on a program before it is given up."""

INPUTS = 8
"""On how many inputs a slip is tried."""

MORE = 300
"""On how many more inputs those repairs are tried that all others allow."""

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
    """What it should do: enough of it that any repair which makes it do that is right."""


def bugged(rng: Random, function: Function) -> Bug | None:
    """A program with a slip that some inputs show and that another slip undoes."""
    source, name, signature = function
    program, rows, mutants = Program(source), source.split("\n"), slips(source)
    pool = pool_of(source, name, signature)
    tried = sorted(pool.first(INPUTS), key=lambda trial: trial.steps)
    for slip in rng.sample(mutants, min(SLIPS, len(mutants))):
        right = rows[slip.line - 1].strip()
        if head(right) not in slipped(slip.head):
            continue
        failing = _failing(program, slip, tried)[:FAILING]
        if len(failing) == FAILING:
            wrong = Program(replaced(source, slip.line, slip.text))
            others = [r for r in repairs(wrong.source) if r != (slip.line, head(right))]
            # What passes the whole pool passes the battery, which is a part of it.
            examples = telling(wrong, others, pool, failing)
            left = [repair for repair in others if killer(wrong, repair, examples) is None]
            if left:  # which give the same for all arguments, as far as can be seen
                calls = drawn_calls(name, signature, f"more inputs of {source}", MORE)
                examples = telling(wrong, left, trials(program, calls), examples)
            rng.shuffle(examples)
            return Bug(wrong.source, slip.line, right, tuple(examples))
    return None


def _failing(program: Program, slip: Change, wanted: Sequence[Trial]) -> list[Trial]:
    """The trials that show a slip; none where one of them ends with an exception."""
    program.change(*slip)
    failures = []
    try:
        for trial in wanted:
            outcome = program.call(trial.call, 4 * trial.steps + 60)
            if outcome.fault:
                return []
            if outcome.shown != trial.shown:
                failures.append(trial)
    finally:
        program.restore()
    return failures
