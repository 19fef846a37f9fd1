"""The registry of kinds of instruction: how each is put, what values it takes, what it counts."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from palaestra.verifiers.instructions.text import Text
from palaestra.verifiers.instructions.values import Count, Plain, Told, Value

Implied = Mapping[str, tuple[float, float] | str]
"""What an instruction settles: a measure lies within bounds, or a choice has fallen."""

MANY = math.inf


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of instruction.

    ``violation`` receives a text and the values, and returns what is wrong, or an empty string.
    ``implies`` receives the values; two instructions conflict if what they imply does.
    """

    name: str
    wordings: tuple[str, ...]
    values: Mapping[str, Value]
    violation: Callable[..., str]
    implies: Callable[..., Implied]


KINDS: dict[str, Kind] = {}
"""Every kind, by its name."""


def add(entry: Kind) -> None:
    """Enter a kind."""
    if entry.name in KINDS or len(entry.wordings) < 2:
        raise ValueError(f"{entry.name} is entered twice, or has a single wording")
    KINDS[entry.name] = entry


def _nothing(**_: Plain) -> Implied:
    return {}


def instruction_type(
    *wordings: str, implies: Callable[..., Implied] = _nothing, **values: Value
) -> Callable[[Callable[..., str]], Callable[..., str]]:
    """Enter a kind by its ``violation``, a function named like it but for a leading underscore."""

    def enter(violation: Callable[..., str]) -> Callable[..., str]:
        add(Kind(violation.__name__.removeprefix("_"), wordings, values, violation, implies))
        return violation

    return enter


RANGES: Mapping[str, tuple[str, str]] = {
    "at_least": ("Use at least {n:@}.", "Use {n:@} or more."),
    "at_most": ("Use at most {n:@}.", "Use no more than {n:@}."),
    "exactly": ("Use exactly {n:@}.", "The number of @s is {n}, no more and no less."),
    "between": ("Use from {low} to {high:@}.", "There are at least {low} and at most {high:@}."),
}
"""The ways of saying how many, with @ for what is counted."""


class Measure(NamedTuple):
    """A quantity that can be counted in a text; up to ``most`` may be requested."""

    name: str
    unit: str
    of: Callable[[Text], int]
    most: int
    note: str = ""
    """What the unit is, where its name does not say."""


def counted(measure: Measure, *ways: str) -> None:
    """Enter the kinds that say, in some of the :data:`RANGES`, how many there are."""
    name, unit, of, most, note = measure
    violations: Mapping[str, Callable[..., str]] = {
        "at_least": lambda text, n: outside(of(text), unit, n, MANY),
        "at_most": lambda text, n: outside(of(text), unit, 0, n),
        "exactly": lambda text, n: outside(of(text), unit, n, n),
        "between": lambda text, low, high: outside(of(text), unit, low, high),
    }
    implied: Mapping[str, Callable[..., Implied]] = {
        "at_least": lambda n: {name: (n, MANY)},
        "at_most": lambda n: {name: (0, n)},
        "exactly": lambda n: {name: (n, n)},
        "between": lambda low, high: {name: (low, high)},
    }
    values: Mapping[str, Mapping[str, Value]] = {
        "at_least": {"n": Count(1, most)},
        "at_most": {"n": Count(0, most)},
        "exactly": {"n": Count(0, most)},
        "between": {"low": Count(0, most), "high": Count(1, most)},
    }
    for way in ways:
        wordings = tuple(f"{wording.replace('@', unit)} {note}".strip() for wording in RANGES[way])
        add(Kind(f"{name}_{way}", wordings, values[way], violations[way], implied[way]))


def outside(count: int, unit: str, low: float, high: float) -> str:
    """What is wrong with a count, or nothing.

    >>> outside(1, "word", 2, 4), outside(3, "word", 2, 4)
    ('it has 1 word', '')
    """
    return "" if low <= count <= high else f"it has {Told(count):{unit}}"
