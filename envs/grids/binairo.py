"""Binairo, or takuzu: a binary puzzle of several inventors, published from about 2009 on."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.baselines import fillings
from palaestra.generators.bitsets import bits
from palaestra.generators.cells import images, in_rows, lines, text
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.line_solver import Lines, compose, having, search, spared
from palaestra.generators.grids.pencil import UNKNOWN, BinaryGrid, SearchResult, number_cell
from palaestra.scenes import Cell
from palaestra.task import ladder


@lru_cache(maxsize=16)
def balanced(length: int) -> tuple[int, ...]:
    """The lines with as many ones as zeros and nowhere three alike in a row, as integers.

    >>> [f"{line:04b}" for line in balanced(4)]
    ['0011', '0101', '0110', '1001', '1010', '1100']
    """
    triples = range(length - 2)
    return tuple(
        line
        for line in range(1 << length)
        if 2 * line.bit_count() == length and all(line >> n & 7 not in (0, 7) for n in triples)
    )


class Binairo(BinaryGrid):
    """Fill a grid with 0 and 1: balanced lines, no three alike in a row, no two lines the same."""

    version = 2
    tags = {"grid", "constraint-satisfaction", "unique-solution"}
    signs = "10"

    class Knobs(BinaryGrid.Knobs):
        half: int = ladder(3, 3, 3, 4, 5, 6, low=2)  # of the side, which is even
        spare: int = ladder(14, 5, 0, high=40)  # clues beyond those that make it unique
        minimal: bool = ladder(False, False, False, True)  # no clue follows from the others

    givens: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = 2 * knobs.half
        start: Lines = [balanced(size)] * (2 * size)
        settled, clues = compose(start, size, rng, distinct=True)
        if knobs.minimal:
            clues = spared(start, size, clues, rng, distinct=True)
        others = [cell for cell in product(range(size), repeat=2) if cell not in clues]
        for row, column in rng.sample(others, min(knobs.spare, len(others) - 1)):
            clues[row, column] = settled[row][0] >> column & 1
        signs = [[str(clues.get((r, c), UNKNOWN)) for c in range(size)] for r in range(size)]
        return cls(givens=tuple(map("".join, signs)))

    def shape(self) -> tuple[int, int]:
        return len(self.givens), len(self.givens)

    def known(self) -> Sequence[str]:
        return self.givens

    def solved(self) -> SearchResult[int]:
        size = len(self.givens)
        lines: Lines = [balanced(size)] * (2 * size)
        for row, column in product(range(size), repeat=2):
            if self.givens[row][column] != UNKNOWN:
                lines = having(lines, size, (row, column), int(self.givens[row][column]))
        return search(lines, size, distinct=True)

    def canonical(self) -> str:
        pictures = ["\n".join(map("".join, image)) for image in images(self.givens)]
        swapped = [picture.translate(str.maketrans("01", "10")) for picture in pictures]
        return min(pictures + swapped)

    def alterations(self, rng: Random) -> Iterator[Self]:
        """A given digit moves to an empty cell, and no line shows that it is too much."""
        flat, size = "".join(self.givens), len(self.givens)
        empty = [cell for cell, sign in enumerate(flat) if sign == UNKNOWN]
        for signs in exchanges(flat, rng):
            moved = sum(signs[cell] == UNKNOWN for cell in empty) < len(empty)
            rows = tuple(in_rows("".join(signs), size))
            columns = map("".join, zip(*rows))
            if moved and not any(map(is_overfull, (*rows, *columns))):
                yield self.model_copy(update={"givens": rows})

    def prompt(self) -> str:
        size = len(self.givens)
        rules = self.phrase(
            f"Put a 0 or a 1 into each empty cell of this {size} by {size} grid, where a dot is an "
            "empty cell, so that: (1) no three consecutive cells of a row or column are equal; (2) "
            f"every row and every column has {size // 2} zeros and {size // 2} ones; (3) no two "
            "rows are the same, and no two columns are the same.",
            f"This is a binary puzzle (binairo, takuzu) of {size} rows and {size} columns. Replace "
            "each dot by 0 or 1. In the finished grid every row and every column holds as many 0s "
            "as 1s, three equal digits never stand directly after one another, across or down, all "
            "rows differ from one another, and all columns differ from one another.",
        )
        return (
            f"{rules} The digits that are given must stay. There is exactly one way to do it.\n\n"
            f"{text(self.givens)}\n\nAnswer with the whole grid, {size} lines of {size} digits "
            f"separated by spaces; a line looks like '{' '.join('01' * (size // 2))}'."
        )

    def look(self, cell: int, sign: str, known: bool) -> Cell:
        """Digits."""
        clue = "".join(self.givens)[cell]
        return Cell() if sign == UNKNOWN else number_cell(sign, clue.strip(UNKNOWN))

    def violation(self, on: Sequence[bool]) -> str:
        rows = in_rows("".join("01"[one] for one in on), len(self.givens))
        columns = ["".join(column) for column in zip(*rows)]
        return unruly("row", rows) or unruly("column", columns)

    def difficulty(self) -> float:
        return float(self.blanks() * self.solved().nodes)

    def blanks(self) -> int:
        return sum(row.count(UNKNOWN) for row in self.givens)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(half=2, spare=0)

    def candidates(self) -> Iterable[str]:
        rows = ["0 0 1 1", "0 1 0 1", "0 1 1 0", "1 0 0 1", "1 0 1 0", "1 1 0 0", "0 0 0 0"]
        return map("\n".join, product(rows, repeat=4))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Put a digit into cell by cell that makes no line unruly; none is changed again."""
        size, signs = len(self.givens), "".join(self.givens)
        clues = {n: sign for n, sign in enumerate(signs) if sign != UNKNOWN}
        free = [n for n, sign in enumerate(signs) if sign == UNKNOWN]
        both = [[line for line in lines(size, size) if n in line] for n in range(size * size)]

        def allowed(cell: int, digit: str, digits: Mapping[int, str]) -> bool:
            now = {**digits, cell: digit}
            rows = ["".join(now.get(n, UNKNOWN) for n in line) for line in both[cell]]
            return all(digit * 3 not in row and row.count(digit) <= size // 2 for row in rows)

        def options(cell: int, digits: Mapping[int, str]) -> list[str]:
            return [digit for digit in "01" if allowed(cell, digit, {**clues, **digits})]

        return {
            player: self.written(
                bits(n for n, digit in {**clues, **digits}.items() if digit == self.signs[0])
            )
            for player, digits in fillings(free, options, rng).items()
        }


def unruly(name: str, lines: list[str]) -> str:
    """Which rows or columns break a rule, if any.

    >>> unruly("row", ["0011", "0011"])
    'rows 1 and 2 are the same'
    """
    for number, line in enumerate(lines, 1):
        if "000" in line or "111" in line:
            return f"{name} {number} has three equal digits next to one another"
        if line.count("0") != line.count("1"):
            return f"{name} {number} does not have as many zeros as ones"
        if line in lines[: number - 1]:
            return f"{name}s {lines.index(line) + 1} and {number} are the same"
    return ""


def is_overfull(line: str) -> bool:
    """Whether the digits in a line break a rule, whatever its empty cells hold.

    >>> is_overfull("0.00.."), is_overfull("0.0110"), is_overfull("..111.")
    (False, False, True)
    """
    return any(digit * 3 in line or line.count(digit) > len(line) // 2 for digit in "01")
