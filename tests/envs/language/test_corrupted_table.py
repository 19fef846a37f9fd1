"""Tests of language/corrupted_table."""

import re
from collections.abc import Iterator
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.generators.language import corrupted_table

Table = list[list[int]]

SEEDS = st.integers(0, 10**6)


@settings(max_examples=15)
@given(SEEDS)
def test_a_damage_of_the_same_type_undoes_every_damage(seed: int) -> None:
    rng = Random(seed)
    table = tuple(tuple(rng.randint(1, 50) for _ in range(4)) for _ in range(3))
    for damage in corrupted_table.DAMAGES:
        shown = corrupted_table.damaged(rng, table, damage)
        assert table in corrupted_table.variants(shown, damage)


def undone(table: Table, damage: str) -> Iterator[Table]:
    """All tables that a damage may have turned into this one."""
    rows, columns = range(len(table)), range(len(table[0]))
    if damage in ("row turned", "row reversed"):
        for n in rows:
            line = list(table[n])
            turned = [line[by:] + line[:by] for by in range(1, len(line))]
            for before in turned if damage == "row turned" else [line[::-1]]:
                yield [before if r == n else list(table[r]) for r in rows]
    elif damage == "column turned":
        turned = undone([list(column) for column in zip(*table)], "row turned")
        yield from ([list(column) for column in zip(*other)] for other in turned)
    elif damage == "columns exchanged":
        for one, other in combinations(columns, 2):
            source = {one: other, other: one}
            yield [[row[source.get(c, c)] for c in columns] for row in table]
    else:
        assert damage == "cells exchanged"
        for (r, c), (y, x) in combinations(product(rows, columns), 2):
            if r != y and c != x:
                origin = {(r, c): (y, x), (y, x): (r, c)}
                cells = [[origin.get((i, j), (i, j)) for j in columns] for i in rows]
                yield [[table[i][j] for i, j in row] for row in cells]


def figure(question: str, table: Table, months: list[str]) -> int:
    """The answer to a question in words."""
    x, *rest = (months.index(month) for month in re.findall(r"[A-Z]\w+", question))
    if "greater than" in question:
        return sum(row[x] for row in table if row[rest[0]] > row[rest[1]])
    if "times the" in question and "three times" not in question:
        return sum(row[x] * row[rest[0]] for row in table)
    if "largest value" in question:
        return max(row[x] - row[rest[0]] for row in table)
    assert "three times" in question
    return sum(n * row[x] for n, row in enumerate(table, 1))


@pytest.mark.parametrize("level", [0, 2, 3, 4, 6])
@pytest.mark.parametrize("seed", range(4))
def test_tables_are_repaired_by_trying_all_ways(seed: int, level: int) -> None:
    task = Address.of("language/corrupted_table", seed, level).task()
    prompt = task.prompt()
    (months,) = re.findall(r"^town, (.*)$", prompt, re.MULTILINE)
    lines = re.findall(r"^[A-Z]\w+, (\d[\d, ]*)$", prompt, re.MULTILINE)
    table = [list(map(int, line.split(", "))) for line in lines]
    row_sums, column_sums = (
        [int(number) for number in re.findall(r"\d+", line)]
        for line in re.findall(r"^by (?:town|month): (.*)$", prompt, re.MULTILINE)
    )
    before = [table]
    for damage in reversed(task.damages):
        before = [each for after in before for each in undone(after, damage)]
    right = [
        each
        for each in before
        if list(map(sum, each)) == row_sums and list(map(sum, zip(*each))) == column_sums
    ]
    assert right
    assert all(each == right[0] for each in right), "there is only one table"
    questions = re.findall(r"^\d\. (.*)$", prompt, re.MULTILINE)
    figures = [figure(question, right[0], months.split(", ")) for question in questions]
    assert task.answer() == ", ".join(map(str, figures))
    assert task.verify(", ".join(map(str, figures))).value == 1
    shown = [figure(question, table, months.split(", ")) for question in questions]
    assert task.verify(", ".join(map(str, shown))).value == 0
    for index, change in product(range(3), (-1, 1)):
        near = [number + change * (index == n) for n, number in enumerate(figures)]
        assert task.verify(", ".join(map(str, near))).value < 1
