"""Facts of plane geometry about angles, in words and as linear equations."""

from collections.abc import Sequence
from random import Random
from typing import Literal, NamedTuple

Kind = Literal[
    "line", "parallel", "cointerior", "triangle", "apex", "base", "exterior", "four", "cyclic",
    "centre", "bisector", "more", "times",
]  # fmt: skip

WORDS: dict[Kind, str] = {
    "line": "Angles {0} and {1} are adjacent and together form a straight line.",
    "parallel": "Angles {0} and {1} are alternate angles where a line crosses two parallel lines.",
    "cointerior": "A line crosses two parallel lines; angles {0} and {1} are on the same side of "
    "it, both between the parallel lines.",
    "triangle": "Angles {0}, {1} and {2} are the angles of a triangle.",
    "apex": "Two sides of a triangle are equally long. They enclose angle {0}; angle {1} is "
    "another angle of the triangle.",
    "base": "Two sides of a triangle are equally long. They enclose angle {1}; angle {0} is "
    "another angle of the triangle.",
    "exterior": "Angle {2} is an exterior angle of a triangle, and angles {0} and {1} are its "
    "interior angles at the other two corners.",
    "four": "Angles {0}, {1}, {2} and {3} are the angles of a quadrilateral.",
    "cyclic": "Angles {0} and {1} are opposite angles of a quadrilateral whose corners lie on a "
    "circle.",
    "centre": "Angle {0} has its vertex on a circle, angle {1} at the centre of that circle; "
    "both subtend the same arc.",
    "bisector": "Angle {1} is one of the two parts into which angle {0} is bisected.",
    "more": "Angles {0}, {1} and {2} are the angles of a triangle, and angle {2} is {3} degrees "
    "larger than angle {1}.",
    "times": "Angles {0}, {1} and {2} are the angles of a triangle, and angle {2} is {3} times as "
    "large as angle {1}.",
}

LEVELS: tuple[tuple[Kind, ...], ...] = (
    ("line", "triangle", "parallel"),
    ("line", "triangle", "parallel", "cointerior", "apex", "base", "exterior"),
    (
        *("line", "triangle", "cointerior", "apex", "base", "exterior", "four", "cyclic"),
        *("centre", "bisector"),
    ),
    (
        *("triangle", "apex", "base", "exterior", "four", "cyclic", "centre", "bisector"),
        *("more", "times"),
    ),
)
"""The pools of facts, the simplest first."""


class Fact(NamedTuple):
    """A fact about numbered angles, with a number for some kinds."""

    relation: Kind
    angles: tuple[int, ...]
    number: int = 0

    def as_text(self) -> str:
        """The fact in words."""
        return WORDS[self.relation].format(*self.angles, self.number)


class Equation(NamedTuple):
    """A sum of multiples of angles that equals a number of degrees."""

    terms: tuple[tuple[int, int], ...]
    """Pairs of an angle and its coefficient."""
    total: int


def equations(fact: Fact) -> list[Equation]:
    """The equations of a fact.

    >>> equations(Fact("line", (1, 2)))
    [Equation(terms=((1, 1), (2, 1)), total=180)]
    """
    one, *others = fact.angles
    match fact.relation:
        case "line" | "cointerior" | "cyclic" | "triangle":
            return [Equation(tuple((angle, 1) for angle in fact.angles), 180)]
        case "four":
            return [Equation(tuple((angle, 1) for angle in fact.angles), 360)]
        case "parallel":
            return [Equation(((one, 1), (others[0], -1)), 0)]
        case "apex":
            return [Equation(((one, 1), (others[0], 2)), 180)]
        case "base":
            return [Equation(((one, 2), (others[0], 1)), 180)]
        case "exterior":
            return [Equation(((one, 1), (others[0], 1), (others[1], -1)), 0)]
        case "centre":
            return [Equation(((one, 2), (others[0], -1)), 0)]
        case "bisector":
            return [Equation(((one, 1), (others[0], -2)), 0)]
    whole = Equation(tuple((angle, 1) for angle in fact.angles), 180)
    if fact.relation == "more":
        return [whole, Equation(((others[1], 1), (others[0], -1)), fact.number)]
    return [whole, Equation(((others[1], 1), (others[0], -fact.number)), 0)]


def continued(
    rng: Random, relation: Kind, known: Sequence[int], first: int
) -> tuple[Fact, list[int]]:
    """A fact that determines a new angle, and the sizes of all angles that it adds.

    There are no sizes if they would not be whole or not moderate. The known angles are numbered
    from ``first`` on.
    """
    number = len(known)
    start, new = first + number - 1, first + number
    size = known[-1]
    if relation in ("triangle", "exterior"):
        other = rng.randrange(number - 1) if number > 1 and rng.random() < 0.5 else -1
        second = known[other] if other >= 0 else rng.randint(15, 90)
        last = size + second if relation == "exterior" else 180 - size - second
        if other >= 0:
            return Fact(relation, (start, first + other, new)), _whole([last])
        return Fact(relation, (start, new, new + 1)), _whole([second, last])
    if relation == "four":
        two = [rng.randint(40, 130), rng.randint(40, 130)]
        angles = tuple(range(start, start + 4))
        return Fact(relation, angles), _whole([*two, 360 - size - sum(two)])
    if relation in ("more", "times"):
        by = rng.randint(2, 5) if relation == "times" else 2 * rng.randint(3, 25) + size % 2
        part, rest = (
            divmod(180 - size - by, 2) if relation == "more" else divmod(180 - size, by + 1)
        )
        third = part + by if relation == "more" else part * by
        fact = Fact(relation, (start, new, new + 1), by)
        return fact, [] if rest else _whole([part, third])
    doubled = {
        "line": 360 - 2 * size,
        "cointerior": 360 - 2 * size,
        "cyclic": 360 - 2 * size,
        "parallel": 2 * size,
        "apex": 180 - size,
        "base": 360 - 4 * size,
        "centre": 4 * size,
        "bisector": size,
    }[relation]
    return Fact(relation, (start, new)), [] if doubled % 2 else _whole([doubled // 2])


def _whole(sizes: list[int]) -> list[int]:
    return sizes if all(10 <= size <= 170 for size in sizes) else []
