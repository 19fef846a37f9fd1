"""Nonogram, or picross: puzzles of Non Ishida and Tetsuya Nishio (1987): a picture from its runs.

A random picture is seldom the only one with its runs; wherever a second picture differs, a cell is
filled in, until there is no second one left.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.cells import text
from palaestra.generators.grids.line_solver import Lines, fillings, runs, solve
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.boards import alike
from palaestra.verifiers.reading.values import grid

Runs = tuple[tuple[int, ...], ...]

FULL, EMPTY = "#", "-"


class Nonogram(Puzzle):
    """Find the one black and white picture whose rows and columns have the given runs."""

    tags = {"grid", "constraint-satisfaction", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        size: int = ladder(5, 6, 7, 8, 10, 12, 15, low=3)
        filled: float = ladder(0.6, 0.6, 0.55, 0.55, 0.5, 0.5, 0.5, high=0.8)
        search: bool = ladder(*[False] * 6, True)  # taking line by line does not get there

    search: bool
    rows: Runs
    columns: Runs

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        side = range(knobs.size)
        picture = [[rng.random() < knobs.filled for _ in side] for _ in side]
        # Small or well filled pictures hardly ever need it.
        search = knobs.search and knobs.size > 9 and knobs.filled < 0.55
        while True:
            rows, columns = as_text(picture), as_text(zip(*picture))
            task = cls(search=search, rows=rows, columns=columns)
            solutions, _ = task.solved()
            if len(solutions) == 1:
                return task
            one, other = solutions
            empty = [(r, c) for r in side for c in side if not picture[r][c]]
            doubts = [(r, c) for r, c in empty if (one[r] ^ other[r]) >> c & 1]
            row, column = rng.choice(doubts or empty)
            picture[row][column] = True

    def is_valid(self) -> bool:
        solutions, nodes = self.solved()
        return len(solutions) == 1 and (nodes > 1 or not self.search)

    def solved(self) -> tuple[list[tuple[int, ...]], int]:
        """Up to two solutions, as rows, and how many looks the search took."""
        return solve(self.lines(), len(self.rows))

    def lines(self) -> Lines:
        """Every filling of every row and column that has its runs."""
        width, height = len(self.columns), len(self.rows)
        across = [fillings(line, width) for line in self.rows]
        return [*across, *(fillings(line, height) for line in self.columns)]

    def canonical(self) -> str:
        sides = [self.rows, self.columns]
        turned = [pair for a, b in (sides, sides[::-1]) for pair in ((a, b), (a[::-1], mirror(b)))]
        return min(repr(pair) for a, b in turned for pair in ((a, b), (mirror(a), b[::-1])))

    def prompt(self) -> str:
        height, width = len(self.rows), len(self.columns)
        rules = self.phrase(
            f"This nonogram is a grid of {height} rows and {width} columns whose cells are either "
            "filled or empty. The numbers of a row are the lengths of its runs of filled cells "
            "from left to right, and those of a column the lengths of its runs from top to bottom. "
            "Between two runs there is at least one empty cell; a 0 means that there is no filled "
            "cell.",
            f"Reconstruct a picture of {height} rows by {width} columns from clues. Each clue "
            "lists, in order, how long the unbroken blocks of filled cells in a row (left to "
            "right) or column (top to bottom) are; blocks are kept apart by one empty cell or "
            "more, and a clue of 0 stands for a line without filled cells.",
        )
        rows = "\n".join(f"Row {n}: {clue(line)}" for n, line in enumerate(self.rows, 1))
        columns = "\n".join(f"Column {n}: {clue(line)}" for n, line in enumerate(self.columns, 1))
        return (
            f"{rules} Rows are counted from the top, columns from the left. Exactly one picture "
            f"fits.\n\n{rows}\n\n{columns}\n\nAnswer with the picture: {height} lines of {width} "
            f"cells separated by spaces, '{FULL}' for a filled cell and '{EMPTY}' for an empty "
            f"one. A line looks like '{' '.join(f'{FULL}{EMPTY}' * width)[: 2 * width - 1]}'."
        )

    def answer(self) -> str:
        (rows,), _ = self.solved()
        side = range(len(self.columns))
        return text([[FULL if row >> c & 1 else EMPTY for c in side] for row in rows])

    def verify(self, answer: str) -> Score:
        cells = grid(answer, len(self.rows), len(self.columns), FULL + EMPTY)
        picture = [[cell == FULL for cell in row] for row in cells]
        for kind, clues, lines in (
            ("row", self.rows, picture),
            ("column", self.columns, [[*column] for column in zip(*picture)]),
        ):
            for number, (wanted, line) in enumerate(zip(clues, lines), 1):
                if runs(line) != wanted:
                    return Score(0, f"{kind} {number} has the runs {clue(runs(line))}")
        return Score(1)

    def audit(self, answer: str) -> bool:
        return alike(answer, self.answer())

    def difficulty(self) -> float:
        return float(sum(map(len, self.lines())) * self.solved()[1].bit_length())

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, filled=0.6)

    def candidates(self) -> Iterable[str]:
        for cells in product(FULL + EMPTY, repeat=9):
            yield text([cells[:3], cells[3:6], cells[6:]])


def as_text(picture: Iterable[Sequence[bool]]) -> Runs:
    """The runs of all rows of a picture."""
    return tuple(map(runs, picture))


def mirror(lines: Runs) -> Runs:
    """The runs as they are read from the other end."""
    return tuple(line[::-1] for line in lines)


def clue(line: tuple[int, ...]) -> str:
    """The runs of a line as they are written.

    >>> clue((2, 1)), clue(())
    ('2 1', '0')
    """
    return " ".join(map(str, line)) or "0"
