"""Kropki, dots between the numbers of a Latin square, and its relatives with other relations.

Kropki ("dots" in Polish) is known from puzzle championships; the relatives list consecutive
numbers only, or the sums 5 and 10 of XV sudoku.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import permutations
from random import Random
from typing import Literal, Self

from palaestra.generators.cells import COUNTED, in_rows
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.constraints import Rows, Rule, Table
from palaestra.generators.grids.latin_squares import LatinSquare, empty_grid, latin_square
from palaestra.generators.grids.pencil import Grid, by_cell
from palaestra.generators.grids.shapes import Pair, turns, ways
from palaestra.scenes import Between
from palaestra.scenes import Grid as GridScene
from palaestra.scenes.elements import changed
from palaestra.task import ladder
from palaestra.verifiers.reading.cells import cell_name

Variant = Literal["consecutive", "kropki", "sums"]

RELATIONS: dict[str, tuple[str, ...]] = {
    "consecutive": ("the two numbers differ by 1",),
    "kropki": ("the two numbers differ by 1", "one number is twice the other"),
    "sums": ("the two numbers add up to 5", "the two numbers add up to 10"),
}
"""The relations that are listed between two numbers side by side."""


class Kropki(LatinSquare):
    """Fill a Latin square from the neighbours that are listed as consecutive, doubles or sums."""

    version = 2
    tags = {"grid", "arithmetic", "constraint-satisfaction", "unique-solution"}
    max_nodes = 200

    class Knobs(LatinSquare.Knobs):
        size: int = ladder(4, 4, 5, 5, 6, 7, 8, low=3)
        variant: Variant = ladder(
            "consecutive", "kropki", "consecutive", "kropki", "sums", "kropki", "kropki"
        )
        givens: int = ladder(4, 3, 4, 2, 3, 1, 0, high=12)  # numbers given at first

    variant: Variant
    related: tuple[tuple[Pair, ...], ...]
    """For each relation, the cells side by side between which it holds."""

    givens: Grid

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        numbers = latin_square(rng, size)
        signs = {
            pair: relations(knobs.variant, *(numbers[c] for c in pair)) for pair in ways(size, size)
        }
        related = tuple(
            tuple(pair for pair, sign in signs.items() if sign >> n & 1)
            for n in range(len(RELATIONS[knobs.variant]))
        )
        task = cls(variant=knobs.variant, related=related, givens=empty_grid(size))
        return task.with_givens(rng, numbers, knobs.givens)

    def rules(self) -> Iterable[Rule]:
        size = len(self.givens)
        for pair in ways(size, size):
            holding = sum((pair in pairs) << n for n, pairs in enumerate(self.related))
            yield Table(pair, beside(self.variant, size, holding))

    def canonical(self) -> str:
        related = []
        for turn in turns(len(self.givens)):
            pairs = [sorted(sorted((turn[a], turn[b])) for a, b in some) for some in self.related]
            numbers = sorted((turn[cell], number) for cell, number in by_cell(self.givens).items())
            related.append((pairs, numbers))
        return f"{self.variant} {min(related)}"

    def alterations(self, rng: Random) -> Iterator[Self]:
        """One pair of a list is replaced by a pair that is not in the list."""
        every = ways(len(self.givens), len(self.givens))
        listed = [pair in pairs for pairs in self.related for pair in every]
        for flags in exchanges(listed, rng, lambda position: position // len(every)):
            related = (
                tuple(pair for pair, flag in zip(every, some) if flag)
                for some in in_rows(flags, len(every))
            )
            yield self.model_copy(update={"related": tuple(related)})

    def prompt(self) -> str:
        size = len(self.givens)
        rule = RELATIONS[self.variant]
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
            f"{self.board()}\n\n{listed}\n\n{self.answer_format()}"
        )

    def picture(self, rows: Sequence[Sequence[int]]) -> GridScene:
        """Hollow dots for consecutive numbers, full ones for doubles, or V and X for sums.

        Where both dots belong, a full one has a cross on it.
        """
        size = len(self.givens)
        signs = []
        for n, pairs in enumerate(self.related):
            for pair in pairs:
                row, column = divmod(pair[0], size)
                sign = Between(row, column, "right" if pair[1] == pair[0] + 1 else "down")
                if self.variant == "sums":
                    signs.append(changed(sign, text="VX"[n]))
                else:
                    signs.append(changed(sign, mark="disc", tone="black" if n else "white"))
                if n and self.variant == "kropki" and pair in self.related[0]:
                    signs.append(changed(sign, mark="plus", tone="white"))
        return changed(super().picture(rows), between=tuple(signs))

    def violation(self, rows: list[list[int]]) -> str:
        return super().violation(rows) or self.false_list([n for row in rows for n in row])

    def false_list(self, numbers: list[int]) -> str:
        """Which pair is in a list where it should not be, or is missing, if any."""
        size = len(self.givens)
        lists = [frozenset(pairs) for pairs in self.related]
        for pair in ways(size, size):
            holding = relations(self.variant, numbers[pair[0]], numbers[pair[1]])
            for n, pairs in enumerate(lists):
                if (pair in pairs) != bool(holding >> n & 1):
                    name = " and ".join(cell_name(*divmod(cell, size)) for cell in pair)
                    state = "listed" if pair in pairs else "not listed"
                    return f"{name} are {state} as a pair where {RELATIONS[self.variant][n]}"
        return ""

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, variant="kropki", givens=0)


def relations(variant: str, one: int, other: int) -> int:
    """Which relations hold between two numbers, as bits.

    >>> relations("kropki", 2, 1), relations("kropki", 2, 4), relations("sums", 1, 4)
    (3, 2, 1)
    """
    if variant == "sums":
        return (one + other == 5) | (one + other == 10) << 1
    near = abs(one - other) == 1
    return near | (2 * one == other or 2 * other == one) << 1 if variant == "kropki" else int(near)


@lru_cache(maxsize=256)
def beside(variant: str, size: int, sign: int) -> Rows:
    """The pairs of numbers between which exactly these relations hold."""
    every = permutations(range(1, size + 1), 2)
    return Rows([pair for pair in every if relations(variant, *pair) == sign], size + 1)
