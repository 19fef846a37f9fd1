"""The shapes of marks and of the pips of dice, in a cell from (0, 0) to (1, 1)."""

from collections.abc import Callable
from functools import cache
from math import cos, pi, sin

from palaestra.scenes.elements import Mark, Tone
from palaestra.scenes.shapes import XY, Disc, Path, Rectangle, Shape

ON_MARK = {"disc", "square", "diamond", "box", "key", "lock", "door"}
"""Marks on which a text has the colour that contrasts with theirs."""

Draw = Callable[[Tone], tuple[Shape, ...]]

_AROUND = {
    "right": 0, "down-right": 45, "down": 90, "down-left": 135,
    "left": 180, "up-left": 225, "up": 270, "up-right": 315,
}  # fmt: skip

ARROWS = frozenset(_AROUND)
"""The marks that point in a direction."""


@cache
def mark_shapes(mark: Mark, tone: Tone) -> tuple[Shape, ...]:
    """The shapes of a mark in a colour."""
    if not mark:
        return ()
    if mark in _AROUND:
        return _arrow(_AROUND[mark], tone)
    return _MARKS[mark](tone)


def _arrow(degrees: float, tone: Tone) -> tuple[Shape, ...]:
    turn = pi * degrees / 180
    c, s = cos(turn), sin(turn)

    def at(x: float, y: float) -> XY:
        return 0.5 + c * x - s * y, 0.5 + s * x + c * y

    head = (at(0.34, 0), at(0.02, -0.24), at(0.02, 0.24))
    return (
        Path((at(-0.32, 0), at(0.1, 0)), stroke=tone, line=0.12),
        Path(head, fill=tone, closed=True),
    )


def _polygon(*points: XY) -> Callable[[Tone], tuple[Shape, ...]]:
    return lambda tone: (Path(points, fill=tone, closed=True),)


def _strokes(*lines: tuple[XY, ...], line: float = 0.1) -> Callable[[Tone], tuple[Shape, ...]]:
    return lambda tone: tuple(Path(points, stroke=tone, line=line) for points in lines)


def _star(tone: Tone) -> tuple[Shape, ...]:
    points = [
        (0.5 + radius * sin(pi * n / 5), 0.53 - radius * cos(pi * n / 5))
        for n in range(10)
        for radius in (0.4 if n % 2 == 0 else 0.17,)
    ]
    return (Path(tuple(points), fill=tone, closed=True),)


def _heart(tone: Tone) -> tuple[Shape, ...]:
    return (
        Disc(0.36, 0.4, 0.17, fill=tone),
        Disc(0.64, 0.4, 0.17, fill=tone),
        Path(((0.21, 0.47), (0.5, 0.82), (0.79, 0.47), (0.5, 0.38)), fill=tone, closed=True),
    )


def _spade(tone: Tone) -> tuple[Shape, ...]:
    return (
        Disc(0.36, 0.55, 0.16, fill=tone),
        Disc(0.64, 0.55, 0.16, fill=tone),
        Path(((0.21, 0.5), (0.5, 0.16), (0.79, 0.5), (0.5, 0.62)), fill=tone, closed=True),
        Path(((0.5, 0.5), (0.6, 0.84), (0.4, 0.84)), fill=tone, closed=True),
    )


def _club(tone: Tone) -> tuple[Shape, ...]:
    leaves = [Disc(x, y, 0.15, fill=tone) for x, y in ((0.5, 0.32), (0.34, 0.54), (0.66, 0.54))]
    return (*leaves, Path(((0.5, 0.45), (0.6, 0.84), (0.4, 0.84)), fill=tone, closed=True))


def _bulb(tone: Tone) -> tuple[Shape, ...]:
    return (
        Disc(0.5, 0.42, 0.24, fill=tone),
        Rectangle(0.41, 0.64, 0.18, 0.18, fill="shade", radius=0.04),
    )


def _tree(tone: Tone) -> tuple[Shape, ...]:
    return (
        Rectangle(0.45, 0.6, 0.1, 0.26, fill="c7"),
        Path(((0.5, 0.12), (0.8, 0.66), (0.2, 0.66)), fill=tone, closed=True),
    )


def _flag(tone: Tone) -> tuple[Shape, ...]:
    return (
        Path(((0.36, 0.16), (0.36, 0.86)), stroke="ink", line=0.07),
        Path(((0.38, 0.16), (0.78, 0.32), (0.38, 0.5)), fill=tone, closed=True),
    )


