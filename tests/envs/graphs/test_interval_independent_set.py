"""Tests of graphs/interval_independent_set: every choice of intervals is tried."""

import re
from itertools import combinations

import pytest

from palaestra.address import Address

LINE = re.compile(r"^(\w+): from (\d+) to (\d+), weight (\d+)$", re.MULTILINE)


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_the_heaviest_choice_is_found_by_trying_all(seed, level):
    task = Address.of("graphs/interval_independent_set", seed, level).task()
    listed = {
        name: (set(range(int(start), int(end))), int(weight))
        for name, start, end, weight in LINE.findall(task.prompt())
    }
    assert len(listed) == (6, 9, 14)[level]
    weights = {}
    for n in range(1, len(listed) + 1):
        for chosen in combinations(listed, n):
            parts = [listed[name][0] for name in chosen]
            apart = len(set().union(*parts)) == sum(map(len, parts))
            weights[chosen] = sum(listed[name][1] for name in chosen) if apart else None
    best = max(weight for weight in weights.values() if weight is not None)
    answer = tuple(name for name in listed if name in task.answer().split(", "))
    assert weights[answer] == best
    for chosen, weight in weights.items():
        value = task.verify(", ".join(reversed(chosen))).value
        assert (value == 1) == (weight == best)
        assert value == 0 or weight is not None
