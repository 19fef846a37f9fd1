"""Kakuro: cross sums, by Jacob Funk (Dell Magazines, 1966), made popular in Japan by Nikoli.

Digits change until no other filling has the same sums.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.baselines import fillings
from palaestra.generators.cells import COUNTED, images, in_rows, text
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.kakuro import (
    FREE,
    WALL,
    Run,
    filled,
    runs_of,
    settled_digits,
    solve,
    sums_of,
    walled,
)
from palaestra.generators.grids.pencil import Pencil, SearchResult, number_cell
from palaestra.scenes import Cell, Grid
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.cells import cell_name
from palaestra.verifiers.reading.grids import altered, grid


class Kakuro(Pencil):
    """Fill runs of cells across and down with different digits that have given sums."""

    version = 5
    tags = {"grid", "arithmetic", "constraint-satisfaction", "unique-solution"}

    class Knobs(Pencil.Knobs):
        size: int = ladder(3, 4, 5, 6, 7, 8, 9, 10, 12, low=3)
        walls: float = ladder(0.12, 0.2, 0.25, 0.28, 0.28, 0.28, 0.28, 0.28, 0.32, high=0.35)
        givens: int = ladder(3, 3, 3, 3, 2, 0, 0, high=12)  # digits given

    board: tuple[str, ...]
    sums: tuple[int, ...]
    """Of the runs across, in reading order, and then of those down, column by column."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size, digits = knobs.size, list[int]()
        while not digits:
            board = walled(rng, size, knobs.walls)
            free = [cell for cell, sign in enumerate(board) if sign == FREE]
            shown = rng.sample(free, min(knobs.givens, len(free) - 2))
            if start := filled(rng, board, runs_of(board, size)):
                digits = settled_digits(rng, board, start, shown)
        signs = [str(digits[n]) if n in shown else sign for n, sign in enumerate(board)]
        sums = tuple(sums_of(runs_of(board, size), digits))
        return cls(board=tuple(in_rows("".join(signs), size)), sums=sums)

    def runs(self) -> list[Run]:
        """All runs, in the order of their sums."""
        return runs_of("".join(self.board), len(self.board))

    def solved(self) -> SearchResult[tuple[int, ...]]:
        signs = "".join(self.board)
        digits = {cell: int(sign) for cell, sign in enumerate(signs) if sign.isdecimal()}
        return solve(signs, self.runs(), self.sums, digits)

    def canonical(self) -> str:
        size = len(self.board)
        across, down = [0] * (size * size), [0] * (size * size)
        for run, total in zip(self.runs(), self.sums):
            table = across if run[1] == run[0] + 1 else down
            for cell in run:
                table[cell] = total
        # The two sums of a cell change places when the grid is turned: as a set they do not.
        cells = [
            (sign, *sorted(pair)) for sign, pair in zip("".join(self.board), zip(across, down))
        ]
        return str(min(images(in_rows(cells, size))))

    def alterations(self, rng: Random) -> Iterator[Self]:
        """The sums of two runs of the same length and direction change places."""
        runs = self.runs()

        def group(run: int) -> tuple[int, int]:
            return len(runs[run]), runs[run][1] - runs[run][0]

        for sums in exchanges(self.sums, rng, group):
            yield self.model_copy(update={"sums": tuple(sums)})

    def prompt(self) -> str:
        size = len(self.board)
        rules = self.phrase(
            f"In this kakuro of {size} rows and {size} columns, '{WALL}' is a wall and a dot an "
            "empty cell. Put a digit from 1 to 9 into every empty cell. A run is an unbroken line "
            "of two or more cells between walls or edges, across or down. The digits of each run "
            "add up to the sum given for it, and no digit stands twice in the same run.",
            f"Fill the dots of this {size} by {size} cross sums puzzle with digits from 1 to 9; "
            f"'{WALL}' marks cells that are not used. Horizontal and vertical stretches of two or "
            "more cells without a wall in between are called runs. For each run its sum is given "
            "below, and the digits within a run are all different.",
        )
        names = [
            f"{cell_name(*divmod(run[0], size))} to {cell_name(*divmod(run[-1], size))}: {total}"
            for run, total in zip(self.runs(), self.sums)
        ]
        many = sum(run[1] == run[0] + 1 for run in self.runs())
        example = " ".join(([WALL, *"3142"] * size)[:size])
        return (
            f"{rules} Digits that are given must stay. There is exactly one way to do it. "
            f"{COUNTED}: r1c2 is the cell in row 1, column 2.\n\n{text(self.board)}\n\nRuns "
            "across, from the first to the last cell, with their sums:\n"
            f"{chr(10).join(names[:many])}\n\nRuns down:\n{chr(10).join(names[many:])}\n\nAnswer "
            f"with the whole grid: {size} lines of {size} cells separated by spaces, each a digit, "
            f"or '{WALL}' for a wall. A line looks like '{example}'."
        )

    def answer(self) -> str:
        (solution,) = self.solved().solutions
        size = len(self.board)
        signs = [str(number) if number else WALL for number in solution]
        return text(in_rows(signs, size))

    def read(self, answer: str) -> list[list[str]]:
        """The signs of the cells: digits and walls."""
        return grid(answer, len(self.board), len(self.board), "123456789" + WALL)

    def scene(self) -> Grid:
        return self.picture(self.board)

    def solved_scene(self, answer: str) -> Grid:
        return self.picture(self.read(answer))

    def picture(self, rows: Sequence[Sequence[str]]) -> Grid:
        """The scene of the board with these signs; sums stand on walls or on the rim."""
        size = len(self.board)
        across, down = dict[int, str](), dict[int, str]()
        for run, total in zip(self.runs(), self.sums):
            (across if run[1] == run[0] + 1 else down)[run[0]] = str(total)

        def look(cell: int, sign: str) -> Cell:
            own = self.board[cell // size][cell % size]
            if own == WALL == sign:
                right = across.get(cell + 1, "") if (cell + 1) % size else ""
                return Cell(fill="dark", halves=(down.get(cell + size, ""), right))
            if WALL in (own, sign):  # a digit on a wall, or a wall elsewhere
                return Cell(sign, "muted", tone="bad")
            return number_cell(sign.strip(FREE), own.strip(FREE))

        return Grid(
            tuple(
                tuple(look(r * size + c, sign) for c, sign in enumerate(row))
                for r, row in enumerate(rows)
            ),
            left=tuple((across.get(r * size, ""),) for r in range(size)),
            top=tuple((down.get(c, ""),) for c in range(size)),
        )

    def verify(self, answer: str) -> Score:
        size = len(self.board)
        rows = self.read(answer)
        signs = "".join(sign for row in rows for sign in row)
        if violation := altered([row.replace(WALL, FREE) for row in self.board], rows, FREE):
            return Score(0, violation)
        if any((sign == WALL) != (was == WALL) for sign, was in zip(signs, "".join(self.board))):
            return Score(0, "the walls are not where they are in the grid")
        for run, total in zip(self.runs(), self.sums):
            digits = [int(signs[cell]) for cell in run]
            ends = " to ".join(cell_name(*divmod(cell, size)) for cell in (run[0], run[-1]))
            if sum(digits) != total:
                return Score(0, f"the run from {ends} has the sum {sum(digits)}")
            if len(set(digits)) < len(digits):
                return Score(0, f"the run from {ends} holds a digit more than once")
        return Score(1)

    def blanks(self) -> int:
        return "".join(self.board).count(FREE)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, walls=0.12, givens=6)

    def candidates(self) -> Iterable[str]:
        free = [cell for cell, sign in enumerate("".join(self.board)) if sign == FREE]
        for fill in product("123456789", repeat=len(free)):
            signs = [*"".join(self.board)]
            for cell, digit in zip(free, fill):
                signs[cell] = digit
            yield text([signs[:3], signs[3:6], signs[6:]])

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Put a digit into cell by cell that its runs allow; none is changed again."""
        signs, size = "".join(self.board), len(self.board)
        clues = {n: int(sign) for n, sign in enumerate(signs) if sign.isdecimal()}
        free = [n for n, sign in enumerate(signs) if sign == FREE]
        crossing = {n: [r for r in zip(self.runs(), self.sums) if n in r[0]] for n in free}

        def options(cell: int, digits: Mapping[int, int]) -> list[int]:
            now, allowed = {**clues, **digits}, {*range(1, 10)}
            for run, total in crossing[cell]:
                others = [now[n] for n in run if n in now]
                left = total - sum(others)
                full = len(others) + 1 == len(run)
                allowed &= {left} if full else {*range(1, left)}
                allowed -= {*others}
            return sorted(allowed)

        return {
            player: text(
                in_rows(
                    [
                        WALL if sign == WALL else {**clues, **digits}.get(n, 1)
                        for n, sign in enumerate(signs)
                    ],
                    size,
                )
            )
            for player, digits in fillings(free, options, rng).items()
        }
