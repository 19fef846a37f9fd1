"""Tests of induction/row_rule."""

import re
from collections.abc import Callable
from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.generators.induction import row_rule

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


def fits(rule: str, rows: list[tuple[int, ...]]) -> bool:
    """Whether three rows follow a rule."""
    if rule == "three":
        one = len({frozenset(row) for row in rows}) == 1 and len(set(rows[0])) == 3
        return one and len(set(rows)) == 3
    if rule == "step":
        steps = {b - a for row in rows for a, b in pairwise(row)}
        return len(steps) == 1 and steps != {0}
    return all(map(FITS[rule], rows))


@settings(max_examples=20)
@given(SEEDS)
def test_row_rules_by_trying_all_last_numbers(seed: int) -> None:
    rng = Random(seed)
    rule = rng.choice(list(row_rule.RULES))
    first, second, third = row_rule.random_rows(rng, rule)

    for name in row_rule.RULES:
        expected = {n for n in range(10) if fits(name, [first, second, (*third[:2], n)])}
        assert row_rule.thirds((first, second, third), [name]) == expected
    assert third[2] in row_rule.thirds((first, second, third), [rule])


@pytest.mark.parametrize("level", [0, 2, 4, 6])
@pytest.mark.parametrize("seed", range(4))
def test_the_last_panel_by_trying_all_numbers(seed: int, level: int) -> None:
    task = Address.of("induction/row_rule", seed, level).task()
    panels = [
        {name: int(number) for number, name in re.findall(r"(\d) (\w+)", line)}
        for line in re.findall(r"^row \d, panel \d: (.*)$", task.prompt(), re.MULTILINE)
    ]
    right = []
    for name in task.names:
        first, second = ([panels[n][name] for n in row] for row in ((0, 1, 2), (3, 4, 5)))
        third = [panels[6][name], panels[7][name]]
        right.append(
            {
                n
                for n in range(10)
                for rule in task.rules
                if fits(rule, [tuple(first), tuple(second), (*third, n)])
            }
        )
    assert [len(numbers) for numbers in right] == [1] * len(task.names)
    values = [number for (number,) in right]
    assert task.answer() == ", ".join(map(str, values))
    for attribute, number in product(range(len(values)), range(10)):
        near = [*values[:attribute], number, *values[attribute + 1 :]]
        assert (task.verify(", ".join(map(str, near))).value == 1) == (near == values)
