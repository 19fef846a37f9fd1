"""The vocabulary of scenes: grids, hexagons, stacks, graphs, planes, cards, tables and so on.

Elements are immutable, typed and JSON both ways. They state what is where, not how it is drawn:
sizes are in cells, and colours are roles of :mod:`palaestra.scenes.palette`, so that every scene
can be drawn light and dark. Rows and columns of grids count from 0, downwards and to the right.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

Mark = Literal[
    "", "disc", "ring", "square", "diamond", "triangle", "star", "cross", "dot", "bulb",
    "up", "down", "left", "right", "up-left", "up-right", "down-left", "down-right",
    "slash", "backslash", "horizontal", "vertical", "plus", "minus",
    "heart", "spade", "club", "tent", "tree", "flag", "mine", "person", "box",
    "chevron-up", "chevron-down", "chevron-left", "chevron-right",
    "king", "queen", "rook", "bishop", "knight", "pawn", "cat", "key", "lock", "door",
]  # fmt: skip
"""A sign that is drawn, where a letter would not say as much."""

Tone = str
"""A role of the palette: ``paper``, ``none``, ``muted``, ``shade``, ``dark``, ``ink``, ``accent``,
``good``, ``bad``, ``water``, a colour ``c0`` to ``c11`` or its tint ``t0`` to ``t11``.
"""


class Cell(Struct, frozen=True, omit_defaults=True):
    """A cell of a grid: text or a mark on a ground."""

    text: str = ""
    fill: Tone = "paper"
    """The ground; with ``none``, there is no cell."""
    mark: Mark = ""
    """A text stands on it; chess pieces are letters on a ``disc``, for instance. An arrow is drawn
    smaller beside a text."""
    tone: Tone = ""
    """The colour of the mark, or else of the text; by default what contrasts with the ground."""
    corner: str = ""
    """A short text in the upper left corner, such as the sum of a cage."""
    halves: tuple[str, ...] = ()
    """A text below the falling diagonal and one above it, either of which may be empty, as walls of
    kakuro have them."""
    fixed: bool = False
    """Whether it is part of the task, where others of its sort are to be filled in."""


class Line(Struct, frozen=True, omit_defaults=True):
    """A line through the centres of cells, given as (row, column), halves included."""

    points: tuple[tuple[float, float], ...]
    tone: Tone = "accent"
    width: float = 0.12
    arrow: bool = False
    """Whether it ends in an arrowhead."""
    round_end: bool = False
    """Whether it starts with a disc, as the bulb of a thermometer."""


class Border(Struct, frozen=True, omit_defaults=True):
    """A line along the borders of cells, through corners given as (row, column) from 0."""

    points: tuple[tuple[float, float], ...]
    tone: Tone = "ink"
    width: float = 0.1
    dashed: bool = False


class Between(Struct, frozen=True, omit_defaults=True):
    """A sign on the border between a cell and the one to its right or below it."""

    row: int
    column: int
    side: Literal["right", "down"]
    text: str = ""
    mark: Mark = ""
    tone: Tone = ""


Corners = tuple[tuple[str, ...], ...]
"""A text for each corner of a grid, by row; empty where there is none."""


class Grid(Struct, frozen=True, omit_defaults=True, tag="grid"):
    """A board of square cells, with names on its rim, regions, walls, lines and signs between."""

    cells: tuple[tuple[Cell, ...], ...]
    """Rows of as many cells each."""
    top: tuple[tuple[str, ...], ...] = ()
    """Labels above the columns: for each column its labels from the top, the nearest one last."""
    left: tuple[tuple[str, ...], ...] = ()
    """Labels of each row on the left, the nearest one last."""
    bottom: tuple[tuple[str, ...], ...] = ()
    """Labels below, the nearest one first."""
    right: tuple[tuple[str, ...], ...] = ()
    """Labels on the right, the nearest one first."""
    regions: tuple[tuple[int, ...], ...] = ()
    """A region for each cell; borders between cells of different regions are thick."""
    lines: tuple[Line, ...] = ()
    borders: tuple[Border, ...] = ()
    between: tuple[Between, ...] = ()
    corners: Corners = ()
    """Texts at corners, in small discs."""
    style: Literal["cells", "dots", "points", "plain"] = "cells"
    """``dots`` shows the corners alone, as loops want it; ``points`` is a board of intersections;
    ``plain`` has no borders between cells."""
    last: tuple[tuple[int, int], ...] = ()
    """The cells of the last move."""
    coordinates: bool = False
    """Whether rows and columns are numbered from 1 on the rim where there are no labels."""


class Hex(Struct, frozen=True, omit_defaults=True):
    """A hexagon in row ``row`` and column ``column``; see :class:`Hexagons`."""

    row: int
    column: int
    cell: Cell = Cell()


class Hexagons(Struct, frozen=True, omit_defaults=True, tag="hexagons"):
    """A board of hexagons with a corner on top; every other row is shifted by half a hexagon."""

    cells: tuple[Hex, ...]
    shifted: Literal["odd", "even"] = "odd"
    """Which rows are shifted to the right."""
    left: tuple[str, ...] = ()
    top: tuple[str, ...] = ()
    last: tuple[tuple[int, int], ...] = ()


class Item(Struct, frozen=True, omit_defaults=True):
    """A piece of a stack."""

    text: str = ""
    tone: Tone = "t0"
    width: float = 1.0
    """Its width in parts of the widest item, above 0 and at most 1."""


class Stacks(Struct, frozen=True, omit_defaults=True, tag="stacks"):
    """Stacks of items, the lowest item first: tubes of balls, pegs of discs, piles of blocks."""

    stacks: tuple[tuple[Item, ...], ...]
    labels: tuple[str, ...] = ()
    style: Literal["tubes", "pegs", "blocks"] = "blocks"
    height: int = 0
    """The number of items that fit on a stack, where it is limited."""
    last: tuple[tuple[int, int], ...] = ()
    """The items of the last move, as (stack, level); levels count from 0 at the bottom."""


class Node(Struct, frozen=True, omit_defaults=True):
    """A node of a graph. ``x`` and ``y`` are in [0, 1], downwards; by default all are laid out."""

    name: str
    tone: Tone = "paper"
    x: float | None = None
    y: float | None = None
    note: str = ""
    """A short text beside it."""
    note_tone: Tone = "ink"
    shape: Literal["disc", "box"] = "disc"


class Edge(Struct, frozen=True, omit_defaults=True):
    """An edge between two nodes, by their positions in ``nodes``."""

    start: int
    end: int
    text: str = ""
    tone: Tone = "ink"
    wide: bool = False
    dashed: bool = False


class Graph(Struct, frozen=True, omit_defaults=True, tag="graph"):
    """A graph of nodes and edges; with ``directed``, edges are arrows."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...] = ()
    directed: bool = False


