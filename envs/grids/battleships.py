"""Battleships, the solitaire by Jaime Poniachik (Humor & Juegos, Argentina, 1982)."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Self

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.cells import in_rows, lines, neighbours, text
from palaestra.generators.grids.marks import Marks, Sheet, exactly
from palaestra.generators.grids.pencil import (
    UNKNOWN,
    LineCounts,
    SearchResult,
    margin_images,
    margins,
)
from palaestra.generators.grids.shapes import piece, sides
from palaestra.scenes import Cell, Panels, Scene, Text
from palaestra.task import ladder

SHIP, WATER = "#", "-"

MAX_NODES = 60
"""Limit of the search nodes when proving that there is one solution."""


class Battleships(LineCounts):
    """Find a fleet of ships that do not touch from the numbers of cells in rows and columns."""

    version = 3
    tags = {"grid", "constraint-satisfaction", "unique-solution"}
    signs = SHIP + WATER
    counted = "cells with a ship"

    class Knobs(LineCounts.Knobs):
        size: int = ladder(5, 6, 7, 8, 9, 10, 11, low=4)
        ships: int = ladder(4, 5, 6, 7, 9, 10, 11, low=2)
        longest: int = ladder(2, 3, 3, 3, 4, 4, 4, low=1)
        shown: int = ladder(3, 3, 5, 4, 3, 0, 0, high=9)  # cells known at first

    fleet: tuple[int, ...]
    board: tuple[str, ...]
    counts: tuple[int, ...]
    """How many cells of ships are in each row, then in each column."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        ships = anchored(rng, size, sizes(knobs.ships, knobs.longest))
        fleet = tuple(sorted(map(len, ships), reverse=True))
        truth = bits(cell for ship in ships for cell in ship)
        counts = tuple((truth & bits(line)).bit_count() for line in lines(size, size))
        squares = rng.sample(range(size * size), min(knobs.shown, size * size - 1))
        while True:
            signs = (
                (SHIP if truth >> cell & 1 else WATER) if cell in squares else UNKNOWN
                for cell in range(size * size)
            )
            rows = tuple(in_rows("".join(signs), size))
            task = cls(fleet=fleet, board=rows, counts=counts)
            solution = task.solved()
            if solution.unique:
                return task
            doubts = {cell for some in solution.solutions for cell in ones(some ^ truth)}
            squares.append(
                rng.choice(sorted(doubts) or [c for c in range(size**2) if c not in squares])
            )

    def shape(self) -> tuple[int, int]:
        return len(self.board), len(self.board)

    def blanks(self) -> int:
        return sum(row.count(UNKNOWN) for row in self.board)

    def known(self) -> Sequence[str]:
        return self.board

    def solved(self) -> SearchResult[int]:
        size = len(self.board)
        signs = "".join(self.board)
        on, off = (bits(n for n, s in enumerate(signs) if s == sign) for sign in (SHIP, WATER))
        around, near = neighbours(size, size), sides(size, size)
        if_on: dict[int, Marks] = {
            cell: (0, bits({*around[cell]} - {*near[cell]})) for cell in range(size * size)
        }
        counts = tuple(exactly(line, many) for line, many in zip(lines(size, size), self.counts))

        def sound(on: int, off: int) -> bool:
            return afloat(on, off, size, self.fleet)

        return Sheet(size * size, counts, if_on, sound=sound).solve(on, off, most=MAX_NODES)

    def canonical(self) -> str:
        return f"{self.fleet} {min(margin_images(self.board, self.counts))}"

    def alterations(self, rng: Random) -> Iterator[Self]:
        return self.exchanged_counts(rng)

    def prompt(self) -> str:
        size = len(self.board)
        rules = self.phrase(
            f"A fleet lies hidden in this grid of {size} rows and {size} columns. A ship is a "
            "straight line of cells, across or down, and no two ships touch one another, not even "
            "at a corner.",
            f"Locate all ships in a sea of {size} by {size} cells. Every ship occupies cells next "
            "to one another in one row or in one column. All eight cells around each cell of a "
            "ship that are not part of the same ship are water.",
        )
        many = Counter(self.fleet)
        fleet = ", ".join(f"{many[long]} of length {long}" for long in sorted(many, reverse=True))
        return (
            f"{rules} The ships are: {fleet}. There is exactly one way to place them such that "
            "every row and column has the given number of cells with a ship.\n\n"
            f"{margins('Ship cells in', self.counts, size)}\n\nSome cells may be known: '{SHIP}' "
            f"is part of a ship, '{WATER}' is water, and a dot is unknown.\n\n{text(self.board)}"
            f"\n\n{self.answer_format('a cell with a ship', 'water', SHIP + WATER * 2)}"
        )

    def scene(self) -> Scene:
        return self.with_fleet(super().scene())

    def solved_scene(self, answer: str) -> Scene:
        return self.with_fleet(super().solved_scene(answer))

    def with_fleet(self, board: Scene) -> Panels:
        """A board above the lengths of the ships."""
        return Panels((board, Text((f"Ships: {' '.join(map(str, self.fleet))}",))), columns=1)

    def look(self, cell: int, sign: str, known: bool) -> Cell:
        """Discs on water."""
        if sign == SHIP:
            return Cell(fill="water", mark="disc", tone="dark" if known else "accent")
        return Cell(fill="water" if sign == WATER else "paper")

    def violation(self, on: Sequence[bool]) -> str:
        return super().violation(on) or self.false_fleet(on)

    def false_fleet(self, on: Sequence[bool]) -> str:
        """Whether ships touch at a corner or have other lengths."""
        size = len(self.board)
        for cell in range(size * (size - 1)):
            below = cell + size
            if (cell + 1) % size and ((on[cell] and on[below + 1]) or (on[cell + 1] and on[below])):
                row = cell // size + 1
                return f"cells with a ship meet at a corner in rows {row} and {row + 1}"
        ships = bits(cell for cell, ship in enumerate(on) if ship)
        if afloat(ships, (1 << size * size) - 1 & ~ships, size, self.fleet):
            return ""
        return "the ships do not have the given lengths"

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=4, ships=2, longest=2, shown=0)

    def candidates(self) -> Iterable[str]:
        """All ways to put as many cells with a ship as the fleet has."""
        return (self.written(bits(cells)) for cells in combinations(range(16), sum(self.fleet)))

    def allows(self, on: Collection[int], cell: int) -> bool:
        size = len(self.board)
        corners = {*neighbours(size, size)[cell]} - {*sides(size, size)[cell]}
        return corners.isdisjoint(on) and super().allows(on, cell)


