"""Peg solitaire, known at the French court by 1697: pegs jump over pegs until one is left.

Boards are made by jumping backwards from a single peg, so that each can be solved.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Literal, Self

from palaestra.generators.planning.peg_solitaire import (
    SHAPES,
    Jump,
    greedy_jumps,
    jumped_cells,
    jumps,
    solved,
)
from palaestra.generators.planning.pictures import PicturedPlan
from palaestra.scenes import Cell, Grid
from palaestra.task import ladder
from palaestra.verifiers.planning.plans import Illegal
from palaestra.verifiers.reading.cells import cell_name, cell_pairs
from palaestra.verifiers.reading.moves import hops_as_text

Hop = tuple[int, int]
"""The cells from which and to which a peg jumps."""


class PegSolitaire(PicturedPlan):
    """Jump pegs over pegs, which are taken away, until a single one is left."""

    units = "jumps"
    tags = {"planning", "search", "spatial"}
    baseline_note = (
        "boards are made backwards from one peg, so that the pegs lie together and keeping "
        "them together is often right; with more pegs it strands one more often"
    )
    answer_type = "cells"

    class Knobs(PicturedPlan.Knobs):
        shape: Literal["square", "wide", "cross", "diamond", "english"] = ladder(
            "english", "wide", "english"
        )
        pegs: int = ladder(5, 6, 7, 9, 11, 13, 15, low=4)

    shape: Literal["square", "wide", "cross", "diamond", "english"]
    pegs: int
    count: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        cells = sorted({cell for jump in jumps(knobs.shape) for cell in jump})
        board, wanted = 1 << rng.choice(cells), min(knobs.pegs, len(cells) // 2)
        for _ in range(wanted - 1):
            ways = [
                jump
                for jump in jumps(knobs.shape)
                if board >> jump[2] & 1 and not board & (1 << jump[0] | 1 << jump[1])
            ]
            if not ways:
                break
            a, b, c = rng.choice(ways)
            board ^= 1 << a | 1 << b | 1 << c
        return cls(shape=knobs.shape, pegs=board, count=wanted)

    def is_valid(self) -> bool:
        """Whether the board has as many pegs as it should, and no greedy player solves it."""
        if self.pegs.bit_count() != self.count or self.search() is None:
            return False
        return all(len(moves) < self.count - 1 for moves in self.greedy_plans())

    def greedy_plans(self) -> Iterator[list[Hop]]:
        """The jumps of players who do not look ahead."""
        ways = jumps(self.shape)
        by_direction = sorted(ways, key=lambda jump: jump[2] - jump[0])
        for order in (ways, ways[::-1], by_direction, by_direction[::-1]):
            yield ends(greedy_jumps(self.pegs, order))

    def canonical(self) -> str:
        rows = [row.replace(" ", "") for row in self.board().splitlines()]
        images = [rows, rows[::-1], [r[::-1] for r in rows], [r[::-1] for r in rows[::-1]]]
        images += [["".join(column) for column in zip(*image)] for image in images]
        return "/".join(min(images))

    def board(self) -> str:
        """The board as text."""
        width = len(SHAPES[self.shape][0])
        return "\n".join(
            " ".join(
                "#" if sign == "#" else "o" if self.pegs >> r * width + c & 1 else "."
                for c, sign in enumerate(row)
            )
            for r, row in enumerate(SHAPES[self.shape])
        )

    def name(self, cell: int) -> str:
        """The name of a cell."""
        return cell_name(*divmod(cell, len(SHAPES[self.shape][0])))

    def names(self) -> list[str]:
        """The names of all cells."""
        rows = SHAPES[self.shape]
        return [self.name(cell) for cell in range(len(rows) * len(rows[0]))]

    def prompt(self) -> str:
        task = self.phrase(
            "Pegs (o) stand in the holes of a board; a dot is an empty hole.",
            "This is a board of peg solitaire, where o is a peg and a dot an empty hole.",
        )
        outside = " # is not part of the board." if "#" in "".join(SHAPES[self.shape]) else ""
        return (
            f"{task}{outside}\n\n{self.board()}\n\nA jump takes a peg over a peg right next to it, "
            "to the left, to the right, up or down, into the hole just beyond, which has to be "
            "empty; the peg that was jumped over is taken off the board. Make jumps until a single "
            "peg is left, in any hole. A hole is named by its row, counted from 1 at the top, and "
            "its column, counted from 1 at the left. Write one jump per line, from which hole to "
            "which, such as 'r1c1 -> r1c3'."
        )

    def picture(self, state: int) -> Grid:
        rows = SHAPES[self.shape]
        peg, hole = Cell(mark="disc", tone="accent"), Cell(mark="ring", tone="muted")
        return Grid(
            tuple(
                tuple(
                    Cell(fill="none") if sign == "#" else peg if state >> n & 1 else hole
                    for n, sign in enumerate(row, r * len(row))
                )
                for r, row in enumerate(rows)
            ),
            coordinates=True,
        )

    def search(self) -> list[Hop] | None:
        solution = solved(self.shape, self.pegs)
        return None if solution is None else ends(solution[0])

    def move_limit(self) -> None:
        """Every jump takes a peg away, so no plan is too long."""

    def read(self, answer: str) -> list[Hop]:
        rows = SHAPES[self.shape]
        width = len(rows[0])
        pairs = cell_pairs(answer, len(rows), width, "r1c1 -> r1c3")
        return [(a * width + b, c * width + d) for (a, b), (c, d) in pairs]

    def as_text(self, moves: Sequence[Hop]) -> str:
        return hops_as_text(moves, self.names())

    def initial(self) -> int:
        return self.pegs

    def after(self, state: int, move: Hop) -> int:
        start, end = move
        over = jumped_cells(self.shape).get(move)
        if over is None:
            raise Illegal(f"no jump goes from {self.name(start)} to {self.name(end)}")
        if not state >> start & 1:
            raise Illegal(f"there is no peg at {self.name(start)}")
        if not state >> over & 1:
            raise Illegal(f"there is no peg at {self.name(over)} to jump over")
        if state >> end & 1:
            raise Illegal(f"the hole {self.name(end)} is not empty")
        return state ^ (1 << start | 1 << over | 1 << end)

    def moves_from(self, state: int) -> Iterable[Hop]:
        return ends(jumps(self.shape))

    def distance(self, state: int) -> float:
        """The steps between the pegs, which greedy players keep together."""
        width = len(SHAPES[self.shape][0])
        pegs = [divmod(cell, width) for cell in range(state.bit_length()) if state >> cell & 1]
        return sum(abs(a - c) + abs(b - d) for (a, b), (c, d) in combinations(pegs, 2))

    def violation(self, state: int) -> str:
        left = state.bit_count()
        return f"{left} pegs are left" if left > 1 else ""

    def audit(self, answer: str) -> bool:
        """Rewrites the board as text."""
        rows = [row.split() for row in self.board().splitlines()]
        for start, end in self.read(answer):
            (a, b), (c, d) = divmod(start, len(rows[0])), divmod(end, len(rows[0]))
            between = (a + c) // 2, (b + d) // 2
            spots = ((a, b), between, (c, d))
            if abs(a - c) + abs(b - d) != 2 or 1 in {abs(a - c), abs(b - d)}:
                return False
            if [rows[r][k] for r, k in spots] != ["o", "o", "."]:
                return False
            for (r, k), sign in zip(spots, "..o"):
                rows[r][k] = sign
        return sum(row.count("o") for row in rows) == 1

    def difficulty(self) -> float:
        return 3.0 ** self.pegs.bit_count()

    def shortcuts(self) -> Iterable[str]:
        return map(self.as_text, self.greedy_plans())


def ends(plan: Iterable[Jump]) -> list[Hop]:
    """The cells from which and to which pegs jump."""
    return [(start, end) for start, _, end in plan]
