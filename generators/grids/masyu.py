"""Loops through black and white circles: masyu."""

from dataclasses import replace
from functools import lru_cache
from random import Random

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.cells import in_rows, text
from palaestra.generators.grids import loops
from palaestra.generators.grids.dominoes import often
from palaestra.generators.grids.lines import LINE_SIGNS, links, roots
from palaestra.generators.grids.loops import LoopSheet
from palaestra.generators.grids.marks import Count, Marks, at_most, exactly
from palaestra.generators.grids.pencil import SearchResult
from palaestra.generators.grids.shapes import ways

BLACK, WHITE, VISITED, EMPTY, BLANK = "B", "W", "o", "x", "."
MAX_NODES = 60
"""Limit of the search nodes when proving that there is one loop."""

SOME = 6
"""The number of loops that are compared to select a cell to show."""

Pearls = tuple[tuple[int, str], ...]
"""The signs by cell."""

OPPOSITE = {"U": "D", "D": "U", "L": "R", "R": "L"}
STEP = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}


def as_text(loop: int, size: int) -> str:
    """A loop as an answer."""
    named = {frozenset(some): sign for sign, some in LINE_SIGNS.items()}
    signs = [named[frozenset(exits)] for exits in course(loop, size)]
    return text(in_rows(signs, size))


def course(loop: int, size: int) -> list[str]:
    """The sides by which the loop leaves each cell."""
    return ["".join(s for s in some if loop >> some[s] & 1) for some in links(size, size)]


def outline(inside: int, size: int) -> int:
    """The links of the loop around some squares, whose corners are the cells.

    >>> bin(outline(0b1, 2))
    '0b1111'
    """
    width, sides_crossed = size - 1, 0

    def lit(row: int, column: int) -> int:
        held = 0 <= row < width and 0 <= column < width
        return inside >> row * width + column & 1 if held else 0

    for number, (one, other) in enumerate(ways(size, size)):
        row, column = divmod(one, size)
        beside = (row - 1, column) if other == one + 1 else (row, column - 1)
        if lit(row, column) != lit(*beside):
            sides_crossed |= 1 << number
    return sides_crossed


