"""Tests of spatial/rectangle_counting."""

import random
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.spatial.rectangle_counting import RectangleCounting
from palaestra.generators.spatial.rectangle_counting import rectangles
from palaestra.task import Puzzle

seeds = st.integers(0, 10**6)


def sampled(env: type[Puzzle], seed: int, level: int = 1, **chosen: object) -> Puzzle:
    return env.sample(random.Random(seed), env.Knobs.at(level, **chosen))


@settings(max_examples=25, deadline=None)
@given(seed=seeds)
def test_rectangles_by_trying_all_corners(seed: int) -> None:
    task = sampled(RectangleCounting, seed, 2)
    picture = task.picture
    high, wide = range(len(picture)), range(len(picture[0]))
    across = [[sign in "-+" for sign in row] for row in picture]
    down = [[sign in "|+" for sign in row] for row in picture]
    found = [
        (t, l_, b, r)
        for t, b in product(high, high)
        for l_, r in product(wide, wide)
        if t < b
        and l_ < r
        and all(across[t][l_ : r + 1])
        and all(across[b][l_ : r + 1])
        and all(down[n][l_] and down[n][r] for n in range(t, b + 1))
    ]
    assert rectangles(picture) == tuple(sorted(found))
