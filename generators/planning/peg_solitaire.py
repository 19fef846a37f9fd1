"""Peg solitaire: boards of several shapes, the jumps on them, and how to leave a single peg.

The holes are numbered row by row, those outside the shape included; pegs are bits of a number.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

Jump = tuple[int, int, int]
"""The cells that a peg leaves, jumps over, and lands on."""

SHAPES = {
    "square": ("....", "....", "....", "...."),
    "wide": (".....", ".....", ".....", "....."),
    "cross": ("##..##", "##..##", "......", "......", "##..##", "##..##"),
    "diamond": ("##.##", "#...#", ".....", "#...#", "##.##"),
    "english": ("##...##", "##...##", ".......", ".......", ".......", "##...##", "##...##"),
}


@lru_cache(maxsize=8)
def jumps(shape: str) -> tuple[Jump, ...]:
    """Every jump that the cells of a board allow."""
    rows = SHAPES[shape]
    width = len(rows[0])
    cells = {(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "."}
    return tuple(
        (r * width + c, (r + y) * width + c + x, (r + 2 * y) * width + c + 2 * x)
        for (r, c), (y, x) in product(sorted(cells), ((0, 1), (1, 0), (0, -1), (-1, 0)))
        if {(r + y, c + x), (r + 2 * y, c + 2 * x)} <= cells
    )


@lru_cache(maxsize=8)
def jumped_cells(shape: str) -> dict[tuple[int, int], int]:
    """The cell that each jump passes over, by the cells from which and to which it goes."""
    return {(start, end): over for start, over, end in jumps(shape)}


@lru_cache(maxsize=256)
def solved(shape: str, pegs: int) -> tuple[tuple[Jump, ...], int] | None:
    """Jumps that leave one peg, by depth-first search, and the number of boards visited."""
    masks = [(1 << a | 1 << b, 1 << c, (a, b, c)) for a, b, c in jumps(shape)]
    dead = set[int]()
    visited = 0

    def searched(board: int) -> tuple[Jump, ...] | None:
        nonlocal visited
        if board & (board - 1) == 0:
            return ()
        visited += 1
        for taken, free, jump in masks:
            if board & taken == taken and not board & free:
                after = board ^ taken ^ free
                if after not in dead and visited < 20_000:
                    rest = searched(after)
                    if rest is not None:
                        return jump, *rest
        dead.add(board)
        return None

    plan = searched(pegs)
    return None if plan is None else (plan, visited)


def greedy_jumps(pegs: int, ways: Sequence[Jump]) -> list[Jump]:
    """The jumps of a player who always makes the first legal one in an order of all jumps.

    >>> greedy_jumps(0b10011, jumps("wide"))
    [(0, 1, 2)]
    """
    for a, b, c in ways:
        if pegs >> a & 1 and pegs >> b & 1 and not pegs >> c & 1:
            return [(a, b, c), *greedy_jumps(pegs ^ (1 << a | 1 << b | 1 << c), ways)]
    return []
