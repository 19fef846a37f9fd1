"""Sets of small numbers as integers, whose bits are the members."""

from collections.abc import Iterable


def ones(bits: int) -> list[int]:
    """The positions of the bits that are set, from the lowest.

    >>> ones(0b1010)
    [1, 3]
    """
    positions = []
    while bits:
        low = bits & -bits
        positions.append(low.bit_length() - 1)
        bits ^= low
    return positions


def bits(cells: Iterable[int]) -> int:
    """A set of cells as an integer.

    >>> bits([0, 2])
    5
    """
    return sum(1 << cell for cell in cells)
