"""Squares of numbers that are cut up into cages, each with a target: killer sudoku, calcudoku."""

from collections.abc import Iterator, Sequence

from palaestra.generators.grids.pencil import Grid, by_cell
from palaestra.generators.grids.shapes import LETTERS, turns
from palaestra.scenes import Border
from palaestra.scenes import Grid as GridScene
from palaestra.scenes.elements import changed
from palaestra.verifiers.reading.cells import cell_name

Cage = tuple[int, ...]

INSET = 0.08
"""How far within its cells the outline of a cage runs."""


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


def in_cages(board: GridScene, cages: Sequence[Cage], targets: Sequence[object]) -> GridScene:
    """A scene with the cages as regions and the target of each in the corner of its first cell."""
    size = len(board.cells)
    cells = [[*row] for row in board.cells]
    regions = [[0] * size for _ in range(size)]
    for number, (cage, target) in enumerate(zip(cages, targets)):
        row, column = divmod(min(cage), size)
        cells[row][column] = changed(cells[row][column], corner=str(target))
        for cell in cage:
            regions[cell // size][cell % size] = number
    return changed(
        board, cells=tuple(map(tuple, cells)), regions=tuple(map(tuple, regions))
    )  # fmt: skip


def outline(cage: Cage, size: int) -> Iterator[Border]:
    """A dashed line inside of a cage, with a gap for the sum in the corner of its first cell.

    >>> len([*outline((0, 1), 2)])
    6
    """
    inside = {divmod(cell, size) for cell in cage}
    first = divmod(min(cage), size)
    for r, c in sorted(inside):
        for y, x in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            if (r + y, c + x) in inside:
                continue
            ends = []
            for way in (-1, 1):
                down, across = way * abs(x), way * abs(y)
                along = 0.5 - INSET
                if (r + down, c + across) in inside:  # straight on, or around a corner
                    along = 0.5 + INSET * ((r + down + y, c + across + x) in inside)
                elif (r, c) == first and way < 0 and (y, x) in {(-1, 0), (0, -1)}:
                    along = 0.05 if y else 0.16
                ends.append(
                    (
                        r + 0.5 + (0.5 - INSET) * y + along * down,
                        c + 0.5 + (0.5 - INSET) * x + along * across,
                    )
                )
            yield Border(tuple(ends), "shade", 0.035, dashed=True)
