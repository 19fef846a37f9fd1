"""Skyscrapers: a Latin square from what is seen along its lines, known from the World Puzzle
Championships since the 1990s.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from random import Random
from typing import Literal, Self

from palaestra.generators.cells import images, in_rows, lines
from palaestra.generators.grids.constraints import Among, Board, Rows, Rule, Table, between, enough
from palaestra.generators.grids.latin_squares import LatinSquare, latin_rules, latin_square
from palaestra.generators.grids.pencil import Grid, SearchResult, spared
from palaestra.scenes import Grid as Picture
from palaestra.scenes.elements import changed
from palaestra.task import ladder

SIDES = ("left", "top", "right", "bottom")

ClueType = Literal["count", "sum"]
"""Whether clues give the number of towers that are seen, or the sum of their heights."""

Clue = tuple[int, int]
"""A cell, or beyond the last cell the end of a line, and the number there."""


class Skyscrapers(LatinSquare):
    """Fill a Latin square of tower heights by what is seen from the ends of rows and columns."""

    version = 3
    tags = {"grid", "constraint-satisfaction", "unique-solution"}

    class Knobs(LatinSquare.Knobs):
        size: int = ladder(4, 4, 4, 5, 5, 6, 7, low=3)
        givens: int = ladder(5, 2, 0, 3, 0, 0, 0, high=9)  # cells given at first
        spare: int = ladder(8, 4, 0, 6, 0, 4, 0, high=12)  # clues beyond those that make it unique
        minimal: bool = ladder(*[False] * 4, True, False, True)  # no clue that is not needed
        clue_type: ClueType = ladder("count", "count", "count", "count", "sum", "count", "sum")

    givens: Grid
    seen: Grid
    """From the left, the top, the right and the bottom; 0 for no clue."""

    clue_type: ClueType = "count"

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        rows = in_rows(latin_square(rng, size), size)
        clues = every_clue(rows, knobs.clue_type)
        cells, ends = clues[: size * size], clues[size * size :]
        first = rng.sample(cells, min(knobs.givens, size * size - 1))
        order = [*first, *rng.sample(ends, len(ends)), *rng.sample(cells, len(cells))]
        board, domains = blank(size)
        kept = enough(board, domains, ((clue, rule(size, clue, knobs.clue_type)) for clue in order))
        if knobs.minimal:
            kept = spared(kept, lambda some: solve(size, some, knobs.clue_type).unique, rng, most=6)
        others = [clue for clue in ends if clue not in kept]
        more = rng.sample(others, min(knobs.spare, len(others)))
        return cls.of(size, [*kept, *more], knobs.clue_type)

    @classmethod
    def of(cls, size: int, clues: Iterable[Clue], clue_type: ClueType = "count") -> Self:
        """The puzzle with these clues."""
        known = dict(clues)
        numbers = [known.get(position, 0) for position in range(size * (size + 4))]
        rows = tuple(map(tuple, in_rows(numbers, size)))
        return cls(givens=rows[:size], seen=rows[size:], clue_type=clue_type)

    def solved(self) -> SearchResult[tuple[int, ...]]:
        numbers = [number for row in (*self.givens, *self.seen) for number in row]
        clues = [(n, number) for n, number in enumerate(numbers) if number]
        return solve(len(self.givens), clues, self.clue_type)

    def canonical(self) -> str:
        left, top, right, bottom = self.seen
        middle = [(a, *row, b) for a, row, b in zip(left, self.givens, right)]
        return self.clue_type + str(min(images([(0, *top, 0), *middle, (0, *bottom, 0)])))

    def prompt(self) -> str:
        size = len(self.givens)
        rules = self.phrase(
            f"Put a tower of height 1 to {size} on every cell of a {size} by {size} grid, so that "
            "every row and every column has one tower of each height. An observer who looks along "
            "a row or column from one of its ends sees a tower if and only if all towers in front "
            "of it are lower.",
            f"This is a skyscrapers puzzle. Fill the {size} by {size} grid with numbers so that "
            f"each row and each column holds every number from 1 to {size} once. The numbers are "
            "heights of buildings: from an end of a row or column, a building is visible unless a "
            "taller one stands between it and that end.",
        )
        what = "how many are seen" if self.clue_type == "count" else "the sum of the heights seen"
        seen = "\n".join(
            f"Seen from the {side}: {' '.join(str(number or '-') for number in numbers)}"
            for side, numbers in zip(SIDES, self.seen)
        )
        return (
            f"{rules} The lists below state {what} from outside the grid: looking into each row "
            "from its left end and from its right end (rows listed from top to bottom), and into "
            "each column from its top and from its bottom (columns listed from left to right). A "
            f"'-' in a list means that no number is given there. Exactly one grid fits.\n\n{seen}"
            "\n\nThe grid, where a dot is an empty cell and given numbers must stay:\n\n"
            f"{self.board()}\n\n{self.answer_format()}"
        )

    def picture(self, rows: Sequence[Sequence[int]]) -> Picture:
        """The scene of the grid, with what is seen from each end of a line beside that end."""
        left, top, right, bottom = (
            tuple((str(number or ""),) for number in numbers) for numbers in self.seen
        )
        return changed(super().picture(rows), left=left, top=top, right=right, bottom=bottom)

    def violation(self, rows: list[list[int]]) -> str:
        return super().violation(rows) or self.false_view(rows)

    def false_view(self, rows: list[list[int]]) -> str:
        """From which end of a line another number is seen than the clue gives, if from any."""
        size = len(rows)
        for end, number in every_clue(rows, self.clue_type)[size * size :]:
            side, line = divmod(end - size * size, size)
            if self.seen[side][line] not in (0, number):
                seen = f"{number} are" if self.clue_type == "count" else f"a sum of {number} is"
                name = f"{'column' if side % 2 else 'row'} {line + 1}"
                return f"{seen} seen in {name} from the {SIDES[side]}"
        return ""

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, givens=0, spare=0)


def visible(towers: Iterable[int], clue_type: ClueType = "count") -> int:
    """The clue for the towers that are seen from the start of a line.

    >>> visible([2, 1, 3]), visible([2, 1, 3], "sum")
    (2, 5)
    """
    line = [*towers]
    seen = [tower for n, tower in enumerate(line) if tower == max(line[: n + 1])]
    return len(seen) if clue_type == "count" else sum(seen)


def every_clue(rows: Iterable[Iterable[int]], clue_type: ClueType = "count") -> list[Clue]:
    """All clues that a grid can have: its cells, then what is seen from each side."""
    across = [[*row] for row in rows]
    down = [[*column] for column in zip(*across)]
    numbers = [number for row in across for number in row]
    numbers += [visible(line, clue_type) for some in (across, down) for line in some]
    numbers += [visible(line[::-1], clue_type) for some in (across, down) for line in some]
    return [*enumerate(numbers)]


@lru_cache(maxsize=16)
def views(size: int, clue_type: ClueType) -> Mapping[int, Rows]:
    """The lines that have a clue, for each value of the clue."""
    table: dict[int, list[tuple[int, ...]]] = {}
    for line in permutations(range(1, size + 1)):
        table.setdefault(visible(line, clue_type), []).append(line)
    return {number: Rows(some, size + 1) for number, some in table.items()}


def rule(size: int, clue: Clue, clue_type: ClueType) -> Rule:
    """The rule for the search that a clue stands for."""
    position, number = clue
    if position < size * size:
        return Among(position, 1 << number)
    end, line = divmod(position - size * size, 2 * size)
    scope = lines(size, size)[line]
    return Table(scope[::-1] if end else scope, views(size, clue_type)[number])


def blank(size: int) -> tuple[Board, list[int]]:
    """A Latin square without clues."""
    return Board(size * size, latin_rules(size)), [between(1, size)] * (size * size)


def solve(size: int, clues: Iterable[Clue], clue_type: ClueType) -> SearchResult[tuple[int, ...]]:
    """Up to two solutions."""
    board, domains = blank(size)
    for clue in clues:
        board.add(rule(size, clue, clue_type))
    return board.solve(domains)
