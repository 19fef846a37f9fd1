"""Tests of spatial/lattice_walk."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sample

from palaestra.envs.spatial.lattice_walk import LatticeWalk
from palaestra.generators.spatial.lattice_walk import STEPS, visited
from palaestra.task import InvalidAnswer

seeds = st.integers(0, 10**6)


@pytest.mark.parametrize("shape", sorted(STEPS))
def test_lattice_steps_have_a_way_back(shape: str) -> None:
    back = {"inward": "outward", "clockwise": "anticlockwise", "north": "south", "east": "west"}
    back |= {"north-east": "south-west", "north-west": "south-east"}
    for step, other in back.items():
        if step in STEPS[shape]:
            start = (0, 1)
            assert visited(shape, (step, other), start)[-1] == start
    if shape in ("hexagonal", "triangular"):
        assert visited(shape, ("north-east", "south-east"), (0, 0))[-1] == (1, 0)
        assert visited(shape, ("north-west", "east"), (0, 0))[-1] == (0, 1)
    if shape == "ring":
        assert visited(shape, ("clockwise",) * 7, (0, 0))[-1] == (0, 0)


@settings(max_examples=15, deadline=None)
@given(seed=seeds, level=st.integers(0, 6))
def test_lattice_walk_tells_the_words_it_asks_for(seed: int, level: int) -> None:
    task = sample(LatticeWalk, seed, level)
    assert {*task.result()} <= {*task.seen()}
    wrong = ", ".join(reversed(task.result())) if len(task.blind) > 1 else task.seen()[-1]
    assert task.verify(wrong).value == (wrong == task.answer())


def test_lattice_walk_takes_its_words_however_they_are_set_apart() -> None:
    task = sample(LatticeWalk, 5, 4)
    words = task.result()
    replies = (" ".join(words), "\n".join(words), f"[{', '.join(words)}]", "; ".join(words).upper())
    for reply in replies:
        assert task.verify(reply).value == 1
    for bad in (", ".join(words[:-1]), ", ".join([*words, words[0]]), "", "zibbo, zibbo, zibbo"):
        with pytest.raises(InvalidAnswer):
            task.verify(bad)
