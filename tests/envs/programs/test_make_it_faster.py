"""Tests of programs/make_it_faster."""

from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.programs.make_it_faster import MakeItFaster
from palaestra.generators.programs.make_it_faster import composing as slow_programs
from palaestra.generators.programs.make_it_faster.composing import PARTS, SCALES, TOP, running

SEEDS = st.integers(0, 10**6)


ROWS = st.lists(st.integers(0, 12) | st.integers(0, TOP), min_size=1, max_size=14)
NUMBERED = [
    ((name, (*numbers, version)),)
    for name, part in PARTS.items()
    for version in range(len(part.versions))
    for numbers in (
        tuple(low for low, _ in part.ranges),
        tuple((low + high) // 2 for low, high in part.ranges),
    )
]


def names_of(parts):
    return "+".join(f"{name}{numbers}" for name, numbers in parts)


@pytest.mark.parametrize("parts", NUMBERED, ids=names_of)
def test_fast_and_slow_programs_agree(parts):
    fast, slow = running(parts), running(parts, fast=False)
    rng = Random(5)
    if slow_programs.shape_of(parts) == "list":
        rows = [
            [rng.randint(0, top) for _ in range(n)] for n in range(1, 18) for top in (2, 30, TOP)
        ]
        inputs = [*rows, *map(sorted, rows), [7] * 9, [TOP] * 5, [0], list(range(25, 0, -1))]
    else:
        inputs = [*range(11)] if slow_programs.shape_of(parts) == "recursion" else [*range(70), 345]
    for value in inputs:
        before = list(value) if isinstance(value, list) else value
        assert fast(value) == slow(value), value
        assert value == before, "the argument is changed"


@settings(max_examples=25)
@given(SEEDS, ROWS)
def test_programs_of_several_parts_agree(seed, row):
    parts = slow_programs.random_parts(Random(seed), 1, 3, 3)
    value = row if slow_programs.shape_of(parts) == "list" else len(row) - 1
    assert running(parts)(value) == running(parts, fast=False)(value)


FAR = [Random(1).randint(0, TOP) for _ in range(SCALES["list"].large[-1])]


@pytest.mark.parametrize("name", ["totals", "beyond", "overtaken", "ranks", "light", "divisors"])
def test_there_is_a_wide_gap_between_slow_and_fast(name):
    """The limit lies in the middle of it, at least about ten times away from both."""
    parts = ((name, (*(high for _, high in PARTS[name].ranges), 0)),)
    fast, slow, size = running(parts), running(parts, fast=False), 500
    first, last = SCALES[PARTS[name].shape].large
    large, small = (FAR, FAR[:size]) if PARTS[name].shape == "list" else (last, size)
    spent = {one: [] for one in (slow, fast)}
    for _ in range(3):  # of which the least is what a program costs; the rest is the machine's
        for one, problem in ((slow, small), (fast, large)):
            start = process_time()
            one(problem)
            spent[one].append(process_time() - start)
    assert min(spent[slow]) * (first / size) ** 2 > 60 * min(spent[fast])


KNOWN = (
    ((("disorder", (0, 2, 0)),), [3, 1, 2, 1], 4),
    ((("streak", (999, 5, 0)),), [6, 2, 9, 1], 4),  # 1 - 3 + 4 - 4
    ((("ladder", (1, 100, 0)),), [5, 1, 2, 9, 3, 4], 4),
    ((("board", (999, 1, 0)),), [1, 4, 5, 0], 10),
    ((("matches", (11, 0, 1)),), [1, 12, 23, 5], 3),
    ((("tree", (2, 2, 1_000, 0)),), 3, 10),
    ((("multiples", (3, 31, 2, 0)),), 9, 36),
    ((("digits", (10, 1, 1, 0)),), 100, 11),  # 1, 10, 100, and 29, 38, ..., 92
    ((("blocks", (1, 0, 0)),), 5, 10),
    ((("sieve", (0, 2, 2)),), 10, 4),
)


@pytest.mark.parametrize(("parts", "value", "wanted"), KNOWN)
def test_programs_of_known_results(parts, value, wanted):
    assert running(parts)(value) == running(parts, fast=False)(value) == wanted


@pytest.mark.usefixtures("jail")
def test_speed_is_what_counts():
    given = MakeItFaster(parts=(("matches", (50, 7, 0)),), seed=3)
    slow, fast = given.slow(), given.answer()
    assert given.verify(fast).value == 1
    assert given.verify(slow).reason == "the program is unchanged"
    assert given.verify(f"# quick\n{slow}\n\n").value == 0
    late = given.verify(slow.replace("count", "number"))
    assert (late.value, late.parts["small"], late.parts["steps"]) == (0, 1, 0)
    assert "too long" in late.reason


@pytest.mark.usefixtures("jail")
def test_steps_of_scale_are_partial_credit():
    given = MakeItFaster(parts=(("matches", (50, 7, 0)),), seed=3)
    fast = given.answer()
    between = fast.replace("    return count", "    return count + (len(xs) > 35_000)")
    score = given.verify(between)
    assert (score.value, score.parts["steps"]) == (0.5, 0.5)
    wrong = given.verify(fast.replace("return count", "return count + (len(xs) == 7)"))
    assert (wrong.value, wrong.status) == (0, "scored")
    assert wrong.reason.endswith("of small size")
