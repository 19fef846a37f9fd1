"""Tests of matrices/flood_regions: regions as sets that are joined where they touch."""

import re

import pytest

from palaestra.address import Address


def regions_of(grid: list[list[int]]) -> dict[int, list[int]]:
    """The sizes of the regions of each colour."""
    region = {(r, c): {(r, c)} for r, row in enumerate(grid) for c in range(len(row))}
    for r, c in list(region):
        for y, x in ((r + 1, c), (r, c + 1)):
            if (y, x) in region and grid[y][x] == grid[r][c]:
                both = region[r, c] | region[y, x]
                for cell in both:
                    region[cell] = both
    sizes: dict[int, list[int]] = {}
    for cells in {id(cells): cells for cells in region.values()}.values():
        r, c = min(cells)
        sizes.setdefault(grid[r][c], []).append(len(cells))
    return sizes


@pytest.mark.parametrize("level", [0, 1, 3, 5])
@pytest.mark.parametrize("seed", range(5))
def test_regions_are_counted_and_measured(seed, level):
    task = Address.of("matrices/flood_regions", seed, level).task()
    lines = re.findall(r"^\d(?: \d)+$", task.prompt(), re.MULTILINE)
    sizes = regions_of([list(map(int, line.split())) for line in lines])
    right = {color: [len(areas), max(areas)] for color, areas in sorted(sizes.items())}

    def written(numbers):
        return "\n".join(f"{color}: {n} {size}" for color, (n, size) in numbers.items())

    assert task.answer() == written(right)
    assert task.verify(written(dict(reversed(right.items())))).value == 1
    for color, index, change in [(k, p, d) for k in right for p in (0, 1) for d in (-1, 1)]:
        near = {one: list(numbers) for one, numbers in right.items()}
        near[color][index] += change
        assert task.verify(written(near)).value == 0


def test_diagonal_neighbours_are_apart():
    assert regions_of([[1, 2], [2, 1]]) == {1: [1, 1], 2: [1, 1]}
