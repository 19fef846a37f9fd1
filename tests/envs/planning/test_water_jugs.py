"""Tests of planning/water_jugs."""

import itertools

import pytest

import palaestra.generators.planning.water_jugs as generator
from palaestra.address import Address
from palaestra.envs.planning.water_jugs import WaterJugs
from palaestra.generators.planning.water_jugs import TAP, poured, reached, shortest_plan
from palaestra.task import InvalidAnswer


def test_jugs():
    task = WaterJugs(sizes=(5, 3), start=(0, 0), jug=0, amount=4)
    right = "fill A\npour A into B\nempty B\npour A into B\nfill A\npour A into B"
    assert len(task.plan()) == 6
    assert task.verify(right).value == 1
    assert task.audit(right)
    assert "limit of 6" in task.verify("empty A\n" + right).reason
    assert "holds 5" in task.verify("fill A").reason
    for wrong in ("pour A into A", "fill C", "fill AB", "drink A"):
        with pytest.raises(InvalidAnswer):
            task.verify(wrong)


def breadth_first(sizes, start):
    """The number of moves to each amount in each jug, by trying every move in every state."""
    moves = list(itertools.permutations((TAP, *range(len(sizes))), 2))
    far, queue, goals = {start: 0}, [start], {}
    for state in queue:
        for goal in enumerate(state):
            goals.setdefault(goal, far[state])
        for new in (poured(state, sizes, move) for move in moves):
            if new not in far:
                far[new] = far[state] + 1
                queue.append(new)
    return goals


@pytest.mark.parametrize(
    ("sizes", "start"),
    [
        ((5, 3), (0, 0)),
        ((4, 6), (4, 0)),
        ((6, 10, 15), (0, 10, 0)),
        ((8, 5, 3), (8, 0, 0)),
        ((12, 9, 3), (0, 0, 0)),
    ],
)
def test_every_amount_is_reached_in_the_fewest_moves(sizes, start):
    expected = breadth_first(sizes, start)
    assert reached(sizes, start).moves == expected
    for (jug, amount), number in expected.items():
        plan = shortest_plan(sizes, start, (jug, amount))
        assert len(plan) == number
        levels = start
        for move in plan:
            levels = poured(levels, sizes, move)
        assert levels[jug] == amount


def test_an_answer_is_judged_without_another_search(monkeypatch):
    tasks = [Address.of("planning/water_jugs", seed=seed).task() for seed in range(70)]
    monkeypatch.setattr(generator, "reached", lambda sizes, start: pytest.fail("a search"))
    assert all(task.verify(task.answer()).value == 1 for task in tasks)
