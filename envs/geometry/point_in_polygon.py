"""Points in polygons, by counting the crossings of a ray (Shimrat, 1962)."""

from collections.abc import Iterable
from random import Random
from typing import Self

from palaestra.generators.geometry.lattice import (
    Point,
    doubled,
    inside,
    random_polygon,
    simple,
)
from palaestra.scenes import Plane, Polygon
from palaestra.scenes import Point as Dot
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.values import items, joined


class PointInPolygon(Puzzle):
    """Find which of several points are inside a polygon."""

    tags = {"geometry", "spatial", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        corners: int = ladder(4, 5, 7, 9, 11, 14, 18, low=3, high=20)
        points: int = ladder(7, 7, 8, 9, 10, 12, 14, low=6, high=16)
        largest: int = ladder(8, 9, 12, 15, 20, 30, 50, low=8, high=90)

    polygon: tuple[Point, ...]
    points: tuple[Point, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        polygon = random_polygon(rng, knobs.corners, knobs.largest)
        xs, ys = zip(*polygon)
        points: dict[Point, None] = {}
        for _ in range(50 * knobs.points):
            point = rng.randint(min(xs), max(xs)), rng.randint(min(ys), max(ys))
            if inside(point, polygon) is not None:
                points[point] = None
            if len(points) == knobs.points:
                break
        return cls(polygon=polygon, points=tuple(points))

    def is_valid(self) -> bool:
        inner = len(self.inner())
        enough = len(self.points) > 5 and 2 <= inner <= len(self.points) - 2
        return enough and simple(self.polygon) and self.answer() not in self.shortcuts()

    def canonical(self) -> str:
        one = self.polygon if doubled(self.polygon) > 0 else self.polygon[::-1]
        first = one.index(min(one))
        return f"{one[first:] + one[:first]} {sorted(self.points)}"

    def inner(self) -> list[str]:
        """The names of the points inside."""
        return [f"P{n}" for n, point in enumerate(self.points, 1) if inside(point, self.polygon)]

    def prompt(self) -> str:
        corners = joined([f"({x}, {y})" for x, y in self.polygon])
        points = "\n".join(f"P{n}: ({x}, {y})" for n, (x, y) in enumerate(self.points, 1))
        ask = self.phrase(
            "Which of the points below lie inside the polygon?",
            "Some of the points below lie inside the polygon, and some outside. Which lie inside?",
        )
        return (
            "A polygon has its corners, listed in order along the boundary (from the last corner "
            f"it goes back to the first), at\n{corners}\n\n{ask}\n\n{points}\n\nNone of them lies "
            "on the boundary. Answer with the names of those inside, in any order, separated by "
            "commas, such as 'P2, P5, P3'."
        )

    def answer(self) -> str:
        return joined(self.inner())

    def scene(self) -> Plane:
        return self.view(set())

    def solved_scene(self, answer: str) -> Plane:
        return self.view(set(self.read(answer)))

    def view(self, inner: set[str]) -> Plane:
        """The polygon and the points, of which those that are said to be inside are marked."""
        dots = []
        for n, (x, y) in enumerate(self.points, 1):
            name = f"P{n}"
            dots.append(
                Dot(x, y, f"{name} in", "accent") if name in inner else Dot(x, y, name, "ink")
            )
        return Plane((Polygon(self.polygon), *dots), axes=True)

    def read(self, answer: str) -> list[str]:
        """The names of the points that an answer lists."""
        labels = [item.upper() for item in items(answer, "a list of points", most=100)]
        names = {f"P{n}" for n in range(1, len(self.points) + 1)}
        if not set(labels) <= names or len(set(labels)) < len(labels):
            raise InvalidAnswer("not a list of the points' names, each at most once")
        return labels

    def verify(self, answer: str) -> Score:
        labels = self.read(answer)
        names = [f"P{n}" for n in range(1, len(self.points) + 1)]
        right = set(self.inner())
        wrong = sum((name in labels) != (name in right) for name in names)
        parts = {"progress": 1 - wrong / len(names)}
        return (
            Score(0, f"{wrong} points are classified wrongly", parts)
            if wrong
            else Score(1, "", parts)
        )

    def audit(self, answer: str) -> bool:
        """Compare with winding numbers."""
        labels = {item.upper() for item in answer.replace(",", " ").split()}
        return labels == {f"P{n}" for n, p in enumerate(self.points, 1) if _winds(p, self.polygon)}

    def difficulty(self) -> float:
        return float(len(self.polygon) * len(self.points))

    def random_baseline(self) -> float:
        return 0.5 ** len(self.points)

    def shortcuts(self) -> Iterable[str]:
        yield joined([f"P{n}" for n in range(1, len(self.points) + 1)])
        middle = max(max(map(abs, point)) for point in self.polygon) // 2
        near = (n for n, point in enumerate(self.points, 1) if max(map(abs, point)) <= middle)
        yield joined([f"P{n}" for n in near])


def _winds(point: Point, polygon: tuple[Point, ...]) -> int:
    """The winding number of a polygon around a point."""
    x, y = point
    winds = 0
    for (ax, ay), (bx, by) in zip(polygon, [*polygon[1:], polygon[0]]):
        left = (bx - ax) * (y - ay) - (x - ax) * (by - ay)
        winds += (ay <= y < by and left > 0) - (by <= y < ay and left < 0)
    return winds
