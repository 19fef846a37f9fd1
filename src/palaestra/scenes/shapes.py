"""What scenes are laid out as: rectangles, discs, paths and labels, with colours by role."""

from typing import Literal

from msgspec import Struct

from palaestra.scenes.elements import Tone

XY = tuple[float, float]


class Rectangle(Struct, frozen=True, omit_defaults=True, tag="rect"):
    """A rectangle by its upper left corner; ``line`` is the width of its border."""

    x: float
    y: float
    width: float
    height: float
    fill: Tone = "none"
    stroke: Tone = "none"
    line: float = 0
    radius: float = 0


class Disc(Struct, frozen=True, omit_defaults=True, tag="disc"):
    """A disc by its centre."""

    x: float
    y: float
    radius: float
    fill: Tone = "none"
    stroke: Tone = "none"
    line: float = 0


class Path(Struct, frozen=True, omit_defaults=True, tag="path"):
    """Straight lines from point to point, with round joins."""

    points: tuple[XY, ...]
    fill: Tone = "none"
    stroke: Tone = "none"
    line: float = 0
    closed: bool = False
    dashed: bool = False


class Label(Struct, frozen=True, omit_defaults=True, tag="label"):
    """A text of one line whose centre (or left or right end) is at a point."""

    x: float
    y: float
    text: str
    size: float
    tone: Tone = "ink"
    bold: bool = False
    anchor: Literal["middle", "start", "end"] = "middle"


Shape = Rectangle | Disc | Path | Label


class Tile(Struct, frozen=True, omit_defaults=True, tag="tile"):
    """Shapes of a cell, in coordinates from its upper left corner; equal cells share them."""

    x: float
    y: float
    shapes: tuple[Shape, ...]
    name: str = ""
    """What the element is called in answers, such as ``r1c2``."""


class Drawing(Struct, frozen=True):
    """Shapes in the order in which they are drawn, on a ground of ``width`` by ``height`` cells."""

    width: float
    height: float
    shapes: tuple[Shape | Tile, ...]
