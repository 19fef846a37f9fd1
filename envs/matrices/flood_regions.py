"""Labelling the connected regions of a picture, after Azriel Rosenfeld and John Pfaltz (1966)."""

from collections.abc import Iterable
from random import Random
from typing import Self

from palaestra import scenes
from palaestra.generators.cells import text
from palaestra.generators.matrices.mosaics import Cell, Grid, beside, patches
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.numbers import integers


class FloodRegions(Puzzle):
    """Count the regions of each colour of a grid, and find the size of the largest."""

    tags = {"matrices", "graph", "counting", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        side: int = ladder(4, 5, 6, 8, 11, 14, low=4, high=20)
        colors: int = ladder(2, 2, 3, 3, 3, 4, high=5)

    grid: Grid

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Cells often take the colour of the one above or to the left, so that regions wind."""
        rows: list[list[int]] = []
        for r in range(knobs.side):
            rows.append([])
            for c in range(knobs.side):
                near = rows[r][-1:] + (rows[r - 1][c : c + 1] if r else [])
                copy = near and rng.random() < 0.45
                rows[r].append(rng.choice(near) if copy else rng.randint(1, knobs.colors))
        return cls(grid=tuple(map(tuple, rows)))

    def is_valid(self) -> bool:
        return len({n for row in self.grid for n in row}) > 1

    def colors(self) -> list[int]:
        """The colours of the grid."""
        return sorted({number for row in self.grid for number in row})

    def right(self) -> dict[int, tuple[int, int]]:
        """For each colour, how many regions it has and how large the largest is."""
        sizes: dict[int, list[int]] = {color: [] for color in self.colors()}
        for patch in patches(self.grid):
            row, column = patch[0]
            sizes[self.grid[row][column]].append(len(patch))
        return {color: (len(areas), max(areas)) for color, areas in sizes.items()}

    def prompt(self) -> str:
        task = self.phrase(
            "The numbers of this grid are colours.", "Each number in this grid stands for a colour."
        )
        return (
            f"{task} Two cells of the same colour belong to the same region if a path of steps up, "
            "down, left and right through cells of that colour alone leads from one to the other; "
            f"diagonal steps do not count.\n\n{text(self.grid)}\n\nHow many regions does each "
            "colour have, and how many cells does its largest region have? Write one line for "
            "each colour: the colour, a colon, the number of regions and the size of the largest, "
            f"such as '{self.colors()[0]}: 17 29'."
        )

    def scene(self) -> scenes.Grid:
        cells = (tuple(scenes.Cell(str(n), fill=f"t{n - 1}") for n in row) for row in self.grid)
        return scenes.Grid(tuple(cells))

    def answer(self) -> str:
        return "\n".join(f"{color}: {n} {size}" for color, (n, size) in self.right().items())

    def verify(self, answer: str) -> Score:
        values = pairs(answer, names=[str(color) for color in self.colors()])
        mistakes = []
        for color, right in self.right().items():
            if ";" in values[str(color)]:
                raise InvalidAnswer("expected two numbers for each colour, such as '1: 17 29'")
            count, size = integers(values[str(color)], 2)
            mistakes += [f"the number of regions of colour {color} is wrong"] * (count != right[0])
            mistakes += [f"the size of the largest region of colour {color} is wrong"] * (
                size != right[1]
            )
        parts = {"progress": 1 - len(mistakes) / (2 * len(values))}
        return Score(0, mistakes[0], parts) if mistakes else Score(1, "", parts)

    def difficulty(self) -> float:
        return float(len(self.grid) ** 2)

    def audit(self, answer: str) -> bool:
        """Join cells with their neighbours until nothing changes."""
        label: dict[Cell, int] = {}
        side = len(self.grid)
        cells = [(r, c) for r in range(side) for c in range(side)]
        label = {cell: n for n, cell in enumerate(cells)}
        while True:
            best = {
                (r, c): min(
                    [label[r, c]]
                    + [label[t] for t in beside((r, c), self.grid)
                       if self.grid[t[0]][t[1]] == self.grid[r][c]]
                )
                for r, c in cells
            }  # fmt: skip
            if best == label:
                break
            label = best
        lines = []
        for color in self.colors():
            sizes = [label[r, c] for r, c in cells if self.grid[r][c] == color]
            lines.append(f"{color}: {len(set(sizes))} {max(map(sizes.count, sizes))}")
        return sorted(" ".join(line.split()) for line in answer.splitlines()) == sorted(lines)

    def shortcuts(self) -> Iterable[str]:
        yield "\n".join(f"{color}: 3 6" for color in self.colors())
        yield "\n".join(f"{color}: 4 5" for color in self.colors())
