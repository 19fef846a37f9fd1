"""Merging blocks that hold numbers and operations until a single zero is left.

A relative of the numbers game of the television show Des chiffres et des lettres (1972), in which
the operations are given, each to be used once.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Self

from palaestra.generators.planning.nullify import Block, Merge, merged, solved, taken_apart
from palaestra.generators.planning.pictures import PicturedPlan
from palaestra.scenes import Cell, Grid
from palaestra.task import ladder
from palaestra.verifiers.planning.plans import Illegal
from palaestra.verifiers.reading.moves import hops, hops_as_text

NAMES = "ABCDEFGHIJKL"


class Nullify(PicturedPlan):
    """Merge all blocks, which hold numbers and operations, in such an order that zero is left."""

    version = 3
    tags = {"planning", "search", "arithmetic"}
    baseline_note = (
        "the sum of the numbers shows how far from zero a merge leads, and there are only a "
        "few blocks; the last merges can be foreseen"
    )
    answer_type = "moves"
    units = "merges"

    class Knobs(PicturedPlan.Knobs):
        numbers: int = ladder(4, 4, 5, 4, 5, 6, low=4, high=6)
        operations: int = ladder(1, 2, 2, 3, 3, 3, low=1)
        largest: int = ladder(20, 30, 60, 80, 80, 99)  # number that is split off

    blocks: tuple[Block, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        blocks = taken_apart(rng, knobs.numbers, knobs.operations, knobs.largest)
        rng.shuffle(blocks)
        return cls(blocks=tuple(blocks))

    def is_valid(self) -> bool:
        """Whether the operations matter, and merging from one end to the other leads nowhere."""
        numbers = [value for sign, value in self.blocks if sign == "+"]
        dull = 0 in numbers or sum(numbers) == 0 or max(map(abs, numbers)) > 200
        return not dull and all(self.verify(shortcut).value < 1 for shortcut in self.shortcuts())

    def canonical(self) -> str:
        return repr(sorted(self.blocks))

    def prompt(self) -> str:
        shown = "\n".join(f"{NAMES[n]}: {written(block)}" for n, block in enumerate(self.blocks))
        task = self.phrase(
            "These blocks hold numbers, which have a sign + or -, or operations, which are * or /:",
            "Here are blocks. Some hold a number, which has a sign + or -, the others an "
            "operation, which is * (multiply by) or / (divide by):",
        )
        return (
            f"{task}\n\n{shown}\n\nA merge removes a block X and changes a block Y, which must "
            "hold a number: if X holds a number, Y then holds the sum of both; if X holds *n, Y "
            "then holds n times what it held; if X holds /n, Y then holds its number divided by n, "
            "which is allowed only if there is no remainder. A block with an operation can be "
            "taken, but nothing can be merged into it.\n\nMerge until a single block is left and "
            f"it holds 0. That takes {len(self.blocks) - 1} merges, in which every operation is "
            "used once. Write one merge per line, X first and Y second, such as 'B -> A' for block "
            "B being merged into block A."
        )

    def picture(self, state: dict[int, Block]) -> Grid:
        cells = tuple(
            Cell(written(state[n]), "paper" if state[n][0] == "+" else "t1")
            if n in state
            else Cell(fill="none")
            for n in range(len(self.blocks))
        )
        return Grid((cells,), top=tuple((name,) for name in NAMES[: len(cells)]))

    def search(self) -> tuple[Merge, ...] | None:
        return solved(self.blocks)

    def move_limit(self) -> int:
        return len(self.blocks) - 1

    def read(self, answer: str) -> list[Merge]:
        return hops(answer, NAMES[: len(self.blocks)], "merges")

    def as_text(self, moves: Sequence[Merge]) -> str:
        return hops_as_text(moves, NAMES)

    def initial(self) -> dict[int, Block]:
        return dict(enumerate(self.blocks))

    def after(self, state: dict[int, Block], move: Merge) -> dict[int, Block]:
        x, y = move
        if x == y or x not in state or y not in state:
            raise Illegal("there are no two such blocks")
        if state[y][0] != "+":
            raise Illegal(f"block {NAMES[y]} holds an operation")
        rest = {n: block for n, block in state.items() if n != x}
        return rest | {y: ("+", merged(state[y][1], state[x]))}

    def moves_from(self, state: dict[int, Block]) -> Iterable[Merge]:
        return permutations(state, 2)

    def distance(self, state: dict[int, Block]) -> float:
        """How far from zero the sum of the numbers is, and how many blocks are too many."""
        return len(state) - 1 + abs(sum(value for sign, value in state.values() if sign == "+"))

    def violation(self, state: dict[int, Block]) -> str:
        if len(state) > 1:
            return f"{len(state)} blocks are left"
        return "" if ("+", 0) in state.values() else "the last block does not hold 0"

    def audit(self, answer: str) -> bool:
        """Calculates with fractions, the operations apart from the numbers."""
        holds = {n: Fraction(value) for n, (sign, value) in enumerate(self.blocks) if sign == "+"}
        rest = {n: block for n, block in enumerate(self.blocks) if n not in holds}
        for x, y in hops(answer, NAMES[: len(self.blocks)]):
            if x == y or y not in holds or x not in {*holds, *rest}:
                return False
            if x in holds:
                holds[y] += holds.pop(x)
            else:
                sign, number = rest.pop(x)
                holds[y] *= number if sign == "*" else Fraction(1, number)
            if holds[y].denominator > 1:
                return False
        return not rest and [*holds.values()] == [0]

    def difficulty(self) -> float:
        operations = sum(sign != "+" for sign, _ in self.blocks)
        return float(2 ** ((len(self.blocks) - operations) * operations))

    def shortcuts(self) -> Iterable[str]:
        first = next(n for n, (sign, _) in enumerate(self.blocks) if sign == "+")
        others = [n for n in range(len(self.blocks)) if n != first]
        for order in (others, others[::-1]):
            yield self.as_text([(n, first) for n in order])


def written(block: Block) -> str:
    """What a block holds, as text.

    >>> written(("+", 7)), written(("*", 2))
    ('+7', '*2')
    """
    sign, value = block
    return f"{value:+d}" if sign == "+" else f"{sign}{value}"
