"""Kakurasu, also known as index sums: a Japanese puzzle of weighted sums in rows and columns.

A random filling often shares its sums with others; wherever a second one differs from it, a cell
is shown, until the solution is unique.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import compress, product
from random import Random
from typing import Self

from palaestra.generators.bitsets import ones
from palaestra.generators.cells import text
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.line_solver import Lines, having, search
from palaestra.generators.grids.pencil import UNKNOWN, LineClues, SearchResult, margins
from palaestra.scenes import Cell, Grid
from palaestra.scenes.elements import changed
from palaestra.task import ladder

FULL, EMPTY = "#", "-"


class Kakurasu(LineClues):
    """Fill cells, each worth its position in the line, so that rows and columns have given sums."""

    version = 2
    tags = {"grid", "constraint-satisfaction", "arithmetic", "unique-solution"}

    class Knobs(LineClues.Knobs):
        size: int = ladder(4, 5, 5, 6, 7, 8, 9, low=3)
        shown: int = ladder(4, 6, 1, 1, 0, 0, 0, high=10)  # cells known at first

    givens: tuple[str, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        side = range(knobs.size)
        picture = [sum((rng.random() < 0.55) << n for n in side) for _ in side]
        turned = [sum((picture[r] >> c & 1) << r for r in side) for c in side]
        rows, columns = tuple(map(weight, picture)), tuple(map(weight, turned))
        cells = rng.sample([*product(side, side)], min(knobs.shown, knobs.size**2 - 1))
        while True:
            task = cls.of(rows, columns, {(r, c): picture[r] >> c & 1 for r, c in cells})
            result = task.solved()
            if result.unique:
                return task
            truth = sum(row << knobs.size * n for n, row in enumerate(picture))
            other = next(solution for solution in result.solutions if solution != truth)
            doubts = [divmod(cell, knobs.size) for cell in ones(other ^ truth)]
            cells.append(rng.choice(doubts))

    @classmethod
    def of(
        cls, rows: tuple[int, ...], columns: tuple[int, ...], shown: dict[tuple[int, int], int]
    ) -> Self:
        """The puzzle with these sums, in which these cells are known."""
        signs = {cell: FULL if on else EMPTY for cell, on in shown.items()}
        side = range(len(rows))
        givens = ("".join(signs.get((r, c), UNKNOWN) for c in side) for r in side)
        return cls(givens=tuple(givens), rows=rows, columns=columns)

    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows)

    def known(self) -> Sequence[str]:
        return self.givens

    def line_clues(self) -> Sequence[int]:
        return (*self.rows, *self.columns)

    def measure(self, line: Sequence[bool]) -> int:
        return sum(compress(range(1, len(line) + 1), line))

    def described(self, clue: int) -> str:
        return f"the sum {clue}"

    def solved(self) -> SearchResult[int]:
        size = len(self.rows)
        lines: Lines = [weighing(size, total) for total in (*self.rows, *self.columns)]
        for row, line in enumerate(self.givens):
            for column, sign in enumerate(line):
                if sign != UNKNOWN:
                    lines = having(lines, size, (row, column), int(sign == FULL))
        return search(lines, size)

    def canonical(self) -> str:
        lying = ["".join(column) for column in zip(*self.givens)]
        ways = [(self.rows, self.columns, [*self.givens]), (self.columns, self.rows, lying)]
        return str(min(ways))

    def alterations(self, rng: Random) -> Iterator[Self]:
        """The sums of two rows or of two columns change places."""
        size = len(self.rows)
        for sums in exchanges((*self.rows, *self.columns), rng, lambda line: line < size):
            update = {"rows": tuple(sums[:size]), "columns": tuple(sums[size:])}
            yield self.model_copy(update=update)

    def prompt(self) -> str:
        size = len(self.rows)
        rules = self.phrase(
            f"Choose which cells of a {size} by {size} grid to fill. A filled cell counts twice: "
            "for the sum of its row it is worth the number of its column (1 in the leftmost "
            f"column, {size} in the rightmost), and for the sum of its column the number of its "
            f"row (1 in the top row, {size} in the bottom row). Every row and every column must "
            "reach exactly the sum given for it.",
            f"In this kakurasu the {size} columns are numbered 1 to {size} from left to right, the "
            f"{size} rows 1 to {size} from top to bottom. Fill some of the cells so that they meet "
            "all sums. The column numbers of the filled cells in a row add up to that row's sum, "
            "and the row numbers of the filled cells in a column add up to that column's sum. A "
            "sum of 0 means that nothing is filled there.",
        )
        return (
            f"{rules} Exactly one filling fits.\n\n"
            f"{margins('Sums of', (*self.rows, *self.columns), size)}\n\nSome cells may be known: "
            f"'{FULL}' is filled, '{EMPTY}' is not, and a dot is unknown.\n\n{text(self.givens)}"
            f"\n\n{self.answer_format('a filled cell', 'an empty one')}"
        )

    def picture(self, signs: Sequence[str]) -> Grid:
        """The worth of cells on the left and on top, the sums on the other sides."""
        board = super().picture(signs)
        return changed(
            board, left=(), top=(), right=board.left, bottom=board.top, coordinates=True
        )  # fmt: skip

    def look(self, cell: int, sign: str, known: bool) -> Cell:
        if known and sign == EMPTY:
            return Cell(mark="cross", tone="shade")
        return super().look(cell, sign, known)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, shown=0)


def weight(line: int) -> int:
    """The sum of a line whose n-th cell is filled where the n-th bit is set.

    >>> weight(0b101)
    4
    """
    return sum(cell + 1 for cell in ones(line))


@lru_cache(maxsize=1024)
def weighing(length: int, total: int) -> tuple[int, ...]:
    """All lines with a sum.

    >>> [bin(line) for line in weighing(3, 3)]
    ['0b11', '0b100']
    """
    return tuple(line for line in range(1 << length) if weight(line) == total)
