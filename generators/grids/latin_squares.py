"""Latin squares, with boxes and inequalities or without: the base of their puzzles, and a solver.

All candidates of a square are the bits of one integer: the bit of a digit in a cell is
``(digit * size + row) * size + column``, everything counted from 0. "Exactly one place left" is
then found for every row, column, box and cell at once, by adding up shifted copies of that integer
in binary, carry by carry. That is what makes a sudoku take a fraction of a millisecond.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations, product
from random import Random
from typing import ClassVar, Self

from palaestra.generators.bitsets import ones
from palaestra.generators.cells import lines, text
from palaestra.generators.grids.constraints import Board, Different, Rule, between
from palaestra.generators.grids.pencil import (
    MAX_NODES,
    Grid,
    NumberGrid,
    SearchResult,
    as_grid,
    by_cell,
    revealed,
)
from palaestra.task import Policy
from palaestra.verifiers.reading.grids import repeated

Clue = tuple[int, int, int]
"""A row, a column and the digit there, everything counted from 0."""

Less = tuple[int, int]
"""Two cells side by side, as ``row * size + column``, the first of which holds less."""

State = tuple[int, int]
"""The candidates left, and those whose consequences are settled."""


class LatinSquare(NumberGrid):
    """A square to be filled so that each row and column holds each number from 1 on exactly once.

    A new environment defines its fields, which are its clues and ``givens``; ``rules``, the clues
    as rules of the search; ``generate``, which usually ends with ``task.with_givens(...)``;
    ``violation``, which is ``super().violation(rows) or ...``; and ``prompt``. It overrides
    ``max_nodes`` if a search has to end sooner, and ``solved`` if it has a search of its own.
    """

    max_nodes: ClassVar[int] = MAX_NODES
    """Limit of the search nodes when proving that there is one solution."""

    def rules(self) -> Iterable[Rule]:
        """The rules that its clues add to those of rows and columns."""
        return ()

    def solved(self) -> SearchResult[tuple[int, ...]]:
        return self.completions(by_cell(self.givens))

    def completions(self, numbers: Mapping[int, int]) -> SearchResult[tuple[int, ...]]:
        """Up to two solutions in which the cells have these numbers."""
        size = len(self.givens)
        values = between(1, size)
        board = Board(size * size, [*latin_rules(size), *self.rules()])
        domains = [1 << numbers[cell] if cell in numbers else values for cell in range(size**2)]
        return board.solve(domains, most=self.max_nodes)

    def with_givens(self, rng: Random, solution: Sequence[int], count: int) -> Self:
        """The puzzle with so many random numbers of a solution, and more until it is unique."""
        size, cells = len(self.givens), range(len(solution))
        first = rng.sample(cells, min(count, len(solution) - 4))
        numbers = revealed(self.completions, solution, {n: solution[n] for n in first}, rng)
        return self.model_copy(update={"givens": as_grid(numbers, size, size)})

    def violation(self, rows: list[list[int]]) -> str:
        return repeated(rows)

    def baselines(self, rng: Random) -> Mapping[str, str | Policy]:
        """Fill cell by cell, without taking a number back: most constrained first, or in order."""
        return {
            "most constrained cell first": text(self.filled(rng, most_constrained=True)),
            "cells in reading order": text(self.filled(rng, most_constrained=False)),
        }

    def filled(self, rng: Random, most_constrained: bool) -> list[list[int]]:
        """The square, filled with numbers that their row and column do not hold, where possible."""
        size = len(self.givens)
        rows = [[*row] for row in self.givens]
        empty = [(r, c) for r, row in enumerate(rows) for c, number in enumerate(row) if not number]

        def possible(cell: tuple[int, int]) -> list[int]:
            row, column = cell
            used = {*rows[row], *(other[column] for other in rows)}
            return [number for number in range(1, size + 1) if number not in used]

        while empty:
            cell = (
                min(empty, key=lambda each: len(possible(each))) if most_constrained else empty[0]
            )
            empty.remove(cell)
            rows[cell[0]][cell[1]] = rng.choice(possible(cell) or range(1, size + 1))
        return rows

    def candidates(self) -> Iterable[str]:
        """All squares whose rows hold each number once."""
        size = len(self.givens)
        return map(text, product(permutations(range(1, size + 1)), repeat=size))


def latin_rules(size: int) -> list[Rule]:
    """The rules of a Latin square without clues."""
    return [Different(line, between(1, size)) for line in lines(size, size)]


def latin_square(rng: Random, size: int, height: int = 1, width: int = 0) -> list[int]:
    """The numbers of a random Latin square in reading order; ``height`` and ``width`` of its boxes.

    >>> sorted(latin_square(Random(1), 2))
    [1, 1, 2, 2]
    """
    square = Square(size, height, width)
    # On larger squares, decisions in any order often end in a contradiction.
    return square.numbers(compose(square, rng, pairs_first=size > 16)[0])


def empty_grid(size: int) -> Grid:
    """A square without numbers."""
    return ((0,) * size,) * size


# ------------------------------------------------------------------------------------------ solver


@dataclass(frozen=True)
class Square:
    """The rules: each digit once in every row, column and box of ``height`` by ``width`` cells."""

    size: int
    height: int = 1
    width: int = 0  # a box of one row adds nothing
    less: tuple[Less, ...] = ()

    @cached_property
    def full(self) -> int:
        """Every digit in every cell."""
        return (1 << self.size**3) - 1

    def at_odds(self, givens: Grid) -> bool:
        """Whether some cell has no candidate, or some digit no cell in a row, column or box, once
        the lines of each given number and the inequalities are looked at one by one.
        """
        candidates = _sloped(self, self.candidates(self.clues(givens)))
        for first, ways, _ in self.groups:
            left = 0
            for way in ways:
                left |= candidates >> way & first
            if left != first:
                return True
        return False

    @cached_property
    def groups(self) -> tuple[tuple[int, tuple[int, ...], int], ...]:
        """The groups with one candidate each: first bits, steps to the others, pattern."""
        return _groups(self.size, self.height, self.width)

    @cached_property
    def beside(self) -> tuple[int, ...]:
        """For each candidate, those that are possible together with it."""
        return _beside(self.size, self.height, self.width)

    @cached_property
    def slopes(self) -> tuple[tuple[int, int, int], ...]:
        """The inequalities by direction: the lesser cells, the greater ones, the way there."""
        every = self.full // ((1 << self.size**2) - 1)  # copies a set of cells to every digit
        slopes = []
        for way in (1, -1, self.size, -self.size):
            cells = sum(1 << low for low, high in self.less if high - low == way) * every
            if cells:
                slopes.append((cells, _moved(cells, way), way))
        return tuple(slopes)

    def bit(self, clue: Clue) -> int:
        """The candidate that a clue leaves in its cell."""
        row, column, digit = clue
        return (digit * self.size + row) * self.size + column

    def clue(self, bit: int) -> Clue:
        """The clue that leaves this candidate."""
        digit, cell = divmod(bit, self.size**2)
        return (*divmod(cell, self.size), digit)

    def clues(self, grid: Sequence[Sequence[int]]) -> list[Clue]:
        """The clues of a grid whose numbers are counted from 1, with 0 for an empty cell."""
        return [(r, c, n - 1) for r, row in enumerate(grid) for c, n in enumerate(row) if n]

    def grid(self, clues: Iterable[Clue]) -> Grid:
        """A grid of numbers from 1, with 0 where there is no clue."""
        numbers = {(row, column): digit + 1 for row, column, digit in clues}
        side = range(self.size)
        return tuple(tuple(numbers.get((row, column), 0) for column in side) for row in side)

    def placed(self, candidates: int) -> list[Clue]:
        """The candidates as clues."""
        return [self.clue(bit) for bit in ones(candidates)]

    def numbers(self, candidates: int) -> list[int]:
        """The number of each cell, counted from 1, where one candidate is left for each."""
        numbers = [0] * self.size**2
        for bit in ones(candidates):
            digit, cell = divmod(bit, self.size**2)
            numbers[cell] = digit + 1
        return numbers

    def candidates(self, clues: Iterable[Clue]) -> int:
        """The candidates that clues leave."""
        candidates = self.full
        for clue in clues:
            candidates &= self.beside[self.bit(clue)]
        return candidates


@lru_cache(maxsize=64)
def _groups(size: int, height: int, width: int) -> tuple[tuple[int, tuple[int, ...], int], ...]:
    side = range(size)
    digit, row = [n * size**2 for n in side], [n * size for n in side]
    crossed = [
        (_sums(row, side), digit),  # a cell, over its digits
        (_sums(digit, row), [*side]),  # a digit in a row, over its columns
        (_sums(digit, side), row),  # a digit in a column, over its rows
    ]
    if height > 1:
        corners = _sums(row[::height], side[::width])
        crossed.append((_sums(digit, corners), _sums(row[:height], side[:width])))
    return tuple((_bits(first), tuple(ways), _bits(ways)) for first, ways in crossed)


@lru_cache(maxsize=64)
def _beside(size: int, height: int, width: int) -> tuple[int, ...]:
    rivals = [0] * size**3
    for first, ways, pattern in _groups(size, height, width):
        for start in ones(first):
            for way in ways:
                rivals[start + way] |= pattern << start
    full = (1 << size**3) - 1
    return tuple(full & ~rival | 1 << bit for bit, rival in enumerate(rivals))


def _sums(some: Iterable[int], others: Sequence[int]) -> list[int]:
    return [one + other for one in some for other in others]


def _bits(positions: Iterable[int]) -> int:
    return sum(1 << position for position in positions)


def _moved(bits: int, way: int) -> int:
    return bits << way if way > 0 else bits >> -way


def settle(square: Square, candidates: int, done: int = 0) -> State | None:
    """All consequences of naked and hidden singles and of inequalities; None at a contradiction.

    A hidden single is a digit with one place left in a row, column or box, a naked single a cell
    with one digit left.
    """
    while True:
        single = 0
        for first, ways, pattern in square.groups:
            once = twice = 0
            for way in ways:
                here = candidates >> way & first
                twice |= once & here
                once |= here
            if once != first:
                return None
            single |= (once ^ twice) * pattern
        fresh = single & candidates & ~done
        done |= fresh
        before = candidates
        for bit in ones(fresh):
            candidates &= square.beside[bit]
        if square.slopes:
            candidates = _sloped(square, candidates)
        if candidates == before:
            return candidates, done


def _sloped(square: Square, candidates: int) -> int:
    """Remove digits without a greater one in the greater cell, and the other way round."""
    step, reach = square.size**2, 1
    above, below = candidates >> step, candidates << step & square.full
    while reach < square.size:  # then `above` has each digit that some greater one allows
        above |= above >> step * reach
        below |= below << step * reach & square.full
        reach *= 2
    for low, high, way in square.slopes:
        candidates &= (~low | _moved(above, -way)) & (~high | _moved(below, way))
    return candidates


def open_cells(square: Square, candidates: int) -> tuple[int, int]:
    """The cells with two or more candidates, and those with exactly two."""
    (first, ways, _), *_ = square.groups
    once = twice = thrice = 0
    for way in ways:
        here = candidates >> way & first
        thrice |= twice & here
        twice |= once & here
        once |= here
    return twice, twice & ~thrice


def solve(
    square: Square, candidates: int, limit: int = 2, most: int = MAX_NODES
) -> tuple[list[int], int]:
    """Up to ``limit`` solutions, and the number of nodes of the search, at most ``most``.

    One node means that singles are enough.
    """
    solutions: list[int] = []
    nodes = 0
    stack: list[State] = [(candidates, 0)]
    while stack and len(solutions) < limit and nodes < most:
        nodes += 1
        state = settle(square, *stack.pop())
        if state is None:
            continue
        several, pairs = open_cells(square, state[0])
        if not several:
            solutions.append(state[0])
            continue
        bits = options(square, state[0], ones(pairs or several & -several)[0])
        stack += [(state[0] & square.beside[bit], state[1]) for bit in bits]
    return solutions, nodes


def completions(square: Square, givens: Grid) -> SearchResult[tuple[int, ...]]:
    """Up to two ways to complete a square, as the number of each cell."""
    solutions, nodes = solve(square, square.candidates(square.clues(givens)))
    numbers = [tuple(square.numbers(solution)) for solution in solutions]
    return SearchResult(numbers, nodes, steps=nodes, complete=nodes < MAX_NODES)


def options(square: Square, candidates: int, cell: int) -> list[int]:
    """The candidates left in a cell."""
    (_, ways, _), *_ = square.groups
    return [cell + way for way in ways if candidates >> cell + way & 1]


def compose(square: Square, rng: Random, pairs_first: bool = False) -> tuple[int, list[int]]:
    """A random solution, and clues from which it follows without any other.

    Whatever does not follow yet is decided at random and becomes a clue; a choice that
    contradicts the earlier clues is excluded, so its opposite follows. One pass gives square and
    clues, unless a contradiction shows late. If cells with two candidates are decided first, that
    is rare on large squares too, at the price of more clues.
    """
    while True:
        clues: list[int] = []
        state = settle(square, square.full)
        while state is not None:
            several, pairs = open_cells(square, state[0])
            if not several:
                return state[0], clues
            cells = ones(pairs if pairs and pairs_first else several)
            bit = rng.choice(options(square, state[0], rng.choice(cells)))
            tried = settle(square, state[0] & square.beside[bit], state[1])
            if tried is None:
                state = settle(square, state[0] & ~(1 << bit), state[1])
            else:
                clues.append(bit)
                state = tried


def spared(
    square: Square, clues: Sequence[int], rng: Random, most: int = 32, nodes: int = MAX_NODES
) -> list[int]:
    """The clues without those that follow from the others; ``most`` of them are tried.

    That one follows is shown by a search of fewer than ``nodes`` nodes.
    """
    kept = [*clues]
    for bit in rng.sample(kept, min(most, len(kept))):
        candidates = square.full & ~(1 << bit)
        for other in kept:
            if other != bit:
                candidates &= square.beside[other]
        solutions, visited = solve(square, candidates, limit=1, most=nodes)
        if not solutions and visited < nodes:
            kept.remove(bit)
    return kept
