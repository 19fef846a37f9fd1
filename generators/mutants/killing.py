"""Inputs that kill mutants: tests that are sufficient, and how sufficient some tests are."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from palaestra.generators.mutants.running import Change, Subject

SLACK = 500
TIMES = 10
"""A mutant that takes more than ``TIMES`` times the steps of the reference counts as endless."""


class Trial(NamedTuple):
    """An input, the result of the reference, and the number of its steps."""

    argument: Any
    wanted: Any
    steps: int
    entered: frozenset[int]
    """The functions that the reference calls."""


def tried(subject: Subject, inputs: Iterable[Any]) -> Iterator[Trial]:
    """Inputs with the results of a reference; inputs on which it fails are skipped."""
    for argument in inputs:
        outcome = subject.run(argument)
        if not outcome.fault:
            yield Trial(argument, outcome.value, outcome.steps, outcome.entered)


def differs(subject: Subject, trial: Trial) -> bool:
    """Whether the current program returns another result for an input."""
    outcome = subject.run(trial.argument, TIMES * trial.steps + SLACK)
    return outcome.fault or bool(outcome.value != trial.wanted)


def killed(subject: Subject, change: Change, trials: Iterable[Trial]) -> Trial | None:
    """The first input on which a mutant returns another result.

    A mutant that is no program counts as killed by nothing, for it cannot be submitted. It gives
    what the reference gives where the function that is changed is not called.
    """
    near = (trial for trial in trials if change.unit in trial.entered)
    with subject.changed(change) as runs:
        return next((trial for trial in near if differs(subject, trial)), None) if runs else None


def killers(
    subject: Subject,
    chosen: Iterable[Any],
    candidates: Iterable[Any],
    changes: Iterable[Change] | None = None,
) -> list[Any]:
    """Inputs of some candidates that kill the mutants which no chosen input kills.

    Each mutant that differs from the reference on any candidate is killed by a chosen input or by
    one of those that are given back.
    """
    known = sorted(tried(subject, chosen), key=lambda trial: trial.steps)
    others: list[Trial] | None = None
    added: list[Any] = []
    for change in subject.changes() if changes is None else changes:
        if killed(subject, change, known):
            continue
        if others is None:  # worked out when it is first asked for, and never by a mutant
            others = [*tried(subject, candidates)]
        trial = killed(subject, change, others)
        if trial is not None:
            known.insert(0, trial)
            added.append(trial.argument)
    return added
