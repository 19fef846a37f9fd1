"""Tests of induction/grid_transformation."""

import re
from collections.abc import Callable
from functools import partial
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.generators.induction import grid_transformation, list_programs

Colours = np.ndarray

SEEDS = st.integers(0, 10**6)


@settings(max_examples=25)
@given(SEEDS)
def test_squares_turn_as_squares_do(seed: int) -> None:
    cells = grid_transformation.square(Random(seed), 5, 4)
    step = {
        name: grid_transformation.GridStep(name, 12) for name in grid_transformation.DESCRIPTIONS
    }
    run = list_programs.run
    assert run([step["turn right"]] * 4, cells) == cells
    assert run([step["turn right"], step["turn left"]], cells) == cells
    assert run([step["transpose"], step["mirror"]], cells) == step["turn right"].applied(cells)
    assert run([step["mirror"], step["flip"]], cells) == step["half turn"].applied(cells)
    assert sorted(step["fall"].applied(cells)) == sorted(cells)
    for name, each in step.items():
        assert len(each.applied(cells)) == 25, name


def looks(grid: Colours) -> Colours:
    """The colours of the four neighbours of each cell, -1 beyond the border."""
    wide = np.pad(grid, 1, constant_values=-1)
    return np.stack([wide[:-2, 1:-1], wide[2:, 1:-1], wide[1:-1, :-2], wide[1:-1, 2:]])


def packed(line: Colours) -> Colours:
    """A line whose cells other than 0 come first."""
    return np.concatenate([line[line != 0], line[line == 0]])


def framed(grid: Colours, colour: int) -> Colours:
    inner = np.full_like(grid, colour)
    inner[1:-1, 1:-1] = grid[1:-1, 1:-1]
    return inner


def folded(grid: Colours) -> Colours:
    half = grid.shape[1] // 2
    return np.concatenate([grid[:, : grid.shape[1] - half], np.fliplr(grid[:, :half])], axis=1)


STEPS: dict[str, Callable[[Colours, int, int], Colours]] = {
    "turn right": lambda g, a, b: np.rot90(g, -1),
    "turn left": lambda g, a, b: np.rot90(g),
    "half turn": lambda g, a, b: np.rot90(g, 2),
    "mirror": lambda g, a, b: np.fliplr(g),
    "flip": lambda g, a, b: np.flipud(g),
    "transpose": lambda g, a, b: g.T,
    "recolour": lambda g, a, b: np.where(g == a, b, g),
    "exchange": lambda g, a, b: np.select([g == a, g == b], [b, a], g),
    "fall": lambda g, a, b: np.flipud(np.apply_along_axis(packed, 0, np.flipud(g))),
    "left": lambda g, a, b: np.apply_along_axis(packed, 1, g),
    "shift right": lambda g, a, b: np.roll(g, 1, 1),
    "shift down": lambda g, a, b: np.roll(g, 1, 0),
    "frame": lambda g, a, b: framed(g, a),
    "paint": lambda g, a, b: np.where(g == 0, a, g),
    "grow": lambda g, a, b: np.where((g == 0) & (looks(g) > 0).any(axis=0), a, g),
    "lonely": lambda g, a, b: np.where((looks(g) == g).any(axis=0), g, 0),
    "fold": lambda g, a, b: folded(g),
    "sort": lambda g, a, b: g[np.argsort((g != 0).sum(axis=1), kind="stable")],
    "diagonal": lambda g, a, b: np.where(np.eye(len(g), dtype=bool), a, g),
}
"""The steps of the prompt on arrays."""


def written(grid: Colours) -> str:
    return "\n".join("".join(map(str, row)) for row in grid.tolist())


@pytest.mark.parametrize("name", STEPS)
def test_every_step_does_what_it_does_to_arrays(name: str) -> None:
    assert STEPS.keys() == grid_transformation.DESCRIPTIONS.keys()
    for seed in range(30):
        size = 3 + seed % 4
        square = grid_transformation.square(Random(seed), size, 3)
        array = STEPS[name](np.array(square).reshape(size, size), 1, 2)
        assert grid_transformation.GridStep(name, 12).applied(square) == tuple(array.flat)


@pytest.mark.parametrize("level", range(5))
@pytest.mark.parametrize("seed", range(3))
def test_grids_by_trying_all_programs(seed: int, level: int) -> None:
    task = Address.of("induction/grid_transformation", seed, level, menu=8, size=4).task()
    (block,) = task.new
    grids = [np.array(cells).reshape(4, 4) for cells in (*task.inputs, block)]
    steps = [
        partial(STEPS[step.operation], a=step.number // 10, b=step.number % 10)
        for step in task.menu
    ]
    results = {}  # what all programs make of all grids
    for length in range(1, len(task.program) + 1):
        for program in product(range(len(steps)), repeat=length):
            before = results.get(program[:-1], grids)
            results[program] = [steps[program[-1]](grid) for grid in before]
    shown = re.findall(r"becomes\n((?:\d{4}\n){3}\d{4})", task.prompt())
    assert len(shown) == len(task.inputs)
    outcomes = {
        written(grids[-1]) for grids in results.values() if list(map(written, grids[:-1])) == shown
    }
    assert outcomes == {task.answer()}
    assert task.verify(task.answer()).value == 1
    rows = task.answer().split("\n")
    for r, c in product(range(4), repeat=2):
        near = np.array([list(map(int, row)) for row in rows])
        near[r, c] = (near[r, c] + 1) % 10
        assert task.verify(written(near)).value == 0
    assert task.verify(written(grids[-1])).value == 0
