"""Small programs on lists of whole numbers, and the search for those that fit examples.

A program is a few steps, one after another; a step is the name of an operation and its number.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from random import Random
from typing import NamedTuple

Numbers = tuple[int, ...]


def _without(numbers: Numbers, one: int) -> Numbers:
    return tuple([number for number in numbers if number != one])


DESCRIPTIONS: dict[str, tuple[str, tuple[int, ...]]] = {
    "even": ("keep only the even numbers", (0,)),
    "odd": ("keep only the odd numbers", (0,)),
    "above": ("keep only numbers greater than {}", (2, 3, 4, 5)),
    "below": ("keep only numbers less than {}", (5, 6, 7, 8)),
    "add": ("add {} to each number", (1, 2, 3, 5)),
    "times": ("multiply each number by {}", (2, 3)),
    "from": ("replace each number x by {} - x", (9, 10, 12)),
    "half": ("halve each number, rounding down (so that -3 gives -2)", (0,)),
    "ascending": ("sort from smallest to largest", (0,)),
    "descending": ("sort from largest to smallest", (0,)),
    "reverse": ("reverse the order", (0,)),
    "distinct": ("drop every number that occurred earlier in the list", (0,)),
    "take": ("keep only the first {} numbers (all, if there are fewer)", (3, 4)),
    "drop": ("drop {} from the front (all, if there are fewer)", (1, 2)),
    "drop last": ("drop {} from the end (all, if there are fewer)", (1, 2)),
    "rotate": ("move the first number to the end, {} times over", (2, 3)),
    "swap": ("exchange the first and the last number", (0,)),
    "sums": ("replace each number by the sum of all up to and including it", (0,)),
    "steps": ("replace each number but the first by itself minus the number just before it", (0,)),
    "highest": ("replace each number by the largest up to and including it", (0,)),
    "positions": ("add to each number its position, counted from 1", (0,)),
    "alternate": ("keep only the numbers at odd positions: 1st, 3rd, 5th and so on", (0,)),
    "other": ("keep only the numbers at even positions: 2nd, 4th, 6th and so on", (0,)),
    "not max": ("drop the largest number, wherever it occurs", (0,)),
    "total": ("put the sum of the list at its end", (0,)),
    "length": ("put the length of the list at its front", (0,)),
}
"""The operations on a list in words, and the numbers that each may take (0 for none)."""

ACTIONS: dict[str, Callable[[Numbers, int], Numbers]] = {
    "even": lambda xs, k: tuple([x for x in xs if x % 2 == 0]),
    "odd": lambda xs, k: tuple([x for x in xs if x % 2]),
    "above": lambda xs, k: tuple([x for x in xs if x > k]),
    "below": lambda xs, k: tuple([x for x in xs if x < k]),
    "add": lambda xs, k: tuple([x + k for x in xs]),
    "times": lambda xs, k: tuple([x * k for x in xs]),
    "from": lambda xs, k: tuple([k - x for x in xs]),
    "half": lambda xs, k: tuple([x // 2 for x in xs]),
    "ascending": lambda xs, k: tuple(sorted(xs)),
    "descending": lambda xs, k: tuple(sorted(xs, reverse=True)),
    "reverse": lambda xs, k: xs[::-1],
    "distinct": lambda xs, k: tuple(dict.fromkeys(xs)),
    "take": lambda xs, k: xs[:k],
    "drop": lambda xs, k: xs[k:],
    "drop last": lambda xs, k: xs[:-k],
    "rotate": lambda xs, k: xs[k % len(xs) :] + xs[: k % len(xs)] if xs else xs,
    "swap": lambda xs, k: xs[-1:] + xs[1:-1] + xs[:1] if len(xs) > 1 else xs,
    "sums": lambda xs, k: tuple(accumulate(xs)),
    "steps": lambda xs, k: xs[:1] + tuple([b - a for a, b in pairwise(xs)]),
    "highest": lambda xs, k: tuple(accumulate(xs, max)),
    "positions": lambda xs, k: tuple([x + n for n, x in enumerate(xs, 1)]),
    "alternate": lambda xs, k: xs[::2],
    "other": lambda xs, k: xs[1::2],
    "not max": lambda xs, k: _without(xs, max(xs, default=0)),
    "total": lambda xs, k: (*xs, sum(xs)),
    "length": lambda xs, k: (len(xs), *xs),
}
"""The operations as functions of a list and a number."""


class Step(NamedTuple):
    """An operation and its number, which is 0 if it takes none."""

    operation: str
    number: int

    def as_text(self) -> str:
        """The step in words.

        >>> Step("take", 3).as_text()
        'keep only the first 3 numbers (all, if there are fewer)'
        """
        return DESCRIPTIONS[self.operation][0].format(self.number)

    def applied(self, numbers: Numbers) -> Numbers:
        """The list after the step."""
        return ACTIONS[self.operation](numbers, self.number)


def run(program: Sequence[Step], numbers: Numbers) -> Numbers:
    """The list after all steps of a program.

    >>> run([Step("even", 0), Step("times", 3)], (1, 2, 4))
    (6, 12)
    """
    for step in program:
        numbers = step.applied(numbers)
    return numbers


def menu(rng: Random, size: int) -> tuple[Step, ...]:
    """Different operations with a number each, in alphabetical order."""
    names = rng.sample(list(DESCRIPTIONS), size)
    return tuple(Step(name, rng.choice(DESCRIPTIONS[name][1])) for name in sorted(names))


class Search(NamedTuple):
    """The programs that fit the examples."""

    outcomes: frozenset[tuple[Numbers, ...]]
    """Their results for the new lists: a single outcome if the examples determine it."""
    shortest: int
    """The number of steps of the shortest of them."""
    visited: int
    """How many lists the search computed."""


@lru_cache(maxsize=64)
def fitting(
    steps: tuple[Step, ...],
    longest: int,
    examples: tuple[tuple[Numbers, Numbers], ...],
    new: tuple[Numbers, ...],
) -> Search:
    """Try every program of up to ``longest`` of the steps, without trying any twice.

    The first example determines which lists can still be turned into its output in time. Only
    programs that pass through these are tried on the other examples and on the new lists.
    """
    (first, wanted), *rest = examples
    layers: list[dict[Numbers, list[Numbers]]] = []
    reached = {first: None}
    for _ in range(longest):
        layers.append({xs: [step.applied(xs) for step in steps] for xs in reached})
        reached = dict.fromkeys(ys for results in layers[-1].values() for ys in results)
    hopeful = [{wanted}]
    for layer in reversed(layers):
        hopeful.append({x for x, ys in layer.items() if not hopeful[-1].isdisjoint(ys)} | {wanted})
    hopeful.reverse()
    goal = (wanted, *(output for _, output in rest))
    states = {(first, *(numbers for numbers, _ in rest), *new): None}
    outcomes: list[tuple[int, tuple[Numbers, ...]]] = []
    for depth in range(longest + 1):
        outcomes += [(depth, s[len(goal) :]) for s in states if s[: len(goal)] == goal]
        if depth < longest:
            states = dict.fromkeys(
                (result, *map(step.applied, state[1:]))
                for state in states
                if state[0] in hopeful[depth]
                for step, result in zip(steps, layers[depth][state[0]])
                if result in hopeful[depth + 1]
            )
    visited = len(steps) * sum(map(len, layers))
    fewest = min((depth for depth, _ in outcomes), default=longest + 1)
    return Search(frozenset(outcome for _, outcome in outcomes), fewest, visited)
