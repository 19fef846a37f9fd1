"""Inputs that tell programs apart: what a program gives on them, and which changes they show up."""

from collections.abc import Iterable
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.mini_python.machine import STEPS
from palaestra.generators.mini_python.mutate import Slip, slips
from palaestra.generators.mini_python.parameters import Signature, drawn_call, plain_calls
from palaestra.generators.mini_python.run import Program

POOL = 20
"""How many drawn inputs are looked at, beside those that come to mind first."""

ALWAYS = 5
"""How many of them are used in any case."""


class Trial(NamedTuple):
    """A call and what it should give."""

    call: str
    shown: str
    steps: int = STEPS
    """How many statements that took."""


def trials(program: Program, calls: Iterable[str]) -> list[Trial]:
    """What a program gives on calls, leaving out those that end with an exception."""
    outcomes = ((call, program.call(call)) for call in dict.fromkeys(calls))
    return [Trial(call, out.shown, out.steps) for call, out in outcomes if not out.fault]


def first_failure(program: Program, wanted: Iterable[Trial]) -> Trial | None:
    """The first call on which a program gives something else."""
    for trial in wanted:
        if program.call(trial.call).shown != trial.shown:
            return trial
    return None


def first_to_tell(program: Program, slip: Slip, wanted: Iterable[Trial]) -> Trial | None:
    """The first call that shows up a slip, where a program that runs much longer is given up."""
    program.change(*slip)
    try:
        for trial in wanted:
            if program.call(trial.call, 3 * trial.steps + 60).shown != trial.shown:
                return trial
        return None
    finally:
        program.restore()


def telling(
    program: Program, changes: Iterable[Slip], wanted: Iterable[Trial], chosen: Iterable[Trial]
) -> list[Trial]:
    """Trials added to some, until every change of a program that passes them passes all.

    What is left to tell apart the programs with these changes is then told by those alone.
    """
    pool, found = list(wanted), list(chosen)
    for change in changes:
        if not first_to_tell(program, change, found) and (
            teller := first_to_tell(program, change, pool)
        ):
            found.append(teller)
    return found


def drawn_calls(name: str, signature: Signature, salt: str, number: int) -> list[str]:
    """Calls drawn within the bounds, always the same ones for the same salt."""
    rng = Random(f"{name} {salt}")
    return [drawn_call(rng, name, signature) for _ in range(number)]


@lru_cache(maxsize=128)
def battery(source: str, name: str, signature: Signature) -> tuple[Trial, ...]:
    """Trials that show up every slip in a program which any input of a wide choice shows up.

    A few inputs are enough for nearly all of them, so that judging is quick.
    """
    program = Program(source)
    calls = [*drawn_calls(name, signature, source, POOL), *plain_calls(name, signature)]
    pool = trials(program, calls)
    first = sorted(pool[:ALWAYS], key=lambda trial: trial.steps)
    return tuple(telling(program, slips(source), pool[ALWAYS:], first))


def confirmed(source: str, reference: str, name: str, signature: Signature) -> bool:
    """Whether two programs agree on a hundred inputs that no judging uses."""
    one, other = Program(source), Program(reference)
    calls = drawn_calls(name, signature, f"second opinion on {reference}", 100)
    return first_failure(one, trials(other, calls)) is None
