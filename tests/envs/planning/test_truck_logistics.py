"""Tests of planning/truck_logistics."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sample

from palaestra.envs.planning.truck_logistics import TruckLogistics
from palaestra.generators.planning.truck_logistics import planned, tour
from palaestra.task import InvalidAnswer

SEEDS = st.integers(0, 10**6)


def test_tours_keep_the_order():
    rng = Random(3)
    for _ in range(200):
        pairs = [tuple(rng.sample(range(5), 2)) for _ in range(rng.randint(1, 6))]
        route = [start := rng.randrange(5), *tour(pairs, start)]
        for a, b in pairs:
            assert a in route
            assert b in route[route.index(a) :]


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(0, 5))
def test_parcels_are_handled_as_often_as_they_must(seed, level):
    """Each is loaded by its first truck, the plane and its last truck, if it needs them."""
    task = sample(TruckLogistics, seed, level)
    needed = sum(1 if a[0] == b[0] else (a[1] != 0) + 1 + (b[1] != 0) for a, b in task.parcels)
    for at_once in (True, False):
        verbs = Counter(action[0] for action in planned(task.world(), at_once))
        assert verbs["load"] == verbs["unload"] == needed
    assert task.verify(next(iter(task.shortcuts()))).value == 0


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("unload p1", "in action 1, p1 is in no vehicle"),
        ("load p1 plane", "in action 1, p1 is not where the plane is"),
        ("fly plane A1", "in action 1, the plane flies to a place that is no airport"),
        ("drive truckA B1", "in action 1, a truck would leave its city"),
        ("drive truckA A1", "in the end parcel"),
    ],
)
def test_parcels_that_are_mislaid(answer, reason):
    task = TruckLogistics(
        places=3, start=(0, 0), plane=0, parcels=(((0, 1), (0, 2)), ((1, 1), (0, 0))), spare=0
    )
    assert task.verify(answer).reason.startswith(reason)
    assert not task.audit(answer)


@pytest.mark.parametrize(
    "answer",
    ["wait", "load p1", "load p99 truckA", "drive plane A0", "fly truckA A0", "drive truckZ A0"],
)
def test_no_actions(answer):
    with pytest.raises(InvalidAnswer):
        sample(TruckLogistics, 1, 1).verify(answer)
