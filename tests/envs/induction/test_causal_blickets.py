"""Tests of induction/causal_blickets."""

from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

from palaestra.registry import load

SEEDS = st.integers(0, 10**6)


@settings(max_examples=20)
@given(SEEDS)
def test_blickets_by_all_sets(seed: int) -> None:
    task = sampled("induction/causal_blickets", seed, seed % 4)
    names, trials, rule = task.names, task.trials, task.rule  # type: ignore[attr-defined]
    least = {"one": 1, "two": 2}[rule]
    fits = [
        blickets
        for size in range(len(names) + 1)
        for blickets in map(set, combinations(range(len(names)), size))
        if all((len(blickets & set(t.objects)) >= least) == t.lit for t in trials)
    ]
    for n, line in enumerate(task.answer().splitlines()):
        seen = {n in blickets for blickets in fits}
        status = "undetermined" if len(seen) == 2 else "blicket" if True in seen else "not"
        assert line == f"{names[n]}: {status}"


@pytest.mark.parametrize("rule", ["one", "two", "odd"])
def test_blickets_at_the_ends_of_all_knobs(rule: str) -> None:
    env = load("induction/causal_blickets")
    for objects, trials, blickets in product((5, 14), (3, 20), (1, 7)):
        knobs = env.Knobs(objects=objects, trials=trials, blickets=blickets, rule=rule)
        for held_out in (False, True):
            assert env.sample(Random(1), knobs, held_out, tries=3000).is_valid()
