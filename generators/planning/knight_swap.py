"""Knights on small boards of odd shape, and the fewest moves in which two colours change places.

The cells are numbered row by row, those that are not part of the board included.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from palaestra.generators.bidirectional_search import shortest_between

WIDTH = 5
LEAPS = tuple((r, c) for r in (-2, -1, 1, 2) for c in (-2, -1, 1, 2) if abs(r) != abs(c))

Side = tuple[int, ...]
Position = tuple[int, int]
"""The cells of the white and of the black knights, as bits."""
Move = tuple[int, int]


@lru_cache(maxsize=64)
def leaps(cells: Side) -> dict[int, list[int]]:
    """Where a knight can go from each cell of a board.

    >>> leaps((0, 7, 11))
    {0: [7, 11], 7: [0], 11: [0]}
    """
    reachable = {}
    for cell in cells:
        row, column = divmod(cell, WIDTH)
        ends = [(row + r, column + c) for r, c in LEAPS]
        inside = {r * WIDTH + c for r, c in ends if 0 <= c < WIDTH}
        reachable[cell] = sorted(inside & set(cells))
    return reachable


def bits(cells: Iterable[int]) -> int:
    """A set of cells as bits."""
    return sum(1 << cell for cell in cells)


@lru_cache(maxsize=256)
def shortest(cells: Side, white: Side, black: Side) -> tuple[Move, ...] | None:
    """The fewest moves, of either colour in any order, that exchange the knights."""
    to = [(cell, 1 << cell, [(n, 1 << n) for n in ends]) for cell, ends in leaps(cells).items()]

    def ways(position: Position) -> Iterator[tuple[Move, Position]]:
        one, other = position
        both = one | other
        for cell, bit, ends in to:
            if both & bit:
                for end, new in ends:
                    if not both & new:
                        leap = bit | new
                        yield (
                            (cell, end),
                            (one ^ leap, other) if one & bit else (one, other ^ leap),
                        )

    def back(position: Position) -> Iterator[tuple[Move, Position]]:
        return (((end, start), before) for (start, end), before in ways(position))

    start = bits(white), bits(black)
    plan = shortest_between(start, start[::-1], ways, back, budget=5_000)
    return None if plan is None else plan.moves
