"""Tests of planning/stack_permutation."""

from collections import Counter
from itertools import combinations, permutations

import pytest
from tests.envs.sampling import sample

from palaestra.envs.planning.stack_permutation import StackPermutation
from palaestra.generators.planning import stack_permutation


@pytest.mark.parametrize("output", list(permutations(range(4))))
def test_one_stack_sorts_what_knuth_says(output):
    """Exactly the orders without a later item followed by two earlier ones in rising order."""
    bad = any(c > b > a for c, a, b in combinations(output, 3))
    assert (stack_permutation.solved("beside", 1, 4, output) is None) == bad


def test_stacks_in_a_row():
    assert [stack_permutation.named(step) for step in stack_permutation.steps_of("behind", 2)] == [
        "inA",
        "AB",
        "Bout",
    ]
    assert all(stack_permutation.solved("behind", 2, 3, out) for out in permutations(range(3)))
    assert stack_permutation.solved("beside", 1, 1, (1, 0)) is None, "there is no room to wait"
    into, out = (stack_permutation.END, 0), (0, stack_permutation.END)
    assert stack_permutation.solved("beside", 1, 2, (1, 0)).moves == (into, into, out, out)


def test_no_row_of_steps_is_right_often():
    """Items that go in and out by fair chance leave no order that is more likely than 1 in 2^6."""
    rows = Counter(sample(StackPermutation, seed, 0).answer() for seed in range(600))
    assert max(rows.values()) < 600 * 0.04
    assert all(len(set(row.split(", ")[:7])) > 1 for row in rows), "all in, then all out"


def test_stacks_are_told_in_english():
    prompts = [sample(StackPermutation, 1, 1, stacks=n).prompt() for n in (1, 2, 3)]
    assert "is a stack, A, empty at first, of at most 4 items." in prompts[0]
    assert "are 2 stacks, A and B, empty at first, of at most 4 items each." in prompts[1]
    assert "are 3 stacks, A, B and C, empty" in prompts[2]
