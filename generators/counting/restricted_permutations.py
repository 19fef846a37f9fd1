"""Permutations under restrictions: tests from the definitions, and counts in polynomial time.

Richard Stanley, "Enumerative Combinatorics", volume 1 (2nd edition, 2012), treats most of them.
A permutation is a tuple of the numbers from 1 to n.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import comb, factorial
from random import Random
from typing import Literal, NamedTuple

Rule = Literal[
    "rises", "inversions", "cycles", "near", "neighbours", "decreasing", "forbidden", "peaks"
]


class Restriction(NamedTuple):
    """A restriction on permutations of the numbers from 1 to ``size``; see :func:`described`."""

    rule: Rule
    size: int
    numbers: tuple[int, ...] = ()
    signs: str = ""

    def text(self) -> str:
        """The restriction as a sentence about the numbers in the row."""
        return described(self)

    def holds(self, row: Sequence[int]) -> bool:
        """Whether a permutation satisfies the restriction, from its definition.

        >>> Restriction("inversions", 3, (2, 3, 2)).holds((3, 1, 2))
        True
        """
        return satisfies(self, row)

    def number(self) -> int:
        """The number of permutations that satisfy the restriction."""
        return counted(self)


def described(restriction: Restriction) -> str:
    """A restriction in words."""
    numbers = restriction.numbers
    if restriction.rule == "rises":
        signs = ", ".join(
            f"{i} {'<' if sign == 'u' else '>'} {i + 1}"
            for i, sign in enumerate(restriction.signs, 1)
            if sign != "?"
        )
        return (
            f"The last number is {numbers[0]}. Neighbours compare as follows, where i < j means "
            f"that the number at position i is less than the number at position j: {signs}."
        )
    if restriction.rule == "inversions":
        pairs_out = "pair of numbers is" if numbers[0] == 1 else "pairs of numbers are"
        return (
            f"Exactly {numbers[0]} {pairs_out} out of order, which means that the greater "
            f"number of the pair stands before the smaller one, at any distance. The first number "
            f"is {numbers[1]}, and the last number is {numbers[2]}."
        )
    if restriction.rule == "cycles":
        lengths = ", ".join(map(str, numbers[2:]))
        several = "1 cycle" if numbers[0] == 1 else f"{numbers[0]} cycles"
        return (
            "From a position, go to the position whose number stands there, and go on like this "
            "until you are back; the positions that you visit are a cycle. All positions together "
            f"make exactly {several}, and the length of each cycle is one of {lengths}. "
            f"The cycle that contains position 1 has the length {numbers[1]}."
        )
    if restriction.rule == "near":
        kept = ", ".join(map(str, numbers[1:]))
        return (
            f"No number differs from its position by more than {numbers[0]}, and no number differs "
            f"from its position by 0 at any of the positions {kept}."
        )
    if restriction.rule == "neighbours":
        listed = ", ".join(f"{low} and {low + 1}" for low in numbers[1:])
        stand = "stands" if numbers[0] == 1 else "stand"
        return f"Of the following pairs, exactly {numbers[0]} {stand} side by side: {listed}."
    if restriction.rule == "decreasing":
        return (
            "One cannot choose three numbers, neighbours or not, each of which is less than the "
            f"chosen one before it. The row starts with {', '.join(map(str, numbers))}."
        )
    if restriction.rule == "forbidden":
        cells = ", ".join(f"{a} at {b}" for a, b in pairs_of(numbers))
        return f"These numbers do not stand at these positions: {cells}."
    peaks = "number is greater than both of its"
    if numbers[0] != 1:
        peaks = "numbers are greater than both of their"
    compared = " and ".join(
        f"the number at position {i} is {'less' if sign == 'u' else 'greater'} than the next one"
        for i, sign in enumerate(restriction.signs, 1)
        if sign != "?"
    )
    return (
        f"Exactly {numbers[0]} {peaks} neighbours; the first and "
        "the last number do not count, as they have a single neighbour. The last number is "
        f"{numbers[1]}, and {compared}."
    )


def pairs_of(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of numbers that are stored one after another."""
    return list(zip(numbers[::2], numbers[1::2]))


