"""Shikaku, by Yoshinao Anpuku (Nikoli, 1989): a grid cut into rectangles of given areas."""

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Self

from palaestra.generators.baselines import filled, fillings
from palaestra.generators.bitsets import ones
from palaestra.generators.cells import COUNTED, images, in_rows, text
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.marks import Sheet, exactly
from palaestra.generators.grids.pencil import Grid, Pencil, SearchResult, as_grid, by_cell
from palaestra.generators.grids.shikaku import (
    Box,
    around,
    cells_of,
    cut_up,
    numbered,
    rectangles,
    solve,
)
from palaestra.scenes import Border, Cell
from palaestra.scenes import Grid as Picture
from palaestra.scenes.elements import changed
from palaestra.task import InvalidAnswer, Score, ladder
from palaestra.verifiers.reading.cells import cell_name, cell_pairs


class Shikaku(Pencil):
    """Cut a grid into rectangles that hold one number each, which is their area."""

    tags = {"grid", "exact-cover", "geometry", "unique-solution"}
    baseline_note = (
        "a number with one rectangle left is no choice, and such steps lead through half "
        "of the boards of the middle level and through some of the largest"
    )
    answer_type = "cells"

    class Knobs(Pencil.Knobs):
        size: int = ladder(4, 5, 6, 7, 8, 9, 11, low=3)
        area: int = ladder(4, 6, 6, 8, 9, 10, 12, low=3)  # of the largest

    numbers: Grid

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        numbers = None
        while numbers is None:
            numbers = numbered(rng, size, cut_up(rng, size, knobs.area))
        return cls(numbers=as_grid(numbers, size, size))

    def solved(self) -> SearchResult[int]:
        return solve(by_cell(self.numbers), len(self.numbers))[1]

    def canonical(self) -> str:
        return str(min(images(self.numbers)))

    def alterations(self, rng: Random) -> Iterator[Self]:
        """Two numbers change places."""
        flat = [number for row in self.numbers for number in row]
        for numbers in exchanges(flat, rng, lambda cell: True if flat[cell] else None):
            rows = tuple(map(tuple, in_rows(numbers, len(self.numbers))))
            yield self.model_copy(update={"numbers": rows})

    def prompt(self) -> str:
        size = len(self.numbers)
        rules = self.phrase(
            f"Cut this grid of {size} rows and {size} columns along its lines into rectangles "
            "(squares are rectangles too), so that every cell is in exactly one of them. Each "
            "rectangle must contain exactly one number, and the number must be the number of cells "
            "of the rectangle. A dot is a cell without a number.",
            f"Divide a square of {size} by {size} cells into rectangular blocks that do not "
            "overlap and leave nothing out. In every block there is exactly one number, anywhere "
            "in it, which is its area in cells; all other cells of the block are dots.",
        )
        return (
            f"{rules} There is exactly one way to do it. {COUNTED}: r1c2 is the cell in row 1, "
            f"column 2.\n\n{text([[n or '.' for n in row] for row in self.numbers])}\n\nAnswer "
            "with one line for each rectangle, in any order: its top left cell and its bottom "
            f"right cell, such as 'r1c2-r{size}c{size}'. A rectangle of a single cell has that "
            "cell twice."
        )

    def scene(self) -> Picture:
        cells = (tuple(Cell(str(n or ""), fixed=n > 0) for n in row) for row in self.numbers)
        return Picture(tuple(cells), coordinates=True)

    def solved_scene(self, answer: str) -> Picture:
        size = len(self.numbers)
        corners = ((*divmod(start, size), *divmod(end, size)) for start, end in self.read(answer))
        frames = tuple(
            Border(
                ((a, b), (a, d + 1), (c + 1, d + 1), (c + 1, b), (a, b)), tone="accent", width=0.12
            )
            for a, b, c, d in corners
        )
        return changed(self.scene(), borders=frames)

    def answer(self) -> str:
        boxes, solution = solve(by_cell(self.numbers), len(self.numbers))
        return self.written(boxes[n] for n in ones(solution.solutions[0]))

    def written(self, boxes: Iterable[Box]) -> str:
        """Rectangles as an answer."""
        size = len(self.numbers)
        names = ([cell_name(*divmod(corner, size)) for corner in box] for box in sorted(boxes))
        return "\n".join(map("-".join, names))

    def read(self, answer: str) -> list[Box]:
        """The rectangles of an answer."""
        size = len(self.numbers)
        rectangles: list[Box] = []
        for (top, left), (bottom, right) in cell_pairs(answer, size, size):
            if top > bottom or left > right:
                raise InvalidAnswer(
                    "expected the top left cell of each rectangle, then its bottom right cell"
                )
            rectangles.append((top * size + left, bottom * size + right))
        return rectangles

    def verify(self, answer: str) -> Score:
        size = len(self.numbers)
        boxes, areas = self.read(answer), by_cell(self.numbers)
        covered: set[int] = set()
        for number, box in enumerate(boxes, 1):
            cells = cells_of(box, size)
            if not covered.isdisjoint(cells):
                return Score(0, f"rectangle {number} of the answer overlaps one before it")
            covered.update(cells)
            inside = [areas[n] for n in cells if n in areas]
            if inside != [len(cells)]:
                return Score(
                    0, f"rectangle {number} of the answer does not hold one number, its area"
                )
        if len(covered) < size * size:
            return Score(0, f"{size * size - len(covered)} cells are in no rectangle")
        return Score(1)

    def audit(self, answer: str) -> bool:
        return sorted(self.read(answer)) == sorted(self.read(self.answer()))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, area=4)

    def candidates(self) -> Iterable[str]:
        boxes = rectangles(3)
        holding = ([n for n, box in enumerate(boxes) if c in cells_of(box, 3)] for c in range(9))
        whole = tuple(exactly(some, 1) for some in holding)
        for chosen in Sheet(len(boxes), whole).solve(limit=1000).solutions:
            yield self.written(boxes[n] for n in ones(chosen))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Cut out a rectangle of each number in turn that overlaps none before it."""
        size, areas = len(self.numbers), by_cell(self.numbers)
        boxes = {
            cell: [
                box
                for box in around(cell, area, size)
                if sum(n in areas for n in cells_of(box, size)) == 1
            ]
            for cell, area in areas.items()
        }

        def options(cell: int, cut: Mapping[int, Box]) -> list[Box]:
            covered = {n for box in cut.values() for n in cells_of(box, size)}
            return [box for box in boxes[cell] if covered.isdisjoint(cells_of(box, size))]

        players = fillings([*areas], options, rng)
        largest = sorted(areas, key=lambda cell: -areas[cell])
        players["greatest number first"] = filled(largest, options, rng)
        return {player: self.written(cut.values()) for player, cut in players.items()}
