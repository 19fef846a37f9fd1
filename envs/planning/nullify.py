"""Merging blocks that hold numbers and operations until a single zero is left.

A relative of the numbers game of the television show Des chiffres et des lettres (1972), in which
the operations are given, each to be used once.
"""

from collections.abc import Iterable
from fractions import Fraction
from random import Random
from typing import Self

from palaestra.generators.planning.nullify import Block, Merge, merged, solved, taken_apart
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.planning.simulated import Illegal, hops, simulated

NAMES = "ABCDEFGHIJKL"


class Nullify(Puzzle):
    """Merge all blocks, which hold numbers and operations, in such an order that zero is left."""

    version = 2
    tags = {"planning", "search", "arithmetic"}

    class Knobs(Puzzle.Knobs):
        numbers: int = ladder(4, 5, 5, 5, 6, 6, low=4, high=6)
        operations: int = ladder(2, 2, 2, 3, 3, 3, low=1)
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
        shown = "\n".join(
            f"{NAMES[n]}: {f'{value:+d}' if sign == '+' else f'{sign}{value}'}"
            for n, (sign, value) in enumerate(self.blocks)
        )
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

    def answer(self) -> str:
        plan = solved(self.blocks)
        assert plan is not None, "blocks made from a zero lead back to it"
        return "\n".join(f"{NAMES[x]} -> {NAMES[y]}" for x, y in plan)

    def verify(self, answer: str) -> Score:
        def after(left: dict[int, Block], merge: Merge) -> dict[int, Block]:
            x, y = merge
            if x == y or x not in left or y not in left:
                raise Illegal("there are no two such blocks")
            if left[y][0] != "+":
                raise Illegal(f"block {NAMES[y]} holds an operation")
            new = {n: block for n, block in left.items() if n != x}
            return new | {y: ("+", merged(left[y][1], left[x]))}

        def flaw(left: dict[int, Block]) -> str:
            if len(left) > 1:
                return f"{len(left)} blocks are left"
            return "" if ("+", 0) in left.values() else "the last block does not hold 0"

        merges = hops(answer, NAMES[: len(self.blocks)], "merges")
        return simulated(
            merges, dict(enumerate(self.blocks)), after, flaw, len(self.blocks) - 1, "merges"
        )

    def audit(self, answer: str) -> bool:
        """Reckons in fractions, the operations apart from the numbers."""
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
            yield "\n".join(f"{NAMES[n]} -> {NAMES[first]}" for n in order)