def _mine(tone: Tone) -> tuple[Shape, ...]:
    rays = [
        Path(((0.5 - x, 0.5 - y), (0.5 + x, 0.5 + y)), stroke=tone, line=0.06)
        for x, y in ((0.36, 0), (0, 0.36), (0.25, 0.25), (0.25, -0.25))
    ]
    return (*rays, Disc(0.5, 0.5, 0.24, fill=tone))


def _person(tone: Tone) -> tuple[Shape, ...]:
    body = ((0.24, 0.86), (0.3, 0.56), (0.7, 0.56), (0.76, 0.86))
    return Disc(0.5, 0.32, 0.17, fill=tone), Path(body, fill=tone, closed=True)


def _box(tone: Tone) -> tuple[Shape, ...]:
    return (Rectangle(0.16, 0.16, 0.68, 0.68, fill=tone, stroke="ink", line=0.04, radius=0.05),)


def _piece(*points: XY, discs: tuple[tuple[float, float, float], ...] = ()) -> Draw:
    """A silhouette whose right half mirrors ``points``, from the top down, with discs on it."""
    outline = (*points, *((1 - x, y) for x, y in reversed(points)))

    def shapes(tone: Tone) -> tuple[Shape, ...]:
        balls = [Disc(x, y, radius, tone, "ink", 0.035) for x, y, radius in discs]
        return (Path(outline, tone, "ink", 0.035, closed=True), *balls)

    return shapes


def _knight(tone: Tone) -> tuple[Shape, ...]:
    head = (
        (0.26, 0.88), (0.3, 0.76), (0.42, 0.66), (0.46, 0.56), (0.36, 0.58), (0.28, 0.67),
        (0.18, 0.63), (0.17, 0.54), (0.26, 0.42), (0.31, 0.28), (0.38, 0.22), (0.39, 0.09),
        (0.5, 0.18), (0.64, 0.24), (0.74, 0.38), (0.78, 0.6), (0.78, 0.88),
    )  # fmt: skip
    return Path(head, tone, "ink", 0.035, closed=True), Disc(0.39, 0.36, 0.035, "shade")


def _cat(tone: Tone) -> tuple[Shape, ...]:
    ears = (
        (0.2, 0.6), (0.2, 0.14), (0.42, 0.32), (0.58, 0.32), (0.8, 0.14), (0.8, 0.6)
    )  # fmt: skip
    eyes = [Disc(x, 0.5, 0.05, "paper") for x in (0.38, 0.62)]
    nose = Path(((0.45, 0.62), (0.55, 0.62), (0.5, 0.69)), "paper", closed=True)
    return Path(ears, tone, closed=True), Disc(0.5, 0.56, 0.31, tone), *eyes, nose


def _key(tone: Tone) -> tuple[Shape, ...]:
    shaft = ((0.6, 0.43), (0.98, 0.43), (0.98, 0.66), (0.9, 0.66), (0.9, 0.57), (0.84, 0.57),
             (0.84, 0.66), (0.76, 0.66), (0.76, 0.57), (0.6, 0.57))  # fmt: skip
    return (
        Path(shaft, tone, "ink", 0.03, closed=True),
        Disc(0.42, 0.5, 0.3, tone, "ink", 0.03),
    )


def _lock(tone: Tone) -> tuple[Shape, ...]:
    return (
        Disc(0.5, 0.3, 0.2, stroke="ink", line=0.1),
        Rectangle(0.18, 0.28, 0.64, 0.6, tone, "ink", 0.03, 0.06),
    )


def _door(tone: Tone) -> tuple[Shape, ...]:
    return (
        Rectangle(0.2, 0.08, 0.6, 0.84, tone, "ink", 0.03),
        Disc(0.72, 0.74, 0.05, "shade"),
    )


