"""Tests of planning/grid_mission."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.planning.breadth_first import fewest

from palaestra.envs.planning.grid_mission import GridMission
from palaestra.generators.planning.grid_mission import ACTIONS, State, Thing, World

SEEDS = st.integers(0, 2**32 - 1)


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.integers(0, 3))
def test_no_shorter_row_of_actions_fulfils_the_mission(seed, level):
    task = GridMission.sample(Random(seed), GridMission.Knobs.at(level))
    world = task.world

    def ways(state):
        return (world.after(state, action) for action in ACTIONS)

    assert fewest(task.start, ways, world.done) == len(task.plan())
    assert task.verify(task.answer()).correct
    assert task.audit(task.answer())


@settings(max_examples=50, deadline=None)
@given(SEEDS, st.integers(0, 6), st.lists(st.sampled_from(ACTIONS), max_size=60))
def test_two_simulators_agree(seed, level, actions):
    task = GridMission.sample(Random(seed), GridMission.Knobs.at(level))
    text = ", ".join([*actions, *task.plan()[: len(actions) // 2]] or ["left"])
    assert task.verify(text).correct == task.audit(text)


ROOMS = GridMission(
    world=World(
        ("#######", "#..#..#", "#.....#", "#######"),
        (
            Thing("lock", "red", (2, 3)),
            Thing("box", "grey", (2, 1)),
            Thing("key", "red", (2, 1), 1),
            Thing("key", "blue", (1, 2)),
        ),
        (2, 5),
        -1,
    ),
    start=State((2, 2), 3, -1, 0),
    spare=20,
)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("open, take, left, left, open, forward, forward, forward", ""),
        ("Open TAKE right right open forward forward forward", ""),
        ("open, take, left, left, open, forward, forward, forward, forward, forward", ""),
        ("take, left, left, open, forward, forward", "in the end the agent stands on another cell"),
        (  # the blue key does not fit, and cannot be put down again
            "right, take, left, open, take, left, left, open, forward, forward, forward",
            "in the end the agent stands on another cell",
        ),
        ("left, " * 40 + "left", "41 actions exceed the limit of 28"),
    ],
)
def test_missions_by_hand(answer, reason):
    assert ROOMS.board() == "# # # # # # #\n# . C # . . #\n# B < A . * #\n# # # # # # #"
    assert ROOMS.legend().splitlines() == [
        "A: a red door, locked", "B: a grey box with a red key in it", "C: a blue key",
    ]  # fmt: skip
    score = ROOMS.verify(answer)
    assert (score.value, score.reason) == (float(not reason), reason)
    assert ROOMS.audit(answer) == score.correct


def test_the_ball_is_to_be_held():
    world = World(("#####", "#...#", "#####"), (Thing("ball", "red", (1, 3)),), (1, 2), 0)
    task = GridMission(world=world, start=State((1, 1), 1, -1, 0), spare=2)
    assert task.verify("forward").reason == "in the end the agent does not hold the ball"
    assert task.verify("forward, take").correct
    assert task.plan() == ("forward", "take")
