"""Tests of logic/first_order_entailment."""

from collections.abc import Iterable
from itertools import count, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Cadical153
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


def rounds(rows: Iterable[tuple[int, ...]]) -> dict[int, int]:
    """The round in which unit propagation derives each literal, all clauses at once in each."""
    derived = {row[0]: 0 for row in rows if len(row) == 1}
    for turn in count(1):
        rest = ([one for one in row if -one not in derived] for row in rows)
        more = {row[0] for row in rest if len(row) == 1} - derived.keys()
        if not more:
            return derived
        derived |= dict.fromkeys(more, turn)
    raise AssertionError


@pytest.mark.parametrize(("level", "steps"), [(5, 4), (7, 16), (8, 30)])
def test_some_conclusion_takes_many_steps(level: int, steps: int) -> None:
    for seed in range(4):
        task = sampled("logic/first_order_entailment", seed, level)
        derived = rounds(task.clauses())  # type: ignore[attr-defined]
        literals = [task.literal(*conclusion) for conclusion in task.conclusions]  # type: ignore[attr-defined]
        assert max(derived.get(sign * one, 0) for one in literals for sign in (1, -1)) >= steps


def test_verdicts_of_the_top_level_by_a_sat_solver() -> None:
    for seed in range(4):
        task = sampled("logic/first_order_entailment", seed, 8)
        with Cadical153(bootstrap_with=task.clauses()) as solver:  # type: ignore[attr-defined]
            for conclusion, verdict in zip(task.conclusions, task.verdicts()):  # type: ignore[attr-defined]
                one = task.literal(*conclusion)  # type: ignore[attr-defined]
                possible = solver.solve([one]), solver.solve([-one])
                right = {(True, True): "unknown", (True, False): "true", (False, True): "false"}
                assert verdict == right[possible]


@given(SEEDS)
def test_rounds_of_unit_propagation(seed: int) -> None:
    task = sampled("logic/first_order_entailment", seed % 40, seed % 7)
    assert clauses.depths(task.clauses()) == rounds(task.clauses())  # type: ignore[attr-defined]
