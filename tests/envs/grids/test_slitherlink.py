"""Tests of grids/slitherlink."""

import pytest

from palaestra.envs.grids import slitherlink


@pytest.mark.parametrize(("size", "loops"), [(2, 13), (3, 213)])
def test_the_loops_on_a_grid_are_as_many_as_is_known(size, loops):
    blank = slitherlink.Slitherlink(clues=("." * size,) * size)
    right = 0
    for cells in range(1 << size * size):
        signs = ["#" if cells >> n & 1 else "-" for n in range(size * size)]
        rows = "\n".join("".join(signs[n : n + size]) for n in range(0, size * size, size))
        right += blank.verify(rows).correct
    assert right == loops  # OEIS A140517


def test_loops_with_holes_or_in_two_parts_are_refused():
    task = slitherlink.Slitherlink(clues=("...",) * 3)
    assert "cut off" in task.verify("###\n#-#\n###").reason
    assert "one piece" in task.verify("#-#\n---\n---").reason
    assert "one piece" in task.verify("#--\n-#-\n---").reason
    assert "no loop" in task.verify("---\n---\n---").reason
