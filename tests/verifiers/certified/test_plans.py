"""Schedules, assignments, knapsacks and bins."""

from fractions import Fraction
from itertools import combinations, product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from tests.verifiers.certified.graphs import as_lines

from palaestra.generators.optimisation.job_shop import dispatched
from palaestra.generators.optimisation.knapsack import most_valuable
from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.certified import (
    AssignmentCertificate,
    BinPackingCertificate,
    KnapsackCertificate,
    ScheduleCertificate,
)
from palaestra.verifiers.verifier import GoldError

# Schedules, assignments and packings
SHOP = (((0, 2), (1, 1)), ((1, 1), (0, 3)), ((0, 1), (1, 2)))


def feasible(starts, jobs):
    """Whether no moment sees a job or a machine at two operations, and all is in order."""
    if any(min(row) < 0 or list(row) != sorted(row) for row in starts):
        return False
    taken = []
    for name, (job, row) in enumerate(zip(jobs, starts)):
        for (machine, duration), start in zip(job, row):
            for moment in range(start, start + duration):
                taken += [("job", name, moment), ("machine", machine, moment)]
    return len(taken) == len({*taken})


def test_schedule_certificate():
    schedules = list(product(product(range(6), repeat=2), repeat=3))
    known = [row for row in schedules if feasible(row, SHOP)]
    ends = [max(r[-1] + job[-1][1] for r, job in zip(row, SHOP)) for row in known]
    optimum = min(ends)
    best = known[ends.index(optimum)]
    judge = ScheduleCertificate(SHOP, optimum=optimum, baseline=20, partial=True)
    right = [as_lines(best), as_lines(best).replace(", ", " ")]
    wrong = [
        as_lines(known[ends.index(optimum + 1)]), "0, 0\n0, 0\n0, 0", "0, 3\n0, 3", "0\n0\n0",
        as_lines(best) + "\n0, 0", as_lines(best).replace("0", "-1", 1),
        "0, 3\n0, 2\n7, 8\nmakespan 1",
        "0, 3, 0\n0, 3, 0\n0, 3, 0", "9" * 399 + ", 3\n0, 3\n7, 8",
        "0, " + "9" * 399 + "\n2, 6\n8, 10",
    ]  # fmt: skip
    check_verifier(judge, right, wrong, hostile=["0, 0\n" * 3_000])
    rng = Random(1)
    strict = ScheduleCertificate(SHOP, optimum=optimum)
    for schedule in [*rng.sample(known, 200), *rng.sample(schedules, 500)]:
        fits = schedule in known
        assert (ScheduleCertificate(SHOP)(as_lines(schedule)).value == 1) == fits
        assert strict(as_lines(schedule)).correct == (
            fits and ends[known.index(schedule)] == optimum
        )
    for _, starts in dispatched(SHOP):
        assert ScheduleCertificate(SHOP)(as_lines(starts)).correct


@pytest.mark.parametrize(
    "jobs", [[], [[]], [[(0,)]], [[(0, 0)]], [[(-1, 2)]], [[(0, 1.5)]], [[(0, 1)] * 2_001]]
)
def test_shops_that_make_no_sense(jobs):
    with pytest.raises(GoldError):
        ScheduleCertificate(jobs)


def test_assignment_certificate():
    table = [[4, 1, 3], [2, 0, 5], [3, 2, 2]]
    judge = AssignmentCertificate(table, optimum=5)
    wrong = ["1, 2, 3", "2, 1", "2, 1, 3, 3", "2, 2, 2", "0, 1, 3", "2, 1, 4", "2, 1, 3.1", "5"]
    check_verifier(judge, ["2, 1, 3", "[2 1 3]", "(2; 1; 3)"], wrong, hostile=["2, " * 6_000])
    most = AssignmentCertificate(table, maximise=True, at_least=11)
    assert most("1, 3, 2").correct
    assert not most("2, 1, 3").correct
    for options in ({}, {"at_most": 11, "maximise": True}, {"at_least": 3}):
        with pytest.raises(GoldError):
            AssignmentCertificate(table, **options)
    for broken in ([], [[1], [2]], [[1, 2], [3]], [[1.5]], [[]]):
        with pytest.raises(GoldError):
            AssignmentCertificate(broken, at_most=3)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9), st.booleans())
