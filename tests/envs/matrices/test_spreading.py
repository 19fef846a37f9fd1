"""Tests of matrices/spreading: the fire is watched minute by minute."""

import re

import pytest

from palaestra.address import Address

CELL = re.compile(r"\br(\d+)c(\d+)\b")


def burnt(cells: dict[tuple[int, int], str], starts: list[tuple[int, int]]):
    """The minute at which each cell that ever burns catches fire."""
    caught = dict.fromkeys(starts, 0)
    longest = 9 * len(cells)
    for minute in range(1, longest + 1):
        for (r, c), sign in cells.items():
            if (r, c) in caught or sign == "#":
                continue
            beside = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
            first = min((caught[cell] for cell in beside if cell in caught), default=None)
            if first is not None and first + int(sign) == minute:
                caught[r, c] = minute
    return caught


@pytest.mark.parametrize("level", [0, 1, 3, 5])
@pytest.mark.parametrize("seed", range(5))
def test_cells_catch_fire_at_their_minutes(seed, level):
    task = Address.of("matrices/spreading", seed, level).task()
    prompt = task.prompt()
    lines = re.findall(r"^[\d#](?: [\d#])+$", prompt, re.MULTILINE)
    grid = [line.split() for line in lines]
    cells = {(r, c): sign for r, row in enumerate(grid, 1) for c, sign in enumerate(row, 1)}
    before, after = prompt.split("\n".join(lines))
    starts = [(int(r), int(c)) for r, c in CELL.findall(before)][-2:]
    asked = [(int(r), int(c)) for r, c in CELL.findall(after)]
    caught = burnt(cells, starts)
    right = [*(caught[cell] for cell in asked), max(caught.values())]
    assert task.answer() == ", ".join(map(str, right))
    assert task.verify(", ".join(map(str, right))).value == 1
    for index in range(len(right)):
        for change in (-1, 1):
            near = [n + change * (index == here) for here, n in enumerate(right)]
            assert task.verify(", ".join(map(str, near))).value < 1


def test_a_fire_by_hand():
    cells = {(1, 1): "9", (1, 2): "5", (2, 1): "1", (2, 2): "2", (3, 1): "#", (3, 2): "1"}
    assert burnt(cells, [(1, 1)]) == {(1, 1): 0, (2, 1): 1, (2, 2): 3, (3, 2): 4, (1, 2): 5}
