"""Rules of three numbers in a row, the same in three rows, and the last numbers that fit them."""

from collections.abc import Callable, Iterable, Sequence
from random import Random

Row = tuple[int, ...]
"""A number in each of the three panels of a row, from 0 to 9."""

RULES: dict[str, tuple[str, Callable[[int, int], int]]] = {
    "same": ("all three panels have the same number", lambda a, b: b if a == b else -1),
    "step": (
        "the number changes from panel to panel by one amount other than 0, the same in all rows",
        lambda a, b: 2 * b - a,
    ),
    "sum": ("the third number is the sum of the other two", lambda a, b: a + b),
    "difference": ("the third number is the first minus the second", lambda a, b: a - b),
    "larger": ("the third number is the larger of the other two", max),
    "smaller": ("the third number is the smaller of the other two", min),
    "apart": (
        "the third number is the larger of the other two minus the smaller",
        lambda a, b: abs(a - b),
    ),
    "remainder": (
        "the third number is the last digit of the product of the other two",
        lambda a, b: a * b % 10,
    ),
    "three": ("each row has the same three different numbers, in another order", lambda a, b: -1),
}
"""Each rule in words, and the third number as a function of the first two where that suffices."""


def random_rows(rng: Random, rule: str) -> tuple[Row, Row, Row]:
    """Three rows by a rule, with numbers from 0 to 9."""
    if rule == "three":
        three = rng.sample(range(10), 3)
        first, second, third = (tuple(three[n:] + three[:n]) for n in rng.sample(range(3), 3))
        return first, second, third
    step = rng.choice((-3, -2, -1, 1, 2, 3))
    rows: list[Row] = []
    while len(rows) < 3:
        a, b = rng.randrange(10), rng.randrange(10)
        if rule == "same":
            b = a
        elif rule == "step":
            b = a + step
        c = RULES[rule][1](a, b)
        if 0 <= b <= 9 and 0 <= c <= 9 and (a, b, c) not in rows:
            rows.append((a, b, c))
    return rows[0], rows[1], rows[2]


def thirds(rows: Sequence[Row], rules: Iterable[str]) -> set[int]:
    """The last numbers that rules allow if they fit the other eight.

    >>> thirds(((1, 2, 3), (4, 5, 9), (2, 2, 0)), ["sum", "larger"])
    {4}
    """
    first, second, (a, b, _) = rows
    triples = set()
    for rule in rules:
        if rule == "three":
            triples |= _left_over(first, second, a, b)
        elif all(row[2] == RULES[rule][1](row[0], row[1]) for row in (first, second)):
            steps = {row[1] - row[0] for row in (first, second, (a, b))}
            if rule != "step" or (len(steps) == 1 and steps != {0}):
                triples.add(RULES[rule][1](a, b))
    return {third for third in triples if 0 <= third <= 9}


def _left_over(first: Row, second: Row, a: int, b: int) -> set[int]:
    """The third of three different numbers that the rows have in three different orders."""
    rest = set(first) - {a, b}
    if len(set(first)) < 3 or set(first) != set(second) or len(rest) != 1 or a == b:
        return set()
    return rest if len({first, second, (a, b, *rest)}) == 3 else set()
