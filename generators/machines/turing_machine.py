"""Turing machines as tables of rules, and two ways to run them."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

Rule = tuple[int, int, int] | None
"""The symbol to write, the cells to move (-1 or 1) and the next state; ``None`` halts."""

Table = tuple[tuple[Rule, ...], ...]
"""A rule for each state and symbol."""


class End(NamedTuple):
    """The final state of tape and head, and the number of steps."""

    tape: tuple[int, ...]
    """The symbols from the first to the last cell that is not 0."""
    first: int
    """The number of the first of these cells."""
    head: int
    steps: int


def run(table: Table, tape: tuple[int, ...], most: int) -> tuple[End, dict[tuple[int, int], int]]:
    """The end of a run of at most ``most`` steps, and the number of steps before each first use.

    Uses are of pairs of state and symbol. The run ends early when all of them have been used: a
    machine that halts has halted by then.
    """
    pairs_in_all = len(table) * len(table[0])
    cells = dict(enumerate(tape))
    state = head = steps = 0
    uses: dict[tuple[int, int], int] = {}
    while True:
        read = cells.get(head, 0)
        uses.setdefault((state, read), steps)
        rule = table[state][read]
        if rule is None or steps == most or len(uses) == pairs_in_all:
            return _end(cells, head, steps), uses
        cells[head], move, state = rule
        head += move
        steps += 1


def _end(cells: Mapping[int, int], head: int, steps: int) -> End:
    marked = [cell for cell, symbol in cells.items() if symbol]
    first, last = min(marked, default=0), max(marked, default=-1)
    return End(tuple(cells.get(c, 0) for c in range(first, last + 1)), first, head, steps)


@lru_cache(maxsize=64)
def halted(table: Table, tape: tuple[int, ...]) -> tuple[End, dict[tuple[int, int], int]]:
    """The same for a machine that is known to halt."""
    return run(table, tape, 10**6)


def rerun(table: Table, tape: tuple[int, ...]) -> End:
    """The end of a run by a second method: the tape as two stacks, left of the head and the rest.

    >>> rerun((((1, 1, 0), None),), (0, 0, 1))
    End(tape=(1, 1, 1), first=0, head=2, steps=2)
    """
    left: list[int] = []
    right = list(reversed(tape))
    state = steps = shifted = 0
    while (rule := table[state][right[-1] if right else 0]) is not None:
        write, move, state = rule
        steps += 1
        right[-1:] = [write]
        if move > 0:
            left.append(right.pop())
        else:
            shifted += not left
            right.append(left.pop() if left else 0)
    cells = {n - shifted: symbol for n, symbol in enumerate(left + right[::-1])}
    return _end(cells, len(left) - shifted, steps)
