"""A square car park in which cars keep to their lanes, and all the positions they can get into.

The lanes are the rows, from the top, and then the columns, from the left. The cars of a lane never
pass one another, so which of its cells are taken says where each of them is. A position is a number
with a bit for each cell of each lane: those that are taken by the cars of that very lane.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

SIZE = 6
LANES = range(2 * SIZE)

Car = tuple[int, int, int]
"""The lane, the first cell in it, and how many cells the car takes."""

Slide = tuple[int, int]
"""The bits that have to be clear for it, and those it changes."""


def cells(car: Car) -> list[tuple[int, int]]:
    """The rows and columns of a car's cells.

    >>> cells((1, 3, 2)), cells((6, 1, 2))
    ([(1, 3), (1, 4)], [(1, 0), (2, 0)])
    """
    lane, first, length = car
    along = range(first, first + length)
    return [(lane, n) if lane < SIZE else (n, lane - SIZE) for n in along]


def text(cars: Sequence[Car], names: str) -> str:
    """The car park with a letter for each cell of a car, and dots.

    >>> print(text([(0, 0, 2), (11, 0, 3)], "AB")[:23])
    A A . . . B
    . . . . . B
    """
    signs = {cell: name for name, car in zip(names, cars) for cell in cells(car)}
    return "\n".join(" ".join(signs.get((r, c), ".") for c in range(SIZE)) for r in range(SIZE))


def position(cars: Sequence[Car]) -> int:
    """The position of some cars."""
    return sum(_bits(first, length) << lane * SIZE for lane, first, length in cars)


def _bits(first: int, length: int) -> int:
    return ((1 << length) - 1) << first


def _placings(lengths: Sequence[int], low: int = 0) -> Iterator[tuple[int, ...]]:
    """Every way to put cars in a lane in their order, by their first cells."""
    if not lengths:
        yield ()
        return
    for first in range(low, SIZE - sum(lengths) + 1):
        for rest in _placings(lengths[1:], first + lengths[0]):
            yield (first, *rest)


@lru_cache(maxsize=2048)
def slides(lane: int, lengths: tuple[int, ...]) -> tuple[int, dict[int, list[Slide]]]:
    """All bits of a lane, and for each way it may be taken by its cars the slides of one of them.

    >>> slides(0, (5,))
    (63, {31: [(2147483648, 33)], 62: [(1, 33)]})
    """
    found: dict[int, list[Slide]] = {}
    for firsts in _placings(lengths):
        ways: list[Slide] = []
        for n, (first, length) in enumerate(zip(firsts, lengths)):
            low = firsts[n - 1] + lengths[n - 1] if n else 0
            high = firsts[n + 1] if n + 1 < len(firsts) else SIZE
            car = _bits(first, length)
            for there in range(low, high - length + 1):
                over = _bits(min(first, there), length + abs(there - first)) & ~car
                change = car ^ _bits(there, length)
                if change:
                    ways.append((_crossing(lane, over), change << lane * SIZE))
        taken = sum(map(_bits, firsts, lengths))
        found[taken << lane * SIZE] = ways
    return _bits(lane * SIZE, SIZE), found


def _crossing(lane: int, over: int) -> int:
    """The bits that the lanes across have for some cells of a lane."""
    place, first = (lane, SIZE) if lane < SIZE else (lane - SIZE, 0)
    return sum(1 << (first + n) * SIZE + place for n in range(SIZE) if over >> n & 1)


class Positions(NamedTuple):
    """Positions that can be reached from one another, and for each the places of its neighbours."""

    known: list[int]
    beside: list[list[int]]

    def away(self, arrived: Callable[[int], bool]) -> list[int]:
        """How many slides each position is from one that has arrived, -1 if there is none."""
        queue = [n for n, here in enumerate(self.known) if arrived(here)]
        far = [-1] * len(self.known)
        for n in queue:
            far[n] = 0
        for n in queue:
            for other in self.beside[n]:
                if far[other] < 0:
                    far[other] = far[n] + 1
                    queue.append(other)
        return far


def reached(cars: Sequence[Car], most: int) -> Positions | None:
    """Every position that cars can get into, nearest first, or none if there are more than so many.

    >>> [format(n, "b") for n in reached([(0, 0, 5)], 9).known], reached([(0, 0, 2)], 4)
    (['11111', '111110'], None)
    """
    lengths: list[tuple[int, ...]] = [()] * len(LANES)
    for lane, _, length in sorted(cars):
        lengths[lane] += (length,)
    tables = [slides(lane, lengths[lane]) for lane in LANES if lengths[lane]]
    known, beside = [position(cars)], []
    number = {known[0]: 0}
    for here in known:
        near = []
        for mask, ways in tables:
            for over, change in ways[here & mask]:
                if not here & over:
                    there = here ^ change
                    if there not in number:
                        number[there] = len(known)
                        known.append(there)
                    near.append(number[there])
        if len(known) > most:
            return None
        beside.append(near)
    return Positions(known, beside)


def parked(cars: Sequence[Car], here: int) -> tuple[Car, ...]:
    """The cars as they stand in a position.

    >>> parked([(0, 0, 2), (0, 3, 3)], 0b111011)
    ((0, 0, 2), (0, 3, 3))
    """
    free = [here >> lane * SIZE & _bits(0, SIZE) for lane in LANES]
    firsts = {}
    for car in sorted(cars):
        lane, _, length = car
        firsts[car] = (free[lane] & -free[lane]).bit_length() - 1
        free[lane] &= ~_bits(firsts[car], length)
    return tuple([(car[0], firsts[car], car[2]) for car in cars])


def clears(lengths: Sequence[int], row: int) -> bool:
    """Whether a column of cars can leave a row free, the first cars above it, the others below.

    >>> clears([3], 2), clears([2, 3], 2), clears([3, 2], 2)
    (True, True, False)
    """
    cuts = range(len(lengths) + 1)
    return any(sum(lengths[:n]) <= row and sum(lengths[n:]) < SIZE - row for n in cuts)
