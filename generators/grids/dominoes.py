"""Dominoes that do not touch, two shaded cells in each region: norinori."""

from collections import Counter
from functools import lru_cache
from random import Random

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.grids.marks import Count, Marks, Sheet, exactly
from palaestra.generators.grids.pencil import SearchResult
from palaestra.generators.grids.shapes import (
    connected,
    gathered,
    grown,
    renamed,
    sides,
    ways,
)

SHADED, CLEAR = "#", "-"
MAX_NODES = 300
"""Limit of the search nodes when proving that there is one solution."""

SOME = 6
"""The number of solutions that are compared to select a cell that rules them out."""


@lru_cache(maxsize=16)
def ground(size: int) -> tuple[tuple[Count, ...], dict[int, Marks], dict[int, Marks]]:
    """The rules for all regions: after the cells come the dominoes, on where both cells are.

    They are counts, consequences of what is on, and consequences of what is off.
    """
    pairs = ways(size, size)
    near = sides(size, size)
    covering: list[list[int]] = [[] for _ in range(size * size)]
    for number, pair in enumerate(pairs, size * size):
        for cell in pair:
            covering[cell].append(number)
    counts = tuple((bits([cell, *some]), 0b101) for cell, some in enumerate(covering))
    if_on: dict[int, Marks] = {}
    for number, (one, other) in enumerate(pairs, size * size):
        around = {*near[one], *near[other], one, other}
        touching = {domino for cell in around for domino in covering[cell]} - {number}
        if_on[number] = bits([one, other]), bits(touching | around - {one, other})
    if_off = {cell: (0, bits(some)) for cell, some in enumerate(covering)}
    return counts, if_on, if_off


def often(cells: list[int]) -> list[int]:
    """The most frequent cells.

    >>> often([3, 1, 3, 2, 2])
    [2, 3]
    """
    counts = Counter(cells)
    most = max(counts.values(), default=0)
    return sorted(cell for cell, many in counts.items() if many == most)


@lru_cache(maxsize=64)
def solve(size: int, region: tuple[int, ...], clear: int) -> SearchResult[int]:
    """Some ways to shade, as the shaded cells, where some are known to be clear."""
    counts, if_on, if_off = ground(size)
    pairs = tuple(exactly(cells, 2) for cells in gathered(region))
    total = size * size + len(ways(size, size))
    sheet = Sheet(total, (*pairs, *counts), if_on, if_off)
    solution = sheet.solve(off=clear, limit=SOME, most=MAX_NODES)
    full = (1 << size * size) - 1
    return SearchResult(
        [on & full for on in solution.solutions], solution.nodes, solution.steps, solution.complete
    )


def settled(
    rng: Random, size: int, region: list[int], shaded: int, repairs: int
) -> tuple[list[int], int]:
    """The regions with borders moved, and the cells known to be clear, so that it is unique.

    Another solution is ruled out if a cell that only it shades goes to the region beside it;
    after so many repairs, such a cell is known to be clear instead.
    """
    region, clear = [*region], 0
    others: list[int] = []
    while others or not (solution := solve(size, tuple(renamed(region)), clear)).unique:
        others = others or [on & ~shaded for on in solution.solutions if on != shaded]
        # The choice is among the cells that rule out the most solutions at once.
        wrong = often([cell for on in others for cell in ones(on)])
        moves = [
            (cell, region[beside])
            for cell in wrong
            for beside in sides(size, size)[cell]
            if region[beside] != region[cell] and spared_by(region, cell, size)
        ]
        if moves and repairs:
            cell, number = rng.choice(moves)
            region[cell] = number
        else:
            hidden = ~(shaded | clear) & (1 << size * size) - 1
            cell = rng.choice(wrong or ones(hidden))
            clear |= 1 << cell
        others = [on for on in others if not on >> cell & 1]  # the others are still solutions
        repairs = max(0, repairs - 1)
    return renamed(region), clear


def spared_by(region: list[int], cell: int, size: int) -> bool:
    """Whether a region is still connected without one of its cells."""
    rest = bits(n for n, number in enumerate(region) if number == region[cell] and n != cell)
    return connected(rest, size, size)


def dominoes(rng: Random, size: int) -> list[int]:
    """The cells of dominoes that do not touch, at random, as many as fit."""
    near = sides(size, size)
    pairs = ways(size, size)
    chosen: list[int] = []
    blocked: set[int] = set()
    for one, other in rng.sample(pairs, len(pairs)):
        if one not in blocked and other not in blocked:
            chosen += one, other
            blocked |= {one, other, *near[one], *near[other]}
    return chosen


def paired_up(rng: Random, size: int, shaded: list[int]) -> list[int] | None:
    """Every cell's region, each with two of the shaded cells; None if there is no such pairing."""
    alone = grown(rng, size, size, shaded)
    met = {(alone[a], alone[b]) for a, b in ways(size, size) if alone[a] != alone[b]}
    beside: dict[int, list[int]] = {number: [] for number in range(len(shaded))}
    for one, other in sorted(met | {(b, a) for a, b in met}):
        beside[one].append(other)
    name = [*range(len(shaded))]
    while beside:
        least = min(map(len, beside.values()))
        if not least:
            return None
        one = rng.choice([n for n, some in beside.items() if len(some) == least])
        other = rng.choice(beside[one])
        name[max(one, other)] = min(one, other)
        for gone in (one, other):
            for number in beside.pop(gone):
                if number in beside:
                    beside[number].remove(gone)
    return renamed([name[number] for number in alone])
