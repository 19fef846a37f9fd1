"""Tests of grids/dominosa."""

import pytest

from palaestra.envs.grids import dominosa
from palaestra.generators.grids.marks import Sheet
from palaestra.generators.grids.shapes import ways


@pytest.mark.parametrize(("rows", "columns", "tilings"), [(2, 4, 5), (3, 4, 11), (4, 4, 36)])
def test_the_ways_to_tile_with_dominoes_are_as_many_as_is_known(rows, columns, tilings):
    every = ways(rows, columns)
    sheet = Sheet(len(every), dominosa.covering(every, rows * columns))
    assert len(set(sheet.solve(limit=100).solutions)) == tilings