def satisfies(restriction: Restriction, row: Sequence[int]) -> bool:
    """Whether a permutation satisfies a restriction, from the definition."""
    n, numbers = restriction.size, restriction.numbers
    positions = range(n)
    if restriction.rule == "rises":
        return row[-1] == numbers[0] and follows(row, restriction.signs)
    if restriction.rule == "inversions":
        number = sum(row[i] > row[j] for i in positions for j in range(i + 1, n))
        return (number, row[0], row[-1]) == numbers
    if restriction.rule == "cycles":
        lengths = cycle_lengths(row)
        allowed = {*lengths} <= {*numbers[2:]}
        return allowed and (len(lengths), lengths[0]) == numbers[:2]
    if restriction.rule == "near":
        close = all(abs(row[i] - i - 1) <= numbers[0] for i in positions)
        return close and all(row[i - 1] != i for i in numbers[1:])
    if restriction.rule == "neighbours":
        beside = {min(pair) for pair in pairwise(row) if abs(pair[0] - pair[1]) == 1}
        return len(beside & {*numbers[1:]}) == numbers[0]
    if restriction.rule == "decreasing":
        falls = any(
            row[i] > row[j] > row[k]
            for i in positions
            for j in range(i + 1, n)
            for k in range(j + 1, n)
        )
        return tuple(row[: len(numbers)]) == numbers and not falls
    if restriction.rule == "forbidden":
        return all(row[b - 1] != a for a, b in pairs_of(numbers))
    peaks = sum(row[i - 1] < row[i] > row[i + 1] for i in range(1, n - 1))
    return (peaks, row[-1]) == numbers and follows(row, restriction.signs)


def follows(row: Sequence[int], signs: str) -> bool:
    """Whether neighbours rise where there is a ``u`` and fall where there is a ``d``.

    >>> follows((1, 3, 2), "u?"), follows((1, 3, 2), "uu")
    (True, False)
    """
    return all(
        sign == "?" or (sign == "u") == (a < b) for sign, (a, b) in zip(signs, pairwise(row))
    )


def cycle_lengths(row: Sequence[int]) -> list[int]:
    """The lengths of the cycles.

    >>> cycle_lengths((2, 1, 3))
    [2, 1]
    """
    lengths, seen = list[int](), set[int]()
    for start in range(1, len(row) + 1):
        length, here = 0, start
        while here not in seen:
            seen.add(here)
            here, length = row[here - 1], length + 1
        if length:
            lengths.append(length)
    return lengths


@lru_cache(maxsize=256)
def counted(restriction: Restriction) -> int:
    """The number of permutations that satisfy a restriction."""
    n, numbers = restriction.size, restriction.numbers
    if restriction.rule == "rises":
        return with_signs(restriction.signs, numbers[0])
    if restriction.rule == "inversions":
        k, first, last = numbers
        return with_inversions(n - 2, k - (first - 1) - (n - last) + (first > last))
    if restriction.rule == "cycles":
        cycles, first, *lengths = numbers
        rest = with_cycles(n - first, cycles - 1, lengths)
        return factorial(n - 1) // factorial(n - first) * rest * (first in lengths)
    if restriction.rule == "near":
        return near_the_diagonal(n, numbers[0], numbers[1:])
    if restriction.rule == "neighbours":
        return with_neighbours(n, numbers[0], numbers[1:])
    if restriction.rule == "decreasing":
        return without_long_falls(n, numbers)
    if restriction.rule == "forbidden":
        return off_the_board(n, pairs_of(numbers))
    return with_peaks(restriction.signs, numbers[0], numbers[1])


