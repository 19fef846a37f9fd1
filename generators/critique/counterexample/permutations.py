"""Properties of permutations of the numbers from 1, written in a row."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from itertools import permutations as all_permutations
from math import lcm

from palaestra.generators.critique.counterexample.properties import Property

Permutation = tuple[int, ...]


def cycles(row: Permutation) -> list[int]:
    """The lengths of the cycles of a permutation.

    >>> sorted(cycles((2, 1, 4, 5, 3)))
    [2, 3]
    """
    lengths, left = [], set(row)
    while left:
        position, length = left.pop(), 1
        while (position := row[position - 1]) in left:
            left.remove(position)
            length += 1
        lengths.append(length)
    return lengths


def inversions(row: Permutation) -> int:
    """The number of pairs of which the larger number comes first."""
    return sum(a > b for a, b in combinations(row, 2))


@lru_cache(maxsize=8)
def objects(size: int) -> Sequence[Permutation]:
    """All permutations of the numbers from 1 to ``size``, in lexicographic order."""
    return tuple(all_permutations(range(1, size + 1)))


def _fixed(row: Permutation) -> int:
    return sum(n == each for n, each in enumerate(row, 1))


def _ascents(row: Permutation) -> int:
    return sum(a < b for a, b in pairwise(row))


PROPERTIES: tuple[Property[Permutation], ...] = (
    Property(
        "has an even number of inversions",
        "has an odd number of inversions",
        lambda row: inversions(row) % 2 == 0,
    ),
    Property(
        "has more inversions than its length",
        "has at most as many inversions as its length",
        lambda row: inversions(row) > len(row),
    ),
    Property("has a fixed point", "has no fixed point", lambda row: _fixed(row) > 0),
    Property("is its own inverse", "is not its own inverse", lambda row: max(cycles(row)) <= 2),
    Property("has a cycle of length 3", "has no cycle of length 3", lambda row: 3 in cycles(row)),
    Property("has a cycle of length 2", "has no cycle of length 2", lambda row: 2 in cycles(row)),
    Property("is a single cycle", "is not a single cycle", lambda row: len(cycles(row)) == 1),
    Property(
        "has an order above its length",
        "has an order of at most its length",
        lambda row: lcm(*cycles(row)) > len(row),
    ),
    Property(
        "begins with a greater number than it ends with",
        "begins with a smaller number than it ends with",
        lambda row: row[0] > row[-1],
    ),
    Property(
        "begins with an even number", "begins with an odd number", lambda row: row[0] % 2 == 0
    ),
    Property(
        "has two numbers that differ by 1 next to each other",
        "has no two numbers that differ by 1 next to each other",
        lambda row: any(abs(a - b) == 1 for a, b in pairwise(row)),
    ),
    Property(
        "has two even numbers next to each other",
        "has no two even numbers next to each other",
        lambda row: any(a % 2 == b % 2 == 0 for a, b in pairwise(row)),
    ),
    Property(
        "has an increasing subsequence of length 3",
        "has no increasing subsequence of length 3",
        lambda row: any(a < b < c for a, b, c in combinations(row, 3)),
    ),
    Property(
        "has a decreasing subsequence of length 3",
        "has no decreasing subsequence of length 3",
        lambda row: any(a > b > c for a, b, c in combinations(row, 3)),
    ),
    Property(
        "has more ascents than descents",
        "has at most as many ascents as descents",
        lambda row: 2 * _ascents(row) > len(row) - 1,
    ),
    Property(
        "has the 1 somewhere before the 2",
        "has the 2 somewhere before the 1",
        lambda row: row.index(1) < row.index(2),
    ),
    Property(
        "has a number more than two positions away from its own",
        "has no number more than two positions away from its own",
        lambda row: any(abs(n - each) > 2 for n, each in enumerate(row, 1)),
    ),
    Property(
        "has its greatest number in an even position",
        "has its greatest number in an odd position",
        lambda row: row.index(len(row)) % 2 == 1,
    ),
)
"""Properties of permutations, each with its negation."""
