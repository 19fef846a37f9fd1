"""Tests of grids/arrow_maze."""

from tests.envs.sampling import sample

from palaestra.envs.grids.arrow_maze import ArrowMaze
from palaestra.generators.grids.arrow_maze import pointing


def test_arrow_maze_by_walking() -> None:
    assert [pointing(4, n, 3) for n in (0, 1, 2, 3, 5, 8)] == ["NW", "N", "NE", "W", "E", "SE"]
    for seed in range(5):
        task = sample(ArrowMaze, seed, 3)
        rows = [list(map(int, row.split())) for row in task.answer().splitlines()]
        position = {n: (r, c) for r, row in enumerate(rows) for c, n in enumerate(row)}
        for number in range(1, len(position)):
            (r, c), (row, column) = position[number], position[number + 1]
            arrow = task.arrows[r][c]
            assert ("N" in arrow) == (row < r)
            assert ("S" in arrow) == (row > r)
            assert ("W" in arrow) == (column < c)
            assert ("E" in arrow) == (column > c)
            assert len(arrow) == 1 or abs(row - r) == abs(column - c)