def sizes(ships: int, longest: int) -> list[int]:
    """The lengths of a fleet: one ship of the greatest length, two of the next, and so on.

    >>> sizes(5, 3), sizes(4, 3)
    ([3, 2, 2, 1, 1], [3, 2, 2, 1])
    """
    lengths = [long for long in range(longest, 0, -1) for _ in range(longest - long + 1)]
    return (lengths + [1] * ships)[:ships]


def anchored(rng: Random, size: int, lengths: Sequence[int]) -> list[tuple[int, ...]]:
    """Ships at random that do not touch; a ship without room is left out."""
    around = neighbours(size, size)
    blocked: set[int] = set()
    ships = []
    for length in lengths:
        rows = [
            line[n : n + length] for line in lines(size, size) for n in range(size - length + 1)
        ]
        free = [cells for cells in rows if blocked.isdisjoint(cells)]
        if free:
            ships.append(rng.choice(free))
            blocked.update(ships[-1], *(around[cell] for cell in ships[-1]))
    return ships


def afloat(on: int, off: int, size: int, fleet: Sequence[int]) -> bool:
    """Whether the ships so far may be of the fleet; exact where all cells are known."""
    near = sides(size, size)
    left = Counter(fleet)
    rest = on
    whole = 0
    while rest:
        ship = piece(rest, rest & -rest, size, size)
        rest &= ~ship
        length = ship.bit_count()
        if length > max(fleet):
            return False
        if all((ship | off) >> other & 1 for cell in ones(ship) for other in near[cell]):
            left[length] -= 1
            whole += 1
            if left[length] < 0:
                return False
    return whole == len(fleet) or (on | off) != (1 << size * size) - 1
