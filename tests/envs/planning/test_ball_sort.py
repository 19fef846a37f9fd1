"""Tests of planning/ball_sort."""

import pytest

from palaestra.envs.planning.ball_sort import BallSort


@pytest.mark.parametrize(
    ("answer", "value", "reason"),
    [
        ("A -> C\nB -> A\nB -> C", 1, ""),
        ("b to c\n2. A -> B\n3) A -> C", 1, ""),
        ("A -> B", 0, "in move 1, tube B is full"),
        ("C -> A", 0, "in move 1, tube C is empty"),
        ("A -> C\nA -> C", 0, "in move 2, the top ball of tube C has another colour"),
        ("A -> A", 0, "in move 1, the ball stays where it is"),
        ("A -> C\nB -> A", 0, "the balls are not sorted in the end"),
    ],
)
def test_balls(answer, value, reason):
    """Blue on red, and red on blue."""
    task = BallSort(tubes=((0, 1), (1, 0), (), ()), height=2, spare=0)
    score = task.verify(answer)
    assert (score.value, score.reason) == (value, reason)
    assert task.audit(answer) == (value == 1)
