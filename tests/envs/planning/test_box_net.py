"""Tests of planning/box_net."""

import pytest

from palaestra.envs.planning.box_net import BoxNet
from palaestra.task import InvalidAnswer

ARMS = BoxNet(
    rows=1, columns=3, boxes=(((0, 0), (0, 2)), ((0, 0), (0, 1))), idle=((0, 2),), spare=0
)


@pytest.mark.parametrize(
    ("answer", "value", "reason"),
    [
        ("A right\nA right, B right", 1, ""),
        ("a RIGHT\n1. B right, A right", 1, ""),
        ("A right, B right\nA right", 0, "in step 1, the arm of r1c1 moves two boxes"),
        ("A up", 0, "in step 1, box A leaves the grid"),
        ("A right\nA right\nA left", 0, "3 steps exceed the limit of 2"),
        ("A right", 0, "box A is not at its destination in the end"),
        ("B right\nA right\nA right", 0, "3 steps exceed the limit of 2"),
    ],
)
def test_arms(answer, value, reason):
    score = ARMS.verify(answer)
    assert (score.value, score.reason) == (value, reason)
    assert ARMS.audit(answer) == (value == 1)


def test_a_broken_arm_moves_nothing():
    stuck = ARMS.model_copy(update={"spare": 1})
    assert stuck.verify("A right\nA right\nA left").reason == "in step 3, the arm of r1c3 is broken"


@pytest.mark.parametrize("answer", ["AB right\nA right, B right", "C right", "A right, B", "A"])
def test_boxes_are_called_by_their_names(answer):
    """Letters that follow one another in the alphabet are no name of a box."""
    with pytest.raises(InvalidAnswer):
        ARMS.verify(answer)
