"""Tests of induction/row_rule."""

from collections.abc import Callable
from itertools import pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.generators.induction import (
    row_rule,
)

SEEDS = st.integers(0, 10**6)


def test_row_rules_by_hand() -> None:
    thirds, every = row_rule.thirds, row_rule.RULES
    assert thirds(((1, 2, 3), (3, 1, 2), (2, 3, 0)), every) == {1}
    assert thirds(((1, 2, 3), (3, 1, 2), (1, 2, 0)), every) == set()
    assert thirds(((3, 5, 7), (0, 2, 4), (5, 7, 0)), every) == {9}
    assert thirds(((2, 2, 4), (1, 3, 4), (2, 5, 0)), ["sum", "same"]) == {7}


FITS: dict[str, Callable[[tuple[int, ...]], bool]] = {
    "same": lambda row: len(set(row)) == 1,
    "sum": lambda row: row[2] == row[0] + row[1],
    "difference": lambda row: row[2] + row[1] == row[0],
    "larger": lambda row: row[2] == max(row[0], row[1]),
    "smaller": lambda row: row[2] == min(row[0], row[1]),
    "apart": lambda row: row[2] in {row[0] - row[1], row[1] - row[0]} and row[2] >= 0,
    "remainder": lambda row: f"{row[0] * row[1]}"[-1] == f"{row[2]}",
}


@settings(max_examples=20)
@given(SEEDS)
def test_row_rules_by_trying_all_last_numbers(seed: int) -> None:
    rng = Random(seed)
    rule = rng.choice(list(row_rule.RULES))
    first, second, third = row_rule.drawn(rng, rule)

    def fits(rule: str, rows: list[tuple[int, ...]]) -> bool:
        if rule == "three":
            one = len({frozenset(row) for row in rows}) == 1 and len(set(rows[0])) == 3
            return one and len(set(rows)) == 3
        if rule == "step":
            steps = {b - a for row in rows for a, b in pairwise(row)}
            return len(steps) == 1 and steps != {0}
        return all(map(FITS[rule], rows))

    for name in row_rule.RULES:
        found = {n for n in range(10) if fits(name, [first, second, (*third[:2], n)])}
        assert row_rule.thirds((first, second, third), [name]) == found
    assert third[2] in row_rule.thirds((first, second, third), [rule])
