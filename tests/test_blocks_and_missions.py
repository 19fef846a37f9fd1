"""Sliding blocks, and missions in rooms, beside plain searches of every state."""

from collections import deque
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.planning.grid_mission import GridMission
from palaestra.envs.planning.klotski import Klotski
from palaestra.generators.planning.grid_mission import ACTIONS, State, Thing, World
from palaestra.generators.planning.klotski import DIRECTIONS, Tray
from palaestra.task import Unreadable
from palaestra.verifiers.planning.simulated import Illegal

SEEDS = st.integers(0, 2**32 - 1)


def fewest(start, ways, done):
    """The depth of the nearest state that is wanted, breadth first."""
    queue, depth = deque([start]), {start: 0}
    while queue:
        here = queue.popleft()
        if done(here):
            return depth[here]
        for there in ways(here):
            if there not in depth:
                depth[there] = depth[here] + 1
                queue.append(there)
    return None


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.integers(0, 2))
def test_no_shorter_row_of_slides_frees_the_key(seed, level):
    task = Klotski.draw(Random(seed), Klotski.Knobs.at(level))

    def ways(places):
        for letter in "KABCDEFGHIJ"[: len(places)]:
            for way in DIRECTIONS:
                try:
                    yield task.slid(places, (letter, way))
                except Illegal:
                    continue

    assert fewest(task.start, ways, lambda places: places[0] == task.target) == len(task.plan())
    assert task.audit(task.answer())


TRAY = Klotski(
    tray=Tray(2, 3, (((0, 0),), ((0, 0), (1, 0)), ((0, 0),))),  # K, a column A, and B
    start=((0, 0), (0, 1), (1, 0)),
    target=(0, 1),
    spare=0,
    least=1,
)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("A right\nK right", ""),
        ("1. a Right; k RIGHT", ""),
        ("K right", "in step 1, block K would run into block A"),
        ("A up\nK right", "in step 1, block A would leave the tray"),
        ("A right\nB right", "in the end block K lies elsewhere"),
        ("A right\nK right\nK right", "3 steps are more than 2"),
    ],
)
def test_slides_by_hand(answer, reason):
    assert TRAY.board(TRAY.start) == "K A -\nB A -"
    score = TRAY.verify(answer)
    assert (score.value, score.reason) == (float(not reason), reason)


@pytest.mark.parametrize("answer", ["Q left", "K sideways", "K", "K left left", "left K"])
def test_slides_that_cannot_be_read(answer):
    with pytest.raises(Unreadable):
        TRAY.verify(answer)


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.integers(0, 3))
def test_no_shorter_row_of_actions_fulfils_the_mission(seed, level):
    task = GridMission.draw(Random(seed), GridMission.Knobs.at(level))
    world = task.world

    def ways(state):
        return (world.after(state, action) for action in ACTIONS)

    assert fewest(task.start, ways, world.done) == len(task.shortest())
    assert task.verify(task.answer()).correct
    assert task.audit(task.answer())


@settings(max_examples=50, deadline=None)
@given(SEEDS, st.integers(0, 6), st.lists(st.sampled_from(ACTIONS), max_size=60))
def test_two_simulators_agree(seed, level, actions):
    task = GridMission.draw(Random(seed), GridMission.Knobs.at(level))
    text = ", ".join([*actions, *task.shortest()[: len(actions) // 2]] or ["left"])
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
        ("left, " * 40 + "left", "41 actions are more than 28"),
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
    assert task.shortest() == ("forward", "take")
