"""Machines that some objects set off, and the conclusions from trials about each object."""

from functools import lru_cache
from typing import Literal, NamedTuple

from palaestra.generators.circuits import wires

Rule = Literal["one", "two", "odd"]
"""How many blickets light the machine up: at least one, at least two, or an odd number."""


class Trial(NamedTuple):
    """Which objects were put on the machine, and whether it lit up."""

    objects: tuple[int, ...]
    lit: bool


def sets_off(rule: Rule, blickets: int) -> bool:
    """Whether a number of blickets lights the machine up.

    >>> sets_off("two", 1), sets_off("odd", 3)
    (False, True)
    """
    return blickets % 2 == 1 if rule == "odd" else blickets >= (1 if rule == "one" else 2)


@lru_cache(maxsize=256)
def settled(objects: int, trials: tuple[Trial, ...], rule: Rule) -> tuple[str, ...]:
    """What is known of each object, by all sets of blickets that fit the trials."""
    tables = wires((), objects)
    every = (1 << (1 << objects)) - 1
    fits = every
    for chosen, lit in trials:
        one = two = odd = 0
        for table in (tables[o] for o in chosen):
            two |= one & table
            one |= table
            odd ^= table
        lights = {"one": one, "two": two, "odd": odd}[rule]
        fits &= lights if lit else every ^ lights
    return tuple(
        "not" if not fits & table else "blicket" if not fits & ~table else "undetermined"
        for table in tables
    )
