"""Conditions on parts of a list of numbers, and how many parts satisfy them."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from itertools import accumulate, combinations
from math import gcd
from operator import and_, or_, xor
from random import Random
from typing import Literal, NamedTuple

Measure = Literal["sum", "remainder", "spread", "values", "xor", "gcd", "least", "greatest", "or"]
Parts = Literal["windows", "subsets", "pairs", "rectangles"]


class Condition(NamedTuple):
    """The condition that a measure of a part is from ``low`` to ``high``."""

    measure: Measure
    low: int
    high: int
    modulus: int = 0

    def text(self) -> str:
        """The condition as a clause about "it"."""
        what = {
            "sum": "the sum of its numbers",
            "remainder": f"the sum of its numbers modulo {self.modulus}",
            "spread": "its greatest number minus its least number",
            "values": "the number of different values in it",
            "xor": "the bitwise xor of its numbers",
            "gcd": "the greatest common divisor of its numbers",
            "least": "its least number",
            "greatest": "its greatest number",
            "or": "the bitwise or of its numbers",
        }[self.measure]
        if self.low == self.high:
            return f"{what} is {self.low}"
        return f"{what} is from {self.low} to {self.high}"

    def holds(self, numbers: Sequence[int]) -> bool:
        """Whether the numbers of a part satisfy it.

        >>> Condition("spread", 0, 2).holds([4, 6, 5])
        True
        """
        return self.low <= measured(self.measure, numbers, self.modulus) <= self.high


def measured(measure: Measure, numbers: Sequence[int], modulus: int) -> int:
    """The measure of some numbers, from its definition."""
    measures: dict[Measure, Callable[[], int]] = {
        "sum": lambda: sum(numbers),
        "remainder": lambda: sum(numbers) % modulus,
        "spread": lambda: max(numbers) - min(numbers),
        "values": lambda: len({*numbers}),
        "xor": lambda: reduce(lambda a, b: a ^ b, numbers),
        "gcd": lambda: gcd(*numbers),
        "least": lambda: min(numbers),
        "greatest": lambda: max(numbers),
        "or": lambda: reduce(lambda a, b: a | b, numbers),
    }
    return measures[measure]()


def parts(which: Parts, rows: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The numbers of each part: of windows, choices or pairs of the first row, or of rectangles.

    >>> len([*parts("windows", [[1, 2, 3]])]), len([*parts("rectangles", [[1, 2], [3, 4]])])
    (6, 9)
    """
    first = rows[0]
    if which == "windows":
        for start in range(len(first)):
            for end in range(start + 1, len(first) + 1):
                yield [*first[start:end]]
    elif which == "pairs":
        yield from map(list, combinations(first, 2))
    elif which == "subsets":
        for size in range(1, len(first) + 1):
            yield from map(list, combinations(first, size))
    else:
        for top in range(len(rows)):
            for bottom in range(top + 1, len(rows) + 1):
                for left in range(len(first)):
                    for right in range(left + 1, len(first) + 1):
                        yield [n for row in rows[top:bottom] for n in row[left:right]]


def total(which: Parts, rows: Sequence[Sequence[int]]) -> int:
    """The number of all parts."""
    width, height = len(rows[0]), len(rows)
    if which == "subsets":
        return (1 << width) - 1
    if which == "pairs":
        return width * (width - 1) // 2
    windows = width * (width + 1) // 2
    return windows if which == "windows" else windows * height * (height + 1) // 2


def grown(measure: Measure, modulus: int) -> tuple[Callable[[int, int], int], bool]:
    """How the measure of a part changes with one more number, where the measure alone decides."""
    steps: dict[Measure, Callable[[int, int], int]] = {
        "sum": lambda a, b: a + b,
        "remainder": lambda a, b: (a + b) % modulus,
        "xor": xor,
        "gcd": gcd,
        "least": min,
        "greatest": max,
        "or": or_,
    }
    return steps.get(measure, and_), measure in steps


def count_subsets(numbers: Sequence[int], conditions: Sequence[Condition]) -> int:
    """The number of choices of one or more of the numbers that satisfy the conditions.

    A table has the number of choices for each tuple of measures. The spread needs the least and the
    greatest number, so the numbers are taken in order.
    """
    table = Counter[tuple[int, ...]]()
    ordered = sorted(numbers)
    for number in ordered:
        more = Counter[tuple[int, ...]]()
        for state, ways in table.items():
            more[stepped(state, number, conditions)] += ways
        table.update(more)
        table[tuple(x for c in conditions for x in started(number, c))] += 1
    return sum(ways for state, ways in table.items() if accepted(state, conditions))


