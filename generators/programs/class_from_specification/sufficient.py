"""Sequences of calls that kill the mutants of a class, so that tests with them are sufficient."""

from collections.abc import Mapping
from copy import deepcopy
from functools import lru_cache
from random import Random
from typing import Any

from palaestra.generators.mutants.killing import killers
from palaestra.generators.mutants.running import Subject
from palaestra.generators.programs.class_from_specification.composing import (
    KINDS,
    Built,
    Call,
    Row,
    methods,
    parameters,
    performed,
    running,
    tested,
    written,
)

MORE = 300
"""Among so many other rows of calls those are looked for that kill mutants."""

ALWAYS = 120
"""So many of them are taken in any case, since wrong classes differ in more than one place."""


def subject(built: Built) -> Subject:
    """A class whose mutants are to be killed, which is given rows of calls."""
    return Subject(written(built, "Made"), _returned)


def _returned(names: Mapping[str, Any], calls: tuple[Call, ...]) -> list[Any]:
    """The results of method calls on a new object."""
    instance = names["Made"]()
    values = []
    for name, args in calls:
        result = getattr(instance, name)(*args)
        values.append(deepcopy(result) if isinstance(result, list | dict) else result)
    return values


def searched_calls(rng: Random, built: Built) -> tuple[Call, ...]:
    """Calls of a few methods with a few values, so that they have much to do with each other, and
    now and then one of each method at the end, to see what has come of it.
    """
    signatures = [signature.strip(")").split("(") for signature, _ in methods(built)]
    chosen = rng.sample(signatures, min(len(signatures), rng.choice((1, 1, 2, 2, 3, 4, 9))))
    chosen += [signatures[0]] * rng.choice((0, 1, 1, 2))  # which is what puts something in
    few: dict[str, list[Any]] = {}
    rows = rng.choices(chosen, k=rng.choice((6, 9, 12, 16, 24, 30)))
    if rng.random() < 0.3:
        rows += rng.sample(signatures, len(signatures))
    calls: list[Call] = []
    for name, names in rows:
        args = []
        for _, type_name in parameters(names):
            values = few.setdefault(
                type_name, [KINDS[type_name][1](rng) for _ in range(rng.choice((1, 2, 3, 3, 4)))]
            )
            args.append(rng.choice(values))
        calls.append((name, tuple(args)))
    return tuple(calls)


def other_calls(rng: Random, built: Built) -> tuple[Call, ...]:
    """Calls for a second opinion: all methods are equally likely, and calls often repeat."""
    signatures = [signature.strip(")").split("(") for signature, _ in methods(built)]
    name, names = rng.choice(signatures)
    calls: list[Call] = []
    for _ in range(1 + min(60, int(rng.expovariate(0.06)))):
        if rng.random() < 0.6:
            name, names = rng.choice(signatures)
        calls.append((name, tuple(KINDS[type_name][1](rng) for _, type_name in parameters(names))))
    return tuple(calls)


@lru_cache(maxsize=64)
def sufficient(built: Built, seed: int, number: int, length: int) -> tuple[Row, ...]:
    """The same as :func:`tested`, and more until no mutant of the class passes that another row of
    a wide choice shows up.
    """
    rows, make, rng = tested(built, seed, number, length), running(built), Random(f"more {seed}")
    candidates = [searched_calls(rng, built) for _ in range(MORE)]
    more = candidates[:ALWAYS]
    chosen = [*(calls for calls, _ in rows), *more]
    more += killers(subject(built), chosen, candidates[ALWAYS:])
    return (*rows, *((calls, performed(make, calls)) for calls in more))


def others(built: Built, seed: int, number: int) -> tuple[Row, ...]:
    """Sequences of calls for a second opinion, with their results."""
    rng, make = Random(f"others {seed}"), running(built)
    rows = (other_calls(rng, built) for _ in range(number))
    return tuple((calls, performed(make, calls)) for calls in rows)
