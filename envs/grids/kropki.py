"""Kropki, dots between the numbers of a Latin square, and its relatives with other relations.

Kropki ("dots" in Polish) is known from puzzle championships; the relatives tell consecutive
numbers only, or the sums 5 and 10 of XV sudoku.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import permutations, product
from random import Random
from typing import Literal, Self

from palaestra.generators.cells import COUNTED, text
from palaestra.generators.grids.cages import flat, squared
from palaestra.generators.grids.latin_squares import Square, compose
from palaestra.generators.grids.marks import lines
from palaestra.generators.grids.pencil import (
    Board,
    Different,
    Found,
    Pencil,
    Rows,
    Table,
    between,
    revealed,
)
from palaestra.generators.grids.shapes import turns, ways
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.boards import altered, cell_name, repeated
from palaestra.verifiers.reading.values import grid

Kind = Literal["consecutive", "kropki", "sums"]

RELATIONS: dict[str, tuple[str, ...]] = {
    "consecutive": ("the two numbers differ by 1",),
    "kropki": ("the two numbers differ by 1", "one number is twice the other"),
    "sums": ("the two numbers add up to 5", "the two numbers add up to 10"),
}
"""What is told of two numbers side by side."""

LOOKS = 200
"""How many boards may be looked at to prove that there is one solution."""

Pair = tuple[int, int]


class Kropki(Pencil):
    """Fill a Latin square from the neighbours that are listed as consecutive, doubles or sums."""

    tags = {"grid", "arithmetic", "constraint-satisfaction", "unique-solution"}

    class Knobs(Pencil.Knobs):
        size: int = ladder(4, 4, 5, 5, 6, 7, 8, low=3)
        kind: Kind = ladder(
            "consecutive", "kropki", "consecutive", "kropki", "sums", "kropki", "kropki"
        )
        given: int = ladder(4, 3, 4, 2, 3, 1, 0, high=12)  # numbers told before more are needed

    kind: Kind
    related: tuple[tuple[Pair, ...], ...]
    """For each relation, the cells side by side between which it holds."""

    givens: tuple[tuple[int, ...], ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        square = Square(size)
        rows = square.grid(square.placed(compose(square, rng)[0]))
        numbers = [number for row in rows for number in row]
        signs = {
            pair: relations(knobs.kind, *(numbers[c] for c in pair)) for pair in ways(size, size)
        }
        related = tuple(
            tuple(pair for pair, sign in signs.items() if sign >> place & 1)
            for place in range(len(RELATIONS[knobs.kind]))
        )
        task = cls(kind=knobs.kind, related=related, givens=((0,) * size,) * size)
        first = rng.sample(range(size * size), min(knobs.given, size * size - 4))
        given = revealed(task.completed, numbers, {cell: numbers[cell] for cell in first}, rng)
        return task.model_copy(update={"givens": squared(given, size)})

    def completed(self, given: Mapping[int, int]) -> Found[tuple[int, ...]]:
        """Up to two solutions with these numbers."""
        size = len(self.givens)
        values = between(1, size)
        board = Board(size * size, [Different(tuple(line), values) for line in lines(size, size)])
        for pair in ways(size, size):
            sign = sum((pair in pairs) << place for place, pairs in enumerate(self.related))
            board.add(Table(pair, beside(self.kind, size, sign)))
        domains = [1 << given[cell] if cell in given else values for cell in range(size * size)]
        return board.solve(domains, most=LOOKS)

    def solved(self) -> Found[tuple[int, ...]]:
        return self.completed(flat(self.givens))

    def canonical(self) -> str:
        related = []
        for turn in turns(len(self.givens)):
            pairs = [sorted(sorted((turn[a], turn[b])) for a, b in some) for some in self.related]
            given = sorted((turn[cell], number) for cell, number in flat(self.givens).items())
            related.append((pairs, given))
        return f"{self.kind} {min(related)}"

    def prompt(self) -> str:
        size = len(self.givens)
        rule = RELATIONS[self.kind]
        rules = self.phrase(
            f"Fill this grid of {size} rows and {size} columns with the numbers 1 to {size}, so "
            "that every row and every column holds each of them exactly once. Listed below are the "
            "pairs of cells that share a side and whose numbers are related in a certain way.",
            f"Each number from 1 to {size} must stand once in every row and once in every column "
            f"of this {size} by {size} grid. For neighbouring cells, those directly beside or "
            "below one another, it is stated below how their numbers are related.",
        )
        listed = "\n".join(
            f"Pairs of cells where {relation}: "
            + (
                ", ".join("-".join(cell_name(*divmod(c, size)) for c in pair) for pair in pairs)
                or "none"
            )
            for relation, pairs in zip(rule, self.related)
        )
        complete = (
            f"The list is complete: where two cells that share a side are not listed, it is not "
            f"true that {rule[0]}."
            if len(rule) == 1
            else "Both lists are complete, and a pair can be in both: where two cells that share "
            f"a side are missing from the first list, it is not true that {rule[0]}, and where "
            f"they are missing from the second list, it is not true that {rule[1]}."
        )
        return (
            f"{rules} {complete} Dots are empty cells; given numbers must stay. There is exactly "
            f"one way to do it. {COUNTED}: r1c2 is the cell in row 1, column 2.\n\n"
            f"{text([[cell or '.' for cell in row] for row in self.givens])}\n\n{listed}\n\nAnswer "
            f"with the whole grid, given numbers included: {size} lines, each a row of {size} "
            "numbers separated by spaces, such as "
            f"'{' '.join(str(n) for n in range(size, 0, -1))}'."
        )

    def answer(self) -> str:
        (solution,) = self.solved().solutions
        return text(squared(dict(enumerate(solution)), len(self.givens)))

    def verify(self, answer: str) -> Score:
        size = len(self.givens)
        signs = [str(n) for n in range(1, size + 1)]
        rows = [[*map(int, row)] for row in grid(answer, size, size, signs)]
        if flaw := altered(self.givens, rows, blank=0) or repeated(rows):
            return Score(0, flaw)
        numbers = [number for row in rows for number in row]
        listed = [frozenset(pairs) for pairs in self.related]
        for pair in ways(size, size):
            holds = relations(self.kind, numbers[pair[0]], numbers[pair[1]])
            for place, pairs in enumerate(listed):
                if (pair in pairs) != bool(holds >> place & 1):
                    name = " and ".join(cell_name(*divmod(cell, size)) for cell in pair)
                    state = "listed" if pair in pairs else "not listed"
                    return Score(
                        0, f"{name} are {state} as a pair where {RELATIONS[self.kind][place]}"
                    )
        return Score(1)

    def blanks(self) -> int:
        return sum(row.count(0) for row in self.givens)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, kind="kropki", given=0)

    def candidates(self) -> Iterable[str]:
        return map(text, product(permutations((1, 2, 3)), repeat=3))


def relations(kind: str, one: int, other: int) -> int:
    """Which relations hold between two numbers, as bits.

    >>> relations("kropki", 2, 1), relations("kropki", 2, 4), relations("sums", 1, 4)
    (3, 2, 1)
    """
    if kind == "sums":
        return (one + other == 5) | (one + other == 10) << 1
    near = abs(one - other) == 1
    return near | (2 * one == other or 2 * other == one) << 1 if kind == "kropki" else int(near)


@lru_cache(maxsize=256)
def beside(kind: str, size: int, sign: int) -> Rows:
    """The pairs of numbers between which just these relations hold."""
    every = permutations(range(1, size + 1), 2)
    return Rows([pair for pair in every if relations(kind, *pair) == sign], size + 1)