class Point(Struct, frozen=True, omit_defaults=True, tag="point"):
    """A point of a plane, with its name."""

    x: float
    y: float
    name: str = ""
    tone: Tone = "accent"


class Polygon(Struct, frozen=True, omit_defaults=True, tag="polygon"):
    """A closed polygon of a plane; its texts stand in the middle of its sides."""

    points: tuple[tuple[float, float], ...]
    tone: Tone = "ink"
    fill: Tone = "t0"
    sides: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """The names of its corners, which stand outside."""


class Curve(Struct, frozen=True, omit_defaults=True, tag="curve"):
    """An open line of a plane through points; ``arrow`` ends it in an arrowhead."""

    points: tuple[tuple[float, float], ...]
    tone: Tone = "ink"
    arrow: bool = False
    dashed: bool = False
    text: str = ""


class Plane(Struct, frozen=True, omit_defaults=True, tag="plane"):
    """Points, polygons and curves in coordinates whose y axis points upwards."""

    figures: tuple[Point | Polygon | Curve, ...]
    axes: bool = False
    """Whether a coordinate grid with numbers is drawn."""


class Card(Struct, frozen=True, omit_defaults=True):
    """A card, a tile, a die or a coin with a text or a mark."""

    text: str = ""
    mark: Mark = ""
    tone: Tone = "ink"
    fill: Tone = "paper"
    shape: Literal["card", "tile", "die", "coin"] = "card"
    """A ``die`` shows the pips of its ``text``, from 1 to 6."""


