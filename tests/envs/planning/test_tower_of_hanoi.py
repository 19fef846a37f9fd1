"""Tests of planning/tower_of_hanoi."""

from itertools import product
from random import Random

import pytest
from tests.envs.planning.breadth_first import distances

from palaestra.envs.planning.tower_of_hanoi import TowerOfHanoi
from palaestra.generators.planning.tower_of_hanoi import legal_moves, shortest_plan
from palaestra.task import InvalidAnswer


@pytest.mark.parametrize(("disks", "pegs"), [(1, 3), (3, 3), (4, 3), (3, 4)])
def test_hanoi_plans_are_shortest(disks, pegs):
    def ways(state):
        return [after for _, after in legal_moves(state, pegs)]

    for start in product(range(pegs), repeat=disks):
        for goal, away in distances(start, ways).items():
            plan = shortest_plan(start, goal, pegs)
            assert len(plan) == away
            state = start
            for move in plan:
                state = dict(legal_moves(state, pegs))[move]
            assert state == goal


def test_hanoi_moves_the_largest_disk_twice():
    """The two small disks swap pegs with the large one, which makes way rather than wait."""
    plan = shortest_plan((1, 1, 0), (0, 0, 1), 3)
    assert len(plan) == 5
    assert (plan[0], plan[-1]) == ((0, 2), (2, 1))


HANOI = TowerOfHanoi(start=(0, 0), goal=(2, 2), pegs=3, limit=3)


@pytest.mark.parametrize(
    ("answer", "value", "reason"),
    [
        ("A -> B\nA -> C\nB -> C", 1, ""),
        ("1. a->b\n2. a->c\n3. b->c", 1, ""),
        ("A B\nA C\nB C", 1, ""),
        ("A -> B\nA -> B", 0, "in move 2, disk 2 is put on the smaller disk 1"),
        ("B -> C", 0, "in move 1, peg B is empty"),
        ("A -> C", 0, "at the end, disk 2 is not on C"),
        ("A -> B\nB -> A\nA -> B\nA -> C\nB -> C", 0, "5 moves exceed the limit of 3"),
    ],
)
def test_hanoi_scores(answer, value, reason):
    score = HANOI.verify(answer)
    assert (score.value, score.reason) == (value, reason)
    assert HANOI.audit(answer) == (value == 1)


@pytest.mark.parametrize("answer", ["A", "A -> D", "A -> B -> C", "A -> B, C", "move A"])
def test_hanoi_unreadable(answer):
    with pytest.raises(InvalidAnswer):
        HANOI.verify(answer)


def test_hanoi_bands():
    for apart, low, high in (("near", 4, 7), ("midway", 8, 15), ("far", 16, 31)):
        knobs = TowerOfHanoi.Knobs.at(0, apart=apart)
        limits = {TowerOfHanoi.sample(Random(seed), knobs).limit for seed in range(60)}
        assert low <= min(limits) < max(limits) <= high
