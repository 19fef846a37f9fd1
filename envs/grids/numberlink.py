"""Numberlink, also Arukone or Flow: after Sam Loyd's and Henry Dudeney's puzzles of about 1900."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import sqrt
from random import Random
from typing import Self

from palaestra.generators.baselines import natural_orders
from palaestra.generators.bitsets import bits
from palaestra.generators.cells import images, in_rows, text
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.lines import TONES, wandering
from palaestra.generators.grids.numberlink import BLANK, lettered, relettered, snipped, solve
from palaestra.generators.grids.shapes import LETTERS, connected, sides, ways
from palaestra.scenes import Cell, Grid, Line
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.cells import cell_name
from palaestra.verifiers.reading.grids import altered, grid


class Numberlink(Puzzle):
    """Join equal letters by lines that fill the grid and never run beside themselves."""

    version = 2
    tags = {"grid", "path", "connectivity", "constraint-satisfaction"}
    baseline_note = (
        "a line is often the shortest one between its ends once the lines that are nearer "
        "the border are drawn, whatever the size of the board"
    )

    class Knobs(Puzzle.Knobs):
        size: int = ladder(5, 5, 6, 7, 8, 9, 10, low=4)
        longest: int = ladder(4, 7, 9, 11, 12, 13, 14, low=4, high=20)  # line, in cells

    board: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        pieces = None
        while pieces is None:
            pieces = snipped(rng, wandering(rng, size), size, knobs.longest)
        signs = [BLANK] * (size * size)
        for letter, piece in zip(LETTERS, rng.sample(pieces, len(pieces))):
            signs[piece[0]] = signs[piece[-1]] = letter
        return cls(board=tuple(in_rows("".join(signs), size)))

    def is_valid(self) -> bool:
        """Whether it is solved, and not by giving every cell to the nearest letter."""
        solved = bool(solve(self.board).solutions)
        return solved and not any(self.verify(reply).value for reply in self.shortcuts())

    def canonical(self) -> str:
        return min(relettered("".join(map("".join, image))) for image in images(self.board))

    def letters(self) -> str:
        """The letters of the board."""
        return "".join(sorted({*"".join(self.board)} - {BLANK}))

    def alterations(self, rng: Random) -> Iterator[Self]:
        """Two letters change places."""
        flat, size = "".join(self.board), len(self.board)
        for signs in exchanges(flat, rng, lambda cell: None if flat[cell] == BLANK else True):
            yield self.model_copy(update={"board": tuple(in_rows("".join(signs), size))})

    def refutation(self, altered: Self) -> float | None:
        """The steps of an exhaustive search, which are at least half as many as for the puzzle
        itself unless a glance is enough.
        """
        result, own = solve(altered.board), solve(self.board)
        if result.solutions or not result.complete:
            return None
        hidden = result.nodes > 1 or 2 * result.steps >= own.steps
        return float(result.steps + result.nodes) if hidden else 0.0

    def prompt(self) -> str:
        size = len(self.board)
        rules = self.phrase(
            f"In this grid of {size} rows and {size} columns every letter stands in two cells. "
            "Join each such pair by a line that goes from cell to cell through their sides, up, "
            "down, left or right. Every cell of the grid belongs to exactly one line.",
            f"Draw lines in this {size} by {size} grid, one for each letter, from one cell with "
            "the letter to the other one, in steps between cells that share a side. No two lines "
            "have a cell in common, and no cell is left without a line.",
        )
        example = " ".join((self.letters() * size)[:size])
        return (
            f"{rules} A line must not run beside itself: two cells of the same line share a side "
            "only if they are consecutive on it. So each of the two given cells of a letter has "
            "exactly one neighbour of its line, and every other cell of the line exactly two.\n\n"
            f"{text(self.board)}\n\nAnswer with the whole grid, each cell with the letter of its "
            f"line: {size} lines of {size} letters separated by spaces. A line looks like "
            f"'{example}'. Any solution that obeys the rules is accepted."
        )

    def scene(self) -> Grid:
        return self.picture([BLANK * len(row) for row in self.board])

    def solved_scene(self, answer: str) -> Grid:
        return self.picture(self.read(answer))

    def picture(self, rows: Sequence[Sequence[str]]) -> Grid:
        """The scene of the board with these letters of lines, where a dot is none."""
        size = len(self.board)
        signs = [sign for row in rows for sign in row]
        cells = [look(clue, sign) for clue, sign in zip("".join(self.board), signs)]
        lines = tuple(
            Line((self.tip(one, other), self.tip(other, one)), colour(signs[one]), 0.2)
            for one, other in ways(size, size)
            if signs[one] == signs[other] != BLANK
        )
        return Grid(tuple(map(tuple, in_rows(cells, size))), lines=lines)

    def tip(self, cell: int, other: int) -> tuple[float, float]:
        """Where a line from one cell to another begins: in the middle, or beside the disc there."""
        (a, b), (c, d) = (divmod(n, len(self.board)) for n in (cell, other))
        clear = 0.0 if self.board[a][b] == BLANK else 0.38
        return a + clear * (c - a), b + clear * (d - b)

    def read(self, answer: str) -> list[list[str]]:
        """The letter of each cell of an answer."""
        size = len(self.board)
        return grid(answer, size, size, self.letters())

    def answer(self) -> str:
        return lettered(self.board, solve(self.board).solutions[0])

    def verify(self, answer: str) -> Score:
        size = len(self.board)
        table = self.read(answer)
        if violation := altered(self.board, table, blank=BLANK):
            return Score(0, violation)
        cells = [sign for row in table for sign in row]
        for n, (near, clue) in enumerate(zip(sides(size, size), "".join(self.board))):
            many = sum(cells[other] == cells[n] for other in near)
            wanted = 2 if clue == BLANK else 1
            if many != wanted:
                name = cell_name(*divmod(n, size))
                return Score(0, f"{name} has {many} neighbours on its line, not {wanted}")
        for letter in self.letters():
            line = bits(n for n, sign in enumerate(cells) if sign == letter)
            if not connected(line, size, size):
                return Score(0, f"the cells of {letter} are not one line")
        return Score(1)

    def audit(self, answer: str) -> bool:
        """Walk along each line from one end to the other, and see whether any cell is left."""
        size = len(self.board)
        cells = [s for row in grid(answer, size, size, self.letters()) for s in row]
        left = {*range(size * size)}
        for letter in self.letters():
            here, end = (n for n, sign in enumerate("".join(self.board)) if sign == letter)
            if cells[here] != letter or cells[end] != letter:
                return False
            before = -1
            while here != end:
                left.discard(here)
                on = [n for n in sides(size, size)[here] if cells[n] == letter and n != before]
                if len(on) != 1 or on[0] not in left:
                    return False
                before, here = here, on[0]
            left.discard(end)
            if sum(cells[n] == letter for n in sides(size, size)[end]) != 1:
                return False
        return not left

    def difficulty(self) -> float | None:
        return sqrt(solve(self.board).steps)

    def shortcuts(self) -> Iterable[str]:
        """Every cell takes the letter of the nearest given cell."""
        size, flat = len(self.board), "".join(self.board)
        ends = [n for n, sign in enumerate(flat) if sign != BLANK]

        def far(one: int, other: int) -> int:
            (r, c), (row, column) = divmod(one, size), divmod(other, size)
            return abs(r - row) + abs(c - column)

        signs = [flat[min(ends, key=lambda g: far(g, n))] for n in range(size * size)]
        return [text(in_rows(signs, size))]

    @classmethod
    def small(cls) -> Knobs:
        # Too few tasks for both splits, but every way to fill the grid can be tried.
        return cls.Knobs.model_construct(size=3)

    def candidates(self) -> Iterable[str]:
        options = [self.letters() if sign == BLANK else sign for sign in "".join(self.board)]
        for signs in product(*options):
            yield text([signs[:3], signs[3:6], signs[6:]])

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Join pair by pair by a shortest line; other cells take the letter of one beside them."""
        size, flat = len(self.board), "".join(self.board)
        near = sides(size, size)

        def line(letter: str, signs: Sequence[str]) -> list[int]:
            start, end = (n for n, sign in enumerate(flat) if sign == letter)
            came, queue = {start: start}, [start]
            for cell in queue:
                for other in near[cell]:
                    if other not in came and (signs[other] == BLANK or other == end):
                        came[other] = cell
                        queue.append(other)
            path = [end] if end in came else []
            while path and path[-1] != start:
                path.append(came[path[-1]])
            return path

        def joined_up(order: Iterable[str]) -> str:
            signs = [*flat]
            for letter in order:
                for cell in line(letter, signs):
                    signs[cell] = letter
            while BLANK in signs:
                signs = [
                    next((signs[n] for n in near[cell] if signs[n] != BLANK), BLANK)
                    if sign == BLANK
                    else sign
                    for cell, sign in enumerate(signs)
                ]
            return text(in_rows(signs, size))

        keys = {"distance": lambda letter: len(line(letter, flat))}
        orders = natural_orders(self.letters(), rng, keys)
        return {player: joined_up(order) for player, order in orders.items()}


def colour(letter: str) -> str:
    """The colour of the line of a letter."""
    return TONES[LETTERS.index(letter) % len(TONES)]


def look(clue: str, sign: str) -> Cell:
    """How a cell is drawn: with its letter on a disc at the end of a line, else in a corner."""
    if clue != BLANK:
        other = sign if sign not in (BLANK, clue) else ""
        return Cell(clue, mark="disc", tone=colour(clue), corner=other, fixed=True)
    return Cell() if sign == BLANK else Cell(fill=f"t{colour(sign)[1:]}", corner=sign)
