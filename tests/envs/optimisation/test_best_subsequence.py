"""Tests of optimisation/best_subsequence."""

from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.optimisation.best_subsequence import BestSubsequence
from palaestra.generators.optimisation.best_subsequence import (
    OTHERS,
    SHAPES,
    Rule,
    broken,
    fitting_rule,
    greatest_weight,
    heaviest,
)

ROWS = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=8)


def holds(rule, positions, numbers):
    """Whether a choice satisfies a rule, from the sentence that states it."""
    values = [numbers[n] for n in positions]
    steps = [b - a for a, b in pairwise(values)]
    turns = "".join("u" if each > 0 else "d" for each in steps)
    gaps = [b - a for a, b in pairwise(positions)]
    return {
        "rising": all(each > 0 for each in steps),
        "zigzag": 0 not in steps and "uu" not in turns and "dd" not in turns,
        "peak": 0 not in steps and "du" not in turns,
        "apart": all(gap >= rule.number for gap in gaps),
        "close": all(gap <= rule.number for gap in gaps),
        "step": all(abs(each) <= rule.number for each in steps),
        "bits": all(a & b for a, b in pairwise(values)),
        "few": len(values) <= rule.number,
        "divisible": rule.number == 0 or sum(values) % rule.number == 0,
    }[rule.name]


def choices(size):
    return (c for number in range(1, size + 1) for c in combinations(range(size), number))


@settings(deadline=None)
@given(ROWS, st.sampled_from(SHAPES), st.sets(st.sampled_from(OTHERS), max_size=2), st.integers())
def test_no_choice_weighs_more(row, shape, others, seed):
    numbers, weights = zip(*row)
    rng = Random(seed)
    rules = [fitting_rule(rng, name, len(row), 9) for name in [shape, *sorted(others)]]
    allowed = [c for c in choices(len(row)) if all(holds(rule, c, numbers) for rule in rules)]
    best = max((sum(weights[n] for n in c) for c in allowed), default=0)
    chosen, _ = heaviest(numbers, weights, rules)
    assert sum(weights[n] for n in chosen) == best
    assert not chosen or tuple(chosen) in allowed
    assert greatest_weight(numbers, weights, rules) == best
    assert {c for c in choices(len(row)) if not broken(numbers, c, rules)} == {*allowed}


@pytest.mark.parametrize("level", [0, 3, 6])
def test_oracle_and_audit_agree(level):
    for seed in range(2):
        task = BestSubsequence.sample(Random(seed), BestSubsequence.Knobs.at(level))
        assert task.verify(task.answer()).value == 1
        assert task.audit(task.answer())


TASK = BestSubsequence(
    numbers=(5, 1, 3, 2, 8),
    weights=(4, 2, 3, 2, 5),
    conditions=(Rule("rising"), Rule("apart", 2)),
)


def test_scores():
    assert TASK.verify("1, 5").value == 1
    assert TASK.verify("1 and 5").value == 1
    assert TASK.verify("3, 5").reason == "the weight is 8, and a better solution exists"
    assert TASK.verify("1, 3").reason == "rule 1 of 2 is broken"
    assert TASK.verify("2, 3").reason == "rule 2 of 2 is broken"
    assert TASK.verify("5, 1").reason == "the positions are not in increasing order"
    assert TASK.verify("6").reason == "the positions are numbered from 1 to 5"