class Cards(Struct, frozen=True, omit_defaults=True, tag="cards"):
    """Rows of cards, each row with a label."""

    rows: tuple[tuple[Card, ...], ...]
    labels: tuple[str, ...] = ()


class Bar(Struct, frozen=True, omit_defaults=True):
    """A span of a timeline with a text."""

    start: float
    end: float
    text: str = ""
    tone: Tone = "t0"


class Timeline(Struct, frozen=True, omit_defaults=True, tag="timeline"):
    """Rows of bars above an axis: intervals, schedules, calendars."""

    rows: tuple[tuple[Bar, ...], ...]
    labels: tuple[str, ...] = ()
    """The names of the rows, on the left."""
    notes: tuple[str, ...] = ()
    """Texts of the rows, on the right."""
    start: float = 0
    end: float = 0
    """The end of the axis, if it is after that of all bars."""
    ticks: tuple[tuple[float, str], ...] = ()
    """Points of the axis and their texts; by default round numbers."""


class Table(Struct, frozen=True, omit_defaults=True, tag="table"):
    """Rows of texts in columns that are as wide as their texts, unlike those of a grid.

    Of cells, the text, the ground and the colour are drawn.
    """

    rows: tuple[tuple[Cell, ...], ...]
    top: tuple[str, ...] = ()
    """The names of the columns."""
    left: tuple[str, ...] = ()
    """The names of the rows."""
    last: tuple[tuple[int, int], ...] = ()
    """The cells of the last move."""


class Text(Struct, frozen=True, omit_defaults=True, tag="text"):
    """Lines of text."""

    lines: tuple[str, ...]
    mono: bool = False


class Panels(Struct, frozen=True, omit_defaults=True, tag="panels"):
    """Several scenes beside each other, each with a caption, in rows of so many columns."""

    scenes: (
        "tuple[Grid | Hexagons | Stacks | Graph | Plane | Cards | Timeline | Table | Text | Panels,"
        " ...]"
    )
    captions: tuple[str, ...] = ()
    columns: int = 3


Scene = Grid | Hexagons | Stacks | Graph | Plane | Cards | Timeline | Table | Text | Panels

Element = TypeVar("Element", bound=Struct)


def changed(element: Element, **fields: object) -> Element:
    """An element with other values of some of its fields.

    >>> changed(Cell("7"), fill="t1").text
    '7'
    """
    return msgspec.structs.replace(element, **fields)


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Scene)


def to_json(scene: Scene) -> bytes:
    """A scene as JSON; defaults are left out."""
    return _encoder.encode(scene)


def from_json(data: bytes | str) -> Scene:
    """A scene from JSON. Raises ``msgspec.ValidationError`` for anything else."""
    scene: Scene = _decoder.decode(data)
    return scene


def cells_of(
    rows: Iterable[Iterable[object]],
    signs: Mapping[str, Cell] | None = None,
    other: Callable[[str], Cell] = Cell,
) -> tuple[tuple[Cell, ...], ...]:
    """The cells of a board of signs: those of ``signs``, and ``other`` of any other sign.

    >>> cells_of(["#."], {"#": Cell(fill="dark"), ".": Cell()})
    ((Cell(text='', fill='dark', mark='', tone='', corner='', halves=(), fixed=False), \
Cell(text='', fill='paper', mark='', tone='', corner='', halves=(), fixed=False)),)
    """
    known = signs or {}
    return tuple(
        tuple(known[text] if text in known else other(text) for text in map(str, row))
        for row in rows
    )
