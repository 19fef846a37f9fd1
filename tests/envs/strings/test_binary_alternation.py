"""Tests of strings/binary_alternation."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

from palaestra.task import InvalidAnswer

SEEDS = st.integers(0, 10**6)


@settings(max_examples=20)
@given(SEEDS)
def test_fewest_swaps_by_search(seed: int) -> None:
    for swaps in ("any", "neighbours"):
        task = sampled("strings/binary_alternation", seed, 0, size=8, swaps=swaps)
        row, goals, steps = task.row, set(task.targets()), 0  # type: ignore[attr-defined]
        visited = reached = {row}
        while not reached & goals:
            pairs = [(a, b) for a, b in combinations(range(8), 2) if swaps == "any" or b == a + 1]
            reached = {
                r[:a] + r[b] + r[a + 1 : b] + r[a] + r[b + 1 :] for r in reached for a, b in pairs
            } - visited
            visited = visited | reached
            steps += 1
        assert len(task.answer().split(",")) == steps


def test_superfluous_swaps_score_0() -> None:
    task = sampled("strings/binary_alternation", 3, 1)
    assert task.verify(task.answer()).correct
    assert task.verify(task.answer().replace("-", " - ")).correct
    assert task.verify(task.answer().replace("-", " \u2013").replace(", ", "\n")).correct
    assert task.verify(task.answer() + ", 1-2, 1-2").value == 0
    for wrong in ("0-1", "1-1", "1-999", "1", "1-2-3", "1-", "1 2 3", "-"):
        with pytest.raises(InvalidAnswer):
            task.verify(wrong)
