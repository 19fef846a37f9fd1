"""Groups of rollouts over variants of one task: other words, orders or names, or stories.

The variants have equal canonical forms and right answers (with other names, the same but for the
names), so that the rewards of a group compare a policy's replies across presentations that should
make no difference.
"""

from typing import Literal

from palaestra.address import Address
from palaestra.combinators.combinator import SameAnswer
from palaestra.registry import UnknownEnvironment
from palaestra.task import NoValidTask

Variants = Literal["none", "wording", "reorder", "rename", "story"]
"""A combinator whose argument is the number of a variant, or none."""


def variants_of(address: Address, size: int, combinator: Variants) -> list[Address]:
    """The addresses of a group: a task itself, and further variants of it.

    Where the combinator does not apply to the environment, or the task does not suit, all are the
    task itself.

    >>> group = variants_of(Address.of("grids/sudoku", 3), 3, "wording")
    >>> [address.env for address in group]
    ['grids/sudoku', 'grids/sudoku+wording(0)', 'grids/sudoku+wording(1)']
    """
    plain = [address] * size
    if combinator == "none":
        return plain
    try:
        others = [_variant(address, f"{combinator}({number})") for number in range(size - 1)]
        tasks = [other.task() for other in others]
    except (UnknownEnvironment, NoValidTask):
        return plain
    canonical = address.task().canonical()
    same = all(isinstance(t, SameAnswer) and t.canonical() == canonical for t in tasks)
    return [address, *others] if same else plain


def _variant(address: Address, combinator: str) -> Address:
    return Address.of(f"{address.env}+{combinator}", address.seed, **address.knobs.model_dump())
