"""Sorting pancakes by flipping the top of the stack, posed by Jacob E. Goodman (1975).

Shortest plans are searched for with Malte Helmert's gap heuristic (2010).
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Self

from palaestra.generators.planning.pictures import PicturedPlan
from palaestra.generators.search import a_star
from palaestra.scenes import Item, Stacks
from palaestra.task import ladder
from palaestra.verifiers.planning.plans import Illegal
from palaestra.verifiers.reading.moves import numbers
from palaestra.verifiers.reading.values import joined

Stack = tuple[int, ...]


def flipped(stack: Stack, number: int) -> Stack:
    """A stack, listed from the top, whose topmost pancakes were turned over as one.

    >>> flipped((3, 1, 2), 2)
    (1, 3, 2)
    """
    return stack[:number][::-1] + stack[number:]


def gaps(stack: Stack) -> int:
    """How many pancakes lie on one that is not next in size, the plate counting as the largest.

    >>> gaps((3, 1, 2))
    2
    """
    return sum(abs(a - b) != 1 for a, b in pairwise((*stack, len(stack) + 1)))


def _ways(stack: Stack) -> Iterator[tuple[int, Stack]]:
    return ((number, flipped(stack, number)) for number in range(2, len(stack) + 1))


@lru_cache(maxsize=256)
def shortest(stack: Stack) -> Stack:
    """The fewest flips that sort a stack.

    >>> shortest((3, 1, 2))
    (3, 2)
    """
    goal = tuple(sorted(stack))
    plan = a_star(stack, _ways, lambda each: gaps(each) or (each != goal))
    assert plan is not None, "every stack can be sorted"
    return plan.moves


def plain_plan(stack: Stack) -> list[int]:
    """The flips that bring the largest pancake to the bottom, then the next one, and so on.

    >>> plain_plan((3, 1, 2))
    [3, 2]
    """
    plan = []
    for size in range(len(stack), 1, -1):
        depth = stack.index(size) + 1
        if depth != size:
            flips = ([depth] if depth > 1 else []) + [size]
            for flip in flips:
                stack = flipped(stack, flip)
            plan += flips
    return plan


class PancakeSorting(PicturedPlan):
    """Sort a stack of pancakes by size with the fewest flips of its top."""

    tags = {"planning", "search", "sorting"}
    baseline_note = (
        "most flips of a shortest plan join two neighbours in size, and so does a player who "
        "counts the gaps; it is wrong more often in taller stacks"
    )
    units = "flips"

    class Knobs(PicturedPlan.Knobs):
        pancakes: int = ladder(6, 7, 8, 9, 11, 13, low=5, high=15)

    stack: Stack

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        return cls(stack=tuple(rng.sample(range(1, knobs.pancakes + 1), knobs.pancakes)))

    def is_valid(self) -> bool:
        # Three flips or fewer are often found by a guess.
        return len(plain_plan(self.stack)) > len(self.plan()) > 3

    def search(self) -> Stack:
        return shortest(self.stack)

    def prompt(self) -> str:
        size = len(self.stack)
        task = self.phrase(
            f"{size} pancakes of sizes 1 to {size} lie in a stack. Sort them so that the smallest "
            "is on top and the largest at the bottom.",
            f"Sort this stack of {size} pancakes by size, with pancake 1, the smallest, on top and "
            f"pancake {size} at the bottom.",
        )
        return (
            f"{task} A flip takes the k topmost pancakes and turns them over together, so that "
            f"their order is reversed.\n\nThe stack, from the top to the bottom: "
            f"{joined(self.stack)}\n\nUse at most {self.move_limit()} flips. Answer with "
            "the number k of each flip, in order, such as '3, 5, 2'."
        )

    def picture(self, state: Stack) -> Stacks:
        most = len(state)
        pancakes = (Item(str(n), "t1", 0.3 + 0.7 * n / most) for n in reversed(state))
        return Stacks((tuple(pancakes),))

    def read(self, answer: str) -> list[int]:
        return numbers(answer, "a list of flips, such as '3, 5, 2'")

    def as_text(self, moves: Sequence[int]) -> str:
        return joined(moves)

    def initial(self) -> Stack:
        return self.stack

    def after(self, state: Stack, move: int) -> Stack:
        if not 1 <= move <= len(state):
            raise Illegal(f"there are no {move} pancakes to turn over")
        return flipped(state, move)

    def moves_from(self, state: Stack) -> Iterable[int]:
        return range(2, len(state) + 1)

    def distance(self, state: Stack) -> float:
        return gaps(state) or float(state != tuple(sorted(state)))

    def violation(self, state: Stack) -> str:
        return "" if state == tuple(sorted(state)) else "the stack is not sorted in the end"

    def audit(self, answer: str) -> bool:
        """Follows where each pancake goes."""
        flips = self.read(answer)
        depth = {size: n for n, size in enumerate(self.stack)}
        for flip in flips:
            if flip > len(depth):
                return False
            depth = {size: flip - 1 - n if n < flip else n for size, n in depth.items()}
        is_sorted = all(depth[size] == size - 1 for size in depth)
        return is_sorted and len(flips) <= len(self.plan())

    def difficulty(self) -> float:
        return float(len(self.stack) * len(self.plan()))

    def shortcuts(self) -> Iterable[str]:
        yield joined(plain_plan(self.stack))
        yield joined(range(len(self.stack), 1, -1))
