"""The centres of a triangle: Euler on their line (1765), Feuerbach on his circle (1822)."""

from collections.abc import Mapping
from fractions import Fraction
from math import isqrt
from random import Random
from typing import Literal, Self

from palaestra.generators.geometry.triangle_centres import (
    Exact,
    Point,
    lattice_point,
    points,
    squares,
    with_whole_sides,
)
from palaestra.scenes import Plane, Polygon
from palaestra.scenes import Point as Dot
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.numbers import rationals
from palaestra.verifiers.reading.values import joined

NAMES: dict[str, str] = {
    "centroid": "the intersection of the medians",
    "circumcentre": "the centre of the circle through A, B and C",
    "orthocentre": "the intersection of the altitudes",
    "foot": "the foot of the altitude from A, on the line through B and C",
    "mirror": "the image of A when it is reflected in the line through B and C",
    "nine": "the centre of the circle through the midpoints of the three sides",
    "symmedian": "the point (a^2*A + b^2*B + c^2*C) / (a^2 + b^2 + c^2), where a, b and c are the "
    "lengths of BC, CA and AB",
    "incentre": "the centre of the inscribed circle, which touches all three sides",
}
POOLS: dict[str, tuple[str, ...]] = {
    "easy": ("centroid",),
    "two": ("centroid", "circumcentre"),
    "most": ("circumcentre", "orthocentre", "foot", "mirror", "nine"),
    "all": ("circumcentre", "orthocentre", "mirror", "nine", "symmedian", "incentre"),
}


class TriangleCentres(Puzzle):
    """Find the exact coordinates of centres of a triangle and of related points."""

    version = 3
    tags = {"geometry", "fractions", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        centres: int = ladder(1, 2, 2, 2, 3, 4, 5, high=5)
        largest: int = ladder(9, 9, 9, 12, 14, 20, 30, low=5, high=60)
        points: Literal["easy", "two", "most", "all"] = ladder("easy", "two", "most", "most", "all")

    corners: tuple[Point, Point, Point]
    centres: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        pool = POOLS[knobs.points]
        names = rng.sample(pool, min(knobs.centres, len(pool)))
        if "incentre" in names:
            corners = with_whole_sides(rng)
        else:
            a, b, c = (lattice_point(rng, knobs.largest) for _ in range(3))
            corners = (a, b, c)
        return cls(corners=corners, centres=tuple(names))

    def is_valid(self) -> bool:
        (ax, ay), (bx, by), (cx, cy) = self.corners
        if abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) < 5:
            return False
        if "incentre" in self.centres and not all(
            isqrt(s) ** 2 == s for s in squares(self.corners)
        ):
            return False
        corners = {(Fraction(x), Fraction(y)) for x, y in self.corners}
        return len(set(self.values().values()) - corners) == len(self.centres)

    def canonical(self) -> str:
        """The points, and the corners relative to the first one.

        Only the foot and the mirror image depend on which corner is A.
        """
        of_a = {"foot", "mirror"} & set(self.centres)
        (ax, ay), *others = self.corners if of_a else sorted(self.corners)
        return f"{sorted(self.centres)} {sorted((x - ax, y - ay) for x, y in others)}"

    def values(self) -> dict[str, Exact]:
        """The points to find."""
        known = points(self.corners)
        return {name: known[name] for name in self.centres}

    def prompt(self) -> str:
        corners = joined([f"{n} = ({x}, {y})" for n, (x, y) in zip("ABC", self.corners)])
        ask = self.phrase(
            f"A triangle has the corners {corners}. Find these points exactly:",
            f"The corners of a triangle are {corners}. What are the coordinates of these points?",
        )
        rows = "\n".join(f"{name}: {NAMES[name]}" for name in self.centres)
        return (
            f"{ask}\n\n{rows}\n\nAnswer with one line for each of them: its name as above, a "
            "colon, and its coordinates as whole numbers or fractions, such as "
            f"'{self.centres[0]}: (-31/7, 12)'."
        )

    def answer(self) -> str:
        return "\n".join(f"{name}: ({x}, {y})" for name, (x, y) in self.values().items())

    def scene(self) -> Plane:
        return self.view({})

    def solved_scene(self, answer: str) -> Plane:
        return self.view(self.read(answer))

    def view(self, centres: Mapping[str, Exact]) -> Plane:
        """The triangle, and some points, except for those that are very far from it."""
        names = tuple(f"{n} ({x}, {y})" for n, (x, y) in zip("ABC", self.corners))
        reach = 5 * max(abs(number) for corner in self.corners for number in corner)
        dots = [
            Dot(float(x), float(y), name)
            for name, (x, y) in centres.items()
            if max(abs(x), abs(y)) <= reach
        ]
        return Plane((Polygon(self.corners, names=names), *dots), axes=True)

    def read(self, answer: str) -> dict[str, Exact]:
        """The points of an answer by name."""
        return {name: _read(value) for name, value in pairs(answer, names=self.centres).items()}

    def verify(self, answer: str) -> Score:
        values = self.read(answer)
        wrong = [name for name, point in self.values().items() if values[name] != point]
        parts = {name: float(name not in wrong) for name in self.centres}
        parts["progress"] = 1 - len(wrong) / len(self.centres)
        return Score(0, f"wrong: {wrong[0]}", parts) if wrong else Score(1, "", parts)

    def difficulty(self) -> float:
        work = {"centroid": 2, "foot": 6, "circumcentre": 8, "orthocentre": 8, "mirror": 7}
        digits = max(len(str(abs(n))) for corner in self.corners for n in corner)
        return float(sum(work.get(name, 11) for name in self.centres) + digits)


def _read(text: str) -> Exact:
    x, y = rationals(text, what="two coordinates for each point, such as (1/2, 3)", names="xy")
    return x, y
