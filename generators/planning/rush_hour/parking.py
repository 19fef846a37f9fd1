"""A square car park in which cars keep to their lanes, and all positions that they can reach.

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
"""The lane of a car, its first cell there, and its length."""

SPOTS = [(lane, n, size) for lane in LANES for size in (2, 3) for n in range(SIZE - size + 1)]
"""Every position of a car of two or three cells."""

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


class Lane(dict[int, tuple[int, ...]]):
    """The change of each slide of a car of a lane, by the bits of the lane and those across it.

    Entries are computed on first use.

    >>> lane = Lane(1, (5,))
    >>> f"{lane.mask & 0xfff:b}", [f"{change:b}" for change in lane[0b11111 << 6]]
    ('111111000000', ['100001000000'])
    >>> lane[0b11111 << 6 | 1 << 67]
    ()
    """

    def __init__(self, lane: int, lengths: tuple[int, ...]) -> None:
        self.slides: dict[int, list[Slide]] = {}
        """The slides for each occupation of the lane."""
        self.own = _bits(lane * SIZE, SIZE)
        self.mask = self.own | _crossing(lane, _bits(0, SIZE))
        for firsts in _placings(lengths):
            taken = sum(map(_bits, firsts, lengths)) << lane * SIZE
            self.slides[taken] = list(_slides(lane, firsts, lengths))

    def __missing__(self, bits: int) -> tuple[int, ...]:
        ways = self.slides[bits & self.own]
        self[bits] = gaps = tuple([change for over, change in ways if not bits & over])
        return gaps


def _slides(lane: int, firsts: Sequence[int], lengths: Sequence[int]) -> Iterator[Slide]:
    """The slides of the cars of a lane that do not run into one another."""
    lows = [0, *map(sum, zip(firsts, lengths))]
    for first, length, low, high in zip(firsts, lengths, lows, [*firsts[1:], SIZE]):
        car = _bits(first, length)
        for there in range(low, high - length + 1):
            if there != first:
                over = _bits(min(first, there), length + abs(there - first)) & ~car
                yield _crossing(lane, over), (car ^ _bits(there, length)) << lane * SIZE


def _crossing(lane: int, over: int) -> int:
    """The bits that the lanes across have for some cells of a lane."""
    line, first = (lane, SIZE) if lane < SIZE else (lane - SIZE, 0)
    return sum(1 << (first + n) * SIZE + line for n in range(SIZE) if over >> n & 1)


_lane = lru_cache(maxsize=1024)(Lane)


class Positions(NamedTuple):
    """Positions that can be reached from one another, and the indices of the neighbours of each."""

    known: list[int]
    beside: list[list[int]]

    def away(self, arrived: Callable[[int], bool]) -> list[int]:
        """The distance of each position from the nearest one that has arrived, or -1."""
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


def _lanes(cars: Sequence[Car]) -> list[tuple[int, Lane]]:
    lengths: list[tuple[int, ...]] = [()] * len(LANES)
    for lane, _, length in sorted(cars):
        lengths[lane] += (length,)
    lanes = [_lane(lane, lengths[lane]) for lane in LANES if lengths[lane]]
    return [(lane.mask, lane) for lane in lanes]


def room(cars: Sequence[Car]) -> int:
    """The number of slides from a position.

    >>> room([(0, 0, 2)]), room([(0, 0, 2), (8, 0, 3)])
    (4, 3)
    """
    here = position(cars)
    return sum(len(lane[here & mask]) for mask, lane in _lanes(cars))


def reached(cars: Sequence[Car], most: int) -> Positions | None:
    """Every position that cars can reach, nearest first, or ``None`` if there are too many.

    >>> [format(n, "b") for n in reached([(0, 0, 5)], 9).known], reached([(0, 0, 2)], 4)
    (['11111', '111110'], None)
    """
    lanes, beside = _lanes(cars), []
    known = [position(cars)]
    number = {known[0]: 0}
    for here in known:
        near = []
        for mask, lane in lanes:
            for change in lane[here & mask]:
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
    """The cars in a position.

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
