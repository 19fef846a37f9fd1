"""Inputs that distinguish programs: the results of a program, and the mutants that they kill."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, count, islice
from random import Random
from typing import NamedTuple

from palaestra.generators.programs.mini_python.cuts import cuts, omissions
from palaestra.generators.programs.mini_python.machine import EASY, STEPS
from palaestra.generators.programs.mini_python.mutate import slips
from palaestra.generators.programs.mini_python.parameters import Signature, plain_calls, random_call
from palaestra.generators.programs.mini_python.rewriting import Change
from palaestra.generators.programs.mini_python.run import Program, compiled

POOL = 100
"""The number of candidate inputs."""

FEW = 40
WORK = 3_000
"""The number of inputs that suffice if they execute more than this number of statements."""

SOME = 20
"""How many of them are drawn before those that come to mind first."""

ALWAYS = 8
"""The minimum number of inputs."""

MUTANTS = 150
"""How many mutants of a program a battery is made to kill, beside those that lack a statement."""


class Trial(NamedTuple):
    """A call and its expected result."""

    call: str
    shown: str
    steps: int = STEPS
    """The number of executed statements."""


class Pool:
    """The results of a program for calls, computed on first access.

    Calls that raise an exception are skipped.
    """

    def __init__(self, source: str, calls: Iterable[str]) -> None:
        self.program = compiled(source)
        self.left = iter(calls)
        self.work = WORK
        self.trials: list[Trial] = []

    def __iter__(self) -> Iterator[Trial]:
        for index in count():
            while len(self.trials) <= index:
                if not self.grows():
                    return
            yield self.trials[index]

    def grows(self) -> bool:
        """Try one more call, if that is worth the work and there is one."""
        call = next(self.left, None) if self.work > 0 or len(self.trials) < FEW else None
        if call is None:
            return False
        outcome = self.program.call(call, *EASY)
        self.work -= outcome.steps
        if not outcome.fault and all(call != trial.call for trial in self.trials):
            self.trials.append(Trial(call, outcome.shown, outcome.steps))
        return True

    def first(self, number: int) -> list[Trial]:
        """So many trials, or all where there are fewer."""
        return list(islice(self, number))


def pool_of(source: str, name: str, signature: Signature) -> Pool:
    """A large sample of inputs, always the same for a program."""
    calls = islice(_calls(name, signature, source), POOL)
    return Pool(source, chain(islice(calls, SOME), plain_calls(name, signature), calls))


def trials(program: Program, calls: Iterable[str]) -> list[Trial]:
    """What a program gives on calls, leaving out those that end with an exception."""
    outcomes = ((call, program.call(call, *EASY)) for call in dict.fromkeys(calls))
    return [Trial(call, out.shown, out.steps) for call, out in outcomes if not out.fault]


def first_failure(program: Program, wanted: Iterable[Trial]) -> Trial | None:
    """The first call on which a program returns another result."""
    for trial in wanted:
        if program.call(trial.call).shown != trial.shown:
            return trial
    return None


def killer(program: Program, change: Change, wanted: Iterable[Trial]) -> Trial | None:
    """The first trial that kills a mutant, by all the steps that replies may take too."""
    program.change(*change)
    try:
        return first_failure(program, wanted)
    finally:
        program.restore()


def telling(
    program: Program, changes: Iterable[Change], wanted: Iterable[Trial], chosen: Iterable[Trial]
) -> list[Trial]:
    """Trials added to some, until every mutant of a program that survives them survives all."""
    calls = list(chosen)
    for change in changes:
        if not killer(program, change, calls) and (trial := killer(program, change, wanted)):
            calls.append(trial)
    return calls


def covering(source: str, wanted: Iterable[Trial], chosen: Iterable[Trial]) -> list[Trial]:
    """Trials added to some, until they take every branch of a program that any of them takes."""
    program, calls = compiled(source), list(chosen)
    seen = {branch for trial in calls for branch in program.call(trial.call).seen}
    for trial in wanted:
        taken = program.call(trial.call).seen
        if not taken <= seen:
            calls.append(trial)
            seen |= taken
    return calls


def drawn_calls(name: str, signature: Signature, salt: str, number: int) -> list[str]:
    """Calls drawn within the bounds, always the same ones for the same salt."""
    return list(islice(_calls(name, signature, salt), number))


def _calls(name: str, signature: Signature, salt: str) -> Iterator[str]:
    rng = Random(f"{name} {salt}")
    while True:
        yield random_call(rng, name, signature)


@lru_cache(maxsize=128)
def battery(source: str, name: str, signature: Signature) -> tuple[Trial, ...]:
    """Trials that kill every mutant of a program which any input of a wide choice kills.

    A few inputs are enough for nearly all of them, so that judging is quick.
    """
    pool = pool_of(source, name, signature)
    first = sorted(pool.first(ALWAYS), key=lambda trial: trial.steps)
    others = [*slips(source), *cuts(source)]
    some = Random(source).sample(others, min(MUTANTS, len(others)))
    return tuple(telling(Program(source), [*omissions(source), *some], pool, first))


def confirmed(source: str, reference: str, name: str, signature: Signature) -> bool:
    """Whether two programs agree on a hundred inputs that no judging uses."""
    one, other = Program(source), Program(reference)
    calls = drawn_calls(name, signature, f"second opinion on {reference}", 100)
    return first_failure(one, trials(other, calls)) is None
