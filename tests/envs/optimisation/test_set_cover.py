"""Tests of optimisation/set_cover."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.optimisation.set_cover import SetCover
from palaestra.generators.optimisation.covers import cheapest_cover

SETS = st.lists(st.tuples(st.integers(1, 127), st.integers(1, 9)), min_size=1, max_size=9)


@settings(deadline=None)
@given(SETS)
def test_no_other_cover_costs_less(pairs):
    masks, costs = zip(*pairs)
    whole = 0
    for mask in masks:
        whole |= mask
    best = None
    for size in range(1, len(masks) + 1):
        for chosen in combinations(range(len(masks)), size):
            union = 0
            for n in chosen:
                union |= masks[n]
            cost = sum(costs[n] for n in chosen)
            if union == whole and (best is None or cost < best):
                best = cost
    chosen, _ = cheapest_cover(masks, costs, whole)
    assert sum(costs[n] for n in chosen) == best


TASK = SetCover(sets=((1, 2), (2, 3), (3, 4), (1, 4), (1, 2, 3)), costs=(2, 2, 2, 2, 5))


def test_scores():
    assert TASK.verify("1, 3").value == 1
    assert TASK.verify("4 and 2").value == 1
    assert TASK.verify("1, 2, 4").reason == "the cost is 6, and a better solution exists"
    assert TASK.verify("1, 2").reason == "element 4 is not covered"
    assert TASK.verify("1, 1, 3").reason == "a set is listed twice"
    assert TASK.verify("6").reason == "the sets have numbers from 1 to 5 only"
