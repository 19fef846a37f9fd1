"""Squares of numbers that are cut up into cages, each with a target: killer sudoku, calcudoku."""

from collections.abc import Sequence

from palaestra.generators.grids.pencil import Grid, by_cell
from palaestra.generators.grids.shapes import LETTERS, turns
from palaestra.verifiers.reading.cells import cell_name

Cage = tuple[int, ...]


def listed(cages: Sequence[Cage], targets: Sequence[object], size: int) -> str:
    r"""Cages with their targets, one a line.

    >>> listed([(0, 2), (1, 3)], [4, 5], 2)
    'A = 4: r1c1 r2c1\nB = 5: r1c2 r2c2'
    """
    return "\n".join(
        f"{label(n)} = {target}: {' '.join(cell_name(*divmod(cell, size)) for cell in cage)}"
        for n, (cage, target) in enumerate(zip(cages, targets))
    )


def label(number: int) -> str:
    """The name of a cage.

    >>> label(0), label(60)
    ('A', 'I2')
    """
    again, letter = divmod(number, len(LETTERS))
    return f"{LETTERS[letter]}{again + 1 if again else ''}"


def caged(cages: Sequence[Cage], targets: Sequence[object], givens: Grid) -> str:
    """A canonical form of cages and given numbers, the same for all rotations and reflections."""
    size = len(givens)
    groups = []
    for turn in turns(size):
        some = sorted(
            (sorted(turn[cell] for cell in cage), str(target))
            for cage, target in zip(cages, targets)
        )
        groups.append(
            (some, sorted((turn[cell], number) for cell, number in by_cell(givens).items()))
        )
    return str(min(groups))
