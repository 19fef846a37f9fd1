"""Tests of planning/blocksworld."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.planning.breadth_first import distances
from tests.envs.sampling import sample

from palaestra.envs.planning.blocksworld import Blocksworld
from palaestra.generators.planning import blocksworld
from palaestra.task import InvalidAnswer

SEEDS = st.integers(0, 10**6)


def block_ways(state):
    tops = [stack[-1] for stack in state]
    moves = [(b, onto) for b in tops for onto in [*tops, blocksworld.TABLE] if b != onto]
    return [blocksworld.moved(state, move) for move in moves]


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.integers(2, 5), st.integers(1, 3))
def test_blocks_plans_are_shortest(seed, number, towers):
    rng = Random(seed)
    start, *goals = (blocksworld.stacked(rng, number, towers) for _ in range(6))
    away = distances(start, block_ways)
    for goal in goals:
        plan = blocksworld.shortest_plan(start, goal).moves
        assert len(plan) == away[goal]
        assert blocksworld.moves_left(start, blocksworld.below(goal)) <= away[goal]
        for tidy in (False, True):
            state = start
            for move in blocksworld.greedy_plan(start, goal, tidy):
                state = blocksworld.moved(state, move)
            assert state == goal


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.integers(0, 5))
def test_blocksworld_needs_a_plan(seed, level):
    task = sample(Blocksworld, seed, level)
    assert task.verify(task.answer()).value == 1
    assert task.audit(task.answer())
    for shortcut in task.shortcuts():
        assert "moves exceed the limit" in task.verify(shortcut).reason
    lines = task.answer().splitlines()
    assert task.verify("\n".join(lines[:-1])).value == 0


TOWER = Blocksworld(
    names=tuple("ABC"), start=((0, 1), (2,)), goal=((1,), (2, 0)), trap=False, form="stacks"
)


@pytest.mark.parametrize(
    ("answer", "value", "reason"),
    [
        ("move B to table\nmove A onto C", 1, ""),
        ("1. Move b to the table\n2. Move a on c", 1, ""),
        ("move A onto C", 0, "in move 1, A has a block on it"),
        ("move C onto A", 0, "in move 1, A has a block on it"),
        ("move B onto B", 0, "in move 1, B is put onto itself"),
        ("move B to table", 0, "at the end, A is on the table"),
        ("move B onto C\nmove B to table\nmove A onto C", 0, "3 moves exceed the limit of 2"),
    ],
)
def test_blocksworld_scores(answer, value, reason):
    score = TOWER.verify(answer)
    assert (score.value, score.reason) == (value, reason)
    assert TOWER.audit(answer) == (value == 1)


@pytest.mark.parametrize(
    "answer", ["move", "move A", "move A B", "move D to table", "move A onto D", "move table to A"]
)
def test_blocksworld_unreadable(answer):
    with pytest.raises(InvalidAnswer):
        TOWER.verify(answer)
