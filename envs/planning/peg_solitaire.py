"""Peg solitaire, known at the French court by 1697: pegs jump over pegs until one is left.

Boards are made by jumping backwards from a single peg, so that each can be solved.
"""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Literal, Self

from palaestra.generators.planning.peg_solitaire import SHAPES, Jump, careless, jumps, solved
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.planning.simulated import Illegal, hops, simulated
from palaestra.verifiers.reading.boards import cell_name


class PegSolitaire(Puzzle):
    """Jump pegs over pegs, which are taken away, until a single one is left."""

    tags = {"planning", "search", "spatial"}

    class Knobs(Puzzle.Knobs):
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
        """Whether as many pegs as wanted found room, and jumps made at once lead nowhere."""
        if self.pegs.bit_count() != self.count or solved(self.shape, self.pegs) is None:
            return False
        return all(len(made) < self.count - 1 for made in self.hasty())

    def hasty(self) -> Iterator[list[Jump]]:
        """The jumps of some who do not look ahead."""
        ways = jumps(self.shape)
        turned = sorted(ways, key=lambda jump: jump[2] - jump[0])
        return (careless(self.pegs, order) for order in (ways, ways[::-1], turned, turned[::-1]))

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

    def names(self) -> list[str]:
        """The names of all cells."""
        rows = SHAPES[self.shape]
        return [cell_name(r, c) for r in range(len(rows)) for c in range(len(rows[0]))]

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

    def as_text(self, made: Iterable[Jump]) -> str:
        """Jumps as they are written."""
        names = self.names()
        return "\n".join(f"{names[a]} -> {names[c]}" for a, _, c in made)

    def answer(self) -> str:
        solution = solved(self.shape, self.pegs)
        assert solution is not None, "a fair board is solved within the budget"
        return self.as_text(solution[0])

    def verify(self, answer: str) -> Score:
        names = self.names()
        over = {(a, c): b for a, b, c in jumps(self.shape)}

        def after(board: int, move: tuple[int, int]) -> int:
            here, there = move
            if move not in over:
                raise Illegal(f"no jump goes from {names[here]} to {names[there]}")
            if not board >> here & 1:
                raise Illegal(f"there is no peg at {names[here]}")
            if not board >> over[move] & 1:
                raise Illegal(f"there is no peg at {names[over[move]]} to jump over")
            if board >> there & 1:
                raise Illegal(f"the hole {names[there]} is not empty")
            return board ^ (1 << here | 1 << over[move] | 1 << there)

        def flaw(board: int) -> str:
            left = board.bit_count()
            return f"{left} pegs are left" if left > 1 else ""

        return simulated(hops(answer, names, "jumps"), self.pegs, after, flaw, what="jumps")

    def audit(self, answer: str) -> bool:
        """Rewrites the board as text."""
        rows = [row.split() for row in self.board().splitlines()]
        for here, there in hops(answer, self.names()):
            (a, b), (c, d) = divmod(here, len(rows[0])), divmod(there, len(rows[0]))
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
        return map(self.as_text, self.hasty())
