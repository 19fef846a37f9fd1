"""How the rows of a data set are divided among the cells of a mixture."""

from collections import Counter
from collections.abc import Sequence
from heapq import heapify, heapreplace
from math import inf
from typing import NamedTuple

from palaestra.trainers.mixtures import Mixture


class Cell(NamedTuple):
    """A level of an environment, and its weight in the mixture."""

    env: str
    level: int
    weight: float


def cells_of(mixture: Mixture) -> list[Cell]:
    """The cells of a mixture, in its order: the weight of an environment is divided evenly among
    its levels, of which one that is listed twice counts twice. Raises ``ValueError`` for weights
    that are negative or infinite, or zero everywhere.
    """
    if not all(0 <= weight < inf for weight in mixture.environments.values()):
        raise ValueError("the weights of a mixture are numbers from 0 on")
    cells = [
        Cell(env, level, weight * times / len(mixture.levels[env]))
        for env, weight in mixture.environments.items()
        for level, times in Counter(mixture.levels[env]).items()
    ]
    cells = [cell for cell in cells if cell.weight]
    if not cells:
        raise ValueError("all weights of the mixture are 0")
    return cells


def allocated(cells: Sequence[Cell], before: Sequence[int], rows: int) -> list[int]:
    """How many of the next ``rows`` rows each cell has, where it had so many ``before``.

    This is the method of Webster and Sainte-Laguë: the next row goes to the cell that is furthest
    behind its share. What a cell has never falls as rows are added, so that a longer data set
    begins with a shorter one.

    >>> cells = [Cell("a/b", 0, 2.0), Cell("c/d", 0, 1.0)]
    >>> allocated(cells, [0, 0], 4), allocated(cells, [3, 1], 2)
    ([3, 1], [1, 1])
    """
    number = list(before)
    heap = [((number[n] + 0.5) / cell.weight, n) for n, cell in enumerate(cells)]
    heapify(heap)
    for _ in range(rows):
        n = heap[0][1]
        number[n] += 1
        heapreplace(heap, ((number[n] + 0.5) / cells[n].weight, n))
    return [now - then for now, then in zip(number, before, strict=True)]
