"""What all kinds of cases have in common."""

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from palaestra.verifiers.verifier import Verifier


class Case(NamedTuple):
    """An answer to a verifier, and whether it is right by a route that shares no code with it."""

    form: str
    """How a right answer is written, or what is wrong with a wrong one."""
    verifier: Verifier
    answer: str
    right: bool


Cases = Callable[[random.Random], Iterator[Case]]
"""Makes the cases of one round, a few right ones and a few wrong ones, without end."""


def joined(names: list[str]) -> str:
    """Names as prose lists them.

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else "".join(names)


def fenced(text: str, language: str = "") -> str:
    """A text in a fenced block."""
    return f"```{language}\n{text}\n```"
