"""Tests of counting/combinatorial_design: tables are checked by the sentences of the prompt."""

from itertools import combinations, permutations, product
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.counting.combinatorial_design import CombinatorialDesign
from palaestra.generators.counting.combinatorial_design import (
    FAMILIES,
    MISSING,
    STAGES,
    Design,
    Search,
    broken,
    counted,
    known_table,
    masked,
    options,
    product_,
    shuffled_table,
    sum_,
)

NAME = "counting/combinatorial_design"
DESIGNS = sorted({Design(f, size, width) for f in FAMILIES for size, width, _ in STAGES[f]})
OTHERS = [Design("groups", 25, 5), Design("array", 8, 5), Design("mate", 11, 11)]


def is_design(design, table, square):
    """Whether a table is a design, by sets of what occurs in it."""
    family, size, width = design
    points = {*range(1, size + 1)}
    every_pair = {frozenset(pair) for pair in combinations(points, 2)}
    if family == "array":
        columns = [*zip(*table)]
        every = {*product(points, repeat=2)}
        return all({*zip(one, other)} == every for one, other in combinations(columns, 2))
    if family == "mate":
        laid = {*zip(sum(square, ()), sum(map(tuple, table), ()))}
        lines = [*table, *zip(*table)]
        return len(laid) == size**2 and all({*line} == points for line in lines)
    if family == "differences":
        left = [(a - b) % size for row in table for a, b in permutations(row, 2)]
        return sorted(left) == [*range(1, size)]
    lines = [row[n : n + width] for row in table for n in range(0, len(row), width)]
    pairs = [frozenset(pair) for line in lines for pair in combinations(line, 2)]
    once = len(pairs) == len(every_pair) and {*pairs} == every_pair
    return once and (family == "blocks" or all({*row} == points for row in table))


@pytest.mark.parametrize("design", [*DESIGNS, *OTHERS])
def test_known_and_shuffled_tables_are_designs(design):
    for table, square in (known_table(design), shuffled_table(Random(1), design)):
        assert len(table) == design.rows()
        assert {len(row) for row in table} == {design.columns()}
        assert broken(design, table, square) == ""
        assert counted(design, table, square)
        assert is_design(design, table, square)


@pytest.mark.parametrize("design", DESIGNS)
def test_tables_with_two_entries_exchanged_are_judged_alike(design):
    rng = Random(2)
    for _ in range(12):
        table, square = shuffled_table(rng, design)
        rows = [[*row] for row in table]
        (r, c), (s, d) = ((rng.randrange(len(rows)), rng.randrange(len(rows[0]))) for _ in "ab")
        rows[r][c], rows[s][d] = rows[s][d], rows[r][c]
        right = is_design(design, rows, square)
        assert (broken(design, rows, square) == "") == right
        assert counted(design, tuple(map(tuple, rows)), square) == right


SMALL = [Design("blocks", 7, 3), Design("array", 3, 3), Design("mate", 4, 4),
         Design("differences", 13, 3), Design("groups", 9, 3)]  # fmt: skip


@pytest.mark.parametrize("design", SMALL)
def test_the_search_finds_a_completion_exactly_if_there_is_one(design):
    """All ways to fill in a few missing entries are tried, also of tables without a completion."""
    rng, outcomes = Random(3), set()
    for n in range(30):
        table, square = shuffled_table(rng, design)
        rows = [[*row] for row in table]
        cells = rng.sample([(r, c) for r in range(len(rows)) for c in range(len(rows[0]))], 4)
        spoiled = n % 2 == 1
        for r, c in cells[:3]:
            rows[r][c] = MISSING
        if spoiled:
            r, c = cells[3]
            rows[r][c] = rng.randint(design.lowest(), design.highest())
        shown = tuple(map(tuple, rows))
        numbers = range(design.lowest(), design.highest() + 1)
        possible = False
        for choice in product(numbers, repeat=3):
            for (r, c), number in zip(cells[:3], choice):
                rows[r][c] = number
            possible = possible or is_design(design, rows, square)
        search = Search(*options(design, shown, square))
        chosen = search.solution()
        assert (chosen is not None) == possible
        if chosen is not None:
            assert is_design(design, search.filled(shown, chosen), square)
        outcomes.add(possible)
    assert outcomes == {True, False}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("level", [0, 3, 6])
def test_oracle_and_audit_agree(family, level):
    for seed in range(2):
        task = Address.of(NAME, seed, level, family=family).task()
        rows = task.read(task.answer())
        assert task.verify(task.answer()).value == 1
        assert task.audit(task.answer())
        assert is_design(task.design, rows, task.square)
        standard, _ = known_table(task.design)
        assert task.verify(task.as_text(standard)).value == 0
        assert not task.audit(task.as_text(standard))


def test_every_line_shows_a_number():
    for design in DESIGNS:
        table, _ = shuffled_table(Random(4), design)
        shown = masked(Random(4), design, table, 0.1)
        width = design.width if design.family == "groups" else len(shown[0])
        lines = [row[n : n + width] for row in shown for n in range(0, len(row), width)]
        assert design.family == "mate" or all(max(line) != MISSING for line in lines)


@pytest.mark.parametrize("size", [4, 5, 8])
def test_fields(size):
    numbers = range(size)
    for a in numbers[1:]:
        assert {product_(size, a, b) for b in numbers} == {*numbers}
        for b, c in product(numbers, repeat=2):
            left = product_(size, a, sum_(size, b, c))
            assert left == sum_(size, product_(size, a, b), product_(size, a, c))


FANO = CombinatorialDesign(
    design=Design("blocks", 7, 3),
    table=((1, 2, -1), (1, -1, 5), (1, 6, 7), (2, -1, 6), (2, 5, 7), (3, -1, 7), (3, 5, 6)),
)


def test_scores():
    right = "1 2 3\n1 4 5\n1 6 7\n2 4 6\n2 5 7\n3 4 7\n3 5 6"
    assert FANO.answer() == right
    assert FANO.verify(right).value == 1
    assert FANO.verify(right.replace(" ", ", ")).value == 1
    other = FANO.verify(right.replace("1 4 5", "4 1 5"))
    assert other.reason == "row 2 has another number than the one shown in column 1"
    assert FANO.verify(right.replace("4", "3")).reason == "a row has a number twice"
    assert FANO.verify(right.replace("1 2 3", "1 2 8")).reason == "not every number is from 1 to 7"
    twice = FANO.verify(right.replace("1 2 3", "1 2 4"))
    assert twice.reason == "two numbers are together in two rows"
    assert "1 2 .\n1 . 5\n" in FANO.prompt()
