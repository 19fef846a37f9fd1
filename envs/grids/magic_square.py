"""Completing a magic square; the one of order three is the Chinese Lo Shu.

Squares of order four and five are made from two orthogonal Latin squares whose diagonals hold
every digit too, as Leonhard Euler did ("De quadratis magicis", 1776).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from math import sqrt
from random import Random
from typing import Self

from palaestra.generators.cells import images, in_rows, line_names, lines
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.constraints import Board, Different, Total, between
from palaestra.generators.grids.pencil import Grid, PermutationGrid, SearchResult
from palaestra.scenes import Grid as GridScene
from palaestra.scenes.elements import changed
from palaestra.task import ladder

MAX_NODES = 400
"""Limit of the search nodes when completing a square."""

Rows = list[list[int]]


class MagicSquare(PermutationGrid):
    """Complete a square so that rows, columns and both diagonals have the same sum."""

    tags = {"grid", "arithmetic", "constraint-satisfaction"}

    class Knobs(PermutationGrid.Knobs):
        size: int = ladder(3, 4, 4, 4, 5, 5, 5, high=7)
        blanks: int = ladder(5, 6, 9, 11, 14, 16, 18, low=3)
        first: int = ladder(30, high=99)  # the least number is up to that

    first: int
    givens: Grid

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size if knobs.size != 6 else 5  # six has no orthogonal squares
        first = rng.randint(1, knobs.first)
        rows = rng.choice(images(magic(rng, size)))
        blanks = set(rng.sample(range(size * size), min(knobs.blanks, size * size - 2)))
        givens = (
            tuple(0 if r * size + c in blanks else first + n for c, n in enumerate(row))
            for r, row in enumerate(rows)
        )
        return cls(first=first, givens=tuple(givens))

    def is_valid(self) -> bool:
        return bool(self.solved().solutions)

    def solved(self) -> SearchResult[tuple[int, ...]]:
        """One way to complete the square, if the search ends in time."""
        size = len(self.givens)
        values = between(0, size * size - 1)
        board = Board(size * size, [Different(tuple(range(size * size)), values)])
        for line in magic_lines(size):
            board.add(Total(line, size * (size * size - 1) // 2))
        numbers = [number for row in self.givens for number in row]
        domains = [1 << number - self.first if number else values for number in numbers]
        result = board.solve(domains, limit=1, most=MAX_NODES)
        squares = [tuple(self.first + n for n in solution) for solution in result.solutions]
        return replace(result, solutions=squares)

    def lowest(self) -> int:
        return self.first

    def canonical(self) -> str:
        """Counting from another number, or backwards, changes nothing."""
        last = self.first + len(self.givens) ** 2 - 1
        forth = [[number and number - self.first + 1 for number in row] for row in self.givens]
        back = [[number and last - number + 1 for number in row] for row in self.givens]
        return str(min(images(forth) + images(back)))

    def alterations(self, rng: Random) -> Iterator[Self]:
        """Two given numbers change places, and no full line has another sum."""
        flat = [number for row in self.givens for number in row]
        for numbers in exchanges(flat, rng, lambda cell: True if flat[cell] else None):
            givens = tuple(map(tuple, in_rows(numbers, len(self.givens))))
            lines = [[numbers[cell] for cell in line] for line in magic_lines(len(givens))]
            if all(0 in line or sum(line) == self.total() for line in lines):
                yield self.model_copy(update={"givens": givens})

    def prompt(self) -> str:
        size = len(self.givens)
        last = self.first + size * size - 1
        rules = self.phrase(
            f"Complete this magic square of {size} rows and {size} columns. It holds each whole "
            f"number from {self.first} to {last} exactly once, and the numbers of every row, of "
            "every column and of each of the two long diagonals (corner to corner) add up to "
            f"{self.total()}.",
            f"In a square of {size} by {size} cells the numbers {self.first}, {self.first + 1}, "
            f"..., {last} stand once each. All {size} rows, all {size} columns and the two "
            f"diagonals from corner to corner have the same sum, {self.total()}. Find the numbers "
            "that are missing.",
        )
        return (
            f"{rules} Dots are empty cells; the numbers that are there must stay. If there are "
            f"several ways to do it, any one will do.\n\n{self.board()}\n\n{self.answer_format()}"
        )

    def total(self) -> int:
        """The sum of each line."""
        size = len(self.givens)
        return size * (2 * self.first + size * size - 1) // 2

    def picture(self, rows: Sequence[Sequence[int]]) -> GridScene:
        """The square with its sum on the rim."""
        total = ((str(self.total()),),) * len(self.givens)
        return changed(super().picture(rows), right=total, bottom=total)

    def violation(self, rows: list[list[int]]) -> str:
        return super().violation(rows) or self.false_sum([n for row in rows for n in row])

    def false_sum(self, numbers: list[int]) -> str:
        """Which line has another sum, if any."""
        size = len(self.givens)
        names = [*line_names(size, size), "the falling diagonal", "the rising diagonal"]
        for name, line in zip(names, magic_lines(size)):
            total = sum(numbers[cell] for cell in line)
            if total != self.total():
                return f"{name} has the sum {total}"
        return ""

    def audit(self, answer: str) -> bool:
        square = [[int(n) for n in line.replace(",", " ").split()] for line in answer.splitlines()]
        falling = [row[n] for n, row in enumerate(square)]
        rising = [row[-1 - n] for n, row in enumerate(square)]
        sums = {*map(sum, square), *map(sum, zip(*square)), sum(falling), sum(rising)}
        left = Counter(range(self.first, self.first + len(square) ** 2))
        left.subtract(number for row in square for number in row)
        kept = all(n in (0, m) for a, b in zip(self.givens, square) for n, m in zip(a, b))
        return len(sums) == 1 and not any(left.values()) and kept

    def difficulty(self) -> float:
        return sqrt(self.solved().steps)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, blanks=6)

    def options(self, cell: int, numbers: Mapping[int, int]) -> list[int]:
        """The missing numbers with which no line exceeds its sum, or is full and has another."""

        def exceeded(line: Sequence[int], total: int, number: int) -> bool:
            known = [number if n == cell else numbers[n] for n in line if n == cell or n in numbers]
            return sum(known) != total if len(known) == len(line) else sum(known) > total

        crossing = [
            (line, total)
            for line, total in zip(magic_lines(len(self.givens)), repeat(self.total()))
            if cell in line
        ]
        return [
            number
            for number in super().options(cell, numbers)
            if not any(exceeded(line, total, number) for line, total in crossing)
        ]


def magic_lines(size: int) -> list[tuple[int, ...]]:
    """Rows, columns and the two diagonals."""
    falling = range(0, size * size, size + 1)
    rising = range(size - 1, size * size - 1, size - 1)
    return [*lines(size, size), tuple(falling), tuple(rising)]


def magic(rng: Random, size: int) -> Rows:
    """A magic square of the numbers from 0, of order 3, 4, 5 or 7."""
    if size == 3:
        return [[1, 6, 5], [8, 4, 0], [3, 2, 7]]
    high, low = (rng.sample(range(size), size) for _ in range(2))
    side = range(size)
    return [
        [size * high[latin(size, 2, r, c)] + low[latin(size, 3, r, c)] for c in side] for r in side
    ]


def latin(size: int, factor: int, row: int, column: int) -> int:
    """``factor * row + column`` in the field of so many elements, four included.

    >>> latin(5, 2, 4, 1), latin(4, 2, 2, 1)
    (4, 2)
    """
    if size == 4:
        return ((0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))[factor - 1][row] ^ column
    return (factor * row + column) % size
