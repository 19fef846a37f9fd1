"""Tests of logic/self_reference."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

from palaestra.generators.logic import self_reference

SEEDS = st.integers(0, 10**6)


@settings(max_examples=10)
@given(SEEDS)
def test_self_reference_by_brute_force(seed: int) -> None:
    task = sampled("logic/self_reference", seed, 3)
    claims = task.claims  # type: ignore[attr-defined]
    numbers = range(1, len(claims) + 1)
    fits = [
        true
        for size in range(len(claims) + 1)
        for true in combinations(numbers, size)
        if all(
            self_reference.holds(c, frozenset(true), len(claims)) == (n in true)
            for n, c in zip(numbers, claims)
        )
    ]
    assert [", ".join(map(str, true)) for true in fits] == [task.answer()]
