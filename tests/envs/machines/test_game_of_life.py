"""Tests of machines/game_of_life."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.machines.game_of_life import stepped as life


@settings(max_examples=20)
@given(st.lists(st.text("-#", min_size=5, max_size=5), min_size=5, max_size=5))
def test_life_on_a_torus(rows):
    cells = np.array([[sign == "#" for sign in row] for row in rows], dtype=int)
    near = sum(
        np.roll(cells, (r, c), (0, 1)) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)
    )
    alive = (near == 3) | ((cells == 1) & (near == 2))
    after = life(tuple(rows), (3,), (2, 3), True)
    assert [[sign == "#" for sign in row] for row in after] == alive.tolist()
