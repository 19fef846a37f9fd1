"""Tests of spatial/rectangle_counting."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sample

from palaestra.envs.spatial.rectangle_counting import RectangleCounting
from palaestra.generators.spatial.rectangle_counting import rectangles

seeds = st.integers(0, 10**6)


@settings(max_examples=25, deadline=None)
@given(seed=seeds)
def test_rectangles_by_trying_all_corners(seed: int) -> None:
    task = sample(RectangleCounting, seed, 2)
    picture = task.picture
    high, wide = range(len(picture)), range(len(picture[0]))
    across = [[sign in "-+" for sign in row] for row in picture]
    down = [[sign in "|+" for sign in row] for row in picture]
    boxes = [
        (t, l_, b, r)
        for t, b in product(high, high)
        for l_, r in product(wide, wide)
        if t < b
        and l_ < r
        and all(across[t][l_ : r + 1])
        and all(across[b][l_ : r + 1])
        and all(down[n][l_] and down[n][r] for n in range(t, b + 1))
    ]
    assert rectangles(picture) == tuple(sorted(boxes))
