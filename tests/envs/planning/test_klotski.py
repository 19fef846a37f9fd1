"""Tests of planning/klotski."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.planning.breadth_first import fewest

from palaestra.envs.planning.klotski import Klotski
from palaestra.generators.planning.klotski import DIRECTIONS, Tray
from palaestra.task import InvalidAnswer
from palaestra.verifiers.planning.plans import Illegal

SEEDS = st.integers(0, 2**32 - 1)


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.integers(0, 2))
def test_no_shorter_row_of_slides_frees_the_key(seed, level):
    task = Klotski.sample(Random(seed), Klotski.Knobs.at(level))

    def ways(positions):
        for letter in "KABCDEFGHIJ"[: len(positions)]:
            for way in DIRECTIONS:
                try:
                    yield task.after(positions, (letter, way))
                except Illegal:
                    continue

    assert fewest(task.start, ways, lambda positions: positions[0] == task.target) == len(
        task.plan()
    )
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
        ("A right\nK right\nK right", "3 steps exceed the limit of 2"),
    ],
)
def test_slides_by_hand(answer, reason):
    assert TRAY.board(TRAY.start) == "K A -\nB A -"
    score = TRAY.verify(answer)
    assert (score.value, score.reason) == (float(not reason), reason)


@pytest.mark.parametrize("answer", ["Q left", "K sideways", "K", "K left left", "left K"])
def test_slides_that_cannot_be_read(answer):
    with pytest.raises(InvalidAnswer):
        TRAY.verify(answer)
