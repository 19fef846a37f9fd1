"""Tests of matrices/distance_to_nearest: distances by lowering them until none can be lowered."""

import re

import pytest

from palaestra.address import Address


def lowered(grid: list[list[str]]) -> list[list[int]]:
    """The steps from each cell to the nearest X; -1 at walls and where no X can be reached."""
    cells = {(r, c): sign for r, row in enumerate(grid) for c, sign in enumerate(row)}
    far = len(cells) + 1
    steps = {cell: 0 if sign == "X" else far for cell, sign in cells.items()}
    changing = True
    while changing:
        changing = False
        for (r, c), sign in cells.items():
            beside = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
            near = min((steps[cell] + 1 for cell in beside if cells.get(cell, "#") != "#"),
                       default=far)  # fmt: skip
            if sign != "#" and near < steps[r, c]:
                steps[r, c] = near
                changing = True
    return [
        [-1 if steps[r, c] >= far else steps[r, c] for c in range(len(row))]
        for r, row in enumerate(grid)
    ]


def written(rows: list[list[int]]) -> str:
    return "\n".join(" ".join(map(str, row)) for row in rows)


@pytest.mark.parametrize("level", [0, 2, 3, 5])
@pytest.mark.parametrize("seed", range(4))
def test_distances_are_as_low_as_can_be(seed, level):
    task = Address.of("matrices/distance_to_nearest", seed, level).task()
    lines = re.findall(r"^[#.X](?: [#.X])+$", task.prompt(), re.MULTILINE)
    right = lowered([line.split() for line in lines])
    assert len(right) == len(right[0])
    assert task.answer() == written(right)
    assert task.verify(written(right)).value == 1
    for r, row in enumerate(right):
        for c in range(len(row)):
            for change in (-1, 1):
                near = [list(other) for other in right]
                near[r][c] += change
                assert task.verify(written(near)).value < 1
