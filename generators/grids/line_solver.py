"""Search in binary grids by lines: for each row and column, the fillings that it may have.

A filling is an integer whose bit ``n`` says whether the n-th cell of the line is on. Propagation
keeps, line by line, the fillings that agree with what the crossing lines have in common; search
goes on from there.
"""

from collections.abc import Sequence
from functools import reduce
from operator import and_, or_
from random import Random

from palaestra.generators.grids.pencil import SearchResult

Line = Sequence[int]
"""The fillings that a row or column may have."""

Lines = list[Line]
"""The rows and then the columns."""

Cell = tuple[int, int]


def settle(lines: Lines, height: int, distinct: bool = False) -> Lines | None:
    """All consequences, line by line; None if a line has no filling left.

    With ``distinct``, no two rows are the same and no two columns are.
    """
    lines = [*lines]
    on, known = [0] * len(lines), [0] * len(lines)
    waiting = dict.fromkeys(range(len(lines)))  # an ordered set
    while waiting:
        index = next(iter(waiting))
        del waiting[index]
        must, seen = on[index], known[index]
        lines[index] = line = [filling for filling in lines[index] if filling & seen == must]
        if not line:
            return None
        every, some = reduce(and_, line), reduce(or_, line)
        base, length = (height, len(lines) - height) if index < height else (0, height)
        fresh = (every | ~some) & ~seen & ((1 << length) - 1)
        on[index], known[index] = every, seen | fresh
        bit = index if index < height else index - height
        while fresh:
            low = fresh & -fresh
            fresh ^= low
            other = base + low.bit_length() - 1
            if not known[other] >> bit & 1:
                known[other] |= 1 << bit
                on[other] |= bool(every & low) << bit
                waiting[other] = None
        if distinct and len(line) == 1:
            waiting |= dict.fromkeys(_parted(lines, index, height))
    return lines


def _parted(lines: Lines, index: int, height: int) -> list[int]:
    """Remove the filling of a finished line from the other lines; return those that had it."""
    (filling,) = lines[index]
    beside = range(height) if index < height else range(height, len(lines))
    candidates = [other for other in beside if other != index and filling in lines[other]]
    for other in candidates:
        lines[other] = [line for line in lines[other] if line != filling]
    return candidates


def having(lines: Lines, height: int, cell: Cell, sign: int) -> Lines:
    """The lines once a cell is known."""
    row, column = cell
    changed = [*lines]
    changed[row] = [line for line in lines[row] if line >> column & 1 == sign]
    other = height + column
    changed[other] = [line for line in lines[other] if line >> row & 1 == sign]
    return changed


def undecided(lines: Lines, height: int) -> list[Cell]:
    """The cells that may still be on or off."""
    cells = []
    for row, line in enumerate(lines[:height]):
        doubt = reduce(or_, line) & ~reduce(and_, line)
        cells += [(row, c) for c in range(len(lines) - height) if doubt >> c & 1]
    return cells


def solve(
    lines: Lines, height: int, distinct: bool = False, limit: int = 2
) -> tuple[list[tuple[int, ...]], int]:
    """Up to ``limit`` solutions as rows, and the number of nodes of the search.

    One node means that no cell had to be tried.
    """
    solutions: list[tuple[int, ...]] = []
    nodes, stack = 0, [lines]
    while stack and len(solutions) < limit:
        nodes += 1
        settled = settle(stack.pop(), height, distinct)
        if settled is None:
            continue
        doubts = undecided(settled, height)
        if not doubts:
            solutions.append(tuple(line[0] for line in settled[:height]))
            continue
        cell = min(doubts, key=lambda c: len(settled[c[0]]) + len(settled[height + c[1]]))
        stack += [having(settled, height, cell, sign) for sign in (0, 1)]
    return solutions, nodes


def search(lines: Lines, height: int, distinct: bool = False) -> SearchResult[int]:
    """Up to two solutions of a grid, as the cells that are on.

    Its steps are the fillings to begin with, times the bits of the number of nodes.
    """
    solutions, nodes = solve(lines, height, distinct)
    width = len(lines) - height
    flat = [sum(row << width * n for n, row in enumerate(rows)) for rows in solutions]
    return SearchResult(flat, nodes, sum(map(len, lines)) * nodes.bit_length(), complete=True)


def compose(
    lines: Lines, height: int, rng: Random, distinct: bool = False
) -> tuple[Lines, dict[Cell, int]]:
    """A random solution, and clues from which it follows without any other.

    Whatever does not follow yet is decided at random and becomes a clue; a choice that
    contradicts the earlier clues is excluded, so its opposite follows.
    """
    while True:
        clues: dict[Cell, int] = {}
        settled = settle(lines, height, distinct)
        while settled is not None:
            doubts = undecided(settled, height)
            if not doubts:
                return settled, clues
            cell, sign = rng.choice(doubts), rng.randrange(2)
            tried = settle(having(settled, height, cell, sign), height, distinct)
            if tried is None:
                settled = settle(having(settled, height, cell, 1 - sign), height, distinct)
            else:
                clues[cell] = sign
                settled = tried


def spared(
    lines: Lines, height: int, clues: dict[Cell, int], rng: Random, distinct: bool = False
) -> dict[Cell, int]:
    """The clues without those that follow from the others, tried in random order."""
    kept = {**clues}
    for cell in rng.sample([*kept], len(kept)):
        sign = kept.pop(cell)
        tried = having(lines, height, cell, 1 - sign)
        for other, known in kept.items():
            tried = having(tried, height, other, known)
        if solve(tried, height, distinct, limit=1)[0]:
            kept[cell] = sign
    return kept
