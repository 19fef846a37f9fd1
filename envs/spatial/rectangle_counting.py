"""Counting the rectangles in a drawing, an old kind of puzzle for the eye."""

import re
from collections.abc import Iterable, Iterator
from random import Random
from typing import Self

from palaestra.generators.spatial.rectangle_counting import (
    Box,
    picture_of,
    random_frame,
    rectangles,
)
from palaestra.generators.tiles import NOTHING
from palaestra.scenes import Border, Grid
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.numbers import integer
from palaestra.verifiers.reading.values import joined

_ACROSS, _DOWN = re.compile(r"[-+]{2,}"), re.compile(r"[|+]{2,}")

LABELS = ("all", "wide", "square", "empty")


class RectangleCounting(Puzzle):
    """Count the rectangles of several kinds in a drawing of overlapping frames."""

    tags = {"spatial", "counting", "perception", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        frames: int = ladder(
            3, 4, 5, 6, 7, 8, 10, low=2, high=16
        )  # that are picture_of; they make up more
        width: int = ladder(12, 16, 20, 24, 30, 36, 44, low=10, high=60)
        height: int = ladder(7, 8, 10, 12, 14, 16, 20, low=6, high=30)

    picture: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        boxes = [random_frame(rng, knobs.height, knobs.width) for _ in range(knobs.frames)]
        return cls(picture=picture_of(boxes, knobs.height, knobs.width))

    def is_valid(self) -> bool:
        return len(rectangles(self.picture)) <= 400

    def counted(self) -> dict[str, int]:
        """The number of rectangles of each kind."""
        boxes = rectangles(self.picture)
        sizes = [(bottom - top + 1, right - left + 1) for top, left, bottom, right in boxes]
        return {
            "all": len(boxes),
            "wide": sum(wide > high for high, wide in sizes),
            "square": sum(wide == high for high, wide in sizes),
            "empty": sum(map(self.is_empty, boxes)),
        }

    def is_empty(self, box: Box) -> bool:
        """Whether there is room inside a rectangle, and nothing picture_of there."""
        top, left, bottom, right = box
        inside = [row[left + 1 : right] for row in self.picture[top + 1 : bottom]]
        return any(inside) and not "".join(inside).strip(".")

    def prompt(self) -> str:
        drawing = "\n".join(self.picture)
        rules = self.phrase(
            "The drawing below consists of horizontal and vertical lines in a field of dots. A "
            "'-' is part of a horizontal line, a '|' part of a vertical line, and a '+' part of "
            "both (a corner or a crossing).",
            "Frames were drawn one over another on a sheet of dots, so that all of their lines can "
            "be seen: '-' where only a horizontal line runs, '|' where only a vertical one does, "
            "'+' where lines of both directions have a character in common.",
        )
        return (
            f"{rules} A rectangle is given by two different rows and two different columns such "
            "that the four characters where they meet are '+', all characters between these along "
            "the two rows are '-' or '+', and all characters between them along the two columns "
            "are '|' or '+'. It does not matter what is inside, nor whether other lines cross its "
            "sides, so frames that overlap can make up further rectangles. Every choice of rows "
            f"and columns that fits counts once.\n\n{drawing}\n\nCount the rectangles:\n"
            "all: all of them.\n"
            "wide: those that take up more columns than rows, counted in characters with the sides "
            "included.\n"
            "square: those that take up exactly as many columns as rows.\nempty: those with room "
            "inside (at least three rows and three columns, sides included) and nothing but dots "
            "there.\n\n"
            f"Write one line for each of {joined(LABELS)}, such as 'wide: 17'."
        )

    def scene(self) -> Grid:
        """The lines on dots, one for each character."""
        rows, columns = len(self.picture), len(self.picture[0])
        return Grid(
            ((NOTHING,) * (columns - 1),) * (rows - 1),
            borders=tuple(Border(line) for line in self.lines()),
            style="dots",
        )

    def lines(self) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Both ends of each horizontal line, and then of each vertical one, as (row, column)."""
        for n, row in enumerate(self.picture):
            for line in _ACROSS.finditer(row):
                yield (n, line.start()), (n, line.end() - 1)
        for n, column in enumerate("".join(signs) for signs in zip(*self.picture)):
            for line in _DOWN.finditer(column):
                yield (line.start(), n), (line.end() - 1, n)

    def answer(self) -> str:
        return "\n".join(f"{name}: {number}" for name, number in self.counted().items())

    def verify(self, answer: str) -> Score:
        counts = {name: integer(n) for name, n in pairs(answer, names=LABELS).items()}
        true = self.counted()
        wrong = [name for name in LABELS if counts[name] != true[name]]
        if wrong:
            return Score(0, f"wrong number: {wrong[0]}")
        return Score(1)

    def audit(self, answer: str) -> bool:
        counts = pairs(answer, names=LABELS)
        return {name: integer(counts[name]) for name in LABELS} == self.counted()

    def difficulty(self) -> float | None:
        return len(rectangles(self.picture)) + sum(row.count("+") for row in self.picture)

    def shortcuts(self) -> Iterable[str]:
        return ["all: 2\nwide: 2\nsquare: 0\nempty: 2", "all: 2\nwide: 1\nsquare: 0\nempty: 1"]
