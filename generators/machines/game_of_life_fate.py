"""The fate of a board of the game of life, by arithmetic on whole rows of bits."""

from typing import NamedTuple

Rows = tuple[int, ...]
"""The rows of a square board, whose living cells are the bits that are set."""


class Fate(NamedTuple):
    """The first generation whose board occurs again, and the period of its repetition.

    ``total`` is the sum of the numbers of living cells in all generations before it.
    """

    generation: int
    period: int
    total: int


def stepped(rows: Rows) -> Rows:
    """The board one generation later, on a torus. Bits of a row are added in parallel.

    >>> stepped((0, 4, 4, 4, 0))
    (0, 0, 14, 0, 0)
    """
    size = len(rows)
    last = size - 1
    full = (1 << size) - 1
    left = [(row << 1 | row >> last) & full for row in rows]
    right = [row >> 1 | (row & 1) << last for row in rows]
    ones = [a ^ b ^ c for a, b, c in zip(left, rows, right)]
    twos = [a & b | c & (a | b) for a, b, c in zip(left, rows, right)]
    after = []
    for n in range(size):
        up, down = n - 1, n + 1 - size * (n == last)
        beside, both = left[n] ^ right[n], left[n] & right[n]
        carry = ones[up] & ones[down] | beside & (ones[up] ^ ones[down])
        odd = ones[up] ^ ones[down] ^ beside
        one_two = twos[up] ^ twos[down] ^ both ^ carry
        three_twos = twos[up] & twos[down] | both & carry
        after.append(one_two & ~three_twos & (odd | rows[n]))
    return tuple(after)


def fate(rows: Rows, most: int) -> Fate | None:
    """The fate of a board, or ``None`` if it is still open after ``most`` generations.

    >>> fate((0, 4, 4, 4, 0), 10), fate((0, 4, 0, 0), 10)
    (Fate(generation=0, period=2, total=0), Fate(generation=1, period=1, total=1))
    """
    seen: dict[Rows, int] = {}
    counts: list[int] = []
    while rows not in seen:
        if len(counts) > most:
            return None
        seen[rows] = len(counts)
        counts.append(sum(row.bit_count() for row in rows))
        rows = stepped(rows)
    first = seen[rows]
    return Fate(first, len(counts) - first, sum(counts[:first]))
