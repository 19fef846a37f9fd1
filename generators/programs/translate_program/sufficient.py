"""Cases that kill the mutants of programs to be translated, so that tests are sufficient."""

from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any

from palaestra.generators.mutants.killing import killers
from palaestra.generators.mutants.running import Subject
from palaestra.generators.programs.translate_program.drawing import (
    INPUTS,
    Case,
    Source,
    Tried,
    cases_of,
    legal,
    written_out,
)
from palaestra.generators.programs.translate_program.running import CALLED
from palaestra.generators.programs.translate_program.writing import ROW

MORE = 150
"""Among so many other cases those are looked for that kill mutants."""

LEAST, MOST, LONGEST = -99, 99, 12
"""The bounds of the numbers, and of the length of a row."""


def subject(source: Source) -> Subject:
    """A program whose mutants are to be killed, which is given cases."""
    printed: list[str] = []

    def show(*values: Any) -> None:
        printed.append(" ".join(map(str, values)))

    def call(names: Mapping[str, Any], arguments: Case) -> str:
        printed.clear()
        names["solve"](*([*each] if isinstance(each, list) else each for each in arguments))
        return "\n".join(printed)

    return Subject(source.text, call, {**CALLED, "print": show})


def searched_case(rng: Random, source: Source) -> Case:
    """A case of numbers that are equal, neighbouring, in order or at the bounds."""
    values: Case = []
    middle, reach = rng.choice((0, 0, 1, 5, 20, LEAST, MOST)), rng.choice((0, 1, 2, 4, 12, 60))
    for name in source.parameters:
        size = rng.choice((1, 1, 2, 2, 3, 4, 6, 9, LONGEST)) if name == ROW else 1
        numbers = [middle + rng.randint(-reach, reach) for _ in range(size)]
        row = [max(LEAST, min(MOST, x)) for x in rng.choice((numbers, numbers, sorted(numbers)))]
        values.append(row if name == ROW else row[0])
    return values


def other_case(rng: Random, source: Source) -> Case:
    """A case for a second opinion, with numbers from a window that is wide or narrow."""
    low = rng.randint(LEAST, MOST)
    high = min(MOST, low + int(10 ** rng.uniform(0, 2.2)))
    values: Case = []
    for name in source.parameters:
        size = min(LONGEST, 1 + int(rng.expovariate(0.25)))
        row = [rng.randint(low, high) for _ in range(size)]
        values.append(row if name == ROW else row[0])
    return values


@lru_cache(maxsize=64)
def sufficient(source: Source, seed: int) -> tuple[tuple[Tried, ...], ...]:
    """The cases of all inputs; behind those of the last one come more, until no mutant of the
    program passes that another case of a wide choice shows up.
    """
    *first, last = cases_of(source, seed, INPUTS)
    rng = Random(f"more {seed}")
    known = [values for cases in (*first, last) for values, _ in cases]
    tried = legal(source, (searched_case(rng, source) for _ in range(MORE)))
    added = killers(subject(source), known, [values for values, _ in tried])
    return (*first, (*last, *legal(source, added)))


def tests(source: Source, seed: int) -> tuple[tuple[str, str], ...]:
    """Inputs with what is printed."""
    return tuple(map(written_out, sufficient(source, seed)))


def others(source: Source, seed: int, number: int) -> tuple[Tried, ...]:
    """Cases for a second opinion, with what is printed."""
    rng = Random(f"others {seed}")
    return tuple(legal(source, (other_case(rng, source) for _ in range(number))))