def with_signs(signs: str, last: int) -> int:
    """Permutations with these rises and falls that end with a number, position by position.

    >>> with_signs("ud", 1)
    1
    """
    ways = [1]  # by the rank of the last number among those so far
    for sign in signs:
        below = [sum(ways[:rank]) for rank in range(len(ways) + 1)]
        every = sum(ways)
        ways = [{"u": low, "d": every - low, "?": every}[sign] for low in below]
    return ways[last - 1]


def with_inversions(n: int, inversions: int) -> int:
    """Permutations of n numbers with so many inversions.

    >>> [with_inversions(3, k) for k in range(4)]
    [1, 2, 2, 1]
    """
    ways = [1]
    for size in range(2, n + 1):
        longer = [0] * (len(ways) + size - 1)
        for k, number in enumerate(ways):
            for more in range(size):
                longer[k + more] += number
        ways = longer
    return ways[inversions] if 0 <= inversions < len(ways) else 0


def with_cycles(n: int, cycles: int, lengths: Sequence[int]) -> int:
    """Permutations of n numbers with so many cycles, each of an allowed length.

    >>> with_cycles(4, 2, [1, 3]), with_cycles(4, 2, [1, 2, 3])
    (8, 11)
    """
    table = {(0, 0): 1}
    for size in range(1, n + 1):
        for number in range(1, size + 1):
            table[size, number] = sum(
                factorial(size - 1)
                // factorial(size - length)
                * table.get((size - length, number - 1), 0)
                for length in lengths
                if length <= size
            )
    return table.get((n, cycles), 0)


def near_the_diagonal(n: int, distance: int, moved: Sequence[int]) -> int:
    """Permutations whose numbers are close to their positions, and not fixed where ``moved``."""
    width = 2 * distance + 1
    states = {(1 << distance) - 1: 1}  # numbers that are taken, of those near the position
    for position in range(1, n + 1):
        after: dict[int, int] = {}
        for taken, ways in states.items():
            for bit in range(width):
                number = position - distance + bit
                fixed = number == position and position in moved
                if 1 <= number <= n and not taken >> bit & 1 and not fixed:
                    more = taken | 1 << bit
                    if more & 1:  # or else the least of them cannot be used any more
                        after[more >> 1] = after.get(more >> 1, 0) + ways
        states = after
    return states.get((1 << distance) - 1, 0)


def with_neighbours(n: int, exactly: int, lows: Sequence[int]) -> int:
    """Permutations in which so many of the pairs of a number of ``lows`` and the next number stand
    side by side, by inclusion and exclusion.

    >>> [with_neighbours(4, k, [1, 2, 3]) for k in range(4)]
    [2, 10, 10, 2]
    """
    glued = {(0, False): 1}  # by how many pairs are joined, and whether the last number is
    for low in range(1, n):
        after: dict[tuple[int, bool], int] = {}
        for (pairs, joined), ways in glued.items():
            after[pairs, False] = after.get((pairs, False), 0) + ways
            if low in lows:  # a block of joined numbers may be turned around
                more = ways if joined else 2 * ways
                after[pairs + 1, True] = after.get((pairs + 1, True), 0) + more
        glued = after
    return sum(
        (-1) ** (pairs - exactly) * comb(pairs, exactly) * factorial(n - pairs) * ways
        for (pairs, _), ways in glued.items()
        if pairs >= exactly
    )


def without_long_falls(n: int, start: Sequence[int]) -> int:
    """Permutations that start with some numbers and have no decreasing subsequence of three.

    The numbers below the greatest one so far have to come in increasing order, so that a state is
    how many of them, and of the numbers above it, are unused.

    >>> [without_long_falls(3, [first]) for first in (1, 2, 3)]
    [2, 2, 1]
    """
    top = 0
    for position, number in enumerate(start):
        lower = [each for each in range(1, top) if each not in start[:position]]
        if number < top and number != lower[0]:
            return 0
        top = max(top, number)
    ways = {(sum(each not in start for each in range(1, top)), n - top): 1}
    for _ in range(n - len(start)):
        after: dict[tuple[int, int], int] = {}
        for (below, above), number in ways.items():
            options = [(below - 1, above)] if below else []
            options += [(below + skipped, above - skipped - 1) for skipped in range(above)]
            for option in options:
                after[option] = after.get(option, 0) + number
        ways = after
    return sum(ways.values())


