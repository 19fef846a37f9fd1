"""Tests of induction/grid_transformation."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.generators.induction import (
    grid_transformation,
    list_programs,
)

SEEDS = st.integers(0, 10**6)


@settings(max_examples=25)
@given(SEEDS)
def test_squares_turn_as_squares_do(seed: int) -> None:
    given_ = grid_transformation.square(Random(seed), 5, 4)
    step = {name: grid_transformation.GridStep(name, 12) for name in grid_transformation.TOLD}
    run = list_programs.run
    assert run([step["turn right"]] * 4, given_) == given_
    assert run([step["turn right"], step["turn left"]], given_) == given_
    assert run([step["transpose"], step["mirror"]], given_) == step["turn right"].applied(given_)
    assert run([step["mirror"], step["flip"]], given_) == step["half turn"].applied(given_)
    assert sorted(step["fall"].applied(given_)) == sorted(given_)
    for name, each in step.items():
        assert len(each.applied(given_)) == 25, name