def enough(rng: Random, loop: int, size: int) -> dict[int, str] | None:
    """All circles that a loop may have, and more known cells, until it is the only one.

    ``None`` where another loop visits the same cells.
    """
    signs = strung(loop, size)
    visited = met(loop, size)
    sheet = board(size, tuple(sorted(signs.items())))
    marks = settled(sheet, (0, 0))
    others: list[int] = []
    while signs:
        shown: list[int] = []
        if not others:
            unknown = [cell for cell in open_cells(size, marks) if cell not in signs]
            if len(unknown) > 4 * size:  # a search would not come to an end
                shown = rng.sample(unknown, len(unknown) // (4 * size))
            else:
                solution = sheet.solve(*marks, limit=SOME, most=MAX_NODES, known=marks)
                if solution.unique:
                    return signs
                edges = [on >> (size - 1) ** 2 for on in solution.solutions]
                others = [met(on, size) ^ visited for on in edges if on != loop]
        if not shown:
            # The choice is among the cells that distinguish the loop from the most others, or,
            # where the search ended before another one, among those that it would have to try.
            doubts = often([cell for some in others for cell in ones(some)]) if others else unknown
            if not all(others) or not doubts:
                return None
            shown = [rng.choice(doubts)]
        others = [some for some in others if not some >> shown[0] & 1]
        more = {cell: VISITED if visited >> cell & 1 else EMPTY for cell in shown}
        signs |= more
        sheet, marks = with_signs(sheet, marks, more, size)
    return None


def settled(sheet: LoopSheet, marks: Marks, known: Marks | None = None, fresh: int = 0) -> Marks:
    """All consequences of marks on a board whose signs are those of a loop."""
    result, _ = sheet.settle(marks, known, fresh)
    assert result is not None, "the signs are those of a loop"
    return result


def with_signs(
    sheet: LoopSheet, marks: Marks, signs: dict[int, str], size: int
) -> tuple[LoopSheet, Marks]:
    """A settled board with more cells that are known to be visited or empty."""
    squares, had = (size - 1) ** 2, len(sheet.counts)
    counts = [
        (some << squares, allowed)
        for cell, sign in signs.items()
        for some, allowed in circled(cell, sign, size)[0]
    ]
    sheet = sheet.plus(counts)
    return sheet, settled(sheet, marks, marks, (1 << len(counts)) - 1 << had)


def open_cells(size: int, marks: Marks) -> list[int]:
    """The cells with links that are not marked."""
    known = (marks[0] | marks[1]) >> (size - 1) ** 2
    return [cell for cell, (some, _) in enumerate(ground(size)) if some & ~known]


def met(loop: int, size: int) -> int:
    """The cells that a loop visits."""
    return bits(n for n, (cells, _) in enumerate(ground(size)) if cells & loop)


def strung(loop: int, size: int) -> dict[int, str]:
    """The cells in which the loop passes as it must at a circle, with the colour of the circle."""
    exits = course(loop, size)
    clues = {}
    for cell, some in enumerate(exits):
        if len(some) == 2:
            row, column = divmod(cell, size)
            next_to = [exits[(row + STEP[s][0]) * size + column + STEP[s][1]] for s in some]
            straight = [straight_on(each) for each in next_to]
            if not straight_on(some) and all(straight):
                clues[cell] = BLACK
            if straight_on(some) and not all(straight):
                clues[cell] = WHITE
    return clues


def straight_on(exits: str) -> bool:
    """Whether a line that leaves a cell by these sides does not turn there."""
    return exits in {"LR", "RL", "UD", "DU"}


def lone(loop: int, size: int) -> bool:
    """Whether links, each cell having none or two of them, are one loop."""
    root = roots(loop & loop - 1, size, size)  # without one of its links, a loop is a path
    return loop != 0 and root is not None


@lru_cache(maxsize=16)
def ground(size: int) -> tuple[Count, ...]:
    """Each cell has none or two of the links."""
    return tuple((bits(some.values()), 0b101) for some in links(size, size))


@lru_cache(maxsize=1024)
def circled(cell: int, sign: str, size: int) -> tuple[list[Count], dict[int, Marks]]:
    """The rules for the links around a cell with this sign."""
    wires = links(size, size)
    some = wires[cell]
    row, column = divmod(cell, size)
    beyond = {
        side: wires[(row + STEP[side][0]) * size + column + STEP[side][1]].get(side)
        for side in some
    }
    axes = [[s for s in axis if s in some] for axis in ("LR", "UD")]
    counts = [exactly(some.values(), 0 if sign == EMPTY else 2)]
    if sign in (VISITED, EMPTY):
        return counts, {}
    if sign == WHITE:
        for axis in axes:
            further = [beyond[s] for s in axis]
            counts.append((bits(some[s] for s in axis), 0b101))
            near = [some[s] for s in axis] + [n for n in further if n is not None]
            counts.append(at_most(near, 3))
        return counts, {}
    counts += [exactly([some[s] for s in axis], 1) for axis in axes]
    after = {}
    for side, link in some.items():
        ahead = beyond[side]
        after[link] = (0, 1 << link) if ahead is None else (1 << ahead, 0)
    return counts, after


def board(size: int, pearls: Pearls) -> LoopSheet:
    """The rules of a puzzle. Its cells are the corners of squares, and the links their sides."""
    sheet, _ = loops.ground(size - 1)
    squares = (size - 1) ** 2
    counts: list[Count] = []
    if_on: dict[int, Marks] = {}
    for cell, sign in pearls:
        more, after = circled(cell, sign, size)
        counts += [(some << squares, allowed) for some, allowed in more]
        for link, (on, off) in after.items():
            had = if_on.get(link + squares, (0, 0))
            if_on[link + squares] = had[0] | on << squares, had[1] | off << squares
    return sheet.plus(counts, if_on)


@lru_cache(maxsize=64)
def solve(size: int, pearls: Pearls, limit: int = 2) -> SearchResult[int]:
    """Up to so many loops, as the links used."""
    result = board(size, pearls).solve(limit=limit, most=MAX_NODES)
    return replace(result, solutions=[on >> (size - 1) ** 2 for on in result.solutions])