def off_the_board(n: int, cells: Sequence[tuple[int, int]]) -> int:
    """Permutations that avoid some cells (number, position), by the rook numbers of the cells.

    >>> off_the_board(3, [(1, 1), (2, 2), (3, 3)])
    2
    """
    rooks = {0: [1]}  # by the positions that are used: the numbers of ways by rooks
    for number in sorted({a for a, _ in cells}):
        after = {used: list(ways) for used, ways in rooks.items()}
        for position in (b for a, b in cells if a == number):
            for used, ways in rooks.items():
                if not used >> position & 1:
                    more = after.setdefault(used | 1 << position, [])
                    more += [0] * (len(ways) + 1 - len(more))
                    for k, value in enumerate(ways):
                        more[k + 1] += value
        rooks = after
    numbers = [0] * (n + 1)
    for ways in rooks.values():
        for k, value in enumerate(ways):
            numbers[k] += value
    return sum((-1) ** k * value * factorial(n - k) for k, value in enumerate(numbers))


def with_peaks(signs: str, peaks: int, last: int) -> int:
    """Permutations with these rises and falls that have so many inner numbers above both of their
    neighbours and end with a number, position by position.

    >>> [sum(with_peaks("??", k, last) for last in (1, 2, 3)) for k in (0, 1)]
    [4, 2]
    """
    ways = {(0, False, 0): 1}  # by the rank of the last number, whether it is a rise, and the peaks
    for size, sign in enumerate(signs, 1):
        after: dict[tuple[int, bool, int], int] = {}
        for (rank, rise, number), count in ways.items():
            for new in range(size + 1):
                up = new > rank
                if sign != "?" and up != (sign == "u"):
                    continue
                state = new, up, number + (rise and not up)
                after[state] = after.get(state, 0) + count
        ways = after
    return sum(ways.get((last - 1, rise, peaks), 0) for rise in (False, True))


def random_restriction(rng: Random, rule: Rule, size: int) -> Restriction:
    """A restriction that many permutations satisfy."""
    n = min(size, 14) if rule in {"forbidden", "near"} else size
    if rule == "rises":
        signs = "".join(rng.choices("ud?", (3, 3, 1), k=n - 1))
        return Restriction(rule, n, (rng.randint(2, n - 1),), signs)
    if rule == "inversions":
        mean, (first, last) = n * (n - 1) // 4, rng.sample(range(1, n + 1), 2)
        return Restriction(rule, n, (rng.randint(mean - n // 3, mean + n // 3), first, last))
    if rule == "cycles":
        lengths = sorted(rng.sample(range(1, n + 1), rng.randint(n // 2, n - 1)))
        first = rng.choice(lengths[: n // 2])
        return Restriction(rule, n, (rng.randint(2, max(2, n // 3)), first, *lengths))
    if rule == "near":
        kept = sorted(rng.sample(range(1, n + 1), n // 2))
        return Restriction(rule, n, (2 if n < 9 else 3, *kept))
    if rule == "forbidden":
        cells = sorted(rng.sample([(a, b) for a in range(1, n + 1) for b in range(1, n + 1)], n))
        return Restriction(rule, n, tuple(number for cell in cells for number in cell))
    if rule == "decreasing":
        start = rng.sample(range(1, n), rng.randint(2, 2 + n // 8))
        return Restriction(rule, n, tuple(start))
    if rule == "neighbours":
        lows = sorted(rng.sample(range(1, n), rng.randint(n // 2, n - 2)))
        return Restriction(rule, n, (rng.randint(1, max(1, n // 4)), *lows))
    signs = "".join(rng.sample("ud" + "?" * (n - 3), n - 1))
    return Restriction(rule, n, (rng.randint(n // 5, n // 3), rng.randint(2, n - 1)), signs)
