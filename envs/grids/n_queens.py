"""Completing the queens puzzle: the eight queens of Max Bezzel (1848), some of them given.

Whether given queens can be completed is NP-complete, as Ian Gent, Christopher Jefferson and Peter
Nightingale showed ("Complexity of n-Queens Completion", 2017).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from random import Random
from typing import Self

from palaestra.generators.baselines import fillings
from palaestra.generators.bitsets import ones
from palaestra.generators.cells import images, text
from palaestra.generators.grids.constraints import Board, Different, between
from palaestra.generators.grids.pencil import Pencil, SearchResult, revealed, spared
from palaestra.scenes import Cell
from palaestra.scenes import Grid as Picture
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.moves import numbers
from palaestra.verifiers.reading.values import joined

QUEEN, EMPTY = "Q", "."
FIRST = 2
"""How many queens are given before any search, since fewer leave many solutions on a board of 8."""


class NQueens(Pencil):
    """Add queens to those on a chessboard, one a row, so that no two attack each other."""

    version = 4
    tags = {"grid", "constraint-satisfaction", "chess", "unique-solution"}

    class Knobs(Pencil.Knobs):
        size: int = ladder(8, 8, 10, 12, 14, 16, 18, low=4)
        spare: int = ladder(4, 1, 1, 0, high=6)  # queens beyond those that make it unique
        minimal: bool = ladder(*[False] * 3, True)  # before that, none that is not needed

    board: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        columns = scattered(rng, size)
        first = {row: columns[row] for row in rng.sample(range(size), FIRST)}
        queens = revealed(lambda some: solve(size, some), columns, first, rng)
        if knobs.minimal:
            rows = spared([*queens], lambda some: unique(size, queens, some), rng)
            queens = {row: queens[row] for row in rows}
        others = [row for row in range(size) if row not in queens]
        for row in rng.sample(others, min(knobs.spare, len(others) - 1)):
            queens[row] = columns[row]
        side = range(size)
        board = ("".join(QUEEN if queens.get(r) == c else EMPTY for c in side) for r in side)
        return cls(board=tuple(board))

    def solved(self) -> SearchResult[tuple[int, ...]]:
        queens = {r: row.index(QUEEN) for r, row in enumerate(self.board) if QUEEN in row}
        return solve(len(self.board), queens)

    def canonical(self) -> str:
        return min("\n".join(map("".join, image)) for image in images(self.board))

    def alterations(self, rng: Random) -> Iterator[Self]:
        """A given queen stands in another column of its row, where no other queen attacks it.

        If more than three queens are missing, every row and column keeps a square that no queen
        attacks.
        """
        queens = {r: row.index(QUEEN) for r, row in enumerate(self.board) if QUEEN in row}
        side = range(len(self.board))
        squares = [(row, column) for row in queens for column in side]
        for row, column in rng.sample(squares, len(squares)):
            others = [(r - row, c - column) for r, c in queens.items() if r != row]
            if queens[row] != column and all(c and abs(r) != abs(c) for r, c in others):
                line = "".join(QUEEN if c == column else EMPTY for c in side)
                board = (*self.board[:row], line, *self.board[row + 1 :])
                few = len(side) - len(queens) <= 3  # where any refutation is a short one
                if not few and has_full_line({**queens, row: column}, len(side)):
                    continue
                yield self.model_copy(update={"board": board})

    def prompt(self) -> str:
        size = len(self.board)
        queens = sum(row.count(QUEEN) for row in self.board)
        rules = self.phrase(
            f"On this chessboard of {size} by {size} squares there are {queens} queens. Add "
            f"{size - queens} more, so that there are {size} in all and no two of them stand in "
            "the same row, in the same column or on the same diagonal. Diagonals of every length "
            "count, and queens in between do not block an attack.",
            f"Place {size} queens on a board of {size} rows and {size} columns such that every row "
            "and every column has exactly one queen and no diagonal line, long or short, in either "
            f"direction, has more than one. {queens} of them are already there and must not move.",
        )
        return (
            f"{rules} '{QUEEN}' is a queen and a dot an empty square. There is exactly one way to "
            f"do it.\n\n{text(self.board)}\n\nAnswer with the column of the queen in each row, "
            f"given ones included, from the top row to the bottom row: {size} numbers separated by "
            f"commas, where 1 is the leftmost column, such as '{joined(range(1, size + 1))}' for "
            "queens along a diagonal."
        )

    def scene(self) -> Picture:
        return self.picture([0] * len(self.board))

    def solved_scene(self, answer: str) -> Picture:
        return self.picture(self.read(answer))

    def picture(self, columns: Sequence[int]) -> Picture:
        """The scene of the board with another queen in these columns, where 0 is none."""

        def square(row: int, column: int) -> Cell:
            ground = ("paper", "muted")[(row + column) % 2]
            if self.board[row][column] == QUEEN:
                return Cell(fill=ground, mark="queen", tone="dark", fixed=True)
            entered = columns[row] == column + 1
            return Cell(fill=ground, mark="queen", tone="accent") if entered else Cell(fill=ground)

        side = range(len(self.board))
        cells = tuple(tuple(square(row, column) for column in side) for row in side)
        return Picture(cells, coordinates=True)

    def read(self, answer: str) -> list[int]:
        """The column of the queen in each row of an answer, from 1 on if it is on the board."""
        size = len(self.board)
        return numbers(answer, f"a list of {size} columns", size)

    def answer(self) -> str:
        (columns,) = self.solved().solutions
        return joined([column + 1 for column in columns])

    def verify(self, answer: str) -> Score:
        size = len(self.board)
        columns = self.read(answer)
        lines: dict[tuple[str, int], int] = {}
        for row, column in enumerate(columns, 1):
            if not 1 <= column <= size:
                return Score(0, f"row {row} has no column {column}")
            if QUEEN in self.board[row - 1] and self.board[row - 1][column - 1] != QUEEN:
                return Score(0, f"the queen given in row {row} has moved")
            for line in (("c", column), ("/", column + row), ("\\", column - row)):
                if line in lines:
                    return Score(0, f"the queens of rows {lines[line]} and {row} attack each other")
                lines[line] = row
        return Score(1)

    def audit(self, answer: str) -> bool:
        return numbers(answer, "columns") == numbers(self.answer(), "columns")

    def difficulty(self) -> float:
        return float(sum(QUEEN not in row for row in self.board) * self.solved().nodes)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=6, spare=1)

    def candidates(self) -> Iterable[str]:
        return map(joined, permutations(range(1, len(self.board) + 1)))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Put a queen that none attacks into row by row; none is moved again."""
        size = len(self.board)
        clues = {r: row.index(QUEEN) for r, row in enumerate(self.board) if QUEEN in row}
        rows = [row for row in range(size) if row not in clues]

        def options(row: int, queens: Mapping[int, int]) -> list[int]:
            attacked = {
                column + distance
                for other, column in {**clues, **queens}.items()
                for distance in (0, row - other, other - row)
            }
            return [column for column in range(size) if column not in attacked]

        return {
            player: joined([{**clues, **queens}.get(row, 0) + 1 for row in range(size)])
            for player, queens in fillings(rows, options, rng).items()
        }


