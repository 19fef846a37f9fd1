"""Diagonals in the cells of a grid, from the numbers of them that meet at corners: slant.

Each diagonal joins two corners of the same colour, if corners are coloured like a chessboard. So a
cell is on where it joins dark corners, and every clue counts cells that are on, or off.
"""

from random import Random

from palaestra.generators.bitsets import bits
from palaestra.generators.cells import in_rows, text
from palaestra.generators.grids.marks import Sheet
from palaestra.generators.grids.pencil import SearchResult

MAX_NODES = 200
"""Limit of the search nodes when proving that there is one solution."""

Corner = tuple[int, int]


def around(corner: Corner, size: int) -> list[int]:
    """The cells that meet at a corner.

    >>> around((0, 1), 3), around((3, 3), 3)
    ([0, 1], [8])
    """
    row, column = corner
    rows = (r for r in (row - 1, row) if 0 <= r < size)
    return [r * size + c for r in rows for c in (column - 1, column) if 0 <= c < size]


def met(on: int, corner: Corner, size: int) -> int:
    """How many diagonals end at a corner."""
    cells = around(corner, size)
    lit = sum(on >> cell & 1 for cell in cells)
    return len(cells) - lit if sum(corner) % 2 else lit


def joined(cell: int, lit: bool, size: int) -> tuple[int, int]:
    """The two corners that a cell joins, where it is on or off."""
    row, column = divmod(cell, size)
    corner = row * (size + 1) + column
    falling = lit != (row + column) % 2
    return (corner, corner + size + 2) if falling else (corner + 1, corner + size + 1)


def unlooped(on: int, off: int, size: int) -> bool:
    """Whether the diagonals drawn so far hold no closed loop."""
    root = [*range((size + 1) ** 2)]
    for cell in range(size * size):
        if (on | off) >> cell & 1:
            ends = []
            for corner in joined(cell, bool(on >> cell & 1), size):
                top = corner
                while root[top] != top:
                    top = root[top]
                ends.append(top)
            if ends[0] == ends[1]:
                return False
            root[ends[0]] = ends[1]
    return True


def solve(size: int, clues: dict[int, int]) -> SearchResult[int]:
    """Up to two solutions, as the cells that are on."""
    counts = []
    for number, many in clues.items():
        corner = divmod(number, size + 1)
        cells = around(corner, size)
        counts.append((bits(cells), 1 << (len(cells) - many if sum(corner) % 2 else many)))

    def sound(on: int, off: int) -> bool:
        return unlooped(on, off, size)

    return Sheet(size * size, tuple(counts), sound=sound).solve(most=MAX_NODES)


def woven(rng: Random, size: int) -> int:
    """Diagonals at random that form no loop."""
    on = off = 0
    for cell in rng.sample(range(size * size), size * size):
        mark = 1 << cell
        if rng.random() < 0.5:
            on, off = (on | mark, off) if unlooped(on | mark, off, size) else (on, off | mark)
        else:
            on, off = (on, off | mark) if unlooped(on, off | mark, size) else (on | mark, off)
    return on


def as_text(on: int, size: int) -> str:
    """Cells as an answer."""
    falling = [(on >> n & 1) != sum(divmod(n, size)) % 2 for n in range(size * size)]
    signs = ["\\" if some else "/" for some in falling]
    return text(in_rows(signs, size))
