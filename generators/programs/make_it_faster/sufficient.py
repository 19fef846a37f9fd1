"""Arguments that kill the mutants of fast programs, so that tests by them are sufficient.

What is wanted comes of the fast program: the slow one takes exponential time for some arguments.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from palaestra.generators.mutants.killing import killers
from palaestra.generators.mutants.running import Subject
from palaestra.generators.programs.make_it_faster.composing import (
    TOP,
    Case,
    Instance,
    program,
    running,
    shape_of,
    small_cases,
)
from palaestra.generators.programs.make_it_faster.parts import Shape

MORE: Mapping[Shape, int] = {"list": 90, "recursion": 20, "loop": 40, "square": 40}
"""Among so many other arguments those are looked for that kill mutants."""

MOST: Mapping[Shape, int] = {"recursion": 40, "loop": 2_500, "square": 120}
"""The greatest number that is looked at, such that programs that are not the fastest have time."""

LENGTHS = (1, 2, 3, 4, 6, 9, 14, 20, 40, 150, 150)
"""The lengths of the lists that are looked at."""


def subject(parts: tuple[Instance, ...]) -> Subject:
    """A fast program whose mutants are to be killed."""
    return Subject(program(parts, fast=True), _solved)


def _solved(names: Mapping[str, Any], value: Any) -> Any:
    return names["solve"](list(value) if isinstance(value, list) else value)


# ------------------------------------------------------------------------------------ arguments


def searched(rng: Random, parts: tuple[Instance, ...]) -> Any:
    """An argument near the numbers of its program, with equal or neighbouring values in lists."""
    shape = shape_of(parts)
    own = [number for _, numbers in parts for number in numbers[:-1]]
    if shape != "list":
        middle = rng.choice((0, 10, 100, *own)) * rng.choice((1, 1, 2, 3)) + rng.randint(-2, 2)
        largest = rng.choice((middle, rng.randint(0, MOST[shape])))
        return min(MOST[shape], max(0, largest))
    size = rng.choice(LENGTHS)
    near = [0, TOP, TOP // 2, *own, *(n - 1 for n in own), *(TOP - n for n in own)]
    reach, apart = rng.choice((0, 1, 2, 9, 99, TOP, TOP)), rng.choice((1, 1, *own)) or 1
    few = rng.sample(near, rng.choice((1, 1, 2)))
    values = [rng.choice(few) + apart * rng.randint(-reach, reach) for _ in range(size)]
    return _arranged(rng, [value % (TOP + 1) for value in values])


def _arranged(rng: Random, values: list[int]) -> list[int]:
    """The values as they are, up, down, down and up, or with only small steps between them."""
    how = rng.randrange(6)
    if how == 1:
        return sorted(values)
    if how == 2:
        return sorted(values, reverse=True)
    if how == 3:
        half = len(values) // 2
        return sorted(values[:half], reverse=True) + sorted(values[half:])
    if how == 4:
        return [min(TOP, values[0] + rng.randint(0, 3)) for _ in values]
    return values


def other(rng: Random, parts: tuple[Instance, ...]) -> Any:
    """An argument for a second opinion: lists with values from a window that is wide or narrow,
    some of them copied from further up, and numbers of all sizes.
    """
    shape = shape_of(parts)
    if shape != "list":
        return int(MOST[shape] ** rng.random() * 1.5) - rng.randint(0, 1)
    low, width = int(TOP * rng.random() ** 3), int(10 ** rng.uniform(0, 4))
    copied = rng.choice((0.0, 0.2, 0.7))
    values: list[int] = []
    for _ in range(1 + min(90, int(rng.expovariate(0.05)))):
        again = values and rng.random() < copied
        values.append(rng.choice(values) if again else rng.randint(low, min(TOP, low + width)))
    return values


# ---------------------------------------------------------------------------------------- tests


@lru_cache(maxsize=64)
def sufficient(parts: tuple[Instance, ...], seed: int) -> tuple[Case, ...]:
    """The same as :func:`small_cases`, and more until no mutant of the fast program passes that
    another argument of a wide choice shows up.
    """
    cases = small_cases(parts, seed)
    chosen = [value for (value,), _ in cases]
    added: list[Any] = []
    for searched_in, candidates in _searches(parts, Random(f"{seed} more")):
        added += killers(subject(searched_in), [*chosen, *added], candidates)
    return (*cases, *_cases(parts, added))


def _searches(
    parts: tuple[Instance, ...], rng: Random
) -> Iterator[tuple[tuple[Instance, ...], list[Any]]]:
    """Programs whose mutants are to be killed, with arguments that may do so: the whole one where
    each part works on what the one before it gives, and otherwise each part by itself.
    """
    shape = shape_of(parts)
    if shape == "list":
        yield parts, [searched(rng, parts) for _ in range(MORE[shape])]
        return
    for part in parts:
        numbers: dict[int, None] = {}
        while len(numbers) < MORE[shape]:
            numbers[searched(rng, (part,))] = None
        yield (part,), [*numbers]


def others(parts: tuple[Instance, ...], seed: int, number: int) -> tuple[Case, ...]:
    """Arguments for a second opinion, with what is to be returned."""
    rng = Random(f"{seed} others")
    return _cases(parts, [other(rng, parts) for _ in range(number)])


def _cases(parts: tuple[Instance, ...], values: Sequence[Any]) -> tuple[Case, ...]:
    solve = running(parts)
    return tuple(((value,), solve(value)) for value in values)
