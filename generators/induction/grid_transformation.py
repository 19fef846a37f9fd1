"""What may be done to a square of colours, as steps of which small programs are made.

A square is a row of numbers, line by line, as in
:mod:`palaestra.generators.induction.list_programs`, so that its search for programs that fit
examples serves here as well. Colour 0 is the background.
"""

from collections.abc import Callable
from math import isqrt
from random import Random

from palaestra.generators.induction.list_programs import Numbers, Step

Square = list[list[int]]

TOLD = {
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


def _fallen(row: list[int]) -> list[int]:
    full = [cell for cell in row if cell]
    return full + [0] * (len(row) - len(full))


def _beside(square: Square, r: int, c: int) -> list[int]:
    size = len(square)
    around = ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))
    return [square[y][x] for y, x in around if 0 <= y < size and 0 <= x < size]


def _changed(square: Square, change: Callable[[int, int, int], int]) -> Square:
    return [[change(r, c, cell) for c, cell in enumerate(row)] for r, row in enumerate(square)]


def _transposed(square: Square) -> Square:
    return [list(column) for column in zip(*square)]


def _folded(row: list[int]) -> list[int]:
    half = len(row) // 2
    return row[: len(row) - half] + row[:half][::-1]


def _exchanged(square: Square, a: int, b: int) -> Square:
    names = {a: b, b: a}
    return [[names.get(cell, cell) for cell in row] for row in square]


def _framed(square: Square, a: int) -> Square:
    ends = {0, len(square) - 1}
    return _changed(square, lambda r, c, x: a if r in ends or c in ends else x)


DONE: dict[str, Callable[[Square, int, int], Square]] = {
    "turn right": lambda g, a, b: [list(column) for column in zip(*g[::-1])],
    "turn left": lambda g, a, b: [list(column) for column in zip(*g)][::-1],
    "half turn": lambda g, a, b: [row[::-1] for row in g[::-1]],
    "mirror": lambda g, a, b: [row[::-1] for row in g],
    "flip": lambda g, a, b: g[::-1],
    "transpose": lambda g, a, b: _transposed(g),
    "recolour": lambda g, a, b: [[b if x == a else x for x in row] for row in g],
    "exchange": _exchanged,
    "fall": lambda g, a, b: _transposed([_fallen(c[::-1])[::-1] for c in _transposed(g)]),
    "left": lambda g, a, b: [_fallen(row) for row in g],
    "shift right": lambda g, a, b: [row[-1:] + row[:-1] for row in g],
    "shift down": lambda g, a, b: g[-1:] + g[:-1],
    "frame": lambda g, a, b: _framed(g, a),
    "paint": lambda g, a, b: [[x or a for x in row] for row in g],
    "grow": lambda g, a, b: _changed(g, lambda r, c, x: x or (any(_beside(g, r, c)) and a) or 0),
    "lonely": lambda g, a, b: _changed(g, lambda r, c, x: x if x in _beside(g, r, c) else 0),
    "fold": lambda g, a, b: [_folded(row) for row in g],
    "sort": lambda g, a, b: sorted(g, key=lambda row: sum(map(bool, row))),
    "diagonal": lambda g, a, b: _changed(g, lambda r, c, x: a if r == c else x),
}
"""The same, done."""


class GridStep(Step):
    """A step on squares; its number holds its two colours, as 10 times the first and the second."""

    def told(self) -> str:
        """The step in words.

        >>> GridStep("recolour", 12).told()
        'every 1 becomes a 2'
        """
        return TOLD[self.operation].format(*divmod(self.number, 10))

    def applied(self, numbers: Numbers) -> Numbers:
        """What the step makes of a square.

        >>> GridStep("mirror", 0).applied((1, 2, 3, 4))
        (2, 1, 4, 3)
        """
        size = isqrt(len(numbers))
        square = [list(numbers[n : n + size]) for n in range(0, len(numbers), size)]
        made = DONE[self.operation](square, *divmod(self.number, 10))
        return tuple([cell for row in made for cell in row])


def menu(rng: Random, size: int, colours: int) -> tuple[GridStep, ...]:
    """Different steps, in alphabetical order, with colours from 1 on."""
    names = sorted(rng.sample(list(TOLD), size))
    steps = []
    for name in names:
        one, other = rng.sample(range(1, colours + 1), 2)
        holes = TOLD[name].count("{0}") + TOLD[name].count("{1}")
        only = name in {"frame", "paint", "grow", "diagonal"}
        steps.append(GridStep(name, 10 * one + (0 if only else other) if holes else 0))
    return tuple(steps)


def square(rng: Random, size: int, colours: int) -> Numbers:
    """A random square, half of it background."""
    return tuple([rng.choice((0, rng.randint(1, colours))) for _ in range(size * size)])
