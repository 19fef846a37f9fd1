"""Areas from coordinates: the surveyor's formula (Meister, 1769), Pick's theorem (1899)."""

from collections.abc import Iterable
from fractions import Fraction
from random import Random
from typing import Literal, Self

from palaestra.generators.geometry.lattice import (
    Point,
    area,
    boundary,
    common,
    doubled,
    hull,
    inside,
    random_polygon,
    simple,
)
from palaestra.scenes import Plane
from palaestra.scenes import Polygon as Figure
from palaestra.task import Derivation, Puzzle, Score, Step, ladder
from palaestra.verifiers.reading.numbers import rationals
from palaestra.verifiers.reading.values import joined

Polygon = tuple[Point, ...]


class CoordinateAreas(Puzzle):
    """Find areas of polygons, lattice points in them, or the area of the intersection of two."""

    tags = {"geometry", "fractions", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        corners: int = ladder(3, 4, 5, 6, 3, 5, 8, high=12)
        largest: int = ladder(12, 12, 12, 20, 9, 12, 20, low=6, high=60)
        about: Literal["area", "points", "common"] = ladder(
            "area", "area", "points", "points", "common"
        )

    about: Literal["area", "points", "common"]
    polygons: tuple[Polygon, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        if knobs.about != "common":
            polygon = random_polygon(rng, knobs.corners, knobs.largest)
            return cls(about=knobs.about, polygons=(polygon,))
        pair = tuple(_convex(rng, knobs.corners, knobs.largest) for _ in "12")
        return cls(about="common", polygons=pair)

    def is_valid(self) -> bool:
        if self.about == "common":
            shared = area(common(*self.polygons))
            return all(shared != area(_exact(p)) for p in self.polygons) and shared > 1
        polygon = self.polygons[0]
        hard = str(self.values()[0]) not in self.shortcuts()
        return hard and simple(polygon) and abs(doubled(polygon)) > 20

    def canonical(self) -> str:
        """The polygons counterclockwise, from their least corners."""
        polygons = []
        for polygon in self.polygons:
            one = polygon if doubled(polygon) > 0 else polygon[::-1]
            first = one.index(min(one))
            polygons.append(one[first:] + one[:first])
        return f"{self.about} {sorted(polygons)}"

    def values(self) -> list[Fraction]:
        """The numbers to give."""
        if self.about == "common":
            return [area(common(*self.polygons))]
        twice, sides = abs(doubled(self.polygons[0])), boundary(self.polygons[0])
        if self.about == "area":
            return [Fraction(twice, 2)]
        return [Fraction(twice, 2), Fraction(sides), Fraction(twice - sides + 2, 2)]

    def prompt(self) -> str:
        rows = [joined([f"({x}, {y})" for x, y in polygon]) for polygon in self.polygons]
        if self.about == "common":
            return (
                f"Two convex polygons have their corners, listed in order along the boundary, at\n"
                f"{rows[0]}\nand at\n{rows[1]}\n\n"
                + self.phrase(
                    "What is the area of the part of the plane that both of them cover?",
                    "How large is the area of their intersection?",
                )
                + " Give it exactly, as a whole number or a fraction such as '59/14'."
            )
        text = f"A polygon has its corners, listed in order along the boundary, at\n{rows[0]}\n\n"
        if self.about == "area":
            ask = self.phrase("What is its area?", "How large is the area that it encloses?")
            return f"{text}{ask} Give it exactly, such as '45/2' or '22.5'."
        ask = self.phrase(
            "What is its area, how many points with two whole coordinates are on its boundary "
            "(corners included), and how many of them are strictly inside?",
            "Find its area, the number of points with two whole coordinates on its boundary "
            "(corners included) and the number of such points strictly inside.",
        )
        return f"{text}{ask} Answer with these three numbers in this order, such as '45/2, 7, 20'."

    def scene(self) -> Plane:
        """The polygons with the coordinates of their corners."""
        figures = [
            Figure(polygon, fill=fill, names=tuple(f"({x}, {y})" for x, y in polygon))
            for polygon, fill in zip(self.polygons, ("t0", "none"))
        ]
        return Plane(tuple(figures), axes=True)

    def answer(self) -> str:
        return joined(self.values())

    def verify(self, answer: str) -> Score:
        right = self.values()
        values = rationals(answer, len(right))
        wrong = [n for n, (a, b) in enumerate(zip(values, right), 1) if a != b]
        return Score(0, f"number {wrong[0]} is wrong") if wrong else Score(1)

    def derivation(self) -> Derivation:
        """The shoelace formula, for the area of one polygon."""
        if self.about != "area":
            return
        [polygon] = self.polygons
        total: int | None = None
        for (a, b), (c, d) in zip(polygon, [*polygon[1:], polygon[0]]):
            part = yield Step(f"{a} * {d} - {c} * {b}", a * d - c * b)
            total = part if total is None else (yield Step(f"{total} + {part}", total + part))
        yield Step(f"|{total}| / 2", Fraction(abs(total or 0), 2))

    def audit(self, answer: str) -> bool | None:
        """Count the points one by one."""
        if self.about != "points":
            return None
        polygon = self.polygons[0]
        xs, ys = zip(*polygon)
        plane = [(x, y) for x in range(min(xs), max(xs) + 1) for y in range(min(ys), max(ys) + 1)]
        points = [inside(point, polygon) for point in plane]
        values = rationals(answer, 3)
        within, sides = points.count(True), points.count(None)
        return values == [within + Fraction(sides, 2) - 1, sides, within]

    def difficulty(self) -> float:
        corners = sum(map(len, self.polygons))
        return float({"area": 2, "points": 5, "common": 9}[self.about] * corners)

    def shortcuts(self) -> Iterable[str]:
        for polygon in self.polygons:  # the bounding box, and half of it
            xs, ys = zip(*polygon)
            box = (max(xs) - min(xs)) * (max(ys) - min(ys))
            yield from (str(box), str(Fraction(box, 2)))


def _exact(polygon: Polygon) -> list[tuple[Fraction, Fraction]]:
    return [(Fraction(x), Fraction(y)) for x, y in polygon]


def _convex(rng: Random, corners: int, largest: int) -> Polygon:
    """A random convex polygon that covers at least an eighth of its square."""
    while True:
        far = [(rng.randint(-largest, largest), rng.randint(-largest, largest)) for _ in range(40)]
        points = hull(far[: 4 * corners - 8] if corners > 3 else far[:3])
        if len(points) >= corners:
            points = tuple(points[n] for n in sorted(rng.sample(range(len(points)), corners)))
            if doubled(points) > largest * largest:
                return points
