"""Tests of counting/restricted_permutations."""

import re
from itertools import permutations, product
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.counting.restricted_permutations import RULES, RestrictedPermutations
from palaestra.generators.counting.restricted_permutations import (
    Restriction,
    near_the_diagonal,
    off_the_board,
    random_restriction,
    with_cycles,
    with_inversions,
    with_neighbours,
    with_peaks,
    with_signs,
    without_long_falls,
)

ROWS = {n: [*permutations(range(1, n + 1))] for n in (4, 5, 6, 7)}


@pytest.mark.parametrize("rule", RULES)
def test_counts_are_those_of_all_permutations_one_by_one(rule):
    for n, rows in ROWS.items():
        for seed in range(5):
            restriction = random_restriction(Random(f"{n} {seed}"), rule, n)
            assert restriction.number() == sum(map(restriction.holds, rows)), restriction


def test_counts_of_long_rows_are_known_sequences():
    assert sum(without_long_falls(12, [first]) for first in range(1, 13)) == 208_012  # Catalan
    assert sum(with_signs("ud" * 5, last) for last in range(1, 12)) == 353_792  # Euler
    assert off_the_board(9, [(n, n) for n in range(1, 10)]) == 133_496  # derangements
    assert near_the_diagonal(12, 1, ()) == 233  # Fibonacci
    assert sum(with_inversions(9, k) for k in range(37)) == 362_880
    assert sum(with_cycles(9, k, range(1, 10)) for k in range(10)) == 362_880
    ends = range(1, 10)
    assert sum(with_peaks("?" * 8, k, last) for k in range(5) for last in ends) == 362_880
    assert with_neighbours(10, 0, range(1, 10)) == 479_306  # Hertzsprung


def test_scores():
    task = RestrictedPermutations(restriction=Restriction("inversions", 4, (3, 2, 1)))
    assert task.verify("1").value == 1  # 2 3 4 1 has three
    assert task.verify("6").reason == "the number is wrong"
    assert task.audit("1")
    assert not task.audit("6")


def test_levels_ask_for_remainders_of_long_rows():
    task = RestrictedPermutations.sample(Random(0), RestrictedPermutations.Knobs.at(6))
    assert task.modulus
    assert f"after division by {task.modulus}" in task.prompt()
    assert task.verify(str(task.count() % task.modulus)).value == 1


def test_a_single_one_is_in_the_singular():
    seen = set()
    for level, seed in product(range(3), range(60)):
        text = Address.of("counting/restricted_permutations", seed, level).task().prompt()
        assert not re.search(r"[Ee]xactly 1 (?:numbers|cycles|pairs|stand )", text)
        seen |= {*re.findall(r"[Ee]xactly 1 (number is|stands)", text)}
    assert seen == {"number is", "stands"}
