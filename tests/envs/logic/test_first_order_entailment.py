"""Tests of logic/first_order_entailment."""

from itertools import product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

from palaestra.generators.logic.first_order_entailment import clauses

SEEDS = st.integers(0, 10**6)


@settings(max_examples=20)
@given(SEEDS)
def test_clauses_against_truth_tables(seed: int) -> None:
    rng = Random(seed)
    rows = [
        tuple(rng.choice((1, -1)) * n for n in rng.sample(range(1, 7), rng.randint(1, 3)))
        for _ in range(rng.randint(1, 14))
    ]
    worlds = [
        {n if on else -n for n, on in enumerate(world, 1)}
        for world in product((False, True), repeat=6)
    ]
    models = [world for world in worlds if all(world & set(row) for row in rows)]
    assert clauses.satisfiable(rows) == bool(models)
    if models:
        for fact in range(1, 7):
            values = {fact in model for model in models}
            verdict = {(True,): "true", (False,): "false"}.get(tuple(values), "unknown")
            assert clauses.certain(rows, fact) == verdict


@settings(max_examples=20)
@given(SEEDS)
def test_no_rule_occurs_twice(seed: int) -> None:
    task = sampled("logic/first_order_entailment", seed, 6)
    rules = [(frozenset(g), frozenset(t), link) for g, t, link in task.rules]  # type: ignore[attr-defined]
    assert len(set(rules)) == len(rules)
