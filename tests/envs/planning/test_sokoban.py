"""Tests of planning/sokoban."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.planning.breadth_first import distances
from tests.envs.sampling import sample

from palaestra.envs.planning.sokoban import Sokoban
from palaestra.generators.planning import sokoban
from palaestra.task import InvalidAnswer

SEEDS = st.integers(0, 10**6)


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.integers(0, 4))
def test_sokoban_is_solved_by_its_keeper(seed, level):
    task = sample(Sokoban, seed, level)
    answer = task.answer()
    assert task.verify(answer).value == 1
    assert task.audit(answer)
    assert task.verify(answer[:-1]).value == 0
    assert not any(task.verify(shortcut).value for shortcut in task.shortcuts())
    signs = "".join(task.rows)
    goals, boxes = (sum(signs.count(s) for s in marks) for marks in (".*+", "$*"))
    assert goals == boxes
    assert signs.count("@") + signs.count("+") == 1


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.text("UDLR", min_size=1, max_size=60))
def test_sokoban_judges_agree(seed, letters):
    task = sample(Sokoban, seed % 50, seed % 3)
    assert task.audit(letters) == (task.verify(letters).value == 1)


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_pulls_undo_pushes(seed):
    """A state pulls back to all that push to it, and the guess never exceeds the true distance."""
    rng = Random(seed)
    floor = sokoban.room(rng, 6, 6, 0.2)
    goals = sum(1 << cell for cell in rng.sample(list(sokoban.cells(floor)), 2))
    house = sokoban.Warehouse(6, floor, goals)
    free = list(sokoban.cells(floor & ~goals))
    solved = goals, house.reach(rng.choice(free), goals)
    away = distances(solved, house.pulls)
    for state, pushes in list(away.items())[:300]:
        assert house.distance(state[0]) <= pushes
        after = [there for _, there in house.pushes(state)]
        if pushes:
            assert any(away.get(there) == pushes - 1 for there in after)
        for there in after:
            assert state in list(house.pulls(there))


BOARD = Sokoban(rows=("######", "#@$-.#", "#-$--#", "#-.--#", "######"), limit=20)


@pytest.mark.parametrize(
    ("answer", "value", "reason"),
    [
        ("RRLLL", 0, "in step 5, the keeper runs into a wall"),
        ("RRLDD", 0, "in step 5, the keeper pushes a box that has no room to move"),
        ("u", 0, "in step 1, the keeper runs into a wall"),
        ("RRR", 0, "in step 3, the keeper pushes a box that has no room to move"),
        ("RR", 0, "at the end, 1 of the boxes are not on goals"),
        ("R R\nL, D", 1, ""),
        ("LR" * 11, 0, "22 steps exceed the limit of 20"),
    ],
)
def test_sokoban_scores(answer, value, reason):
    score = BOARD.verify(answer)
    assert (score.value, score.reason) == (value, reason)
    assert BOARD.audit(answer) == (value == 1)


@pytest.mark.parametrize("answer", ["", "north", "U1", "2U", "^v", "UX"])
def test_sokoban_unreadable(answer):
    with pytest.raises(InvalidAnswer):
        BOARD.verify(answer)