@dataclass(frozen=True)
class Peace:
    """No two queens, one in each row, are on the same diagonal."""

    scope: tuple[int, ...]

    def narrow(self, domains: list[int]) -> bool:
        size = len(domains)
        for row, domain in enumerate(domains):
            if domain & (domain - 1):
                continue
            for others in (range(row + 1, size), range(row - 1, -1, -1)):
                falling = rising = domain
                for other in others:
                    falling <<= 1
                    rising >>= 1
                    attacked = falling | rising
                    if domains[other] & attacked:
                        domains[other] &= ~attacked
                        if not domains[other]:
                            return False
        return True


def solve(size: int, queens: Mapping[int, int]) -> SearchResult[tuple[int, ...]]:
    """Up to two ways to complete queens, as the column of each row."""
    rows = tuple(range(size))
    board = Board(size, [Peace(rows), Different(rows, between(0, size - 1))])
    domains = [1 << queens[row] if row in queens else between(0, size - 1) for row in rows]
    return board.solve(domains)


def unique(size: int, columns: Mapping[int, int], rows: Iterable[int]) -> bool:
    """Whether the queens of these rows can be completed in one way only."""
    return solve(size, {row: columns[row] for row in rows}).unique


def scattered(rng: Random, size: int) -> list[int]:
    """Random queens that do not attack each other, as the column of each row; size is 4 or more.

    Rows are filled from the top, and started over if a row has no free cell left.
    """
    while True:
        columns: list[int] = []
        taken = rising = falling = 0
        while len(columns) < size:
            free = ones(between(0, size - 1) & ~(taken | rising | falling))
            if not free:
                break
            columns.append(rng.choice(free))
            queen = 1 << columns[-1]
            taken, rising, falling = taken | queen, (rising | queen) << 1, (falling | queen) >> 1
        else:
            return columns


def has_full_line(queens: Mapping[int, int], size: int) -> bool:
    """Whether a row or a column has neither a queen nor a square that no queen attacks.

    ``queens`` has the column of each queen by its row.

    >>> has_full_line({0: 1, 1: 3}, 4), has_full_line({0: 0, 1: 2}, 4)
    (False, True)
    """
    free = {
        (row, column)
        for row, column in product(range(size), repeat=2)
        if all(
            row != r and column != c and abs(row - r) != abs(column - c) for r, c in queens.items()
        )
    }
    rows = {row for row, _ in free} | queens.keys()
    columns = {column for _, column in free} | {*queens.values()}
    return min(len(rows), len(columns)) < size