def started(number: int, condition: Condition) -> tuple[int, int]:
    """The state of a condition after the first number: its measure, and the number if needed."""
    if condition.measure == "remainder":
        return number % condition.modulus, 0
    if condition.measure == "spread":
        return 0, number
    return (1, number) if condition.measure == "values" else (number, 0)


def stepped(state: Sequence[int], number: int, conditions: Sequence[Condition]) -> tuple[int, ...]:
    """The state after one more number, which is at least as great as those before."""
    after: list[int] = []
    for n, condition in enumerate(conditions):
        value, kept = state[2 * n], state[2 * n + 1]
        if condition.measure == "spread":
            after += [number - kept, kept]
        elif condition.measure == "values":
            after += [value + (number != kept), number]
        else:
            step, _ = grown(condition.measure, condition.modulus)
            after += [step(value, number), 0]
    return tuple(after)


def accepted(state: Sequence[int], conditions: Sequence[Condition]) -> bool:
    """Whether the measures are within their bounds."""
    return all(c.low <= state[2 * n] <= c.high for n, c in enumerate(conditions))


def count_rectangles(rows: Sequence[Sequence[int]], conditions: Sequence[Condition]) -> int:
    """The rectangles that satisfy the conditions, each row band reduced to a value per column."""
    number = 0
    for top in range(len(rows)):
        for bottom in range(top + 1, len(rows) + 1):
            columns = [[row[column] for row in rows[top:bottom]] for column in range(len(rows[0]))]
            number += count_windows(columns, conditions)
    return number


def count_windows(columns: Sequence[Sequence[int]], conditions: Sequence[Condition]) -> int:
    """The windows of columns that satisfy the conditions, each grown to the right."""
    digests = [[summary(c, column) for column in columns] for c in conditions]
    number = 0
    for start in range(len(columns)):
        grown_to = [
            [*accumulate(digest[start:], partial(merged, c))]
            for c, digest in zip(conditions, digests)
        ]
        number += sum(
            all(c.low <= final(c, state) <= c.high for c, state in zip(conditions, states))
            for states in zip(*grown_to)
        )
    return number


State = tuple[int, int, frozenset[int]]
"""A measure, the least number where the measure is the greatest, and the set of values."""

NONE = frozenset[int]()


def summary(condition: Condition, column: Sequence[int]) -> State:
    """The state of one column."""
    if condition.measure == "values":
        return 0, 0, frozenset(column)
    if condition.measure == "spread":
        return max(column), min(column), NONE
    return measured(condition.measure, column, condition.modulus), 0, NONE


def merged(condition: Condition, one: State, other: State) -> State:
    """The state of two parts together."""
    if condition.measure == "values":
        return 0, 0, one[2] | other[2]
    if condition.measure == "spread":
        return max(one[0], other[0]), min(one[1], other[1]), NONE
    return grown(condition.measure, condition.modulus)[0](one[0], other[0]), 0, NONE


def final(condition: Condition, state: State) -> int:
    """The measure of a state."""
    if condition.measure == "values":
        return len(state[2])
    return state[0] - state[1] if condition.measure == "spread" else state[0]


def count(which: Parts, rows: Sequence[Sequence[int]], conditions: Sequence[Condition]) -> int:
    """The number of parts that satisfy all conditions."""
    if which == "subsets":
        return count_subsets(rows[0], conditions)
    if which == "windows":
        return count_windows([[number] for number in rows[0]], conditions)
    if which == "rectangles":
        return count_rectangles(rows, conditions)
    return sum(all(c.holds(pair) for c in conditions) for pair in combinations(rows[0], 2))


def fitting_condition(
    rng: Random, measure: Measure, samples: Sequence[Sequence[int]], share: float
) -> Condition:
    """A condition that about a share of some parts satisfy."""
    modulus = rng.randint(3, 5) if measure == "remainder" else 0
    if measure == "remainder":
        rest = rng.randrange(modulus)
        return Condition(measure, rest, rest, modulus)
    values = sorted(measured(measure, part, 0) for part in samples)
    wanted = max(1, round(len(values) * share))
    start = rng.randint(0, len(values) - wanted)
    return Condition(measure, values[start], values[start + wanted - 1])