def test_assignments_agree_with_scipy(seed, maximise):
    rng = Random(seed)
    table = [[rng.randint(-9, 9) for _ in range(4)] for _ in range(3)]
    rows, columns = linear_sum_assignment(np.array(table), maximize=maximise)
    optimum = int(np.array(table)[rows, columns].sum())
    judge = AssignmentCertificate(table, maximise, optimum=optimum)
    assert judge(", ".join(str(column + 1) for column in columns)).correct
    for chosen in product(range(4), repeat=3):
        total = sum(row[column] for row, column in zip(table, chosen))
        expected = len({*chosen}) == 3 and total == optimum
        assert judge(" ".join(str(column + 1) for column in chosen)).correct == expected


ITEMS = ((3, 5), (2, 3), (4, 6), (1, 1), (5, 9))


def test_knapsack_certificate():
    best = most_valuable(ITEMS, 7)
    optimum = sum(ITEMS[place][1] for place in best)
    judge = KnapsackCertificate(ITEMS, 7, optimum=optimum)
    weights = {
        subset: (sum(ITEMS[n - 1][0] for n in subset), sum(ITEMS[n - 1][1] for n in subset))
        for number in range(1, 6)
        for subset in combinations(range(1, 6), number)
    }
    right = [as_lines([s]) for s, (w, v) in weights.items() if w <= 7 and v == optimum]
    wrong = [as_lines([s]) for s, (w, v) in weights.items() if w > 7 or v < optimum]
    wrong += ["5, 5", "5, 2, 2", "5, 2, 6", "5, 0", "-5, 2", "none", "5, 2 (value 99)", "5 2 9" * 9]
    check_verifier(judge, right, wrong, hostile=["5, 2, " * 3_000])
    partial = KnapsackCertificate(ITEMS, 7, optimum=optimum, baseline=9, partial=True)
    assert partial("5").value == 0
    assert 0 < partial("1, 3").value < 1
    assert partial("1, 2, 3, 4, 5").value == 0
    for items, capacity in (([], 3), ([(1,)], 3), ([(-1, 3)], 3), ([(1, 2.0)], 3), (ITEMS, -1)):
        with pytest.raises(GoldError):
            KnapsackCertificate(items, capacity, at_least=3)
    with pytest.raises(GoldError):
        KnapsackCertificate(ITEMS, 7)


def test_bin_packing_certificate():
    judge = BinPackingCertificate([4, 3, 2, 1, 5], 5, optimum=3)
    right = ["1, 4\n2, 3\n5", "bin 1: 5\nbin 2: 1 4\nbin 3: 2, 3", "1, 4\n\n2, 3\n5"]
    wrong = [
        "1\n2, 3\n4\n5", "1, 2, 3, 4, 5", "1, 4\n2, 3", "1, 4\n2, 3\n5\n5", "1, 4\n2, 3, 3\n5",
        "1, 4\n2, 3\n6", "1, 4\n2, 3\n0", "3 bins", "1, 4, 5\n2, 3", "1, 4\n3, 3\n5",
        "5\n4\n3\n2\n1",
    ]  # fmt: skip
    check_verifier(judge, right, wrong, hostile=["1, 2\n" * 3_000])
    partial = BinPackingCertificate([4, 3, 2, 1, 5], 5, optimum=3, baseline=5, partial=True)
    assert partial("1\n2, 3\n4\n5").value == 0.5
    assert partial("1\n2\n3\n4\n5").value == 0
    third = BinPackingCertificate([Fraction(1, 3)] * 6, 1, at_most=2)
    assert third("1 2 3\n4 5 6").correct
    for sizes, capacity in (([], 3), ([4], 3), ([-1], 3), ([0.5], 3)):
        with pytest.raises(GoldError):
            BinPackingCertificate(sizes, capacity, at_most=3)


def partitions(numbers):
    if not numbers:
        yield []
        return
    for rest in partitions(numbers[1:]):
        yield [[numbers[0]], *rest]
        for index, block in enumerate(rest):
            yield [*rest[:index], [numbers[0], *block], *rest[index + 1 :]]


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(1, 6), min_size=5, max_size=5))
def test_bins_agree_with_brute_force(sizes):
    packings = list(partitions([1, 2, 3, 4, 5]))
    fits = [all(sum(sizes[n - 1] for n in block) <= 8 for block in p) for p in packings]
    optimum = min(len(p) for p, good in zip(packings, fits) if good)
    judge = BinPackingCertificate(sizes, 8, optimum=optimum)
    for packing, good in zip(packings, fits):
        assert judge(as_lines(packing)).correct == (good and len(packing) == optimum)
