"""Steps on squares of colours, which small programs consist of.

A square is a row of numbers, line by line, as in
:mod:`palaestra.generators.induction.list_programs`, so the search for programs that fit examples
there works here as well. Colour 0 is the background.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from math import isqrt
from operator import itemgetter
from random import Random

from palaestra.generators.induction.list_programs import Numbers, Step

DESCRIPTIONS = {
    "turn right": "turn the grid a quarter to the right (clockwise)",
    "turn left": "turn the grid a quarter to the left (counterclockwise)",
    "half turn": "turn the grid by a half turn",
    "mirror": "exchange left and right (mirror each row)",
    "flip": "exchange top and bottom (the first row becomes the last)",
    "transpose": "exchange rows and columns (cell in row r and column c goes to row c, column r)",
    "recolour": "every {0} becomes a {1}",
    "exchange": "every {0} becomes a {1} and every {1} a {0}",
    "fall": "in each column, the cells that are not 0 fall to the bottom and keep their order",
    "left": "in each row, the cells that are not 0 move as far left as they can, in their order",
    "shift right": "move every column one to the right; the last one becomes the first",
    "shift down": "move every row one down; the last one becomes the first",
    "frame": "all cells at the border of the grid become {0}",
    "paint": "every 0 becomes a {0}",
    "grow": "every 0 with a cell other than 0 above, below, left or right of it becomes a {0}",
    "lonely": "every cell without a cell of its own colour above, below, left or right becomes 0",
    "fold": "the left half is mirrored onto the right half (a middle column stays as it is)",
    "sort": "sort the rows by how many of their cells are not 0, fewest at the top; rows with "
    "equally many keep their order",
    "diagonal": "all cells on the diagonal from the top left to the bottom right become {0}",
}
"""Every step in words; {0} and {1} are colours."""


ORDERS: dict[str, Callable[[int, int, int], tuple[int, int]]] = {
    "turn right": lambda r, c, last: (last - c, r),
    "turn left": lambda r, c, last: (c, last - r),
    "half turn": lambda r, c, last: (last - r, last - c),
    "mirror": lambda r, c, last: (r, last - c),
    "flip": lambda r, c, last: (last - r, c),
    "transpose": lambda r, c, last: (c, r),
    "shift right": lambda r, c, last: (r, (c - 1) % (last + 1)),
    "shift down": lambda r, c, last: ((r - 1) % (last + 1), c),
    "fold": lambda r, c, last: (r, min(c, last - c)),
}
"""The steps that only move cells: the source of a cell, by its row, its column and the last row."""


@cache
def _mover(step: str, size: int) -> Callable[[Numbers], Numbers]:
    """Such a step as a function of squares of a size."""
    sources = [ORDERS[step](*divmod(n, size), size - 1) for n in range(size * size)]
    return itemgetter(*[r * size + c for r, c in sources])


@cache
def _neighbours(size: int) -> tuple[Callable[[Numbers], Numbers], ...]:
    """Getters of the cells above, below, left and right of each cell of a square.

    They take the square with one more cell at its end, which stands for all cells outside.
    """
    getters = []
    for down, along in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        cells = [(r + down, c + along) for r in range(size) for c in range(size)]
        indices = [r * size + c if 0 <= r < size and 0 <= c < size else -1 for r, c in cells]
        getters.append(itemgetter(*indices))
    return tuple(getters)


def _around(square: Numbers, size: int, outside: int) -> Iterator[tuple[int, ...]]:
    """Each cell with the four beside it."""
    whole = (*square, outside)
    return zip(square, *[getter(whole) for getter in _neighbours(size)])


def _packed(cells: Numbers) -> Numbers:
    full = tuple([cell for cell in cells if cell])
    return full + (0,) * (len(cells) - len(full))


def _rows(square: Numbers, size: int) -> list[Numbers]:
    return [square[n : n + size] for n in range(0, len(square), size)]


def _fallen(square: Numbers, size: int) -> Numbers:
    cells = list(square)
    for column in range(size):
        cells[column::size] = _packed(square[column::size][::-1])[::-1]
    return tuple(cells)


def _framed(square: Numbers, size: int, a: int) -> Numbers:
    middle = [(a, *row[1:-1], a) for row in _rows(square, size)[1:-1]]
    return tuple(chain((a,) * size, *middle, (a,) * size))


def _diagonal(square: Numbers, size: int, a: int) -> Numbers:
    cells = list(square)
    cells[:: size + 1] = [a] * size
    return tuple(cells)


ACTIONS: dict[str, Callable[[Numbers, int, int, int], Numbers]] = {
    "recolour": lambda g, size, a, b: tuple([b if x == a else x for x in g]),
    "exchange": lambda g, size, a, b: tuple([b if x == a else a if x == b else x for x in g]),
    "fall": lambda g, size, a, b: _fallen(g, size),
    "left": lambda g, size, a, b: tuple(chain(*map(_packed, _rows(g, size)))),
    "frame": lambda g, size, a, b: _framed(g, size, a),
    "paint": lambda g, size, a, b: tuple([x or a for x in g]),
    "grow": lambda g, size, a, b: tuple(
        [x or (a if up or down or left or right else 0)
         for x, up, down, left, right in _around(g, size, 0)]
    ),
    "lonely": lambda g, size, a, b: tuple(
        [x if x in beside else 0 for x, *beside in _around(g, size, -1)]
    ),
    "sort": lambda g, size, a, b: tuple(chain(*sorted(_rows(g, size), key=_full))),
    "diagonal": lambda g, size, a, b: _diagonal(g, size, a),
}  # fmt: skip
"""All other steps as functions of a square, its size and two colours."""


def _full(row: Numbers) -> int:
    return len(row) - row.count(0)


class GridStep(Step):
    """A step on squares; its number holds its two colours, as 10 times the first and the second."""

    def as_text(self) -> str:
        """The step in words.

        >>> GridStep("recolour", 12).as_text()
        'every 1 becomes a 2'
        """
        return DESCRIPTIONS[self.operation].format(*divmod(self.number, 10))

    def applied(self, numbers: Numbers) -> Numbers:
        """The square after the step.

        >>> GridStep("mirror", 0).applied((1, 2, 3, 4))
        (2, 1, 4, 3)
        """
        size = isqrt(len(numbers))
        if self.operation in ORDERS:
            return _mover(self.operation, size)(numbers)
        return ACTIONS[self.operation](numbers, size, *divmod(self.number, 10))


def menu(rng: Random, size: int, colours: int) -> tuple[GridStep, ...]:
    """Different steps, in alphabetical order, with colours from 1 on."""
    names = sorted(rng.sample(list(DESCRIPTIONS), size))
    steps = []
    for name in names:
        one, other = rng.sample(range(1, colours + 1), 2)
        colour = 10 * one if "{0}" in DESCRIPTIONS[name] else 0
        steps.append(GridStep(name, colour + other * ("{1}" in DESCRIPTIONS[name])))
    return tuple(steps)


def square(rng: Random, size: int, colours: int) -> Numbers:
    """A random square, half of it background."""
    return tuple([rng.choice((0, rng.randint(1, colours))) for _ in range(size * size)])
