"""Rules by remainders that mark some cells of a grid, and the search for those that fit."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

Family = Literal["rows and columns", "lines", "products"]


@lru_cache(maxsize=32)
def masks(family: Family, largest: int, rows: int, columns: int) -> tuple[int, ...]:
    """The cells that each rule marks, as different masks with a bit for each cell.

    A rule has numbers a, b, d below a modulus m from 2 to the largest, and a remainder k; it marks
    the cell in row r and column c, from 1, where ``(a*r + b*c + d*r*c) mod m`` is ``k``. Where all
    of a, b, d are 0, that is every cell or none.
    """
    by_mask: dict[int, None] = {}
    cells = [(r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)]
    powers = [1 << cell for cell in range(len(cells))]
    for m in range(2, largest + 1):
        for a in range(m):
            for b in range(m):
                for d in range(m) if family == "products" else (0,):
                    if family == "rows and columns" and a and b:
                        continue
                    by_value = [0] * m
                    for (r, c), power in zip(cells, powers):
                        by_value[(a * r + b * c + d * r * c) % m] += power
                    by_mask |= dict.fromkeys(by_value)
    return tuple(by_mask)


def fitting(all_masks: Iterable[int], shown: int, marked: int) -> list[int]:
    """The masks that agree with what is marked of the cells that are shown.

    >>> fitting((0b01, 0b11), shown=0b10, marked=0b10)
    [3]
    """
    return [mask for mask in all_masks if mask & shown == marked]


def grid_text(mask: int, hidden: Sequence[int], rows: int, columns: int) -> str:
    r"""A grid with an x for each mark, an o for each other cell and a ? for each hidden one.

    >>> grid_text(0b0110, [3], 2, 2)
    'ox\nx?'
    """
    signs = ["ox"[mask >> n & 1] for n in range(rows * columns)]
    for n in hidden:
        signs[n] = "?"
    starts = range(0, rows * columns, columns)
    return "\n".join("".join(signs[start : start + columns]) for start in starts)