_MARKS: dict[str, Callable[[Tone], tuple[Shape, ...]]] = {
    "disc": lambda tone: (Disc(0.5, 0.5, 0.36, fill=tone, stroke="ink", line=0.03),),
    "ring": lambda tone: (Disc(0.5, 0.5, 0.32, stroke=tone, line=0.08),),
    "dot": lambda tone: (Disc(0.5, 0.5, 0.1, fill=tone),),
    "square": lambda tone: (Rectangle(0.2, 0.2, 0.6, 0.6, fill=tone, radius=0.06),),
    "diamond": _polygon((0.5, 0.14), (0.86, 0.5), (0.5, 0.86), (0.14, 0.5)),
    "triangle": _polygon((0.5, 0.18), (0.84, 0.8), (0.16, 0.8)),
    "tent": _polygon(
        (0.5, 0.2), (0.86, 0.82), (0.58, 0.82), (0.5, 0.6), (0.42, 0.82), (0.14, 0.82)
    ),
    "cross": _strokes(((0.26, 0.26), (0.74, 0.74)), ((0.74, 0.26), (0.26, 0.74))),
    "slash": _strokes(((0.0, 1.0), (1.0, 0.0))),
    "backslash": _strokes(((0.0, 0.0), (1.0, 1.0))),
    "horizontal": _strokes(((0.15, 0.5), (0.85, 0.5))),
    "minus": _strokes(((0.25, 0.5), (0.75, 0.5))),
    "vertical": _strokes(((0.5, 0.15), (0.5, 0.85))),
    "plus": _strokes(((0.25, 0.5), (0.75, 0.5)), ((0.5, 0.25), (0.5, 0.75))),
    "chevron-up": _strokes(((0.1, 0.75), (0.5, 0.25), (0.9, 0.75)), line=0.2),
    "chevron-down": _strokes(((0.1, 0.25), (0.5, 0.75), (0.9, 0.25)), line=0.2),
    "chevron-left": _strokes(((0.75, 0.1), (0.25, 0.5), (0.75, 0.9)), line=0.2),
    "chevron-right": _strokes(((0.25, 0.1), (0.75, 0.5), (0.25, 0.9)), line=0.2),
    "star": _star,
    "heart": _heart,
    "spade": _spade,
    "club": _club,
    "bulb": _bulb,
    "tree": _tree,
    "flag": _flag,
    "mine": _mine,
    "person": _person,
    "box": _box,
    "king": _piece(
        (0.46, 0.08), (0.46, 0.16), (0.37, 0.16), (0.37, 0.24), (0.46, 0.24), (0.46, 0.4),
        (0.34, 0.34), (0.2, 0.38), (0.16, 0.52), (0.29, 0.7), (0.24, 0.88),
    ),
    "queen": _piece(
        (0.5, 0.2), (0.42, 0.48), (0.3, 0.24), (0.29, 0.54), (0.14, 0.41), (0.27, 0.72),
        (0.24, 0.88),
        discs=((0.5, 0.17, 0.06), (0.3, 0.21, 0.06), (0.7, 0.21, 0.06), (0.14, 0.38, 0.06),
               (0.86, 0.38, 0.06)),
    ),
    "rook": _piece(
        (0.45, 0.16), (0.45, 0.25), (0.37, 0.25), (0.37, 0.16), (0.27, 0.16), (0.27, 0.36),
        (0.34, 0.44), (0.32, 0.7), (0.22, 0.77), (0.22, 0.88),
    ),
    "bishop": _piece(
        (0.5, 0.18), (0.36, 0.36), (0.34, 0.5), (0.42, 0.62), (0.38, 0.73), (0.25, 0.79),
        (0.25, 0.88), discs=((0.5, 0.14, 0.07),),
    ),
    "knight": _knight,
    "pawn": _piece(
        (0.45, 0.46), (0.36, 0.5), (0.44, 0.54), (0.4, 0.7), (0.27, 0.79), (0.27, 0.88),
        discs=((0.5, 0.34, 0.15),),
    ),
    "cat": _cat,
    "key": _key,
    "lock": _lock,
    "door": _door,
}  # fmt: skip

_PIPS = {
    1: "11", 2: "00 22", 3: "00 11 22", 4: "00 02 20 22", 5: "00 02 11 20 22",
    6: "00 02 10 12 20 22",
}  # fmt: skip


def pip_shapes(number: int, tone: Tone) -> tuple[Shape, ...]:
    """The pips of a die that shows ``number``, from 1 to 6."""
    spots = [(int(spot[0]), int(spot[1])) for spot in _PIPS[number].split()]
    return tuple(Disc(0.26 + 0.24 * x, 0.26 + 0.24 * y, 0.085, fill=tone) for y, x in spots)
