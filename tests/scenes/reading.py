"""What tests of scenes have in common: tasks of all levels, and the texts of what is drawn."""

from functools import cache

import palaestra
from palaestra.scenes import Panels, from_json, to_json
from palaestra.scenes.layouts import drawing

SEEDS = (1, 2, 3)


@cache
def tasks(name):
    """Tasks of every level."""
    levels = type(palaestra.Address.of(name).task()).Knobs.levels()
    return [palaestra.Address.of(name, seed, n).task() for n in range(levels) for seed in SEEDS]


def drawable(scene):
    """Whether a scene is JSON both ways, and something is drawn of it."""
    return from_json(to_json(scene)) == scene and bool(drawing(scene).shapes)


def texts(grid):
    """The texts of the cells of a grid or a table."""
    rows = grid.rows if hasattr(grid, "rows") else grid.cells
    return [[cell.text for cell in row] for row in rows]


def word(row):
    """The letters of a row of tiles."""
    return "".join(cell.text for cell in row)


def leaves(scene):
    """The scenes that are no panels, in their order."""
    if isinstance(scene, Panels):
        return [leaf for part in scene.scenes for leaf in leaves(part)]
    return [scene]


def accented(grid):
    """The texts of cells that an answer has entered."""
    return [cell.text for row in grid.cells for cell in row if cell.tone == "accent"]
