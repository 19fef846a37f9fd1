"""Inputs of functions that are told in English: hidden tests, and examples to show.

Hidden tests are sufficient: no slip and no mutant of the function passes that a wide choice of
inputs shows up.
"""

import itertools
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Any

from palaestra.generators.mutants.killing import killers
from palaestra.generators.mutants.running import Subject
from palaestra.generators.programs.specifications.steps import (
    LINKS,
    OPERATIONS,
    SLIPS,
    TESTS,
    Program,
    Stage,
    Step,
    differs,
    expression,
    run,
    shortened,
    solution,
)
from palaestra.generators.programs.specifications.values import (
    EDGES,
    WHOLE,
    Kind,
    other_value,
    random_value,
    searched_value,
)


@lru_cache(maxsize=32)
def tested(program: Program, takes: Kind, seed: int, number: int) -> tuple[tuple[Any, Any], ...]:
    """Inputs for a function, with what it gives: the edges, and random ones from a seed."""
    rng = Random(f"{seed}")
    values = [*EDGES[takes], *(random_value(rng, takes) for _ in range(number - len(EDGES[takes])))]
    return tuple((value, run(program, value)) for value in values)


# --------------------------------------------------------------------- inputs that kill mutants


class _Slip(Step):
    """A step gone wrong; its ``name`` is the Python of what is done in its place."""

    def __call__(self, value: Any) -> Any:
        return expression(self.name, self.number)(value)


def slips(program: Program) -> Iterator[tuple[Stage | Step, ...]]:
    """The functions that come of a slip: a step taken for another one, a number one off."""
    for index, stage in enumerate(program):
        for other in _stage_slips(stage):
            yield (*program[:index], other, *program[index + 1 :])


def _stage_slips(stage: Stage) -> Iterator[Stage | Step]:
    if stage.name in OPERATIONS:
        yield from _step_slips(Step(stage.name, stage.number))
        return
    if stage.name in TESTS and "{k}" in TESTS[stage.name][2]:
        yield stage._replace(number=stage.number - 1)
        yield stage._replace(number=stage.number + 1)
    if stage.name in LINKS:
        yield stage._replace(inner=stage.other, other=stage.inner)
    yield from (stage._replace(inner=row) for row in _row_slips(stage.inner))
    yield from (stage._replace(other=row) for row in _row_slips(stage.other))


def _row_slips(steps: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    for index, step in enumerate(steps):
        for other in _step_slips(step):
            yield (*steps[:index], other, *steps[index + 1 :])


def _step_slips(step: Step) -> Iterator[Step]:
    yield from (_Slip(python, step.number) for python in SLIPS.get(step.name, ()))
    if len(step.operation.numbers) > 1:
        yield from (step._replace(number=step.number + change) for change in (-1, 1))


MORE = 300
"""Among so many other inputs one is looked for that shows up a slip, or kills a mutant."""


@lru_cache(maxsize=64)
def sufficient(
    program: Program, takes: Kind, seed: int, number: int
) -> tuple[tuple[Any, Any], ...]:
    """The same as :func:`tested`, with inputs of all letters and signs, and more of them until no
    slip and no mutant of the function passes that another input of a wide choice shows up.
    """
    cases = [*tested(program, takes, seed, number)]
    cases += [(value, run(program, value)) for value in WHOLE[takes]]
    rng = Random(f"more {seed}")
    values = [searched_value(rng, takes) for _ in range(MORE)]
    missed = [slip for slip in slips(program) if not differs(slip, cases, 0)]
    more = [(value, run(program, value)) for value in values] if missed else []
    for slip in missed:
        cases += islice((case for case in more if differs(slip, [case], 0)), 1)
    added = killers(subject(program), [value for value, _ in cases], values)
    return (*cases, *((value, run(program, value)) for value in added))


def subject(program: Program) -> Subject:
    """A function whose mutants are to be killed."""
    return Subject(solution(program, "solve"), lambda names, value: names["solve"](value))


def others(program: Program, takes: Kind, seed: int, number: int) -> list[tuple[Any, Any]]:
    """Inputs for a second opinion, with what the function gives."""
    rng = Random(f"others {seed}")
    values = [*EDGES[takes], *WHOLE[takes], *(other_value(rng, takes) for _ in range(number))]
    return [(value, run(program, value)) for value in values]


@lru_cache(maxsize=32)
def examples(program: Program, takes: Kind) -> tuple[tuple[Any, Any], ...]:
    """Two inputs of a dozen, with what a function gives, by which much of it is to be seen."""
    rng = Random(repr(program))
    values = (random_value(rng, takes) for _ in range(12))
    cases = [(value, run(program, value)) for value in values]
    less = [*shortened(program)]
    seen = [{n for n, other in enumerate(less) if differs(other, [case], 0)} for case in cases]
    pairs = itertools.combinations(range(len(cases)), 2)
    one, two = max(pairs, key=lambda pair: len(seen[pair[0]] | seen[pair[1]]))
    return cases[one], cases[two]


@lru_cache(maxsize=64)
def shown_inputs(steps: tuple[Step, ...], takes: Kind, number: int) -> list[Any]:
    """Inputs for a chain of steps, no two of them equal: one edge, and random ones."""
    rng = Random(repr(steps))
    shown = [rng.choice(EDGES[takes])]
    while len(shown) < number:
        value = random_value(rng, takes, 7)
        shown += [value] * (value not in shown)
    return shown
